//! What the program says and leaves unsaid: `--quiet`, colour, completions.

mod common;

use common::{biela, model, told, Folder};
use std::process::{Command, Output};

/// The first byte of whatever moves a cursor or sets a colour.
const ESCAPE: u8 = 0x1b;

/// A model with a warning: the key is unknown and allowed to be.
const WARNS: &str = r#"
colour = "red"
[bodies]
crank = { points = { B = [1, 0, 0] } }
[joints]
O = { type = "revolute", bodies = ["ground", "crank"], at = [[0, 0, 0], [0, 0, 0]], axis = "z" }
[drivers]
motor = { joint = "O", value = "t" }
[run]
end = 1
"#;

/// A program whose colours depend on what the test sets alone.
fn plain(arguments: &[&str], folder: &Folder) -> Command {
    let mut command = biela();
    command.args(arguments).current_dir(&folder.0);
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(variable);
    }
    command.env("TERM", "xterm-256color");
    command
}

fn ran(command: &mut Command) -> Output {
    command.output().expect("the program starts")
}

fn coloured(output: &Output) -> bool {
    output.stdout.contains(&ESCAPE) || output.stderr.contains(&ESCAPE)
}

#[test]
fn quiet_prints_nothing_and_writes_the_file() {
    let folder = Folder::new("quiet");
    folder.write("warns.toml", WARNS);
    let loud = ran(&mut plain(&["run", "warns.toml", "--lenient", "-o", "loud.csv"], &folder));
    assert!(told(&loud).starts_with("warning: ") && !loud.stdout.is_empty(), "{}", told(&loud));
    for arguments in [
        ["--quiet", "run", "warns.toml", "--lenient", "-o", "out.csv"],
        ["run", "warns.toml", "--lenient", "-q", "-o", "out.csv"],
    ] {
        let _ = std::fs::remove_file(folder.path("out.csv"));
        let found = ran(&mut plain(&arguments, &folder));
        assert!(found.status.success());
        assert_eq!((told(&found).as_str(), found.stdout.len()), ("", 0));
        assert_eq!(folder.read("out.csv"), folder.read("loud.csv"));
    }
    for command in ["check", "verify", "assemble", "run", "report", "view"] {
        let found = ran(&mut plain(&[command, "warns.toml", "--lenient", "--quiet"], &folder));
        assert!(found.status.success(), "{command}: {}", told(&found));
        assert_eq!((told(&found).as_str(), found.stdout.len()), ("", 0), "{command}");
    }
    assert!(!folder.read("warns.html").is_empty(), "{:?}", folder.names());
}

#[test]
fn quiet_still_prints_errors_and_data_asked_for() {
    let folder = Folder::new("quiet-errors");
    folder.write("warns.toml", WARNS);
    let found = ran(&mut plain(&["--quiet", "run", "warns.toml"], &folder));
    assert_eq!(found.status.code(), Some(1));
    assert!(told(&found).starts_with("error: ") && found.stdout.is_empty(), "{}", told(&found));
    let found = ran(&mut plain(&["--quiet", "run"], &folder));
    assert_eq!(found.status.code(), Some(2));
    assert!(told(&found).starts_with("error: "), "{}", told(&found));
    for arguments in [["check", "warns.toml", "--json"], ["assemble", "warns.toml", "--json"]] {
        let loud = ran(plain(&arguments, &folder).arg("--lenient"));
        let quiet = ran(plain(&arguments, &folder).args(["--lenient", "--quiet"]));
        assert!(!loud.stdout.is_empty() && loud.stdout == quiet.stdout && quiet.stderr.is_empty(), "{arguments:?}");
    }
    let found = ran(&mut plain(&["-q", "convert", "warns.toml", "--lenient"], &folder));
    assert!(String::from_utf8_lossy(&found.stdout).contains("[bodies"), "{}", told(&found));
}

