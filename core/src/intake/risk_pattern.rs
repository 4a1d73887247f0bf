//! How the patterns of [`super::risk_words`] are read and matched.
//!
//! A pattern is a row of words: `a|b` means either, `a*` every word that begins so, `$name` one of a named set, `~3`
//! up to three other words in between, `-a` (first) not after this word, `!a` (last) not with this word among the next
//! three. In patterns of scripts without spaces a space means "with or without a space", and `~` up to eight characters.

use std::collections::{BTreeMap, VecDeque};
use std::sync::LazyLock;

use super::risk::RiskCategory;
use super::risk_words::{GAP_ENDS, SETS, UNSPACED, WORDS};
use super::words::{Word, folded};

/// How many words are looked at together; no pattern reaches further.
pub(super) const WINDOW: usize = 12;

/// How far `!` looks.
const LOOK_AHEAD: usize = 3;

/// How many characters `~` stands for at most in a script without spaces.
const UNSPACED_GAP: usize = 8;

/// All patterns, read once.
pub(super) static PATTERNS: LazyLock<Patterns> = LazyLock::new(Patterns::read);

/// Patterns, found by how they begin.
pub(super) struct Patterns {
    by_stem: BTreeMap<String, Vec<(Stem, usize)>>,
    patterns: Vec<Pattern>,
    unspaced: BTreeMap<char, Vec<(RiskCategory, &'static str)>>,
}

struct Pattern {
    category: RiskCategory,
    not_after: Vec<Stem>,
    elements: Vec<Element>,
    not_before: Vec<Stem>,
}

#[derive(Default)]
struct Element {
    /// How many other words may stand before.
    gap: usize,
    stems: Vec<Stem>,
}

#[derive(Clone)]
struct Stem {
    text: String,
    is_open: bool,
}

impl Patterns {
    fn read() -> Self {
        let mut all = Self { by_stem: BTreeMap::new(), patterns: Vec::new(), unspaced: BTreeMap::new() };
        for (category, lines) in WORDS {
            for line in *lines {
                let pattern = Pattern::read(*category, line);
                for stem in pattern.elements.first().into_iter().flat_map(|element| &element.stems) {
                    let starts = all.by_stem.entry(stem.text.clone()).or_default();
                    starts.push((stem.clone(), all.patterns.len()));
                }
                all.patterns.push(pattern);
            }
        }
        for (category, lines) in UNSPACED {
            for line in lines.iter().flat_map(|line| line.split('|')) {
                if let Some(first) = line.chars().next() {
                    all.unspaced.entry(first.to_ascii_lowercase()).or_default().push((*category, line));
                }
            }
        }
        all
    }

    /// The longest pattern that begins with the first word of the window, and the byte where it ends.
    pub(super) fn longest_at(
        &self,
        window: &VecDeque<Word>,
        before: Option<&Word>,
    ) -> Option<(RiskCategory, usize)> {
        let word = window.front()?;
        let mut longest: Option<(RiskCategory, usize)> = None;
        let lengths = word.folded.char_indices().map(|(at, character)| at + character.len_utf8());
        for stem in lengths.filter_map(|length| word.folded.get(..length)) {
            for (stem, index) in self.by_stem.get(stem).into_iter().flatten() {
                let Some(pattern) = self.patterns.get(*index).filter(|_| stem.fits(word)) else { continue };
                let Some(end) = pattern.end(window, before) else { continue };
                if longest.is_none_or(|(_, longest)| end > longest) {
                    longest = Some((pattern.category, end));
                }
            }
        }
        longest
    }

    /// The longest pattern that begins with a character, which begins the text, and its length in bytes.
    pub(super) fn longest_unspaced(&self, first: char, text: &str) -> Option<(RiskCategory, usize)> {
        let candidates = self.unspaced.get(&first.to_ascii_lowercase())?;
        let lengths = candidates
            .iter()
            .filter_map(|(category, pattern)| Some((*category, unspaced_length(pattern, text)?)));
        lengths.max_by_key(|(_, length)| *length)
    }
}

impl Pattern {
    fn read(category: RiskCategory, line: &str) -> Self {
        let mut pattern =
            Self { category, not_after: Vec::new(), elements: Vec::new(), not_before: Vec::new() };
        let mut gap = 0;
        for part in line.split(' ') {
            if let Some(stems) = part.strip_prefix('-') {
                pattern.not_after = Stem::read_all(stems);
            } else if let Some(stems) = part.strip_prefix('!') {
                pattern.not_before = Stem::read_all(stems);
            } else if let Some(count) = part.strip_prefix('~') {
                gap = count.parse().unwrap_or_default();
            } else {
                pattern.elements.push(Element { gap: std::mem::take(&mut gap), stems: Stem::read_all(part) });
            }
        }
        pattern
    }

