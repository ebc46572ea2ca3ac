//! Bytes with the texts left out that the reader knows already.

use memchr::memmem;

use super::bytes::{Decoder, Encoder};

/// Texts shorter than this are not worth a reference.
const SHORTEST: usize = 8;

/// Writes `bytes` with every occurrence of a known text as a reference to it.
pub(super) fn substitute(bytes: &[u8], known: &[&[u8]]) -> Vec<u8> {
    let mut out = Encoder::default();
    out.number(bytes.len() as u64);
    let finders: Vec<(usize, memmem::Finder<'_>)> = known
        .iter()
        .enumerate()
        .filter(|(_, text)| text.len() >= SHORTEST)
        .map(|(number, text)| (number, memmem::Finder::new(*text)))
        .collect();
    let mut rest = bytes;
    loop {
        // The first occurrence of any, and of those that begin there the longest.
        let found = finders
            .iter()
            .filter_map(|(number, finder)| Some((finder.find(rest)?, *number)))
            .min_by_key(|(at, number)| (*at, usize::MAX - known[*number].len()));
        match found {
            Some((at, number)) => {
                out.block(&rest[..at]);
                out.number(number as u64);
                rest = &rest[at + known[number].len()..];
            }
            None => {
                out.block(rest);
                return out.into_bytes();
            }
        }
    }
}

/// The bytes that were given to [`substitute`] with the same known texts.
pub(super) fn restore(bytes: &[u8], known: &[&[u8]]) -> Option<Vec<u8>> {
    let mut from = Decoder::new(bytes);
    let length = usize::try_from(from.number()?).ok()?;
    let mut restored = Vec::new();
    loop {
        restored.extend_from_slice(from.block()?);
        if from.is_empty() {
            return (restored.len() == length).then_some(restored);
        }
        restored.extend_from_slice(known.get(from.number()? as usize)?);
        if restored.len() > length {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back() {
        let known: [&[u8]; 4] = [b"/home/dev/shop", b"/home/dev/shop/cart", b"short", b""];
        for bytes in [
            &b""[..],
            b"nothing known",
            b"/home/dev/shop/home/dev/shop/cart and short /home/dev/sho",
            b"/home/dev/shop",
        ] {
            let written = substitute(bytes, &known);
            assert_eq!(restore(&written, &known).as_deref(), Some(bytes));
            assert_eq!(restore(&written[..written.len() - 1], &known), None);
        }
        assert!(substitute(b"in /home/dev/shop/cart", &known).len() < 10);
    }
}
