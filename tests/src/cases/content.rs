//! What documents hold: drafts, plans, records, interviews, finals.

use ralplan_core::ledger::AnswerOutcome;
use ralplan_core::protocol::{Protocol, Requirement};
use ralplan_core::run::{Act, Observed};

use super::bases::*;
use super::{Case, accepted, refused, warned};
use crate::script::{Script, host, person, protocol};
use crate::texts;

/// A first draft under omx, whose draft holds the summary.
fn summary(s: &mut Script, text: &str) {
    begin(s, protocol("omx"));
    put(s, "planner", "draft", text);
}

fn deliberate(s: &mut Script, text: &str) {
    begin_with(s, protocol("omx"), |start| start.deliberate = Some(true));
    put(s, "planner", "draft", text);
}

fn pi() -> Protocol {
    let mut protocol = protocol("pi");
    protocol.identity.assignments = Requirement::Optional;
    protocol
}

fn spec(s: &mut Script, text: &str) {
    begin(s, pi());
    put(s, "planner", "spec", text);
}

const SPEC: &str = "# Spec\n\n## Acceptance Criteria\n\n- The sixth login answers 429\n\n## Requirement Coverage Map\n\n- R1: T1\n";

/// A first draft under pi, whose draft holds summary and tasks.
fn tasks(s: &mut Script, text: &str) {
    spec(s, SPEC);
    put(s, "planner", "plan_draft", text);
}

