//! Readings of whole files, and one refusal for every rule.

use super::*;
use crate::nodes::probe::*;
use crate::tree::{Node, Value};
use biela_math::{EulerParameters, Vec3};

/// Products of a few rotations of numbers of order one.
const ROUNDING: f64 = 1e-14;

const EVERY_JOINT: &str = include_str!("../../../biela/tests/data/every-joint.urdf");
const ARM7: &str = include_str!("../../../biela/tests/data/arm7.urdf");
const STRICT: Options = Options { strict: true, free_base: false, folder: None, confined: false };

fn read_text(text: &str, options: &Options) -> Result<Imported> {
    read(&Source::new("robot.urdf", text), options)
}

fn every_joint() -> Imported {
    read_text(EVERY_JOINT, &STRICT).unwrap()
}

#[test]
fn the_tree_lists_all_links_but_the_root_and_all_joints() {
    let tree = every_joint().tree;
    assert_eq!(keys(&tree, &["bodies"]), ["ground", "upper", "fore", "wheel", "slider", "plate", "drone", "tool.tip"]);
    let joints = ["shoulder", "elbow", "spin", "slide", "table", "flight", "weld", "stay", "rod"];
    assert_eq!(keys(&tree, &["joints"]), joints);
    let types = joints.map(|j| words(&tree, &["joints", j, "type"])[0].clone());
    let wanted = ["revolute", "revolute", "revolute", "prismatic", "planar", "free", "fixed", "spherical", "prismatic"];
    assert_eq!(types, wanted);
    assert_eq!(words(&tree, &["name"]), ["every joint"]);
    assert_eq!(words(&tree, &["joints", "shoulder", "bodies"]), ["ground", "upper"]);
    assert_eq!(words(&tree, &["joints", "rod", "bodies"]), ["ground", "wheel"]);
}

#[test]
fn inertia_is_turned_into_body_axes() {
    // R I Rᵀ with R = Rz(0.5) Ry(-0.4) Rx(0.3), multiplied out by a few lines of Python.
    let tree = every_joint().tree;
    let wanted = [
        0.034121569740433184,
        0.03937383942020767,
        0.04650459083935914,
        -0.001203586616436405,
        -0.007676611558158363,
        -0.003871970241880584,
    ];
    assert_near(&flat(&tree, &["bodies", "upper", "inertia"]), &wanted, ROUNDING);
    assert_near(&flat(&tree, &["bodies", "upper", "com"]), &[0.1, 0.2, 0.3], 0.0);
    assert_near(&flat(&tree, &["bodies", "upper", "mass"]), &[2.5], 0.0);
}

#[test]
fn poses_are_forward_kinematics_at_zero() {
    let tree = every_joint().tree;
    let at = [1.1091753315731672, 1.9815214932376874, 3.487585163600908];
    assert_near(&flat(&tree, &["bodies", "fore", "pose", "at"]), &at, ROUNDING);
    let p = flat(&tree, &["bodies", "fore", "pose", "euler"]);
    let rotation = EulerParameters([p[0], p[1], p[2], p[3]]).rotation();
    let rows = [
        [-0.6661421883578384, -0.30128450145972807, -0.6822625843984069],
        [0.6751560220611437, -0.6322725419225199, -0.379994445492836],
        [-0.31688946142843366, -0.7137640239680049, 0.6245974602290654],
    ];
    for (found, wanted) in rotation.rows().iter().zip(rows) {
        assert_near(found, &wanted, ROUNDING);
    }
    let at = [0.9093326750658156, 2.1840682998560306, 3.392518325172378];
    assert_near(&flat(&tree, &["bodies", "slider", "pose", "at"]), &at, ROUNDING);
}

