//! Every code block of README and documentation is executed or read by the parser it is meant for.
//!
//! A `console` block is run: lines after `$ ` are commands, the lines below are what they print. A line of three dots
//! stands for any lines, three dots inside a line for any text. A command that ends in ` # exit N` must end with that
//! status, every other one with 0. All blocks of a page are run in one shell, in an empty folder.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test ends where something is not as it should be"
)]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use ralplan_core::document::{Outline, read_open_items};
use ralplan_core::json;
use ralplan_core::ledger::Entry;
use ralplan_core::review::read_findings;
use ralplan_core::run::Run;

/// A fenced block.
#[derive(Debug)]
struct Block {
    language: String,
    line: usize,
    text: String,
}

/// A command of a console block with what it should print.
#[derive(Debug)]
struct Step {
    line: usize,
    command: String,
    status: i32,
    expected: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// README, the pages at the root and those below `docs`, by their path from the root.
fn pages() -> BTreeMap<String, String> {
    let mut pages = BTreeMap::new();
    for folder in ["", "docs", "docs/protocols"] {
        for row in std::fs::read_dir(root().join(folder)).unwrap() {
            let name = row.unwrap().file_name().to_string_lossy().into_owned();
            if name.ends_with(".md") {
                let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
                let text = std::fs::read_to_string(root().join(&path)).unwrap();
                pages.insert(path, text);
            }
        }
    }
    assert!(pages.contains_key("README.md"), "{:?}", pages.keys());
    pages
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<(String, Block)> = None;
    for (index, line) in text.lines().enumerate() {
        match &mut open {
            Some((fence, _)) if line.trim_end() == fence => {
                blocks.extend(open.take().map(|(_, block)| block));
            }
            Some((_, block)) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            None if line.starts_with("```") => {
                let language = line.trim_start_matches('`');
                let fence = line[..line.len() - language.len()].to_owned();
                let block =
                    Block { language: language.trim().to_owned(), line: index + 1, text: String::new() };
                open = Some((fence, block));
            }
            None => {}
        }
    }
    assert!(open.is_none(), "a fence is never closed: {open:?}");
    blocks
}

#[test]
fn every_block_has_a_language_that_is_checked() {
    const KNOWN: &[&str] =
        &["console", "json", "jsonl", "toml", "rust", "mermaid", "ralplan-findings", "ralplan-open-items"];
    for (path, text) in pages() {
        for block in blocks(&text) {
            assert!(KNOWN.contains(&block.language.as_str()), "{path}:{}: `{}`", block.line, block.language);
        }
    }
}

#[test]
fn examples_of_data_are_read_by_their_parsers() {
    for (path, text) in pages() {
        for block in blocks(&text) {
            let result = match block.language.as_str() {
                "json" => check_json(&block.text),
                "jsonl" => check_ledger(&block.text),
                "toml" => ralplan_host::settings::parse("ralplan.toml", &block.text)
                    .map(drop)
                    .map_err(|error| error.to_string()),
                "mermaid" => {
                    if block.text.trim().is_empty() {
                        Err("it is empty".to_owned())
                    } else {
                        Ok(())
                    }
                }
                "ralplan-findings" => {
                    let text = format!("```{}\n{}```\n", block.language, block.text);
                    read_findings(&text).map(drop).map_err(|error| error.to_string())
                }
                "ralplan-open-items" => {
                    let text = format!("```{}\n{}```\n", block.language, block.text);
                    read_open_items(&text, &Outline::read(&text)).map(drop).map_err(|error| error.to_string())
                }
                _ => Ok(()),
            };
            if let Err(error) = result {
                panic!("{path}:{}: {error}", block.line);
            }
        }
    }
}

/// JSON is read as what its members say it is.
fn check_json(text: &str) -> Result<(), String> {
    let value = json::parse(text.as_bytes(), &json::Limits::default()).map_err(|error| error.to_string())?;
    if value.get("schema").is_some_and(|schema| schema == ralplan_core::protocol::SCHEMA) {
        return ralplan_core::protocol::parse(text.as_bytes())
            .map(drop)
            .map_err(|errors| format!("{errors:?}"));
    }
    if value.get("command").is_some() {
        return ralplan_core::run::Command::parse(text.as_bytes())
            .map(drop)
            .map_err(|reason| format!("{reason:?}"));
    }
    Ok(())
}

/// Lines are entries of one ledger, or whole JSON values.
fn check_ledger(text: &str) -> Result<(), String> {
    if !text.contains(ralplan_core::ledger::ENTRY_SCHEMA) {
        return text.lines().try_for_each(check_json);
    }
    for line in text.lines() {
        Entry::read(line).map_err(|error| error.to_string())?;
    }
    match Run::open(text.as_bytes(), None).health().reason() {
        None => Ok(()),
        Some(reason) => Err(format!("{reason:?}")),
    }
}

#[test]
fn rust_blocks_stand_on_pages_that_are_compiled() {
    let compiled = include_str!("../src/lib.rs");
    for (path, text) in pages() {
        if blocks(&text).iter().any(|block| block.language == "rust") {
            assert!(compiled.contains(&path), "{path} holds Rust but tests/src/lib.rs does not include it");
        }
    }
}

#[cfg(unix)]
#[test]
fn commands_print_what_the_pages_say() {
    let program = program();
    let mut failures = String::new();
    for (path, text) in pages() {
        let steps: Vec<Step> =
            blocks(&text).iter().filter(|block| block.language == "console").flat_map(steps).collect();
        let steps: Vec<Step> = steps.into_iter().filter_map(as_here).collect();
        if steps.is_empty() {
            continue;
        }
        if let Some(tool) = missing_tool(&steps) {
            println!("{path}: the commands are not run, because this machine has no `{tool}`");
            continue;
        }
        for (step, (actual, status)) in steps.iter().zip(play(&steps, &program)) {
            let is_same = matches(&step.expected, &actual) && status == step.status;
            if !is_same {
                let expected = step.expected.join("\n");
                let actual = actual.join("\n");
                let _ = write!(
                    failures,
                    "{path}:{}: `{}`\n--- expected, status {}\n{expected}\n--- actual, status {status}\n{actual}\n\n",
                    step.line, step.command, step.status
                );
            }
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

#[cfg(unix)]
#[test]
fn the_command_line_and_its_pages_name_the_same_commands() {
    let output = Command::new(program().join("ralplan")).arg("--help").output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    let listed =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let verbs: Vec<&str> =
        listed.filter_map(|line| line.split_whitespace().next()).filter(|verb| *verb != "help").collect();
    assert!(verbs.len() > 20, "{help}");
    let pages = pages();
    for verb in &verbs {
        let named = [format!("`{verb}`"), format!("`{verb} ")];
        assert!(named.iter().any(|name| pages["docs/cli.md"].contains(name)), "docs/cli.md lacks `{verb}`");
    }
    for row in pages["docs/words.md"].lines().filter(|line| line.starts_with("| ")).skip(2) {
        let cell = row.split(" | ").nth(2).unwrap_or_default();
        for verb in cell.split('`').skip(1).step_by(2).filter_map(|verb| verb.split(' ').next()) {
            assert!(verbs.contains(&verb), "docs/words.md names `ralplan {verb}`, which does not exist");
        }
    }
}

/// Programs that not every machine has, and that a reader of a page may be expected to add.
fn missing_tool(steps: &[Step]) -> Option<&'static str> {
    let is_called =
        |tool: &str| steps.iter().any(|step| step.command.split([' ', '(', '|']).any(|word| word == tool));
    let is_there = |tool: &str| {
        Command::new(tool).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
    };
    ["jq", "sha256sum", "git"].into_iter().find(|tool| is_called(tool) && !is_there(tool))
}

fn steps(block: &Block) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for (index, line) in block.text.lines().enumerate() {
        if let Some(command) = line.strip_prefix("$ ") {
            let (command, status) = match command.rsplit_once(" # exit ") {
                Some((command, status)) => (command, status.trim().parse().expect("an exit status")),
                None => (command, 0),
            };
            let command = command.to_owned();
            steps.push(Step { line: block.line + index + 1, command, status, expected: Vec::new() });
        } else {
            steps.last_mut().expect("a command before its output").expected.push(line.to_owned());
        }
    }
    steps
}

/// The command as it can be run here: `cargo run` means the program that is built already, and `cargo xtask` would start
/// this test again; that its word exists is all that can be asked.
fn as_here(mut step: Step) -> Option<Step> {
    if let Some(word) = step.command.strip_prefix("cargo xtask ") {
        let words = include_str!("../../xtask/src/main.rs");
        let word = word.split(' ').next().unwrap_or_default();
        assert!(words.contains(&format!("word: \"{word}\"")), "`cargo xtask {word}` does not exist");
        return None;
    }
    for prefix in ["cargo run --release -- ", "cargo run -- "] {
        if let Some(rest) = step.command.strip_prefix(prefix) {
            step.command = format!("ralplan {rest}");
        }
    }
    Some(step)
}

/// The folder of the built program.
fn program() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let folder = test.parent().and_then(Path::parent).unwrap().to_owned();
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    // Together with this package, so that the same features are chosen as for the tests.
    build.args([
        "build",
        "--quiet",
        "--locked",
        "--bins",
        "--package",
        "ralplan",
        "--package",
        "ralplan-tests",
    ]);
    // With the profile that tests are built with, so that little is built twice.
    let is_release = folder.file_name().is_some_and(|name| name == "release");
    build.args(if is_release { ["--release"].as_slice() } else { &["--profile", "test"] });
    build.arg("--target-dir").arg(folder.parent().unwrap());
    assert!(build.current_dir(root()).status().unwrap().success(), "the program does not build");
    assert!(folder.join("ralplan").is_file(), "{}", folder.display());
    folder
}

/// Runs the commands in one shell; what each prints, and its status.
fn play(steps: &[Step], program: &Path) -> Vec<(Vec<String>, i32)> {
    const MARK: &str = "\u{1}end of step";
    let folder = tempfile::tempdir().unwrap();
    let mut script = "exec 2>&1\n".to_owned();
    for step in steps {
        let _ = write!(script, "{}\nprintf '{MARK} %s\\n' $?\n", step.command);
    }
    let paths = [program.to_owned(), "/usr/local/bin".into(), "/usr/bin".into(), "/bin".into()];
    let output = Command::new("bash")
        .args(["--noprofile", "--norc", "-c", &script])
        .current_dir(&folder)
        .env_clear()
        .env("PATH", std::env::join_paths(paths).unwrap())
        .env("HOME", folder.path())
        .env("LC_ALL", "C.UTF-8")
        .env("NO_COLOR", "1")
        .env("COLUMNS", "100")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut results = Vec::new();
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        match line.split_once(MARK) {
            Some((before, status)) => {
                lines.extend(Some(before.to_owned()).filter(|before| !before.is_empty()));
                results.push((std::mem::take(&mut lines), status.trim().parse().unwrap()));
            }
            None => lines.push(line.trim_end().to_owned()),
        }
    }
    assert_eq!(results.len(), steps.len(), "the shell ended early:\n{text}");
    results
}