/// Through a pipe there are no colours, unless they are forced; and none where they are refused, forced or not.
#[test]
fn colour_follows_the_stream_and_the_variables() {
    let folder = Folder::new("colour");
    folder.write("warns.toml", WARNS);
    let cases: [&[&str]; 5] = [
        &["run", "warns.toml"],              // an error with an excerpt
        &["run", "warns.toml", "--lenient"], // a warning
        &["run"],                            // wrong usage
        &["--help"],
        &["run", "--help"],
    ];
    for arguments in cases {
        let piped = ran(&mut plain(arguments, &folder));
        assert!(!coloured(&piped), "{arguments:?}");
        assert!(!coloured(&ran(plain(arguments, &folder).env("NO_COLOR", "1"))), "{arguments:?}");
        assert!(!coloured(&ran(plain(arguments, &folder).env("NO_COLOR", "1").env("CLICOLOR_FORCE", "1"))));
        let forced = ran(plain(arguments, &folder).env("CLICOLOR_FORCE", "1"));
        assert!(coloured(&forced), "{arguments:?}");
        // The words are the same, and so is every table on standard output but for times.
        assert_eq!(without_colour(&forced.stderr), told(&piped), "{arguments:?}");
    }
}

/// A text without its escape codes.
fn without_colour(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let mut parts = text.split('\x1b');
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |whole, part| whole + part.split_once('m').map_or(part, |p| p.1))
}

/// On a terminal there are colours, and `TERM=dumb` or `NO_COLOR` takes them away. `script` gives the program a terminal; where it
/// is missing, the rules above have been tested all the same.
#[cfg(target_os = "linux")]
#[test]
fn terminals_have_colour() {
    if !Command::new("script").arg("--version").output().is_ok_and(|o| o.status.success()) {
        eprintln!("NOT TESTED: colours on a terminal (no program 'script')");
        return;
    }
    let folder = Folder::new("terminal");
    let line = format!("'{}' run '{}' --set crank=nonsense", env!("CARGO_BIN_EXE_biela"), model("slider-crank.toml"));
    let on_terminal = |variables: &[(&str, &str)]| {
        let mut command = Command::new("script");
        command.args(["-qec", &line, "/dev/null"]).current_dir(&folder.0);
        command.env_remove("NO_COLOR").env_remove("CLICOLOR").env_remove("CLICOLOR_FORCE").env_remove("CI");
        command.env("TERM", "xterm-256color").envs(variables.iter().copied());
        let found = ran(&mut command);
        assert!(String::from_utf8_lossy(&found.stdout).contains("error:"), "{found:?}");
        coloured(&found)
    };
    assert!(on_terminal(&[]));
    assert!(!on_terminal(&[("NO_COLOR", "1")]));
    assert!(!on_terminal(&[("TERM", "dumb")]));
}

/// Every command is in the script of every shell.
#[test]
fn completions_know_every_command() {
    let folder = Folder::new("completions");
    let help = ran(&mut plain(&["--help"], &folder));
    let help = String::from_utf8_lossy(&help.stdout).into_owned();
    let list = help.split("Commands:\n").nth(1).and_then(|t| t.split("\n\n").next()).expect("a list of commands");
    let commands: Vec<&str> = list.lines().filter_map(|l| l.split_whitespace().next()).collect();
    assert!(commands.len() > 10, "{commands:?}");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let found = ran(&mut plain(&["completions", shell], &folder));
        let script = String::from_utf8_lossy(&found.stdout).into_owned();
        assert!(found.status.success() && script.contains("formulation"), "{shell}");
        for command in &commands {
            assert!(script.contains(command), "{shell}: {command}");
        }
    }
    assert_eq!(ran(&mut plain(&["completions", "tcsh"], &folder)).status.code(), Some(2));
    // Bash can read its own.
    let script = ran(&mut plain(&["completions", "bash"], &folder)).stdout;
    folder.write("biela.bash", script);
    if let Ok(found) = Command::new("bash").args(["-n", "biela.bash"]).current_dir(&folder.0).output() {
        assert!(found.status.success(), "{}", told(&found));
    }
}
