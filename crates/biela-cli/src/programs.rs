//! Other programs that this one starts: found in the folders of PATH, and never in the one that happens to be the present.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A program by its name or path. Of PATH only whole paths count: an empty or relative entry would mean a file that anybody may
/// have put into the folder where the command is given.
pub fn command(program: &str) -> std::io::Result<Command> {
    let named = Path::new(program);
    if named.components().count() > 1 {
        return Ok(Command::new(named));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path)
        .filter(|folder| folder.is_absolute())
        .map(|f| f.join(named))
        .find(|p| is_program(p));
    let found: PathBuf = match found {
        Some(found) => found,
        // Endings of programs are for the system to add, which looks into no present folder.
        None if cfg!(windows) => named.to_path_buf(),
        None => return Err(std::io::Error::new(std::io::ErrorKind::NotFound, "it is in no folder of PATH")),
    };
    Ok(Command::new(found))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}
