//! Singular positions: found, typed, located, passed, damped; and no silent change of branch.
#![allow(non_snake_case)]

mod common;

use biela::couplings::CoordinateRef;
use biela::drivers::{Driver, Target};
use biela::expr::{Expression, Name};
use biela::joints;
use biela::math::{Pose, Rotation, Vec3};
use biela::model::{Model, Singular, Study};
use biela::motion::Motion;
use biela::results::Results;
use biela::solve::kinematics;
use biela::solve::motion::Follower;
use biela::source::Source;
use biela::system::{System, FORMULATIONS};
use biela::text::{Document, Options};
use common::cases::*;
use common::record::{held, CLOSED};
use common::Stream;
use std::f64::consts::{PI, TAU};

/// The time that a message tells is within this of the closed form.
const LOCATED: f64 = 1e-9;

fn motion(text: &str) -> Motion {
    Motion::Expression(Expression::parse(text, &[("t", Name::Variable(0))]).unwrap())
}

fn told_time(message: &str) -> f64 {
    let at = message.rfind(" at t = ").map(|k| k + 8);
    let at =
        message.find("singularity) at t = ").map(|k| k + 20).or(at).unwrap_or_else(|| panic!("no time: {message}"));
    message[at..].split([' ', '\n']).next().unwrap().parse().unwrap_or_else(|_| panic!("no time: {message}"))
}

/// A planar linkage of rods A–B–C–D with pivots; `lengths` of crank, coupler, rocker, ground.
fn four_bar(lengths: [f64; 4], angle: f64, up: f64, law: Motion, end: f64, steps: usize) -> Model {
    let [crank, coupler, rocker, ground] = lengths;
    let b = Vec3::new(crank * angle.cos(), crank * angle.sin(), 0.0);
    let d = Vec3::new(ground, 0.0, 0.0);
    let c = circles(b, coupler, d, rocker, up).expect("a first position");
    let turned = |at: Vec3, to: Vec3| {
        let way = to - at;
        Pose::new(Rotation::about(Vec3::Z, way.y.atan2(way.x)), at)
    };
    let bodies = vec![
        common::body("crank", turned(Vec3::ZERO, b)),
        common::body("coupler", turned(b, c)),
        common::body("rocker", turned(d, c)),
    ];
    let kind = joints::kind("revolute").unwrap();
    let at = |x: f64| Pose::new(Rotation::about(Vec3::Z, 0.0), Vec3::new(x, 0.0, 0.0));
    let joints = vec![
        common::joint("A", kind, [0, 1], [at(0.0), at(0.0)]),
        common::joint("B", kind, [1, 2], [at(crank), at(0.0)]),
        common::joint("C", kind, [2, 3], [at(coupler), at(rocker)]),
        common::joint("D", kind, [0, 3], [at(ground), at(0.0)]),
    ];
    let mut model = common::model(bodies, joints);
    let target = Target::Coordinate { of: CoordinateRef { joint: 0, coordinate: 0 }, value: law };
    model.drivers = [Driver { name: "motor".into(), target, effort: Vec::new(), span: None }].into();
    model.study = Study { end, steps, ..Study::default() };
    model
}

/// The meeting of two circles on one side (`up` > 0: to the left of the way from p to q).
fn circles(p: Vec3, r: f64, q: Vec3, s: f64, up: f64) -> Option<Vec3> {
    let d = q - p;
    let length = d.norm();
    let along = (length * length + r * r - s * s) / (2.0 * length);
    let square = r * r - along * along;
    let e = d * (1.0 / length);
    (square >= 0.0).then(|| p + e * along + Vec3::Z.cross(e) * (up * square.sqrt()))
}

/// The message of a run that ends early.
fn ends(model: &Model, formulation: &str) -> String {
    solve(model, formulation).err().unwrap_or_else(|| panic!("{formulation}: it should end early")).to_string()
}

fn solve(model: &Model, formulation: &str) -> biela::Result<Results> {
    kinematics::run(model, formulation, |_, _| true)
}

