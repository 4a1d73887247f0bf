//! What a role is handed for one pass: instructions, what to read, what to deliver.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Run;
use super::state::State;
use crate::json::{sha256_hex, to_canonical};
use crate::ledger::{ApprovalAnswer, Assigned, Event, Mode, Written};
use crate::protocol::{FindingsRule, Role, RoleKind, StageKind};

const PLANNER: &str = include_str!("../../prompts/planner.md");
const ARCHITECT: &str = include_str!("../../prompts/architect.md");
const CRITIC: &str = include_str!("../../prompts/critic.md");
const REVIEWER: &str = include_str!("../../prompts/reviewer.md");
const DELIBERATE: &str = include_str!("../../prompts/deliberate.md");
const FINDINGS: &str = include_str!("../../prompts/findings.md");
const CLOSING: &str = include_str!("../../prompts/closing.md");

/// Embedded instructions, by the name that a protocol gives.
const PROMPTS: &[(&str, &str)] =
    &[("planner", PLANNER), ("architect", ARCHITECT), ("critic", CRITIC), ("reviewer", REVIEWER)];

/// An artifact that is to be read, by pointer.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Reference {
    /// Size.
    pub bytes: u64,
    /// Where it lies, from the root.
    pub path: String,
    /// Digest.
    pub sha256: String,
    /// The stage.
    pub stage: String,
    /// What it is to the reader, for example `draft under review`.
    pub what: String,
}

/// What a role is handed for one pass.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Assignment {
    /// Digest, a pure function of role, slot and what is to be read.
    pub digest: String,
    /// The draft to be reviewed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draft_sha256: Option<String>,
    /// Start of the agent this is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invocation_id: Option<String>,
    /// Iteration.
    pub iteration: u32,
    /// Pass of the lane; 0 for authors.
    pub pass: u32,
    /// The whole text for the agent.
    pub prompt: String,
    /// What is to be read.
    pub reads: Vec<Reference>,
    /// The role.
    pub role: String,
    /// Place of the entry.
    pub seq: u64,
    /// The stage to write.
    pub stage: String,
    /// Number of the slot.
    pub stage_n: u32,
}

impl Run {
    /// The assignment whose entry has this place in the ledger.
    #[must_use]
    pub fn assignment(&self, seq: u64) -> Option<Assignment> {
        let state = self.state.as_ref()?;
        let assigned = state.assigned(seq)?;
        let reads = reads(state, assigned);
        Some(Assignment {
            digest: assigned.digest.clone(),
            draft_sha256: assigned.draft_sha256.clone(),
            invocation_id: assigned.invocation_id.clone(),
            iteration: assigned.iteration,
            pass: assigned.pass,
            prompt: prompt(state, assigned, &reads),
            reads,
            role: assigned.role.clone(),
            seq,
            stage: assigned.stage.clone(),
            stage_n: assigned.stage_n,
        })
    }
}

/// The digest of an assignment: what is asked of whom, and what is to be read.
pub(crate) fn digest(state: &State, assigned: &Assigned) -> String {
    #[derive(Serialize)]
    struct Subject<'a> {
        iteration: u32,
        pass: u32,
        reads: Vec<Reference>,
        role: &'a str,
        run_id: &'a str,
        schema: &'a str,
        stage: &'a str,
        stage_n: u32,
    }
    let subject = Subject {
        iteration: assigned.iteration,
        pass: assigned.pass,
        reads: reads(state, assigned),
        role: &assigned.role,
        run_id: &state.started.run_id,
        schema: "ralplan.assignment.v1",
        stage: &assigned.stage,
        stage_n: assigned.stage_n,
    };
    to_canonical(&subject).map(|text| sha256_hex(text.as_bytes())).unwrap_or_default()
}

fn reference(written: &Written, what: &str) -> Reference {
    Reference {
        bytes: written.bytes,
        path: written.path.clone(),
        sha256: written.sha256.clone(),
        stage: written.stage.clone(),
        what: what.to_owned(),
    }
}

