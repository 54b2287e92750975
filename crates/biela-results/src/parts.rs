//! A sweep in parts: a folder beside the output with a file for each chunk that is done, until all are there and joined.
//!
//! Every part is whole or absent, so a sweep that is killed goes on where it was; and parts made by several machines fit
//! together in one folder. A fingerprint of model, plan and version keeps parts of different sweeps apart.
//!
//! A part is a Parquet file. Among the notes at its end stands its number and a sum over all its bytes (CRC-32, with zeros where the
//! sum itself stands), so that a part that is not what was written, down to a single bit, or that has the name of another is
//! found when the sweep goes on or its parts are joined.
//!
//! Parts of a sweep's first moments are held in memory: what is done again in as little time as it takes to write need not be on a disk.

use super::file::{open_regular, tidy, write_one_of_many};
use super::place::Place;
use super::row_formats;
use super::rows::{Header, Rows};
use super::rows_parquet::unreadable;
use super::{read_whole, write_atomically};
use biela_base::display_units::DisplayUnits;
use biela_base::error::{Error, Result};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

const FINGERPRINT: &str = "fingerprint";
/// Key of the note with the sum, the last of all, and what the note begins with.
const SUM: (&str, &str) = ("sum", "biela part ");
/// Letters of the sum: of a part's number and of a sum in hexadecimal digits.
const DIGITS: (usize, usize) = (20, 8);

/// The parts of one sweep.
#[derive(Debug)]
pub struct Parts {
    folder: PathBuf,
    output: PathBuf,
    header: Header,
    /// Units of the table that they are joined into; parts themselves are SI.
    units: DisplayUnits,
    /// Those that are in no file yet.
    held: Mutex<BTreeMap<u64, Arc<Rows>>>,
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

/// Removes a folder of parts at once: a kill in the middle must not leave parts without their mark under its name. What is no
/// part stays, and the folder with it.
fn discard(folder: &Path) {
    let aside = beside(folder, OUT).and_then(|aside| fs::rename(folder, &aside).map(|()| aside));
    let Ok(aside) = aside else { return remove(folder) };
    remove(&aside);
    // Somebody else's files keep their folder's name.
    if aside.exists() && !folder.exists() {
        let _ = fs::rename(&aside, folder);
    }
}

/// Removes the parts in a folder, and the folder if nothing else is in it.
fn remove(folder: &Path) {
    tidy(folder);
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let own = name.to_str().is_some_and(|n| n == FINGERPRINT || n.starts_with("part-") && n.ends_with(".parquet"));
        if own {
            let _ = fs::remove_file(entry.path());
        }
    }
    let _ = fs::remove_dir(folder);
}

/// Endings of folders on their way in and out.
const IN: &str = ".new";
const OUT: &str = ".old";

/// Begins their names.
fn beginning(folder: &Path) -> String {
    format!(".{}.", folder.file_name().unwrap_or_default().to_string_lossy())
}

/// A name beside the folder that nobody can foretell.
fn beside(folder: &Path, ending: &str) -> io::Result<PathBuf> {
    let mut random = [0; 8];
    getrandom::fill(&mut random).map_err(|e| io::Error::other(format!("the system gives no random numbers: {e}")))?;
    Ok(folder.with_file_name(format!("{}{:016x}{ending}", beginning(folder), u64::from_le_bytes(random))))
}

/// A folder held locked; none where somebody else holds it, or folders cannot be locked.
fn locked(folder: &Path) -> Option<fs::File> {
    fs::File::open(folder).ok().filter(|file| file.try_lock().is_ok())
}

/// Makes a folder that appears with its mark in it: a kill in between must not leave parts that belong to nobody.
fn make(folder: &Path, mark: &str) -> io::Result<()> {
    let aside = beside(folder, IN)?;
    fs::create_dir(&aside)?;
    let _held = locked(&aside);
    let made = write_atomically(&aside.join(FINGERPRINT), |out| writeln!(out, "{mark}"));
    let made = made.map_err(|e| io::Error::other(e.message().to_string()));
    made.and_then(|()| fs::rename(&aside, folder)).inspect_err(|_| remove(&aside))?;
    Place::of(folder)?.sync()
}

