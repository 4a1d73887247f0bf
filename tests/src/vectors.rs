//! Vectors: what is asked, and the exact answer, as files that every host reads.
//!
//! A file holds one rule. A vector has a `kind`: `decide` plays commands on a ledger, after those of `repeat`; `parse` reads the text of a command;
//! `open` opens a ledger; `commit` adds a line to one; `verify` verifies a ledger with or without files; `receipt` checks a
//! receipt; `protocol` reads a protocol document. Whatever a kind answers stands under the key of [`ANSWERS`].

use std::collections::{BTreeMap, BTreeSet};

use ralplan_core::json::to_canonical;
use ralplan_core::protocol;
use ralplan_core::run::{ArtifactBytes, Command, Effect, Observed, Receipt, Run, Witness};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// The schema word of a file of vectors.
pub const SCHEMA: &str = "ralplan.vectors.v1";

/// The key under which each kind keeps its answer.
pub const ANSWERS: &[(&str, &str)] = &[
    ("commit", "error"),
    ("decide", "decisions"),
    ("open", "opened"),
    ("parse", "error"),
    ("protocol", "errors"),
    ("receipt", "reasons"),
    ("verify", "verification"),
];

/// One vector: what is asked and what must come of it.
#[derive(Clone, Debug)]
pub struct Vector {
    /// The file it belongs to, without its ending.
    pub file: String,
    /// What is right, in words.
    pub name: String,
    /// The code it is about.
    pub code: String,
    /// True when the code must be among the reasons or warnings of the last answer.
    pub fires: bool,
    /// What the last answer must be, for example `accepted`; a word of [`outcome`].
    pub outcome: String,
    /// What is asked, with its kind.
    pub asked: Value,
}

/// The bytes of a text or, where it is no UTF-8, of its hexadecimal form.
fn bytes_of(asked: &Value, key: &str) -> Vec<u8> {
    match (asked.get(key), asked.get(format!("{key}_hex"))) {
        (Some(Value::String(text)), _) => text.as_bytes().to_vec(),
        (_, Some(Value::String(hex))) => hex_bytes(hex),
        _ => Vec::new(),
    }
}

fn hex_bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex
        .chars()
        .filter_map(|digit| digit.to_digit(16))
        .filter_map(|digit| u8::try_from(digit).ok())
        .collect();
    digits.chunks(2).map(|pair| pair.iter().fold(0, |byte, digit| (byte << 4) | digit)).collect()
}

/// A text member, in hexadecimal form where it is no UTF-8.
pub fn put_bytes(asked: &mut Map<String, Value>, key: &str, bytes: &[u8]) {
    match std::str::from_utf8(bytes) {
        Ok(text) => asked.insert(key.to_owned(), json!(text)),
        Err(_) => {
            let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            asked.insert(format!("{key}_hex"), json!(hex))
        }
    };
}

fn read<T: DeserializeOwned>(value: &Value) -> T {
    serde_json::from_value(value.clone()).expect("a vector holds what its kind needs")
}

fn value_of(answer: &impl Serialize) -> Value {
    serde_json::to_value(answer).expect("answers are JSON")
}

fn witness(asked: &Value) -> Option<Witness> {
    asked.get("witness").map(read)
}

/// Answers what a vector asks.
///
/// # Panics
/// When the vector does not hold what its kind needs.
#[must_use]
pub fn answer(asked: &Value) -> Value {
    let ledger = bytes_of(asked, "ledger");
    match asked["kind"].as_str().unwrap_or("decide") {
        "decide" => Value::Array(decide(asked, &ledger)),
        "parse" => match Command::parse(&bytes_of(asked, "text")) {
            Ok(_) => Value::Null,
            Err(reason) => value_of(&reason),
        },
        "open" => {
            let run = Run::open(&ledger, witness(asked).as_ref());
            let mut opened = value_of(run.health());
            opened["entries"] = json!(run.state().map_or(0, |state| state.entries().len()));
            opened["tip"] = value_of(&run.tip());
            if let Some(reason) = run.health().reason() {
                opened["reason"] = value_of(&reason);
            }
            opened
        }
        "commit" => {
            let mut run = Run::open(&ledger, witness(asked).as_ref());
            match run.commit(asked["line"].as_str().unwrap_or_default()) {
                Ok(()) => Value::Null,
                Err(reason) => value_of(&reason),
            }
        }
        "verify" => {
            let files: Option<BTreeMap<String, Option<String>>> = asked.get("files").map(read);
            let files: Option<ArtifactBytes> =
                files.map(|files| files.into_iter().map(|(path, text)| (path, text.map(String::into_bytes))).collect());
            value_of(&Run::open(&ledger, witness(asked).as_ref()).verify("ledger.jsonl", files.as_ref()))
        }
        "receipt" => {
            let receipt: Receipt = read(&asked["receipt"]);
            let text = asked.get("text").and_then(Value::as_str).map(str::as_bytes);
            match Run::open(&ledger, None).check_receipt(&receipt, text) {
                Ok(()) => json!([]),
                Err(reasons) => value_of(&reasons),
            }
        }
        "protocol" => match protocol::parse(&bytes_of(asked, "text")) {
            Ok(_) => json!([]),
            Err(errors) => errors
                .iter()
                .map(|error| json!({"code": error.code.name(), "path": error.path, "message": error.message, "hint": error.hint}))
                .collect(),
        },
        other => panic!("unknown kind `{other}`"),
    }
}

