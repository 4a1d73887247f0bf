//! `diagram`: a protocol or a run as a Mermaid state diagram.

use clap::Args;
use ralplan_core::ledger::Event;
use ralplan_core::protocol::{Exhaustion, Opens, Protocol, StageKind};
use ralplan_core::run::{Phase, State, Status};
use serde_json::json;

use crate::context::{Context, Reach};
use crate::exit::{Exit, Failure, Outcome};
use crate::settings;

/// Arguments of `diagram`.
#[derive(Args, Debug)]
pub(crate) struct DiagramArgs {
    /// Draw this protocol instead of a run
    #[arg(long, value_name = "NAME|FILE")]
    protocol: Option<String>,
}

/// Draws a protocol, or a run so far.
pub(crate) fn diagram(context: &Context, arguments: &DiagramArgs) -> Outcome {
    let text = match &arguments.protocol {
        Some(name) => of_protocol(&settings::protocol(name)?),
        None => {
            let (_, run) = context.load(Reach::Any)?;
            match (run.state(), run.status()) {
                (Some(state), Some(status)) => of_run(state, &status),
                _ => {
                    let code = ralplan_core::reason::Code::RunNotStarted;
                    let reason = run.health().reason();
                    return Err(Failure::from(
                        reason.unwrap_or_else(|| ralplan_core::reason::Reason::new(code)),
                    ));
                }
            }
        }
    };
    if context.output.is_json {
        context.output.json(&json!({ "mermaid": text }))?;
    } else {
        context.output.text(&text)?;
    }
    Ok(Exit::Done)
}

/// A state diagram under construction.
struct Diagram {
    text: String,
}

impl Diagram {
    fn new() -> Diagram {
        Diagram { text: "stateDiagram-v2\n".to_owned() }
    }

    fn state(&mut self, id: &str, label: &str) {
        self.text.push_str(&format!("    state \"{}\" as {id}\n", label.replace('"', "'")));
    }

    fn arrow(&mut self, from: &str, to: &str, label: &str) {
        let label =
            if label.is_empty() { String::new() } else { format!(": {}", label.replace([':', ';'], " ")) };
        self.text.push_str(&format!("    {from} --> {to}{label}\n"));
    }
}

/// A name as an id of the diagram's language.
fn id(name: &str) -> String {
    name.chars().map(|character| if character.is_ascii_alphanumeric() { character } else { '_' }).collect()
}

fn of_protocol(protocol: &Protocol) -> String {
    let mut diagram = Diagram::new();
    let mut from = "[*]".to_owned();
    for stage in &protocol.opening {
        diagram.state(&id(stage), stage);
        diagram.arrow(&from, &id(stage), "");
        from = id(stage);
    }
    let first = protocol.opener(true).unwrap_or("draft");
    let again = protocol.opener(false).unwrap_or(first);
    diagram.state(&id(first), first);
    diagram.arrow(&from, &id(first), "");
    let any = protocol.stages.get(first).and_then(|stage| stage.opens) == Some(Opens::Any);
    if again != first && !any {
        diagram.state(&id(again), again);
    }
    reviews(&mut diagram, protocol, first, again);
    let end = closing(&mut diagram, protocol);
    let revision = id(again);
    diagram.arrow(&end, &revision, "request changes");
    diagram.arrow(&end, "approved", "a person approves this digest");
    diagram.arrow(&end, "[*]", "reject");
    for target in protocol.admission.targets.keys() {
        diagram.arrow("approved", "[*]", &format!("handed off to {target}"));
    }
    diagram.text
}

/// The reviews of first and later drafts, up to the join.
fn reviews(diagram: &mut Diagram, protocol: &Protocol, first: &str, again: &str) {
    diagram.text.push_str("    state join <<choice>>\n");
    let review = &protocol.review;
    let is_same = review.first_pass == review.later_passes;
    let rounds: Vec<(&str, &str, &[Vec<String>])> = if is_same {
        vec![(first, "reviews", &review.first_pass), (again, "reviews", &review.first_pass)]
    } else {
        vec![(first, "first", &review.first_pass), (again, "later", &review.later_passes)]
    };
    let mut drawn: Vec<&str> = Vec::new();
    for (draft, round, groups) in rounds {
        let mut from = id(draft);
        for (index, group) in groups.iter().enumerate() {
            let name = format!("{round}_{}", index.saturating_add(1));
            let is_drawn = drawn.contains(&round);
            if !is_drawn {
                diagram.state(&name, &group.join(" + "));
            }
            if !is_drawn || index == 0 {
                diagram.arrow(&from, &name, "");
            }
            from = name;
        }
        if !drawn.contains(&round) {
            diagram.arrow(&from, "join", "all reviews are in");
        }
        drawn.push(round);
    }
    diagram.arrow("join", &id(again), "an objection, iterations left");
}

