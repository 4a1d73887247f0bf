//! Opening a ledger, and adding to it.

use serde_json::{Map, Value, json};

use super::bases::*;
use super::{asking, canonical};
use crate::forge::{entries, forged, hashed};
use crate::script::Script;
use crate::vectors::{Vector, put_bytes};

fn run() -> Script {
    let mut s = Script::new();
    drafted(&mut s);
    s
}

fn opening(code: &str, name: &str, fires: bool, ledger: &[u8], witness: Option<Value>) -> Vector {
    let mut asked = Map::new();
    asked.insert("kind".to_owned(), json!("open"));
    put_bytes(&mut asked, "ledger", ledger);
    if let Some(witness) = witness {
        asked.insert("witness".to_owned(), witness);
    }
    asking("ledger", code, name, if fires { "faulty" } else { "clean" }, fires, Value::Object(asked))
}

fn committing(code: &str, name: &str, fires: bool, ledger: &str, line: &str) -> Vector {
    let outcome = if fires { "faulty" } else { "clean" };
    asking("ledger", code, name, outcome, fires, json!({"kind": "commit", "ledger": ledger, "line": line}))
}

/// The lines of a ledger, each with its line feed.
fn lines(ledger: &str) -> Vec<String> {
    ledger.lines().map(|line| format!("{line}\n")).collect()
}