#[test]
fn axes_are_unit_vectors_in_each_body() {
    let tree = every_joint().tree;
    let axes = flat(&tree, &["joints", "shoulder", "axis"]);
    let wanted = [-0.2750958473182437, 0.9564250858492325, 0.09784339500725571, 0.0, 1.0, 0.0];
    assert_near(&axes, &wanted, ROUNDING);
    let axes = flat(&tree, &["joints", "elbow", "axis", "0"]);
    assert_near(&axes, &[-0.9015668054381956, 0.05292649860877065, -0.4293903597858048], ROUNDING);
    // The default axis is x.
    assert_near(&flat(&tree, &["joints", "spin", "axis"]), &[1.0, 0.0, 0.0, 1.0, 0.0, 0.0], 0.0);
    assert_near(&flat(&tree, &["joints", "slide", "axis", "1"]), &[0.0, 0.0, -1.0], 0.0);
}

#[test]
fn reference_directions_coincide_in_the_drawing_and_are_normal_to_the_axis() {
    let tree = every_joint().tree;
    let pose = |body: &str| {
        let Some(Value::Table(table)) = tree.get("bodies").map(|n| &n.value) else { panic!() };
        let Some(body) = table.get(body) else { return biela_math::Rotation::IDENTITY };
        let Value::Table(body) = &body.value else { panic!() };
        match body.get("pose") {
            Some(Node { value: Value::Table(pose), .. }) if pose.get("euler").is_some() => {
                let p = flat(pose, &["euler"]);
                EulerParameters([p[0], p[1], p[2], p[3]]).rotation()
            }
            _ => biela_math::Rotation::IDENTITY,
        }
    };
    for joint in ["shoulder", "elbow", "spin", "slide", "table", "weld"] {
        let bodies = words(&tree, &["joints", joint, "bodies"]);
        for key in ["axis", "x"] {
            let v = flat(&tree, &["joints", joint, key]);
            let drawn = [0, 1].map(|k| pose(&bodies[k]).apply(Vec3::new(v[3 * k], v[3 * k + 1], v[3 * k + 2])));
            assert!((drawn[0] - drawn[1]).norm() < ROUNDING, "{joint} {key}: {drawn:?}");
        }
        let (a, x) = (flat(&tree, &["joints", joint, "axis", "1"]), flat(&tree, &["joints", joint, "x", "1"]));
        let dot: f64 = a.iter().zip(&x).map(|(a, x)| a * x).sum();
        assert!(dot.abs() < ROUNDING, "{joint}");
    }
}

#[test]
fn limits_mimics_and_friction_are_kept() {
    let tree = every_joint().tree;
    assert_eq!(keys(&tree, &["joints", "shoulder", "limits"]), ["lower", "upper", "velocity", "effort"]);
    assert_near(&flat(&tree, &["joints", "shoulder", "limits", "lower"]), &[-1.5], 0.0);
    assert_eq!(keys(&tree, &["joints", "elbow", "limits"]), ["lower", "upper", "effort"]);
    assert_eq!(words(&tree, &["couplings", "elbow_mimic", "joints"]), ["shoulder", "elbow"]);
    assert_near(&flat(&tree, &["couplings", "elbow_mimic", "ratio"]), &[-2.0], 0.0);
    assert_near(&flat(&tree, &["couplings", "elbow_mimic", "offset"]), &[0.25], 0.0);
    assert_eq!(keys(&tree, &["forces"]), ["shoulder_damping"]);
    assert_near(&flat(&tree, &["forces", "shoulder_damping", "viscous"]), &[0.7], 0.0);
    assert_near(&flat(&tree, &["forces", "shoulder_damping", "coulomb"]), &[0.2], 0.0);
}

#[test]
fn shapes_are_for_drawing() {
    let tree = every_joint().tree;
    assert_eq!(keys(&tree, &["bodies", "upper", "shape"]), ["type", "radius", "length", "at", "rpy", "colour"]);
    assert_eq!(words(&tree, &["bodies", "ground", "shape", "0", "type"]), ["box"]);
    assert_eq!(words(&tree, &["bodies", "fore", "shape", "type"]), ["sphere"]);
    assert_near(&flat(&tree, &["bodies", "upper", "shape", "rpy"]), &[0.0, 1.5, 0.0], ROUNDING);
}