/// True when the lines are as expected; blank lines at the end do not count.
fn matches(expected: &[String], actual: &[String]) -> bool {
    let end =
        |lines: &[String]| lines.iter().rposition(|line| !line.trim().is_empty()).map_or(0, |at| at + 1);
    matches_lines(&expected[..end(expected)], &actual[..end(actual)])
}

fn matches_lines(expected: &[String], actual: &[String]) -> bool {
    match expected.split_first() {
        None => actual.is_empty(),
        Some((first, rest)) if first.trim() == "..." => {
            (0..=actual.len()).any(|skipped| matches_lines(rest, &actual[skipped..]))
        }
        Some((first, rest)) => match actual.split_first() {
            Some((line, others)) => {
                matches_line(first.trim_end(), line.trim_end()) && matches_lines(rest, others)
            }
            None => false,
        },
    }
}

fn matches_line(expected: &str, actual: &str) -> bool {
    match expected.split_once("...") {
        None => expected == actual,
        Some((before, after)) => actual.strip_prefix(before).is_some_and(|rest| {
            rest.char_indices()
                .map(|(at, _)| at)
                .chain([rest.len()])
                .any(|at| matches_line(after, &rest[at..]))
        }),
    }
}

#[test]
fn dots_stand_for_lines_and_for_text() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(matches(&lines("a\n...\nd"), &lines("a\nb\nc\nd\n\n")));
    assert!(matches(&lines("a ... c\nd"), &lines("a b c\nd")));
    assert!(!matches(&lines("a ... c"), &lines("a b d")));
    assert!(!matches(&lines("a\n..."), &lines("b")));
    assert!(!matches(&lines("a"), &lines("a\nb")));
    assert!(!matches(&lines("a\nb"), &lines("a")));
}