/// What a role reads for an assignment, in reading order. A function of the entries before it.
fn reads(state: &State, assigned: &Assigned) -> Vec<Reference> {
    let mut reads = Vec::new();
    let contexts = state.contexts.values().filter_map(|seq| state.written(*seq));
    reads.extend(
        contexts
            .filter(|context| context.iteration <= assigned.iteration)
            .map(|context| reference(context, "context")),
    );
    let is_review = state.kind_of(&assigned.stage) == Some(StageKind::Review);
    let draft = assigned.draft_sha256.as_deref().and_then(|digest| state.iteration_of(digest));
    let Some(current) = draft else { return reads };
    reads.extend(
        state
            .written(current.draft)
            .map(|draft| reference(draft, if is_review { "draft under review" } else { "current draft" })),
    );
    let newest = |reviews: &Vec<u64>| reviews.last().and_then(|seq| state.written(*seq));
    if !is_review {
        reads.extend(
            current
                .reviews
                .values()
                .filter_map(newest)
                .map(|review| reference(review, "review of the current draft")),
        );
        return reads;
    }
    let beside = current
        .reviews
        .iter()
        .filter(|(role, _)| **role != assigned.role)
        .filter_map(|(_, reviews)| newest(reviews));
    let groups = state.protocol().review.groups(assigned.iteration);
    let group_of = |role: &str| groups.iter().position(|group| group.iter().any(|member| member == role));
    let own_group = group_of(&assigned.role);
    reads.extend(
        beside
            .filter(|review| group_of(&review.role) < own_group)
            .map(|review| reference(review, "earlier review of this draft")),
    );
    let before = state.iterations.iter().take_while(|iteration| iteration.draft != current.draft).last();
    let Some(before) = before else { return reads };
    reads.extend(state.written(before.draft).map(|draft| reference(draft, "draft of the pass before")));
    reads.extend(
        before
            .reviews
            .get(&assigned.role)
            .and_then(newest)
            .map(|review| reference(review, "your review of the pass before")),
    );
    reads
}

fn prompt(state: &State, assigned: &Assigned, reads: &[Reference]) -> String {
    let protocol = state.protocol();
    let kind = state.kind_of(&assigned.stage);
    let mut text = String::new();
    let Some(role) = protocol.roles.get(&assigned.role) else { return text };
    let is_closing = matches!(kind, Some(StageKind::Record | StageKind::Final));
    text.push_str(if is_closing { CLOSING } else { instructions(role) });
    if let Some(own) = &role.instructions {
        text.push_str(&format!("\n{}\n", own.trim()));
    }
    if state.started.mode == Mode::Deliberate && !is_closing {
        text.push_str(&format!("\n{DELIBERATE}"));
    }
    text.push_str("\n## Task\n\n");
    text.push_str(state.started.task.trim());
    text.push_str("\n\n## This assignment\n\n");
    let number = if assigned.pass > 0 {
        format!("review pass {}", assigned.pass)
    } else {
        format!("iteration {}", assigned.iteration)
    };
    text.push_str(&format!(
        "- role: {}\n- stage: {} {}\n- {number} of run {}\n",
        assigned.role, assigned.stage, assigned.stage_n, state.started.run_id
    ));
    if !reads.is_empty() {
        text.push_str("\nRead these files, from the root of the project:\n\n");
        for read in reads {
            text.push_str(&format!(
                "- {}: `{}` (stage {}, sha256 {}, {} bytes)\n",
                read.what, read.path, read.stage, read.sha256, read.bytes
            ));
        }
    }
    text.push_str(&wishes(state, kind));
    if kind == Some(StageKind::Review) {
        text.push_str(&verdict_words(role));
        if protocol.review.findings != FindingsRule::Optional {
            text.push_str(&format!("\n{FINDINGS}"));
        }
    }
    text.push_str("\nWrite the document and nothing else: your whole answer is stored as the artifact.\n");
    text
}

fn instructions(role: &Role) -> &'static str {
    let named = role.prompt.as_deref().and_then(|name| PROMPTS.iter().find(|(known, _)| *known == name));
    match (named, role.kind) {
        (Some((_, text)), _) => text,
        (None, RoleKind::Author) => PLANNER,
        (None, RoleKind::Reviewer) => REVIEWER,
    }
}

/// Pointers to what persons said since the draft.
fn wishes(state: &State, kind: Option<StageKind>) -> String {
    if kind != Some(StageKind::Draft) {
        return String::new();
    }
    let since = state.iterations.last().map_or(u64::MAX, |iteration| iteration.draft);
    let mut text = String::new();
    for entry in state.entries.iter().filter(|entry| entry.seq > since) {
        let (what, digest) = match &entry.event {
            Event::Approval(approved) if approved.answer == ApprovalAnswer::RequestChanges => {
                ("changes a person asks for".to_owned(), approved.comments_sha256.as_ref())
            }
            Event::Answered(answered) => {
                (format!("a person's answer on `{}`", answered.item_id), answered.text_sha256.as_ref())
            }
            _ => continue,
        };
        if let Some(digest) = digest {
            text.push_str(&format!("- {what}: `{}`\n", state.note_path(digest)));
        }
    }
    if text.is_empty() { text } else { format!("\nFollow what persons said:\n\n{text}") }
}

fn verdict_words(role: &Role) -> String {
    let mut text =
        "\n## Verdict\n\nState each verdict on a line of its own, with one of these words:\n\n".to_owned();
    for axis in &role.verdict {
        let label = axis.labels.first().map_or("Verdict", String::as_str);
        let words: Vec<String> = axis.tokens.iter().map(|token| format!("`{}`", token.token)).collect();
        text.push_str(&format!("- `{label}: WORD`, best to worst {}\n", words.join(", ")));
    }
    text
}
