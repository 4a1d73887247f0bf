//! What a reviewer found, as data.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::document::block_json::{BlockError, read_block};
use crate::document::blocks::{Kind, Line, Strong};
use crate::document::label::{plain, shorten, split_label};
use crate::document::slug::Anchors;
use crate::document::{Lines, Outline, slug};

/// Info string of the fenced block that holds findings.
pub const FINDINGS_BLOCK: &str = "ralplan-findings";

/// Value of `schema` in that block.
pub const FINDINGS_SCHEMA: &str = "ralplan.findings.v1";

/// Target of a tagged finding that names no place.
const WHOLE_PLAN: &str = "plan";

/// Longest generated finding id, in characters.
const ID_LENGTH: usize = 48;

/// What a finding asks for.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Something is missing.
    Add,
    /// Something should go.
    Remove,
    /// Something should be different.
    Change,
    /// Something should be said more clearly.
    Clarify,
}

/// How much a finding weighs, lightest first.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Worth a revision.
    Watch,
    /// The plan cannot go on with it.
    Block,
}

/// One observation on one place of the plan.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// Name of the finding, unique in its review.
    pub finding_id: String,
    /// Anchor of the section or item it is about; `new:<slug>` for something to add.
    pub target_id: String,
    /// What it asks for.
    pub action: Action,
    /// How much it weighs.
    pub severity: Severity,
    /// What supports it.
    pub evidence: String,
    /// Why an earlier pass missed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub novelty: Option<String>,
    /// The finding that it replaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<String>,
    /// Who should settle it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposed_owner: Option<String>,
}

/// Why the findings of a review were not read. Lines count from 1 in the whole text.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum FindingsError {
    /// The block does not hold the expected JSON.
    #[error("line {line}: `{path}` cannot be read: {found}")]
    Json {
        /// Line of the fault.
        line: usize,
        /// Path of the field, for example `findings[0].action`.
        path: String,
        /// What is wrong with it.
        found: String,
    },
    /// Another schema than ours.
    #[error("line {line}: expected schema `{FINDINGS_SCHEMA}`, found `{found}`")]
    Schema {
        /// Line of the block.
        line: usize,
        /// The schema it names.
        found: String,
    },
    /// A finding id that is used twice.
    #[error("line {line}: finding id `{finding_id}` is used twice")]
    Duplicate {
        /// Line of the block.
        line: usize,
        /// The id.
        finding_id: String,
    },
    /// A required text that is blank.
    #[error("line {line}: `{field}` of finding {index} is blank")]
    Blank {
        /// Line of the block.
        line: usize,
        /// Name of the field.
        field: &'static str,
        /// Index of the finding, from 0.
        index: usize,
    },
    /// A second block.
    #[error("line {line}: a second `{FINDINGS_BLOCK}` block")]
    TwoBlocks {
        /// Line of the second block.
        line: usize,
    },
    /// A fence that is never closed.
    #[error("line {line}: the `{FINDINGS_BLOCK}` block is never closed")]
    Unclosed {
        /// Line of the fence.
        line: usize,
    },
}

