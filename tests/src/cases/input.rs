//! What is wrong with the input itself.

use ralplan_core::json::sha256_hex;
use ralplan_core::ledger::{ForeignSlot, RecordKind};
use ralplan_core::protocol::Protocol;
use ralplan_core::run::{Act, Annotate, Import, Record, StatedVerdict, Transfer};
use serde_json::{Map, Value, json};

use super::bases::*;
use super::{Case, accepted, asking, canonical, duplicate, refused};
use crate::script::{Script, host, protocol};
use crate::vectors::{Vector, put_bytes};

fn first(s: &mut Script, text: &str) {
    begin(s, free());
    put(s, "planner", "planner", text);
}

fn note(s: &mut Script, name: &str, text: &str) {
    begin(s, free());
    s.act(host(), Act::Annotate(Annotate { name: name.to_owned(), text: text.to_owned() }));
}

fn at(s: &mut Script, at: &str) {
    begin(s, free());
    let act = Act::Annotate(Annotate { name: "note".to_owned(), text: "kept".to_owned() });
    s.play(ralplan_core::run::Command { actor: host(), at: at.to_owned(), owner: None, act });
}

fn slot(path: &str) -> ForeignSlot {
    ForeignSlot {
        path: path.to_owned(),
        sha256: sha256_hex(b"file"),
        stage: "planner".to_owned(),
        stage_n: 7,
    }
}

fn import(s: &mut Script, path: &str) {
    begin(s, lean("gjc"));
    s.act(host(), Act::Import(Import { slots: vec![slot(path)] }));
}

fn import_with(s: &mut Script, change: impl FnOnce(&mut ForeignSlot)) {
    begin(s, lean("gjc"));
    let mut foreign = slot("plans/stage-07-planner.md");
    change(&mut foreign);
    s.act(host(), Act::Import(Import { slots: vec![foreign] }));
}

fn broken_protocol(s: &mut Script, change: impl FnOnce(&mut Protocol)) {
    let mut protocol = free();
    change(&mut protocol);
    begin(s, protocol);
}

fn gate(s: &mut Script, outcome: &str) {
    let record = Record {
        evidence_sha256: Some(sha256_hex(b"evidence")),
        kind: RecordKind::QualityGate,
        name: "lint".to_owned(),
        outcome: outcome.to_owned(),
        reason: None,
    };
    s.act(host(), Act::Record(record));
}

