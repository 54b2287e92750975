//! The mobility table of docs/theory.md: classical mechanisms, the right answers with their sources, and what `check` finds.

use biela::model::Model;
use biela::solve::check::{check, Report};
use biela::text::{Document, Options};
use std::path::PathBuf;

/// A mechanism and what is known of it.
#[derive(Debug)]
pub struct Case {
    /// What it is.
    pub name: &'static str,
    /// Its model file, from the top of the project.
    pub file: &'static str,
    /// 6 · bodies − rows, counted by hand.
    pub grubler: i64,
    /// True mobility, idle freedoms included.
    pub mobility: usize,
    /// Freedoms by rank as drawn, where they are not the true ones.
    pub drawn: Option<usize>,
    /// Reactions and efforts that are not unique.
    pub open: usize,
    /// Where the answers come from.
    pub source: &'static str,
}

const fn case(
    name: &'static str,
    file: &'static str,
    numbers: (i64, usize, usize),
    drawn: Option<usize>,
    source: &'static str,
) -> Case {
    Case { name, file, grubler: numbers.0, mobility: numbers.1, drawn, open: numbers.2, source }
}

const PLANAR: &str = "planar count 3n − 2j [Hunt 1978]";
const EXACT: &str = "6n − rows, nothing redundant";

/// The mechanisms of the table: name, file, (Grübler, true mobility, reactions not unique), freedoms drawn, source.
pub const CASES: &[Case] = &[
    case("planar four-bar", "models/four-bar.toml", (-2, 1, 12), None, PLANAR),
    case("slider-crank", "models/slider-crank.toml", (-2, 1, 12), None, PLANAR),
    case("slider-crank, purged", "models/slider-crank-purged.toml", (1, 1, 0), None, "the thesis, table 3.2"),
    case("slider-crank out of plane", "models/spatial-slider-crank-003.toml", (2, 2, 0), None, "1 + spin of the rod"),
    case("Watt six-bar", "models/watt-six-bar.toml", (-5, 1, 21), None, PLANAR),
    case("Stephenson six-bar", "models/stephenson-six-bar.toml", (-5, 1, 21), None, PLANAR),
    case("Peaucellier eight-bar", "models/peaucellier.toml", (-8, 1, 30), None, PLANAR),
    case("Whitworth quick return", "models/quick-return.toml", (-5, 1, 21), None, PLANAR),
    case("pantograph", "models/pantograph.toml", (-1, 2, 12), None, "planar count 2; the arm to the pen is no loop"),
    case("parallelogram", "models/parallelogram.toml", (-2, 1, 12), None, PLANAR),
    case(
        "parallelogram, flat",
        "validation/mobility/parallelogram-flat.toml",
        (-2, 1, 12),
        Some(2),
        "change point: two motions of one freedom each cross [Hunt 1978]",
    ),
    case(
        "parallelogram, third crank",
        "validation/mobility/parallelogram-third-crank.toml",
        (-6, 1, 30),
        None,
        "planar count 0; moves as the cranks are equal [Hunt 1978]; open besides: f along the cranks' force",
    ),
    case("Oldham coupling", "models/oldham.toml", (-2, 1, 12), None, PLANAR),
    case("scotch yoke", "models/scotch-yoke.toml", (0, 1, 6), None, "planar count 1; self-stress a pure moment"),
    case(
        "spherical four-bar",
        "models/spherical-four-bar.toml",
        (-2, 1, 22),
        None,
        "spherical count 3n − 2j [Hunt 1978]",
    ),
    case("double Cardan", "models/double-cardan.toml", (0, 1, 10), None, "parallel shafts: equal turns [Hunt 1978]"),
    case("Bennett", "models/bennett.toml", (-2, 1, 23), None, "[Bennett 1903]"),
    case("Goldberg 5R", "validation/mobility/goldberg.toml", (-1, 1, 30), None, "[Goldberg 1943]"),
    case("Bricard 6R, trihedral", "validation/mobility/bricard.toml", (0, 1, 32), None, "[Bricard 1927]"),
    case("Sarrus", "models/sarrus.toml", (0, 1, 6), None, "[Sarrus 1853]; self-stress a moment about the vertical"),
    case("RSSR", "models/rssr.toml", (2, 2, 0), None, "1 + spin of the rod [Hunt 1978]"),
    case("RCCC", "validation/mobility/rccc.toml", (1, 1, 0), None, EXACT),
    case("CCCC", "models/cccc.toml", (2, 2, 0), None, "[Soria 2019]: two inputs"),
    case("CSSP", "models/cssp.toml", (3, 3, 0), None, "[Soria 2019]: two inputs, and spin of the rod"),
    case("Stewart platform, UPS", "models/stewart-platform.toml", (6, 6, 0), None, "[Stewart 1965]"),
    case(
        "Stewart platform, SPS",
        "validation/mobility/stewart-sps.toml",
        (12, 12, 0),
        None,
        "[Stewart 1965]: 6 + spin of six legs",
    ),
    case("Delta", "models/delta-robot.toml", (9, 9, 0), None, "[Clavel 1991]: 3 + spin of six rods"),
    case("door on two hinges", "validation/mobility/door-two-hinges.toml", (-4, 1, 10), None, "one axis, 5 rows twice"),
    case(
        "door on three hinges",
        "validation/mobility/door-three-hinges.toml",
        (-9, 1, 15),
        None,
        "one axis, 5 rows thrice",
    ),
    case("four-legged table", "validation/mobility/table.toml", (2, 3, 4), None, "planar motion; three legs carry it"),
    case("truss, locked", "validation/mobility/truss-locked.toml", (-6, 0, 18), None, "two triangles; planar count 0"),
    case(
        "truss that trembles",
        "validation/mobility/truss-trembling.toml",
        (-3, 0, 12),
        Some(1),
        "[Pellegrino 1986]: one infinitesimal mechanism, one in-plane self-stress",
    ),
    case("power screw", "models/power-screw.toml", (-3, 1, 12), None, "one nut on one screw, guided"),
    case("planetary gear", "models/planetary-gear.toml", (1, 1, 0), None, EXACT),
    case("five-bar", "validation/mobility/five-bar.toml", (-1, 2, 15), None, PLANAR),
    case("Hart's inversor", "validation/mobility/hart.toml", (-5, 1, 21), None, PLANAR),
    case("Jansen's leg", "validation/mobility/jansen.toml", (-8, 1, 30), None, PLANAR),
    case("scissor lift", "validation/mobility/scissor-lift.toml", (-8, 1, 30), None, PLANAR),
    case("platform 3-RRR in the plane", "validation/mobility/three-rrr.toml", (-3, 3, 27), None, PLANAR),
    case(
        "shafts with a Hooke joint",
        "validation/mobility/hooke.toml",
        (-2, 1, 14),
        None,
        "spherical count 3n − 2j [Hunt 1978]; forces through the centre are open",
    ),
    case(
        "four screws, parallel",
        "validation/mobility/four-screws.toml",
        (-2, 1, 16),
        None,
        "[Delassus 1922]; open: what does no work on parallel screws of one pitch",
    ),
    case("four slides", "validation/mobility/four-slides.toml", (-2, 1, 12), None, "4 − 3 translations; moments open"),
    case(
        "Schatz 6R",
        "validation/mobility/schatz.toml",
        (0, 1, 32),
        None,
        "[Schatz 1975]; open: by the screw reciprocal to all six axes",
    ),
    case(
        "Bricard 6R, line-symmetric",
        "validation/mobility/bricard-line.toml",
        (0, 1, 35),
        None,
        "[Bricard 1927]; as above",
    ),
    case("kaleidocycle 6R", "validation/mobility/kaleidocycle.toml", (0, 1, 34), None, "[Bricard 1927]; as above"),
    case("7R, general", "validation/mobility/seven-r.toml", (1, 1, 0), None, EXACT),
    case("platform 3-RPS", "validation/mobility/three-rps.toml", (3, 3, 0), None, "[Hunt 1983]"),
];

