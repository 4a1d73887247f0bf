//! Words of plans and tasks.

/// Words that say nothing about where something is.
const COMMON: &str = " add all and any are but can change could each fix for from has have how into its make must new \
                      not now our out should support that the their them this use was when where which will with you ";

/// The words of a text that can tell one file or section from another, lower case.
pub(crate) fn words(text: &str) -> Vec<String> {
    let is_telling = |word: &String| (word.len() >= 3) && !COMMON.contains(&format!(" {word} "));
    let words = text.split(|letter: char| !letter.is_alphanumeric()).map(str::to_lowercase);
    let mut seen = std::collections::BTreeSet::new();
    words.filter(is_telling).filter(|word| seen.insert(word.clone())).collect()
}

/// The start of a word, which its other forms share.
pub(crate) fn stem(word: &str) -> String {
    word.chars().take(5).collect()
}

/// True when a word of a text starts with a stem.
pub(crate) fn holds(text: &str, stem: &str) -> bool {
    let before = |at: usize| text.get(..at).and_then(|head| head.chars().next_back());
    text.match_indices(stem).any(|(at, _)| !before(at).is_some_and(char::is_alphanumeric))
}

/// A text on one line without marks, cut to a length in characters.
pub(crate) fn short(text: &str, most: usize) -> String {
    let plain = text.replace(['`', '|', '#', '*', '<', '>', '{', '}'], "");
    plain.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(most).collect()
}
