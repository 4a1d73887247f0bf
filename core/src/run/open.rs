//! Opening a ledger. It never fails outright: the health says what may still be done.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::RULES_NUMBER;
use super::command::Command;
use super::decision::Tip;
use super::observed::Needs;
use super::state::State;
use crate::ledger::{Entry, EntryError, NO_PREDECESSOR};
use crate::limits;
use crate::reason::{Code, Reason};

/// What a host remembers of a ledger beside it: its last entry, never a state.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Witness {
    /// Bytes of the ledger up to and with that entry.
    pub bytes: u64,
    /// Hash of the entry.
    pub hash: String,
    /// Its place.
    pub seq: u64,
}

/// What may be done with a ledger.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(tag = "health", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Health {
    /// Everything.
    Ok,
    /// The last line is incomplete, as after a crash; the next write cuts it off.
    Torn {
        /// Bytes that stay.
        keep_bytes: u64,
    },
    /// A line is damaged: reading up to it, no writing.
    Broken {
        /// What is wrong.
        reason: Box<Reason>,
        /// Place of the line, from 0.
        seq: u64,
    },
    /// A line is of a newer version: reading up to it, no writing.
    Newer {
        /// What was found.
        found: String,
        /// Place of the line, from 0.
        seq: u64,
    },
    /// The run follows a rule set that this version does not have: reading, no writing.
    RulesUnsupported {
        /// The number of that rule set.
        found: u32,
    },
    /// The ledger lost entries that the witness knew: reading, no writing until that is accepted.
    Shortened {
        /// Entries that the ledger has.
        entries: u64,
        /// What the witness knew.
        witness: Witness,
    },
}

impl Health {
    /// Why nothing may be written; none when it may.
    #[must_use]
    pub fn reason(&self) -> Option<Reason> {
        match self {
            Health::Ok | Health::Torn { .. } => None,
            Health::Broken { reason, .. } => Some(reason.as_ref().clone()),
            Health::Newer { found, seq } => Some(
                Reason::new(Code::LedgerNewer)
                    .at(format!("line {}", seq.saturating_add(1)))
                    .actual(found.as_str()),
            ),
            Health::RulesUnsupported { found } => {
                Some(Reason::new(Code::LedgerRules).expected(RULES_NUMBER).actual(*found))
            }
            Health::Shortened { entries, witness } => Some(
                Reason::new(Code::LedgerShortened).expected(witness.seq.saturating_add(1)).actual(*entries),
            ),
        }
    }

    /// True when the ledger can be written to.
    #[must_use]
    pub fn is_writable(&self) -> bool {
        matches!(self, Health::Ok | Health::Torn { .. })
    }
}

/// A run, as its ledger tells it.
#[derive(Clone, Debug)]
pub struct Run {
    pub(crate) state: Option<State>,
    pub(crate) health: Health,
}

impl Run {
    /// Opens a ledger: reads every line, checks form, hash and chain, and folds the entries.
    ///
    /// `witness` is what the host remembers of the ledger's last entry, if it remembers anything.
    #[must_use]
    pub fn open(ledger: &[u8], witness: Option<&Witness>) -> Run {
        let mut run = Run { state: None, health: Health::Ok };
        let mut offset = 0_usize;
        let mut seq = 0_u64;
        while let Some(rest) = ledger.get(offset..).filter(|rest| !rest.is_empty()) {
            let length = rest.iter().position(|byte| *byte == b'\n');
            let end = length.map_or(rest.len(), |length| length.saturating_add(1));
            let line = rest.get(..length.unwrap_or(rest.len())).unwrap_or_default();
            let keep_bytes = u64::try_from(offset).unwrap_or(u64::MAX);
            let known = witness.is_some_and(|witness| witness.seq >= seq && witness.bytes > keep_bytes);
            let is_last = offset.saturating_add(end) >= ledger.len();
            let bytes = u64::try_from(offset.saturating_add(end)).unwrap_or(u64::MAX);
            let is_whole = length.is_some();
            match run.take(line, seq, bytes, is_whole) {
                Ok(()) => {}
                Err(_) if is_last && !known && !is_newer(line) => {
                    // A run of another rule set stays unwritable, torn or not.
                    if run.health.is_writable() {
                        run.health = Health::Torn { keep_bytes };
                    }
                    break;
                }
                Err(health) => {
                    run.health = health;
                    break;
                }
            }
            offset = offset.saturating_add(end);
            seq = seq.saturating_add(1);
        }
        run.compare(witness);
        run
    }

    /// The run as it lies at a place: a ledger that was copied from another run, or to another path, is not usable there.
    #[must_use]
    pub fn placed(mut self, run_id: &str, ledger: &str) -> Run {
        let Some(state) = &self.state else { return self };
        let own = (state.started.run_id.as_str(), state.ledger_path());
        if self.health.is_writable() && (own.0 != run_id || own.1 != ledger) {
            let reason = Reason::new(Code::LedgerBroken)
                .message("the ledger belongs to another run or another place")
                .expected(format!("run {} at {}", own.0, own.1))
                .actual(format!("run {run_id} at {ledger}"))
                .remedy("put it back where it belongs, or set it aside with `clear`");
            self.health = Health::Broken { reason: Box::new(reason), seq: 0 };
        }
        self
    }