pub(super) fn vectors() -> Vec<Vector> {
    let s = run();
    let whole = s.ledger.clone();
    let lines = lines(&whole);
    let (start, draft) =
        (lines.first().cloned().unwrap_or_default(), lines.last().cloned().unwrap_or_default());
    let witness = serde_json::to_value(s.run.witness()).expect("a witness is JSON");
    let bytes = whole.as_bytes();
    let mut not_text = bytes.to_vec();
    if let Some(byte) = not_text.iter_mut().find(|byte| **byte == b'P') {
        *byte = 0xff;
    }
    let torn = |ledger: &str, name: &str| Vector {
        outcome: "faulty".to_owned(),
        ..opening("ledger.broken", name, false, ledger.as_bytes(), None)
    };
    let newer = |change: fn(&mut Value)| {
        let mut all = entries(&whole);
        all.iter_mut().take(1).for_each(change);
        hashed(&all)
    };
    let mut reordered = entries(&whole);
    reordered.push(reordered[1].clone());
    let reordered: String = reordered.iter().map(|entry| canonical(entry) + "\n").collect();
    let unsupported = newer(|entry| entry["fields"]["rules"] = json!(2));
    let cut = unsupported.lines().next().unwrap_or_default().to_owned();
    let limit = |code: &str, name: &str, times: u32, fires: bool, command: Value| {
        let note = json!({
            "actor": {"assurance": "claimed", "kind": "host"}, "at": "2026-01-31T10:00:00.000Z",
            "command": "annotate", "name": "note", "text": "",
        });
        let asked = json!({"kind": "decide", "ledger": start, "repeat": {"command": note, "times": times}, "commands": [command]});
        let outcome = if fires { "refused" } else { "accepted" };
        asking("ledger", code, name, outcome, fires, asked)
    };
    let note = json!({
        "actor": {"assurance": "claimed", "kind": "host"}, "at": "2026-01-31T11:00:00.000Z",
        "command": "annotate", "name": "last", "text": "one more",
    });
    let cancel = json!({"actor": {"assurance": "terminal", "kind": "person"}, "at": "2026-01-31T11:00:00.000Z", "command": "cancel"});
    vec![
        opening("ledger.broken", "a whole ledger", false, bytes, None),
        opening("ledger.broken", "an empty ledger", false, b"", None),
        opening("ledger.broken", "a whole ledger and its witness", false, bytes, Some(witness.clone())),
        opening(
            "ledger.broken",
            "a line whose hash does not fit",
            true,
            whole.replacen("Plan it", "Plan on", 1).as_bytes(),
            None,
        ),
        opening(
            "ledger.broken",
            "a line that comes twice",
            true,
            format!("{start}{start}{draft}").as_bytes(),
            None,
        ),
        opening("ledger.broken", "a line that is left out", true, format!("{draft}{start}").as_bytes(), None),
        opening(
            "ledger.broken",
            "a last line that the witness knew was changed",
            true,
            whole.replacen("Plan one", "Plan two", 1).replacen("planner-1", "planner-2", 1).as_bytes(),
            Some(witness.clone()),
        ),
        opening(
            "ledger.broken",
            "an entry that is not of its shape",
            true,
            {
                let ledger = newer(|entry| entry["fields"]["mode"] = json!("loud"));
                format!("{ledger}{ledger}")
            }
            .as_bytes(),
            None,
        ),
        opening(
            "ledger.broken",
            "the same place twice",
            true,
            format!("{reordered}{start}").as_bytes(),
            None,
        ),
        torn(whole.trim_end(), "a last line without its line feed is torn"),
        torn(&format!("{whole}{}", &draft[..40]), "a last line that ends early is torn"),
        opening(
            "ledger.not_canonical",
            "a line in canonical form",
            true,
            whole.replacen("{\"actor\"", "{ \"actor\"", 1).as_bytes(),
            None,
        ),
        opening("ledger.not_canonical", "a line in UTF-8", true, &not_text, None),
        opening(
            "ledger.not_canonical",
            "lines end in a line feed alone",
            true,
            whole.replace('\n', "\r\n").as_bytes(),
            None,
        ),
        opening("ledger.not_canonical", "the lines as they were written", false, bytes, None),
        opening(
            "ledger.newer",
            "an entry of a newer schema",
            true,
            newer(|entry| entry["schema"] = json!("ralplan.entry.v2")).as_bytes(),
            None,
        ),
        opening(
            "ledger.newer",
            "an event of a newer version",
            true,
            forged(&whole, |all| all[1]["event"] = json!("dreamt")).as_bytes(),
            None,
        ),
        opening("ledger.newer", "an entry of this version", false, bytes, None),
        opening("ledger.rules_unsupported", "another rule set", true, unsupported.as_bytes(), None),
        opening(
            "ledger.rules_unsupported",
            "a torn tail does not make another rule set writable",
            true,
            format!("{unsupported}{{\"act").as_bytes(),
            None,
        ),
        Vector {
            outcome: "faulty".to_owned(),
            ..opening(
                "ledger.rules_unsupported",
                "a rule set that was never read is none",
                false,
                cut.as_bytes(),
                None,
            )
        },
        opening("ledger.rules_unsupported", "this rule set", false, bytes, None),
        opening(
            "ledger.shortened",
            "an entry that the witness knew is gone",
            true,
            start.as_bytes(),
            Some(witness.clone()),
        ),
        opening("ledger.shortened", "everything is gone", true, b"", Some(witness.clone())),
        opening(
            "ledger.shortened",
            "another history",
            true,
            hashed(&{
                let mut all = entries(&whole);
                all[1]["at"] = json!("2026-01-31T12:00:00.000Z");
                all
            })
            .as_bytes(),
            Some(witness.clone()),
        ),
        opening(
            "ledger.shortened",
            "a witness that is behind",
            false,
            bytes,
            Some(json!({"bytes": start.len(), "hash": entries(&whole)[0]["hash"], "seq": 0})),
        ),
        committing("ledger.stale", "a line that was written before", true, &whole, &draft),
        committing("ledger.stale", "a line without its line feed", true, &start, draft.trim_end()),
        committing("ledger.stale", "the next line", false, &start, &draft),
        limit(
            "ledger.limit",
            "the last ten entries are kept for the acts that end a run",
            9_989,
            true,
            note.clone(),
        ),
        limit("ledger.limit", "the entry before them", 9_988, false, note),
        limit("ledger.limit", "a full ledger can still be cancelled", 9_989, false, cancel),
    ]
}
