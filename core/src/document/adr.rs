//! The decision record: its section and its six fields.

use super::blocks::{Kind, Line};
use super::check::{BY_REFERENCE, PLACEHOLDER, is_inside_record};
use super::diagnostic::{Context, Diagnostic, Say};
use super::part::Part;
use super::parts::{Form, Found};
use super::section_name::names;
use super::units::is_heading;
use super::wording::{are_placeholders, is_placeholder, is_reference};

const FIELDS: [(Part, &str); 6] = [
    (Part::Decision, "Decision"),
    (Part::Drivers, "Drivers"),
    (Part::Alternatives, "Alternatives considered"),
    (Part::WhyChosen, "Why chosen"),
    (Part::Consequences, "Consequences"),
    (Part::FollowUps, "Follow-ups"),
];

/// What a field holds, best last.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum State {
    Empty,
    Placeholder(usize),
    Filled,
}

pub(crate) fn check_adr(context: &Context<'_>) -> Vec<Diagnostic> {
    let expected = "a decision record with its six fields";
    let records = context.parts.best(Part::Adr);
    let Some(first) = records.first() else {
        let hint = "add a heading `Architecture Decision Record`";
        return vec![context.error("document.adr", 0, Say { found: "nothing", expected, hint })];
    };
    if let Some((code, found)) = hollow_record(context, &records) {
        let hint = "write the record into this text";
        return vec![context.error(code, first.at, Say { found, expected, hint })];
    }
    FIELDS.iter().filter_map(|(part, name)| check_field(context, &records, *part, name)).collect()
}

fn hollow_record(context: &Context<'_>, records: &[&Found]) -> Option<(&'static str, &'static str)> {
    let body = |found: &Found| context.lines().get(found.body.clone()).unwrap_or_default();
    if records.iter().all(|found| are_placeholders(&found.rest, body(found))) {
        return Some((PLACEHOLDER, "a placeholder"));
    }
    let is_listed = |line: &Line| {
        line.marker.is_some() || is_heading(line).is_some() || matches!(line.kind, Kind::Row { .. })
    };
    let refers = records.iter().all(|found| {
        let lines = body(found);
        let names_field = FIELDS.iter().any(|(part, _)| {
            let places = context.parts.all(*part);
            let next = places.partition_point(|place| place.body.start <= found.body.start);
            places.get(next).is_some_and(|place| place.body.start <= found.body.end)
        });
        !names_field && !lines.iter().any(is_listed) && lines.iter().any(|line| is_reference(&line.text))
    });
    refers.then_some((BY_REFERENCE, "a reference to an earlier text"))
}

fn check_field(context: &Context<'_>, records: &[&Found], part: Part, name: &str) -> Option<Diagnostic> {
    let places = context.parts.all(part).iter();
    let counting = places.filter(|found| found.form == Form::Heading || is_inside_record(context, found));
    let from_parts = counting.map(|found| state_of(context, found)).max();
    let from_rows = records.iter().filter_map(|record| row_state(context, record, part)).max();
    let expected = format!("the field `{name}`");
    match from_parts.max(from_rows) {
        Some(State::Filled) => None,
        Some(State::Placeholder(at)) => {
            let hint = format!("write down the {} before the record counts", name.to_lowercase());
            Some(context.error(
                PLACEHOLDER,
                at,
                Say { found: "a placeholder", expected: &expected, hint: &hint },
            ))
        }
        Some(State::Empty) | None => {
            let at = records.first().map_or(0, |record| record.at);
            let found =
                if from_parts.is_some() || from_rows.is_some() { "an empty field" } else { "nothing" };
            let hint = format!("add `{name}` to the decision record");
            Some(context.error("document.adr_field", at, Say { found, expected: &expected, hint: &hint }))
        }
    }
}

fn state_of(context: &Context<'_>, found: &Found) -> State {
    let body = context.lines().get(found.body.clone()).unwrap_or_default();
    if are_placeholders(&found.rest, body) {
        State::Placeholder(found.at)
    } else if found.rest.is_empty() && body.is_empty() {
        State::Empty
    } else {
        State::Filled
    }
}

/// State of a field that is a row: its name in the first cell, its text in the others.
fn row_state(context: &Context<'_>, record: &Found, part: Part) -> Option<State> {
    let body = context.lines().get(record.body.clone()).unwrap_or_default();
    let states = body.iter().filter_map(|line| {
        let Kind::Row { cells, .. } = &line.kind else { return None };
        let (name, rest) = cells.split_first()?;
        if rest.is_empty() || !names(part, name) {
            return None;
        }
        let text = rest.join(" ");
        Some(match text.trim() {
            "" => State::Empty,
            text if is_placeholder(text) => State::Placeholder(line.at),
            _ => State::Filled,
        })
    });
    states.max()
}