#[test]
fn a_parallelogram_stops_at_its_change_point_or_passes_it_on_its_branch() {
    // The crank turns from 60° at 1 rad/s: flat after 120°, and again after 300°.
    let law = || motion("pi/3 + t");
    let mut model = four_bar([2.0, 5.0, 2.0, 5.0], PI / 3.0, 1.0, law(), 2.0 * TAU, 720);
    for formulation in FORMULATIONS.iter().map(|f| f.keyword) {
        let message = ends(&model, formulation);
        assert!(message.contains("change point (constraint singularity)"), "{formulation}: {message}");
        let off = (told_time(&message) - 2.0 * PI / 3.0).abs();
        held(CLOSED, "time of the change point", LOCATED, off, format_args!("{formulation}: {message}"));
    }
    let policies = [Singular::Pass, Singular::Damp];
    for (formulation, policy) in biela::system::formulations().flat_map(|f| policies.map(|p| (f.keyword, p))) {
        model.study.singular = policy;
        let results = solve(&model, formulation).unwrap_or_else(|e| panic!("{formulation}: {e}"));
        // Two turns: four flat positions, of which samples hit some exactly; the coupler never turns.
        let met = results.notes_of("singular position").count();
        assert_eq!(met, 4, "{formulation}: {:?}", results.notes);
        for (name, rate) in [("coupler.wz", 0.0), ("rocker.wz", 1.0), ("coupler.alz", 0.0)] {
            for (t, x) in results.times().iter().zip(column(&results, name)) {
                assert!((x - rate).abs() < 1e-8, "{formulation}: {name} = {x} at t = {t}");
            }
        }
        follows(&results, "D.angle", |t| PI / 3.0 + t);
        let worst = magnitude(column(&results, "residual"), 0.0);
        assert!(worst <= RESIDUAL, "{formulation}: {worst:e}");
    }
}

#[test]
fn an_in_line_slider_crank_with_rod_equal_to_crank() {
    // At 90° the piston stands over the crank's centre and may stay there while crank and rod turn on together.
    let mut model = load("slider-crank", &set(&[("rod", "2")]));
    let message = ends(&model, "absolute");
    assert!(message.contains("change point (constraint singularity)"), "{message}");
    held(CLOSED, "time of the change point", LOCATED, (told_time(&message) - 0.125).abs(), &message);
    model.study.singular = Singular::Pass;
    let results = solve(&model, "absolute").unwrap();
    // Straight on: x = 2 r cos(angle) through zero to the other side.
    follows_closely(&results, "piston.x", 1e-9, |t| 4.0 * (PI / 4.0 + TAU * t).cos());
    follows_closely(&results, "piston.vx", 1e-7, |t| -4.0 * TAU * (PI / 4.0 + TAU * t).sin());
    model.study.singular = Singular::Damp;
    follows_closely(&solve(&model, "absolute").unwrap(), "piston.x", 1e-9, |t| 4.0 * (PI / 4.0 + TAU * t).cos());
}

fn follows_closely(results: &Results, name: &str, tolerance: f64, law: impl Fn(f64) -> f64) {
    for (t, x) in results.times().iter().zip(column(results, name)) {
        assert!((x - law(*t)).abs() < tolerance, "{name} at t = {t}: {x} where {} is due", law(*t));
    }
}

/// A slider-crank, crank 2 and rod 3.5, whose piston is driven.
fn driven_piston(law: &str) -> Model {
    altered(
        "slider-crank",
        &[("joint = \"O\"\nvalue = \"pi/4 + omega*t\"", &format!("joint = \"guide\"\nvalue = \"{law}\""))],
    )
}

#[test]
fn a_driven_slider_stops_at_its_dead_centre() {
    // Pulled at 1 m/s from 4.9 m, the piston comes to 5.5 m = crank + rod after 0.6 s.
    let model = driven_piston("4.9 + t");
    for formulation in FORMULATIONS.iter().map(|f| f.keyword) {
        let message = ends(&model, formulation);
        assert!(message.contains("dead centre of the driven link (input singularity)"), "{formulation}: {message}");
        held(CLOSED, "time of the dead centre", LOCATED, (told_time(&message) - 0.6).abs(), formulation);
        assert!(message.contains("O.angle"), "{message}");
    }
    // A fold cannot be passed: beyond it there is nothing.
    let mut model = model;
    model.study.singular = Singular::Pass;
    assert!(ends(&model, "absolute").contains("no smooth continuation"));
}

