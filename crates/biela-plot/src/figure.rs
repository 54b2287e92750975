//! From results to a figure: signals over one of them, one panel for each unit.

use super::{Panel, Plot, Series};
use biela_base::error::{Error, Result};
use biela_base::signal_name;
use biela_base::unit_product::UnitProduct;
use biela_base::units::Dimension;
use biela_results::{Column, Results};

/// Signals `ys` over the signal `x`: those of one unit together in one panel, in the order in which they are asked for.
///
/// `ys` are names, globs or elements as in [`Results::select`]. Positions over a position get axes of equal scale. The
/// note `model`, where there is one, becomes the title.
pub fn figure(results: &Results, x: &str, ys: &[&str]) -> Result<Plot> {
    figure_of_runs(&[("", results)], x, ys)
}

/// The same of several runs over each other, each under a name for the legend. A signal that some runs lack is drawn from
/// those that have it.
pub fn figure_of_runs(runs: &[(&str, &Results)], x: &str, ys: &[&str]) -> Result<Plot> {
    figure_of_pairs(runs, &[(x, ys)])
}

/// The same with several abscissae, each with signals of its own: paths over each other, where their units are the same.
pub fn figure_of_pairs(runs: &[(&str, &Results)], pairs: &[(&str, &[&str])]) -> Result<Plot> {
    let mut curves: Vec<Curve> = Vec::new();
    let mut first_error = None;
    for (run, results) in runs {
        for (x, ys) in pairs {
            match signals(results, x, ys) {
                Ok((abscissa, chosen)) => curves.extend(chosen.into_iter().map(|y| Curve { run, x: abscissa, y })),
                Err(error) => {
                    first_error.get_or_insert(error);
                }
            }
        }
    }
    if let Some(error) = first_error.filter(|_| curves.is_empty()) {
        return Err(error);
    }
    let mut groups: Vec<Vec<Curve>> = Vec::new();
    for curve in curves {
        match groups.iter_mut().find(|group| group[0].y.unit == curve.y.unit && group[0].x.unit == curve.x.unit) {
            Some(group) => group.push(curve),
            None => groups.push(vec![curve]),
        }
    }
    let panels = groups.into_iter().map(|group| panel(group, runs.len() > 1)).collect();
    let title = runs.iter().find_map(|(_, r)| r.note("model").map(str::to_string));
    Ok(Plot { panels, title, subtitle: None })
}

/// Phase portraits: each coordinate along x, its rate along y, one panel each. Coordinates are signals with a rate of their own:
/// those of joints (`O.angle`) and positions (`piston.x`).
pub fn phase_portraits(runs: &[(&str, &Results)], coordinates: &[&str]) -> Result<Plot> {
    let mut plot = Plot::default();
    for name in coordinates {
        let own = signal_name::rate(name);
        let rate = match signal_name::split(name) {
            Some((body, leaf @ ("x" | "y" | "z"))) if runs.iter().any(|r| r.1.get(&own).is_none()) => {
                signal_name::join(body, &format!("v{leaf}"))
            }
            _ => own,
        };
        let own = figure_of_runs(runs, name, &[&rate])?;
        plot.panels.extend(own.panels);
        plot.title = plot.title.or(own.title);
    }
    Ok(plot)
}

/// A signal of a run over another.
struct Curve<'r> {
    run: &'r str,
    x: &'r Column,
    y: &'r Column,
}

/// The abscissa and the signals that patterns name.
fn signals<'r>(results: &'r Results, x: &str, ys: &[&str]) -> Result<(&'r Column, Vec<&'r Column>)> {
    let mut abscissa = results.find_all(x)?;
    let abscissa = match (abscissa.pop(), abscissa.is_empty()) {
        (Some(column), true) => column,
        _ => return Err(Error::new(format!("'{x}' names several signals; the x axis takes one"))),
    };
    let mut chosen: Vec<&Column> = Vec::new();
    for pattern in ys {
        for column in results.find_all(pattern.trim())? {
            // A glob that happens to fit the abscissa or the time does not ask for them.
            let by_chance = column.name != *pattern && (column.name == "t" || column.name == abscissa.name);
            if !by_chance && chosen.iter().all(|other| other.name != column.name) {
                chosen.push(column);
            }
        }
    }
    if chosen.is_empty() {
        return Err(Error::new("no signal to plot").note("name one or more, such as 'crank.x' or '*.vx'"));
    }
    Ok((abscissa, chosen))
}

