//! Every shipped machine that moves in the plane, written for space and for the plane: the same numbers in every formulation.

mod common;

use biela::model::{Analysis, Model};
use biela::results::Results;
use biela::solve::newton::METHODS;
use biela::solve::run::run;
use biela::system::{FORMULATIONS, VARIANTS};
use biela::text::{Document, Options, Parametric};
use common::flat::flat;
use std::path::Path;

/// Positions are solved to 1e-12 at worst; each derivative may lose a digit or two more.
const SOLVED: f64 = 1e-8;
/// Tolerance 1e-10 of the integration, in coordinates that divide its errors differently.
const INTEGRATED: f64 = 1e-6;

/// Machines of the folder that stay in the plane z = 0, each both ways.
fn machines() -> Vec<(String, Document, Document)> {
    let mut files: Vec<_> =
        std::fs::read_dir("../../models").expect("a folder").map(|e| e.expect("a file").path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "toml"));
    files.sort();
    let read = |path: &Path| Document::read(path, &Options::default()).unwrap_or_else(|e| panic!("{e}"));
    let both = |path: &std::path::PathBuf| {
        let spatial = read(path);
        let planar = flat(&spatial)?;
        Some((path.file_stem()?.to_string_lossy().into_owned(), spatial, planar))
    };
    let found: Vec<_> = files.iter().filter_map(both).collect();
    let names: Vec<&str> = found.iter().map(|m| m.0.as_str()).collect();
    for due in
        ["four-bar", "slider-crank", "watt-six-bar", "stephenson-six-bar", "scotch-yoke", "quick-return", "hoeken"]
    {
        assert!(names.contains(&due), "'{due}' is not among {names:?}");
    }
    assert!(found.len() >= 16, "only {names:?}");
    found
}

fn asked(document: &Document, name: &str, analysis: Analysis) -> Model {
    let options = Options { analysis: Some(analysis), steps: Some(25), ..Options::default() };
    document.model(&options).unwrap_or_else(|e| panic!("{name}: {e}\n{}", document.to_toml()))
}

/// What a planar run calls what a spatial one does.
fn spatial_name(name: &str) -> String {
    let leaf = |end: &str, other: &str| name.strip_suffix(end).map(|body| format!("{body}{other}"));
    leaf(".w", ".wz").or_else(|| leaf(".al", ".alz")).unwrap_or_else(|| name.to_string())
}

/// Every column of a planar run is that of the spatial one.
fn same(name: &str, planar: &Results, spatial: &Results, tolerance: f64) {
    assert_eq!(planar.len(), spatial.len(), "{name}");
    let open = |column: &str| {
        let lists = planar.notes_of("not unique").chain(spatial.notes_of("not unique"));
        lists
            .flat_map(|names| names.split(", "))
            .any(|other| other == column || column == other.replacen('.', ".local.", 1))
    };
    let scale = |unit: &str| {
        let all = spatial.columns.iter().filter(|c| c.unit == unit).flat_map(|c| &c.data);
        all.fold(1.0_f64, |most, x| most.max(x.abs()))
    };
    let mut compared = 0;
    for column in &planar.columns {
        assert!(
            ![".z", ".vz", ".az", ".fz", ".mx", ".my", ".e0"].iter().any(|end| column.name.ends_with(end)),
            "{}",
            column.name
        );
        if ["mode", "residual"].contains(&column.name.as_str()) || open(&column.name) {
            continue;
        }
        // A body's angle is that of its Euler parameters, turns apart.
        let body = column.name.strip_suffix(".angle").filter(|body| spatial.get(&format!("{body}.e0")).is_some());
        let off = match body {
            Some(body) => {
                let [e0, e3] =
                    ["e0", "e3"].map(|leaf| &spatial.get(&format!("{body}.{leaf}")).expect("an attitude").data);
                let apart =
                    |(k, angle): (usize, &f64)| (angle - 2.0 * e3[k].atan2(e0[k])).mul_add(0.5, 0.0).sin().abs();
                column.data.iter().enumerate().map(apart).fold(0.0, f64::max)
            }
            None => {
                let due = spatial.get(&spatial_name(&column.name));
                let due = due.unwrap_or_else(|| panic!("{name}: the spatial run has no '{}'", column.name));
                assert_eq!(column.unit, due.unit);
                let apart = column.data.iter().zip(&due.data).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
                apart / scale(column.unit)
            }
        };
        assert!(off < tolerance, "{name}: {} is off by {off:e}", column.name);
        compared += 1;
    }
    assert!(compared > 10, "{name}: only {compared} columns");
}

