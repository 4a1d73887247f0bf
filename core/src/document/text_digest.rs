//! Recognising a review that was copied with another verdict.

use sha2::{Digest, Sha256};

use super::label::{plain, split_label, strip_block_marks, strip_emoji, strip_number};
use super::outline::hex;

/// Last words of the labels that always introduce a verdict.
const VERDICT_LABELS: [&str; 6] = ["verdict", "판정", "判定", "裁定", "最终判决", "判决"];

/// Last words of the labels that introduce one when a few capital words follow.
const OTHER_LABELS: [&str; 5] =
    ["status", "architecturestatus", "productstatus", "codestatus", "recommendation"];

/// A label with more words than this is a sentence.
const LABEL_WORDS: usize = 4;

/// A line with more words than this is no bare verdict.
const VERDICT_WORDS: usize = 3;

/// Number of lines at the start of a text among which a bare verdict may stand.
const OPENING: usize = 3;

/// SHA-256, lower-case hex, of a text without white space, case and verdict lines.
///
/// Two reviews with the same digest say the same, whatever verdict each of them states.
///
/// ```
/// use ralplan_core::document::text_digest;
/// assert_eq!(text_digest("Verdict: APPROVE\n\nAll is  well."), text_digest("## Verdict: REJECT\nall is well.\n"));
/// assert_ne!(text_digest("All is well."), text_digest("All is not well."));
/// ```
#[must_use]
pub fn text_digest(text: &str) -> String {
    let mut digest = Sha256::new();
    let mut above = Label::None;
    let mut buffer = String::new();
    for (number, line) in text.lines().filter(|line| !line.trim().is_empty()).enumerate() {
        let line = line.trim_start_matches('\u{FEFF}');
        let stripped = plain(strip_number(strip_emoji(strip_block_marks(line))));
        let (label, value) = read_label(&stripped);
        let is_value = match std::mem::replace(&mut above, Label::None) {
            Label::Verdict => true,
            Label::Other => is_bare(&stripped),
            Label::None => number < OPENING && is_bare(&stripped),
        };
        let is_statement = match label {
            Label::Verdict => true,
            Label::Other => value.is_empty() || is_bare(value),
            Label::None => false,
        };
        if is_statement && value.is_empty() {
            above = label;
        }
        if is_statement || is_value {
            continue;
        }
        buffer.clear();
        buffer.extend(line.chars().filter(|letter| !letter.is_whitespace()).flat_map(char::to_lowercase));
        digest.update(buffer.as_bytes());
    }
    hex(&digest.finalize())
}

#[derive(Clone, Copy)]
enum Label {
    None,
    Verdict,
    Other,
}

/// The label of a line with its value, which is empty when the line is the label alone.
fn read_label(line: &str) -> (Label, &str) {
    let (name, value) = split_label(line).unwrap_or((line, ""));
    let end = name.find(['(', '（', '—']).unwrap_or(name.len());
    let words: Vec<&str> =
        name.get(..end).unwrap_or_default().split_whitespace().take(LABEL_WORDS + 1).collect();
    let is_one_of = |known: &[&str]| {
        let last = words.last().filter(|_| words.len() <= LABEL_WORDS);
        last.is_some_and(|last| known.iter().any(|known| known.eq_ignore_ascii_case(last)))
    };
    if is_one_of(&VERDICT_LABELS) {
        (Label::Verdict, value)
    } else if is_one_of(&OTHER_LABELS) {
        (Label::Other, value)
    } else {
        (Label::None, "")
    }
}

/// A text that is a few capital words, with or without brackets, and perhaps a remark behind a dash or in parentheses.
fn is_bare(text: &str) -> bool {
    let end = text.find(['—', '(', '（', ',', ';']).unwrap_or(text.len());
    let inner = text.get(..end).unwrap_or_default().trim().trim_matches(['[', ']', '.']).trim();
    let words = inner.split_whitespace().take(VERDICT_WORDS + 1).count();
    (1..=VERDICT_WORDS).contains(&words)
        && inner.chars().any(|letter| letter.is_ascii_uppercase())
        && inner.chars().all(|letter| {
            letter.is_ascii_uppercase() || letter.is_whitespace() || matches!(letter, '_' | '/')
        })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_verdict_does_not_count() {
        let body = "The plan covers the cache.\nIt names the files.\n";
        let plain = text_digest(body);
        for opening in [
            "**Verdict: APPROVE**\n\n",
            "## Architectural Status\n`WATCH`\n\n## Code Review Recommendation\n`COMMENT`\n",
            "[ITERATE]\n",
            "# Verdict\n\n**REJECT** — two gaps\n",
            "- 판정: **ITERATE**\n",
        ] {
            assert_eq!(text_digest(&format!("{opening}{body}")), plain, "{opening}");
            assert_eq!(text_digest(&format!("{opening}{body}").replace('\n', "\r\n")), plain, "{opening}");
        }
    }

    #[test]
    fn other_words_count() {
        assert_ne!(text_digest("The status of the cache: cold"), text_digest("The cache: cold"));
        assert_ne!(text_digest("a b"), text_digest("a c"));
        assert_ne!(
            text_digest("- Recommendation: add a test"),
            text_digest("- Recommendation: drop the cache")
        );
        assert_eq!(text_digest("É b\tC"), text_digest("éBc"));
    }

    proptest! {
        #[test]
        fn any_text_has_a_digest(text in any::<String>()) {
            prop_assert_eq!(text_digest(&text).len(), 64);
        }
    }
}
