//! The gate before a person's act: a question at a terminal, or an explicit flag that is recorded as a claim.

use std::io::{BufRead, IsTerminal, Write};

use ralplan_core::ledger::Event;
use ralplan_core::reason::{Code, Reason};
use ralplan_core::run::{Actor, ActorKind, Assurance, Channel, Run, Status};
use ralplan_host::store::RunKey;

use super::not_a_person;
use crate::context::Context;
use crate::exit::Failure;
use crate::output::printable;

/// What a person wishes to do.
pub(super) struct Wish<'a> {
    /// What it is, as the question says it.
    pub(super) question: String,
    /// Word of the command.
    pub(super) verb: &'static str,
    /// Its other words.
    pub(super) line: Vec<&'a str>,
    /// True when the flag confirms it.
    pub(super) yes: bool,
    /// Digest of the plan it is about, and whether the person stated it.
    pub(super) digest: Option<(&'a str, bool)>,
}

/// Lets a person confirm an act. Returns who acts, and through which channel.
pub(super) fn confirm(
    context: &Context,
    key: &RunKey,
    run: &Run,
    wish: &Wish<'_>,
) -> Result<(Actor, Channel), Failure> {
    if context.is_driven() {
        return Err(not_a_person());
    }
    let is_digest_stated = wish.digest.is_none_or(|(_, is_stated)| is_stated);
    if wish.yes && is_digest_stated {
        return Ok((Actor::new(ActorKind::Person, Assurance::Claimed), Channel::Flag));
    }
    let is_terminal = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    if wish.yes || !is_terminal || context.output.is_json {
        return Err(needs_flag(context, key, wish));
    }
    if let Some(status) = run.status() {
        context.output.complain(&summary(&status, run));
    }
    if ask(&wish.question)? {
        return Ok((Actor::new(ActorKind::Person, Assurance::Terminal), Channel::Terminal));
    }
    let reason = Reason::new(Code::ApprovalChannel).message("it was not confirmed; nothing was recorded");
    Err(Failure::needs_person(reason.expected("yes").remedy("run the command again and type `yes`")))
}

/// The refusal that names the exact command to type.
fn needs_flag(context: &Context, key: &RunKey, wish: &Wish<'_>) -> Failure {
    let mut words = wish.line.clone();
    if let Some((digest, _)) = wish.digest {
        words.extend(["--digest", digest]);
    }
    words.push("--yes");
    let line = context.line(&key.run_id, wish.verb, &words);
    let message = "only a person can do this, and no terminal is here to ask one";
    let reason = Reason::new(Code::ApprovalChannel).message(message);
    Failure::needs_person(reason.remedy(format!("a person reads the plan, then types: {line}")))
}

/// Asks for a confirmation; nothing but the whole word counts.
pub(in crate::commands) fn ask(question: &str) -> Result<bool, Failure> {
    let trouble = |error: std::io::Error| Failure::system(format!("cannot ask at the terminal: {error}"));
    let mut stderr = std::io::stderr().lock();
    write!(stderr, "{}? Type `yes` to confirm: ", printable(question))
        .and_then(|()| stderr.flush())
        .map_err(trouble)?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).map_err(trouble)?;
    Ok(answer.trim() == "yes")
}

/// What a person should know before the answer.
pub(in crate::commands) fn summary(status: &Status, run: &Run) -> String {
    let mut rows = vec![
        ("task", status.task.lines().next().unwrap_or_default().to_owned()),
        (
            "plan",
            status.plan.clone().or_else(|| status.draft.clone()).unwrap_or_else(|| "none yet".to_owned()),
        ),
        ("reviews", status.agreement.clone()),
        ("identities", status.assurance.map_or("unknown", Assurance::word).to_owned()),
    ];
    rows.extend(status.digest.clone().map(|digest| ("digest", digest)));
    if !status.open_items.is_empty() {
        rows.push(("open items", status.open_items.join(", ")));
    }
    if !status.unresolved.is_empty() {
        rows.push(("unresolved", status.unresolved.join(", ")));
    }
    let warnings: Vec<String> = warnings(run);
    if !warnings.is_empty() {
        rows.push(("warnings", warnings.join(", ")));
    }
    rows.iter().map(|(word, value)| format!("{word:<11} {value}\n")).collect()
}

/// Codes that were let pass, each once, with the stage.
fn warnings(run: &Run) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for entry in run.state().map(|state| state.entries()).unwrap_or_default() {
        let stage = match &entry.event {
            Event::Written(written) => format!(" ({} {})", written.stage, written.stage_n),
            _ => String::new(),
        };
        for warning in &entry.warnings {
            let text = format!("{}{stage}", warning.code.name());
            if !found.contains(&text) {
                found.push(text);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::Global;

    #[test]
    fn without_a_terminal_the_exact_command_is_named() {
        let context = Context::new(Global::default());
        let key = RunKey { run_id: "r1".to_owned(), ledger: "x".to_owned() };
        let wish = Wish {
            question: "approve the plan".to_owned(),
            verb: "approve",
            line: vec!["--target", "team"],
            yes: false,
            digest: Some(("abc", false)),
        };
        let failure = needs_flag(&context, &key, &wish);
        assert_eq!((failure.exit.number(), failure.reasons[0].code), (4, Code::ApprovalChannel));
        let line = "ralplan approve --target team --digest abc --yes --run-id r1";
        assert!(failure.reasons[0].remedy.ends_with(line), "{}", failure.reasons[0].remedy);
    }
}
