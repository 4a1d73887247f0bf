//! Reasons as people like them: what is wrong, where, expected, found, what to do.

use ralplan_core::reason::{Detail, Reason};

/// Characters of a value that a message repeats.
const SHOWN: usize = 300;

/// One or several reasons under a word such as `error` or `refused`.
pub(crate) fn reasons(word: &str, reasons: &[Reason]) -> String {
    match reasons {
        [one] => format!("{word}: {}", one_reason(one)),
        several => format!("{word}: {} reasons\n{}", several.len(), list(several)),
    }
}

/// Reasons as a list.
pub(crate) fn list(reasons: &[Reason]) -> String {
    let items: Vec<String> =
        reasons.iter().map(|reason| format!("- {}", indent(&one_reason(reason)))).collect();
    items.join("\n")
}

fn one_reason(reason: &Reason) -> String {
    let place = reason.at.as_ref().map(|at| format!(" ({at})")).unwrap_or_default();
    let mut text = format!("{}: {}{place}", reason.code.name(), reason.message);
    let rows = [
        ("expected", reason.expected.as_ref().map(detail)),
        ("found", reason.actual.as_ref().map(detail)),
        ("to do", Some(reason.remedy.clone())),
    ];
    for (word, value) in rows {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            text.push_str(&format!("\n  {word:<9} {value}"));
        }
    }
    text
}

fn indent(text: &str) -> String {
    text.replace('\n', "\n  ")
}

/// A value in a sentence.
fn detail(detail: &Detail) -> String {
    match detail {
        Detail::Text(text) => shorten(text),
        Detail::Number(number) => number.to_string(),
        Detail::List(list) if list.is_empty() => "nothing".to_owned(),
        Detail::List(list) => shorten(&list.join(", ")),
    }
}

fn shorten(text: &str) -> String {
    let line = text.replace('\n', " ");
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

/// The first digits of a digest.
pub(crate) fn short(digest: &str) -> &str {
    digest.get(..8).unwrap_or(digest)
}

#[cfg(test)]
mod tests {
    use ralplan_core::reason::Code;

    use super::*;

    #[test]
    fn one_reason_says_what_where_expected_found_and_what_to_do() {
        let reason =
            Reason::new(Code::OrderJoin).at("revision").expected("architect, critic").actual("architect");
        assert_eq!(
            reasons("refused", &[reason]),
            "refused: order.join_incomplete: not all required reviews of the draft are in (revision)\n  \
             expected  architect, critic\n  found     architect\n  to do     wait for the missing reviews"
        );
    }

    #[test]
    fn several_reasons_are_a_list_and_long_values_are_cut() {
        let long = Reason::new(Code::InputEmpty).actual("x".repeat(1000));
        let text = reasons("error", &[long, Reason::new(Code::InputNul)]);
        assert!(text.starts_with("error: 2 reasons\n- input.empty: "), "{text}");
        assert!(text.contains("\n- input.nul: "));
        assert!(text.len() < 700, "{}", text.len());
    }
}
