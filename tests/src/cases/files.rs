//! Receipts, and verifying a ledger with its files.

use serde_json::{Value, json};

use super::asking;
use super::bases::*;
use crate::forge::forged;
use crate::script::Script;
use crate::vectors::Vector;

fn reviewed() -> Script {
    let mut s = Script::new();
    drafted(&mut s);
    put(&mut s, "architect", "architect", &review("a1", "APPROVE", &[("f1", "watch")]));
    put(&mut s, "critic", "critic", &review("c1", "REVISE", &[("f2", "block")]));
    s
}

fn receipt(
    code: &str,
    name: &str,
    fires: bool,
    change: impl FnOnce(&mut Value, &mut Option<String>),
) -> Vector {
    let s = reviewed();
    let receipt = s.decisions.get(1).and_then(|decision| decision.receipt()).expect("a draft was accepted");
    let mut shown = serde_json::to_value(receipt).expect("a receipt is JSON");
    let mut text = None;
    change(&mut shown, &mut text);
    let mut asked = json!({"kind": "receipt", "ledger": s.ledger, "receipt": shown});
    if let Some(text) = text {
        asked["text"] = json!(text);
    }
    asking("receipt", code, name, if fires { "faulty" } else { "clean" }, fires, asked)
}

fn verify(code: &str, name: &str, fires: bool, ledger: &str, files: Option<Value>) -> Vector {
    let mut asked = json!({"kind": "verify", "ledger": ledger});
    if let Some(files) = files {
        asked["files"] = files;
    }
    asking("verify", code, name, if fires { "faulty" } else { "clean" }, fires, asked)
}

pub(super) fn vectors() -> Vec<Vector> {
    let s = reviewed();
    let files = json!(s.files);
    let path = |name: &str| s.files.keys().find(|path| path.ends_with(name)).cloned().unwrap_or_default();
    let draft = path("stage-01-planner.md");
    let with = |path: &str, text: Value| {
        let mut files = files.clone();
        files[path] = text;
        Some(files)
    };
    let forge = |change: fn(&mut Vec<Value>)| forged(&s.ledger, change);
    vec![
        receipt("receipt.unknown", "a receipt of an entry that is not there", true, |shown, _| {
            shown["seq"] = json!(99);
        }),
        receipt("receipt.unknown", "a receipt of the draft", false, |_, _| {}),
        receipt("receipt.mismatch", "another digest", true, |shown, _| {
            shown["sha256"] = json!(ralplan_core::json::sha256_hex(b"another"));
        }),
        receipt("receipt.mismatch", "another run", true, |shown, _| shown["run_id"] = json!("run-2")),
        receipt("receipt.mismatch", "a stronger assurance", true, |shown, _| {
            shown["assurance"] = json!("terminal");
        }),
        receipt("receipt.mismatch", "the receipt as it was issued", false, |_, _| {}),
        receipt("receipt.mismatch", "another owner", true, |shown, _| {
            shown["owner_session_id"] = json!("session-2");
        }),
        receipt("receipt.bytes", "a text that is not the one of the receipt", true, |_, text| {
            *text = Some("# Plan two\n".to_owned());
        }),
        receipt("receipt.bytes", "the text of the receipt", false, |_, text| *text = Some(plan("one"))),
        verify("receipt.bytes", "a run and its files", false, &s.ledger, Some(files.clone())),
        verify(
            "receipt.bytes",
            "a file that was changed",
            true,
            &s.ledger,
            with(&draft, json!("# Plan two\n")),
        ),
        verify("receipt.bytes", "a file that is missing", true, &s.ledger, with(&draft, Value::Null)),
        verify("receipt.bytes", "a ledger alone", false, &s.ledger, None),
        verify(
            "ledger.broken",
            "a verdict whose class was changed",
            true,
            &forge(|all| all[3]["fields"]["review"]["class"] = json!("approve")),
            None,
        ),
        verify(
            "ledger.broken",
            "a verdict that the file does not state",
            true,
            &forge(|all| {
                all[3]["fields"]["review"]["class"] = json!("approve");
                all[3]["fields"]["review"]["verdicts"][0]["token"] = json!("APPROVE");
            }),
            Some(files),
        ),
        verify(
            "identity.role",
            "a review by the planner",
            true,
            &forge(|all| all[3]["fields"]["role"] = json!("planner")),
            None,
        ),
        verify(
            "ledger.broken",
            "another iteration",
            true,
            &forge(|all| all[3]["fields"]["iteration"] = json!(2)),
            None,
        ),
        verify(
            "identity.self_review",
            "a review by the author of the draft",
            true,
            &forge(|all| all[3]["actor"]["agent_id"] = json!("planner-1")),
            None,
        ),
        verify(
            "review.wrong_draft",
            "a review of another draft",
            true,
            &forge(|all| {
                all[3]["fields"]["review"]["draft_sha256"] =
                    json!(ralplan_core::json::sha256_hex(b"another"));
            }),
            None,
        ),
        verify("run.not_started", "an empty ledger", true, "", None),
    ]
}