    fn take(&mut self, line: &[u8], seq: u64, bytes: u64, is_whole: bool) -> Result<(), Health> {
        let broken = |reason: Reason| Health::Broken {
            reason: Box::new(reason.at(format!("line {}", seq.saturating_add(1)))),
            seq,
        };
        let text = std::str::from_utf8(line)
            .map_err(|_| broken(Reason::new(Code::LedgerNotCanonical).expected("UTF-8")))?;
        let entry = Entry::read(text).map_err(|error| match error {
            EntryError::Newer { found, .. } => Health::Newer { found, seq },
            EntryError::NotCanonical { .. } => {
                broken(Reason::new(Code::LedgerNotCanonical).actual(error.to_string()))
            }
            EntryError::Hash { expected, found } => {
                broken(Reason::new(Code::LedgerBroken).expected(expected).actual(found))
            }
            EntryError::Shape { message } => broken(Reason::new(Code::LedgerBroken).actual(message)),
        })?;
        if !is_whole {
            return Err(broken(Reason::new(Code::LedgerBroken).expected("a line that ends in a line feed")));
        }
        let expected = self.state.as_ref().map_or(NO_PREDECESSOR, |state| state.tip.head.as_str());
        if entry.seq != seq {
            return Err(broken(Reason::new(Code::LedgerBroken).expected(seq).actual(entry.seq)));
        }
        if entry.prev != expected {
            return Err(broken(
                Reason::new(Code::LedgerBroken).expected(expected).actual(entry.prev.as_str()),
            ));
        }
        if seq >= limits::LEDGER_ENTRIES {
            return Err(broken(Reason::new(Code::LedgerLimit).expected(limits::LEDGER_ENTRIES)));
        }
        let tip = Tip { bytes, head: entry.hash.clone() };
        match &mut self.state {
            Some(state) => state.apply(entry, tip),
            None => {
                let state = State::begin(entry, tip).ok_or_else(|| {
                    broken(Reason::new(Code::LedgerBroken).expected("`started` as the first entry"))
                })?;
                if state.started.rules != RULES_NUMBER {
                    self.health = Health::RulesUnsupported { found: state.started.rules };
                }
                self.state = Some(state);
            }
        }
        Ok(())
    }

    /// Compares with what the host remembers.
    fn compare(&mut self, witness: Option<&Witness>) {
        let Some(witness) = witness else { return };
        if !self.health.is_writable() {
            return;
        }
        let entries =
            self.state.as_ref().map_or(0, |state| u64::try_from(state.entries.len()).unwrap_or(u64::MAX));
        let known = self.state.as_ref().and_then(|state| state.entry(witness.seq));
        let was_accepted = self.state.as_ref().is_some_and(|state| {
            state.entries.iter().any(|entry| matches!(&entry.event, crate::ledger::Event::Recovered(recovered) if recovered.witness_hash == witness.hash))
        });
        let is_same = known.is_some_and(|entry| entry.hash == witness.hash);
        if !is_same && !was_accepted {
            self.health = Health::Shortened { entries, witness: witness.clone() };
        }
    }

    /// Adds a line that was appended to the ledger, newline included.
    ///
    /// # Errors
    /// When the line does not follow the ledger: `ledger.stale`, or what is wrong with the line.
    pub fn commit(&mut self, line: &str) -> Result<(), Box<Reason>> {
        let seq =
            self.state.as_ref().map_or(0, |state| u64::try_from(state.entries.len()).unwrap_or(u64::MAX));
        let before = self.state.as_ref().map_or(0, |state| state.tip.bytes);
        let Some(body) = line.strip_suffix('\n') else {
            return Err(Box::new(Reason::new(Code::LedgerStale).expected("a line that ends in a line feed")));
        };
        let bytes = before.saturating_add(u64::try_from(line.len()).unwrap_or(u64::MAX));
        match self.take(body.as_bytes(), seq, bytes, true) {
            Ok(()) => {
                if matches!(self.health, Health::Torn { .. } | Health::Shortened { .. }) {
                    self.health = Health::Ok;
                }
                Ok(())
            }
            Err(health) => {
                let stale = Reason::new(Code::LedgerStale);
                Err(Box::new(match health.reason() {
                    Some(reason) => stale.actual(reason.message),
                    None => stale,
                }))
            }
        }
    }

    /// What may be done with the ledger.
    #[must_use]
    pub fn health(&self) -> &Health {
        &self.health
    }

    /// The state; none before the run is started.
    #[must_use]
    pub fn state(&self) -> Option<&State> {
        self.state.as_ref()
    }

    /// Where the readable part of the ledger ends.
    #[must_use]
    pub fn tip(&self) -> Tip {
        self.state
            .as_ref()
            .map_or_else(|| Tip { bytes: 0, head: NO_PREDECESSOR.to_owned() }, |state| state.tip.clone())
    }

    /// What a host should remember of the ledger; none before the run is started.
    #[must_use]
    pub fn witness(&self) -> Option<Witness> {
        let state = self.state.as_ref()?;
        let newest = state.entries.last()?;
        Some(Witness { bytes: state.tip.bytes, hash: newest.hash.clone(), seq: newest.seq })
    }

    /// What the host must observe before it decides a command; usually nothing.
    #[must_use]
    pub fn needs(&self, command: &Command) -> Needs {
        self.state.as_ref().map(|state| state.needs(command)).unwrap_or_default()
    }
}

fn is_newer(line: &[u8]) -> bool {
    std::str::from_utf8(line).is_ok_and(|text| matches!(Entry::read(text), Err(EntryError::Newer { .. })))
}
