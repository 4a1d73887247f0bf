//! Small readers of one line of text that names and verdict statements share.

/// A label longer than this many characters is a sentence.
const LONGEST_LABEL: usize = 60;

/// True for pictographs that people put in front of a heading or word.
pub(crate) fn is_emoji(letter: char) -> bool {
    matches!(letter, '\u{1F000}'..='\u{1FAFF}' | '\u{2600}'..='\u{27BF}' | '\u{2B00}'..='\u{2BFF}')
}

/// Removes one leading pictograph with its joiners.
pub(crate) fn strip_emoji(text: &str) -> &str {
    let text = text.trim_start();
    let Some(rest) = text.strip_prefix(is_emoji) else { return text };
    let rest = rest.trim_start_matches(['\u{FE0F}', '\u{200D}']);
    rest.trim_start()
}

/// Removes emphasis marks and back-ticks that the parser left over, and joins runs of white space.
///
/// An odd number of asterisks holds one that is a footnote mark, so all of them stay.
pub(crate) fn plain(text: &str) -> String {
    let keep_stars = text.bytes().filter(|byte| *byte == b'*').count() % 2 == 1;
    let mut out = String::with_capacity(text.len());
    let mut gap = false;
    for letter in text.chars() {
        if letter.is_whitespace() {
            gap = true;
        } else if letter != '`' && (letter != '*' || keep_stars) {
            if gap && !out.is_empty() {
                out.push(' ');
            }
            gap = false;
            out.push(letter);
        }
    }
    out
}

/// Removes a leading section number or letter: `2.`, `1.1`, `2)`, `§13`, `A.1`, `G.`, `(a)`, `一、`, `Part 4 —`.
pub(crate) fn strip_number(text: &str) -> &str {
    let text = text.trim_start();
    strip_word_number(text)
        .or_else(|| strip_bracketed(text))
        .or_else(|| strip_dotted(text))
        .or_else(|| strip_ideographic(text))
        .map_or(text, str::trim_start)
}

/// `Part 4 —`, `Section 2:`
fn strip_word_number(text: &str) -> Option<&str> {
    let (word, rest) = text.split_once(' ')?;
    if !["part", "section"].iter().any(|known| word.eq_ignore_ascii_case(known)) {
        return None;
    }
    let rest = rest.trim_start();
    let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '.')?;
    let (number, rest) = (rest.get(..end)?, rest.get(end..)?.trim_start());
    let is_number = number.starts_with(|letter: char| letter.is_ascii_digit()) || number.len() == 1;
    let rest = rest.strip_prefix(['—', '–', '-', ':', '.', ')'])?;
    is_number.then_some(rest)
}

/// `(a)`, `(12)`
fn strip_bracketed(text: &str) -> Option<&str> {
    let (inner, rest) = text.strip_prefix('(')?.split_once(')')?;
    let letters = inner.chars().count();
    let is_mark = letters == 1 || (letters <= 3 && inner.chars().all(|letter| letter.is_ascii_digit()));
    (is_mark && !rest.trim().is_empty()).then_some(rest)
}

/// `2.`, `1.1`, `2)`, `§13`, `A.1`, `G.`, `3 `
fn strip_dotted(text: &str) -> Option<&str> {
    let marked = text.strip_prefix('§');
    let text = marked.unwrap_or(text).trim_start();
    let end =
        text.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '.').unwrap_or(text.len());
    let (number, rest) = (text.get(..end)?, text.get(end..)?);
    let mut pieces = number.trim_end_matches('.').split('.');
    let first = pieces.next()?;
    let first_is_number =
        !first.is_empty() && first.len() <= 3 && first.bytes().all(|byte| byte.is_ascii_digit());
    let first_is_letter = first.len() == 1 && first.bytes().all(|byte| byte.is_ascii_alphabetic());
    let others_are_numbers = pieces.all(|piece| piece.bytes().all(|byte| byte.is_ascii_digit()));
    if !(first_is_number || first_is_letter) || !others_are_numbers {
        return None;
    }
    let closed = rest.strip_prefix([')', '、', '．', ':']);
    let ends = number.contains('.') || closed.is_some() || (first_is_number && rest.starts_with(' '));
    (ends && !rest.trim().is_empty()).then(|| closed.unwrap_or(rest))
}

/// `一、`
fn strip_ideographic(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(['一', '二', '三', '四', '五', '六', '七', '八', '九', '十']);
    (rest.len() < text.len()).then_some(())?;
    rest.strip_prefix(['、', '.', '．', '，'])
}

/// Splits `Label: value` at the first colon, also the full-width one.
pub(crate) fn split_label(text: &str) -> Option<(&str, &str)> {
    let (label, value) = text.split_once([':', '：'])?;
    let label = label.trim();
    (!label.is_empty() && label.chars().take(LONGEST_LABEL + 1).count() <= LONGEST_LABEL)
        .then(|| (label, value.trim()))
}

/// Removes what Markdown puts in front of a line of source: quote, list and heading marks.
pub(crate) fn strip_block_marks(line: &str) -> &str {
    let mut line = line.trim_start();
    loop {
        let rest = line.trim_start_matches(['>', '#']).trim_start();
        let rest =
            ["- ", "* ", "+ "].iter().find_map(|mark| rest.strip_prefix(mark)).unwrap_or(rest).trim_start();
        if rest.len() == line.len() {
            return rest;
        }
        line = rest;
    }
}

/// The longest prefix of at most `limit` characters.
pub(crate) fn shorten(text: &str, limit: usize) -> String {
    let mut letters = text.chars();
    let mut out: String = letters.by_ref().take(limit).collect();
    if letters.next().is_some() {
        out.push('…');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_letters_in_front_are_removed() {
        for (text, expected) in [
            ("2. Risks", "Risks"),
            ("1.1 Risks", "Risks"),
            ("2) Risks", "Risks"),
            ("§13 Risks", "Risks"),
            ("A.1 Risks", "Risks"),
            ("G. Risks", "Risks"),
            ("(a) Risks", "Risks"),
            ("一、风险", "风险"),
            ("Part 4 — Risks", "Risks"),
            ("Risks", "Risks"),
            ("A plan", "A plan"),
            ("2026.", "2026."),
            ("ADR", "ADR"),
        ] {
            assert_eq!(strip_number(text), expected, "{text}");
        }
    }

    #[test]
    fn one_emoji_goes_and_words_stay() {
        assert_eq!(strip_emoji("✅ APPROVE"), "APPROVE");
        assert_eq!(strip_emoji("⚠️ APPROVE"), "APPROVE");
        assert_eq!(strip_emoji("→ APPROVE"), "→ APPROVE");
    }

    #[test]
    fn labels_split_at_either_colon() {
        assert_eq!(split_label("판정：ITERATE"), Some(("판정", "ITERATE")));
        assert_eq!(split_label("Verdict:"), Some(("Verdict", "")));
        assert_eq!(split_label(": x"), None);
        assert_eq!(strip_block_marks("> - ## Verdict"), "Verdict");
    }
}
