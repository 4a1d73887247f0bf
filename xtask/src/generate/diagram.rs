//! The page of a protocol: its stages and words in tables, its order as a diagram.

use std::fmt::Write;

use ralplan_core::protocol::{Exhaustion, Numbering, Protocol, Requirement, Stage, StageKind, When};

pub(super) fn page(protocol: &Protocol) -> String {
    let mut page = format!("# Protocol `{}`, version {}\n\n", protocol.name, protocol.version);
    page.push_str("```mermaid\n");
    page.push_str(&diagram(protocol));
    page.push_str("```\n");
    page.push_str(&stages(protocol));
    page.push_str(&words(protocol));
    page.push_str(&choices(protocol));
    page
}

/// Draws states; an id is made for each, because names may hold hyphens.
#[derive(Default)]
struct Drawing {
    states: Vec<String>,
    edges: String,
}

impl Drawing {
    fn state(&mut self, label: &str) -> String {
        let id = format!("s{}", self.states.len());
        self.states.push(format!("    state \"{label}\" as {id}\n"));
        id
    }

    fn edge(&mut self, from: &str, to: &str, label: &str) {
        let label = if label.is_empty() { String::new() } else { format!(": {label}") };
        let _ = writeln!(self.edges, "    {from} --> {to}{label}");
    }
}

pub(super) fn diagram(protocol: &Protocol) -> String {
    let mut drawing = Drawing::default();
    let mut last = "[*]".to_owned();
    for name in &protocol.opening {
        let state = drawing.state(&labelled(name, protocol.stages.get(name)));
        drawing.edge(&last, &state, "");
        last = state;
    }
    let first = drawing.state(protocol.opener(true).unwrap_or("draft"));
    drawing.edge(&last, &first, "");
    let join = drawing.state("join");
    let first_pass =
        Round { groups: &protocol.review.first_pass, ends_early: protocol.review.stop_at_first_objection };
    let later_passes = Round { groups: &protocol.review.later_passes, ..first_pass };
    reviews(&mut drawing, first_pass, &first, &join, "");
    let again = match protocol.opener(false) {
        Some(again) if protocol.opener(true) != Some(again) => {
            let state = drawing.state(again);
            reviews(&mut drawing, later_passes, &state, &join, "");
            state
        }
        _ => {
            if protocol.review.first_pass != protocol.review.later_passes {
                reviews(&mut drawing, later_passes, &first, &join, "later passes");
            }
            first
        }
    };
    drawing.edge(&join, &again, "objection");
    let mut last = join.clone();
    let mut label = "consensus";
    for name in &protocol.closing {
        let state = drawing.state(&labelled(name, protocol.stages.get(name)));
        drawing.edge(&last, &state, label);
        if last == join && protocol.review.exhausted == Exhaustion::Close {
            drawing.edge(&join, &state, "exhausted");
        }
        (last, label) = (state, "");
    }
    let pending = drawing.state("pending approval");
    drawing.edge(&last, &pending, label);
    let stuck = drawing.state("stuck");
    let dead = if protocol.review.exhausted == Exhaustion::Close { &last } else { &join };
    drawing.edge(dead, &stuck, "exhausted");
    drawing.edge(&pending, &again, "request_changes");
    let handed = drawing.state("handed off");
    drawing.edge(&pending, &handed, "approve, then handoff");
    drawing.edge(&pending, "[*]", "reject");
    drawing.edge(&handed, "[*]", "");
    drawing.edge(&stuck, "[*]", "cancel, new run from it");
    format!("stateDiagram-v2\n{}{}", drawing.states.concat(), drawing.edges)
}

fn labelled(name: &str, stage: Option<&Stage>) -> String {
    match stage {
        Some(stage) if stage.optional => format!("{name} (optional)"),
        Some(stage) if stage.when == Some(When::AskFirst) => format!("{name} (when asking first)"),
        _ => name.to_owned(),
    }
}

/// The reviews of one draft.
#[derive(Clone, Copy)]
struct Round<'a> {
    groups: &'a [Vec<String>],
    /// True when the first objection ends it.
    ends_early: bool,
}

/// One state per group of reviewers, one after another.
fn reviews(drawing: &mut Drawing, round: Round<'_>, from: &str, join: &str, label: &str) {
    let (mut last, mut label) = (from.to_owned(), label);
    for (index, group) in round.groups.iter().enumerate() {
        let state = drawing.state(&group.join(" and "));
        drawing.edge(&last, &state, label);
        if round.ends_early && index + 1 < round.groups.len() {
            drawing.edge(&state, join, "objection");
        }
        (last, label) = (state, "");
    }
    drawing.edge(&last, join, "");
}

fn kind(kind: StageKind) -> &'static str {
    match kind {
        StageKind::Context => "context",
        StageKind::Draft => "draft",
        StageKind::Review => "review",
        StageKind::Disposition => "disposition",
        StageKind::Reconciliation => "reconciliation",
        StageKind::Record => "record",
        StageKind::Final => "final",
    }
}

