//! `explain`, `protocols`, `schema`: what the program knows, printed from the core's own tables.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use ralplan_core::document::nearest;
use ralplan_core::ledger::Entry;
use ralplan_core::limits::LIMITS;
use ralplan_core::protocol::{Protocol, RoleKind, built_in, built_in_names};
use ralplan_core::reason::{CODES, Code, CodeClass, CodeRow, Reason};
use ralplan_core::run::{Command, Decision, Moment, Next, RULES, Receipt, SettingsInput, Status};
use schemars::{Schema, schema_for};
use serde_json::{Value, json};

use crate::context::Context;
use crate::exit::{Exit, Failure, Outcome};
use crate::settings;

/// Arguments of `explain`.
#[derive(Args, Debug)]
pub(crate) struct ExplainArgs {
    /// A reason code, or the start of one such as `order` [default: all]
    #[arg(value_name = "CODE")]
    code: Option<String>,
    /// The rules, in the order in which they are checked
    #[arg(long, conflicts_with_all = ["code", "limits", "protocol"])]
    rules: bool,
    /// The limits
    #[arg(long, conflicts_with_all = ["code", "protocol"])]
    limits: bool,
    /// What a protocol chooses
    #[arg(long, value_name = "NAME|FILE", conflicts_with = "code")]
    protocol: Option<String>,
}

/// Arguments of `protocols`.
#[derive(Args, Debug)]
pub(crate) struct ProtocolsArgs {
    /// Print the document of this built-in protocol
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// Check the protocol document in this file
    #[arg(long, value_name = "FILE", conflicts_with = "name")]
    check: Option<PathBuf>,
}

/// Arguments of `schema`.
#[derive(Args, Debug)]
pub(crate) struct SchemaArgs {
    /// What the schema describes
    #[arg(value_enum)]
    name: SchemaName,
}

/// What has a schema.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum SchemaName {
    /// A protocol document
    Protocol,
    /// What a host asks the core to do
    Command,
    /// What the core answers
    Decision,
    /// A line of a ledger
    Entry,
    /// Proof of a write
    Receipt,
    /// Where a run stands
    Status,
    /// What can come next
    Next,
    /// The settings that a start or a change states
    Settings,
}

/// Explains a reason code, the rules, the limits or a protocol.
pub(crate) fn explain(context: &Context, arguments: &ExplainArgs) -> Outcome {
    let (document, text) = if arguments.rules {
        rules()
    } else if arguments.limits {
        limits()
    } else if let Some(name) = &arguments.protocol {
        let protocol = settings::protocol(name)?;
        (json!(protocol), about(&protocol))
    } else {
        let rows = rows(arguments.code.as_deref())?;
        let is_one = arguments.code.as_deref().is_some_and(|code| Code::named(code).is_some());
        (json!(rows.iter().map(|row| code_document(row)).collect::<Vec<_>>()), codes(&rows, is_one))
    };
    if context.output.is_json {
        context.output.json(&document)?;
    } else {
        context.output.text(&text)?;
    }
    Ok(Exit::Done)
}

/// The row of a code, those of a family, or all.
fn rows(code: Option<&str>) -> Result<Vec<&'static CodeRow>, Failure> {
    let Some(code) = code else { return Ok(CODES.iter().collect()) };
    if let Some(code) = Code::named(code) {
        return Ok(vec![code.row()]);
    }
    let family = format!("{}.", code.trim_end_matches(['*', '.']));
    let rows: Vec<&CodeRow> = CODES.iter().filter(|row| row.name.starts_with(&family)).collect();
    if !rows.is_empty() {
        return Ok(rows);
    }
    let reason =
        Reason::new(Code::InputUnknownValue).at("CODE").message("there is no such reason code").actual(code);
    let all = "`ralplan explain` lists all";
    let near = nearest(CODES.iter().map(|row| row.name), code);
    let remedy = near.map_or_else(|| all.to_owned(), |near| format!("did you mean `{near}`? {all}"));
    Err(reason.remedy(remedy).into())
}

