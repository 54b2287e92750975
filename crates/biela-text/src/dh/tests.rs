//! Arms computed by hand and by a few lines of Python with the matrices of the two conventions multiplied out.

use super::*;
use crate::nodes::probe::*;
use biela_base::source::Source;
use biela_math::EulerParameters;

/// Products of a few rotations of numbers of order one.
const ROUNDING: f64 = 1e-14;

/// theta, d, a, alpha of three links without any symmetry.
const ROWS: [[f64; 4]; 3] = [[0.3, 0.5, 0.1, -0.7], [-1.1, 0.2, 0.4, 0.9], [2.0, -0.3, 0.25, 0.6]];

/// Numbers, and numbers with `deg` behind them.
fn evaluate(node: &Node, quantity: &str) -> Result<f64> {
    match &node.value {
        Value::Number(x) => Ok(*x),
        Value::Integer(k) => Ok(*k as f64),
        Value::Text(text) if quantity == "angle" => {
            let degrees = text.strip_suffix("deg").ok_or_else(|| Error::new("not degrees"))?;
            degrees.trim().parse().map(f64::to_radians).map_err(|_| Error::new("not a number"))
        }
        other => Err(Error::new(format!("{other:?} is not a {quantity}"))),
    }
}

fn link(row: [f64; 4]) -> Table {
    let mut link = Table::default();
    for (key, value) in ["theta", "d", "a", "alpha"].into_iter().zip(row) {
        link.set(key, value);
    }
    link
}

fn document(convention: &str, links: Vec<Table>) -> Table {
    let mut arm = Table::default();
    arm.set("convention", convention);
    arm.set("links", links);
    let mut document = Table::default();
    document.set("arm", arm);
    document
}

fn expanded(convention: &str, links: Vec<Table>) -> Table {
    let mut document = document(convention, links);
    expand(&mut document, &evaluate).unwrap();
    document
}

fn pose_of(tree: &Table, body: &str) -> Pose {
    if body == "ground" {
        return Pose::IDENTITY;
    }
    let p = flat(tree, &["bodies", body, "pose", "euler"]);
    let at = flat(tree, &["bodies", body, "pose", "at"]);
    Pose::new(EulerParameters([p[0], p[1], p[2], p[3]]).rotation(), Vec3::new(at[0], at[1], at[2]))
}

#[test]
fn the_hand_stands_where_the_product_of_matrices_puts_it() {
    let cases = [
        (
            "standard",
            [
                [0.023525478255020993, -0.9830955794039855, -0.18157542132462368],
                [0.9897743553935888, 0.04846370788937374, -0.13415660409692526],
                [0.14068858261450426, -0.17656259732444896, 0.9741829253009758],
            ],
            [0.5287359030033826, 0.21823559096342238, 0.7064932642420798],
        ),
        (
            "modified",
            [
                [0.4468161444616379, -0.861094852633623, -0.242633443317932],
                [0.7022478213853671, 0.5056159756485807, -0.5011990448199594],
                [0.5542592628075262, 0.05355501784906219, 0.8306193650856235],
            ],
            [0.7504849668680953, 0.34049861429601425, 0.17875145562195444],
        ),
    ];
    for (convention, rows, at) in cases {
        let tree = expanded(convention, ROWS.map(link).to_vec());
        let pose = pose_of(&tree, "link3");
        assert_near(&pose.origin.to_array(), &at, ROUNDING);
        for (found, wanted) in pose.rotation.rows().iter().zip(rows) {
            assert_near(found, &wanted, ROUNDING);
        }
    }
}

#[test]
fn joints_turn_about_z_of_the_convention_and_are_closed_in_the_drawing() {
    for convention in ["standard", "modified"] {
        let tree = expanded(convention, ROWS.map(link).to_vec());
        assert!(tree.get("arm").is_none());
        for joint in ["joint1", "joint2", "joint3"] {
            let bodies = words(&tree, &["joints", joint, "bodies"]);
            let poses = [pose_of(&tree, &bodies[0]), pose_of(&tree, &bodies[1])];
            let get = |key: &str, k: usize| {
                let v = flat(&tree, &["joints", joint, key]);
                Vec3::new(v[3 * k], v[3 * k + 1], v[3 * k + 2])
            };
            let gap = poses[0].apply(get("at", 0)) - poses[1].apply(get("at", 1));
            assert!(gap.norm() < ROUNDING, "{convention} {joint}");
            for key in ["axis", "x"] {
                let gap = poses[0].rotation.apply(get(key, 0)) - poses[1].rotation.apply(get(key, 1));
                assert!(gap.norm() < ROUNDING, "{convention} {joint} {key}");
            }
            let moving = if convention == "standard" { 0 } else { 1 };
            assert_eq!((get("axis", moving), get("at", moving)), (Vec3::Z, Vec3::ZERO));
        }
    }
}

#[test]
fn turning_a_joint_is_adding_to_theta() {
    // With theta of the second link increased by 0.4, the third link stands where the arm with joint 2 at 0.4 has it:
    // turn everything beyond joint 2 about that joint's axis.
    const TURN: f64 = 0.4;
    for convention in ["standard", "modified"] {
        let tree = expanded(convention, ROWS.map(link).to_vec());
        let mut moved = ROWS;
        moved[1][0] += TURN;
        let wanted = pose_of(&expanded(convention, moved.map(link).to_vec()), "link3");
        let parent = pose_of(&tree, "link1");
        let at = flat(&tree, &["joints", "joint2", "at", "0"]);
        let axis = flat(&tree, &["joints", "joint2", "axis", "0"]);
        let (p, z) = (parent.apply(Vec3::new(at[0], at[1], at[2])), Vec3::new(axis[0], axis[1], axis[2]));
        let turn = Rotation::about(parent.rotation.apply(z), TURN);
        let before = pose_of(&tree, "link3");
        let found = Pose::new(turn * before.rotation, p + turn.apply(before.origin - p));
        assert!((found.origin - wanted.origin).norm() < ROUNDING, "{convention}");
        for k in 0..3 {
            assert!((found.rotation.axes[k] - wanted.rotation.axes[k]).norm() < ROUNDING, "{convention}");
        }
    }
}

