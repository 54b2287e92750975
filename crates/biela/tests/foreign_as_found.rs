//! Files of other programs as they are found in the world: not quite in order, and read all the same; strictly they are refused.

mod common;

use biela::model::{Analysis, Model, Solid};
use biela::text::{Document, Options};
use common::record::{held, OTHER};
use std::path::{Path, PathBuf};

/// A few dozen operations.
const ROUNDING: f64 = 1e-12;

/// A folder of its own for each test, with these files in it.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("as-found").join(name);
    for (file, text) in files {
        let path = root.join(file);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    root
}

fn opened(path: &Path) -> (Model, Vec<String>) {
    let options = Options::default();
    let document = Document::read(path, &options).unwrap_or_else(|e| panic!("{e}"));
    document.compile(&options).unwrap_or_else(|e| panic!("{e}"))
}

fn refused(path: &Path, options: &Options) -> String {
    Document::read(path, options).expect_err("is refused").to_string()
}

fn strictly(path: &Path) -> String {
    refused(path, &Options { strict: true, ..Options::default() })
}

/// The mass of a body, and where its frame stands.
fn body<'m>(model: &'m Model, name: &str) -> &'m biela::model::Body {
    model.bodies.iter().find(|b| b.name == name).unwrap_or_else(|| panic!("no body '{name}'"))
}

#[test]
fn texts_that_lenient_parsers_take_are_taken() {
    let text = "<!-- ---- a head ---- -->\n<?xml version=\"1.0\"?>\n<?xml?>\n<robot name=\"r\">\n<link name=\"a\"/>\n\
                <drake:pose x=\"1\"/>\n<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/>\n\
                <origin xyz=\"0.1, 0 -0.5.\" rpy=\"0 0 0 1\"/></joint>\n<link name=\"b\"/></robot>\0\0\0";
    let path = folder("lenient", &[("r.urdf", text)]).join("r.urdf");
    let (model, told) = opened(&path);
    assert_eq!(body(&model, "b").X_WB.origin.x, 0.1);
    for (line, kind) in [
        (":2:", "XML declaration that is incomplete or out of place: not read (and 1 more)"),
        (":6:", "the prefix 'drake' is not declared"),
        (":8:", "a comma behind a number: not read"),
        (":8:", "a second point behind a number: not read"),
        (":8:", "'rpy' needs 3 numbers, found 4: the first of them are read"),
    ] {
        assert!(told.iter().any(|t| t.contains(kind) && t.contains(line)), "{kind}: {told:?}");
    }
    assert!(strictly(&path).contains("XML declaration"), "{}", strictly(&path));
    let xacro = "<robot name=\"r\"><xacro:include filename=\"a\"/><link name=\"a\"/></robot>";
    let path = folder("lenient", &[("x.urdf", xacro)]).join("x.urdf");
    assert!(refused(&path, &Options::default()).contains("still to be expanded by xacro: it holds <xacro:include>"));
}

/// Comments in Latin-1, texts in UTF-16, and a default namespace, which parsers of URDF do not know.
#[test]
fn encodings_and_namespaces_of_other_programs_are_read() {
    let text = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><!-- größe 5° -->\n<robot name=\"r\" xmlns=\"http://drake.mit.edu\" \
                xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n<link name=\"a\"/>\
                <joint name=\"j\" type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/><origin xyz=\"0.1 0 0\"/></joint>\
                <link name=\"b\"/></robot>";
    let root = folder("encodings", &[("utf8.urdf", text)]);
    let latin: Vec<u8> = text.chars().map(|c| u8::try_from(u32::from(c)).expect("Latin-1")).collect();
    let wide: Vec<u8> =
        std::iter::once('\u{feff}').chain(text.chars()).flat_map(|c| (c as u16).to_le_bytes()).collect();
    for (file, bytes, line) in [("latin.urdf", latin, "Windows-1252"), ("wide.urdf", wide, "UTF-16")] {
        let path = root.join(file);
        std::fs::write(&path, bytes).expect("a file");
        let (model, told) = opened(&path);
        assert_eq!(body(&model, "b").X_WB.origin.x, 0.1);
        assert!(told[0].contains(&format!("not in UTF-8: read as {line}")), "{told:?}");
        assert!(strictly(&path).contains("not text in UTF-8"), "{}", strictly(&path));
    }
    assert_eq!(body(&opened(&root.join("utf8.urdf")).0, "b").X_WB.origin.x, 0.1);
}

