//! File paths that a plan names.

use super::blocks::{Kind, Line};

/// Extensions that make a word without a slash a file.
const EXTENSIONS: [&str; 58] = [
    "rs", "ts", "tsx", "js", "jsx", "mjs", "cjs", "py", "pyi", "go", "java", "kt", "swift", "c", "h", "cc",
    "cpp", "hpp", "cs", "rb", "php", "scala", "ex", "exs", "sh", "bash", "zsh", "ps1", "sql", "md", "mdx",
    "txt", "json", "jsonl", "json5", "toml", "yaml", "yml", "xml", "html", "css", "scss", "vue", "svelte",
    "lock", "ini", "cfg", "conf", "env", "proto", "graphql", "tf", "gradle", "lua", "zig", "csv", "svg",
    "wasm",
];

/// Files that have no extension.
const BARE_FILES: [&str; 8] =
    ["Makefile", "Dockerfile", "LICENSE", "README", "CHANGELOG", "justfile", "Justfile", "Procfile"];

/// The paths on a line: back-ticked words that look like one, and plain words with a slash and an extension.
pub(crate) fn paths_in(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (index, piece) in text.split('`').enumerate() {
        if index % 2 == 1 {
            found.extend(as_path(piece.trim(), true));
        } else {
            let words = piece.split(|letter: char| {
                letter.is_whitespace() || matches!(letter, ',' | '(' | ')' | '|' | '"')
            });
            found.extend(words.filter_map(|word| as_path(word, false)));
        }
    }
    found
}

/// The paths of some lines in their order, each once.
pub(crate) fn paths_of(lines: &[Line]) -> Vec<String> {
    let mut seen = std::collections::BTreeSet::new();
    let texts = lines.iter().filter(|line| !line.quoted).map(|line| &line.text);
    texts.flat_map(|text| paths_in(text)).filter(|path| seen.insert(path.clone())).collect()
}

/// The paths of a document that stand in back-ticks outside code blocks.
pub(crate) fn ticked_paths(lines: &[Line]) -> Vec<String> {
    let mut seen = std::collections::BTreeSet::new();
    let texts = lines.iter().filter(|line| !matches!(line.kind, Kind::Code(_))).map(|line| &line.text);
    let pieces = texts.flat_map(|text| text.split('`').skip(1).step_by(2));
    pieces.filter_map(|piece| as_path(piece.trim(), true)).filter(|path| seen.insert(path.clone())).collect()
}

fn as_path(word: &str, is_ticked: bool) -> Option<String> {
    let word = word.trim_matches(['*', '_', '[', ']', '<', '>', ';', '\'']).trim_end_matches(['.', ':']);
    let word = without_line(word);
    let is_plain = |letter: char| {
        letter.is_alphanumeric() || matches!(letter, '/' | '.' | '_' | '-' | '@' | '+' | '\\' | '[' | ']')
    };
    if word.is_empty() || word.contains("://") || !word.chars().all(is_plain) {
        return None;
    }
    let (folder, name) =
        word.rsplit_once(['/', '\\']).map_or((None, word), |(folder, name)| (Some(folder), name));
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    let known = extension
        .is_some_and(|extension| EXTENSIONS.iter().any(|other| other.eq_ignore_ascii_case(extension)));
    let has_extension = extension.is_some_and(|extension| {
        !extension.is_empty()
            && extension.len() <= 10
            && extension.starts_with(|letter: char| letter.is_ascii_alphabetic())
    });
    let is_path = match folder {
        Some(_) if is_ticked => !name.is_empty(),
        Some(_) => has_extension,
        None if is_ticked => known || BARE_FILES.contains(&name) || (name.starts_with('.') && name.len() > 2),
        None => false,
    };
    (is_path && name.chars().any(char::is_alphanumeric)).then(|| word.to_owned())
}

/// A path without `:12`, `:12-20` or `#L3` at its end.
fn without_line(word: &str) -> &str {
    let word = word.split("#L").next().unwrap_or(word);
    match word.split_once(':') {
        Some((path, line)) if line.starts_with(|letter: char| letter.is_ascii_digit()) => path,
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_told_from_other_words() {
        assert_eq!(
            paths_in("edit `src/a.rs:12-20` and `Cargo.toml`, see docs/b.md."),
            ["src/a.rs", "Cargo.toml", "docs/b.md"]
        );
        assert_eq!(paths_in("`bin/run` and `Makefile` and `.env`"), ["bin/run", "Makefile", ".env"]);
        for text in [
            "and/or",
            "`cargo test`",
            "`Foo.bar()`",
            "`1.2.3`",
            "https://a.b/c.html",
            "`src/**`",
            "`src/`",
            "e.g. this",
            "a/b",
        ] {
            assert!(paths_in(text).is_empty(), "{text} {:?}", paths_in(text));
        }
    }
}
