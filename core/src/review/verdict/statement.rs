//! The lines of a review that state a verdict.

use super::value::is_condition;
use super::{Axis, Outline, Words, plain};
use crate::document::Lines;
use crate::document::blocks::{Kind, Line, Marker, Strong};
use crate::document::label::{split_label, strip_block_marks, strip_emoji, strip_number};

/// Labels in other languages, as they are written.
const FOREIGN: [&str; 5] = ["판정", "최종 판정", "判定", "裁定", "最终判决"];

/// Words that may stand in front of `Verdict`.
const IN_FRONT: [&str; 4] = ["final", "overall", "architect", "critic"];

/// Roles whose headings tell two reviews in one text apart.
const ROLES: [&str; 2] = ["architect", "critic"];

/// A bare token counts as the opening line when at most this many lines stand before it.
const LINES_BEFORE: usize = 2;

/// How a statement was introduced.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Source {
    /// The label `Verdict` or a relative.
    Verdict,
    /// A label of one axis; the first label has rank 0.
    Axis { axis: String, rank: usize },
    /// Nothing: the line is the value.
    Bare,
}

/// One statement.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Statement {
    pub(super) source: Source,
    pub(super) value: String,
    pub(super) line: usize,
}

/// All statements, with what else the text shows.
#[derive(Debug, Default)]
pub(super) struct Statements {
    pub(super) statements: Vec<Statement>,
    /// Line of the first statement under another role than the ones before.
    pub(super) second_role: Option<usize>,
    /// Line of something that looks like a statement and does not count.
    pub(super) hidden: Option<usize>,
}

/// Finds the statements in the order of the text.
pub(super) fn find_statements(text: &str, outline: &Outline, axes: &[Axis], role: &str) -> Statements {
    let index = Lines::new(text);
    let lines = &outline.blocks.lines;
    let title = title_line(lines);
    let words: Vec<Words> = axes.iter().map(Words::of).collect();
    let mut found = Statements::default();
    let mut seen_role: Option<&str> = None;
    let mut roles = HeadingRoles::default();
    for (number, line) in lines.iter().enumerate() {
        let is_title = title == Some(number);
        if let Kind::Heading(level) = line.kind {
            roles.enter(level, if is_title { None } else { role_in(&line.text) });
        }
        if is_title || !may_state(line) {
            continue;
        }
        let Some((source, value, label)) = statement(lines, number, axes, role) else { continue };
        let is_token =
            || words.iter().any(|words| words.read(&value).is_some_and(|read| read.qualifier.is_none()));
        if source == Source::Bare && !is_token() {
            continue;
        }
        let at = index.line(line.at);
        if let Some(named) = role_in(&label).or_else(|| roles.current()) {
            if seen_role.is_some_and(|before| before != named) {
                found.second_role = found.second_role.or(Some(at));
            }
            seen_role = seen_role.or(Some(named));
        }
        found.statements.push(Statement { source, value, line: at });
    }
    if found.statements.iter().all(|statement| statement.source == Source::Bare) {
        found.hidden = text.lines().position(|line| is_labelled(line, axes, role)).map(|line| line + 1);
    }
    found
}

/// The first heading of level 1, which names the document.
fn title_line(lines: &[Line]) -> Option<usize> {
    lines.iter().position(|line| !line.quoted && line.kind == Kind::Heading(1))
}

fn may_state(line: &Line) -> bool {
    let is_choice = matches!(line.marker, Some(Marker::Task { .. }));
    !line.quoted && !is_choice && matches!(line.kind, Kind::Heading(_) | Kind::Text)
}

/// A statement with the label that introduced it, if the line is one.
fn statement(lines: &[Line], number: usize, axes: &[Axis], role: &str) -> Option<(Source, String, String)> {
    let line = lines.get(number)?;
    let text = cleaned(&line.text);
    if let Some((label, value)) = split_label(&text)
        && let Some(source) = source_of(label, axes, role)
    {
        let label = label.to_owned();
        let value = if value.is_empty() {
            next_value(lines, number, axes, role)?
        } else {
            with_condition(lines, number, value.to_owned())
        };
        return Some((source, value, label));
    }
    let is_heading = matches!(line.kind, Kind::Heading(_)) || line.strong == Strong::Whole;
    if is_heading && let Some(source) = source_of(&text, axes, role) {
        return Some((source, next_value(lines, number, axes, role)?, text));
    }
    let is_bracketed = text.starts_with('[') && text.ends_with(']');
    (is_bracketed || number <= LINES_BEFORE).then(|| {
        let value = with_condition(lines, number, cleaned_value(&line.text));
        (Source::Bare, value, String::new())
    })
}

