//! Why something was refused or warned: every reason code in one table.

mod table;

pub use table::{CODES, Code};

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::json;

/// Whether a team may soften a code to a warning.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CodeClass {
    /// Always refuses; no setting reaches it.
    Fixed,
    /// Refuses, unless the enforcement of the run says `warn`.
    Softenable,
    /// Raised by a host around the core; always an error.
    Host,
}

/// One row of the reason table.
#[derive(Clone, Copy, Debug)]
pub struct CodeRow {
    /// The code.
    pub code: Code,
    /// How it is written everywhere, for example `order.join_incomplete`.
    pub name: &'static str,
    /// Whether it can be softened.
    pub class: CodeClass,
    /// What is wrong when it fires.
    pub meaning: &'static str,
    /// What to do about it.
    pub remedy: &'static str,
}

impl Code {
    /// The row of this code.
    #[must_use]
    pub fn row(self) -> &'static CodeRow {
        const UNKNOWN: &CodeRow = &CodeRow {
            code: Code::InputNotJson,
            name: "input.not_json",
            class: CodeClass::Fixed,
            meaning: "",
            remedy: "",
        };
        // INVARIANT: the table is declared together with the enum, in the same order (tested).
        CODES.get(self as usize).unwrap_or(UNKNOWN)
    }

    /// The code as it is written everywhere.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The code with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Code> {
        CODES.iter().find(|row| row.name == name).map(|row| row.code)
    }

    /// True when a team may soften the code to a warning.
    #[must_use]
    pub fn is_softenable(self) -> bool {
        self.row().class == CodeClass::Softenable
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Code, D::Error> {
        let name = String::deserialize(deserializer)?;
        Code::named(&name).ok_or_else(|| {
            serde::de::Error::custom(format!(
                "unknown reason code `{name}`, expected one of the listed codes"
            ))
        })
    }
}

impl JsonSchema for Code {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Code".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let names: Vec<&str> = CODES.iter().map(|row| row.name).collect();
        schemars::json_schema!({ "type": "string", "enum": names })
    }
}

/// A value in a reason: text, a count, or a list of texts; nothing deeper.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Detail {
    /// One text.
    Text(String),
    /// One count.
    Number(u64),
    /// Several texts.
    List(Vec<String>),
}

impl From<&str> for Detail {
    fn from(text: &str) -> Detail {
        Detail::Text(text.to_owned())
    }
}

impl From<String> for Detail {
    fn from(text: String) -> Detail {
        Detail::Text(text)
    }
}

impl From<u64> for Detail {
    fn from(number: u64) -> Detail {
        Detail::Number(number)
    }
}

impl From<u32> for Detail {
    fn from(number: u32) -> Detail {
        Detail::Number(u64::from(number))
    }
}

impl From<Vec<String>> for Detail {
    fn from(list: Vec<String>) -> Detail {
        Detail::List(list)
    }
}

/// Why something was refused or warned.
///
/// `expected` and `actual` are a text, a count or a list of texts.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Reason {
    /// The stable code.
    pub code: Code,
    /// The field, place or slot the reason is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// What is wrong, for a person.
    pub message: String,
    /// What would have been accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<Detail>,
    /// What was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actual: Option<Detail>,
    /// What to do about it.
    pub remedy: String,
}

impl Reason {
    /// A reason with the meaning and remedy of the table.
    #[must_use]
    pub fn new(code: Code) -> Reason {
        let row = code.row();
        Reason {
            code,
            at: None,
            message: row.meaning.to_owned(),
            expected: None,
            actual: None,
            remedy: row.remedy.to_owned(),
        }
    }

    /// The same reason about a field, place or slot.
    #[must_use]
    pub fn at(mut self, at: impl Into<String>) -> Reason {
        self.at = Some(at.into());
        self
    }

    /// The same reason with a message of its own.
    #[must_use]
    pub fn message(mut self, message: impl Into<String>) -> Reason {
        self.message = message.into();
        self
    }

    /// The same reason with what would have been accepted.
    #[must_use]
    pub fn expected(mut self, expected: impl Into<Detail>) -> Reason {
        self.expected = Some(expected.into());
        self
    }

    /// The same reason with what was found.
    #[must_use]
    pub fn actual(mut self, actual: impl Into<Detail>) -> Reason {
        self.actual = Some(actual.into());
        self
    }

    /// The same reason with a remedy of its own.
    #[must_use]
    pub fn remedy(mut self, remedy: impl Into<String>) -> Reason {
        self.remedy = remedy.into();
        self
    }
}

impl From<&json::JsonError> for Reason {
    fn from(error: &json::JsonError) -> Reason {
        let code = Code::named(error.code()).unwrap_or(Code::InputNotJson);
        Reason::new(code).at(error.path()).message(error.to_string())
    }
}

impl From<&json::ShapeError> for Reason {
    fn from(error: &json::ShapeError) -> Reason {
        let code = Code::named(error.code).unwrap_or(Code::InputWrongType);
        let reason = Reason::new(code).at(error.path.as_str()).message(error.to_string());
        let reason = reason.expected(error.expected.as_str()).actual(error.found.as_str());
        match &error.hint {
            Some(hint) => reason.remedy(format!("did you mean `{hint}`?")),
            None => reason,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_stands_at_its_own_row_and_reads_back() {
        for (index, row) in CODES.iter().enumerate() {
            assert_eq!(row.code as usize, index, "{}", row.name);
            assert_eq!(Code::named(row.name), Some(row.code));
            assert!(!row.meaning.is_empty() && !row.remedy.is_empty(), "{}", row.name);
            assert!(!row.meaning.ends_with('.') && !row.remedy.ends_with('.'), "{}", row.name);
        }
    }

    #[test]
    fn families_are_fixed_or_softenable_as_documented() {
        let fixed = [
            "ledger.",
            "receipt.",
            "slot.",
            "budget.",
            "run.",
            "approval.",
            "handoff.",
            "admission.",
            "input.",
            "path.",
        ];
        for row in CODES {
            if fixed.iter().any(|family| row.name.starts_with(family)) {
                assert_ne!(row.class, CodeClass::Softenable, "{}", row.name);
            }
        }
    }
}
