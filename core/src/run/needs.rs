//! What the core asks the host for before it decides.

use super::command::{Act, Command};
use super::compose;
use super::observed::Needs;
use super::state::State;
use crate::protocol::StageKind;

impl State {
    /// What the host must observe for a command.
    pub(crate) fn needs(&self, command: &Command) -> Needs {
        let mut needs = Needs::default();
        match &command.act {
            Act::Write(write) => {
                let Some(kind) = self.kind_of(&write.stage) else { return needs };
                if write.compose {
                    needs.artifacts = compose::needed_artifacts(self, &self.position(), kind);
                }
                needs.facts.extend(target_fact(self, kind));
            }
            Act::Handoff(handoff) => {
                let position = self.position();
                let admitted = self.admitted_target(&position).and_then(|admitted| admitted.target);
                let target = handoff.target.as_deref().or(admitted);
                let rules = target.and_then(|target| self.protocol().admission.targets.get(target));
                needs.facts.extend(rules.and_then(|rules| rules.needs_fact.clone()));
            }
            _ => {}
        }
        needs
    }
}

/// The fact on which the automatic target of a final depends.
pub(crate) fn target_fact(state: &State, kind: StageKind) -> Option<String> {
    if kind != StageKind::Final {
        return None;
    }
    let target = state.settings.automatic_handoff.value.as_str();
    state.protocol().admission.targets.get(target)?.needs_fact.clone()
}
