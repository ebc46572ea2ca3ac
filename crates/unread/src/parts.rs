//! How many text parts of a message count.
//!
//! A message can have any number of parts, of which the first [`MAX_PARTS`] are looked at, pictures and unknown ones
//! included. The session model hands out the text parts without their places among the others, so for the rare message
//! that may have more parts, its line is walked once more.

use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::limits::MAX_PARTS;

/// The number of text parts among the first [`MAX_PARTS`] parts of the message on this line.
pub(crate) fn text_parts(line: &[u8]) -> usize {
    // Parts have commas between them, so most lines need no second walk.
    let commas = line.iter().filter(|&&byte| byte == b',').count();
    if commas < MAX_PARTS {
        return MAX_PARTS;
    }
    // A line that the session model reads and this walk does not, such as one with a control character in a string,
    // still gives no more than the bound.
    serde_json::from_slice::<Member<Member<Parts>>>(line)
        .ok()
        .and_then(|line| line.0?.0?.0)
        .unwrap_or(MAX_PARTS)
}

/// What is looked for at each level of the line.
trait Named {
    const KEY: &'static str;
}

impl Named for Member<Parts> {
    const KEY: &'static str = "message";
}

impl Named for Parts {
    const KEY: &'static str = "content";
}

/// The value of the one member that is looked for; the last one where a key stands twice.
struct Member<T>(Option<T>);

/// The number of text parts; none when the content is no list.
struct Parts(Option<usize>);

impl<'de, T: Named + Deserialize<'de>> Deserialize<'de> for Member<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object<T>(std::marker::PhantomData<T>);

        impl<'de, T: Named + Deserialize<'de>> Visitor<'de> for Object<T> {
            type Value = Member<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut found = None;
                while let Some(key) = map.next_key::<String>()? {
                    if key == T::KEY {
                        found = Some(map.next_value()?);
                    } else {
                        map.next_value::<IgnoredAny>()?;
                    }
                }
                Ok(Member(found))
            }
        }

        deserializer.deserialize_map(Object(std::marker::PhantomData))
    }
}

impl<'de> Deserialize<'de> for Parts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct List;

        impl<'de> Visitor<'de> for List {
            type Value = Parts;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of parts")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
                let mut texts = 0;
                for _ in 0..MAX_PARTS {
                    match list.next_element::<&RawValue>()? {
                        Some(part) => texts += usize::from(is_text(part.get())),
                        None => return Ok(Parts(Some(texts))),
                    }
                }
                while list.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Parts(Some(texts)))
            }
        }

        deserializer.deserialize_seq(List)
    }
}

/// Whether a part is what the session model takes for text: of that type, with a text that is a string.
fn is_text(part: &str) -> bool {
    #[derive(Default)]
    struct Part {
        is_text: bool,
        has_text: bool,
    }

    struct Object;

    impl<'de> Visitor<'de> for Object {
        type Value = Part;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Part, A::Error> {
            let mut part = Part::default();
            while let Some(key) = map.next_key::<String>()? {
                let value = map.next_value::<&RawValue>()?.get();
                match key.as_str() {
                    "type" => part.is_text = value == "\"text\"",
                    "text" => part.has_text = value.starts_with('"'),
                    _ => {}
                }
            }
            Ok(part)
        }
    }

    serde_json::Deserializer::from_str(part)
        .deserialize_map(Object)
        .is_ok_and(|part| part.is_text && part.has_text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(parts: &[&str]) -> Vec<u8> {
        format!(
            r#"{{"type":"message","message":{{"role":"user","content":[{}]}}}}"#,
            parts.join(",")
        )
        .into_bytes()
    }

    const TEXT: &str = r#"{"type":"text","text":"a"}"#;

    #[test]
    fn only_the_first_thousand_parts_count() {
        assert_eq!(text_parts(&line(&[TEXT; 1_200])), 1_000);
        let pictures = [r#"{"type":"image","data":""}"#; 999];
        assert_eq!(text_parts(&line(&[&pictures[..], &[TEXT, TEXT]].concat())), 1);
        let unknown = ["17"; 1_000];
        assert_eq!(text_parts(&line(&[&unknown[..], &[TEXT]].concat())), 0);
    }

    #[test]
    fn parts_that_are_no_text_do_not_count_as_text() {
        let odd = [
            r#"{"type":"text"}"#,
            r#"{"type":"text","text":7}"#,
            r#"{"text":"a"}"#,
            r#"{"type":"text","text":"\ud83d"}"#,
            r#"{"type":"image","type":"text","text":"a"}"#,
            "null",
            "[]",
        ];
        let parts: Vec<&str> = odd.iter().copied().cycle().take(1_400).collect();
        // Two of every seven, among the first thousand: 142 whole rounds, and six more with two texts among them.
        assert_eq!(text_parts(&line(&parts)), 286);
    }

    #[test]
    fn what_is_no_list_has_no_number() {
        let text = format!(r#"{{"message":{{"content":"{}"}}}}"#, ",".repeat(2_000));
        assert_eq!(text_parts(text.as_bytes()), MAX_PARTS);
        assert_eq!(text_parts(b"{}"), MAX_PARTS);
    }
}
