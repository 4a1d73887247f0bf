//! What happens while agents work: spinner lines on a terminal, plain lines otherwise.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use ralplan_core::run::{LaneStatus, Receipt};
use ralplan_host::drive::DriveEvent;

use crate::output::{Output, printable};

/// Time between two pictures of a spinner.
const TICK: Duration = Duration::from_millis(120);

/// What happens while agents work. Speaks on standard error; markers go to standard output.
pub(crate) struct Progress {
    output: Output,
    lines: Option<MultiProgress>,
    state: Mutex<Shown>,
}

/// What is shown, and what was.
#[derive(Default)]
struct Shown {
    spinners: BTreeMap<String, ProgressBar>,
    markers: Vec<String>,
}

impl Progress {
    pub(crate) fn new(output: Output) -> Progress {
        let is_live = std::io::stderr().is_terminal() && !output.is_quiet && !output.is_json;
        Progress { output, lines: is_live.then(MultiProgress::new), state: Mutex::default() }
    }

    /// Shows an event.
    pub(crate) fn show(&self, event: &DriveEvent) {
        match event {
            DriveEvent::Started { role, slot, attempt, program } => {
                let again = if *attempt > 1 { format!(", attempt {attempt}") } else { String::new() };
                self.start(role, &format!("{role} writes {slot} ({}{again})", base(program)));
            }
            DriveEvent::Accepted { role, receipt, lane, warnings } => {
                self.end(role, &accepted(role, receipt, lane.as_ref().as_ref()));
                for warning in warnings {
                    self.say(&format!("  warning {}: {}", warning.code.name(), warning.message));
                }
            }
            DriveEvent::Failed { role, code, message, is_retried } => {
                let then = if *is_retried { "; trying again" } else { "" };
                self.end(role, &format!("{role} failed: {code}: {message}{then}"));
            }
            DriveEvent::Warning { message } => self.say(&format!("warning: {message}")),
            DriveEvent::Marker { text } => self.mark(text),
            other => self.say(&format!("{other:?}")),
        }
    }

    /// Lets go of the terminal for a question.
    pub(crate) fn pause<T>(&self, ask: impl FnOnce() -> T) -> T {
        match &self.lines {
            Some(lines) => lines.suspend(ask),
            None => ask(),
        }
    }

    /// Ends all spinners, and tells which markers were printed.
    pub(crate) fn finish(&self) -> Vec<String> {
        let mut shown = self.shown();
        for spinner in std::mem::take(&mut shown.spinners).into_values() {
            spinner.finish_and_clear();
        }
        shown.markers.clone()
    }

    fn shown(&self) -> MutexGuard<'_, Shown> {
        // Nothing is half done when a thread ends in between: the worst is a missing line.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn start(&self, role: &str, message: &str) {
        let Some(lines) = &self.lines else { return self.output.note(message) };
        let spinner = lines.add(ProgressBar::new_spinner().with_style(style()));
        spinner.set_message(printable(message));
        spinner.enable_steady_tick(TICK);
        if let Some(earlier) = self.shown().spinners.insert(role.to_owned(), spinner) {
            earlier.finish_and_clear();
        }
    }

    fn end(&self, role: &str, message: &str) {
        if let Some(spinner) = self.shown().spinners.remove(role) {
            spinner.finish_and_clear();
        }
        self.say(message);
    }

    fn say(&self, message: &str) {
        self.pause(|| self.output.note(message));
    }

    fn mark(&self, text: &str) {
        self.shown().markers.push(text.to_owned());
        if !self.output.is_json {
            // A closed standard output ends nothing here; the run goes on.
            let _ = self.pause(|| self.output.text(text));
        }
    }
}

fn style() -> ProgressStyle {
    let is_plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let template =
        if is_plain { "{spinner} {msg} {elapsed}" } else { "{spinner:.cyan} {msg} {elapsed:.dim}" };
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner())
}

/// What a program is called in a line.
fn base(program: &str) -> &str {
    let is_own = std::env::current_exe().is_ok_and(|own| own.display().to_string() == program);
    if is_own { "built-in agent" } else { program.rsplit(['/', '\\']).next().unwrap_or(program) }
}

fn accepted(role: &str, receipt: &Receipt, lane: Option<&LaneStatus>) -> String {
    let verdict = lane.filter(|lane| !lane.verdict.is_empty()).map(|lane| {
        let findings =
            if lane.findings.is_empty() { String::new() } else { format!(" ({})", lane.findings.join(", ")) };
        format!(": {}{findings}", lane.verdict.join("/"))
    });
    match (&receipt.stage, receipt.stage_n) {
        (Some(stage), Some(number)) => {
            format!("{role} wrote {stage} {number}{}", verdict.unwrap_or_default())
        }
        _ => format!("{role}: {}", receipt.event.replace('_', " ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_remembered_and_programs_shown_without_their_folder() {
        let progress = Progress::new(Output { is_json: true, is_quiet: true });
        progress.show(&DriveEvent::Marker { text: "PLANNING-STUCK".to_owned() });
        assert_eq!(progress.finish(), ["PLANNING-STUCK"]);
        assert_eq!(base("/usr/bin/claude"), "claude");
    }
}
