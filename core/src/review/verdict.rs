//! Reading a reviewer's verdict out of its text.
//!
//! A verdict is a statement in a fixed form. A word inside prose, a fence, a quote, a table, a comment, front matter or
//! the document's title is none. What cannot be read is never an approval.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::document::label::{is_emoji, plain, shorten};
use crate::document::{Outline, nearest};
use crate::protocol::{Axis, Class};

mod statement;
mod value;

use statement::{Source, Statement, find_statements};
use value::{Reading, Words, read_joint, starts_like_a_verdict};

/// Characters of an unreadable value that an error repeats.
const SHOWN: usize = 60;

/// What was found, axis by axis.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct VerdictReading {
    /// Every axis of the role with the canonical token that was read, or null.
    pub axes: BTreeMap<String, Option<String>>,
    /// What stands behind the token, for example `(leader fallback)`. It can change the meaning and must be shown.
    pub qualifier: Option<String>,
    /// Line of the first statement that was read, counted from 1.
    pub line: Option<usize>,
    /// Why the verdict cannot be taken as it stands; empty when every axis was read.
    pub problems: Vec<VerdictProblem>,
}

/// A verdict that was read on every axis.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Verdict {
    /// Axis to canonical token.
    pub tokens: BTreeMap<String, String>,
    /// What stands behind the token; it can change the meaning and must be shown.
    pub qualifier: Option<String>,
    /// Line of the first statement, counted from 1.
    pub line: usize,
}

/// Where a statement may be that does not count.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(tag = "hint", rename_all = "snake_case")]
pub enum MissingHint {
    /// Nothing in the text looks like a verdict.
    Nothing,
    /// A statement stands where it does not count: fence, quote, comment, front matter, indented code or title.
    Hidden {
        /// Line of it, counted from 1.
        line: usize,
    },
    /// The text seems to have lost its line breaks.
    LineBreaksLost,
}

/// Why a verdict was not read.
#[derive(Clone, Debug, Deserialize, Eq, Error, JsonSchema, PartialEq, Serialize)]
#[serde(tag = "problem", rename_all = "snake_case")]
pub enum VerdictProblem {
    /// No statement for an axis.
    #[error("no statement for `{axis}`")]
    Missing {
        /// The axis.
        axis: String,
        /// Where it may have gone.
        where_to_look: MissingHint,
    },
    /// A statement whose value is no word of the closed list.
    #[error("line {line} states `{word}`, which is not a verdict{}", expected(nearest.as_deref()))]
    Unknown {
        /// The axis.
        axis: String,
        /// The value as written, shortened.
        word: String,
        /// Line, counted from 1.
        line: usize,
        /// The closest known word.
        nearest: Option<String>,
    },
    /// Two statements that differ.
    #[error("line {line} states `{second}` after `{first}`")]
    Contradictory {
        /// The axis.
        axis: String,
        /// Token of the first statement.
        first: String,
        /// Token of the later one.
        second: String,
        /// Line of the later one, counted from 1.
        line: usize,
    },
    /// Statements of two roles in one text.
    #[error("line {line} holds a second role's verdict")]
    TwoRoles {
        /// Line of the second role's statement, counted from 1.
        line: usize,
    },
}

/// Why no verdict was read: all problems, the first one decides.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("{}", .problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
pub struct VerdictError {
    /// At least one problem.
    pub problems: Vec<VerdictProblem>,
}

fn expected(nearest: Option<&str>) -> String {
    nearest.map(|word| format!("; `{word}` would be")).unwrap_or_default()
}

impl VerdictReading {
    /// The verdict, if every axis was read without a problem.
    ///
    /// # Errors
    /// All problems, when there is one.
    pub fn complete(self) -> Result<Verdict, VerdictError> {
        let tokens: BTreeMap<String, String> =
            self.axes.iter().filter_map(|(axis, token)| Some((axis.clone(), token.clone()?))).collect();
        match self.line {
            Some(line) if self.problems.is_empty() && tokens.len() == self.axes.len() => {
                Ok(Verdict { tokens, qualifier: self.qualifier, line })
            }
            _ => Err(VerdictError { problems: self.problems }),
        }
    }
}

/// Reads the verdict of `role` on its axes.
///
/// Upper and lower case of ASCII letters do not differ; the token is reported as the protocol writes it. `role` only
/// widens the labels (`Security Verdict`); whose verdict it is comes from the command, never from the text.
///
/// # Errors
/// One problem for each axis that is missing, unknown or contradictory, and one for a text with two roles.
///
/// ```
/// use ralplan_core::protocol::{Axis, Class, Token};
/// use ralplan_core::review::read_verdict;
/// let axis = Axis {
///     axis: "verdict".into(),
///     tokens: vec![Token { token: "APPROVE".into(), class: Class::Approve }],
///     aliases: Default::default(),
///     labels: vec![],
///     flag: false,
///     ignore_case: false,
/// };
/// let verdict = read_verdict("**Verdict: approve** (leader fallback)", &[axis.clone()], "critic").unwrap();
/// assert_eq!(verdict.tokens["verdict"], "APPROVE");
/// assert_eq!(verdict.qualifier.as_deref(), Some("(leader fallback)"));
/// assert!(read_verdict("Verdict: APPROVE_WITH_CHANGES", &[axis], "critic").is_err());
/// ```
pub fn read_verdict(text: &str, axes: &[Axis], role: &str) -> Result<Verdict, VerdictError> {
    examine_verdict(text, axes, role).complete()
}

