//! Turning serde's sentences into values a person can act on.

use serde_json::Value;
use serde_path_to_error::{Path, Segment};

use super::nearest::nearest;
use super::place::{join_index, join_key, named, quoted};
use super::shape::ShapeError;

/// One step from a value to a value inside it.
#[derive(Clone)]
enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

/// A value and the way to it.
#[derive(Clone)]
struct Place<'a> {
    steps: Vec<Step<'a>>,
    value: &'a Value,
}

/// Reads a sentence of serde about a place in a document; what it does not know it passes on.
pub(super) fn explained(root: &Value, path: &Path, message: &str) -> ShapeError {
    let place = Place::follow(root, path);
    if let Some(text) = message.strip_prefix("unknown field `") {
        return unknown_field(place, text);
    }
    if let Some(text) = message.strip_prefix("unknown variant `") {
        let (name, known) = unknown_name(text);
        let place = place.narrowed(|value| value.as_str() == Some(name));
        return fault(
            "input.unknown_value",
            &place,
            alternatives(&known),
            quoted(name),
            nearest(name, known),
        );
    }
    if let Some(name) = between(message, "missing field `") {
        let expected = format!("the field {}", quoted(name));
        return fault("input.missing_field", &place, expected, "no such field".to_owned(), None);
    }
    if let Some(name) = between(message, "duplicate field `") {
        return fault("input.duplicate_key", &place, "each field once".to_owned(), quoted(name), None);
    }
    for (prefix, code) in [
        ("invalid type: ", "input.wrong_type"),
        ("invalid value: ", "input.unknown_value"),
        ("invalid length ", "input.wrong_type"),
    ] {
        let parts = message.strip_prefix(prefix).and_then(|text| text.rsplit_once(", expected "));
        if let Some((found, expected)) = parts {
            let place = place.narrowed(|value| is_described(value, found));
            return fault(code, &place, plain_expected(expected), plain_found(found), None);
        }
    }
    if message.starts_with("data did not match any variant") {
        let expected = "one of the documented forms".to_owned();
        return fault("input.wrong_type", &place, expected, described(place.value), None);
    }
    fault("input.unknown_value", &place, message.to_owned(), described(place.value), None)
}

fn unknown_field(mut place: Place<'_>, text: &str) -> ShapeError {
    let (name, known) = unknown_name(text);
    if !matches!(place.steps.last(), Some(Step::Key(key)) if *key == name)
        && let Some(owner) = place.only_one(&|value| value.get(name).is_some())
        && let Some((key, value)) = owner.value.as_object().and_then(|members| members.get_key_value(name))
    {
        place = owner.with(Step::Key(key), value);
    }
    let found = format!("the unknown field {}", quoted(name));
    fault("input.unknown_field", &place, alternatives(&known), found, nearest(name, known))
}

fn fault(
    code: &'static str,
    place: &Place<'_>,
    expected: String,
    found: String,
    hint: Option<&str>,
) -> ShapeError {
    ShapeError { path: place.path(), code, expected, found, hint: hint.map(str::to_owned) }
}

impl<'a> Place<'a> {
    /// Follows a path as far as the document goes.
    fn follow(root: &'a Value, path: &Path) -> Self {
        let mut place = Self { steps: Vec::new(), value: root };
        for segment in path {
            let inner = match segment {
                Segment::Map { key } => {
                    let member = place.value.as_object().and_then(|members| members.get_key_value(key));
                    member.map(|(key, value)| (Step::Key(key), value))
                }
                Segment::Seq { index } => place.value.get(index).map(|value| (Step::Index(*index), value)),
                Segment::Enum { .. } | Segment::Unknown => None,
            };
            let Some((step, value)) = inner else { break };
            place = place.with(step, value);
        }
        place
    }

    fn with(mut self, step: Step<'a>, value: &'a Value) -> Self {
        self.steps.push(step);
        Self { steps: self.steps, value }
    }

    fn path(&self) -> String {
        let mut path = String::new();
        for step in &self.steps {
            match step {
                Step::Key(key) => join_key(&mut path, key),
                Step::Index(index) => join_index(&mut path, *index),
            }
        }
        named(path)
    }

    /// The value itself, or what alone inside it can be meant.
    ///
    /// Tagged unions and flattened fields are read from a copy that has lost its paths, so the place that serde names
    /// may be too wide. The value at fault is inside, and when only one value there fits, that is the one.
    fn narrowed(self, fits: impl Fn(&Value) -> bool) -> Self {
        if fits(self.value) {
            return self;
        }
        self.only_one(&fits).unwrap_or(self)
    }