impl From<BlockError> for FindingsError {
    fn from(error: BlockError) -> Self {
        match error {
            BlockError::Two { line } => Self::TwoBlocks { line },
            BlockError::Unclosed { line } => Self::Unclosed { line },
            BlockError::Json { line, path, found } => Self::Json { line, path, found },
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Block {
    schema: String,
    findings: Vec<Finding>,
}

impl FindingsError {
    /// Line of the fault, counted from 1.
    #[must_use]
    pub fn line(&self) -> u64 {
        let line = match self {
            FindingsError::Json { line, .. }
            | FindingsError::Schema { line, .. }
            | FindingsError::Duplicate { line, .. }
            | FindingsError::Blank { line, .. }
            | FindingsError::TwoBlocks { line, .. }
            | FindingsError::Unclosed { line, .. } => *line,
        };
        u64::try_from(line).unwrap_or(u64::MAX)
    }
}

impl Severity {
    /// The word as it is written in data.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Watch => "watch",
            Severity::Block => "block",
        }
    }
}

/// Reads the findings block of a review; `None` when there is none.
///
/// # Errors
/// See [`FindingsError`]; a block that is there and cannot be read is never taken for an empty one.
///
/// ```
/// use ralplan_core::review::{Severity, read_findings};
/// let text = "```ralplan-findings\n{\"schema\":\"ralplan.findings.v1\",\"findings\":[{\"finding_id\":\"f1\",
/// \"target_id\":\"risks\",\"action\":\"add\",\"severity\":\"block\",\"evidence\":\"no rollback\"}]}\n```\n";
/// let findings = read_findings(text).unwrap().unwrap();
/// assert_eq!(findings[0].severity, Severity::Block);
/// ```
pub fn read_findings(text: &str) -> Result<Option<Vec<Finding>>, FindingsError> {
    let outline = Outline::read(text);
    let Some((block, line)) = read_block::<Block>(&outline, &Lines::new(text), FINDINGS_BLOCK)? else {
        return Ok(None);
    };
    if block.schema != FINDINGS_SCHEMA {
        return Err(FindingsError::Schema { line, found: block.schema });
    }
    let mut seen = BTreeSet::new();
    for (index, finding) in block.findings.iter().enumerate() {
        if let Some(field) = blank_field(finding) {
            return Err(FindingsError::Blank { line, field, index });
        }
        if !seen.insert(finding.finding_id.as_str()) {
            return Err(FindingsError::Duplicate { line, finding_id: finding.finding_id.clone() });
        }
    }
    Ok(Some(block.findings))
}

fn blank_field(finding: &Finding) -> Option<&'static str> {
    let required = [
        ("finding_id", Some(&finding.finding_id)),
        ("target_id", Some(&finding.target_id)),
        ("evidence", Some(&finding.evidence)),
        ("novelty", finding.novelty.as_ref()),
        ("supersedes", finding.supersedes.as_ref()),
        ("proposed_owner", finding.proposed_owner.as_ref()),
    ];
    required
        .into_iter()
        .find(|(_, text)| text.is_some_and(|text| text.trim().is_empty()))
        .map(|(field, _)| field)
}

/// Reads a list of findings that are tagged with severity words, such as `- **CRITICAL** [#risks] no rollback — seen
/// in src/a.rs` or `### [MAJOR] …`.
///
/// `severities` maps each word to its weight; ASCII case is ignored. Ids are made from the text and stay the same as
/// long as the text does. The target is the first anchor or back-ticked path that the line names, else `plan`.
#[must_use]
pub fn read_tagged(text: &str, severities: &BTreeMap<String, Severity>) -> Vec<Finding> {
    let outline = Outline::read(text);
    let mut names = Anchors::default();
    let mut group: Option<(u8, Severity)> = None;
    let mut findings = Vec::new();
    let lines = &outline.blocks.lines;
    for (number, line) in lines.iter().enumerate() {
        if line.quoted {
            continue;
        }
        let tagged = tag_of(line, severities);
        if let Kind::Heading(level) = line.kind {
            if group.is_some_and(|(above, _)| level <= above) {
                group = None;
            }
            if let Some((severity, rest)) = &tagged
                && is_group_title(rest)
            {
                group = Some((level, *severity));
                continue;
            }
        }
        let from_group = group.filter(|_| line.marker.is_some() && line.depth == 1);
        let found = tagged.or_else(|| from_group.map(|(_, severity)| (severity, plain(&line.text))));
        let Some((severity, rest)) = found.filter(|(_, rest)| !rest.is_empty()) else { continue };
        let evidence = if matches!(line.kind, Kind::Heading(_)) {
            evidence_below(lines, number, &rest)
        } else {
            rest.clone()
        };
        findings.push(Finding {
            finding_id: names.unique(&finding_id(&rest)),
            target_id: target_in(&line.text).unwrap_or_else(|| WHOLE_PLAN.to_owned()),
            action: action_in(&rest),
            severity,
            evidence,
            novelty: None,
            supersedes: None,
            proposed_owner: None,
        });
    }
    findings
}

