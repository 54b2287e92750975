//! What a machine is built by: masses, motor sheet, bearing table, paths, in the units of the model.

use super::html::{unit, Page};
use super::Subject;
use crate::display_units::DisplayUnits;
use crate::model::Model;
use crate::results::plot::{self, Panel, Plot, Series};
use crate::results::{significant, Results};
use crate::signal_name;
use crate::sizing::{Motor, Sizing};
use crate::solve::motion::value_at;

/// Rows of a table beyond which the rest is counted alone.
const MOST: usize = 60;
/// Digits of figures.
const DIGITS: usize = 5;
/// Drivers side by side in one sheet.
const ABREAST: usize = 6;
/// Paths in one figure.
const PATHS: usize = 7;

/// SI figures as people read them.
struct Shown<'a>(&'a DisplayUnits);

impl Shown<'_> {
    fn figure(&self, value: f64, si: &str) -> String {
        significant(self.0.scale(si).shown(value), DIGITS).replace('-', "−")
    }

    fn unit(&self, si: &str) -> String {
        unit(&self.0.scale(si).unit)
    }

    /// A head of a column or a row: what, and its unit.
    fn head(&self, what: &str, si: &str) -> String {
        format!("{what} [{}]", self.unit(si))
    }

    fn list(&self, values: &[f64], si: &str) -> String {
        values.iter().map(|x| self.figure(*x, si)).collect::<Vec<_>>().join(", ")
    }
}

