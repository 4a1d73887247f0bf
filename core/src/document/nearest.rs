//! The known word that looks most like an unknown one.

/// Words longer than this many characters are not compared; a hint is not worth the time.
const LONGEST: usize = 120;

/// Finds the known word with the smallest edit distance to `wanted`, ignoring ASCII case.
///
/// Returns `None` when nothing is close: more than a third of the wanted word would have to change.
///
/// ```
/// use ralplan_core::document::nearest;
/// assert_eq!(nearest(["plan-risks", "plan-steps"], "plan-risk"), Some("plan-risks"));
/// assert_eq!(nearest(["plan-risks"], "weather"), None);
/// ```
#[must_use]
pub fn nearest<'a>(known: impl IntoIterator<Item = &'a str>, wanted: &str) -> Option<&'a str> {
    let wanted: Vec<char> =
        wanted.chars().take(LONGEST + 1).map(|letter| letter.to_ascii_lowercase()).collect();
    if wanted.len() > LONGEST {
        return None;
    }
    let limit = (wanted.len() / 3).max(2);
    let mut best: Option<(usize, &'a str)> = None;
    for word in known {
        let letters: Vec<char> =
            word.chars().take(LONGEST + 1).map(|letter| letter.to_ascii_lowercase()).collect();
        let bound = best.map_or(limit + 1, |(distance, _)| distance);
        if letters.len().abs_diff(wanted.len()) >= bound {
            continue;
        }
        let distance = edit_distance(&letters, &wanted);
        if distance < bound && distance < wanted.len().max(1) {
            best = Some((distance, word));
        }
    }
    best.map(|(_, word)| word)
}

fn edit_distance(left: &[char], right: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (above, letter) in left.iter().enumerate() {
        let mut diagonal = above;
        let mut before = above + 1;
        let mut next = Vec::with_capacity(row.len());
        next.push(before);
        for (wanted, up) in right.iter().zip(row.iter().skip(1)) {
            let change = diagonal + usize::from(wanted != letter);
            before = change.min(before + 1).min(up + 1);
            next.push(before);
            diagonal = *up;
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance(left: &str, right: &str) -> usize {
        edit_distance(&left.chars().collect::<Vec<_>>(), &right.chars().collect::<Vec<_>>())
    }

    #[test]
    fn distances_are_the_textbook_ones() {
        for (left, right, expected) in
            [("kitten", "sitting", 3), ("", "abc", 3), ("abc", "", 3), ("abc", "abc", 0), ("ab", "ba", 2)]
        {
            assert_eq!(distance(left, right), expected, "{left} {right}");
        }
    }

    #[test]
    fn the_first_of_equals_wins_and_far_words_do_not() {
        assert_eq!(nearest(["ITERATE", "REJECT"], "iterat"), Some("ITERATE"));
        assert_eq!(nearest(["ab", "ac"], "ad"), Some("ab"));
        assert_eq!(nearest(["ab"], "xy"), None);
        assert_eq!(nearest([], "ad"), None);
    }
}
