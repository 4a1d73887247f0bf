//! What a prompt asks for.

use super::OutlineError;
use crate::lint::words;

/// Parts of a prompt.
pub(super) struct Prompt<'a> {
    pub(super) instructions: &'a str,
    pub(super) task: &'a str,
    pub(super) stage: &'a str,
    /// What is to be read: what it is, and its path.
    pub(super) reads: Vec<(&'a str, &'a str)>,
    /// Labels of the verdicts with their words, best first.
    pub(super) axes: Vec<(&'a str, Vec<&'a str>)>,
    pub(super) must_push_back: bool,
    pub(super) is_closing: bool,
    pub(super) is_deliberate: bool,
}

impl<'a> Prompt<'a> {
    pub(super) fn read(text: &'a str) -> Result<Prompt<'a>, OutlineError> {
        let lacks = OutlineError::NotAnAssignment;
        let (instructions, rest) = text.split_once("\n## Task\n").ok_or(lacks("## Task"))?;
        let (task, rest) = rest.rsplit_once("\n## This assignment\n").ok_or(lacks("## This assignment"))?;
        let lines = || rest.lines().filter_map(|line| line.strip_prefix("- "));
        let read = |line: &'a str| {
            let (what, path) = line.rsplit_once(": `")?;
            Some((what, path.split_once('`')?.0))
        };
        let axis = |line: &'a str| {
            let (label, words) = line.strip_prefix('`')?.split_once(": WORD`, best to worst ")?;
            Some((label, words.split('`').skip(1).step_by(2).collect()))
        };
        Ok(Prompt {
            instructions,
            task: task.trim(),
            stage: lines().find_map(|line| line.strip_prefix("stage: ")).unwrap_or_default(),
            reads: lines().filter_map(read).collect(),
            axes: lines().filter_map(axis).collect(),
            must_push_back: rest.contains("pushback.missing"),
            is_closing: instructions.contains("## Architecture Decision Record"),
            is_deliberate: instructions.contains("## Deliberate mode"),
        })
    }

    /// Paths of what is to be read, by how the prompt introduces it.
    pub(super) fn paths(&self, what: &str) -> impl Iterator<Item = &'a str> {
        self.reads.iter().filter(move |(known, _)| known.starts_with(what)).map(|(_, path)| *path)
    }

    /// What a team added to the instructions of a reviewer, as topics.
    pub(super) fn topics(&self) -> Vec<&'a str> {
        let text = self.instructions.split("\n## Deliberate mode").next().unwrap_or_default();
        let is_own = |text: &&str| !text.contains("defend the") && !text.contains("Approve only");
        let own = text.trim().rsplit("\n\n").take_while(is_own);
        let list = |text: &'a str| text.split_once(':').map_or(text, |(_, list)| list).split([',', ';', '.']);
        own.flat_map(list).map(str::trim).filter(|topic| !words(topic).is_empty()).collect()
    }
}
