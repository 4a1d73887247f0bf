//! What a program can say against a plan: the document rules, and what shows only beside the project.

mod draft;
mod project;
mod words;

use std::collections::BTreeSet;
use std::path::Path;

use ralplan_core::document::{CheckOptions, DocumentKind, Impact, Level, check, slug, vague_words};
use ralplan_core::review::{Action, Finding, Severity};

pub(crate) use draft::Draft;
pub(crate) use project::Project;
pub(crate) use words::{short, stem, words};

/// Rules about the design of a plan; the others are about carrying it out.
const DESIGN: [&str; 5] = ["principles", "drivers", "options", "option-sides", "dependency-graph"];
/// Words that say how a plan is undone.
pub(crate) const UNDO: [&str; 4] = ["rollback", "roll back", "revert", "restore"];
/// Longest id and longest quote of a finding, in characters.
const ID_LENGTH: usize = 60;
const QUOTED: usize = 120;
/// Marks of a file that the plan makes.
const NEW: [&str; 3] = ["(new", "new file", "create"];

/// One thing that speaks against a plan.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Remark {
    /// A short name, the same as long as the plan says the same.
    pub id: String,
    /// The line it is about, from 1; 0 for something that is missing.
    pub line: usize,
    /// How much it weighs.
    pub severity: Severity,
    /// What was expected, and what was found.
    pub why: String,
    /// True when it is about the design, false when it is about carrying it out.
    pub is_design: bool,
}

/// Looks at a plan beside the project it is for.
///
/// ```
/// use ralplan_core::document::CheckOptions;
/// let remarks = ralplan_host::lint::lint("# Plan\n", std::path::Path::new("."), CheckOptions::default());
/// assert!(remarks.iter().any(|remark| remark.id == "rollback"));
/// ```
#[must_use]
pub fn lint(text: &str, root: &Path, options: CheckOptions) -> Vec<Remark> {
    remarks(&Draft::read(text), &Project::walk(root), options)
}

/// What [`lint`] says beyond the document rules, which others check by themselves.
#[must_use]
pub fn advice(text: &str, root: &Path) -> Vec<Remark> {
    beyond_rules(&Draft::read(text), &Project::walk(root))
}

pub(crate) fn remarks(draft: &Draft<'_>, project: &Project, options: CheckOptions) -> Vec<Remark> {
    let mut remarks = documents(draft, options);
    remarks.extend(beyond_rules(draft, project));
    remarks
}

fn beyond_rules(draft: &Draft<'_>, project: &Project) -> Vec<Remark> {
    let mut remarks = missing_files(draft, project);
    remarks.extend(design(draft));
    remarks.extend(execution(draft));
    remarks
}

/// A remark that is worth a revision.
pub(crate) fn watch(id: &str, line: usize, is_design: bool, why: String) -> Remark {
    Remark { id: id.to_owned(), line, severity: Severity::Watch, why, is_design }
}

/// The weakest point of a plan against which nothing else speaks.
pub(crate) fn weakest(draft: &Draft<'_>) -> Remark {
    let assumed = draft.open_items().first().map(|item| draft.line_of(&item.text));
    let risk = draft.facts.risks.first().map(|risk| risk.position.line);
    let why = "the weakest point, and nobody has confirmed it".to_owned();
    watch("unconfirmed", assumed.or(risk).unwrap_or(1), false, why)
}

/// Remarks as findings on the sections of a draft, each id once.
pub(crate) fn findings(draft: &Draft<'_>, remarks: &[Remark]) -> Vec<Finding> {
    let mut seen = BTreeSet::new();
    let findings = remarks.iter().map(|remark| finding(draft, remark));
    findings.filter(|finding| seen.insert(finding.finding_id.clone())).collect()
}

fn finding(draft: &Draft<'_>, remark: &Remark) -> Finding {
    let finding_id: String = slug(&remark.id).chars().take(ID_LENGTH).collect();
    let section = draft.outline.sections.iter().rfind(|section| section.position.line <= remark.line);
    let quote =
        || format!("line {}, “{}”: {}", remark.line, short(draft.line(remark.line), QUOTED), remark.why);
    let (target_id, action, evidence) = match section {
        Some(section) => (section.anchor.clone(), Action::Change, quote()),
        None => (format!("new:{finding_id}"), Action::Add, remark.why.clone()),
    };
    let (novelty, supersedes, proposed_owner, severity) = (None, None, None, remark.severity);
    Finding { finding_id, target_id, action, severity, evidence, novelty, supersedes, proposed_owner }
}

