//! The risk register.

use super::check::{PLACEHOLDER, hollow, is_mentioned, places_of, unit_text};
use super::diagnostic::{Context, Diagnostic, Say};
use super::label::shorten;
use super::part::Part;
use super::units::{Unit, UnitForm, table_of, units_of};
use super::wording::is_placeholder;

const CODE: &str = "document.risk_register";
const EXPECTED: &str = "risks, each with a mitigation";

/// Words for what is done about a risk.
const MITIGATION: [&str; 14] = [
    "mitigation",
    "mitigations",
    "mitigate",
    "mitigated",
    "mitigates",
    "response",
    "fallback",
    "countermeasure",
    "contingency",
    "缓解",
    "应对",
    "완화",
    "대응",
    "対策",
];

/// Characters of a risk that a diagnostic repeats.
const SHOWN: usize = 60;

/// One risk, as read.
pub(crate) struct RiskRow {
    pub(crate) at: usize,
    pub(crate) title: String,
    pub(crate) mitigated: bool,
}

/// The risks of the fullest place.
pub(crate) fn read_risks(context: &Context<'_>) -> Vec<RiskRow> {
    let places = places_of(context, Part::Risks);
    let listed = places.iter().map(|found| units_of(context.lines(), found));
    let units = listed.max_by_key(Vec::len).unwrap_or_default();
    units.iter().map(|unit| read_risk(context, unit)).collect()
}

pub(crate) fn check_risks(context: &Context<'_>) -> Vec<Diagnostic> {
    let hint = "add a table or list under a heading `Risk Register`";
    let places = places_of(context, Part::Risks);
    let risks = read_risks(context);
    let Some(first) = places.first() else {
        return vec![context.error(CODE, 0, Say { found: "nothing", expected: EXPECTED, hint })];
    };
    if let Some(code) = hollow(context, first, risks.len()) {
        let found = if code == PLACEHOLDER { "a placeholder" } else { "a reference to an earlier text" };
        return vec![context.error(code, first.at, Say { found, expected: EXPECTED, hint })];
    }
    let has_text = places.iter().any(|found| !found.body.is_empty() || !found.rest.is_empty());
    if !has_text {
        return vec![context.error(CODE, first.at, Say { found: "an empty part", expected: EXPECTED, hint })];
    }
    let open = risks.iter().filter(|risk| !risk.mitigated);
    open.map(|risk| {
        let found = format!("no mitigation for `{}`", shorten(&risk.title, SHOWN));
        context.hint(
            CODE,
            risk.at,
            Say { found: &found, expected: EXPECTED, hint: "say what is done about it" },
        )
    })
    .collect()
}

fn read_risk(context: &Context<'_>, unit: &Unit) -> RiskRow {
    if unit.form == UnitForm::Row
        && let Some((title, mitigated)) = read_row(context, unit)
    {
        return RiskRow { at: unit.at, title, mitigated };
    }
    let text = unit_text(context, unit).to_lowercase();
    let mitigated = MITIGATION.iter().any(|word| is_mentioned(&text, word))
        || text.contains(['→', '—', ':', '：'])
        || text.contains("->");
    RiskRow { at: unit.at, title: unit.title.clone(), mitigated }
}

fn read_row(context: &Context<'_>, unit: &Unit) -> Option<(String, bool)> {
    let (header, cells) = table_of(context.lines(), unit.lines.start)?;
    let column = |words: &[&str]| {
        header.iter().position(|name| words.iter().any(|word| is_mentioned(&name.to_lowercase(), word)))
    };
    let title = column(&["risk", "风险", "리스크", "위험", "リスク"])
        .and_then(|index| cells.get(index))
        .or_else(|| cells.first())?;
    let mitigation = column(&MITIGATION).and_then(|index| cells.get(index));
    let filled = |cell: &String| cell.chars().any(char::is_alphanumeric) && !is_placeholder(cell);
    Some((title.clone(), mitigation.is_some_and(filled)))
}
