//! From JSON to types, with errors that name the place and the nearest known name.

use serde::de::DeserializeOwned;
use serde_json::Value;
use thiserror::Error;

use super::explain::explained;
use super::strict::{JsonError, Limits, parse};

/// Why a JSON value is not what was expected.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("expected {expected}, found {found} at `{path}`{}", advice(hint.as_deref()))]
pub struct ShapeError {
    /// The place, as in `actor.kind`, `.` for the whole document.
    ///
    /// For a missing field it is the object that lacks it. Inside a tagged union or a flattened field it may be the
    /// union's place instead, when the value in question occurs there more than once.
    pub path: String,
    /// The reason code: `input.unknown_field`, `input.wrong_type`, `input.missing_field`, `input.unknown_value` or
    /// `input.duplicate_key`.
    pub code: &'static str,
    /// What was expected.
    pub expected: String,
    /// What was found.
    pub found: String,
    /// The known name nearest to the one found.
    pub hint: Option<String>,
}

/// Why a text could not be read as the type expected.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum InputError {
    /// The text is no strict JSON.
    #[error(transparent)]
    Json(#[from] JsonError),
    /// The JSON has another shape.
    #[error(transparent)]
    Shape(#[from] ShapeError),
}

impl InputError {
    /// The reason code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Json(error) => error.code(),
            Self::Shape(error) => error.code,
        }
    }

    /// The path of the value with the fault, `.` for the whole document.
    pub fn path(&self) -> &str {
        match self {
            Self::Json(error) => error.path(),
            Self::Shape(error) => &error.path,
        }
    }

    /// The known name nearest to the one found.
    pub fn hint(&self) -> Option<&str> {
        match self {
            Self::Json(_) => None,
            Self::Shape(error) => error.hint.as_deref(),
        }
    }
}

/// Reads a text as strict JSON of one type.
///
/// # Errors
///
/// An [`InputError`] when the text is no strict JSON or has another shape.
///
/// ```
/// use ralplan_core::json::{shape::from_text, strict::Limits};
///
/// #[derive(Debug, serde::Deserialize)]
/// #[serde(deny_unknown_fields)]
/// struct Actor { role: String }
///
/// let error = from_text::<Actor>(br#"{"roll": "critic"}"#, &Limits::default()).unwrap_err();
/// assert_eq!(error.code(), "input.unknown_field");
/// assert_eq!(error.hint(), Some("role"));
/// ```
pub fn from_text<T: DeserializeOwned>(bytes: &[u8], limits: &Limits) -> Result<T, InputError> {
    Ok(from_value(parse(bytes, limits)?)?)
}

/// Reads a JSON value as one type.
///
/// # Errors
///
/// A [`ShapeError`] when the value has another shape.
#[expect(clippy::needless_pass_by_value, reason = "a value that was read once is not needed again")]
pub fn from_value<T: DeserializeOwned>(value: Value) -> Result<T, ShapeError> {
    serde_path_to_error::deserialize(&value).map_err(|error| {
        let message = error.inner().to_string();
        explained(&value, error.path(), &message)
    })
}

fn advice(hint: Option<&str>) -> String {
    hint.map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

#[cfg(test)]
#[path = "shape_tests.rs"]
mod tests;
