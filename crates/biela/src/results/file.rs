//! A file is whole or absent: output goes to a temporary file beside the target, which then takes its place.

use crate::error::{Error, Result};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

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
        let mut writer = BufWriter::new(file);
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

/// A new file `.name.tmp-<pid>` in the folder of `target`; numbered if another thread has that name in use.
fn temporary_beside(target: &Path) -> io::Result<(File, PathBuf)> {
    const TRIES: u32 = 100;
    let name = target.file_name().ok_or_else(|| io::Error::new(ErrorKind::InvalidInput, "it does not name a file"))?;
    for k in 0..TRIES {
        let mut beside = std::ffi::OsString::from(".");
        beside.push(name);
        beside.push(format!(".tmp-{}", std::process::id()));
        if k > 0 {
            beside.push(format!("-{k}"));
        }
        let temporary = target.with_file_name(beside);
        match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            Ok(file) => return Ok((file, temporary)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::new(ErrorKind::AlreadyExists, "temporary files of earlier runs are in the way"))
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
        ErrorKind::StorageFull => told.note("free some space, or choose another disk; nothing was changed"),
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
