//! Values of parameters put into a model that stands are those that reading its text with them gives, to the last bit.

use biela::math::random::Random;
use biela::model::Model;
use biela::source::Source;
use biela::text::{Document, Options, Parametric};
use std::path::Path;

/// Everything a model says, to the last bit: floats are printed so that they can be read back.
fn whole(model: &Model) -> String {
    format!("{model:?}")
}

fn document(text: &str) -> Document {
    Document::from_toml(&Source::new("m.toml", text)).unwrap()
}

/// Binds the values and compares with what reading gives: the same model, or both refuse.
fn compare(document: &Document, parametric: &mut Parametric, names: &[String], values: &[f64], what: &str) {
    let given = names.iter().cloned().zip(values.iter().copied()).collect();
    let read = document.compile(&Options { values: given, ..Options::default() });
    match (read, parametric.bind(values)) {
        (Ok((read, told)), Ok(bound)) => {
            let (read, bound) = (whole(&read), whole(bound));
            assert_eq!(parametric.warnings(), told, "{what}");
            if read != bound {
                let at = read.bytes().zip(bound.bytes()).position(|(a, b)| a != b).unwrap_or(0).saturating_sub(200);
                let end = |s: &str| (at + 400).min(s.len());
                panic!("{what}\nread:  {}\nbound: {}", &read[at..end(&read)], &bound[at..end(&bound)]);
            }
        }
        (Err(read), Err(bound)) => {
            assert_eq!((read.message(), read.element()), (bound.message(), bound.element()), "{what}");
        }
        (read, bound) => panic!("{what}: read {:?}, bound {:?}", read.err(), bound.err()),
    }
}

/// Every shipped model, with a tenth more or less of each parameter, and of all at once.
#[test]
fn shipped_models_are_bound_as_they_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut random = Random(7);
    let (mut files, mut compared) = (0, 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "toml") {
            continue;
        }
        let document = Document::read(&path, &Options::default()).unwrap();
        let parameters = document.parameter_values(&Options::default()).unwrap();
        let names: Vec<String> = parameters.iter().map(|p| p.0.clone()).collect();
        let base: Vec<f64> = parameters.iter().map(|p| p.1).collect();
        let mut parametric = Parametric::new(&document, &Options::default(), names.clone());
        files += 1;
        for round in 0..=names.len() + 2 {
            let mut values = base.clone();
            for (k, value) in values.iter_mut().enumerate() {
                if round == k || round > names.len() {
                    *value *= 1.0 + 0.1 * random.signed();
                }
            }
            compare(&document, &mut parametric, &names, &values, &format!("{} {names:?} {values:?}", path.display()));
            compared += 1;
        }
    }
    assert!(files > 30 && compared > 150, "{files} files, {compared} bindings");
}

/// A model in which every kind of number that may depend on a parameter does.
const EVERYTHING: &str = r#"
gravity = [0, "-g", 0]

[parameters]
L = "0.4 m"
g = "9.81 m/s^2"
m = "2*rho*L"
rho = "1.5 kg/m"
w = "2 rad/s"
T = "2*pi/(3*w)"
k = 50
n = 2

[bodies.ground]
points = { O = [0, 0, 0], P = ["3*L", "0.1*L", 0] }

[bodies.crank]
mass = "m"
com = ["L/2", 0, 0]
inertia = ["m*L^2/100", "m*L^2/12", "m*L^2/12"]
points = { A = [0, 0, 0], B = ["L", 0, 0] }
pose = { angle = "30 deg*L/(1 m)", axis = [0, 0, "L"] }

[bodies.coupler]
points = { B = [0, 0, 0], C = ["2.5*L", 0, 0] }
pose = { at = ["L", 0, 0], rpy = [0, 0, "0.1*L/(1 m)"] }
shape = { type = "rod", length = "2.5*L", radius = "L/40", density = "rho/(0.0001 m^2)", at = [0, "L/100", 0], rpy = [0, 0, "L/(10 m)"] }

[bodies.rocker]
mass = 1
inertia = [0.01, 0.01, 0.01]
points = { C = [0, 0, 0], D = ["2*L", 0, 0] }
pose = { at = ["3*L", "2*L", 0], euler = ["cos(0.7)", 0, 0, "-sin(0.7)*n/2"] }

[bodies.wheel]
mass = "m/2"
inertia = [0.01, 0.01, 0.02]
pose = { at = ["-L", 0, 0] }

[bodies.slider]
mass = "m/3"
pose = { at = ["-L", "L", 0] }

[joints.O]
type = "revolute"
bodies = ["ground", "crank"]
at = ["O", "A"]
axis = [0, 0, 1]
limits = { lower = "-k", upper = "k", velocity = "k*w", effort = "k" }

[joints.B]
type = "revolute"
bodies = ["crank", "coupler"]
at = ["B", "B"]
axis = [0, 0, "L"]

[joints.C]
type = "spherical"
bodies = ["coupler", "rocker"]
at = ["C", "C"]

