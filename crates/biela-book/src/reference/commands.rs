//! Commands and their options, from the command line itself.

use super::{code, codes, table, title};
use std::fmt::Write;

/// Every command.
pub fn page() -> String {
    let program = biela_cli::program();
    let mut text = title(
        "Commands and options",
        "What `biela COMMAND --help` says, in one place. [Commands](../commands.md) has examples and what the outputs mean.",
    );
    text.push_str(&table(
        &["command", "what it does"],
        program.get_subcommands().map(|c| vec![format!("[`{0}`](#{0})", c.get_name()), about(c)]),
    ));
    text.push_str("\nEvery command takes\n");
    text.push_str(&table(
        &["option", "meaning"],
        program.get_arguments().filter(|a| a.is_global_set() && !a.is_hide_set()).map(argument),
    ));
    for command in program.get_subcommands() {
        let usage = command.clone().bin_name(format!("biela {}", command.get_name())).render_usage().to_string();
        let usage = usage.strip_prefix("Usage: ").unwrap_or(&usage).to_string();
        let _ = write!(text, "\n## `{}`\n{}.\n\n```text\n{usage}\n```\n", command.get_name(), about(command));
        text.push_str(&table(
            &["argument", "meaning"],
            command.get_arguments().filter(|a| !a.is_hide_set()).map(argument),
        ));
    }
    text
}

fn about(command: &clap::Command) -> String {
    command.get_about().map(|a| a.to_string()).unwrap_or_default()
}

/// How it is written, and what it means, with allowed and usual values.
fn argument(argument: &clap::Arg) -> Vec<String> {
    let takes = argument.get_action().takes_values();
    let values = || {
        let names = argument.get_value_names().unwrap_or_default();
        names.iter().map(|n| n.to_string()).collect::<Vec<_>>().join(" ")
    };
    let mut written: Vec<String> = Vec::new();
    let with = |name: String| if takes { format!("{name} {}", values()).trim_end().to_string() } else { name };
    match (argument.get_short(), argument.get_long()) {
        (None, None) => written.push(values()),
        (short, long) => {
            written.extend(short.map(|s| format!("-{s}")));
            written.extend(long.map(|l| with(format!("--{l}"))));
        }
    }
    let help = argument.get_long_help().or(argument.get_help()).map(|h| h.to_string()).unwrap_or_default();
    let mut meaning = help.replace("\n- ", "\n• ").replace('<', "&lt;").replace('>', "&gt;");
    if argument.is_required_set() {
        meaning.push_str(" (required)");
    }
    let allowed: Vec<String> = argument.get_possible_values().iter().map(|v| v.get_name().to_string()).collect();
    let told = allowed.iter().all(|a| meaning.contains(a.as_str()));
    if takes && !allowed.is_empty() && !told {
        let _ = write!(meaning, ": {}", codes(&allowed));
    }
    let usual: Vec<String> = argument.get_default_values().iter().map(|v| v.to_string_lossy().to_string()).collect();
    if takes && !usual.is_empty() {
        let _ = write!(meaning, " (usually {})", codes(&usual));
    }
    vec![written.iter().map(code).collect::<Vec<_>>().join(", "), meaning]
}