/// Curves of one unit in one panel; with several runs the legend names them.
fn panel(group: Vec<Curve>, many: bool) -> Panel {
    let (x, first) = (group[0].x, group[0].y);
    let (one_x, one_y) = (group.iter().all(|c| c.x.name == x.name), group.iter().all(|c| c.y.name == first.name));
    let label = |c: &Curve| {
        let what = if one_x { c.y.name.clone() } else { path_name(c.x, c.y) };
        match (many, one_x && one_y) {
            (false, _) => what,
            (true, true) => c.run.to_owned(),
            (true, false) => format!("{what} ({})", c.run),
        }
    };
    let axis = |one: bool, columns: &[&Column]| match one {
        true => labelled(&columns[0].name, columns[0].unit),
        false => labelled(in_common(columns).unwrap_or(quantity(columns[0].unit)), columns[0].unit),
    };
    Panel {
        x_label: axis(one_x, &group.iter().map(|c| c.x).collect::<Vec<_>>()),
        y_label: axis(one_y, &group.iter().map(|c| c.y).collect::<Vec<_>>()),
        equal_axes: x.unit == first.unit && dimension(x.unit) == Some(Dimension::LENGTH),
        series: group.iter().map(|c| Series { label: label(c), x: c.x.data.clone(), y: c.y.data.clone() }).collect(),
    }
}

/// What signals of several elements are each of its own: `x` of several points.
fn in_common<'c>(columns: &[&'c Column]) -> Option<&'c str> {
    // An expression is no name.
    let named = |name: &&str| !name.contains(['(', ' ', '*', '/', '+']);
    let leaf = |column: &&'c Column| {
        Some(column.name.as_str()).filter(named).and_then(signal_name::split).map(|parts| parts.1)
    };
    let first = columns.first().and_then(leaf)?;
    columns.iter().all(|column| leaf(column) == Some(first)).then_some(first)
}

/// What a curve of its own abscissa is called: the element that both are of, such as the point whose path it is.
fn path_name(x: &Column, y: &Column) -> String {
    match (signal_name::split(&x.name), signal_name::split(&y.name)) {
        (Some((of_x, _)), Some((of_y, _))) if of_x == of_y => of_x.to_owned(),
        _ => format!("{} over {}", y.name, x.name),
    }
}

/// Angles and their rates in degrees.
pub fn in_degrees(results: &mut Results) {
    for column in &mut results.columns {
        column.unit = match column.unit {
            "rad" => "deg",
            "rad/s" => "deg/s",
            "rad/s^2" => "deg/s^2",
            _ => continue,
        };
        column.data.iter_mut().for_each(|x| *x = x.to_degrees());
    }
}

/// `name [unit]`, the unit typeset; a pure number has none.
fn labelled(name: &str, unit: &str) -> String {
    if unit == "1" || unit.is_empty() {
        return name.to_owned();
    }
    let unit = unit.replace("^2", "\u{b2}").replace("^3", "\u{b3}").replace('*', "\u{b7}");
    format!("{name} [{unit}]").trim_start().to_owned()
}

/// What is measured in a unit, for an axis that several signals share.
fn quantity(unit: &str) -> &'static str {
    match dimension(unit) {
        Some(Dimension::LENGTH) => "position",
        Some(Dimension::VELOCITY) => "velocity",
        Some(Dimension::ACCELERATION) => "acceleration",
        Some(Dimension::ANGLE) => "angle",
        Some(Dimension::ANGULAR_VELOCITY) => "angular velocity",
        Some(Dimension::ANGULAR_ACCELERATION) => "angular acceleration",
        Some(Dimension::FORCE) => "force",
        Some(Dimension::ENERGY) if unit.ends_with('J') => "energy",
        Some(Dimension::TORQUE) => "moment",
        Some(Dimension::POWER) => "power",
        Some(Dimension::TIME) => "time",
        Some(Dimension::NUMBER) => "value",
        _ => "",
    }
}

