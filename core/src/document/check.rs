//! The document rules, in one visible order.

use super::adr::check_adr;
use super::diagnostic::{CheckOptions, Context, Diagnostic, DocumentKind, Say};
use super::graph_rule::check_graph;
use super::options::check_options;
use super::outline::Outline;
use super::part::Part;
use super::parts::Found;
use super::risks::check_risks;
use super::task_rules::{check_criteria_per_task, check_paths, check_tasks};
use super::tasks::Tasks;
use super::units::{Unit, units_of};
use super::wording::{are_placeholders, has_word, is_reference};

/// Most principles that people keep in mind; the documents name 3 to 5.
const PRINCIPLES: (usize, usize) = (3, 5);
/// The documents name the top three drivers.
const DRIVERS: (usize, usize) = (3, 3);
/// The documents name three failure scenarios.
const SCENARIOS: (usize, usize) = (3, usize::MAX);

/// Checks the required content of a document of the given kind.
///
/// The diagnostics come in the order of the text.
///
/// ```
/// use ralplan_core::document::{CheckOptions, DocumentKind, Outline, check};
/// let text = "## Principles\n1. a\n2. b\n";
/// let found = check(text, &Outline::read(text), DocumentKind::RalplanDr, CheckOptions::default());
/// assert!(found.iter().any(|diagnostic| diagnostic.code == "document.principles"));
/// ```
#[must_use]
pub fn check(text: &str, outline: &Outline, kind: DocumentKind, options: CheckOptions) -> Vec<Diagnostic> {
    let context = Context::new(text, outline);
    let mut found = match kind {
        DocumentKind::RalplanDr => check_draft(&context, options),
        DocumentKind::Adr => check_adr(&context),
        DocumentKind::Spec => check_spec(&context),
        DocumentKind::Tasks => check_plan(&context),
    };
    found.sort_by_key(|diagnostic| (diagnostic.position.byte, diagnostic.code));
    found
}

fn check_draft(context: &Context<'_>, options: CheckOptions) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    found.extend(check_count(context, &PRINCIPLES_RULE));
    found.extend(check_count(context, &DRIVERS_RULE));
    found.extend(check_options(context));
    if options.deliberate {
        found.extend(check_count(context, &PREMORTEM_RULE));
        found.extend(check_test_plan(context));
    }
    found
}

fn check_spec(context: &Context<'_>) -> Vec<Diagnostic> {
    [&CRITERIA_RULE, &COVERAGE_RULE].into_iter().filter_map(|rule| check_count(context, rule)).collect()
}

fn check_plan(context: &Context<'_>) -> Vec<Diagnostic> {
    let tasks = Tasks::read(context);
    let mut found = Vec::new();
    found.extend(check_tasks(context, &tasks));
    found.extend(check_paths(context, &tasks));
    found.extend(check_graph(context, &tasks));
    found.extend(check_criteria_per_task(context, &tasks));
    found.extend(check_risks(context));
    found
}

/// A part that must list a number of things.
pub(crate) struct CountRule {
    pub(crate) code: &'static str,
    pub(crate) part: Part,
    pub(crate) count: (usize, usize),
    pub(crate) expected: &'static str,
    pub(crate) hint: &'static str,
}

const PRINCIPLES_RULE: CountRule = CountRule {
    code: "document.principles",
    part: Part::Principles,
    count: PRINCIPLES,
    expected: "3 to 5 principles",
    hint: "list 3 to 5 principles under a heading `Principles`",
};
const DRIVERS_RULE: CountRule = CountRule {
    code: "document.drivers",
    part: Part::Drivers,
    count: DRIVERS,
    expected: "exactly 3 decision drivers",
    hint: "list the top 3 drivers under a heading `Decision Drivers`",
};
const PREMORTEM_RULE: CountRule = CountRule {
    code: "document.premortem",
    part: Part::Premortem,
    count: SCENARIOS,
    expected: "at least 3 failure scenarios",
    hint: "list 3 failure scenarios under a heading `Pre-mortem`",
};
const CRITERIA_RULE: CountRule = CountRule {
    code: "document.acceptance_criteria",
    part: Part::Criteria,
    count: (1, usize::MAX),
    expected: "acceptance criteria that can be tested",
    hint: "list them under a heading `Acceptance Criteria`",
};
const COVERAGE_RULE: CountRule = CountRule {
    code: "document.coverage_map",
    part: Part::Coverage,
    count: (1, usize::MAX),
    expected: "a map from each requirement to what covers it",
    hint: "add a table or list under a heading `Requirement Coverage Map`",
};

/// Judges the best place of a part: one with a right count wins, else the fullest one is reported.
pub(crate) fn check_count(context: &Context<'_>, rule: &CountRule) -> Option<Diagnostic> {
    let places = places_of(context, rule.part);
    let counted: Vec<(usize, &Found)> =
        places.into_iter().map(|found| (units_of(context.lines(), found).len(), found)).collect();
    let is_right = |count: usize| (rule.count.0..=rule.count.1).contains(&count);
    if counted.iter().any(|(count, found)| is_right(*count) && hollow(context, found, *count).is_none()) {
        return None;
    }
    let fullest = counted.iter().rev().max_by_key(|(count, _)| *count);
    let Some((count, found)) =
        fullest.filter(|(count, found)| *count > 0 || !is_inside_record(context, found))
    else {
        return Some(context.error(
            rule.code,
            0,
            Say { found: "nothing", expected: rule.expected, hint: rule.hint },
        ));
    };
    let code = hollow(context, found, *count).unwrap_or(rule.code);
    Some(report(context, code, found, *count, rule))
}

