//! `check-receipt`: whether a receipt is what the ledger says.

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use ralplan_core::json::{Limits, from_value, parse};
use ralplan_core::reason::{Code, Reason};
use ralplan_core::run::Receipt;
use serde_json::{Value, json};

use crate::context::{Context, Reach};
use crate::exit::{Exit, Failure, Outcome};
use crate::{settings, words};

/// Arguments of `check-receipt`.
#[derive(Args, Debug)]
pub(crate) struct ReceiptArgs {
    /// File with the receipt, or with the decision that holds it; `-` reads standard input
    #[arg(value_name = "FILE|-")]
    receipt: PathBuf,
    /// Compare this file with what the ledger recorded
    #[arg(long, value_name = "FILE")]
    artifact_file: Option<PathBuf>,
}

/// Checks a receipt against the ledger.
pub(crate) fn check_receipt(context: &Context, arguments: &ReceiptArgs) -> Outcome {
    let receipt = read(&arguments.receipt)?;
    let artifact = arguments.artifact_file.as_deref().map(settings::artifact).transpose()?;
    let run_id = context.run_id().unwrap_or(&receipt.run_id);
    let key = context.key_of(Some(run_id), Reach::Any)?;
    let run = context.host()?.load(&key)?;
    let reasons = match run.check_receipt(&receipt, artifact.as_deref()) {
        Ok(()) => Vec::new(),
        Err(reasons) => reasons,
    };
    let exit = if reasons.is_empty() { Exit::Done } else { Exit::Refused };
    if context.output.is_json {
        context
            .output
            .json(&json!({ "is_valid": reasons.is_empty(), "reasons": reasons, "seq": receipt.seq }))?;
    } else if reasons.is_empty() {
        context.output.text(&format!("valid: entry {} of run {}", receipt.seq, receipt.run_id))?;
    } else {
        context.output.complain(&words::reasons("not valid", &reasons));
    }
    Ok(exit)
}

fn read(path: &Path) -> Result<Receipt, Failure> {
    let bytes = if path == Path::new("-") {
        let mut bytes = Vec::new();
        let limit = u64::try_from(ralplan_core::json::MAX_BYTES).unwrap_or(u64::MAX);
        std::io::stdin().lock().take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| {
            Failure::system(format!("cannot read standard input: {}", settings::plain(&error)))
        })?;
        bytes
    } else {
        settings::bounded(path)?
    };
    let value = parse(&bytes, &Limits::default()).map_err(|error| Reason::from(&error))?;
    let is_decision = value.get("decision").is_some();
    let receipt = match value {
        Value::Object(mut members) if is_decision => members.remove("receipt").unwrap_or(Value::Null),
        other => other,
    };
    if receipt.is_null() {
        return Err(Reason::new(Code::InputMissingField).at("receipt").into());
    }
    Ok(from_value(receipt).map_err(|error| Reason::from(&error))?)
}
