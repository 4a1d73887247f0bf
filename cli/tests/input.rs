//! Bad input: each a clear error with a code, and nothing lost.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

mod common;

use std::fs;
use std::process::Stdio;

use common::{Place, said};
use ralplan_tests::texts::{draft, review};

#[test]
fn artifacts_that_are_no_text_are_refused_before_anything_is_written() {
    let place = Place::new();
    place.start(&[]);
    let before = fs::read(place.path().join(".ralplan/runs/r/ledger.jsonl")).unwrap();
    place.put("latin.md", b"# caf\xe9\n");
    place.put("mark.md", "\u{feff}# Plan\n");
    place.put("nul.md", "# Plan\0\n");
    place.put("empty.md", "");
    place.put("blank.md", " \n\t\r\n");
    fs::create_dir(place.path().join("folder.md")).unwrap();
    let write = |file: &'static str| {
        place.ends(2, &["write", "--stage", "planner", "--artifact-file", file, "--json"])
    };
    assert_eq!(write("latin.md").error(), "input.not_utf8");
    assert_eq!(write("mispelt.md").error(), "input.artifact_path");
    assert_eq!(write("folder.md").error(), "input.artifact_path");
    assert_eq!(write("mark.md").reasons(), ["input.byte_order_mark"]);
    assert_eq!(write("nul.md").reasons(), ["input.nul"]);
    assert_eq!(write("empty.md").reasons(), ["input.empty"]);
    assert_eq!(write("blank.md").reasons(), ["input.empty"]);
    assert_eq!(fs::read(place.path().join(".ralplan/runs/r/ledger.jsonl")).unwrap(), before);
}

#[test]
fn an_artifact_of_fifty_megabytes_is_refused_by_its_budget() {
    let place = Place::new();
    place.start(&[]);
    place.put("large.md", "x".repeat(50_000_000));
    let said = place.ends(2, &["write", "--stage", "planner", "--artifact-file", "large.md", "--json"]);
    assert_eq!(said.reasons(), ["budget.artifact_bytes"]);
    assert!(said.out.len() < 2_000);
    place.put("larger.md", "x".repeat(70_000_000));
    let said = place.ends(2, &["write", "--stage", "planner", "--artifact-file", "larger.md", "--json"]);
    assert_eq!(said.error(), "input.too_large");
}

#[test]
fn a_text_is_never_read_as_a_path_and_only_one_source_may_be_named() {
    let place = Place::new();
    place.start(&[]);
    place.put("plan.md", draft("one"));
    let said = place.ends(2, &["write", "--stage", "planner", "--artifact-text", "plan.md", "--json"]);
    assert!(said.reasons().contains(&"document.principles".to_owned()), "{}", said.out);
    let both =
        ["write", "--stage", "planner", "--artifact-text", "x", "--artifact-file", "plan.md", "--json"];
    assert_eq!(place.ends(2, &both).error(), "input.argument");
    assert_eq!(place.ends(2, &["write", "--stage", "planner", "--json"]).error(), "input.argument");
}

#[test]
fn line_endings_are_kept_and_standard_input_is_a_source() {
    let place = Place::new();
    place.start(&[]);
    let text = draft("one").replace('\n', "\r\n");
    let file = place.put("plan.md", &text);
    let token = place.assign("planner");
    let mut words = place.words("planner", "planner", &token, "plan.md");
    let at = words.iter().position(|word| *word == "--artifact-file").unwrap();
    words.splice(at..at + 2, ["--artifact-stdin"]);
    let output = place.command(&words).stdin(fs::File::open(file).unwrap()).output().unwrap();
    let output = said(output);
    assert_eq!(output.code, 0, "{}{}", output.out, output.err);
    assert_eq!(fs::read_to_string(place.path().join(".ralplan/runs/r/stage-01-planner.md")).unwrap(), text);
}