pub(super) const CASES: &[Case] = &[
    refused("input", "input.unclosed", "a draft that ends inside a fence could never be closed", |s| {
        first(s, "# Plan\n\n```\ncode\n");
    }),
    accepted("input", "input.unclosed", "a draft whose fence is closed", |s| {
        first(s, "# Plan\n\n```\ncode\n```\n");
    }),
    refused("input", "input.byte_order_mark", "an artifact without a byte order mark", |s| {
        first(s, "\u{feff}# Plan\n")
    }),
    accepted("input", "input.byte_order_mark", "a mark inside the text is text", |s| {
        first(s, "# Plan\n\na\u{feff}b\n")
    }),
    refused("input", "input.nul", "an artifact without NUL", |s| first(s, "# Plan\n\na\u{0}b\n")),
    refused("input", "input.nul", "a note without NUL", |s| note(s, "note", "a\u{0}b")),
    refused("input", "input.nul", "closing text without NUL", |s| {
        agreed(s);
        s.compose("post-interview");
        put(s, "planner", "adr", &record());
        let mut write = s.blank_write("final", Some("## Unresolved\n\na\u{0}b\n"));
        write.compose = true;
        s.act(host(), Act::Write(Box::new(write)));
    }),
    accepted("input", "input.nul", "other control characters are text", |s| {
        first(s, "# Plan\n\na\tb\u{1}\n")
    }),
    refused("input", "input.empty", "blanks are no artifact", |s| first(s, " \n\t\n")),
    accepted("input", "input.empty", "one character is an artifact", |s| first(s, "x")),
    refused("input", "input.missing_field", "a write has an artifact", |s| {
        begin(s, free());
        let (actor, write) = (s.agent("planner"), s.blank_write("planner", None));
        s.act(actor, Act::Write(Box::new(write)));
    }),
    refused("input", "input.missing_field", "an approval names the plan that was read", |s| {
        pending(s);
        let mut act = crate::script::approval(ralplan_core::ledger::ApprovalAnswer::Approve, None, None);
        act.sha256 = None;
        s.act(crate::script::person(), Act::Approval(act));
    }),
    refused("input", "input.missing_field", "an agent names its role", |s| {
        begin(s, free());
        put_with(s, "planner", "planner", &plan("one"), |actor, _| actor.role = None);
    }),
    accepted("input", "input.missing_field", "a host without a role leads", |s| {
        begin(s, lean("gjc"));
        put_with(s, "leader", "planner", &plan("one"), |actor, _| {
            actor.kind = ralplan_core::run::ActorKind::Host;
            actor.role = None;
        });
    }),
    refused("input", "input.unknown_value", "only what the core joins is composed", |s| {
        begin(s, free());
        put_with(s, "planner", "planner", &plan("one"), |_, write| write.compose = true);
    }),
    refused("input", "input.unknown_value", "a verdict on an axis of the role", |s| {
        drafted(s);
        put_with(s, "architect", "architect", &review("a1", "REVISE", &[("f1", "block")]), |_, write| {
            write.verdicts = vec![StatedVerdict { axis: "mood".to_owned(), token: "REVISE".to_owned() }];
        });
    }),
    accepted("input", "input.unknown_value", "a verdict on a known axis", |s| {
        drafted(s);
        put_with(s, "architect", "architect", &review("a1", "REVISE", &[("f1", "block")]), |_, write| {
            write.verdicts = vec![StatedVerdict { axis: "verdict".to_owned(), token: "REVISE".to_owned() }];
        });
    }),
    refused("input", "input.too_large", "a task of at most 65536 bytes", |s| {
        begin_with(s, free(), |start| start.task = "x".repeat(65_537));
    }),
    accepted("input", "input.too_large", "a task of 65536 bytes", |s| {
        begin_with(s, free(), |start| start.task = "x".repeat(65_536));
    }),
    refused("input", "input.id", "a run id without a path", |s| {
        begin_with(s, free(), |start| start.run_id = "../run".to_owned())
    }),
    refused("input", "input.id", "a run id of at most 64 bytes", |s| {
        begin_with(s, free(), |start| start.run_id = "r".repeat(65))
    }),
    refused("input", "input.id", "an owner session with an id", |s| {
        begin_with(s, free(), |start| start.owner_session_id = String::new())
    }),
    refused("input", "input.id", "an agent id without blanks", |s| {
        begin(s, free());
        put_with(s, "planner", "planner", &plan("one"), |actor, _| actor.agent_id = Some("a b".to_owned()));
    }),
    refused("input", "input.id", "a thread id without blanks", |s| {
        drafted(s);
        put_with(s, "architect", "architect", &review("a1", "REVISE", &[]), |_, write| {
            write.continuity = Some(ralplan_core::run::Continuity {
                thread_id: Some("a b".to_owned()),
                ..Default::default()
            });
        });
    }),
    refused("input", "input.id", "a new owner with an id", |s| {
        begin(s, free());
        s.act(host(), Act::Transfer(Transfer { owner_session_id: "a/b".to_owned(), reason: None }));
    }),
    refused("input", "input.id", "a continued run with an id", |s| {
        begin_with(s, free(), |start| start.continues = Some("../run".to_owned()))
    }),
    accepted("input", "input.id", "letters, digits, dots, hyphens, 64 of them", |s| {
        begin_with(s, free(), |start| start.run_id = format!("r.1_-{}", "r".repeat(59)));
    }),
    refused("input", "input.time", "a time has milliseconds", |s| at(s, "2026-01-31T09:30:00Z")),
    refused("input", "input.time", "a time is in UTC", |s| at(s, "2026-01-31T09:30:00.000+01:00")),
    refused("input", "input.time", "a month has its days", |s| at(s, "2026-02-29T09:30:00.000Z")),
    refused("input", "input.time", "an hour is below 24", |s| at(s, "2026-01-31T24:00:00.000Z")),
    accepted("input", "input.time", "a leap day", |s| at(s, "2028-02-29T23:59:59.999Z")),
    refused("input", "input.stage_number", "a number is at least 1", |s| {
        begin(s, lean("gjc"));
        put_with(s, "planner", "planner", &plan("one"), |_, write| write.stage_n = Some(0));
    }),
    refused("input", "input.stage_number", "a number is at most 999", |s| {
        begin(s, lean("gjc"));
        put_with(s, "planner", "planner", &plan("one"), |_, write| write.stage_n = Some(1000));
    }),
    accepted("input", "input.stage_number", "999 is a number", |s| {
        begin(s, lean("gjc"));
        put_with(s, "planner", "planner", &plan("one"), |_, write| write.stage_n = Some(999));
    }),
    refused("input", "input.stage", "a stage of the protocol", |s| {
        begin(s, free());
        put(s, "planner", "planer", &plan("one"));
    }),
    accepted("input", "input.stage", "a stage with its name", |s| first(s, &plan("one"))),
    refused("input", "input.role", "a role of the protocol", |s| {
        begin(s, free());
        put(s, "planer", "planner", &plan("one"));
    }),
    refused("input", "input.role", "an assignment to a role of the protocol", |s| {
        begin(s, free());
        assign(s, "leader", None, "token");
    }),
    accepted("input", "input.role", "an assignment to the planner", |s| {
        begin(s, free());
        assign(s, "planner", None, "token");
    }),
    refused("input", "input.protocol", "a protocol has a reviewer", |s| {
        broken_protocol(s, |protocol| {
            protocol.roles.remove("critic");
            protocol.roles.remove("architect");
        });
    }),
    refused("input", "input.protocol", "a protocol cannot soften a fixed code", |s| {
        broken_protocol(s, |protocol| protocol.enforcement.warn.push("budget.*".to_owned()));
    }),
    accepted("input", "input.protocol", "a protocol may soften an order", |s| {
        broken_protocol(s, |protocol| protocol.enforcement.warn.push("order.*".to_owned()));
    }),
    refused("input", "input.schema", "a protocol of this schema", |s| {
        broken_protocol(s, |protocol| protocol.schema = "ralplan.protocol.v2".to_owned());
    }),
    accepted("input", "input.schema", "a protocol with its schema", |s| begin(s, free())),
    refused("input", "input.setting", "a cap within the protocol's range", |s| {
        begin_with(s, free(), |start| start.settings.max_iterations = setting(21));
    }),
    refused("input", "input.setting", "a fixed code is not softened", |s| {
        begin_with(s, free(), |start| start.settings.warn = setting(vec!["approval.*".to_owned()]));
    }),
    refused("input", "input.setting", "an automatic handoff to a known target", |s| {
        begin_with(s, free(), |start| start.settings.automatic_handoff = setting("nowhere".to_owned()));
    }),
    refused("input", "input.setting", "no automatic handoff where the protocol has none", |s| {
        begin_with(s, lean("omx"), |start| {
            start.settings.automatic_handoff = setting("ultragoal".to_owned())
        });
    }),
    refused("input", "input.setting", "a changed cap within the range", |s| {
        drafted(s);
        configure(s, |settings| settings.max_passes_per_lane = setting(11));
    }),
    accepted("input", "input.setting", "the largest cap", |s| {
        begin_with(s, free(), |start| start.settings.max_iterations = setting(20));
    }),
    refused("input", "input.digest", "a digest of 64 digits", |s| {
        begin(s, free());
        let assign = ralplan_core::run::Assign {
            invocation_id: None,
            role: "planner".to_owned(),
            stage: None,
            token_sha256: "abc".to_owned(),
        };
        s.act(host(), Act::Assign(assign));
    }),
    refused("input", "input.digest", "a digest in lower case", |s| {
        pending(s);
        let digest = s.run.status().and_then(|status| status.digest).map(|digest| digest.to_uppercase());
        s.answer_plan(ralplan_core::ledger::ApprovalAnswer::Approve, digest, None);
    }),
    refused("input", "input.digest", "the draft of a review by its digest", |s| {
        drafted(s);
        put_with(s, "architect", "architect", &review("a1", "REVISE", &[]), |_, write| {
            write.draft_sha256 = Some("abc".to_owned())
        });
    }),
    refused("input", "input.digest", "a foreign file by its digest", |s| {
        import_with(s, |slot| slot.sha256 = "abc".to_owned())
    }),
    accepted("input", "input.digest", "a digest as it should be", |s| import(s, "plans/stage-07-planner.md")),
    refused("path", "path.escape", "a foreign file lies under the root", |s| {
        import(s, "plans/../../secret.md")
    }),
    accepted("path", "path.escape", "two dots inside a name are a name", |s| import(s, "plans/a..b.md")),
    refused("path", "path.absolute", "a foreign file is named from the root", |s| import(s, "/etc/passwd")),
    refused("path", "path.absolute", "a drive is no folder of the root", |s| import(s, "C:\\plans\\a.md")),
    accepted("path", "path.absolute", "a relative path", |s| import(s, "etc/passwd")),
    refused("path", "path.nul", "a path without control characters", |s| import(s, "plans/a\nb.md")),
    accepted("path", "path.nul", "a path in any language", |s| import(s, "plans/計画 1.md")),
    refused("path", "path.reserved", "a name that some systems keep for a device", |s| {
        import(s, "plans/nul.md")
    }),
    refused("path", "path.reserved", "a run id that some systems keep for a device", |s| {
        begin_with(s, free(), |start| start.run_id = "CON".to_owned());
    }),
    refused("path", "path.reserved", "a run id that some systems cut short", |s| {
        begin_with(s, free(), |start| start.run_id = "run.".to_owned());
    }),
    accepted("path", "path.reserved", "a name that begins like a device", |s| import(s, "plans/null.md")),
    refused("path", "path.too_long", "a name of at most 255 bytes", |s| {
        import(s, &format!("plans/{}", "x".repeat(256)))
    }),
    accepted("path", "path.too_long", "a name of 255 bytes", |s| {
        import(s, &format!("plans/{}", "x".repeat(255)))
    }),
    refused("input", "input.stage", "a foreign file in a stage of the protocol", |s| {
        import_with(s, |slot| slot.stage = "nothing".to_owned())
    }),
    refused("input", "input.stage_number", "a foreign file with a number of a slot", |s| {
        import_with(s, |slot| slot.stage_n = 0)
    }),
    refused("slot", "slot.occupied", "another draft in the same slot", |s| {
        begin(s, lean("gjc"));
        put_with(s, "planner", "planner", &plan("one"), |_, write| write.stage_n = Some(3));
        put_with(s, "planner", "planner", &plan("two"), |_, write| write.stage_n = Some(3));
    }),
    duplicate("slot", "slot.occupied", "the same draft in the same slot", |s| {
        begin(s, lean("gjc"));
        put_with(s, "planner", "planner", &plan("one"), |_, write| write.stage_n = Some(3));
        put_with(s, "planner", "planner", &plan("one"), |_, write| write.stage_n = Some(3));
    }),
    refused("slot", "slot.occupied", "the same review with another verdict", |s| {
        begin(s, lean("gjc"));
        put(s, "planner", "planner", &plan("one"));
        put_with(s, "critic", "critic", "# Review\n", |_, write| {
            write.verdicts = vec![StatedVerdict { axis: "verdict".to_owned(), token: "ITERATE".to_owned() }];
        });
        put_with(s, "critic", "critic", "# Review\n", |_, write| {
            write.verdicts = vec![StatedVerdict { axis: "verdict".to_owned(), token: "OKAY".to_owned() }];
        });
    }),
    refused("slot", "slot.occupied", "a slot that a foreign file holds", |s| {
        import(s, "plans/stage-07-planner.md");
        put_with(s, "planner", "planner", &plan("one"), |_, write| write.stage_n = Some(7));
    }),
    accepted("slot", "slot.occupied", "the slot beside it", |s| {
        import(s, "plans/stage-07-planner.md");
        put_with(s, "planner", "planner", &plan("one"), |_, write| write.stage_n = Some(8));
    }),
    accepted("slot", "slot.occupied", "without a number, a slot that no foreign file holds", |s| {
        let mut protocol = free();
        protocol.layout.foreign_rows = "subtract".to_owned();
        begin_with(s, protocol, |start| {
            start.found = vec![ForeignSlot {
                stage: "architect".to_owned(),
                stage_n: 1,
                ..slot("plans/stage-01-architect.md")
            }];
        });
        put(s, "planner", "planner", &plan("one"));
        put(s, "architect", "architect", &review("a1", "REVISE", &[("f1", "block")]));
    }),
    refused("slot", "slot.occupied", "a gate with another outcome on the same draft", |s| {
        drafted(s);
        gate(s, "fail");
        gate(s, "pass");
    }),
    duplicate("slot", "slot.occupied", "a gate with the same outcome", |s| {
        drafted(s);
        gate(s, "pass");
        gate(s, "pass");
    }),
];

