//! Where results and messages go: results to standard output, messages to standard error.

use std::fmt::Write as _;
use std::io::{self, ErrorKind, Write};

use ralplan_core::json::to_canonical;
use serde::Serialize;

use crate::exit::Failure;

/// How the program speaks.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Output {
    /// One JSON document instead of text.
    pub(crate) is_json: bool,
    /// Nothing but results, markers and errors.
    pub(crate) is_quiet: bool,
}

impl Output {
    /// Prints a result as text; characters that a terminal would obey are shown instead.
    pub(crate) fn text(self, text: &str) -> Result<(), Failure> {
        self.exact(&with_newline(&printable(text)))
    }

    /// Prints a result exactly as it is.
    pub(crate) fn exact(self, text: &str) -> Result<(), Failure> {
        let mut stdout = io::stdout().lock();
        let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
        match written {
            Ok(()) => Ok(()),
            // Whoever reads has seen enough; the work is done all the same.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            Err(error) => Err(Failure::system(format!("cannot write to standard output: {error}"))),
        }
    }

    /// Prints a result as one canonical JSON document.
    pub(crate) fn json<T: Serialize>(self, value: &T) -> Result<(), Failure> {
        let text = to_canonical(value)
            .map_err(|error| Failure::system(format!("the result has no canonical form: {error}")))?;
        self.exact(&with_newline(&text))
    }

    /// Says something beside the result.
    pub(crate) fn note(self, text: &str) {
        if !self.is_quiet {
            self.complain(text);
        }
    }

    /// Says something that must be said.
    pub(crate) fn complain(self, text: &str) {
        // There is nobody left to tell when standard error is closed.
        let _ = io::stderr().lock().write_all(with_newline(&printable(text)).as_bytes());
    }
}

fn with_newline(text: &str) -> String {
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{text}{end}")
}

/// The text with control characters shown as escapes, so that no artifact can steer a terminal.
pub(crate) fn printable(text: &str) -> String {
    let is_harmless = |character: char| !character.is_control() || matches!(character, '\n' | '\t');
    if text.chars().all(is_harmless) {
        return text.to_owned();
    }
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if is_harmless(character) {
            shown.push(character);
        } else if character != '\r' {
            // Writing to a string cannot fail.
            let _ = write!(shown, "{}", character.escape_default());
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown_and_line_endings_kept() {
        assert_eq!(printable("a\u{1b}[2Jb\r\nc\td"), "a\\u{1b}[2Jb\nc\td");
        assert_eq!(with_newline("x\n"), "x\n");
        assert_eq!(with_newline("x"), "x\n");
        assert_eq!(with_newline(""), "");
    }
}
