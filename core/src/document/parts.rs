//! Where the parts of a plan stand: headings of any level, whole-line bold, and label lines.

use std::collections::BTreeMap;
use std::ops::Range;

use super::blocks::{Kind, Line, Strong};
use super::label::{plain, split_label};
use super::outline::Outline;
use super::part::Part;
use super::section_name::parts_of;

/// How a part is introduced; headings are trusted more than bold lines, those more than labels.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Form {
    Heading,
    Bold,
    Label,
}

/// One place where a part stands.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Found {
    /// Byte at which its name starts.
    pub(crate) at: usize,
    pub(crate) title: String,
    /// What stands behind the label on the same line.
    pub(crate) rest: String,
    /// Lines below it.
    pub(crate) body: Range<usize>,
    pub(crate) form: Form,
}

/// All parts of a document.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts(BTreeMap<Part, Vec<Found>>);

impl Parts {
    /// Finds all parts in one pass over the lines.
    pub(crate) fn read(outline: &Outline) -> Self {
        let lines = &outline.blocks.lines;
        let mut found: BTreeMap<Part, Vec<Found>> = BTreeMap::new();
        for start in starts(outline) {
            let body = start.line + 1..start.end;
            let at = lines.get(start.line).map_or(0, |line| line.at);
            for part in start.parts {
                let (title, rest) = (start.title.clone(), start.rest.clone());
                let place = Found { at, title, rest, body: body.clone(), form: start.form };
                found.entry(part).or_default().push(place);
            }
        }
        Self(found)
    }

    /// Every place of a part, in the order of the text.
    pub(crate) fn all(&self, part: Part) -> &[Found] {
        self.0.get(&part).map_or(&[], Vec::as_slice)
    }

    /// The places of the most trusted form.
    pub(crate) fn best(&self, part: Part) -> Vec<&Found> {
        let all = self.all(part);
        let form = all.iter().map(|found| found.form).min();
        all.iter().filter(|found| Some(found.form) == form).collect()
    }
}

struct Start {
    line: usize,
    end: usize,
    parts: Vec<Part>,
    title: String,
    rest: String,
    form: Form,
    rank: Rank,
}

/// What closes what: a heading of the same or a higher level, or a name that is not nested deeper.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Rank {
    Heading(u8),
    Depth(usize),
}

/// All named places with their ends. A name on a line ends at the next heading and at the next name of its depth.
fn starts(outline: &Outline) -> Vec<Start> {
    let lines = &outline.blocks.lines;
    let mut done: Vec<Start> = Vec::new();
    let mut open: Vec<Start> = Vec::new();
    for (number, line) in lines.iter().enumerate().filter(|(_, line)| !line.quoted) {
        let rank = match line.kind {
            Kind::Heading(level) => Rank::Heading(level),
            Kind::Text => Rank::Depth(line.depth),
            _ => continue,
        };
        let named = read_name(line);
        let is_new_item = line.marker.is_some() || line.depth == 0;
        while let Some(mut closed) = open.pop_if(|above| closes(rank, above, named.is_some(), is_new_item)) {
            closed.end = number;
            done.push(closed);
        }
        let (parts, title, rest, form) =
            named.unwrap_or((Vec::new(), String::new(), String::new(), Form::Label));
        if !parts.is_empty() || matches!(rank, Rank::Heading(_)) {
            open.push(Start { line: number, end: lines.len(), parts, title, rest, form, rank });
        }
    }
    done.extend(open);
    done.sort_by_key(|start| start.line);
    done
}

fn closes(rank: Rank, above: &Start, is_named: bool, is_new_item: bool) -> bool {
    match (rank, above.rank) {
        (Rank::Heading(level), Rank::Heading(over)) => over >= level || (is_named && is_flat(&above.parts)),
        (Rank::Heading(_), Rank::Depth(_)) => true,
        (Rank::Depth(_), Rank::Heading(_)) => false,
        (Rank::Depth(depth), Rank::Depth(over)) => {
            depth < over || (depth == over && (is_named || (depth > 0 && is_new_item)))
        }
    }
}

/// True for parts that hold no other part, so that a deeper heading with a part's name ends them.
fn is_flat(parts: &[Part]) -> bool {
    parts.iter().any(|part| matches!(part, Part::Principles | Part::Drivers))
}

fn read_name(line: &Line) -> Option<(Vec<Part>, String, String, Form)> {
    if matches!(line.kind, Kind::Heading(_)) {
        let parts = parts_of(&line.text);
        return (!parts.is_empty()).then(|| (parts, line.text.clone(), String::new(), Form::Heading));
    }
    let (title, rest, form) = name_of(line)?;
    let parts = parts_of(&title);
    (!parts.is_empty()).then_some((parts, title, rest, form))
}

/// The name that a line of text gives to what follows, with what stands behind it.
pub(crate) fn name_of(line: &Line) -> Option<(String, String, Form)> {
    match line.strong {
        Strong::Whole => {
            let text = plain(&line.text);
            let title = text.trim_end_matches([':', '：', '.']).trim();
            return match split_label(title) {
                Some((label, rest)) if line.text.contains(':') => {
                    Some((label.to_owned(), rest.to_owned(), Form::Bold))
                }
                _ => Some((title.to_owned(), String::new(), Form::Bold)),
            };
        }
        Strong::Lead(length) => {
            let (lead, rest) = (line.text.get(..length)?, line.text.get(length..)?);
            let closed = lead.trim_end().ends_with([':', '：', '.', '—']);
            if closed || rest.trim_start().starts_with([':', '：', '—', '–', '.']) {
                let title = plain(lead).trim_end_matches([':', '：', '.', '—', ' ']).to_owned();
                let rest = plain(rest).trim_start_matches([':', '：', '—', '–', '.', ' ']).to_owned();
                return Some((title, rest, Form::Label));
            }
        }
        Strong::None => {}
    }
    let text = plain(&line.text);
    let (label, rest) = split_label(&text)?;
    Some((label.to_owned(), rest.to_owned(), Form::Label))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, part: Part) -> Vec<(Form, usize, String)> {
        let outline = Outline::read(text);
        let parts = Parts::read(&outline);
        parts.all(part).iter().map(|found| (found.form, found.body.len(), found.rest.clone())).collect()
    }

    #[test]
    fn headings_bold_lines_and_labels_are_found() {
        let none = String::new;
        assert_eq!(
            found("## Principles\n1. a\n2. b\n## x\n", Part::Principles),
            [(Form::Heading, 2, none())]
        );
        assert_eq!(found("**Principles (2)**\n\n1. a\n2. b\n", Part::Principles), [(Form::Bold, 2, none())]);
        assert_eq!(
            found("Principles:\n\n1. a\n2. b\n\nDrivers:\n\n- c", Part::Principles),
            [(Form::Label, 2, none())]
        );
        assert_eq!(
            found("- **Decision**: use it\n- **Drivers**: x\n", Part::Decision),
            [(Form::Label, 0, "use it".into())]
        );
        assert_eq!(found("**Decision.** use it\n", Part::Decision), [(Form::Label, 0, "use it".into())]);
        assert_eq!(
            found("- Principles:\n  - a\n  - b\n- other\n  - c\n", Part::Principles),
            [(Form::Label, 2, none())]
        );
    }

    #[test]
    fn fences_quotes_and_tables_name_nothing() {
        let text = "```\n## Principles\n```\n> ## Principles\n\n| Principles: | x |\n| --- | --- |\n";
        assert!(found(text, Part::Principles).is_empty());
    }
}
