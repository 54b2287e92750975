//! How a mechanism moves and what it bears: verification, plots, extreme values, reactions, singular positions, warnings.

use super::html::{unit, Page};
use super::{Findings, Subject};
use crate::error::Result;
use crate::plan::drawn;
use crate::results::{plot, significant, times_in_words, Results};
use crate::signal::{Element, COMPONENTS};
use crate::signal_name;
use crate::solve::forces::NOT_UNIQUE;
use crate::solve::headline::headline;
use crate::solve::motion::ended_in_words;
use crate::solve::verify::{Level, Verification};
use biela_base::sorting::sort_by_key;
use std::collections::HashSet;

/// Rows of a table beyond which the rest is counted alone.
const MOST: usize = 60;
/// Digits of figures.
const DIGITS: usize = 6;

/// What deserves a warning, of reading and of running.
pub(super) fn warnings(page: &mut Page, subject: &Subject) {
    if let Some(ended) = &subject.results.ended {
        page.open("p", "warn").text(&ended_in_words(subject.model, ended)).close("p");
    }
    let told = subject
        .results
        .notes
        .iter()
        .filter(|n| ["warning", "near singular", "singular position"].contains(&n.0.as_str()));
    for text in subject.warnings.iter().chain(told.map(|n| &n.1)) {
        page.open("p", "warn").text(&times_in_words(text, &subject.model.study.units)).close("p");
    }
}

/// The same motion by every formulation.
pub(super) fn verification(page: &mut Page, found: &Result<Verification>) {
    page.heading("Verification");
    let found = match found {
        Ok(found) if found.solved.len() > 1 => found,
        Ok(found) => {
            let why: Vec<String> = found.failed.iter().map(|(f, why)| format!("{f}: {why}")).collect();
            return page
                .paragraph(&format!("One formulation alone solved it, which verifies nothing. {}", why.join("; ")));
        }
        Err(error) => return page.paragraph(&format!("Not verified: {}.", error.message())),
    };
    page.paragraph(&format!(
        "Solved independently by {} coordinates. The largest relative disagreement of each kind of signal:",
        found.solved.join(", ")
    ));
    let row = |(level, d): &(Level, crate::solve::verify::Difference)| {
        let name = Level::ALL.iter().find(|l| l.0 == *level).map_or("", |l| l.1);
        let cells = [name.to_string(), format!("{:.1e}", d.difference), d.signal.clone(), significant(d.t, DIGITS)];
        ("", [&cells[..], &[format!("{} against {}", d.between.0, d.between.1)]].concat())
    };
    let mut largest: Vec<_> = found.largest.iter().collect();
    sort_by_key(&mut largest, |l| Level::ALL.iter().position(|k| k.0 == l.0));
    page.table(&["of", "#difference", "in", "#at t [s]", "between"], &largest.into_iter().map(row).collect::<Vec<_>>());
    for (formulation, why) in &found.failed {
        page.paragraph(&format!("Not by {formulation}: {why}."));
    }
    for (formulation, why) in &found.without_forces {
        page.paragraph(&format!("The motion alone by {formulation}: {why}."));
    }
}

/// The plots asked for, or those that tell most.
pub(super) fn plots(page: &mut Page, subject: &Subject, telling: Vec<String>) -> Result<()> {
    let asked: Vec<Vec<String>> = match subject.plots {
        [] => vec![telling],
        plots => plots.iter().map(|p| drawn::split(p)).collect(),
    };
    if subject.results.len() < 2 || asked.iter().all(Vec::is_empty) {
        return Ok(());
    }
    page.heading("Plots");
    for names in asked {
        let names: Vec<&str> = names.iter().map(String::as_str).filter(|n| !n.is_empty()).collect();
        let mut figure = plot::figure(subject.results, subject.x, &names)?;
        figure.title = None;
        page.picture(
            "",
            "image/svg+xml",
            plot::svg(&figure).as_bytes(),
            &format!("{} over {}", names.join(", "), subject.x),
        );
    }
    Ok(())
}

