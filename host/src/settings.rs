//! `ralplan.toml`: what a team sets for its runs and agents.

use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Duration;

use serde::Deserialize;
use toml::Spanned;

use crate::process::{AgentCommand, IdRule};

/// Name of the file at the root.
pub const FILE: &str = "ralplan.toml";
/// Time limit of an agent without a setting.
const TIME_LIMIT_SECONDS: u64 = 1800;
/// Output limit of an agent without a setting, in bytes.
const OUTPUT_LIMIT_BYTES: u64 = 8 * 1024 * 1024;
/// Further attempts of an agent without a setting.
const RETRIES: u32 = 1;

/// A value and where it stands, for example `ralplan.toml:3`.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Sourced<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub source: String,
}

/// The settings of a file.
#[derive(Clone, Debug, Default)]
pub struct FileSettings {
    /// Protocol: a built-in name or the path of a document.
    pub protocol: Option<Sourced<String>>,
    /// Drafts of a run.
    pub max_iterations: Option<Sourced<u32>>,
    /// Reviews of one lane in one iteration.
    pub max_passes_per_lane: Option<Sourced<u32>>,
    /// Target of an automatic handoff, or `off`.
    pub automatic_handoff: Option<Sourced<String>>,
    /// Forces or forbids deliberate mode.
    pub deliberate: Option<Sourced<bool>>,
    /// Codes or prefixes that only warn.
    pub warn: Option<Sourced<Vec<String>>>,
    /// The agents, by role.
    pub agents: BTreeMap<String, AgentCommand>,
}

