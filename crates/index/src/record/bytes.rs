//! Numbers in as few bytes as they need.

/// Appends numbers to a buffer.
#[derive(Debug, Default)]
pub(super) struct Encoder {
    bytes: Vec<u8>,
}

impl Encoder {
    pub(super) fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// Seven bits a byte, the lowest first.
    pub(super) fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    /// Small numbers of either sign stay short.
    pub(super) fn signed(&mut self, number: i64) {
        self.number((number << 1 ^ number >> 63) as u64);
    }

    pub(super) fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Bytes with their length before them.
    pub(super) fn block(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.raw(bytes);
    }

    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Reads what an [`Encoder`] wrote. Every answer is `None` where the bytes are not what they should be.
#[derive(Debug, Clone)]
pub(super) struct Decoder<'a> {
    bytes: &'a [u8],
}

impl<'a> Decoder<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    #[inline]
    pub(super) fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(first)
    }

    #[inline]
    pub(super) fn number(&mut self) -> Option<u64> {
        // Most numbers are one byte long.
        match self.bytes.split_first() {
            Some((&first, rest)) if first < 0x80 => {
                self.bytes = rest;
                Some(u64::from(first))
            }
            _ => self.long_number(),
        }
    }

    fn long_number(&mut self) -> Option<u64> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    #[inline]
    pub(super) fn small(&mut self) -> Option<u32> {
        u32::try_from(self.number()?).ok()
    }

    #[inline]
    pub(super) fn signed(&mut self) -> Option<i64> {
        let number = self.number()?;
        Some((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    #[inline]
    pub(super) fn raw(&mut self, length: usize) -> Option<&'a [u8]> {
        let (first, rest) = self.bytes.split_at_checked(length)?;
        self.bytes = rest;
        Some(first)
    }

    pub(super) fn block(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        self.raw(length)
    }

    pub(super) fn rest(self) -> &'a [u8] {
        self.bytes
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let mut encoder = Encoder::default();
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX];
        let signed = [0, -1, 1, i64::MIN, i64::MAX, -64, 64];
        numbers.iter().for_each(|&number| encoder.number(number));
        signed.iter().for_each(|&number| encoder.signed(number));
        encoder.block(b"block");
        let bytes = encoder.into_bytes();
        let mut decoder = Decoder::new(&bytes);
        for number in numbers {
            assert_eq!(decoder.number(), Some(number));
        }
        for number in signed {
            assert_eq!(decoder.signed(), Some(number));
        }
        assert_eq!(decoder.block(), Some(&b"block"[..]));
        assert!(decoder.is_empty() && decoder.number().is_none());
    }

    #[test]
    fn endless_numbers_are_refused() {
        assert_eq!(Decoder::new(&[0xff; 20]).number(), None);
        assert_eq!(Decoder::new(&[0x80]).number(), None);
    }
}
