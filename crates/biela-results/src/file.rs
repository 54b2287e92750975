//! A file is whole or absent: output goes to a temporary file beside the target, which then takes its place. And the one
//! door through which files come in: regular ones of bounded size.
//!
//! The temporary file is made anew, under a name that nobody can foretell, in a folder held open ([`Place`]): what somebody has
//! planted there is neither written through nor waited for. It is locked while it is written, so that what a killed program has
//! left can be told from what another one is writing, and goes away with the next file of that name. It reaches the disk
//! before it takes its name, and the name before the writer is told that all is well: after a power cut there is the old file
//! or the new one. Small tables that a run makes again in a moment are left to the system ([`write_repeatable`]): waiting for a disk
//! takes longer than the run.

use super::claims::{is_claimed, refuse_claimed, refuse_met};
use super::place::{open_path, open_stream, Place};
use biela_base::error::{Error, Result};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Read, Write};
use std::path::Path;
use std::time::Duration;

/// How long a pipe is waited for that nobody reads yet.
const PATIENCE: Duration = Duration::from_secs(10);

/// The bytes of a regular file of at most `most` bytes. A pipe or a device could block, or never end: it is refused.
pub fn read_whole(path: &Path, most: u64) -> Result<Vec<u8>> {
    let file = open_regular(path, most)?;
    refuse_claimed(&file, path)?;
    bytes_of(file, most)
}

/// The same for what may be a file or not, and is no input where it is an output: none where it cannot be read.
pub fn read_if_any(path: &Path, most: u64) -> Option<Vec<u8>> {
    let file = open_regular(path, most).ok().filter(|file| !is_claimed(file, path))?;
    bytes_of(file, most).ok()
}

/// An error about a file.
fn file_error(message: impl Into<String>) -> Error {
    biela_base::error::ErrorKind::File.error(message)
}

fn bytes_of(file: File, most: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let fault = |e: io::Error| file_error(format!("the file cannot be read: {e}"));
    file.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(fault)?;
    // It may have grown meanwhile.
    match bytes.len() as u64 > most {
        true => Err(file_error(format!("the file has more than {} MiB", most >> 20))),
        false => Ok(bytes),
    }
}

/// A folder that is held open, and the files below it. Paths lead nowhere else: none of their steps may be a link.
#[derive(Debug)]
pub struct Root(Place);

impl Root {
    /// Opens a folder.
    pub fn open(path: &Path) -> io::Result<Root> {
        Place::of(&path.join("any")).map(Root)
    }

    /// The bytes of a regular file of at most `most` bytes.
    pub fn read(&self, relative: &Path, most: u64) -> Result<Vec<u8>> {
        let opened = self.0.below(relative).and_then(|place| place.open(place.name()));
        let file = opened.map_err(|e| unreadable(&e))?;
        check_regular(&file.metadata().map_err(|e| unreadable(&e))?, most)?;
        bytes_of(file, most)
    }

    /// Whether there is anything of that name, be it a link that leads nowhere.
    pub fn holds(&self, relative: &Path) -> bool {
        let opened = self.0.below(relative).and_then(|place| place.open(place.name()));
        !opened.is_err_and(|e| e.kind() == ErrorKind::NotFound)
    }

    /// Writes a file like [`write_atomically`]. What has the name is replaced, never written through: nothing outside the folder
    /// changes, whatever links somebody has put into it.
    pub fn write(&self, relative: &Path, fill: impl FnOnce(Out) -> io::Result<()>) -> Result<()> {
        let written = self.0.below(relative).and_then(|place| {
            let old = match place.open(place.name()) {
                Ok(file) => Some(file.metadata()?),
                Err(e) if e.kind() == ErrorKind::NotFound => None,
                Err(e) => return Err(e),
            };
            match &old {
                Some(meta) if !meta.is_file() => Err(io::Error::new(ErrorKind::InvalidInput, "it is no regular file")),
                Some(meta) if meta.permissions().readonly() => {
                    Err(io::Error::new(ErrorKind::PermissionDenied, "the file is read-only"))
                }
                _ => replace(&place, old.as_ref(), Manner::CAREFUL, fill),
            }
        });
        written.map_err(|e| failure(relative, &e))
    }
}

