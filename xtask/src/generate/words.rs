//! The page of words: one word, one meaning, wherever it stands.

use std::fmt::Write;

use ralplan_core::run::COMMANDS;

struct Word {
    word: &'static str,
    /// The command of the core, when there is one.
    command: &'static str,
    /// The verb of the command line, when there is one.
    verb: &'static str,
    meaning: &'static str,
}

const fn word(word: &'static str, command: &'static str, verb: &'static str, meaning: &'static str) -> Word {
    Word { word, command, verb, meaning }
}

const WORDS: &[Word] = &[
    word(
        "protocol",
        "",
        "protocols",
        "the rules of a run, written as data: roles, stages, order, words, budgets, files",
    ),
    word(
        "run",
        "start",
        "run, new",
        "one effort to plan one task under one protocol; has a run id and an owner session",
    ),
    word(
        "owner session",
        "transfer",
        "",
        "the session a run belongs to; only a recorded transfer changes it. `actor.session_id` is another thing: who acts",
    ),
    word(
        "ledger",
        "",
        "log",
        "the record of a run: one line per entry, each bound to the line before by its hash; the only truth about the run",
    ),
    word("entry", "", "log", "one line of a ledger; one accepted command writes exactly one"),
    word("projection", "", "", "any file that is made from the ledger; it may be deleted and comes back"),
    word(
        "witness",
        "",
        "",
        "what a host remembers of the end of a ledger: place, hash, length; never a state",
    ),
    word(
        "health",
        "recover",
        "doctor",
        "what may be done with a ledger: ok, torn, broken, newer, rules_unsupported, shortened",
    ),
    word("command", "", "", "what a host asks the core to do"),
    word("decision", "", "", "the answer: accepted, duplicate, refused or exhausted"),
    word(
        "reason",
        "",
        "explain",
        "why something was refused or let pass with a warning: code, place, expected, found, remedy",
    ),
    word(
        "effect",
        "",
        "",
        "what a host must do after a decision, in the given order: repair, stage, append, publish, remove",
    ),
    word(
        "receipt",
        "",
        "check-receipt",
        "proof of one accepted command; can be checked against the ledger at any time",
    ),
    word(
        "observed",
        "",
        "",
        "what a host saw because the core asked for it; what supports a finding is its evidence",
    ),
    word(
        "role",
        "",
        "",
        "a part in the protocol: author or reviewer; besides there are the leader and the person",
    ),
    word(
        "stage",
        "write",
        "write",
        "a step of the protocol that leaves one artifact; its kind fixes what must come before",
    ),
    word("slot", "", "", "the place of one artifact: stage and number, for a second pass also the pass"),
    word(
        "stage number",
        "",
        "",
        "the caller's number of a slot; equals the iteration or is a free label, as the protocol says",
    ),
    word("context", "write", "write", "kind of stage: what a draft is based on"),
    word(
        "draft",
        "write",
        "write",
        "kind of stage: a version of the plan; opens an iteration and voids the verdicts before",
    ),
    word("review", "write", "write", "kind of stage: what one reviewer says about the current draft"),
    word(
        "disposition",
        "write",
        "write",
        "kind of stage: how a conflict of reviewers was settled, by whom and why",
    ),
    word("reconciliation", "write", "write", "kind of stage: what a person said about the open items"),
    word(
        "record",
        "write",
        "write",
        "kind of stage: a further closing document, for example the decision record",
    ),
    word(
        "final",
        "write",
        "write",
        "kind of stage: the reviewed draft, byte for byte, with closing sections behind it",
    ),
    word("iteration", "", "status", "what a draft opens; also called round or cycle elsewhere"),
    word("lane", "", "status", "the track of one reviewer through the run"),
    word("pass", "", "status", "one review in a lane; counted over the whole run, never reset"),
    word("verdict", "", "", "the word of a reviewer on each axis of its role; the worst class counts"),
    word("class", "", "", "what a verdict word means: approve, revise or reject"),
    word(
        "finding",
        "",
        "",
        "one observation of a reviewer on one place of the plan, with severity info, watch or block",
    ),
    word("conflict", "", "", "two findings of different roles that cannot both be followed"),
    word("join", "", "status", "the moment when all required reviews of a draft are in"),
    word(
        "consensus",
        "",
        "status",
        "every required lane approves the same draft, and nothing calls for another",
    ),
    word("exhausted", "", "status", "the last iteration is used and somebody still wants another"),
    word(
        "stuck",
        "",
        "status",
        "exhausted and pinned: nothing more is opened, admitted or approved in this run",
    ),
    word(
        "assignment",
        "assign",
        "assign",
        "what a role is handed for one pass: prompt, files to read, a token that serves once",
    ),
    word(
        "assurance",
        "",
        "status",
        "how an actor is known: claimed, witnessed, driven or terminal, weakest first",
    ),
    word("channel", "", "", "through which a person acted: terminal, host_ui or flag"),
    word(
        "open item",
        "answer",
        "answer",
        "something the plan assumes or leaves open; a person confirms, corrects or defers it",
    ),
    word(
        "waiver",
        "waive_review",
        "waive-review",
        "a person lets a draft go on without reviewers; visible from then on, never admitted automatically",
    ),
    word(
        "approval",
        "approval",
        "approve, request-changes, reject, stop",
        "a person's answer to one exact plan",
    ),
    word(
        "admission",
        "",
        "",
        "what lets a plan go on to execution: a person's approval or a setting that a person made before",
    ),
    word(
        "handoff",
        "handoff",
        "handoff",
        "passing an admitted plan to a target; `ready`, then `dispatch`, which closes the run",
    ),
    word(
        "quality gate",
        "record",
        "",
        "a further check after the reviews; a join is no gate, and the check of vague requests is the intake",
    ),
    word(
        "failed attempt",
        "record",
        "",
        "an agent was started and delivered nothing usable; recorded, never an approval",
    ),
    word(
        "phase",
        "record",
        "",
        "where a run stands; also the steps that some protocols have after the handoff. Never a stage",
    ),
    word(
        "setting",
        "configure",
        "",
        "a value that a person or a file gave, pinned in the ledger with its source",
    ),
    word("note", "annotate", "", "text in the ledger that no decision reads"),
    word(
        "foreign slot",
        "import",
        "",
        "a file of another program in a slot; it only takes away: the slot, a share of the budget",
    ),
    word(
        "recovery",
        "recover",
        "doctor --accept",
        "accepting that entries are lost; recorded with what was lost",
    ),
    word("cancel", "cancel", "cancel", "ends a sound run; its record stays"),
    word("clear", "", "clear", "a host's act: cancels a sound run, sets a broken ledger aside"),
    word("enforcement", "configure", "", "which softenable codes only warn in a run"),
    word(
        "marker",
        "",
        "",
        "a fixed line that is printed when a milestone is reached, where the protocol has one",
    ),
];

