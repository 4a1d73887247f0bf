//! Protocols and positions from which cases start.

use ralplan_core::json::sha256_hex;
use ralplan_core::ledger::{AnswerOutcome, ApprovalAnswer};
use ralplan_core::protocol::{Protocol, Requirement, StageKind};
use ralplan_core::run::{Act, Actor, Assign, Configure, Decision, Setting, SettingsInput, Start, Write};

use crate::script::{Script, host, person, protocol, start};

/// A built-in protocol whose stages ask for no parts of a document.
#[must_use]
pub fn lean(name: &str) -> Protocol {
    let mut protocol = protocol(name);
    for stage in protocol.stages.values_mut() {
        stage.documents.clear();
    }
    protocol
}

/// The standard protocol without documents and without required assignments, so that a case is about one thing.
pub(super) fn free() -> Protocol {
    let mut protocol = lean("standard");
    protocol.identity.assignments = Requirement::Optional;
    protocol
}

pub(super) fn setting<T>(value: T) -> Option<Setting<T>> {
    Some(Setting { source: "--flag".to_owned(), value })
}

/// Starts with a protocol.
pub(super) fn begin(s: &mut Script, protocol: Protocol) {
    begin_with(s, protocol, |_| {});
}

/// Starts with a protocol, with a last change to the command.
pub(super) fn begin_with(s: &mut Script, protocol: Protocol, change: impl FnOnce(&mut Start)) {
    let mut command = start(protocol, "Plan it");
    change(&mut command);
    s.act(host(), Act::Start(Box::new(command)));
}

pub(super) fn plan(mark: &str) -> String {
    format!("# Plan {mark}\n\n## Steps\n\nDo {mark}.\n\n## Risk\n\nLow.\n")
}

/// A draft that leaves one item open.
pub(super) fn plan_with_item(mark: &str) -> String {
    format!(
        "# Plan {mark}\n\n## Steps\n\nDo {mark}.\n\n```ralplan-open-items\n{}\n```\n",
        r#"{"schema":"ralplan.open_items.v1","items":[{"item_id":"cache","kind":"decision","text":"Cache in memory?","impact":"high"}]}"#
    )
}

pub(super) fn review(mark: &str, verdict: &str, findings: &[(&str, &str)]) -> String {
    let listed: Vec<String> = findings
        .iter()
        .map(|(id, severity)| {
            format!(r#"{{"finding_id":"{id}","target_id":"risk","action":"change","severity":"{severity}","evidence":"the draft"}}"#)
        })
        .collect();
    format!(
        "# Review {mark}\n\nVerdict: {verdict}\n\nSeen {mark}.\n\n```ralplan-findings\n{{\"schema\":\"ralplan.findings.v1\",\"findings\":[{}]}}\n```\n",
        listed.join(",")
    )
}

/// The digest of the current draft.
pub(super) fn draft_digest(s: &Script) -> Option<String> {
    let state = s.run.state()?;
    state
        .artifacts()
        .filter(|(_, written)| written.kind == StageKind::Draft)
        .last()
        .map(|(_, written)| written.sha256.clone())
}

/// Writes as an agent of a role, without an assignment; a review states the current draft.
pub(super) fn put(s: &mut Script, role: &str, stage: &str, text: &str) -> Decision {
    put_with(s, role, stage, text, |_, _| {})
}

/// As [`put`], with a last change to actor and command.
pub(super) fn put_with(
    s: &mut Script,
    role: &str,
    stage: &str,
    text: &str,
    change: impl FnOnce(&mut Actor, &mut Write),
) -> Decision {
    let mut actor = s.agent(role);
    let mut write = s.blank_write(stage, Some(text));
    let kind = s.run.state().and_then(|state| state.protocol().stages.get(stage).map(|stage| stage.kind));
    if kind == Some(StageKind::Review) {
        write.draft_sha256 = draft_digest(s);
    }
    change(&mut actor, &mut write);
    s.act(actor, Act::Write(Box::new(write)))
}

pub(super) fn drafted(s: &mut Script) {
    begin(s, free());
    put(s, "planner", "planner", &plan("one"));
}

/// A first draft to which the architect objects.
pub(super) fn objected(s: &mut Script) {
    drafted(s);
    put(s, "architect", "architect", &review("a1", "REVISE", &[("f1", "block")]));
    put(s, "critic", "critic", &review("c1", "APPROVE", &[]));
}

/// A first draft that both approve, with one finding.
pub(super) fn agreed(s: &mut Script) {
    drafted(s);
    agree(s, "1");
}

/// Both approve the current draft.
pub(super) fn agree(s: &mut Script, mark: &str) {
    put(s, "architect", "architect", &review(&format!("a{mark}"), "APPROVE", &[("f1", "watch")]));
    put(s, "critic", "critic", &review(&format!("c{mark}"), "APPROVE", &[]));
}

/// The closing stages up to the final.
pub(super) fn close(s: &mut Script) -> Decision {
    s.compose("post-interview");
    put(s, "planner", "adr", &record());
    s.compose("final")
}

pub(super) fn record() -> String {
    "## Architecture Decision Record\n\nDecided.\n".to_owned()
}

/// A final that waits for a person.
pub(super) fn pending(s: &mut Script) {
    agreed(s);
    close(s);
}

pub(super) fn approved(s: &mut Script) {
    pending(s);
    s.approve(ApprovalAnswer::Approve, None);
}

/// The iterations are used up: a cap of two drafts, and an objection to both.
pub(super) fn spent(s: &mut Script) {
    begin_with(s, free(), |start| start.settings.max_iterations = setting(2));
    put(s, "planner", "planner", &plan("one"));
    put(s, "architect", "architect", &review("a1", "REVISE", &[("f1", "block")]));
    put(s, "critic", "critic", &review("c1", "APPROVE", &[]));
    put(s, "planner", "revision", &plan("two"));
    put(s, "architect", "architect", &review("a2", "REVISE", &[("f1", "watch")]));
    put(s, "critic", "critic", &review("c2", "REVISE", &[("f2", "watch")]));
}

/// An interview with one open item.
pub(super) fn item_open(s: &mut Script, interactive: bool) {
    begin_with(s, free(), |start| start.interactive = interactive);
    put(s, "planner", "planner", &plan_with_item("one"));
    agree(s, "1");
}

pub(super) fn configure(s: &mut Script, change: impl FnOnce(&mut SettingsInput)) -> Decision {
    let mut settings = SettingsInput::default();
    change(&mut settings);
    s.act(
        person(),
        Act::Configure(Configure { channel: Some(ralplan_core::run::Channel::Terminal), settings }),
    )
}

pub(super) fn assign(s: &mut Script, role: &str, stage: Option<&str>, token: &str) -> Decision {
    let assign = Assign {
        invocation_id: None,
        role: role.to_owned(),
        stage: stage.map(str::to_owned),
        token_sha256: sha256_hex(token.as_bytes()),
    };
    s.act(host(), Act::Assign(assign))
}

pub(super) fn answer(s: &mut Script, outcome: AnswerOutcome) -> Decision {
    s.answer("cache", outcome, None)
}

/// A gjc review with the word of each axis in its text.
pub(super) fn gjc_review(mark: &str, status: &str, decision: &str) -> String {
    format!(
        "# Review {mark}\n\nArchitectural Status: {status}\n\nCode Review Recommendation: {decision}\n\nSeen {mark}.\n"
    )
}
