//! `doctor`: looking for damage, and repairing what can be repaired without inventing anything.

use clap::Args;
use ralplan_core::run::{Act, Recover};

use crate::context::{Context, Reach};
use crate::exit::{Exit, Outcome};

/// Arguments of `doctor`.
#[derive(Args, Debug)]
pub(crate) struct DoctorArgs {
    /// Cut torn lines, put files back, sweep what no entry names
    #[arg(long)]
    fix: bool,
    /// Accept that entries are lost; records what was lost
    #[arg(long)]
    accept: bool,
}

impl DoctorArgs {
    /// True when it does more than look.
    pub(crate) fn changes(&self) -> bool {
        self.fix || self.accept
    }
}

/// Looks for damage.
pub(crate) fn doctor(context: &Context, arguments: &DoctorArgs) -> Outcome {
    let key = context.key(Reach::Any)?;
    let recover = || context.command(context.leader(), Act::Recover(Recover { slots: Vec::new() }));
    let accept = arguments.accept.then(recover);
    let report = context.host()?.doctor(&key, arguments.fix, accept.as_ref())?;
    let exit = if report.findings.is_empty() { Exit::Done } else { Exit::Refused };
    if context.output.is_json {
        context.output.json(&report)?;
        return Ok(exit);
    }
    let mut rows: Vec<String> = report.fixed.iter().map(|fixed| format!("repaired: {fixed}")).collect();
    rows.extend(report.findings.iter().map(|finding| {
        format!("{}: {}: {}\n  to do     {}", finding.path, finding.code, finding.message, finding.remedy)
    }));
    if rows.is_empty() {
        rows.push("nothing is wrong".to_owned());
    }
    context.output.text(&rows.join("\n"))?;
    Ok(exit)
}
