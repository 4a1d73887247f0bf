//! Facts of an artifact, read once from its text when it is written.

use std::collections::BTreeMap;

use crate::document::{self, CheckOptions, Level, OpenItem, Outline};
use crate::json::sha256_hex;
use crate::ledger::{AxisVerdict, FindingFact, FindingsState, Mode, SectionDigest, Shortcoming};
use crate::limits;
use crate::protocol::{Class, FindingsRule, Protocol, Role, Stage, StageKind};
use crate::reason::{Code, Reason};
use crate::review::{self, Finding, VerdictProblem};

/// What the text of an artifact says, whatever the state of the run.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct TextFacts {
    pub(crate) bytes: u64,
    pub(crate) sha256: String,
    pub(crate) text_sha256: String,
    pub(crate) sections: Vec<SectionDigest>,
    pub(crate) items: Vec<OpenItem>,
    pub(crate) shortcomings: Vec<Shortcoming>,
    pub(crate) unreadable: Vec<Shortcoming>,
    pub(crate) verdicts: BTreeMap<String, Option<String>>,
    pub(crate) qualifier: Option<String>,
    pub(crate) problems: Vec<VerdictProblem>,
    pub(crate) findings: Vec<FindingFact>,
    pub(crate) findings_state: Option<FindingsState>,
}

/// What the text is read for.
pub(crate) struct Reading<'a> {
    pub(crate) protocol: &'a Protocol,
    pub(crate) mode: Mode,
    pub(crate) stage: &'a Stage,
    pub(crate) role: &'a str,
    /// Sections of the draft that a review is about.
    pub(crate) targets: &'a [SectionDigest],
}

impl TextFacts {
    /// Reads the facts of a text.
    pub(crate) fn read(text: &str, reading: &Reading<'_>) -> TextFacts {
        let outline = Outline::read(text);
        let mut facts = TextFacts {
            bytes: u64::try_from(text.len()).unwrap_or(u64::MAX),
            sha256: sha256_hex(text.as_bytes()),
            text_sha256: document::text_digest(text),
            shortcomings: shortcomings(text, &outline, reading),
            ..TextFacts::default()
        };
        if matches!(reading.stage.kind, StageKind::Draft | StageKind::Context) {
            facts.sections = sections(&outline);
        }
        match document::read_open_items(text, &outline) {
            Ok(items) => facts.items = items,
            Err(error) => facts.unreadable.push(Shortcoming {
                code: Code::InterviewUnreadable,
                expected: "a `ralplan-open-items` block as documented".to_owned(),
                found: error.to_string(),
                line: error.line(),
            }),
        }
        if reading.stage.kind == StageKind::Review
            && let Some(role) = reading.protocol.roles.get(reading.role)
        {
            facts.read_review(text, role, reading);
        }
        facts
    }

    fn read_review(&mut self, text: &str, role: &Role, reading: &Reading<'_>) {
        let verdict = review::examine_verdict(text, &role.verdict, reading.role);
        self.verdicts = verdict.axes;
        self.qualifier = verdict.qualifier;
        self.problems = verdict.problems;
        let (findings, state) = match review::read_findings(text) {
            Ok(Some(findings)) => (findings, FindingsState::Read),
            Ok(None) if reading.protocol.review.findings == FindingsRule::Tagged => {
                let findings = review::read_tagged(text, &role.severities);
                let state = if findings.is_empty() { FindingsState::Absent } else { FindingsState::Read };
                (findings, state)
            }
            Ok(None) => (Vec::new(), FindingsState::Absent),
            Err(error) => {
                self.unreadable.push(Shortcoming {
                    code: Code::FindingUnreadable,
                    expected: "a `ralplan-findings` block as documented".to_owned(),
                    found: error.to_string(),
                    line: error.line(),
                });
                (Vec::new(), FindingsState::Unreadable)
            }
        };
        self.findings = findings.iter().map(|finding| fact_of(finding, reading.targets)).collect();
        self.findings_state = Some(state);
    }

    /// What is too much to be recorded.
    pub(crate) fn check_limits(&self) -> Vec<Reason> {
        let counts = [
            ("findings", self.findings.len(), limits::FINDINGS),
            ("open items", self.items.len(), limits::ITEMS),
            ("sections", self.sections.len(), limits::SECTIONS),
        ];
        counts
            .into_iter()
            .filter(|(_, count, limit)| count > limit)
            .map(|(what, count, limit)| {
                Reason::new(Code::InputTooLarge)
                    .at(what)
                    .expected(u64::try_from(limit).unwrap_or(u64::MAX))
                    .actual(u64::try_from(count).unwrap_or(u64::MAX))
            })
            .collect()
    }
}

fn shortcomings(text: &str, outline: &Outline, reading: &Reading<'_>) -> Vec<Shortcoming> {
    let options = CheckOptions { deliberate: reading.mode == Mode::Deliberate };
    reading
        .stage
        .documents
        .iter()
        .flat_map(|kind| document::check(text, outline, *kind, options))
        .filter(|diagnostic| diagnostic.severity == Level::Error)
        .filter_map(|diagnostic| {
            Some(Shortcoming {
                code: Code::named(diagnostic.code)?,
                expected: diagnostic.expected,
                found: diagnostic.found,
                line: u64::try_from(diagnostic.position.line).unwrap_or(u64::MAX),
            })
        })
        .take(limits::DIAGNOSTICS)
        .collect()
}

fn sections(outline: &Outline) -> Vec<SectionDigest> {
    // An anchor on an item stands for the section it is in.
    outline
        .anchors
        .iter()
        .filter_map(|anchor| {
            let section = outline.sections.get(anchor.section?)?;
            Some(SectionDigest { anchor: anchor.id.clone(), sha256: section.digest.clone() })
        })
        .collect()
}

fn fact_of(finding: &Finding, targets: &[SectionDigest]) -> FindingFact {
    let is_new = finding.target_id.starts_with("new:");
    FindingFact {
        action: finding.action,
        finding_id: finding.finding_id.clone(),
        has_evidence: !finding.evidence.trim().is_empty(),
        has_novelty: finding.novelty.as_ref().is_some_and(|novelty| !novelty.trim().is_empty()),
        is_known_target: is_new || targets.iter().any(|section| section.anchor == finding.target_id),
        severity: finding.severity,
        target_id: finding.target_id.clone(),
    }
}

/// The class of a lane: the worst of its axes; an axis without a word objects.
pub(crate) fn class_of(role: &Role, verdicts: &[AxisVerdict]) -> Class {
    let class_on = |verdict: &AxisVerdict| {
        let axis = role.verdict.iter().find(|axis| axis.axis == verdict.axis)?;
        let word = verdict.token.as_deref()?;
        axis.tokens.iter().find(|token| token.token == word).map(|token| token.class)
    };
    verdicts.iter().map(|verdict| class_on(verdict).unwrap_or(Class::Revise)).max().unwrap_or(Class::Revise)
}