/// A well-formed command, for texts that are changed.
fn text() -> String {
    r#"{"actor":{"assurance":"terminal","kind":"person"},"at":"2026-01-31T09:30:00.000Z","command":"annotate","name":"note","text":"kept"}"#.to_owned()
}

fn parse(code: &str, name: &str, bytes: &[u8]) -> Vector {
    let mut asked = Map::new();
    asked.insert("kind".to_owned(), json!("parse"));
    put_bytes(&mut asked, "text", bytes);
    asking("input", code, name, "faulty", true, Value::Object(asked))
}

fn parses(code: &str, name: &str, bytes: &[u8]) -> Vector {
    Vector { fires: false, outcome: "clean".to_owned(), ..parse(code, name, bytes) }
}

/// Texts of commands.
pub(super) fn parsing() -> Vec<Vector> {
    let with = |from: &str, to: &str| text().replace(from, to);
    let nested = |depth: usize| with("\"kept\"", &format!("{}{}", "[".repeat(depth), "]".repeat(depth)));
    let mut bad = text().into_bytes();
    if let Some(byte) = bad.iter_mut().rfind(|byte| **byte == b'k') {
        *byte = 0xff;
    }
    vec![
        parse("input.not_json", "a command is one JSON value", b"{\"command\":"),
        parse("input.not_json", "nothing follows the command", format!("{} x", text()).as_bytes()),
        parses("input.not_json", "white space may follow the command", format!("{}\n", text()).as_bytes()),
        parse("input.not_utf8", "a command is UTF-8", &bad),
        parses("input.not_utf8", "a command in any language", with("kept", "gewählt, 計画").as_bytes()),
        parse(
            "input.byte_order_mark",
            "a command begins without a mark",
            format!("\u{feff}{}", text()).as_bytes(),
        ),
        parse("input.nul", "a command holds no NUL", with("kept", "ke\\u0000pt").as_bytes()),
        parse(
            "input.duplicate_key",
            "a field is named once",
            with("\"name\"", "\"text\":\"lost\",\"name\"").as_bytes(),
        ),
        parses("input.duplicate_key", "each field once", text().as_bytes()),
        parse("input.number", "numbers are whole", with("\"kept\"", "1.5").as_bytes()),
        parse(
            "input.number",
            "numbers have at most 53 bits",
            with("\"kept\"", "9007199254740992").as_bytes(),
        ),
        parses("input.number", "digits in a text are text", with("kept", "1.5").as_bytes()),
        parse("input.surrogate", "a string holds no half of a pair", with("kept", "\\ud800").as_bytes()),
        parses(
            "input.surrogate",
            "both halves of a pair are a letter",
            with("kept", "\\ud83d\\ude00").as_bytes(),
        ),
        parse("input.too_deep", "at most 64 arrays and objects are open", nested(64).as_bytes()),
        parse("input.wrong_type", "63 more are not too deep, but no text", nested(63).as_bytes()),
        Vector {
            code: "input.too_deep".to_owned(),
            fires: false,
            ..parse("", "63 more arrays are not too deep", nested(63).as_bytes())
        },
        parse(
            "input.unknown_field",
            "a field of the command",
            with("\"name\"", "\"nmae\":\"x\",\"name\"").as_bytes(),
        ),
        parses("input.unknown_field", "known fields only", with("kept", "known").as_bytes()),
        parse(
            "input.missing_field",
            "a command has a time",
            with("\"at\":\"2026-01-31T09:30:00.000Z\",", "").as_bytes(),
        ),
        parse(
            "input.missing_field",
            "a command has a word",
            with("\"command\":\"annotate\",", "").as_bytes(),
        ),
        parse("input.wrong_type", "a text is a string", with("\"kept\"", "7").as_bytes()),
        parses("input.wrong_type", "a text in quotes", with("kept", "7").as_bytes()),
        parse("input.unknown_value", "a known command", with("annotate", "annotated").as_bytes()),
        parse("input.unknown_value", "a known kind of actor", with("person", "persona").as_bytes()),
        parse("input.wrong_type", "a command is an object", b"[]"),
    ]
}

