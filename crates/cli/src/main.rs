//! The program `lookback`.

fn main() {}
