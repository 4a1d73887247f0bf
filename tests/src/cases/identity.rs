//! Who acts, and how well that is known.

use ralplan_core::ledger::Isolation;
use ralplan_core::protocol::{IdKind, Protocol};
use ralplan_core::run::{ActorKind, Assurance, Continuity};

use super::bases::*;
use super::{Case, accepted, duplicate, refused, warned};
use crate::script::{Script, host};

fn with_identity(change: impl FnOnce(&mut Protocol)) -> Protocol {
    let mut protocol = free();
    change(&mut protocol);
    protocol
}

/// The strict protocol: writes of roles need the token of an assignment.
fn strict_drafted(s: &mut Script) {
    begin(s, lean("standard"));
    s.write("planner", "planner", &plan("one"));
}

fn with_token(s: &mut Script, token: &str, mark: &str) {
    put_with(s, "architect", "architect", &review(mark, "REVISE", &[("f1", "block")]), |_, write| {
        write.token = Some(token.to_owned());
    });
}

fn threads(s: &mut Script, thread: &str) {
    begin(s, lean("omx"));
    put(s, "planner", "draft", &plan("one"));
    for (role, thread) in [("architect", "thread-a"), ("critic", thread)] {
        put_with(s, role, &format!("{role}-review"), &review(role, "approve", &[]), |_, write| {
            write.continuity =
                Some(Continuity { thread_id: Some(thread.to_owned()), ..Continuity::default() });
        });
    }
}

