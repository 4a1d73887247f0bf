//! Where something stands in a text.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Distance in bytes between two remembered places; a look-up scans at most this much text.
const STRIDE: usize = 512;

/// A place in a text, for people, editors and programs alike.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// Offset in bytes from the start of the text.
    pub byte: usize,
    /// Line, counted from 1.
    pub line: usize,
    /// Column in UTF-16 units, counted from 1; what editors use.
    pub column_utf16: usize,
    /// Column in Unicode scalar values, counted from 1.
    pub column_scalar: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    byte: usize,
    utf16: usize,
    scalar: usize,
}

/// An index over a text that turns byte offsets into positions.
///
/// Building it is linear, a look-up is logarithmic, also in a text of one long line.
///
/// ```
/// use ralplan_core::document::Lines;
/// let lines = Lines::new("ab\ncd");
/// assert_eq!(lines.position(4).line, 2);
/// assert_eq!(lines.position(4).column_scalar, 2);
/// ```
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
    marks: Vec<Mark>,
}

impl<'a> Lines<'a> {
    /// Builds the index. Lines end with `\n`, `\r\n` or a lone `\r`.
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        let mut starts = vec![0];
        let mut marks = vec![Mark::default()];
        let mut last = Mark::default();
        let (mut utf16, mut scalar) = (0, 0);
        let mut after_return = false;
        for (byte, letter) in text.char_indices() {
            if after_return && letter != '\n' {
                starts.push(byte);
            }
            if byte >= last.byte + STRIDE {
                last = Mark { byte, utf16, scalar };
                marks.push(last);
            }
            after_return = letter == '\r';
            if letter == '\n' {
                starts.push(byte + 1);
            }
            utf16 += letter.len_utf16();
            scalar += 1;
        }
        if after_return {
            starts.push(text.len());
        }
        Self { text, starts, marks }
    }

    /// Number of lines; a final line break opens an empty last line.
    #[must_use]
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// Line of a byte offset, counted from 1.
    #[must_use]
    pub fn line(&self, byte: usize) -> usize {
        self.starts.partition_point(|start| *start <= byte)
    }

    /// Byte offset at which a line starts; lines count from 1.
    #[must_use]
    pub fn start(&self, line: usize) -> Option<usize> {
        self.starts.get(line.checked_sub(1)?).copied()
    }

    /// Position of a byte offset; an offset inside a character or past the end moves to the next boundary before it.
    #[must_use]
    pub fn position(&self, byte: usize) -> Position {
        let byte = floor_boundary(self.text, byte);
        let line = self.line(byte);
        let start = self.start(line).unwrap_or(0);
        let (here, there) = (self.count_to(byte), self.count_to(start));
        Position {
            byte,
            line,
            column_utf16: here.utf16.saturating_sub(there.utf16) + 1,
            column_scalar: here.scalar.saturating_sub(there.scalar) + 1,
        }
    }

    fn count_to(&self, byte: usize) -> Mark {
        let after = self.marks.partition_point(|mark| mark.byte <= byte);
        let mut mark =
            after.checked_sub(1).and_then(|index| self.marks.get(index)).copied().unwrap_or_default();
        for letter in self.text.get(mark.byte..byte).unwrap_or_default().chars() {
            mark.utf16 += letter.len_utf16();
            mark.scalar += 1;
        }
        mark
    }
}

/// Largest character boundary of `text` that is not after `byte`.
pub(crate) fn floor_boundary(text: &str, byte: usize) -> usize {
    let mut byte = byte.min(text.len());
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    byte
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn counts_utf16_and_scalars_apart() {
        let text = "a\r\n😀é b\rlast";
        let lines = Lines::new(text);
        let at = text.find('b').unwrap();
        assert_eq!(lines.position(at), Position { byte: at, line: 2, column_utf16: 5, column_scalar: 4 });
        assert_eq!(lines.position(text.len() - 4).line, 3);
        assert_eq!(lines.count(), 3);
    }

    #[test]
    fn an_offset_inside_a_character_moves_back() {
        assert_eq!(Lines::new("é").position(1).byte, 0);
        assert_eq!(
            Lines::new("").position(9),
            Position { byte: 0, line: 1, column_utf16: 1, column_scalar: 1 }
        );
    }

    proptest! {
        #[test]
        fn agrees_with_counting_by_hand(text in "[a\n\r😀é한]{0,1500}", at in 0usize..1600) {
            let position = Lines::new(&text).position(at);
            let (before, after) = text.split_at(position.byte);
            let normal = before.replace("\r\n", "\n").replace('\r', "\n");
            let split = before.ends_with('\r') && after.starts_with('\n');
            let line = normal.matches('\n').count() + 1 - usize::from(split);
            prop_assert_eq!(position.line, line);
            if !split {
                let tail = normal.rsplit('\n').next().unwrap();
                prop_assert_eq!(position.column_scalar, tail.chars().count() + 1);
                prop_assert_eq!(position.column_utf16, tail.encode_utf16().count() + 1);
            }
        }
    }
}
