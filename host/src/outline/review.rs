//! Reviews: the document rules, and what the rules cannot see.

use ralplan_core::document::{CheckOptions, DocumentKind, Impact, Level, check, read_open_items, slug, vague_words};
use ralplan_core::intake::risk::detect_risks;
use ralplan_core::review::{Action, FINDINGS_BLOCK, FINDINGS_SCHEMA, Finding, Severity, read_findings};

use super::draft::Draft;
use super::prompt::{Prompt, short, stem, words};
use super::tree::Tree;
use super::{OutlineError, fill};

/// Rules about the design of a plan; the others are about carrying it out.
const DESIGN: [&str; 5] = ["principles", "drivers", "options", "option-sides", "dependency-graph"];
/// Words that say how a plan is undone.
const UNDO: [&str; 4] = ["rollback", "roll back", "revert", "restore"];

/// A review in the making.
struct Look<'a> {
    prompt: &'a Prompt<'a>,
    draft: &'a Draft<'a>,
    tree: &'a Tree,
    findings: Vec<Finding>,
}

pub(super) fn write(role: &str, prompt: &Prompt<'_>, draft: &Draft<'_>, tree: &Tree) -> Result<String, OutlineError> {
    let mut look = Look { prompt, draft, tree, findings: Vec::new() };
    let asks = |part: &str| prompt.instructions.contains(&format!("`{part}`"));
    let (is_design, is_execution) = (asks("Antithesis"), asks("Criteria"));
    look.lint(is_design, is_execution);
    let mut body = String::new();
    if is_design {
        look.design();
        body += &look.steelman();
    }
    if is_execution {
        look.execution();
    }
    for topic in prompt.topics() {
        let stems: Vec<String> = words(topic).iter().map(|word| stem(word)).collect();
        if !draft.mentions(&stems) {
            look.find(topic, 0, Severity::Watch, &format!("the plan says nothing about “{topic}”"));
        }
    }
    if prompt.must_push_back && !look.objects() {
        let weakest = draft.body("assumptions").lines().find(|line| line.starts_with("- "));
        let line = weakest.map(|text| draft.line_of(text)).or(draft.facts.risks.first().map(|risk| risk.position.line));
        look.find("unconfirmed", line.unwrap_or(1), Severity::Watch, "the weakest point, and nobody has confirmed it");
    }
    if is_execution {
        body += &look.criteria();
    }
    body += &look.earlier()?;
    let said: String = look.findings.iter().map(|one| format!("- {}: {}\n", one.target_id, one.evidence)).collect();
    let said = if said.is_empty() { "- none: what this review checks is in order\n" } else { &said };
    let block = serde_json::json!({"schema": FINDINGS_SCHEMA, "findings": look.findings});
    let head = format!("# Review of “{}” by {role}\n\n{}", short(prompt.task, 60), look.verdict());
    Ok(format!("{head}{body}\n## Findings\n\n{said}\n```{FINDINGS_BLOCK}\n{block}\n```\n"))
}