#[test]
fn ids_stage_numbers_and_names_out_of_range_have_their_codes() {
    let place = Place::new();
    place.put("plan.md", draft("one"));
    let long = "x".repeat(65);
    for id in ["a/b", "../up", "a b", ".", long.as_str()] {
        let said = place.ends(2, &["new", "Task", "--run-id", id, "--json"]);
        let codes = if said.out.contains("\"error\"") { vec![said.error()] } else { said.reasons() };
        assert!(
            codes.iter().all(|code| code.starts_with("input.id") || code.starts_with("path.")),
            "{id}: {codes:?}"
        );
    }
    assert!(!place.path().join("up").exists() && !place.path().join(".ralplan/runs/a").exists());
    place.start(&[]);
    for number in ["0", "1000"] {
        let words =
            ["write", "--stage", "planner", "--stage-n", number, "--artifact-file", "plan.md", "--json"];
        assert_eq!(place.ends(2, &words).reasons(), ["input.stage_number"]);
    }
    let words = ["write", "--stage", "planner", "--stage-n", "one", "--artifact-file", "plan.md", "--json"];
    assert_eq!(place.ends(2, &words).error(), "input.argument");
    let said = place.ends(
        2,
        &["write", "--stage", "planer", "--role", "planner", "--artifact-file", "plan.md", "--json"],
    );
    assert_eq!(said.reasons(), ["input.stage"]);
    assert!(said.out.contains("did you mean `planner`?"), "{}", said.out);
    assert_eq!(place.ends(2, &["assign", "critik", "--json"]).reasons(), ["input.role"]);
    assert_eq!(place.ends(2, &["status", "--run-id", "no-such", "--json"]).error(), "run.not_found");
}

#[test]
fn json_documents_are_read_strictly() {
    let place = Place::new();
    place.start(&[]);
    let deep = "[".repeat(100_000);
    let cases: [(&[u8], &str); 10] = [
        (b"not json", "input.not_json"),
        (b"{\"seq\":1,\"seq\":2}", "input.duplicate_key"),
        (b"{\"seq\":9007199254740993}", "input.number"),
        (b"{\"seq\":1.5}", "input.number"),
        (b"{\"at\":\"\\ud800\"}", "input.surrogate"),
        (b"\xef\xbb\xbf{}", "input.byte_order_mark"),
        (b"{\"at\":\"a\\u0000b\"}", "input.nul"),
        (b"{\"at\":\"\xff\"}", "input.not_utf8"),
        (b"{\"decision\":\"refused\"}", "input.missing_field"),
        (deep.as_bytes(), "input.too_deep"),
    ];
    for (bytes, code) in cases {
        place.put("receipt.json", bytes);
        assert_eq!(place.ends(2, &["check-receipt", "receipt.json", "--json"]).error(), code);
    }
    let receipt =
        place.ends(0, &["new", "Add rate limiting", "--run-id", "r", "--no-deliberate", "--json"]).json();
    let mut receipt = receipt["receipt"].clone();
    receipt["colour"] = "red".into();
    place.put("receipt.json", receipt.to_string());
    assert_eq!(place.ends(2, &["check-receipt", "receipt.json", "--json"]).error(), "input.unknown_field");
}

#[test]
fn protocol_documents_are_checked_with_the_place_of_each_fault() {
    let place = Place::new();
    let standard = place.ends(0, &["protocols", "standard"]).out;
    place.put("good.json", &standard);
    assert_eq!(place.ends(0, &["protocols", "--check", "good.json"]).out, "valid: `standard`, version 1\n");
    place.ends(0, &["new", "Task", "--protocol", "good.json"]);
    place.put("bad.json", standard.replacen("\"closing\"", "\"closign\"", 1));
    let said = place.ends(2, &["new", "Task", "--protocol", "bad.json", "--json"]);
    assert_eq!(said.error(), "input.unknown_field");
    assert!(said.out.contains("bad.json"), "{}", said.out);
    let said = place.ends(2, &["new", "Task", "--protocol", "standart", "--json"]);
    assert_eq!(said.error(), "input.unknown_value");
}

