//! Models put together by calls: the same as those of texts, checked in the same words, with parameters that stay symbols.

use biela::couplings::GEAR;
use biela::drivers::Driver;
use biela::joints::{REVOLUTE, SPHERICAL};
use biela::loads::{FORCE, JOINT_SPRING, SPRING};
use biela::model::{Analysis, Model};
use biela::text::{BodyId, Builder, Options, Parametric, Scalar};

const GROUND: BodyId = BodyId::GROUND;

/// What a model says, places in texts left out.
fn whole(model: &Model) -> String {
    let unplaced = |d: &Driver| Driver { span: None, ..d.clone() };
    let mut model = model.with_drivers(model.drivers.iter().map(unplaced).collect::<Vec<_>>());
    model.change_mechanism(|m| {
        m.bodies.iter_mut().for_each(|b| b.span = None);
        m.joints.iter_mut().for_each(|j| j.span = None);
        m.couplings.iter_mut().for_each(|c| c.span = None);
        m.loads.iter_mut().for_each(|l| l.span = None);
    });
    format!("{model:?}")
}

fn four_bar() -> Builder {
    let mut b = Builder::new("four-bar");
    b.gravity([0.0, -9.81, 0.0]).ground_point("D", [10.0, 0.0, 0.0]);
    let (r, w) = (b.parameter("crank", 2.0), b.parameter("speed", 1.5));
    let crank =
        b.body("crank").mass(3.0).com((&r / 2.0, 0, 0)).inertia((0.1, &r * &r / 4.0, 1.0)).point("B", (&r, 0, 0));
    let crank = crank.turned("60 deg", [0, 0, 1]).id();
    let coupler = b.body("coupler").point("C", [8, 0, 0]).at([1.0, 1.7, 0.0]).turned("22 deg", [0, 0, 1]).id();
    let rocker = b.body("rocker").point("C", [5, 0, 0]).at([10, 0, 0]).turned("108 deg", [0, 0, 1]).id();
    let wheel = b.body("wheel").mass(1.0).inertia([0.1; 3]).at([-3, 0, 0]).id();
    let a = b.joint("A", REVOLUTE, [GROUND, crank]).at([0; 3], [0; 3]).axis([0, 0, 1]).limits(-100.0, 100.0).id();
    b.joint("B", REVOLUTE, [crank, coupler]).at("B", [0; 3]).axis([0, 0, 1]);
    b.joint("C", SPHERICAL, [coupler, rocker]).at("C", "C");
    b.joint("D", REVOLUTE, [GROUND, rocker]).at("D", [0; 3]).axes([0, 0, 1], [0, 0, 1]);
    let hub = b.joint("hub", REVOLUTE, [GROUND, wheel]).at_drawn([-3, 0, 0]).axis([0, 0, 1]).id();
    b.couple("gears", GEAR, [a, hub]).key("ratio", -0.5);
    b.drive("motor", a, "60 deg" + w * Scalar::time());
    b.load_between("spring", SPRING, [GROUND, rocker])
        .between([0, 5, 0], "C")
        .key("stiffness", 100.0)
        .key("length", 2.0);
    b.load_on("weight", FORCE, coupler).key("at", "C").vector("value", (0, -1.0 * Scalar::time().sin(), 0));
    b.load_along("twist", JOINT_SPRING, hub).key("stiffness", 2.0);
    b.study(Analysis::InverseDynamics, 0.0, 2.0, 20);
    b
}

