//! Loops in the dialects of URDF: one four-bar, written in each of them, moves as its closed form says.

mod common;

use biela::source::Source;
use biela::text::{urdf, Document, Imported, Options};
use common::column;

/// Newton's residual of 1e-12 times the condition of a well-built four-bar.
const CLOSED: f64 = 1e-9;

/// Crank of 1 m at the origin, rocker of 1.5 m at (1, -0.5), a rod of 1 m between their ends: assembled with all joints at zero.
const TREE: &str = r#"<robot name="four-bar">
  <link name="base"/><link name="crank"/><link name="rod"/><link name="rocker"/>
  <joint name="A" type="continuous"><parent link="base"/><child link="crank"/><axis xyz="0 0 1"/></joint>
  <joint name="B" type="continuous"><parent link="crank"/><child link="rod"/><origin xyz="0 1 0"/><axis xyz="0 0 1"/></joint>
  <joint name="D" type="continuous"><parent link="base"/><child link="rocker"/><origin xyz="1 -0.5 0"/><axis xyz="0 0 1"/></joint>
  "#;

const DIALECTS: [(&str, &str); 9] = [
    (
        "own",
        r#"<loop_joint name="C" type="revolute"><link1 link="rod" xyz="1 0 0"/><link2 link="rocker" xyz="0 1.5 0"/><axis xyz="0 0 1"/></loop_joint>"#,
    ),
    (
        "URDF+",
        r#"<loop name="C" type="revolute"><predecessor link="rod"><origin xyz="1 0 0"/></predecessor>
           <successor link="rocker"><origin xyz="0 1.5 0"/></successor><axis xyz="0 0 1"/></loop>"#,
    ),
    (
        "URDF+ position",
        r#"<constraint name="C" type="position"><predecessor link="rod"><origin xyz="1 0 0"/></predecessor>
           <successor link="rocker"><origin xyz="0 1.5 0"/></successor></constraint>"#,
    ),
    (
        "before URDF+",
        r#"<loop_constraint name="C"><parent link="rod"/><parent_origin xyz="1 0 0"/><child link="rocker"/>
           <child_origin xyz="0 1.5 0"/></loop_constraint>"#,
    ),
    (
        "urdfdom",
        r#"<constraint name="C" type="revolute"><parent link="rod"/><parent_origin xyz="1 0 0" rpy="0 0 0"/><parent_axis xyz="0 0 1"/>
           <child link="rocker"/><child_origin xyz="0 1.5 0" rpy="1.5707963267948966 0 0"/><child_axis xyz="0 1 0"/></constraint>"#,
    ),
    (
        "a link with two parents",
        r#"<link name="end"/><joint name="e" type="fixed"><parent link="rocker"/><child link="end"/><origin xyz="0 1.5 0"/></joint>
           <joint name="C" type="continuous"><parent link="rod"/><child link="end"/><origin xyz="1 0 0"/><axis xyz="0 0 1"/></joint>"#,
    ),
    (
        "Gazebo",
        r#"<gazebo><joint name="C" type="revolute"><parent>rod</parent><child>rocker</child><pose>0 1.5 0 0 0 0</pose>
           <axis><xyz>0 0 1</xyz></axis></joint></gazebo>"#,
    ),
    ("closures 3d", "type: ['3d']"),
    ("closures 6d", "type: ['6d']"),
];

/// Frames for closures. A pair held with its axes needs a hinge before one of them.
const FRAMES: &str = r#"<link name="end_a"/><link name="end_b"/>
  <joint name="ea" type="HINGE"><parent link="rod"/><child link="end_a"/><origin xyz="1 0 0"/><axis xyz="0 0 1"/></joint>
  <joint name="eb" type="fixed"><parent link="rocker"/><child link="end_b"/><origin xyz="0 1.5 0"/></joint>"#;

fn read(text: &str) -> biela::Result<Document> {
    read_in(TREE, text)
}

fn read_in(tree: &str, text: &str) -> biela::Result<Document> {
    let (robot, closures) = match text.strip_prefix("type:") {
        None => (format!("{tree}{text}</robot>"), None),
        Some(kind) => {
            let hinge = if kind.contains("6d") { "continuous" } else { "fixed" };
            let yaml =
                format!("closed_loop: [['end_a', 'eb']]\n{text}\nname_mot: ['A']\njoint_name: []\njoint_type: []\n");
            (format!("{tree}{}</robot>", FRAMES.replace("HINGE", hinge)), Some(Source::new("robot.yaml", yaml)))
        }
    };
    let options = urdf::Options::default();
    let Imported { tree, warnings } = urdf::read_with(&Source::new("robot.urdf", robot), closures.as_ref(), &options)?;
    Ok(Document { foreign: true, ..Document::from_tree(tree, warnings) })
}

