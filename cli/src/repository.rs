//! The repository that a run belongs to, read from files; no program is started.

use std::fs;
use std::path::{Path, PathBuf};

use ralplan_core::ledger::RepositoryBinding;

/// Branch and commit of the repository at a root; empty without one.
pub(crate) fn binding(root: &Path) -> RepositoryBinding {
    let worktree = root.to_str().map(str::to_owned);
    let Some((own, common)) = git_folders(&root.join(".git")) else {
        return RepositoryBinding { worktree, ..RepositoryBinding::default() };
    };
    let Some(head) = line(&own.join("HEAD")) else {
        return RepositoryBinding { worktree, ..RepositoryBinding::default() };
    };
    match head.strip_prefix("ref: ") {
        Some(name) => RepositoryBinding {
            worktree,
            head: commit(&own, &common, name),
            branch: Some(name.strip_prefix("refs/heads/").unwrap_or(name).to_owned()),
        },
        None => RepositoryBinding { worktree, head: Some(head), branch: None },
    }
}

/// The folder of this work tree and the one that all work trees share.
fn git_folders(git: &Path) -> Option<(PathBuf, PathBuf)> {
    if git.is_dir() {
        return Some((git.to_owned(), git.to_owned()));
    }
    let pointer = line(git)?;
    let own = git.parent()?.join(pointer.strip_prefix("gitdir: ")?);
    let common = line(&own.join("commondir")).map_or_else(|| own.clone(), |common| own.join(common));
    Some((own, common))
}

/// The commit that a reference names.
fn commit(own: &Path, common: &Path, name: &str) -> Option<String> {
    if let Some(commit) = line(&own.join(name)).or_else(|| line(&common.join(name))) {
        return Some(commit);
    }
    let packed = fs::read_to_string(common.join("packed-refs")).ok()?;
    packed.lines().find_map(|row| row.strip_suffix(name)?.strip_suffix(' ').map(str::to_owned))
}

fn line(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    text.lines().next().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branch_and_commit_are_read_from_loose_and_packed_references() {
        let root = tempfile::tempdir().unwrap();
        let git = root.path().join(".git");
        fs::create_dir_all(git.join("refs/heads")).unwrap();
        fs::write(git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        fs::write(git.join("packed-refs"), "# pack-refs\nabc123 refs/heads/main\n").unwrap();
        let packed = binding(root.path());
        assert_eq!((packed.branch.as_deref(), packed.head.as_deref()), (Some("main"), Some("abc123")));
        fs::write(git.join("refs/heads/main"), "def456\n").unwrap();
        assert_eq!(binding(root.path()).head.as_deref(), Some("def456"));
    }
}
