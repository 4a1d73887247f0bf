//! The rules between the parts of a protocol document.

use std::collections::BTreeSet;

use super::parse::ProtocolError;
use super::policy::Range;
use super::stage::{Exhaustion, Opens, StageKind};
use super::verdict::RoleKind;
use super::{Protocol, SCHEMA};
use crate::document::nearest;
use crate::reason::Code;
use crate::run::{check_warn_pattern, is_reserved, slot_patterns};

/// Words that a protocol may name in `by` besides its roles.
const BUILT_IN_ACTORS: &[&str] = &["leader", "person"];
/// The milestones that may carry a marker; `phase:NAME` besides.
const MILESTONES: &[&str] = &["draft", "deliberate", "questions", "consensus", "objection", "final", "stuck"];
/// The placeholders of a layout.
const PLACEHOLDERS: &[&str] =
    &["run", "session", "session:percent", "slug", "started:compact", "stage", "n", "n:02"];

#[derive(Default)]
struct Errors(Vec<ProtocolError>);

impl Errors {
    fn add(&mut self, path: impl Into<String>, message: impl Into<String>, hint: impl Into<String>) {
        self.0.push(ProtocolError {
            code: Code::InputProtocol,
            path: path.into(),
            message: message.into(),
            hint: hint.into(),
        });
    }

    fn unknown<'a>(
        &mut self,
        path: String,
        what: &str,
        word: &str,
        known: impl Iterator<Item = &'a str> + Clone,
    ) {
        let hint = match nearest(known.clone(), word) {
            Some(close) => format!("did you mean `{close}`?"),
            None => format!("known: {}", known.collect::<Vec<_>>().join(", ")),
        };
        self.add(path, format!("`{word}` is not {what}"), hint);
    }
}

/// Checks the rules between the parts.
///
/// # Errors
/// Everything that is wrong, each with its path and a hint.
pub fn check(protocol: &Protocol) -> Result<(), Vec<ProtocolError>> {
    let mut errors = Errors::default();
    if protocol.schema != SCHEMA {
        errors.0.push(ProtocolError {
            code: Code::InputSchema,
            path: "schema".to_owned(),
            message: format!("the schema is `{}`", protocol.schema),
            hint: format!("write `{SCHEMA}`"),
        });
    }
    check_names(protocol, &mut errors);
    check_roles(protocol, &mut errors);
    check_stages(protocol, &mut errors);
    check_orders(protocol, &mut errors);
    check_groups(protocol, &mut errors);
    check_counter_review(protocol, &mut errors);
    check_policy(protocol, &mut errors);
    check_layout(protocol, &mut errors);
    if errors.0.is_empty() { Ok(()) } else { Err(errors.0) }
}

fn is_name(name: &str) -> bool {
    let starts_well = name.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric());
    starts_well
        && name.len() <= 64
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
}

fn check_names(protocol: &Protocol, errors: &mut Errors) {
    let named = std::iter::once(("name".to_owned(), &protocol.name))
        .chain(protocol.roles.keys().map(|name| (format!("roles.{name}"), name)))
        .chain(protocol.stages.keys().map(|name| (format!("stages.{name}"), name)))
        .chain(
            protocol
                .gates
                .iter()
                .enumerate()
                .map(|(index, gate)| (format!("gates[{index}].name"), &gate.name)),
        );
    for (path, name) in named {
        if !is_name(name) {
            errors.add(path, format!("`{name}` is not a name"), "use 1 to 64 letters, digits, `_` or `-`");
        }
    }
    for name in protocol.roles.keys().filter(|name| BUILT_IN_ACTORS.contains(&name.as_str())) {
        errors.add(
            format!("roles.{name}"),
            format!("`{name}` is not a role but stands for itself"),
            "choose another name",
        );
    }
}

fn check_roles(protocol: &Protocol, errors: &mut Errors) {
    if protocol.reviewers().next().is_none() {
        errors.add("roles", "there is no reviewer", "add a role of kind `reviewer`");
    }
    for (name, role) in &protocol.roles {
        let path = format!("roles.{name}.verdict");
        if role.kind == RoleKind::Author && !role.verdict.is_empty() {
            errors.add(path.clone(), "an author gives no verdict", "remove the axes, or make it a reviewer");
        }
        if role.kind == RoleKind::Reviewer && role.verdict.is_empty() {
            errors.add(path.clone(), "a reviewer needs at least one axis", "add an axis with its words");
        }
        for (index, axis) in role.verdict.iter().enumerate() {
            let path = format!("{path}[{index}]");
            if !is_name(&axis.axis) {
                errors.add(
                    format!("{path}.axis"),
                    format!("`{}` is not a name", axis.axis),
                    "use letters, digits, `_` or `-`",
                );
            }
            check_words(axis, &path, errors);
        }
    }
}