/// The rocker's angle, by the intersection of two circles, on the side of the assembled position.
fn rocker(theta: f64) -> f64 {
    let (a, d) = ([-theta.sin(), theta.cos()], [1.0, -0.5]);
    let (dx, dy) = (d[0] - a[0], d[1] - a[1]);
    let far = (dx * dx + dy * dy).sqrt();
    let along = (1.0 - 1.5 * 1.5 + far * far) / (2.0 * far);
    let height = (1.0 - along * along).sqrt();
    let b = [a[0] + (along * dx - height * dy) / far, a[1] + (along * dy + height * dx) / far];
    (-(b[0] - d[0])).atan2(b[1] - d[1])
}

#[test]
fn every_dialect_closes_the_same_four_bar() {
    assert!(rocker(0.0).abs() < 1e-15);
    for (name, text) in DIALECTS {
        let document = read(text).unwrap_or_else(|e| panic!("{name}: {e}"));
        let drive = vec![("A".to_string(), "0.4*sin(3*t)".to_string())];
        let options = Options { drive, end: Some(1.0), steps: Some(20), ..Options::default() };
        let model = document.model(&options).unwrap_or_else(|e| panic!("{name}: {e}\n{}", document.to_toml()));
        let results = biela::run(&model).unwrap_or_else(|e| panic!("{name}: {e}"));
        let (t, found) = (column(&results, "t"), column(&results, "D.angle"));
        for (t, found) in t.iter().zip(found) {
            let wanted = rocker(0.4 * (3.0 * t).sin());
            assert!((found - wanted).abs() < CLOSED, "{name} at {t}: {found} {wanted}");
        }
    }
}

