//! Which part of a plan a heading, bold line or label names.
//!
//! A name matches as a whole: `Decision Drivers` is no `Decision`, `Consequences` is no sequence.

use super::label::{plain, strip_emoji, strip_number};
use super::part::{NAMES, Part};

/// Words at the end of a name that say what became of the part.
const TRAILING: [&str; 9] =
    ["retained", "delta", "unchanged", "draft", "updated", "revised", "section", "summary", "overview"];

/// Marks at which a suffix starts.
const SUFFIX_MARKS: [char; 11] = ['(', '（', '【', '[', ':', '：', '—', '–', ',', '，', '/'];

/// Characters of a name that are looked at.
const LONGEST_NAME: usize = 160;

/// True when `name` names the part.
pub(crate) fn names(part: Part, name: &str) -> bool {
    let known = NAMES.iter().find(|(known, _)| *known == part);
    known.is_some_and(|(_, names)| {
        candidates(name).iter().any(|candidate| names.contains(&candidate.as_str()))
    })
}

/// Every part that the name can mean; several, because `Alternatives` is a field and can be a part.
pub(crate) fn parts_of(name: &str) -> Vec<Part> {
    let candidates = candidates(name);
    let named = NAMES
        .iter()
        .filter(|(_, names)| candidates.iter().any(|candidate| names.contains(&candidate.as_str())));
    named.map(|(part, _)| *part).collect()
}

/// The readings of a name, most literal first: without suffix, without number, without trailing word, and, when the
/// name starts in another script, what stands in the brackets or behind the slash.
fn candidates(name: &str) -> Vec<String> {
    let name: String = plain(name).chars().take(LONGEST_NAME).collect();
    let name = strip_emoji(&name);
    let mut found = Vec::new();
    for text in [strip_number(name), name] {
        let head = before_suffix(text);
        push_readings(&mut found, head);
        if !head.is_ascii() {
            for piece in text.split(['(', ')', '（', '）', '/', '【', '】', '·', '|']).skip(1) {
                push_readings(&mut found, before_suffix(piece));
            }
        }
    }
    found
}

fn push_readings(found: &mut Vec<String>, text: &str) {
    let full = normal(text);
    let mut words: Vec<&str> = full.split(' ').collect();
    add(found, full.clone());
    while words.len() > 1 && words.last().is_some_and(|word| is_trailing(word)) {
        words.pop();
        add(found, words.join(" "));
    }
    if words.len() > 2 && words.first() == Some(&"top") && words.get(1).is_some_and(|word| is_number(word)) {
        add(found, words.get(2..).unwrap_or_default().join(" "));
    }
    if let Some((head, _)) = full.split_once(" and ").or_else(|| full.split_once(" with ")) {
        add(found, head.to_owned());
    }
}

fn add(found: &mut Vec<String>, text: String) {
    if !text.is_empty() && !found.contains(&text) {
        found.push(text);
    }
}

fn is_trailing(word: &str) -> bool {
    let is_version = word.strip_prefix('v').is_some_and(is_number);
    TRAILING.contains(&word) || is_version || is_number(word)
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// The text up to the first suffix mark, ` - ` or ` vN`.
fn before_suffix(text: &str) -> &str {
    let end = text.find(SUFFIX_MARKS).unwrap_or(text.len());
    let head = text.get(..end).unwrap_or_default();
    head.split(" - ").next().unwrap_or_default().trim()
}

/// Lower case, hyphens as spaces, `&` and `+` as `and`, one space between words.
fn normal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' | '+' => out.push_str(" and "),
            '-' | '_' | '‑' => push_space(&mut out),
            letter if letter.is_whitespace() => push_space(&mut out),
            letter => out.extend(letter.to_lowercase()),
        }
    }
    let joined = if out.contains("  ") { out.split_whitespace().collect::<Vec<_>>().join(" ") } else { out };
    joined.trim_matches(['.', '"', '\'', ' ']).to_owned()
}

fn push_space(out: &mut String) {
    if !out.is_empty() && !out.ends_with(' ') {
        out.push(' ');
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_tolerated_spelling_is_found() {
        for (name, part) in [
            ("Principles", Part::Principles),
            ("PRINCIPLES (5)", Part::Principles),
            ("1.1 Guiding Principles", Part::Principles),
            ("Principles retained", Part::Principles),
            ("원칙 (5)", Part::Principles),
            ("Principles / 原则", Part::Principles),
            ("设计（Principles）", Part::Principles),
            ("§13 Decision Drivers (top 3)", Part::Drivers),
            ("Top 3 Decision Drivers", Part::Drivers),
            ("决策驱动", Part::Drivers),
            ("(a) Viable Options (≥2 per key axis)", Part::Options),
            ("Options Considered — storage", Part::Options),
            ("**Viable** `Options`", Part::Options),
            ("2) Options v3", Part::Options),
            ("Part 4 — ADR", Part::Adr),
            ("ADR-001: cache", Part::Adr),
            ("7. ADR — cache layer", Part::Adr),
            ("Architectural Decision Record", Part::Adr),
            ("一、验收标准", Part::Criteria),
            ("A.1 Success Criteria", Part::Criteria),
            ("Risks & Mitigations", Part::Risks),
            ("Risks - all", Part::Risks),
            ("Follow-Ups (Post-Hackathon)", Part::FollowUps),
            ("Consequences (+)", Part::Consequences),
            ("Why Chosen (Opt A)", Part::WhyChosen),
            ("Pre-mortem", Part::Premortem),
            ("⚠️ Risks", Part::Risks),
            ("Acceptance Criteria and Tests", Part::Criteria),
        ] {
            assert!(names(part, name), "{name}");
            assert!(parts_of(name).contains(&part), "{name}");
        }
    }

    #[test]
    fn names_match_as_a_whole() {
        for (name, part) in [
            ("Decision Drivers", Part::Decision),
            ("Consequences", Part::Graph),
            ("Unprincipled", Part::Principles),
            ("Optional extras", Part::Options),
            ("Why the cache is slow", Part::WhyChosen),
            ("Risky business", Part::Risks),
            ("Cache (Risks)", Part::Risks),
            ("The principles of war", Part::Principles),
        ] {
            assert!(!names(part, name), "{name}");
        }
    }

    proptest! {
        #[test]
        fn any_name_is_read(name in any::<String>()) {
            let _ = parts_of(&name);
        }
    }
}