pub(super) const CASES: &[Case] = &[
    refused("isolation", "run.isolation", "a host without isolated roles is refused", |s| {
        begin_with(s, lean("pi"), |start| start.isolation = Isolation::None);
    }),
    accepted("isolation", "run.isolation", "an agent for each role is enough", |s| begin(s, lean("pi"))),
    accepted("isolation", "run.isolation", "where isolation is optional, none is needed", |s| {
        begin_with(s, free(), |start| start.isolation = Isolation::None);
    }),
    refused("stage_role", "identity.role", "a planner does not review", |s| {
        drafted(s);
        put(s, "planner", "architect", &review("a1", "APPROVE", &[]));
    }),
    refused("stage_role", "identity.role", "a role does not assign", |s| {
        drafted(s);
        let actor = s.agent("planner");
        let assign = ralplan_core::run::Assign {
            invocation_id: None,
            role: "architect".to_owned(),
            stage: None,
            token_sha256: ralplan_core::json::sha256_hex(b"t"),
        };
        s.act(actor, ralplan_core::run::Act::Assign(assign));
    }),
    accepted("stage_role", "identity.role", "the architect writes the architect's review", |s| {
        drafted(s);
        put(s, "architect", "architect", &review("a1", "APPROVE", &[]));
    }),
    refused(
        "stage_role",
        "identity.leader",
        "the leader does not draft where the protocol forbids it",
        |s| {
            let mut protocol = free();
            protocol.stages.get_mut("planner").expect("a stage").by.push("leader".to_owned());
            begin(s, protocol);
            let write = s.blank_write("planner", Some(&plan("one")));
            s.act(host(), ralplan_core::run::Act::Write(Box::new(write)));
        },
    ),
    accepted("stage_role", "identity.leader", "the leader drafts where the protocol lets it", |s| {
        begin(s, lean("gjc"));
        let write = s.blank_write("planner", Some(&plan("one")));
        s.act(host(), ralplan_core::run::Act::Write(Box::new(write)));
    }),
    refused("stage_role", "identity.leader", "in omx the leader drafts only while it owns drafting", |s| {
        begin_with(s, lean("omx"), |start| start.settings.drafting_owner = setting("planner".to_owned()));
        let write = s.blank_write("draft", Some(&plan("one")));
        s.act(host(), ralplan_core::run::Act::Write(Box::new(write)));
    }),
    accepted("stage_role", "identity.leader", "in omx the leader drafts when it owns drafting", |s| {
        begin(s, lean("omx"));
        let write = s.blank_write("draft", Some(&plan("one")));
        s.act(host(), ralplan_core::run::Act::Write(Box::new(write)));
    }),
    refused("identity_present", "identity.missing", "an agent states its id", |s| {
        begin(s, free());
        put_with(s, "planner", "planner", &plan("one"), |actor, _| actor.agent_id = None);
    }),
    refused(
        "identity_present",
        "identity.missing",
        "a host that acts for a role states the ids of the role",
        |s| {
            drafted(s);
            put_with(s, "critic", "critic", &review("c1", "APPROVE", &[]), |actor, _| {
                actor.kind = ActorKind::Host;
                actor.agent_id = None;
            });
        },
    ),
    warned("identity_present", "identity.missing", "in gjc a missing id is a warning", |s| {
        begin(s, lean("gjc"));
        put_with(s, "planner", "planner", &plan("one"), |actor, _| actor.agent_id = None);
    }),
    accepted(
        "identity_present",
        "identity.missing",
        "in gjc a revision keeps the planner's recorded id",
        |s| {
            begin(s, lean("gjc"));
            put(s, "planner", "planner", &plan("one"));
            put(s, "architect", "architect", &gjc_review("a1", "BLOCK", "COMMENT"));
            put(s, "critic", "critic", &review("c1", "ITERATE", &[]));
            put_with(s, "planner", "revision", &plan("two"), |actor, _| actor.agent_id = None);
        },
    ),
    accepted("identity_present", "identity.missing", "in omx no id is asked for", |s| {
        begin(s, lean("omx"));
        put_with(s, "planner", "draft", &plan("one"), |actor, _| actor.agent_id = None);
    }),
    refused("identity_distinct", "identity.self_review", "the author does not review its own draft", |s| {
        drafted(s);
        put_with(s, "architect", "architect", &review("a1", "APPROVE", &[]), |actor, _| {
            actor.agent_id = Some("planner-1".to_owned());
        });
    }),
    refused("identity_distinct", "identity.self_review", "one agent does not review in two lanes", |s| {
        drafted(s);
        put(s, "architect", "architect", &review("a1", "APPROVE", &[("f1", "watch")]));
        put_with(s, "critic", "critic", &review("c1", "APPROVE", &[]), |actor, _| {
            actor.agent_id = Some("architect-1".to_owned());
        });
    }),
    refused("identity_distinct", "identity.self_review", "a reviewer does not write the next draft", |s| {
        objected(s);
        put_with(s, "planner", "revision", &plan("two"), |actor, _| {
            actor.agent_id = Some("critic-1".to_owned());
        });
    }),
    refused("identity_distinct", "identity.self_review", "in omx two lanes do not share a thread", |s| {
        threads(s, "thread-a");
    }),
    accepted("identity_distinct", "identity.self_review", "in omx each lane has its thread", |s| {
        threads(s, "thread-b");
    }),
    accepted("identity_distinct", "identity.self_review", "another agent reviews", |s| {
        drafted(s);
        put(s, "architect", "architect", &review("a1", "APPROVE", &[]));
    }),
    warned(
        "identity_distinct",
        "identity.self_review",
        "in gjc a self review is let pass with a warning",
        |s| {
            begin(s, lean("gjc"));
            put(s, "planner", "planner", &plan("one"));
            put_with(s, "architect", "architect", &gjc_review("a1", "CLEAR", "APPROVE"), |actor, _| {
                actor.agent_id = Some("planner-1".to_owned());
            });
        },
    ),
    refused("identity_distinct", "identity.shared_turn", "two roles do not act in one invocation", |s| {
        drafted(s);
        put_with(s, "architect", "architect", &review("a1", "APPROVE", &[("f1", "watch")]), |actor, _| {
            actor.invocation_id = Some("call-9".to_owned());
        });
        put_with(s, "critic", "critic", &review("c1", "APPROVE", &[]), |actor, _| {
            actor.invocation_id = Some("call-9".to_owned());
        });
    }),
    accepted("identity_distinct", "identity.shared_turn", "one role may act twice in one invocation", |s| {
        drafted(s);
        put_with(s, "architect", "architect", &review("a1", "REVISE", &[("f1", "block")]), |actor, _| {
            actor.invocation_id = Some("call-9".to_owned());
        });
        put(s, "critic", "critic", &review("c1", "APPROVE", &[]));
        put(s, "planner", "revision", &plan("two"));
        put_with(s, "architect", "architect", &review("a2", "APPROVE", &[]), |actor, _| {
            actor.invocation_id = Some("call-9".to_owned());
        });
    }),
    refused("identity_distinct", "identity.leader", "the leader does not review under another role", |s| {
        drafted(s);
        put_with(s, "critic", "critic", &review("c1", "APPROVE", &[]), |actor, _| {
            actor.agent_id = Some("leader-1".to_owned());
        });
    }),
    accepted("identity_distinct", "identity.leader", "in gjc the leader may be the planner", |s| {
        begin(s, lean("gjc"));
        put_with(s, "planner", "planner", &plan("one"), |actor, _| {
            actor.agent_id = Some("leader-1".to_owned());
        });
    }),
    refused("identity_text", "identity.repeated_text", "a review does not repeat the other's text", |s| {
        drafted(s);
        put(s, "architect", "architect", &review("same", "REVISE", &[("f1", "block")]));
        put(s, "critic", "critic", &review("same", "APPROVE", &[("f1", "block")]));
    }),
    refused("identity_text", "identity.repeated_text", "case and blanks do not make another text", |s| {
        drafted(s);
        put(s, "architect", "architect", &review("same", "REVISE", &[("f1", "block")]));
        let text = review("same", "APPROVE", &[("f1", "block")]).replace("Seen same.", "\nseen   SAME.\n");
        put(s, "critic", "critic", &text);
    }),
    refused(
        "identity_text",
        "identity.repeated_text",
        "the review of an earlier draft does not count for the next one",
        |s| {
            objected(s);
            put(s, "planner", "revision", &plan("two"));
            put(s, "architect", "architect", &review("a1", "REVISE", &[("f1", "block")]));
        },
    ),
    accepted("identity_text", "identity.repeated_text", "two reviews in their own words", |s| {
        drafted(s);
        put(s, "architect", "architect", &review("same", "REVISE", &[("f1", "block")]));
        put(s, "critic", "critic", &review("other", "APPROVE", &[("f1", "block")]));
    }),
    refused("assignment", "identity.assignment_missing", "an agent needs an assignment", |s| {
        begin(s, lean("standard"));
        put(s, "planner", "planner", &plan("one"));
    }),
    refused("assignment", "identity.assignment_missing", "a host that acts for a role needs one too", |s| {
        begin(s, lean("standard"));
        put_with(s, "planner", "planner", &plan("one"), |actor, _| actor.kind = ActorKind::Host);
    }),
    accepted(
        "assignment",
        "identity.assignment_missing",
        "an agent submits with the token of its assignment",
        strict_drafted,
    ),
    accepted(
        "assignment",
        "identity.assignment_missing",
        "where assignments are optional, none is needed",
        |s| {
            begin(s, free());
            put(s, "planner", "planner", &plan("one"));
        },
    ),
    refused("assignment", "identity.assignment_wrong", "a token that was never handed out", |s| {
        strict_drafted(s);
        assign(s, "architect", None, "right");
        with_token(s, "wrong", "a1");
    }),
    refused("assignment", "identity.assignment_wrong", "a later assignment replaces the token", |s| {
        strict_drafted(s);
        assign(s, "architect", None, "first");
        assign(s, "architect", None, "second");
        with_token(s, "first", "a1");
    }),
    refused(
        "assignment",
        "identity.assignment_wrong",
        "the token of one role does not open another's stage",
        |s| {
            strict_drafted(s);
            assign(s, "critic", None, "critics");
            with_token(s, "critics", "a1");
        },
    ),
    refused("assignment", "identity.assignment_wrong", "a token is used once", |s| {
        begin_with(s, lean("standard"), |start| start.settings.max_passes_per_lane = setting(2));
        s.write("planner", "planner", &plan("one"));
        assign(s, "architect", None, "once");
        with_token(s, "once", "a1");
        with_token(s, "once", "a2");
    }),
    refused(
        "assignment",
        "identity.assignment_wrong",
        "a token that was handed out for an earlier draft",
        |s| {
            strict_drafted(s);
            assign(s, "architect", None, "early");
            let digest = draft_digest(s);
            s.answer_plan(ralplan_core::ledger::ApprovalAnswer::RequestChanges, digest, Some("shorter"));
            s.write("planner", "revision", &plan("two"));
            with_token(s, "early", "a1");
        },
    ),
    refused(
        "assignment",
        "identity.assignment_wrong",
        "an assignment for one invocation is not used by another",
        |s| {
            strict_drafted(s);
            s.write_with("architect", "architect", &review("a1", "REVISE", &[("f1", "block")]), |write| {
                write.pass = None;
            });
            let assign = ralplan_core::run::Assign {
                invocation_id: Some("critic-call".to_owned()),
                role: "critic".to_owned(),
                stage: None,
                token_sha256: ralplan_core::json::sha256_hex(b"bound"),
            };
            s.act(host(), ralplan_core::run::Act::Assign(assign));
            put_with(s, "critic", "critic", &review("c1", "APPROVE", &[]), |_, write| {
                write.token = Some("bound".to_owned());
            });
        },
    ),
    accepted("assignment", "identity.assignment_wrong", "the newest token, once", |s| {
        strict_drafted(s);
        assign(s, "architect", None, "first");
        assign(s, "architect", None, "second");
        with_token(s, "second", "a1");
    }),
    duplicate(
        "assignment",
        "identity.assignment_wrong",
        "the same write again carries the same token",
        |s| {
            strict_drafted(s);
            assign(s, "architect", None, "once");
            with_token(s, "once", "a1");
            with_token(s, "once", "a1");
        },
    ),
    refused(
        "review_assurance",
        "identity.assurance",
        "a claimed identity is too weak where witnessed is asked for",
        |s| {
            begin(s, with_identity(|protocol| protocol.identity.assurance.review = Assurance::Witnessed));
            put_with(s, "planner", "planner", &plan("one"), |actor, _| actor.assurance = Assurance::Claimed);
        },
    ),
    accepted("review_assurance", "identity.assurance", "a witnessed identity is enough", |s| {
        begin(s, with_identity(|protocol| protocol.identity.assurance.review = Assurance::Witnessed));
        put_with(s, "planner", "planner", &plan("one"), |actor, _| actor.assurance = Assurance::Witnessed);
    }),
    refused(
        "identity_present",
        "identity.missing",
        "a thread is stated where the protocol asks for it",
        |s| {
            begin(s, with_identity(|protocol| protocol.identity.present.push(IdKind::ThreadId)));
            put(s, "planner", "planner", &plan("one"));
        },
    ),
];
