//! `log`: the entries of a run, one line each.

use ralplan_core::ledger::{Entry, Event};
use ralplan_core::run::{Actor, ActorKind};

use crate::context::{Context, Reach};
use crate::exit::{Exit, Outcome};
use crate::words::{self, short};

/// Prints the entries.
pub(crate) fn log(context: &Context) -> Outcome {
    let (_, run) = context.load(Reach::Any)?;
    let entries = run.state().map(|state| state.entries()).unwrap_or_default();
    if context.output.is_json {
        let entries: Vec<&Entry> = entries.iter().map(AsRef::as_ref).collect();
        context.output.json(&entries)?;
    } else {
        let rows: Vec<String> = entries.iter().map(|entry| line(entry)).collect();
        context.output.text(&rows.join("\n"))?;
    }
    if let Some(reason) = run.health().reason() {
        context.output.complain(&words::reasons("the rest cannot be read", &[reason]));
    }
    Ok(Exit::Done)
}

fn line(entry: &Entry) -> String {
    let digest = digest(&entry.event).map(|digest| format!(" {}", short(digest))).unwrap_or_default();
    let warnings: Vec<&str> = entry.warnings.iter().map(|warning| warning.code.name()).collect();
    let warnings =
        if warnings.is_empty() { String::new() } else { format!("  warned: {}", warnings.join(", ")) };
    format!(
        "{:>5}  {}  {:<30} {}{digest}{warnings}",
        entry.seq,
        entry.at,
        who(&entry.actor),
        what(&entry.event)
    )
}

/// Who acted, and how that is known.
pub(crate) fn who(actor: &Actor) -> String {
    let kind = match actor.kind {
        ActorKind::Agent => "agent",
        ActorKind::Person => "person",
        ActorKind::Policy => "policy",
        ActorKind::Host => "host",
    };
    let role = actor.role.as_deref().unwrap_or(kind);
    let id = actor.agent_id.as_ref().map(|id| format!(" {id}")).unwrap_or_default();
    format!("{role}{id} ({})", actor.assurance.word())
}

/// What an entry records, in a few words.
pub(crate) fn what(event: &Event) -> String {
    match event {
        Event::Started(started) => {
            format!("started under {} by {}", started.protocol.name, started.owner_session_id)
        }
        Event::Assigned(assigned) => {
            format!("assigned {} {} to {}", assigned.stage, assigned.stage_n, assigned.role)
        }
        Event::Written(written) => {
            let verdict = written.review.as_ref().map(|review| {
                let words: Vec<&str> = review
                    .verdicts
                    .iter()
                    .map(|verdict| verdict.token.as_deref().unwrap_or("no verdict"))
                    .collect();
                format!(": {}, {} findings", words.join("/"), review.findings.len())
            });
            format!("wrote {} {}{}", written.stage, written.stage_n, verdict.unwrap_or_default())
        }
        Event::Answered(answered) => format!("answered {}: {}", answered.item_id, word(&answered.outcome)),
        Event::Waived(_) => "waived the review".to_owned(),
        Event::Approval(approved) => {
            let target = approved.target.as_ref().map(|target| format!(" for {target}")).unwrap_or_default();
            format!("answered the plan: {}{target} by {}", approved.answer.word(), word(&approved.channel))
        }
        Event::HandedOff(handed) => format!("handed off to {} ({})", handed.target, word(&handed.step)),
        Event::Recorded(recorded) => format!("recorded {}: {}", recorded.name, recorded.outcome),
        Event::Configured(_) => "changed settings".to_owned(),
        Event::Transferred(transferred) => format!("gave the run to {}", transferred.owner_session_id),
        Event::Annotated(annotated) => format!("noted {}", annotated.name),
        Event::Imported(imported) => format!("took note of {} files of others", imported.slots.len()),
        Event::Recovered(recovered) => format!("accepted the loss of {} entries", recovered.lost_entries),
        Event::Stuck(stuck) => format!("stuck: {} of {} iterations used up", stuck.count, stuck.cap),
        Event::Closed(closed) => {
            let reason = closed.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
            format!("closed{}", reason.replace('\n', " "))
        }
        other => other.word().to_owned(),
    }
}

fn digest(event: &Event) -> Option<&str> {
    match event {
        Event::Written(written) => Some(&written.sha256),
        Event::Approval(approved) => Some(&approved.sha256),
        Event::HandedOff(handed) => Some(&handed.sha256),
        Event::Assigned(assigned) => Some(&assigned.digest),
        _ => None,
    }
}

/// The word of a value as it is written in data.
fn word<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use ralplan_core::ledger::{ApprovalAnswer, Approved};
    use ralplan_core::run::{Assurance, Channel};

    use super::*;

    #[test]
    fn entries_are_told_in_the_words_of_the_data() {
        let approved = Approved {
            answer: ApprovalAnswer::RequestChanges,
            channel: Channel::HostUi,
            comments_sha256: None,
            final_hash: String::new(),
            sha256: "0123456789".to_owned(),
            target: Some("team".to_owned()),
        };
        let event = Event::Approval(approved);
        assert_eq!(what(&event), "answered the plan: request_changes for team by host_ui");
        assert_eq!(digest(&event), Some("0123456789"));
        let actor =
            Actor { agent_id: Some("c-1".to_owned()), ..Actor::new(ActorKind::Agent, Assurance::Driven) };
        assert_eq!(who(&actor), "agent c-1 (driven)");
    }
}
