//! Inputs made to hurt: names of 10 MB, nesting of a hundred thousand, bombs of entities, huge files, folders, devices and pipes.
//! Each is refused within two seconds of processor time, on a stack of 512 KiB, in little memory, with exactly the message kept in
//! `broken/hostile/`.
//!
//! `BLESS=1 cargo test --test hostile` writes the messages anew; read the difference before keeping it.

#[path = "common/meter.rs"]
mod meter;

use biela::expr::Expression;
use biela::results::FORMATS;
use biela::source::Source;
use biela::text::{dh, mesh, thesis, Document, Options};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Processor time for one input.
const LONGEST: Duration = Duration::from_secs(2);
/// Bytes in use at once for one byte of input: texts are held with their trees.
const PER_BYTE: usize = 60;
/// … and for small ones.
const ALLOWANCE: usize = 16 << 20;
const STACK: usize = 512 << 10;
const DEEP: usize = 100_000;
const LONG: usize = 10_000_000;

fn toml(text: String) -> biela::Result<()> {
    Document::from_toml(&Source::new("hostile.toml", text))?.model(&Options::default()).map(|_| ())
}

fn urdf(text: String) -> biela::Result<()> {
    let read = biela::text::urdf::read(
        &Source::new("hostile.urdf", text),
        &biela::text::urdf::Options { strict: true, ..Default::default() },
    )?;
    Document::from_tree(read.tree, read.warnings).model(&Options::default()).map(|_| ())
}

fn expression(text: String) -> biela::Result<()> {
    Expression::parse(&text, &()).map(|_| ()).map_err(|e| e.into_error(None))
}

fn results(ending: &str, bytes: &[u8]) -> biela::Result<()> {
    let read = FORMATS.iter().find(|f| f.extension == ending).and_then(|f| f.read).expect("a reader");
    read(bytes).map(|_| ())
}

fn file(path: PathBuf) -> biela::Result<()> {
    Document::read(&path, &Options::default())?.model(&Options::default()).map(|_| ())
}

/// A body and a joint, with room for a line more in the joint.
fn joint(more: &str) -> String {
    format!("[bodies.a]\n[joints.O]\ntype = \"revolute\"\nbodies = [\"ground\", \"a\"]\nat = [0, 0, 0]\n{more}\n")
}

