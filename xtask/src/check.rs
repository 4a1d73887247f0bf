//! `check`: what a reviewer would otherwise have to look for.

mod house;
mod licences;
mod spdx;

use crate::program::cargo;
use crate::{Outcome, generate};

/// A part of the check and the flag that picks it: `cargo xtask check --licences`.
type Part = (&'static str, fn() -> Outcome);

const PARTS: &[Part] = &[
    ("format", format),
    ("lints", lints),
    ("generated", generate::check),
    ("house", house::check),
    ("licences", licences::check),
    ("documentation", documentation),
    ("examples", examples),
];

pub(crate) fn run(arguments: &[String]) -> Outcome {
    let wanted: Vec<&str> = arguments.iter().map(|argument| argument.trim_start_matches('-')).collect();
    if let Some(unknown) = wanted.iter().find(|word| !PARTS.iter().any(|(name, _)| name == *word)) {
        let known: Vec<String> = PARTS.iter().map(|(name, _)| format!("--{name}")).collect();
        return Err(format!("unknown part `{unknown}`; known: {}", known.join(", ")));
    }
    let mut failures = Vec::new();
    let mut done = 0;
    for (name, part) in PARTS.iter().filter(|(name, _)| wanted.is_empty() || wanted.contains(name)) {
        done += 1;
        if let Err(message) = part() {
            eprintln!("check: {name}: {message}");
            failures.push(*name);
        }
    }
    println!("check: {} of {done} parts passed", done - failures.len());
    if failures.is_empty() { Ok(()) } else { Err(format!("failed: {}", failures.join(", "))) }
}

fn format() -> Outcome {
    cargo(&["fmt", "--all", "--check"]).run().map_err(|error| format!("{error}; run `cargo fmt --all`"))
}

fn lints() -> Outcome {
    cargo(&["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"]).run()
}

fn documentation() -> Outcome {
    cargo(&["doc", "--workspace", "--no-deps", "--locked"]).variable("RUSTDOCFLAGS", "-D warnings").run()
}

/// Every code block of README and documentation.
fn examples() -> Outcome {
    cargo(&["test", "--package", "ralplan-tests", "--locked", "--test", "docs"]).run()
}