#[test]
fn what_is_not_used_is_warned_of_once_with_its_line() {
    let warnings = every_joint().warnings;
    let all = warnings.join("\n");
    for (line, words) in [
        (20, "collision geometry is not used"),
        (23, "meshes of a text without a file"),
        (24, "collision geometry is used for drawing only"),
        (38, "<calibration> is not used"),
        (39, "<safety_controller> is not used"),
        (75, "the axis of a fixed or floating joint is not used"),
        (86, "<transmission> without a rotor's inertia"),
        (87, "<gazebo> is an extension"),
    ] {
        let near = |w: &&String| w.contains(words) && w.starts_with("robot.urdf:");
        let found = warnings.iter().find(near).unwrap_or_else(|| panic!("no '{words}' in\n{all}"));
        let number: usize = found.split(':').nth(1).unwrap().parse().unwrap();
        assert!(number.abs_diff(line) <= 1, "line {line}: {found}");
    }
    assert_eq!(warnings.len(), 8, "{all}");
}

#[test]
fn loop_joints_give_a_frame_in_each_link() {
    let tree = every_joint().tree;
    assert_eq!(keys(&tree, &["joints", "stay"]), ["type", "bodies", "at"]);
    assert_near(&flat(&tree, &["joints", "stay", "at"]), &[0.0, 0.0, 0.2, 1.0, 0.0, 0.0], 0.0);
    assert_near(&flat(&tree, &["joints", "rod", "at"]), &[0.0, 0.0, 1.0, 0.5, 0.0, 0.0], 0.0);
    assert_near(&flat(&tree, &["joints", "rod", "axis"]), &[0.0, 1.0, 0.0, 1.0, 0.0, 0.0], 0.0);
    assert_near(&flat(&tree, &["joints", "rod", "x"]), &[-1.0, 0.0, 0.0, 0.0, 1.0, 0.0], 0.0);
}

#[test]
fn a_free_base_is_a_body_on_a_free_joint() {
    let tree = read_text(EVERY_JOINT, &Options { free_base: true, ..STRICT }).unwrap().tree;
    assert_eq!(keys(&tree, &["bodies"])[0], "base link");
    assert_eq!(words(&tree, &["joints", "floating_base", "type"]), ["free"]);
    assert_eq!(words(&tree, &["joints", "floating_base", "bodies"]), ["ground", "base link"]);
    assert_eq!(words(&tree, &["joints", "shoulder", "bodies"]), ["base link", "upper"]);
}

#[test]
fn an_arm_of_seven_joints_reads_without_a_warning() {
    let imported = read_text(ARM7, &STRICT).unwrap();
    assert_eq!(imported.warnings, Vec::<String>::new());
    assert_eq!(keys(&imported.tree, &["bodies"]).len(), 7);
    // rpy = (π/2, 0, π): a clean axis in the parent, without 1e-16 left from the quarter turn.
    assert_near(&flat(&imported.tree, &["joints", "joint2", "axis"]), &[0.0, 1.0, 0.0, 0.0, 0.0, 1.0], 0.0);
}

#[test]
fn spans_point_to_the_attribute() {
    let tree = every_joint().tree;
    let mass = node(&tree, &["bodies", "upper", "mass"]).span.clone().unwrap();
    assert_eq!(&EVERY_JOINT[mass.range.clone()], "2.5");
    let child = node(&tree, &["joints", "elbow", "bodies", "1"]).span.clone().unwrap();
    assert_eq!(&EVERY_JOINT[child.range.clone()], "fore");
    let axis = node(&tree, &["joints", "elbow", "axis", "0", "2"]).span.clone().unwrap();
    assert_eq!(&EVERY_JOINT[axis.range.clone()], "1 1 1");
}

