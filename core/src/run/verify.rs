//! Verifying a run: the chain, every decision again from the entries alone, and the files.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Run;
use super::compose;
use super::facts::{Reading, TextFacts};
use super::follow::{self, broken};
use super::state::State;
use crate::json::sha256_hex;
use crate::ledger::{Event, Written};
use crate::protocol::StageKind;
use crate::reason::{Code, Reason};
use crate::review::VerdictProblem;

/// The bytes of a file, or none when it is missing.
pub type ArtifactBytes = BTreeMap<String, Option<Vec<u8>>>;

/// Something that is wrong with a run.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// Place of the entry in the ledger; absent when the ledger ends before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    /// The file.
    pub path: String,
    /// What is wrong.
    pub reason: Reason,
}

/// The result of verifying a run.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Verification {
    /// Entries that were decided again.
    pub entries: u64,
    /// What is wrong; nothing when the run is clean.
    pub faults: Vec<Fault>,
    /// Files that were compared; absent when only the ledger was verified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<u64>,
    /// Hash of the last entry.
    pub head: String,
    /// True when nothing is wrong.
    pub is_clean: bool,
}

impl Run {
    /// The files of a run that [`Run::verify`] compares, from the root.
    #[must_use]
    pub fn files(&self) -> Vec<String> {
        let Some(state) = &self.state else { return Vec::new() };
        expected_files(state).into_keys().collect()
    }

    /// The digest that each file of the run must have, by path from the root.
    #[must_use]
    pub fn expected_files(&self) -> BTreeMap<String, String> {
        self.state.as_ref().map(expected_files).unwrap_or_default()
    }

    /// Verifies the ledger, and the files when they are given.
    #[must_use]
    pub fn verify(&self, ledger_path: &str, files: Option<&ArtifactBytes>) -> Verification {
        let mut faults = Vec::new();
        let in_ledger =
            |seq: Option<u64>, reason: Reason| Fault { seq, path: ledger_path.to_owned(), reason };
        if let Some(reason) = self.health.reason() {
            faults.push(in_ledger(None, reason));
        }
        if let super::Health::Torn { keep_bytes } = &self.health {
            let reason =
                Reason::new(Code::LedgerBroken).message("the last line is incomplete").expected(*keep_bytes);
            faults.push(in_ledger(None, reason.remedy("cut it off with `doctor --fix`")));
        }
        let mut head = crate::ledger::NO_PREDECESSOR.to_owned();
        let mut entries = 0;
        if let Some(state) = &self.state {
            head.clone_from(&state.tip.head);
            entries = u64::try_from(state.entries.len()).unwrap_or(u64::MAX);
            let found = replay(state);
            faults.extend(found.into_iter().map(|(seq, reason)| in_ledger(Some(seq), reason)));
            if let Some(files) = files {
                check_files(state, files, &mut faults);
            }
        } else if self.health.is_writable() {
            faults.push(in_ledger(None, Reason::new(Code::RunNotStarted)));
        }
        let files = files.map(|files| u64::try_from(files.len()).unwrap_or(u64::MAX));
        Verification { entries, is_clean: faults.is_empty(), faults, files, head }
    }
}

/// The digest of each file: of every artifact and note, and of the newest behind each documented name.
fn expected_files(state: &State) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for entry in &state.entries {
        match &entry.event {
            Event::Written(written) => {
                for path in std::iter::once(&written.path).chain(&written.latest) {
                    files.insert(path.clone(), written.sha256.clone());
                }
            }
            Event::Answered(answered) => note(state, &mut files, answered.text_sha256.as_ref()),
            Event::Waived(waived) => note(state, &mut files, waived.text_sha256.as_ref()),
            Event::Approval(approved) => note(state, &mut files, approved.comments_sha256.as_ref()),
            _ => {}
        }
    }
    files
}

fn note(state: &State, files: &mut BTreeMap<String, String>, digest: Option<&String>) {
    if let Some(digest) = digest {
        files.insert(state.note_path(digest), digest.clone());
    }
}

