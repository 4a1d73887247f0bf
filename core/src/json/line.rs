//! Proving that a ledger line is canonical, without building its value.

use std::cmp::Ordering;
use std::ops::Range;

use thiserror::Error;

use super::canonical::utf16_order;
use super::place::{found_at, quoted};
use super::scan::plain_length;
use super::{MAX_DEPTH, MAX_INTEGER};

/// Where a line differs from the canonical form.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("expected {expected}, found {found} at byte {at}")]
pub struct NotCanonical {
    /// The byte, counted from 0.
    pub at: usize,
    /// What the canonical form has there.
    pub expected: String,
    /// What the line has there.
    pub found: String,
}

/// The members of the object that a line is, as pieces of its text.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Members<'a> {
    line: &'a str,
    members: Vec<Member>,
}

#[derive(Clone, Debug, Eq, PartialEq)]
struct Member {
    /// From the quote that begins the key to the end of the value.
    whole: Range<usize>,
    /// Between the quotes.
    key: Range<usize>,
    value: Range<usize>,
}

impl<'a> Members<'a> {
    /// The text of a member's value, strings in their quotes.
    pub fn get(&self, key: &str) -> Option<&'a str> {
        let member = self.members.get(self.find(key)?)?;
        self.line.get(member.value.clone())
    }

    /// The text of a member's value when it is a string without escapes, as digests, times and names are.
    pub fn get_plain(&self, key: &str) -> Option<&'a str> {
        self.get(key)?.strip_prefix('"')?.strip_suffix('"').filter(|text| !text.contains('\\'))
    }

    /// The line with one member left out, in two pieces, which together are canonical again.
    ///
    /// ```
    /// use ralplan_core::json::canonical::check_line;
    ///
    /// let members = check_line(r#"{"at":1,"hash":"f0","seq":2}"#)?;
    /// assert_eq!(members.without("hash").concat(), r#"{"at":1,"seq":2}"#);
    /// # Ok::<(), ralplan_core::json::canonical::NotCanonical>(())
    /// ```
    pub fn without(&self, key: &str) -> [&'a str; 2] {
        let Some(index) = self.find(key) else { return [self.line, ""] };
        let whole = |index: usize| self.members.get(index).map(|member| member.whole.clone());
        let Some(removed) = whole(index) else { return [self.line, ""] };
        // The comma before goes too, and for the first member the one after.
        let (start, end) = match index.checked_sub(1).and_then(whole) {
            Some(before) => (before.end, removed.end),
            None => (removed.start, whole(index + 1).map_or(removed.end, |after| after.start)),
        };
        [self.line.get(..start).unwrap_or_default(), self.line.get(end..).unwrap_or_default()]
    }

    /// The keys in their order, as they are written between the quotes.
    pub fn keys(&self) -> impl Iterator<Item = &'a str> {
        self.members.iter().filter_map(|member| self.line.get(member.key.clone()))
    }

    fn find(&self, key: &str) -> Option<usize> {
        let bytes = self.line.as_bytes();
        self.members
            .binary_search_by(|member| {
                let raw = bytes.get(member.key.clone()).unwrap_or_default();
                utf16_order(Decoded(raw.iter()), key.bytes())
            })
            .ok()
    }
}

/// Checks in one pass that a line is the canonical form of an object, and finds its members.
///
/// The line has no newline at its end. Keys must be sorted and different, nothing may be escaped that needs none,
/// there is no white space, numbers are integers of at most 53 bits, and at most 64 arrays and objects are open at once.
///
/// # Errors
///
/// [`NotCanonical`] with the first byte that differs.
pub fn check_line(line: &str) -> Result<Members<'_>, NotCanonical> {
    let mut checker = Checker { line, bytes: line.as_bytes(), at: 0, open: Vec::new(), members: Vec::new() };
    if checker.peek() != Some(b'{') {
        return Err(checker.wrong("`{`"));
    }
    loop {
        if !checker.value()? {
            continue;
        }
        while checker.after_value()? {}
        if checker.open.is_empty() {
            break;
        }
    }
    if checker.at < line.len() {
        return Err(checker.wrong("the end of the line"));
    }
    Ok(Members { line, members: checker.members })
}

