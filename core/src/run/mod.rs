//! A run: its state, its commands, and what the core decides about them.
//!
//! ```
//! use ralplan_core::run::{Command, Observed, Run};
//!
//! let run = Run::open(b"", None);
//! let command = Command::parse(br#"{"command":"cancel","at":"2026-01-31T09:30:00.000Z","actor":{"kind":"person","assurance":"terminal"}}"#).unwrap();
//! let decision = run.decide(&command, &Observed::default());
//! assert_eq!(decision.reasons()[0].code.name(), "run.not_started");
//! ```

mod actor;
mod assignment;
mod check;
mod command;
mod compose;
mod decide;
mod decision;
mod facts;
mod follow;
mod layout;
mod needs;
mod next;
mod observed;
mod open;
mod position;
mod proposal;
mod rules;
mod settings;
mod state;
mod status;
mod verify;
mod write;

pub use actor::{Actor, ActorKind, Assurance, Channel, Continuity};
pub use assignment::{Assignment, Reference};
pub use command::{
    Act, Annotate, Answer, Approval, Assign, COMMANDS, Cancel, Command, Configure, Handoff, Import, Record,
    Recover, Start, StatedVerdict, Transfer, WaiveReview, Write,
};
pub use decision::{
    Budget, Decision, Effect, Next, Outcome, Phase, Question, QuestionOption, Receipt, Slot, Step, Tip,
};
pub use layout::{SlotPattern, ledger_path, slot_patterns};
pub use observed::{ArtifactText, Fact, Needs, Observed};
pub use open::{Health, Run, Witness};
pub use rules::{Moment, RULES, Rule};
pub use settings::{Setting, Settings, SettingsInput};
pub use state::State;
pub use status::{LaneStatus, Status};
pub use verify::{ArtifactBytes, Fault, Verification};

pub(crate) use check::is_reserved;
pub(crate) use settings::check_warn_pattern;

/// Number of the rule set of this version; entry 0 of a run names the one it follows.
pub const RULES_NUMBER: u32 = 1;
