//! What a mechanism is: freedoms, equations joint by joint, redundancy and how reactions are determined, in words.

use super::html::Page;
use super::{Findings, Subject};
use crate::error::counted;
use crate::results::significant;
use crate::solve::check::{Named, Report};
use crate::solve::solvability::Reactions;
use crate::solve::suggest::Change;

/// Rows of a table beyond which the rest is counted alone.
const MOST: usize = 60;

/// The figures that are looked for first.
pub(super) fn tiles(page: &mut Page, subject: &Subject, findings: &Findings) {
    let Ok(report) = &findings.check else { return };
    let mobility = report.motion.mobility.map_or("not told".into(), |m| m.to_string());
    let verified = findings.verification.as_ref().ok().filter(|v| v.solved.len() > 1);
    let worst = verified.and_then(|v| v.largest.iter().map(|l| l.1.difference).reduce(f64::max));
    let mut tiles = vec![
        (report.bodies.to_string(), "moving bodies"),
        (report.joints.to_string(), "joints"),
        (mobility, "mobility"),
        (report.motion.redundancies.to_string(), "redundant equations"),
        (subject.results.len().to_string(), "samples"),
    ];
    tiles.extend(worst.map(|w| (format!("{w:.0e}"), "largest disagreement of formulations")));
    page.open("div", "tiles");
    for (figure, words) in tiles {
        page.open("div", "").open("b", "").text(&figure).close("b").open("span", "").text(words).close("span");
        page.close("div");
    }
    page.close("div");
}

/// Mobility, equations, redundancy.
pub(super) fn tell(page: &mut Page, subject: &Subject, findings: &Findings) {
    page.heading("Mobility");
    let report = match &findings.check {
        Ok(report) => report,
        Err(error) => return page.paragraph(&format!("Not told: {}.", error.message())),
    };
    count(page, report);
    let motion = &report.motion;
    if let Some(mobility) = motion.mobility {
        let drivers = match (report.overdriven, report.undriven) {
            (0, 0) => format!(
                "its {} determine{} the motion",
                counted(report.drivers, "driver"),
                if report.drivers == 1 { "s" } else { "" }
            ),
            (0, free) => format!("{free} of them without a driver (still free: {})", report.loose.join(", ")),
            (over, _) => format!("{} too many", counted(over, "driver equation")),
        };
        page.paragraph(&format!("The mechanism has {}; {drivers}.", counted(mobility, "freedom")));
    }
    if report.instantaneous_mobility > motion.generic_mobility {
        let more = report.instantaneous_mobility - motion.generic_mobility;
        page.paragraph(&format!(
            "The position drawn is singular: it has {} more than positions elsewhere on the motion.",
            counted(more, "freedom")
        ));
    }
    if let Some(trembling) = motion.mobility.and_then(|m| motion.generic_mobility.checked_sub(m)).filter(|n| *n > 0) {
        page.paragraph(&format!("{} only tremble: nothing moves further that way.", counted(trembling, "freedom")));
    }
    if !report.idle.is_empty() {
        page.paragraph(&format!("Idle: {} may spin alone about a line; the spin is held.", report.idle.join(", ")));
    }
    equations(page, subject, report);
    redundancy(page, report);
}

/// Grübler's count as a sum on the blackboard.
fn count(page: &mut Page, report: &Report) {
    let rows: usize = report.rows.iter().map(|r| r.2).sum();
    let own = if report.bodies == 1 { "body" } else { "bodies" };
    let each = report.space.freedoms();
    let all = each * report.bodies;
    page.paragraph(&format!(
        "By Grübler and Kutzbach: {} moving {own} have {each} × {} = {all} freedoms, joints and couplings take away {rows}, so {all} − {rows} = {}.",
        report.bodies, report.bodies, minus(report.grubler)
    ));
    let redundant = report.motion.redundancies;
    if redundant > 0 {
        page.paragraph(&format!(
            "{redundant} of these {rows} equations only repeat{} what others say, all along the motion: {} + {redundant} = {}.",
            if redundant == 1 { "s" } else { "" },
            minus(report.grubler),
            minus(report.grubler + redundant as i64)
        ));
    }
}

/// A whole number with a proper minus sign.
fn minus(n: i64) -> String {
    n.to_string().replace('-', "−")
}

