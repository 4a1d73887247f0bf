//! Later drafts, which answer what was found, and the record that closes the plan.

use ralplan_core::document::{slug, vague_words};
use ralplan_core::review::{Finding, Severity, read_findings};

use super::prompt::Prompt;
use super::{Answer, OutlineError, artifact, fill};
use crate::lint::{Draft, Project, short};

/// What answers a finding, by how its id or, for what is missing, its target starts; `\n` stands for a line break.
fn answer_to(name: &str) -> Option<String> {
    let mut known = include_str!("answers.txt").lines().filter_map(|line| line.split_once(" => "));
    known.find(|(start, _)| name.starts_with(start)).map(|(_, answer)| answer.replace("\\n", "\n"))
}

pub(super) fn write(prompt: &Prompt<'_>, draft: &Draft<'_>, project: &Project) -> Answer {
    let mut lines = draft.lines_without("changes");
    let (mut added, mut changes) = (String::new(), String::new());
    let known = draft.body("verification").split('`').nth(1);
    let command = known.or(project.manifest.map(|(_, command, _)| command)).unwrap_or("git diff --check");
    let mut change = |(line, text): (usize, String)| {
        if let Some(slot) = lines.get_mut(line.wrapping_sub(1)) {
            *slot = slot.replacen(draft.line(line), &text, 1);
        }
        format!("line {line} of the draft before became “{}”", short(&text, 200))
    };
    for finding in findings(prompt, project)? {
        let said = if let Some(name) = finding.target_id.strip_prefix("new:") {
            let section = addition(name, &finding, draft, project, command);
            added += if added.contains(section.lines().nth(1).unwrap_or_default()) { "" } else { &section };
            format!("added as the section “{}”", name.replace('-', " "))
        } else {
            change(repair(&finding, draft, command))
        };
        changes += &format!("- `{}`: {said}\n", finding.finding_id);
    }
    for (what, path) in prompt.reads.iter().filter(|(what, _)| what.contains("a person")) {
        let said = short(&artifact(project, path)?, 400);
        let change_to = follow(what.split('`').nth(1), &said, draft, command);
        changes += &format!("- {what}: {}\n", change(change_to));
    }
    let changes = if changes.is_empty() { "- none: no finding could be read\n" } else { &changes };
    Ok(format!("{}\n{added}\n## Changes\n\n{changes}", lines.join("\n").trim_end()))
}

fn findings(prompt: &Prompt<'_>, project: &Project) -> Result<Vec<Finding>, OutlineError> {
    let texts = prompt.paths("review of the current draft").map(|path| artifact(project, path));
    let read = |text: String| read_findings(&text).ok().flatten().unwrap_or_default();
    texts.map(|text| text.map(read)).collect::<Result<Vec<_>, _>>().map(|found| found.concat())
}

/// The line that a finding is about, and what it says from now on.
fn repair(finding: &Finding, draft: &Draft<'_>, command: &str) -> (usize, String) {
    let (id, evidence) = (&finding.finding_id, short(&finding.evidence, 300).replace('→', "to"));
    let number = evidence.strip_prefix("line ").and_then(|rest| rest.split_once(',')?.0.parse().ok());
    if let (Some(number), Some(template)) = (number, answer_to(id)) {
        let old = draft.line(number);
        let wish = short(old.trim_start_matches(['-', ' ']), 200);
        let wish = vague_words(old).iter().fold(wish, |text, word| text.replace(word, ""));
        let path = finding.evidence.split('`').nth(1).map_or_else(String::new, |path| format!("`{path}`"));
        let parts = [
            ("marked", old.replace(&path, &format!("{path} (new)"))),
            ("row", format!("{} |", old.trim_end_matches(['|', ' ', '-']))),
            ("wish", wish.trim_end_matches([' ', ':', ',']).to_owned()),
            ("name", slug(old)),
            ("command", command.to_owned()),
            ("old", old.to_owned()),
        ];
        return (number, fill(&template, &parts));
    }
    // Words under a graph would be read as tasks.
    let target = draft.outline.find(&finding.target_id).filter(|section| !section.title.contains("Graph"));
    let end = target.or(draft.outline.sections.first()).map_or(1, |section| draft.end_of(section));
    let new = match evidence.split(['“', '”']).nth(3).filter(|_| id == "unanswered-con") {
        Some(price) => format!("| {price} | medium | medium | the other option stays open |"),
        None => format!("\nOpen after review ({id}): {evidence}"),
    };
    (end, format!("{}\n{new}", draft.line(end)))
}

/// A section for something that is missing, with the files that name it.
fn addition(name: &str, finding: &Finding, draft: &Draft<'_>, project: &Project, command: &str) -> String {
    let tasks: Vec<&str> = draft.facts.tasks.iter().rev().map(|task| task.id.as_str()).collect();
    let files = project.about(name).into_iter().take(2).map(|(path, _)| format!(", after reading `{path}`"));
    let (tasks, files, why) = (tasks.join(", "), files.collect::<String>(), short(&finding.evidence, 300));
    let parts = [("tasks", tasks.as_str()), ("command", command), ("files", &files), ("evidence", &why)];
    let text = fill(&answer_to(&finding.target_id).unwrap_or_default(), &parts);
    let (first, rest) = name.split_at(name.chars().next().map_or(0, char::len_utf8));
    format!("\n## {}{}\n\n{text}\n", first.to_uppercase(), rest.replace('-', " "))
}

/// The line that changes by what a person said: an answer replaces its item, a wish becomes a criterion.
fn follow(item: Option<&str>, said: &str, draft: &Draft<'_>, command: &str) -> (usize, String) {
    let known = draft.open_items().into_iter().find(|known| Some(known.item_id.as_str()) == item);
    if let Some(line) = known.map(|known| draft.line_of(&known.text)).filter(|line| *line > 0) {
        return (line, format!("- [x] {said} (said by a person)"));
    }
    let last = draft.facts.criteria.last().map_or(1, |criterion| criterion.position.line);
    (last, format!("{}\n- `{command}` runs a test for what a person asked: {said}", draft.line(last)))
}

/// The decision record, from the draft's own options, drivers and assumptions.
pub(super) fn record(prompt: &Prompt<'_>, draft: &Draft<'_>, project: &Project) -> Answer {
    let (chosen, count) = (draft.option(0), draft.options().len().max(2));
    let others = (1..count).map(|at| draft.option(at)).map(|one| format!("- {}: {}\n", one.title, one.cons));
    let confirm =
        draft.open_items().into_iter().map(|item| format!("- Confirm: {}\n", short(&item.text, 200)));
    let open = findings(prompt, project)?.into_iter().filter(|one| one.severity >= Severity::Watch);
    let open = open.map(|one| format!("- Open `{}`: {}\n", one.finding_id, short(&one.evidence, 200)));
    let open: String = confirm.chain(open).collect();
    let drivers = draft.body("decision drivers").trim();
    let parts = [
        ("chosen", chosen.title.as_str()),
        ("drivers", if drivers.is_empty() { "The draft names none." } else { drivers }),
        ("others", &others.collect::<String>()),
        ("pros", &chosen.pros),
        ("cons", &chosen.cons),
        ("open", if open.is_empty() { "- None" } else { open.trim_end() }),
    ];
    Ok(fill(include_str!("record.md"), &parts))
}
