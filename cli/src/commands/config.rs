//! `config`: the settings in force, each with its source.

use clap::Args;
use ralplan_core::run::{Settings, SettingsInput};
use ralplan_host::host::{HostError, Selector};
use ralplan_host::settings::FILE;
use serde_json::{Map, Value, json};

use crate::context::Context;
use crate::exit::{Exit, Failure, Outcome};
use crate::settings;

/// Arguments of `config`.
#[derive(Args, Debug)]
pub(crate) struct ConfigArgs {
    /// Show what a new run would get, even when a run is open
    #[arg(long)]
    new: bool,
}

/// Shows the settings of the run that is meant, or those of a new one.
pub(crate) fn config(context: &Context, arguments: &ConfigArgs) -> Outcome {
    let found = if arguments.new { None } else { of_run(context)? };
    let (title, rows) = match found {
        Some((run_id, settings)) => (format!("run {run_id}"), rows(&json!(settings))),
        None => ("a new run".to_owned(), of_new(context)?),
    };
    if context.output.is_json {
        let settings: Map<String, Value> = rows
            .into_iter()
            .map(|(name, value, source)| (name, json!({ "source": source, "value": value })))
            .collect();
        context.output.json(&json!({ "of": title, "settings": settings }))?;
        return Ok(Exit::Done);
    }
    let mut text = format!("settings of {title}\n");
    for (name, value, source) in rows {
        let value = match value {
            Value::String(text) => text,
            other => other.to_string(),
        };
        text.push_str(&format!("{name:<24} {value:<20} {source}\n"));
    }
    context.output.text(&text)?;
    Ok(Exit::Done)
}

fn of_run(context: &Context) -> Result<Option<(String, Settings)>, Failure> {
    let selector = Selector {
        run_id: context.run_id().map(str::to_owned),
        session_id: context.session_id().map(str::to_owned),
        may_be_closed: context.run_id().is_some(),
    };
    let key = match context.host()?.find(&selector) {
        Ok(key) => key,
        Err(HostError::NotFound { .. }) if selector.run_id.is_none() => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let run = context.host()?.load(&key)?;
    Ok(run.state().map(|state| (key.run_id, state.settings().clone())))
}

/// A name, a value and where it comes from.
type Row = (String, Value, String);

fn of_new(context: &Context) -> Result<Vec<Row>, Failure> {
    let file = settings::read(&context.root()?)?;
    let (protocol, source) = match &file.protocol {
        Some(set) => (set.value.clone(), set.source.clone()),
        None => ("standard".to_owned(), "default".to_owned()),
    };
    let mut all = vec![("protocol".to_owned(), json!(protocol), source)];
    if let Some(set) = &file.deliberate {
        all.push(("deliberate".to_owned(), json!(set.value), set.source.clone()));
    }
    all.extend(with_defaults(context, &protocol, &settings::of_file(&file))?);
    for (role, agent) in &file.agents {
        all.push((format!("agents.{role}"), json!(agent.argv.join(" ")), FILE.to_owned()));
    }
    Ok(all)
}

/// The stated settings, and the protocol's own for the others.
fn with_defaults(context: &Context, protocol: &str, input: &SettingsInput) -> Result<Vec<Row>, Failure> {
    let path = context.root()?.join(protocol);
    let protocol =
        if path.is_file() { settings::protocol_file(&path)? } else { settings::protocol(protocol)? };
    let mut own = json!({
        "automatic_handoff": { "source": "protocol", "value": "off" },
        "drafting_owner": { "source": "protocol", "value": "main" },
        "max_iterations": { "source": "protocol", "value": protocol.budgets.iterations.default },
        "max_passes_per_lane": { "source": "protocol", "value": protocol.budgets.passes_per_lane.default },
        "stop_at_first_objection": { "source": "protocol", "value": protocol.review.stop_at_first_objection },
        "warn": { "source": "protocol", "value": protocol.enforcement.warn },
    });
    if let (Some(own), Value::Object(stated)) = (own.as_object_mut(), json!(input)) {
        own.extend(stated);
    }
    Ok(rows(&own))
}

fn rows(settings: &Value) -> Vec<Row> {
    let members = settings.as_object().into_iter().flatten();
    members
        .map(|(name, setting)| {
            let source = setting.get("source").and_then(Value::as_str).unwrap_or_default().to_owned();
            (name.clone(), setting.get("value").cloned().unwrap_or_default(), source)
        })
        .collect()
}
