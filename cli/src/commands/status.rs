//! `status` and `next`: where a run stands.

use clap::Args;
use ralplan_core::ledger::Mode;
use ralplan_core::run::{Assurance, LaneStatus, Phase, Run, Status};
use ralplan_host::host::{HostError, RunSummary, Selector};
use ralplan_host::store::RunKey;
use serde_json::{Value, json};

use crate::context::{Context, Reach};
use crate::exit::{Exit, Outcome};
use crate::words::{self, Move};

/// Arguments of `status`.
#[derive(Args, Debug)]
pub(crate) struct StatusArgs {
    /// List all runs, also closed ones
    #[arg(long)]
    all: bool,
}

/// Where a run stands; the list when several are open.
pub(crate) fn status(context: &Context, arguments: &StatusArgs) -> Outcome {
    if arguments.all {
        return list(context, |_| true);
    }
    let selector = Selector {
        run_id: context.run_id().map(str::to_owned),
        session_id: context.session_id().map(str::to_owned),
        may_be_closed: true,
    };
    match context.host()?.find(&selector) {
        Ok(key) => show(context, &key),
        Err(HostError::Ambiguous { .. }) if selector.run_id.is_none() => list(context, |run| !run.is_closed),
        Err(error) => Err(error.into()),
    }
}

fn list(context: &Context, is_shown: impl Fn(&RunSummary) -> bool) -> Outcome {
    let runs: Vec<RunSummary> = context.host()?.runs()?.into_iter().filter(is_shown).collect();
    if context.output.is_json {
        let runs: Vec<Value> = runs.iter().map(document).collect();
        context.output.json(&json!({ "runs": runs }))?;
        return Ok(Exit::Done);
    }
    if runs.is_empty() {
        context.output.text("no runs; start one with `ralplan run TASK`")?;
    }
    let rows: Vec<String> = runs.iter().map(row).collect();
    context.output.text(&rows.join("\n"))?;
    Ok(Exit::Done)
}

fn row(run: &RunSummary) -> String {
    let RunSummary { key, protocol, phase, task, owner_session_id, changed_at, .. } = run;
    format!("{:<20} {protocol:<9} {phase:<17} {changed_at}  {owner_session_id}  {task}", key.run_id)
}

fn document(run: &RunSummary) -> Value {
    json!({
        "changed_at": run.changed_at,
        "is_closed": run.is_closed,
        "ledger": run.key.ledger,
        "owner_session_id": run.owner_session_id,
        "phase": run.phase,
        "protocol": run.protocol,
        "run_id": run.key.run_id,
        "started_at": run.started_at,
        "task": run.task,
    })
}

fn show(context: &Context, key: &RunKey) -> Outcome {
    let run = context.host()?.load(key)?;
    let Some(status) = run.status() else {
        return unreadable(context, key, &run);
    };
    if context.output.is_json {
        context.output.json(&status)?;
        return Ok(Exit::Done);
    }
    let moves = words::moves(context, &key.run_id, &run);
    context.output.text(&text(key, &status, &moves))?;
    Ok(Exit::Done)
}

/// A ledger that tells no state still has a health and a way out.
fn unreadable(context: &Context, key: &RunKey, run: &Run) -> Outcome {
    if context.output.is_json {
        let document = json!({ "health": run.health(), "next": run.next(), "run_id": key.run_id });
        context.output.json(&document)?;
        return Ok(Exit::Done);
    }
    let mut text = format!("run         {}\nledger      {}\n", key.run_id, key.ledger);
    match run.health().reason() {
        Some(reason) => text.push_str(&words::reasons("health", &[reason])),
        None => text.push_str("health      the ledger holds no whole entry"),
    }
    text.push_str(&format!("\nset it aside with:\n    {}", context.line(&key.run_id, "clear", &[])));
    context.output.text(&text)?;
    Ok(Exit::Done)
}

