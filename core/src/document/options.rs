//! The options of a draft, in whatever form they are listed.

use std::ops::Range;

use super::blocks::{Kind, Line, Marker, Strong};
use super::check::{BY_REFERENCE, PLACEHOLDER, hollow, is_mentioned, places_of, unit_text};
use super::diagnostic::{Context, Diagnostic, Say};
use super::label::{plain, strip_emoji};
use super::part::Part;
use super::parts::{Found, name_of};
use super::section_name::names;
use super::units::{Unit, UnitForm, collect, heading_units, is_heading, items_or_rows, table_of};
use super::wording::are_placeholders;

const CODE: &str = "document.options";
const SIDES: &str = "document.option_sides";

/// Words for the good side; the first group counts anywhere, the second only as a label.
const PROS: (&[&str], &[&str]) = (
    &["pros", "장점", "优点", "优势", "長所"],
    &["pro", "advantages", "advantage", "benefits", "strengths", "upsides"],
);
/// Words for the bad side, in the same two groups.
const CONS: (&[&str], &[&str]) = (
    &["cons", "단점", "缺点", "劣势", "短所"],
    &["con", "disadvantages", "disadvantage", "drawbacks", "weaknesses", "downsides"],
);

/// Words that say an idea was discarded for a reason.
const DISCARDED: [&str; 14] = [
    "invalidated",
    "invalidation",
    "invalidates",
    "invalid",
    "rejected",
    "discarded",
    "ruled out",
    "why not",
    "dismissed",
    "기각",
    "배제",
    "排除",
    "否决",
    "无效",
];

/// Names that open an option.
const OPTION_WORDS: [&str; 8] = ["option", "opt", "alternative", "选项", "方案", "대안", "선택지", "옵션"];

/// Subheadings inside the options that are no options.
const OTHER_HEADINGS: [&str; 12] = [
    "recommendation",
    "recommended",
    "decision",
    "comparison",
    "summary",
    "pros",
    "cons",
    "trade offs",
    "tradeoffs",
    "notes",
    "choice",
    "conclusion",
];

/// One option.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct PlanOption {
    pub(crate) at: usize,
    pub(crate) title: String,
    pub(crate) pros: bool,
    pub(crate) cons: bool,
    pub(crate) discarded: bool,
}

/// The options of the fullest place.
pub(crate) fn read_options(context: &Context<'_>) -> Vec<PlanOption> {
    let places = places_of(context, Part::Options);
    let read =
        places.iter().map(|found| options_in(context, &option_units(context.lines(), found.body.clone())));
    let best = read.max_by_key(Vec::len).unwrap_or_default();
    if !best.is_empty() || !places.is_empty() {
        return best;
    }
    let lines = context.lines();
    let headings = collect(lines, 0..lines.len(), UnitForm::Heading, |line| is_heading(line).is_some());
    let named: Vec<Unit> = headings.into_iter().filter(|unit| option_named(&unit.title, true)).collect();
    options_in(context, &named)
}

pub(crate) fn check_options(context: &Context<'_>) -> Vec<Diagnostic> {
    let expected = "at least 2 options, or one with the reasons against the others";
    let hint = "list 2 or more options with pros and cons under a heading `Viable Options`";
    let options = read_options(context);
    let places = places_of(context, Part::Options);
    let at = places.first().map_or_else(|| options.first().map_or(0, |option| option.at), |found| found.at);
    if let Some(found) = places.first()
        && let Some(code) = hollow_place(context, &places, options.len())
    {
        let (shown, hint) = if code == PLACEHOLDER {
            ("a placeholder", "write the part, or leave its heading out")
        } else {
            ("a reference to an earlier text", "repeat the list, so that this text can be read alone")
        };
        return vec![context.error(code, found.at, Say { found: shown, expected, hint })];
    }
    let is_enough = options.len() > 1 || (options.len() == 1 && has_rationale(context, &places));
    if !is_enough {
        let found = if places.is_empty() && options.is_empty() {
            "nothing".to_owned()
        } else {
            options.len().to_string()
        };
        return vec![context.error(CODE, at, Say { found: &found, expected, hint })];
    }
    check_sides(context, &options, at)
}