/// A deck of Adams says nothing of what to compute; the command file of its name does.
#[test]
fn a_command_file_beside_a_deck_says_what_to_run() {
    let deck =
        "ADAMS/View model name: m\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=MILLISECOND\nPART/1,GROUND\n\
                MARKER/1\nPART/2,MASS=1,CM=2,IP=1,1,1\nMARKER/2\nJOINT/1,REV,I=2,J=1\nEND\n";
    let commands = "m\n! first rest, then motion\nsimulate/static\nSIM/DYN, END=2500.0,\n, DTOUT=5\ndeactivate/motion, id=1\nsim/dyn,end=9,st=3\nstop\n";
    let path = folder("commands", &[("m.adm", deck), ("m.acf", commands)]).join("m.adm");
    let (model, told) = opened(&path);
    assert_eq!(model.study.analysis, Analysis::Dynamics);
    assert_eq!((model.study.end, model.study.steps), (2.5, 500));
    for (place, line) in [
        (":3:", "analysis, end and steps of a run are those of this command file"),
        (":4:", "begins at equilibrium: it begins as it is drawn"),
        (":6:", "the command DEACTIVATE: not done"),
        (":7:", "a further SIMULATE: not run"),
    ] {
        assert!(told.iter().any(|t| t.contains(line) && t.contains(place)), "{line}: {told:?}");
    }
    // What the command line asks for goes before it; without a file the run is as before.
    let options = Options { end: Some(1.0), ..Options::default() };
    let own = Document::read(&path, &options).and_then(|d| d.model(&options)).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((own.study.end, own.study.steps), (1.0, 500));
    let alone = folder("commands", &[("alone.adm", deck)]).join("alone.adm");
    assert!(opened(&alone).1.is_empty());
}

#[test]
fn a_world_that_no_link_describes_is_the_ground() {
    let link = |name: &str| {
        format!("<link name=\"{name}\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>")
    };
    let joint = "<joint name=\"w\" type=\"revolute\"><parent link=\"world\"/><child link=\"a\"/><axis xyz=\"0 0 1\"/><limit lower=\"0\" upper=\"1\" effort=\"1\" velocity=\"1\"/></joint>";
    let held = "<loop_joint name=\"w\" type=\"spherical\"><link1 link=\"world\"/><link2 link=\"a\"/></loop_joint>";
    let files = [
        ("hung.urdf", format!("<robot name=\"r\">{}{joint}</robot>", link("a"))),
        ("held.urdf", format!("<robot name=\"r\">{}{held}</robot>", link("a"))),
    ];
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let root = folder("world", &files);
    let (model, told) = opened(&root.join("hung.urdf"));
    assert_eq!((model.bodies.len(), model.joints.len()), (2, 1));
    assert!(told.iter().any(|t| t.contains("no link 'world': taken as the ground")), "{told:?}");
    // Nothing carries the robot: it floats, and the loop holds it.
    let (model, _) = opened(&root.join("held.urdf"));
    let kinds: Vec<&str> = model.joints.iter().map(|j| j.kind.keyword()).collect();
    assert_eq!(kinds, ["free", "spherical"]);
    assert!(strictly(&root.join("hung.urdf")).contains("no link 'world'"));
}

#[test]
fn files_beside_the_models_folder_are_read_where_models_may_name_them() {
    let main = "<mujoco><include file=\"../parts/arm.xml\"/></mujoco>";
    let part = "<mujocoinclude><worldbody><body name=\"arm\"><joint axis=\"0 1 0\"/><geom size=\"0.1\"/></body></worldbody></mujocoinclude>";
    let out = "<mujoco><include file=\"../notes.txt\"/></mujoco>";
    let files = [("scenes/main.xml", main), ("parts/arm.xml", part), ("scenes/out.xml", out), ("notes.txt", "secret")];
    let root = folder("beside", &files);
    let (model, _) = opened(&root.join("scenes/main.xml"));
    assert!(body(&model, "arm").mass.is_some());
    let confined = Options { confined: true, ..Options::default() };
    let message = refused(&root.join("scenes/main.xml"), &confined);
    assert!(message.contains("not in the folders around the model"), "{message}");
    let message = refused(&root.join("scenes/out.xml"), &Options::default());
    assert!(message.contains("not in the folders around the model") && !message.contains("secret"), "{message}");
    // A mesh is named from the file that names it, too.
    let main = "<mujoco><include file=\"inner/mesh.xml\"/><worldbody><body name=\"b\"><freejoint/><geom type=\"mesh\" mesh=\"m\"/></body></worldbody></mujoco>";
    let named = "<mujocoinclude><asset><mesh name=\"m\" file=\"../forms/ell.obj\"/></asset></mujocoinclude>";
    let files = [("scenes/m.xml", main), ("scenes/inner/mesh.xml", named), ("scenes/forms/ell.obj", ELL)];
    let (model, told) = opened(&folder("beside", &files).join("scenes/m.xml"));
    assert!(body(&model, "b").mass.is_some(), "{told:?}");
    let message = refused(&root.join("parts/arm.xml"), &Options::default());
    assert!(message.contains("this is a part of a model, not a model"), "{message}");
}