fn text(key: &RunKey, status: &Status, moves: &[Move]) -> String {
    let mode = match status.mode {
        Mode::Short => "short",
        Mode::Deliberate => "deliberate",
    };
    let mut rows = vec![
        ("run", status.run_id.clone()),
        ("task", status.task.lines().next().unwrap_or_default().to_owned()),
        ("protocol", format!("{}, {mode} mode", status.protocol)),
        ("phase", phase(status)),
        ("iteration", format!("{} of {}", status.iteration, status.max_iterations)),
    ];
    rows.extend(status.lanes.iter().map(|lane| ("review", lane_text(lane))));
    rows.push(("agreement", status.agreement.clone()));
    rows.push(("identities", identities(status.assurance)));
    rows.extend(status.plan.clone().map(|plan| ("plan", plan)));
    rows.extend(status.digest.clone().map(|digest| ("digest", digest)));
    if status.plan.is_none() {
        rows.extend(status.draft.clone().map(|draft| ("draft", draft)));
    }
    rows.extend(status.open_items.iter().map(|item| ("open item", item.clone())));
    rows.extend(status.unresolved.iter().map(|item| ("unresolved", item.clone())));
    rows.extend(
        status
            .warnings
            .iter()
            .map(|warning| ("warning", format!("{}: {}", warning.code.name(), warning.message))),
    );
    rows.push(("ledger", key.ledger.clone()));
    let mut text: String = rows.iter().map(|(word, value)| format!("{word:<11} {value}\n")).collect();
    if let Some(reason) = status.health.reason() {
        text.push_str(&words::reasons("blocked", &[reason]));
        text.push('\n');
    }
    text.push_str(&words::moves_text(moves));
    text
}

fn phase(status: &Status) -> String {
    let phase = match status.phase {
        Phase::NotStarted => "not started",
        Phase::Planning => "planning",
        Phase::PendingApproval => "pending approval",
        Phase::Approved => "approved",
        Phase::Stuck => "stuck",
        Phase::Closed => "closed",
        _ => "unknown",
    };
    let outcome =
        status.outcome.map(|outcome| outcome.word().replace('_', " ")).filter(|outcome| outcome != phase);
    outcome.map_or_else(|| phase.to_owned(), |outcome| format!("{phase} ({outcome})"))
}

/// The weakest identity, in words that claim no more than is known.
pub(crate) fn identities(assurance: Option<Assurance>) -> String {
    let text = match assurance {
        None => "nothing written yet",
        Some(Assurance::Claimed) => "claimed (what callers said of themselves; not proven)",
        Some(Assurance::Witnessed) => "witnessed (a hook of the agents' host saw the callers)",
        Some(Assurance::Driven) => "driven (each role was started as a process of its own)",
        Some(Assurance::Terminal) => "terminal (a person at a terminal)",
    };
    text.to_owned()
}

fn lane_text(lane: &LaneStatus) -> String {
    let verdict = if lane.verdict.is_empty() { "not in yet".to_owned() } else { lane.verdict.join("/") };
    let findings =
        if lane.findings.is_empty() { String::new() } else { format!(": {}", lane.findings.join(", ")) };
    format!("{} {verdict} (pass {} of {}){findings}", lane.role, lane.passes, lane.max_passes)
}

/// What can come next.
pub(crate) fn next(context: &Context) -> Outcome {
    let (key, run) = context.load(Reach::Any)?;
    if context.output.is_json {
        context.output.json(&run.next())?;
        return Ok(Exit::Done);
    }
    if let Some(reason) = run.health().reason() {
        context.output.text(&words::reasons("blocked", &[reason]))?;
    }
    context.output.text(&words::moves_text(&words::moves(context, &key.run_id, &run)))?;
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lane_says_verdict_pass_and_findings() {
        let mut lane = LaneStatus {
            class: None,
            findings: Vec::new(),
            passes: 0,
            max_passes: 1,
            path: None,
            role: "critic".to_owned(),
            verdict: Vec::new(),
        };
        assert_eq!(lane_text(&lane), "critic not in yet (pass 0 of 1)");
        lane.verdict = vec!["WATCH".to_owned(), "COMMENT".to_owned()];
        lane.findings = vec!["watch a-1".to_owned()];
        lane.passes = 1;
        assert_eq!(lane_text(&lane), "critic WATCH/COMMENT (pass 1 of 1): watch a-1");
    }
}
