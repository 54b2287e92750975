//! A file is whole or absent: output goes to a temporary file beside the target, which then takes its place. And the one
//! door through which files come in: regular ones of bounded size.

use crate::error::{Error, Result};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// The bytes of a regular file of at most `most` bytes. A pipe or a device could block, or never end: it is refused.
pub fn read_whole(path: &Path, most: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let fault = |e: io::Error| Error::new(format!("the file cannot be read: {e}"));
    open_regular(path, most)?.take(most + 1).read_to_end(&mut bytes).map_err(fault)?;
    // It may have grown meanwhile.
    match bytes.len() as u64 > most {
        true => Err(Error::new(format!("the file has more than {} MiB", most >> 20))),
        false => Ok(bytes),
    }
}

/// Opens a regular file of at most `most` bytes for reading.
pub(super) fn open_regular(path: &Path, most: u64) -> Result<File> {
    let fault = |e: io::Error| match e.kind() {
        ErrorKind::NotFound => Error::new("there is no such file"),
        ErrorKind::PermissionDenied => Error::new("the file may not be read"),
        _ => Error::new(format!("the file cannot be read: {e}")),
    };
    let meta = fs::metadata(path).map_err(fault)?;
    if meta.is_dir() {
        return Err(Error::new("this is a folder, not a file"));
    }
    if !meta.is_file() {
        return Err(Error::new("this is not a regular file").note("pipes and devices may never end; save it to a file"));
    }
    if meta.len() > most {
        let (size, most) = (meta.len() >> 20, most >> 20);
        return Err(Error::new(format!("the file has {size} MiB; at most {most} are read")));
    }
    File::open(path).map_err(fault)
}

/// Writes a file by `fill` so that `path` holds all of it or, after any error, what it held before.
///
/// Pipes, terminals and devices such as `/dev/stdout` are written straight to.
pub fn write_atomically(path: &Path, fill: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>) -> Result<()> {
    let old = fs::metadata(path).ok();
    if old.as_ref().is_some_and(|meta| meta.is_dir()) {
        return Err(Error::new(format!("cannot write '{}': it is a folder", path.display()))
            .note("give the name of a file in it"));
    }
    if old.as_ref().is_some_and(|meta| !meta.is_file()) || is_descriptor(path) {
        return straight(path, fill).map_err(|error| failure(path, &error));
    }
    if old.as_ref().is_some_and(|meta| meta.permissions().readonly()) {
        return Err(Error::new(format!("cannot write '{}': the file is read-only", path.display()))
            .note("choose another name, or allow writing to it"));
    }
    // A link stays a link: what it points to is replaced.
    let target = if old.is_some() { fs::canonicalize(path) } else { Ok(path.to_path_buf()) };
    target.and_then(|target| replace(&target, old.map(|meta| meta.permissions()), fill)).map_err(|e| failure(path, &e))
}

/// Names of open files, which only exist as long as they are open: there is nothing beside them.
fn is_descriptor(path: &Path) -> bool {
    const OPEN_FILES: [&str; 4] = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"];
    cfg!(unix) && OPEN_FILES.iter().any(|known| path.starts_with(known))
}

fn straight(path: &Path, fill: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>) -> io::Result<()> {
    let mut writer = BufWriter::new(OpenOptions::new().append(true).open(path)?);
    fill(&mut writer)?;
    writer.flush()
}

fn replace(
    target: &Path,
    permissions: Option<fs::Permissions>,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
) -> io::Result<()> {
    let (file, temporary) = temporary_beside(target)?;
    let outcome = (|| {
        let mut writer = BufWriter::new(&file);
        fill(&mut writer)?;
        writer.flush()?;
        drop(writer);
        if let Some(permissions) = permissions {
            fs::set_permissions(&temporary, permissions)?;
        }
        fs::rename(&temporary, target)
    })();
    if outcome.is_err() {
        // The first error is the one worth telling; the temporary may be gone already.
        let _ = fs::remove_file(&temporary);
    }
    outcome
}

/// An empty file `.name.tmp` in the folder of `target`, locked as long as it is open; numbered where another writer is at
/// work on that name. What a killed program has left under it is written over, so leftovers never pile up.
fn temporary_beside(target: &Path) -> io::Result<(File, PathBuf)> {
    const TRIES: u32 = 100;
    let name = target.file_name().ok_or_else(|| io::Error::new(ErrorKind::InvalidInput, "it does not name a file"))?;
    for k in 0..TRIES {
        let mut beside = std::ffi::OsString::from(".");
        beside.push(name);
        beside.push(".tmp");
        if k > 0 {
            beside.push(format!("-{k}"));
        }
        let temporary = target.with_file_name(beside);
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(&temporary)?;
        match file.try_lock() {
            Ok(()) if is_still(&file, &temporary) => {
                file.set_len(0)?;
                return Ok((file, temporary));
            }
            // Its writer has just given it its final name: it is no longer ours to write to.
            Ok(()) | Err(TryLockError::WouldBlock) => {}
            // Where files cannot be locked, only a new one is known to be nobody else's.
            Err(TryLockError::Error(_)) => {
                let _ = fs::remove_file(&temporary);
                let own = temporary.with_extension(format!("tmp-{}-{k}", std::process::id()));
                if let Ok(file) = OpenOptions::new().write(true).create_new(true).open(&own) {
                    return Ok((file, own));
                }
            }
        }
    }
    Err(io::Error::new(ErrorKind::AlreadyExists, "temporary files of other writers are in the way"))
}

