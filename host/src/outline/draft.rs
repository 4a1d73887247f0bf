//! What a draft says, whoever wrote it.

use ralplan_core::document::{Outline, PlanFacts, Section};

use super::prompt::short;

/// A draft with what can be read from it.
pub(super) struct Draft<'a> {
    pub(super) text: &'a str,
    pub(super) outline: Outline,
    pub(super) facts: PlanFacts,
}

/// An option with its two sides, as quotes.
pub(super) struct Choice {
    pub(super) title: String,
    pub(super) pros: String,
    pub(super) cons: String,
}

impl<'a> Draft<'a> {
    pub(super) fn read(text: &'a str) -> Draft<'a> {
        let outline = Outline::read(text);
        Draft { text, facts: PlanFacts::read(text, &outline), outline }
    }

    /// The first section whose title starts with a name.
    pub(super) fn section(&self, name: &str) -> Option<&Section> {
        self.outline.sections.iter().find(|section| section.title.to_lowercase().starts_with(name))
    }

    pub(super) fn body(&self, name: &str) -> &'a str {
        self.section(name).and_then(|section| self.text.get(section.body.clone())).unwrap_or_default()
    }

    /// The options that have a heading, the chosen one first.
    pub(super) fn options(&self) -> Vec<Choice> {
        let named = self.outline.sections.iter().filter(|section| section.title.starts_with("Option"));
        let mut sections: Vec<&Section> = named.filter(|section| section.title != "Options").collect();
        sections.sort_by_key(|section| !section.title.contains("chosen"));
        let side = |section: &Section, label: &str| {
            let rest = self.text.get(section.body.clone()).and_then(|body| body.split_once(label))?.1;
            let said = rest.trim_start_matches(['*', ':']).trim_start().lines().next()?;
            Some(format!("“{}”", short(said.trim_start_matches("- "), 120)))
        };
        let choice = |section: &Section| Choice {
            title: short(&section.title.replace(" (chosen)", ""), 120),
            pros: side(section, "Pros").unwrap_or_else(|| "nothing that the plan says".to_owned()),
            cons: side(section, "Cons").unwrap_or_else(|| "nothing that the plan says".to_owned()),
        };
        sections.into_iter().map(choice).collect()
    }

    pub(super) fn line(&self, number: usize) -> &'a str {
        self.text.lines().nth(number.saturating_sub(1)).unwrap_or_default()
    }

    /// The number of the first line that holds a text, from 1; 0 without one.
    pub(super) fn line_of(&self, text: &str) -> usize {
        let text = short(text, usize::MAX);
        self.text.lines().position(|line| short(line, usize::MAX).contains(&text)).map_or(0, |line| line + 1)
    }

    /// True when the text holds one of the words.
    pub(super) fn mentions<S: AsRef<str>>(&self, words: &[S]) -> bool {
        let lower = self.text.to_lowercase();
        words.iter().any(|word| lower.contains(word.as_ref()))
    }
}
