//! What only a person may do.

use ralplan_core::ledger::{AnswerOutcome, ApprovalAnswer};
use ralplan_core::run::{Act, ActorKind, Cancel, Channel, Configure, SettingsInput, Transfer, WaiveReview};

use super::bases::*;
use super::{Case, accepted, duplicate, refused};
use crate::script::{Script, approval, host, person};

fn waive(channel: Option<Channel>) -> Act {
    Act::WaiveReview(WaiveReview { channel, reason: Some("small change".to_owned()) })
}

fn by_agent(s: &mut Script, act: Act) {
    let actor = s.agent("planner");
    s.act(actor, act);
}

fn answered(s: &mut Script, item: &str, channel: Option<Channel>) {
    let act = ralplan_core::run::Answer {
        channel,
        item_id: item.to_owned(),
        outcome: AnswerOutcome::Confirmed,
        text: None,
    };
    s.act(person(), Act::Answer(act));
}

fn transfer() -> Act {
    Act::Transfer(Transfer { owner_session_id: "session-2".to_owned(), reason: None })
}

pub(super) const CASES: &[Case] = &[
    refused("person_acts", "approval.not_person", "an agent does not approve", |s| {
        pending(s);
        let digest = s.run.status().and_then(|status| status.digest);
        by_agent(s, Act::Approval(approval(ApprovalAnswer::Approve, digest, None)));
    }),
    refused("person_acts", "approval.not_person", "a host does not approve", |s| {
        pending(s);
        let digest = s.run.status().and_then(|status| status.digest);
        s.act(host(), Act::Approval(approval(ApprovalAnswer::Approve, digest, None)));
    }),
    refused("person_acts", "approval.not_person", "an agent does not waive the review", |s| {
        drafted(s);
        by_agent(s, waive(Some(Channel::Terminal)));
    }),
    refused("person_acts", "approval.not_person", "an agent does not answer for the person", |s| {
        item_open(s, true);
        let act = ralplan_core::run::Answer {
            channel: Some(Channel::Flag),
            item_id: "cache".to_owned(),
            outcome: AnswerOutcome::Confirmed,
            text: None,
        };
        by_agent(s, Act::Answer(act));
    }),
    refused("person_acts", "approval.not_person", "an agent does not change settings", |s| {
        drafted(s);
        let settings = SettingsInput { max_iterations: setting(9), ..SettingsInput::default() };
        by_agent(s, Act::Configure(Configure { channel: None, settings }));
    }),
    refused("person_acts", "approval.not_person", "an agent does not cancel the run", |s| {
        drafted(s);
        by_agent(s, Act::Cancel(Cancel { reason: None }));
    }),
    refused("person_acts", "approval.not_person", "an agent does not give the run away", |s| {
        drafted(s);
        by_agent(s, transfer());
    }),
    accepted("person_acts", "approval.not_person", "a person approves", approved),
    accepted(
        "person_acts",
        "approval.not_person",
        "a host may change settings, as a file of the team does",
        |s| {
            drafted(s);
            let settings = SettingsInput { max_iterations: setting(9), ..SettingsInput::default() };
            s.act(host(), Act::Configure(Configure { channel: None, settings }));
        },
    ),
    accepted("person_acts", "approval.not_person", "a host cancels", |s| {
        drafted(s);
        s.act(host(), Act::Cancel(Cancel { reason: None }));
    }),
    accepted("person_acts", "approval.not_person", "a host transfers the run", |s| {
        drafted(s);
        s.act(host(), transfer());
    }),
    duplicate("person_acts", "approval.not_person", "the owner already has it", |s| {
        drafted(s);
        s.act(host(), transfer());
        s.act(host(), transfer());
    }),
    refused("person_acts", "approval.channel", "a waiver says through which channel", |s| {
        drafted(s);
        s.act(person(), waive(None));
    }),
    refused("person_acts", "approval.channel", "an answer says through which channel", |s| {
        item_open(s, true);
        answered(s, "cache", None);
    }),
    refused("person_acts", "approval.channel", "an approval says through which channel", |s| {
        pending(s);
        let digest = s.run.status().and_then(|status| status.digest);
        let act =
            ralplan_core::run::Approval { channel: None, ..approval(ApprovalAnswer::Approve, digest, None) };
        s.act(person(), Act::Approval(act));
    }),
    refused(
        "person_acts",
        "approval.channel",
        "a person's change of settings says through which channel",
        |s| {
            drafted(s);
            let settings = SettingsInput { max_iterations: setting(9), ..SettingsInput::default() };
            s.act(person(), Act::Configure(Configure { channel: None, settings }));
        },
    ),
    accepted("person_acts", "approval.channel", "a waiver at a terminal", |s| {
        drafted(s);
        s.act(person(), waive(Some(Channel::Terminal)));
    }),
    refused("item_answer", "input.item", "an item that nobody listed", |s| {
        item_open(s, true);
        answered(s, "cash", Some(Channel::Terminal));
    }),
    accepted("item_answer", "input.item", "an item of the draft", |s| {
        item_open(s, true);
        answered(s, "cache", Some(Channel::Terminal));
    }),
    duplicate("item_answer", "input.item", "the same answer again", |s| {
        item_open(s, true);
        answered(s, "cache", Some(Channel::Terminal));
        answered(s, "cache", Some(Channel::HostUi));
    }),
    refused("item_answer", "order.after_final", "the final holds the answers already", |s| {
        item_open(s, false);
        close(s);
        answered(s, "cache", Some(Channel::Terminal));
    }),
    accepted("item_answer", "order.after_final", "another answer before the final", |s| {
        item_open(s, true);
        answered(s, "cache", Some(Channel::Terminal));
        s.answer("cache", AnswerOutcome::Deferred, None);
    }),
    refused("waiver", "order.no_draft", "there is nothing whose review could be waived", |s| {
        begin(s, free());
        s.act(person(), waive(Some(Channel::Terminal)));
    }),
    accepted("waiver", "order.no_draft", "the review of a draft is waived", |s| {
        drafted(s);
        s.act(person(), waive(Some(Channel::HostUi)));
    }),
    duplicate("waiver", "order.no_draft", "waiving twice is the same act", |s| {
        drafted(s);
        s.act(person(), waive(Some(Channel::HostUi)));
        s.act(person(), waive(Some(Channel::HostUi)));
    }),
    refused("waiver", "order.after_final", "a reviewed plan has no review to waive", |s| {
        pending(s);
        s.act(person(), waive(Some(Channel::Terminal)));
    }),
    refused("waiver", "order.round_over", "an objection is not waived away", |s| {
        objected(s);
        s.act(person(), waive(Some(Channel::Terminal)));
    }),
    accepted("waiver", "order.after_final", "before the final it may be waived", |s| {
        drafted(s);
        s.act(person(), waive(Some(Channel::Terminal)));
    }),
    refused("run", "run.owner", "another session is refused", |s| {
        drafted(s);
        let at = s.now();
        s.play(ralplan_core::run::Command {
            actor: person(),
            at,
            owner: Some("session-9".to_owned()),
            act: Act::Cancel(Cancel { reason: None }),
        });
    }),
    accepted("run", "run.owner", "the owner session may act", |s| {
        drafted(s);
        let at = s.now();
        s.play(ralplan_core::run::Command {
            actor: person(),
            at,
            owner: Some("session-1".to_owned()),
            act: Act::Cancel(Cancel { reason: None }),
        });
    }),
    refused("run", "run.not_started", "nothing happens before the start", |s| {
        s.act(person(), Act::Cancel(Cancel { reason: None }));
    }),
    accepted("run", "run.not_started", "a start comes first", |s| begin(s, free())),
    refused("run", "run.exists", "another task under the same id", |s| {
        drafted(s);
        begin_with(s, free(), |start| start.task = "Plan another".to_owned());
    }),
    refused("run", "run.exists", "other settings under the same id", |s| {
        drafted(s);
        begin_with(s, free(), |start| start.settings.max_iterations = setting(9));
    }),
    duplicate("run", "run.exists", "the same start again", |s| {
        drafted(s);
        begin(s, free());
    }),
    duplicate("run", "run.exists", "the same value from another source is the same setting", |s| {
        drafted(s);
        begin_with(s, free(), |start| start.settings.max_iterations = setting(5));
    }),
    refused(
        "identity_present",
        "identity.missing",
        "a rule that acts for a role states the ids of the role",
        |s| {
            drafted(s);
            put_with(s, "critic", "critic", &review("c1", "APPROVE", &[]), |actor, _| {
                actor.kind = ActorKind::Policy;
                actor.turn_id = None;
            });
        },
    ),
];
