//! Reviews: what `lint` and a team's own topics show, seen through the lens that the instructions give.

use ralplan_core::document::{CheckOptions, vague_words};
use ralplan_core::intake::risk::detect_risks;
use ralplan_core::review::{Action, FINDINGS_BLOCK, FINDINGS_SCHEMA, Finding, Severity, read_findings};

use super::prompt::Prompt;
use super::{Answer, artifact, fill};
use crate::lint::{Draft, Project, UNDO, findings, remarks, short, stem, watch, weakest, words};

pub(super) fn write(role: &str, prompt: &Prompt<'_>, draft: &Draft<'_>, project: &Project) -> Answer {
    let asks = |part: &str| prompt.instructions.contains(&format!("`{part}`"));
    let (is_design, is_execution) = (asks("Antithesis"), asks("Criteria"));
    let mut seen = remarks(draft, project, CheckOptions { deliberate: prompt.is_deliberate });
    seen.retain(|remark| is_design == is_execution || remark.is_design == is_design);
    let is_mentioned = |topic: &str| words(topic).iter().all(|word| draft.mentions(&[stem(word)]));
    for topic in prompt.topics().into_iter().filter(|topic| !is_mentioned(topic)) {
        seen.push(watch(topic, 0, false, format!("the plan says nothing about “{topic}”")));
    }
    if prompt.must_push_back && seen.is_empty() {
        seen.push(weakest(draft));
    }
    let found = findings(draft, &seen);
    let earlier = earlier(prompt, project, &found)?;
    let lenses = [(is_design, include_str!("design.md")), (is_execution, include_str!("execution.md"))];
    let lens: String = lenses.iter().filter(|(is_asked, _)| *is_asked).map(|(_, lens)| *lens).collect();
    let said: String = found.iter().map(|one| format!("- {}: {}\n", one.target_id, one.evidence)).collect();
    let said = if said.is_empty() { "- none: what this review checks is in order\n" } else { &said };
    let block = serde_json::json!({"schema": FINDINGS_SCHEMA, "findings": found});
    let (task, verdict) = (short(prompt.task, 60), verdict(prompt, draft, &found));
    let (lens, read) = (through(&lens, prompt, draft, &found), prompt.paths("draft").next().unwrap_or(""));
    let head = format!("# Review of “{task}” by {role}\n\n{verdict}\nRead: `{read}`\n{lens}");
    Ok(format!("{head}{earlier}\n## Findings\n\n{said}\n```{FINDINGS_BLOCK}\n{block}\n```\n"))
}

/// The best word without an objection, the one before the worst with one, the worst for what is no plan at all.
fn verdict(prompt: &Prompt<'_>, draft: &Draft<'_>, found: &[Finding]) -> String {
    let is_no_plan = draft.facts.tasks.is_empty() && draft.facts.criteria.is_empty();
    let objects = found.iter().any(|finding| finding.severity >= Severity::Watch);
    let line = |(label, words): &(&str, Vec<&str>)| {
        let last = words.len().saturating_sub(1);
        let objection = if is_no_plan { last } else { last.saturating_sub(1).max(1).min(last) };
        format!("{label}: {}\n", words.get(if objects { objection } else { 0 }).unwrap_or(&""))
    };
    prompt.axes.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The parts that a lens asks for, from the plan's own words.
fn through(lens: &str, prompt: &Prompt<'_>, draft: &Draft<'_>, found: &[Finding]) -> String {
    let (chosen, other) = (draft.option(0), draft.option(1));
    let criterion = |text: &str| match vague_words(text).join(", ") {
        vague if vague.is_empty() => format!("- met: “{}” can be decided\n", short(text, 120)),
        vague => format!("- not met: “{}” leaves “{vague}” to opinion\n", short(text, 120)),
    };
    let gaps = found.iter().filter(|finding| finding.action == Action::Add);
    let gaps: String = gaps.map(|finding| format!("- {}\n", finding.evidence)).collect();
    let risks: Vec<String> = detect_risks(prompt.task).into_iter().map(|risk| risk.word).collect();
    let driver = draft.body("decision drivers").trim().lines().next().unwrap_or("no driver");
    let parts = [
        ("other pros", other.pros.as_str()),
        ("other", &other.title),
        ("chosen", &chosen.title),
        ("driver", driver.trim_start_matches("1. ")),
        ("pros", &chosen.pros),
        ("cons", &chosen.cons),
        ("criteria", &draft.facts.criteria.iter().map(|one| criterion(&one.text)).collect::<String>()),
        ("gaps", if gaps.is_empty() { "- none found\n" } else { &gaps }),
        ("risks", &if risks.is_empty() { "no word that hints at harm".to_owned() } else { risks.join(", ") }),
        ("undo", if draft.mentions(&UNDO) { "says" } else { "does not say" }),
    ];
    fill(lens, &parts)
}

/// What became of the findings of the pass before.
fn earlier(prompt: &Prompt<'_>, project: &Project, found: &[Finding]) -> Answer {
    let Some(path) = prompt.paths("your review of the pass before").next() else { return Ok(String::new()) };
    let before = read_findings(&artifact(project, path)?).ok().flatten().unwrap_or_default();
    let is_open = |id: &str| found.iter().any(|finding| finding.finding_id == id);
    let word = |id| if is_open(id) { "still open" } else { "resolved" };
    let lines = before.iter().map(|known| format!("- `{}`: {}\n", known.finding_id, word(&known.finding_id)));
    Ok(format!("\n## Earlier Findings\n\n{}", lines.collect::<String>()))
}
