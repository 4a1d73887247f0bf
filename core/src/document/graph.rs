//! Dependency graphs in lists, tables, ASCII arrows and Mermaid.

use std::collections::{BTreeMap, BTreeSet};

use super::blocks::{Kind, Line};
use super::check::is_mentioned;
use super::label::plain;
use super::tasks::{Tasks, WAITS, ids_in, leading_id};
use super::units::table_of;

/// Names that one side of an arrow may list; more is no graph that a person drew.
const NAMES_PER_SIDE: usize = 32;

/// Columns that name what comes before and what comes after.
const FROM: [&str; 4] = ["from", "before", "source", "upstream"];
const TO: [&str; 4] = ["to", "after", "target", "downstream"];

/// Who waits for whom.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    /// Every name with the byte at which it was first seen.
    pub(crate) nodes: BTreeMap<Node, usize>,
    /// What comes first, and what waits for it.
    pub(crate) edges: BTreeSet<(Node, Node)>,
}

/// A name in a graph.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Node {
    /// A task of the plan.
    Task(usize),
    /// Something that looks like a task's id and is none.
    Unknown(String),
    /// Any other words.
    Words(String),
}

/// Reads a graph line by line.
pub(crate) struct GraphReader<'a> {
    tasks: &'a Tasks,
    graph: Graph,
    aliases: BTreeMap<String, String>,
    parents: Vec<(usize, Vec<Node>)>,
    last: Vec<Node>,
    falls: bool,
}

impl<'a> GraphReader<'a> {
    pub(crate) fn new(tasks: &'a Tasks) -> Self {
        Self {
            tasks,
            graph: Graph::default(),
            aliases: BTreeMap::new(),
            parents: Vec::new(),
            last: Vec::new(),
            falls: false,
        }
    }

    pub(crate) fn finish(self) -> Graph {
        self.graph
    }

    /// Reads the line with this index.
    pub(crate) fn read(&mut self, lines: &[Line], number: usize) {
        let Some(line) = lines.get(number) else { return };
        match &line.kind {
            Kind::Row { header: true, .. } => {}
            Kind::Row { .. } => self.row(lines, number, line.at),
            Kind::Heading(_) => {}
            Kind::Code(_) => self.drawing(&line.text, line.at),
            Kind::Text => self.sentence(&line.text, line.at),
        }
    }

    /// Reads what stands behind a label; false when it holds no arrow.
    pub(crate) fn rest(&mut self, text: &str, at: usize) -> bool {
        self.arrows(text, at)
    }

    /// Reads what a task says about itself: `Depends on: T1`.
    pub(crate) fn task_line(&mut self, owner: usize, text: &str, at: usize) -> bool {
        let Some((_, after)) = split_waits(text) else { return false };
        let before = self.ids_in(&after, at);
        self.connect(&before, &[Node::Task(owner)]);
        true
    }

    fn row(&mut self, lines: &[Line], number: usize, at: usize) {
        let Some((header, cells)) = table_of(lines, number) else { return };
        let column = |words: &[&str]| {
            header.iter().position(|name| words.iter().any(|word| is_mentioned(&name.to_lowercase(), word)))
        };
        let cell = |index: usize| cells.get(index).map_or("", String::as_str);
        if let Some(waits) = column(&WAITS) {
            let owner = usize::from(waits == 0);
            let (before, after) = (self.ids_in(cell(waits), at), self.side(cell(owner), at));
            self.connect(&before, &after);
        } else if let (Some(from), Some(to)) = (column(&FROM), column(&TO)) {
            let (before, after) = (self.side(cell(from), at), self.side(cell(to), at));
            self.connect(&before, &after);
        } else {
            for cell in cells {
                self.arrows(cell, at);
            }
        }
    }

    fn sentence(&mut self, text: &str, at: usize) {
        let text = plain(text);
        if let Some((before, after)) = split_waits(&text) {
            let owners: Vec<Node> = self.ids_in(&before, at).into_iter().take(1).collect();
            let firsts = self.ids_in(&after, at);
            self.connect(&firsts, &owners);
        } else if !self.arrows(&text, at) {
            let (owner, rest) = text.split_once([':', '：']).unwrap_or((text.as_str(), ""));
            let owners = self.ids_in(owner, at);
            let only_ids = rest
                .split([',', '、', '&', '+'])
                .all(|piece| leading_id(piece.trim()).is_some_and(|id| id.len() + 1 >= piece.trim().len()));
            if owners.len() == 1 && !rest.trim().is_empty() && only_ids {
                let firsts = self.ids_in(rest, at);
                self.connect(&firsts, &owners);
            }
        }
    }

