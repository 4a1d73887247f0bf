//! Ids and one-time tokens.

use ralplan_host::clock;
use ralplan_host::drive::random_id;

use crate::exit::Failure;

/// A new run id: date and time in UTC, and 4 random digits.
pub(crate) fn run_id() -> Result<String, Failure> {
    let time: String = clock::now().chars().filter(|character| character.is_ascii_digit()).collect();
    let (day, clock) = time.split_at_checked(8).unwrap_or((&time, ""));
    let random = random_id()?;
    Ok(format!("{day}-{}-{}", clock.get(..4).unwrap_or_default(), random.get(..4).unwrap_or_default()))
}

/// A new one-time token: 256 bits that nobody guesses.
pub(crate) fn token() -> Result<String, Failure> {
    Ok(format!("{}{}", random_id()?, random_id()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_have_their_form_and_tokens_differ() {
        let id = run_id().unwrap();
        assert_eq!(id.len(), "20260131-0930-1f2c".len(), "{id}");
        assert_eq!(id.matches('-').count(), 2, "{id}");
        assert_ne!(token().unwrap(), token().unwrap());
        assert_eq!(token().unwrap().len(), 64);
    }
}
