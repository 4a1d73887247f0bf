//! The tasks of a plan and the names by which a dependency graph may call them.

use std::collections::BTreeMap;
use std::ops::Range;

use super::blocks::{Kind, Line};
use super::check::places_of;
use super::diagnostic::Context;
use super::label::{plain, strip_emoji};
use super::part::Part;
use super::parts::name_of;
use super::paths::paths_of;
use super::position::floor_boundary;
use super::section_name::{names, parts_of};
use super::units::{UnitForm, collect, is_heading, table_of, units_of};

/// Words that open the name of a task.
const TASK_WORDS: [&str; 18] = [
    "task",
    "step",
    "phase",
    "milestone",
    "wave",
    "pr",
    "stage",
    "slice",
    "work item",
    "workstream",
    "步骤",
    "阶段",
    "任务",
    "단계",
    "작업",
    "태스크",
    "里程碑",
    "タスク",
];

/// Words that introduce what a task waits for.
pub(crate) const WAITS: [&str; 9] = [
    "depends on",
    "depends upon",
    "blocked by",
    "dependencies",
    "dependency",
    "prerequisite",
    "依赖",
    "前置",
    "의존",
];

/// Words that introduce acceptance criteria on a line.
const CRITERIA: [&str; 9] = [
    "acceptance",
    "done when",
    "definition of done",
    "success criteria",
    "exit criteria",
    "验收",
    "수용 기준",
    "완료 기준",
    "인수 기준",
];

/// One task with its lines.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct TaskUnit {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) at: usize,
    pub(crate) lines: Range<usize>,
    pub(crate) paths: Vec<String>,
    pub(crate) has_criteria: bool,
}

/// All tasks, with an index by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tasks {
    pub(crate) list: Vec<TaskUnit>,
    keys: BTreeMap<String, usize>,
}

impl Tasks {
    pub(crate) fn read(context: &Context<'_>) -> Self {
        let mut tasks = Self::default();
        for unit in task_units(context) {
            let index = tasks.list.len();
            let ordinal = (index + 1).to_string();
            let title = strip_emoji(&unit.title).to_owned();
            let id = leading_id(&title);
            for key in id.as_deref().map(keys_of).unwrap_or_default() {
                tasks.keys.entry(key).or_insert(index);
            }
            tasks.keys.entry(title_key(&title)).or_insert(index);
            let lines = context.lines().get(unit.lines.clone()).unwrap_or_default();
            tasks.list.push(TaskUnit {
                id: id.unwrap_or(ordinal),
                at: unit.at,
                paths: paths_of(lines),
                has_criteria: has_criteria(context.lines(), lines, unit.lines.start),
                lines: unit.lines,
                title,
            });
        }
        for (index, task) in tasks.list.iter().enumerate() {
            tasks.keys.entry(task.id.to_lowercase()).or_insert(index);
        }
        tasks
    }

    /// The task that a name means.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        let by_id =
            leading_id(name).and_then(|id| keys_of(&id).iter().find_map(|key| self.keys.get(key)).copied());
        by_id.or_else(|| self.keys.get(&title_key(name)).copied())
    }
}

/// The ids that a text names, each with the length that it takes.
pub(crate) fn ids_in(text: &str) -> impl Iterator<Item = String> + '_ {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            rest = rest.get(rest.find(char::is_alphanumeric)?..)?;
            let id = leading_id(rest);
            let word = rest.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(rest.len());
            let skip = id.as_ref().map_or(word, |id| floor_boundary(rest, id.len()).max(1));
            rest = rest.get(skip..)?;
            if id.is_some() {
                return id;
            }
        }
    })
}

struct Opened {
    title: String,
    at: usize,
    lines: Range<usize>,
}

fn task_units(context: &Context<'_>) -> Vec<Opened> {
    let lines = context.lines();
    let mut best: Vec<Opened> = Vec::new();
    for found in places_of(context, Part::Tasks) {
        let mut units = named_headings(lines, found.body.clone());
        if units.is_empty() {
            units = units_of(lines, found)
                .into_iter()
                .filter(|unit| unit.form != UnitForm::Heading || !is_other_part(&unit.title))
                .map(|unit| Opened { title: unit.title, at: unit.at, lines: unit.lines })
                .collect();
        }
        if units.len() > best.len() {
            best = units;
        }
    }
    if best.is_empty() {
        best = named_headings(lines, 0..lines.len());
    }
    best
}

/// Headings that open with the name of a task, of the highest level at which there are any.
fn named_headings(lines: &[Line], body: Range<usize>) -> Vec<Opened> {
    let opens = |line: &Line| is_heading(line).is_some() && is_task_name(&line.text);
    let inside = lines.get(body.clone()).unwrap_or_default();
    let Some(level) = inside.iter().filter(|line| opens(line)).filter_map(is_heading).min() else {
        return Vec::new();
    };
    let units =
        collect(lines, body, UnitForm::Heading, |line| is_heading(line).is_some_and(|own| own <= level));
    let named = units.into_iter().filter(|unit| is_task_name(&unit.title));
    named.map(|unit| Opened { title: unit.title, at: unit.at, lines: unit.lines }).collect()
}

