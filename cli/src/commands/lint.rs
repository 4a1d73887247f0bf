//! `lint`: checking a document against what its kind must hold.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use ralplan_core::document::{
    CheckOptions, Diagnostic, DocumentKind, Level, Outline, Position, check, read_open_items,
};
use ralplan_core::protocol::{FindingsRule, Protocol, StageKind};
use ralplan_core::review::{FINDINGS_BLOCK, VerdictProblem, examine_verdict, read_findings};
use ralplan_host::lint::{Remark, advice};
use serde::Serialize;
use serde_json::json;

use crate::context::Context;
use crate::exit::{Exit, Failure, Outcome};
use crate::settings;

/// Arguments of `lint`.
#[derive(Args, Debug)]
pub(crate) struct LintArgs {
    /// The document
    file: PathBuf,
    /// What the document is [default: told by its content]
    #[arg(long, value_enum)]
    kind: Option<KindWord>,
    /// The protocol whose words and demands count
    #[arg(long, value_name = "NAME|FILE", default_value = "standard")]
    protocol: String,
    /// For reviews: the role that wrote it [default: the first whose verdict can be read]
    #[arg(long, value_name = "ROLE")]
    role: Option<String>,
    /// Check as in deliberate mode
    #[arg(long)]
    deliberate: bool,
    /// How the result is printed
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// What a document is.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
enum KindWord {
    /// A version of the plan
    Draft,
    /// A reviewer's judgement
    Review,
    /// The reviewed draft with its closing sections
    Final,
    /// An architecture decision record
    Adr,
    /// Requirements with acceptance criteria
    Spec,
    /// An implementation plan
    Tasks,
}

/// How the result is printed.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
enum Format {
    /// One line for each finding
    Text,
    /// One JSON document
    Json,
    /// Annotations of a GitHub workflow
    Github,
}

/// One thing that is wrong.
#[derive(Debug, Serialize)]
struct Row {
    code: String,
    column: usize,
    expected: String,
    found: String,
    hint: String,
    line: usize,
    severity: Level,
}

/// Checks a document.
pub(crate) fn lint(context: &Context, arguments: &LintArgs) -> Outcome {
    let protocol = settings::protocol(&arguments.protocol)?;
    let text = text_of(&arguments.file)?;
    let outline = Outline::read(&text);
    let kind = arguments.kind.unwrap_or_else(|| guess(&text, &outline));
    let mut rows = Vec::new();
    let options = CheckOptions { deliberate: arguments.deliberate };
    for document in documents(&protocol, kind) {
        rows.extend(check(&text, &outline, document, options).into_iter().map(of_diagnostic));
    }
    if matches!(kind, KindWord::Draft | KindWord::Final | KindWord::Tasks) {
        let root = context.root()?;
        rows.extend(advice(&text, &root).into_iter().map(of_remark));
    }
    if kind == KindWord::Review {
        rows.extend(review(&text, &protocol, arguments.role.as_deref())?);
    }
    if let Err(error) = read_open_items(&text, &outline) {
        let line = usize::try_from(error.line()).unwrap_or(usize::MAX);
        rows.push(error_row("interview.unreadable", line, error.to_string(), "correct the block"));
    }
    rows.sort_by(|left, right| {
        (left.line, left.column, &left.code).cmp(&(right.line, right.column, &right.code))
    });
    print(context, arguments, kind, &rows)
}

/// Something that no rule demands and a reviewer would ask about.
fn of_remark(remark: Remark) -> Row {
    Row {
        // The id goes on with what it is about; its first words say what kind of remark it is.
        code: format!("advice.{}", remark.id.split(' ').take(2).collect::<Vec<_>>().join("_")),
        column: 1,
        expected: String::new(),
        found: remark.why,
        hint: "a reviewer would ask about it".to_owned(),
        line: remark.line.max(1),
        severity: Level::Hint,
    }
}

fn text_of(path: &std::path::Path) -> Result<String, Failure> {
    let bytes = settings::bounded(path)?;
    String::from_utf8(bytes).map_err(|_| {
        let code = ralplan_core::reason::Code::InputNotUtf8;
        ralplan_core::reason::Reason::new(code).at(path.display().to_string()).into()
    })
}

/// What a document seems to be.
fn guess(text: &str, outline: &Outline) -> KindWord {
    let has_findings = text.lines().any(|line| line.trim_start_matches(['`', '~', ' ']) == FINDINGS_BLOCK);
    let has = |anchor: &str| outline.find(anchor).is_some();
    let has_verdict = text.lines().any(|line| {
        let line = line.trim_start_matches(['*', '#', ' ', '-']).to_ascii_lowercase();
        line.starts_with("verdict") || line.starts_with("recommendation")
    });
    if has_findings || has_verdict {
        KindWord::Review
    } else if has("architecture-decision-record") || has("adr") {
        KindWord::Final
    } else {
        KindWord::Draft
    }
}

/// The parts that a kind of document must hold under a protocol.
fn documents(protocol: &Protocol, kind: KindWord) -> Vec<DocumentKind> {
    let of_stage = |kind: StageKind| {
        let stages = protocol.stages.values().filter(move |stage| stage.kind == kind);
        stages.flat_map(|stage| stage.documents.iter().copied())
    };
    let mut documents: Vec<DocumentKind> = match kind {
        KindWord::Draft => of_stage(StageKind::Draft).collect(),
        KindWord::Final => of_stage(StageKind::Draft).chain(of_stage(StageKind::Final)).collect(),
        KindWord::Review => Vec::new(),
        KindWord::Adr => vec![DocumentKind::Adr],
        KindWord::Spec => vec![DocumentKind::Spec],
        KindWord::Tasks => vec![DocumentKind::Tasks],
    };
    documents.sort_unstable();
    documents.dedup();
    documents
}

/// What is wrong with a review: its verdict and its findings.
fn review(text: &str, protocol: &Protocol, role: Option<&str>) -> Result<Vec<Row>, Failure> {
    let reviewers: Vec<&str> = protocol.reviewers().collect();
    if let Some(role) = role.filter(|role| !reviewers.contains(role)) {
        let known = reviewers.iter().map(|&role| role.to_owned()).collect::<Vec<_>>();
        return Err(Failure::argument("--role", "the protocol has no such reviewer")
            .expected(known)
            .actual(role)
            .into());
    }
    let candidates: Vec<&str> = role.map_or(reviewers, |role| vec![role]);
    let readings: Vec<Vec<VerdictProblem>> = candidates
        .iter()
        .filter_map(|role| Some((role, protocol.roles.get(*role)?)))
        .map(|(role, rules)| {
            let stated: Vec<_> = rules.verdict.iter().filter(|axis| !axis.flag).cloned().collect();
            examine_verdict(text, &stated, role).problems
        })
        .collect();
    let best = readings.into_iter().min_by_key(Vec::len).unwrap_or_default();
    let mut rows: Vec<Row> = best.iter().map(of_problem).collect();
    match read_findings(text) {
        Ok(None) if protocol.review.findings == FindingsRule::Required => {
            let hint = "end the review with a fenced `ralplan-findings` block, which may be empty";
            rows.push(error_row("finding.missing", 1, "no findings block".to_owned(), hint));
        }
        Ok(_) => {}
        Err(error) => {
            let line = usize::try_from(error.line()).unwrap_or(usize::MAX);
            rows.push(error_row("finding.unreadable", line, error.to_string(), "correct the block"));
        }
    }
    Ok(rows)
}

fn of_problem(problem: &VerdictProblem) -> Row {
    let (code, line) = match problem {
        VerdictProblem::Missing { .. } => ("verdict.missing", 1),
        VerdictProblem::Unknown { line, .. } => ("verdict.unknown", *line),
        VerdictProblem::Contradictory { line, .. } => ("verdict.contradictory", *line),
        VerdictProblem::TwoRoles { line } => ("identity.two_roles", *line),
    };
    error_row(
        code,
        line,
        problem.to_string(),
        "state one verdict on a line of its own, for example `Verdict: APPROVE`",
    )
}

fn of_diagnostic(diagnostic: Diagnostic) -> Row {
    let Position { line, column_scalar, .. } = diagnostic.position;
    Row {
        code: diagnostic.code.to_owned(),
        column: column_scalar,
        expected: diagnostic.expected,
        found: diagnostic.found,
        hint: diagnostic.hint,
        line,
        severity: diagnostic.severity,
    }
}

fn error_row(code: &str, line: usize, found: String, hint: &str) -> Row {
    let expected = String::new();
    Row {
        code: code.to_owned(),
        column: 1,
        expected,
        found,
        hint: hint.to_owned(),
        line,
        severity: Level::Error,
    }
}

fn print(context: &Context, arguments: &LintArgs, kind: KindWord, rows: &[Row]) -> Outcome {
    let errors = rows.iter().filter(|row| row.severity == Level::Error).count();
    let exit = if errors == 0 { Exit::Done } else { Exit::Refused };
    let path = arguments.file.display().to_string();
    if context.output.is_json || arguments.format == Format::Json {
        let kind = kind.to_possible_value().map(|value| value.get_name().to_owned());
        let document = json!({ "diagnostics": rows, "errors": errors, "kind": kind, "path": path });
        context.output.json(&document)?;
        return Ok(exit);
    }
    if arguments.format == Format::Github {
        let lines: Vec<String> = rows.iter().map(|row| github(&path, row)).collect();
        context.output.text(&lines.join("\n"))?;
        return Ok(exit);
    }
    let mut lines: Vec<String> = rows.iter().map(|row| plain(&path, row)).collect();
    lines.push(match rows.len() {
        0 => format!("{path}: nothing to say"),
        all => format!("{path}: {errors} errors, {} hints", all.saturating_sub(errors)),
    });
    context.output.text(&lines.join("\n"))?;
    Ok(exit)
}

fn sentence(row: &Row) -> String {
    let expected =
        if row.expected.is_empty() { String::new() } else { format!("expected {}, ", row.expected) };
    let hint = if row.hint.is_empty() { String::new() } else { format!("; {}", row.hint) };
    format!("{expected}found {}{hint}", row.found)
}

fn level(row: &Row) -> &'static str {
    if row.severity == Level::Error { "error" } else { "hint" }
}

