//! Mutated inputs: every reader, and model → check → one step, answers with a result or an error in good order, in bounded time
//! and memory, on a small stack. More than 200 000 inputs from fixed seeds; `watch.rs` tells how to make more, or one again.

#[path = "../common/meter.rs"]
mod meter;
mod mutate;
mod targets;
mod watch;

use targets::{corpus, files, lines, model_words, words};
use watch::{watch, Target};

fn target(
    name: &'static str,
    inputs: usize,
    corpus: Vec<Vec<u8>>,
    words: Vec<String>,
    run: fn(&[u8]) -> watch::Verdict,
) -> Target {
    assert!(!corpus.is_empty(), "{name} has no corpus");
    Target { name, inputs, corpus, words, run }
}

/// Shipped models, broken ones, and those of the corpus.
fn models() -> Vec<Vec<u8>> {
    let folders = ["tests/corpus", "tests/models", "tests/broken", "../../models", "../../validation/mobility"];
    folders.iter().flat_map(|folder| files(folder, "toml")).collect()
}

/// Models that are in order.
fn sound_models() -> Vec<Vec<u8>> {
    ["tests/corpus", "tests/models", "../../models"].iter().flat_map(|folder| files(folder, "toml")).collect()
}

#[test]
fn expressions() {
    let functions = biela::expr::FUNCTIONS.iter().map(|f| f.name.to_string());
    let names = words("t pi omega crank O.angle O.angle.rate mm deg kg N m s h rad lbf in rpm g0").into_iter();
    let corpus = lines("tests/corpus/expressions.txt");
    watch(target("expression", 70_000, corpus, functions.chain(names).collect(), targets::expression), 20);
}

#[test]
fn toml_models() {
    watch(target("toml", 40_000, models(), model_words(), targets::toml), 60);
}

#[test]
fn urdf_models() {
    let folders = ["tests/corpus", "tests/data"];
    let corpus = folders.iter().flat_map(|folder| files(folder, "urdf")).collect();
    let tags = "robot link joint loop_joint origin xyz rpy parent child axis limit lower upper effort velocity mimic dynamics \
                inertial mass value inertia ixx ixy geometry box size sphere mesh filename fixed continuous floating planar \
                xmlns:xacro DOCTYPE ENTITY loop constraint coupling predecessor successor ratio parent_origin child_axis \
                transmission rotor_inertia material color rgba 0";
    watch(target("urdf", 25_000, corpus, words(tags), targets::urdf), 50);
}

#[test]
fn closures_of_urdfs() {
    let corpus = vec![
        b"closed_loop: [['ea', 'eb']]\ntype: ['6d']\nname_mot: ['ja']\njoint_name: ['jb']\njoint_type: ['SPHERICAL']\n"
            .to_vec(),
        b"closed_loop:\n  - - fa\n    - fb\ntype:\n- 3d\njoint_name: [jb]\njoint_type: [UJOINT_XY] # turned\n".to_vec(),
    ];
    let keys = "closed_loop type name_mot joint_name joint_type 6d 3d SPHERICAL FIXED UJOINT_ZX ea eb fa - [ ] : ' #";
    watch(target("closures", 5_000, corpus, words(keys), targets::closures), 50);
}

#[test]
fn models_of_other_programs() {
    let corpus = |folder: &str, ending: &str| files(&format!("tests/data/{folder}"), ending);
    let tags = "mujoco worldbody body joint geom inertial default class childclass include file equality connect weld tendon fixed actuator motor \
                position keyframe key qpos type hinge slide ball free capsule fromto euler quat xyaxes zaxis axisangle polycoef compiler attach model prefix asset";
    watch(target("mjcf", 12_000, corpus("mjcf", "xml"), words(tags), targets::mjcf), 50);
    let tags = "sdf version world model link joint frame pose relative_to attached_to parent child axis xyz expressed_in inertial include uri mimic \
                screw_thread_pitch gearbox_ratio universal revolute prismatic ball fixed static inertia ixx";
    watch(target("sdf", 12_000, corpus("sdf", "sdf"), words(tags), targets::sdf), 50);
    let words_of_decks = "PART MARKER JOINT JPRIM MOTION SFORCE GFORCE BUSHING SPRINGDAMPER GCON COUPLER GEAR UNITS ACCGRAV VARIABLE END REULER ZP XP \
                          FUNCTION STEP IF DM VR AZ WZ DX VARVAL TIME RACKPIN CONVEL 90D \
                          BEAM FIELD ARRAY ARYVAL KMATRIX CMATRIX LENGTH VX WM PSI B1 B2 B3 JFLOAT RM WX VELOCITY \
                          REQUEST F2 F3 ACCX WDTZ FM TZ CNAMES RESULTS_NAME FORCE ACCELERATION 1.0D+03 UCF";
    watch(target("adams", 12_000, corpus("adams", "adm"), words(words_of_decks), targets::adams), 50);
    let corpus = vec![
        b"deck\nsimulate/static\nSIM/DYN, END=0.5,\n, STEPS=5 ! all\nstop\n".to_vec(),
        b"file/model=deck\nSIMULATE/KINEMATIC, DURATION=1, &\n DTOUT=0.1\nDEACTIVATE/MOTION, ID=1\n".to_vec(),
    ];
    let commands = "SIMULATE/ DYNAMICS TRANSIENT STATICS END= STEPS= DTOUT= 1e300 1e-300 , & ! / stop";
    watch(target("adams commands", 5_000, corpus, words(commands), targets::adams_commands), 50);
}