/// An L of 2 by 3 by 1, edges 1 wide.
const ELL: &str = "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 3 0\nv 0 3 0\nv 0 0 1\nv 2 0 1\nv 2 1 1\nv 1 1 1\nv 1 3 1\nv 0 3 1\n\
                   f 1 4 3\nf 1 3 2\nf 1 6 5\nf 1 5 4\nf 7 9 10\nf 7 8 9\nf 7 11 12\nf 7 10 11\nf 1 2 8\nf 1 8 7\nf 2 3 9\nf 2 9 8\n\
                   f 3 4 10\nf 3 10 9\nf 4 5 11\nf 4 11 10\nf 5 6 12\nf 5 12 11\nf 6 1 7\nf 6 7 12\n";

#[test]
fn meshes_weigh_what_mujoco_makes_of_them() {
    let text = "<mujoco><asset><mesh name=\"a\" file=\"ell.obj\"/><mesh name=\"b\" file=\"ell.obj\" inertia=\"exact\"/></asset><worldbody>\
                <body name=\"p\"><freejoint/><geom type=\"mesh\" mesh=\"a\" density=\"1\"/></body>\
                <body name=\"q\"><freejoint/><geom type=\"mesh\" mesh=\"b\" density=\"1\"/></body></worldbody></mujoco>";
    let (model, _) = opened(&folder("weights", &[("ell.obj", ELL), ("ell.xml", text)]).join("ell.xml"));
    let exact = body(&model, "q").mass.expect("a mass");
    assert!((exact.mass - 4.0).abs() < ROUNDING && (exact.com.x - 0.75).abs() < ROUNDING);
    // MuJoCo 4.0.0 of this model: body_mass, body_ipos, and body_inertia turned by body_iquat.
    let found = body(&model, "p").mass.expect("a mass");
    let [xx, yy, zz, xy, ..] = found.inertia.entries();
    for (ours, due) in [
        (found.mass, 4.161340544083907),
        (found.com.x, 0.7751966568338249),
        (found.com.y, 1.2420108161258605),
        (xx, 3.4306587574634673),
        (yy, 1.486195380984842),
        (zz, 4.234053417373248),
        (xy, 0.7677856738670577),
    ] {
        let off = (ours - due).abs() / due;
        held(OTHER, "a mesh that MuJoCo weighs", ROUNDING, off, format_args!("{ours}: {off:e}"));
    }
}

