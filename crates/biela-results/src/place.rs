//! A name in a folder that is held open.
//!
//! A path is looked up anew by every call, and what it leads to may be exchanged between two of them. Here the folder is opened
//! once; files are then made, renamed, read and removed in it by their name alone, links are never followed, and a pipe put in
//! a file's place is seen for what it is and waited for by nobody.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// A name in an open folder.
#[derive(Debug)]
pub(super) struct Place {
    #[cfg(unix)]
    folder: File,
    /// Where the folder was found. Only lists of names are taken by it (and everything, where folders cannot be held open).
    path: PathBuf,
    name: OsString,
}

/// What tells one file from all others, whatever its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Identity(#[cfg(unix)] (u64, u64), #[cfg(not(unix))] PathBuf);

impl Identity {
    /// That of an open file; `path` is its name.
    #[cfg(unix)]
    pub fn of_open(file: &File, _path: &Path) -> Option<Identity> {
        file.metadata().ok().map(|meta| Identity::of(&meta))
    }

    /// That of a file by its name, links followed; none where there is no such file.
    #[cfg(unix)]
    pub fn of_path(path: &Path) -> Option<Identity> {
        fs::metadata(path).ok().map(|meta| Identity::of(&meta))
    }

    #[cfg(unix)]
    fn of(meta: &fs::Metadata) -> Identity {
        use std::os::unix::fs::MetadataExt;
        Identity((meta.dev(), meta.ino()))
    }

    /// That of an open file; `path` is its name.
    #[cfg(not(unix))]
    pub fn of_open(_file: &File, path: &Path) -> Option<Identity> {
        Identity::of_path(path)
    }

    /// That of a file by its name, links followed; none where there is no such file.
    #[cfg(not(unix))]
    pub fn of_path(path: &Path) -> Option<Identity> {
        fs::canonicalize(path).ok().map(Identity)
    }
}

impl Place {
    /// The place that a path names; the folder is found the way every program finds it.
    pub fn of(path: &Path) -> io::Result<Place> {
        let name =
            path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "it does not name a file"))?;
        let parent = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Place::in_folder(parent, name)
    }

    /// The name.
    pub fn name(&self) -> &OsStr {
        &self.name
    }

    /// Names in the folder, at most `most` of them.
    pub fn names(&self, most: usize) -> Vec<OsString> {
        fs::read_dir(&self.path).into_iter().flatten().flatten().take(most).map(|entry| entry.file_name()).collect()
    }
}

#[cfg(unix)]
mod held {
    use super::*;
    use nix::fcntl::{openat, renameat, AtFlags, OFlag};
    use nix::sys::stat::{fstatat, Mode};
    use nix::unistd::{unlinkat, UnlinkatFlags};
    use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
    use std::path::Component;

    /// A file opened to be read: nobody is waited for, no link is followed, no terminal taken.
    const READING: OFlag = OFlag::O_RDONLY
        .union(OFlag::O_NOFOLLOW)
        .union(OFlag::O_NONBLOCK)
        .union(OFlag::O_NOCTTY)
        .union(OFlag::O_CLOEXEC);
    const FOLDER: OFlag = OFlag::O_RDONLY.union(OFlag::O_DIRECTORY).union(OFlag::O_CLOEXEC);

    impl Place {
        pub(super) fn in_folder(parent: &Path, name: &OsStr) -> io::Result<Place> {
            let open = |flags: OFlag| fs::OpenOptions::new().read(true).custom_flags(flags.bits()).open(parent);
            let folder = match open(FOLDER) {
                // A folder may be written in and yet not be listed.
                #[cfg(target_os = "linux")]
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => open(FOLDER | OFlag::O_PATH)?,
                other => other?,
            };
            Ok(Place { folder, path: parent.to_path_buf(), name: name.to_os_string() })
        }

        /// The place of a path below this one's folder: no step of it may be a link, or lead upwards.
        pub fn below(&self, relative: &Path) -> io::Result<Place> {
            let Some(name) = relative.file_name() else { return Err(io::ErrorKind::InvalidInput.into()) };
            let mut place =
                Place { folder: self.folder.try_clone()?, path: self.path.clone(), name: name.to_os_string() };
            for step in relative.parent().into_iter().flat_map(Path::components) {
                let Component::Normal(step) = step else { return Err(io::ErrorKind::InvalidInput.into()) };
                let next = openat(&place.folder, step, FOLDER | OFlag::O_NOFOLLOW, Mode::empty())?;
                place = Place { folder: File::from(next), path: place.path.join(step), name: place.name };
            }
            Ok(place)
        }

        /// Opens the file of a name to read it, whatever it is: look at it before you do.
        pub fn open(&self, name: &OsStr) -> io::Result<File> {
            Ok(File::from(openat(&self.folder, name, READING, Mode::empty())?))
        }

        /// Makes a file that was not there, neither as a file nor as a link.
        pub fn create_new(&self, name: &OsStr, mode: Option<u32>) -> io::Result<File> {
            let flags = OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_EXCL | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
            let mode = Mode::from_bits_truncate(mode.unwrap_or(0o666) as nix::libc::mode_t);
            Ok(File::from(openat(&self.folder, name, flags, mode)?))
        }

        /// Gives the file of that name the name of this place, in place of what was there.
        pub fn take(&self, name: &OsStr) -> io::Result<()> {
            Ok(renameat(&self.folder, name, &self.folder, self.name.as_os_str())?)
        }

