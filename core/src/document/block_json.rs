//! Fenced blocks that carry JSON for the engine.

use serde::de::DeserializeOwned;

use super::blocks::Code;
use super::outline::Outline;
use super::position::Lines;

/// Why a fenced JSON block was not read.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum BlockError {
    /// A second block with the same name.
    Two { line: usize },
    /// The fence is never closed.
    Unclosed { line: usize },
    /// The content is not the expected JSON.
    Json { line: usize, path: String, found: String },
}

/// Reads the one fenced block whose info string is `name`; returns it with the line of its fence.
pub(crate) fn read_block<T: DeserializeOwned>(
    outline: &Outline,
    lines: &Lines<'_>,
    name: &str,
) -> Result<Option<(T, usize)>, BlockError> {
    let is_named =
        |code: &&Code| code.fenced && !code.quoted && code.info.split_whitespace().next() == Some(name);
    let mut blocks = outline.blocks.codes.iter().filter(is_named);
    let Some(block) = blocks.next() else { return Ok(None) };
    let line = lines.line(block.at);
    if let Some(second) = blocks.next() {
        return Err(BlockError::Two { line: lines.line(second.at) });
    }
    if !block.closed {
        return Err(BlockError::Unclosed { line });
    }
    let mut reader = serde_json::Deserializer::from_str(&block.content);
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let path = error.path().to_string();
        json_error(error.inner(), path, line)
    })?;
    reader.end().map_err(|error| json_error(&error, ".".to_owned(), line))?;
    Ok(Some((value, line)))
}

fn json_error(error: &serde_json::Error, path: String, line: usize) -> BlockError {
    let message = error.to_string();
    let found = message.rsplit_once(" at line ").map_or(message.as_str(), |(found, _)| found).to_owned();
    BlockError::Json { line: line + error.line(), path, found }
}
