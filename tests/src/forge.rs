//! What an attacker can do who may rewrite a ledger: change entries and hash the whole chain again.

use ralplan_core::json::{sha256_hex, to_canonical};
use ralplan_core::ledger::NO_PREDECESSOR;
use serde_json::{Value, json};

/// The entries of a ledger, as JSON.
///
/// # Panics
/// When a line is no JSON.
#[must_use]
pub fn entries(ledger: &str) -> Vec<Value> {
    ledger.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

/// A ledger of these entries, in this order, with places and hashes that fit.
///
/// A field that names the hash of an earlier entry follows that entry's new hash, as an attacker would see to.
///
/// # Panics
/// When an entry holds a number that JSON cannot keep.
#[must_use]
pub fn hashed(entries: &[Value]) -> String {
    let mut ledger = String::new();
    let mut head = NO_PREDECESSOR.to_owned();
    let mut renamed: Vec<(String, String)> = Vec::new();
    for (seq, entry) in entries.iter().enumerate() {
        let mut entry = entry.clone();
        let before = entry["hash"].as_str().unwrap_or_default().to_owned();
        let named = entry["fields"]["final_hash"].as_str().map(str::to_owned);
        if let Some((_, new)) = renamed.iter().find(|(old, _)| Some(old) == named.as_ref()) {
            entry["fields"]["final_hash"] = json!(new);
        }
        entry["seq"] = json!(seq);
        entry["prev"] = json!(head);
        if let Value::Object(members) = &mut entry {
            members.remove("hash");
        }
        head = sha256_hex(to_canonical(&entry).expect("an entry without fractions").as_bytes());
        entry["hash"] = json!(head);
        renamed.push((before, head.clone()));
        ledger.push_str(&to_canonical(&entry).expect("an entry without fractions"));
        ledger.push('\n');
    }
    ledger
}

/// A ledger with one change to its entries, hashed again.
#[must_use]
pub fn forged(ledger: &str, change: impl FnOnce(&mut Vec<Value>)) -> String {
    let mut entries = entries(ledger);
    change(&mut entries);
    hashed(&entries)
}
