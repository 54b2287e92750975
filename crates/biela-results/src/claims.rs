//! Files that a command is going to write, and must therefore not read.
//!
//! A command claims its outputs before it reads anything. Whatever is then read through the one door for files (a model, its
//! tables and meshes, states, a path, results) is compared with them by what it is, not by its name: the reader is refused before
//! anything is written, and an input can be no output by mistake.

use super::place::Identity;
use biela_base::error::{Error, Result};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// An output, as long as this lives.
#[derive(Debug)]
pub struct Claim(Arc<Claimed>);

#[derive(Debug)]
struct Claimed {
    path: PathBuf,
    /// The file that is there now.
    identity: Option<Identity>,
    /// Where it will be if there is none.
    place: Option<PathBuf>,
    met: AtomicBool,
}

static CLAIMED: Mutex<Vec<Arc<Claimed>>> = Mutex::new(Vec::new());

fn claimed() -> MutexGuard<'static, Vec<Arc<Claimed>>> {
    CLAIMED.lock().unwrap_or_else(|p| p.into_inner())
}

/// Claims a file that is going to be written.
pub fn claim(path: &Path) -> Claim {
    let claim = Claimed {
        path: path.to_path_buf(),
        identity: Identity::of_path(path),
        place: resolved(path),
        met: AtomicBool::new(false),
    };
    let claim = Arc::new(claim);
    claimed().push(claim.clone());
    Claim(claim)
}

/// The folder of a path without links, and the name in it.
fn resolved(path: &Path) -> Option<PathBuf> {
    let parent = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some(fs::canonicalize(parent).ok()?.join(path.file_name()?))
}

impl Claim {
    /// Whether somebody wanted to read it.
    pub fn met(&self) -> bool {
        self.0.met.load(Ordering::SeqCst)
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        claimed().retain(|claim| !Arc::ptr_eq(claim, &self.0));
    }
}

/// Whether somebody wanted to read any of them: whatever else can be done about it, the command is wrong.
pub fn any_claim_met() -> bool {
    claimed().iter().any(|claim| claim.met.load(Ordering::SeqCst))
}

/// The claim to an open file; `path` is the name it was opened by.
fn claim_to(file: &File, path: &Path) -> Option<Arc<Claimed>> {
    let claims = claimed();
    if claims.is_empty() {
        return None;
    }
    let (identity, place) = (Identity::of_open(file, path), resolved(path));
    let same = |claim: &&Arc<Claimed>| {
        (claim.identity.is_some() && claim.identity == identity) || (claim.place.is_some() && claim.place == place)
    };
    claims.iter().find(same).cloned()
}

fn refusal(claim: &Claimed) -> Error {
    Error::new(format!("it is read, and would be replaced by the output '{}'", claim.path.display()))
        .note("choose another name for the output")
}

/// Whether an open file is claimed.
pub(super) fn is_claimed(file: &File, path: &Path) -> bool {
    claim_to(file, path).is_some()
}

/// Refuses to read an open file that is claimed.
pub(super) fn refuse_claimed(file: &File, path: &Path) -> Result<()> {
    match claim_to(file, path) {
        None => Ok(()),
        Some(claim) => {
            claim.met.store(true, Ordering::SeqCst);
            Err(refusal(&claim))
        }
    }
}

/// Refuses to write a file that somebody wanted to read, though he may have gone on without.
pub(super) fn refuse_met(path: &Path) -> Result<()> {
    match claimed().iter().find(|claim| claim.path == path && claim.met.load(Ordering::SeqCst)) {
        None => Ok(()),
        Some(claim) => Err(refusal(claim).of(format!("'{}'", path.display()))),
    }
}

#[cfg(test)]
mod tests {
    use super::super::read_whole;
    use super::*;

    #[test]
    fn an_output_is_known_by_any_of_its_names() {
        let folder = std::env::temp_dir().join(format!("biela-claims-{}", std::process::id()));
        fs::create_dir_all(folder.join("inner")).unwrap();
        let table = folder.join("table.csv");
        fs::write(&table, "0,0\n").unwrap();
        let roundabout = folder.join("inner/../table.csv");
        for name in [&table, &roundabout] {
            let claim = claim(name);
            assert!(!claim.met());
            assert!(read_whole(&table, 100).unwrap_err().message().contains("would be replaced by the output"));
            assert!(claim.met());
        }
        #[cfg(unix)]
        {
            let (soft, hard) = (folder.join("soft.csv"), folder.join("hard.csv"));
            std::os::unix::fs::symlink(&table, &soft).unwrap();
            fs::hard_link(&table, &hard).unwrap();
            for (output, input) in [(&soft, &table), (&table, &soft), (&hard, &table)] {
                let _claim = claim(output);
                assert!(read_whole(input, 100).is_err(), "{} and {}", output.display(), input.display());
            }
        }
        // One that is not there yet; one that is no longer claimed.
        let late = folder.join("late.csv");
        let claim = claim(&late);
        fs::write(&late, "0,0\n").unwrap();
        assert!(read_whole(&late, 100).is_err());
        drop(claim);
        assert!(read_whole(&late, 100).is_ok() && read_whole(&table, 100).is_ok());
        let _ = fs::remove_dir_all(folder);
    }
}
