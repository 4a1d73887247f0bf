//! A folder that nothing leaves: files below one root, reached without following symbolic links.
//!
//! Every path is checked and walked component by component on open handles, so that a link that is put in place while
//! the program runs leads nowhere.

mod error;
mod path;

pub use error::FolderError;
pub use path::{PathError, check_path};

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use cap_fs_ext::{DirExt, FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};

use crate::fault;

/// How long a lock is waited for.
const LOCK_LIMIT: Duration = Duration::from_secs(30);

/// A folder that nothing leaves.
#[derive(Debug)]
pub struct Folder {
    root: Dir,
}

/// Holds a lock until it is dropped.
#[derive(Debug)]
pub struct LockGuard {
    _file: File,
}

impl Folder {
    /// Opens a folder.
    ///
    /// # Errors
    /// When it is not a folder that can be opened.
    pub fn open(root: &Path) -> Result<Folder, FolderError> {
        let root_dir = Dir::open_ambient_dir(root, ambient_authority());
        Ok(Folder {
            root: root_dir.map_err(|source| FolderError::io("open", &root.display().to_string(), source))?,
        })
    }

    /// The folder of a path and the name in it; with `make`, folders on the way are made.
    fn parent<'a>(&self, path: &'a str, make: bool) -> Result<Option<(Dir, &'a str)>, FolderError> {
        check_path(path)?;
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
        Ok(self.walk(folders, make)?.map(|dir| (dir, name)))
    }

    fn walk(&self, folders: &str, make: bool) -> Result<Option<Dir>, FolderError> {
        let mut dir = self.root.try_clone().map_err(|source| FolderError::io("open", folders, source))?;
        for part in folders.split('/').filter(|part| !part.is_empty()) {
            dir = match enter(&dir, part) {
                Ok(inner) => inner,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound && make => {
                    make_folder(&dir, part)
                        .map_err(|source| FolderError::io("make the folder", folders, source))?;
                    enter(&dir, part).map_err(|source| step_error(&dir, part, folders, source))?
                }
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(step_error(&dir, part, folders, error)),
            };
        }
        Ok(Some(dir))
    }

    /// Reads a file; none when there is no file of that name.
    ///
    /// # Errors
    /// When it is no plain file, larger than `most` bytes, or cannot be read.
    pub fn read(&self, path: &str, most: u64) -> Result<Option<Vec<u8>>, FolderError> {
        let Some((dir, name)) = self.parent(path, false)? else { return Ok(None) };
        let mut options = plain();
        let file = match dir.open_with(name, options.read(true)) {
            Ok(file) => file.into_std(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(file_error(&dir, name, path, error)),
        };
        let metadata = file.metadata().map_err(|source| FolderError::io("read", path, source))?;
        if !metadata.is_file() {
            return Err(FolderError::NotAFile { path: path.to_owned() });
        }
        if metadata.len() > most {
            return Err(FolderError::TooLarge { path: path.to_owned(), most, found: metadata.len() });
        }
        let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0));
        file.take(most.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|source| FolderError::io("read", path, source))?;
        Ok(Some(bytes))
    }

    /// True when a plain file has this name.
    #[must_use]
    pub fn is_file(&self, path: &str) -> bool {
        let Ok(Some((dir, name))) = self.parent(path, false) else { return false };
        dir.symlink_metadata(name).is_ok_and(|metadata| metadata.is_file())
    }

    /// Writes a file unless there is one; returns true when it was written.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn put_if_absent(&self, path: &str, bytes: &[u8]) -> Result<bool, FolderError> {
        let Some((dir, name)) = self.parent(path, true)? else { return Err(FolderError::gone(path)) };
        if dir.symlink_metadata(name).is_ok() {
            return Ok(false);
        }
        fault::point("put.before_write")?;
        let temporary = write_temporary(&dir, name, path, bytes)?;
        fault::point("put.before_link")?;
        // A hard link does not replace what is there, unlike a rename.
        let linked = dir.hard_link(&temporary, &dir, name);
        let _ = dir.remove_file(&temporary);
        match linked {
            Ok(()) => {
                sync_folder(&dir, path)?;
                fault::point("put.after_link")?;
                Ok(true)
            }
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(FolderError::io("write", path, error)),
        }
    }

    /// Writes a file, in place of one of that name.
    ///
    /// # Errors
    /// When it cannot be written; then the old one is untouched.
    pub fn replace(&self, path: &str, bytes: &[u8]) -> Result<(), FolderError> {
        let Some((dir, name)) = self.parent(path, true)? else { return Err(FolderError::gone(path)) };
        if let Ok(metadata) = dir.symlink_metadata(name)
            && !metadata.is_file()
        {
            return Err(not_plain(path, metadata.is_symlink()));
        }
        fault::point("replace.before_write")?;
        let temporary = write_temporary(&dir, name, path, bytes)?;
        fault::point("replace.before_rename")?;
        if let Err(error) = dir.rename(&temporary, &dir, name) {
            let _ = dir.remove_file(&temporary);
            return Err(FolderError::io("write", path, error));
        }
        fault::point("replace.after_rename")?;
        sync_folder(&dir, path)
    }

    /// Appends to a file whose length is known; returns false, and writes nothing, when its length is another.
    /// Call it under a lock.
    ///
    /// # Errors
    /// When it cannot be written; how much arrived is then unknown.
    pub fn append(&self, path: &str, expected: u64, bytes: &[u8]) -> Result<bool, FolderError> {
        let Some((dir, name)) = self.parent(path, true)? else { return Err(FolderError::gone(path)) };
        let is_new = dir.symlink_metadata(name).is_err();
        let mut options = plain();
        let opened = dir.open_with(name, options.append(true).create(true));
        let mut file = opened.map_err(|error| file_error(&dir, name, path, error))?.into_std();
        let metadata = file.metadata().map_err(|source| FolderError::io("append to", path, source))?;
        if !metadata.is_file() {
            return Err(FolderError::NotAFile { path: path.to_owned() });
        }
        if metadata.len() != expected {
            return Ok(false);
        }
        fault::point("append.before_write")?;
        if let Some(half) = fault::torn("append.torn").then(|| bytes.get(..bytes.len() / 2)).flatten() {
            let _ = file.write_all(half);
            fault::abort();
        }
        file.write_all(bytes).map_err(|source| FolderError::io("append to", path, source))?;
        fault::point("append.before_sync")?;
        file.sync_data().map_err(|source| FolderError::io("append to", path, source))?;
        if is_new {
            sync_folder(&dir, path)?;
        }
        fault::point("append.after_sync")?;
        Ok(true)
    }

    /// Appends to a file of any length.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn append_any(&self, path: &str, bytes: &[u8]) -> Result<(), FolderError> {
        let Some((dir, name)) = self.parent(path, true)? else { return Err(FolderError::gone(path)) };
        let mut options = plain();
        let opened = dir.open_with(name, options.append(true).create(true));
        let mut file = opened.map_err(|error| file_error(&dir, name, path, error))?.into_std();
        file.write_all(bytes).map_err(|source| FolderError::io("append to", path, source))
    }

    /// Cuts a file to a length.
    ///
    /// # Errors
    /// When it cannot be cut.
    pub fn truncate(&self, path: &str, length: u64) -> Result<(), FolderError> {
        let Some((dir, name)) = self.parent(path, false)? else { return Err(FolderError::gone(path)) };
        let mut options = plain();
        let file = dir
            .open_with(name, options.write(true))
            .map_err(|error| file_error(&dir, name, path, error))?
            .into_std();
        fault::point("truncate.before_cut")?;
        let mut file = file;
        let cut =
            file.set_len(length).and_then(|()| file.seek(SeekFrom::End(0))).and_then(|_| file.sync_all());
        cut.map_err(|source| FolderError::io("cut", path, source))
    }

    /// Gives a file another name, unless that name is taken.
    ///
    /// # Errors
    /// When it cannot be renamed.
    pub fn rename_aside(&self, path: &str, aside: &str) -> Result<(), FolderError> {
        let Some((dir, name)) = self.parent(path, false)? else { return Ok(()) };
        let Some((target, new_name)) = self.parent(aside, true)? else {
            return Err(FolderError::gone(aside));
        };
        dir.rename(name, &target, new_name).map_err(|source| FolderError::io("rename", path, source))?;
        sync_folder(&target, aside)
    }

    /// Removes a file; a missing one is fine.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn remove(&self, path: &str) -> Result<(), FolderError> {
        let Some((dir, name)) = self.parent(path, false)? else { return Ok(()) };
        match dir.remove_file(name) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(FolderError::io("remove", path, error)),
        }
    }

    /// The names of the plain files in a folder, sorted; none when there is no such folder.
    ///
    /// # Errors
    /// When it cannot be listed.
    pub fn list_files(&self, folder: &str) -> Result<Vec<String>, FolderError> {
        self.names(folder, false)
    }

    /// The names of the folders in a folder, sorted; links are left out.
    ///
    /// # Errors
    /// When it cannot be listed.
    pub fn list_folders(&self, folder: &str) -> Result<Vec<String>, FolderError> {
        self.names(folder, true)
    }

    fn names(&self, folder: &str, folders: bool) -> Result<Vec<String>, FolderError> {
        if !folder.is_empty() {
            check_path(folder)?;
        }
        let Some(dir) = self.walk(folder, false)? else { return Ok(Vec::new()) };
        let mut names = Vec::new();
        for entry in dir.entries().map_err(|source| FolderError::io("list", folder, source))? {
            let entry = entry.map_err(|source| FolderError::io("list", folder, source))?;
            let kind = entry.file_type().map_err(|source| FolderError::io("list", folder, source))?;
            let fits = if folders { kind.is_dir() } else { kind.is_file() };
            if let Some(name) = entry.file_name().to_str().filter(|_| fits) {
                names.push(name.to_owned());
            }
        }
        names.sort();
        Ok(names)
    }

    /// Takes an exclusive lock on a file, which is made when it is missing and never removed.
    ///
    /// # Errors
    /// `store.locked` when another process holds it for 30 seconds.
    pub fn lock(&self, path: &str) -> Result<LockGuard, FolderError> {
        let Some((dir, name)) = self.parent(path, true)? else { return Err(FolderError::gone(path)) };
        let mut options = plain();
        let opened = dir.open_with(name, options.write(true).create(true));
        let file = opened.map_err(|error| file_error(&dir, name, path, error))?.into_std();
        let start = Instant::now();
        let mut pause = Duration::from_millis(1);
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(LockGuard { _file: file }),
                Err(std::fs::TryLockError::WouldBlock) if start.elapsed() < LOCK_LIMIT => {
                    thread::sleep(pause);
                    pause = (pause * 2).min(Duration::from_millis(25));
                }
                Err(std::fs::TryLockError::WouldBlock) => {
                    return Err(FolderError::Locked { path: path.to_owned() });
                }
                Err(std::fs::TryLockError::Error(source)) => {
                    return Err(FolderError::io("lock", path, source));
                }
            }
        }
    }
}