/// What each body weighs.
pub(super) fn masses(page: &mut Page, model: &Model, sizing: &Sizing) {
    if sizing.masses.is_empty() {
        return;
    }
    let shown = Shown(&model.study.units);
    let planar = model.space.is_planar();
    let row = |m: &crate::sizing::Mass| {
        let mut inertia = shown.list(&m.inertia[..m.inertia.len().min(3)], "kg*m^2");
        if m.inertia.iter().skip(3).any(|x| *x != 0.0) {
            inertia.push_str(&format!("; {}", shown.list(&m.inertia[3..], "kg*m^2")));
        }
        ("", vec![m.body.clone(), shown.figure(m.mass, "kg"), shown.list(&m.com, "m"), inertia])
    };
    let mut rows: Vec<(&'static str, Vec<String>)> = sizing.masses.iter().take(MOST).map(row).collect();
    if sizing.masses.len() > MOST {
        rows.push(("", vec![format!("… {} more", sizing.masses.len() - MOST)]));
    }
    rows.push(("sum", vec!["all".into(), shown.figure(sizing.mass, "kg")]));
    page.heading("Masses");
    let axes = if planar { ["x, y", "zz"] } else { ["x, y, z", "xx, yy, zz; xy, xz, yz"] };
    let heads = [
        "body".to_string(),
        shown.head("#mass", "kg"),
        shown.head(&format!("mass centre {}", axes[0]), "m"),
        shown.head(&format!("inertia about it {}", axes[1]), "kg*m^2"),
    ];
    page.table(&heads.each_ref().map(String::as_str), &rows);
}

/// A sheet for the motors, and their diagram.
pub(super) fn motors(page: &mut Page, model: &Model, results: &Results, sizing: &Sizing) {
    if sizing.motors.is_empty() {
        return;
    }
    page.heading("Motors");
    for turns in [true, false] {
        let group: Vec<&Motor> = sizing.motors.iter().filter(|m| m.turns == turns).collect();
        for some in group.chunks(ABREAST).take(MOST / ABREAST) {
            sheet(page, &Shown(&model.study.units), some, turns);
        }
        diagrams(page, model, results, &group, turns);
    }
    if sizing.motors.iter().all(|m| m.peak.is_none()) {
        return page.paragraph(
            "No forces are told: they take masses and a stated gravity (it may be zero), and as many drivers as freedoms.",
        );
    }
    page.paragraph(
        "Effort is what the driver must give; positive power goes into the mechanism, negative power comes back. Effective value: √(1/T ∫ M² dt).",
    );
    if let Some(wheel) = sizing.motors.iter().find_map(|m| m.flywheel.as_ref().ok()) {
        page.paragraph(&format!(
            "Flywheel: with ΔE between the largest and the least of ∫ (M − mean M) dθ over whole turns, an inertia of ΔE/(C ω²) on the driven \
             shaft, besides what the model has, lets a motor of constant moment keep its speed within C = {} of the mean.",
            significant(wheel.fluctuation, DIGITS)
        ));
    }
}

fn sheet(page: &mut Page, shown: &Shown, motors: &[&Motor], turns: bool) {
    let (effort, speed) = if turns { ("N*m", "rad/s") } else { ("N", "m/s") };
    let word = if turns { "torque" } else { "force" };
    let mut rows: Vec<(&'static str, Vec<String>)> = Vec::new();
    let none = || "–".to_string();
    let mut add = |head: String, of: &dyn Fn(&Motor) -> Option<String>| {
        let cells: Vec<Option<String>> = motors.iter().map(|m| of(m)).collect();
        if cells.iter().any(Option::is_some) {
            rows.push(("", std::iter::once(head).chain(cells.into_iter().map(|c| c.unwrap_or_else(none))).collect()));
        }
    };
    add("moves".into(), &|m| Some(m.moves.clone()));
    add(shown.head(&format!("peak {word}"), effort), &|m| Some(shown.figure(m.peak?[0], effort)));
    add(shown.head("… at t", "s"), &|m| Some(shown.figure(m.peak?[1], "s")));
    add(shown.head(&format!("effective {word} (RMS)"), effort), &|m| Some(shown.figure(m.rms?, effort)));
    add(shown.head(&format!("mean {word}"), effort), &|m| Some(shown.figure(m.mean?, effort)));
    add(shown.head("peak power", "W"), &|m| Some(shown.figure(m.power?[0], "W")));
    add(shown.head("… at t", "s"), &|m| Some(shown.figure(m.power?[1], "s")));
    add(shown.head("least power", "W"), &|m| Some(shown.figure(m.least_power?, "W")));
    add(shown.head("mean power", "W"), &|m| Some(shown.figure(m.mean_power?, "W")));
    add(shown.head("top speed", speed), &|m| Some(shown.figure(m.speed, speed)));
    add(shown.head("mean speed", speed), &|m| Some(shown.figure(m.mean_speed, speed)));
    let wheel = |m: &Motor| m.flywheel.clone().ok();
    if motors.iter().any(|m| wheel(m).is_some()) {
        add("whole turns".into(), &|m| Some(wheel(m)?.turns.to_string()));
        add(shown.head("fluctuation of energy ΔE", "J"), &|m| Some(shown.figure(wheel(m)?.energy, "J")));
        add(shown.head("flywheel", "kg*m^2"), &|m| Some(shown.figure(wheel(m)?.inertia, "kg*m^2")));
    }
    let heads: Vec<String> =
        std::iter::once("driver".to_string()).chain(motors.iter().map(|m| format!("#{}", m.driver))).collect();
    page.table(&heads.iter().map(String::as_str).collect::<Vec<_>>(), &rows);
}

/// Effort over speed; of steady drivers, whose speed is one, over where they are.
fn diagrams(page: &mut Page, model: &Model, results: &Results, motors: &[&Motor], turns: bool) {
    let units = &model.study.units;
    let (effort, speed, place) = if turns { ("N*m", "rad/s", "rad") } else { ("N", "m/s", "m") };
    let word = if turns { "torque" } else { "force" };
    let label = |what: &str, si: &str| format!("{what} [{}]", unit(&units.scale(si).unit));
    let scaled = |data: &[f64], si: &str| {
        let scale = units.scale(si);
        data.iter().map(|x| scale.shown(*x)).collect::<Vec<f64>>()
    };
    for steady in [false, true] {
        let drawn = |m: &&&Motor| m.steady == steady && m.diagram[1].len() > 1 && m.peak.is_some_and(|p| p[0] != 0.0);
        let chosen: Vec<&&Motor> = motors.iter().filter(drawn).take(PATHS).collect();
        if chosen.is_empty() {
            continue;
        }
        let along = |m: &Motor| -> Vec<f64> {
            let driver = model.drivers.iter().position(|d| d.name == m.driver);
            let at = |t: &f64| driver.and_then(|k| value_at(model, k, *t)).unwrap_or(f64::NAN);
            match steady {
                true => scaled(&results.times().iter().map(at).collect::<Vec<_>>(), place),
                false => scaled(&m.diagram[0], speed),
            }
        };
        let series =
            chosen.iter().map(|m| Series { label: m.driver.clone(), x: along(m), y: scaled(&m.diagram[1], effort) });
        let one = if chosen.len() == 1 { format!("{} ", chosen[0].driver) } else { String::new() };
        let x_label = if steady { label(&moved(&chosen), place) } else { label("speed", speed) };
        let panel = Panel { series: series.collect(), x_label, y_label: label(word, effort), equal_axes: false };
        let figure = Plot { panels: vec![panel], title: None, subtitle: None };
        let caption = match steady {
            true => format!("{one}{word} over its place, at steady speed"),
            false => format!("{one}{word} over speed"),
        };
        page.picture("", "image/svg+xml", plot::svg(&figure).as_bytes(), &caption);
    }
}

/// What steady drivers are drawn over.
fn moved(motors: &[&&Motor]) -> String {
    match motors {
        [one] => one.moves.clone(),
        _ => "driven coordinate".into(),
    }
}

/// What joints bear.
pub(super) fn bearings(page: &mut Page, model: &Model, sizing: &Sizing) {
    if sizing.bearings.is_empty() {
        return;
    }
    let shown = Shown(&model.study.units);
    page.heading("Bearings");
    let (axial, moment, open) = (
        sizing.bearings.iter().any(|b| b.axial.is_some_and(|a| a > 0.0)),
        sizing.bearings.iter().any(|b| b.moment[0] > 0.0),
        sizing.bearings.iter().any(|b| !b.open.is_empty()),
    );
    let mut heads = vec![
        "joint".to_string(),
        "between".into(),
        shown.head("#max force", "N"),
        shown.head("#at t", "s"),
        shown.head("#mean", "N"),
        shown.head("#ball", "N"),
        shown.head("#roller", "N"),
        "weighted by".into(),
    ];
    heads.extend(axial.then(|| shown.head("#max axial", "N")));
    heads.extend(moment.then(|| shown.head("#max moment", "N*m")));
    heads.extend(open.then(|| "not unique".to_string()));
    let row = |b: &crate::sizing::Bearing| {
        use crate::sizing::Weight::{Rotation, Time, Travel};
        let total = match b.weight {
            Rotation => format!("rotation, {} {}", shown.figure(b.total, "rad"), shown.unit("rad")),
            Travel => format!("travel, {} {}", shown.figure(b.total, "m"), shown.unit("m")),
            Time => "time".into(),
        };
        let mut cells = vec![
            format!("{} ({})", b.joint, b.kind),
            b.bodies.join(" – "),
            shown.figure(b.max[0], "N"),
            shown.figure(b.max[1], "s"),
            shown.figure(b.mean, "N"),
            shown.figure(b.ball, "N"),
            shown.figure(b.roller, "N"),
            total,
        ];
        cells.extend(axial.then(|| b.axial.map_or("–".into(), |a| shown.figure(a, "N"))));
        cells.extend(moment.then(|| shown.figure(b.moment[0], "N*m")));
        let leaves = b.open.iter().filter_map(|name| signal_name::split(name)).map(|n| n.1).collect::<Vec<_>>();
        cells.extend(open.then(|| if leaves.is_empty() { String::new() } else { format!("!{}", leaves.join(", ")) }));
        ("", cells)
    };
    let rows: Vec<(&'static str, Vec<String>)> = sizing.bearings.iter().take(MOST).map(row).collect();
    page.table(&heads.iter().map(String::as_str).collect::<Vec<_>>(), &rows);
    if sizing.bearings.len() > MOST {
        page.paragraph(&format!("… {} more joints.", sizing.bearings.len() - MOST));
    }
    page.paragraph(
        "Forces are resultants. Ball and roller: the equivalent load (∫ Fᵖ dn / ∫ dn)^(1/p) with p = 3 and p = 10/3, n being what it is weighted \
         by: the rotation of one body against the other, the travel of a joint that only slides, or time.",
    );
    if open {
        page.paragraph(
            "Components that rigid bodies alone do not determine are in these figures with the shortest choice of all.",
        );
    }
}

/// How far and how fast points go, and their paths in a plane of the ground.
pub(super) fn paths(page: &mut Page, subject: &Subject, sizing: &Sizing, shown_results: &Results) {
    let (model, shown) = (subject.model, Shown(&subject.model.study.units));
    if sizing.paths.is_empty() {
        return;
    }
    page.heading("Paths");
    draw_paths(page, sizing, shown_results);
    let axes = if model.space.is_planar() { &["x", "y"][..] } else { &["x", "y", "z"] };
    let mut heads = vec!["point".to_string(), shown.head("#length", "m")];
    heads.extend(axes.iter().map(|a| shown.head(a, "m")));
    heads.extend([shown.head("#top speed", "m/s"), shown.head("#top acceleration", "m/s^2")]);
    let row = |p: &crate::sizing::Path| {
        let ends = |r: &[f64; 2]| format!("{} … {}", shown.figure(r[0], "m"), shown.figure(r[1], "m"));
        let way = format!("{}{}", shown.figure(p.length, "m"), if p.closed { " (closed)" } else { "" });
        let mut cells = vec![p.point.clone(), way];
        cells.extend(p.ranges.iter().map(ends));
        cells.extend([shown.figure(p.speed, "m/s"), shown.figure(p.acceleration, "m/s^2")]);
        ("", cells)
    };
    let rows: Vec<(&'static str, Vec<String>)> = sizing.paths.iter().take(MOST).map(row).collect();
    page.table(&heads.iter().map(String::as_str).collect::<Vec<_>>(), &rows);
    if sizing.paths.len() > MOST {
        page.paragraph(&format!("… {} more points.", sizing.paths.len() - MOST));
    }
}

/// Over each other, in the plane of the two axes along which points go farthest.
fn draw_paths(page: &mut Page, sizing: &Sizing, results: &Results) {
    let extent =
        |k: usize| sizing.paths.iter().filter_map(|p| p.ranges.get(k)).map(|r| r[1] - r[0]).fold(0.0, f64::max);
    let mut order: Vec<usize> = (0..sizing.paths[0].ranges.len()).collect();
    order.sort_by(|a, b| extent(*b).total_cmp(&extent(*a)));
    let (mut first, mut second) = (order[0], order[1]);
    if first > second {
        (first, second) = (second, first);
    }
    let leaf = |k: usize| ["x", "y", "z"][k];
    // Points of one place on one body have one path; the farthest come first.
    let mut chosen: Vec<&crate::sizing::Path> = Vec::new();
    let mut all: Vec<&crate::sizing::Path> = sizing.paths.iter().collect();
    all.sort_by(|a, b| b.length.total_cmp(&a.length));
    for path in all {
        if chosen.len() < PATHS && chosen.iter().all(|c| c.ranges != path.ranges) {
            chosen.push(path);
        }
    }
    let names: Vec<[String; 2]> =
        chosen.iter().map(|p| [first, second].map(|k| signal_name::join(&p.point, leaf(k)))).collect();
    let ys: Vec<[&str; 1]> = names.iter().map(|n| [n[1].as_str()]).collect();
    let pairs: Vec<(&str, &[&str])> = names.iter().zip(&ys).map(|(n, y)| (n[0].as_str(), &y[..])).collect();
    if let Ok(mut figure) = plot::figure_of_pairs(&[("", results)], &pairs) {
        figure.title = None;
        let caption = format!("paths, {} over {}", leaf(second), leaf(first));
        page.picture("", "image/svg+xml", plot::svg(&figure).as_bytes(), &caption);
    }
}
