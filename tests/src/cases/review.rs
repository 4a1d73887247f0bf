//! What a review says, and about which draft.

use ralplan_core::json::sha256_hex;
use ralplan_core::run::StatedVerdict;

use super::bases::*;
use super::{Case, accepted, refused};
use crate::script::Script;

fn architect(s: &mut Script, text: &str) {
    drafted(s);
    put(s, "architect", "architect", text);
}

fn stated(axis: &str, token: &str) -> Vec<StatedVerdict> {
    vec![StatedVerdict { axis: axis.to_owned(), token: token.to_owned() }]
}

fn with_block(verdict: &str, block: &str) -> String {
    format!("# Review\n\n{verdict}\n\n```ralplan-findings\n{block}\n```\n")
}

const EMPTY: &str = r#"{"schema":"ralplan.findings.v1","findings":[]}"#;

fn pi_drafted(s: &mut Script) {
    let mut protocol = lean("pi");
    protocol.identity.assignments = ralplan_core::protocol::Requirement::Optional;
    begin(s, protocol);
    put(s, "planner", "spec", "# Spec\n");
    put(s, "planner", "plan_draft", &plan("one"));
}

pub(super) const CASES: &[Case] = &[
    refused("review_binding", "review.draft_not_stated", "a review states the draft it read", |s| {
        drafted(s);
        put_with(s, "architect", "architect", &review("a1", "APPROVE", &[]), |_, write| {
            write.draft_sha256 = None;
        });
    }),
    accepted("review_binding", "review.draft_not_stated", "an assignment states the draft", |s| {
        drafted(s);
        assign(s, "architect", None, "token");
        put_with(s, "architect", "architect", &review("a1", "APPROVE", &[]), |_, write| {
            write.draft_sha256 = None;
            write.token = Some("token".to_owned());
        });
    }),
    accepted("review_binding", "review.draft_not_stated", "in gjc the current draft is taken", |s| {
        begin(s, lean("gjc"));
        put(s, "planner", "planner", &plan("one"));
        put_with(s, "architect", "architect", &gjc_review("a1", "CLEAR", "APPROVE"), |_, write| {
            write.draft_sha256 = None;
        });
    }),
    refused(
        "review_binding",
        "review.wrong_draft",
        "a review of an earlier draft is none of this one",
        |s| {
            drafted(s);
            let earlier = draft_digest(s);
            put(s, "architect", "architect", &review("a1", "REVISE", &[("f1", "block")]));
            put(s, "critic", "critic", &review("c1", "APPROVE", &[]));
            put(s, "planner", "revision", &plan("two"));
            put_with(s, "architect", "architect", &review("a2", "APPROVE", &[]), |_, write| {
                write.draft_sha256 = earlier;
            });
        },
    ),
    refused("review_binding", "review.wrong_draft", "in gjc a stated draft is compared", |s| {
        begin(s, lean("gjc"));
        put(s, "planner", "planner", &plan("one"));
        put_with(s, "architect", "architect", &gjc_review("a1", "CLEAR", "APPROVE"), |_, write| {
            write.draft_sha256 = Some(sha256_hex(b"another"));
        });
    }),
    accepted("review_binding", "review.wrong_draft", "a review of the current draft", |s| {
        drafted(s);
        put(s, "architect", "architect", &review("a1", "APPROVE", &[]));
    }),
    refused("verdict", "verdict.missing", "a mention is no verdict", |s| {
        architect(s, &with_block("I would approve this, and APPROVE is the word.", EMPTY));
    }),
    refused("verdict", "verdict.missing", "a verdict inside a fence is none", |s| {
        architect(s, &with_block("```\nVerdict: APPROVE\n```", EMPTY));
    }),
    refused("verdict", "verdict.missing", "a verdict in a quotation is none", |s| {
        architect(s, &with_block("> Verdict: APPROVE", EMPTY));
    }),
    accepted("verdict", "verdict.missing", "a statement on a line of its own", |s| {
        architect(s, &with_block("Verdict: APPROVE", EMPTY));
    }),
    accepted("verdict", "verdict.missing", "a field stands for a text without a statement", |s| {
        drafted(s);
        put_with(s, "architect", "architect", &with_block("No word here.", EMPTY), |_, write| {
            write.verdicts = stated("verdict", "REVISE");
        });
    }),
    accepted("verdict", "verdict.missing", "in gjc a missing verdict is an objection", |s| {
        begin(s, lean("gjc"));
        put(s, "planner", "planner", &plan("one"));
        put(s, "architect", "architect", "# Review\n\nNothing to say.\n");
    }),
    refused("verdict", "verdict.unknown", "a word that the protocol does not know", |s| {
        architect(s, &with_block("Verdict: LGTM", EMPTY));
    }),
    refused("verdict", "verdict.unknown", "a field with a word that the protocol does not know", |s| {
        drafted(s);
        put_with(s, "architect", "architect", &with_block("No word here.", EMPTY), |_, write| {
            write.verdicts = stated("verdict", "LGTM");
        });
    }),
    accepted("verdict", "verdict.unknown", "in omx case and synonyms are read", |s| {
        begin(s, lean("omx"));
        put(s, "planner", "draft", &plan("one"));
        put(s, "architect", "architect-review", &review("a1", "Okay", &[]));
    }),
    refused("verdict", "verdict.contradictory", "two statements that differ", |s| {
        architect(s, &with_block("Verdict: REVISE\n\nVerdict: APPROVE", EMPTY));
    }),
    refused("verdict", "verdict.contradictory", "a field that differs from the text", |s| {
        drafted(s);
        put_with(s, "architect", "architect", &with_block("Verdict: REVISE", EMPTY), |_, write| {
            write.verdicts = stated("verdict", "APPROVE");
        });
    }),
    accepted("verdict", "verdict.contradictory", "a field that agrees with the text", |s| {
        drafted(s);
        put_with(s, "architect", "architect", &with_block("Verdict: REVISE", EMPTY), |_, write| {
            write.verdicts = stated("verdict", "REVISE");
        });
    }),
    refused("verdict", "identity.two_roles", "one text does not speak for two roles", |s| {
        architect(s, &with_block("## Architect\n\nVerdict: APPROVE\n\n## Critic\n\nVerdict: APPROVE", EMPTY));
    }),
    accepted("verdict", "identity.two_roles", "a text that names the own role", |s| {
        architect(s, &with_block("Architect verdict: APPROVE", EMPTY));
    }),
    refused("findings", "finding.missing", "a review ends with its findings", |s| {
        architect(s, "# Review\n\nVerdict: REVISE\n\nThe risk is not low.\n");
    }),
    accepted("findings", "finding.missing", "an empty block is enough", |s| {
        architect(s, &with_block("Verdict: REVISE", EMPTY));
    }),
    accepted("findings", "finding.missing", "in omx no block is asked for", |s| {
        begin(s, lean("omx"));
        put(s, "planner", "draft", &plan("one"));
        put(s, "architect", "architect-review", "# Review\n\nVerdict: iterate\n");
    }),
    refused("findings", "finding.unreadable", "a block that is no JSON", |s| {
        architect(s, &with_block("Verdict: REVISE", "{findings}"));
    }),
    refused("findings", "finding.unreadable", "a block of another schema", |s| {
        architect(s, &with_block("Verdict: REVISE", r#"{"schema":"ralplan.findings.v9","findings":[]}"#));
    }),
    refused("findings", "finding.unreadable", "two findings of one id", |s| {
        architect(s, &review("a1", "REVISE", &[("f1", "block"), ("f1", "watch")]));
    }),
    accepted("findings", "finding.unreadable", "two findings with ids of their own", |s| {
        architect(s, &review("a1", "REVISE", &[("f1", "block"), ("f2", "watch")]));
    }),
    refused("pushback", "pushback.missing", "nobody says a word against the first draft", |s| {
        drafted(s);
        put(s, "architect", "architect", &review("a1", "APPROVE", &[]));
        put(s, "critic", "critic", &review("c1", "APPROVE", &[("f1", "info")]));
    }),
    accepted("pushback", "pushback.missing", "one finding of severity watch is a word against it", |s| {
        drafted(s);
        put(s, "architect", "architect", &review("a1", "APPROVE", &[]));
        put(s, "critic", "critic", &review("c1", "APPROVE", &[("f1", "watch")]));
    }),
    accepted("pushback", "pushback.missing", "a finding of the other lane counts", agreed),
    accepted("pushback", "pushback.missing", "the second draft may be approved by everybody", |s| {
        objected(s);
        put(s, "planner", "revision", &plan("two"));
        put(s, "architect", "architect", &review("a2", "APPROVE", &[]));
        put(s, "critic", "critic", &review("c2", "APPROVE", &[]));
    }),
    refused(
        "pushback",
        "pushback.missing",
        "in pi a finding is not enough, an objection is asked for",
        |s| {
            pi_drafted(s);
            put(s, "architect", "architect_review", &review("a1", "APPROVE", &[("f1", "watch")]));
            put(s, "critic", "critic_review", &review("c1", "APPROVE", &[]));
        },
    ),
    accepted("pushback", "pushback.missing", "in pi the critic objects", |s| {
        pi_drafted(s);
        put(s, "architect", "architect_review", &review("a1", "APPROVE", &[("f1", "watch")]));
        put(s, "critic", "critic_review", &review("c1", "ITERATE", &[]));
    }),
    accepted("pushback", "pushback.missing", "in gjc the first draft may be approved at once", |s| {
        begin(s, lean("gjc"));
        put(s, "planner", "planner", &plan("one"));
        put(s, "architect", "architect", &gjc_review("a1", "CLEAR", "APPROVE"));
        put(s, "critic", "critic", &review("c1", "OKAY", &[]));
    }),
];
