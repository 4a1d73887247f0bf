//! Which folder a command works in.

use std::path::{Path, PathBuf};

/// Folders that mark a root.
const MARKS: &[&str] = &[".ralplan", ".gjc", ".omx"];

/// The root for a command: the nearest folder that holds `.ralplan`, `.gjc` or `.omx`, not above the top of the git
/// work tree and never the home folder; else the top of the git work tree; else the folder itself.
#[must_use]
pub fn find_root(start: &Path, home: Option<&Path>) -> PathBuf {
    find_root_with(start, home, &|path| path.symlink_metadata().is_ok())
}

fn find_root_with(start: &Path, home: Option<&Path>, exists: &dyn Fn(&Path) -> bool) -> PathBuf {
    let is_top = |folder: &Path| exists(&folder.join(".git"));
    let top = start.ancestors().find(|folder| is_top(folder));
    for folder in start.ancestors() {
        let is_home = home == Some(folder);
        if !is_home && MARKS.iter().any(|mark| exists(&folder.join(mark))) {
            return folder.to_owned();
        }
        if Some(folder) == top {
            break;
        }
        // Without a work tree, a mark further up belongs to something else when the home folder lies between.
        if is_home {
            break;
        }
    }
    top.unwrap_or(start).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(start: &str, present: &[&str]) -> String {
        let exists = |path: &Path| present.iter().any(|known| path == Path::new(known));
        find_root_with(Path::new(start), Some(Path::new("/home/me")), &exists).to_string_lossy().into_owned()
    }

    #[test]
    fn the_nearest_mark_wins_inside_a_work_tree() {
        assert_eq!(root("/home/me/app/src", &["/home/me/app/.git", "/home/me/app/.ralplan"]), "/home/me/app");
        assert_eq!(
            root("/home/me/app/src", &["/home/me/app/.git", "/home/me/app/src/.gjc"]),
            "/home/me/app/src"
        );
    }

    #[test]
    fn marks_above_the_work_tree_and_in_the_home_folder_do_not_count() {
        assert_eq!(root("/home/me/app/src", &["/home/me/app/.git", "/home/me/.ralplan"]), "/home/me/app");
        assert_eq!(root("/home/me/app", &["/home/me/.ralplan"]), "/home/me/app");
        assert_eq!(root("/home/me/app", &["/home/.omx"]), "/home/me/app");
    }

    #[test]
    fn without_marks_it_is_the_work_tree_or_the_folder() {
        assert_eq!(root("/home/me/app/src", &["/home/me/app/.git"]), "/home/me/app");
        assert_eq!(root("/srv/x", &[]), "/srv/x");
    }
}
