//! SHA-256 in the one spelling that is stored: 64 lower-case hexadecimal digits.

use sha2::{Digest, Sha256};

/// The digest of some bytes.
///
/// ```
/// use ralplan_core::json::digest::sha256_hex;
///
/// assert_eq!(sha256_hex(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
/// ```
pub fn sha256_hex(bytes: &[u8]) -> String {
    let mut digest = Sha256Hex::new();
    digest.update(bytes);
    digest.finish()
}

/// The digest of bytes that arrive in pieces.
///
/// ```
/// use ralplan_core::json::digest::{Sha256Hex, sha256_hex};
///
/// let mut digest = Sha256Hex::new();
/// digest.update(b"pl");
/// digest.update(b"an");
/// assert_eq!(digest.finish(), sha256_hex(b"plan"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Sha256Hex(Sha256);

impl Sha256Hex {
    /// A digest of nothing so far.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The digest of all bytes added.
    pub fn finish(self) -> String {
        let mut hex = String::with_capacity(64);
        for byte in self.0.finalize() {
            for digit in [byte >> 4, byte & 0xF] {
                hex.extend(char::from_digit(u32::from(digit), 16));
            }
        }
        hex
    }
}

/// True for exactly 64 lower-case hexadecimal digits.
pub fn is_sha256_hex(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_the_published_digest() {
        // FIPS 180-4, example "abc".
        let hex = sha256_hex(b"abc");
        assert_eq!(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert!(is_sha256_hex(&hex));
    }

    #[test]
    fn refuses_other_spellings() {
        let hex = sha256_hex(b"abc");
        for other in [hex.to_uppercase(), format!("{hex}0"), String::new(), "g".repeat(64), "é".repeat(32)] {
            assert!(!is_sha256_hex(&other), "{other}");
        }
    }
}
