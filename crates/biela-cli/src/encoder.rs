//! Films by another program: ffmpeg, found in PATH, hears frames through a pipe. No shell has a part in it.
//!
//! It writes into a folder of its own, and what it has written takes its place like every other file: whole, or not at all.

use crate::programs;
use biela::error::{Error, Result};
use biela::picture::Film;
use biela::results::{read_whole, write_atomically};
use std::hash::{BuildHasher, RandomState};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Names the encoder to be used, where it is not the first on the path.
const VARIABLE: &str = "BIELA_FFMPEG";
/// Bytes of a film at most.
const MOST: u64 = 4 << 30;

/// A format of films that needs an encoder.
pub struct FilmFormat {
    /// Ending of the file's name, without the dot.
    pub extension: &'static str,
    /// What ffmpeg calls the container.
    container: &'static str,
    /// Codecs that play everywhere, the best first, with what they are told.
    codecs: &'static [(&'static str, &'static [&'static str])],
}

/// Every format that needs an encoder.
pub const FILMS: &[FilmFormat] = &[
    FilmFormat {
        extension: "mp4",
        container: "mp4",
        codecs: &[
            ("libx264", &["-crf", "18", "-preset", "medium"]),
            ("libopenh264", &["-b:v", "4M"]),
            ("h264_videotoolbox", &["-b:v", "4M"]),
            ("mpeg4", &["-q:v", "3"]),
        ],
    },
    FilmFormat {
        extension: "webm",
        container: "webm",
        codecs: &[
            ("libvpx-vp9", &["-crf", "24", "-b:v", "0", "-row-mt", "1"]),
            ("libvpx", &["-crf", "8", "-b:v", "4M"]),
            ("libaom-av1", &["-crf", "26", "-b:v", "0", "-cpu-used", "6"]),
            ("libsvtav1", &["-crf", "28"]),
        ],
    },
];

/// An encoder that has been found, with the codec that it has.
pub struct Encoder {
    program: String,
    format: &'static FilmFormat,
    codec: &'static (&'static str, &'static [&'static str]),
}

impl Encoder {
    /// Looks for an encoder of a format, before any work is done for it.
    pub fn find(format: &'static FilmFormat) -> Result<Encoder> {
        let program = std::env::var(VARIABLE).unwrap_or_else(|_| "ffmpeg".into());
        let ending = format.extension;
        let advice = |error: Error| {
            error
                .note(format!("install ffmpeg, or name it in {VARIABLE}"))
                .note("or write .gif or .apng, which need no other program")
        };
        let asked = programs::command(&program).and_then(|mut c| {
            c.args(["-hide_banner", "-encoders"]).stdin(Stdio::null()).stderr(Stdio::null()).output()
        });
        let told = asked.map_err(|e| {
            advice(Error::new(format!("no encoder for .{ending} is found: '{program}' cannot be run: {e}")))
        })?;
        let words = String::from_utf8_lossy(&told.stdout).into_owned();
        let has = |name: &str| words.lines().any(|line| line.split_whitespace().nth(1) == Some(name));
        let codec = format.codecs.iter().find(|c| has(c.0)).ok_or_else(|| {
            let names: Vec<&str> = format.codecs.iter().map(|c| c.0).collect();
            advice(Error::new(format!("'{program}' has no encoder for .{ending}: none of {}", names.join(", "))))
        })?;
        Ok(Encoder { program, format, codec })
    }

    /// Writes a film. The number of bytes.
    pub fn write(&self, path: &Path, film: &Film) -> Result<usize> {
        let folder = Folder::new()?;
        let made = folder.0.join(format!("film.{}", self.format.extension));
        let mut child = Running(self.start(film, &made)?);
        let mut errors = child.0.stderr.take();
        // What it says is read beside the work: a full pipe would stop it.
        let listener = std::thread::spawn(move || {
            let mut words = Vec::new();
            // Words that cannot be read are missing from a message, no more.
            let _ = errors.as_mut().map(|e| e.take(1 << 16).read_to_end(&mut words));
            String::from_utf8_lossy(&words).trim().to_string()
        });
        let mut stdin = child.0.stdin.take();
        let ended = Error::new("the encoder has ended");
        let piped = film.each(|frame| match stdin.as_mut().map(|pipe| pipe.write_all(frame)) {
            Some(Ok(())) => Ok(()),
            _ => Err(ended.clone()),
        });
        drop(stdin);
        if let Err(error) = &piped {
            if error.message() != ended.message() {
                // Ended by us: nobody waits for what it has made.
                return Err(error.clone());
            }
        }
        let status = child.0.wait().map_err(|e| self.fault(&e.to_string()))?;
        let words = listener.join().unwrap_or_default();
        if !status.success() || piped.is_err() {
            let last: Vec<&str> = words.lines().rev().take(3).collect();
            let said = last.into_iter().rev().collect::<Vec<_>>().join("; ");
            return Err(self.fault(&format!("it ended with {status}{}{said}", if said.is_empty() { "" } else { ": " })));
        }
        let bytes = read_whole(&made, MOST)?;
        write_atomically(path, |out| out.write_all(&bytes))?;
        Ok(bytes.len())
    }

    fn fault(&self, what: &str) -> Error {
        Error::new(format!("'{}' made no film: {what}", self.program))
            .note("write .gif or .apng, which need no other program")
    }

    fn start(&self, film: &Film, made: &Path) -> Result<Child> {
        let (width, height) = film.size();
        let mut command: Command = programs::command(&self.program).map_err(|e| self.fault(&e.to_string()))?;
        command.args(["-hide_banner", "-loglevel", "error", "-nostdin", "-f", "rawvideo", "-pix_fmt", "rgb24"]);
        command.args(["-s", &format!("{width}x{height}"), "-r", &film.fps.to_string(), "-i", "pipe:0", "-an"]);
        // Colours at half the size need whole numbers of pairs; the same film has the same bytes, without dates.
        command.args(["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2:0:0:color=white", "-map_metadata", "-1"]);
        command.args(["-fflags", "+bitexact", "-flags", "+bitexact", "-pix_fmt", "yuv420p", "-c:v", self.codec.0]);
        command.args(self.codec.1);
        if self.format.container == "mp4" {
            // Players begin before they have all of it.
            command.args(["-movflags", "+faststart"]);
        }
        command.args(["-f", self.format.container]).arg(made);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        command.spawn().map_err(|e| self.fault(&e.to_string()))
    }
}

/// A program that ends with the work it was started for.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A folder that nobody else looks into, gone with its owner.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Folder> {
        let name = format!("biela-film-{:016x}", RandomState::new().hash_one(std::process::id()));
        let path = std::env::temp_dir().join(name);
        let mut builder = std::fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        let fault = |e: std::io::Error| Error::new(format!("cannot make the folder '{}': {e}", path.display()));
        builder.create(&path).map_err(fault)?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left over is in a folder that the system empties.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