    /// One line of a drawing or of Mermaid.
    fn drawing(&mut self, text: &str, at: usize) {
        let inner = text.trim();
        let is_stroke = |letter: char| letter.is_whitespace() || "|│┃vV↓▼⬇\\/+║".contains(letter);
        if !inner.is_empty() && inner.chars().all(is_stroke) {
            self.falls |= inner.contains(['v', 'V', '↓', '▼', '⬇']);
            return;
        }
        let indent =
            text.chars().take_while(|letter| letter.is_whitespace() || "|│┃├└┬┼─".contains(*letter)).count();
        let is_branch = text.trim_start_matches([' ', '\t', '|', '│', '┃']).starts_with(['├', '└']);
        let falls = std::mem::take(&mut self.falls);
        let above = std::mem::take(&mut self.last);
        let segments = split_arrows(inner);
        let sides: Vec<Vec<Node>> = segments.iter().map(|(_, piece)| self.side(piece, at)).collect();
        if falls && let Some(first) = sides.iter().find(|side| !side.is_empty()) {
            self.connect(&above, first);
        }
        let starts_open = sides.first().is_some_and(Vec::is_empty);
        if (starts_open && sides.len() > 1) || (is_branch && sides.len() == 1) {
            while self.parents.pop_if(|(column, _)| *column >= indent).is_some() {}
            if let (Some((_, parent)), Some(first)) =
                (self.parents.last().cloned(), sides.iter().find(|side| !side.is_empty()))
            {
                self.connect(&parent, first);
            }
        }
        self.chain(&segments, &sides);
        if let Some(last) = sides.iter().rev().find(|side| !side.is_empty()) {
            while self.parents.pop_if(|(column, _)| *column >= indent).is_some() {}
            self.parents.push((indent, last.clone()));
            self.last = last.clone();
        }
    }

    /// Arrows inside one line of text; false when there are none.
    fn arrows(&mut self, text: &str, at: usize) -> bool {
        let segments = split_arrows(text);
        if segments.len() < 2 {
            return false;
        }
        let sides: Vec<Vec<Node>> = segments.iter().map(|(_, piece)| self.side(piece, at)).collect();
        self.chain(&segments, &sides);
        true
    }

    fn chain(&mut self, segments: &[(Arrow, &str)], sides: &[Vec<Node>]) {
        for ((left, right), (arrow, _)) in sides.iter().zip(sides.iter().skip(1)).zip(segments.iter().skip(1))
        {
            match arrow {
                Arrow::Right => self.connect(left, right),
                Arrow::Left => self.connect(right, left),
                Arrow::None => {}
            }
        }
    }

    fn connect(&mut self, before: &[Node], after: &[Node]) {
        for first in before {
            for second in after {
                self.graph.edges.insert((first.clone(), second.clone()));
            }
        }
    }

    /// The names on one side of an arrow.
    fn side(&mut self, text: &str, at: usize) -> Vec<Node> {
        let text =
            text.strip_prefix('|').and_then(|rest| rest.split_once('|')).map_or(text, |(_, rest)| rest);
        let pieces = text
            .split([',', '&', ';', '、', '∥'])
            .flat_map(|piece| piece.split(" + "))
            .flat_map(|piece| piece.split(" and "));
        let mut nodes = Vec::new();
        for piece in pieces.take(NAMES_PER_SIDE) {
            let name = self.name_in(piece);
            if !name.chars().any(char::is_alphanumeric) || is_mermaid_word(&name) {
                continue;
            }
            let node = self.node(&name);
            self.graph.nodes.entry(node.clone()).or_insert(at);
            nodes.push(node);
        }
        nodes
    }

    /// The name in a piece; `A[Task 1]` makes `A` another name of `Task 1`.
    fn name_in(&mut self, piece: &str) -> String {
        let piece =
            piece.trim_matches(|letter: char| letter.is_whitespace() || "│├└─┬┴|\"'`*".contains(letter));
        let Some(open) = piece.find(['[', '(', '{']) else {
            return self.aliases.get(piece).cloned().unwrap_or_else(|| piece.to_owned());
        };
        let (id, label) =
            (piece.get(..open).unwrap_or_default().trim(), piece.get(open..).unwrap_or_default());
        let label = label.trim_matches(['[', ']', '(', ')', '{', '}', '"', ' ', '/', '\\']).to_owned();
        if id.is_empty() {
            return label;
        }
        if self.tasks.find(id).is_some() || id.contains(' ') {
            return id.to_owned();
        }
        self.aliases.insert(id.to_owned(), label.clone());
        label
    }

    fn node(&self, name: &str) -> Node {
        if let Some(task) = self.tasks.find(name) {
            return Node::Task(task);
        }
        match leading_id(name) {
            Some(id) if id.chars().any(char::is_alphabetic) || id == name.trim() => Node::Unknown(id),
            _ => Node::Words(name.trim().to_lowercase()),
        }
    }

