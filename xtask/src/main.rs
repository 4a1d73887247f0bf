//! One command line for developers: `cargo xtask COMMAND`.
#![forbid(unsafe_code)]

mod bench;
mod check;
mod generate;
mod program;
mod setup;
mod test;

use std::process::ExitCode;

/// What went wrong, in words for a person.
type Outcome = Result<(), String>;

/// A command of this program.
struct Command {
    word: &'static str,
    does: &'static str,
    run: fn(&[String]) -> Outcome,
}

const COMMANDS: &[Command] = &[
    Command {
        word: "setup",
        does: "add what building and testing need: target, components, packages",
        run: setup::run,
    },
    Command {
        word: "test",
        does: "set up, then run every test and example in the documentation",
        run: test::run,
    },
    Command { word: "generate", does: "write the generated files again", run: generate::run },
    Command {
        word: "check",
        does: "formatting, lints, generated files, documentation, licences, house rules",
        run: check::run,
    },
    Command { word: "bench", does: "run the benchmarks", run: bench::run },
    Command { word: "ci", does: "test, then check", run: ci },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((word, rest)) = arguments.split_first() else {
        eprint!("{}", help());
        return ExitCode::from(2);
    };
    if ["help", "--help", "-h"].contains(&word.as_str()) {
        print!("{}", help());
        return ExitCode::SUCCESS;
    }
    let Some(command) = COMMANDS.iter().find(|command| command.word == word) else {
        eprint!("unknown command `{word}`\n\n{}", help());
        return ExitCode::from(2);
    };
    match (command.run)(rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask {word}: {message}");
            ExitCode::FAILURE
        }
    }
}

fn help() -> String {
    let rows = COMMANDS.iter().map(|command| format!("  {:<9} {}\n", command.word, command.does));
    format!("cargo xtask COMMAND\n\n{}", rows.collect::<String>())
}

fn ci(arguments: &[String]) -> Outcome {
    test::run(arguments)?;
    check::run(arguments)
}
