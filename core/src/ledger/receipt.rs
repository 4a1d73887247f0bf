//! Checking a receipt against a ledger.

use serde_json::Value;

use crate::json::sha256_hex;
use crate::ledger::Event;
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
