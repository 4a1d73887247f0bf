//! The built-in agents: they serve where no real agent is configured, and guess where a real one would read.

mod plan;
mod prompt;
mod review;
mod revision;
#[cfg(test)]
mod tests;

use std::path::Path;

use thiserror::Error;

use crate::lint::{Draft, Project};

/// Why there is no answer.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum OutlineError {
    /// The prompt lacks a heading that every assignment has.
    #[error("expected a prompt with `{0}`, found none")]
    NotAnAssignment(&'static str),
    /// A file that the prompt names cannot be read: its path, and why.
    #[error("cannot read `{0}`: {1}")]
    Unreadable(String, String),
}

type Answer = Result<String, OutlineError>;

/// Answers the prompt of an assignment with an artifact: a plan, its revision, a review, a record or a context.
///
/// What the prompt asks for decides, not the name of the role. The same prompt on the same files gives the same text.
///
/// # Errors
/// See [`OutlineError`].
pub fn answer(role: &str, prompt: &str, root: &Path) -> Result<String, OutlineError> {
    let prompt = prompt::Prompt::read(prompt)?;
    let project = Project::walk(root);
    let Some(path) = prompt.paths("draft under review").chain(prompt.paths("current draft")).next() else {
        return Ok(plan::write(&prompt, &project));
    };
    let text = artifact(&project, path)?;
    let draft = Draft::read(&text);
    match (prompt.axes.is_empty(), prompt.is_closing) {
        (false, _) => review::write(role, &prompt, &draft, &project),
        (true, true) => revision::record(&prompt, &draft, &project),
        (true, false) => revision::write(&prompt, &draft, &project),
    }
}

fn artifact(project: &Project, path: &str) -> Answer {
    project.read(path).map_err(|error| OutlineError::Unreadable(path.to_owned(), error.to_string()))
}

/// A template with its `{names}` replaced.
fn fill<T: AsRef<str>>(template: &str, values: &[(&str, T)]) -> String {
    let put = |text: String, (name, value): &(&str, T)| text.replace(&format!("{{{name}}}"), value.as_ref());
    values.iter().fold(template.to_owned(), put)
}
