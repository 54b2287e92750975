//! Finding the four files on disk.

use super::ThesisFiles;
use crate::files::read_bytes;
use biela_base::error::{Error, Result};
use biela_base::source::Source;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const GENERAL: [&str; 2] = ["general.txt", "datos_generales.txt"];
const JOINTS: [&str; 3] = ["joints.txt", "juntas.txt", "datos_de_juntas.txt"];
const DRIVERS: [&str; 3] = ["drivers.txt", "juntas_adicionales.txt", "juntas_motrices.txt"];
const Q0: [&str; 3] = ["q0.txt", "posicion_inicial.txt", "aproxinicial.txt"];

impl ThesisFiles {
    /// Loads the four files of a folder, or those beside the general data where `path` is that file.
    pub fn load(path: &Path) -> Result<ThesisFiles> {
        let (folder, general) = if path.is_dir() {
            (path.to_path_buf(), find(path, &GENERAL, "general data")?)
        } else {
            (path.parent().map_or_else(PathBuf::new, Path::to_path_buf), path.to_path_buf())
        };
        Ok(ThesisFiles {
            general: text_of(&general)?,
            joints: text_of(&find(&folder, &JOINTS, "joints")?)?,
            drivers: text_of(&find(&folder, &DRIVERS, "drivers")?)?,
            q0: text_of(&find(&folder, &Q0, "initial position")?)?,
        })
    }

    /// True where `path` is a folder with a file of general data, or such a file.
    pub fn are_at(path: &Path) -> bool {
        if path.is_dir() {
            return find(path, &GENERAL, "").is_ok();
        }
        path.file_name().and_then(|name| name.to_str()).is_some_and(|name| GENERAL.contains(&name)) && path.is_file()
    }
}

fn find(folder: &Path, names: &[&str], what: &str) -> Result<PathBuf> {
    names.iter().map(|name| folder.join(name)).find(|path| path.is_file()).ok_or_else(|| {
        let place = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        Error::new(format!("no file of the {what} in {}", place.display()))
            .note(format!("it is named {}", names.join(" or ")))
    })
}

fn text_of(path: &Path) -> Result<Arc<Source>> {
    let bytes = read_bytes(path).map_err(|e| e.of(format!("'{}'", path.display())))?;
    // The files hold numbers; comments may be in the encoding of any old editor.
    Ok(Source::new(path.display().to_string(), String::from_utf8_lossy(&bytes)))
}
