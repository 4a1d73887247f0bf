//! Facts of a plan that a reviewing agent can use.

use schemars::JsonSchema;
use serde::Serialize;

use super::check::{count_units, places_of};
use super::diagnostic::Context;
use super::options::read_options;
use super::outline::Outline;
use super::part::Part;
use super::paths::ticked_paths;
use super::position::Position;
use super::risks::read_risks;
use super::tasks::Tasks;
use super::units::units_of;

/// A text with its place.
#[derive(Clone, Debug, Eq, JsonSchema, PartialEq, Serialize)]
pub struct PlanItem {
    /// The text without marks.
    pub text: String,
    /// Where it stands.
    pub position: Position,
}

/// A task.
#[derive(Clone, Debug, Eq, JsonSchema, PartialEq, Serialize)]
pub struct PlanTask {
    /// Its id as written, or its number.
    pub id: String,
    /// Its heading or first line.
    pub title: String,
    /// The file paths that it names.
    pub paths: Vec<String>,
    /// True when it has acceptance criteria of its own.
    pub has_criteria: bool,
    /// Where it stands.
    pub position: Position,
}

/// A risk.
#[derive(Clone, Debug, Eq, JsonSchema, PartialEq, Serialize)]
pub struct PlanRisk {
    /// The risk.
    pub text: String,
    /// True when something is done about it.
    pub is_mitigated: bool,
    /// Where it stands.
    pub position: Position,
}

/// What a plan holds.
#[derive(Clone, Debug, Default, Eq, JsonSchema, PartialEq, Serialize)]
pub struct PlanFacts {
    /// Number of principles.
    pub principles: usize,
    /// Number of decision drivers.
    pub drivers: usize,
    /// Number of options.
    pub options: usize,
    /// Acceptance criteria, those of all places.
    pub criteria: Vec<PlanItem>,
    /// Tasks in the order of the text.
    pub tasks: Vec<PlanTask>,
    /// Risks in the order of the text.
    pub risks: Vec<PlanRisk>,
    /// Paths that stand in back-ticks, each once.
    pub paths: Vec<String>,
}

impl PlanFacts {
    /// Reads the facts of a plan.
    ///
    /// ```
    /// use ralplan_core::document::{Outline, PlanFacts};
    /// let text = "## Acceptance Criteria\n- `cargo test` passes\n";
    /// assert_eq!(PlanFacts::read(text, &Outline::read(text)).criteria.len(), 1);
    /// ```
    #[must_use]
    pub fn read(text: &str, outline: &Outline) -> Self {
        let context = Context::new(text, outline);
        let position = |at: usize| context.index.position(at);
        let tasks = Tasks::read(&context).list.into_iter().map(|task| PlanTask {
            position: position(task.at),
            id: task.id,
            title: task.title,
            paths: task.paths,
            has_criteria: task.has_criteria,
        });
        let risks = read_risks(&context).into_iter().map(|risk| PlanRisk {
            text: risk.title,
            is_mitigated: risk.mitigated,
            position: position(risk.at),
        });
        Self {
            principles: count_units(&context, Part::Principles),
            drivers: count_units(&context, Part::Drivers),
            options: read_options(&context).len(),
            criteria: read_criteria(&context),
            tasks: tasks.collect(),
            risks: risks.collect(),
            paths: ticked_paths(context.lines()),
        }
    }
}

fn read_criteria(context: &Context<'_>) -> Vec<PlanItem> {
    let places = places_of(context, Part::Criteria);
    let units = places.into_iter().flat_map(|found| units_of(context.lines(), found));
    units.map(|unit| PlanItem { text: unit.title, position: context.index.position(unit.at) }).collect()
}
