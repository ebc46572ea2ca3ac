//! The names of members that are read, as numbers.

use std::borrow::Cow;

use super::{Raw, Shape, Span, decode};

macro_rules! keys {
    ($($length:literal: { $($name:literal => $key:ident,)* })*) => {
        /// A member that is read somewhere. Every other member is passed over.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u8)]
        pub(crate) enum Key {
            $($($key,)*)*
        }

        impl Key {
            const COUNT: usize = [$($(Self::$key,)*)*].len();

            /// The key with this name, as it stands between the quotes.
            #[inline]
            pub(super) fn of(raw: &[u8]) -> Option<Self> {
                // By length first: one jump instead of fifty comparisons.
                match raw.len() {
                    $($length => match raw {
                        $($name => Some(Self::$key),)*
                        _ => Self::escaped(raw),
                    },)*
                    _ => Self::escaped(raw),
                }
            }

            fn of_decoded(name: &[u8]) -> Option<Self> {
                match name {
                    $($($name => Some(Self::$key),)*)*
                    _ => None,
                }
            }
        }
    };
}

keys! {
    2: { b"id" => Id, }
    3: { b"cwd" => Cwd, }
    4: { b"type" => Type, b"role" => Role, b"text" => Text, b"name" => Name, b"kind" => Kind, b"cost" => Cost, }
    5: { b"usage" => Usage, b"model" => Model, b"label" => Label, b"input" => Input, b"total" => Total, }
    6: { b"output" => Output, b"fromId" => FromId, }
    7: {
        b"content" => Content, b"message" => Message, b"version" => Version, b"summary" => Summary,
        b"modelId" => ModelId, b"display" => Display, b"isError" => IsError, b"command" => Command,
    }
    8: {
        b"parentId" => ParentId, b"thinking" => Thinking, b"provider" => Provider, b"toolName" => ToolName,
        b"targetId" => TargetId, b"exitCode" => ExitCode,
    }
    9: {
        b"timestamp" => Timestamp, b"arguments" => Arguments, b"cacheRead" => CacheRead,
        b"reasoning" => Reasoning, b"cancelled" => Cancelled, b"truncated" => Truncated,
    }
    10: {
        b"stopReason" => StopReason, b"responseId" => ResponseId, b"toolCallId" => ToolCallId,
        b"customType" => CustomType, b"cacheWrite" => CacheWrite,
    }
    11: { b"totalTokens" => TotalTokens, b"replacement" => Replacement, }
    12: { b"errorMessage" => ErrorMessage, b"tokensBefore" => TokensBefore, }
    13: { b"parentSession" => ParentSession, b"thinkingLevel" => ThinkingLevel, b"systemMessage" => SystemMessage, }
    16: { b"firstKeptEntryId" => FirstKeptEntryId, }
    18: { b"excludeFromContext" => ExcludeFromContext, }
    19: { b"firstKeptEntryIndex" => FirstKeptEntryIndex, }
}

impl Key {
    /// Escapes in keys are legal.
    fn escaped(raw: &[u8]) -> Option<Self> {
        if !raw.contains(&b'\\') {
            return None;
        }
        match decode(Raw::Bytes(raw)) {
            Ok(Cow::Owned(name)) => Self::of_decoded(name.as_bytes()),
            _ => None,
        }
    }
}

/// Takes the members of an object as they are walked over.
pub(super) trait Take {
    /// A member whose key is read somewhere. Of two with one key the last one counts, as in every JSON parser.
    fn take(&mut self, key: Key, shape: Shape, span: Span);
}

/// The members of one object: shape and span of the values.
#[derive(Debug)]
pub(crate) struct Members {
    present: u64,
    values: [(Shape, Span); Key::COUNT],
}

const _: () = assert!(Key::COUNT <= u64::BITS as usize);

impl Default for Members {
    fn default() -> Self {
        Self {
            present: 0,
            values: [(Shape::Null, Span::default()); Key::COUNT],
        }
    }
}

impl Take for Members {
    #[inline]
    fn take(&mut self, key: Key, shape: Shape, span: Span) {
        self.present |= 1 << key as u8;
        self.values[key as usize] = (shape, span);
    }
}

impl Members {
    pub(crate) fn clear(&mut self) {
        self.present = 0;
    }

    /// The value of `key`.
    #[inline]
    pub(crate) fn get(&self, key: Key) -> Option<(Shape, Span)> {
        (self.present >> key as u8 & 1 == 1).then(|| self.values[key as usize])
    }

    /// The raw bytes of a string value.
    pub(crate) fn string<'a>(&self, line: &'a [u8], key: Key) -> Option<&'a [u8]> {
        match self.get(key) {
            Some((Shape::String, span)) => Some(&line[span.range()]),
            _ => None,
        }
    }

    /// A number value.
    pub(crate) fn number(&self, line: &[u8], key: Key) -> Option<f64> {
        match self.get(key) {
            Some((Shape::Number, span)) => super::number::value(&line[span.range()]),
            _ => None,
        }
    }

    /// A boolean value.
    pub(crate) fn bool(&self, key: Key) -> Option<bool> {
        match self.get(key) {
            Some((Shape::Bool(value), _)) => Some(value),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_by_name_and_with_escapes() {
        assert_eq!(Key::of(b"type"), Some(Key::Type));
        assert_eq!(Key::of(br"t\u0079pe"), Some(Key::Type));
        assert_eq!(Key::of(b"firstKeptEntryIndex"), Some(Key::FirstKeptEntryIndex));
        assert_eq!(Key::of(b"typo"), None);
        assert_eq!(Key::of(br"t\u0079po"), None);
        assert_eq!(Key::of(b""), None);
    }
}
