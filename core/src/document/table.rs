//! Cells of a table row.

use std::collections::BTreeMap;

/// Splits a row of source at its pipes.
///
/// A pipe behind a backslash or inside a code span is text. Outer pipes make no cells. Emphasis marks are removed.
pub(crate) fn split_row(row: &str) -> Vec<String> {
    let letters: Vec<char> = row.trim().chars().collect();
    let closers = last_runs(&letters);
    let mut cells = vec![String::new()];
    let mut at = 0;
    while let Some(letter) = letters.get(at).copied() {
        let run = if letter == '`' { run_length(&letters, at) } else { 0 };
        if run > 0 && closers.get(&run).is_some_and(|last| *last > at) {
            let end = code_end(&letters, at + run, run);
            add(&mut cells, letters.get(at..end).unwrap_or_default());
            at = end;
        } else if letter == '\\' && letters.get(at + 1) == Some(&'|') {
            add(&mut cells, &['|']);
            at += 2;
        } else if letter == '|' {
            cells.push(String::new());
            at += 1;
        } else {
            add(&mut cells, &[letter]);
            at += 1;
        }
    }
    finish(cells)
}

fn add(cells: &mut [String], letters: &[char]) {
    let Some(cell) = cells.last_mut() else { return };
    let mut escaped = false;
    for letter in letters {
        if escaped && *letter == '|' {
            cell.pop();
        }
        escaped = *letter == '\\';
        cell.push(*letter);
    }
}

fn finish(cells: Vec<String>) -> Vec<String> {
    let last = cells.len().saturating_sub(1);
    cells
        .into_iter()
        .enumerate()
        .filter(|(index, cell)| !((*index == 0 || *index == last) && last > 0 && cell.trim().is_empty()))
        .map(|(_, cell)| cell.replace("**", "").replace("<br>", " ").trim().to_owned())
        .collect()
}

/// For each length of back-tick run, where its last run starts.
fn last_runs(letters: &[char]) -> BTreeMap<usize, usize> {
    let mut runs = BTreeMap::new();
    let mut at = 0;
    while at < letters.len() {
        let run = run_length(letters, at);
        if run > 0 {
            runs.insert(run, at);
        }
        at += run.max(1);
    }
    runs
}

fn run_length(letters: &[char], at: usize) -> usize {
    letters.get(at..).unwrap_or_default().iter().take_while(|letter| **letter == '`').count()
}

/// The index behind the run of exactly `run` back-ticks that closes a span.
fn code_end(letters: &[char], from: usize, run: usize) -> usize {
    let mut at = from;
    while at < letters.len() {
        let length = run_length(letters, at);
        if length == run {
            return at + run;
        }
        at += length.max(1);
    }
    letters.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaped_and_coded_pipes_do_not_split() {
        assert_eq!(split_row("| 1 | a \\| b | `x | y` | **z** |"), ["1", "a | b", "`x | y`", "z"]);
        assert_eq!(split_row("| `a \\| b` | c |"), ["`a | b`", "c"]);
        assert_eq!(split_row("a | b"), ["a", "b"]);
        assert_eq!(split_row("| `a | b |"), ["`a", "b"]);
        assert_eq!(split_row("| ``a ` | b`` | c |"), ["``a ` | b``", "c"]);
    }

    #[test]
    fn inner_empty_cells_stay() {
        assert_eq!(split_row("| a | | c |"), ["a", "", "c"]);
        assert_eq!(split_row("| a |  |"), ["a", ""]);
        assert_eq!(split_row(""), [""]);
    }
}
