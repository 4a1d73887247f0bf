//! What a draft leaves open: assumptions, ambiguities, decisions nobody was asked about.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::block_json::{BlockError, read_block};
use super::blocks::{Kind, Line, Marker};
use super::label::plain;
use super::outline::Outline;
use super::part::Part;
use super::parts::{Found, Parts};
use super::position::Lines;
use super::slug::{Anchors, slug};

/// Info string of the fenced block that holds open items.
pub const ITEMS_BLOCK: &str = "ralplan-open-items";

/// Value of `schema` in that block.
pub const ITEMS_SCHEMA: &str = "ralplan.open_items.v1";

/// Longest slug in a generated id, in characters.
const ID_LENGTH: usize = 48;

/// Items that say there are none.
const NONE: [&str; 10] =
    ["none", "n/a", "nothing", "no open questions", "no assumptions", "无", "没有", "없음", "なし", "tbd"];

/// What kind of thing is open.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ItemKind {
    /// Taken as true without proof.
    Assumption,
    /// Can be understood in more than one way.
    Ambiguity,
    /// Decided without asking a person.
    Decision,
    /// Stands against an earlier document.
    PriorContext,
    /// A conflict of reviewers that was left to a person.
    DeferredConflict,
}

/// How much hangs on an item, least first.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Impact {
    /// Little.
    Low,
    /// Some.
    Medium,
    /// Much.
    High,
}

/// One open item.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct OpenItem {
    /// Name of the item, unique in its text.
    pub item_id: String,
    /// What kind of thing is open.
    pub kind: ItemKind,
    /// What is open.
    pub text: String,
    /// How much hangs on it.
    pub impact: Impact,
    /// What will be done when nobody answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    /// What it rests on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub citation: Option<String>,
}

/// Why the open items were not read. Lines count from 1 in the whole text.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum ItemsError {
    /// The block does not hold the expected JSON.
    #[error("line {line}: `{path}` cannot be read: {found}")]
    Json {
        /// Line of the fault.
        line: usize,
        /// Path of the field, for example `items[0].kind`.
        path: String,
        /// What is wrong with it.
        found: String,
    },
    /// Another schema than ours.
    #[error("line {line}: expected schema `{ITEMS_SCHEMA}`, found `{found}`")]
    Schema {
        /// Line of the block.
        line: usize,
        /// The schema it names.
        found: String,
    },
    /// An item id that is used twice.
    #[error("line {line}: item id `{item_id}` is used twice")]
    Duplicate {
        /// Line of the block.
        line: usize,
        /// The id.
        item_id: String,
    },
    /// A required text that is blank.
    #[error("line {line}: `{field}` of item {index} is blank")]
    Blank {
        /// Line of the block.
        line: usize,
        /// Name of the field.
        field: &'static str,
        /// Index of the item, from 0.
        index: usize,
    },
    /// A second block.
    #[error("line {line}: a second `{ITEMS_BLOCK}` block")]
    TwoBlocks {
        /// Line of the second block.
        line: usize,
    },
    /// A fence that is never closed.
    #[error("line {line}: the `{ITEMS_BLOCK}` block is never closed")]
    Unclosed {
        /// Line of the fence.
        line: usize,
    },
}

impl ItemsError {
    /// Line of the fault, counted from 1.
    #[must_use]
    pub fn line(&self) -> u64 {
        let line = match self {
            ItemsError::Json { line, .. }
            | ItemsError::Schema { line, .. }
            | ItemsError::Duplicate { line, .. }
            | ItemsError::Blank { line, .. }
            | ItemsError::TwoBlocks { line, .. }
            | ItemsError::Unclosed { line, .. } => *line,
        };
        u64::try_from(line).unwrap_or(u64::MAX)
    }
}