#[test]
fn binary_meshes_of_mujoco_are_read() {
    let mut bytes: Vec<u8> = [4u32, 0, 0, 4].iter().flat_map(|n| n.to_le_bytes()).collect();
    let corners = [0.0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    bytes.extend(corners.iter().flat_map(|x| x.to_le_bytes()));
    bytes.extend([0u32, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3].iter().flat_map(|n| n.to_le_bytes()));
    let mesh = biela::text::mesh::from_bytes("msh", bytes.clone(), 1.0).expect("a mesh");
    assert!(mesh.points.len() == 4 && mesh.triangles.len() == 4 && mesh.is_closed());
    bytes.pop();
    assert!(biela::text::mesh::from_bytes("msh", bytes, 1.0).unwrap_err().to_string().contains("length it tells"));
}

#[test]
fn replicated_bodies_stand_where_mujoco_puts_them() {
    let text = "<mujoco><worldbody><replicate count=\"3\" offset=\"1 0 0\" euler=\"0 0 30\" sep=\"-\">\
                <body name=\"r\" pos=\"0 1 0\"><joint name=\"j\"/><geom size=\"0.1\"/></body></replicate></worldbody></mujoco>";
    let (model, _) = opened(&folder("replicate", &[("r.xml", text)]).join("r.xml"));
    // Each is turned by 30 degrees and moved by 1 in the frame of the one before.
    let half = 0.75f64.sqrt();
    for (name, x, y) in [("r-0", 0.0, 1.0), ("r-1", 0.5, half), ("r-2", 1.0, 1.0)] {
        let at = body(&model, name).X_WB.origin;
        assert!((at.x - x).abs() < ROUNDING && (at.y - y).abs() < ROUNDING, "{name}: {at:?}");
    }
    // Numbers of inner ones come first; motors, couplings and tendons follow what they name, as in MuJoCo.
    let nested = "<mujoco><worldbody><replicate count=\"2\" sep=\"-\"><body name=\"b\"><joint name=\"j\"/><geom size=\"0.1\"/>\
                  <replicate count=\"11\" sep=\"_\" offset=\"1 0 0\"><body name=\"c\"><joint name=\"k\"/><geom size=\"0.1\"/></body></replicate></body></replicate>\
                  </worldbody><actuator><motor name=\"m\" joint=\"k\"/><motor name=\"n\" joint=\"j\"/><motor name=\"u\" tendon=\"t\"/></actuator>\
                  <tendon><fixed name=\"t\"><joint joint=\"j\" coef=\"2\"/></fixed></tendon>\
                  <equality><joint joint1=\"j\" polycoef=\"0 1 0 0 0\"/></equality></mujoco>";
    let (model, _) = opened(&folder("replicate", &[("nested.xml", nested)]).join("nested.xml"));
    assert_eq!(body(&model, "c_10-1").X_WB.origin.x, 10.0);
    assert_eq!((model.joints.len(), model.loads.len(), model.couplings.len()), (24, 26, 2));
    let bomb = "<mujoco><worldbody><replicate count=\"20000\"><replicate count=\"20000\"><geom size=\"1\"/></replicate></replicate></worldbody></mujoco>";
    let path = folder("replicate", &[("bomb.xml", bomb)]).join("bomb.xml");
    assert!(refused(&path, &Options::default()).contains("<replicate> makes more than"));
}

#[test]
fn global_coordinates_are_those_of_the_world() {
    let model = |coordinate: &str, origin: &str, inner: &str, joint: &str, geom: &str, anchor: &str| {
        format!(
            "<mujoco><compiler coordinate=\"{coordinate}\"/><worldbody><body name=\"a\" pos=\"0 0 1\" euler=\"0 0 90\"><joint name=\"A\" pos=\"{origin}\" axis=\"0 0 1\"/><geom size=\".1\" pos=\"{origin}\"/>\
             <body name=\"b\" pos=\"{inner}\"><joint name=\"B\" pos=\"{joint}\" axis=\"0 0 1\"/><geom size=\".2\" pos=\"{geom}\"/></body></body></worldbody>\
             <equality><connect body1=\"b\" body2=\"world\" anchor=\"{anchor}\"/></equality></mujoco>"
        )
    };
    let texts = [
        model("global", "0 0 1", "1 2 1", "1 2 1.5", "1 3 1", "1 2 2"),
        model("local", "0 0 0", "2 -1 0\" euler=\"0 0 -90", "0 0 .5", "0 1 0", "0 0 1"),
    ];
    let root = folder("global", &[("g.xml", &texts[0]), ("l.xml", &texts[1])]);
    let [(global, told), (local, _)] = ["g.xml", "l.xml"].map(|file| opened(&root.join(file)));
    assert!(told.iter().any(|t| t.contains("global coordinates")), "{told:?}");
    for (a, b) in global.bodies.iter().zip(&local.bodies) {
        assert!((a.X_WB.origin - b.X_WB.origin).norm() < ROUNDING, "{}", a.name);
        let com = |body: &biela::model::Body| body.mass.map(|m| body.X_WB.apply(m.com));
        let off = com(a).zip(com(b)).map_or(0.0, |(a, b)| (a - b).norm());
        assert!(off < ROUNDING, "{}", a.name);
    }
}

#[test]
fn a_keyframe_with_several_joints_in_a_body_is_a_start() {
    let text = "<mujoco><worldbody><body name=\"a\"><joint name=\"x\" axis=\"1 0 0\"/><joint name=\"y\" axis=\"0 1 0\"/><geom size=\".1\" pos=\"0 0 -.5\"/></body></worldbody>\
                <keyframe><key qpos=\"2.5 2\"/></keyframe></mujoco>";
    let (model, _) = opened(&folder("keyframe", &[("k.xml", text)]).join("k.xml"));
    let report = biela::solve::check::check(&model, "absolute").unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.motion.mobility, Some(2));
}

