//! Documents that the core joins itself, so that nobody retypes a plan.

use super::observed::Observed;
use super::position::Position;
use super::state::State;
use crate::document::{self, Outline};
use crate::json::sha256_hex;
use crate::ledger::{AnswerOutcome, Written};
use crate::protocol::StageKind;
use crate::reason::{Code, Reason};
use crate::review::Severity;

/// What follows the draft in a final.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Tail {
    /// Anchors of the sections, by their titles.
    pub(crate) added: Vec<String>,
    /// True when nothing but sections follows.
    pub(crate) is_sections_only: bool,
}

/// Reads what follows the first `draft_bytes` bytes of a final, or nothing when those bytes are not the draft.
pub(crate) fn read_tail(text: &str, draft_bytes: u64, draft_sha256: &str) -> Option<Tail> {
    let length = usize::try_from(draft_bytes).ok()?;
    let (head, tail) = text.split_at_checked(length)?;
    if sha256_hex(head.as_bytes()) != draft_sha256 {
        return None;
    }
    let outline = Outline::read(text);
    let mut added = Vec::new();
    let mut first = text.len();
    let mut open_level = u8::MAX;
    for section in outline.sections.iter().filter(|section| section.span.start >= length) {
        first = first.min(section.span.start);
        if section.level <= open_level {
            open_level = section.level;
            added.push(document::slug(&section.title));
        }
    }
    // The heading must stand on a line of its own, or it would be part of the draft's last line.
    let gap = tail.get(..first.saturating_sub(length)).unwrap_or(tail);
    let starts_own_line = head.is_empty() || head.ends_with('\n') || gap.contains('\n') || tail.is_empty();
    Some(Tail { added, is_sections_only: gap.trim().is_empty() && starts_own_line })
}

/// True when sections can follow a text: it does not end inside a fence or a comment.
pub(crate) fn takes_sections(text: &str) -> bool {
    let whole = format!("{text}\n\n## Next\n");
    let bytes = u64::try_from(text.len()).unwrap_or(u64::MAX);
    read_tail(&whole, bytes, &sha256_hex(text.as_bytes()))
        .is_some_and(|tail| tail.is_sections_only && tail.added == ["next"])
}

/// The anchors that a closing document would add to a final, or nothing when it cannot follow a draft.
pub(crate) fn closing_anchors(text: &str, may_add: &[String]) -> Option<Vec<String>> {
    const DRAFT: &str = "# Plan\n";
    let mut whole = DRAFT.to_owned();
    append(&mut whole, &as_section(text, may_add));
    let bytes = u64::try_from(DRAFT.len()).unwrap_or(u64::MAX);
    let tail = read_tail(&whole, bytes, &sha256_hex(DRAFT.as_bytes()))?;
    (tail.is_sections_only && takes_sections(&whole)).then_some(tail.added)
}

/// Artifacts whose text is read to compose a stage.
pub(crate) fn needed_artifacts(state: &State, position: &Position<'_>, kind: StageKind) -> Vec<String> {
    let mut needed = Vec::new();
    if kind == StageKind::Final {
        needed.extend(state.plan_draft(position).map(|draft| draft.sha256.clone()));
        needed.extend(records(state).map(|record| record.sha256.clone()));
    }
    let answers = state.answers.values().filter_map(|seq| state.answered(*seq));
    needed.extend(answers.filter_map(|answered| answered.text_sha256.clone()));
    needed
}

fn records(state: &State) -> impl Iterator<Item = &Written> {
    state
        .protocol()
        .closing
        .iter()
        .filter_map(|stage| state.closing.get(stage))
        .filter_map(|seq| state.written(*seq))
        .filter(|written| written.kind == StageKind::Record)
}