/// A rocker that is tilted by what six printed digits leave of a quarter turn: across the plane nothing fits, in the plane all does, to the square of that.
#[test]
fn digits_of_a_planar_loop_do_not_keep_it_open() {
    let tilted = TREE.replace(r#"xyz="1 -0.5 0""#, r#"xyz="1 -0.5 0" rpy="4e-6 0 0""#);
    for (name, text) in DIALECTS {
        let document = read_in(&tilted, text).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(document.warnings.iter().any(|w| w.contains("but for the digits")), "{name}: {:?}", document.warnings);
        let drive = vec![("A".to_string(), "0.4*sin(3*t)".to_string())];
        let options = Options { drive, end: Some(1.0), steps: Some(5), ..Options::default() };
        let model = document.model(&options).unwrap_or_else(|e| panic!("{name}: {e}\n{}", document.to_toml()));
        let results = biela::run(&model).unwrap_or_else(|e| panic!("{name}: {e}"));
        for (t, found) in column(&results, "t").iter().zip(column(&results, "D.angle")) {
            assert!((found - rocker(0.4 * (3.0 * t).sin())).abs() < CLOSED, "{name} at {t}");
        }
    }
    // What no digits explain is no plane.
    let text = DIALECTS[0].1;
    let far = read_in(&TREE.replace(r#"xyz="1 -0.5 0""#, r#"xyz="1 -0.5 0" rpy="4e-2 0 0""#), text).unwrap();
    assert!(!far.warnings.iter().any(|w| w.contains("but for the digits")), "{:?}", far.warnings);
    let model = far.model(&Options::default()).unwrap_or_else(|e| panic!("{e}"));
    assert!(biela::run(&model).is_err());
}

/// Frames of closures that lie a half turn apart with all joints at zero; and closures by number, as older files list them.
#[test]
fn closures_may_be_numbered_and_their_frames_turned() {
    let ends = r#"<link name="p"/><link name="q"/>
      <joint name="shut1_A" type="continuous"><parent link="rod"/><child link="p"/><origin xyz="1 0 0" rpy="0 0 2.5"/><axis xyz="0 0 1"/></joint>
      <joint name="shut1_B" type="fixed"><parent link="rocker"/><child link="q"/><origin xyz="0 1.5 0"/></joint></robot>"#;
    let robot = Source::new("robot.urdf", format!("{TREE}{ends}"));
    let yaml = |count: usize| {
        format!("name_mot: \"A\"\nname_closedloop: \"shut\"\nclosed_loop_number: {count}\ntype: \"6D\"\n")
    };
    let read =
        |count| urdf::read_with(&robot, Some(&Source::new("robot.yaml", yaml(count))), &urdf::Options::default());
    let Imported { tree, warnings } = read(1).unwrap_or_else(|e| panic!("{e}"));
    assert!(!warnings.iter().any(|w| w.contains("number of pairs")), "{warnings:?}");
    let document = Document { foreign: true, ..Document::from_tree(tree, warnings) };
    let drive = vec![("A".to_string(), "0.4*sin(3*t)".to_string())];
    let options = Options { drive, end: Some(1.0), steps: Some(5), ..Options::default() };
    let results =
        biela::run(&document.model(&options).unwrap_or_else(|e| panic!("{e}"))).unwrap_or_else(|e| panic!("{e}"));
    for (t, found) in column(&results, "t").iter().zip(column(&results, "D.angle")) {
        assert!((found - rocker(0.4 * (3.0 * t).sin())).abs() < CLOSED, "at {t}");
    }
    assert!(read(2).unwrap().warnings.iter().any(|w| w.contains("number of pairs")));
}

/// The four-bar by a hinge that its YAML makes a ball, told by the YAML, and by older ones without a number or a list.
#[test]
fn older_closures_are_read_by_the_rules_of_their_names() {
    let ends = |a: &str, b: &str, kind: &str| {
        format!(
            r#"<link name="frame_p"/><link name="frame_q"/>
      <joint name="{a}" type="{kind}"><parent link="rod"/><child link="frame_p"/><origin xyz="1 0 0"/><axis xyz="0 0 1"/></joint>
      <joint name="{b}" type="fixed"><parent link="rocker"/><child link="frame_q"/><origin xyz="0 1.5 0"/></joint></robot>"#
        )
    };
    let read = |ends: String, yaml: &str| {
        let robot = Source::new("robot.urdf", format!("{TREE}{ends}"));
        let read =
            urdf::read_with(&robot, Some(&Source::new("robot.yaml", yaml.to_string())), &urdf::Options::default());
        let Imported { tree, warnings } = read.unwrap_or_else(|e| panic!("{e}"));
        Document { foreign: true, ..Document::from_tree(tree, warnings) }
    };
    let plain = ends("fermeture1_A", "fermeture1_B", "continuous");
    let cases = [
        (plain.clone(), "name_closedloop: \"fermeture\"\nname_mot: \"mot\"\ntype: \"6D\"\n", ""),
        (plain.clone(), "name_closedloop : fermeture\nname_mot: mot\nclosed_loop_number: -1\ntype: planar\n", "planar"),
        (
            ends("leg_fermeture1A", "foot_fermeture1B", "continuous"),
            "name_closedloop: fermeture\nname_mot: mot\n",
            "'type' has no",
        ),
        (
            ends("shut2_to_rotule_A", "shut2_B", "continuous"),
            "name_closedloop: shut\nname_mot: mot\ntype: 6D\n",
            "are balls",
        ),
        (
            plain.clone(),
            "closed_loop: [['fermeture1_A', 'fermeture1_B']]\njoint_name: ['fermeture1_A']\njoint_type: ['HELICAL']\n",
            "unknown joint type 'HELICAL': the joint stays what the URDF says",
        ),
        (
            plain,
            "closed_loop: [['fermeture1_A', 'fermeture1_B'], ['fermeture2_A', 'fermeture2_B']]\ntype: ['6d', '6d']\n",
            "no frame 'fermeture2_A' in the URDF: its loop stays open",
        ),
    ];
    for (ends, yaml, told) in cases {
        let document = read(ends, yaml);
        assert!(document.warnings.iter().any(|w| w.contains(told)), "{yaml}: {:?}", document.warnings);
        let drive = vec![("A".to_string(), "0.4*sin(3*t)".to_string())];
        let options = Options { drive, end: Some(1.0), steps: Some(5), ..Options::default() };
        let model = document.model(&options).unwrap_or_else(|e| panic!("{yaml}: {e}"));
        let results = biela::run(&model).unwrap_or_else(|e| panic!("{yaml}: {e}"));
        for (t, found) in column(&results, "t").iter().zip(column(&results, "D.angle")) {
            assert!((found - rocker(0.4 * (3.0 * t).sin())).abs() < CLOSED, "{yaml} at {t}");
        }
    }
    // CARDAN turns about x and then about y.
    let yaml = "closed_loop: []\njoint_name: ['fermeture1_A']\njoint_type: ['CARDAN']\n";
    let toml = read(ends("fermeture1_A", "fermeture1_B", "continuous"), yaml).to_toml();
    assert!(toml.contains("type   = \"universal\""), "{toml}");
}

/// Ends that lie apart across the plane: a program that looks at the plane alone closes them there, and so does this one, which says so.
#[test]
fn ends_apart_across_the_plane_are_closed_in_it() {
    let apart = DIALECTS[2].1.replace("1 0 0", "1 0 0.07");
    let document = read(&apart).unwrap_or_else(|e| panic!("{e}"));
    assert!(document.warnings.iter().any(|w| w.contains("lie apart across its plane")), "{:?}", document.warnings);
    let drive = vec![("A".to_string(), "0.4*sin(3*t)".to_string())];
    let options = Options { drive, end: Some(1.0), steps: Some(5), ..Options::default() };
    let results = biela::run(&document.model(&options).unwrap_or_else(|e| panic!("{e}"))).expect("moves");
    for (t, found) in column(&results, "t").iter().zip(column(&results, "D.angle")) {
        assert!((found - rocker(0.4 * (3.0 * t).sin())).abs() < CLOSED, "at {t}");
    }
}

#[test]
fn couplings_are_gears_or_sums() {
    let one =
        r#"<coupling name="g"><predecessor link="crank"/><successor link="rocker"/><ratio value="2"/></coupling>"#;
    let old = r#"<joint_constraint name="g"><parent link="crank"/><child link="rocker"/><gear_ratio value="2"/></joint_constraint>"#;
    let rolling = r#"<constraint name="g" type="rolling"><predecessor link="crank"/><successor link="rocker"/><ratio value="2"/></constraint>"#;
    for text in [one, old, rolling] {
        let toml = read(text).unwrap_or_else(|e| panic!("{e}")).to_toml();
        assert!(toml.contains("type   = \"gear\"") && toml.contains("[\"A.angle\", \"D.angle\"]"), "{toml}");
    }
    // Older ones say where two rolls touch: radii 0.3 and 0.15 about z, whatever the height.
    let radii = r#"<constraint name="g" type="rolling"><predecessor link="crank"><origin xyz="0.3 0 0.9"/></predecessor>
      <successor link="rocker"><origin xyz="0.09 -0.12 0"/></successor></constraint>"#;
    let document = read(radii).unwrap_or_else(|e| panic!("{e}"));
    assert!(document.to_toml().contains("ratio  = 2"), "{}", document.to_toml());
    assert!(document.warnings.is_empty(), "{:?}", document.warnings);
    let sum = one.replace("crank", "rod");
    let document = read(&sum).unwrap_or_else(|e| panic!("{e}"));
    assert!(document.to_toml().contains("2.0*(B.angle + A.angle) - (D.angle)"), "{}", document.to_toml());
    document.model(&Options::default()).unwrap_or_else(|e| panic!("{e}"));
    // A name that would end within an expression is changed, and told.
    let spaced = format!("<link name=\"q\"/><joint name=\"to the q\" type=\"continuous\"><parent link=\"rod\"/><child link=\"q\"/></joint>{}",
        one.replace("crank", "q"));
    let document = read(&spaced).unwrap_or_else(|e| panic!("{e}"));
    assert!(
        document.to_toml().contains("2.0*(to_the_q.angle + B.angle + A.angle) - (D.angle)"),
        "{}",
        document.to_toml()
    );
    assert!(document.warnings.iter().any(|w| w.contains("'to the q' is called 'to_the_q'")), "{:?}", document.warnings);
}

#[test]
fn what_is_no_dialect_is_told_or_refused_never_dropped() {
    let refused = |text: &str, what: &str| {
        let error = read(text).expect_err(text).to_string();
        assert!(error.contains(what), "{error}");
    };
    refused(
        r#"<loop name="C" type="magic"><predecessor link="rod"/><successor link="rocker"/></loop>"#,
        "unknown type 'magic'",
    );
    refused(r#"<loop name="C" type="revolute"><from link="rod"/><to link="rocker"/></loop>"#, "it names no links");
    refused(
        r#"<loop name="C" type="revolute"><predecessor link="rod"/><successor link="rockr"/></loop>"#,
        "no link 'rockr'",
    );
    refused(
        r#"<coupling name="g"><predecessor link="crank"/><successor link="base"/><ratio value="2"/></coupling>"#,
        "nothing turns link 'base'",
    );
    let told = read("type: ['7d']").unwrap_or_else(|e| panic!("{e}")).warnings.join("\n");
    assert!(told.contains("'7d' is neither \"6d\" nor \"3d\": taken as \"6d\""), "{told}");
    let told = read(r#"<closing_joint name="C"/>"#).unwrap_or_else(|e| panic!("{e}")).warnings.join("\n");
    assert!(told.contains("unknown element <closing_joint> in <robot>: not read"), "{told}");
}