/// The line behind a label without a value; nothing when that line is a statement itself.
fn next_value(lines: &[Line], number: usize, axes: &[Axis], role: &str) -> Option<String> {
    let Some(next) = lines.get(number + 1) else { return Some(String::new()) };
    if !may_state(next) {
        return Some(format!("[ ] {}", plain(&next.text)));
    }
    let text = cleaned(&next.text);
    let labelled = split_label(&text).is_some_and(|(label, _)| source_of(label, axes, role).is_some());
    let heading = matches!(next.kind, Kind::Heading(_)) && source_of(&text, axes, role).is_some();
    (!labelled && !heading).then(|| with_condition(lines, number + 1, cleaned_value(&next.text)))
}

/// A value with the next line of its paragraph, or the line below its heading, when that makes it depend on something:
/// the two read as one sentence.
fn with_condition(lines: &[Line], number: usize, value: String) -> String {
    let is_heading = lines.get(number).is_some_and(|line| matches!(line.kind, Kind::Heading(_)));
    let next = lines.get(number + 1).filter(|next| next.continues || (is_heading && next.kind == Kind::Text));
    match next.map(|next| plain(&next.text)) {
        Some(next) if next.starts_with(char::is_lowercase) && is_condition(&next) => {
            format!("{value} {next}")
        }
        _ => value,
    }
}

/// A line without emphasis, section number and one pictograph.
fn cleaned(text: &str) -> String {
    stripped(strip_emoji(&plain(text)))
}

/// A value without emphasis and number; its pictograph stays, because it can say no.
fn cleaned_value(text: &str) -> String {
    stripped(&plain(text))
}

fn stripped(text: &str) -> String {
    let stripped = strip_number(text);
    let inner = stripped.strip_prefix("__").and_then(|rest| rest.strip_suffix("__")).unwrap_or(stripped);
    inner.trim().to_owned()
}

/// What a label introduces. A suffix in parentheses or behind a dash is no part of the label.
fn source_of(label: &str, axes: &[Axis], role: &str) -> Option<Source> {
    let end = label.find(['(', '（', '—']).unwrap_or(label.len());
    let label = label.get(..end).unwrap_or_default().trim();
    for axis in axes {
        if let Some(rank) = axis.labels.iter().position(|known| known.eq_ignore_ascii_case(label)) {
            return Some(Source::Axis { axis: axis.axis.clone(), rank });
        }
    }
    is_verdict_label(label, role).then_some(Source::Verdict)
}

fn is_verdict_label(label: &str, role: &str) -> bool {
    if FOREIGN.contains(&label) {
        return true;
    }
    let mut words: Vec<&str> = label.split_whitespace().collect();
    let is_verdict = words.pop().is_some_and(|last| last.eq_ignore_ascii_case("verdict"));
    let known = |word: &&str| IN_FRONT.iter().chain([&role]).any(|other| other.eq_ignore_ascii_case(word));
    is_verdict && words.len() <= 2 && words.iter().all(known)
}

/// True when a line of source carries a label, whatever surrounds it.
fn is_labelled(line: &str, axes: &[Axis], role: &str) -> bool {
    let line = strip_block_marks(line).trim_start_matches("<!--");
    let text = cleaned(line);
    split_label(&text)
        .is_some_and(|(label, value)| !value.is_empty() && source_of(label, axes, role).is_some())
}

/// The one role that a heading or label names.
fn role_in(text: &str) -> Option<&'static str> {
    let mut named = ROLES.iter().filter(|role| {
        text.split(|letter: char| !letter.is_alphanumeric()).any(|word| word.eq_ignore_ascii_case(role))
    });
    let first = named.next()?;
    named.next().is_none().then_some(first)
}

/// The roles named by the headings around a line.
#[derive(Default)]
struct HeadingRoles(Vec<(u8, Option<&'static str>)>);

impl HeadingRoles {
    fn enter(&mut self, level: u8, role: Option<&'static str>) {
        while self.0.pop_if(|(above, _)| *above >= level).is_some() {}
        self.0.push((level, role));
    }

    fn current(&self) -> Option<&'static str> {
        self.0.iter().rev().find_map(|(_, role)| *role)
    }
}