fn hollow_place(context: &Context<'_>, places: &[&Found], count: usize) -> Option<&'static str> {
    let codes: Vec<Option<&'static str>> = places.iter().map(|found| hollow(context, found, count)).collect();
    let all = codes.iter().all(Option::is_some);
    codes
        .into_iter()
        .flatten()
        .next()
        .filter(|code| all && (*code == PLACEHOLDER || (*code == BY_REFERENCE && count == 0)))
}

fn check_sides(context: &Context<'_>, options: &[PlanOption], at: usize) -> Vec<Diagnostic> {
    let expected = "pros and cons for each option";
    let hint = "add `Pros:` and `Cons:` to the option";
    if options.iter().all(|option| !option.pros && !option.cons) {
        return vec![context.hint(SIDES, at, Say { found: "no pros or cons", expected, hint })];
    }
    let lacking = options.iter().filter(|option| !(option.discarded || (option.pros && option.cons)));
    lacking
        .map(|option| {
            let lack = match (option.pros, option.cons) {
                (true, false) => "no cons",
                (false, true) => "no pros",
                _ => "no pros and no cons",
            };
            let found = format!("{lack} for `{}`", super::label::shorten(&option.title, 60));
            context.error(SIDES, option.at, Say { found: &found, expected, hint })
        })
        .collect()
}

/// A reason against the ideas that are no option any more: an own part, or words inside the options.
fn has_rationale(context: &Context<'_>, places: &[&Found]) -> bool {
    let lines = context.lines();
    let body = |found: &Found| lines.get(found.body.clone()).unwrap_or_default();
    let own = context.parts.all(Part::Invalidation).iter().any(|found| {
        let has_text = !found.rest.is_empty() || !body(found).is_empty();
        has_text && !are_placeholders(&found.rest, body(found))
    });
    own || places.iter().any(|found| {
        body(found).iter().any(|line| !matches!(line.kind, Kind::Code(_)) && is_discarded(&line.text))
    })
}

fn is_discarded(text: &str) -> bool {
    let lower = text.to_lowercase();
    DISCARDED.iter().any(|word| is_mentioned(&lower, word))
}

/// The units of an options part that are options.
fn option_units(lines: &[Line], body: Range<usize>) -> Vec<Unit> {
    let named_headings = collect(lines, body.clone(), UnitForm::Heading, |line| is_heading(line).is_some());
    let named_headings: Vec<Unit> =
        named_headings.into_iter().filter(|unit| option_named(&unit.title, true)).collect();
    if !named_headings.is_empty() {
        return to_next_option(named_headings, body.end);
    }
    let named_lines = named_text(lines, body.clone());
    if !named_lines.is_empty() {
        return named_lines;
    }
    let own = lines.get(body.clone()).unwrap_or_default().iter().position(|line| is_heading(line).is_some());
    let own_body = body.start..own.map_or(body.end, |length| body.start + length);
    let listed: Vec<Unit> = items_or_rows(lines, own_body.clone())
        .into_iter()
        .filter(|unit| !is_side_note(lines, unit))
        .collect();
    if !listed.is_empty() {
        return listed;
    }
    let headings: Vec<Unit> = heading_units(lines, body.clone())
        .into_iter()
        .filter(|unit| !is_other_heading(&unit.title))
        .collect();
    if headings.len() > 1 {
        return headings;
    }
    if let Some(only) = headings.first() {
        let below = items_or_rows(lines, only.lines.start + 1..only.lines.end);
        let below: Vec<Unit> = below.into_iter().filter(|unit| !is_side_note(lines, unit)).collect();
        return if below.len() > 1 { below } else { headings };
    }
    let bold = collect(lines, own_body, UnitForm::Bold, |line| {
        line.kind == Kind::Text && line.strong != Strong::None
    });
    bold.into_iter().filter(|unit| !is_side_note(lines, unit)).collect()
}

/// Lets each option run up to the next one, over its own subheadings.
fn to_next_option(mut units: Vec<Unit>, end: usize) -> Vec<Unit> {
    let starts: Vec<usize> = units.iter().map(|unit| unit.lines.start).skip(1).chain([end]).collect();
    for (unit, next) in units.iter_mut().zip(starts) {
        unit.lines.end = next;
    }
    units
}

/// Lines of text that open with an option's name, of the outermost list depth at which there are any.
fn named_text(lines: &[Line], body: Range<usize>) -> Vec<Unit> {
    let opens =
        |line: &Line| line.kind == Kind::Text && option_named(&line.text, line.strong != Strong::None);
    let inside = lines.get(body.clone()).unwrap_or_default();
    let Some(depth) = inside.iter().filter(|line| !line.quoted && opens(line)).map(|line| line.depth).min()
    else {
        return Vec::new();
    };
    collect(lines, body, UnitForm::Item, |line| line.depth == depth && opens(line))
}

/// `Option A — x`, `Opt B: x`, `Option (b)`, `Option 1`, `A. x`.
fn option_named(text: &str, is_marked: bool) -> bool {
    let text = plain(text);
    let text = strip_emoji(&text);
    let lower = text.to_lowercase();
    if let Some(rest) = OPTION_WORDS.iter().find_map(|word| lower.strip_prefix(word)) {
        let rest = rest.trim_start().trim_start_matches(['(', '-', '#', '"']);
        let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '.').unwrap_or(rest.len());
        let (id, tail) = (rest.get(..end).unwrap_or_default(), rest.get(end..).unwrap_or_default());
        let id = id.trim_end_matches('.');
        let is_id = (1..=3).contains(&id.chars().count())
            && (id.chars().count() == 1 || id.chars().any(|letter| letter.is_ascii_digit()));
        let tail = tail.trim_start_matches(')').trim_start();
        let is_closed =
            tail.is_empty() || tail.starts_with([':', '：', '—', '–', '-', '(', '（', '[', ',', '/', '=']);
        return is_id && (is_marked || is_closed || rest.contains(". "));
    }
    let mut letters = text.chars();
    let opens = letters.next().is_some_and(|letter| letter.is_ascii_uppercase());
    opens && matches!(letters.next(), Some('.' | ')')) && letters.next() == Some(' ')
}