#[test]
fn a_slider_driven_to_and_fro_carries_the_crank_over_its_dead_centre() {
    // The law of a crank that turns evenly, given to the piston: straight on means that the crank goes on turning.
    let mut model = driven_piston("2*cos(0.3+5*t) + sqrt(12.25 - 4*sin(0.3+5*t)^2)");
    model.study.singular = Singular::Pass;
    let results = solve(&model, "absolute").unwrap_or_else(|e| panic!("{e}"));
    // The drawing has the crank above: its angle is 0.3 + 5 t.
    follows_closely(&results, "O.angle", 1e-6, |t| 0.3 + 5.0 * t);
    model.study.singular = Singular::Damp;
    follows_closely(&solve(&model, "absolute").unwrap(), "O.angle", 1e-6, |t| 0.3 + 5.0 * t);
    // Stopped, it tells when: the piston turns back at 5 t = pi − 0.3.
    model.study.singular = Singular::Stop;
    let message = ends(&model, "absolute");
    assert!((told_time(&message) - (PI - 0.3) / 5.0).abs() < LOCATED, "{message}");
    assert_eq!(results.notes_of("singular position").count(), 1, "{:?}", results.notes);
}

#[test]
fn damped_drivers_give_way_and_come_back() {
    // Asked for up to 5.8 m and back, the piston stays at 5.5 m meanwhile.
    let mut model = driven_piston("4.9 + 0.9*sin(pi*t)");
    model.study.singular = Singular::Damp;
    let results = solve(&model, "absolute").unwrap_or_else(|e| panic!("{e}"));
    for ((t, x), lag) in results.times().iter().zip(column(&results, "piston.x")).zip(column(&results, "lag")) {
        let asked = 4.9 + 0.9 * (PI * t).sin();
        assert!((x - asked.min(5.5)).abs() < 1e-6, "t = {t}: {x} for {asked}");
        assert!(*lag >= 0.0 && (*lag > 1e-6) == (asked > 5.5 + 1e-5), "t = {t}: {lag:e} {asked}");
    }
    assert!(magnitude(column(&results, "residual"), 0.0) <= RESIDUAL);
}

/// A crank that cannot turn on rests at the end of its stroke, however far its driver goes, in any coordinates.
#[test]
fn a_driver_far_beyond_the_stroke_leaves_the_mechanism_at_its_end() {
    // The rod, 1.9, is shorter than the crank, 2: it stands upright over the slide where the crank's sine is 0.95.
    let mut model = load("slider-crank", &set(&[("rod", "1.9")]));
    model.study.singular = Singular::Damp;
    let end = 0.95f64.asin();
    for formulation in ["absolute", "relative"] {
        let results = solve(&model, formulation).unwrap_or_else(|e| panic!("{formulation}: {e}"));
        for (k, t) in results.times().iter().enumerate().filter(|(_, t)| **t > 0.08) {
            let [angle, slide, rate] = ["O.angle", "guide.slide", "guide.slide.rate"].map(|n| column(&results, n)[k]);
            // The slide moves with the square root of what the angle is short of.
            assert!((angle - end).abs() < 1e-10, "{formulation}, t = {t}: {angle}");
            assert!((slide - 2.0 * end.cos()).abs() < 1e-7, "{formulation}, t = {t}: {slide}");
            assert!(rate.abs() < 1e-2, "{formulation}, t = {t}: {rate}");
        }
    }
}

#[test]
fn coming_near_is_told_and_the_distance_is_a_column() {
    // Nearly a parallelogram: it passes its flat position without being singular.
    let mut model = four_bar([2.0, 5.0, 2.001, 5.0], PI / 3.0, 1.0, motion("pi/3 + t"), 3.0, 300);
    model.study.singularity = true;
    let results = solve(&model, "absolute").unwrap();
    let column = column(&results, "singularity");
    let (k, least) = column.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1)).unwrap();
    assert!(*least < 0.02 && *least > 0.0, "{least:e}");
    assert!((results.times()[k] - 2.0 * PI / 3.0).abs() < 0.02, "{}", results.times()[k]);
    assert!(column[0] > 10.0 * least);
}

