//! Where something stands in a text, and how input is quoted in messages.

/// How many characters of the input a message repeats.
const QUOTED_CHARACTERS: usize = 60;

/// The path of the document as a whole.
pub(super) const ROOT: &str = ".";

/// The 1-based line and the 1-based column, in characters, of a byte in a text.
pub(super) fn position(text: &[u8], at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let column = before.rsplit(|byte| *byte == b'\n').next().unwrap_or(before);
    (line, column.iter().filter(|byte| **byte & 0xC0 != 0x80).count() + 1)
}

/// A piece of input for a message: in back-ticks, shortened, control characters escaped.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("`");
    for (index, character) in text.chars().enumerate() {
        if index == QUOTED_CHARACTERS {
            out.push('…');
            break;
        }
        if character.is_control() {
            out.extend(character.escape_default());
        } else {
            out.push(character);
        }
    }
    out.push('`');
    out
}

/// The character at a place for a message, or the words for the end of the text.
pub(super) fn found_at(text: &str, at: usize) -> String {
    let rest = text.get(at..).unwrap_or_default();
    let Some(character) = rest.chars().next() else { return "the end of the text".to_owned() };
    quoted(character.encode_utf8(&mut [0; 4]))
}

/// A path with one more key, as in `actor.kind`.
pub(super) fn join_key(path: &mut String, key: &str) {
    if !path.is_empty() {
        path.push('.');
    }
    path.push_str(key);
}

/// A path with one more position, as in `findings[2]`.
pub(super) fn join_index(path: &mut String, index: usize) {
    path.push('[');
    path.push_str(&index.to_string());
    path.push(']');
}

/// The path for a message, which names the whole document by [`ROOT`].
pub(super) fn named(path: String) -> String {
    if path.is_empty() { ROOT.to_owned() } else { path }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_lines_and_characters_from_one() {
        assert_eq!(position(b"", 0), (1, 1));
        assert_eq!(position("a\né!x".as_bytes(), 5), (2, 3));
        assert_eq!(position(b"a\n", 99), (2, 1));
    }

    #[test]
    fn quotes_shortly_and_without_control_characters() {
        assert_eq!(quoted("a\u{1b}b"), "`a\\u{1b}b`");
        assert_eq!(quoted(&"é".repeat(61)), format!("`{}…`", "é".repeat(60)));
    }
}