fn class(row: &CodeRow) -> &'static str {
    match row.class {
        CodeClass::Fixed => "fixed",
        CodeClass::Softenable => "softenable",
        CodeClass::Host => "host",
    }
}

fn code_document(row: &CodeRow) -> Value {
    json!({ "class": class(row), "code": row.name, "meaning": row.meaning, "remedy": row.remedy })
}

fn codes(rows: &[&CodeRow], is_one: bool) -> String {
    let one = |row: &CodeRow| {
        let enforcement = match row.class {
            CodeClass::Fixed => "always refuses; no setting changes that",
            CodeClass::Softenable => "refuses, unless the run is set to warn about it (`--warn`)",
            CodeClass::Host => "raised by the program around the engine; always an error",
        };
        let rules: Vec<&str> =
            RULES.iter().filter(|rule| rule.codes.contains(&row.code)).map(|rule| rule.name).collect();
        let rules =
            if rules.is_empty() { String::new() } else { format!("\n  rule      {}", rules.join(", ")) };
        format!(
            "{}\n  meaning   {}\n  to do     {}\n  class     {enforcement}{rules}",
            row.name, row.meaning, row.remedy
        )
    };
    if is_one {
        return rows.iter().map(|row| one(row)).collect();
    }
    rows.iter().map(|row| format!("{:<28} {:<10} {}\n", row.name, class(row), row.meaning)).collect()
}

fn rules() -> (Value, String) {
    let moment = |moment: Moment| match moment {
        Moment::Precondition => "before there is an artifact",
        Moment::Content => "when the content is known",
    };
    let mut text = String::new();
    let mut documents = Vec::new();
    for rule in RULES {
        let codes: Vec<&str> = rule.codes.iter().map(|code| code.name()).collect();
        text.push_str(&format!("{}: {}\n", rule.name, rule.demands));
        text.push_str(&format!("  looks at  {}, {}\n", rule.events.join(", "), moment(rule.moment)));
        text.push_str(&format!("  codes     {}\n", codes.join(", ")));
        documents.push(json!({
            "codes": codes,
            "demands": rule.demands,
            "events": rule.events,
            "moment": moment(rule.moment),
            "name": rule.name,
        }));
    }
    (json!(documents), text)
}

fn limits() -> (Value, String) {
    let row = |limit: &ralplan_core::limits::Limit| {
        format!("{:>9}  {:<52} {}\n", limit.value, limit.what, limit.code)
    };
    let document = |limit: &ralplan_core::limits::Limit| json!({ "code": limit.code, "value": limit.value, "what": limit.what });
    (LIMITS.iter().map(document).collect(), LIMITS.iter().map(row).collect())
}

/// What a protocol chooses, in words.
fn about(protocol: &Protocol) -> String {
    let mut text = format!("{} (version {})\n", protocol.name, protocol.version);
    for (name, role) in &protocol.roles {
        let kind = if role.kind == RoleKind::Author { "author" } else { "reviewer" };
        text.push_str(&format!("role        {name}, {kind}\n"));
        for axis in &role.verdict {
            let words: Vec<&str> = axis.tokens.iter().map(|token| token.token.as_str()).collect();
            text.push_str(&format!("  {:<9} {}\n", axis.axis, words.join(" > ")));
        }
    }
    let groups = |groups: &[Vec<String>]| {
        groups.iter().map(|group| group.join(" + ")).collect::<Vec<_>>().join(", then ")
    };
    text.push_str(&format!("first       {}\n", groups(&protocol.review.first_pass)));
    text.push_str(&format!("later       {}\n", groups(&protocol.review.later_passes)));
    let closing = if protocol.closing.is_empty() {
        "none: the draft is approved".to_owned()
    } else {
        protocol.closing.join(", ")
    };
    text.push_str(&format!("closing     {closing}\n"));
    let budgets = protocol.budgets;
    text.push_str(&format!(
        "budgets     {} iterations ({} to {}), {} reviews per lane and iteration ({} to {}), {} bytes an artifact\n",
        budgets.iterations.default,
        budgets.iterations.min,
        budgets.iterations.max,
        budgets.passes_per_lane.default,
        budgets.passes_per_lane.min,
        budgets.passes_per_lane.max,
        budgets.artifact_bytes
    ));
    let targets: Vec<&str> = protocol.admission.targets.keys().map(String::as_str).collect();
    text.push_str(&format!(
        "targets     {} (admitted by {})\n",
        targets.join(", "),
        protocol.admission.by.join(", ")
    ));
    if !protocol.enforcement.warn.is_empty() {
        text.push_str(&format!("only warns  {}\n", protocol.enforcement.warn.join(", ")));
    }
    text.push_str(&format!("ledger      {}\n", protocol.layout.ledger));
    text
}

