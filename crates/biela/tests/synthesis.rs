//! Linkages by `[synthesise]`: what is found against closed forms, counts in the literature and Newton's method from many starts; every design
//! run as the model that it is.

use biela::solve::synthesis::{synthesise, Outcome, Work};
use biela::source::Source;
use biela::{Document, Options};
use biela_math::random::Random;

/// Samples from one position to the next in a design's model.
const STEPS: usize = 12;
/// Differences of a run from what was asked: roots are certified in far smaller boxes, dimensions are written to the last digit, and runs
/// close loops to 1e-12 of their size; linkages far larger than the task lose the rest.
const PASSED: f64 = 1e-9;

fn solved(text: &str) -> Outcome {
    let document = Document::from_toml(&Source::new("text", text)).expect("readable");
    let asked = document.synthesis(&Options::default()).expect("a task");
    synthesise(&asked, &Work { threads: 2, stop: None }).expect("solved")
}

fn told(text: &str) -> String {
    let document = Document::from_toml(&Source::new("text", text)).expect("readable");
    let asked = match document.synthesis(&Options::default()) {
        Ok(asked) => asked,
        Err(error) => return error.to_string(),
    };
    synthesise(&asked, &Work { threads: 1, stop: None }).expect_err("refused").to_string()
}

/// Runs the designs; `of` tells how far the values of signals are from those asked of a position.
fn passed(outcome: &Outcome, signals: &[&str], of: impl Fn(usize, &[f64], &[f64]) -> f64) {
    assert!(!outcome.designs.is_empty());
    for (number, design) in outcome.designs.iter().enumerate() {
        let model = biela::model(&design.model).unwrap_or_else(|e| panic!("{e}\n{}", design.model));
        let results = biela::run(&model).unwrap_or_else(|e| panic!("design {}: {e}\n{}", number + 1, design.model));
        let at = |k: usize| -> Vec<f64> {
            signals.iter().map(|s| results.get(s).unwrap_or_else(|| panic!("no {s}")).data[k]).collect()
        };
        let first = at(0);
        for (k, (position, _)) in design.judged.drive.iter().enumerate() {
            let off = of(*position, &at(STEPS * k), &first);
            assert!(off < PASSED, "design {} misses position {} by {off:e}", number + 1, position + 1);
        }
    }
}

#[test]
fn three_angles_have_the_four_bar_of_freudensteins_equation() {
    // K1 cos psi - K2 cos phi + K3 = cos(phi - psi), linear for given angles: K1 = 1/crank, K2 = 1/rocker, K3 = (1 + a^2 + c^2 - b^2)/(2ac).
    let degree = std::f64::consts::PI / 180.0;
    let (phi, psi) = ([60.0, 90.0, 120.0].map(|x| x * degree), [80.0, 115.1, 140.0].map(|x| x * degree));
    let row = |k: usize| [psi[k].cos(), -phi[k].cos(), 1.0, (phi[k] - psi[k]).cos()];
    let rows = [row(0), row(1), row(2)];
    let det = |c: [usize; 3]| {
        let m = |i: usize, j: usize| rows[i][c[j]];
        m(0, 0) * (m(1, 1) * m(2, 2) - m(1, 2) * m(2, 1)) - m(0, 1) * (m(1, 0) * m(2, 2) - m(1, 2) * m(2, 0))
            + m(0, 2) * (m(1, 0) * m(2, 1) - m(1, 1) * m(2, 0))
    };
    let whole = det([0, 1, 2]);
    let [k1, k2, k3] = [det([3, 1, 2]) / whole, det([0, 3, 2]) / whole, det([0, 1, 3]) / whole];
    let (crank, rocker) = (1.0 / k1, 1.0 / k2);
    let coupler = (1.0 + crank * crank + rocker * rocker - 2.0 * crank * rocker * k3).sqrt();
    let found = solved(
        "[synthesise]\nkind = \"function\"\npoints = [[0, 0], [\"30 deg\", \"35.1 deg\"], [\"60 deg\", \"60 deg\"]]\ngiven = { input = \"60 deg\", output = \"80 deg\" }",
    );
    assert_eq!((found.complex, found.real, found.complete), (1, 1, true), "{}", found.proof);
    let own = |name: &str| found.designs[0].parameters.iter().find(|p| p.0 == name).expect("a dimension").1;
    for (name, meant) in [("crank", crank.abs()), ("rocker", rocker.abs()), ("coupler", coupler)] {
        assert!((own(name) - meant).abs() < PASSED, "{name}: {} for {meant}", own(name));
    }
    passed(&found, &["A.angle", "D.angle"], |k, now, first| {
        (now[0] - first[0] - (phi[k] - phi[0])).sin().abs().max((now[1] - first[1] - (psi[k] - psi[0])).sin().abs())
    });
}