fn check_words(axis: &super::Axis, path: &str, errors: &mut Errors) {
    let words = || axis.tokens.iter().map(|token| token.token.as_str());
    let mut seen = BTreeSet::new();
    for word in words() {
        if word.trim().is_empty() || word.trim() != word {
            errors.add(
                format!("{path}.tokens"),
                format!("`{word}` is blank or has blanks around it"),
                "write the word alone",
            );
        }
        if !seen.insert(word.to_lowercase()) {
            errors.add(format!("{path}.tokens"), format!("`{word}` is listed twice"), "keep one");
        }
    }
    let classes: Vec<_> = axis.tokens.iter().map(|token| token.class).collect();
    if !classes.is_sorted() {
        errors.add(
            format!("{path}.tokens"),
            "the words are not ordered best to worst",
            "order them approve, revise, reject",
        );
    }
    use super::Class::{Approve, Revise};
    if !classes.contains(&Approve) || !classes.iter().any(|class| *class >= Revise) {
        errors.add(
            format!("{path}.tokens"),
            "an axis needs a word that approves and one that does not",
            "add the missing word",
        );
    }
    for alias in axis.aliases.keys().filter(|alias| words().any(|word| word.eq_ignore_ascii_case(alias))) {
        errors.add(
            format!("{path}.aliases.{alias}"),
            format!("`{alias}` is a word of its own"),
            "remove the alias",
        );
    }
    for (alias, word) in &axis.aliases {
        if !words().any(|known| known == word) {
            errors.unknown(format!("{path}.aliases.{alias}"), "a word of this axis", word, words());
        }
    }
}

fn check_stages(protocol: &Protocol, errors: &mut Errors) {
    let actors = || protocol.roles.keys().map(String::as_str).chain(BUILT_IN_ACTORS.iter().copied());
    for (name, stage) in &protocol.stages {
        let path = format!("stages.{name}");
        if stage.by.is_empty() {
            errors.add(format!("{path}.by"), "nobody may write this stage", "name at least one role");
        }
        for (index, by) in stage.by.iter().enumerate() {
            if !actors().any(|known| known == by) {
                errors.unknown(format!("{path}.by[{index}]"), "a role", by, actors());
            } else if stage.kind == StageKind::Review && !protocol.reviewers().any(|role| role == by) {
                errors.add(
                    format!("{path}.by[{index}]"),
                    format!("`{by}` is not a reviewer"),
                    "only reviewers write reviews",
                );
            } else if stage.kind == StageKind::Draft && protocol.reviewers().any(|role| role == by) {
                errors.add(
                    format!("{path}.by[{index}]"),
                    format!("`{by}` is a reviewer"),
                    "reviewers do not write drafts",
                );
            }
        }
        if stage.kind == StageKind::Review && stage.by.len() > 1 {
            errors.add(
                format!("{path}.by"),
                "a review belongs to one lane",
                "give each reviewer a stage of its own",
            );
        }
        let is_draft = stage.kind == StageKind::Draft;
        if is_draft != stage.opens.is_some() {
            errors.add(
                format!("{path}.opens"),
                "`opens` belongs to drafts, and every draft needs it",
                "write first, again or any",
            );
        }
        if stage.when.is_some() && stage.kind != StageKind::Context {
            errors.add(format!("{path}.when"), "`when` belongs to context stages", "remove it");
        }
        if !stage.may_add.is_empty() && stage.kind != StageKind::Final {
            errors.add(format!("{path}.may_add"), "`may_add` belongs to finals", "remove it");
        }
        if stage.optional && matches!(stage.kind, StageKind::Draft | StageKind::Review | StageKind::Final) {
            errors.add(
                format!("{path}.optional"),
                "drafts, reviews and finals cannot be left out",
                "remove it",
            );
        }
    }
    for (is_first, word) in [(true, "the first"), (false, "a later")] {
        let openers = protocol
            .stages
            .values()
            .filter(|stage| stage.opens.is_some_and(|opens: Opens| opens.fits(is_first)))
            .count();
        if openers != 1 {
            errors.add("stages", format!("{openers} draft stages open {word} iteration"), "exactly one must");
        }
    }
    for role in protocol.reviewers().filter(|role| protocol.review_stage(role).is_none()) {
        errors.add(
            format!("roles.{role}"),
            "the reviewer has no stage",
            "add a stage of kind `review` written by it",
        );
    }
    if protocol.stages_of(StageKind::Final).count() > 1 {
        errors.add("stages", "there is more than one final", "keep one");
    }
}