/// The severity word that opens a heading or list item, and the text behind it.
fn tag_of(line: &Line, severities: &BTreeMap<String, Severity>) -> Option<(Severity, String)> {
    let may_tag = matches!(line.kind, Kind::Heading(_)) || (line.kind == Kind::Text && line.marker.is_some());
    if !may_tag {
        return None;
    }
    let text = plain(&line.text);
    let open = text.trim_start_matches(['[', '(']);
    let was_open = open.len() < text.len();
    let (word, severity) = severities
        .iter()
        .filter(|(word, _)| open.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word)))
        .max_by_key(|(word, _)| word.len())?;
    let rest = open.get(word.len()..)?;
    if rest.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-') {
        return None;
    }
    let is_capital = open.get(..word.len()).is_some_and(|head| !head.chars().any(char::is_lowercase));
    let marked = was_open
        || is_capital
        || rest.is_empty()
        || rest.starts_with([':', '：', ')', ']'])
        || rest.starts_with(" —");
    let rest = rest.trim_start_matches([']', ')', ':', '：', ' ', '—', '–', '-', '.']);
    let is_strong = match line.strong {
        Strong::Lead(length) => line.text.get(..length).is_some_and(|lead| {
            lead.trim_matches(|letter: char| !letter.is_alphanumeric()).eq_ignore_ascii_case(word)
        }),
        _ => false,
    };
    let is_group = matches!(line.kind, Kind::Heading(_)) && is_group_title(rest);
    (marked || is_strong || is_group).then(|| (*severity, rest.trim().to_owned()))
}

/// A heading such as `Critical findings` or `MAJOR (2)` that only names the severity of what stands below.
fn is_group_title(rest: &str) -> bool {
    let rest = rest.trim_start_matches('(').trim_end_matches(')');
    rest.is_empty()
        || rest.chars().all(|letter| letter.is_ascii_digit())
        || ["findings", "issues", "items", "finding", "issue"]
            .iter()
            .any(|word| rest.eq_ignore_ascii_case(word))
}

fn evidence_below(lines: &[Line], number: usize, title: &str) -> String {
    let below = lines.iter().skip(number + 1).take_while(|line| !matches!(line.kind, Kind::Heading(_)));
    let first = below.into_iter().find(|line| !line.quoted && line.kind == Kind::Text);
    first.map_or_else(|| title.to_owned(), |line| format!("{title}: {}", plain(&line.text)))
}

fn finding_id(text: &str) -> String {
    let (head, _) = text.split_once(" — ").unwrap_or((text, ""));
    let full = slug(head);
    let cut: String = full.chars().take(ID_LENGTH).collect();
    let trimmed = cut.trim_matches('-');
    if trimmed.is_empty() { "finding".to_owned() } else { trimmed.to_owned() }
}

/// The first `#anchor` or back-ticked path or anchor of a line.
fn target_in(text: &str) -> Option<String> {
    let anchor = text.split(['[', ']', '(', ')', ' ', '`', ',']).find_map(|piece| {
        let id = piece.strip_prefix('#')?.trim_end_matches([':', '.', ';']);
        id.starts_with(char::is_alphabetic).then(|| id.to_owned())
    });
    let path = || {
        let pieces = text.split('`').skip(1).step_by(2);
        pieces
            .map(str::trim)
            .find(|piece| piece.contains(['/', '.']) && !piece.contains(' '))
            .map(str::to_owned)
    };
    let bracketed = || {
        let (_, rest) = text.split_once('[')?;
        let (inner, _) = rest.split_once(']')?;
        (inner.contains('/') && !inner.contains(' ')).then(|| inner.to_owned())
    };
    anchor.or_else(path).or_else(bracketed)
}

