//! The `ralplan` program: consensus planning on files, with any agents.
#![forbid(unsafe_code)]

mod arguments;
mod commands;
mod context;
mod exit;
mod ids;
mod output;
mod progress;
mod repository;
mod settings;
mod words;

use std::process::ExitCode;

fn main() -> ExitCode {
    commands::main(std::env::args_os().collect())
}