/// An array or object that has begun and not ended.
enum Open {
    Array,
    /// With the place of the last key, between its quotes.
    Object(Range<usize>),
}

struct Checker<'a> {
    line: &'a str,
    bytes: &'a [u8],
    at: usize,
    open: Vec<Open>,
    members: Vec<Member>,
}

impl Checker<'_> {
    /// Passes a value; false when it is a container that has just been opened and is not empty.
    fn value(&mut self) -> Result<bool, NotCanonical> {
        match self.peek() {
            Some(b'"') => self.string()?,
            Some(b'-' | b'0'..=b'9') => self.integer()?,
            Some(b't') => self.word("true")?,
            Some(b'f') => self.word("false")?,
            Some(b'n') => self.word("null")?,
            Some(open @ (b'{' | b'[')) => return self.container(open),
            _ => return Err(self.wrong("a value")),
        }
        Ok(true)
    }

    fn container(&mut self, open: u8) -> Result<bool, NotCanonical> {
        if self.open.len() >= MAX_DEPTH {
            return Err(self.wrong(&format!("at most {MAX_DEPTH} levels")));
        }
        self.at += 1;
        // The codes of both closing brackets are two more than those of the opening ones.
        if self.peek() == Some(open + 2) {
            self.at += 1;
            return Ok(true);
        }
        if open == b'{' {
            let key = self.key()?;
            self.begin_member(&key);
            self.open.push(Open::Object(key));
        } else {
            self.open.push(Open::Array);
        }
        Ok(false)
    }

    /// Passes what follows a value; true when that ends the container, which then is the value.
    fn after_value(&mut self) -> Result<bool, NotCanonical> {
        let is_top_member = self.open.len() == 1;
        let last = match self.open.last() {
            None => return Ok(false),
            Some(Open::Array) => None,
            Some(Open::Object(last)) => Some(last.clone()),
        };
        if is_top_member && let Some(member) = self.members.last_mut() {
            member.whole.end = self.at;
            member.value.end = self.at;
        }
        match (self.peek(), last) {
            (Some(b','), None) => self.at += 1,
            (Some(b','), Some(last)) => {
                self.at += 1;
                let key = self.key()?;
                self.check_order(&last, &key)?;
                if is_top_member {
                    self.members.push(Member {
                        whole: key.start - 1..self.at,
                        value: self.at..self.at,
                        key: key.clone(),
                    });
                }
                if let Some(open) = self.open.last_mut() {
                    *open = Open::Object(key);
                }
            }
            (Some(b']'), None) | (Some(b'}'), Some(_)) => {
                self.at += 1;
                self.open.pop();
                return Ok(true);
            }
            (_, None) => return Err(self.wrong("`,` or `]`")),
            (_, Some(_)) => return Err(self.wrong("`,` or `}`")),
        }
        Ok(false)
    }

    fn begin_member(&mut self, key: &Range<usize>) {
        if self.open.is_empty() {
            let whole = key.start.saturating_sub(1)..self.at;
            self.members.push(Member { whole, value: self.at..self.at, key: key.clone() });
        }
    }

    /// Passes a key and its colon; returns the place between the quotes.
    fn key(&mut self) -> Result<Range<usize>, NotCanonical> {
        if self.peek() != Some(b'"') {
            return Err(self.wrong("a key"));
        }
        let start = self.at + 1;
        self.string()?;
        let end = self.at - 1;
        if self.peek() != Some(b':') {
            return Err(self.wrong("`:`"));
        }
        self.at += 1;
        Ok(start..end)
    }

    fn check_order(&self, last: &Range<usize>, key: &Range<usize>) -> Result<(), NotCanonical> {
        let decoded =
            |place: &Range<usize>| Decoded(self.bytes.get(place.clone()).unwrap_or_default().iter());
        if utf16_order(decoded(last), decoded(key)) == Ordering::Less {
            return Ok(());
        }
        let text = |place: &Range<usize>| quoted(self.line.get(place.clone()).unwrap_or_default());
        Err(NotCanonical { at: key.start, expected: format!("a key after {}", text(last)), found: text(key) })
    }

    fn string(&mut self) -> Result<(), NotCanonical> {
        self.at += 1;
        loop {
            let rest = self.bytes.get(self.at..).unwrap_or_default();
            self.at += plain_length(rest);
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => self.escape()?,
                Some(_) => return Err(self.wrong("an escape instead of a control character")),
                None => return Err(self.wrong("`\"`")),
            }
        }
    }

    fn escape(&mut self) -> Result<(), NotCanonical> {
        let rest = self.bytes.get(self.at + 1..).unwrap_or_default();
        match rest {
            [b'"' | b'\\' | b'b' | b't' | b'n' | b'f' | b'r', ..] => self.at += 2,
            [b'u', b'0', b'0', b'0', b'0'..=b'7' | b'b' | b'e' | b'f', ..]
            | [b'u', b'0', b'0', b'1', b'0'..=b'9' | b'a'..=b'f', ..] => self.at += 6,
            _ => {
                let found = self.line.get(self.at..).unwrap_or_default().chars().take(6).collect::<String>();
                let expected = "the shortest form of the character".to_owned();
                return Err(NotCanonical { at: self.at, expected, found: quoted(&found) });
            }
        }
        Ok(())
    }

    fn integer(&mut self) -> Result<(), NotCanonical> {
        let start = self.at;
        let rest = self.bytes.get(start..).unwrap_or_default();
        let digits = rest.strip_prefix(b"-").unwrap_or(rest);
        let is_negative = digits.len() < rest.len();
        let count = digits.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(digits.len());
        let value = digits
            .iter()
            .take(count)
            .fold(0_u64, |value, digit| value.saturating_mul(10).saturating_add(u64::from(digit & 0xF)));
        let has_leading_zero = digits.first() == Some(&b'0') && (is_negative || count > 1);
        let is_fraction = matches!(digits.get(count), Some(b'.' | b'e' | b'E'));
        let length = count + usize::from(is_negative);
        if count == 0 || has_leading_zero || is_fraction || value > MAX_INTEGER {
            let found = quoted(self.line.get(start..start + length).unwrap_or_default());
            let expected = "an integer of at most 53 bits in its shortest form".to_owned();
            return Err(NotCanonical { at: start, expected, found });
        }
        self.at += length;
        Ok(())
    }

    fn word(&mut self, word: &str) -> Result<(), NotCanonical> {
        if !self.bytes.get(self.at..).unwrap_or_default().starts_with(word.as_bytes()) {
            return Err(self.wrong("a value"));
        }
        self.at += word.len();
        Ok(())
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn wrong(&self, expected: &str) -> NotCanonical {
        NotCanonical { at: self.at, expected: expected.to_owned(), found: found_at(self.line, self.at) }
    }
}

/// The bytes that a canonical string stands for; its escapes all stand for one byte.
struct Decoded<'a>(std::slice::Iter<'a, u8>);

impl Iterator for Decoded<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        let byte = *self.0.next()?;
        if byte != b'\\' {
            return Some(byte);
        }
        match *self.0.next()? {
            b'b' => Some(0x08),
            b't' => Some(0x09),
            b'n' => Some(0x0A),
            b'f' => Some(0x0C),
            b'r' => Some(0x0D),
            b'u' => {
                let high = self.0.nth(2).and_then(|digit| char::from(*digit).to_digit(16))?;
                let low = self.0.next().and_then(|digit| char::from(*digit).to_digit(16))?;
                u8::try_from(high * 16 + low).ok()
            }
            other => Some(other),
        }
    }
}