fn is_other_part(title: &str) -> bool {
    parts_of(title).iter().any(|part| *part != Part::Tasks)
}

fn is_task_name(title: &str) -> bool {
    let title = plain(title);
    let title = strip_emoji(&title);
    leading_id(title).is_some_and(|id| id.chars().any(char::is_alphabetic))
}

/// The id at the start of a name: `Task 3`, `P1`, `T-01`, `1.2`.
pub(crate) fn leading_id(name: &str) -> Option<String> {
    let name = name.trim_start_matches(['[', '(', '#', '*', '`', '§', ' ']);
    worded_id(name).or_else(|| coded_id(name)).or_else(|| numbered_id(name))
}

/// `Task 3`, `步骤 2`, `Phase B`
fn worded_id(name: &str) -> Option<String> {
    let word = TASK_WORDS
        .iter()
        .filter_map(|word| name.get(..word.len()).filter(|head| head.eq_ignore_ascii_case(word)));
    let word = word.max_by_key(|word| word.len())?;
    let rest = name.get(word.len()..)?;
    let spaced = rest.trim_start_matches([' ', '-', '#', '_']);
    if spaced.len() == rest.len()
        && word.is_ascii()
        && !rest.starts_with(|letter: char| letter.is_ascii_digit())
    {
        return None;
    }
    let end =
        spaced.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '.').unwrap_or(spaced.len());
    let number = spaced.get(..end)?.trim_end_matches('.');
    let is_number = number.starts_with(|letter: char| letter.is_ascii_digit()) && number.len() <= 6;
    let is_letter = number.len() == 1 && number.starts_with(|letter: char| letter.is_ascii_uppercase());
    (is_number || is_letter).then(|| format!("{word} {number}"))
}

/// `P1`, `T-01`, `WS2.1`
fn coded_id(name: &str) -> Option<String> {
    let letters = name.find(|letter: char| !letter.is_ascii_uppercase())?;
    let (head, rest) = (name.get(..letters)?, name.get(letters..)?);
    let digits = rest.strip_prefix('-').unwrap_or(rest);
    let end =
        digits.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '.').unwrap_or(digits.len());
    let number = digits.get(..end)?.trim_end_matches('.');
    let is_id = (1..=4).contains(&head.len())
        && number.len() <= 6
        && number.starts_with(|letter: char| letter.is_ascii_digit());
    is_id.then(|| format!("{head}{}{number}", if digits.len() < rest.len() { "-" } else { "" }))
}

/// `1`, `1.2`
fn numbered_id(name: &str) -> Option<String> {
    let end = name.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(name.len());
    let number = name.get(..end)?.trim_end_matches('.');
    let tail = name.get(end..)?;
    let is_id = !number.is_empty() && number.len() <= 6 && !tail.starts_with(char::is_alphanumeric);
    is_id.then(|| number.to_owned())
}

/// The keys under which an id is known, the most exact one first.
fn keys_of(id: &str) -> Vec<String> {
    let lower = id.to_lowercase();
    let number_at = lower.find(|letter: char| letter.is_ascii_digit());
    let mut keys = vec![lower.replace([' ', '-', '_'], "")];
    if let Some(at) = number_at {
        let (word, number) = (lower.get(..at).unwrap_or_default(), lower.get(at..).unwrap_or_default());
        let number = number.trim_start_matches('0');
        let word = word.trim_matches([' ', '-', '_']);
        keys.push(format!("{word}{number}"));
        if let Some(initial) = word.chars().next().filter(|_| word.chars().count() > 1) {
            keys.push(format!("{initial}{number}"));
        }
        if TASK_WORDS.contains(&word) || word.is_empty() || word == "t" {
            keys.push(number.to_owned());
        }
    }
    keys
}

fn title_key(title: &str) -> String {
    let lower = plain(title).to_lowercase();
    lower.chars().filter(|letter| letter.is_alphanumeric()).collect()
}

fn has_criteria(all: &[Line], lines: &[Line], start: usize) -> bool {
    let column = table_of(all, start).is_some_and(|(header, cells)| {
        header
            .iter()
            .zip(cells)
            .any(|(name, cell)| names(Part::Criteria, name) && cell.chars().any(char::is_alphanumeric))
    });
    column
        || lines.iter().any(|line| {
            if matches!(line.kind, Kind::Code(_)) {
                return false;
            }
            let named = matches!(line.kind, Kind::Heading(_)) && names(Part::Criteria, &line.text);
            let lower = line.text.to_lowercase();
            named
                || name_of(line).is_some_and(|(title, _, _)| names(Part::Criteria, &title))
                || CRITERIA.iter().any(|word| {
                    lower.match_indices(word).any(|(at, _)| {
                        let tail = lower.get(at + word.len()..).unwrap_or_default();
                        tail.chars().take(12).any(|letter| matches!(letter, ':' | '：' | '—'))
                    })
                })
        })
}
