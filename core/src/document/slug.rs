//! Anchors made from text.

use std::collections::{BTreeMap, BTreeSet};

/// The anchor of a text: lower case, letters and digits of any script, white space as hyphens.
///
/// Back-ticks and other punctuation are dropped, except `-` and `_`.
///
/// ```
/// use ralplan_core::document::slug;
/// assert_eq!(slug("2. Viable Options (≥2)"), "2-viable-options-2");
/// assert_eq!(slug("위험과 완화"), "위험과-완화");
/// ```
#[must_use]
pub fn slug(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.trim().chars() {
        if letter.is_whitespace() {
            out.push('-');
        } else if letter.is_alphanumeric() || letter == '-' || letter == '_' || is_mark(letter) {
            out.extend(letter.to_lowercase());
        }
    }
    out
}

/// Combining marks that belong to the letter before them and are no letters themselves.
fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{0300}'..='\u{036F}' | '\u{093C}' | '\u{094D}' | '\u{0E31}'..='\u{0E4E}' | '\u{3099}' | '\u{309A}')
}

/// Splits an explicit anchor `{#id}` off the end of a text.
pub(crate) fn explicit_anchor(text: &str) -> Option<(&str, &str)> {
    let rest = text.trim_end().strip_suffix('}')?;
    let at = rest.rfind("{#")?;
    let (title, id) = (rest.get(..at)?, rest.get(at + 2..)?);
    let is_id = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.' | ':');
    (!id.is_empty() && id.chars().all(is_id)).then(|| (title.trim_end(), id))
}

/// Hands out anchors and keeps them apart: a taken one gets `-2`, `-3` and so on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Anchors {
    taken: BTreeSet<String>,
    next: BTreeMap<String, usize>,
}

impl Anchors {
    /// Keeps an anchor for later use by its owner; false when it is taken already.
    pub(crate) fn reserve(&mut self, id: &str) -> bool {
        self.taken.insert(id.to_owned())
    }

    /// A free anchor made from `base`.
    pub(crate) fn unique(&mut self, base: &str) -> String {
        let base = if base.is_empty() { "section" } else { base };
        if self.taken.insert(base.to_owned()) {
            return base.to_owned();
        }
        let next = self.next.entry(base.to_owned()).or_insert(2);
        loop {
            let candidate = format!("{base}-{next}");
            *next += 1;
            if self.taken.insert(candidate.clone()) {
                return candidate;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn explicit_anchors_split_off() {
        assert_eq!(explicit_anchor("Cache {#cache-1}"), Some(("Cache", "cache-1")));
        assert_eq!(explicit_anchor("Cache {#}"), None);
        assert_eq!(explicit_anchor("Cache {#a b}"), None);
        assert_eq!(explicit_anchor("`{#a}`"), None);
    }

    #[test]
    fn duplicates_are_numbered_and_never_collide() {
        let mut anchors = Anchors::default();
        let made: Vec<String> = ["a", "a-2", "a", "a", ""].iter().map(|base| anchors.unique(base)).collect();
        assert_eq!(made, ["a", "a-2", "a-3", "a-4", "section"]);
    }
}