fn plain(path: &str, row: &Row) -> String {
    format!("{path}:{}:{}: {}[{}] {}", row.line, row.column, level(row), row.code, sentence(row))
}

/// A workflow command; its own marks are escaped as the workflow reads them.
fn github(path: &str, row: &Row) -> String {
    let data = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let property = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
    let word = if row.severity == Level::Error { "error" } else { "notice" };
    let (file, line, column) = (property(path), row.line, row.column);
    format!("::{word} file={file},line={line},col={column},title={}::{}", row.code, data(&sentence(row)))
}

#[cfg(test)]
mod tests {
    use ralplan_core::protocol::built_in;

    use super::*;

    #[test]
    fn the_kind_is_told_by_the_content() {
        let kind = |text: &str| guess(text, &Outline::read(text));
        assert_eq!(kind("# Review\n\n**Verdict:** APPROVE\n"), KindWord::Review);
        assert_eq!(kind("# Plan\n\n```ralplan-findings\n{}\n```\n"), KindWord::Review);
        assert_eq!(kind("# Plan\n\n## ADR\n"), KindWord::Final);
        assert_eq!(kind("# Plan\n\n## Principles\n"), KindWord::Draft);
    }

    #[test]
    fn a_review_is_read_with_the_words_of_its_role() {
        let standard = built_in("standard").unwrap();
        let rows = review("# Review\n\nVerdict: FINE\n", &standard, Some("critic")).unwrap();
        let codes: Vec<&str> = rows.iter().map(|row| row.code.as_str()).collect();
        assert_eq!(codes, ["verdict.unknown", "finding.missing"]);
        assert_eq!(rows[0].line, 3);
        assert!(review("x", &standard, Some("planner")).is_err());
    }

    #[test]
    fn annotations_escape_their_own_marks() {
        let row = error_row("verdict.missing", 3, "50%\nof it".to_owned(), "state one");
        assert_eq!(
            github("a:b.md", &row),
            "::error file=a%3Ab.md,line=3,col=1,title=verdict.missing::found 50%25%0Aof it; state one"
        );
    }
}
