//! Writes the vectors, or compares them: `cargo run -p ralplan-tests --bin vectors -- --write|--check`.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;

use ralplan_tests::{cases, vectors};

fn main() -> ExitCode {
    let mode = std::env::args().nth(1).unwrap_or_default();
    if !["--write", "--check"].contains(&mode.as_str()) {
        eprintln!("usage: vectors --write|--check");
        return ExitCode::from(2);
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors");
    let all = cases::all();
    let (files, mut problems) = vectors::generate(&all);
    if problems.is_empty() && mode == "--write" {
        if let Err(error) = write(&folder, &files) {
            problems.push(error.to_string());
        }
    } else if problems.is_empty() {
        problems.extend(differences(&folder, &files));
    }
    for problem in &problems {
        eprintln!("{problem}");
    }
    let bytes: usize = files.values().map(String::len).sum();
    println!("{} vectors in {} files, {bytes} bytes, {} problems", all.len(), files.len(), problems.len());
    if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

type Files = std::collections::BTreeMap<String, String>;

fn on_disk(folder: &Path) -> BTreeSet<String> {
    let listed = std::fs::read_dir(folder).into_iter().flatten().flatten();
    listed
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| name.ends_with(".json"))
        .collect()
}

fn write(folder: &Path, files: &Files) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    for name in on_disk(folder).iter().filter(|name| !files.contains_key(*name)) {
        std::fs::remove_file(folder.join(name))?;
    }
    for (name, text) in files {
        std::fs::write(folder.join(name), text)?;
    }
    Ok(())
}

fn differences(folder: &Path, files: &Files) -> Vec<String> {
    let mut problems = Vec::new();
    for name in on_disk(folder).iter().filter(|name| !files.contains_key(*name)) {
        problems.push(format!("{name} has no cases; run with --write"));
    }
    for (name, text) in files {
        if std::fs::read_to_string(folder.join(name)).ok().as_ref() != Some(text) {
            problems.push(format!("{name} differs from its cases; run with --write"));
        }
    }
    problems
}