/// A robot of two links; `link` and `joint` replace the contents of the second link and of the joint.
fn robot(link: &str, joint: &str) -> String {
    format!(
        "<robot name='r'>\n<link name='a'/>\n<link name='b'>{link}</link>\n\
         <joint name='j' type='revolute'><parent link='a'/><child link='b'/>{joint}</joint>\n</robot>"
    )
}

fn inertial(mass: &str, rest: &str) -> String {
    robot(&format!("<inertial><mass value='{mass}'/>{rest}</inertial>"), "")
}

#[track_caller]
fn refused(text: &str, message: &str, line: usize) {
    let error = read_text(text, &STRICT).expect_err("must be refused");
    let said = error.to_string();
    assert!(said.contains(message), "wanted '{message}', found\n{said}");
    assert_eq!(error.span().map(|s| s.line_column().0), Some(line), "{said}");
}

#[test]
fn faults_are_refused_with_their_line() {
    let inertia = "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>";
    refused(&inertial("-1", inertia), "a mass cannot be negative, found -1", 3);
    refused(&inertial("0", inertia), "leave out <inertial>", 3);
    refused(&inertial("NaN", inertia), "'NaN' is not a finite number", 3);
    refused(&inertial("0,5", inertia), "write decimals with a point", 3);
    refused(&inertial("1 2", inertia), "needs one number, found 2", 3);
    refused(&inertial("1", ""), "<inertial> has no <inertia>", 3);
    refused(&inertial("1", "<inertia ixx='1'/>"), "<inertia> has no attribute 'iyy'", 3);
    refused(&robot("", "<origin xyz='1 2'/>"), "'xyz' needs 3 numbers, found 2", 4);
    refused(&robot("", "<origin rpy='1 2 3 4'/>"), "'rpy' needs 3 numbers, found 4", 4);
    refused(&robot("", "<origin xyz='1 2 three'/>"), "'three' is not a number", 4);
    refused(&robot("", "<axis xyz='0 0 0'/>"), "the axis is zero", 4);
    refused(&robot("", "<limit lower='2' upper='1' effort='1' velocity='1'/>"), "the lower limit is above", 4);
    refused(&robot("", "<dynamics damping='-1'/>"), "'damping' must not be negative", 4);
    refused(&robot("", "<mimic joint='k'/>"), "names a joint that is not there", 4);
    refused(&robot("", "<mimic joint='j'/>"), "cannot mimic itself", 4);
    refused(&robot("", "<orign xyz='0 0 0'/>"), "did you mean 'origin'", 4);
    refused(&robot("", "<origin xzy='0 0 0'/>"), "did you mean 'xyz'", 4);
    refused(&robot("", "<origin/><origin/>"), "a second <origin>", 4);
    refused(&robot("", "words"), "text inside <joint>", 4);
    refused(&robot("", "").replace("revolute", "revolut"), "did you mean 'revolute'", 4);
    refused(&robot("", "").replace("<parent link='a'/>", ""), "<joint> has no <parent>", 4);
    refused(&robot("", "").replace("child link='b'", "child link='c'"), "no link 'c'", 4);
    refused(&robot("", "").replace("child link='b'", "child link='a'"), "the same link 'a'", 4);
    refused(&robot("", "").replace("name='a'", "name='b'"), "a second link named 'b'", 3);
    refused("<sdf/>", "the outermost element is <sdf>", 1);
    refused("<robot name='r'/>", "no links", 1);
    refused("<robot><link name='a'/></robot>", "no attribute 'name'", 1);
    refused("<robot name='r'>\n<link name='a'>\n</robot>", "not well-formed XML", 3);
}