fn report(
    context: &Context<'_>,
    code: &'static str,
    found: &Found,
    count: usize,
    rule: &CountRule,
) -> Diagnostic {
    let (shown, hint) = match code {
        PLACEHOLDER => ("a placeholder".to_owned(), "write the part, or leave its heading out"),
        BY_REFERENCE => (
            "a reference to an earlier text".to_owned(),
            "repeat the list, so that this text can be read alone",
        ),
        _ => (count.to_string(), rule.hint),
    };
    context.error(code, found.at, Say { found: &shown, expected: rule.expected, hint })
}

/// Code for a part whose whole body is a placeholder.
pub(crate) const PLACEHOLDER: &str = "document.placeholder";
/// Code for a part that only cites an earlier text.
pub(crate) const BY_REFERENCE: &str = "document.by_reference";

/// Why a part has no content of its own, if so.
pub(crate) fn hollow(context: &Context<'_>, found: &Found, count: usize) -> Option<&'static str> {
    let body = context.lines().get(found.body.clone()).unwrap_or_default();
    if are_placeholders(&found.rest, body) {
        return Some(PLACEHOLDER);
    }
    let is_listed = body.iter().any(|line| line.marker.is_some());
    if count > 1 || is_listed {
        return None;
    }
    let has_text = !found.rest.is_empty() || !body.is_empty();
    let refers = is_reference(&found.rest) || body.iter().any(|line| is_reference(&line.text));
    (has_text && (refers || is_reference(&found.title))).then_some(BY_REFERENCE)
}

/// The places of a part; those inside a decision record only when there is no other.
pub(crate) fn places_of<'a>(context: &'a Context<'_>, part: Part) -> Vec<&'a Found> {
    let outside: Vec<&Found> =
        context.parts.all(part).iter().filter(|found| !is_inside_record(context, found)).collect();
    let form = outside.iter().map(|found| found.form).min();
    if form.is_none() {
        return context.parts.best(part);
    }
    outside.into_iter().filter(|found| Some(found.form) == form).collect()
}

/// True when a place stands inside a decision record.
pub(crate) fn is_inside_record(context: &Context<'_>, found: &Found) -> bool {
    let records = context.parts.all(Part::Adr);
    let before = records.partition_point(|record| record.body.start < found.body.start);
    let line = found.body.start.saturating_sub(1);
    let nearby = records.iter().take(before).rev().take(NESTED_RECORDS);
    nearby.into_iter().any(|record| record.body.contains(&line))
}

/// Headings nest at most this deep, so no more records can surround a line.
const NESTED_RECORDS: usize = 8;

const TEST_KINDS: [(&str, &[&str]); 4] = [
    ("unit", &["unit", "单元", "단위", "유닛"]),
    ("integration", &["integration", "集成", "통합"]),
    ("e2e", &["e2e", "end-to-end", "end to end", "端到端", "종단"]),
    (
        "observability",
        &[
            "observability",
            "monitoring",
            "telemetry",
            "metrics",
            "可观测",
            "监控",
            "관측",
            "관찰",
            "모니터링",
        ],
    ),
];

fn check_test_plan(context: &Context<'_>) -> Option<Diagnostic> {
    const CODE: &str = "document.test_plan";
    let expected = "unit, integration, e2e and observability tests";
    let hint = "name all four kinds under a heading `Expanded Test Plan`";
    let places = context.parts.all(Part::TestPlan);
    let Some(first) = places.first() else {
        return Some(context.error(CODE, 0, Say { found: "nothing", expected, hint }));
    };
    let mut seen = [false; TEST_KINDS.len()];
    for found in places {
        let body = context.lines().get(found.body.clone()).unwrap_or_default();
        for text in body.iter().map(|line| line.text.as_str()).chain([found.rest.as_str()]) {
            let lower = text.to_lowercase();
            for (slot, (_, words)) in seen.iter_mut().zip(TEST_KINDS) {
                *slot = *slot || words.iter().any(|word| is_mentioned(&lower, word));
            }
        }
    }
    if seen.iter().all(|known| *known) {
        return None;
    }
    if let Some(code) = hollow(context, first, 0) {
        let rule = CountRule { code, part: Part::TestPlan, count: (1, 1), expected, hint };
        return Some(report(context, code, first, 0, &rule));
    }
    let named: Vec<&str> =
        TEST_KINDS.iter().zip(seen).filter(|(_, known)| *known).map(|((name, _), _)| *name).collect();
    let found =
        if named.is_empty() { "none of them".to_owned() } else { format!("only {}", named.join(", ")) };
    Some(context.error(CODE, first.at, Say { found: &found, expected, hint }))
}

/// How many units the fullest place of a part holds.
pub(crate) fn count_units(context: &Context<'_>, part: Part) -> usize {
    places_of(context, part)
        .into_iter()
        .map(|found| units_of(context.lines(), found).len())
        .max()
        .unwrap_or(0)
}

/// True when a word stands alone; words without ASCII letters may carry endings.
pub(crate) fn is_mentioned(lower: &str, word: &str) -> bool {
    if word.is_ascii() { has_word(lower, word) } else { lower.contains(word) }
}

/// Text of a unit, all its lines.
pub(crate) fn unit_text(context: &Context<'_>, unit: &Unit) -> String {
    let lines = context.lines().get(unit.lines.clone()).unwrap_or_default();
    let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    if texts.is_empty() { unit.title.clone() } else { texts.join("\n") }
}

#[cfg(test)]
mod tests;