#[test]
fn a_wrong_settings_file_stops_new_work_and_nothing_else() {
    let place = Place::new();
    place.start(&[]);
    place.put("plan.md", draft("one"));
    let token = place.assign("planner");
    let words = place.words("planner", "planner", &token, "plan.md");
    place.ends(0, &words);
    for wrong in ["max_iterations = \"many\"\n", "max_iterations = 21\n", "max_iteration = 3\n", "[agents\n"]
    {
        place.put("ralplan.toml", wrong);
        for refused in
            [&["new", "Other", "--json"][..], &["assign", "critic", "--json"], &["config", "--new", "--json"]]
        {
            let said = place.ends(2, refused);
            assert_eq!(said.error(), "input.setting");
            assert!(said.out.contains("ralplan.toml:1"), "{}", said.out);
        }
    }
    let same = place.ends(0, &[&words[..], &["--json"]].concat());
    assert_eq!(same.json()["decision"], "duplicate");
    for fine in ["status", "next", "verify", "log", "doctor", "report"] {
        place.ends(0, &[fine]);
    }
    place.ends(0, &["cancel"]);
}

#[test]
fn settings_come_from_flags_files_and_protocols_and_say_so() {
    let place = Place::new();
    place.put("ralplan.toml", "max_iterations = 3\n\n[enforcement]\nwarn = [\"document.*\"]\n");
    let settings = place.ends(0, &["config", "--json"]).json()["settings"].clone();
    assert_eq!(settings["max_iterations"]["source"], "ralplan.toml:1");
    assert_eq!(settings["max_passes_per_lane"]["source"], "protocol");
    place.start(&["--max-iterations", "4"]);
    let settings = place.ends(0, &["config", "--json"]).json()["settings"].clone();
    assert_eq!(settings["max_iterations"], serde_json::json!({ "source": "--max-iterations", "value": 4 }));
    assert_eq!(settings["warn"]["source"], "ralplan.toml:4");
    let said = place.ends(2, &["new", "Task", "--max-iterations", "99", "--json"]);
    assert_eq!(said.reasons(), ["input.setting"]);
    let said = place.ends(2, &["new", "Task", "--warn", "ledger.*", "--json"]);
    assert_eq!(said.reasons(), ["input.setting"]);
}

#[test]
fn ledgers_that_are_newer_broken_or_shortened_read_and_do_not_write() {
    let place = Place::new();
    place.start(&[]);
    place.assign("planner");
    let path = place.path().join(".ralplan/runs/r/ledger.jsonl");
    let sound = fs::read_to_string(&path).unwrap();
    let first = sound.lines().next().unwrap();
    let cases = [
        (sound.replacen("ralplan.entry.v1", "ralplan.entry.v9", 1), "ledger.newer"),
        (sound.replacen("Add rate", "Add rats", 1), "ledger.broken"),
        (sound.replacen("{\"actor\"", "{ \"actor\"", 1), "ledger.not_canonical"),
        (format!("{first}\n"), "ledger.shortened"),
    ];
    for (ledger, code) in cases {
        fs::write(&path, &ledger).unwrap();
        let words = ["assign", "planner", "--run-id", "r", "--json"];
        assert_eq!(place.ends(2, &words).reasons(), [code]);
        for reads in [
            &["status", "--run-id", "r"][..],
            &["log", "--run-id", "r"],
            &["next", "--run-id", "r"],
            &["report", "--run-id", "r"],
        ] {
            place.ends(0, reads);
        }
        assert!(place.ends(2, &["verify", "--run-id", "r"]).out.contains(code));
        assert!(place.ends(2, &["doctor", "--run-id", "r"]).out.contains(code));
        assert_eq!(fs::read_to_string(&path).unwrap(), ledger, "{code}: nothing was written");
    }
    place.ends(0, &["doctor", "--accept", "--run-id", "r"]);
    place.ends(0, &["assign", "planner"]);
    fs::write(&path, sound.replacen("Add rate", "Add rats", 1)).unwrap();
    assert!(place.ends(0, &["clear"]).out.contains("ledger.broken-"));
    place.ends(0, &["new", "Another"]);
}