#[test]
fn an_armature_of_a_joint_that_follows_counts_with_its_leader() {
    let finger = |name: &str| {
        format!("<body name=\"{name}\"><joint name=\"j{name}\" type=\"slide\" armature=\"0.5\"/><inertial pos=\"0 0 0\" mass=\"2\" diaginertia=\"1 1 1\"/></body>")
    };
    let text = format!(
        "<mujoco><worldbody>{}{}</worldbody><equality><joint joint1=\"jb\" joint2=\"ja\" polycoef=\"0 3\"/></equality></mujoco>",
        finger("a"),
        finger("b")
    );
    let (model, _) = opened(&folder("armature", &[("a.xml", &text)]).join("a.xml"));
    let found = biela::tree::evaluate::evaluate(&model, &["crba"], "q.ja\n0.1\n").unwrap_or_else(|e| panic!("{e}"));
    let m = found["states"][0]["crba"][0][0].as_f64().expect("a number");
    // (m + armature) (1 + ratio^2).
    assert!((m - 2.5 * 10.0).abs() < ROUNDING * m, "{m}");
    // A tendon that both wind, 2 per metre and -1, has inertia of its own.
    let tendon = "<tendon><fixed name=\"t\" armature=\"4\"><joint joint=\"ja\" coef=\"2\"/><joint joint=\"jb\" coef=\"-1\"/></fixed></tendon></mujoco>";
    let text = format!("<mujoco><worldbody>{}{}</worldbody>{tendon}", finger("a"), finger("b"));
    let (model, _) = opened(&folder("armature", &[("t.xml", &text)]).join("t.xml"));
    let found = biela::tree::evaluate::evaluate(&model, &["crba"], "q.ja\n0.1\n").unwrap_or_else(|e| panic!("{e}"));
    let m: Vec<f64> =
        [(0, 0), (0, 1), (1, 1)].iter().filter_map(|(i, j)| found["states"][0]["crba"][*i][*j].as_f64()).collect();
    for (m, due) in m.iter().zip([2.5 + 16.0, -8.0, 2.5 + 4.0]) {
        assert!((m - due).abs() < ROUNDING * 20.0, "{m} {due}");
    }
    assert_eq!(m.len(), 3);
}

#[test]
fn worlds_of_gazebo_open_without_its_library() {
    let link = "<link name=\"l\"><inertial><mass>0</mass></inertial><visual name=\"v\"><geometry><mesh><uri>model://thing/meshes/ell.obj</uri><scale>2 1 1</scale></mesh></geometry></visual></link>";
    let world = format!(
        "<sdf version=\"1.9\"><world name=\"w\"><include><uri>model://sun</uri></include><include><uri>model://thing</uri></include>\
         <model name=\"m\">{link}</model><model name=\"m\">{link}</model></world></sdf>"
    );
    let thing = "<sdf version=\"1.9\"><model name=\"thing\"><link name=\"t\"><visual name=\"v\"><geometry><mesh><uri>meshes/ell.obj</uri></mesh></geometry></visual></link></model></sdf>";
    let files =
        [("worlds/w.sdf", world.as_str()), ("models/thing/model.sdf", thing), ("models/thing/meshes/ell.obj", ELL)];
    let root = folder("gazebo", &files);
    let (model, told) = opened(&root.join("worlds/w.sdf"));
    for kind in [
        "a model that is included is not found: left out",
        "a second model named 'm': called 'm_2' here",
        "the mass is 0, and there is an inertia: both are kept as they stand (and 1 more)",
    ] {
        assert!(told.iter().any(|t| t.contains(kind)), "{kind}: {told:?}");
    }
    // Meshes are looked for from where a link is described, and in the models beside the world.
    for name in ["thing.t", "m.l", "m_2.l"] {
        let shapes = &body(&model, name).shapes;
        assert!(shapes.iter().any(|s| matches!(s.solid, Solid::Mesh { .. })), "{name}: {} shapes", shapes.len());
    }
    assert!(strictly(&root.join("worlds/w.sdf")).contains("not found"));
    let old = "<gazebo version=\"1.2\"><model name=\"m\"><link name=\"l\"/></model></gazebo>";
    let path = folder("gazebo", &[("old.sdf", old)]).join("old.sdf");
    assert!(opened(&path).1.iter().any(|t| t.contains("read as <sdf>")));
}

