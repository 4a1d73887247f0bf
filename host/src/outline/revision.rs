//! Later drafts, which answer what was found, and the record that closes the plan.

use ralplan_core::document::{read_open_items, slug, vague_words};
use ralplan_core::review::{Finding, Severity, read_findings};

use super::draft::Draft;
use super::prompt::{Prompt, short};
use super::tree::Tree;
use super::{OutlineError, fill};

/// A draft that is being changed: its lines, each of which can grow, and the sections that follow.
struct Edit<'a> {
    draft: &'a Draft<'a>,
    tree: &'a Tree,
    command: String,
    lines: Vec<String>,
    added: String,
}

fn findings(prompt: &Prompt<'_>, tree: &Tree) -> Result<Vec<Finding>, OutlineError> {
    let mut found = Vec::new();
    for path in prompt.paths("review of the current draft") {
        found.extend(read_findings(&tree.artifact(path)?).ok().flatten().unwrap_or_default());
    }
    Ok(found)
}

pub(super) fn write(prompt: &Prompt<'_>, draft: &Draft<'_>, tree: &Tree) -> Result<String, OutlineError> {
    let named = draft.body("verification").split('`').nth(1).map(str::to_owned);
    let command = named.unwrap_or_else(|| tree.manifest.map_or("git diff --check", |(_, command, _)| command).to_owned());
    let mut edit = Edit { draft, tree, command, lines: draft.text.lines().map(str::to_owned).collect(), added: String::new() };
    let mut changes = String::new();
    if let Some(old) = draft.section("changes") {
        let count = draft.text.get(old.span.start..old.body.end).map_or(0, |text| text.lines().count());
        edit.lines.iter_mut().skip(old.position.line - 1).take(count).for_each(String::clear);
    }
    for finding in findings(prompt, tree)? {
        changes += &format!("- `{}`: {}\n", finding.finding_id, edit.answer(&finding));
    }
    for (what, path) in &prompt.reads {
        if what.starts_with("changes a person") || what.starts_with("a person's answer") {
            let said = short(&tree.artifact(path)?, 400);
            changes += &format!("- {what}: {}\n", edit.follow(what.split('`').nth(1), &said));
        }
    }
    let changes = if changes.is_empty() { "- none: no finding could be read\n" } else { &changes };
    let text = edit.lines.join("\n");
    Ok(format!("{}\n{}\n## Changes\n\n{changes}", text.trim_end(), edit.added))
}