#[test]
fn the_words_themselves_are_explained() {
    let place = Place::new();
    let said = place.ends(2, &["statsu", "--json"]);
    assert_eq!(said.error(), "input.argument");
    assert!(said.out.contains("status"), "{}", said.out);
    assert!(place.ends(2, &["statsu"]).err.contains("status"));
    assert_eq!(place.ends(2, &["run", "--json"]).error(), "input.argument");
    assert_eq!(place.ends(2, &["run", "Task", "--agent", "planner", "--json"]).error(), "input.argument");
    assert_eq!(
        place.ends(2, &["run", "Task", "--agent", "planner='open", "--json"]).error(),
        "input.argument"
    );
    let said = place.ends(2, &["run", "Task", "--agent", "planer=cat", "--json"]);
    assert_eq!(said.error(), "input.role");
    assert!(!place.path().join(".ralplan").exists());
    assert_eq!(place.ends(2, &["explain", "input.nule", "--json"]).error(), "input.unknown_value");
    assert_eq!(place.ends(2, &["verify", "nowhere.jsonl", "--json"]).error(), "input.argument");
    assert_eq!(place.ends(2, &["lint", "nowhere.md", "--json"]).error(), "input.argument");
    place.ends(0, &["--help"]);
    place.ends(0, &["--version"]);
}