/// Equations of each joint, and the sums in the coordinates used.
fn equations(page: &mut Page, subject: &Subject, report: &Report) {
    page.heading("Equations");
    let mut rows: Vec<(&'static str, Vec<String>)> = Vec::new();
    for (name, kind, count) in report.rows.iter().take(MOST) {
        let joint = subject.model.joints.iter().find(|j| j.name == *name);
        let between = joint.map_or(String::new(), |j| {
            let [a, b] = j.bodies.map(|k| subject.model.bodies[k].name.as_str());
            format!("{a} – {b}")
        });
        let free = joint.map_or(String::new(), |_| (6usize.saturating_sub(*count)).to_string());
        rows.push(("", vec![name.clone(), kind.to_string(), between, free, count.to_string()]));
    }
    if report.rows.len() > MOST {
        rows.push((
            "",
            vec![
                format!("… {} more", report.rows.len() - MOST),
                String::new(),
                String::new(),
                String::new(),
                String::new(),
            ],
        ));
    }
    let total: usize = report.rows.iter().map(|r| r.2).sum();
    rows.push(("sum", vec!["all".into(), String::new(), String::new(), String::new(), total.to_string()]));
    page.table(&["joint or coupling", "type", "between", "#leaves free", "#equations"], &rows);
    let mut lines = vec![
        ("", vec![format!("coordinates ({})", report.formulation), report.coordinates.to_string()]),
        ("", vec!["equations, with those of the coordinates themselves".to_string(), report.equations.to_string()]),
        ("", vec!["of them independent in the position drawn (rank)".to_string(), report.rank.to_string()]),
        ("", vec!["driver equations".to_string(), report.drivers.to_string()]),
        (
            "",
            vec![
                "with the ground counted as a body: coordinates, equations".to_string(),
                format!("{}, {}", report.thesis.0, report.thesis.1),
            ],
        ),
    ];
    if let Some(condition) = report.condition {
        lines.push((
            "",
            vec!["condition of the constraint Jacobian with drivers".to_string(), significant(condition, 4)],
        ));
    }
    page.table(&["count", "#"], &lines);
}

/// Which components repeat each other, what would free them, and what that means for reactions.
fn redundancy(page: &mut Page, report: &Report) {
    page.heading("Redundancy");
    let motion = &report.motion;
    let words = |named: &Named| {
        let one = |(joint, components): &(String, Vec<&str>)| format!("{joint} ({})", components.join(", "));
        named.iter().take(MOST).map(one).collect::<Vec<_>>().join("; ")
    };
    match &motion.groups {
        Some(groups) if groups.is_empty() => {
            page.paragraph("No equation repeats another: the mechanism is exactly constrained.")
        }
        Some(groups) => {
            let rows: Vec<(&'static str, Vec<String>)> =
                groups.iter().take(MOST).map(|(count, rows)| ("", vec![words(rows), count.to_string()])).collect();
            page.table(&["components that repeat each other", "#too many"], &rows);
            page.paragraph(&format!("One choice to leave out: {}.", words(&report.redundant)));
        }
        None => {}
    }
    for (k, set) in motion.suggestions.iter().enumerate() {
        let lead = if k == 0 { "Exactly constrained by" } else { "Or by" };
        page.paragraph(&format!("{lead} {}.", set.iter().map(Change::words).collect::<Vec<_>>().join(", ")));
    }
    if let Some(reactions) = &motion.reactions {
        tell_reactions(page, reactions);
    }
    for reason in &motion.untold {
        page.paragraph(&format!("Not told: {reason}."));
    }
}

fn tell_reactions(page: &mut Page, reactions: &Reactions) {
    let open = reactions.indeterminate();
    if open.is_empty() {
        return page.paragraph("All reactions are unique.");
    }
    let more = open.len().saturating_sub(MOST);
    let mut text = open.iter().take(MOST).cloned().collect::<Vec<_>>().join(", ");
    if more > 0 {
        text.push_str(&format!(", … {more} more"));
    }
    page.paragraph(&format!("Reactions that rigid bodies alone do not determine: {text}."));
    let sums = reactions.sums_in_words();
    if !sums.is_empty() {
        page.paragraph(&format!("Unique in sum: {}.", sums.iter().take(MOST).cloned().collect::<Vec<_>>().join(", ")));
    }
}
