//! The store on files: a folder per run, below one root.

use std::path::Path;

use ralplan_core::json::sha256_hex;
use ralplan_core::limits::LEDGER_BYTES;
use ralplan_core::reason::{Code, Reason};
use ralplan_core::run::{Fault, Tip, Witness};

use super::{Appended, RunKey, Store, StoreError, Stored, foreign_name};
use crate::folder::{self, Folder, FolderError, LockGuard};

/// Largest file that is read back, in bytes: the largest artifact of any protocol.
const FILE_BYTES: u64 = 64 * 1024 * 1024;

/// A store on files below one root. Nothing outside the root is read or written, and no symbolic link is followed.
#[derive(Debug)]
pub struct FileStore {
    folder: Folder,
}

impl From<FolderError> for StoreError {
    fn from(error: FolderError) -> StoreError {
        StoreError::new(error.code(), error.to_string())
    }
}

/// The folder in which a run keeps what is its own.
fn own_folder(run: &RunKey) -> &str {
    run.ledger.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn own(run: &RunKey, name: &str) -> String {
    match own_folder(run) {
        "" => name.to_owned(),
        folder => format!("{folder}/{name}"),
    }
}

fn staged_path(run: &RunKey, sha256: &str) -> String {
    own(run, &format!("staged/{sha256}"))
}

impl FileStore {
    /// Opens the root.
    ///
    /// # Errors
    /// When the root is not a folder that can be opened.
    pub fn open(root: &Path) -> Result<FileStore, StoreError> {
        Ok(FileStore { folder: Folder::open(root)? })
    }

    /// The folder below which everything lies.
    #[must_use]
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// Notes a run in the index, so that runs of any layout are found. The index can be deleted.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn note(&self, run: &RunKey) -> Result<(), StoreError> {
        if self.indexed()?.contains(run) {
            return Ok(());
        }
        self.folder.put_if_absent(".ralplan/.gitignore", b"*\n")?;
        let row = serde_json::json!({ "ledger": run.ledger, "run_id": run.run_id });
        self.folder.append_any(INDEX, format!("{row}\n").as_bytes())?;
        Ok(())
    }

    /// True when another run holds these bytes, as when two runs share a documented name for their latest plan.
    fn is_of_another_run(&self, sha256: &str) -> Result<bool, StoreError> {
        Ok(self.list()?.iter().any(|run| self.folder.is_file(&staged_path(run, sha256))))
    }

    /// The runs of the index; rows that cannot be read are passed over.
    fn indexed(&self) -> Result<Vec<RunKey>, StoreError> {
        // The index is a convenience; one that cannot be read tells nothing and stops nothing.
        let bytes = self.folder.read(INDEX, FILE_BYTES).ok().flatten().unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let row = |line: &str| {
            let row: serde_json::Value = serde_json::from_str(line).ok()?;
            let field = |name: &str| row.get(name).and_then(serde_json::Value::as_str).map(str::to_owned);
            let (run_id, ledger) = (field("run_id")?, field("ledger")?);
            folder::check_path(&ledger).ok()?;
            Some(RunKey { run_id, ledger })
        };
        Ok(text.lines().filter_map(row).collect())
    }

    /// The runs in the folders of the built-in layouts.
    fn found(&self) -> Result<Vec<RunKey>, StoreError> {
        let mut found = Vec::new();
        for name in ralplan_core::protocol::built_in_names() {
            if let Some(protocol) = ralplan_core::protocol::built_in(name) {
                self.find_below("", &protocol.layout.ledger, None, &mut found)?;
            }
        }
        Ok(found)
    }

    /// Follows a layout from a folder on: each part with a placeholder stands for any name.
    fn find_below(
        &self,
        base: &str,
        rest: &str,
        run_id: Option<&str>,
        found: &mut Vec<RunKey>,
    ) -> Result<(), StoreError> {
        let (part, rest) = rest.split_once('/').map_or((rest, None), |(part, rest)| (part, Some(rest)));
        let join = |name: &str| if base.is_empty() { name.to_owned() } else { format!("{base}/{name}") };
        let Some(rest) = rest else {
            let ledger = join(part);
            if let Some(run_id) = run_id.filter(|_| self.folder.is_file(&ledger)) {
                found.push(RunKey { run_id: run_id.to_owned(), ledger });
            }
            return Ok(());
        };
        let Some((before, after)) = part.split_once('{') else {
            return self.find_below(&join(part), rest, run_id, found);
        };
        let after = after.split_once('}').map_or("", |(_, after)| after);
        for name in self.folder.list_folders(base)? {
            let inner = name.strip_prefix(before).and_then(|inner| inner.strip_suffix(after));
            if let Some(inner) = inner.filter(|inner| !inner.is_empty()) {
                let run_id = if part.contains("{run}") { Some(inner) } else { run_id };
                self.find_below(&join(&name), rest, run_id, found)?;
            }
        }
        Ok(())
    }

    /// What is wrong with the files that a run keeps for itself: staged bytes and the witness of the ledger.
    ///
    /// # Errors
    /// When a folder cannot be read.
    pub fn own_faults(&self, run: &RunKey) -> Result<Vec<Fault>, StoreError> {
        let mut faults = Vec::new();
        for name in self.folder.list_files(&own(run, "staged"))? {
            let path = staged_path(run, &name);
            let digest =
                self.folder.read(&path, FILE_BYTES)?.map(|bytes| sha256_hex(&bytes)).unwrap_or_default();
            // A temporary file of a write that was interrupted is no file of the run.
            if digest != name && !name.ends_with(".tmp") {
                let reason = Reason::new(Code::ReceiptBytes).expected(name.as_str()).actual(digest);
                faults.push(Fault { seq: None, path, reason });
            }
        }
        let path = own(run, WITNESS);
        if let Some(bytes) = self.folder.read(&path, FILE_BYTES)?
            && !self.witness_fits(run, &bytes)?
        {
            let reason = Reason::new(Code::ReceiptBytes)
                .message("it does not tell an end that the ledger had")
                .remedy("compare it with the ledger, then write it again with `doctor --fix` or accept a loss with `doctor --accept`");
            faults.push(Fault { seq: None, path, reason });
        }
        Ok(faults)
    }

    /// True when the bytes of a witness tell the end of an entry of the ledger.
    fn witness_fits(&self, run: &RunKey, bytes: &[u8]) -> Result<bool, StoreError> {
        let Ok(witness) = serde_json::from_slice::<Witness>(bytes) else { return Ok(false) };
        let is_plain = serde_json::to_vec(&witness).is_ok_and(|plain| plain == bytes);
        let ledger = self.folder.read(&run.ledger, LEDGER_BYTES.saturating_mul(2))?.unwrap_or_default();
        let length = usize::try_from(witness.bytes).unwrap_or(usize::MAX);
        let Some(known) = ledger.get(..length) else { return Ok(false) };
        let entries = known.iter().filter(|byte| **byte == b'\n').count();
        let has_place = u64::try_from(entries) == Ok(witness.seq.saturating_add(1));
        Ok(is_plain && has_place && known.ends_with(b"\n") && ends_in(known, &witness.hash))
    }

    /// Sets the whole ledger aside, so that the session is free again; returns its new name.
    ///
    /// # Errors
    /// When it cannot be moved.
    pub fn set_aside(&self, run: &RunKey) -> Result<String, StoreError> {
        let bytes = self.folder.read(&run.ledger, LEDGER_BYTES.saturating_mul(2))?.unwrap_or_default();
        let digest = sha256_hex(&bytes);
        let aside = own(run, &format!("ledger.broken-{}.jsonl", digest.get(..8).unwrap_or_default()));
        if self.folder.is_file(&run.ledger) {
            self.folder.rename_aside(&run.ledger, &aside)?;
        }
        self.folder.remove(&own(run, WITNESS))?;
        Ok(aside)
    }

    /// Removes what is staged and named by nobody; returns how many.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn sweep(&self, run: &RunKey, is_named: &dyn Fn(&str) -> bool) -> Result<u64, StoreError> {
        let mut swept = 0;
        for name in self.folder.list_files(&own(run, "staged"))? {
            if !is_named(&name) {
                self.folder.remove(&staged_path(run, &name))?;
                swept += 1;
            }
        }
        Ok(swept)
    }
}