#[test]
fn ten_thousand_four_bars_keep_their_branch_or_stop_at_the_toggle() {
    /// Times of toggles against the closed form, in radians of the crank at 1 rad/s.
    const TOGGLE: f64 = 1e-7;
    /// Positions against the closed form; four-bars within a thousandth of flat lose digits.
    const PLACE: f64 = 1e-6;
    let mut random = Stream(2024);
    let (mut whole, mut stopped, mut cases) = (0, 0, 0);
    while cases < 10_000 {
        let length = |r: &mut Stream| 1.0 + 0.9 * r.next();
        let lengths = [length(&mut random), length(&mut random), length(&mut random), length(&mut random)];
        let (start, up) = (PI * random.next(), if random.next() > 0.0 { 1.0 } else { -1.0 });
        let [crank, coupler, rocker, ground] = lengths;
        let pin = |angle: f64| Vec3::new(crank * angle.cos(), crank * angle.sin(), 0.0);
        let pivot = Vec3::new(ground, 0.0, 0.0);
        let open = |angle: f64| (pivot - pin(angle)).norm();
        let (low, high) = ((coupler - rocker).abs(), coupler + rocker);
        // A first position well inside: assembly from a drawing at the toggle is another question.
        if !(open(start) > low * 1.0001 + 1e-3 && open(start) < high * 0.9999 - 1e-3) {
            continue;
        }
        cases += 1;
        let law = motion(&format!("{start:?} + t"));
        let model = four_bar(lengths, start, up, law, 2.0 * TAU, 1);
        let system = System::new(&model, "relative").unwrap();
        let mut follower = Follower::new(&system, 0.0, 2.0 * TAU).unwrap_or_else(|e| panic!("{lengths:?}: {e}"));
        // The first toggle: cos(angle) at which the pin is as far from the pivot as the rods reach.
        let toggle = [low, high]
            .iter()
            .filter_map(|reach| {
                let c = (crank * crank + ground * ground - reach * reach) / (2.0 * crank * ground);
                (c.abs() <= 1.0).then(|| c.acos())
            })
            .flat_map(|a| [a, -a])
            .map(|a| (a - start).rem_euclid(TAU))
            .fold(f64::INFINITY, f64::min);
        let mut ended = None;
        for k in 1..=24 {
            let t = 2.0 * TAU * k as f64 / 24.0;
            if let Err(error) = follower.advance(t) {
                ended = Some((follower.stepper.state.t, error.to_string()));
                break;
            }
            let due = circles(pin(start + t), coupler, pivot, rocker, up).unwrap_or_else(|| panic!("{lengths:?} {t}"));
            let found = follower.stepper.ws.cache.bodies[3].pose.apply(Vec3::new(rocker, 0.0, 0.0));
            let off = (found - due).norm();
            assert!(off < PLACE, "{lengths:?} from {start}, side {up}, at t = {t}: {off:e} from its branch");
        }
        match ended {
            None => {
                assert!(toggle > 2.0 * TAU, "{lengths:?} from {start}: went through its toggle at {toggle}");
                whole += 1;
            }
            Some((t, message)) => {
                assert!(
                    (t - toggle).abs() < TOGGLE,
                    "{lengths:?} from {start}: stopped at {t}, toggle at {toggle}\n{message}"
                );
                stopped += 1;
            }
        }
    }
    println!("{whole} went round, {stopped} stopped at their toggle");
    assert!(whole > 1000 && stopped > 1000);
}

/// Times at which a run tells that an output stands still.
fn stills(results: &Results, output: &str) -> Vec<f64> {
    let told = results.notes.iter().filter(|n| n.0 == "output singularity" && n.1.contains(&format!(": {output} ")));
    told.map(|n| told_time(&n.1)).collect()
}

fn located(found: &[f64], due: &[f64]) {
    assert_eq!(found.len(), due.len(), "{found:?} where {due:?} are due");
    for (a, b) in found.iter().zip(due) {
        held(CLOSED, "time of the dead centre", LOCATED, (a - b).abs(), format_args!("{a} where {b} is due"));
    }
}

