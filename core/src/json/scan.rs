//! Finding the end of the plain part of a string, eight bytes at a time.

const ONES: u64 = u64::from_ne_bytes([1; 8]);
const HIGH_BITS: u64 = u64::from_ne_bytes([0x80; 8]);

/// How many bytes come before the first quote, backslash or control character, or before the end.
pub(super) fn plain_length(bytes: &[u8]) -> usize {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut length = 0;
    for word in words {
        let marks = special_bytes(u64::from_le_bytes(*word));
        if marks != 0 {
            // The lowest mark is exact; higher ones may come from a borrow.
            return length + usize::try_from(marks.trailing_zeros() / 8).unwrap_or_default();
        }
        length += word.len();
    }
    let plain = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20));
    length + plain.unwrap_or(rest.len())
}

/// Sets the high bit of the bytes that end a plain part (Warren, Hacker's Delight, section 6-1).
const fn special_bytes(word: u64) -> u64 {
    let quote = word ^ (ONES * 0x22);
    let backslash = word ^ (ONES * 0x5C);
    let is_control = word.wrapping_sub(ONES * 0x20) & !word;
    let is_quote = quote.wrapping_sub(ONES) & !quote;
    let is_backslash = backslash.wrapping_sub(ONES) & !backslash;
    (is_control | is_quote | is_backslash) & HIGH_BITS
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn agrees_with_looking_at_each_byte(
            bytes in prop::collection::vec(prop_oneof![0x1F_u8..0x24, 0x5B_u8..0x5E, 0x7F_u8..0x82, 0x9F_u8..0xA3, any::<u8>()], 0..40),
        ) {
            let expected = bytes.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20));
            prop_assert_eq!(plain_length(&bytes), expected.unwrap_or(bytes.len()));
        }

        #[test]
        fn finds_the_end_of_long_plain_parts(length in 0_usize..70, end in prop::sample::select(vec![b'"', b'\\', 0, 0x1F])) {
            let mut bytes = vec![0xC3; length];
            bytes.push(end);
            bytes.extend([b'"'; 9]);
            prop_assert_eq!(plain_length(&bytes), length);
        }
    }
}