impl Edit<'_> {
    /// Changes what a finding aims at and says what was done.
    fn answer(&mut self, finding: &Finding) -> String {
        let (id, evidence, command) = (finding.finding_id.as_str(), finding.evidence.as_str(), self.command.clone());
        let number = evidence.strip_prefix("line ").and_then(|rest| rest.split_once(',')?.0.parse().ok()).unwrap_or(0);
        let old = self.draft.line(number);
        let (new, said) = if id.starts_with("vague-criterion") {
            let mut text = short(old.trim_start_matches(['-', '*', ' ']), 200);
            for word in vague_words(&text) {
                text = text.replace(&word, "").trim_end_matches([' ', ':', ',']).to_owned();
            }
            (format!("- `{command}` runs at least 1 test that fails before the change and passes after it: {text}"), "names a command and a count")
        } else if let Some(path) = evidence.split('`').nth(1).filter(|_| id.starts_with("missing-file")) {
            (old.replace(path, &format!("{path}` (new)")).replace("(new)`", "(new)"), "the file is marked as new")
        } else if id.starts_with("option-sides") {
            let side = if id.contains("no-pros") { "Pros: left in the running by the reviews" } else { "Cons: its price was not weighed before the review, which speaks against it" };
            (format!("{old}\n\n- {side}"), "the missing side is named")
        } else if id.starts_with("risk-register-no") {
            (format!("{} run `{command}` before it is merged |", old.trim_end_matches([' ', '|', '-']).to_owned() + " |"), "the risk has a mitigation")
        } else if id.starts_with("task-paths") || id.starts_with("task-criteria") {
            (format!("{old}\n\nFiles: `docs/{}.md` (new)\n\nAcceptance: `{command}` exits 0", slug(old)), "the task has a file and a criterion")
        } else if id == "unconfirmed" || id.starts_with("assumption") {
            (format!("{old} — to be confirmed by a person before T1 starts"), "it is to be confirmed before the first task")
        } else {
            return self.extend(finding);
        };
        match self.lines.get_mut(number.wrapping_sub(1)) {
            Some(line) => *line = new,
            None => return self.extend(finding),
        }
        format!("{said}, line {number} of the draft before")
    }

    /// Adds what a finding misses: a section, a row of risks, or a paragraph.
    fn extend(&mut self, finding: &Finding) -> String {
        let (command, evidence) = (&self.command, short(&finding.evidence, 300).replace("->", "to"));
        if let Some(name) = finding.target_id.strip_prefix("new:") {
            let title = name.replace('-', " ");
            let tasks: Vec<&str> = self.draft.facts.tasks.iter().rev().map(|task| task.id.as_str()).collect();
            let files: Vec<String> = self.tree.about(&title).iter().take(2).map(|(path, _)| format!("`{path}`")).collect();
            let body = match name {
                "rollback" => format!("Revert in this order, one change each: {}. Then `{command}` exits 0. Data that a step wrote stays.", tasks.join(", ")),
                "verification" => format!("- `{command}`"),
                _ if files.is_empty() => format!("{evidence}: no file of the project names it. A person settles it before the first task."),
                _ => format!("{evidence}: {} is read for it before the first task.", files.join(" and ")),
            };
            self.added += &format!("\n## {}{}\n\n{body}\n", title.get(..1).unwrap_or_default().to_uppercase(), title.get(1..).unwrap_or(&title));
            return format!("a section “{title}” is added");
        }
        let section = self.draft.outline.find(&finding.target_id).or(self.draft.outline.sections.first());
        let Some(section) = section else { return "the draft has no section to change".to_owned() };
        let end = section.position.line + self.draft.text.get(section.own_body.clone()).unwrap_or_default().trim_end().lines().count();
        let price = evidence.split(['“', '”']).nth(3).filter(|_| finding.finding_id == "unanswered-con");
        let new = match price {
            Some(price) => format!("\n| {price} | medium | medium | if it hurts, the other option is taken up again |"),
            None => format!("\n\nOpen after review ({}): {evidence}", finding.finding_id),
        };
        if let Some(line) = self.lines.get_mut(end - 1) {
            line.push_str(&new);
        }
        format!("answered in “{}”", section.title)
    }

    /// Works in what a person said: an answer replaces its assumption, a wish becomes a criterion.
    fn follow(&mut self, item: Option<&str>, said: &str) -> String {
        let items = read_open_items(self.draft.text, &self.draft.outline).unwrap_or_default();
        let text = items.into_iter().find(|known| Some(known.item_id.as_str()) == item).map(|known| known.text);
        let line = text.map(|text| self.draft.line_of(&text)).filter(|line| *line > 0);
        if let Some(slot) = line.and_then(|line| self.lines.get_mut(line - 1)) {
            *slot = format!("- {said} (said by a person)");
            return "the person's words replace it".to_owned();
        }
        let last = self.draft.facts.criteria.last().map_or(1, |criterion| criterion.position.line);
        if let Some(slot) = self.lines.get_mut(last - 1) {
            slot.push_str(&format!("\n- `{}` runs at least 1 test for what a person asked: {said}", self.command));
        }
        format!("“{said}” is a criterion")
    }
}

/// The decision record, from the draft's own options, drivers and assumptions.
pub(super) fn record(prompt: &Prompt<'_>, draft: &Draft<'_>, tree: &Tree) -> Result<String, OutlineError> {
    let options = draft.options();
    let lack = || "The draft names none.".to_owned();
    let chosen = options.first();
    let others: String = options.iter().skip(1).map(|other| format!("- {}: {}\n", other.title, other.cons)).collect();
    let items = read_open_items(draft.text, &draft.outline).unwrap_or_default();
    let mut open: String = items.iter().map(|item| format!("- Confirm: {}\n", short(&item.text, 200))).collect();
    for finding in findings(prompt, tree)?.iter().filter(|finding| finding.severity >= Severity::Watch) {
        open += &format!("- Open finding `{}`: {}\n", finding.finding_id, short(&finding.evidence, 200));
    }
    let drivers = draft.body("decision drivers").trim_start();
    let parts = [
        ("chosen", chosen.map_or_else(lack, |option| option.title.clone())),
        ("drivers", if drivers.is_empty() { "The draft names none.\n".to_owned() } else { format!("{}\n", drivers.trim_end()) }),
        ("others", if others.is_empty() { "- The draft names none.\n".to_owned() } else { others }),
        ("pros", chosen.map_or_else(lack, |option| option.pros.clone())),
        ("cons", chosen.map_or_else(lack, |option| option.cons.clone())),
        ("open", if open.is_empty() { "- None.".to_owned() } else { open.trim_end().to_owned() }),
    ];
    Ok(fill(include_str!("record.md"), &parts.each_ref().map(|(name, text)| (*name, text.as_str()))))
}
