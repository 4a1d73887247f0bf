//! Submits one command, read as JSON from standard input, to a run on files. Tests race and kill it.
//!
//! `submit ROOT RUN_ID LEDGER`: prints the decision; ends with 0 accepted or duplicate, 2 refused, 3 exhausted, 1 else.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::io::Read;
use std::path::Path;
use std::process::ExitCode;

use ralplan_core::run::{Command, Decision};
use ralplan_host::host::Host;
use ralplan_host::store::RunKey;

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(1)
        }
    }
}

fn run() -> Result<ExitCode, String> {
    let mut arguments = std::env::args().skip(1);
    let mut argument = |name: &str| arguments.next().ok_or_else(|| format!("expected {name}"));
    let (root, run_id, ledger) = (argument("ROOT")?, argument("RUN_ID")?, argument("LEDGER")?);
    let mut text = Vec::new();
    std::io::stdin().read_to_end(&mut text).map_err(|error| error.to_string())?;
    let command = Command::parse(&text).map_err(|reason| reason.message)?;
    let host = Host::open(Path::new(&root)).map_err(|error| error.to_string())?;
    let submitted = host.submit(&RunKey { run_id, ledger }, &command).map_err(|error| error.to_string())?;
    println!("{}", serde_json::to_string(&submitted.decision).map_err(|error| error.to_string())?);
    Ok(match submitted.decision {
        Decision::Accepted { .. } | Decision::Duplicate { .. } => ExitCode::SUCCESS,
        Decision::Refused { .. } => ExitCode::from(2),
        Decision::Exhausted { .. } => ExitCode::from(3),
    })
}