    /// All task ids that stand in a text.
    fn ids_in(&mut self, text: &str, at: usize) -> Vec<Node> {
        let named = ids_in(text).map(|id| self.node(&id)).filter(|node| !matches!(node, Node::Words(_)));
        let nodes: Vec<Node> = named.take(NAMES_PER_SIDE).collect();
        for node in &nodes {
            self.graph.nodes.entry(node.clone()).or_insert(at);
        }
        nodes
    }
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Arrow {
    None,
    Left,
    Right,
}

/// Cuts a text at its arrows; each piece comes with the arrow in front of it.
fn split_arrows(text: &str) -> Vec<(Arrow, &str)> {
    const STROKES: &str = "-=─━═.~";
    const RIGHT: &str = ">→⟶➜➔►▶⇒↦";
    const LEFT: &str = "<←◄◀⇐";
    let is_arrow = |letter: char| STROKES.contains(letter) || RIGHT.contains(letter) || LEFT.contains(letter);
    let mut pieces = Vec::new();
    let mut arrow = Arrow::None;
    let (mut start, mut at) = (0, 0);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let run = rest.find(|letter: char| !is_arrow(letter)).unwrap_or(rest.len());
        let marks = rest.get(..run).unwrap_or_default();
        let head = if marks.starts_with(">=") || marks.starts_with("<=") || marks == "<" {
            Arrow::None
        } else if marks.contains(|letter| RIGHT.contains(letter)) {
            Arrow::Right
        } else if marks.contains(|letter| LEFT.contains(letter)) {
            Arrow::Left
        } else {
            Arrow::None
        };
        if head != Arrow::None {
            push_piece(&mut pieces, arrow, text.get(start..at).unwrap_or_default().trim());
            arrow = head;
            start = at + run;
        }
        let step = rest.get(run..).and_then(|tail| tail.chars().next()).map_or(0, char::len_utf8);
        at += run + step;
    }
    pieces.push((arrow, text.get(start..).unwrap_or_default().trim()));
    pieces
}

/// Adds a piece. Between two arrows a comma ends one statement and starts the next: `A -> B, A -> C`.
fn push_piece<'a>(pieces: &mut Vec<(Arrow, &'a str)>, arrow: Arrow, piece: &'a str) {
    match piece.rsplit_once([',', ';', '、']).filter(|_| arrow != Arrow::None) {
        Some((target, source)) => pieces.extend([(arrow, target.trim()), (Arrow::None, source.trim())]),
        None => pieces.push((arrow, piece)),
    }
}

/// What stands before and behind a word such as `depends on`.
fn split_waits(text: &str) -> Option<(String, String)> {
    let lower_starts = WAITS.iter().filter_map(|word| {
        let at = find_ignoring_case(text, word)?;
        Some((at, word.len()))
    });
    let (at, length) = lower_starts.min()?;
    Some((text.get(..at)?.to_owned(), text.get(at + length..)?.to_owned()))
}

fn find_ignoring_case(text: &str, word: &str) -> Option<usize> {
    text.char_indices()
        .map(|(at, _)| at)
        .find(|at| text.get(*at..*at + word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word)))
}

/// Words of Mermaid's own language.
fn is_mermaid_word(name: &str) -> bool {
    let first = name.split_whitespace().next().unwrap_or_default();
    ["graph", "flowchart", "subgraph", "end", "classdef", "class", "style", "linkstyle", "direction"]
        .iter()
        .any(|word| first.eq_ignore_ascii_case(word))
        || name.starts_with("%%")
}

impl Graph {
    /// One cycle, if there is any, in the order of its arrows.
    pub(crate) fn cycle(&self) -> Option<Vec<Node>> {
        let mut waits: BTreeMap<&Node, BTreeSet<&Node>> = BTreeMap::new();
        let mut follows: BTreeMap<&Node, Vec<&Node>> = BTreeMap::new();
        for (first, second) in &self.edges {
            waits.entry(second).or_default().insert(first);
            waits.entry(first).or_default();
            follows.entry(first).or_default().push(second);
        }
        let mut free: Vec<&Node> =
            waits.iter().filter(|(_, before)| before.is_empty()).map(|(node, _)| *node).collect();
        while let Some(node) = free.pop() {
            waits.remove(node);
            for next in follows.remove(node).unwrap_or_default() {
                if let Some(before) = waits.get_mut(next) {
                    before.remove(node);
                    if before.is_empty() {
                        free.push(next);
                    }
                }
            }
        }
        let mut path: Vec<&Node> = vec![waits.keys().next()?];
        let mut places: BTreeMap<&Node, usize> = BTreeMap::new();
        loop {
            let node = path.last()?;
            if let Some(place) = places.insert(node, path.len() - 1) {
                let mut cycle: Vec<Node> =
                    path.get(place + 1..)?.iter().map(|node| (*node).clone()).collect();
                cycle.reverse();
                return Some(cycle);
            }
            let before = waits.get(node)?.first()?;
            path.push(before);
        }
    }
}