/// Options under which no link is followed and no pipe is waited for.
fn plain() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.follow(FollowSymlinks::No).nonblock(true);
    options
}

fn enter(dir: &Dir, part: &str) -> std::io::Result<Dir> {
    dir.open_dir_nofollow(part)
}

fn make_folder(dir: &Dir, part: &str) -> std::io::Result<()> {
    match dir.create_dir(part) {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
        Ok(()) => sync(dir),
    }
}

/// What is wrong with a folder on the way.
fn step_error(dir: &Dir, part: &str, folders: &str, source: std::io::Error) -> FolderError {
    match dir.symlink_metadata(part) {
        Ok(metadata) if metadata.is_symlink() => {
            FolderError::Link { path: folders.to_owned(), part: part.to_owned() }
        }
        Ok(metadata) if !metadata.is_dir() => {
            FolderError::NotAFolder { path: folders.to_owned(), part: part.to_owned() }
        }
        _ => FolderError::io("open", folders, source),
    }
}

/// What is wrong with a file that cannot be opened.
fn file_error(dir: &Dir, name: &str, path: &str, source: std::io::Error) -> FolderError {
    match dir.symlink_metadata(name) {
        Ok(metadata) if !metadata.is_file() => not_plain(path, metadata.is_symlink()),
        _ => FolderError::io("open", path, source),
    }
}