/// Removes what killed programs have left on the way in or out.
fn remove_leftovers(folder: &Path) {
    let parent = folder.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let beginning = beginning(folder);
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let Some(rest) = entry.file_name().to_str().and_then(|n| n.strip_prefix(&beginning)).map(str::to_string) else {
            continue;
        };
        let digits = rest.strip_suffix(OUT).or(rest.strip_suffix(IN)).unwrap_or("");
        let own = digits.len() == 16 && digits.chars().all(|c| c.is_ascii_hexdigit());
        if own && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            // One that is being filled is locked.
            if let Some(_held) = locked(&entry.path()) {
                remove(&entry.path());
            }
        }
    }
}

/// Where the sum stands in the bytes of a part, and the number before it; none where there is none.
fn sum_in(bytes: &[u8]) -> Option<(std::ops::Range<usize>, u64)> {
    let length = SUM.1.len() + DIGITS.0 + 1 + DIGITS.1;
    let start = bytes.windows(length).rposition(|w| w.starts_with(SUM.1.as_bytes()))? + SUM.1.len();
    let chunk = std::str::from_utf8(&bytes[start..start + DIGITS.0]).ok()?.parse().ok()?;
    let sum = start + DIGITS.0 + 1;
    Some((sum..sum + DIGITS.1, chunk))
}

/// Whether bytes are those of the part of that number, as they were written.
fn is_sound(bytes: &[u8], chunk: u64) -> bool {
    let Some((place, number)) = sum_in(bytes) else { return false };
    let mut sum = crc32fast::Hasher::new();
    sum.update(&bytes[..place.start]);
    sum.update(&[b'0'; DIGITS.1]);
    sum.update(&bytes[place.end..]);
    number == chunk && bytes[place] == *format!("{:08x}", sum.finalize()).as_bytes()
}