pub(super) fn page() -> String {
    let mut page = "# Words\n\n".to_owned();
    page.push_str(
        "A word means the same in the ledger, in the core, on the command line and in these pages. Fields of data are \
         spelled as they are on disk, in every language.\n\n\
         | word | command | `ralplan` | meaning |\n| --- | --- | --- | --- |\n",
    );
    let code = |words: &str| {
        let words: Vec<String> =
            words.split(", ").filter(|word| !word.is_empty()).map(|word| format!("`{word}`")).collect();
        words.join(", ")
    };
    for Word { word, command, verb, meaning } in WORDS {
        let _ = writeln!(page, "| {word} | {} | {} | {meaning} |", code(command), code(verb));
    }
    let _ = writeln!(
        page,
        "\nThe commands of the core are {}.",
        COMMANDS.iter().map(|command| format!("`{command}`")).collect::<Vec<_>>().join(", ")
    );
    page
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_command_has_a_word_and_no_word_is_listed_twice() {
        for command in COMMANDS {
            assert!(WORDS.iter().any(|word| word.command == *command), "{command}");
        }
        for word in WORDS {
            assert!(word.command.is_empty() || COMMANDS.contains(&word.command), "{}", word.command);
        }
        let words: BTreeSet<&str> = WORDS.iter().map(|word| word.word).collect();
        assert_eq!(words.len(), WORDS.len());
    }
}