/// Whether the open file is the one of that name.
fn is_still(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let place = |meta: &fs::Metadata| (meta.dev(), meta.ino());
        matches!((file.metadata(), fs::metadata(path)), (Ok(a), Ok(b)) if place(&a) == place(&b))
    }
    // Elsewhere a file that is open for writing cannot be renamed by others.
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}

fn failure(path: &Path, error: &io::Error) -> Error {
    let reason = match error.kind() {
        ErrorKind::NotFound => "the folder does not exist".to_owned(),
        _ => error.to_string(),
    };
    let told = Error::new(format!("cannot write '{}': {reason}", path.display()));
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
mod tests {
    use super::*;

    /// An empty folder of this test's own, removed at the end.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let path = std::env::temp_dir().join(format!("biela-file-{name}-{}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Folder(path)
        }
        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(&self.0).unwrap();
            let mut names: Vec<String> =
                entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
            names.sort();
            names
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn an_error_leaves_the_old_file_and_nothing_else() {
        let folder = Folder::new("error");
        let path = folder.0.join("out.csv");
        write_atomically(&path, |w| w.write_all(b"old")).unwrap();
        let failed = write_atomically(&path, |w| {
            w.write_all(&[b'x'; 100_000])?;
            Err(io::Error::other("the pen broke"))
        });
        assert!(failed.unwrap_err().message().contains("the pen broke"));
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(folder.names(), ["out.csv"]);
        write_atomically(&path, |w| w.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(folder.names(), ["out.csv"]);
    }

    #[test]
    fn leftovers_of_a_killed_program_are_written_over() {
        let folder = Folder::new("leftover");
        let path = folder.0.join("out.csv");
        fs::write(folder.0.join(".out.csv.tmp"), "half a table that is longer than the whole one").unwrap();
        write_atomically(&path, |w| w.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(folder.names(), ["out.csv"]);
    }

    #[test]
    fn writers_at_once_leave_one_whole_file() {
        let folder = Folder::new("at-once");
        let path = folder.0.join("out.csv");
        std::thread::scope(|scope| {
            for letter in b'a'..b'i' {
                let path = &path;
                scope.spawn(move || {
                    for _ in 0..100 {
                        write_atomically(path, |w| w.write_all(&[letter; 20_000])).unwrap();
                        let found = fs::read(path).unwrap();
                        assert!(found.len() == 20_000 && found.iter().all(|b| *b == found[0]));
                    }
                });
            }
        });
        assert_eq!(folder.names(), ["out.csv"]);
    }

    #[cfg(unix)]
    #[test]
    fn only_regular_files_of_bounded_size_are_read() {
        let folder = Folder::new("read");
        let path = folder.0.join("in.csv");
        fs::write(&path, [b'x'; 100]).unwrap();
        assert_eq!(read_whole(&path, 100).unwrap().len(), 100);
        let told = |path: &Path| read_whole(path, 99).unwrap_err().to_string();
        assert!(told(&path).contains("at most 0 are read"));
        assert!(told(Path::new("/dev/zero")).contains("not a regular file"));
        assert!(told(&folder.0).contains("a folder"));
        assert!(told(&folder.0.join("no")).contains("no such file"));
    }

    #[test]
    fn folders_and_missing_folders_are_refused_with_advice() {
        let folder = Folder::new("refuse");
        let told = write_atomically(&folder.0, |_| Ok(())).unwrap_err().to_string();
        assert!(told.contains("it is a folder") && told.contains("name of a file"));
        let told = write_atomically(&folder.0.join("no/out.csv"), |_| Ok(())).unwrap_err().to_string();
        assert!(told.contains("no/out.csv") && told.contains("the folder does not exist"));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_a_device_a_device() {
        let folder = Folder::new("link");
        let (real, link) = (folder.0.join("real.csv"), folder.0.join("link.csv"));
        fs::write(&real, "old").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        write_atomically(&link, |w| w.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&real).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().file_type().is_symlink());
        write_atomically(Path::new("/dev/null"), |w| w.write_all(b"new")).unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }

    #[cfg(unix)]
    #[test]
    fn the_mode_of_the_old_file_is_kept() {
        use std::os::unix::fs::PermissionsExt;
        let folder = Folder::new("mode");
        let path = folder.0.join("out.csv");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        write_atomically(&path, |w| w.write_all(b"new")).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o440)).unwrap();
        assert!(write_atomically(&path, |_| Ok(())).unwrap_err().message().contains("read-only"));
    }
}
