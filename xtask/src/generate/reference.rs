//! Pages about reason codes, rules and limits, from the tables of the engine.

use std::fmt::Write;

use ralplan_core::limits::LIMITS;
use ralplan_core::reason::{CODES, CodeClass, CodeRow};
use ralplan_core::run::{Moment, RULES};

/// The families of codes in reading order: name, title, and who raises what no rule raises.
const FAMILIES: &[(&str, &str, &str)] = &[
    ("order", "Order of stages", "the rules"),
    ("identity", "Who acts", "reading the artifact"),
    ("review", "Reviews", "the rules"),
    ("verdict", "Verdicts", "reading the artifact"),
    ("finding", "Findings", "the rules"),
    ("pushback", "Pushback", "the rules"),
    ("document", "Documents", "the rules"),
    ("interview", "Open items", "the rules"),
    ("final", "The final", "the rules"),
    ("approval", "Approval", "reading the command"),
    ("admission", "Admission", "the reason inside a final, when automatic admission is off"),
    ("handoff", "Handoff", "the rules"),
    ("budget", "Budgets", "`decide`, after the rules"),
    ("slot", "Slots", "`decide`, before the rules"),
    ("run", "Runs", "`decide`, before the rules"),
    ("ledger", "Ledgers", "opening, committing or verifying a ledger"),
    ("receipt", "Receipts", "`check_receipt`, `verify`"),
    ("input", "Input", "reading the input"),
    ("path", "Paths", "checks of paths"),
    ("store", "Stores", "a host"),
    ("agent", "Agents", "a host"),
];

fn family(row: &CodeRow) -> &'static str {
    row.name.split('.').next().unwrap_or(row.name)
}

fn class(class: CodeClass) -> &'static str {
    match class {
        CodeClass::Fixed => "fixed",
        CodeClass::Softenable => "softenable",
        CodeClass::Host => "host",
    }
}

/// Names of the rules that can raise a code, else who does.
fn raised_by(row: &CodeRow, otherwise: &str) -> String {
    let rules: Vec<String> = RULES
        .iter()
        .filter(|rule| rule.codes.contains(&row.code))
        .map(|rule| format!("rule `{}`", rule.name))
        .collect();
    match (rules.is_empty(), row.class) {
        (false, _) => rules.join(", "),
        (true, CodeClass::Host) => "a host".to_owned(),
        (true, _) => otherwise.to_owned(),
    }
}

pub(super) fn reasons() -> String {
    let mut page = "# Reason codes\n\n".to_owned();
    page.push_str(
        "Whatever is refused or warned about carries a code from this list. Codes are stable: a code keeps its meaning, \
         and a new meaning gets a new code.\n\n\
         - **fixed** codes always refuse.\n\
         - **softenable** codes refuse unless the protocol or the settings of the run list them under `warn`; then the \
         step passes and the warning is part of the entry.\n\
         - **host** codes come from a host around the core: its store, its agents, its command line.\n\n",
    );
    let _ = writeln!(page, "{} codes in {} families.", CODES.len(), FAMILIES.len());
    for (name, title, otherwise) in FAMILIES {
        let _ = writeln!(page, "\n## {title}: `{name}.*`\n");
        page.push_str(
            "| code | class | meaning | what to do | raised by |\n| --- | --- | --- | --- | --- |\n",
        );
        for row in CODES.iter().filter(|row| family(row) == *name) {
            let (meaning, remedy) = (cell(row.meaning), cell(row.remedy));
            let _ = writeln!(
                page,
                "| `{}` | {} | {meaning} | {remedy} | {} |",
                row.name,
                class(row.class),
                raised_by(row, otherwise)
            );
        }
    }
    page
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

pub(super) fn rules() -> String {
    let mut page = "# Rules\n\n".to_owned();
    page.push_str(
        "`decide` walks this list from top to bottom and reports every objection. `next` walks the same list to say what \
         is legal, and `verify` walks it again for every entry of a ledger. `ralplan explain --rules` prints it.\n\n\
         A *precondition* can speak before there is an artifact; it looks at the slot alone. A *content* rule needs what \
         was written.\n\n",
    );
    page.push_str(
        "| | rule | demands | looks at | moment | codes |\n| --- | --- | --- | --- | --- | --- |\n",
    );
    for (index, rule) in RULES.iter().enumerate() {
        let moment = match rule.moment {
            Moment::Precondition => "precondition",
            Moment::Content => "content",
        };
        let codes: Vec<String> = rule.codes.iter().map(|code| format!("`{}`", code.name())).collect();
        let _ = writeln!(
            page,
            "| {} | `{}` | {} | {} | {moment} | {} |",
            index + 1,
            rule.name,
            cell(rule.demands),
            rule.events.join(", "),
            codes.join(", ")
        );
    }
    page.push_str(
        "\nBefore the rules, `decide` checks the form of the command, the health of the ledger, the owner and the slot; \
         after them, the budgets. A retry of what the ledger already holds is answered as a duplicate before any rule \
         is asked. Conflicts, the ratchet, context bundles, continuity and quality gates have their place in the list \
         and no rule yet.\n",
    );
    page
}

pub(super) fn limits() -> String {
    let mut page = "# Limits\n\n".to_owned();
    page.push_str("The largest value of each kind that is accepted, and the code that reports one more.\n\n");
    page.push_str("| what | limit | code |\n| --- | --- | --- |\n");
    for limit in LIMITS {
        let _ = writeln!(page, "| {} | {} | `{}` |", limit.what, thousands(limit.value), limit.code);
    }
    let _ = writeln!(
        page,
        "| bytes of one JSON text | {} | `input.too_large` |",
        thousands(wide(ralplan_core::json::MAX_BYTES))
    );
    let _ = writeln!(
        page,
        "| arrays and objects open at once | {} | `input.too_deep` |",
        thousands(wide(ralplan_core::json::MAX_DEPTH))
    );
    let _ =
        writeln!(page, "| whole number | {} | `input.number` |", thousands(ralplan_core::json::MAX_INTEGER));
    page.push_str(
        "\nThe size of an artifact and the ranges of the budgets are the protocol's: `budgets.artifact_bytes` \
         (`budget.artifact_bytes`), `budgets.iterations` (at most 20) and `budgets.passes_per_lane` (at most 10).\n\n",
    );
    let _ = writeln!(
        page,
        "A decision names at most {} reasons. The last 10 entries of a ledger are kept for what ends a run: approval, \
         handoff, cancel.",
        ralplan_core::limits::REASONS
    );
    page
}

fn wide(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

/// A number with its thousands apart.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 2);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_belongs_to_a_listed_family() {
        for row in CODES {
            assert!(FAMILIES.iter().any(|(name, ..)| *name == family(row)), "{}", row.name);
        }
        for (name, ..) in FAMILIES {
            assert!(CODES.iter().any(|row| family(row) == *name), "{name} has no code");
        }
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(
            ["1", "12", "1234", "1234567"].map(|text| thousands(text.parse().unwrap())),
            ["1", "12", "1,234", "1,234,567"]
        );
    }
}