    /// The byte where the pattern ends, when it begins with the first word of the window.
    fn end(&self, window: &VecDeque<Word>, before: Option<&Word>) -> Option<usize> {
        let first = window.front()?;
        if !first.is_apart && before.is_some_and(|word| fits_any(&self.not_after, word)) {
            return None;
        }
        let (mut last, mut end) = (0, first.end);
        for element in self.elements.iter().skip(1) {
            let next = window.iter().enumerate().skip(last + 1).take(element.gap + 1);
            let mut joined = next.take_while(|(_, word)| !word.is_apart);
            (last, end) = loop {
                let (index, word) = joined.next()?;
                if fits_any(&element.stems, word) {
                    break (index, word.end);
                }
                if GAP_ENDS.contains(&word.folded.as_str()) {
                    return None;
                }
            };
        }
        let mut after = window.iter().skip(last + 1).take(LOOK_AHEAD).take_while(|word| !word.is_apart);
        (!after.any(|word| fits_any(&self.not_before, word))).then_some(end)
    }
}

impl Stem {
    fn read_all(text: &str) -> Vec<Self> {
        let text = match text.strip_prefix('$') {
            Some(name) => SETS.iter().find(|(known, _)| *known == name).map_or("", |(_, words)| words),
            None => text,
        };
        text.split('|')
            .map(|word| Self { text: folded(word.trim_end_matches('*')), is_open: word.ends_with('*') })
            .collect()
    }

    /// True for a word that is the stem, or begins with it where that is enough; a number at the end does not count.
    fn fits(&self, word: &Word) -> bool {
        match word.folded.strip_prefix(self.text.as_str()) {
            Some(rest) => self.is_open || rest.bytes().all(|byte| byte.is_ascii_digit()),
            None => false,
        }
    }
}

fn fits_any(stems: &[Stem], word: &Word) -> bool {
    stems.iter().any(|stem| stem.fits(word))
}

fn unspaced_length(pattern: &str, text: &str) -> Option<usize> {
    let mut rest = text;
    for (index, part) in pattern.split('~').enumerate() {
        if index > 0 {
            let reach = rest.char_indices().take(UNSPACED_GAP + 1);
            let mut places = reach.take_while(|(_, character)| !is_end_of_sentence(*character));
            let at = places.find_map(|(at, _)| after_part(part, rest.get(at..)?).map(|_| at))?;
            rest = rest.get(at..)?;
        }
        rest = after_part(part, rest)?;
    }
    Some(text.len() - rest.len())
}

/// What follows a part of a pattern, when the text begins with it.
fn after_part<'a>(part: &str, text: &'a str) -> Option<&'a str> {
    let mut rest = text;
    for expected in part.chars() {
        if expected == ' ' {
            rest = rest.trim_start_matches([' ', '\u{3000}', '\n']);
            continue;
        }
        let found = rest.chars().next().filter(|found| found.eq_ignore_ascii_case(&expected))?;
        rest = rest.get(found.len_utf8()..)?;
    }
    Some(rest)
}

fn is_end_of_sentence(character: char) -> bool {
    matches!(character, '。' | '．' | '.' | '！' | '!' | '？' | '?' | '；' | ';' | '，' | ',' | '、' | '\n')
}

#[cfg(test)]
mod tests {
    use super::super::risk::detect_risks;
    use super::*;

    #[test]
    fn every_pattern_can_fire() {
        for pattern in &PATTERNS.patterns {
            for stem in &pattern.elements[0].stems {
                let others = pattern.elements.iter().skip(1).map(|element| &element.stems[0]);
                let text: Vec<&str> =
                    std::iter::once(stem).chain(others).map(|stem| stem.text.as_str()).collect();
                let text = text.join(" ");
                let found = detect_risks(&text);
                assert!(found.iter().any(|risk| risk.category == pattern.category), "{text}: {found:?}");
            }
        }
        for (category, pattern) in PATTERNS.unspaced.values().flatten() {
            let found = detect_risks(&pattern.replace('~', ""));
            assert!(found.iter().any(|risk| risk.category == *category), "{pattern}: {found:?}");
        }
    }

    #[test]
    fn no_pattern_names_an_unknown_set_or_reaches_too_far() {
        for (_, lines) in WORDS {
            for part in
                lines.iter().flat_map(|line| line.split(' ')).filter_map(|part| part.strip_prefix('$'))
            {
                assert!(SETS.iter().any(|(name, _)| *name == part), "{part}");
            }
        }
        for pattern in &PATTERNS.patterns {
            let reach: usize = pattern.elements.iter().map(|element| element.gap + 1).sum();
            assert!(reach + LOOK_AHEAD <= WINDOW);
            assert!(
                pattern.elements.iter().all(|element| element.stems.iter().all(|stem| stem.text.len() > 1)
                    || pattern.elements.len() > 1)
            );
        }
    }
}
