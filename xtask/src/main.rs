//! The developers' one door.

fn main() {}