/// Joins draft, records, further closing sections and the outcome of the interview.
pub(crate) fn compose_final(
    state: &State,
    position: &Position<'_>,
    stage: &str,
    closing_text: Option<&str>,
    observed: &Observed,
) -> Result<String, Vec<Reason>> {
    let Some(draft) = state.plan_draft(position) else { return Err(vec![Reason::new(Code::OrderNoDraft)]) };
    let mut text = text_of(observed, &draft.sha256)?.to_owned();
    let may_add =
        state.protocol().stages.get(stage).map(|stage| stage.may_add.as_slice()).unwrap_or_default();
    for record in records(state) {
        append(&mut text, &as_section(text_of(observed, &record.sha256)?, may_add));
    }
    if let Some(closing_text) = closing_text.filter(|closing_text| !closing_text.trim().is_empty()) {
        append(&mut text, &as_section(closing_text, may_add));
    }
    let mut made = Vec::new();
    if state.protocol().interview.is_some() {
        made.push("intent-reconciliation");
        append(&mut text, &format!("## Intent Reconciliation\n\n{}", render_items(state, observed)?));
    }
    if position.is_exhausted && !position.has_consensus() {
        made.push("unresolved");
        append(&mut text, &format!("## Unresolved\n\n{}", render_unresolved(state, draft)));
    }
    // A fence or comment that a closing document leaves open would hide what the core adds.
    let added = read_tail(&text, draft.bytes, &draft.sha256).map(|tail| tail.added).unwrap_or_default();
    if made.iter().any(|anchor| !added.iter().any(|added| added == anchor)) {
        let reason = Reason::new(Code::FinalNotReviewed).at("artifact").actual(added);
        let expected: Vec<String> = made.into_iter().map(str::to_owned).collect();
        let remedy = "close every fence and comment of the draft and the closing documents";
        return Err(vec![reason.expected(expected).remedy(remedy)]);
    }
    Ok(text)
}

/// The text of an artifact that the host was asked for.
fn text_of<'a>(observed: &'a Observed, sha256: &str) -> Result<&'a str, Vec<Reason>> {
    match observed.artifact(sha256) {
        Some(text) if sha256_hex(text.as_bytes()) == sha256 => Ok(text),
        Some(text) => {
            let reason = Reason::new(Code::InputObserved).at("observed.artifacts").expected(sha256);
            Err(vec![reason.actual(sha256_hex(text.as_bytes()))])
        }
        None => Err(vec![Reason::new(Code::InputObserved).at("observed.artifacts").expected(sha256)]),
    }
}

fn append(text: &mut String, section: &str) {
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text.push('\n');
    text.push_str(section.trim_matches(['\n', '\r']));
    text.push('\n');
}

/// A closing document as one section that may follow the draft.
fn as_section(text: &str, may_add: &[String]) -> String {
    let outline = Outline::read(text);
    let is_allowed = |title: &str| may_add.contains(&document::slug(title));
    if let Some(section) = outline.sections.iter().find(|section| is_allowed(&section.title)) {
        let before = text.get(..section.span.start).unwrap_or_default();
        let only_titles =
            outline.sections.iter().filter(|other| other.span.start < section.span.start).count() <= 1;
        if only_titles
            && before.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with("# "))
        {
            return text.get(section.span.start..).unwrap_or(text).to_owned();
        }
    }
    let title = may_add.first().map_or_else(|| "Closing".to_owned(), |anchor| title_of(anchor));
    format!("## {title}\n\n{}", demote(text, &outline))
}

/// The text with its headings at level 3 or deeper, without a title of its own.
fn demote(text: &str, outline: &Outline) -> String {
    let highest = outline.sections.iter().map(|section| section.level).min().unwrap_or(3);
    let deeper = usize::from(3_u8.saturating_sub(highest));
    let mut result = String::with_capacity(text.len());
    let mut done = 0;
    for section in &outline.sections {
        result.push_str(text.get(done..section.span.start).unwrap_or_default());
        let heading = text.get(section.span.clone()).unwrap_or_default();
        if heading.trim_start().starts_with('#') {
            result.push_str(&"#".repeat(deeper));
            done = section.span.start;
        } else {
            // An underlined heading has no marks to add to.
            let level = usize::from(section.level).saturating_add(deeper);
            result.push_str(&format!("{} {}\n", "#".repeat(level), one_line(&section.title)));
            done = section.span.end;
        }
    }
    result.push_str(text.get(done..).unwrap_or_default());
    result
}

