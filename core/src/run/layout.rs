//! Where the files of a run lie.

use super::state::State;
use crate::ledger::Started;
use crate::protocol::Protocol;

/// What the placeholders of a layout stand for.
pub(crate) struct Names<'a> {
    pub(crate) run_id: &'a str,
    pub(crate) session_id: &'a str,
    pub(crate) started_at: &'a str,
    pub(crate) task: &'a str,
}

impl<'a> Names<'a> {
    pub(crate) fn of(started: &'a Started, started_at: &'a str) -> Names<'a> {
        // The session that started the run names its folders; a transfer moves no files.
        Names {
            run_id: &started.run_id,
            session_id: &started.owner_session_id,
            started_at,
            task: &started.task,
        }
    }

    /// A template with its placeholders filled in.
    pub(crate) fn fill(&self, template: &str) -> String {
        let mut text = String::with_capacity(template.len());
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            text.push_str(before);
            let (name, after) = after.split_once('}').unwrap_or((after, ""));
            match name {
                "run" => text.push_str(self.run_id),
                "session" => text.push_str(self.session_id),
                "session:percent" => text.push_str(&percent(self.session_id)),
                "slug" => text.push_str(&slug(self.task)),
                "started:compact" => text.extend(self.started_at.chars().filter(char::is_ascii_alphanumeric)),
                other => {
                    text.push('{');
                    text.push_str(other);
                    text.push('}');
                }
            }
            rest = after;
        }
        text.push_str(rest);
        text
    }
}

/// Path of the ledger of a run, from the root.
#[must_use]
pub fn ledger_path(protocol: &Protocol, run_id: &str, session_id: &str) -> String {
    Names { run_id, session_id, started_at: "", task: "" }.fill(&protocol.layout.ledger)
}

/// How the files of one stage are named: a folder from the root, and what stands around the number.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SlotPattern {
    before: String,
    after: String,
    stage: String,
}

impl SlotPattern {
    /// The slot of a file name, when it is one of this stage: stage and number.
    #[must_use]
    pub fn read(&self, name: &str) -> Option<(String, u32)> {
        let number = name.strip_prefix(self.before.as_str())?.strip_suffix(self.after.as_str())?;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        let number = number.parse().ok().filter(|_| is_number)?;
        Some((self.stage.clone(), number))
    }
}

/// For each stage the folder of its files, from the root, and how they are named.
#[must_use]
pub fn slot_patterns(protocol: &Protocol, run_id: &str, session_id: &str) -> Vec<(String, SlotPattern)> {
    let names = Names { run_id, session_id, started_at: "", task: "" };
    let pattern = |stage: &String| {
        let path = format!("{}/{}", protocol.layout.folder, protocol.layout.artifact);
        let path = names.fill(&path).replace("{stage}", stage).replace("{n:02}", "{n}");
        let (folder, name) = path.rsplit_once('/')?;
        let (before, after) = name.split_once("{n}")?;
        let pattern =
            SlotPattern { before: before.to_owned(), after: after.to_owned(), stage: stage.clone() };
        Some((folder.to_owned(), pattern))
    };
    protocol.stages.keys().filter_map(pattern).collect()
}

impl State {
    fn names(&self) -> Names<'_> {
        Names::of(&self.started, self.entry(0).map_or("", |entry| entry.at.as_str()))
    }

    /// Path of the ledger, from the root.
    pub(crate) fn ledger_path(&self) -> String {
        self.names().fill(&self.protocol().layout.ledger)
    }

    /// Folder of the artifacts, from the root.
    pub(crate) fn folder(&self) -> String {
        self.names().fill(&self.protocol().layout.folder)
    }

    /// Path of the artifact in a slot, from the root.
    pub(crate) fn artifact_path(&self, stage: &str, stage_n: u32, slot_pass: u32) -> String {
        let template = &self.protocol().layout.artifact;
        let name = self
            .names()
            .fill(template)
            .replace("{stage}", stage)
            .replace("{n:02}", &format!("{stage_n:02}"))
            .replace("{n}", &stage_n.to_string());
        let name = match (slot_pass, name.strip_suffix(".md")) {
            (0 | 1, _) => name,
            (pass, Some(stem)) => format!("{stem}-p{pass}.md"),
            (pass, None) => format!("{name}-p{pass}"),
        };
        format!("{}/{name}", self.folder())
    }

    /// Documented names that hold the latest artifact of a stage, from the root.
    pub(crate) fn latest_paths(&self, stage: &str) -> Vec<String> {
        let name = self.protocol().layout.latest.get(stage);
        name.map(|name| format!("{}/{}", self.folder(), self.names().fill(name))).into_iter().collect()
    }

    /// Path of words that lie beside the ledger, from the root.
    pub(crate) fn note_path(&self, sha256: &str) -> String {
        let ledger = self.names().fill(&self.protocol().layout.ledger);
        let folder = ledger.rsplit_once('/').map_or("", |(folder, _)| folder);
        format!("{folder}/notes/{sha256}.txt")
    }
}

/// The percent encoding of a session id: everything but letters, digits, `_` and `-`.
fn percent(id: &str) -> String {
    let mut text = String::with_capacity(id.len());
    for byte in id.bytes() {
        if byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-' {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}

/// Letters and digits of a task, joined by hyphens, at most 40 characters; `plan` when there are none.
fn slug(task: &str) -> String {
    let mut slug = String::new();
    for word in task.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let word = word.to_lowercase();
        if slug.chars().count() + word.chars().count() > 40 {
            break;
        }
        if !slug.is_empty() {
            slug.push('-');
        }
        slug.push_str(&word);
    }
    if slug.is_empty() { "plan".to_owned() } else { slug }
}
