//! A Markdown text as a flat list of the lines a reader sees.
//!
//! Nothing here recurses: nesting is a few counters, so a document of any depth is read in one pass.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::table::split_row;

/// What a line is.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Kind {
    /// A heading of the level.
    Heading(u8),
    /// Paragraph or list text.
    Text,
    /// A table row, with the index of the line that holds its table's header.
    Row { header: bool, cells: Vec<String>, head: usize },
    /// A line of the code block with this index.
    Code(usize),
}

/// How a list item is marked.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Marker {
    Bullet,
    Number,
    Task { done: bool },
}

/// How much of a line is strong.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Strong {
    None,
    /// The line starts with this many bytes of strong text.
    Lead(usize),
    Whole,
}

/// One line that a reader sees, without the marks of Markdown; code spans keep their back-ticks.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Line {
    pub(crate) at: usize,
    pub(crate) text: String,
    pub(crate) kind: Kind,
    pub(crate) quoted: bool,
    pub(crate) depth: usize,
    pub(crate) marker: Option<Marker>,
    pub(crate) strong: Strong,
    /// True when the line goes on with the paragraph of the line before.
    pub(crate) continues: bool,
}

/// A code block.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Code {
    pub(crate) info: String,
    pub(crate) fenced: bool,
    pub(crate) closed: bool,
    pub(crate) quoted: bool,
    pub(crate) at: usize,
    pub(crate) content: String,
}

/// A heading's place in the source, by the index of its line.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct HeadingSpan {
    pub(crate) line: usize,
    pub(crate) span: Range<usize>,
}

/// Everything that was read.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Blocks {
    pub(crate) lines: Vec<Line>,
    pub(crate) codes: Vec<Code>,
    pub(crate) headings: Vec<HeadingSpan>,
}

/// Reads a text. Front matter, comments and other HTML give no lines.
pub(crate) fn read_blocks(text: &str) -> Blocks {
    let skip = front_matter(text);
    let body = text.get(skip..).unwrap_or_default();
    let mut reader = Reader { text, skip, ..Reader::default() };
    let options = Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS;
    for (event, range) in Parser::new_ext(body, options).into_offset_iter() {
        reader.event(event, range.start + skip..range.end + skip);
    }
    reader.flush();
    reader.out
}

/// Length of a byte order mark and of a YAML block between `---` lines at the very start.
fn front_matter(text: &str) -> usize {
    let mark = if text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
    let body = text.get(mark..).unwrap_or_default();
    let mut lines = body.split_inclusive('\n');
    let Some(first) = lines.next().filter(|line| line.trim_end() == "---") else { return mark };
    let mut length = mark + first.len();
    for (index, line) in lines.enumerate() {
        length += line.len();
        let trimmed = line.trim_end();
        if trimmed == "---" || trimmed == "..." {
            return length;
        }
        if index == 0 && trimmed.is_empty() {
            return mark;
        }
    }
    mark
}

#[derive(Default)]
struct Reader<'a> {
    text: &'a str,
    skip: usize,
    out: Blocks,
    quotes: usize,
    depth: usize,
    numbered: Vec<bool>,
    strong: usize,
    images: usize,
    marker: Option<Marker>,
    heading: Option<(u8, usize)>,
    code: Option<usize>,
    table: bool,
    head: usize,
    continues: bool,
    line: Pending,
}

/// The line being put together.
#[derive(Default)]
struct Pending {
    at: Option<usize>,
    text: String,
    lead: Option<usize>,
    plain_seen: bool,
    strong_seen: bool,
}