[joints.D]
type = "universal"
bodies = ["rocker", "ground"]
at = ["3*L", "0.1*L", 0]
axis = [0, 0, 1]
axis2 = ["L", 0, 0]

[joints.hub]
type = "revolute"
bodies = ["ground", "wheel"]
at = ["-L", 0, 0]
axis = [0, 0, 1]

[joints.rail]
type = "prismatic"
bodies = ["ground", "slider"]
at = ["-L", "L", 0]
axis = [1, 0, 0]
x = [0, "L", 0]

[joints.rodlike]
type = "distance"
bodies = ["wheel", "slider"]
at = [["L/10", 0, 0], [0, 0, 0]]
length = "L*(1 + 0.01*sin(w*t))"

[couplings.gear]
type = "gear"
joints = ["O", "hub"]
ratio = "-n/3"
offset = "L/(4 m)"

[rotors.motor]
body = "crank"
axis = [0, 0, "L"]
at = "B"
mass = "m/100"
inertia = "m*L^2/1000"
angle = "n*O.angle"

[drivers.turn]
joint = "O"
value = "w*t + 0.01*L/(1 m)"

[forces.push]
type = "force"
body = "rocker"
at = "D"
value = ["k*1 N", "-m*g*sin(w*t)", 0]

[forces.spring]
type = "spring"
bodies = ["ground", "coupler"]
at = ["P", "C"]
stiffness = "k*100 N/m"
length = "L"

[initial]
"O.angle" = "0.01*L/(1 m)"

[events.top]
when = "O.angle - w*T/2"
action = "report"

[run]
analysis = "inverse-dynamics"
start = "T/100"
end = "T"
tolerance = "1e-7*n"
"#;

#[test]
fn every_number_of_a_model_is_bound_as_it_is_read() {
    let document = document(EVERYTHING);
    let names: Vec<String> = ["L", "w", "k", "n", "rho", "g"].map(String::from).into();
    let mut parametric = Parametric::new(&document, &Options::default(), names.clone());
    let mut random = Random(3);
    for round in 0..200 {
        let scale = |x: f64, random: &mut Random| x * (1.0 + 0.3 * random.signed());
        let mut values = vec![
            scale(0.4, &mut random),
            scale(2.0, &mut random),
            scale(50.0, &mut random),
            2.0,
            scale(1.5, &mut random),
            scale(9.81, &mut random),
        ];
        match round % 20 {
            // What no mechanism has is refused in the same words, and binding goes on after it.
            7 => values[0] *= -1.0,
            11 => values[2] = -1.0,
            13 => values[4] = f64::INFINITY,
            17 => values[3] = 1.3,
            _ => {}
        }
        compare(&document, &mut parametric, &names, &values, &format!("round {round}: {values:?}"));
    }
}

/// Where a parameter decides more than a number (a power's dimension, a count of steps, one sample or many), the text is read again.
#[test]
fn what_decides_more_than_numbers_is_read_again() {
    let text = |end: &str, mass: &str| {
        format!(
            "[parameters]\np = 2\nn = 10\nT = 1\n[bodies.a]\nmass = \"{mass}\"\ninertia = [1, 1, 1]\n\
             [joints.J]\ntype = \"revolute\"\nbodies = [\"ground\", \"a\"]\nat = [[0, 0, 0], [0, 0, 0]]\naxis = [0, 0, 1]\n\
             [run]\nend = \"{end}\"\nsteps = \"n\"\n"
        )
    };
    let names: Vec<String> = ["p", "n", "T"].map(String::from).into();
    for (end, mass) in [("T", "2 kg"), ("1", "(3 kg)^(p-1)"), ("T - 1", "1 kg*T")] {
        let document = document(&text(end, mass));
        let mut parametric = Parametric::new(&document, &Options::default(), names.clone());
        for values in
            [[2.0, 10.0, 1.5], [2.0, 20.0, 2.0], [1.0, 20.0, 1.0], [3.0, 5.0, 1.0], [2.0, 5.0, 3.0], [2.0, 5.5, 1.0]]
        {
            compare(&document, &mut parametric, &names, &values, &format!("{end} {mass} {values:?}"));
        }
    }
}

/// What depends on values is refused where they are bound, in the words of reading: here an orientation that a parameter makes none.
#[test]
fn an_orientation_of_zeros_is_refused_by_values_too() {
    let text = "[parameters]\na = 1\n[bodies.a]\n[joints.J]\ntype = \"spherical\"\nbodies = [\"ground\", \"a\"]\nat = [[0, 0, 0], [0, 0, 0]]\n\
                [drivers.D]\nbody = \"a\"\norientation = [\"a\", 0, 0, 0]\n";
    let (document, names) = (document(text), ["a".to_string()]);
    let mut parametric = Parametric::new(&document, &Options::default(), names.clone());
    for value in [1.0, 0.0, 2.0] {
        compare(&document, &mut parametric, &names, &[value], &format!("a = {value}"));
    }
    assert!(parametric.bind(&[0.0]).unwrap_err().message().contains("cannot all be zero"));
}

