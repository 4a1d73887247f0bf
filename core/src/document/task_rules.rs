//! What a plan says about each of its tasks.

use std::collections::BTreeSet;

use super::check::{PLACEHOLDER, hollow, places_of, unit_text};
use super::diagnostic::{Context, Diagnostic, Say};
use super::label::shorten;
use super::part::Part;
use super::tasks::{Tasks, ids_in};
use super::units::units_of;

/// Characters of a title that a diagnostic repeats.
const SHOWN: usize = 60;

pub(crate) fn check_tasks(context: &Context<'_>, tasks: &Tasks) -> Option<Diagnostic> {
    let expected = "tasks that can be done one by one";
    let hint = "list the tasks under a heading `Task Breakdown`";
    let places = places_of(context, Part::Tasks);
    let count = tasks.list.len();
    if let Some(found) = places.first()
        && let Some(code) = hollow(context, found, count)
    {
        let shown = if code == PLACEHOLDER { "a placeholder" } else { "a reference to an earlier text" };
        return Some(context.error(code, found.at, Say { found: shown, expected, hint }));
    }
    if count > 0 {
        return None;
    }
    let at = places.first().map_or(0, |found| found.at);
    let found = if places.is_empty() { "nothing" } else { "an empty part" };
    Some(context.error("document.task_breakdown", at, Say { found, expected, hint }))
}

pub(crate) fn check_paths(context: &Context<'_>, tasks: &Tasks) -> Vec<Diagnostic> {
    let expected = "the exact path of each file the task touches";
    let hint = "name the files, for example `src/cache.rs`";
    let lacking = tasks.list.iter().filter(|task| task.paths.is_empty());
    lacking
        .map(|task| {
            let found = format!("no file path in `{}`", shorten(&task.title, SHOWN));
            context.error("document.task_paths", task.at, Say { found: &found, expected, hint })
        })
        .collect()
}

/// Each task needs criteria, its own or ones in the shared part that name it.
pub(crate) fn check_criteria_per_task(context: &Context<'_>, tasks: &Tasks) -> Vec<Diagnostic> {
    let expected = "acceptance criteria for each task";
    let hint = "add `Acceptance criteria:` to the task, or name the task in the shared criteria";
    let shared = shared_criteria(context);
    let named: BTreeSet<usize> =
        shared.iter().flat_map(|text| ids_in(text)).filter_map(|id| tasks.find(&id)).collect();
    if tasks.list.is_empty() && shared.is_empty() {
        return vec![context.error(
            "document.acceptance_criteria",
            0,
            Say { found: "nothing", expected, hint },
        )];
    }
    let lacking =
        tasks.list.iter().enumerate().filter(|(index, task)| !task.has_criteria && !named.contains(index));
    lacking
        .map(|(_, task)| {
            let found = format!("no criteria for `{}`", shorten(&task.title, SHOWN));
            context.error("document.task_criteria", task.at, Say { found: &found, expected, hint })
        })
        .collect()
}

/// The criteria of the parts that are not inside a task.
fn shared_criteria(context: &Context<'_>) -> Vec<String> {
    let places = places_of(context, Part::Criteria).into_iter();
    let units = places.flat_map(|found| units_of(context.lines(), found));
    units.map(|unit| unit_text(context, &unit)).collect()
}
