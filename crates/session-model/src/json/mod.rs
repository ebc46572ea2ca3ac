//! Just enough JSON for lines of megabytes: a structural walk that finds the members of an object without building
//! values, and the decoding of the few strings that are needed.

mod string;
mod walk;

pub(crate) use string::{InvalidString, decode, decode_into, repair};
pub(crate) use walk::{Control, Malformed, Members, Shape, Span, Walker};