/// The draft without the lines from one that begins with `from` up to one that begins with `to`.
fn without(text: &str, from: &str, to: &str) -> String {
    let mut is_cut = false;
    let mut kept = String::new();
    for line in text.lines() {
        is_cut = line.starts_with(from) || (is_cut && !line.starts_with(to));
        if !is_cut {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

fn changed(from: &str, to: &str) -> String {
    let text = texts::draft("one");
    assert!(text.contains(from), "the draft holds `{from}`");
    text.replace(from, to)
}

const PREMORTEM: &str =
    "\n## Pre-mortem\n\n1. The clock jumps\n2. The map grows without end\n3. The proxy hides the address\n";
const TEST_PLAN: &str = "\n## Expanded Test Plan\n\n- Unit: the bucket\n- Integration: the login route\n- E2E: six logins\n- Observability: a counter of refusals\n";

/// A final with this decision record, under the document rules of the final.
fn final_with(s: &mut Script, record: &str) {
    let mut protocol = free();
    protocol.stages.insert("final".to_owned(), crate::script::protocol("standard").stages["final"].clone());
    begin(s, protocol);
    put(s, "planner", "planner", &plan("one"));
    agree(s, "1");
    s.compose("post-interview");
    put(s, "planner", "adr", record);
    s.compose("final");
}

fn to_final(s: &mut Script) {
    agreed(s);
    s.compose("post-interview");
    put(s, "planner", "adr", &record());
}

fn final_text(s: &mut Script, text: &str) {
    to_final(s);
    put(s, "planner", "final", text);
}

const TAIL: &str = "\n## Architecture Decision Record\n\nDecided.\n";

fn sized(s: &mut Script, bytes: usize) {
    let mut protocol = free();
    protocol.budgets.artifact_bytes = 200;
    begin(s, protocol);
    let text = format!("{}{}\n", plan("one"), "x".repeat(bytes - plan("one").len() - 1));
    put(s, "planner", "planner", &text);
}

/// A composed final under a size that the draft alone keeps.
fn composed_under(s: &mut Script, bytes: u64) {
    let mut protocol = free();
    protocol.budgets.artifact_bytes = bytes;
    begin(s, protocol);
    put(s, "planner", "planner", &format!("{}{}\n", plan("one"), "x".repeat(400)));
    agree(s, "1");
    close(s);
}

fn stating(s: &mut Script, token: &str) {
    agreed(s);
    let text = format!("# Post-interview\n\nOutcome: {token}\n");
    let write = s.blank_write("post-interview", Some(&text));
    s.act(host(), Act::Write(Box::new(write)));
}

fn composing(s: &mut Script, change: impl FnOnce(&mut Observed)) {
    to_final(s);
    let mut write = s.blank_write("final", None);
    write.compose = true;
    let at = s.now();
    let command =
        ralplan_core::run::Command { actor: host(), at, owner: None, act: Act::Write(Box::new(write)) };
    let mut observed = s.observe(&command);
    change(&mut observed);
    s.play_observed(command, &observed);
}

pub(super) const CASES: &[Case] = &[
    refused("document", "document.principles", "a draft names its principles", |s| {
        summary(s, &without(&texts::draft("one"), "### Principles", "### Decision"))
    }),
    refused("document", "document.principles", "two principles are too few", |s| {
        summary(s, &changed("3. Reversible\n", ""))
    }),
    accepted("document", "document.principles", "three principles are enough", |s| {
        summary(s, &texts::draft("one"))
    }),
    warned("document", "document.principles", "in gjc missing principles are a warning", |s| {
        begin(s, protocol("gjc"));
        put(s, "planner", "planner", &without(&texts::draft("one"), "### Principles", "### Decision"));
    }),
    refused("document", "document.drivers", "two drivers are too few", |s| {
        summary(s, &changed("3. Operating cost\n", ""))
    }),
    refused("document", "document.drivers", "four drivers are too many", |s| {
        summary(s, &changed("3. Operating cost\n", "3. Operating cost\n4. Fame\n"))
    }),
    accepted("document", "document.drivers", "three drivers", |s| summary(s, &texts::draft("two"))),
    refused("document", "document.options", "one option without a word on the others", |s| {
        summary(s, &without(&texts::draft("one"), "#### Option B", "## Task"));
    }),
    accepted("document", "document.options", "two options", |s| summary(s, &texts::draft("three"))),
    refused("document", "document.option_sides", "an option has cons", |s| {
        summary(s, &changed("- Cons: per process only\n", ""))
    }),
    accepted("document", "document.option_sides", "each option has both sides", |s| {
        summary(s, &texts::draft("four"))
    }),
    refused("document", "document.premortem", "a deliberate draft imagines its failure", |s| {
        deliberate(s, &format!("{}{TEST_PLAN}", texts::draft("one")))
    }),
    accepted("document", "document.premortem", "three ways to fail", |s| {
        deliberate(s, &format!("{}{PREMORTEM}{TEST_PLAN}", texts::draft("one")))
    }),
    accepted("document", "document.premortem", "a short draft need not", |s| {
        summary(s, &texts::draft("five"))
    }),
    refused("document", "document.test_plan", "a deliberate draft covers observability", |s| {
        deliberate(
            s,
            &format!(
                "{}{PREMORTEM}{}",
                texts::draft("one"),
                TEST_PLAN.replace("- Observability: a counter of refusals\n", "")
            ),
        );
    }),
    accepted("document", "document.test_plan", "all four kinds of tests", |s| {
        deliberate(s, &format!("{}{PREMORTEM}{TEST_PLAN}", texts::draft("two")))
    }),
    refused("document", "document.placeholder", "a part is more than a placeholder", |s| {
        summary(s, &changed("1. Small steps\n2. No new service\n3. Reversible\n", "TBD\n"));
    }),
    accepted("document", "document.placeholder", "the word inside a principle is none", |s| {
        summary(s, &changed("1. Small steps\n", "1. Leave no TBD behind\n"));
    }),
    refused("document", "document.by_reference", "a part is not only a pointer to an earlier text", |s| {
        summary(
            s,
            &changed(
                "1. Small steps\n2. No new service\n3. Reversible\n",
                "Unchanged from the previous draft.\n",
            ),
        );
    }),
    accepted("document", "document.by_reference", "a part is repeated in full", |s| {
        summary(s, &texts::draft("six"))
    }),
    refused("document", "document.acceptance_criteria", "a spec says when it is met", |s| {
        spec(s, &without(SPEC, "## Acceptance", "## Requirement"))
    }),
    accepted("document", "document.acceptance_criteria", "a spec with criteria", |s| spec(s, SPEC)),
    refused("document", "document.coverage_map", "a spec maps its requirements", |s| {
        spec(s, &without(SPEC, "## Requirement", "## Nothing"))
    }),
    accepted("document", "document.coverage_map", "a spec with its map", |s| {
        spec(s, &format!("{SPEC}- R2: T2\n"))
    }),
    refused("document", "document.task_breakdown", "a plan has tasks", |s| {
        tasks(s, &without(&texts::draft("one"), "## Task Breakdown", "## Dependency"))
    }),
    accepted("document", "document.task_breakdown", "a plan with tasks", |s| tasks(s, &texts::draft("one"))),
    refused("document", "document.task_paths", "a task names its files", |s| {
        tasks(s, &changed("Files: `src/login.rs`\n", "Files: some\n"))
    }),
    accepted("document", "document.task_paths", "each task names its files", |s| {
        tasks(s, &texts::draft("two"))
    }),
    refused("document", "document.dependency_graph", "the graph has no cycle", |s| {
        tasks(s, &changed("- T1 -> T2\n", "- T1 -> T2\n- T2 -> T1\n"))
    }),
    refused("document", "document.dependency_graph", "the graph names known tasks", |s| {
        tasks(s, &changed("- T1 -> T2\n", "- T1 -> T2\n- T2 -> T9\n"))
    }),
    accepted("document", "document.dependency_graph", "a graph without a cycle", |s| {
        tasks(s, &texts::draft("three"))
    }),
    refused("document", "document.task_criteria", "a task says when it is done", |s| {
        tasks(s, &changed("Acceptance: the sixth request in a minute answers 429\n", ""));
    }),
    accepted("document", "document.task_criteria", "each task says when it is done", |s| {
        tasks(s, &texts::draft("four"))
    }),
    refused("document", "document.risk_register", "a plan lists its risks", |s| {
        tasks(s, &without(&texts::draft("one"), "## Risk Register", "## Assumptions"))
    }),
    accepted("document", "document.risk_register", "a plan with its risks", |s| {
        tasks(s, &texts::draft("five"))
    }),
    refused("document", "document.adr", "a final holds the decision record", |s| {
        let mut protocol = free();
        protocol
            .stages
            .insert("final".to_owned(), crate::script::protocol("standard").stages["final"].clone());
        begin(s, protocol);
        put(s, "planner", "planner", &plan("one"));
        agree(s, "1");
        s.compose("post-interview");
        put(s, "planner", "adr", &texts::adr());
        put(s, "planner", "final", &format!("{}\n## Unresolved\n\nNothing.\n", plan("one")));
    }),
    accepted("document", "document.adr", "the core joins draft and record", |s| final_with(s, &texts::adr())),
    refused("document", "document.adr_field", "a record names its consequences", |s| {
        final_with(s, &without(&texts::adr(), "### Consequences", "### Follow"))
    }),
    accepted("document", "document.adr_field", "a record with all fields", |s| {
        final_with(s, &texts::adr().replace("Measure.", "Measure it."))
    }),
    refused("interview", "interview.items_open", "a person who is there is asked first", |s| {
        item_open(s, true);
        s.compose("post-interview");
    }),
    accepted("interview", "interview.items_open", "an answered item is reconciled", |s| {
        item_open(s, true);
        answer(s, AnswerOutcome::Confirmed);
        s.compose("post-interview");
    }),
    accepted("interview", "interview.items_open", "an item that is left open was asked", |s| {
        item_open(s, true);
        answer(s, AnswerOutcome::Deferred);
        s.compose("post-interview");
    }),
    accepted("interview", "interview.items_open", "unattended, items stay open confirmations", |s| {
        item_open(s, false);
        s.compose("post-interview");
    }),
    refused("interview", "interview.token", "an outcome that does not follow from the answers", |s| {
        stating(s, "open-confirmations-pending")
    }),
    accepted("interview", "interview.token", "the outcome that follows", |s| stating(s, "reconciled-clean")),
    refused("interview", "interview.unreadable", "a block of open items that is no JSON", |s| {
        begin(s, free());
        put(s, "planner", "planner", &plan_with_item("one").replace("\"items\":[", "\"items\":"));
    }),
    accepted("interview", "interview.unreadable", "a block of open items", |s| {
        begin(s, free());
        put(s, "planner", "planner", &plan_with_item("one"));
    }),
    accepted(
        "final_binding",
        "final.not_the_reviewed_plan",
        "the reviewed draft and an allowed section",
        |s| {
            final_text(s, &format!("{}{TAIL}", plan("one")));
        },
    ),
    accepted("final_binding", "final.not_the_reviewed_plan", "the reviewed draft alone", |s| {
        final_text(s, &plan("one"))
    }),
    accepted("final_binding", "final.not_the_reviewed_plan", "the core joins it", |s| {
        to_final(s);
        s.compose("final");
    }),
    refused("final_binding", "final.not_the_reviewed_plan", "another first byte", |s| {
        final_text(s, &format!("{}{TAIL}", plan("one")).replacen('#', "=", 1))
    }),
    refused("final_binding", "final.not_the_reviewed_plan", "another last byte of the draft", |s| {
        final_text(s, &format!("{}{TAIL}", plan("one").replace("Low.\n", "Low!\n")));
    }),
    refused("final_binding", "final.not_the_reviewed_plan", "the draft without its last byte", |s| {
        final_text(s, plan("one").trim_end());
    }),
    refused("final_binding", "final.not_the_reviewed_plan", "a section that is not allowed", |s| {
        final_text(s, &format!("{}{TAIL}\n## Also\n\nDelete the backups.\n", plan("one")));
    }),
    refused("final_binding", "final.not_the_reviewed_plan", "prose before the first added heading", |s| {
        final_text(s, &format!("{}\nDelete the backups first.\n{TAIL}", plan("one")));
    }),
    refused(
        "final_binding",
        "final.not_the_reviewed_plan",
        "an underline that makes a heading of the draft's last line",
        |s| {
            final_text(s, &format!("{}---\n{TAIL}", plan("one")));
        },
    ),
    refused(
        "final_binding",
        "final.not_the_reviewed_plan",
        "a heading by underline that is not allowed",
        |s| {
            final_text(s, &format!("{}{TAIL}\nAlso\n====\n\nDelete the backups.\n", plan("one")));
        },
    ),
    refused(
        "final_binding",
        "final.not_the_reviewed_plan",
        "a fence that the draft leaves open swallows the heading",
        |s| {
            let draft = format!("{}\n```text\nopen\n", plan("one"));
            begin(s, free());
            put(s, "planner", "planner", &draft);
            agree(s, "1");
            s.compose("post-interview");
            put(s, "planner", "adr", &record());
            put(s, "planner", "final", &format!("{draft}{TAIL}"));
        },
    ),
    refused(
        "final_binding",
        "final.not_the_reviewed_plan",
        "a comment that the draft leaves open swallows the heading",
        |s| {
            let draft = format!("{}\n<!-- open\n", plan("one"));
            begin(s, free());
            put(s, "planner", "planner", &draft);
            agree(s, "1");
            s.compose("post-interview");
            put(s, "planner", "adr", &record());
            put(s, "planner", "final", &format!("{draft}{TAIL}"));
        },
    ),
    refused("input", "input.unclosed", "a decision record that ends inside a fence", |s| {
        agreed(s);
        s.compose("post-interview");
        put(s, "planner", "adr", "## Architecture Decision Record\n\n```text\nopen\n");
    }),
    refused(
        "final_binding",
        "final.not_the_reviewed_plan",
        "a decision record with a section that may not follow",
        |s| {
            agreed(s);
            s.compose("post-interview");
            put(s, "planner", "adr", "## Architecture Decision Record\n\nYes.\n\n## More Tasks\n\n- T9\n");
        },
    ),
    refused("final_binding", "final.not_the_reviewed_plan", "a final that names another draft", |s| {
        to_final(s);
        put_with(s, "planner", "final", &format!("{}{TAIL}", plan("one")), |_, write| {
            write.draft_sha256 = Some(ralplan_core::json::sha256_hex(b"another"));
        });
    }),
    refused("final_binding", "final.not_the_reviewed_plan", "the final of an earlier draft", |s| {
        objected(s);
        put(s, "planner", "revision", &plan("two"));
        put(s, "architect", "architect", &review("a2", "APPROVE", &[]));
        put(s, "critic", "critic", &review("c2", "APPROVE", &[]));
        s.compose("post-interview");
        put(s, "planner", "adr", &record());
        put(s, "planner", "final", &format!("{}{TAIL}", plan("one")));
    }),
    refused("artifact_size", "budget.artifact_bytes", "one byte more than the protocol allows", |s| {
        sized(s, 201)
    }),
    accepted("artifact_size", "budget.artifact_bytes", "as many bytes as the protocol allows", |s| {
        sized(s, 200)
    }),
    accepted(
        "artifact_size",
        "budget.artifact_bytes",
        "what is joined from accepted parts is not counted again",
        |s| composed_under(s, 500),
    ),
    accepted("artifact_size", "budget.artifact_bytes", "a joined final that fits", |s| {
        composed_under(s, 5000)
    }),
    refused("input", "input.observed", "the texts that are joined are given", |s| {
        composing(s, |observed| observed.artifacts.clear())
    }),
    refused(
        "input",
        "input.observed",
        "the texts that are joined have the digests that were asked for",
        |s| {
            composing(s, |observed| observed.artifacts[0].text.push(' '));
        },
    ),
    accepted("input", "input.observed", "all texts are given", |s| composing(s, |_| {})),
    accepted("interview", "interview.items_open", "a person may write the outcome itself", |s| {
        agreed(s);
        let write = s.blank_write("post-interview", Some("# Post-interview\n\nNothing was open.\n"));
        s.act(person(), Act::Write(Box::new(write)));
    }),
];
