//! Recognising a review that was copied with another verdict.

use sha2::{Digest, Sha256};

use super::label::{plain, split_label, strip_block_marks, strip_emoji, strip_number};
use super::outline::hex;

/// Last words of the labels that introduce a verdict in any of the documented forms.
const LABELS: [&str; 11] = [
    "verdict",
    "status",
    "architecturestatus",
    "productstatus",
    "codestatus",
    "recommendation",
    "판정",
    "判定",
    "裁定",
    "最终判决",
    "判决",
];

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
    let mut value_follows = false;
    let mut buffer = String::new();
    for (number, line) in text.lines().filter(|line| !line.trim().is_empty()).enumerate() {
        let stripped =
            plain(strip_number(strip_emoji(strip_block_marks(line.trim_start_matches('\u{FEFF}')))));
        let is_value = std::mem::take(&mut value_follows) || (number < OPENING && is_bare(&stripped));
        match label_kind(&stripped) {
            Label::WithValue => continue,
            Label::Alone => {
                value_follows = true;
                continue;
            }
            Label::None if is_value => continue,
            Label::None => {}
        }
        buffer.clear();
        let letters = line.chars().filter(|letter| !letter.is_whitespace() && *letter != '\u{FEFF}');
        buffer.extend(letters.flat_map(char::to_lowercase));
        digest.update(buffer.as_bytes());
    }
    hex(&digest.finalize())
}

enum Label {
    None,
    Alone,
    WithValue,
}

fn label_kind(line: &str) -> Label {
    match split_label(line) {
        Some((label, value)) if is_label(label) => {
            if value.is_empty() {
                Label::Alone
            } else {
                Label::WithValue
            }
        }
        _ if is_label(line) => Label::Alone,
        _ => Label::None,
    }
}

fn is_label(label: &str) -> bool {
    let end = label.find(['(', '（', '—']).unwrap_or(label.len());
    let words: Vec<&str> =
        label.get(..end).unwrap_or_default().split_whitespace().take(LABEL_WORDS + 1).collect();
    words.len() <= LABEL_WORDS
        && words.last().is_some_and(|last| LABELS.iter().any(|known| known.eq_ignore_ascii_case(last)))
}

/// A line that is nothing but a few capital words, with or without brackets.
fn is_bare(line: &str) -> bool {
    let inner = line.trim_matches(['[', ']', '.']).trim();
    let words = inner.split_whitespace().take(VERDICT_WORDS + 1).count();
    (1..=VERDICT_WORDS).contains(&words)
        && inner.chars().any(|letter| letter.is_ascii_uppercase())
        && inner.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_whitespace() || letter == '_')
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
        assert_eq!(text_digest("É b\tC"), text_digest("éBc"));
    }

    proptest! {
        #[test]
        fn any_text_has_a_digest(text in any::<String>()) {
            prop_assert_eq!(text_digest(&text).len(), 64);
        }
    }
}