/// Poses of a body on a random four-bar, so that at least two links are real.
fn poses() -> Vec<[f64; 3]> {
    vec![[0.0, 0.0, 0.0], [1.5, 0.5, 20.0], [2.4, 1.2, 45.0], [2.6, 2.3, 70.0], [2.0, 3.2, 95.0]]
}

fn motion(poses: &[[f64; 3]], more: &str) -> Outcome {
    let list: Vec<String> = poses.iter().map(|[x, y, a]| format!("[{x:?}, {y:?}, \"{a:?} deg\"]")).collect();
    solved(&format!("[synthesise]\nkind = \"motion\"\nposes = [{}]\n{more}", list.join(", ")))
}

fn posed(outcome: &Outcome, poses: &[[f64; 3]]) {
    passed(outcome, &["coupler.x", "coupler.y", "coupler.angle"], |k, now, _| {
        let [x, y, angle] = poses[k];
        (now[0] - x).abs().max((now[1] - y).abs()).max((now[2] - angle.to_radians()).sin().abs())
    });
}

#[test]
fn five_poses_have_burmesters_points_and_no_others() {
    let poses = poses();
    let found = motion(&poses, "");
    // Burmester 1888: four links, of which none, two or four are real; two make a four-bar.
    assert_eq!((found.roots, found.complex, found.complete), (4, 4, true), "{}", found.proof);
    assert_eq!(found.designs.len(), found.real * (found.real - 1) / 2);
    posed(&found, &poses);
    // Newton's method from many real starts finds the fixed pivots of these and of no others.
    let mut pivots: Vec<[f64; 2]> = Vec::new();
    let mut random = Random(8);
    let residual = |z: [f64; 4]| -> [f64; 4] {
        let far = |p: &[f64; 3]| {
            let (s, c) = p[2].to_radians().sin_cos();
            let (x, y) = (p[0] + c * z[2] - s * z[3] - z[0], p[1] + s * z[2] + c * z[3] - z[1]);
            x * x + y * y
        };
        [1, 2, 3, 4].map(|k| far(&poses[k]) - far(&poses[0]))
    };
    for _ in 0..400 {
        let mut z = [(); 4].map(|()| 8.0 * random.signed());
        for _ in 0..60 {
            let f = residual(z);
            let mut rows = [[0.0; 5]; 4];
            for k in 0..4 {
                let mut other = z;
                other[k] += 1e-6;
                let g = residual(other);
                (0..4).for_each(|i| rows[i][k] = (g[i] - f[i]) / 1e-6);
            }
            (0..4).for_each(|i| rows[i][4] = f[i]);
            let Some(step) = eliminated(rows) else { break };
            (0..4).for_each(|k| z[k] -= step[k]);
        }
        let settled = residual(z).iter().all(|f| f.abs() < 1e-9) && z.iter().all(|x| x.abs() < 1e4);
        if settled && !pivots.iter().any(|p| (p[0] - z[0]).hypot(p[1] - z[1]) < 1e-5) {
            pivots.push([z[0], z[1]]);
        }
    }
    let ours: Vec<[f64; 2]> = found
        .designs
        .iter()
        .flat_map(|d| d.linkage.pivots().into_iter().map(|z| [z.re, z.im]).collect::<Vec<_>>())
        .collect();
    assert_eq!(pivots.len(), found.real);
    assert!(pivots.iter().all(|p| ours.iter().any(|q| (p[0] - q[0]).hypot(p[1] - q[1]) < 1e-5)), "{pivots:?} {ours:?}");
}