/// What is wrong with a settings file, and where.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{file}:{line}: {message}")]
pub struct SettingsError {
    /// The file.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// What is wrong and what was expected.
    pub message: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    protocol: Option<Spanned<String>>,
    max_iterations: Option<Spanned<u32>>,
    max_passes_per_lane: Option<Spanned<u32>>,
    automatic_handoff: Option<Spanned<String>>,
    deliberate: Option<Spanned<bool>>,
    enforcement: Option<RawEnforcement>,
    #[serde(default)]
    agents: BTreeMap<String, RawAgent>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawEnforcement {
    warn: Option<Spanned<Vec<String>>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Words {
    Line(String),
    List(Vec<String>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawAgent {
    command: Spanned<Words>,
    resume: Option<Spanned<Words>>,
    id: Option<Spanned<RawId>>,
    time_limit_seconds: Option<Spanned<u64>>,
    output_limit_bytes: Option<Spanned<u64>>,
    retries: Option<Spanned<u32>>,
    #[serde(default)]
    environment: Vec<String>,
    artifact: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum RawId {
    Word(String),
    Json { json: String, artifact: Option<String> },
    Prefix { prefix: String },
}

/// Reads a settings file.
///
/// # Errors
/// The first thing that is wrong, with its line.
pub fn parse(file: &str, text: &str) -> Result<FileSettings, SettingsError> {
    let reader = Reader { file, text };
    let raw: RawFile =
        toml::from_str(text).map_err(|error| reader.wrong(error.span().unwrap_or(0..0), error.message()))?;
    let mut agents = BTreeMap::new();
    for (role, agent) in raw.agents {
        agents.insert(role, reader.agent(agent)?);
    }
    let max_iterations = reader.ranged("max_iterations", raw.max_iterations, 1, 20)?;
    let max_passes_per_lane = reader.ranged("max_passes_per_lane", raw.max_passes_per_lane, 1, 10)?;
    Ok(FileSettings {
        protocol: reader.sourced(raw.protocol),
        max_iterations,
        max_passes_per_lane,
        automatic_handoff: reader.sourced(raw.automatic_handoff),
        deliberate: reader.sourced(raw.deliberate),
        warn: reader.sourced(raw.enforcement.and_then(|enforcement| enforcement.warn)),
        agents,
    })
}

/// The agent of a command line, with the limits of an agent without settings.
///
/// # Errors
/// When the line is blank or a quotation mark is left open.
pub fn agent_of_line(line: &str) -> Result<AgentCommand, String> {
    Ok(AgentCommand {
        argv: split(line)?,
        resume: None,
        id: IdRule::None,
        time_limit: Duration::from_secs(TIME_LIMIT_SECONDS),
        output_limit: OUTPUT_LIMIT_BYTES,
        retries: RETRIES,
        environment: Vec::new(),
        writes_file: false,
    })
}

/// Splits a command line into words, with quotation marks and back-slashes but without a shell.
fn split(line: &str) -> Result<Vec<String>, String> {
    let words = shlex::split(line).ok_or_else(|| format!("a quotation mark is left open in `{line}`"))?;
    if words.is_empty() { Err("the command is blank".to_owned()) } else { Ok(words) }
}

struct Reader<'a> {
    file: &'a str,
    text: &'a str,
}

impl Reader<'_> {
    fn line(&self, span: &Range<usize>) -> usize {
        self.text.get(..span.start).unwrap_or_default().matches('\n').count() + 1
    }

    fn wrong(&self, span: Range<usize>, message: impl Into<String>) -> SettingsError {
        SettingsError { file: self.file.to_owned(), line: self.line(&span), message: message.into() }
    }

    fn sourced<T>(&self, value: Option<Spanned<T>>) -> Option<Sourced<T>> {
        value.map(|value| {
            let source = format!("{}:{}", self.file, self.line(&value.span()));
            Sourced { value: value.into_inner(), source }
        })
    }

    fn ranged(
        &self,
        name: &str,
        value: Option<Spanned<u32>>,
        min: u32,
        max: u32,
    ) -> Result<Option<Sourced<u32>>, SettingsError> {
        if let Some(value) = &value
            && !(min..=max).contains(value.get_ref())
        {
            return Err(self.wrong(
                value.span(),
                format!("expected `{name}` from {min} to {max}, found {}", value.get_ref()),
            ));
        }
        Ok(self.sourced(value))
    }

    fn words(&self, words: Spanned<Words>) -> Result<Vec<String>, SettingsError> {
        let span = words.span();
        match words.into_inner() {
            Words::Line(line) => split(&line).map_err(|message| self.wrong(span, message)),
            Words::List(list) if list.first().is_none_or(|program| program.trim().is_empty()) => {
                Err(self.wrong(span, "the command is empty; expected a program and its arguments"))
            }
            Words::List(list) => Ok(list),
        }
    }

    fn agent(&self, raw: RawAgent) -> Result<AgentCommand, SettingsError> {
        let resume = raw.resume.map(|resume| {
            let span = resume.span();
            let words = self.words(resume)?;
            if words.iter().any(|word| word.contains("{id}")) {
                Ok(words)
            } else {
                Err(self.wrong(span, "expected `{id}` in `resume`, where the id of the agent goes"))
            }
        });
        let id = match raw.id {
            None => IdRule::None,
            Some(id) => {
                let span = id.span();
                match id.into_inner() {
                    RawId::Word(word) if word == "none" => IdRule::None,
                    RawId::Word(word) => {
                        return Err(self.wrong(span, format!("expected `none`, {{ json = \"FIELD\" }} or {{ prefix = \"TEXT\" }}, found `{word}`")));
                    }
                    RawId::Json { json, artifact } => {
                        IdRule::Json { id: json, artifact: artifact.unwrap_or_else(|| "result".to_owned()) }
                    }
                    RawId::Prefix { prefix } => IdRule::Prefix(prefix),
                }
            }
        };
        let writes_file = match raw.artifact {
            None => false,
            Some(artifact) => match artifact.get_ref().as_str() {
                "output" => false,
                "file" => true,
                other => {
                    return Err(self.wrong(
                        artifact.span(),
                        format!("expected `artifact` to be `output` or `file`, found `{other}`"),
                    ));
                }
            },
        };
        if let Some(retries) = raw.retries.as_ref().filter(|retries| *retries.get_ref() > 5) {
            return Err(self.wrong(
                retries.span(),
                format!("expected `retries` from 0 to 5, found {}", retries.get_ref()),
            ));
        }
        for (name, value) in
            [("time_limit_seconds", &raw.time_limit_seconds), ("output_limit_bytes", &raw.output_limit_bytes)]
        {
            if let Some(value) = value.as_ref().filter(|value| *value.get_ref() == 0) {
                return Err(self.wrong(value.span(), format!("expected `{name}` of at least 1, found 0")));
            }
        }
        Ok(AgentCommand {
            argv: self.words(raw.command)?,
            resume: resume.transpose()?,
            id,
            time_limit: Duration::from_secs(
                raw.time_limit_seconds.map_or(TIME_LIMIT_SECONDS, Spanned::into_inner),
            ),
            output_limit: raw.output_limit_bytes.map_or(OUTPUT_LIMIT_BYTES, Spanned::into_inner),
            retries: raw.retries.map_or(RETRIES, Spanned::into_inner),
            environment: raw.environment,
            writes_file,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_file_reads_with_the_place_of_each_value() {
        let text = "protocol = \"gjc\"\nmax_iterations = 3\n\n[enforcement]\nwarn = [\"document.*\"]\n\n[agents.planner]\ncommand = [\"claude\", \"-p\"]\nresume = \"claude -p --resume {id}\"\nid = { json = \"session_id\" }\nretries = 2\n";
        let settings = parse(FILE, text).unwrap();
        assert_eq!(settings.max_iterations, Some(Sourced { value: 3, source: "ralplan.toml:2".to_owned() }));
        assert_eq!(settings.warn.unwrap().source, "ralplan.toml:5");
        let planner = &settings.agents["planner"];
        assert_eq!(planner.argv, ["claude", "-p"]);
        assert_eq!(planner.resume.as_deref().unwrap(), ["claude", "-p", "--resume", "{id}"]);
        assert_eq!(planner.id, IdRule::Json { id: "session_id".to_owned(), artifact: "result".to_owned() });
    }

    #[test]
    fn wrong_values_name_file_line_and_what_was_expected() {
        let cases = [
            ("max_iterations = 0\n", 1, "from 1 to 20"),
            ("\nmax_iterations = \"3\"\n", 2, "u32"),
            ("max_iteration = 3\n", 1, "unknown field"),
            ("[agents.planner]\ncommand = []\n", 2, "program"),
            ("[agents.planner]\ncommand = \"x\"\nresume = \"x\"\n", 3, "{id}"),
            ("[agents.planner]\ncommand = \"x\"\nartifact = \"disk\"\n", 3, "`output` or `file`"),
            ("protocol = \n", 1, ""),
        ];
        for (text, line, expected) in cases {
            let error = parse(FILE, text).unwrap_err();
            assert_eq!(error.line, line, "{error}");
            assert!(error.message.contains(expected), "{error}");
        }
    }
}
