//! Licence expressions as packages state them, and whether a list of licences satisfies them.
//!
//! The grammar is that of SPDX: `WITH` binds tighter than `AND`, `AND` tighter than `OR`. A slash, as in `MIT/Apache-2.0`,
//! is how older packages write `OR`.

/// True when the licences in `allowed` are enough to use a package under this expression.
///
/// An entry of `allowed` is a licence or a licence with its exception, for example `Apache-2.0 WITH LLVM-exception`.
///
/// # Errors
/// When the expression cannot be read.
pub(crate) fn is_allowed(expression: &str, allowed: &[&str]) -> Result<bool, String> {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let mut reader = Reader { words: spaced.split_whitespace().collect(), at: 0, allowed };
    let is_allowed = reader.any().map_err(|error| format!("`{expression}`: {error}"))?;
    match reader.peek() {
        None => Ok(is_allowed),
        Some(word) => Err(format!("`{expression}`: unexpected `{word}`")),
    }
}

struct Reader<'a> {
    words: Vec<&'a str>,
    at: usize,
    allowed: &'a [&'a str],
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.words.get(self.at).copied()
    }

    fn takes(&mut self, word: &str) -> bool {
        let is_there = self.peek().is_some_and(|next| next.eq_ignore_ascii_case(word));
        if is_there {
            self.at += 1;
        }
        is_there
    }

    fn any(&mut self) -> Result<bool, String> {
        let mut holds = self.all()?;
        while self.takes("OR") {
            let other = self.all()?;
            holds = holds || other;
        }
        Ok(holds)
    }

    fn all(&mut self) -> Result<bool, String> {
        let mut holds = self.one()?;
        while self.takes("AND") {
            let other = self.one()?;
            holds = holds && other;
        }
        Ok(holds)
    }

    fn one(&mut self) -> Result<bool, String> {
        if self.takes("(") {
            let holds = self.any()?;
            return if self.takes(")") { Ok(holds) } else { Err("a bracket is not closed".to_owned()) };
        }
        let licence = self.name()?;
        let stated =
            if self.takes("WITH") { format!("{licence} WITH {}", self.name()?) } else { licence.to_owned() };
        Ok(self.allowed.contains(&stated.as_str()))
    }

    fn name(&mut self) -> Result<&'a str, String> {
        let word = self.peek().ok_or("a licence is missing at the end")?;
        if ["AND", "OR", "WITH", "(", ")"].iter().any(|other| word.eq_ignore_ascii_case(other)) {
            return Err(format!("expected a licence, found `{word}`"));
        }
        self.at += 1;
        Ok(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALLOWED: &[&str] = &["MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "Unicode-3.0"];

    #[test]
    fn alternatives_need_one_and_conjunctions_all() {
        for (expression, expected) in [
            ("MIT", true),
            ("GPL-3.0-only", false),
            ("GPL-3.0-only OR MIT", true),
            ("MIT AND GPL-3.0-only", false),
            ("MIT AND Unicode-3.0", true),
            ("(MIT OR GPL-3.0-only) AND Unicode-3.0", true),
            ("(GPL-3.0-only OR LGPL-2.1-only) AND MIT", false),
            ("GPL-3.0-only AND MIT OR Apache-2.0", true),
            ("Apache-2.0 OR MIT AND GPL-3.0-only", true),
            ("GPL-3.0-only/MIT", true),
            ("mit or GPL-3.0-only", false),
        ] {
            assert_eq!(is_allowed(expression, ALLOWED), Ok(expected), "{expression}");
        }
    }

    #[test]
    fn an_exception_belongs_to_its_licence() {
        assert_eq!(is_allowed("Apache-2.0 WITH LLVM-exception OR GPL-3.0-only", ALLOWED), Ok(true));
        assert_eq!(is_allowed("MIT WITH LLVM-exception", ALLOWED), Ok(false));
        assert_eq!(is_allowed("Apache-2.0 WITH Classpath-exception-2.0", ALLOWED), Ok(false));
    }

    #[test]
    fn what_cannot_be_read_is_an_error_and_not_allowed() {
        for expression in
            ["", "MIT OR", "MIT Apache-2.0", "(MIT", "MIT)", "OR MIT", "MIT WITH", "MIT AND AND MIT"]
        {
            assert!(is_allowed(expression, ALLOWED).is_err(), "{expression}");
        }
    }
}
