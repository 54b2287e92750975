//! Manual pages, `biela.1` and one for each command, made from the command line itself. They carry no date: the same source gives
//! the same bytes.

use clap_mangen::Man;
use std::io;
use std::path::Path;

/// What holds for every command.
const STATUS: &str = r#".SH "EXIT STATUS"
.TP
0
Done.
.TP
1
The model or the data is wrong, or the mechanism cannot do what is asked; standard error says what and where.
.TP
2
Wrong usage.
.SH ENVIRONMENT
.TP
\fBNO_COLOR\fR
Where it is set, nothing has colour. Otherwise help, errors and warnings have it on terminals; with \fBCLICOLOR_FORCE\fR also elsewhere.
.TP
\fBBIELA_INSTRUCTIONS\fR
Keeps to these instructions of the processor: portable, avx2 or avx512. They change the speed, never the results.
"#;

/// Every page: the name of its file and its text.
pub fn pages() -> io::Result<Vec<(String, String)>> {
    let mut program = biela_cli::program().disable_help_subcommand(true);
    program.build();
    let commands: Vec<clap::Command> = program.get_subcommands().filter(|c| !c.is_hide_set()).cloned().collect();
    let others: Vec<String> = commands.iter().filter_map(|c| c.get_display_name().map(str::to_string)).collect();
    let source = format!("biela {}", program.get_version().unwrap_or_default());
    let mut pages = vec![page(program, &source, &others)?];
    for command in commands {
        pages.push(page(command, &source, &["biela".into()])?);
    }
    Ok(pages)
}

/// One page, which points at others.
fn page(command: clap::Command, source: &str, others: &[String]) -> io::Result<(String, String)> {
    let man = Man::new(command).source(source).manual("biela");
    let mut text = Vec::new();
    man.render(&mut text)?;
    let text = String::from_utf8(text).map_err(io::Error::other)?;
    // Items of a list in a help text stay on lines of their own.
    let mut text = text.replace("\n\\- ", "\n.br\n\\- ");
    text.push_str(STATUS);
    let others: Vec<String> = others.iter().map(|name| format!("\\fB{}\\fR(1)", name.replace('-', "\\-"))).collect();
    text.push_str(&format!(".SH \"SEE ALSO\"\n{}\n", others.join(", ")));
    Ok((man.get_filename(), text))
}

/// Writes every page into a folder, which is made; how many there are.
pub fn write(folder: &Path) -> io::Result<usize> {
    std::fs::create_dir_all(folder)?;
    let pages = pages()?;
    for (name, text) in &pages {
        std::fs::write(folder.join(name), text)?;
    }
    Ok(pages.len())
}
