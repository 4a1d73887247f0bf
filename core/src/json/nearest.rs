//! The known name that someone probably meant.

/// Longer words are no misspelt names, and comparing them would cost the square of their length.
const LONGEST: usize = 64;

/// The candidate nearest to a word, if it is near enough to be a misspelling of it.
///
/// Case, `-` and `_` do not count; otherwise one change in three characters is near enough. Of equally near candidates
/// the first is taken.
///
/// ```
/// use ralplan_core::json::nearest::nearest;
///
/// assert_eq!(nearest("sesion_id", ["run_id", "session_id"]), Some("session_id"));
/// assert_eq!(nearest("colour", ["run_id", "session_id"]), None);
/// ```
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = simplified(word)?;
    let allowed = (word.len() / 3).max(1);
    candidates
        .into_iter()
        .filter_map(|candidate| Some((distance(&word, &simplified(candidate)?), candidate)))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

fn simplified(word: &str) -> Option<Vec<char>> {
    let letters: Vec<char> = word
        .chars()
        .take(LONGEST + 1)
        .flat_map(char::to_lowercase)
        .filter(|letter| !matches!(letter, '-' | '_'))
        .collect();
    (!letters.is_empty() && letters.len() <= LONGEST).then_some(letters)
}

/// Insertions, removals, replacements and swaps of neighbours that lead from one word to the other.
fn distance(left: &[char], right: &[char]) -> usize {
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    let mut left_before = None;
    for (row, left_letter) in left.iter().enumerate() {
        let mut current = vec![row + 1];
        let mut right_before = None;
        for (column, right_letter) in right.iter().enumerate() {
            let at = |costs: &[usize], index: usize| costs.get(index).copied().unwrap_or(usize::MAX / 2);
            let replaced = at(&last, column) + usize::from(left_letter != right_letter);
            let mut least = replaced.min(at(&last, column + 1) + 1).min(at(&current, column) + 1);
            if left_before == Some(right_letter) && right_before == Some(left_letter) {
                least = least.min(at(&before_last, column.wrapping_sub(1)) + 1);
            }
            current.push(least);
            right_before = Some(right_letter);
        }
        before_last = std::mem::replace(&mut last, current);
        left_before = Some(left_letter);
    }
    last.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_single_changes() {
        let letters = |word: &str| word.chars().collect::<Vec<_>>();
        for (left, right, expected) in
            [("", "abc", 3), ("abc", "", 3), ("abc", "abc", 0), ("abc", "acb", 1), ("kitten", "sitting", 3)]
        {
            assert_eq!(distance(&letters(left), &letters(right)), expected, "{left} {right}");
        }
    }

    #[test]
    fn ignores_case_and_separators() {
        assert_eq!(nearest("sessionId", ["session_id"]), Some("session_id"));
        assert_eq!(nearest("SESSION-ID", ["session_id"]), Some("session_id"));
    }

    #[test]
    fn is_silent_about_far_or_endless_words() {
        assert_eq!(nearest("at", ["seq"]), None);
        assert_eq!(nearest("", ["a"]), None);
        assert_eq!(nearest(&"a".repeat(10_000), ["aaaa"]), None);
    }
}