/// The solution of four equations by elimination.
fn eliminated(mut rows: [[f64; 5]; 4]) -> Option<[f64; 4]> {
    for k in 0..4 {
        let best = (k..4).max_by(|a, b| rows[*a][k].abs().total_cmp(&rows[*b][k].abs()))?;
        rows.swap(k, best);
        if rows[k][k].abs() < 1e-14 {
            return None;
        }
        for i in 0..4 {
            if i != k {
                let factor = rows[i][k] / rows[k][k];
                (0..5).for_each(|j| rows[i][j] -= factor * rows[k][j]);
            }
        }
    }
    Some([0, 1, 2, 3].map(|k| rows[k][4] / rows[k][k]))
}

#[test]
fn fewer_poses_leave_choices_that_all_pass() {
    let poses = poses();
    let three = motion(&poses[..3], "given = { \"A.x\" = 0, \"A.y\" = 2, \"D.x\" = 3, \"D.y\" = -1 }");
    assert_eq!((three.real, three.designs.len(), three.complete), (2, 1, true), "{}", three.proof);
    posed(&three, &poses);
    let four = motion(&poses[..4], "samples = 4");
    // Each line through the middle meets the centre-point curve, a circular cubic, in three points.
    assert_eq!((four.complex, four.complete), (12, true), "{}", four.proof);
    posed(&four, &poses);
    let sliders = motion(&poses[..4], "linkage = \"slider-crank\"\nsamples = 3");
    posed(&sliders, &poses);
}

#[test]
fn functions_of_five_points_are_met_by_every_family() {
    let angles = "[[0, 0], [\"20 deg\", \"25 deg\"], [\"40 deg\", \"48 deg\"], [\"60 deg\", \"66 deg\"], [\"80 deg\", \"80 deg\"]]";
    let wanted =
        [[0.0, 0.0], [20.0, 25.0], [40.0, 48.0], [60.0, 66.0], [80.0, 80.0f64]].map(|p| p.map(f64::to_radians));
    let turning = |k: usize, now: &[f64], first: &[f64]| {
        (now[0] - first[0] - wanted[k][0]).sin().abs().max((now[1] - first[1] - wanted[k][1]).sin().abs())
    };
    let spherical = solved(&format!("[synthesise]\nkind = \"function\"\nlinkage = \"spherical\"\npoints = {angles}"));
    assert!(spherical.complete, "{}", spherical.proof);
    passed(&spherical, &["A.angle", "D.angle"], turning);
    let six = solved(
        "[synthesise]\nkind = \"function\"\nlinkage = \"six-bar\"\n\
         points = [[0, 0], [\"20 deg\", \"8 deg\"], [\"40 deg\", \"20 deg\"], [\"60 deg\", \"36 deg\"], [\"80 deg\", \"50 deg\"]]\n\
         given = { crank = 1, coupler = 3, rocker = 2.5, ground = 3, branch = 1, input = \"40 deg\", \"G.x\" = 2, \"G.y\" = 3 }",
    );
    assert!(six.complete, "{}", six.proof);
    let arm = [0.0, 8.0, 20.0, 36.0, 50.0f64].map(f64::to_radians);
    passed(&six, &["A.angle", "G.angle"], |k, now, first| (now[1] - first[1] - arm[k]).sin().abs());
    let slides = [0.0, 0.1, 0.25, 0.42, 0.6];
    let slider = solved(
        "[synthesise]\nkind = \"function\"\nlinkage = \"slider-crank\"\n\
         points = [[0, 0], [\"20 deg\", 0.1], [\"40 deg\", 0.25], [\"60 deg\", 0.42], [\"80 deg\", 0.6]]",
    );
    assert!(slider.complete, "{}", slider.proof);
    passed(&slider, &["A.angle", "guide.slide"], |k, now, first| (now[1] - first[1] - slides[k]).abs());
}

