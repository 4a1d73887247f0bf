//! The value of a statement: a word of the closed list with a hard end behind it.

use super::{Axis, Class, is_emoji};
use crate::document::label::strip_emoji;

/// How words begin that mean a verdict, whether or not they are in the closed list.
const STEMS: [&str; 9] =
    ["approv", "iterat", "reject", "revis", "accept", "proceed", "endors", "condition", "needs"];

/// One more stem; short, so it must not run on into another word.
const BLOCK: &str = "block";

/// Words that turn an approval into a conditional one when they follow it.
const CONDITIONS: [&str; 12] = [
    "with",
    "w/",
    "but",
    "if",
    "once",
    "unless",
    "provided",
    "providing",
    "pending",
    "conditional",
    "conditionally",
    "subject",
];

/// Pictographs that say no.
const REFUSING: [char; 9] = ['❌', '🚫', '⛔', '🔴', '🛑', '👎', '✗', '✖', '✘'];

/// A value that was read.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Reading {
    /// The word as the protocol writes it.
    pub(super) token: String,
    /// What stands behind the hard end.
    pub(super) qualifier: Option<String>,
    /// True when the statement alone would not do.
    pub(super) supporting: bool,
}

struct Word {
    spelling: String,
    token: String,
    class: Class,
}

/// The words of one axis, longest first.
pub(super) struct Words(Vec<Word>);

impl Words {
    pub(super) fn of(axis: &Axis) -> Self {
        let class =
            |token: &str| axis.tokens.iter().find(|known| known.token == token).map(|known| known.class);
        let own = axis.tokens.iter().map(|known| Word {
            spelling: known.token.clone(),
            token: known.token.clone(),
            class: known.class,
        });
        let aliases = axis.aliases.iter().filter_map(|(alias, token)| {
            Some(Word { spelling: alias.clone(), token: token.clone(), class: class(token)? })
        });
        let mut words: Vec<Word> =
            own.chain(aliases).filter(|word| !word.spelling.trim().is_empty()).collect();
        words.sort_by_key(|word| std::cmp::Reverse(word.spelling.len()));
        Self(words)
    }

    pub(super) fn known(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|word| word.token.as_str())
    }

    /// The token that an unreadable value begins with.
    pub(super) fn prefix_of(&self, value: &str) -> Option<&str> {
        self.0.iter().find(|word| strip_word(value, &word.spelling).is_some()).map(|word| word.token.as_str())
    }

    /// Reads a value: `[WORD]`, or a word and a hard end.
    pub(super) fn read(&self, value: &str) -> Option<Reading> {
        let (value, refuses) = open_value(value);
        if let Some(inner) = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            return self.first(inner.trim(), refuses).filter(|reading| reading.qualifier.is_none());
        }
        self.first(value, refuses)
    }

    fn first(&self, value: &str, refuses: bool) -> Option<Reading> {
        let (word, rest) = self.0.iter().find_map(|word| {
            let rest = strip_word(value, &word.spelling)?;
            hard_end(rest).map(|qualifier| (word, qualifier))
        })?;
        if word.class == Class::Approve && (refuses || is_condition(rest)) {
            return None;
        }
        let qualifier = (!rest.is_empty()).then(|| rest.to_owned());
        Some(Reading { token: word.token.clone(), qualifier, supporting: false })
    }
}

/// Removes one leading pictograph; true when it says no.
fn open_value(value: &str) -> (&str, bool) {
    let refuses = value.starts_with(REFUSING);
    let value = if value.starts_with(is_emoji) { strip_emoji(value) } else { value };
    (value.trim(), refuses)
}

fn strip_word<'a>(value: &'a str, word: &str) -> Option<&'a str> {
    let head = value.get(..word.len())?;
    head.eq_ignore_ascii_case(word).then(|| value.get(word.len()..)).flatten()
}

/// What stands behind a hard end, without the mark of the end; `None` when the word goes on.
fn hard_end(rest: &str) -> Option<&str> {
    if rest.trim().is_empty() || matches!(rest.trim(), "." | "。") {
        return Some("");
    }
    if rest.starts_with(" (") || rest.starts_with(['（']) || rest.starts_with(" （") {
        return Some(rest.trim());
    }
    for mark in [" — ", "——", ", ", "; ", "，", "；", "。"] {
        if let Some(tail) = rest.strip_prefix(mark) {
            return Some(tail.trim());
        }
    }
    let tail = rest.strip_prefix(". ")?.trim_start();
    let first = tail.chars().next()?;
    let opens_a_sentence = first.is_uppercase() || (first.is_alphabetic() && !first.is_lowercase());
    opens_a_sentence.then_some(tail)
}

/// True when what follows an approval, outside a parenthesis, makes it depend on something.
pub(super) fn is_condition(qualifier: &str) -> bool {
    let qualifier = qualifier.trim_start();
    let word: String = qualifier
        .chars()
        .take_while(|letter| letter.is_alphabetic() || *letter == '/')
        .map(|letter| letter.to_ascii_lowercase())
        .collect();
    CONDITIONS.contains(&word.as_str()) || word.starts_with("w/")
}

/// Reads `CLEAR / APPROVE` and returns the part of the axis at `place`.
pub(super) fn read_joint(axes: &[&Axis], place: usize, value: &str) -> Option<Reading> {
    let (value, refuses) = open_value(value);
    let mut parts = value.splitn(axes.len(), '/');
    let mut found = None;
    let mut qualifier = None;
    for (index, axis) in axes.iter().enumerate() {
        let reading = Words::of(axis).first(parts.next()?.trim(), refuses)?;
        let is_last = index + 1 == axes.len();
        if reading.qualifier.is_some() && !is_last {
            return None;
        }
        qualifier.clone_from(&reading.qualifier);
        if index == place {
            found = Some(reading);
        }
    }
    (axes.len() > 1).then_some(())?;
    found.map(|reading| Reading { qualifier, ..reading })
}

/// True when a value that cannot be read begins like a verdict.
pub(super) fn starts_like_a_verdict(value: &str, words: &Words) -> bool {
    let (value, _) = open_value(value);
    let value = value.trim_start_matches(['[', '(', '"', '\'', '‘', '“', '~', '_']);
    let begins = |stem: &str| value.get(..stem.len()).is_some_and(|head| head.eq_ignore_ascii_case(stem));
    STEMS.iter().any(|stem| begins(stem)) || begins(BLOCK) || words.prefix_of(value).is_some()
}
