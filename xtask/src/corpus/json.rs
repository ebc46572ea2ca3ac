//! Writing JSON by hand, in the key order that Pi uses.

/// Appends a string with its quotes.
pub(crate) fn string(text: &str, out: &mut String) {
    out.push('"');
    escaped(text, out);
    out.push('"');
}

/// Appends what stands between the quotes of a string.
pub(crate) fn escaped(text: &str, out: &mut String) {
    let mut plain = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\t' => "\\t",
            b'\r' => "\\r",
            0..=0x1f => "\\u0020",
            _ => continue,
        };
        out.push_str(&text[plain..at]);
        out.push_str(escape);
        plain = at + 1;
    }
    out.push_str(&text[plain..]);
}