#[test]
fn five_orientations_have_six_spherical_links() {
    // McCarthy and Soh, Geometric Design of Linkages: at most six.
    let found = solved(
        "[synthesise]\nkind = \"motion\"\nlinkage = \"spherical\"\nposes = [[0, 0, 0], [\"10 deg\", \"20 deg\", \"5 deg\"], \
         [\"25 deg\", \"30 deg\", \"25 deg\"], [\"30 deg\", \"50 deg\", \"30 deg\"], [\"20 deg\", \"60 deg\", \"60 deg\"]]",
    );
    assert_eq!((found.complex, found.complete), (6, true), "{}", found.proof);
    let list = [[0.0, 0.0, 0.0], [10.0, 20.0, 5.0], [25.0, 30.0, 25.0], [30.0, 50.0, 30.0], [20.0, 60.0, 60.0f64]];
    passed(&found, &["coupler.e0", "coupler.e1", "coupler.e2", "coupler.e3"], |k, now, _| {
        let [(sr, cr), (sp, cp), (sy, cy)] = list[k].map(|x| (0.5 * x.to_radians()).sin_cos());
        let q = [
            cr * cp * cy + sr * sp * sy,
            sr * cp * cy - cr * sp * sy,
            cr * sp * cy + sr * cp * sy,
            cr * cp * sy - sr * sp * cy,
        ];
        let sign = q.iter().zip(now).map(|(a, b)| a * b).sum::<f64>().signum();
        q.iter().zip(now).map(|(a, b)| (sign * a - b).abs()).fold(0.0, f64::max)
    });
}

const POINTS: [[f64; 2]; 5] = [[0.0, 0.0], [0.6, 0.5], [1.3, 0.7], [2.0, 0.6], [2.5, 0.1]];

fn on_path(outcome: &Outcome, points: &[[f64; 2]]) {
    passed(outcome, &["coupler.P.x", "coupler.P.y"], |k, now, _| {
        (now[0] - points[k][0]).abs().max((now[1] - points[k][1]).abs())
    });
}

#[test]
fn paths_with_timing_turn_their_crank_as_told() {
    let found = solved(&format!(
        "[synthesise]\nkind = \"path\"\npoints = {POINTS:?}\ntiming = [0, \"25 deg\", \"50 deg\", \"75 deg\", \"100 deg\"]"
    ));
    assert!(found.complete && found.real > 0, "{}", found.proof);
    on_path(&found, &POINTS);
    passed(&found, &["A.angle"], |k, now, first| (now[0] - first[0] - (25.0 * k as f64).to_radians()).sin().abs());
}

#[test]
fn five_points_and_both_pivots_have_thirty_six_four_bars() {
    // Morgan and Wampler 1990.
    let found = solved(&format!(
        "[synthesise]\nkind = \"path\"\npoints = {POINTS:?}\ngiven = {{ \"A.x\" = 0, \"A.y\" = -1.5, \"D.x\" = 2, \"D.y\" = -1 }}"
    ));
    assert_eq!((found.roots, found.complex, found.complete), (36, 36, true), "{}", found.proof);
    for design in &found.designs {
        let mut pivots: Vec<[f64; 2]> = design.linkage.pivots().iter().map(|z| [z.re, z.im]).collect();
        pivots.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let off = |p: [f64; 2], q: [f64; 2]| (p[0] - q[0]).hypot(p[1] - q[1]);
        assert!(off(pivots[0], [0.0, -1.5]) < PASSED && off(pivots[1], [2.0, -1.0]) < PASSED);
    }
    on_path(&found, &POINTS);
}

