//! `setup`: what building and testing need and a fresh machine lacks.

use std::path::Path;

use crate::Outcome;
use crate::program::{Program, cargo};

/// The target for which a test builds the core, to see that it imports nothing.
const WASM: &str = "wasm32-unknown-unknown";
/// Parts of the toolchain that `check` calls, each with the file by which it is found.
const COMPONENTS: &[&str] = &["rustfmt", "clippy"];

pub(crate) fn run(_: &[String]) -> Outcome {
    target()?;
    components()?;
    cargo(&["fetch", "--locked"]).run()?;
    println!("setup: packages fetched");
    Ok(())
}

fn target() -> Outcome {
    let folder = Program::new("rustc", &["--print", "target-libdir", "--target", WASM]).output()?;
    if Path::new(folder.trim()).is_dir() {
        println!("setup: target {WASM} is there");
        return Ok(());
    }
    Program::new("rustup", &["target", "add", WASM]).run().map_err(|error| {
        format!("{error}; the target {WASM} is needed, add it with your toolchain's own program")
    })?;
    println!("setup: target {WASM} added");
    Ok(())
}

fn components() -> Outcome {
    for component in COMPONENTS {
        let word = if *component == "rustfmt" { "fmt" } else { component };
        if cargo(&[word, "--version"]).output().is_ok() {
            println!("setup: {component} is there");
            continue;
        }
        Program::new("rustup", &["component", "add", component]).run()?;
        println!("setup: {component} added");
    }
    Ok(())
}