const TEXT: &str = r#"
name = "four-bar"
gravity = [0, -9.81, 0]
parameters = { crank = 2, speed = 1.5 }
[bodies]
ground = { points = { D = [10, 0, 0] } }
crank = { mass = 3, com = ["crank / 2.0", 0, 0], inertia = [0.1, "(crank * crank) / 4.0", 1], points = { B = ["crank", 0, 0] }, pose = { angle = "60 deg", axis = [0, 0, 1] } }
coupler = { points = { C = [8, 0, 0] }, pose = { at = [1, 1.7, 0], angle = "22 deg", axis = [0, 0, 1] } }
rocker = { points = { C = [5, 0, 0] }, pose = { at = [10, 0, 0], angle = "108 deg", axis = [0, 0, 1] } }
wheel = { mass = 1, inertia = [0.1, 0.1, 0.1], pose = { at = [-3, 0, 0] } }
[joints]
A = { type = "revolute", bodies = ["ground", "crank"], at = [[0, 0, 0], [0, 0, 0]], axis = [0, 0, 1], limits = { lower = -100, upper = 100 } }
B = { type = "revolute", bodies = ["crank", "coupler"], at = ["B", [0, 0, 0]], axis = [0, 0, 1] }
C = { type = "spherical", bodies = ["coupler", "rocker"], at = ["C", "C"] }
D = { type = "revolute", bodies = ["ground", "rocker"], at = ["D", [0, 0, 0]], axis = [[0, 0, 1], [0, 0, 1]] }
hub = { type = "revolute", bodies = ["ground", "wheel"], at = [-3, 0, 0], axis = [0, 0, 1] }
[couplings]
gears = { type = "gear", joints = ["A", "hub"], ratio = -0.5 }
[drivers]
motor = { joint = "A", value = "(60 deg) + (speed * t)" }
[forces]
spring = { type = "spring", bodies = ["ground", "rocker"], at = [[0, 5, 0], "C"], stiffness = 100, length = 2 }
weight = { type = "force", body = "coupler", at = "C", value = [0, "(-1.0) * (sin(t))", 0] }
twist = { type = "joint-spring", joint = "hub", stiffness = 2 }
[run]
analysis = "inverse-dynamics"
end = 2
steps = 20
"#;

#[test]
fn calls_and_text_make_the_same_model() {
    let (built, read) = (four_bar().model().unwrap(), biela::model(TEXT).unwrap());
    assert_eq!(whole(&built), whole(&read));
    assert_eq!(biela::run(&built).unwrap().len(), 21);
    // Written as TOML it is the same once more, with its parameters.
    let written = four_bar().document().unwrap().to_toml();
    assert_eq!(whole(&biela::model(&written).unwrap()), whole(&read));
    assert!(written.contains("speed = 1.5"), "{written}");
}

#[test]
fn parameters_of_calls_are_bound() {
    let document = four_bar().document().unwrap();
    let mut parametric = Parametric::new(&document, &Options::default(), ["crank".to_string()]);
    for crank in [2.0, 1.9, 2.05] {
        let model = parametric.bind(&[crank]).unwrap();
        assert_eq!((model.bodies[1].points[0].1.x, model.bodies[1].mass.unwrap().com.x), (crank, crank / 2.0));
    }
}

#[test]
fn calls_are_checked_as_texts_are() {
    let mut twice = four_bar();
    twice.body("crank");
    let error = twice.model().unwrap_err();
    assert_eq!((error.element(), error.message()), (Some("body 'crank'"), "there is a body of this name already"));
    let refused = |change: &dyn Fn(&mut Builder), element: &str, words: &str| {
        let mut b = four_bar();
        change(&mut b);
        let error = b.model().unwrap_err();
        assert!(error.element() == Some(element) && error.to_string().contains(words), "{error}");
    };
    refused(
        &|b| {
            b.body("bad").mass(-1.0);
        },
        "body 'bad'",
        "a mass cannot be negative",
    );
    refused(
        &|b| {
            b.joint("E", REVOLUTE, [GROUND, GROUND]).axis([0, 0, 1]);
        },
        "joint 'E'",
        "with itself",
    );
    refused(
        &|b| {
            b.load("push", FORCE).key("stifness", 1.0);
        },
        "force 'push'",
        "unknown key",
    );
    refused(
        &|b| {
            b.body("bad").point("P", ("nothing", 0, 0));
        },
        "body 'bad'",
        "nothing",
    );
}