impl From<BlockError> for ItemsError {
    fn from(error: BlockError) -> Self {
        match error {
            BlockError::Two { line } => Self::TwoBlocks { line },
            BlockError::Unclosed { line } => Self::Unclosed { line },
            BlockError::Json { line, path, found } => Self::Json { line, path, found },
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Block {
    schema: String,
    items: Vec<OpenItem>,
}

/// Reads the open items of a text: those of the fenced block, then the list items under Assumptions and Open questions
/// that the block does not hold already.
///
/// A ticked box is resolved and gives no item; neither does an item that says there is none.
///
/// # Errors
/// See [`ItemsError`]; a block that is there and cannot be read is never taken for an empty one.
///
/// ```
/// use ralplan_core::document::{Outline, read_open_items};
/// let text = "## Open Questions\n- [ ] Which database?\n- [x] Which language?\n";
/// let items = read_open_items(text, &Outline::read(text)).unwrap();
/// assert_eq!(items[0].item_id, "ambiguity:which-database");
/// assert_eq!(items.len(), 1);
/// ```
pub fn read_open_items(text: &str, outline: &Outline) -> Result<Vec<OpenItem>, ItemsError> {
    let mut items = Vec::new();
    if let Some((block, line)) = read_block::<Block>(outline, &Lines::new(text), ITEMS_BLOCK)? {
        if block.schema != ITEMS_SCHEMA {
            return Err(ItemsError::Schema { line, found: block.schema });
        }
        check_items(&block.items, line)?;
        items = block.items;
    }
    let mut names = Anchors::default();
    for item in &items {
        names.reserve(&item.item_id);
    }
    let mut texts: BTreeSet<String> = items.iter().map(|item| slug(&item.text)).collect();
    for (kind, text) in listed(outline) {
        let name = slug(&text);
        if texts.insert(name.clone()) {
            let item_id = names.unique(&item_id(kind, &name));
            items.push(OpenItem {
                item_id,
                kind,
                text,
                impact: Impact::Medium,
                default: None,
                citation: None,
            });
        }
    }
    Ok(items)
}

fn check_items(items: &[OpenItem], line: usize) -> Result<(), ItemsError> {
    let mut seen = BTreeSet::new();
    for (index, item) in items.iter().enumerate() {
        let fields = [
            ("item_id", Some(&item.item_id)),
            ("text", Some(&item.text)),
            ("default", item.default.as_ref()),
            ("citation", item.citation.as_ref()),
        ];
        if let Some((field, _)) =
            fields.iter().find(|(_, text)| text.is_some_and(|text| text.trim().is_empty()))
        {
            return Err(ItemsError::Blank { line, field, index });
        }
        if !seen.insert(item.item_id.as_str()) {
            return Err(ItemsError::Duplicate { line, item_id: item.item_id.clone() });
        }
    }
    Ok(())
}

/// The list items under both names, in the order of the text. Where one part holds the other, the inner one counts.
fn listed(outline: &Outline) -> Vec<(ItemKind, String)> {
    let parts = Parts::read(outline);
    let kinds = [(Part::Assumptions, ItemKind::Assumption), (Part::OpenQuestions, ItemKind::Ambiguity)];
    let mut places: Vec<(ItemKind, &Found)> = kinds
        .iter()
        .flat_map(|(part, kind)| parts.best(*part).into_iter().map(|place| (*kind, place)))
        .collect();
    places.sort_by_key(|(_, place)| place.body.start);
    let starts = places.iter().skip(1).map(|(_, place)| place.body.start.saturating_sub(1));
    let ends: Vec<usize> = starts.chain([usize::MAX]).collect();
    let mut found = Vec::new();
    for ((kind, place), end) in places.iter().zip(ends) {
        let body = place.body.start..place.body.end.min(end).max(place.body.start);
        let lines = outline.blocks.lines.get(body).unwrap_or_default();
        found.extend(open_texts(lines, place).map(|text| (*kind, text)));
    }
    found
}

fn open_texts<'a>(lines: &'a [Line], place: &'a Found) -> impl Iterator<Item = String> + 'a {
    let is_item = |line: &&Line| line.marker.is_some() && line.kind == Kind::Text && !line.quoted;
    let depth = lines.iter().filter(is_item).map(|line| line.depth).min().unwrap_or(0);
    let items = lines
        .iter()
        .filter(is_item)
        .filter(move |line| line.depth == depth && line.marker != Some(Marker::Task { done: true }));
    let inline = Some(place.rest.clone()).filter(|rest| depth == 0 && !rest.is_empty());
    items.map(|line| plain(&line.text)).chain(inline).filter(|text| !says_none(text))
}

/// True for an item that says there is none, or that is struck out.
fn says_none(text: &str) -> bool {
    let lower = text.to_lowercase();
    let inner = lower.trim_matches(|letter: char| !letter.is_alphanumeric());
    let is_struck = text.starts_with("~~") && text.trim_end().ends_with("~~");
    is_struck || inner.is_empty() || NONE.contains(&inner)
}

fn item_id(kind: ItemKind, name: &str) -> String {
    let word = match kind {
        ItemKind::Assumption => "assumption",
        ItemKind::Ambiguity => "ambiguity",
        ItemKind::Decision => "decision",
        ItemKind::PriorContext => "prior_context",
        ItemKind::DeferredConflict => "deferred_conflict",
    };
    let cut: String = name.chars().take(ID_LENGTH).collect();
    format!("{word}:{}", cut.trim_end_matches('-'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Result<Vec<OpenItem>, ItemsError> {
        read_open_items(text, &Outline::read(text))
    }

    fn ids(text: &str) -> Vec<String> {
        read(text).unwrap().into_iter().map(|item| item.item_id).collect()
    }

    const ONE: &str =
        r#"{"item_id":"i1","kind":"decision","text":"use SQLite","impact":"high","default":"yes"}"#;

    fn block(items: &str) -> String {
        format!(
            "# P\n\n```ralplan-open-items\n{{\"schema\":\"ralplan.open_items.v1\",\n\"items\":[{items}]}}\n```\n"
        )
    }

    #[test]
    fn lists_are_read_with_tolerant_names() {
        let text = "## 7. Assumptions (3)\n- a is true\n  - detail\n- (none)\n\n**Open questions:**\n\n1. b or c?\n2. b or c?\n3. None.\n";
        assert_eq!(ids(text), ["assumption:a-is-true", "ambiguity:b-or-c"]);
        assert_eq!(ids("## 미해결 질문\n- [x] 끝\n- [ ] 어떤 것?\n- ~~old~~\n"), ["ambiguity:어떤-것"]);
        assert!(ids("## Open Questions\n\nNone.\n").is_empty());
        assert!(ids("```\n## Open Questions\n- x\n```\n").is_empty());
    }

    #[test]
    fn ids_are_short_and_unique() {
        let long = "word ".repeat(30);
        let text = format!("## Open Questions\n- {long} a\n- {long} b\n");
        let ids = ids(&text);
        assert_eq!(ids.len(), 2);
        assert_ne!(ids[0], ids[1]);
        assert!(ids[0].chars().count() <= "ambiguity:".len() + ID_LENGTH, "{ids:?}");
    }

    #[test]
    fn the_block_is_read_and_not_doubled_by_the_list() {
        let text = format!("{}\n## Assumptions\n- Use SQLite\n- other\n", block(ONE));
        assert_eq!(ids(&text), ["i1", "assumption:other"]);
        let item = &read(&text).unwrap()[0];
        assert_eq!(
            (item.kind, item.impact, item.default.as_deref()),
            (ItemKind::Decision, Impact::High, Some("yes"))
        );
    }

    #[test]
    fn faults_of_the_block_are_named() {
        let two = format!("{ONE},{ONE}");
        assert_eq!(read(&block(&two)).unwrap_err(), ItemsError::Duplicate { line: 3, item_id: "i1".into() });
        assert_eq!(
            read(&block(&ONE.replace("use SQLite", " "))).unwrap_err(),
            ItemsError::Blank { line: 3, field: "text", index: 0 }
        );
        assert!(matches!(read(&block(&ONE.replace("high", "huge"))), Err(ItemsError::Json { line: 5, .. })));
        assert!(matches!(read(&block("").replace(".v1", ".v9")), Err(ItemsError::Schema { line: 3, .. })));
        assert!(matches!(
            read(&format!("{}{}", block(""), block(""))),
            Err(ItemsError::TwoBlocks { line: 9 })
        ));
        assert!(matches!(read(block("").trim_end_matches("```\n")), Err(ItemsError::Unclosed { line: 3 })));
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_panic(text in any::<String>()) {
            let _ = read(&text);
        }
    }
}