impl Look<'_> {
    fn objects(&self) -> bool {
        self.findings.iter().any(|finding| finding.severity >= Severity::Watch)
    }

    /// Keeps what was found on a line of the draft; line 0 stands for something that is missing.
    fn find(&mut self, id: &str, line: usize, severity: Severity, why: &str) {
        let finding_id: String = slug(id).chars().take(60).collect();
        let section = self.draft.outline.sections.iter().rfind(|section| section.position.line <= line);
        let quote = || format!("line {line}, “{}”: {why}", short(self.draft.line(line), 120));
        let (target_id, action, evidence) = match section {
            Some(section) => (section.anchor.clone(), Action::Change, quote()),
            None => (format!("new:{finding_id}"), Action::Add, why.to_owned()),
        };
        if self.findings.iter().all(|known| known.finding_id != finding_id) {
            let (novelty, supersedes, proposed_owner) = (None, None, None);
            let finding = Finding { finding_id, target_id, action, severity, evidence, novelty, supersedes, proposed_owner };
            self.findings.push(finding);
        }
    }

    /// The document rules; whoever looks at the whole applies all of them.
    fn lint(&mut self, is_design: bool, is_execution: bool) {
        let options = CheckOptions { deliberate: self.prompt.is_deliberate() };
        for kind in [DocumentKind::RalplanDr, DocumentKind::Tasks] {
            for said in check(self.draft.text, &self.draft.outline, kind, options) {
                let rule = said.code.trim_start_matches("document.").replace('_', "-");
                if is_design != is_execution && is_design != DESIGN.contains(&rule.as_str()) {
                    continue;
                }
                let is_absent = said.found == "nothing";
                let id = if is_absent { rule } else { format!("{rule} {}", said.found) };
                let severity = if said.severity == Level::Error { Severity::Block } else { Severity::Watch };
                let why = format!("expected {}, found {}", said.expected, said.found);
                self.find(&id, if is_absent { 0 } else { said.position.line }, severity, &why);
            }
        }
    }

    /// Claims about the project, the way back, and the price of the choice.
    fn design(&mut self) {
        let draft = self.draft;
        for path in draft.facts.tasks.iter().flat_map(|task| &task.paths).filter(|path| !self.tree.has(path)) {
            let marks = ["(new", "new file", "create"];
            let is_new = |line: &str| line.contains(path) && marks.iter().any(|mark| line.to_lowercase().contains(mark));
            if !draft.text.lines().any(is_new) {
                let why = format!("`{path}` does not exist and is not marked as new");
                self.find(&format!("missing file {path}"), draft.line_of(path), Severity::Watch, &why);
            }
        }
        if !draft.mentions(&UNDO) {
            self.find("rollback", 0, Severity::Watch, "no line says how the plan is undone");
        }
        let answered = draft.body("risk").to_lowercase();
        let is_answered = |con: &str| {
            let (held, lost): (Vec<_>, Vec<_>) = words(con).into_iter().partition(|word| answered.contains(&stem(word)));
            held.len() > lost.len()
        };
        if let (Some(chosen), Some(risks)) = (draft.options().first(), draft.section("risk"))
            && !is_answered(&chosen.cons)
        {
            let why = format!("no risk answers {}, the price of “{}”", chosen.cons, chosen.title);
            self.find("unanswered con", risks.position.line, Severity::Watch, &why);
        }
    }

    /// What a builder cannot decide or run.
    fn execution(&mut self) {
        let draft = self.draft;
        for criterion in &draft.facts.criteria {
            let vague = vague_words(&criterion.text).join(", ");
            if !vague.is_empty() {
                let why = format!("no number, command or observation decides “{vague}”");
                self.find(&format!("vague criterion {}", criterion.text), criterion.position.line, Severity::Block, &why);
            }
        }
        if draft.facts.criteria.is_empty() {
            self.find("acceptance criteria", 0, Severity::Block, "no criterion decides when the plan is done");
        }
        let has_command = |name: &str| draft.body(name).split('`').skip(1).step_by(2).any(|code| code.contains(' '));
        if !["verification", "acceptance criteria", "test plan"].into_iter().any(has_command) {
            self.find("verification", 0, Severity::Block, "no command decides the criteria");
        }
        let items = read_open_items(draft.text, &draft.outline).unwrap_or_default();
        for item in items.iter().filter(|item| item.impact == Impact::High && item.default.is_none()) {
            self.find(&item.item_id, draft.line_of(&item.text), Severity::Watch, "much hangs on it, nobody confirmed it");
        }
    }

    fn verdict(&self) -> String {
        let is_no_plan = self.draft.facts.tasks.is_empty() && self.draft.facts.criteria.is_empty();
        let line = |(label, words): &(&str, Vec<&str>)| {
            let last = words.len().saturating_sub(1);
            let objection = if is_no_plan { last } else { last.saturating_sub(1).max(1).min(last) };
            let word = words.get(if self.objects() { objection } else { 0 }).copied().unwrap_or_default();
            format!("{label}: {word}\n")
        };
        self.prompt.axes.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    fn steelman(&self) -> String {
        let options = self.draft.options();
        let [chosen, other, ..] = options.as_slice() else {
            let lack = "The plan weighs no second option under a heading of its own";
            return format!("\n## Antithesis\n\n{lack}.\n\n## Trade-off Tension\n\n{lack}.\n\n## Synthesis\n\nNone yet.\n");
        };
        let driver = self.draft.body("decision drivers").trim().lines().next().unwrap_or_default();
        let parts = [
            ("other pros", other.pros.as_str()),
            ("other", &other.title),
            ("chosen", &chosen.title),
            ("driver", driver.trim_start_matches("1. ")),
            ("pros", &chosen.pros),
            ("cons", &chosen.cons),
        ];
        fill(include_str!("design.md"), &parts)
    }

    fn criteria(&self) -> String {
        let line = |text: &str| match vague_words(text).join(", ") {
            vague if vague.is_empty() => format!("- met: “{}” can be decided\n", short(text, 120)),
            vague => format!("- not met: “{}” leaves “{vague}” to opinion\n", short(text, 120)),
        };
        let criteria: String = self.draft.facts.criteria.iter().map(|criterion| line(&criterion.text)).collect();
        let gaps = self.findings.iter().filter(|finding| finding.action == Action::Add);
        let gaps: String = gaps.map(|finding| format!("- {}\n", finding.evidence)).collect();
        let risks: Vec<String> = detect_risks(self.prompt.task).into_iter().map(|risk| risk.word).collect();
        let parts = [
            ("criteria", criteria.as_str()),
            ("gaps", if gaps.is_empty() { "- none found\n" } else { &gaps }),
            ("risks", &if risks.is_empty() { "no word that hints at harm".to_owned() } else { risks.join(", ") }),
            ("undo", if self.draft.mentions(&UNDO) { "says" } else { "does not say" }),
        ];
        fill(include_str!("execution.md"), &parts)
    }

    /// What became of the findings of the pass before; a new one says why it is new.
    fn earlier(&mut self) -> Result<String, OutlineError> {
        let mut lines = String::new();
        let Some(path) = self.prompt.paths("your review of the pass before").next() else { return Ok(lines) };
        let old_draft = self.prompt.paths("draft of the pass before").next().map(|path| self.tree.artifact(path));
        let old_draft = old_draft.transpose()?.unwrap_or_default();
        let (old, now) = (Draft::read(&old_draft).outline.digests(), self.draft.outline.digests());
        let before = read_findings(&self.tree.artifact(path)?).ok().flatten().unwrap_or_default();
        for known in &before {
            let is_open = self.findings.iter().any(|finding| finding.finding_id == known.finding_id);
            lines += &format!("- `{}`: {}\n", known.finding_id, if is_open { "still open" } else { "resolved" });
        }
        for finding in &mut self.findings {
            if before.iter().all(|known| known.finding_id != finding.finding_id) {
                let is_same = old.get(&finding.target_id) == now.get(&finding.target_id);
                let why = if is_same { "missed in the pass before" } else { "the section is not what it was" };
                finding.novelty = Some(why.to_owned());
            }
        }
        Ok(format!("\n## Earlier Findings\n\n{}", if lines.is_empty() { "- none\n" } else { &lines }))
    }
}