#[test]
fn graphs_that_are_no_tree_are_refused() {
    let joint = |name: &str, parent: &str, child: &str, rest: &str| {
        format!(
            "\n<joint name='{name}' type='continuous'><parent link='{parent}'/><child link='{child}'/>{rest}</joint>"
        )
    };
    let links = "<robot name='r'><link name='a'/><link name='b'/><link name='c'/>";
    let build = |joints: &[String]| format!("{links}{}</robot>", joints.concat());
    let (ab, bc) = (joint("ab", "a", "b", ""), joint("bc", "b", "c", ""));
    refused(&build(std::slice::from_ref(&ab)), "2 links without a parent: a, c", 1);
    refused(&build(&[ab.clone(), bc.clone(), joint("ca", "c", "a", "")]), "cycle through the links", 1);
    refused(&build(&[bc.clone(), joint("cb", "c", "b", "")]), "cycle through the links", 1);
    refused(&build(&[ab.clone(), bc.clone(), joint("ac", "a", "c", "")]), "the child of two joints", 4);
    refused(&build(&[ab.clone(), joint("ab", "b", "c", "")]), "a second joint named 'ab' (first at robot.urdf:2)", 3);
    let circle = [joint("ab", "a", "b", "<mimic joint='bc'/>"), joint("bc", "b", "c", "<mimic joint='ab'/>")];
    refused(&build(&circle), "mimic each other in a circle", 2);
}

#[test]
fn the_unknown_is_told_or_strictly_refused() {
    let text = robot("<weight/>", "<axis xyz='1 0 0' abc='2'/>");
    refused(&text, "unknown element <weight>", 3);
    let imported = read_text(&text, &Options { strict: false, ..STRICT }).unwrap();
    let all = imported.warnings.join("\n");
    assert!(all.contains("robot.urdf:3: unknown element <weight> in <link>: not read"), "{all}");
    assert!(all.contains("robot.urdf:4: unknown attribute 'abc' of <axis>: not read"), "{all}");
}

#[test]
fn names_that_no_table_can_hold_are_changed_and_told() {
    let text = "<robot name='r'><link name='base'/>\n<link name='=1+1'/>\n<link name='bras, gauché'/>
<joint name='@j' type='continuous'><parent link='base'/><child link='=1+1'/></joint>
<joint name='k..' type='continuous'><parent link='=1+1'/><child link='bras, gauché'/><mimic joint='@j'/></joint></robot>";
    let read = read_text(text, &STRICT).unwrap();
    assert_eq!(keys(&read.tree, &["bodies"]), ["_=1+1", "bras_ gauch_"]);
    assert_eq!(keys(&read.tree, &["joints"]), ["_@j", "k__"]);
    let all = read.warnings.join("\n");
    assert!(all.contains("robot.urdf:2: '=1+1' is called '_=1+1' here: names are headers of tables"), "{all}");
    assert_eq!(read.warnings.len(), 4, "{all}");
    let same = "<robot name='r'><link name='a,b'/><link name='a;b'/></robot>";
    refused(same, "a second link named 'a_b'", 1);
}

#[test]
fn entities_are_refused() {
    let bomb = "<!DOCTYPE r [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'>]><robot name='&b;'/>";
    refused(bomb, "document type declaration", 1);
}

#[test]
fn deep_nesting_and_long_chains_do_not_exhaust_the_stack() {
    const DEPTH: usize = 100_000;
    const STACK: usize = 512 * 1024;
    let run = || {
        let deep = format!(
            "<robot name='r'><link name='a'/><gazebo>{}{}</gazebo></robot>",
            "<x>".repeat(DEPTH),
            "</x>".repeat(DEPTH)
        );
        refused(&deep, "more than 400 deep", 1);
        refused(&"<x>".repeat(DEPTH), "not well-formed XML", 1);
        let mut chain = String::from("<robot name='r'><link name='l0'/>");
        for k in 1..20_000 {
            let parent = k - 1;
            chain.push_str(&format!(
                "<link name='l{k}'/><joint name='j{k}' type='continuous'><parent link='l{parent}'/><child link='l{k}'/></joint>"
            ));
        }
        let read = read_text(&format!("{chain}</robot>"), &STRICT).unwrap();
        assert_eq!(keys(&read.tree, &["bodies"]).len(), 19_999);
    };
    std::thread::Builder::new().stack_size(STACK).spawn(run).unwrap().join().unwrap();
}