#[test]
fn dead_centres_of_outputs_are_located() {
    // The crank passes 180 and 360 degrees, where the piston turns back, whatever the samples are.
    for steps in ["1", "7", "100"] {
        let mut model = load("slider-crank", &set(&[]));
        model.study.steps = steps.parse().unwrap();
        for formulation in FORMULATIONS.iter().map(|f| f.keyword) {
            located(&stills(&solve(&model, formulation).unwrap(), "guide.slide"), &[0.375, 0.875]);
        }
    }
    // Samples on the dead centres themselves, first and last included.
    let model = altered("slider-crank", &[("pi/4 + omega*t", "omega*t")]);
    located(&stills(&solve(&model, "absolute").unwrap(), "guide.slide"), &[0.0, 0.5, 1.0]);
    // A crank-rocker: crank and coupler in one line, stretched and folded.
    let [crank, coupler, rocker, ground] = [1.0, 3.0, 2.5, 3.5];
    let model = four_bar([crank, coupler, rocker, ground], 0.3, 1.0, motion("0.3 + t"), TAU, 50);
    let reach = |r: f64| ((r * r + ground * ground - rocker * rocker) / (2.0 * r * ground)).acos();
    // Stretched the crank points at C, folded away from it; C lies above the ground line.
    let mut due = [reach(crank + coupler) - 0.3, reach(coupler - crank) + PI - 0.3].map(|t| t.rem_euclid(TAU));
    due.sort_by(f64::total_cmp);
    located(&stills(&solve(&model, "relative").unwrap(), "D.angle"), &due);
}

#[test]
fn outputs_may_be_named_and_several_drivers_are_watched_together() {
    // A two-link hand driven at both joints: stretched where the elbow passes zero.
    let text = |outputs: &str| {
        format!(
            "bodies.upper = {{ points = {{ elbow = [2, 0, 0] }} }}\n\
             bodies.fore = {{ pose = {{ at = [2, 0, 0] }}, points = {{ hand = [1.5, 0, 0] }} }}\n\
             joints.S = {{ type = \"revolute\", bodies = [\"ground\", \"upper\"], at = [[0,0,0],[0,0,0]], axis = [0,0,1] }}\n\
             joints.E = {{ type = \"revolute\", bodies = [\"upper\", \"fore\"], at = [\"elbow\",[0,0,0]], axis = [0,0,1] }}\n\
             drivers.s = {{ joint = \"S\", value = \"0.3*t\" }}\n\
             drivers.e = {{ joint = \"E\", value = \"1 - 1.7*t\" }}\n\
             run = {{ end = 1, steps = 10{outputs} }}\n"
        )
    };
    located(&stills(&solve(&parse(&text("")), "absolute").unwrap(), "fore.hand"), &[1.0 / 1.7]);
    located(
        &stills(&solve(&parse(&text(", outputs = [\"fore.hand\"]")), "relative").unwrap(), "fore.hand"),
        &[1.0 / 1.7],
    );
    // The forearm as a whole turns and moves: nothing of its motion is ever lost.
    assert!(stills(&solve(&parse(&text(", outputs = [\"fore\"]")), "absolute").unwrap(), "fore").is_empty());
    let misspelt = Source::new("test.toml", text(", outputs = [\"fore.hnd\"]"));
    let error = Document::from_toml(&misspelt).unwrap().model(&Options::default()).unwrap_err().to_string();
    assert!(error.contains("fore.hnd") && error.contains("fore.hand"), "{error}");
}