impl Reader<'_> {
    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(&tag, range),
            Event::End(tag) => self.end(tag, range),
            Event::Text(text) if self.code.is_some() => self.code_text(&text, range.start),
            Event::Text(text) => self.push(&text, range.start),
            Event::Code(code) => self.push(&format!("`{code}`"), range.start),
            Event::InlineHtml(tag) => self.line.text.push_str(if strikes_out(&tag) { "~~" } else { " " }),
            Event::SoftBreak | Event::HardBreak if self.heading.is_some() => self.push(" ", range.start),
            Event::SoftBreak | Event::HardBreak => {
                self.flush();
                self.continues = true;
            }
            Event::TaskListMarker(done) => self.marker = Some(Marker::Task { done }),
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::BlockQuote(_) => {
                self.flush();
                self.quotes += 1;
            }
            Tag::List(first) => {
                self.flush();
                self.depth += 1;
                self.numbered.push(first.is_some());
            }
            Tag::Item => {
                self.flush();
                let numbered = self.numbered.last().copied().unwrap_or(false);
                self.marker = Some(if numbered { Marker::Number } else { Marker::Bullet });
            }
            Tag::Heading { level, .. } => {
                self.flush();
                self.heading = Some((level_number(*level), range.start));
            }
            Tag::Paragraph => self.flush(),
            Tag::CodeBlock(kind) => self.start_code(kind, range),
            Tag::TableHead => self.row(true, range),
            Tag::TableRow => self.row(false, range),
            Tag::Strong => self.strong += 1,
            Tag::Image { .. } => self.images += 1,
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd, range: Range<usize>) {
        match tag {
            TagEnd::BlockQuote(_) => {
                self.flush();
                self.quotes = self.quotes.saturating_sub(1);
            }
            TagEnd::List(_) => {
                self.flush();
                self.depth = self.depth.saturating_sub(1);
                self.numbered.pop();
            }
            TagEnd::Item => {
                self.flush();
                self.marker = None;
            }
            TagEnd::Heading(_) => self.end_heading(range),
            TagEnd::Paragraph => {
                self.flush();
                self.continues = false;
            }
            TagEnd::CodeBlock => self.code = None,
            TagEnd::Table => self.table = false,
            TagEnd::Strong => self.end_strong(),
            TagEnd::Image => self.images = self.images.saturating_sub(1),
            _ => {}
        }
    }

    fn end_strong(&mut self) {
        self.strong = self.strong.saturating_sub(1);
        if self.line.lead.is_none() && !self.line.plain_seen && self.line.strong_seen {
            self.line.lead = Some(self.line.text.len());
        }
    }

    fn end_heading(&mut self, range: Range<usize>) {
        let Some((level, start)) = self.heading.take() else { return };
        if self.line.at.is_none() {
            self.line.at = Some(start);
        }
        self.emit(Kind::Heading(level));
        let line = self.out.lines.len().saturating_sub(1);
        let start =
            self.text.get(..start).and_then(|before| before.rfind(['\n', '\r'])).map_or(0, |at| at + 1);
        let start = start.max(self.skip);
        if self.quotes == 0 {
            self.out.headings.push(HeadingSpan { line, span: start..range.end });
        }
    }

    fn push(&mut self, text: &str, at: usize) {
        if self.table || self.images > 0 {
            return;
        }
        if self.line.at.is_none() {
            self.line.at = Some(at);
        }
        if text.chars().any(char::is_alphanumeric) {
            if self.strong > 0 {
                self.line.strong_seen = true;
            } else {
                self.line.plain_seen = true;
            }
        }
        self.line.text.push_str(text);
    }

    fn flush(&mut self) {
        if self.line.at.is_some() && !self.line.text.trim().is_empty() {
            self.emit(self.heading.map_or(Kind::Text, |(level, _)| Kind::Heading(level)));
        } else {
            self.line = Pending::default();
        }
    }

    fn emit(&mut self, kind: Kind) {
        let line = std::mem::take(&mut self.line);
        let strong = match (line.strong_seen, line.plain_seen, line.lead) {
            (true, false, _) => Strong::Whole,
            (true, true, Some(length)) => Strong::Lead(length),
            _ => Strong::None,
        };
        let lead_trimmed = line.text.len() - line.text.trim_start().len();
        let strong = match strong {
            Strong::Lead(length) => Strong::Lead(length.saturating_sub(lead_trimmed)),
            other => other,
        };
        self.out.lines.push(Line {
            at: line.at.unwrap_or(0),
            text: line.text.trim().to_owned(),
            kind,
            quoted: self.quotes > 0,
            depth: self.depth,
            marker: self.marker.take(),
            strong,
            continues: std::mem::take(&mut self.continues),
        });
    }

    fn row(&mut self, header: bool, range: Range<usize>) {
        self.flush();
        self.table = true;
        if header {
            self.head = self.out.lines.len();
        }
        let source = self.text.get(range.clone()).unwrap_or_default();
        let cells = split_row(source.lines().next().unwrap_or_default());
        self.line.at = Some(range.start);
        self.line.text = cells.join(" | ");
        self.emit(Kind::Row { header, cells, head: self.head });
    }

    fn start_code(&mut self, kind: &CodeBlockKind<'_>, range: Range<usize>) {
        self.flush();
        self.code = Some(self.out.codes.len());
        let source = self.text.get(range.clone()).unwrap_or_default();
        let (info, fenced) = match kind {
            CodeBlockKind::Fenced(info) => (info.trim().to_owned(), true),
            CodeBlockKind::Indented => (String::new(), false),
        };
        self.out.codes.push(Code {
            info,
            fenced,
            closed: !fenced || is_closed(source),
            quoted: self.quotes > 0,
            at: range.start,
            content: String::new(),
        });
    }

    fn code_text(&mut self, text: &str, at: usize) {
        let Some(index) = self.code else { return };
        if let Some(code) = self.out.codes.get_mut(index) {
            code.content.push_str(text);
        }
        let mut at = at;
        for line in text.split_inclusive('\n') {
            self.out.lines.push(Line {
                at: at.min(self.text.len()),
                text: line.trim_end().to_owned(),
                kind: Kind::Code(index),
                quoted: self.quotes > 0,
                depth: self.depth,
                marker: None,
                strong: Strong::None,
                continues: false,
            });
            at += line.len();
        }
    }
}

/// True for the tags that strike text out; struck text must not read as if it stood.
fn strikes_out(tag: &str) -> bool {
    let name = tag.trim_start_matches(['<', '/']);
    let end = name.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(name.len());
    ["del", "s", "strike"]
        .iter()
        .any(|known| name.get(..end).is_some_and(|name| name.eq_ignore_ascii_case(known)))
}

fn level_number(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

/// True when the source of a fenced block ends with its closing fence.
fn is_closed(source: &str) -> bool {
    let opening = source.trim_start();
    let Some(mark) = opening.chars().next() else { return false };
    let length = opening.chars().take_while(|letter| *letter == mark).count();
    let trimmed = source.trim_end();
    let Some((_, last)) = trimmed.rsplit_once(['\n', '\r']) else { return false };
    let last = last.trim_start_matches([' ', '\t', '>']);
    last.chars().all(|letter| letter == mark) && last.chars().count() >= length
}