type Case = (&'static str, Box<dyn FnOnce() -> biela::Result<()> + Send>);

fn case(name: &'static str, run: impl FnOnce() -> biela::Result<()> + Send + 'static) -> Case {
    (name, Box::new(run))
}

fn cases(folder: &Path) -> Vec<Case> {
    let long = || "x".repeat(LONG);
    let robot = |inside: String| format!("<robot name=\"r\">\n{inside}\n</robot>");
    let huge = folder.join("huge.toml");
    let made = std::fs::File::create(&huge).and_then(|f| f.set_len(65 << 20));
    made.expect("a sparse file");
    let mut cases = vec![
        // Names of 10 MB.
        case("toml_long_key", move || toml(format!("{} = 1\n", long()))),
        case("toml_long_body", move || toml(format!("[bodies.{}]\nmass = -1\n", long()))),
        case("toml_long_type", move || toml(joint("axis = \"z\"").replace("revolute", &long()))),
        case("toml_long_reference", move || toml(joint("axis = \"z\"").replace("\"a\"]", &format!("\"{}\"]", long())))),
        case("toml_long_string", move || toml(format!("[bodies.a]\nmass = \"{}\"\n", long()))),
        case("toml_long_number", move || toml(format!("[bodies.a]\nmass = {}\n", "9".repeat(LONG)))),
        case("toml_long_line", move || toml(format!("[bodies.a] # {}\nmass = -1\n", long()))),
        case("toml_long_escape", move || toml(format!("[bodies.a]\nname = \"{}\"\n", "\\u0041".repeat(LONG / 6)))),
        case("urdf_long_link", move || urdf(robot(format!("<link name=\"{0}\"/><link name=\"{0}\"/>", long())))),
        case("urdf_long_tag", move || urdf(robot(format!("<{}/>", long())))),
        case("urdf_long_number", move || {
            urdf(robot(format!("<link name=\"a\"><inertial><mass value=\"{}\"/></inertial></link>", long())))
        }),
        case("expression_long", move || expression(long())),
        case("csv_long_name", move || results("csv", format!("{}\n1\n2,3\n", long()).as_bytes())),
        case("csv_long_word", move || results("csv", format!("t,x\n0,{}\n", long()).as_bytes())),
        case("obj_long_word", move || mesh::from_bytes("obj", format!("f {} 2 3\n", long()).into(), 1.0).map(|_| ())),
        case("dh_long_word", move || {
            dh::table::read(&Source::new("arm.csv", format!("type,{}\n", long()))).map(|_| ())
        }),
        // Nesting of a hundred thousand.
        case("toml_deep_list", || toml(format!("name = {}", "[".repeat(DEEP)))),
        case("toml_deep_list_closed", || toml(format!("name = {}{}", "[".repeat(DEEP), "]".repeat(DEEP)))),
        case("toml_deep_table", || toml(format!("name = {}", "{a=".repeat(DEEP)))),
        case("toml_deep_key", || toml(format!("{}a = 1\n", "a.".repeat(DEEP)))),
        case("toml_deep_header", || toml(format!("[{}a]\nb = 1\n", "a.".repeat(DEEP)))),
        case("toml_deep_headers", || toml((1..400).map(|n| format!("[{}a]\n", "a.".repeat(n))).collect())),
        case("expression_deep_brackets", || expression("(".repeat(4000) + "1" + &")".repeat(4000))),
        case("expression_deep_powers", || expression("2^".repeat(4000) + "1")),
        case("expression_deep_calls", || expression("sin(".repeat(2000) + "1" + &")".repeat(2000))),
        case("expression_many_terms", || expression("1+(".repeat(3000) + "1" + &")".repeat(3000))),
        case("urdf_deep", move || urdf(robot("<link name=\"a\">".repeat(DEEP)))),
        case("urdf_deep_closed", move || urdf(robot("<a>".repeat(DEEP) + &"</a>".repeat(DEEP)))),
        case("json_deep", || results("json", "[".repeat(DEEP).as_bytes())),
        case("json_deep_object", || results("json", "{\"signals\":".repeat(DEEP).as_bytes())),
        // Very many of one thing.
        case("toml_many_bodies_one_wrong", || {
            toml((0..20_000).map(|k| format!("[bodies.b{k}]\nmass = {}\n", if k == 19_999 { -1 } else { 1 })).collect())
        }),
        case("toml_many_points_one_wrong", || {
            let point = |k: usize| format!("p{k} = [{k}, 0, {}]\n", if k == 99_999 { "\"1 kg\"" } else { "0" });
            toml(format!("[bodies.a]\n[bodies.a.points]\n{}", (0..100_000).map(point).collect::<String>()))
        }),
        case("toml_many_parameters_one_wrong", || {
            let parameter = |k: usize| format!("p{k} = \"{k} mm{}\"\n", if k == 99_999 { " + 1 kg" } else { "" });
            toml(format!("[parameters]\n{}[bodies.a]\n", (0..100_000).map(parameter).collect::<String>()))
        }),
        case("toml_many_of_all_one_wrong", || {
            let all = |k: usize| {
                format!(
                    "[bodies.b{k}]\npoints = {{ P = [0, 0, 0] }}\n\
                     [joints.j{k}]\ntype = \"revolute\"\nbodies = [\"ground\", \"b{k}\"]\nat = [[0, 0, 0], \"P\"]\naxis = \"z\"\n\
                     [couplings.c{k}]\ntype = \"coupling\"\nvalue = \"j{k}.angle - 2*j{}.angle\"\n\
                     [drivers.d{k}]\njoint = \"j{k}\"\nvalue = \"{k} deg\"\n\
                     [forces.f{k}]\ntype = \"joint-torque\"\njoint = \"j{k}\"\nvalue = \"-j{k}.angle{}\"\n",
                    if k == 0 { 1 } else { k - 1 },
                    if k == 9_999 { ".speed" } else { "" }
                )
            };
            toml((0..10_000).map(all).collect())
        }),
        case("toml_parameters_in_a_long_circle", || {
            let circle = (0..20_000).map(|k| format!("p{k} = \"p{}\"\n", (k + 1) % 20_000));
            toml(format!("[parameters]\n{}[bodies.a]\n", circle.collect::<String>()))
        }),
        case("urdf_many_attributes", move || {
            let many: String = (0..50_000).map(|k| format!("a{k}=\"1\" ")).collect();
            urdf(robot(format!("<link {many}/>")))
        }),
        case("csv_many_columns", || results("csv", format!("{}\n1\n", "c,".repeat(1_000_000)).as_bytes())),
        case("thesis_many_bodies", || {
            let page = |text: &str| Source::new("page.txt", text);
            let (general, none) = (page("9999999 1 10"), page(""));
            thesis::read(&thesis::ThesisFiles { general, joints: none.clone(), drivers: none.clone(), q0: none })
                .map(|_| ())
        }),
        case("toml_too_many_steps", || toml(format!("{}[run]\nsteps = 9999999999\n", joint("axis = \"z\"")))),
        // Files that are none.
        case("file_missing", || file("tests/broken/hostile/none.toml".into())),
        case("file_folder", || file("tests/broken/hostile".into())),
        case("file_huge", move || file(huge)),
    ];
    #[cfg(unix)]
    {
        let (pipe, link) = (folder.join("pipe.toml"), folder.join("zero.urdf"));
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.is_ok_and(|s| s.success()), "mkfifo");
        std::os::unix::fs::symlink("/dev/zero", &link).expect("a link");
        cases.push(case("file_pipe", move || file(pipe)));
        cases.push(case("file_endless", || file("/dev/zero".into())));
        cases.push(case("file_link_to_device", move || file(link)));
        cases.push(case("file_terminal", || file("/dev/null".into())));
    }
    cases
}