/// Opens a regular file of at most `most` bytes for reading.
pub(super) fn open_regular(path: &Path, most: u64) -> Result<File> {
    // A device is not even opened.
    check_regular(&fs::metadata(path).map_err(|e| unreadable(&e))?, most)?;
    let file = open_path(path).map_err(|e| unreadable(&e))?;
    // Another may stand there meanwhile.
    check_regular(&file.metadata().map_err(|e| unreadable(&e))?, most)?;
    Ok(file)
}

fn unreadable(error: &io::Error) -> Error {
    match error.kind() {
        ErrorKind::NotFound => file_error("there is no such file"),
        ErrorKind::PermissionDenied => file_error("the file may not be read"),
        _ => file_error(format!("the file cannot be read: {error}")),
    }
}

fn check_regular(meta: &fs::Metadata, most: u64) -> Result<()> {
    if meta.is_dir() {
        return Err(file_error("this is a folder, not a file"));
    }
    if !meta.is_file() {
        return Err(file_error("this is not a regular file").note("pipes and devices may never end; save it to a file"));
    }
    if meta.len() > most {
        let (size, most) = (meta.len() >> 20, most >> 20);
        return Err(file_error(format!("the file has {size} MiB; at most {most} are read")));
    }
    Ok(())
}

/// What fills a file.
type Out<'a> = &'a mut (dyn Write + Send);

/// Writes a file by `fill` so that `path` holds all of it or, after any error, what it held before.
///
/// Pipes, terminals and devices such as `/dev/stdout` are written straight to.
pub fn write_atomically(path: &Path, fill: impl FnOnce(Out) -> io::Result<()>) -> Result<()> {
    write_file(path, Manner::CAREFUL, fill)
}

/// The same for what one command makes again: no other program ever sees half of it, but a small file reaches the disk when the system brings it
/// there, some seconds later, and a power cut until then may take it.
pub(super) fn write_repeatable(path: &Path, fill: impl FnOnce(Out) -> io::Result<()>) -> Result<()> {
    write_file(path, Manner { left: LEFT, ..Manner::CAREFUL }, fill)
}

/// The same for one of many files in a folder of their own: what killed programs have left there is not looked for with each.
pub(super) fn write_one_of_many(path: &Path, fill: impl FnOnce(Out) -> io::Result<()>) -> Result<()> {
    write_file(path, Manner { tidy: false, ..Manner::CAREFUL }, fill)
}

/// Bytes up to which a repeatable file is left to the system; beyond, the disk is a small part of the work.
const LEFT: u64 = 1 << 24;

/// How a file is written.
#[derive(Clone, Copy)]
struct Manner {
    /// What killed programs have left of it is removed.
    tidy: bool,
    /// Bytes up to which it is left to the system when it reaches the disk.
    left: u64,
}

impl Manner {
    const CAREFUL: Manner = Manner { tidy: true, left: 0 };
}

fn write_file(path: &Path, manner: Manner, fill: impl FnOnce(Out) -> io::Result<()>) -> Result<()> {
    refuse_met(path)?;
    let old = fs::metadata(path).ok();
    if old.as_ref().is_some_and(|meta| meta.is_dir()) {
        return Err(file_error(format!("cannot write '{}': it is a folder", path.display()))
            .note("give the name of a file in it"));
    }
    if old.as_ref().is_some_and(|meta| !meta.is_file()) || is_descriptor(path) {
        return straight(path, fill).map_err(|error| failure(path, &error));
    }
    if old.as_ref().is_some_and(|meta| meta.permissions().readonly()) {
        return Err(file_error(format!("cannot write '{}': the file is read-only", path.display()))
            .note("choose another name, or allow writing to it"));
    }
    if is_planted(path, old.as_ref()) {
        return Err(file_error(format!(
            "cannot write '{}': it is a link that somebody else has put there",
            path.display()
        ))
        .note("choose another name, or remove the link"));
    }
    // A link stays a link: what it points to is replaced.
    let target = if old.is_some() { fs::canonicalize(path) } else { Ok(path.to_path_buf()) };
    let written = target.and_then(|target| replace(&Place::of(&target)?, old.as_ref(), manner, fill));
    written.map_err(|e| failure(path, &e))
}

