//! A JSON object whose fields keep their order and, as long as nobody sets them, their exact bytes.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// An object as `(key, JSON text of the value)`. What this program does not know goes through it unchanged: numbers
/// that no machine type holds, the order of keys, even the white space. Of two fields with one name the later counts,
/// as for JavaScript; both are kept.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fields<'a>(Vec<(Cow<'a, str>, Cow<'a, str>)>);

impl<'a> Fields<'a> {
    pub(crate) fn get(&self, key: &str) -> Option<&str> {
        self.0
            .iter()
            .rfind(|(name, _)| name == key)
            .map(|(_, value)| value.as_ref())
    }

    pub(crate) fn set(&mut self, key: &str, value: String) {
        match self.0.iter_mut().rfind(|(name, _)| name == key) {
            Some((_, old)) => *old = value.into(),
            None => self.0.push((key.to_owned().into(), value.into())),
        }
    }

    pub(crate) fn remove(&mut self, key: &str) {
        self.0.retain(|(name, _)| name != key);
    }

    /// The same with texts of its own.
    pub(crate) fn into_owned(self) -> Fields<'static> {
        let own = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        Fields(
            self.0
                .into_iter()
                .map(|(key, value)| (own(key), own(value)))
                .collect(),
        )
    }

    /// Whether there is no field but these.
    pub(crate) fn has_only(&self, keys: &[&str]) -> bool {
        self.0.iter().all(|(name, _)| keys.contains(&name.as_ref()))
    }

    pub(crate) fn into_entries(self) -> Vec<(Cow<'a, str>, Cow<'a, str>)> {
        self.0
    }

    pub(crate) fn set_texts<T: AsRef<str>>(&mut self, key: &str, texts: &[T], depth: usize) {
        let items = texts.iter().map(|text| quote(text.as_ref()));
        self.set(key, enclose('[', ']', items, depth + 1));
    }

    pub(crate) fn set_text(&mut self, key: &str, text: &str) {
        self.set(key, quote(text));
    }

    /// The object as text, its own lines indented by `depth` steps of two spaces.
    pub(crate) fn render(&self, depth: usize) -> String {
        render_object(
            self.0.iter().map(|(key, value)| (key.as_ref(), value.as_ref())),
            depth,
        )
    }
}

pub(crate) fn render_object<'a>(fields: impl Iterator<Item = (&'a str, &'a str)>, depth: usize) -> String {
    enclose(
        '{',
        '}',
        fields.map(|(key, value)| format!("{}: {value}", quote(key))),
        depth,
    )
}

/// The layout of `JSON.stringify(value, null, 2)`, which is the one that is found in existing files.
fn enclose(open: char, close: char, items: impl Iterator<Item = String>, depth: usize) -> String {
    let mut text = String::from(open);
    for (index, item) in items.enumerate() {
        text.push_str(if index == 0 { "\n" } else { ",\n" });
        indent(&mut text, depth + 1);
        text.push_str(&item);
    }
    if text.len() > open.len_utf8() {
        text.push('\n');
        indent(&mut text, depth);
    }
    text.push(close);
    text
}

fn indent(text: &mut String, depth: usize) {
    for _ in 0..depth {
        text.push_str("  ");
    }
}

fn quote(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FieldsVisitor;
        impl<'de> Visitor<'de> for FieldsVisitor {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<'de>, A::Error> {
                let mut fields = Vec::new();
                while let Some((Key(key), value)) = map.next_entry::<Key<'de>, &RawValue>()? {
                    fields.push((key, Cow::Borrowed(value.get())));
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(FieldsVisitor)
    }
}

/// A key, taken from the input where it stands there without escapes.
#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

/// A text of a file. Half of a surrogate pair, which JavaScript can write, becomes replacement characters.
struct LossyText<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for LossyText<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextVisitor;
        impl<'de> Visitor<'de> for TextVisitor {
            type Value = LossyText<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_bytes<E>(self, bytes: &'de [u8]) -> Result<Self::Value, E> {
                Ok(LossyText(String::from_utf8_lossy(bytes)))
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Self::Value, E> {
                Ok(LossyText(String::from_utf8_lossy(bytes).into_owned().into()))
            }
        }
        // Asked for a string, the parser would refuse the whole file for such a half.
        deserializer.deserialize_bytes(TextVisitor)
    }
}

/// A list of strings; `None` for any other value.
pub(crate) fn read_texts(value: &str) -> Option<Vec<Cow<'_, str>>> {
    let texts: Vec<LossyText<'_>> = serde_json::from_str(value).ok()?;
    Some(texts.into_iter().map(|text| text.0).collect())
}

/// A string; `None` for any other value.
pub(crate) fn read_text(value: &str) -> Option<String> {
    serde_json::from_str::<LossyText<'_>>(value)
        .ok()
        .map(|text| text.0.into_owned())
}

pub(crate) fn is_number(value: &str) -> bool {
    value.starts_with(|c: char| c == '-' || c.is_ascii_digit())
}

/// A number in whole units, held within the range of the type; `None` for any other value.
pub(crate) fn read_number(value: &str) -> Option<i64> {
    if !is_number(value) {
        return None;
    }
    value
        .parse()
        .ok()
        .or_else(|| value.parse::<f64>().ok().map(|number| number as i64))
}