fn not_plain(path: &str, is_link: bool) -> FolderError {
    if is_link {
        let part = path.rsplit_once('/').map_or(path, |(_, name)| name);
        FolderError::Link { path: path.to_owned(), part: part.to_owned() }
    } else {
        FolderError::NotAFile { path: path.to_owned() }
    }
}

/// Writes a synced file of a name that nobody else uses, and returns that name.
fn write_temporary(dir: &Dir, name: &str, path: &str, bytes: &[u8]) -> Result<String, FolderError> {
    let mut random = [0_u8; 8];
    getrandom::fill(&mut random)
        .map_err(|error| FolderError::io("write", path, std::io::Error::other(error.to_string())))?;
    let suffix: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
    let short: String = name.chars().take(80).collect();
    let temporary = format!(".{short}.{suffix}.tmp");
    let mut options = plain();
    let opened = dir.open_with(&temporary, options.write(true).create_new(true));
    let mut file = opened.map_err(|source| FolderError::io("write", path, source))?.into_std();
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    if let Err(source) = written {
        let _ = dir.remove_file(&temporary);
        return Err(FolderError::io("write", path, source));
    }
    Ok(temporary)
}

fn sync_folder(dir: &Dir, path: &str) -> Result<(), FolderError> {
    sync(dir).map_err(|source| FolderError::io("sync the folder of", path, source))
}

/// Syncs a folder, so that the names in it last. The handle itself only stands for the path and cannot be synced.
#[cfg(unix)]
fn sync(dir: &Dir) -> std::io::Result<()> {
    dir.open(".")?.into_std().sync_all()
}

/// Other systems have no such call.
#[cfg(not(unix))]
fn sync(_: &Dir) -> std::io::Result<()> {
    Ok(())
}
