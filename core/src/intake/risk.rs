//! Finding in a task what makes a plan deserve the deliberate mode.

use std::collections::{BTreeSet, VecDeque};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::risk_pattern::{PATTERNS, WINDOW};
use super::words::{Words, folded};

/// What kind of harm a word hints at.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RiskCategory {
    /// Who may do what, secrets, encryption, known weaknesses.
    Security,
    /// Money.
    Payment,
    /// Moving data or changing its shape.
    Migration,
    /// Losing data.
    Destructive,
    /// Something that runs is broken, or is brought back.
    Incident,
    /// Data about people, and the law about it.
    Privacy,
    /// What others build upon.
    PublicApi,
}

/// A word of a task that hints at a risk.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Risk {
    /// The word or words as written.
    pub word: String,
    /// What kind of harm they hint at.
    pub category: RiskCategory,
    /// The first byte of the word in the task.
    pub byte: usize,
}

/// Finds the words of a task that hint at a risk, in their order, each once.
///
/// Whole words count, also those inside identifiers such as `loginHandler`; case and accents do not. English, German,
/// French, Spanish, Portuguese, Italian, Russian, Chinese, Japanese and Korean are known. A word that is harmless in its
/// context is left out where the context tells: `git checkout`, `token stream`, `truncate long titles`, `the Delete key`.
/// `passwordless` counts, because it is about how people log in. A risk that is denied ("no schema change") still counts:
/// the words say where to look, not what will be done.
///
/// ```
/// use ralplan_core::intake::risk::{RiskCategory, detect_risks};
///
/// let risks = detect_risks("Let the tokenizer log in with OAuth2");
/// let words: Vec<_> = risks.iter().map(|risk| (risk.word.as_str(), risk.category)).collect();
/// assert_eq!(words, [("log in", RiskCategory::Security), ("OAuth2", RiskCategory::Security)]);
/// ```
pub fn detect_risks(task: &str) -> Vec<Risk> {
    let mut risks = words_at_risk(task);
    risks.extend(characters_at_risk(task));
    risks.sort_by_key(|risk| risk.byte);
    let mut seen = BTreeSet::new();
    risks.retain(|risk| seen.insert((folded(&risk.word), risk.category)));
    risks
}

/// Finds the patterns of languages that put spaces between words.
fn words_at_risk(task: &str) -> Vec<Risk> {
    let mut words = Words::new(task);
    let mut window: VecDeque<_> = words.by_ref().take(WINDOW).collect();
    let mut before = None;
    let mut risks = Vec::new();
    let mut passed = None;
    while let Some(word) = window.front() {
        if let Some((category, end)) = PATTERNS.longest_at(&window, before.as_ref())
            && passed.is_none_or(|(earlier, until)| earlier != category || until < end)
        {
            risks.extend(risk(task, category, word.start, end));
            passed = Some((category, end));
        }
        before = window.pop_front();
        window.extend(words.next());
    }
    risks
}

/// Finds the patterns of languages that do not.
fn characters_at_risk(task: &str) -> Vec<Risk> {
    let mut risks = Vec::new();
    let mut until = 0;
    for (start, character) in task.char_indices() {
        if start < until {
            continue;
        }
        let rest = task.get(start..).unwrap_or_default();
        if let Some((category, length)) = PATTERNS.longest_unspaced(character, rest) {
            until = start + length;
            risks.extend(risk(task, category, start, until));
        }
    }
    risks
}

fn risk(task: &str, category: RiskCategory, start: usize, end: usize) -> Option<Risk> {
    Some(Risk { word: task.get(start..end)?.to_owned(), category, byte: start })
}

#[cfg(test)]
#[path = "risk_tests.rs"]
mod tests;
