//! The canonical form of JSON (RFC 8785): the only text that is stored or hashed.

use std::cmp::Ordering;

use serde::Serialize;
use serde_json::{Number, Value};
use thiserror::Error;

pub use super::line::{Members, NotCanonical, check_line};
use super::place::{join_index, join_key, named};
use super::scan::plain_length;
use super::{MAX_DEPTH, MAX_INTEGER};

/// Why a value has no canonical form.
///
/// Paths are written as in `findings[2].evidence`; the whole value is `.`.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum CanonicalError {
    /// A number that is no integer between -(2^53 - 1) and 2^53 - 1.
    #[error("expected an integer from -9007199254740991 to 9007199254740991, found `{found}` at `{path}`")]
    Number {
        /// The number.
        found: String,
        /// Where it stands.
        path: String,
    },
    /// More arrays and objects inside each other than a ledger line may have.
    #[error("expected at most {limit} levels, found more at `{path}`")]
    TooDeep {
        /// How many are allowed.
        limit: usize,
        /// The value that is one too deep.
        path: String,
    },
    /// The value cannot be expressed in JSON, for example a map whose keys are objects.
    #[error("expected a value with a JSON form, found one without ({cause})")]
    NoJson {
        /// What the serialiser says.
        cause: String,
    },
}

/// Writes a value in canonical form, without a newline at the end.
///
/// A float that is not a number or not finite arrives here as `null`, because serde makes it so.
///
/// # Errors
///
/// A [`CanonicalError`] for fractions, integers beyond 53 bits, more than 64 levels, and values without a JSON form.
///
/// ```
/// use ralplan_core::json::canonical::to_canonical;
///
/// let text = to_canonical(&serde_json::json!({"b": [1, "\n"], "a": null}))?;
/// assert_eq!(text, r#"{"a":null,"b":[1,"\n"]}"#);
/// # Ok::<(), ralplan_core::json::canonical::CanonicalError>(())
/// ```
pub fn to_canonical<T: Serialize + ?Sized>(value: &T) -> Result<String, CanonicalError> {
    let value =
        serde_json::to_value(value).map_err(|error| CanonicalError::NoJson { cause: error.to_string() })?;
    value_to_canonical(&value)
}

/// Writes a JSON value in canonical form; as [`to_canonical`], without copying the value first.
///
/// # Errors
///
/// As [`to_canonical`].
pub fn value_to_canonical(value: &Value) -> Result<String, CanonicalError> {
    let mut out = String::new();
    // The path is built from the inside out, while an error travels up.
    write_value(&mut out, value, 0).map_err(|(fault, mut steps)| {
        steps.reverse();
        fault.at(&steps)
    })?;
    Ok(out)
}

enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

enum Fault {
    Number(String),
    TooDeep,
}

impl Fault {
    fn at(self, steps: &[Step<'_>]) -> CanonicalError {
        let mut path = String::new();
        for step in steps {
            match step {
                Step::Key(key) => join_key(&mut path, key),
                Step::Index(index) => join_index(&mut path, *index),
            }
        }
        let path = named(path);
        match self {
            Self::Number(found) => CanonicalError::Number { found, path },
            Self::TooDeep => CanonicalError::TooDeep { limit: MAX_DEPTH, path },
        }
    }
}

type Written<'a> = Result<(), (Fault, Vec<Step<'a>>)>;

fn write_value<'a>(out: &mut String, value: &'a Value, depth: usize) -> Written<'a> {
    if depth >= MAX_DEPTH && (value.is_array() || value.is_object()) {
        return Err((Fault::TooDeep, Vec::new()));
    }
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => {
            if !is_exact(number) {
                return Err((Fault::Number(number.to_string()), Vec::new()));
            }
            out.push_str(&number.to_string());
        }
        Value::String(text) => write_string(out, text),
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_value(out, item, depth + 1).map_err(|error| within(error, Step::Index(index)))?;
            }
            out.push(']');
        }
        Value::Object(members) => {
            let mut members: Vec<(&String, &Value)> = members.iter().collect();
            members.sort_by(|(left, _), (right, _)| utf16_order(left.bytes(), right.bytes()));
            out.push('{');
            for (index, (key, member)) in members.into_iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_string(out, key);
                out.push(':');
                write_value(out, member, depth + 1).map_err(|error| within(error, Step::Key(key)))?;
            }
            out.push('}');
        }
    }
    Ok(())
}

fn within<'a>((fault, mut steps): (Fault, Vec<Step<'a>>), step: Step<'a>) -> (Fault, Vec<Step<'a>>) {
    steps.push(step);
    (fault, steps)
}

fn is_exact(number: &Number) -> bool {
    match (number.as_u64(), number.as_i64()) {
        (Some(value), _) => value <= MAX_INTEGER,
        (None, Some(value)) => value.unsigned_abs() <= MAX_INTEGER,
        (None, None) => false,
    }
}

fn write_string(out: &mut String, text: &str) {
    out.push('"');
    let mut rest = text;
    loop {
        let plain = plain_length(rest.as_bytes());
        out.push_str(rest.get(..plain).unwrap_or_default());
        let Some(byte) = rest.as_bytes().get(plain).copied() else { break };
        rest = rest.get(plain + 1..).unwrap_or_default();
        out.push('\\');
        match byte {
            b'"' | b'\\' => out.push(char::from(byte)),
            0x08 => out.push('b'),
            0x09 => out.push('t'),
            0x0A => out.push('n'),
            0x0C => out.push('f'),
            0x0D => out.push('r'),
            _ => {
                out.push_str("u00");
                for digit in [byte >> 4, byte & 0xF] {
                    out.extend(char::from_digit(u32::from(digit), 16));
                }
            }
        }
    }
    out.push('"');
}

/// The order of two texts by their UTF-16 code units, which RFC 8785 wants for keys, read from their UTF-8 bytes.
///
/// It differs from the order of the bytes in one point: characters beyond U+FFFF, whose UTF-8 begins with 0xF0 and
/// more, come before U+E000 to U+FFFF, whose UTF-8 begins with 0xEE and 0xEF.
pub(super) fn utf16_order(
    mut left: impl Iterator<Item = u8>,
    mut right: impl Iterator<Item = u8>,
) -> Ordering {
    loop {
        match (left.next(), right.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some(first), Some(second)) if first != second => {
                let rank = |byte: u8| if byte >= 0xF0 { (0xED, byte) } else { (byte, 0) };
                return rank(first).cmp(&rank(second));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
#[path = "canonical_tests.rs"]
mod tests;