fn check_orders(protocol: &Protocol, errors: &mut Errors) {
    let kind_of = |name: &String| protocol.stages.get(name).map(|stage| stage.kind);
    for (index, name) in protocol.opening.iter().enumerate() {
        if kind_of(name) != Some(StageKind::Context) {
            let known = protocol.stages_of(StageKind::Context).collect::<Vec<_>>();
            errors.unknown(format!("opening[{index}]"), "a context stage", name, known.into_iter());
        }
    }
    for name in protocol.stages_of(StageKind::Context) {
        if !protocol.opening.iter().any(|listed| listed == name) {
            errors.add("opening", format!("the context stage `{name}` has no place"), "list it in `opening`");
        }
    }
    let closes = |kind| matches!(kind, StageKind::Reconciliation | StageKind::Record | StageKind::Final);
    for (index, name) in protocol.closing.iter().enumerate() {
        if !kind_of(name).is_some_and(closes) {
            let known: Vec<&str> = protocol
                .stages
                .iter()
                .filter(|(_, stage)| closes(stage.kind))
                .map(|(name, _)| name.as_str())
                .collect();
            errors.unknown(format!("closing[{index}]"), "a closing stage", name, known.into_iter());
        }
    }
    for (name, _) in protocol.stages.iter().filter(|(_, stage)| closes(stage.kind)) {
        if !protocol.closing.contains(name) {
            errors.add("closing", format!("the closing stage `{name}` has no place"), "list it in `closing`");
        }
    }
    let ends_in_final = protocol.closing.last().is_none_or(|name| kind_of(name) == Some(StageKind::Final));
    if !ends_in_final {
        errors.add(
            "closing",
            "the closing stages do not end in the final",
            "put the final last, or leave `closing` empty",
        );
    }
    for (path, listed) in [("opening", &protocol.opening), ("closing", &protocol.closing)] {
        let mut seen = BTreeSet::new();
        for name in listed.iter().filter(|name| !seen.insert(*name)) {
            errors.add(path, format!("`{name}` is listed twice"), "list it once");
        }
    }
    if protocol.review.exhausted == Exhaustion::Close && protocol.final_stage().is_none() {
        errors.add(
            "review.exhausted",
            "there is no final that could be closed with",
            "use `halt`, or add a final",
        );
    }
    let reconciles = protocol.stages_of(StageKind::Reconciliation).next().is_some();
    if reconciles != protocol.interview.is_some() {
        errors.add(
            "interview",
            "an interview and a reconciliation stage belong together",
            "have both or neither",
        );
    }
}

fn check_groups(protocol: &Protocol, errors: &mut Errors) {
    for (name, groups) in
        [("first_pass", &protocol.review.first_pass), ("later_passes", &protocol.review.later_passes)]
    {
        let mut seen = BTreeSet::new();
        for (index, group) in groups.iter().enumerate() {
            let path = format!("review.{name}[{index}]");
            if group.is_empty() {
                errors.add(path.clone(), "the group is empty", "name a reviewer, or remove it");
            }
            for role in group {
                if !protocol.reviewers().any(|known| known == role) {
                    errors.unknown(
                        path.clone(),
                        "a reviewer",
                        role,
                        protocol.reviewers().collect::<Vec<_>>().into_iter(),
                    );
                }
                if !seen.insert(role) {
                    errors.add(path.clone(), format!("`{role}` reviews twice"), "name it once");
                }
            }
        }
        for role in protocol.reviewers().filter(|role| !groups.iter().flatten().any(|member| member == role))
        {
            errors.add(
                format!("review.{name}"),
                format!("the reviewer `{role}` has no group"),
                "add it to a group",
            );
        }
    }
}

