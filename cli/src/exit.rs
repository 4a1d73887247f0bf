//! How the program ends: exit codes, and what went wrong.

use std::process::ExitCode;

use ralplan_core::reason::{Code, Reason};
use ralplan_host::host::HostError;
use ralplan_host::store::StoreError;

/// How the program ends.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Exit {
    /// Accepted, done before, or a plan is pending approval.
    Done,
    /// The system refused something, or something unexpected happened.
    Unexpected,
    /// Refused, or bad input.
    Refused,
    /// A budget is used up.
    Exhausted,
    /// Only a person can go on.
    NeedsPerson,
}

impl Exit {
    /// The number that the shell sees.
    pub(crate) fn number(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::Unexpected => 1,
            Exit::Refused => 2,
            Exit::Exhausted => 3,
            Exit::NeedsPerson => 4,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.number())
    }
}

/// What a command comes to.
pub(crate) type Outcome = Result<Exit, Failure>;

/// Why a command could not be carried out, before or around the core's decision.
#[derive(Debug)]
pub(crate) struct Failure {
    /// How the program ends.
    pub(crate) exit: Exit,
    /// What is wrong, at least one.
    pub(crate) reasons: Vec<Reason>,
}

impl Failure {
    /// Bad input, for one or several reasons.
    pub(crate) fn refused(reasons: Vec<Reason>) -> Failure {
        Failure { exit: Exit::Refused, reasons }
    }

    /// A wrong argument.
    pub(crate) fn argument(at: &str, message: impl Into<String>) -> Reason {
        Reason::new(Code::InputArgument).at(at).message(message)
    }

    /// The system refused something.
    pub(crate) fn system(message: impl Into<String>) -> Failure {
        Failure { exit: Exit::Unexpected, reasons: vec![Reason::new(Code::StoreIo).message(message)] }
    }

    /// Only a person can go on.
    pub(crate) fn needs_person(reason: Reason) -> Failure {
        Failure { exit: Exit::NeedsPerson, reasons: vec![reason] }
    }
}

impl From<Reason> for Failure {
    fn from(reason: Reason) -> Failure {
        Failure::refused(vec![reason])
    }
}

impl From<HostError> for Failure {
    fn from(error: HostError) -> Failure {
        match error {
            HostError::Store(error) => error.into(),
            HostError::NotFound { message } => Reason::new(Code::RunNotFound).message(message).into(),
            HostError::Ambiguous { runs } => {
                Reason::new(Code::RunAmbiguous).at("--run-id").expected(runs).into()
            }
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        let code = Code::named(error.code).unwrap_or(Code::StoreIo);
        let exit = if error.code.starts_with("store.") { Exit::Unexpected } else { Exit::Refused };
        Failure { exit, reasons: vec![Reason::new(code).message(error.message)] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trouble_with_the_file_system_is_no_bad_input() {
        let io = Failure::from(StoreError { code: "store.io", message: "no space".to_owned() });
        assert_eq!((io.exit, io.reasons[0].code), (Exit::Unexpected, Code::StoreIo));
        let link = Failure::from(StoreError { code: "path.link", message: "x".to_owned() });
        assert_eq!((link.exit, link.reasons[0].code), (Exit::Refused, Code::PathLink));
    }

    #[test]
    fn several_runs_are_listed() {
        let failure = Failure::from(HostError::Ambiguous { runs: vec!["a".to_owned(), "b".to_owned()] });
        assert_eq!(failure.exit.number(), 2);
        assert!(serde_json::to_string(&failure.reasons[0]).unwrap().contains(r#""expected":["a","b"]"#));
    }
}
