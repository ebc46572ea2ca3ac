//! Just enough JSON for lines of megabytes: a structural walk that finds the members of an object without building
//! values, and the decoding of the few strings that are needed.

mod blocks;
mod cursor;
mod ends;
mod head;
mod keys;
mod marks;
mod number;
mod plain;
mod span;
mod string;
mod walk;

pub(crate) use blocks::{Block, Blocks};
pub(crate) use ends::glimpse;
pub(crate) use keys::{Key, Members};
pub(crate) use marks::Marks;
pub(crate) use number::value as number;
pub(crate) use plain::PlainMessage;
pub(crate) use span::{Control, Malformed, Shape, Span};
pub(crate) use string::{InvalidString, Raw, decode, decode_into, repair};
pub(crate) use walk::{Content, Walker};
