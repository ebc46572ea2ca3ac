//! A JSON object whose fields keep their order and, as long as nobody sets them, their exact bytes.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// An object as `(key, JSON text of the value)`. What this program does not know goes through it unchanged: numbers
/// that no machine type holds, the order of keys, even the white space.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fields(Vec<(String, String)>);

impl Fields {
    pub(crate) fn get(&self, key: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value.as_str())
    }

    pub(crate) fn set(&mut self, key: &str, value: String) {
        match self.0.iter_mut().find(|(name, _)| name == key) {
            Some((_, old)) => *old = value,
            None => self.0.push((key.to_owned(), value)),
        }
    }

    pub(crate) fn remove(&mut self, key: &str) {
        self.0.retain(|(name, _)| name != key);
    }

    /// Whether there is no field but these.
    pub(crate) fn has_only(&self, keys: &[&str]) -> bool {
        self.0.iter().all(|(name, _)| keys.contains(&name.as_str()))
    }

    pub(crate) fn into_entries(self) -> Vec<(String, String)> {
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
            self.0.iter().map(|(key, value)| (key.as_str(), value.as_str())),
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

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FieldsVisitor)
    }
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Fields;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
        let mut entries: Vec<(String, String)> = Vec::new();
        let mut places = std::collections::HashMap::new();
        while let Some((key, value)) = map.next_entry::<String, &RawValue>()? {
            // Of two fields with one name the later counts, as for JavaScript.
            match places.get(&key) {
                Some(&place) => {
                    if let Some((_, old)) = entries.get_mut::<usize>(place) {
                        *old = value.get().to_owned();
                    }
                }
                None => {
                    places.insert(key.clone(), entries.len());
                    entries.push((key, value.get().to_owned()));
                }
            }
        }
        Ok(Fields(entries))
    }
}

/// A text of a file. Half of a surrogate pair, which JavaScript can write, becomes replacement characters.
struct LossyText(String);

impl<'de> Deserialize<'de> for LossyText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextVisitor;
        impl Visitor<'_> for TextVisitor {
            type Value = LossyText;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_str<E>(self, text: &str) -> Result<LossyText, E> {
                Ok(LossyText(text.to_owned()))
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<LossyText, E> {
                Ok(LossyText(String::from_utf8_lossy(bytes).into_owned()))
            }
        }
        // Asked for a string, the parser would refuse the whole file for such a half.
        deserializer.deserialize_bytes(TextVisitor)
    }
}

/// A list of strings; `None` for any other value.
pub(crate) fn read_texts(value: &str) -> Option<Vec<String>> {
    let texts: Vec<LossyText> = serde_json::from_str(value).ok()?;
    Some(texts.into_iter().map(|text| text.0).collect())
}

/// A string; `None` for any other value.
pub(crate) fn read_text(value: &str) -> Option<String> {
    serde_json::from_str::<LossyText>(value).ok().map(|text| text.0)
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
