//! Checking a receipt against a ledger.

use serde_json::Value;

use crate::json::sha256_hex;
use crate::ledger::{Entry, Event, Warning};
use crate::reason::{Code, Reason};
use crate::run::{Receipt, Run, State};

impl Run {
    /// Checks a receipt against the ledger and, when given, the bytes of the artifact.
    ///
    /// # Errors
    /// One reason per field that disagrees with the entry, or `receipt.unknown` when there is no such entry.
    pub fn check_receipt(&self, receipt: &Receipt, bytes: Option<&[u8]>) -> Result<(), Vec<Reason>> {
        let unknown = || Reason::new(Code::ReceiptUnknown).at("seq").actual(receipt.seq);
        let Some(state) = self.state() else { return Err(vec![unknown()]) };
        let Some(entry) = state.entry(receipt.seq) else { return Err(vec![unknown()]) };
        let mut issued = Receipt::of(entry, state);
        issued.owner_session_id = owner_at(state, receipt.seq);
        let mut reasons = differences(&issued, receipt);
        if let (Some(bytes), Some(expected)) = (bytes, &issued.sha256) {
            let actual = sha256_hex(bytes);
            if actual != *expected {
                reasons.push(
                    Reason::new(Code::ReceiptBytes).at("sha256").expected(expected.as_str()).actual(actual),
                );
            }
        }
        if reasons.is_empty() { Ok(()) } else { Err(reasons) }
    }
}

/// The session that owned the run when an entry was written.
fn owner_at(state: &State, seq: u64) -> String {
    let transferred =
        state.entries().iter().take_while(|entry| entry.seq <= seq).filter_map(|entry| match &entry.event {
            Event::Transferred(transferred) => Some(transferred.owner_session_id.clone()),
            _ => None,
        });
    transferred.last().unwrap_or_else(|| state.started().owner_session_id.clone())
}

/// The fields in which a receipt differs from the one the ledger issues.
fn differences(issued: &Receipt, shown: &Receipt) -> Vec<Reason> {
    let (Ok(Value::Object(issued)), Ok(Value::Object(shown))) =
        (serde_json::to_value(issued), serde_json::to_value(shown))
    else {
        return vec![Reason::new(Code::ReceiptMismatch)];
    };
    let mut names: Vec<&String> = issued.keys().chain(shown.keys()).collect();
    names.sort();
    names.dedup();
    let text = |value: Option<&Value>| match value {
        None => "absent".to_owned(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    };
    names
        .into_iter()
        .filter(|name| issued.get(*name) != shown.get(*name))
        .map(|name| {
            let reason = Reason::new(Code::ReceiptMismatch).at(name.as_str());
            reason.expected(text(issued.get(name))).actual(text(shown.get(name)))
        })
        .collect()
}

impl Receipt {
    /// The receipt of an entry.
    #[must_use]
    pub fn of(entry: &Entry, state: &State) -> Receipt {
        let mut receipt = Receipt {
            admission: None,
            assurance: entry.actor.assurance,
            at: entry.at.clone(),
            bytes: None,
            draft_sha256: None,
            event: entry.event.word().to_owned(),
            hash: entry.hash.clone(),
            iteration: None,
            owner_session_id: state.owner_session_id.clone(),
            pass: None,
            path: None,
            run_id: state.started.run_id.clone(),
            seq: entry.seq,
            sha256: None,
            stage: None,
            stage_n: None,
        };
        match &entry.event {
            Event::Written(written) => {
                receipt.admission = written.final_facts.as_ref().map(|facts| facts.admission.clone());
                receipt.bytes = Some(written.bytes);
                receipt.draft_sha256 = match (&written.review, &written.final_facts) {
                    (Some(review), _) => review.draft_sha256.clone(),
                    (_, Some(facts)) => Some(facts.draft_sha256.clone()),
                    _ => None,
                };
                receipt.iteration = Some(written.iteration);
                receipt.pass = (written.pass > 0).then_some(written.pass);
                receipt.path = Some(written.path.clone());
                receipt.sha256 = Some(written.sha256.clone());
                receipt.stage = Some(written.stage.clone());
                receipt.stage_n = Some(written.stage_n);
            }
            Event::Assigned(assigned) => {
                receipt.draft_sha256 = assigned.draft_sha256.clone();
                receipt.iteration = Some(assigned.iteration);
                receipt.pass = (assigned.pass > 0).then_some(assigned.pass);
                receipt.stage = Some(assigned.stage.clone());
                receipt.stage_n = Some(assigned.stage_n);
            }
            Event::Approval(approved) => receipt.sha256 = Some(approved.sha256.clone()),
            Event::HandedOff(handed) => receipt.sha256 = Some(handed.sha256.clone()),
            _ => {}
        }
        receipt
    }
}

impl From<&Warning> for Reason {
    fn from(warning: &Warning) -> Reason {
        Reason {
            code: warning.code,
            at: warning.at.clone(),
            message: warning.message.clone(),
            expected: warning.expected.clone(),
            actual: warning.actual.clone(),
            remedy: warning.code.row().remedy.to_owned(),
        }
    }
}