    fn only_one(&self, fits: &impl Fn(&Value) -> bool) -> Option<Self> {
        let mut found = Vec::new();
        self.clone().search(fits, &mut found);
        let first = found.pop()?;
        found.is_empty().then_some(first)
    }

    /// Collects what fits, at most two, depth first; the depth is that of a document that was read.
    fn search(&mut self, fits: &impl Fn(&Value) -> bool, found: &mut Vec<Self>) {
        if fits(self.value) {
            found.push(self.clone());
        }
        let value = self.value;
        let items = value.as_array().into_iter().flatten().enumerate();
        let items = items.map(|(index, item)| (Step::Index(index), item));
        let members = value.as_object().into_iter().flatten().map(|(key, member)| (Step::Key(key), member));
        for (step, inner) in items.chain(members) {
            if found.len() > 1 {
                return;
            }
            self.steps.push(step);
            self.value = inner;
            self.search(fits, found);
            self.steps.pop();
        }
        self.value = value;
    }
}

/// Splits "x`, expected one of `a`, `b`" into the name and the known names.
///
/// The name comes from the input and may hold anything; the known names are ours and hold no back-ticks.
fn unknown_name(text: &str) -> (&str, Vec<&str>) {
    if let Some((name, known)) = text.rsplit_once("`, expected ") {
        return (name, known.split('`').skip(1).step_by(2).collect());
    }
    (text.rsplit_once("`, there are no ").map_or(text, |(name, _)| name), Vec::new())
}

fn between<'a>(message: &'a str, start: &str) -> Option<&'a str> {
    message.strip_prefix(start)?.strip_suffix('`')
}

fn alternatives(known: &[&str]) -> String {
    let names: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [] => "no name".to_owned(),
        [name] => name.clone(),
        names => format!("one of {}", names.join(", ")),
    }
}

/// What stands at a place, in the words of JSON.
fn described(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => quoted(&value.to_string()),
        Value::Number(number) => format!("the number {}", quoted(&number.to_string())),
        Value::String(text) => format!("the string {}", quoted(text)),
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// True when serde would describe the value with these words.
fn is_described(value: &Value, words: &str) -> bool {
    match value {
        Value::Null => matches!(words, "null" | "unit value"),
        Value::Bool(value) => words.strip_prefix("boolean ") == Some(format!("`{value}`").as_str()),
        Value::Number(number) => words.strip_prefix("integer ") == Some(format!("`{number}`").as_str()),
        Value::String(text) => words.strip_prefix("string ") == Some(format!("{text:?}").as_str()),
        Value::Array(_) => words == "sequence",
        Value::Object(_) => words == "map",
    }
}

/// Serde's words for what it found, in the words of JSON.
fn plain_found(words: &str) -> String {
    let inner = |start: &str, end: char| words.strip_prefix(start).and_then(|text| text.strip_suffix(end));
    if let Some(text) = inner("string \"", '"') {
        return format!("the string {}", quoted(text));
    }
    if let Some(number) = inner("integer `", '`').or_else(|| inner("floating point `", '`')) {
        return format!("the number {}", quoted(number));
    }
    if let Some(value) = inner("boolean `", '`') {
        return quoted(value);
    }
    match words {
        "unit value" | "null" => "null".to_owned(),
        "map" => "an object".to_owned(),
        "sequence" => "an array".to_owned(),
        count if count.bytes().all(|byte| byte.is_ascii_digit()) => format!("{count} items"),
        other => other.to_owned(),
    }
}

/// Serde's words for what it expected, without the names of Rust types.
fn plain_expected(words: &str) -> String {
    let is = |starts: &[&str]| starts.iter().any(|start| words.starts_with(start));
    let plain =
        if is(&["a string", "string", "a character", "identifier", "variant identifier", "field identifier"])
        {
            "a string"
        } else if is(&["u8", "u16", "u32", "u64", "usize", "a nonzero"]) {
            "an integer from 0 up within the field's range"
        } else if is(&["i8", "i16", "i32", "i64", "isize"]) {
            "an integer within the field's range"
        } else if is(&["a boolean"]) {
            "`true` or `false`"
        } else if is(&["a map", "map", "struct ", "internally tagged enum", "adjacently tagged enum"]) {
            "an object"
        } else if is(&["a sequence", "sequence", "a tuple", "tuple "]) {
            "an array"
        } else if is(&["unit", "null"]) {
            "null"
        } else if is(&["enum "]) {
            "one of the documented values"
        } else {
            words
        };
    plain.to_owned()
}