#[test]
fn what_others_write_is_read_and_told_once() {
    let text = "<robot name='r'><link name='base'/>
<link name='ground'><inertial><mass value='0'/><inertia ixx='0' iyy='0' izz='0' ixy='0' ixz='0' iyz='0'/></inertial></link>
<link name='b'><inertial><mass value='0'/></inertial></link>
<link name='c'><inertial><mass value='0'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>
<link name='d'><inertial><mass value='2'/><inertia ixx='1' iyy='1' izz='3' ixy='0' ixz='0'/></inertial><extra/></link>
<joint name='1' type='continuous'><parent link='base'/><child link='ground'/></joint>
<joint name='2' type='continuous'><parent link='ground'/><child link='b'/><mimic joint='none'/></joint>
<joint name='3' type='continuous'><parent link='b'/><child link='c'/></joint>
<joint name='4' type='revolute'><parent link='c'/><child link='d'/><limit lower='2' upper='1' effort='-1'/></joint>
</robot>";
    let read = read_text(text, &Options::default()).unwrap();
    let all = read.warnings.join("\n");
    for told in [
        "robot.urdf:2: link 'ground': the mass is 0: taken as a link without mass (and 1 more)",
        "robot.urdf:4: link 'c': the mass is 0, and there is an inertia: both are kept as they stand",
        "robot.urdf:5: link 'd': no body has this inertia",
        "<inertia> has no attribute 'iyz': taken as 0",
        "unknown element <extra> in <link>: not read",
        "'ground' is the name of the fixed frame: called 'ground_link' here",
        "joint '2': <mimic> names a joint that is not there: the joint moves on its own",
        "the lower limit is above the upper limit: neither is used",
        "limit 'effort' must not be negative: not used",
    ] {
        assert!(all.contains(told), "no '{told}' in\n{all}");
    }
    assert_eq!(keys(&read.tree, &["bodies"]), ["ground_link", "b", "c", "d"]);
    assert_eq!(words(&read.tree, &["joints", "2", "bodies"]), ["ground_link", "b"]);
    assert_eq!(keys(&read.tree, &["bodies", "ground_link"]), Vec::<String>::new());
    assert!(keys(&read.tree, &["bodies", "c"]).contains(&"unphysical".to_string()));
    for strict in text.lines().skip(1).take(4) {
        let one = format!("<robot name='r'>{}</robot>", strict);
        assert!(read_text(&one, &STRICT).is_err() || strict.contains("'ground'"), "{strict}");
    }
}

#[test]
fn a_rotor_of_a_transmission_turns_with_its_joint() {
    let text = robot("", "<axis xyz='0 0 1'/><origin xyz='1 0 0' rpy='1.5707963267948966 0 0'/>").replace(
        "</robot>",
        "<transmission name='t'><joint name='j'/><actuator name='m'><mechanicalReduction>50</mechanicalReduction>\
         <rotorInertia>2e-5</rotorInertia></actuator></transmission></robot>",
    );
    let tree = read_text(&text, &Options::default()).unwrap().tree;
    assert_eq!(words(&tree, &["rotors", "t", "body"]), ["ground"]);
    assert_eq!(words(&tree, &["rotors", "t", "angle"]), ["50.0*j.angle"]);
    assert_near(&flat(&tree, &["rotors", "t", "inertia"]), &[2e-5], 0.0);
    assert_near(&flat(&tree, &["rotors", "t", "axis"]), &[0.0, -1.0, 0.0], ROUNDING);
}

#[test]
fn xacro_is_answered_with_advice() {
    let element = "<robot name='r' xmlns:xacro='http://www.ros.org/wiki/xacro'>\n<xacro:macro name='m'/></robot>";
    let expression = "<robot name='r'>\n<link name='${prefix}base'/></robot>";
    for text in [element, expression] {
        refused(text, "still to be expanded by xacro", 2);
        assert!(read_text(text, &Options::default()).unwrap_err().to_string().contains("xacro FILE > robot.urdf"));
    }
}
