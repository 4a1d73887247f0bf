//! Reading a protocol document.

use super::{Protocol, validate};
use crate::json::{self, Limits};
use crate::reason::{Code, Reason};

/// What is wrong with a protocol document, and where.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{path}: {message}")]
pub struct ProtocolError {
    /// The code: one of the `input.*` codes.
    pub code: Code,
    /// Path in the document, for example `stages.final.by[0]`.
    pub path: String,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub hint: String,
}

impl From<&ProtocolError> for Reason {
    fn from(error: &ProtocolError) -> Reason {
        let reason =
            Reason::new(error.code).at(format!("protocol.{}", error.path)).message(error.message.as_str());
        if error.hint.is_empty() { reason } else { reason.remedy(error.hint.as_str()) }
    }
}

/// Reads and validates a protocol document.
///
/// # Errors
/// Everything that is wrong: strict JSON, unknown fields with the nearest known one, wrong types, and the rules that
/// hold between the parts.
pub fn parse(text: &[u8]) -> Result<Protocol, Vec<ProtocolError>> {
    let value =
        json::parse(text, &Limits::default()).map_err(|error| vec![of_reason(&Reason::from(&error))])?;
    let protocol: Protocol =
        json::from_value(value).map_err(|error| vec![of_reason(&Reason::from(&error))])?;
    validate::check(&protocol)?;
    Ok(protocol)
}

fn of_reason(reason: &Reason) -> ProtocolError {
    ProtocolError {
        code: reason.code,
        path: reason.at.clone().unwrap_or_else(|| "$".to_owned()),
        message: reason.message.clone(),
        hint: reason.remedy.clone(),
    }
}