/// Whether a path is a link in a folder where everybody may make some, to a file that is not its maker's.
#[cfg(unix)]
fn is_planted(path: &Path, old: Option<&fs::Metadata>) -> bool {
    use std::os::unix::fs::MetadataExt;
    const STICKY_FOR_ALL: u32 = 0o1002;
    let parent = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (fs::symlink_metadata(path), fs::metadata(parent), old) {
        (Ok(link), Ok(folder), Some(old)) => {
            link.is_symlink()
                && folder.mode() & STICKY_FOR_ALL == STICKY_FOR_ALL
                && link.uid() != folder.uid()
                && link.uid() != old.uid()
        }
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_planted(_path: &Path, _old: Option<&fs::Metadata>) -> bool {
    false
}

/// Names of open files, which only exist as long as they are open: there is nothing beside them.
pub(super) fn is_descriptor(path: &Path) -> bool {
    const OPEN_FILES: [&str; 4] = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"];
    cfg!(unix) && OPEN_FILES.iter().any(|known| path.starts_with(known))
}

fn straight(path: &Path, fill: impl FnOnce(Out) -> io::Result<()>) -> io::Result<()> {
    let file = open_stream(path, PATIENCE)?;
    if file.metadata()?.is_file() && !is_descriptor(path) {
        return Err(io::Error::other("it has become another file meanwhile"));
    }
    let mut writer = BufWriter::new(file);
    fill(&mut writer)?;
    writer.flush()
}

fn replace(
    place: &Place,
    old: Option<&fs::Metadata>,
    manner: Manner,
    fill: impl FnOnce(Out) -> io::Result<()>,
) -> io::Result<()> {
    if manner.tidy {
        remove_leftovers(place);
    }
    let (file, temporary) = temporary_beside(place, old)?;
    let outcome = (|| {
        let mut writer = BufWriter::new(&file);
        fill(&mut writer)?;
        writer.flush()?;
        drop(writer);
        if let Some(old) = old {
            file.set_permissions(old.permissions())?;
        }
        let wait = manner.left == 0 || file.metadata()?.len() > manner.left;
        if wait {
            file.sync_all()?;
        }
        place.take(&temporary).map(|()| wait)
    })();
    match outcome {
        Ok(true) => place.sync(),
        Ok(false) => Ok(()),
        Err(error) => {
            // The first error is the one worth telling; the temporary may be gone already.
            let _ = place.remove(&temporary);
            Err(error)
        }
    }
}

/// What names of temporary files begin with, and end with.
const ENDING: &str = ".tmp";
/// Hexadecimal digits between the two.
const DIGITS: usize = 16;

/// The beginning of the names of temporary files beside a file of that name.
fn beginning(name: &OsStr) -> OsString {
    /// Names of files have 255 bytes at most; longer ones than this are told apart by a sum over them.
    const LONGEST: usize = 200;
    let mut beginning = OsString::from(".");
    match name.len() > LONGEST {
        true => beginning.push(format!("biela-{:08x}", crc32fast::hash(name.as_encoded_bytes()))),
        false => beginning.push(name),
    }
    beginning.push(".");
    beginning
}

/// A new, empty file `.NAME.0123456789abcdef.tmp` in the folder of `NAME`, locked as long as it is open.
pub(super) fn temporary_beside(place: &Place, old: Option<&fs::Metadata>) -> io::Result<(File, OsString)> {
    const TRIES: usize = 100;
    for _ in 0..TRIES {
        let mut random = [0; 8];
        getrandom::fill(&mut random)
            .map_err(|e| io::Error::other(format!("the system gives no random numbers: {e}")))?;
        let mut name = beginning(place.name());
        name.push(format!("{:0digits$x}{ENDING}", u64::from_le_bytes(random), digits = DIGITS));
        let file = match place.create_new(&name, mode(old)) {
            Err(e) if e.kind() == ErrorKind::AlreadyExists => continue,
            other => other?,
        };
        // Somebody who tidies up may have found it before it was locked. Where nothing can be locked nobody tidies up.
        match file.try_lock() {
            Err(fs::TryLockError::WouldBlock) => continue,
            Ok(()) if !place.is_still(&file, &name) => continue,
            _ => return Ok((file, name)),
        }
    }
    Err(io::Error::new(ErrorKind::AlreadyExists, "temporary files of other writers are in the way"))
}

/// The mode to make a file with that will have the mode of the old one: nobody sees more of it meanwhile.
#[cfg(unix)]
fn mode(old: Option<&fs::Metadata>) -> Option<u32> {
    use std::os::unix::fs::MetadataExt;
    old.map(|old| old.mode() & 0o777 | 0o600)
}

#[cfg(not(unix))]
fn mode(_old: Option<&fs::Metadata>) -> Option<u32> {
    None
}

/// Removes the temporary files that killed writers of this file have left: those of its pattern that nobody holds locked.
fn remove_leftovers(place: &Place) {
    /// Names that are looked at: tidying up must not take longer than the work.
    const MOST: usize = 20_000;
    let beginning = beginning(place.name());
    for name in place.names(MOST) {
        if is_temporary(&name, &beginning) {
            remove_leftover(place, &name);
        }
    }
}

fn is_temporary(name: &OsStr, beginning: &OsStr) -> bool {
    let rest = name.as_encoded_bytes().strip_prefix(beginning.as_encoded_bytes());
    let digits = rest.and_then(|rest| rest.strip_suffix(ENDING.as_bytes()));
    digits.is_some_and(|d| d.len() == DIGITS && d.iter().all(|c| c.is_ascii_digit() || (b'a'..=b'f').contains(c)))
}

/// Removes a file that has the name of a temporary one, if it is one and nobody writes to it.
fn remove_leftover(place: &Place, name: &OsStr) {
    let Ok(file) = place.open(name) else { return };
    if file.metadata().is_ok_and(|meta| meta.is_file()) && file.try_lock().is_ok() {
        // While it is locked nobody takes it for his own; the name goes, and nothing that a link may lead to.
        let _ = place.remove(name);
    }
}

/// Removes what killed writers have left of any file in a folder.
pub(super) fn tidy(folder: &Path) {
    let Ok(place) = Place::of(&folder.join("any")) else { return };
    for name in place.names(usize::MAX) {
        let bytes = name.as_encoded_bytes();
        let middle = bytes.len().saturating_sub(ENDING.len() + DIGITS);
        if bytes.first() == Some(&b'.')
            && middle > 1
            && is_temporary(&name, OsStr::new(&*String::from_utf8_lossy(&bytes[..middle])))
        {
            remove_leftover(&place, &name);
        }
    }
}

fn failure(path: &Path, error: &io::Error) -> Error {
    let reason = match error.kind() {
        ErrorKind::NotFound => "the folder does not exist".to_owned(),
        _ => error.to_string(),
    };
    let told = file_error(format!("cannot write '{}': {reason}", path.display()));
    match error.kind() {
        ErrorKind::NotFound => told.note("make the folder first, or correct the path"),
        ErrorKind::PermissionDenied => told.note("choose a folder in which you may write"),
        ErrorKind::StorageFull | ErrorKind::FileTooLarge | ErrorKind::QuotaExceeded => {
            told.note("free some space, or choose another disk; nothing was changed")
        }
        _ => told,
    }
}

#[cfg(test)]
#[path = "file_tests.rs"]
mod tests;
