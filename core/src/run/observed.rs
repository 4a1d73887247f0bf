//! What a host saw, as far as the core asked for it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A fact of the host, for example whether a target is available.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Fact {
    /// Whether it holds.
    pub available: bool,
    /// Why not, or how it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Name of the fact.
    pub name: String,
}

/// The text of an artifact.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ArtifactText {
    /// Digest of the text.
    pub sha256: String,
    /// The text.
    pub text: String,
}

/// What the core needs to decide a command; usually nothing.
#[derive(Clone, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Needs {
    /// Digests of artifacts whose text is read.
    pub artifacts: Vec<String>,
    /// Names of facts.
    pub facts: Vec<String>,
}

/// What a host saw.
#[derive(Clone, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Observed {
    /// Texts of artifacts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub artifacts: Vec<ArtifactText>,
    /// Facts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Fact>,
}

impl Observed {
    /// The text with a digest.
    #[must_use]
    pub fn artifact(&self, sha256: &str) -> Option<&str> {
        self.artifacts
            .iter()
            .find(|artifact| artifact.sha256 == sha256)
            .map(|artifact| artifact.text.as_str())
    }

    /// The fact with a name.
    #[must_use]
    pub fn fact(&self, name: &str) -> Option<&Fact> {
        self.facts.iter().find(|fact| fact.name == name)
    }
}
