//! What a draft says, whoever wrote it.

use ralplan_core::document::{OpenItem, Outline, PlanFacts, Section, read_open_items};

use super::words::short;

/// A draft with what can be read from it.
pub(crate) struct Draft<'a> {
    pub(crate) text: &'a str,
    pub(crate) outline: Outline,
    pub(crate) facts: PlanFacts,
}

/// An option with its two sides, as quotes.
#[derive(Clone)]
pub(crate) struct Choice {
    pub(crate) title: String,
    pub(crate) pros: String,
    pub(crate) cons: String,
}

impl<'a> Draft<'a> {
    pub(crate) fn read(text: &'a str) -> Draft<'a> {
        let outline = Outline::read(text);
        Draft { text, facts: PlanFacts::read(text, &outline), outline }
    }

    /// The first section whose title starts with a name.
    pub(crate) fn section(&self, name: &str) -> Option<&Section> {
        self.outline.sections.iter().find(|section| section.title.to_lowercase().starts_with(name))
    }

    pub(crate) fn body(&self, name: &str) -> &'a str {
        self.section(name).and_then(|section| self.text.get(section.body.clone())).unwrap_or_default()
    }

    /// The lines of the text, with those of a section left blank so that the others keep their numbers.
    pub(crate) fn lines_without(&self, name: &str) -> Vec<String> {
        let mut lines: Vec<String> = self.text.lines().map(str::to_owned).collect();
        if let Some(section) = self.section(name) {
            let body = self.text.get(section.span.start..section.body.end).unwrap_or_default();
            lines
                .iter_mut()
                .skip(section.position.line - 1)
                .take(body.lines().count())
                .for_each(String::clear);
        }
        lines
    }

    /// The last line of what stands directly under a section, from 1.
    pub(crate) fn end_of(&self, section: &Section) -> usize {
        let body = self.text.get(section.own_body.clone()).unwrap_or_default();
        section.position.line + body.trim_end().lines().count()
    }

    /// The options that have a heading, the chosen one first.
    pub(crate) fn options(&self) -> Vec<Choice> {
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

    /// The option at a place, or what stands for one that the plan does not weigh.
    pub(crate) fn option(&self, at: usize) -> Choice {
        let lack = || "nothing that the plan weighs".to_owned();
        let none = || Choice { title: lack(), pros: lack(), cons: lack() };
        self.options().get(at).cloned().unwrap_or_else(none)
    }

    pub(crate) fn open_items(&self) -> Vec<OpenItem> {
        read_open_items(self.text, &self.outline).unwrap_or_default()
    }

    pub(crate) fn line(&self, number: usize) -> &'a str {
        self.text.lines().nth(number.saturating_sub(1)).unwrap_or_default()
    }

    /// The number of the first line that holds a text, from 1; 0 without one.
    pub(crate) fn line_of(&self, text: &str) -> usize {
        let text = short(text, usize::MAX);
        self.text.lines().position(|line| short(line, usize::MAX).contains(&text)).map_or(0, |line| line + 1)
    }

    /// True when the text holds one of the words; what it says about its own changes does not count.
    pub(crate) fn mentions<S: AsRef<str>>(&self, words: &[S]) -> bool {
        let lower = self.text.replace(self.body("changes"), "").to_lowercase();
        words.iter().any(|word| lower.contains(word.as_ref()))
    }
}
