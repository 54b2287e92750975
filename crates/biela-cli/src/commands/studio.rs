//! `biela studio`: the page on which a mechanism is written, seen and moved.

use super::new::TEMPLATES;
use super::Command;
use crate::options;
use crate::output::say;
use biela::error::Result;
use biela::text::{read_text, Document, Options as Reading};
use biela_studio::{Options, Server};
use clap::{value_parser, Arg, ArgMatches};
use std::path::{Path, PathBuf};
use std::process::Stdio;

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
            .arg(options::flag("no-open", "Prints the address and opens no browser"))
    },
    run,
};

fn run(arguments: &ArgMatches) -> Result<()> {
    let file = arguments.get_one::<PathBuf>("file");
    let (folder, name, text) = match file {
        Some(path) => opened(path)?,
        None => {
            let (name, text) =
                TEMPLATES.iter().find(|t| t.0 == "four-bar").or(TEMPLATES.first()).unwrap_or(&("model", ""));
            (PathBuf::from("."), format!("{name}.toml"), text.to_string())
        }
    };
    let port = arguments.get_one::<u16>("port").copied().unwrap_or(0);
    let server = Server::bind(Options { folder, name, text, port, library: TEMPLATES })?;
    say!("studio: {}", server.url());
    say!("Whoever knows this address can work in it as you do. Ctrl-C ends it.");
    if !arguments.get_flag("no-open") {
        browse(&server.url());
    }
    server.run()
}

/// Folder, name and text of a model; what is no TOML becomes it.
fn opened(path: &Path) -> Result<(PathBuf, String, String)> {
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
    let document = Document::read(path, &Reading::default())?;
    Ok((folder, format!("{stem}.toml"), document.to_toml()))
}

/// Asks the system to open the address. Where that fails, the address has been printed.
fn browse(url: &str) {
    let (program, before): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("rundll32", &["url.dll,FileProtocolHandler"]),
        _ => ("xdg-open", &[]),
    };
    let quiet = || Stdio::null();
    let _ = std::process::Command::new(program)
        .args(before)
        .arg(url)
        .stdin(quiet())
        .stdout(quiet())
        .stderr(quiet())
        .spawn();
}