#[test]
fn which_run_a_command_means_is_never_guessed() {
    let place = Place::new();
    assert_eq!(place.ends(2, &["next", "--json"]).error(), "run.not_found");
    place.start(&["--session-id", "s1"]);
    fs::create_dir_all(place.path().join("deep/down")).unwrap();
    let deep =
        place.command(&["status", "--json"]).current_dir(place.path().join("deep/down")).output().unwrap();
    assert_eq!(said(deep).json()["run_id"], "r");
    assert_eq!(
        place.ends(2, &["assign", "planner", "--session-id", "s2", "--run-id", "r", "--json"]).reasons(),
        ["run.owner"]
    );
    place.ends(0, &["new", "Second", "--run-id", "q", "--session-id", "s2"]);
    let said = place.ends(2, &["assign", "planner", "--json"]);
    assert_eq!(said.error(), "run.ambiguous");
    assert!(said.out.contains(r#"["q","r"]"#) || said.out.contains(r#"["r","q"]"#), "{}", said.out);
    assert_eq!(place.ends(0, &["status", "--json"]).json()["runs"].as_array().unwrap().len(), 2);
    place.ends(0, &["assign", "planner", "--session-id", "s2"]);
    let by_environment = place.command(&["status", "--json"]).env("RALPLAN_RUN_ID", "q").output().unwrap();
    assert_eq!(common::said(by_environment).json()["run_id"], "q");
    place.ends(0, &["cancel", "--run-id", "q"]);
    place.ends(0, &["cancel", "--run-id", "q"]);
    place.ends(0, &["assign", "planner"]);
    assert_eq!(place.ends(0, &["status", "--all", "--json"]).json()["runs"].as_array().unwrap().len(), 2);
}

#[test]
fn a_token_is_shown_once_and_used_once() {
    let place = Place::new();
    place.start(&[]);
    place.put("plan.md", draft("one"));
    let said = place.ends(0, &["assign", "planner", "--prompt-only"]);
    let token = said.err.trim().strip_prefix("token: ").unwrap().to_owned();
    assert!(said.out.contains("Add rate limiting") && !said.out.contains(&token));
    let wrong =
        place.ends(2, &[&place.words("planner", "planner", "guess", "plan.md")[..], &["--json"]].concat());
    assert!(wrong.reasons().contains(&"identity.assignment_wrong".to_owned()));
    let words = place.words("planner", "planner", &token, "plan.md");
    let done = place.ends(0, &words);
    for said in [&said.out, &wrong.out, &wrong.err, &done.out, &done.err, &place.ends(0, &["log"]).out] {
        assert!(!said.contains(&token) && !said.contains("guess"), "{said}");
    }
    assert!(!fs::read_to_string(place.path().join(".ralplan/runs/r/ledger.jsonl")).unwrap().contains(&token));
}

#[test]
fn a_review_names_its_verdict_in_the_text_or_beside_it() {
    let place = Place::new();
    place.start(&["--protocol", "gjc"]);
    place.put("plan.md", draft("one"));
    place.put(
        "review.md",
        review("a1", "Code Review Recommendation: REQUEST CHANGES", &[("f", "risk-register", "block")]),
    );
    place.write("planner", "planner", "plan.md");
    let token = place.assign("architect");
    let mut words = place.words("architect", "architect", &token, "review.md");
    words.extend(["--verdict", "BLOCK"]);
    place.ends(0, &words);
    let lanes = place.ends(0, &["status", "--json"]).json()["lanes"].clone();
    assert_eq!(lanes[0]["verdict"], serde_json::json!(["BLOCK", "REQUEST CHANGES"]));
}

#[test]
fn lint_names_line_and_column_in_each_format() {
    let place = Place::new();
    place.put("plan.md", draft("one").replace("3. Operating cost\n", ""));
    let said = place.ends(2, &["lint", "plan.md", "--kind", "draft"]);
    assert!(said.out.lines().next().unwrap().starts_with("plan.md:"), "{}", said.out);
    assert!(said.out.contains("error[document.drivers]"), "{}", said.out);
    assert!(
        place.ends(2, &["lint", "plan.md", "--format", "github"]).out.contains("::error file=plan.md,line=")
    );
    let document = place.ends(2, &["lint", "plan.md", "--json"]).json();
    assert_eq!((document["kind"].as_str(), document["errors"].as_u64()), (Some("draft"), Some(1)));
    place.put("plan.md", draft("one"));
    place.ends(0, &["lint", "plan.md"]);
    place.put("review.md", review("a1", "Verdict: MAYBE", &[]));
    assert!(place.ends(2, &["lint", "review.md"]).out.contains("review.md:3:1: error[verdict.unknown]"));
}

#[test]
fn tables_schemas_and_scripts_are_printed() {
    let place = Place::new();
    assert!(place.ends(0, &["explain", "--rules"]).out.starts_with("open_run: "));
    assert!(place.ends(0, &["explain", "--limits"]).out.contains("999"));
    assert!(place.ends(0, &["explain", "--protocol", "pi"]).out.contains("critic, reviewer"));
    assert!(place.ends(0, &["explain", "slot.occupied"]).out.contains("always refuses"));
    for name in ["protocol", "command", "decision", "entry", "receipt", "status", "next", "settings"] {
        let schema: serde_json::Value = serde_json::from_str(&place.ends(0, &["schema", name]).out).unwrap();
        assert!(schema["$schema"].is_string(), "{name}");
        place.ends(0, &["schema", name, "--json"]).json();
    }
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(place.ends(0, &["completions", shell]).out.contains("waive-review"), "{shell}");
    }
    for name in ["standard", "gjc", "omx", "pi"] {
        assert!(place.ends(0, &["diagram", "--protocol", name]).out.starts_with("stateDiagram-v2\n"));
    }
}

#[test]
fn a_reader_that_goes_away_is_no_panic() {
    let place = Place::new();
    let mut child =
        place.command(&["schema", "command"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = said(child.wait_with_output().unwrap());
    assert_eq!((output.code, output.err.as_str()), (0, ""));
}

#[cfg(unix)]
#[test]
fn a_pi_run_without_isolation_is_refused_before_anything_is_made() {
    let place = Place::new();
    let said = place.ends(2, &["new", "Task", "--protocol", "pi", "--isolation", "none", "--json"]);
    assert_eq!(said.reasons(), ["run.isolation"]);
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
    std::os::unix::fs::symlink("/tmp", place.path().join(".ralplan")).unwrap();
    let said = place.ends(2, &["new", "Task", "--json"]);
    assert_eq!(said.error(), "path.link");
}