fn stages(protocol: &Protocol) -> String {
    let mut text =
        "\n## Stages\n\n| stage | kind | written by | file |\n| --- | --- | --- | --- |\n".to_owned();
    let order = [
        StageKind::Context,
        StageKind::Draft,
        StageKind::Review,
        StageKind::Disposition,
        StageKind::Reconciliation,
        StageKind::Record,
        StageKind::Final,
    ];
    for wanted in order {
        for (name, stage) in protocol.stages.iter().filter(|(_, stage)| stage.kind == wanted) {
            let file = protocol.layout.artifact.replace("{stage}", name);
            let latest = protocol
                .layout
                .latest
                .get(name)
                .map(|latest| format!(", newest also `{latest}`"))
                .unwrap_or_default();
            let optional = if stage.optional { ", optional" } else { "" };
            let _ = writeln!(
                text,
                "| `{name}` | {}{optional} | {} | `{file}`{latest} |",
                kind(stage.kind),
                stage.by.join(", ")
            );
        }
    }
    let _ = writeln!(
        text,
        "\nFiles lie in `{}`, the ledger is `{}`.",
        protocol.layout.folder, protocol.layout.ledger
    );
    text
}

fn words(protocol: &Protocol) -> String {
    let mut text =
        "\n## Verdicts\n\n| role | axis | approve | revise | reject |\n| --- | --- | --- | --- | --- |\n"
            .to_owned();
    for (name, role) in &protocol.roles {
        for axis in &role.verdict {
            let of = |class| {
                let words: Vec<String> = axis
                    .tokens
                    .iter()
                    .filter(|token| token.class == class)
                    .map(|token| format!("`{}`", token.token))
                    .collect();
                words.join(", ")
            };
            use ralplan_core::protocol::Class::{Approve, Reject, Revise};
            let _ = writeln!(
                text,
                "| `{name}` | {} | {} | {} | {} |",
                axis.axis,
                of(Approve),
                of(Revise),
                of(Reject)
            );
        }
    }
    text
}

fn choices(protocol: &Protocol) -> String {
    let budget =
        |range: ralplan_core::protocol::Range| format!("{} ({} to {})", range.default, range.min, range.max);
    let is_required =
        |requirement| if requirement == Requirement::Required { "required" } else { "optional" };
    let listed = |list: Vec<&str>| if list.is_empty() { "none".to_owned() } else { list.join(", ") };
    let minimum = protocol.identity.assurance;
    let rows = [
        ("iterations", budget(protocol.budgets.iterations)),
        ("passes of a lane per iteration", budget(protocol.budgets.passes_per_lane)),
        ("largest artifact", format!("{} bytes", protocol.budgets.artifact_bytes)),
        (
            "stage numbers",
            if protocol.numbering == Numbering::Iteration { "the iteration" } else { "free labels" }
                .to_owned(),
        ),
        ("assignments", is_required(protocol.identity.assignments).to_owned()),
        ("isolation of roles", is_required(protocol.identity.isolation).to_owned()),
        (
            "least assurance",
            format!(
                "reviews {}, approval {}, automatic admission {}",
                minimum.review.word(),
                minimum.approval.word(),
                minimum.automatic.word()
            ),
        ),
        (
            "interview",
            if protocol.interview.is_some() { "open items are reconciled with a person" } else { "none" }
                .to_owned(),
        ),
        ("quality gates", listed(protocol.gates.iter().map(|gate| gate.name.as_str()).collect())),
        ("admission by", protocol.admission.by.join(", ")),
        ("targets", listed(protocol.admission.targets.keys().map(String::as_str).collect())),
        ("codes that only warn", listed(protocol.enforcement.warn.iter().map(String::as_str).collect())),
        ("marker when stuck", protocol.markers.get("stuck").cloned().unwrap_or_else(|| "none".to_owned())),
    ];
    let rows = rows.iter().map(|(what, value)| format!("| {what} | {value} |\n"));
    format!("\n## Choices\n\n| | |\n| --- | --- |\n{}", rows.collect::<String>())
}

#[cfg(test)]
mod tests {
    use ralplan_core::protocol::built_in;

    use super::*;

    #[test]
    fn a_diagram_shows_stages_groups_and_both_ends() {
        let text = diagram(&built_in("standard").unwrap());
        for label in [
            "\"planner\"",
            "\"architect and critic\"",
            "\"revision\"",
            "\"post-interview\"",
            "\"stuck\"",
            "objection",
        ] {
            assert!(text.contains(label), "{label} is missing from\n{text}");
        }
    }

    #[test]
    fn a_protocol_without_a_final_goes_from_the_join_to_approval() {
        let text = diagram(&built_in("omx").unwrap());
        assert!(text.contains(": consensus"), "{text}");
        assert!(!text.contains("\"final\""), "{text}");
    }
}
