//! House rules: the length of files, and words that must not stand in the repository.

use std::path::Path;

use crate::Outcome;
use crate::program::{Program, root};

/// Most lines of a source file.
const LINES: usize = 600;
/// Endings of files that are text.
const TEXTS: &[&str] =
    &["rs", "md", "toml", "json", "jsonl", "lock", "yml", "yaml", "sh", "js", "ts", "py", "txt"];
/// Beginnings of places that exist on one machine only, cut in two so that this file does not hold them.
const PLACES: &[[&str; 2]] =
    &[["/wo", "rk/"], ["/ro", "ot/"], ["/Us", "ers/"], ["/home/ru", "nner"], ["C:\\Us", "ers\\"]];
/// Hosts and keys by which packages are fetched from elsewhere than the public registry.
const SOURCES: &[[&str; 2]] =
    &[["artif", "actory"], ["[regi", "stries"], ["[sour", "ce."], ["replace", "-with"], ["sparse+", "http"]];
/// Where the packages of the lock file come from.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

pub(super) fn check() -> Outcome {
    let listed = Program::new("git", &["ls-files", "--cached", "--others", "--exclude-standard"]).output()?;
    let mut wrong = Vec::new();
    let mut seen = 0;
    for path in listed.lines() {
        let Ok(bytes) = std::fs::read(root().join(path)) else { continue };
        if let Some(text) = as_text(path, bytes) {
            seen += 1;
            wrong.extend(complaints(path, &text));
        }
    }
    if !wrong.is_empty() {
        return Err(wrong.join("; "));
    }
    println!("check: {seen} files follow the house rules");
    Ok(())
}

fn as_text(path: &str, bytes: Vec<u8>) -> Option<String> {
    let ending = Path::new(path).extension().map(|ending| ending.to_string_lossy().into_owned());
    let is_text = ending.is_none_or(|ending| TEXTS.contains(&ending.as_str()));
    if is_text { String::from_utf8(bytes).ok() } else { None }
}

/// What is wrong with a file.
fn complaints(path: &str, text: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let lines = text.lines().count();
    if path.ends_with(".rs") && !path.starts_with("tests/vectors/") && lines > LINES {
        wrong.push(format!("{path} has {lines} lines, more than {LINES}; split it"));
    }
    for [left, right] in PLACES.iter().chain(SOURCES) {
        let word = format!("{left}{right}");
        if let Some(line) = text.lines().position(|line| line.contains(&word)) {
            wrong.push(format!("{path}:{} holds `{word}`", line + 1));
        }
    }
    if path == "Cargo.lock" {
        let stated =
            |line: &str| line.strip_prefix("source = \"").map(|rest| rest.trim_end_matches('"').to_owned());
        let other = text.lines().filter_map(stated).find(|source| source != REGISTRY);
        wrong.extend(other.map(|source| format!("{path} takes a package from `{source}`")));
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_files_places_and_sources_are_named() {
        let long = "x\n".repeat(LINES + 1);
        assert_eq!(complaints("core/src/a.rs", &long).len(), 1);
        assert!(complaints("core/src/a.rs", &"x\n".repeat(LINES)).is_empty());
        assert!(complaints("tests/vectors/a.rs", &long).is_empty());
        let place = PLACES[0].concat();
        assert_eq!(
            complaints("README.md", &format!("one\nsee {place}here\n")),
            [format!("README.md:2 holds `{place}`")]
        );
        assert_eq!(complaints("Cargo.lock", "source = \"git+https://example.org/x\"\n").len(), 1);
        assert!(complaints("Cargo.lock", &format!("source = \"{REGISTRY}\"\n")).is_empty());
    }

    #[test]
    fn the_lock_file_names_the_public_registry_by_this_word() {
        assert!(include_str!("../../../Cargo.lock").contains(REGISTRY));
    }
}
