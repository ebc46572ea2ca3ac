use std::fmt;

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(SmolStr);

        impl $name {
            /// Takes any text as an id; Pi does not restrict what it reads.
            pub fn new(id: impl AsRef<str>) -> Self {
                Self(SmolStr::new(id))
            }

            /// The id as text.
            pub fn as_str(&self) -> &str {
                self.0.as_str()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(self.as_str(), f)
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }

        impl From<&str> for $name {
            fn from(id: &str) -> Self {
                Self::new(id)
            }
        }

        impl From<String> for $name {
            fn from(id: String) -> Self {
                Self(id.into())
            }
        }

        impl std::borrow::Borrow<str> for $name {
            fn borrow(&self) -> &str {
                self.as_str()
            }
        }
    };
}

id! {
    /// The id of a session: the `id` of its header. Unique as a rule, but an imported copy keeps the id of its
    /// original, so two files can carry the same one.
    SessionId
}

id! {
    /// The id of an entry, unique within one session. Forks and clones keep the ids of the entries they copy.
    ///
    /// Entries of version 1 files have no id of their own and get one derived from their position
    /// (`v1-3` is the third entry), the same on every read.
    EntryId
}
