//! What lies in the project, as far as a short look shows it.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};

use ralplan_core::document::{Outline, PlanFacts};

use super::words::{holds, stem, words};

/// Entries of the project that are looked at; a look must not take long.
const ENTRIES: usize = 2000;
/// Bytes of a file that are looked at.
const FIRST: u64 = 4096;
/// Folders that hold no source of the project.
const SKIPPED: &[&str] = &["target", "node_modules", "vendor", "dist", "build", "plans"];
/// Endings of files that are about the code rather than code.
const PROSE: &[&str] = &[".md", ".txt", ".json", ".toml", ".yaml", ".yml", ".lock", ".html"];
/// Manifests, the text that shows that there are tests, the command that runs them, and where a new file goes.
const MANIFESTS: &[(&str, &str, &str, &str)] = &[
    ("Cargo.toml", "[", "cargo test", "src/.rs"),
    ("package.json", "\"test\"", "npm test", "src/.js"),
    ("pyproject.toml", "", "python -m pytest", "src/.py"),
    ("go.mod", "", "go test ./...", "internal/.go"),
    ("Makefile", "test:", "make test", "docs/.md"),
];

/// The files of a project.
pub(crate) struct Project {
    root: PathBuf,
    /// Paths from the root, nearest first, with how the files start, in lower case.
    pub(crate) files: Vec<(String, String)>,
    /// The row of the manifest at the root.
    pub(crate) manifest: Option<(&'static str, &'static str, &'static str)>,
}

impl Project {
    pub(crate) fn walk(root: &Path) -> Project {
        let (mut files, mut seen, mut open) = (Vec::new(), 0, VecDeque::from([String::new()]));
        while let Some(folder) = open.pop_front() {
            let entries = fs::read_dir(root.join(&folder)).into_iter().flatten().flatten();
            let mut entries: Vec<_> = entries.take(ENTRIES).collect();
            entries.sort_by_key(fs::DirEntry::file_name);
            for entry in entries.into_iter().take(ENTRIES - seen) {
                seen += 1;
                let name = entry.file_name().to_string_lossy().into_owned();
                let is_odd = |letter: char| !letter.is_alphanumeric() && !"._-@+".contains(letter);
                if name.starts_with('.') || name.contains(is_odd) || SKIPPED.contains(&name.as_str()) {
                    continue;
                }
                let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => open.push_back(path),
                    Ok(kind) if kind.is_file() => files.push((path.clone(), start_of(&root.join(path)))),
                    _ => {}
                }
            }
        }
        let manifest = MANIFESTS.iter().find_map(|(name, sign, command, place)| {
            let (_, start) = files.iter().find(|(path, _)| path == name)?;
            start.contains(sign).then_some((*name, *command, *place))
        });
        Project { root: root.to_owned(), files, manifest }
    }

    /// Files whose path or first bytes hold words of a text, the best first, with the words. Code comes before prose.
    pub(crate) fn about(&self, text: &str) -> Vec<(&str, Vec<String>)> {
        let words = words(text);
        let scored = self.files.iter().filter_map(|(path, start)| {
            let (name, ticked) = (path.to_lowercase(), format!("`{path}`"));
            let is_nameable = PlanFacts::read(&ticked, &Outline::read(&ticked)).paths.len() == 1;
            let score = |word: &String| {
                3 * usize::from(holds(&name, &stem(word))) + usize::from(holds(start, &stem(word)))
            };
            let held: Vec<String> = words.iter().filter(|word| score(word) > 0).cloned().collect();
            let prose = PROSE.iter().filter(|ending| name.ends_with(**ending)).count();
            let sum = words.iter().map(score).sum::<usize>() + 2 - 2 * prose;
            (!held.is_empty() && is_nameable).then_some((sum, path.as_str(), held))
        });
        let mut scored: Vec<_> = scored.collect();
        scored.sort_by_key(|(sum, path, _)| (std::cmp::Reverse(*sum), *path));
        scored.into_iter().map(|(_, path, held)| (path, held)).collect()
    }

    /// True when a path, or one that ends with it, is there.
    pub(crate) fn has(&self, path: &str) -> bool {
        let is_there = || self.root.join(path).symlink_metadata().is_ok();
        is_inside(path)
            && (is_there() || self.files.iter().any(|(file, _)| file.ends_with(&format!("/{path}"))))
    }

    /// The text of a file inside the project.
    pub(crate) fn read(&self, path: &str) -> io::Result<String> {
        if is_inside(path) {
            fs::read_to_string(self.root.join(path))
        } else {
            Err(io::ErrorKind::InvalidInput.into())
        }
    }
}

fn start_of(path: &Path) -> String {
    let mut bytes = Vec::new();
    let _ = File::open(path).and_then(|file| file.take(FIRST).read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).to_lowercase()
}

fn is_inside(path: &str) -> bool {
    Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
}