#[test]
fn hostile_inputs_are_refused_in_good_order() {
    let bless = std::env::var_os("BLESS").is_some();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("hostile-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut wrong = String::new();
    let cases = cases(&folder);
    let names: Vec<&str> = cases.iter().map(|c| c.0).collect();
    for (name, run) in cases {
        let work = move || {
            let before = meter::processor_time();
            let (peak, outcome) = meter::peak(run);
            let time = meter::processor_time().zip(before).map(|(after, before)| after - before);
            (peak, outcome.map_err(|e| e.to_string()), time.unwrap_or_default())
        };
        let worker = std::thread::Builder::new().name(name.into()).stack_size(STACK).spawn(work).expect("a thread");
        let (peak, outcome, time) = worker.join().unwrap_or_else(|_| panic!("{name} panics"));
        println!("{name}: {:.0} ms, {:.1} MB", 1e3 * time.as_secs_f64(), peak as f64 / 1e6);
        let found = match outcome {
            Ok(()) => "it is accepted\n".to_string(),
            Err(message) => message.replace(&folder.display().to_string(), "FOLDER") + "\n",
        };
        let kept = Path::new("tests/broken/hostile").join(format!("{name}.txt"));
        if bless {
            std::fs::write(&kept, &found).expect("messages can be written");
        }
        let wanted = std::fs::read_to_string(&kept).unwrap_or_default().replace("\r\n", "\n");
        if found != wanted || found.contains("is accepted") || found.len() > 4000 {
            wrong += &format!("--- {name}\nwanted:\n{wanted:.2000}found:\n{found:.2000}\n");
        }
        if time > LONGEST || peak > ALLOWANCE + PER_BYTE * LONG {
            wrong += &format!("--- {name} takes {time:?} and {} MB\n", peak >> 20);
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    assert!(wrong.is_empty(), "{wrong}");
    // Messages of cases that are gone are gone too.
    for entry in std::fs::read_dir("tests/broken/hostile").expect("a folder").flatten() {
        let stem = entry.path().file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        assert!(names.contains(&stem.as_str()) || cfg!(not(unix)), "{stem}.txt belongs to no case");
    }
}
