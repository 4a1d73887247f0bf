//! The sections of a document, their anchors and digests.

use std::collections::BTreeMap;
use std::ops::Range;

use sha2::{Digest, Sha256};

use super::blocks::{Blocks, HeadingSpan, Kind, Line, read_blocks};
use super::position::{Lines, Position};
use super::slug::{Anchors, explicit_anchor, slug};

/// One heading with what stands under it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Section {
    /// Stable name of the section, unique in the document.
    pub anchor: String,
    /// Text of the heading without marks and without an explicit anchor.
    pub title: String,
    /// Level, 1 to 6.
    pub level: u8,
    /// Bytes of the heading.
    pub span: Range<usize>,
    /// Bytes from behind the heading up to the next heading of the same or a higher level.
    pub body: Range<usize>,
    /// Bytes from behind the heading up to the next heading of any level.
    pub own_body: Range<usize>,
    /// SHA-256, lower-case hex, of the heading and the own body: line endings as `\n`, no blank lines at the end.
    pub digest: String,
    /// Where the heading starts.
    pub position: Position,
}

/// A name that a finding can aim at.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Anchor {
    /// The name.
    pub id: String,
    /// Index in `Outline::sections` of the section that has it, or in which its item stands.
    pub section: Option<usize>,
    /// Where it is defined.
    pub position: Position,
}

/// What a document consists of.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Outline {
    /// Headings in the order of the text. Those in fences, comments, quotes and front matter do not count.
    pub sections: Vec<Section>,
    /// Anchors of headings and of items marked `{#id}`, in the order of the text.
    pub anchors: Vec<Anchor>,
    pub(crate) blocks: Blocks,
}

impl Outline {
    /// Reads a Markdown text. Every text has an outline; an empty one when there is no heading.
    ///
    /// ```
    /// use ralplan_core::document::Outline;
    /// let outline = Outline::read("# Plan\n\n## Risks {#r}\n- slow\n");
    /// assert_eq!(outline.sections.len(), 2);
    /// assert!(outline.find("r").is_some());
    /// ```
    #[must_use]
    pub fn read(text: &str) -> Self {
        let mut blocks = read_blocks(text);
        let lines = Lines::new(text);
        let (sections, anchors) = name_sections(text, &lines, &mut blocks);
        Self { sections, anchors, blocks }
    }

    /// The section with this anchor, or the one in which the item with this anchor stands.
    #[must_use]
    pub fn find(&self, anchor: &str) -> Option<&Section> {
        let found = self.anchors.iter().find(|known| known.id == anchor)?;
        self.sections.get(found.section?)
    }

    /// Anchor to digest, for every section.
    #[must_use]
    pub fn digests(&self) -> BTreeMap<String, String> {
        self.sections.iter().map(|section| (section.anchor.clone(), section.digest.clone())).collect()
    }
}

fn name_sections(text: &str, lines: &Lines<'_>, blocks: &mut Blocks) -> (Vec<Section>, Vec<Anchor>) {
    let mut names = Anchors::default();
    let explicit = take_explicit(blocks, &mut names);
    let mut sections: Vec<Section> = Vec::with_capacity(blocks.headings.len());
    let mut anchors = Vec::new();
    let spans = &blocks.headings;
    let ends = body_ends(spans, &blocks.lines, text.len());
    let mut next_heading = 0;
    for (index, line) in blocks.lines.iter().enumerate() {
        let heading = spans.get(next_heading).filter(|heading| heading.line == index);
        let given = explicit.get(&index);
        if let (Some(heading), Kind::Heading(level)) = (heading, &line.kind) {
            let own_end = spans.get(next_heading + 1).map_or(text.len(), |next| next.span.start);
            let end = ends.get(next_heading).copied().unwrap_or(text.len());
            let anchor = given.cloned().unwrap_or_else(|| names.unique(&slug(&line.text)));
            let position = lines.position(heading.span.start);
            anchors.push(Anchor { id: anchor.clone(), section: Some(sections.len()), position });
            let from = heading.span.end.min(own_end);
            sections.push(Section {
                anchor,
                title: line.text.clone(),
                level: *level,
                span: heading.span.start..from,
                body: from..end.max(from),
                own_body: from..own_end,
                digest: section_digest(text.get(heading.span.start..own_end).unwrap_or_default()),
                position,
            });
            next_heading += 1;
        } else if let Some(id) = given {
            let section = sections.len().checked_sub(1);
            anchors.push(Anchor { id: id.clone(), section, position: lines.position(line.at) });
        }
    }
    (sections, anchors)
}

/// Cuts explicit anchors off headings and items; of two equal ones the first keeps the name.
fn take_explicit(blocks: &mut Blocks, names: &mut Anchors) -> BTreeMap<usize, String> {
    let mut explicit = BTreeMap::new();
    for (index, line) in blocks.lines.iter_mut().enumerate() {
        let may_have = !line.quoted
            && match line.kind {
                Kind::Heading(_) => true,
                Kind::Text => line.depth > 0,
                _ => false,
            };
        let found = explicit_anchor(&line.text).filter(|_| may_have);
        let found = found.map(|(title, id)| (title.to_owned(), id.to_owned()));
        if let Some((title, id)) = found {
            line.text = title;
            let id = if names.reserve(&id) { id } else { names.unique(&id) };
            explicit.insert(index, id);
        }
    }
    explicit
}

/// For each heading, where the next one of the same or a higher level starts.
fn body_ends(spans: &[HeadingSpan], lines: &[Line], end: usize) -> Vec<usize> {
    let mut ends = vec![end; spans.len()];
    let mut open: Vec<(usize, u8)> = Vec::new();
    for (index, heading) in spans.iter().enumerate() {
        let Some(Kind::Heading(level)) = lines.get(heading.line).map(|line| &line.kind) else { continue };
        while let Some((before, _)) = open.pop_if(|(_, above)| *above >= *level) {
            if let Some(slot) = ends.get_mut(before) {
                *slot = heading.span.start;
            }
        }
        open.push((index, *level));
    }
    ends
}

fn section_digest(text: &str) -> String {
    let normal = text.replace("\r\n", "\n").replace('\r', "\n");
    let trimmed = normal.trim_end_matches([' ', '\t', '\n']);
    hex(&Sha256::digest(trimmed.as_bytes()))
}

/// Lower-case hex of bytes.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

#[cfg(test)]
mod tests;