fn check_counter_review(protocol: &Protocol, errors: &mut Errors) {
    let Some(counter) = protocol.ratchet.as_ref().and_then(|ratchet| ratchet.counter_review.as_ref()) else {
        return;
    };
    let place = |role: &str| {
        protocol.review.later_passes.iter().position(|group| group.iter().any(|member| member == role))
    };
    for role in std::iter::once(&counter.by).chain(&counter.of) {
        if !protocol.reviewers().any(|known| known == role) {
            errors.unknown(
                "ratchet.counter_review".to_owned(),
                "a reviewer",
                role,
                protocol.reviewers().collect::<Vec<_>>().into_iter(),
            );
        }
    }
    for role in &counter.of {
        if place(role) >= place(&counter.by) {
            let message = format!("`{}` rules on `{role}` but does not review after it", counter.by);
            errors.add("ratchet.counter_review", message, "put it into a later group of `later_passes`");
        }
    }
}

fn check_policy(protocol: &Protocol, errors: &mut Errors) {
    check_range("budgets.iterations", protocol.budgets.iterations, 20, errors);
    check_range("budgets.passes_per_lane", protocol.budgets.passes_per_lane, 10, errors);
    if protocol.budgets.artifact_bytes == 0 || protocol.budgets.artifact_bytes > crate::limits::LEDGER_BYTES {
        errors.add(
            "budgets.artifact_bytes",
            "the size is out of range",
            format!("use 1 to {}", crate::limits::LEDGER_BYTES),
        );
    }
    const SOURCES: &[&str] = &["person", "setting", "supervisor", "prior_consent"];
    for (index, source) in protocol.admission.by.iter().enumerate() {
        if !SOURCES.contains(&source.as_str()) {
            errors.unknown(
                format!("admission.by[{index}]"),
                "a source of an admission",
                source,
                SOURCES.iter().copied(),
            );
        }
    }
    if !protocol.admission.by.iter().any(|by| by == "person") {
        errors.add("admission.by", "a person cannot approve", "add `person`");
    }
    const CHOICES: &[&str] = &["accept", "synthesize", "defer_user", "reject_both"];
    for (index, choice) in protocol.conflicts.choices.iter().enumerate() {
        if !CHOICES.contains(&choice.as_str()) {
            errors.unknown(
                format!("conflicts.choices[{index}]"),
                "a choice",
                choice,
                CHOICES.iter().copied(),
            );
        }
    }
    for (name, phase) in protocol.phases.iter().map(|phase| (&phase.name, phase)) {
        if !is_name(name) || phase.cap == 0 {
            errors.add(
                "phases",
                format!("the phase `{name}` needs a name and a cap of at least 1"),
                "correct it",
            );
        }
    }
    for milestone in protocol.markers.keys() {
        let is_phase = milestone
            .strip_prefix("phase:")
            .is_some_and(|name| protocol.phases.iter().any(|phase| phase.name == name));
        if !is_phase && !MILESTONES.contains(&milestone.as_str()) {
            errors.unknown(
                format!("markers.{milestone}"),
                "a milestone",
                milestone,
                MILESTONES.iter().copied(),
            );
        }
    }
    for (index, pattern) in protocol.enforcement.warn.iter().enumerate() {
        if let Some(reason) = check_warn_pattern(pattern) {
            errors.add(
                format!("enforcement.warn[{index}]"),
                reason.message,
                "name a softenable code or prefix, for example `document.*`",
            );
        }
    }
    const CONTINUITY: &[&str] = &["reason", "free"];
    if !CONTINUITY.contains(&protocol.identity.continuity.as_str()) {
        errors.unknown(
            "identity.continuity".to_owned(),
            "a rule of continuity",
            &protocol.identity.continuity,
            CONTINUITY.iter().copied(),
        );
    }
    for code in protocol.messages.keys().filter(|code| Code::named(code).is_none()) {
        errors.add(
            format!("messages.{code}"),
            format!("`{code}` is not a reason code"),
            "see the list of reason codes",
        );
    }
}

fn check_range(path: &str, range: Range, most: u32, errors: &mut Errors) {
    let is_sound = range.min >= 1 && range.max <= most && (range.min..=range.max).contains(&range.default);
    if !is_sound {
        errors.add(
            path,
            format!("min {}, default {}, max {}", range.min, range.default, range.max),
            format!("keep 1 <= min <= default <= max <= {most}"),
        );
    }
}

