//! One row of a ledger.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::event::Event;
use crate::json;
use crate::reason::{Code, Detail, Reason};
use crate::run::{Actor, Fact};

/// The schema word of an entry.
pub const ENTRY_SCHEMA: &str = "ralplan.entry.v1";
/// What entry 0 names as its predecessor.
pub const NO_PREDECESSOR: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// A reason that was let pass, as it is kept in an entry.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Warning {
    /// What was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actual: Option<Detail>,
    /// The field, place or slot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The code.
    pub code: Code,
    /// What would have been accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<Detail>,
    /// What is wrong.
    pub message: String,
}

impl From<&Reason> for Warning {
    fn from(reason: &Reason) -> Warning {
        Warning {
            actual: reason.actual.clone(),
            at: reason.at.clone(),
            code: reason.code,
            expected: reason.expected.clone(),
            message: reason.message.clone(),
        }
    }
}

/// What of the observed facts a decision used.
#[derive(Clone, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ObservedFacts {
    /// Digests of artifacts whose text was read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub artifacts: Vec<String>,
    /// Facts of the host.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Fact>,
}

/// One row of a ledger.
#[derive(Clone, Debug, Eq, JsonSchema, PartialEq, Serialize)]
pub struct Entry {
    /// Who acted.
    pub actor: Actor,
    /// When, given by the host.
    pub at: String,
    /// What is recorded.
    #[serde(flatten)]
    pub event: Event,
    /// SHA-256 of the entry without this field.
    pub hash: String,
    /// What of the observed facts the decision used.
    pub observed: ObservedFacts,
    /// Hash of the entry before.
    pub prev: String,
    /// Always `ralplan.entry.v1`.
    pub schema: String,
    /// Place in the ledger, from 0.
    pub seq: u64,
    /// Reasons that were let pass.
    pub warnings: Vec<Warning>,
}

/// The members of a line, before the fields are read by their event.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawEntry<'a> {
    actor: Actor,
    at: String,
    event: String,
    #[serde(borrow)]
    fields: &'a RawValue,
    hash: String,
    observed: ObservedFacts,
    prev: String,
    schema: String,
    seq: u64,
    warnings: Vec<Warning>,
}

/// Why a line is not an entry.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum EntryError {
    /// The line is not in canonical form.
    #[error("not in canonical form at byte {at}: expected {expected}, found {found}")]
    NotCanonical {
        /// Byte in the line.
        at: usize,
        /// What was expected there.
        expected: String,
        /// What was found there.
        found: String,
    },
    /// The line follows a newer schema or holds a newer event.
    #[error("`{found}` is newer than this version, which reads `{expected}`")]
    Newer {
        /// What this version reads.
        expected: String,
        /// What was found.
        found: String,
    },
    /// The members do not have the shape of an entry.
    #[error("not an entry: {message}")]
    Shape {
        /// What is wrong.
        message: String,
    },
    /// The hash is not that of the line.
    #[error("the hash does not match: expected `{expected}`, found `{found}`")]
    Hash {
        /// Hash of the line.
        expected: String,
        /// Hash that it states.
        found: String,
    },
}

impl Entry {
    /// Completes an entry with its hash and returns it with its line, newline included.
    ///
    /// # Errors
    /// When the content has no canonical form, which no well-formed command causes.
    pub fn seal(mut entry: Entry) -> Result<(Entry, String), json::CanonicalError> {
        let unsealed = json::to_canonical(&entry)?;
        let members = json::check_line(&unsealed)
            .map_err(|error| json::CanonicalError::NoJson { cause: error.to_string() })?;
        entry.hash = hash_without_hash(&members);
        let mut line = json::to_canonical(&entry)?;
        line.push('\n');
        Ok((entry, line))
    }

    /// Reads a line, without its newline, and checks its form and its hash.
    ///
    /// # Errors
    /// See [`EntryError`].
    pub fn read(line: &str) -> Result<Entry, EntryError> {
        let members = json::check_line(line).map_err(|error| EntryError::NotCanonical {
            at: error.at,
            expected: error.expected.clone(),
            found: error.found.clone(),
        })?;
        let raw: RawEntry<'_> = match serde_json::from_str(line) {
            Ok(raw) => raw,
            Err(error) => {
                return Err(
                    newer(members.get("schema")).unwrap_or(EntryError::Shape { message: error.to_string() })
                );
            }
        };
        if let Some(error) = newer(members.get("schema")) {
            return Err(error);
        }
        let expected = hash_without_hash(&members);
        if raw.hash != expected {
            return Err(EntryError::Hash { expected, found: raw.hash });
        }
        let event = read_event(&raw.event, raw.fields.get())?;
        let RawEntry { actor, at, hash, observed, prev, schema, seq, warnings, .. } = raw;
        Ok(Entry { actor, at, event, hash, observed, prev, schema, seq, warnings })
    }
}

/// The error for a schema that this version does not read.
fn newer(schema: Option<&str>) -> Option<EntryError> {
    let found = schema?.trim_matches('"');
    let is_other_version = found != ENTRY_SCHEMA && found.starts_with("ralplan.entry.v");
    is_other_version.then(|| EntryError::Newer { expected: ENTRY_SCHEMA.to_owned(), found: found.to_owned() })
}

/// SHA-256 of a line without its member `hash`.
fn hash_without_hash(members: &json::Members<'_>) -> String {
    let mut hash = json::Sha256Hex::new();
    for piece in members.without("hash") {
        hash.update(piece.as_bytes());
    }
    hash.finish()
}

/// Reads the fields of an event.
fn read_event(event: &str, fields: &str) -> Result<Event, EntryError> {
    fn fields_of<'a, T: Deserialize<'a>>(fields: &'a str) -> Result<T, EntryError> {
        serde_json::from_str(fields).map_err(|error| EntryError::Shape { message: error.to_string() })
    }
    Ok(match event {
        "started" => Event::Started(fields_of(fields)?),
        "assigned" => Event::Assigned(fields_of(fields)?),
        "written" => Event::Written(fields_of(fields)?),
        "answered" => Event::Answered(fields_of(fields)?),
        "waived" => Event::Waived(fields_of(fields)?),
        "approval" => Event::Approval(fields_of(fields)?),
        "handed_off" => Event::HandedOff(fields_of(fields)?),
        "recorded" => Event::Recorded(fields_of(fields)?),
        "configured" => Event::Configured(fields_of(fields)?),
        "transferred" => Event::Transferred(fields_of(fields)?),
        "annotated" => Event::Annotated(fields_of(fields)?),
        "imported" => Event::Imported(fields_of(fields)?),
        "recovered" => Event::Recovered(fields_of(fields)?),
        "stuck" => Event::Stuck(fields_of(fields)?),
        "closed" => Event::Closed(fields_of(fields)?),
        other => {
            return Err(EntryError::Newer { expected: "a known event".to_owned(), found: other.to_owned() });
        }
    })
}
