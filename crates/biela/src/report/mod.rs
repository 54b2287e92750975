//! A report of a mechanism: one page of HTML to print. The machine comes first, with what it is built by; its equations come last.
//!
//! | file | idea |
//! |---|---|
//! | `mod` | what is found out, in which order it is told |
//! | `html` | elements of a page, every text escaped |
//! | `mechanism` | mobility, equations, redundancy in words |
//! | `sheets` | masses, motors, bearings, paths |
//! | `motion` | verification, plots, extreme values, reactions, singular positions |

mod html;
mod mechanism;
mod motion;
mod sheets;

use crate::error::Result;
use crate::model::{Model, Study};
use crate::picture::page::{policy, sha256};
use crate::picture::{self, Animation};
use crate::results::Results;
use crate::sizing::Sizing;
use crate::solve::check::{self, check};
use crate::solve::newton::Method;
use crate::solve::noise::Noise;
use crate::solve::run::{counted_in, solved_by};
use crate::solve::verify::{verify, Verification};
use crate::system::AUTO;
use html::{escaped, Page};

const STYLE: &str = include_str!("../../assets/report/report.css");

/// What a report is made of.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The model, with the analysis that gave the results.
    pub model: &'a Model,
    /// What a run of it gave.
    pub results: &'a Results,
    /// Its text as the user wrote it.
    pub text: &'a str,
    /// All that it is made of, for the hash: the text and the files that it names.
    pub contents: &'a str,
    /// Warnings of reading it.
    pub warnings: &'a [String],
    /// Formulation that solved it.
    pub formulation: &'a str,
    /// The exact command that makes this report.
    pub command: &'a str,
    /// Plots by signal names, commas between; what tells most if empty.
    pub plots: &'a [String],
    /// Signal along the x axes.
    pub x: &'a str,
    /// Wanted coefficient of fluctuation of steadily turning drivers, for their flywheels.
    pub fluctuation: f64,
}

/// What is found out about a mechanism besides its motion.
struct Findings {
    check: Result<check::Report>,
    verification: Result<Verification>,
}

/// The page as text. `progress` hears of the runs that verify the results.
pub fn html(
    subject: &Subject,
    method: &'static dyn Method,
    progress: impl FnMut(usize, usize) -> bool,
) -> Result<String> {
    let model = subject.model;
    let motion = Animation::new(model, subject.results)?;
    let scene = picture::scene(model, &motion)?;
    // Of a run that ended before its time the part that there is can be verified.
    let reached = subject.results.ended.as_ref().map(|_| {
        let (end, steps) = (motion.times[motion.len() - 1], (motion.len() - 1).max(1));
        model.with_study(Study { end, steps, ..model.study.clone() })
    });
    let verification = verify(reached.as_ref().unwrap_or(model), method, progress);
    let counted = counted_in(model, Some(subject.formulation).filter(|word| *word != AUTO));
    let findings = Findings { check: check(model, counted), verification };
    // What is rounding alone is no figure. Figures are told in the units of the model; what is decided by them is decided in SI.
    let mut quiet = subject.results.clone();
    Noise::of(model, subject.results).hush(model, &mut quiet);
    let sizing = Sizing::of(model, subject.results, subject.fluctuation);
    let shown = quiet.clone().in_units(&model.study.units);
    let (quiet, shown) = (Subject { results: &quiet, ..*subject }, Subject { results: &shown, ..*subject });
    let mut page = Page::default();
    page.open("h1", "").text(&model.name).close("h1");
    if !model.about.is_empty() {
        page.open("p", "about").text(&model.about).close("p");
    }
    mechanism::tiles(&mut page, subject, &findings);
    let (kind, still) = picture::export::still(&scene, &motion, 0, 1200)?;
    let time = model.study.units.scale("s");
    let start = crate::results::significant(time.shown(motion.times[0]), 6);
    let caption = format!("{} at t = {start} {}", model.name, time.unit);
    page.picture("picture", kind, &still, &caption);
    motion::warnings(&mut page, subject);
    mechanism::parameters(&mut page, model);
    sheets::masses(&mut page, model, &sizing);
    sheets::motors(&mut page, model, subject.results, &sizing);
    sheets::bearings(&mut page, model, &sizing);
    sheets::paths(&mut page, subject, &sizing, shown.results);
    motion::plots(&mut page, &shown, scene.plots.clone())?;
    motion::extremes(&mut page, &quiet, &shown);
    motion::reactions(&mut page, &shown);
    motion::singularities(&mut page, subject, &findings);
    mechanism::tell(&mut page, subject, &findings);
    motion::verification(&mut page, &findings.verification);
    page.heading("Model");
    page.open("pre", "").text(subject.text).close("pre");
    origin(&mut page, subject);
    Ok(format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" \
         content=\"{}\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n\
         <link rel=\"icon\" href=\"data:,\">\n<style>{STYLE}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
        policy(None, STYLE),
        escaped(&format!("{}: report", model.name)),
        page.finish()
    ))
}

/// How the report came to be.
fn origin(page: &mut Page, subject: &Subject) {
    page.heading("How this was made");
    let hash: String = sha256(subject.contents.as_bytes()).iter().map(|b| format!("{b:02x}")).collect();
    page.pairs(&[
        ("command", subject.command),
        ("program", concat!("biela ", env!("CARGO_PKG_VERSION"))),
        ("formulation", solved_by(subject.results).unwrap_or(subject.formulation)),
        ("model", &format!("SHA-256 {hash}")),
    ]);
}