/// What the first telling word asks for.
fn action_in(text: &str) -> Action {
    let text =
        split_label(text).map_or(text, |(label, _)| if label.len() > ID_LENGTH { text } else { label });
    for word in shorten(text, ID_LENGTH * 4).split(|letter: char| !letter.is_alphabetic()) {
        match word.to_ascii_lowercase().as_str() {
            "missing" | "add" | "lacks" | "absent" | "no" => return Action::Add,
            "remove" | "drop" | "delete" | "unneeded" | "redundant" => return Action::Remove,
            "clarify" | "unclear" | "ambiguous" | "vague" | "unspecified" => return Action::Clarify,
            _ => {}
        }
    }
    Action::Change
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn block(findings: &str) -> String {
        format!(
            "# Review\n\n```ralplan-findings\n{{\"schema\":\"ralplan.findings.v1\",\n\"findings\":[{findings}]}}\n```\n"
        )
    }

    const ONE: &str =
        r#"{"finding_id":"f1","target_id":"risks","action":"add","severity":"watch","evidence":"e"}"#;

    #[test]
    fn a_block_is_read() {
        let findings = read_findings(&block(ONE)).unwrap().unwrap();
        assert_eq!(
            (findings.len(), findings[0].action, findings[0].severity),
            (1, Action::Add, Severity::Watch)
        );
        assert_eq!(read_findings(&block("")).unwrap(), Some(vec![]));
        assert_eq!(read_findings("# Review\n").unwrap(), None);
        assert_eq!(read_findings(&format!("> {}", block(ONE).replace('\n', "\n> "))).unwrap(), None);
    }

    #[test]
    fn faults_are_named_with_their_line() {
        let line_of = |text: &str| match read_findings(text).unwrap_err() {
            FindingsError::Json { line, path, .. } => (line, path),
            other => panic!("{other}"),
        };
        assert_eq!(line_of(&block("nonsense")).0, 5);
        assert_eq!(line_of(&block(&ONE.replace("evidence", "proof"))), (5, "findings[0].proof".into()));
        assert_eq!(line_of(&block(&ONE.replace("\"add\"", "\"delete\""))).1, "findings[0].action");
        assert_eq!(line_of(&block(&ONE.replace("\"f1\"", "\"f1\",\"finding_id\":\"f2\""))).0, 5);
        assert_eq!(line_of(&block(ONE).replace("]}", "]} x")).0, 5);
    }

    #[test]
    fn other_faults_are_refused() {
        let two = format!("{ONE},{ONE}");
        assert_eq!(
            read_findings(&block(&two)).unwrap_err(),
            FindingsError::Duplicate { line: 3, finding_id: "f1".into() }
        );
        assert_eq!(
            read_findings(&block(ONE).replace("findings.v1", "findings.v2")).unwrap_err(),
            FindingsError::Schema { line: 3, found: "ralplan.findings.v2".into() }
        );
        assert_eq!(
            read_findings(&block(&ONE.replace("\"e\"", "\" \""))).unwrap_err(),
            FindingsError::Blank { line: 3, field: "evidence", index: 0 }
        );
        assert_eq!(
            read_findings(&format!("{}{}", block(ONE), block(ONE))).unwrap_err(),
            FindingsError::TwoBlocks { line: 9 }
        );
        let open = block(ONE);
        assert_eq!(
            read_findings(open.trim_end_matches("```\n")).unwrap_err(),
            FindingsError::Unclosed { line: 3 }
        );
    }

    fn words() -> BTreeMap<String, Severity> {
        [("CRITICAL", Severity::Block), ("MAJOR", Severity::Block), ("MINOR", Severity::Watch)]
            .into_iter()
            .map(|(word, severity)| (word.to_owned(), severity))
            .collect()
    }

    #[test]
    fn tagged_items_and_headings_are_read() {
        let text = "# Review\n\n- **CRITICAL** [#risks] no rollback — seen in tests\n- [MINOR] `src/a.rs` is unclear\n\n\
                    ### [MAJOR] The cache grows\n\nNo limit is set.\n\n- prose about CRITICAL things\n- Major: rename it\n- **Minor** rename that\n- Minor details follow\n";
        let found = read_tagged(text, &words());
        let short: Vec<_> = found.iter().map(|f| (f.severity, f.action, f.target_id.as_str())).collect();
        assert_eq!(
            short,
            [
                (Severity::Block, Action::Add, "risks"),
                (Severity::Watch, Action::Clarify, "src/a.rs"),
                (Severity::Block, Action::Change, "plan"),
                (Severity::Block, Action::Change, "plan"),
                (Severity::Watch, Action::Change, "plan"),
            ]
        );
        assert_eq!(found[2].evidence, "The cache grows: No limit is set.");
        assert_eq!(found[2].finding_id, "the-cache-grows");
        assert_eq!(read_tagged(text, &words()), found);
    }

    #[test]
    fn items_under_a_severity_heading_take_it() {
        let text = "## Critical findings\n\n1. one\n   - detail\n2. two\n\n## Minor (1)\n\n- three\n\n## Notes\n\n- four\n";
        let found = read_tagged(text, &words());
        let short: Vec<_> = found.iter().map(|f| (f.severity, f.finding_id.as_str())).collect();
        assert_eq!(short, [(Severity::Block, "one"), (Severity::Block, "two"), (Severity::Watch, "three")]);
    }

    #[test]
    fn fences_and_quotes_hold_no_tagged_findings() {
        assert!(read_tagged("```\n- CRITICAL: x\n```\n\n> - CRITICAL: y\n", &words()).is_empty());
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_panic(text in any::<String>()) {
            let _ = read_findings(&text);
            let _ = read_tagged(&text, &words());
        }
    }
}