impl Case {
    /// Its model.
    pub fn model(&self) -> Model {
        let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join(self.file);
        let options = Options::default();
        let document = Document::read(&path, &options).unwrap_or_else(|e| panic!("{e}"));
        document.model(&options).unwrap_or_else(|e| panic!("{e}"))
    }

    /// What `check` says of it.
    pub fn report(&self) -> Report {
        check(&self.model(), "absolute").unwrap_or_else(|e| panic!("{}: {e}", self.name))
    }
}

/// The table in Markdown, as computed.
pub fn table() -> String {
    let mut out = String::from(
        "| mechanism | bodies | Grübler | mobility | as drawn | idle | redundant | unique reactions | source of the answer |\n\
         |---|---|---|---|---|---|---|---|---|\n",
    );
    for case in CASES {
        let report = case.report();
        let mobility = report.motion.mobility.map_or("?".to_string(), |m| m.to_string());
        let (unique, all) = report.motion.reactions.as_ref().map_or((0, 0), |r| {
            let all = r.all.len();
            (all - r.indeterminate().len(), all)
        });
        out.push_str(&format!(
            "| [{}](../{}) | {} | {} | {mobility} | {} | {} | {} | {unique} of {all} | {} |\n",
            case.name,
            case.file,
            report.bodies,
            report.grubler,
            report.instantaneous_mobility,
            report.idle.len(),
            report.motion.redundancies,
            case.source
        ));
    }
    out
}
