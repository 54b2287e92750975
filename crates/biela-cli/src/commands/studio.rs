//! `biela studio`: the page on which a mechanism is written, seen and moved.

use super::new::TEMPLATES;
use super::Command;
use crate::options;
use crate::output::{give, say};
use crate::programs;
use biela::error::Result;
use biela::results::write_atomically;
use biela::source::Source;
use biela::text::{read_text, Document, Options as Reading};
use biela_studio::{Options, Server};
use clap::{value_parser, Arg, ArgMatches};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

pub const COMMAND: Command = Command {
    name: "studio",
    about: "Opens a page in the browser: write, see and move a mechanism",
    arguments: |command| {
        command
            .arg(
                Arg::new("file")
                    .value_name("FILE")
                    .value_parser(value_parser!(PathBuf))
                    .help("Model to begin with; its folder is the one that is opened"),
            )
            .arg(
                Arg::new("port")
                    .long("port")
                    .value_name("NUMBER")
                    .value_parser(value_parser!(u16))
                    .default_value("0")
                    .help("Port on this machine; any that is free if 0"),
            )
            .arg(options::mode())
            .arg(
                Arg::new("export")
                    .long("export")
                    .value_name("PAGE")
                    .value_parser(value_parser!(PathBuf))
                    .conflicts_with_all(["port", "no-open"])
                    .help("Writes the studio, with this whole program inside, as one web page that needs no server and no network"),
            )
            .arg(options::flag("no-open", "Prints the address and opens no browser"))
    },
    run,
};

fn run(arguments: &ArgMatches) -> Result<()> {
    let file = arguments.get_one::<PathBuf>("file");
    let (folder, name, mut text) = match file {
        Some(path) => opened(path, arguments.contains_id("export"))?,
        None => {
            let (name, text) =
                TEMPLATES.iter().find(|t| t.0 == "four-bar").or(TEMPLATES.first()).unwrap_or(&("model", ""));
            (PathBuf::from("."), format!("{name}.toml"), text.to_string())
        }
    };
    if let Some(mode) = arguments.get_one::<u32>("mode") {
        // In the text, where it is seen and can be changed.
        text = Document::from_toml(&Source::new(&name, text.as_str()))?.to_toml_in_mode(*mode as usize);
    }
    if let Some(page) = arguments.get_one::<PathBuf>("export") {
        let whole = biela_studio::file(&name, &text, TEMPLATES)?;
        write_atomically(page, |out| out.write_all(whole.as_bytes()))?;
        say!("wrote {}; it opens in any browser, from this disk too", page.display());
        return Ok(());
    }
    let port = arguments.get_one::<u16>("port").copied().unwrap_or(0);
    let server = Server::bind(Options { folder, name, text, port, library: TEMPLATES })?;
    give!("studio: {}", server.url());
    say!("Whoever knows this address can work in it as you do. Ctrl-C ends it.");
    if !arguments.get_flag("no-open") {
        browse(&server.url());
    }
    server.run()
}

/// Folder, name and text of a model; what is no TOML becomes it, without meshes where it goes into a page that reads no files.
fn opened(path: &Path, alone: bool) -> Result<(PathBuf, String, String)> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_path_buf(),
        _ => PathBuf::from("."),
    };
    let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_else(|| "model".into());
    if path.extension().is_some_and(|e| e == "toml") {
        if let Ok(source) = read_text(path, "") {
            return Ok((folder, format!("{stem}.toml"), source.text.clone()));
        }
    }
    let mut document = Document::read(path, &Reading::default())?;
    if alone && document.leave_out_meshes() {
        say!("note: a page reads no mesh files; bodies are drawn by their joints and other shapes");
    }
    document.keep_meshes(None);
    Ok((folder, format!("{stem}.toml"), document.to_toml()))
}

/// Asks the system to open the address. Where that fails, the address has been printed.
///
/// Arguments of programs are seen by every user of a machine, so the address, with its token, is not among them: a file that only
/// this user can read leads the browser to it, and goes after a while.
fn browse(url: &str) {
    let (program, before): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("rundll32", &["url.dll,FileProtocolHandler"]),
        _ => ("xdg-open", &[]),
    };
    let Ok(mut command) = programs::command(program) else { return };
    let Ok((folder, file)) = signpost(url) else { return };
    let quiet = || Stdio::null();
    command.args(before).arg(&file).stdin(quiet()).stdout(quiet()).stderr(quiet());
    let opened = command.spawn();
    // Browsers take their time to start.
    const LONG_ENOUGH: Duration = Duration::from_secs(60);
    std::thread::spawn(move || {
        if let Ok(mut child) = opened {
            let _ = child.wait();
            std::thread::sleep(LONG_ENOUGH);
        }
        let _ = std::fs::remove_file(file);
        let _ = std::fs::remove_dir(folder);
    });
}

/// A page that leads to an address, in a new folder; nobody else may read either.
fn signpost(url: &str) -> std::io::Result<(PathBuf, PathBuf)> {
    let own = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|p| p.is_absolute() && p.is_dir());
    let folder = own.unwrap_or_else(std::env::temp_dir).join(format!("biela-studio-{}", biela_studio::secret()?));
    let (mut made, mut options) = (std::fs::DirBuilder::new(), std::fs::OpenOptions::new());
    #[cfg(unix)]
    {
        use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
        made.mode(0o700);
        options.mode(0o600);
    }
    made.create(&folder)?;
    let file = folder.join("open.html");
    let written = options.write(true).create_new(true).open(&file).and_then(|mut out| {
        writeln!(
            out,
            "<!doctype html><meta charset=\"utf-8\"><meta name=\"referrer\" content=\"no-referrer\">\
             <meta http-equiv=\"refresh\" content=\"0; url={url}\"><title>biela studio</title><a href=\"{url}\">biela studio</a>"
        )
    });
    match written {
        Ok(()) => Ok((folder, file)),
        Err(error) => {
            let _ = std::fs::remove_file(&file);
            let _ = std::fs::remove_dir(&folder);
            Err(error)
        }
    }
}