fn solved(name: &str, model: &Model, formulation: &str) -> Results {
    run(model, formulation, METHODS[0], |_, _| true).unwrap_or_else(|e| panic!("{name}, {formulation}: {e}"))
}

#[test]
fn machines_move_alike_in_every_formulation() {
    for (name, spatial, planar) in machines() {
        let due = solved(&name, &asked(&spatial, &name, Analysis::Kinematics), "absolute");
        for formulation in FORMULATIONS.iter().chain(VARIANTS) {
            let found = solved(&name, &asked(&planar, &name, Analysis::Kinematics), formulation.keyword);
            same(&format!("{name}, {}", formulation.keyword), &found, &due, SOLVED);
        }
    }
}

#[test]
fn machines_bear_the_same_forces() {
    let mut told = 0;
    for (name, spatial, planar) in machines() {
        let [due, plane] = [&spatial, &planar].map(|document| asked(document, &name, Analysis::InverseDynamics));
        if due.gravity.is_none() {
            continue;
        }
        told += 1;
        let due = solved(&name, &due, "absolute");
        for formulation in ["absolute", "relative"] {
            same(&format!("{name}, {formulation}"), &solved(&name, &plane, formulation), &due, SOLVED);
        }
    }
    assert!(told >= 8, "only {told}");
}

/// Without drivers, from the position drawn: what falls, falls alike.
#[test]
fn machines_fall_alike() {
    let mut fell = 0;
    for (name, spatial, planar) in machines() {
        let options = Options {
            analysis: Some(Analysis::Dynamics),
            start: Some(0.0),
            end: Some(0.2),
            steps: Some(4),
            ..Options::default()
        };
        let released = |document: &Document| {
            let mut model = document.model(&options).unwrap_or_else(|e| panic!("{name}: {e}")).released();
            model.study.tolerance = 1e-10;
            model
        };
        let [due, plane] = [released(&spatial), released(&planar)];
        // Machines with massless parts do not fall at all.
        let Ok(due) = run(&due, "relative", METHODS[0], |_, _| true) else { continue };
        fell += 1;
        for formulation in FORMULATIONS {
            same(
                &format!("{name}, {}", formulation.keyword),
                &solved(&name, &plane, formulation.keyword),
                &due,
                INTEGRATED,
            );
        }
    }
    assert!(fell >= 6, "only {fell}");
}

/// Grübler's count in the plane is the mobility where nothing is special, and the spatial count never exceeds it.
#[test]
fn counts_in_the_plane_are_the_mobility() {
    for (name, spatial, planar) in machines() {
        let [due, plane] = [&spatial, &planar].map(|document| {
            let model = asked(document, &name, Analysis::Kinematics);
            biela::solve::check::check(&model, "absolute").unwrap_or_else(|e| panic!("{name}: {e}"))
        });
        assert_eq!(plane.motion.mobility, due.motion.mobility, "{name}");
        assert_eq!(
            (plane.coordinates, plane.equations - plane.rank),
            (3 * plane.bodies, plane.motion.redundancies),
            "{name}"
        );
        assert!(plane.grubler >= due.grubler, "{name}");
        let freedoms = plane.grubler + plane.motion.redundancies as i64;
        assert_eq!(Some(freedoms), plane.motion.mobility.map(|m| m as i64), "{name}");
    }
}

/// Bound to other values, a planar model is to the last bit the one that is read with them.
#[test]
fn planar_models_are_bound_to_parameters() {
    for (name, _, planar) in machines() {
        let first = planar.model(&Options::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
        let names: Vec<String> = first.parameters.iter().map(|p| p.0.clone()).collect();
        let values: Vec<f64> = first.parameters.iter().map(|p| p.1 * 1.000_1).collect();
        let mut parametric = Parametric::new(&planar, &Options::default(), names.clone());
        let read = parametric.model(&values).map(|m| format!("{:?}", (&m.bodies, &m.joints, &m.gravity)));
        let before: Vec<f64> = first.parameters.iter().map(|p| p.1).collect();
        let bound = parametric
            .bind(&before)
            .map(|_| ())
            .and_then(|()| parametric.bind(&values).map(|m| format!("{:?}", (&m.bodies, &m.joints, &m.gravity))));
        assert_eq!(bound.map_err(|e| e.to_string()), read.map_err(|e| e.to_string()), "{name}");
    }
}