        /// Removes a file, or a link and not what it leads to.
        pub fn remove(&self, name: &OsStr) -> io::Result<()> {
            Ok(unlinkat(&self.folder, name, UnlinkatFlags::NoRemoveDir)?)
        }

        /// Waits until names given in the folder are on the disk.
        pub fn sync(&self) -> io::Result<()> {
            use nix::errno::Errno;
            match self.folder.sync_all() {
                // Folders that are not read, and systems that know no such thing of folders.
                Err(e)
                    if [Errno::EBADF, Errno::EINVAL, Errno::ENOTSUP]
                        .iter()
                        .any(|n| e.raw_os_error() == Some(*n as i32)) =>
                {
                    Ok(())
                }
                other => other,
            }
        }

        /// Whether a name stands for the open file still.
        pub fn is_still(&self, file: &File, name: &OsStr) -> bool {
            let found = fstatat(&self.folder, name, AtFlags::AT_SYMLINK_NOFOLLOW);
            // The types of these numbers differ from system to system.
            #[allow(clippy::unnecessary_cast)]
            let same = |meta: fs::Metadata| {
                found.is_ok_and(|f| (f.st_dev as u64, f.st_ino as u64) == (meta.dev(), meta.ino()))
            };
            file.metadata().is_ok_and(same)
        }
    }

    /// Opens a file by its path to read it; nobody is waited for.
    pub(crate) fn open_path(path: &Path) -> io::Result<File> {
        let flags = READING.difference(OFlag::O_NOFOLLOW).bits();
        fs::OpenOptions::new().read(true).custom_flags(flags).open(path)
    }

    /// Opens a pipe, a terminal or a device to write to it. A pipe that nobody reads is refused after `patience`.
    pub(crate) fn open_stream(path: &Path, patience: std::time::Duration) -> io::Result<File> {
        use nix::errno::Errno;
        use nix::fcntl::{fcntl, FcntlArg};
        let started = std::time::Instant::now();
        let flags = (OFlag::O_NONBLOCK | OFlag::O_NOCTTY).bits();
        loop {
            match fs::OpenOptions::new().append(true).custom_flags(flags).open(path) {
                Err(e) if e.raw_os_error() == Some(Errno::ENXIO as i32) => {
                    if started.elapsed() > patience {
                        return Err(io::Error::other("nobody reads from this pipe"));
                    }
                    std::thread::sleep(std::time::Duration::from_millis(20));
                }
                Err(error) => return Err(error),
                Ok(file) => {
                    // From here on a slow reader is waited for, as ever.
                    let flags = OFlag::from_bits_retain(fcntl(&file, FcntlArg::F_GETFL)?);
                    fcntl(&file, FcntlArg::F_SETFL(flags.difference(OFlag::O_NONBLOCK)))?;
                    return Ok(file);
                }
            }
        }
    }
}

/// Where folders cannot be held open, paths must do.
#[cfg(not(unix))]
mod held {
    use super::*;
    use std::path::Component;

    impl Place {
        pub(super) fn in_folder(parent: &Path, name: &OsStr) -> io::Result<Place> {
            if !fs::metadata(parent)?.is_dir() {
                return Err(io::ErrorKind::NotFound.into());
            }
            Ok(Place { path: parent.to_path_buf(), name: name.to_os_string() })
        }

        pub fn below(&self, relative: &Path) -> io::Result<Place> {
            let Some(name) = relative.file_name() else { return Err(io::ErrorKind::InvalidInput.into()) };
            let mut folder = self.path.clone();
            for step in relative.parent().into_iter().flat_map(Path::components) {
                let Component::Normal(step) = step else { return Err(io::ErrorKind::InvalidInput.into()) };
                folder.push(step);
                if !fs::symlink_metadata(&folder)?.is_dir() {
                    return Err(io::ErrorKind::NotFound.into());
                }
            }
            Place::in_folder(&folder, name)
        }

        pub fn open(&self, name: &OsStr) -> io::Result<File> {
            let path = self.path.join(name);
            match fs::symlink_metadata(&path)?.is_symlink() {
                true => Err(io::ErrorKind::InvalidInput.into()),
                false => File::open(path),
            }
        }

        pub fn create_new(&self, name: &OsStr, _mode: Option<u32>) -> io::Result<File> {
            fs::OpenOptions::new().write(true).create_new(true).open(self.path.join(name))
        }

        pub fn take(&self, name: &OsStr) -> io::Result<()> {
            fs::rename(self.path.join(name), self.path.join(&self.name))
        }

        pub fn remove(&self, name: &OsStr) -> io::Result<()> {
            fs::remove_file(self.path.join(name))
        }

        pub fn sync(&self) -> io::Result<()> {
            Ok(())
        }

        // A file that is open for writing cannot be renamed by others here.
        pub fn is_still(&self, _file: &File, name: &OsStr) -> bool {
            self.path.join(name).exists()
        }
    }

    pub(crate) fn open_path(path: &Path) -> io::Result<File> {
        File::open(path)
    }

    pub(crate) fn open_stream(path: &Path, _patience: std::time::Duration) -> io::Result<File> {
        fs::OpenOptions::new().append(true).open(path)
    }
}

pub(super) use held::{open_path, open_stream};