fn read_protocol(code: &str, name: &str, fires: bool, change: impl FnOnce(&mut Value)) -> Vector {
    let mut value = serde_json::to_value(protocol("standard")).expect("a protocol is JSON");
    change(&mut value);
    let outcome = if fires { "faulty" } else { "clean" };
    asking("protocol", code, name, outcome, fires, json!({"kind": "protocol", "text": canonical(&value)}))
}

/// Protocol documents.
pub(super) fn protocols() -> Vec<Vector> {
    let wrong = |name: &str, change: fn(&mut Value)| read_protocol("input.protocol", name, true, change);
    let right = |name: &str, change: fn(&mut Value)| read_protocol("input.protocol", name, false, change);
    vec![
        read_protocol("input.schema", "the schema is known", true, |value| {
            value["schema"] = json!("ralplan.protocol.v2")
        }),
        read_protocol("input.unknown_field", "fields are known", true, |value| value["join"] = json!("off")),
        read_protocol("input.missing_field", "every part is there", true, |value| {
            if let Value::Object(members) = value {
                members.remove("budgets");
            }
        }),
        right("the built-in document as it is", |_| {}),
        wrong("a reviewer has a group", |value| value["review"]["first_pass"] = json!([["architect"]])),
        wrong("a group names reviewers", |value| {
            value["review"]["later_passes"] = json!([["architect"], ["critic"], ["planner"]])
        }),
        right("reviewers may follow one another", |value| {
            value["review"]["first_pass"] = json!([["critic"], ["architect"]])
        }),
        wrong("the ruling reviewer comes after those it rules on", |value| {
            value["review"]["later_passes"] = json!([["critic"], ["architect"]])
        }),
        wrong("conditions belong to context", |value| {
            value["stages"]["planner"]["when"] = json!("ask_first")
        }),
        wrong("an alias names a word of the axis", |value| {
            value["roles"]["critic"]["verdict"][0]["aliases"] = json!({"FINE": "FINER"})
        }),
        right("an alias of a word", |value| {
            value["roles"]["critic"]["verdict"][0]["aliases"] = json!({"FINE": "APPROVE"})
        }),
        wrong("words go from best to worst", |value| {
            value["roles"]["critic"]["verdict"][0]["tokens"] =
                json!([{"token": "NO", "class": "reject"}, {"token": "YES", "class": "approve"}]);
        }),
        wrong("an axis can object", |value| {
            value["roles"]["critic"]["verdict"][0]["tokens"] = json!([{"token": "YES", "class": "approve"}])
        }),
        wrong("a stage is written by somebody known", |value| {
            value["stages"]["adr"]["by"] = json!(["nobody"])
        }),
        wrong("one stage opens the first iteration", |value| {
            value["stages"]["revision"]["opens"] = json!("any")
        }),
        wrong("the final comes last", |value| value["closing"] = json!(["post-interview", "final", "adr"])),
        wrong("drafts are not left out", |value| value["stages"]["planner"]["optional"] = json!(true)),
        wrong("a person can approve", |value| value["admission"]["by"] = json!(["setting"])),
        wrong("a cap is at most 20", |value| value["budgets"]["iterations"]["max"] = json!(21)),
        wrong("fixed codes are not softened", |value| value["enforcement"]["warn"] = json!(["handoff.*"])),
        wrong("paths stay under the root", |value| value["layout"]["folder"] = json!("../{run}")),
        wrong("paths are relative", |value| value["layout"]["ledger"] = json!("/tmp/{run}/ledger.jsonl")),
        wrong("two runs have two ledgers", |value| {
            value["layout"]["ledger"] = json!(".ralplan/ledger.jsonl")
        }),
        wrong("two artifacts have two paths", |value| value["layout"]["artifact"] = json!("{stage}.md")),
        wrong("no artifact is published over the ledger", |value| {
            value["layout"]["latest"] = json!({"final": "ledger.jsonl"})
        }),
        wrong("two stages have two latest names", |value| {
            value["layout"]["latest"] = json!({"final": "plan.md", "planner": "plan.md"})
        }),
        right("opener and revision may share a latest name", |value| {
            value["layout"]["latest"] = json!({"revision": "draft.md", "planner": "draft.md"})
        }),
    ]
}