/// The stages after the join, up to the question to the person. Returns the state in which the plan waits.
fn closing(diagram: &mut Diagram, protocol: &Protocol) -> String {
    let pending = "pending_approval";
    let mut from = "join".to_owned();
    let mut label = "consensus";
    for stage in &protocol.closing {
        let optional = protocol.stages.get(stage).is_some_and(|stage| stage.optional);
        let name = if optional { format!("{stage} (optional)") } else { stage.clone() };
        diagram.state(&id(stage), &name);
        diagram.arrow(&from, &id(stage), label);
        from = id(stage);
        label = "";
    }
    diagram.state(pending, "pending approval");
    diagram.arrow(&from, pending, label);
    diagram.state("stuck", "stuck");
    let exhausted = match protocol.review.exhausted {
        Exhaustion::Close => "an objection, iterations used up (the best draft is kept as a final)",
        Exhaustion::Halt => "an objection, iterations used up (the best draft stays)",
    };
    diagram.arrow("join", "stuck", exhausted);
    diagram.arrow("stuck", "[*]", "");
    pending.to_owned()
}

fn of_run(state: &State, status: &Status) -> String {
    let mut diagram = Diagram::new();
    let mut from = "[*]".to_owned();
    for entry in state.entries() {
        let label = match &entry.event {
            Event::Written(written) => {
                let verdict = written.review.as_ref().map(|review| {
                    let words: Vec<&str> = review
                        .verdicts
                        .iter()
                        .map(|verdict| verdict.token.as_deref().unwrap_or("none"))
                        .collect();
                    format!(" ({})", words.join("/"))
                });
                let mark = if written.kind == StageKind::Draft {
                    format!(" [{}]", written.iteration)
                } else {
                    String::new()
                };
                format!("{} {}{}{mark}", written.stage, written.stage_n, verdict.unwrap_or_default())
            }
            Event::Waived(_) => "review waived".to_owned(),
            Event::Approval(approved) => format!("person, {}", approved.answer.word().replace('_', " ")),
            Event::HandedOff(handed) => format!("handed off to {}", handed.target),
            Event::Stuck(_) => "stuck".to_owned(),
            Event::Closed(_) => "closed".to_owned(),
            _ => continue,
        };
        let name = format!("e{}", entry.seq);
        diagram.state(&name, &label);
        diagram.arrow(&from, &name, "");
        from = name;
    }
    if status.phase == Phase::Closed {
        diagram.arrow(&from, "[*]", "");
    } else {
        let phase = status.outcome.map_or("planning", |outcome| outcome.word()).replace('_', " ");
        diagram.state("now", &format!("now, {phase}"));
        diagram.arrow(&from, "now", "");
    }
    diagram.text
}

#[cfg(test)]
mod tests {
    use ralplan_core::protocol::{built_in, built_in_names};

    use super::*;

    #[test]
    fn every_built_in_has_a_diagram_that_reaches_an_end_from_every_state() {
        for name in built_in_names() {
            let text = of_protocol(&built_in(name).unwrap());
            let arrows: Vec<(&str, &str)> = text
                .lines()
                .filter_map(|line| line.trim().split_once(" --> "))
                .map(|(from, to)| (from, to.split(':').next().unwrap_or(to)))
                .collect();
            assert_eq!(arrows[0].0, "[*]", "{text}");
            for (_, to) in &arrows {
                assert!(
                    *to == "[*]" || arrows.iter().any(|(from, _)| from == to),
                    "{name}: {to} leads nowhere\n{text}"
                );
            }
            let mut seen = arrows.clone();
            seen.sort_unstable();
            seen.dedup();
            let targets = built_in(name).unwrap().admission.targets.len();
            assert!(seen.len() + targets >= arrows.len(), "{name}: an arrow is drawn twice\n{text}");
        }
    }

    #[test]
    fn names_become_ids() {
        assert_eq!(id("post-interview"), "post_interview");
    }
}
