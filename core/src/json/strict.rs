//! Reading JSON from outside: one meaning per text, or a refusal.

use serde_json::{Map, Number, Value};

use super::place::{found_at, join_index, join_key, named, position, quoted};
use super::scan::plain_length;
pub use super::strict_error::JsonError;
use super::{MAX_BYTES, MAX_DEPTH, MAX_INTEGER};

/// What [`Limits::depth`] can be raised to; what is built deeper could not be dropped or read safely on a small stack.
const DEEPEST: usize = 128;

/// How much one text may hold.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Limits {
    /// The number of bytes.
    pub bytes: usize,
    /// The number of arrays and objects open at once, at most 128.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: MAX_BYTES, depth: MAX_DEPTH }
    }
}

/// Reads a text as strict JSON.
///
/// # Errors
///
/// A [`JsonError`] for text that is no JSON in UTF-8, starts with a byte order mark, contains NUL, half a surrogate
/// pair, a key twice in one object, or a number other than an integer of at most 53 bits, or goes beyond the limits.
///
/// ```
/// use ralplan_core::json::strict::{Limits, parse};
///
/// let value = parse(br#"{"pass": 2}"#, &Limits::default())?;
/// assert_eq!(value, serde_json::json!({"pass": 2}));
///
/// let error = parse(br#"{"a": {"pass": 2, "pass": 3}}"#, &Limits::default()).unwrap_err();
/// assert_eq!(error.code(), "input.duplicate_key");
/// assert_eq!(error.path(), "a");
/// # Ok::<(), ralplan_core::json::strict::JsonError>(())
/// ```
pub fn parse(bytes: &[u8], limits: &Limits) -> Result<Value, JsonError> {
    if bytes.len() > limits.bytes {
        return Err(JsonError::TooLarge { limit: limits.bytes, found: bytes.len() });
    }
    let marks: [(&[u8], _); 3] =
        [(&[0xEF, 0xBB, 0xBF], "UTF-8"), (&[0xFF, 0xFE], "UTF-16"), (&[0xFE, 0xFF], "UTF-16")];
    if let Some((_, encoding)) = marks.into_iter().find(|(mark, _)| bytes.starts_with(mark)) {
        return Err(JsonError::ByteOrderMark { encoding });
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let (line, column) = position(bytes, error.valid_up_to());
        let found = bytes.get(error.valid_up_to()).copied().unwrap_or_default();
        JsonError::NotUtf8 { found, line, column }
    })?;
    Reader { text, at: 0, open: Vec::new(), depth: limits.depth.min(DEEPEST) }.document()
}

/// An array or object that has begun and not ended.
enum Open {
    Array(Vec<Value>),
    Object {
        members: Map<String, Value>,
        /// The key whose value is being read.
        key: Option<String>,
    },
}

/// A reader that keeps open containers in a list, so that depth costs no stack.
struct Reader<'a> {
    text: &'a str,
    at: usize,
    open: Vec<Open>,
    depth: usize,
}

