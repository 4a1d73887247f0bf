//! Commands for runs on files, without document rules and with optional assignments.

use ralplan_core::protocol::Protocol;
use ralplan_core::run::{Act, Command, SettingsInput, Write as WriteAct};
use ralplan_host::host::Host;
use ralplan_host::store::RunKey;

use crate::script::{host, protocol, start};

/// gjc's order and names, without document rules and with optional assignments.
#[must_use]
pub fn plain_protocol() -> Protocol {
    let mut protocol = protocol("gjc");
    for stage in protocol.stages.values_mut() {
        stage.documents.clear();
    }
    protocol
}

/// Starts a run under [`plain_protocol`].
#[must_use]
pub fn start_command(run_id: &str, settings: SettingsInput) -> Command {
    let mut start = start(plain_protocol(), "Plan it");
    start.run_id = run_id.to_owned();
    start.settings = settings;
    Command {
        actor: host(),
        at: "2026-01-31T09:30:00.000Z".to_owned(),
        owner: None,
        act: Act::Start(Box::new(start)),
    }
}

/// Writes a draft as the planner.
#[must_use]
pub fn write_command(stage: &str, stage_n: u32, text: &str) -> Command {
    let write = WriteAct {
        artifact: Some(text.to_owned()),
        compose: false,
        continuity: None,
        draft_sha256: None,
        pass: None,
        stage: stage.to_owned(),
        stage_n: Some(stage_n),
        token: None,
        verdicts: Vec::new(),
    };
    let mut actor = host();
    actor.role = Some("planner".to_owned());
    actor.agent_id = Some("planner-1".to_owned());
    Command {
        actor,
        at: "2026-01-31T09:31:00.000Z".to_owned(),
        owner: None,
        act: Act::Write(Box::new(write)),
    }
}

/// The key of a run of `session-1`.
#[must_use]
pub fn key(host: &Host, run_id: &str) -> RunKey {
    host.key(&plain_protocol(), run_id, "session-1")
}
