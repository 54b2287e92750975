//! A sweep in parts: a folder beside the output with a file for each chunk that is done, until all are there and joined.
//!
//! Every part is whole or absent, so a sweep that is killed goes on where it was; and parts made by several machines fit
//! together in one folder. A fingerprint of model, plan and version keeps parts of different sweeps apart.

use super::rows::{self, Header, Rows};
use super::{read_whole, write_atomically};
use crate::error::{Error, Result};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const FINGERPRINT: &str = "fingerprint";

/// The parts of one sweep.
#[derive(Debug, Clone)]
pub struct Parts {
    folder: PathBuf,
    output: PathBuf,
    header: Header,
}

/// The folder of the parts of an output.
pub fn folder_of(output: &Path) -> PathBuf {
    let mut name = output.file_name().unwrap_or_default().to_os_string();
    name.push(".parts");
    output.with_file_name(name)
}

/// A name that tells one sweep from another, as the note `fingerprint` of the header.
pub fn fingerprint(header: &Header) -> &str {
    header.note(FINGERPRINT)
}

/// Removes a folder at once: a kill in the middle must not leave parts without their mark under its name.
fn discard(folder: &Path) {
    let aside = beside(folder, "old");
    let _ = fs::remove_dir_all(&aside);
    let gone = fs::rename(folder, &aside).and_then(|()| fs::remove_dir_all(&aside));
    if gone.is_err() {
        let _ = fs::remove_dir_all(folder);
    }
}

/// A name beside the folder for what is on its way in or out.
fn beside(folder: &Path, which: &str) -> PathBuf {
    folder.with_file_name(format!(".{}.{which}", folder.file_name().unwrap_or_default().to_string_lossy()))
}

impl Parts {
    /// The parts of a sweep whose table goes to `output`. Parts that are there already are taken over where `resume` says
    /// so, and refused where they belong to another sweep.
    pub fn open(output: &Path, header: Header, resume: bool) -> Result<Parts> {
        rows::row_format(output)?;
        let folder = folder_of(output);
        let shown = folder.display();
        let mark = folder.join(FINGERPRINT);
        let parts = Parts { folder: folder.clone(), output: output.to_path_buf(), header };
        if folder.exists() {
            if !resume {
                return Err(Error::new(format!("'{shown}' holds parts of an earlier sweep"))
                    .note("--resume goes on with it; remove the folder to start afresh"));
            }
            const LONGEST: u64 = 1 << 12;
            let found = read_whole(&mark, LONGEST).unwrap_or_default();
            if found.trim_ascii() != fingerprint(&parts.header).as_bytes() {
                return Err(Error::new(format!("the parts in '{shown}' belong to another sweep"))
                    .note("the model, the plan or the program's version is not what it was when they were made")
                    .note("go on with what it was, or remove the folder to start afresh"));
            }
            return Ok(parts);
        }
        // The folder appears with its mark in it: a kill in between must not leave parts that belong to nobody.
        let _ = fs::remove_dir_all(beside(&folder, "old"));
        let beside = beside(&folder, &format!("tmp-{}", std::process::id()));
        let made = fs::create_dir_all(&beside)
            .and_then(|()| fs::write(beside.join(FINGERPRINT), format!("{}\n", fingerprint(&parts.header))))
            .and_then(|()| fs::rename(&beside, &folder));
        if let Err(error) = made {
            let _ = fs::remove_dir_all(&beside);
            // Another shard may have made it meanwhile.
            if folder.exists() {
                return Parts::open(output, parts.header, resume);
            }
            return Err(Error::new(format!("cannot make the folder '{shown}': {error}")));
        }
        Ok(parts)
    }

    /// Where they are.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn path(&self, chunk: u64) -> PathBuf {
        self.folder.join(format!("part-{chunk:09}.parquet"))
    }

    /// Whether a chunk is done.
    pub fn has(&self, chunk: u64) -> bool {
        self.path(chunk).is_file()
    }

    /// Writes the rows of a chunk.
    pub fn write(&self, chunk: u64, rows: &Rows) -> Result<()> {
        write_atomically(&self.path(chunk), |out| rows.write_parquet(&self.header, out))
    }

    /// Keeps a part that was made elsewhere, as the bytes of its file. What it holds is looked at when parts are joined.
    pub fn put(&self, chunk: u64, bytes: &[u8]) -> Result<()> {
        write_atomically(&self.path(chunk), |out| out.write_all(bytes))
    }

    /// Reads the rows of a chunk.
    pub fn read(&self, chunk: u64) -> Result<Rows> {
        let path = self.path(chunk);
        let advice = "remove the file, then --resume makes it again";
        let (header, rows) = Rows::read_parquet(&path).map_err(|e| e.note(advice))?;
        match fingerprint(&header) == fingerprint(&self.header) {
            true => Ok(rows),
            false => Err(Error::new(format!("'{}' belongs to another sweep", path.display())).note(advice)),
        }
    }

    /// Joins the chunks `0..chunks` into the output, which is then whole, and removes the parts. `each` sees all rows, in
    /// their order.
    pub fn join(&self, chunks: u64, mut each: impl FnMut(&Rows)) -> Result<()> {
        let missing = (0..chunks).filter(|k| !self.has(*k)).count();
        if missing > 0 {
            return Err(Error::new(format!("{missing} of {chunks} parts are not in '{}'", self.folder.display()))
                .note("run the shards that are missing, or run with --resume and without --shard to make them here"));
        }
        let (mut next, mut fault) = (0, None);
        let written = rows::write_rows(&self.output, &self.header, &mut || {
            if next == chunks {
                return Ok(None);
            }
            match self.read(next) {
                Ok(rows) => {
                    next += 1;
                    each(&rows);
                    Ok(Some(rows))
                }
                Err(error) => {
                    fault = Some(error);
                    Err(io::Error::other("a part cannot be read"))
                }
            }
        });
        match (written, fault) {
            (Err(_), Some(fault)) => Err(fault),
            (Err(error), None) => Err(error),
            // Parts that cannot be removed do no harm to the table.
            (Ok(()), _) => {
                discard(&self.folder);
                Ok(())
            }
        }
    }
}
