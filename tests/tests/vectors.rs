//! The vectors: as they are committed, against the engine.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use ralplan_core::json::to_canonical;
use ralplan_core::reason::{CODES, CodeClass};
use ralplan_core::run::RULES;
use ralplan_tests::vectors::{self, Vector};
use serde_json::Value;

/// How many vectors there are; a change of this number is a change of what every host must answer.
const COUNT: usize = 478;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("vectors")
}

fn files() -> BTreeMap<String, Value> {
    let listed = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    listed
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (name, serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap())
        })
        .collect()
}

fn all() -> Vec<(String, Value)> {
    let of = |(file, content): (String, Value)| {
        assert_eq!(content["schema"], vectors::SCHEMA);
        assert_eq!(content["rule"], file.as_str());
        content["vectors"]
            .as_array()
            .unwrap()
            .iter()
            .map(|vector| (file.clone(), vector.clone()))
            .collect::<Vec<_>>()
    };
    files().into_iter().flat_map(of).collect()
}

#[test]
fn every_committed_vector_is_answered_byte_for_byte() {
    let all = all();
    assert_eq!(all.len(), COUNT);
    for (file, vector) in all {
        let expected = &vector[Vector::answer_key(&vector)];
        let answer = vectors::answer(&vector);
        assert_eq!(
            to_canonical(&answer).unwrap(),
            to_canonical(expected).unwrap(),
            "{file}: {}",
            vector["name"]
        );
        let fires = vectors::codes(&answer).contains(vector["code"].as_str().unwrap());
        assert_eq!(fires, vector["fires"].as_bool().unwrap(), "{file}: {}", vector["name"]);
    }
}

#[test]
fn every_code_of_the_engine_fires_once_and_just_does_not_once() {
    let mut seen: BTreeMap<String, BTreeSet<bool>> = BTreeMap::new();
    for (_, vector) in all() {
        seen.entry(vector["code"].as_str().unwrap().to_owned())
            .or_default()
            .insert(vector["fires"].as_bool().unwrap());
    }
    let mut missing = Vec::new();
    for row in CODES.iter().filter(|row| row.class != CodeClass::Host) {
        for fires in [true, false] {
            if !seen.get(row.name).is_some_and(|seen| seen.contains(&fires)) {
                missing.push(format!(
                    "{} {}",
                    row.name,
                    if fires { "never fires" } else { "has no near miss" }
                ));
            }
        }
    }
    assert_eq!(missing, Vec::<String>::new());
    let unknown: Vec<&String> =
        seen.keys().filter(|code| !CODES.iter().any(|row| row.name == code.as_str())).collect();
    assert_eq!(unknown, Vec::<&String>::new());
}

#[test]
fn every_rule_has_a_file_and_raises_only_its_own_codes() {
    let files = files();
    let of_all: BTreeSet<String> = all()
        .iter()
        .filter(|(_, vector)| vector["fires"] == true)
        .map(|(_, vector)| vector["code"].as_str().unwrap().to_owned())
        .collect();
    for rule in RULES {
        let file = files.get(rule.name).unwrap_or_else(|| panic!("{} has no vectors", rule.name));
        let fired: BTreeSet<&str> = file["vectors"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|vector| vector["fires"] == true)
            .map(|vector| vector["code"].as_str().unwrap())
            .collect();
        for code in rule.codes {
            assert!(of_all.contains(code.name()), "{}: {} has no vector", rule.name, code.name());
        }
        assert!(!fired.is_empty(), "{}: nothing fires", rule.name);
    }
}

#[test]
fn the_vectors_are_those_of_the_cases_and_small() {
    let (generated, problems) = vectors::generate(&ralplan_tests::cases::all());
    assert_eq!(problems, Vec::<String>::new());
    let mut bytes = 0;
    for (name, text) in &generated {
        let committed = std::fs::read_to_string(folder().join(name)).unwrap_or_default();
        assert!(
            committed == *text,
            "{name} differs from its cases; run `cargo run -p ralplan-tests --bin vectors -- --write`"
        );
        bytes += text.len();
    }
    assert_eq!(files().len(), generated.len());
    assert!(bytes < 6_000_000, "{bytes} bytes");
}