#[test]
fn thesis_files() {
    let folders = ["arm-3r", "slider-crank", "slider-crank-purged"];
    let corpus = folders.iter().map(|f| targets::four_files(&format!("../../models/thesis/{f}"))).collect();
    watch(target("thesis", 15_000, corpus, words("nb T t sin cos DP1 DP2 D CD SJ RJ"), targets::thesis), 50);
}

#[test]
fn arm_tables() {
    let corpus = vec![
        b"# convention: modified\ntype, a, alpha [deg], d, theta, mass, com_x, izz\nrevolute, 0, 0, 0.5, 30 deg, 2, 0.1, 0.3\n\
          prismatic, 0.2, -90, 0.1, 0, , , # no mass\n"
            .to_vec(),
        b"type;a;alpha;d;theta\nrevolute;0;1.57;0.3;0\nrevolute;0.4;0;0;0\n".to_vec(),
    ];
    watch(
        target("dh", 10_000, corpus, words("revolute prismatic standard modified convention deg mm"), targets::dh),
        50,
    );
}

#[test]
fn meshes() {
    let mut corpus: Vec<Vec<u8>> =
        [files("tests/models", "stl"), files("tests/corpus", "obj"), files("tests/corpus", "dae")].concat();
    // A tetrahedron as MuJoCo writes it.
    let mut tetrahedron: Vec<u8> = [4u32, 0, 0, 4].iter().flat_map(|n| n.to_le_bytes()).collect();
    let corners = [0.0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    tetrahedron.extend(corners.iter().flat_map(|x| x.to_le_bytes()));
    tetrahedron.extend([0u32, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3].iter().flat_map(|n| n.to_le_bytes()));
    corpus.push(tetrahedron);
    let mut binary = vec![b' '; 80];
    binary.extend(2u32.to_le_bytes());
    for k in 0..100u8 {
        binary.push(k.wrapping_mul(37));
    }
    corpus.push(binary);
    watch(target("mesh", 20_000, corpus, words("solid facet normal outer loop vertex endloop v f usemtl mtllib node matrix instance_node url #n offset p 9 triangles polylist vcount"), targets::mesh), 50);
}

#[test]
fn tables_of_results() {
    let mut corpus = vec![corpus("path.csv"), corpus("states.csv")];
    corpus.extend(files("tests/data", "npz"));
    corpus.extend(targets::results());
    watch(
        target("results", 20_000, corpus, words("t x y nan inf signals units notes [m] [s] [rad]"), targets::tables),
        50,
    );
}

#[test]
fn laws_by_tables() {
    let corpus = files("tests/models", "csv");
    watch(target("law", 3_000, corpus, words("t s deg rad m mm position [deg]"), targets::law), 150);
}

#[test]
fn states_of_arms() {
    let words = words("q v a tau base shoulder elbow nan inf");
    watch(target("states", 5_000, vec![corpus("states.csv")], words, targets::states), 50);
}

#[test]
fn paths_of_tools() {
    let words = words("t x y z roll pitch yaw e0 e1 e2 e3 [m] [deg] [rad]");
    watch(target("path", 5_000, vec![corpus("path.csv")], words, targets::path), 50);
}

#[test]
fn plans_of_sweeps() {
    let keys = "vary measure series sampling samples seed crank rod piston.x max min at values normal uniform grid monte-carlo m s N h mm deg";
    watch(target("plan", 10_000, vec![corpus("plan.txt")], words(keys), targets::plan), 100);
}

#[test]
fn options_beside_a_model() {
    let words = words("set drive crank rod omega O guide motor O.angle guide.slide t deg mm sin gravity");
    watch(target("options", 10_000, vec![corpus("options.txt")], words, targets::options), 50);
}

#[test]
fn parts_of_sweeps() {
    watch(target("part", 3_000, targets::parts(), Vec::new(), targets::part), 1000);
}

/// Model → check → one step.
#[test]
fn models_checked_and_moved() {
    watch(target("step", 3_000, sound_models(), model_words(), targets::step), 20);
}