fn check_layout(protocol: &Protocol, errors: &mut Errors) {
    let layout = &protocol.layout;
    let latest = layout.latest.iter().map(|(stage, path)| (format!("layout.latest.{stage}"), path));
    let paths = [
        ("layout.folder".to_owned(), &layout.folder),
        ("layout.ledger".to_owned(), &layout.ledger),
        ("layout.artifact".to_owned(), &layout.artifact),
    ];
    for (path, template) in paths.into_iter().chain(latest) {
        check_template(&path, template, errors);
    }
    for stage in layout.latest.keys().filter(|stage| !protocol.stages.contains_key(*stage)) {
        let known = protocol.stages.keys().map(String::as_str).collect::<Vec<_>>();
        errors.unknown(format!("layout.latest.{stage}"), "a stage", stage, known.into_iter());
    }
    if !layout.ledger.contains("{run}") {
        errors.add("layout.ledger", "two runs would share one ledger", "use `{run}` in the path");
    }
    let separates_runs = layout.folder.contains("{run}") || layout.artifact.contains("{run}");
    let separates_slots = layout.artifact.contains("{stage}")
        && (layout.artifact.contains("{n}") || layout.artifact.contains("{n:02}"));
    if !separates_runs || !separates_slots {
        errors.add(
            "layout.artifact",
            "two artifacts would share one path",
            "use `{run}`, `{stage}` and `{n}` in folder and artifact",
        );
    }
    check_latest(protocol, errors);
    for (path, value, words) in [
        ("layout.foreign_rows", &layout.foreign_rows, ["subtract", "refuse"]),
        ("layout.final_newline", &layout.final_newline, ["add", "keep"]),
    ] {
        if !words.contains(&value.as_str()) {
            errors.unknown(path.to_owned(), "a known value", value, words.iter().copied());
        }
    }
}

/// A documented name must not lie over the ledger, nor over the name of a stage of another kind.
fn check_latest(protocol: &Protocol, errors: &mut Errors) {
    let layout = &protocol.layout;
    let kind_of = |stage: &String| protocol.stages.get(stage).map(|stage| stage.kind);
    for (stage, name) in &layout.latest {
        let path = format!("layout.latest.{stage}");
        if format!("{}/{name}", layout.folder) == layout.ledger {
            errors.add(path.clone(), "the artifact would lie over the ledger", "choose another name");
        }
        let sample = sample(&format!("{}/{name}", layout.folder));
        let is_slot = slot_patterns(protocol, "x", "x").iter().any(|(folder, pattern)| {
            let inner = sample.strip_prefix(folder.as_str()).and_then(|rest| rest.strip_prefix('/'));
            inner.is_some_and(|inner| pattern.read(inner).is_some())
        });
        if is_slot {
            errors.add(path.clone(), "the name is that of a numbered artifact", "choose another name");
        }
        let others = layout.latest.iter().filter(|(other, same)| *other != stage && *same == name);
        for (other, _) in others.filter(|(other, _)| kind_of(other) != kind_of(stage)) {
            errors.add(path.clone(), format!("`{other}` has the same name"), "choose another name");
        }
    }
}

/// A template with a letter in place of each placeholder.
fn sample(template: &str) -> String {
    PLACEHOLDERS.iter().fold(template.to_owned(), |text, name| text.replace(&format!("{{{name}}}"), "x"))
}

fn check_template(path: &str, template: &str, errors: &mut Errors) {
    let mut rest = template;
    while let Some((_, after)) = rest.split_once('{') {
        let Some((name, after)) = after.split_once('}') else {
            errors.add(path, "a placeholder is not closed", "write `}`");
            return;
        };
        if !PLACEHOLDERS.contains(&name) {
            errors.unknown(path.to_owned(), "a placeholder", name, PLACEHOLDERS.iter().copied());
        }
        rest = after;
    }
    let bare = sample(template);
    let is_reserved = bare
        .split('/')
        .any(|part| part.eq_ignore_ascii_case(".git") || is_reserved(part) || part.len() > 200);
    if is_reserved || bare.contains(['<', '>', '"', '|', '?', '*']) {
        errors.add(
            path,
            format!("`{template}` holds a name that belongs to git or to some system"),
            "choose another name",
        );
    }
    let is_document = path == "layout.artifact" || path.starts_with("layout.latest.");
    if is_document && !bare.ends_with(".md") {
        errors.add(
            path,
            format!("`{template}` is not the name of a Markdown file"),
            "end it in `.md`, so that it replaces nothing else",
        );
    }
    let is_plain = !bare.contains(|letter: char| ['\\', ':'].contains(&letter) || letter.is_control())
        && bare.split('/').all(|part| !["", ".", ".."].contains(&part));
    if !is_plain {
        errors.add(
            path,
            format!("`{template}` is not a plain relative path"),
            "use a relative path without `..`",
        );
    }
}
