//! The cases behind the vectors, one file per family of rules.
//!
//! A case says what is right, which code it is about, whether that code fires and how the last command is decided. All
//! of that is written by hand; only the exact answer is generated.

mod bases;
mod content;
mod files;
mod identity;
mod input;
mod open;
mod order;
mod person;
mod plan;
mod review;
mod runs;

pub use bases::lean;

use ralplan_core::json::to_canonical;
use ralplan_core::run::Observed;
use serde_json::{Map, Value, json};

use crate::script::Script;
use crate::vectors::Vector;

/// A case that plays commands; its vector holds the last one, and the ledger before it.
struct Case {
    file: &'static str,
    name: &'static str,
    code: &'static str,
    fires: bool,
    outcome: &'static str,
    /// True when the vector holds every command from the start.
    is_whole: bool,
    play: fn(&mut Script),
}

/// The code fires and the command is refused.
const fn refused(file: &'static str, code: &'static str, name: &'static str, play: fn(&mut Script)) -> Case {
    Case { file, name, code, fires: true, outcome: "refused", is_whole: false, play }
}

/// The code fires and a budget is used up.
const fn exhausted(
    file: &'static str,
    code: &'static str,
    name: &'static str,
    play: fn(&mut Script),
) -> Case {
    Case { file, name, code, fires: true, outcome: "exhausted", is_whole: false, play }
}

/// The code fires and only warns.
const fn warned(file: &'static str, code: &'static str, name: &'static str, play: fn(&mut Script)) -> Case {
    Case { file, name, code, fires: true, outcome: "accepted", is_whole: false, play }
}

/// The code does not fire and the command is accepted.
const fn accepted(file: &'static str, code: &'static str, name: &'static str, play: fn(&mut Script)) -> Case {
    Case { file, name, code, fires: false, outcome: "accepted", is_whole: false, play }
}

/// The code does not fire, because it is the same act again.
const fn duplicate(
    file: &'static str,
    code: &'static str,
    name: &'static str,
    play: fn(&mut Script),
) -> Case {
    Case { file, name, code, fires: false, outcome: "duplicate", is_whole: false, play }
}

impl Case {
    fn vector(&self) -> Vector {
        let mut script = Script::new();
        (self.play)(&mut script);
        let last = script.commands.len().saturating_sub(1);
        let from = if self.is_whole { 0 } else { last };
        let mut asked = Map::new();
        let ledger =
            script.before.get(from).and_then(|bytes| script.ledger.get(..*bytes)).unwrap_or_default();
        if !ledger.is_empty() {
            asked.insert("ledger".to_owned(), json!(ledger));
        }
        let commands = script.commands.get(from..).unwrap_or_default();
        asked.insert("commands".to_owned(), json!(commands));
        let observed = script.observed.get(from..).unwrap_or_default();
        if observed.iter().any(|seen| *seen != Observed::default()) {
            asked.insert("observed".to_owned(), json!(observed));
        }
        asked.insert("kind".to_owned(), json!("decide"));
        self.asked(Value::Object(asked))
    }

    fn asked(&self, asked: Value) -> Vector {
        Vector {
            file: self.file.to_owned(),
            name: self.name.to_owned(),
            code: self.code.to_owned(),
            fires: self.fires,
            outcome: self.outcome.to_owned(),
            asked,
        }
    }
}

/// A vector of another kind than `decide`.
fn asking(file: &str, code: &str, name: &str, outcome: &str, fires: bool, asked: Value) -> Vector {
    Vector {
        file: file.to_owned(),
        name: name.to_owned(),
        code: code.to_owned(),
        fires,
        outcome: outcome.to_owned(),
        asked,
    }
}

/// The canonical text of a value.
fn canonical(value: &Value) -> String {
    to_canonical(value).expect("a value without fractions")
}

/// All vectors.
#[must_use]
pub fn all() -> Vec<Vector> {
    let cases = [
        order::CASES,
        identity::CASES,
        review::CASES,
        content::CASES,
        person::CASES,
        plan::CASES,
        input::CASES,
        runs::CASES,
    ];
    let mut vectors: Vec<Vector> = cases.into_iter().flatten().map(Case::vector).collect();
    vectors.extend(input::parsing());
    vectors.extend(input::protocols());
    vectors.extend(open::vectors());
    vectors.extend(files::vectors());
    vectors
}