/// Decides every entry again, from the entries alone.
fn replay(state: &State) -> Vec<(u64, Reason)> {
    let mut faults = Vec::new();
    let mut entries = state.entries.iter();
    let Some(first) = entries.next() else { return faults };
    let Some(mut before) = State::begin(first.as_ref().clone(), super::Tip::default()) else { return faults };
    faults.extend(follow::start_faults(&before, first).into_iter().map(|reason| (0, reason)));
    for entry in entries {
        let position = before.position();
        let found = follow::entry_faults(&before, &position, entry);
        faults.extend(found.into_iter().map(|reason| (entry.seq, reason)));
        let tip = super::Tip { bytes: 0, head: entry.hash.clone() };
        before.apply(entry.as_ref().clone(), tip);
    }
    faults
}

/// Compares the files with their digests, and reads the facts of the artifacts again.
fn check_files(state: &State, files: &ArtifactBytes, faults: &mut Vec<Fault>) {
    for (path, digest) in expected_files(state) {
        let reason = match files.get(&path) {
            Some(Some(bytes)) if sha256_hex(bytes) == digest => continue,
            Some(Some(bytes)) => {
                Reason::new(Code::ReceiptBytes).expected(digest.as_str()).actual(sha256_hex(bytes))
            }
            _ => Reason::new(Code::ReceiptBytes).message("the file is missing").expected(digest.as_str()),
        };
        faults.push(Fault { seq: None, path, reason });
    }
    let mut draft: Option<&Written> = None;
    for (entry, written) in state.artifacts() {
        if written.kind == StageKind::Draft {
            draft = Some(written);
        }
        let Some(Some(bytes)) = files.get(&written.path) else { continue };
        let Ok(text) = std::str::from_utf8(bytes) else { continue };
        if sha256_hex(bytes) == written.sha256 && !has_same_facts(state, written, draft, text) {
            let reason =
                broken("the recorded facts are not those of the file").actual(written.stage.as_str());
            faults.push(Fault { seq: Some(entry.seq), path: written.path.clone(), reason });
        }
    }
}

/// True when the text still tells the recorded facts.
fn has_same_facts(state: &State, written: &Written, draft: Option<&Written>, text: &str) -> bool {
    let Some(stage) = state.protocol().stages.get(&written.stage) else { return false };
    let targets = draft.map(|draft| draft.sections.as_slice()).unwrap_or_default();
    let reading =
        Reading { protocol: state.protocol(), mode: state.started.mode, stage, role: &written.role, targets };
    let facts = TextFacts::read(text, &reading);
    let is_review_same = written.review.as_ref().is_none_or(|review| {
        let reads_same =
            |axis: &crate::ledger::AxisVerdict| match facts.verdicts.get(&axis.axis).cloned().flatten() {
                Some(read) => axis.token.as_ref() == Some(&read),
                None => true,
            };
        // A text that states an unknown word, two verdicts or two roles is never accepted.
        let is_readable =
            facts.problems.iter().all(|problem| matches!(problem, VerdictProblem::Missing { .. }));
        review.findings == facts.findings
            && Some(review.findings_state) == facts.findings_state
            && review.qualifier == facts.qualifier
            && is_readable
            && review.verdicts.iter().all(reads_same)
    });
    let is_final_same = written.final_facts.as_ref().is_none_or(|recorded| {
        let named =
            state.iteration_of(&recorded.draft_sha256).and_then(|iteration| state.written(iteration.draft));
        let tail = named.and_then(|draft| compose::read_tail(text, draft.bytes, &draft.sha256));
        tail.map(|tail| (tail.is_sections_only, tail.added)).unwrap_or_default()
            == (recorded.is_bound, recorded.added.clone())
    });
    facts.bytes == written.bytes
        && facts.sections == written.sections
        && facts.items == written.items
        && facts.shortcomings == written.shortcomings
        && facts.text_sha256 == written.text_sha256
        && facts.unreadable == written.unreadable
        && is_review_same
        && is_final_same
}
