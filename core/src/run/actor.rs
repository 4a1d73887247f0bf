//! Who acts, and how that is known.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::protocol::IdKind;

/// How an actor's identity is known, weakest first.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Assurance {
    /// By flags and fields alone.
    Claimed,
    /// A hook of the agent host, which no model starts, saw the caller.
    Witnessed,
    /// Our driver started the role itself.
    Driven,
    /// A person at a controlling terminal.
    Terminal,
}

impl Assurance {
    /// The word as it is written in data.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Assurance::Claimed => "claimed",
            Assurance::Witnessed => "witnessed",
            Assurance::Driven => "driven",
            Assurance::Terminal => "terminal",
        }
    }
}

/// What kind of actor it is.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ActorKind {
    /// A model.
    Agent,
    /// A person.
    Person,
    /// A rule that a person set earlier.
    Policy,
    /// The program that hosts the run.
    Host,
}

impl ActorKind {
    /// The word as it is written in data.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            ActorKind::Agent => "agent",
            ActorKind::Person => "person",
            ActorKind::Policy => "policy",
            ActorKind::Host => "host",
        }
    }
}

/// Who acts.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Actor {
    /// Role of the protocol, or `leader`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// What kind of actor it is.
    pub kind: ActorKind,
    /// Id of the agent or the person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<String>,
    /// Id of this start of the agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invocation_id: Option<String>,
    /// Session of the actor; not the session that owns the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// Turn of the conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
    /// How this identity is known; set by the adapter.
    pub assurance: Assurance,
}

impl Actor {
    /// An actor of a kind that says nothing else.
    #[must_use]
    pub fn new(kind: ActorKind, assurance: Assurance) -> Actor {
        Actor {
            role: None,
            kind,
            agent_id: None,
            invocation_id: None,
            session_id: None,
            turn_id: None,
            assurance,
        }
    }

    /// The id of a kind, if the actor carries it; a thread belongs to the continuity of a lane.
    #[must_use]
    pub fn id(&self, kind: IdKind) -> Option<&str> {
        match kind {
            IdKind::AgentId => self.agent_id.as_deref(),
            IdKind::InvocationId => self.invocation_id.as_deref(),
            IdKind::TurnId => self.turn_id.as_deref(),
            IdKind::ThreadId => None,
        }
    }

    /// True for a person.
    #[must_use]
    pub fn is_person(&self) -> bool {
        self.kind == ActorKind::Person
    }
}

/// Through which channel a person acted.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// At a controlling terminal.
    Terminal,
    /// In a dialog of the agent host.
    HostUi,
    /// By a flag that was confirmed.
    Flag,
}

/// How an agent of a lane goes on from an earlier pass.
#[derive(Clone, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Continuity {
    /// Whether the agent can be resumed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resumable: Option<bool>,
    /// Id of the lane in the agent host.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lane_id: Option<String>,
    /// Id of the thread in the agent host.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread_id: Option<String>,
    /// Why another agent than before does the work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The agent that could not be resumed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempted_id: Option<String>,
}