/// Reads what can be read: the axes that are present stay known when another one is missing.
#[must_use]
pub fn examine_verdict(text: &str, axes: &[Axis], role: &str) -> VerdictReading {
    let outline = Outline::read(text);
    let found = find_statements(text, &outline, axes, role);
    let mut reading =
        VerdictReading { axes: BTreeMap::new(), qualifier: None, line: None, problems: Vec::new() };
    if let Some(line) = found.second_role {
        reading.problems.push(VerdictProblem::TwoRoles { line });
    }
    let labelled: Vec<&Axis> = axes.iter().filter(|axis| !axis.labels.is_empty()).collect();
    for axis in axes {
        let words = Words::of(axis);
        let values = values_for(axis, &labelled, &found.statements, &words);
        let token = judge(axis, &words, &values, &mut reading);
        if token.is_none() && values.is_empty() {
            let where_to_look = missing_hint(text, found.hidden);
            reading.problems.push(VerdictProblem::Missing { axis: axis.axis.clone(), where_to_look });
        }
        reading.axes.insert(axis.axis.clone(), token);
    }
    reading
}

/// One statement as an axis sees it.
struct Value {
    reading: Option<Reading>,
    shown: String,
    line: usize,
    /// Rank of its label among the axis's labels; the first label is the most telling one.
    rank: usize,
    like_a_verdict: bool,
}

fn values_for(axis: &Axis, labelled: &[&Axis], statements: &[Statement], words: &Words) -> Vec<Value> {
    let place = labelled.iter().position(|other| other.axis == axis.axis);
    let mut values = Vec::new();
    for statement in statements {
        let (reading, rank) = match (&statement.source, place) {
            (Source::Verdict | Source::Bare, None) => (words.read(&statement.value), 0),
            (Source::Axis { axis: name, rank }, _) if *name == axis.axis => {
                (words.read(&statement.value), *rank)
            }
            (Source::Verdict, Some(place)) => match joint_or_single(labelled, place, words, &statement.value)
            {
                Some(reading) => (reading, axis.labels.len()),
                None => continue,
            },
            _ => continue,
        };
        values.push(Value {
            reading,
            shown: shorten(&statement.value, SHOWN),
            line: statement.line,
            rank,
            like_a_verdict: starts_like_a_verdict(&statement.value, words),
        });
    }
    let only_single = place.is_some()
        && values.iter().all(|value| value.reading.as_ref().is_some_and(|reading| reading.supporting));
    if only_single {
        values.clear();
    }
    values
}

/// What a statement after `Verdict` says to an axis with own labels: its part of the joint form; one word of the axis,
/// which supports or contradicts what its own label says; an unreadable verdict; or nothing, when it speaks to another.
fn joint_or_single(labelled: &[&Axis], place: usize, words: &Words, value: &str) -> Option<Option<Reading>> {
    if let Some(reading) = read_joint(labelled, place, value) {
        return Some(Some(reading));
    }
    if let Some(reading) = words.read(value) {
        return Some(Some(Reading { supporting: true, ..reading }));
    }
    let speaks_to_another = labelled.iter().any(|axis| Words::of(axis).read(value).is_some());
    (!speaks_to_another && starts_like_a_verdict(value, words)).then_some(None)
}

/// Applies the order rule: the first statement must be readable, later readable ones must agree.
fn judge(axis: &Axis, words: &Words, values: &[Value], reading: &mut VerdictReading) -> Option<String> {
    let best_rank = values.iter().filter(|value| value.reading.is_some()).map(|value| value.rank).min();
    let mut token: Option<String> = None;
    for value in values {
        let Some(read) = &value.reading else {
            let is_other_label = best_rank.is_some_and(|rank| value.rank > rank);
            let must_read = token.is_none() && !is_other_label;
            let like_a_verdict =
                if is_other_label { words.prefix_of(&value.shown).is_some() } else { value.like_a_verdict };
            if must_read || like_a_verdict {
                reading.problems.push(unknown(axis, words, value));
                return None;
            }
            continue;
        };
        match &token {
            None => {
                token = Some(read.token.clone());
                reading.line = Some(reading.line.map_or(value.line, |line| line.min(value.line)));
            }
            Some(first) if *first != read.token => {
                reading.problems.push(VerdictProblem::Contradictory {
                    axis: axis.axis.clone(),
                    first: first.clone(),
                    second: read.token.clone(),
                    line: value.line,
                });
                return None;
            }
            Some(_) => {}
        }
        if reading.qualifier.is_none() {
            reading.qualifier.clone_from(&read.qualifier);
        }
    }
    token
}

fn unknown(axis: &Axis, words: &Words, value: &Value) -> VerdictProblem {
    let near = nearest(words.known(), &value.shown).or_else(|| words.prefix_of(&value.shown));
    VerdictProblem::Unknown {
        axis: axis.axis.clone(),
        word: value.shown.clone(),
        line: value.line,
        nearest: near.map(str::to_owned),
    }
}

fn missing_hint(text: &str, hidden: Option<usize>) -> MissingHint {
    if let Some(line) = hidden {
        return MissingHint::Hidden { line };
    }
    let full = text.lines().filter(|line| !line.trim().is_empty()).take(4).count();
    if full <= 3 && text.contains(" ## ") { MissingHint::LineBreaksLost } else { MissingHint::Nothing }
}

#[cfg(test)]
mod tests;
