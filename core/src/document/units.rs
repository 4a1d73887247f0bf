//! Counting what a part holds: the outermost repeated unit, be it item, row, subheading or bold paragraph.

use std::ops::Range;

use super::blocks::{Kind, Line, Strong};
use super::label::plain;
use super::parts::Found;

/// What a unit is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum UnitForm {
    Heading,
    Item,
    Row,
    Bold,
    Inline,
}

/// One of the things a part lists.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Unit {
    pub(crate) title: String,
    pub(crate) at: usize,
    /// Its lines, its own first one included; empty for a unit inside a line.
    pub(crate) lines: Range<usize>,
    pub(crate) form: UnitForm,
}

/// The outermost units of a part.
pub(crate) fn units_of(lines: &[Line], found: &Found) -> Vec<Unit> {
    let units = units_in(lines, found.body.clone());
    if units.is_empty() && !found.rest.is_empty() { inline_units(found) } else { units }
}

/// The outermost units of a range of lines: items or rows that stand before the first subheading, else subheadings,
/// else bold paragraphs.
pub(crate) fn units_in(lines: &[Line], body: Range<usize>) -> Vec<Unit> {
    let inside = lines.get(body.clone()).unwrap_or_default();
    let own = inside.iter().position(|line| is_heading(line).is_some()).unwrap_or(inside.len());
    let own_range = body.start..body.start + own;
    let own_units = items_or_rows(lines, own_range.clone());
    if !own_units.is_empty() {
        return own_units;
    }
    let headings = heading_units(lines, body.clone());
    if headings.len() > 1 {
        return headings;
    }
    if let Some(only) = headings.first() {
        let below = items_or_rows(lines, only.lines.start + 1..only.lines.end);
        if below.len() > 1 {
            return below;
        }
        return headings;
    }
    collect(lines, own_range, UnitForm::Bold, |line| line.kind == Kind::Text && line.strong != Strong::None)
}

/// The subheadings of the highest level in a range.
pub(crate) fn heading_units(lines: &[Line], body: Range<usize>) -> Vec<Unit> {
    let inside = lines.get(body.clone()).unwrap_or_default();
    let Some(level) = inside.iter().filter_map(is_heading).min() else { return Vec::new() };
    collect(lines, body, UnitForm::Heading, |line| is_heading(line) == Some(level))
}

/// The outermost items, or the rows of the tables, whichever stand first.
pub(crate) fn items_or_rows(lines: &[Line], body: Range<usize>) -> Vec<Unit> {
    let inside = lines.get(body.clone()).unwrap_or_default();
    let seen = inside.iter().filter(|line| !line.quoted);
    let first = seen.clone().find(|line| is_row(line) || (line.kind == Kind::Text && line.marker.is_some()));
    match first.map(|line| &line.kind) {
        Some(Kind::Row { .. }) => collect(lines, body, UnitForm::Row, is_row),
        Some(_) => {
            let items = seen.filter(|line| line.marker.is_some() && line.kind == Kind::Text);
            let depth = items.map(|line| line.depth).min().unwrap_or(0);
            collect(lines, body, UnitForm::Item, |line| {
                line.marker.is_some() && line.depth == depth && line.kind == Kind::Text
            })
        }
        None => Vec::new(),
    }
}

/// Cuts a range into units at the lines that open one.
pub(crate) fn collect(
    lines: &[Line],
    body: Range<usize>,
    form: UnitForm,
    opens: impl Fn(&Line) -> bool,
) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    for (number, line) in lines.iter().enumerate().take(body.end).skip(body.start) {
        if line.quoted || !opens(line) {
            continue;
        }
        if let Some(last) = units.last_mut() {
            last.lines.end = number;
        }
        units.push(Unit { title: plain(&line.text), at: line.at, lines: number..body.end, form });
    }
    units
}

pub(crate) fn is_heading(line: &Line) -> Option<u8> {
    match line.kind {
        Kind::Heading(level) if !line.quoted => Some(level),
        _ => None,
    }
}

/// The header and the cells of the row on a line.
pub(crate) fn table_of(lines: &[Line], number: usize) -> Option<(&[String], &[String])> {
    let Kind::Row { cells, head, .. } = &lines.get(number)?.kind else { return None };
    let Kind::Row { cells: header, header: true, .. } = &lines.get(*head)?.kind else { return None };
    Some((header, cells))
}

fn is_row(line: &Line) -> bool {
    matches!(&line.kind, Kind::Row { header: false, cells, .. } if cells.iter().any(|cell| !cell.is_empty()))
}

/// `a; b; c` behind a label.
fn inline_units(found: &Found) -> Vec<Unit> {
    let pieces = found.rest.split([';', '；']).map(str::trim).filter(|piece| !piece.is_empty());
    pieces
        .map(|piece| Unit { title: piece.to_owned(), at: found.at, lines: 0..0, form: UnitForm::Inline })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Outline;

    fn titles(text: &str) -> Vec<String> {
        let outline = Outline::read(text);
        let lines = &outline.blocks.lines;
        units_in(lines, 0..lines.len()).into_iter().map(|unit| unit.title).collect()
    }

    #[test]
    fn the_outermost_repeated_unit_counts() {
        assert_eq!(titles("1. a\n   - b\n   - c\n2. d\n"), ["a", "d"]);
        assert_eq!(titles("### a\n- b\n- c\n### d\n- e\n"), ["a", "d"]);
        assert_eq!(titles("| h | i |\n| --- | --- |\n| a | b |\n| c | d |\n"), ["a | b", "c | d"]);
        assert_eq!(titles("**a** first\n\n**b** second\n"), ["a first", "b second"]);
        assert_eq!(titles("### only\n- a\n- b\n"), ["a", "b"]);
        assert_eq!(titles("- a\n\n### notes\n\n### more\n"), ["a"]);
        assert!(titles("prose\n\n> - a\n").is_empty());
    }
}