/// The items of the interview, each with its outcome.
fn render_items(state: &State, observed: &Observed) -> Result<String, Vec<Reason>> {
    let items = state.items();
    if items.is_empty() {
        return Ok("No open items.\n".to_owned());
    }
    let mut text = String::new();
    for item in items {
        let outcome = match state.answer_to(item) {
            Some(AnswerOutcome::Confirmed) => "confirmed",
            Some(AnswerOutcome::Corrected) => "corrected",
            Some(AnswerOutcome::Deferred) => "open confirmation, deferred",
            None => "open confirmation, nobody was asked",
        };
        text.push_str(&format!("- `{}`: {} ({outcome}", item.item_id, one_line(&item.text)));
        let words = state
            .answers
            .get(&item.item_id)
            .filter(|_| state.answer_to(item).is_some())
            .and_then(|seq| state.answered(*seq))
            .and_then(|answered| answered.text_sha256.as_ref());
        if let Some(sha256) = words {
            text.push_str(": ");
            text.push_str(&one_line(text_of(observed, sha256)?));
        }
        text.push_str(")\n");
    }
    Ok(text)
}

/// Text on one line, so that it cannot open a heading or a fence.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The document of the interview.
pub(crate) fn compose_reconciliation(state: &State, observed: &Observed) -> Result<String, Vec<Reason>> {
    let token = state.reconciliation_token();
    let items = render_items(state, observed)?;
    Ok(format!("# Post-interview\n\nOutcome: {token}\n\n## Intent Reconciliation\n\n{items}"))
}

/// What stays open about a draft: findings that were not settled, then items.
pub(crate) fn unresolved(state: &State, draft: &Written) -> Vec<String> {
    let mut open = Vec::new();
    let reviews =
        state.iteration_of(&draft.sha256).into_iter().flat_map(|iteration| iteration.reviews.values());
    for written in reviews.filter_map(|reviews| reviews.last()).filter_map(|seq| state.written(*seq)) {
        let Some(review) = &written.review else { continue };
        let findings = review.findings.iter().filter(|finding| finding.severity >= Severity::Watch);
        open.extend(findings.map(|finding| format!("{}:{}", written.role, finding.finding_id)));
        if review.findings.is_empty() && review.class != crate::protocol::Class::Approve {
            open.push(format!("{}:{}", written.role, written.path));
        }
    }
    open.extend(state.open_items().into_iter().map(|item| format!("item:{}", item.item_id)));
    open
}

fn render_unresolved(state: &State, draft: &Written) -> String {
    let open = unresolved(state, draft);
    if open.is_empty() {
        return "Nothing is listed, and the reviewers did not agree.\n".to_owned();
    }
    open.iter().map(|line| format!("- `{line}`\n")).collect()
}

/// The outcome that a document of the interview states.
pub(crate) fn stated_outcome(text: &str) -> Option<String> {
    const OUTCOMES: &[&str] = &["reconciled-clean", "reconciled-with-revision", "open-confirmations-pending"];
    text.lines().find_map(|line| {
        let (label, value) = line.trim().split_once(':')?;
        let value = value.trim().trim_matches(['*', '`']);
        let is_label =
            ["outcome", "status"].contains(&label.trim_matches(['*', '#', '-', ' ']).to_lowercase().as_str());
        (is_label && OUTCOMES.contains(&value)).then(|| value.to_owned())
    })
}

/// The title of a section with this anchor.
fn title_of(anchor: &str) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters
            .next()
            .map(|first| first.to_uppercase().chain(letters).collect::<String>())
            .unwrap_or_default()
    };
    anchor.split('-').map(capital).collect::<Vec<_>>().join(" ")
}