fn is_other_heading(title: &str) -> bool {
    let lower = plain(title).to_lowercase().replace('-', " ");
    names(Part::Invalidation, title)
        || is_discarded(title)
        || OTHER_HEADINGS.iter().any(|word| lower.starts_with(word))
}

/// An item that belongs to an option instead of being one.
fn is_side_note(lines: &[Line], unit: &Unit) -> bool {
    let Some(line) = lines.get(unit.lines.start) else { return false };
    if matches!(line.kind, Kind::Row { .. }) {
        return false;
    }
    let Some((label, _, _)) = name_of(line) else { return false };
    let lower = label.to_lowercase();
    let is_side = |words: (&[&str], &[&str])| words.0.iter().chain(words.1).any(|word| lower == *word);
    is_side(PROS)
        || is_side(CONS)
        || names(Part::Invalidation, &label)
        || OTHER_HEADINGS.contains(&lower.as_str())
}

fn options_in(context: &Context<'_>, units: &[Unit]) -> Vec<PlanOption> {
    units.iter().map(|unit| read_option(context, unit)).collect()
}

fn read_option(context: &Context<'_>, unit: &Unit) -> PlanOption {
    let text = unit_text(context, unit);
    let (pros, cons) = if unit.form == UnitForm::Row {
        (has_column(context, unit, PROS), has_column(context, unit, CONS))
    } else {
        let marks = bullet_marks(context, unit);
        (marks || has_side(&text, PROS), marks || has_side(&text, CONS))
    };
    PlanOption { at: unit.at, title: unit.title.clone(), pros, cons, discarded: is_discarded(&text) }
}

fn has_side(text: &str, (words, labels): (&[&str], &[&str])) -> bool {
    let lower = plain(text).to_lowercase();
    words.iter().any(|word| is_mentioned(&lower, word))
        || labels.iter().any(|word| {
            lower.match_indices(word).any(|(at, _)| {
                let free = lower
                    .get(..at)
                    .and_then(|head| head.chars().next_back())
                    .is_none_or(|letter| !letter.is_alphanumeric());
                let tail = lower.get(at + word.len()..).unwrap_or_default();
                free && tail.trim_start().starts_with([':', '：', '—', '='])
            })
        })
}

/// True when a filled cell stands under a column for the side.
fn has_column(context: &Context<'_>, unit: &Unit, side: (&[&str], &[&str])) -> bool {
    let Some((header, cells)) = table_of(context.lines(), unit.lines.start) else { return false };
    let is_named = |name: &String| {
        let lower = name.to_lowercase();
        side.0.iter().chain(side.1).any(|word| is_mentioned(&lower, word))
    };
    header.iter().zip(cells).any(|(name, cell)| is_named(name) && cell.chars().any(char::is_alphanumeric))
}

/// True when the items of an option are marked with both `+` and `-`.
fn bullet_marks(context: &Context<'_>, unit: &Unit) -> bool {
    let lines = context.lines().get(unit.lines.clone()).unwrap_or_default();
    let marks = lines.iter().filter(|line| line.marker == Some(Marker::Bullet)).filter_map(|line| {
        context.text.get(..line.at)?.trim_end_matches([' ', '\t', '*', '_', '`']).chars().next_back()
    });
    let (mut plus, mut minus) = (false, false);
    for mark in marks {
        plus |= mark == '+';
        minus |= mark == '-';
    }
    plus && minus
}
