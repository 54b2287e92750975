//! Engines of a sweep that are not this program: Dask, through the Python package, which fills the folder of parts.

use crate::{options, output, programs};
use biela::error::{Error, Result};
use biela::model::Analysis;
use biela::results::parts;
use biela::sweep::Sweep;
use biela::text::{Asked, Options};
use clap::ArgMatches;
use serde_json::json;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Names the Python to be used, where it is not the first on the path.
const VARIABLE: &str = "BIELA_PYTHON";

/// What Python is told first. It runs isolated (`-I`): modules come from where packages are installed, never from the folder in which
/// the command is given, whose files may be anybody's. Isolation leaves out packages of the user's own and folders that PYTHONPATH
/// names; those are put back as long as they are whole paths.
const ISOLATED: &str = "import os, site, sys
if sys.prefix == sys.base_prefix and not os.environ.get('PYTHONNOUSERSITE'):
    own = site.getusersitepackages()
    if os.path.isabs(own) and os.path.isdir(own):
        site.addsitedir(own)
sys.path[:0] = [p for p in os.environ.get('PYTHONPATH', '').split(os.pathsep) if os.path.isabs(p)]
";

/// A Python that is to do something.
fn isolated(python: &str, what: &str) -> std::io::Result<Command> {
    let mut command = programs::command(python)?;
    command.args(["-I", "-c", &format!("{ISOLATED}{what}")]);
    Ok(command)
}

/// Computes the parts of a sweep that are not there yet on a cluster.
pub fn dask(arguments: &ArgMatches, sweep: &Sweep, asked: &Asked, output: &Path) -> Result<()> {
    let python = std::env::var(VARIABLE).unwrap_or_else(|_| "python3".into());
    look_for_packages(&python)?;
    let text = |name: &str| arguments.get_one::<String>(name).cloned();
    let Options {
        set, drive, gravity, unphysical, lenient, strict, free_base, analysis, start, end, steps, mode, ..
    } = &sweep.options;
    let gravity = gravity.map(|g| g.into_iter().filter(|x| x.is_finite()).collect::<Vec<f64>>());
    let analysis = analysis.and_then(|a| Analysis::ALL.iter().find(|x| x.1 == a)).map(|a| a.0);
    let request = json!({
        "file": options::file(arguments), "output": output, "quiet": output::quiet(),
        "fingerprint": parts::fingerprint(&sweep.header), "formulation": text("formulation"), "newton": sweep.method.keyword(),
        "scheduler": text("scheduler"), "workers": options::threads(arguments),
        "options": {
            "set": set, "drive": drive, "gravity": gravity, "unphysical": unphysical, "lenient": lenient,
            "strict": strict, "free_base": free_base, "analysis": analysis, "start": start, "end": end, "steps": steps, "mode": mode,
        },
        "plan": {
            "vary": asked.vary, "measure": asked.measure, "series": asked.series, "sampling": asked.sampling,
            "samples": asked.samples, "seed": asked.seed,
        },
    });
    // The engine has its own way with Ctrl-C, which reaches it too.
    let _interrupted = options::interrupted();
    let failed = |e: std::io::Error| Error::new(format!("'{python}' cannot be run: {e}"));
    let mut child = isolated(&python, "from biela._engine import run; run()")
        .and_then(|mut command| command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn())
        .map_err(failed)?;
    if let Some(mut stdin) = child.stdin.take() {
        // A child that ended before it read says why itself.
        let _ = stdin.write_all(request.to_string().as_bytes());
    }
    let status = child.wait().map_err(failed)?;
    match status.success() {
        true => Ok(()),
        false => Err(Error::new(format!("the engine ended early ({status})"))
            .note(format!("what is done is in '{}'", parts::folder_of(output).display()))
            .note("the same command with --resume goes on")),
    }
}

/// That Python is there, with what the engine needs.
fn look_for_packages(python: &str) -> Result<()> {
    let advice = |error: Error| {
        error
            .note("install both, such as by: python3 -m pip install '.[cluster]' in biela's folder")
            .note(format!("another Python is named by {VARIABLE}=/path/to/python"))
    };
    let done =
        isolated(python, "import biela, distributed").and_then(|mut command| command.stdin(Stdio::null()).output());
    let done =
        done.map_err(|e| advice(Error::new(format!("--engine dask needs Python, but '{python}' cannot be run: {e}"))))?;
    if done.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&done.stderr);
    let last = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it does not say why").trim();
    let message =
        format!("--engine dask needs the packages biela and distributed, which '{python}' cannot import: {last}");
    Err(advice(Error::new(message)))
}