#[test]
fn nine_points_have_the_curves_of_the_literature() {
    // Problem 3 of Wampler, Morgan and Sommese 1992: 64 real curves of 1442, one of whose linkages has no defect.
    let points = [
        [0.25, 0.0],
        [0.52, 0.1],
        [0.8, 0.7],
        [1.2, 1.0],
        [1.4, 1.3],
        [1.1, 1.48],
        [0.7, 1.4],
        [0.2, 1.0],
        [0.02, 0.4],
    ];
    let found = solved(&format!("[synthesise]\nkind = \"path\"\npoints = {points:?}"));
    assert_eq!((found.roots, found.complex, found.real, found.complete), (8652, 1442, 64, true), "{}", found.proof);
    assert_eq!(found.designs.len(), 3 * 64);
    let whole: Vec<usize> = found.designs.iter().filter(|d| d.judged.defects.is_empty()).map(|d| d.curve).collect();
    assert!(!whole.is_empty() && whole.iter().all(|c| *c == whole[0]), "{whole:?}");
    on_path(&Outcome { designs: found.designs[..12].to_vec(), ..found }, &points);
}

#[test]
fn limits_refuse_what_they_name() {
    let poses = poses();
    let all = motion(&poses, "");
    let sound = motion(&poses, "limits = { refuse = [\"circuit\", \"branch\", \"order\"] }");
    assert!(sound.designs.iter().all(|d| d.judged.defects.is_empty()));
    assert_eq!(sound.designs.len() + sound.refused, all.designs.len());
    let classes = motion(&poses, "limits = { class = \"crank-rocker\" }");
    assert!(classes.designs.iter().all(|d| d.judged.class == Some("crank-rocker")) && classes.refused > 0);
    let near = motion(&poses, "limits = { region = [[-2, 0], [3, 4]], transmission = \"10 deg\" }");
    let within = |z: &biela::solve::synthesis::Complex| z.re >= -2.0 && z.re <= 3.0 && z.im >= 0.0 && z.im <= 4.0;
    assert!(near
        .designs
        .iter()
        .all(|d| d.linkage.pivots().iter().all(within) && d.judged.transmission >= 10f64.to_radians()));
    assert!(near.refused > 0);
}

#[test]
fn faults_end_with_words() {
    let path = |rest: &str| told(&format!("[synthesise]\nkind = \"path\"\n{rest}"));
    for (message, part) in [
        (told("name = \"x\""), "does not say what to synthesise"),
        (told("[synthesise]\nkind = \"pth\""), "did you mean 'path'?"),
        (path("poses = [[0, 0, 0]]"), "'poses' is not for kind = \"path\""),
        (path("points = [[0, 0], [0, 0], [1, 1]]"), "entries 1 and 2 of 'points' are the same"),
        (path("points = [[0, 0], [1, \"2 deg\"]]"), "length"),
        (path("points = [[0, 0], [1, 1], [2, 1], [3, 0], [4, 1]]\ngiven = { \"A.x\" = 1 }"), "5 points leave 4 dimensions to be given"),
        (path("points = [[0, 0], [1, 1]]\ngiven = { krank = 1 }"), "crank"),
        (path("points = [[0, 0], [1, 1], [2, 0]]\ntiming = [0, 1]"), "'timing' is a list of 3 angles"),
        (told("[synthesise]\nkind = \"function\"\npoints = [[0, 0], [0, 1], [1, 2]]"), "have the same input"),
        (told("[synthesise]\nkind = \"motion\"\nlinkage = \"six-bar\"\nposes = [[0, 0, 0]]"), "no synthesis of kind 'motion'"),
        (
            told("[synthesise]\nkind = \"function\"\npoints = [[0, 0], [1, 1], [2, 3], [3, 4], [4, 6]]\ngiven = { input = 1 }"),
            "5 positions leave 0 of these to be chosen",
        ),
    ] {
        assert!(message.contains(part), "{message}\nhas no '{part}'");
    }
}