/// What flags switch off is not there; what MJCF has not, or has and is not read, is told in every section.
#[test]
fn flags_of_an_mjcf_switch_off_and_unknown_attributes_are_told() {
    let text = |flags: &str, more: &str| {
        format!(
            r#"<mujoco model="m"><compiler angle="radian" anlge="x"/><option timestep="0.001"><flag {flags}/></option>
  <worldbody><body name="a" {more}><joint name="j" stiffness="3" damping="2" frictionloss="1" range="-1 1" springdamper="0.1 1"/>
    <inertial pos="1 0 0" mass="1" diaginertia="1 1 1" colour="red"/>
    <body name="b" pos="1 0 0"><joint name="k"/><geom size="0.1" castshadow="false"/><site name="s" pos="1 0 0" shine="1"/></body></body></worldbody>
  <equality><joint joint1="j" joint2="k" polycof="0 2"/></equality>
  <actuator><motor name="m" joint="j" gear="2" armature="0.5" geer="1"/></actuator></mujoco>"#
        )
    };
    let read = |name: &str, flags: &str| opened(&folder(name, &[("m.xml", &text(flags, ""))]).join("m.xml"));
    let (model, told) = read("mjcf-flags", "");
    assert_eq!((model.couplings.len(), model.loads.len()), (1, 3));
    assert!(model.joints[0].limits.upper.is_some());
    for kind in [
        "unknown attribute 'anlge' of <compiler>",
        "unknown attribute 'colour' of <inertial>",
        "unknown attribute 'shine' of <site>",
        "unknown attribute 'polycof' of <joint>",
        "unknown attribute 'geer' of <motor>",
        "'armature' of an actuator: not read",
        "'springdamper' of a joint: not read",
    ] {
        assert!(told.iter().any(|t| t.contains(kind)), "{kind}: {told:?}");
    }
    assert!(!told.iter().any(|t| t.contains("castshadow")), "{told:?}");
    let (model, told) = read("mjcf-no-equality", r#"equality="disable" limit="disable" actuation="disable""#);
    assert_eq!((model.couplings.len(), model.loads.len()), (0, 2));
    assert!(model.joints[0].limits.upper.is_none());
    assert!(told.iter().any(|t| t.contains("'equality' is switched off by <flag>")), "{told:?}");
    let (model, _) = read("mjcf-no-passive", r#"passive="disable" constraint="disable""#);
    assert_eq!((model.couplings.len(), model.loads.len()), (0, 1));
}

/// Drawing programs print the rounding of what is 0, and products of it: joints and inertias whose parts are 1e-109 or 1e-55 times 1e-55.
#[test]
fn what_is_rounding_of_another_program_is_zero() {
    let text = r#"<robot name="dust"><link name="a"/>
        <link name="b"><inertial><origin xyz="3.1e-109 0.1 -4.8e-62" rpy="1.88e-55 -4.05e-55 0.5"/><mass value="0.5"/>
          <inertia ixx="0.02" ixy="4.9e-101" ixz="-1.6e-80" iyy="0.03" iyz="7.1e-107" izz="0.04"/></inertial></link>
        <joint name="j" type="revolute"><origin xyz="6.5e-170 0.2 0" rpy="1.88e-55 -4.05e-55 -1.96"/>
          <parent link="a"/><child link="b"/><axis xyz="0 1e-60 1"/><limit effort="1" velocity="20"/></joint></robot>"#;
    let root = folder("dust", &[("dust.urdf", text)]);
    let (model, _) = opened(&root.join("dust.urdf"));
    let (link, mass) = (body(&model, "b"), 0.5);
    let found = link.mass.expect("a mass");
    assert_eq!((found.mass, found.com.x, found.com.y), (mass, 0.0, 0.1));
    // About z by half a radian: R I Rᵀ.
    let (c, s) = (0.5f64.cos(), 0.5f64.sin());
    let due = [0.02 * c * c + 0.03 * s * s, 0.02 * s * s + 0.03 * c * c, 0.04, -0.01 * c * s, 0.0, 0.0];
    let off = found.inertia.entries().iter().zip(due).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(off < ROUNDING, "{off:e}");
}
