//! Settings of a run: facts that are pinned at the start, each with its source.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::protocol::{EnforcementDefault, Protocol, Range};
use crate::reason::{CODES, Code, CodeClass, CodeRow, Reason};

/// A value and where it came from, for example `default`, `ralplan.toml:3` or `--max-iterations`.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Setting<T> {
    /// Where the value came from.
    pub source: String,
    /// The value.
    pub value: T,
}

impl<T> Setting<T> {
    /// A value of the protocol itself.
    pub fn from_protocol(value: T) -> Setting<T> {
        Setting { source: "protocol".to_owned(), value }
    }
}

/// Settings that a host states; absent ones come from the protocol.
#[derive(Clone, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SettingsInput {
    /// Drafts of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_iterations: Option<Setting<u32>>,
    /// Reviews of one lane in one iteration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_passes_per_lane: Option<Setting<u32>>,
    /// Target of an automatic handoff, or `off`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub automatic_handoff: Option<Setting<String>>,
    /// Codes or prefixes that only warn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warn: Option<Setting<Vec<String>>>,
    /// True when the first objection ends a round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_at_first_objection: Option<Setting<bool>>,
    /// `main` or `planner`: who owns drafting where the protocol leaves it open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drafting_owner: Option<Setting<String>>,
}

/// The settings in force.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Target of an automatic handoff, or `off`.
    pub automatic_handoff: Setting<String>,
    /// `main` or `planner`: who owns drafting where the protocol leaves it open.
    pub drafting_owner: Setting<String>,
    /// Drafts of the run.
    pub max_iterations: Setting<u32>,
    /// Reviews of one lane in one iteration.
    pub max_passes_per_lane: Setting<u32>,
    /// True when the first objection ends a round.
    pub stop_at_first_objection: Setting<bool>,
    /// Codes or prefixes that only warn.
    pub warn: Setting<Vec<String>>,
}

impl Settings {
    /// The settings of a run: those that are stated, else those of the protocol.
    pub(crate) fn resolve(protocol: &Protocol, input: &SettingsInput) -> Settings {
        let mut settings = Settings {
            automatic_handoff: Setting::from_protocol("off".to_owned()),
            drafting_owner: Setting::from_protocol("main".to_owned()),
            max_iterations: Setting::from_protocol(protocol.budgets.iterations.default),
            max_passes_per_lane: Setting::from_protocol(protocol.budgets.passes_per_lane.default),
            stop_at_first_objection: Setting::from_protocol(protocol.review.stop_at_first_objection),
            warn: Setting::from_protocol(protocol.enforcement.warn.clone()),
        };
        settings.change(input);
        settings
    }

    /// Takes over the values that are stated.
    pub(crate) fn change(&mut self, input: &SettingsInput) {
        fn take<T: Clone>(setting: &mut Setting<T>, input: Option<&Setting<T>>) {
            if let Some(input) = input {
                *setting = input.clone();
            }
        }
        take(&mut self.automatic_handoff, input.automatic_handoff.as_ref());
        take(&mut self.drafting_owner, input.drafting_owner.as_ref());
        take(&mut self.max_iterations, input.max_iterations.as_ref());
        take(&mut self.max_passes_per_lane, input.max_passes_per_lane.as_ref());
        take(&mut self.stop_at_first_objection, input.stop_at_first_objection.as_ref());
        take(&mut self.warn, input.warn.as_ref());
    }

    /// The same values as a host would state them.
    pub(crate) fn as_input(&self) -> SettingsInput {
        SettingsInput {
            max_iterations: Some(self.max_iterations.clone()),
            max_passes_per_lane: Some(self.max_passes_per_lane.clone()),
            automatic_handoff: Some(self.automatic_handoff.clone()),
            warn: Some(self.warn.clone()),
            stop_at_first_objection: Some(self.stop_at_first_objection.clone()),
            drafting_owner: Some(self.drafting_owner.clone()),
        }
    }