/// Four point masses: 2 at (1,0,0), 1 at (0,2,1), 3 at (−1,1,½), 1.5 at (0,−1,2), summed in Python.
fn pseudo() -> Node {
    let rows = [[5.0, -3.0, -1.5, -1.0], [-3.0, 8.5, 0.5, 3.5], [-1.5, 0.5, 7.75, 5.5], [-1.0, 3.5, 5.5, 7.5]];
    rows.map(|row| row.to_vec()).to_vec().into()
}

#[test]
fn pseudo_inertia_gives_mass_centre_and_inertia() {
    let mut link = link(ROWS[0]);
    link.set("pseudo_inertia", pseudo());
    let tree = expanded("standard", vec![link]);
    assert_near(&flat(&tree, &["bodies", "link1", "mass"]), &[7.5], 0.0);
    let com = [-0.13333333333333333, 0.4666666666666667, 0.7333333333333333];
    assert_near(&flat(&tree, &["bodies", "link1", "com"]), &com, ROUNDING);
    let inertia = [
        10.583333333333334,
        8.583333333333334,
        11.733333333333334,
        2.5333333333333337,
        0.7666666666666667,
        2.0666666666666664,
    ];
    assert_near(&flat(&tree, &["bodies", "link1", "inertia"]), &inertia, ROUNDING);
}

#[track_caller]
fn refused(mut document: Table, message: &str) {
    let said = expand(&mut document, &evaluate).expect_err("must be refused").to_string();
    assert!(said.contains(message), "wanted '{message}', found\n{said}");
}

#[test]
fn faults_are_refused() {
    let with = |key: &str, node: Node| {
        let mut link = link(ROWS[0]);
        link.set(key, node);
        document("standard", vec![link])
    };
    refused(document("classic", vec![link(ROWS[0])]), "unknown convention 'classic'");
    refused(document("standard", vec![]), "must be a list of tables");
    refused(with("alpa", 1.0.into()), "did you mean 'alpha'?");
    refused(with("a", f64::NAN.into()), "not a finite length");
    refused(with("type", "revolut".into()), "did you mean 'revolute'?");
    refused(with("name", "ground".into()), "is taken");
    refused(with("pseudo_inertia", vec![1.0].into()), "4 rows of 4 numbers");
    let mut twice = link(ROWS[0]);
    twice.set("pseudo_inertia", pseudo());
    twice.set("mass", 1.0);
    refused(document("standard", vec![twice]), "both give the inertia");
    let mut clash = document("standard", vec![link(ROWS[0])]);
    let mut bodies = Table::default();
    bodies.set("link1", Table::default());
    clash.set("bodies", bodies);
    refused(clash, "'link1' in bodies has the name of a part of the arm");
}

const CSV: &str = "# convention: modified\n# name: two links\n\ntype, a, alpha [deg], d, theta, mass, com_x, izz\n\
                   revolute, 0, 0, 0.5, 30 deg, 2, 0.1, 0.3\nprismatic, 0.2, -90, 0.1, 0, , ,   # no mass\n";

#[test]
fn a_table_of_text_is_read() {
    let imported = table::read(&Source::new("arm.csv", CSV)).unwrap();
    assert_eq!(imported.warnings, Vec::<String>::new());
    let mut tree = imported.tree;
    assert_eq!(words(&tree, &["name"]), ["two links"]);
    let theta = node(&tree, &["arm", "links", "0", "theta"]);
    assert_eq!(&CSV[theta.span.clone().unwrap().range], "30 deg");
    expand(&mut tree, &evaluate).unwrap();
    assert_eq!(words(&tree, &["joints", "joint2", "type"]), ["prismatic"]);
    assert_near(&flat(&tree, &["bodies", "link1", "inertia"]), &[0.0, 0.0, 0.3, 0.0, 0.0, 0.0], 0.0);
    assert_eq!(keys(&tree, &["bodies", "link2"]), ["pose"]);
    // Rz(30°) Tz(0.5), then Rx(−90°) Tx(0.2) Tz(0.1): the second origin is 0.2 along x₁ and 0.1 along its own z = y₁.
    let (s, c) = 30f64.to_radians().sin_cos();
    let at = [0.2 * c - 0.1 * s, 0.2 * s + 0.1 * c, 0.5];
    assert_near(&pose_of(&tree, "link2").origin.to_array(), &at, ROUNDING);
}

#[test]
fn faults_of_a_table_are_refused_with_their_line() {
    let refused = |text: &str, message: &str, line: usize| {
        let error = table::read(&Source::new("arm.csv", text)).expect_err("must be refused");
        assert!(error.to_string().contains(message), "{error}");
        assert_eq!(error.span().unwrap().line_column().0, line, "{error}");
    };
    refused("type,a,alpa\n", "did you mean 'alpha'?", 1);
    refused("a,d,a\n", "a second column 'a'", 1);
    refused("a,d\n1,2,3\n", "the row has 3 cells, the header 2", 2);
    refused("a,d\n\"1,2\n", "not closed", 2);
    refused("a,d\n", "no rows", 1);
    let assumed = table::read(&Source::new("arm.csv", "a;d\n1;2\n")).unwrap();
    assert!(assumed.warnings[0].contains("taken as standard"));
}