/// Warnings that values give rise to come and go with them, in the order of reading, between those that stand in any case.
#[test]
fn warnings_are_those_of_the_values() {
    let text = "[parameters]\na = 1\n\
                [bodies.one]\nmass = 1\ninertia = [\"a\", 1, 1]\nunphysical = true\npoints = { P = [\"a\", 0, 0] }\n\
                [bodies.dot]\nmass = 1\ninertia = [1, 1, 3]\nunphysical = true\n\
                [bodies.two]\nmass = 1\ninertia = [1, 1, \"2.5/a\"]\nunphysical = true\n\
                [bodies.point]\nmass = 1\n\
                [joints.J]\ntype = \"revolute\"\nbodies = [\"ground\", \"one\"]\nat = [[0, 0, 0], \"P\"]\naxis = [0, 0, 1]\nx = [[1, 0, 0], [1, 0, 0]]\nzero = \"drawing\"\n";
    let (document, names) = (document(text), ["a".to_string()]);
    let mut parametric = Parametric::new(&document, &Options::default(), names.clone());
    let mut counts = Vec::new();
    for value in [1.0, 2.0, 3.0, 0.5, 1.5, 1.0, -1.0, 2.5] {
        compare(&document, &mut parametric, &names, &[value], &format!("a = {value}"));
        counts.push(parametric.warnings().len());
    }
    // That of 'dot', of the joint and of the point mass always; of 'one' for a > 2 and a < 0, of 'two' for a < 1.25.
    assert_eq!(counts, [4, 3, 4, 4, 3, 4, 5, 4]);
}

/// Other values of parameters change nothing else in the text that a model was read from: comments stay, and it reads as that model.
#[test]
fn a_text_keeps_its_comments_where_values_change() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let comments = |text: &str| text.lines().filter(|l| l.trim_start().starts_with('#')).map(str::to_string).collect();
    let mut kept = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "toml") {
            continue;
        }
        let what = path.display();
        let (document, text) =
            (Document::read(&path, &Options::default()).unwrap(), std::fs::read_to_string(&path).unwrap());
        assert_eq!(document.to_toml_with(&Options::default(), &[]).unwrap(), text, "{what}");
        let parameters = document.parameter_values(&Options::default()).unwrap();
        let values: Vec<(String, f64)> = parameters.iter().map(|(name, x)| (name.clone(), x * 1.01)).collect();
        let new = document.to_toml_with(&Options::default(), &values).unwrap();
        let (before, after): (Vec<String>, Vec<String>) = (comments(&text), comments(&new));
        assert_eq!((before.len(), new.lines().count()), (after.len(), text.lines().count()), "{what}");
        let again = Document::from_toml(&Source::new(path.display().to_string(), new)).unwrap();
        let again = Document { folder: document.folder.clone(), ..again };
        assert_eq!(again.parameter_values(&Options::default()).unwrap(), values, "{what}");
        kept += usize::from(!before.is_empty() && !values.is_empty());
    }
    assert!(kept > 5, "{kept}");
    // Values in a line of their own, in a table in one line, with units, of expressions; after an edit in code too.
    let text = "# one\nparameters = { a = 1, b = '2 cm' } # two\n[bodies.x]\nmass = \"a\" # three\n";
    let mut read = document(text);
    let set = Options { set: vec![("a".into(), "b/(1 cm)".into())], ..Options::default() };
    let told = read.to_toml_with(&set, &[("b".into(), 0.5)]).unwrap();
    assert_eq!(told, text.replace("a = 1", "a = \"b/(1 cm)\"").replace("'2 cm'", "\"0.5 m\""));
    // More than values: the text is written anew, and says the same.
    read.tree.set("name", "other");
    let told = read.to_toml_with(&Options::default(), &[]).unwrap();
    assert_eq!((told.contains('#'), told.clone()), (false, read.to_toml()));
}

/// A configuration is written into a text: in place of the one that stands there, or before the first key; all else stays.
#[test]
fn a_text_keeps_its_comments_where_a_mode_is_chosen() {
    let rest = "[bodies.x] # three\nmass = 1\n";
    for (before, after) in [
        ("# one\n\nname = \"a\" # two\n", "# one\n\nmode = 3\nname = \"a\" # two\n"),
        ("# one\nname = \"a\"\nmode = 1 # two\n", "# one\nname = \"a\"\nmode = 3 # two\n"),
        ("# one\n  ", "# one\nmode = 3\n  "),
        ("", "mode = 3\n"),
        ("about = \"\"\"\nmode = 7\n\"\"\"\n", "mode = 3\nabout = \"\"\"\nmode = 7\n\"\"\"\n"),
    ] {
        assert_eq!(document(&format!("{before}{rest}")).to_toml_in_mode(3), format!("{after}{rest}"));
    }
    // From no text it is written out.
    let mut made = document(rest);
    made.tree.set("name", "other");
    let bare = Document::from_tree(made.tree.clone(), Vec::new());
    assert!(bare.to_toml_in_mode(2).contains("mode = 2\n"), "{}", bare.to_toml_in_mode(2));
}
