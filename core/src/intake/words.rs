//! The words of a text, also those inside identifiers, in a form that can be compared.

/// Longer words are no words of a language; what follows is not compared.
const LONGEST: usize = 48;

/// One word of a text.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Word {
    /// The word in lower case and without accents, shortened to 48 characters.
    pub(super) folded: String,
    /// The first byte.
    pub(super) start: usize,
    /// The byte after the last one.
    pub(super) end: usize,
    /// True when punctuation or an empty line keeps it apart from the word before.
    pub(super) is_apart: bool,
}

/// The words of a text in their order; `loginHandler` and `user_password` are two words each.
///
/// Text of scripts that are written without spaces is passed over.
pub(super) struct Words<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Words<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Passes what is between words; true when it keeps them apart.
    fn skip_gap(&mut self) -> bool {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let (mut newlines, mut others, mut is_apart) = (0, 0, self.at == 0);
        for character in rest.chars() {
            if is_word_character(character) {
                break;
            }
            match character {
                '\n' => newlines += 1,
                '-' | '_' | '/' | '\'' | '’' | '`' | '"' | '*' => others += 1,
                _ if character.is_whitespace() => {}
                _ => is_apart = true,
            }
            self.at += character.len_utf8();
        }
        is_apart || newlines > 1 || (newlines == 1 && others > 0)
    }
}

impl Iterator for Words<'_> {
    type Item = Word;

    fn next(&mut self) -> Option<Word> {
        let is_apart = self.skip_gap();
        let start = self.at;
        let mut word = Word { folded: String::new(), start, end: start, is_apart };
        let mut characters = self.text.get(start..)?.chars();
        let (mut before, mut has_letters, mut count) = (None, false, 0);
        while let Some(character) = characters.next() {
            if !is_word_character(character)
                || begins_word(before, has_letters, character, characters.as_str())
            {
                break;
            }
            self.at += character.len_utf8();
            if is_silent(character) {
                continue;
            }
            has_letters |= character.is_alphabetic();
            before = Some(character);
            count += 1;
            if count <= LONGEST {
                fold_into(&mut word.folded, character);
            }
        }
        word.end = self.at;
        (word.end > word.start).then_some(word)
    }
}

/// True when a new word begins inside a run of letters and digits: `loginHandler`, `JWTStore`, `OAuth2Client`.
fn begins_word(before: Option<char>, has_letters: bool, character: char, rest: &str) -> bool {
    let Some(before) = before else { return false };
    if !character.is_uppercase() {
        return false;
    }
    if !before.is_uppercase() {
        return has_letters;
    }
    let mut after = rest.chars();
    match after.next() {
        // A plural, as in `JWTs`.
        Some('s') => after.next().is_some_and(char::is_lowercase),
        Some(next) => next.is_lowercase(),
        None => false,
    }
}

fn is_word_character(character: char) -> bool {
    (character.is_alphanumeric() && !is_unspaced(character)) || is_silent(character)
}

/// Accents that follow their letter, and characters that are not seen.
fn is_silent(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36F}' | '\u{AD}' | '\u{200B}'..='\u{200D}' | '\u{2060}')
}

/// True for Chinese, Japanese and Korean, where a word is not what stands between two spaces.
fn is_unspaced(character: char) -> bool {
    matches!(
        character,
        '\u{1100}'..='\u{11FF}'
            | '\u{3005}'..='\u{3007}'
            | '\u{3040}'..='\u{318F}'
            | '\u{31F0}'..='\u{31FF}'
            | '\u{3400}'..='\u{9FFF}'
            | '\u{AC00}'..='\u{D7AF}'
            | '\u{F900}'..='\u{FAFF}'
            | '\u{FF66}'..='\u{FF9F}'
            | '\u{20000}'..='\u{3FFFF}'
    )
}

/// A word as it is compared.
pub(super) fn folded(word: &str) -> String {
    let mut out = String::new();
    for character in word.chars() {
        fold_into(&mut out, character);
    }
    out
}

fn fold_into(out: &mut String, character: char) {
    let plain = match character {
        // Full-width forms stand in the order of ASCII.
        '\u{FF01}'..='\u{FF5E}' => {
            u32::from(character).checked_sub(0xFEE0).and_then(char::from_u32).unwrap_or(character)
        }
        _ => character,
    };
    for letter in plain.to_lowercase() {
        match letter {
            'à'..='å' | 'ā' | 'ă' | 'ą' => out.push('a'),
            'ç' | 'ć' | 'č' => out.push('c'),
            'è'..='ë' | 'ē' | 'ę' | 'ě' => out.push('e'),
            'ì'..='ï' | 'ī' | 'ı' => out.push('i'),
            'ñ' | 'ń' | 'ň' => out.push('n'),
            'ò'..='ö' | 'ø' | 'ō' | 'ő' => out.push('o'),
            'ù'..='ü' | 'ū' | 'ů' | 'ű' => out.push('u'),
            'ý' | 'ÿ' => out.push('y'),
            'ß' => out.push_str("ss"),
            'æ' => out.push_str("ae"),
            'œ' => out.push_str("oe"),
            'ё' => out.push('е'),
            'й' => out.push('и'),
            _ if is_silent(letter) => {}
            _ => out.push(letter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        Words::new(text).map(|word| word.folded).collect()
    }

    #[test]
    fn splits_identifiers() {
        for (text, expected) in [
            ("loginHandler", "login handler"),
            ("user_password", "user password"),
            ("PaymentService", "payment service"),
            ("JWTStore JWTs APIsOf", "jwt store jwts apis of"),
            ("OAuth2Client", "o auth2 client"),
            ("2FA s3 v2", "2fa s3 v2"),
            ("src/auth/login.ts", "src auth login ts"),
            ("ПаролиПользователя", "пароли пользователя"),
        ] {
            assert_eq!(words(text).join(" "), expected, "{text}");
        }
    }

    #[test]
    fn folds_case_accents_and_widths() {
        assert_eq!(
            words("AUTENTICACIÓN autenticacio\u{301}n ｏａｕｔｈ Größe pass\u{AD}word"),
            ["autenticacion", "autenticacion", "oauth", "grosse", "password"]
        );
        assert_eq!(words("\u{301}"), [""]);
    }

    #[test]
    fn knows_what_keeps_words_apart() {
        let apart = |text: &str| Words::new(text).nth(1).unwrap().is_apart;
        for text in ["a b", "a-b", "a\nb", "a --b", "aB", "a **b**", "d'API"] {
            assert!(!apart(text), "{text}");
        }
        for text in ["a. b", "a, b", "a\n\nb", "a\n- b", "a (b)", "a 登 b"] {
            assert!(apart(text), "{text}");
        }
    }

    #[test]
    fn places_are_those_of_the_text() {
        let text = "é loginHandler";
        let places: Vec<_> = Words::new(text).map(|word| text.get(word.start..word.end).unwrap()).collect();
        assert_eq!(places, ["é", "login", "Handler"]);
    }
}
