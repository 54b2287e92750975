//! From results to a figure: signals over one of them, one panel for each unit.

use super::{Panel, Plot, Series};
use crate::error::{Error, Result};
use crate::results::{Column, Results};

/// Signals `ys` over the signal `x`: those of one unit together in one panel, in the order in which they are asked for.
///
/// `ys` are names, globs or elements as in [`Results::select`]. Positions over a position get axes of equal scale. The
/// note `model`, where there is one, becomes the title.
pub fn figure(results: &Results, x: &str, ys: &[&str]) -> Result<Plot> {
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
    let mut groups: Vec<Vec<&Column>> = Vec::new();
    for column in chosen {
        match groups.iter_mut().find(|group| group[0].unit == column.unit) {
            Some(group) => group.push(column),
            None => groups.push(vec![column]),
        }
    }
    let panel = |group: Vec<&Column>| Panel {
        x_label: labelled(&abscissa.name, abscissa.unit),
        y_label: match group.as_slice() {
            [only] => labelled(&only.name, only.unit),
            [first, ..] => labelled(quantity(first.unit), first.unit),
            [] => String::new(),
        },
        equal_axes: abscissa.unit == "m" && group.iter().all(|column| column.unit == "m"),
        series: group
            .into_iter()
            .map(|y| Series { label: y.name.clone(), x: abscissa.data.clone(), y: y.data.clone() })
            .collect(),
    };
    let title = results.notes.iter().find(|(key, _)| key == "model").map(|(_, name)| name.clone());
    Ok(Plot { panels: groups.into_iter().map(panel).collect(), title, subtitle: None })
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
    match unit {
        "m" => "position",
        "m/s" => "velocity",
        "m/s^2" => "acceleration",
        "rad" => "angle",
        "rad/s" => "angular velocity",
        "rad/s^2" => "angular acceleration",
        "N" => "force",
        "N*m" | "N m" => "moment",
        "J" => "energy",
        "W" => "power",
        "s" => "time",
        "1" => "value",
        _ => "",
    }
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
    fn wrong_requests_are_errors() {
        assert!(figure(&table(), "a", &["residual"]).unwrap_err().message().contains("several"));
        assert!(figure(&table(), "t", &["a.xx"]).is_err());
        assert!(figure(&table(), "t", &[]).is_err());
    }
}
