//! `verify` and `replay`: whether a run is what its ledger says.

use std::path::PathBuf;

use clap::Args;
use ralplan_core::run::{Run, Verification};

use crate::context::{Context, Reach};
use crate::exit::{Exit, Failure, Outcome};
use crate::{settings, words};

/// Arguments of `verify`.
#[derive(Args, Debug)]
pub(crate) struct VerifyArgs {
    /// Check the ledger and leave the other files alone
    #[arg(long)]
    ledger_only: bool,
    /// A ledger file anywhere, instead of a run of this root
    #[arg(value_name = "LEDGER_FILE")]
    ledger: Option<PathBuf>,
}

/// Arguments of `replay`.
#[derive(Args, Debug)]
pub(crate) struct ReplayArgs {
    /// Say for each entry how it was decided again
    #[arg(long, short)]
    verbose: bool,
    /// A ledger file anywhere, instead of a run of this root
    #[arg(value_name = "LEDGER_FILE")]
    ledger: Option<PathBuf>,
}

/// Checks the chain, every decision and every file.
pub(crate) fn verify(context: &Context, arguments: &VerifyArgs) -> Outcome {
    let verification = match &arguments.ledger {
        Some(path) => of_file(path)?.1,
        None => context.host()?.verify(&context.key(Reach::Any)?, arguments.ledger_only)?,
    };
    tell(context, &verification)
}

/// Decides every entry again, from the ledger alone.
pub(crate) fn replay(context: &Context, arguments: &ReplayArgs) -> Outcome {
    let (run, verification) = match &arguments.ledger {
        Some(path) => of_file(path)?,
        None => {
            let (key, run) = context.load(Reach::Any)?;
            let verification = run.verify(&key.ledger, None);
            (run, verification)
        }
    };
    if arguments.verbose && !context.output.is_json {
        let rows: Vec<String> = run
            .state()
            .map(|state| state.entries())
            .unwrap_or_default()
            .iter()
            .map(|entry| {
                let is_faulty = verification.faults.iter().any(|fault| fault.seq == Some(entry.seq));
                let result = if is_faulty { "decided differently" } else { "decided alike" };
                format!("{:>5}  {:<11} {} {result}", entry.seq, entry.event.word(), words::short(&entry.hash))
            })
            .collect();
        context.output.text(&rows.join("\n"))?;
    }
    tell(context, &verification)
}

fn of_file(path: &std::path::Path) -> Result<(Run, Verification), Failure> {
    let bytes = settings::bounded(path)?;
    let run = Run::open(&bytes, None);
    let verification = run.verify(&path.display().to_string(), None);
    Ok((run, verification))
}

fn tell(context: &Context, verification: &Verification) -> Outcome {
    let exit = if verification.is_clean { Exit::Done } else { Exit::Refused };
    if context.output.is_json {
        context.output.json(verification)?;
    } else {
        context.output.text(&text(verification))?;
    }
    Ok(exit)
}

/// The result of a verification, in lines.
pub(crate) fn text(verification: &Verification) -> String {
    let counted =
        |count: u64, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
    let entries = counted(verification.entries, "entry", "entries");
    if verification.is_clean {
        let files = match verification.files {
            Some(files) => counted(files, "file", "files"),
            None => "ledger only".to_owned(),
        };
        return format!("clean: {entries}, {files}, head {}", words::short(&verification.head));
    }
    let mut text = format!("not clean: {}, {entries} read", counted(faults(verification), "fault", "faults"));
    for fault in &verification.faults {
        let place = fault.seq.map(|seq| format!(", entry {seq}")).unwrap_or_default();
        text.push_str(&format!(
            "\n{}{place}\n{}",
            fault.path,
            words::list(std::slice::from_ref(&fault.reason))
        ));
    }
    text
}

fn faults(verification: &Verification) -> u64 {
    u64::try_from(verification.faults.len()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use ralplan_core::reason::{Code, Reason};
    use ralplan_core::run::Fault;

    use super::*;

    #[test]
    fn a_clean_run_is_one_line_and_a_fault_names_its_file() {
        let mut verification = Verification {
            entries: 3,
            faults: Vec::new(),
            files: Some(2),
            head: "abcdef0123".to_owned(),
            is_clean: true,
        };
        assert_eq!(text(&verification), "clean: 3 entries, 2 files, head abcdef01");
        verification.files = None;
        assert_eq!(text(&verification), "clean: 3 entries, ledger only, head abcdef01");
        let reason = Reason::new(Code::ReceiptBytes);
        verification.faults.push(Fault { seq: Some(2), path: "a/final.md".to_owned(), reason });
        verification.is_clean = false;
        let text = text(&verification);
        assert!(
            text.starts_with("not clean: 1 fault, 3 entries read\na/final.md, entry 2\n- receipt.bytes: "),
            "{text}"
        );
    }
}