fn documents(draft: &Draft<'_>, options: CheckOptions) -> Vec<Remark> {
    let kinds = [DocumentKind::RalplanDr, DocumentKind::Tasks].into_iter();
    let said = kinds.flat_map(|kind| check(draft.text, &draft.outline, kind, options));
    let remark = said.map(|said| {
        let rule = said.code.trim_start_matches("document.").replace('_', "-");
        let is_design = DESIGN.contains(&rule.as_str());
        let (id, line) = match said.found.as_str() {
            "nothing" => (rule, 0),
            found => (format!("{rule} {found}"), said.position.line),
        };
        let severity = if said.severity == Level::Error { Severity::Block } else { Severity::Watch };
        Remark {
            id,
            line,
            severity,
            why: format!("expected {}, found {}", said.expected, said.found),
            is_design,
        }
    });
    remark.collect()
}

/// Files that tasks name, that do not exist, and that the plan does not say it makes.
fn missing_files(draft: &Draft<'_>, project: &Project) -> Vec<Remark> {
    let paths = draft.facts.tasks.iter().flat_map(|task| &task.paths);
    let is_made = |path: &str| {
        let lines = draft.text.lines().filter(|line| line.contains(path)).map(str::to_lowercase);
        lines.into_iter().any(|line| NEW.iter().any(|mark| line.contains(mark)))
    };
    let missing = paths.filter(|path| !project.has(path) && !is_made(path));
    let why = |path: &String| format!("`{path}` does not exist and is not marked as new");
    missing.map(|path| watch(&format!("missing file {path}"), draft.line_of(path), true, why(path))).collect()
}

/// The way back, and the price of the choice.
fn design(draft: &Draft<'_>) -> Vec<Remark> {
    let mut remarks = Vec::new();
    if !draft.mentions(&UNDO) {
        remarks.push(watch("rollback", 0, true, "no line says how the plan is undone".to_owned()));
    }
    let answers = draft.body("risk").to_lowercase();
    let is_answered = |con: &str| {
        let (held, lost): (Vec<_>, Vec<_>) =
            words(con).into_iter().partition(|word| answers.contains(&stem(word)));
        held.len() > lost.len()
    };
    if let (Some(chosen), Some(risks)) = (draft.options().first(), draft.section("risk"))
        && !is_answered(&chosen.cons)
    {
        let why = format!("no risk answers {}, the price of “{}”", chosen.cons, chosen.title);
        remarks.push(watch("unanswered con", risks.position.line, true, why));
    }
    remarks
}

/// What a builder cannot decide or run.
fn execution(draft: &Draft<'_>) -> Vec<Remark> {
    let vague = draft.facts.criteria.iter().filter_map(|criterion| {
        let vague = vague_words(&criterion.text).join(", ");
        let why = format!("no number, command or observation decides “{vague}”");
        let remark =
            watch(&format!("vague criterion {}", criterion.text), criterion.position.line, false, why);
        (!vague.is_empty()).then_some(Remark { severity: Severity::Block, ..remark })
    });
    let mut remarks: Vec<Remark> = vague.collect();
    if draft.facts.criteria.is_empty() {
        remarks.push(watch(
            "acceptance criteria",
            0,
            false,
            "no criterion decides when it is done".to_owned(),
        ));
    }
    let has_command =
        |name: &str| draft.body(name).split('`').skip(1).step_by(2).any(|code| code.contains(' '));
    if !["verification", "acceptance criteria", "test plan"].into_iter().any(has_command) {
        remarks.push(watch("verification", 0, false, "no command decides the criteria".to_owned()));
    }
    let items = draft.open_items();
    let heavy = items.iter().filter(|item| item.impact == Impact::High && item.default.is_none());
    let why = || "much hangs on it, and nobody has confirmed it".to_owned();
    remarks.extend(heavy.map(|item| watch(&item.item_id, draft.line_of(&item.text), false, why())));
    remarks
}
