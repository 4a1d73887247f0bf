//! `test`: everything that can fail, with one closing summary.

use crate::Outcome;
use crate::program::cargo;
use crate::setup;

/// What the runners said at their ends.
#[derive(Debug, Default, Eq, PartialEq)]
struct Summary {
    /// One line per runner: its name and its result.
    closings: Vec<String>,
    passed: u64,
    failed: u64,
    ignored: u64,
    runner: String,
}

impl Summary {
    fn read(&mut self, line: &str) {
        let line = line.trim();
        if let Some(runner) = line.strip_prefix("Running ").or_else(|| line.strip_prefix("Doc-tests ")) {
            self.runner = runner.split(" (").next().unwrap_or(runner).to_owned();
            if line.starts_with("Doc-tests") {
                self.runner.push_str(" (documentation)");
            }
        }
        let Some(result) = line.strip_prefix("test result: ") else { return };
        self.closings.push(format!("{}: {result}", self.runner));
        self.passed += count(result, "passed");
        self.failed += count(result, "failed");
        self.ignored += count(result, "ignored");
    }
}

/// The number before a word of a closing line.
fn count(result: &str, word: &str) -> u64 {
    let words: Vec<&str> = result.split([' ', ';', '.']).filter(|part| !part.is_empty()).collect();
    words
        .windows(2)
        .find_map(|pair| match pair {
            [number, said] if *said == word => number.parse().ok(),
            _ => None,
        })
        .unwrap_or(0)
}

pub(crate) fn run(arguments: &[String]) -> Outcome {
    setup::run(&[])?;
    let mut words = vec!["test", "--workspace", "--locked", "--no-fail-fast"];
    words.extend(arguments.iter().map(String::as_str));
    let mut summary = Summary::default();
    let is_success = cargo(&words).watch(|line| summary.read(line))?;
    println!("\n{}", summary.closings.join("\n"));
    println!(
        "tests: {} passed, {} failed, {} ignored, by {} runners",
        summary.passed,
        summary.failed,
        summary.ignored,
        summary.closings.len()
    );
    match (is_success, summary.passed) {
        (true, 1..) => Ok(()),
        (true, _) => Err("no test was run".to_owned()),
        (false, _) => Err("tests failed".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_lines_are_counted_by_runner() {
        let mut summary = Summary::default();
        for line in [
            "     Running unittests src/lib.rs (target/debug/deps/ralplan_core-0)",
            "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s",
            "   Doc-tests ralplan_core",
            "test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s",
        ] {
            summary.read(line);
        }
        assert_eq!((summary.passed, summary.failed, summary.ignored), (15, 2, 1));
        assert!(summary.closings[0].starts_with("unittests src/lib.rs: ok."), "{:?}", summary.closings);
        assert!(
            summary.closings[1].starts_with("ralplan_core (documentation): FAILED."),
            "{:?}",
            summary.closings
        );
    }
}