/// Lists, shows or checks protocols.
pub(crate) fn protocols(context: &Context, arguments: &ProtocolsArgs) -> Outcome {
    if let Some(path) = &arguments.check {
        let protocol = settings::protocol_file(path)?;
        if context.output.is_json {
            context.output.json(&json!({ "is_valid": true, "name": protocol.name }))?;
        } else {
            context.output.text(&format!("valid: `{}`, version {}", protocol.name, protocol.version))?;
        }
        return Ok(Exit::Done);
    }
    if let Some(name) = &arguments.name {
        let protocol = settings::protocol(name)?;
        if context.output.is_json {
            context.output.json(&protocol)?;
        } else {
            context.output.exact(&pretty(&json!(protocol)))?;
        }
        return Ok(Exit::Done);
    }
    let names: Vec<&str> = built_in_names().collect();
    if context.output.is_json {
        context.output.json(&json!({ "protocols": names }))?;
        return Ok(Exit::Done);
    }
    let rows: Vec<String> =
        names.iter().filter_map(|name| built_in(name)).map(|protocol| row(&protocol)).collect();
    context.output.text(&rows.join("\n"))?;
    Ok(Exit::Done)
}

fn row(protocol: &Protocol) -> String {
    let reviewers: Vec<&str> = protocol.reviewers().collect();
    format!(
        "{:<9} reviewed by {}; up to {} iterations",
        protocol.name,
        reviewers.join(" and "),
        protocol.budgets.iterations.default
    )
}

/// Prints a JSON Schema.
pub(crate) fn schema(context: &Context, arguments: &SchemaArgs) -> Outcome {
    let schema: Schema = match arguments.name {
        SchemaName::Protocol => schema_for!(Protocol),
        SchemaName::Command => schema_for!(Command),
        SchemaName::Decision => schema_for!(Decision),
        SchemaName::Entry => schema_for!(Entry),
        SchemaName::Receipt => schema_for!(Receipt),
        SchemaName::Status => schema_for!(Status),
        SchemaName::Next => schema_for!(Next),
        SchemaName::Settings => schema_for!(SettingsInput),
    };
    if context.output.is_json {
        // A schema may hold numbers that are no whole ones, so it has no canonical form here.
        context.output.exact(&format!("{}\n", schema.as_value()))?;
    } else {
        context.output.exact(&pretty(schema.as_value()))?;
    }
    Ok(Exit::Done)
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_found_by_name_by_family_and_by_nearness() {
        assert_eq!(rows(Some("input.nul")).unwrap().len(), 1);
        assert!(rows(Some("order.*")).unwrap().len() > 5);
        assert_eq!(rows(None).unwrap().len(), CODES.len());
        let failure = rows(Some("input.nule")).unwrap_err();
        assert!(failure.reasons[0].remedy.contains("`input.nul`"), "{:?}", failure.reasons);
    }

    #[test]
    fn rules_and_limits_are_printed_in_their_order() {
        let (document, text) = rules();
        assert_eq!(document.as_array().unwrap().len(), RULES.len());
        assert!(text.starts_with(RULES[0].name));
        assert!(limits().1.contains("input.stage_number"));
    }
}