    /// True when a softenable code only warns in this run.
    pub(crate) fn softens(&self, protocol: &Protocol, code: Code) -> bool {
        if !code.is_softenable() {
            return false;
        }
        protocol.enforcement.default == EnforcementDefault::Warn
            || self.warn.value.iter().any(|pattern| covers(pattern, code.name()))
    }

    /// True when the values equal, wherever they came from.
    pub(crate) fn has_values_of(&self, other: &Settings) -> bool {
        self.automatic_handoff.value == other.automatic_handoff.value
            && self.drafting_owner.value == other.drafting_owner.value
            && self.max_iterations.value == other.max_iterations.value
            && self.max_passes_per_lane.value == other.max_passes_per_lane.value
            && self.stop_at_first_objection.value == other.stop_at_first_objection.value
            && self.warn.value == other.warn.value
    }
}

/// True when `pattern`, a code or a prefix such as `document.*`, covers a code.
fn covers(pattern: &str, name: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(prefix) => name.starts_with(prefix),
        None => pattern == name,
    }
}

/// What is wrong with stated settings, each with the place of the value.
pub(crate) fn check_settings(protocol: &Protocol, input: &SettingsInput) -> Vec<Reason> {
    let mut reasons = Vec::new();
    check_range(&mut reasons, "max_iterations", input.max_iterations.as_ref(), protocol.budgets.iterations);
    check_range(
        &mut reasons,
        "max_passes_per_lane",
        input.max_passes_per_lane.as_ref(),
        protocol.budgets.passes_per_lane,
    );
    if let Some(setting) = &input.automatic_handoff
        && setting.value != "off"
    {
        let targets: Vec<String> = protocol.admission.targets.keys().cloned().collect();
        if !protocol.admission.by.iter().any(|by| by == "setting") {
            reasons.push(
                wrong("automatic_handoff", &setting.source).expected("off").actual(setting.value.as_str()),
            );
        } else if !targets.contains(&setting.value) {
            let expected: Vec<String> = std::iter::once("off".to_owned()).chain(targets).collect();
            reasons.push(
                wrong("automatic_handoff", &setting.source).expected(expected).actual(setting.value.as_str()),
            );
        }
    }
    if let Some(setting) = &input.drafting_owner
        && !["main", "planner"].contains(&setting.value.as_str())
    {
        let expected = vec!["main".to_owned(), "planner".to_owned()];
        reasons
            .push(wrong("drafting_owner", &setting.source).expected(expected).actual(setting.value.as_str()));
    }
    for pattern in input.warn.iter().flat_map(|setting| &setting.value) {
        let source = input.warn.as_ref().map_or("", |setting| setting.source.as_str());
        if let Some(reason) = check_warn(pattern, source) {
            reasons.push(reason);
        }
    }
    reasons
}

/// What is wrong with one pattern of codes that only warn.
fn check_warn(pattern: &str, source: &str) -> Option<Reason> {
    let covered: Vec<&CodeRow> = CODES.iter().filter(|row| covers(pattern, row.name)).collect();
    if covered.iter().any(|row| row.class == CodeClass::Softenable) {
        return None;
    }
    let what =
        if covered.is_empty() { "no reason code matches" } else { "a fixed code can never be softened" };
    Some(
        wrong("warn", source)
            .message(format!("{what}: `{pattern}`"))
            .expected("a softenable code, or a prefix such as `document.*`")
            .actual(pattern),
    )
}

fn check_range(reasons: &mut Vec<Reason>, name: &str, setting: Option<&Setting<u32>>, range: Range) {
    let Some(setting) = setting else { return };
    if !(range.min..=range.max).contains(&setting.value) {
        let expected = format!("a whole number from {} to {}", range.min, range.max);
        reasons.push(wrong(name, &setting.source).expected(expected).actual(setting.value));
    }
}

fn wrong(name: &str, source: &str) -> Reason {
    Reason::new(Code::InputSetting).at(format!("{name} ({source})"))
}

/// What is wrong with a pattern of codes that only warn, in a protocol document.
pub(crate) fn check_warn_pattern(pattern: &str) -> Option<Reason> {
    check_warn(pattern, "protocol")
}