fn decide(asked: &Value, ledger: &[u8]) -> Vec<Value> {
    let mut run = Run::open(ledger, witness(asked).as_ref());
    repeat(&mut run, asked);
    let commands = asked["commands"].as_array().cloned().unwrap_or_default();
    let mut decisions = Vec::new();
    for (index, command) in commands.into_iter().enumerate() {
        let observed: Observed =
            asked.get("observed").and_then(|observed| observed.get(index)).map(read).unwrap_or_default();
        let command = Command::from_value(command).expect("a well-formed command");
        let decision = run.decide(&command, &observed);
        for effect in decision.effects() {
            if let Effect::Append { line, .. } = effect {
                run.commit(line).expect("a line that was decided follows");
            }
        }
        decisions.push(value_of(&decision));
    }
    decisions
}

/// Plays the command under `repeat` so many times, each with its number as `text`.
fn repeat(run: &mut Run, asked: &Value) {
    let Some(repeat) = asked.get("repeat") else { return };
    for number in 0..repeat["times"].as_u64().unwrap_or_default() {
        let mut command = repeat["command"].clone();
        command["text"] = json!(number.to_string());
        let command = Command::from_value(command).expect("a well-formed command");
        for effect in run.decide(&command, &Observed::default()).effects() {
            if let Effect::Append { line, .. } = effect {
                run.commit(line).expect("a line that was decided follows");
            }
        }
    }
}

/// How the last answer ended: the word of a decision, `clean`, or `faulty`.
#[must_use]
pub fn outcome(answer: &Value) -> String {
    let last = match answer {
        Value::Array(list) if list.last().is_some_and(|last| last.get("decision").is_some()) => list.last(),
        _ => None,
    };
    if let Some(word) = last.and_then(|last| last["decision"].as_str()) {
        return word.to_owned();
    }
    let is_clean = match answer {
        Value::Null => true,
        Value::Array(list) => list.is_empty(),
        other => other["is_clean"].as_bool().unwrap_or(other["health"] == "ok"),
    };
    if is_clean { "clean" } else { "faulty" }.to_owned()
}

/// The codes of the last answer: of its reasons, warnings, errors or faults.
#[must_use]
pub fn codes(answer: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let last = match answer {
        Value::Array(list) if list.last().is_some_and(|last| last.get("decision").is_some()) => {
            let last = list.last().cloned().unwrap_or_default();
            json!([last["reasons"], last["warnings"]])
        }
        other => other.clone(),
    };
    collect(&last, &mut found);
    found
}

fn collect(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Array(list) => list.iter().for_each(|item| collect(item, found)),
        Value::Object(members) => {
            if let Some(Value::String(code)) = members.get("code") {
                found.insert(code.clone());
            }
            members.values().for_each(|member| collect(member, found));
        }
        _ => {}
    }
}

impl Vector {
    /// The key of the answer.
    #[must_use]
    pub fn answer_key(asked: &Value) -> &'static str {
        let kind = asked["kind"].as_str().unwrap_or("decide");
        ANSWERS.iter().find(|(known, _)| *known == kind).map_or("decisions", |(_, key)| key)
    }

    /// The vector with its answer, as it is written; or why its answer is not the expected one.
    ///
    /// # Errors
    /// When the expectation that a person wrote does not hold.
    pub fn seal(&self) -> Result<Value, String> {
        let answer = answer(&self.asked);
        let place = format!("{}: {}", self.file, self.name);
        let found = codes(&answer);
        if found.contains(&self.code) != self.fires {
            let verb = if self.fires { "must fire" } else { "must not fire" };
            return Err(format!("{place}: `{}` {verb}; found {found:?} ({})", self.code, outcome(&answer)));
        }
        if outcome(&answer) != self.outcome {
            return Err(format!(
                "{place}: expected `{}`, found `{}` with {found:?}",
                self.outcome,
                outcome(&answer)
            ));
        }
        let mut vector = self.asked.clone();
        vector["name"] = json!(self.name);
        vector["code"] = json!(self.code);
        vector["fires"] = json!(self.fires);
        vector[Vector::answer_key(&self.asked)] = answer;
        Ok(vector)
    }
}

/// The files of vectors, by name, and what is wrong with the cases.
#[must_use]
pub fn generate(vectors: &[Vector]) -> (BTreeMap<String, String>, Vec<String>) {
    let mut lines: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut problems = Vec::new();
    let mut names = BTreeSet::new();
    for vector in vectors {
        if !names.insert((&vector.file, &vector.name)) {
            problems.push(format!("{}: {}: the name is used twice", vector.file, vector.name));
        }
        match vector.seal() {
            Ok(sealed) => {
                let line = to_canonical(&sealed).expect("vectors hold no number that JSON cannot keep");
                lines.entry(&vector.file).or_default().push(line);
            }
            Err(problem) => problems.push(problem),
        }
    }
    let text = |rule: &str, lines: Vec<String>| {
        format!("{{\"schema\":\"{SCHEMA}\",\"rule\":\"{rule}\",\"vectors\":[\n{}\n]}}\n", lines.join(",\n"))
    };
    let files = lines.into_iter().map(|(rule, lines)| (format!("{rule}.json"), text(rule, lines))).collect();
    (files, problems)
}