/// Least and greatest values with their times.
pub(super) fn extremes(page: &mut Page, subject: &Subject, shown: &Subject) {
    let (results, model) = (shown.results, subject.model);
    // Reactions have a table of their own.
    let joints: HashSet<&str> = model.joints.iter().map(|joint| joint.name.as_str()).collect();
    let reaction = |name: &str| {
        let joint = signal_name::split(name).filter(|(_, leaf)| COMPONENTS.contains(leaf)).map(|(joint, _)| joint);
        joint.is_some_and(|joint| joints.contains(joint))
    };
    let names: Vec<String> = headline(model, subject.results).into_iter().filter(|n| !reaction(n)).collect();
    if names.is_empty() {
        return;
    }
    page.heading("Extreme values");
    let row = |name: &String| {
        let column = results.get(name)?;
        let e = column.extremes(results.times())?;
        let [least, t_least, greatest, t_greatest] =
            [e.least, e.t_least, e.greatest, e.t_greatest].map(|x| significant(x, DIGITS));
        Some(("", vec![name.clone(), unit(column.unit), least, t_least, greatest, t_greatest]))
    };
    let rows: Vec<(&'static str, Vec<String>)> = names.iter().take(MOST).filter_map(row).collect();
    let when = at_time(results);
    page.table(&["signal", "unit", "#least", &when, "#greatest", &when], &rows);
    if names.len() > MOST {
        page.paragraph(&format!("… {} more signals.", names.len() - MOST));
    }
}

/// Largest reaction components, each unique or not.
pub(super) fn reactions(page: &mut Page, subject: &Subject) {
    let (results, model) = (subject.results, subject.model);
    let places = results.places();
    let open: HashSet<&str> = results.notes_of(NOT_UNIQUE).flat_map(|names| names.split(", ")).collect();
    let mut rows: Vec<(&'static str, Vec<String>)> = Vec::new();
    let mut quiet = 0;
    let of = |name: &str| places.get(name).map(|k| &results.columns[*k]);
    let names = |joint: usize| Element::Reaction(joint).signals(model).map(|s| s.name(model));
    let peak =
        |data: &[f64]| data.iter().enumerate().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs())).map(|(k, x)| (k, *x));
    let bears = |joint: usize| names(joint).any(|name| of(&name).is_some_and(|c| c.data.iter().any(|x| *x != 0.0)));
    if !(0..model.joints.len()).any(bears) && open.is_empty() {
        return;
    }
    for joint in 0..model.joints.len() {
        for name in names(joint) {
            let Some(column) = of(&name) else { continue };
            let Some((at, value)) = peak(&column.data) else { continue };
            let is_open = open.contains(name.as_str());
            // What is rounding alone has become zero.
            if value == 0.0 && !is_open {
                quiet += 1;
                continue;
            }
            let t = results.times().get(at).copied().unwrap_or(0.0);
            let mark = if is_open { "!not unique" } else { "unique" };
            let cells = [name, unit(column.unit), significant(value, DIGITS), significant(t, DIGITS), mark.to_string()];
            rows.push(("", cells.to_vec()));
        }
    }
    page.heading("Reactions");
    page.paragraph(
        "What the joint's first body exerts on its second, about the joint point, in ground axes: the value of largest magnitude.",
    );
    let more = rows.len().saturating_sub(2 * MOST);
    rows.truncate(2 * MOST);
    page.table(&["component", "unit", "#largest", &at_time(results), "determined"], &rows);
    if more > 0 {
        page.paragraph(&format!("… {more} more components."));
    }
    if quiet > 0 {
        page.paragraph(&format!("{quiet} components that stay zero are left out."));
    }
    if rows.iter().any(|r| r.1.last().is_some_and(|c| c.starts_with('!'))) {
        page.paragraph("Where a component is not unique the shortest choice of all multipliers is given; only sums named above are certain.");
    }
}

/// Singular positions met, near ones, and dead centres of outputs.
pub(super) fn singularities(page: &mut Page, subject: &Subject, findings: &Findings) {
    page.heading("Singular positions");
    let keys = ["singular position", "near singular", "output singularity"];
    let notes: Vec<&String> =
        subject.results.notes.iter().filter(|n| keys.contains(&n.0.as_str())).map(|n| &n.1).collect();
    if let Some(distance) = findings.check.as_ref().ok().and_then(|r| r.singularity.0) {
        page.paragraph(&format!("Distance to singularity at the start: {} (0 is singular).", significant(distance, 4)));
    }
    if notes.is_empty() {
        return page.paragraph(none(subject.results));
    }
    page.open("ul", "");
    for note in notes.iter().take(MOST) {
        page.open("li", "").text(&times_in_words(note, &subject.model.study.units)).close("li");
    }
    page.close("ul");
    if notes.len() > MOST {
        page.paragraph(&format!("… {} more.", notes.len() - MOST));
    }
}

fn none(results: &Results) -> &'static str {
    if results.len() > 1 {
        "None was met along the run."
    } else {
        "One position alone was solved."
    }
}

/// Head of a column of times.
fn at_time(results: &Results) -> String {
    format!("#at t [{}]", results.get(signal_name::TIME).map_or("s", |column| column.unit))
}