impl Reader<'_> {
    fn document(mut self) -> Result<Value, JsonError> {
        loop {
            let Some(mut value) = self.value()? else { continue };
            loop {
                if self.open.is_empty() {
                    self.skip_space();
                    return if self.at == self.text.len() {
                        Ok(value)
                    } else {
                        Err(self.wrong("the end of the text"))
                    };
                }
                match self.attach(value)? {
                    Some(whole) => value = whole,
                    None => break,
                }
            }
        }
    }

    /// Reads a value; nothing when it is a container that has just been opened.
    fn value(&mut self) -> Result<Option<Value>, JsonError> {
        self.skip_space();
        match self.peek() {
            Some(b'{') => {
                self.enter(Open::Object { members: Map::new(), key: None })?;
                if self.closes(b'}') {
                    return Ok(self.open.pop().map(finished));
                }
                self.key()?;
                Ok(None)
            }
            Some(b'[') => {
                self.enter(Open::Array(Vec::new()))?;
                if self.closes(b']') {
                    return Ok(self.open.pop().map(finished));
                }
                Ok(None)
            }
            Some(b'"') => self.string().map(|text| Some(Value::String(text))),
            Some(b'-' | b'0'..=b'9') => self.number().map(Some),
            Some(b't') => self.word("true", Value::Bool(true)).map(Some),
            Some(b'f') => self.word("false", Value::Bool(false)).map(Some),
            Some(b'n') => self.word("null", Value::Null).map(Some),
            _ => Err(self.wrong("a value")),
        }
    }

    /// Puts a value into the innermost container; returns the container when that ends it.
    fn attach(&mut self, value: Value) -> Result<Option<Value>, JsonError> {
        self.skip_space();
        let (close, expected) = match self.open.last_mut() {
            Some(Open::Array(items)) => {
                items.push(value);
                (b']', "`,` or `]`")
            }
            Some(Open::Object { members, key }) => {
                members.insert(key.take().unwrap_or_default(), value);
                (b'}', "`,` or `}`")
            }
            None => return Ok(Some(value)),
        };
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                if close == b'}' {
                    self.skip_space();
                    self.key()?;
                }
                Ok(None)
            }
            Some(byte) if byte == close => {
                self.at += 1;
                Ok(self.open.pop().map(finished))
            }
            _ => Err(self.wrong(expected)),
        }
    }

    fn enter(&mut self, container: Open) -> Result<(), JsonError> {
        if self.open.len() >= self.depth {
            let (path, line, column) = self.place(self.at);
            return Err(JsonError::TooDeep { limit: self.depth, path, line, column });
        }
        self.open.push(container);
        self.at += 1;
        Ok(())
    }

    fn closes(&mut self, close: u8) -> bool {
        self.skip_space();
        let closes = self.peek() == Some(close);
        self.at += usize::from(closes);
        closes
    }

    fn key(&mut self) -> Result<(), JsonError> {
        let start = self.at;
        if self.peek() != Some(b'"') {
            return Err(self.wrong("a key in double quotes"));
        }
        let name = self.string()?;
        let is_known = match self.open.last() {
            Some(Open::Object { members, .. }) => members.contains_key(&name),
            _ => false,
        };
        if is_known {
            let (path, line, column) = self.place(start);
            return Err(JsonError::DuplicateKey { key: name, path, line, column });
        }
        self.skip_space();
        if self.peek() != Some(b':') {
            return Err(self.wrong("`:`"));
        }
        self.at += 1;
        if let Some(Open::Object { key, .. }) = self.open.last_mut() {
            *key = Some(name);
        }
        Ok(())
    }

    fn string(&mut self) -> Result<String, JsonError> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let plain = plain_length(rest.as_bytes());
            out.push_str(rest.get(..plain).unwrap_or_default());
            self.at += plain;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => {
                    let character = self.escape()?;
                    out.push(character);
                }
                Some(_) => return Err(self.wrong("an escape instead of a control character")),
                None => return Err(self.wrong("`\"`")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, JsonError> {
        let start = self.at;
        self.at += 1;
        let character = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                return self.code_point(start);
            }
            _ => return Err(self.wrong("one of `\"`, `\\`, `/`, `b`, `f`, `n`, `r`, `t`, `u`")),
        };
        self.at += 1;
        Ok(character)
    }

    /// Reads what follows `\u`, and the second half of a surrogate pair.
    fn code_point(&mut self, start: usize) -> Result<char, JsonError> {
        let mut unit = self.four_digits()?;
        if (0xD800..0xDC00).contains(&unit) && self.text.get(self.at..self.at + 2) == Some("\\u") {
            self.at += 2;
            let low = self.four_digits()?;
            if (0xDC00..0xE000).contains(&low) {
                unit = 0x1_0000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
            }
        }
        match char::from_u32(unit) {
            Some('\0') => {
                let (path, line, column) = self.place(start);
                Err(JsonError::Nul { path, line, column })
            }
            Some(character) => Ok(character),
            None => {
                let (path, line, column) = self.place(start);
                let found = quoted(self.text.get(start..start + 6).unwrap_or_default());
                Err(JsonError::Surrogate { found, path, line, column })
            }
        }
    }

    fn four_digits(&mut self) -> Result<u32, JsonError> {
        let mut unit = 0;
        for _ in 0..4 {
            let Some(digit) = self.peek().and_then(|byte| char::from(byte).to_digit(16)) else {
                return Err(self.wrong("four hexadecimal digits"));
            };
            unit = unit * 16 + digit;
            self.at += 1;
        }
        Ok(unit)
    }

    fn number(&mut self) -> Result<Value, JsonError> {
        let start = self.at;
        let rest = self.text.get(start..).unwrap_or_default();
        let length =
            rest.bytes().position(|byte| !matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
        let token = rest.get(..length.unwrap_or(rest.len())).unwrap_or_default();
        if !is_number(token) {
            return Err(self.wrong_token("a number", token));
        }
        let integer = token.parse::<i64>().ok().filter(|value| value.unsigned_abs() <= MAX_INTEGER);
        match integer {
            Some(integer) if token != "-0" => {
                self.at += token.len();
                Ok(Value::Number(Number::from(integer)))
            }
            _ => {
                let (path, line, column) = self.place(start);
                Err(JsonError::Number { found: quoted(token), path, line, column })
            }
        }
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value, JsonError> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let length = rest.bytes().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let token = rest.get(..length).unwrap_or_default();
        if token != word {
            return Err(self.wrong_token("a value", token));
        }
        self.at += word.len();
        Ok(value)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    fn wrong(&self, expected: &'static str) -> JsonError {
        let (path, line, column) = self.place(self.at);
        if self.peek() == Some(0) {
            return JsonError::Nul { path, line, column };
        }
        JsonError::NotJson { expected, found: found_at(self.text, self.at), path, line, column }
    }

    fn wrong_token(&self, expected: &'static str, token: &str) -> JsonError {
        let (path, line, column) = self.place(self.at);
        JsonError::NotJson { expected, found: quoted(token), path, line, column }
    }

    fn place(&self, at: usize) -> (String, usize, usize) {
        let mut path = String::new();
        for open in &self.open {
            match open {
                Open::Array(items) => join_index(&mut path, items.len()),
                Open::Object { key: Some(key), .. } => join_key(&mut path, key),
                Open::Object { key: None, .. } => {}
            }
        }
        let (line, column) = position(self.text.as_bytes(), at);
        (named(path), line, column)
    }
}

fn finished(open: Open) -> Value {
    match open {
        Open::Array(items) => Value::Array(items),
        Open::Object { members, .. } => Value::Object(members),
    }
}

/// True for what the grammar of JSON calls a number.
fn is_number(token: &str) -> bool {
    let token = token.strip_prefix('-').unwrap_or(token);
    let (mantissa, exponent) = match token.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))),
        None => (token, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(is_digits)
        && exponent.is_none_or(is_digits)
}

#[cfg(test)]
#[path = "strict_tests.rs"]
mod tests;
