//! A folder with runs, and the program to act in it.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "each test file uses its own part of this"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use ralplan_tests::texts::{adr, draft, review};
use serde_json::Value;

/// What the program said.
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Said {
    /// The one JSON document on standard output.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.out.lines().count(), 1, "one document, one line: {}{}", self.out, self.err);
        serde_json::from_str(&self.out).unwrap()
    }

    /// The code of the error.
    #[track_caller]
    pub(crate) fn error(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_default().to_owned()
    }

    /// The codes of a refusal.
    #[track_caller]
    pub(crate) fn reasons(&self) -> Vec<String> {
        let document = self.json();
        let reasons = document["reasons"].as_array().cloned().unwrap_or_default();
        reasons.iter().map(|reason| reason["code"].as_str().unwrap().to_owned()).collect()
    }
}

/// A folder of its own for one test.
pub(crate) struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    pub(crate) fn new() -> Place {
        Place { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn put(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    /// The program, in this folder, without the caller's environment of runs.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ralplan"));
        command.args(words).current_dir(self.path()).stdin(Stdio::null());
        for name in ["RALPLAN_RUN_ID", "RALPLAN_SESSION_ID", "RALPLAN_DRIVEN", "TMUX"] {
            command.env_remove(name);
        }
        command.env("HOME", self.path().join("home"));
        command
    }

    pub(crate) fn say(&self, words: &[&str]) -> Said {
        said(self.command(words).output().unwrap())
    }

    /// As [`Place::say`], and it must end with a code.
    #[track_caller]
    pub(crate) fn ends(&self, code: i32, words: &[&str]) -> Said {
        let said = self.say(words);
        assert_eq!(said.code, code, "{words:?}\n{}\n{}", said.out, said.err);
        said
    }

    /// Starts the run `r`, and leaves it to the test.
    pub(crate) fn start(&self, more: &[&str]) {
        let mut words = vec!["new", "Add rate limiting", "--run-id", "r", "--no-deliberate"];
        words.extend(more);
        self.ends(0, &words);
    }

    /// Hands an assignment out and returns its token.
    #[track_caller]
    pub(crate) fn assign(&self, role: &str) -> String {
        self.ends(0, &["assign", role, "--json"]).json()["token"].as_str().unwrap().to_owned()
    }

    /// The words of a write by a role with ids of its own.
    pub(crate) fn words<'a>(
        &self,
        stage: &'a str,
        role: &'a str,
        token: &'a str,
        file: &'a str,
    ) -> Vec<&'a str> {
        let id = match role {
            "planner" => ["--agent-id", "p", "--invocation-id", "pi", "--turn-id", "pt"],
            "architect" => ["--agent-id", "a", "--invocation-id", "ai", "--turn-id", "at"],
            _ => ["--agent-id", "c", "--invocation-id", "ci", "--turn-id", "ct"],
        };
        let mut words =
            vec!["write", "--stage", stage, "--role", role, "--token", token, "--artifact-file", file];
        words.extend(id);
        words
    }

    /// Assigns and writes.
    #[track_caller]
    pub(crate) fn write(&self, stage: &str, role: &str, file: &str) {
        let token = self.assign(role);
        self.ends(0, &self.words(stage, role, &token, file));
    }

    /// Texts that scripted agents print, by role and iteration.
    pub(crate) fn texts(&self) {
        for (number, mark) in (1..).zip(["one", "two", "three", "four", "five"]) {
            self.put(&format!("texts/planner-{number}"), draft(mark));
            let objection = [("f1", "risk-register", "block")];
            self.put(&format!("texts/stubborn-{number}"), review(mark, "Verdict: REVISE", &objection));
        }
        self.put("texts/adr", adr());
        let objection = [("f1", "risk-register", "block")];
        self.put("texts/architect-1", review("a1", "Verdict: REVISE", &objection));
        self.put("texts/architect-2", review("a2", "Verdict: APPROVE", &[]));
        self.put("texts/critic-1", review("c1", "Verdict: APPROVE", &[]));
        self.put("texts/critic-2", review("c2", "Verdict: APPROVE", &[]));
        self.put(
            "agent.sh",
            "cat >/dev/null\nif [ \"$RALPLAN_STAGE\" = adr ]; then cat texts/adr; else cat \"texts/${1:-$RALPLAN_ROLE}-$RALPLAN_ITERATION\"; fi\n",
        );
    }

    /// Drives the run `r` with the scripted agents, so that its plan is pending approval.
    #[track_caller]
    pub(crate) fn plan(&self) {
        self.texts();
        let mut words = vec!["run", "Add rate limiting", "--run-id", "r", "--no-deliberate"];
        words.extend(AGENTS);
        self.ends(0, &words);
    }

    /// Digest of the plan that is pending approval.
    pub(crate) fn digest(&self) -> String {
        self.ends(0, &["status", "--json"]).json()["digest"].as_str().unwrap().to_owned()
    }
}

/// The scripted agents as flags.
pub(crate) const AGENTS: [&str; 6] =
    ["--agent", "planner=sh agent.sh", "--agent", "architect=sh agent.sh", "--agent", "critic=sh agent.sh"];

pub(crate) fn said(output: Output) -> Said {
    Said {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}
