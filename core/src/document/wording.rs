//! Words that tell a placeholder, a mere reference, or a vague wish from content.

use super::blocks::{Kind, Line};
use super::label::plain;

/// Words that stand for a text that is still to come.
const PLACEHOLDERS: [&str; 22] = [
    "tbd",
    "todo",
    "tba",
    "tbc",
    "wip",
    "fixme",
    "xxx",
    "placeholder",
    "to be determined",
    "to be decided",
    "to be defined",
    "to be done",
    "to be filled",
    "to be filled in",
    "to be written",
    "to be added",
    "fill in",
    "待补",
    "待定",
    "待填写",
    "미정",
    "추후 작성",
];

/// A placeholder with a remark behind it has at most this many words.
const PLACEHOLDER_WORDS: usize = 10;

/// Words that may follow a placeholder without a mark between them.
const REMARKS: [&str; 7] = ["after", "until", "pending", "by", "in", "once", "before"];

/// Phrases with which a part points to an earlier stage.
const REFERENCES: [&str; 22] = [
    "unchanged",
    "retained",
    "carried from",
    "carried over",
    "carried forward",
    "as in stage",
    "as in revision",
    "as in the",
    "as before",
    "same as",
    "see stage",
    "see the previous",
    "see previous",
    "see planner",
    "see revision",
    "see draft",
    "from stage",
    "previous draft",
    "沿用",
    "同上",
    "동일",
    "유지",
];

/// Wishes that need a number, a command or something to observe; the longer ones come first.
const VAGUE: [&str; 38] = [
    "user friendly",
    "user-friendly",
    "easy to use",
    "as needed",
    "as necessary",
    "as appropriate",
    "if needed",
    "if necessary",
    "if appropriate",
    "where possible",
    "when possible",
    "best effort",
    "high quality",
    "state of the art",
    "and so on",
    "production ready",
    "production-ready",
    "works well",
    "works as expected",
    "good performance",
    "fast",
    "quickly",
    "quick",
    "robust",
    "robustly",
    "properly",
    "correctly",
    "appropriate",
    "appropriately",
    "reasonable",
    "reasonably",
    "efficient",
    "efficiently",
    "seamless",
    "seamlessly",
    "intuitive",
    "scalable",
    "etc",
];

/// True when a text is nothing but a placeholder.
pub(crate) fn is_placeholder(text: &str) -> bool {
    let text = plain(text).to_lowercase();
    let inner = text.trim_matches(|letter: char| !letter.is_alphanumeric());
    if inner.is_empty() {
        return !text.is_empty();
    }
    PLACEHOLDERS.iter().any(|word| {
        let Some(rest) = inner.strip_prefix(word) else { return false };
        let next = rest.trim_start();
        let remark = next.split_whitespace().next().is_some_and(|word| REMARKS.contains(&word));
        let marked = next.starts_with([':', '：', '(', '（', '—', '–', '-', '.', ',', '，', '…']);
        let short = inner.split_whitespace().take(PLACEHOLDER_WORDS + 1).count() <= PLACEHOLDER_WORDS;
        rest.is_empty() || (short && (marked || (remark && rest.starts_with(' '))))
    })
}

/// True when every line is a placeholder, and there is one.
pub(crate) fn are_placeholders(rest: &str, lines: &[Line]) -> bool {
    let texts = lines.iter().filter(|line| !matches!(line.kind, Kind::Row { header: true, .. }));
    let mut texts = texts.map(|line| line.text.as_str()).chain([rest]).filter(|text| !text.trim().is_empty());
    let first = texts.next();
    first.is_some_and(is_placeholder) && texts.all(is_placeholder)
}

/// True when a text points to an earlier stage.
pub(crate) fn is_reference(text: &str) -> bool {
    let text = text.to_lowercase();
    REFERENCES.iter().any(|phrase| text.contains(phrase))
}

/// The vague words of an acceptance criterion; none when it also names a number, a command or something to observe.
///
/// ```
/// use ralplan_core::document::vague_words;
/// assert_eq!(vague_words("The page is fast and user friendly"), ["user friendly", "fast"]);
/// assert!(vague_words("The page is fast: under 200 ms").is_empty());
/// assert!(vague_words("`cargo test` passes quickly").is_empty());
/// ```
#[must_use]
pub fn vague_words(criterion: &str) -> Vec<String> {
    let measurable = criterion.contains('`')
        || criterion.chars().any(|letter| letter.is_ascii_digit())
        || OBSERVABLE.iter().any(|word| has_word(&criterion.to_lowercase(), word));
    if measurable {
        return Vec::new();
    }
    let lower = criterion.to_lowercase();
    VAGUE.iter().filter(|word| has_word(&lower, word)).map(|word| (*word).to_owned()).collect()
}

/// Verbs that say what somebody can see.
const OBSERVABLE: [&str; 16] = [
    "returns", "prints", "exits", "rejects", "refuses", "shows", "displays", "logs", "contains", "equals",
    "responds", "fails", "raises", "throws", "emits", "writes",
];

/// True when `word` stands in `text` with no letter or digit at either side.
pub(crate) fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, found)| {
        let before = text.get(..at).and_then(|head| head.chars().next_back());
        let after = text.get(at + found.len()..).and_then(|tail| tail.chars().next());
        let is_free = |letter: Option<char>| letter.is_none_or(|letter| !letter.is_alphanumeric());
        is_free(before) && is_free(after)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_placeholders_count() {
        for text in [
            "TBD",
            "**TODO**",
            "TBD.",
            "[TBD]",
            "TBD (after consensus)",
            "todo: fill in",
            "待补",
            "미정",
            "…",
            "TBD after review",
            "(placeholder, filled after consensus)",
        ] {
            assert!(is_placeholder(text), "{text}");
        }
        for text in [
            "",
            "Todo list is stored in SQLite",
            "We remove every TODO",
            "The TBD marker is refused",
            "TODOS",
            "Use a placeholder image",
            "none",
        ] {
            assert!(!is_placeholder(text), "{text}");
        }
    }

    #[test]
    fn vague_words_need_to_be_alone() {
        assert_eq!(vague_words("Errors are handled properly, etc."), ["properly", "etc"]);
        assert!(vague_words("The breakfast is served").is_empty());
        assert!(vague_words("The command exits properly").is_empty());
        assert_eq!(vague_words("It is robust"), ["robust"]);
    }

    #[test]
    fn references_are_recognised() {
        assert!(is_reference("Items 1-5 as in stage 1."));
        assert!(is_reference("Unchanged."));
        assert!(!is_reference("Keep the cache small."));
    }
}
