//! `bench`: the benchmarks of the tests package.

use crate::Outcome;
use crate::program::cargo;

pub(crate) fn run(arguments: &[String]) -> Outcome {
    let mut words = vec!["bench", "--package", "ralplan-tests", "--benches", "--locked"];
    if !arguments.is_empty() {
        words.push("--");
        words.extend(arguments.iter().map(String::as_str));
    }
    cargo(&words).run()
}