fn dimension(unit: &str) -> Option<Dimension> {
    // Tables of others write a product with a space.
    UnitProduct::parse(&unit.replace("N m", "N*m")).ok().map(|product| product.dimension())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Results {
        let column = |name: &str, unit| Column::new(name, unit, vec![0.0, 1.0]);
        Results {
            columns: vec![
                column("t", "s"),
                column("a.x", "m"),
                column("a.y", "m"),
                column("a.ax", "m/s^2"),
                column("O.angle", "rad"),
                column("residual", "1"),
            ],
            notes: vec![("model".into(), "test".into())],
            ..Results::default()
        }
    }

    #[test]
    fn one_panel_for_each_unit() {
        let plot = figure(&table(), "O.angle", &["a.ax", "a", "residual"]).unwrap();
        let labels: Vec<_> = plot.panels.iter().map(|panel| panel.y_label.as_str()).collect();
        assert_eq!(labels, ["a.ax [m/s\u{b2}]", "position [m]", "residual"]);
        assert_eq!(plot.panels[1].series.len(), 2);
        assert_eq!(plot.panels[0].x_label, "O.angle [rad]");
        assert_eq!(plot.title.as_deref(), Some("test"));
        assert!(plot.panels.iter().all(|panel| !panel.equal_axes));
    }

    #[test]
    fn paths_have_equal_axes_and_globs_leave_the_abscissa_out() {
        let plot = figure(&table(), "a.x", &["a.y"]).unwrap();
        assert!(plot.panels[0].equal_axes);
        let plot = figure(&table(), "t", &["*"]).unwrap();
        assert_eq!(plot.panels.iter().map(|panel| panel.series.len()).sum::<usize>(), 5);
    }

    #[test]
    fn runs_lie_over_each_other() {
        let (before, mut after) = (table(), table());
        after.columns.remove(2);
        after.columns[1].data[1] = 3.0;
        let plot = figure_of_runs(&[("before", &before), ("after", &after)], "t", &["a.x"]).unwrap();
        let labels: Vec<_> = plot.panels[0].series.iter().map(|s| s.label.as_str()).collect();
        assert_eq!((plot.panels.len(), labels), (1, vec!["before", "after"]));
        assert_eq!(plot.panels[0].y_label, "a.x [m]");
        assert_eq!(plot.panels[0].series[1].y, [0.0, 3.0]);
        // A signal that one run lacks comes from the other alone.
        let plot = figure_of_runs(&[("before", &before), ("after", &after)], "t", &["a.y"]).unwrap();
        assert_eq!(plot.panels[0].series.len(), 1);
        let plot = figure_of_runs(&[("before", &before), ("after", &after)], "t", &["a.x", "O.angle"]).unwrap();
        assert_eq!(plot.panels.iter().map(|p| p.series.len()).collect::<Vec<_>>(), [2, 2]);
        assert!(figure_of_runs(&[("before", &before), ("after", &after)], "t", &["nothing"]).is_err());
    }

    #[test]
    fn paths_lie_over_each_other_where_their_units_are_the_same() {
        let mut results = table();
        for (name, unit) in [("b.x", "m"), ("b.y", "m"), ("c.y", "m")] {
            results.columns.push(Column::new(name, unit, vec![1.0, 2.0]));
        }
        let pairs: [(&str, &[&str]); 4] =
            [("a.x", &["a.y"]), ("b.x", &["b.y"]), ("O.angle", &["residual"]), ("b.x", &["c.y"])];
        let plot = figure_of_pairs(&[("", &results)], &pairs).unwrap();
        let labels = |k: usize| plot.panels[k].series.iter().map(|s| s.label.as_str()).collect::<Vec<_>>();
        assert_eq!((plot.panels.len(), labels(0)), (2, vec!["a", "b", "c.y over b.x"]));
        assert_eq!((plot.panels[0].x_label.as_str(), plot.panels[0].y_label.as_str()), ("x [m]", "y [m]"));
        assert!(plot.panels[0].equal_axes);
        in_degrees(&mut results);
        let plot = figure(&results, "O.angle", &["residual"]).unwrap();
        assert_eq!(plot.panels[0].x_label, "O.angle [deg]");
        assert!((plot.panels[0].series[0].x[1] - 57.29577951308232).abs() < 1e-12);
    }

    #[test]
    fn a_phase_portrait_is_a_rate_over_its_coordinate() {
        let mut results = table();
        results.columns.push(Column::new("O.angle.rate", "rad/s", vec![2.0, 5.0]));
        results.columns.push(Column::new("a.vx", "m/s", vec![7.0, 8.0]));
        let plot = phase_portraits(&[("", &results)], &["O.angle", "a.x"]).unwrap();
        let seen: Vec<_> = plot.panels.iter().map(|p| (p.x_label.as_str(), p.y_label.as_str())).collect();
        assert_eq!(seen, [("O.angle [rad]", "O.angle.rate [rad/s]"), ("a.x [m]", "a.vx [m/s]")]);
        assert_eq!(
            (plot.panels[1].series[0].x.as_slice(), plot.panels[1].series[0].y.as_slice()),
            (&[0.0, 1.0][..], &[7.0, 8.0][..])
        );
        assert!(phase_portraits(&[("", &results)], &["a.y"]).is_err());
    }

    #[test]
    fn wrong_requests_are_errors() {
        assert!(figure(&table(), "a", &["residual"]).unwrap_err().message().contains("several"));
        assert!(figure(&table(), "t", &["a.xx"]).is_err());
        assert!(figure(&table(), "t", &[]).is_err());
    }
}