const INDEX: &str = ".ralplan/index.jsonl";
const WITNESS: &str = "head.json";

impl Store for FileStore {
    type Guard = LockGuard;

    fn lock(&self, run: &RunKey) -> Result<LockGuard, StoreError> {
        Ok(self.folder.lock(&own(run, "lock"))?)
    }

    fn read(&self, run: &RunKey) -> Result<Stored, StoreError> {
        let ledger = self.folder.read(&run.ledger, LEDGER_BYTES.saturating_mul(2))?.unwrap_or_default();
        // A witness that cannot be read is no witness; it never holds a state.
        let witness = self
            .folder
            .read(&own(run, WITNESS), FILE_BYTES)
            .ok()
            .flatten()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok());
        Ok(Stored { ledger, witness })
    }

    fn stage(&self, run: &RunKey, sha256: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let path = staged_path(run, sha256);
        if let Some(known) = self.folder.read(&path, FILE_BYTES)?
            && sha256_hex(&known) != sha256
        {
            // A damaged staged file would otherwise never be replaced.
            self.folder.replace(&path, bytes)?;
            return Ok(());
        }
        self.folder.put_if_absent(&path, bytes)?;
        Ok(())
    }

    fn staged(&self, run: &RunKey, sha256: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let bytes = self.folder.read(&staged_path(run, sha256), FILE_BYTES)?;
        Ok(bytes.filter(|bytes| sha256_hex(bytes) == sha256))
    }

    fn append(&self, run: &RunKey, line: &str, expected: &Tip) -> Result<Appended, StoreError> {
        let ledger = self.folder.read(&run.ledger, LEDGER_BYTES.saturating_mul(2))?.unwrap_or_default();
        // Under the lock of the run the length alone would do; the head guards against a ledger that was replaced.
        let ends_in_head = ledger.is_empty() || ends_in(&ledger, &expected.head);
        if u64::try_from(ledger.len()) != Ok(expected.bytes) || !ends_in_head {
            return Ok(Appended::Moved);
        }
        let is_done = self.folder.append(&run.ledger, expected.bytes, line.as_bytes())?;
        Ok(if is_done { Appended::Done } else { Appended::Moved })
    }

    fn repair(&self, run: &RunKey, keep_bytes: u64, tail: &[u8]) -> Result<(), StoreError> {
        let ledger = self.folder.read(&run.ledger, LEDGER_BYTES.saturating_mul(2))?.unwrap_or_default();
        let keep = usize::try_from(keep_bytes).unwrap_or(usize::MAX);
        if ledger.get(keep..).is_some_and(|rest| rest == tail) {
            let digest = sha256_hex(tail);
            let aside = format!("{}.torn-{}", run.ledger, digest.get(..8).unwrap_or_default());
            self.folder.put_if_absent(&aside, tail)?;
            self.folder.truncate(&run.ledger, keep_bytes)?;
        }
        Ok(())
    }

    fn publish(&self, run: &RunKey, path: &str, sha256: &str) -> Result<(), StoreError> {
        let Some(bytes) = self.staged(run, sha256)? else {
            return Err(StoreError::new("store.io", format!("nothing is staged under {sha256}")));
        };
        if let Some(known) = self.folder.read(path, FILE_BYTES)? {
            let digest = sha256_hex(&known);
            if digest == sha256 {
                return Ok(());
            }
            if self.staged(run, &digest)?.is_none() && !self.is_of_another_run(&digest)? {
                self.folder.put_if_absent(&foreign_name(path, &digest), &known)?;
            }
        }
        self.folder.replace(path, &bytes)?;
        Ok(())
    }

    fn file(&self, _: &RunKey, path: &str) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.folder.read(path, FILE_BYTES)?)
    }

    fn is_missing(&self, _: &RunKey, path: &str) -> Result<bool, StoreError> {
        Ok(!self.folder.is_file(path))
    }

    fn remember(&self, run: &RunKey, witness: &Witness) -> Result<(), StoreError> {
        let text =
            serde_json::to_vec(witness).map_err(|error| StoreError::new("store.io", error.to_string()))?;
        self.folder.replace(&own(run, WITNESS), &text)?;
        Ok(())
    }

    fn list(&self) -> Result<Vec<RunKey>, StoreError> {
        let mut runs = self.indexed()?;
        runs.extend(self.found()?);
        runs.sort();
        runs.dedup();
        runs.retain(|run| self.folder.is_file(&run.ledger));
        Ok(runs)
    }
}

/// True when the last line of a ledger states this hash.
fn ends_in(ledger: &[u8], head: &str) -> bool {
    let body = ledger.strip_suffix(b"\n").unwrap_or(ledger);
    let start = body.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at.saturating_add(1));
    let line = body.get(start..).unwrap_or_default();
    let stated = format!("\"hash\":\"{head}\"");
    line.windows(stated.len()).any(|window| window == stated.as_bytes())
}