impl Parts {
    /// The parts of a sweep whose table goes to `output`. Parts that are there already are taken over where `resume` says
    /// so, and refused where they belong to another sweep.
    pub fn open(output: &Path, header: Header, resume: bool) -> Result<Parts> {
        row_formats::row_format(output)?;
        let folder = folder_of(output);
        let shown = folder.display();
        let mark = folder.join(FINGERPRINT);
        let parts = Parts {
            folder: folder.clone(),
            output: output.to_path_buf(),
            header,
            units: DisplayUnits::default(),
            held: Mutex::default(),
        };
        if let Ok(meta) = fs::symlink_metadata(&folder) {
            if !meta.is_dir() {
                return Err(Error::new(format!("'{shown}' is in the way: it is no folder"))
                    .note("parts are kept in a folder of this name; remove what is there, or choose another output"));
            }
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
        remove_leftovers(&folder);
        // Who tidies up may have taken a folder for his own before it was locked.
        let mut made = make(&folder, fingerprint(&parts.header));
        for _ in 0..2 {
            made = made.or_else(|error| match fs::symlink_metadata(&folder).is_ok() {
                true => Err(error),
                false => make(&folder, fingerprint(&parts.header)),
            });
        }
        if let Err(error) = made {
            // Another shard may have made it meanwhile.
            if folder.exists() {
                return Parts::open(output, parts.header, resume);
            }
            return Err(Error::new(format!("cannot make the folder '{shown}': {error}")));
        }
        Ok(parts)
    }

    /// The same, to be joined into a table in these units.
    pub fn in_units(self, units: DisplayUnits) -> Parts {
        Parts { units, ..self }
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
        self.held().contains_key(&chunk) || self.path(chunk).is_file()
    }

    fn held(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<Rows>>> {
        self.held.lock().unwrap_or_else(|p| p.into_inner())
    }

    /// Keeps the rows of a chunk in memory, until they are joined or [`Parts::settle`] is called.
    pub fn hold(&self, chunk: u64, rows: Rows) {
        self.held().insert(chunk, Arc::new(rows));
    }

    /// Writes what is held in memory.
    pub fn settle(&self) -> Result<()> {
        let held = std::mem::take(&mut *self.held());
        held.iter().try_for_each(|(chunk, rows)| self.write(*chunk, rows))
    }

    /// The rows of a chunk, wherever they are.
    fn rows(&self, chunk: u64) -> Result<Arc<Rows>> {
        let held = self.held().get(&chunk).cloned();
        held.map_or_else(|| self.read(chunk).map(Arc::new), Ok)
    }

    /// Those of some chunks that are not there, or are not what was written; and the files of the latter.
    pub fn missing(&self, chunks: impl IntoIterator<Item = u64>) -> (Vec<u64>, Vec<PathBuf>) {
        let (mut missing, mut damaged) = (Vec::new(), Vec::new());
        for chunk in chunks {
            if !self.has(chunk) {
                missing.push(chunk);
            } else if self.rows(chunk).is_err() {
                missing.push(chunk);
                damaged.push(self.path(chunk));
            }
        }
        (missing, damaged)
    }

    /// The bytes of the file of a chunk.
    pub fn bytes(header: &Header, chunk: u64, rows: &Rows) -> io::Result<Vec<u8>> {
        let mut header = header.clone();
        let (number, sum) = DIGITS;
        header.notes.push((SUM.0.into(), format!("{}{chunk:0number$} {:0sum$}", SUM.1, 0)));
        let mut bytes = Vec::new();
        rows.write_parquet(&header, &mut bytes)?;
        let place = sum_in(&bytes).ok_or_else(|| io::Error::other("the sum of a part has no place"))?.0;
        let sum = format!("{:08x}", crc32fast::hash(&bytes));
        bytes[place].copy_from_slice(sum.as_bytes());
        Ok(bytes)
    }

    /// Writes the rows of a chunk.
    pub fn write(&self, chunk: u64, rows: &Rows) -> Result<()> {
        write_one_of_many(&self.path(chunk), |out| out.write_all(&Parts::bytes(&self.header, chunk, rows)?))
    }

    /// Keeps a part that was made elsewhere by [`Parts::bytes`], if it has come whole.
    pub fn put(&self, chunk: u64, bytes: &[u8]) -> Result<()> {
        match is_sound(bytes, chunk) {
            true => write_one_of_many(&self.path(chunk), |out| out.write_all(bytes)),
            false => Err(Error::new(format!("part {chunk} has come damaged"))),
        }
    }

    /// Reads the rows of a chunk, if they are what was written.
    pub fn read(&self, chunk: u64) -> Result<Rows> {
        let path = self.path(chunk);
        let advice = "with --resume and without --merge it is made again";
        let fault = |why: &str| unreadable(&path, why).note(advice);
        let mut file = open_regular(&path, u64::MAX).map_err(|e| fault(e.message()))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).and_then(|_| file.rewind()).map_err(|e| fault(&e.to_string()))?;
        if !is_sound(&bytes, chunk) {
            return Err(fault("it is damaged: the sum over its bytes is not the one it was written with"));
        }
        drop(bytes);
        let (header, rows) = Rows::read_open(file, &path).map_err(|e| e.note(advice))?;
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
        let written = row_formats::write_rows(&self.output, &self.header.in_units(&self.units), &mut || {
            if next == chunks {
                return Ok(None);
            }
            match self.rows(next) {
                Ok(rows) => {
                    next += 1;
                    each(&rows);
                    Ok(Some(Arc::unwrap_or_clone(rows).in_units(&self.header, &self.units)))
                }
                Err(error) => {
                    fault = Some(error);
                    Err(io::Error::other("a part cannot be read"))
                }
            }
        });
        if written.is_err() {
            // The work is not lost with the table; what is wrong is told of the table.
            let _ = self.settle();
        }
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