#[test]
fn change_point_four_bars_are_passed_on_their_branch_from_anywhere() {
    // Lengths whose shortest and longest add up to the other two: the closed form of the branch beyond the flat position is
    // the other side of the line from pin to pivot, as everything goes straight on.
    let shapes =
        [[2.0, 5.0, 2.0, 5.0], [1.0, 3.0, 2.0, 4.0], [1.0, 4.0, 2.0, 3.0], [2.0, 3.0, 3.0, 2.0], [3.0, 3.0, 2.0, 2.0]];
    /// Position of the rocker's pin against the closed form; near the flat position digits are lost.
    const PLACE: f64 = 1e-7;
    for lengths in shapes {
        for start in [0.4, 1.1, 1.9, 2.7] {
            for (turns, steps) in [(1.5, 3), (1.5, 97), (1.5, 1000)] {
                let [crank, coupler, rocker, ground] = lengths;
                let pin = |angle: f64| Vec3::new(crank * angle.cos(), crank * angle.sin(), 0.0);
                let pivot = Vec3::new(ground, 0.0, 0.0);
                let mut model = four_bar(lengths, start, 1.0, motion(&format!("{start:?} + t")), turns * TAU, steps);
                model.study.singular = Singular::Pass;
                let results = solve(&model, "relative").unwrap_or_else(|e| panic!("{lengths:?} from {start}: {e}"));
                let (x, y) = (column(&results, "rocker.e0"), column(&results, "rocker.e3"));
                for (k, t) in results.times().iter().enumerate() {
                    let angle = start + t;
                    // Flat at multiples of half a turn, where this shape is: a side is changed at each.
                    let flat = |a: f64| {
                        let d = (pivot - pin(a)).norm();
                        (d - coupler - rocker).abs() < 1e-9 || (d - (coupler - rocker).abs()).abs() < 1e-9
                    };
                    let passed = (1..=(angle / PI).floor() as i32).filter(|n| flat(f64::from(*n) * PI)).count();
                    let up = if passed % 2 == 0 { 1.0 } else { -1.0 };
                    if angle.sin().abs() < 1e-3 {
                        continue;
                    }
                    let due = circles(pin(angle), coupler, pivot, rocker, up).unwrap() - pivot;
                    let half = y[k].atan2(x[k]);
                    let found = Vec3::new((2.0 * half).cos(), (2.0 * half).sin(), 0.0) * rocker;
                    let off = (found - due).norm();
                    assert!(off < PLACE, "{lengths:?} from {start} in {steps}: {off:e} at t = {t}");
                }
            }
        }
    }
}

#[test]
fn a_platform_keeps_its_branch_through_the_position_of_fichter() {
    // Turned by 90 degrees all six legs of this platform belong to one linear complex [Hunt 1978]: the legs' laws go on to 100
    // degrees and back.
    let mut model = load("stewart-platform", &set(&[("yaw", "100 deg")]));
    model.study.end = 0.5;
    model.study.steps = 50;
    let message = ends(&model, "absolute");
    assert!((told_time(&message) - 0.9f64.asin() / TAU).abs() < LOCATED, "{message}");
    model.study.singular = Singular::Pass;
    let results = solve(&model, "absolute").unwrap_or_else(|e| panic!("{e}"));
    let (e0, e3) = (column(&results, "platform.e0"), column(&results, "platform.e3"));
    for (k, t) in results.times().iter().enumerate() {
        let (yaw, due) = (2.0 * e3[k].atan2(e0[k]), 100f64.to_radians() * (TAU * t).sin());
        assert!((yaw - due).abs() < 1e-8, "t = {t}: {yaw} where {due} is due");
    }
    assert_eq!(results.notes_of("singular position").count(), 2, "{:?}", results.notes);
    assert!(results.note("output singularity").is_none(), "{:?}", results.notes);
}

/// A rocker that is led out and back between two samples: within its stroke it returns, beyond it the run ends.
#[test]
fn no_excursion_between_samples_passes_an_end_of_stroke_unseen() {
    // The coupler and the rocker are stretched where the crank stands at 25 − 24 cos θ = 4.5²: 1.37 rad.
    for width in ["0.02", "0.002", "2e-5"] {
        let law = |most: &str| motion(&format!("0.6 + {most}*exp(-((t - 0.52)/{width})^2)"));
        let within = four_bar([4.0, 1.5, 3.0, 3.0], 0.6, 1.0, law("0.7"), 1.0, 10);
        let beyond = four_bar([4.0, 1.5, 3.0, 3.0], 0.6, 1.0, law("1.5"), 1.0, 10);
        for formulation in ["absolute", "natural", "relative"] {
            let results = kinematics::run(&within, formulation, |_, _| true).unwrap();
            let angle = &results.get("C.angle").unwrap().data;
            assert!((angle[0] - angle[10]).abs() < 1e-9, "{formulation}: {angle:?}");
            let said = kinematics::run(&beyond, formulation, |_, _| true).err().map(|e| e.to_string());
            assert!(said.as_ref().is_some_and(|said| (told_time(said) - 0.52).abs() < 0.05), "{formulation}: {said:?}");
        }
    }
}
