//! What is done with an input, and what must hold of the answer.

use super::watch::Verdict;
use biela::error::Error;
use biela::expr::{Enclosed, Expression, Found, Name, Scope, FUNCTIONS};
use biela::math::{Interval, Jet, Series};
use biela::results::rows::{Header, Rows};
use biela::results::{Column, Results, FORMATS};
use biela::solve::ik::Task;
use biela::solve::newton::METHODS;
use biela::solve::{check, run};
use biela::source::Source;
use biela::text::{adams, dh, mesh, mjcf, sdf, thesis, urdf, Asked, Document, Imported, Options};
use biela::units::UNITS;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A file of the corpus.
pub fn corpus(name: &str) -> Vec<u8> {
    std::fs::read(Path::new("tests/corpus").join(name)).expect("a file of the corpus")
}

/// The lines of a file.
pub fn lines(path: &str) -> Vec<Vec<u8>> {
    std::fs::read_to_string(path).expect("a file").lines().map(|l| l.as_bytes().to_vec()).collect()
}

/// Files of a folder with that ending, in the order of their names.
pub fn files(folder: &str, ending: &str) -> Vec<Vec<u8>> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|e| e.expect("an entry").path());
    let mut paths: Vec<PathBuf> = entries.filter(|p| p.extension().is_some_and(|e| e == ending)).collect();
    paths.sort();
    paths.iter().map(|p| std::fs::read(p).expect("a file")).collect()
}

/// The words of a list.
pub fn words(list: &str) -> Vec<String> {
    list.split_whitespace().map(str::to_string).collect()
}

/// Words of models: keys, and all that is registered.
pub fn model_words() -> Vec<String> {
    let keys = "name about gravity parameters bodies joints couplings drivers forces events rotors initial sweep run arm \
                mass com inertia points pose at axis axis2 x zero type length value pitch limits lower upper velocity \
                effort ratio offset radius profile joint coordinate point along body orientation table law from to \
                start end steps step method tolerance analysis formulation shape size density scale file angle rpy \
                euler unphysical ground stiffness damping frame dynamics kinematics statics inverse-dynamics modes \
                state-space rk4 rk45 alpha absolute natural relative homogeneous singular pass damp signals verify outputs";
    let joints = biela::joints::JOINTS.iter().map(|j| j.keyword().to_string());
    let couplings = biela::couplings::COUPLINGS.iter().map(|c| c.keyword().to_string());
    let loads = biela::loads::LOADS.iter().map(|l| l.keyword().to_string());
    let laws = biela::motion::LAWS.iter().map(|l| l.keyword.to_string());
    let functions = FUNCTIONS.iter().map(|f| f.name.to_string());
    words(keys).into_iter().chain(joints).chain(couplings).chain(loads).chain(laws).chain(functions).collect()
}

/// Where the four texts of the thesis are told apart.
const PAGE: &str = "\n=====\n";

/// The four texts of a folder, as one input.
pub fn four_files(folder: &str) -> Vec<u8> {
    let names = ["general.txt", "joints.txt", "drivers.txt", "q0.txt"];
    let texts = names.map(|name| std::fs::read_to_string(Path::new(folder).join(name)).expect("a file"));
    texts.join(PAGE).into_bytes()
}

/// A verdict on an error: what it says is some text without end, and names a place.
fn refused(error: &Error, placed: bool) -> Verdict {
    /// Lines and letters beyond which nobody reads.
    const LONGEST: usize = 20_000;
    let text = error.to_string();
    if error.message().is_empty() || text.len() > LONGEST {
        return Verdict::Wrong(format!("a message of {} bytes: {:.300}", text.len(), text));
    }
    // A message is for terminals: nothing of the input may move their cursor.
    if text.chars().any(|c| c.is_control() && c != '\n') {
        return Verdict::Wrong(format!("a message with control characters: {text:?}"));
    }
    match placed {
        true => Verdict::Refused,
        false => Verdict::Wrong(format!("a message without a place: {text}")),
    }
}

/// Whether an error points at a line of its text, by a span or in words.
fn has_line(error: &Error) -> bool {
    let in_words = |text: &str| text.contains("line ") || text.contains("column ");
    error.span().is_some() || in_words(error.message()) || error.element().is_some_and(in_words)
}

fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Names and what they stand for.
struct Named(Vec<(&'static str, Name)>);

impl Scope for Named {
    fn lookup(&self, name: &str) -> Option<Name> {
        self.0.as_slice().lookup(name)
    }
    fn names(&self) -> Vec<String> {
        self.0.as_slice().names()
    }
}

pub fn expression(bytes: &[u8]) -> Verdict {
    let text = text_of(bytes);
    let scope = [
        ("t", Name::Variable(0)),
        ("O.angle", Name::Variable(1)),
        ("O.angle.rate", Name::Variable(2)),
        ("crank", Name::Constant(2.0, biela::units::Kind::Pure)),
        ("omega", Name::Constant(6.5, biela::units::Kind::Pure)),
        ("a-b-c", Name::Constant(1.5, biela::units::Kind::Pure)),
    ];
    match Expression::parse(&text, &scope) {
        Ok(found) => {
            // Names that units have change nothing in it.
            let mut names = Named(scope.to_vec());
            names.0.extend(UNITS.iter().map(|u| (u.name, Name::Constant(0.37, biela::units::Kind::Any))));
            let env = [0.5, 0.3, -2.0];
            match Expression::parse(&text, &names) {
                Ok(same) if same.eval(&env).to_bits() == found.eval(&env).to_bits() => {}
                other => return Verdict::Wrong(format!("parameters called like units make it {other:?}")),
            }
            for t in [0.0, 0.5, -1.0, 1e300, f64::NAN, f64::INFINITY, 5e-324] {
                let value = found.eval(&[t, 0.3, -2.0]);
                let jet = found.jet(&[Jet::variable(t), Jet::constant(0.3), Jet::constant(-2.0)]);
                if value != jet.v && !(value.is_nan() && jet.v.is_nan()) {
                    return Verdict::Wrong(format!("value {value:e} beside {:e} of the jet at t = {t:e}", jet.v));
                }
            }
            enclosed(&found).map_or(Verdict::Taken, Verdict::Wrong)
        }
        Err(error) => {
            let span = &error.range;
            let inside = span.start <= span.end && span.end <= text.len();
            match inside && text.is_char_boundary(span.start) && !error.message.is_empty() {
                true => Verdict::Refused,
                false => Verdict::Wrong(format!("an error at {span:?}: {}", error.message)),
            }
        }
    }
}

/// What is wrong with the enclosure of an expression over an interval of time, or with the breaks found in it.
fn enclosed(expression: &Expression) -> Option<String> {
    for switch in expression.switches() {
        if let Found::At(found) = switch.first(0.0, 10.0, 1e-14) {
            if !(found.before <= found.after && found.after > 0.0 && found.before < 10.0) {
                return Some(format!("a break {found:?} out of bounds"));
            }
        }
    }
    // Comparisons with what is no number are false, which no enclosure tells.
    const JUDGES: [&str; 8] = ["<", ">", "=", "if", "sign", "step", "min", "max"];
    if JUDGES.iter().any(|word| expression.text().contains(word)) {
        return None;
    }
    /// Roundings of a derivative, against its size or one.
    const ROUNDING: f64 = 1e-6;
    for (from, to) in [(0.25, 0.25), (0.25, 0.3125), (-1.0, 3.0), (2.5, 3.5)] {
        let still = |x: f64| Enclosed { middle: x, series: Series::<3>::constant(x), settled: false };
        let series = Series::line(Interval::between(from, to), 1.0);
        let time = Enclosed { middle: 0.5 * (from + to), series, settled: false };
        let [value, rate, _] = expression.enclosed(&[time, still(0.3), still(-2.0)]).0;
        for k in 0..=8 {
            let t = from + (to - from) * f64::from(k) / 8.0;
            let jet = expression.jet(&[Jet::variable(t), Jet::constant(0.3), Jet::constant(-2.0)]);
            if jet.v.is_finite() && !(value.low <= jet.v && jet.v <= value.high) {
                return Some(format!("value {:e} at t = {t} outside of {value:?}", jet.v));
            }
            let slack = ROUNDING * jet.d.abs().max(1.0);
            if jet.d.is_finite() && !(rate.low - slack <= jet.d && jet.d <= rate.high + slack) {
                return Some(format!("rate {:e} at t = {t} outside of {rate:?}", jet.d));
            }
        }
    }
    None
}

/// Messages about a model as a whole, which have no line: what is missing stands nowhere.
const WHOLE: &[&str] = &["the model is empty", "the model has no bodies", "the table of states is empty"];

fn is_whole(error: &Error) -> bool {
    WHOLE.iter().any(|w| error.message().contains(w))
}

fn compiled(document: &Document) -> Verdict {
    match document.compile(&Options::default()) {
        Ok(_) => Verdict::Taken,
        Err(error) => refused(&error, is_whole(&error) || has_line(&error)),
    }
}

pub fn toml(bytes: &[u8]) -> Verdict {
    let source = Source::new("fuzz.toml", text_of(bytes));
    let document = match Document::from_toml(&source) {
        Ok(document) => document,
        Err(error) => return refused(&error, has_line(&error)),
    };
    // What was read is written so that it reads the same.
    let written = document.to_toml();
    match Document::from_toml(&Source::new("again.toml", written.as_str())) {
        Ok(again) if again.to_toml() == written => {}
        Ok(_) => return Verdict::Wrong(format!("written anew it reads differently:\n{written}")),
        Err(error) => return Verdict::Wrong(format!("written anew it is refused: {error}\n{written}")),
    }
    let mut document = document;
    document.folder = PathBuf::from("tests/models");
    compiled(&document)
}

fn imported(found: biela::Result<Imported>) -> Verdict {
    match found {
        Ok(Imported { tree, warnings }) => compiled(&Document::from_tree(tree, warnings)),
        Err(error) => refused(&error, has_line(&error)),
    }
}

pub fn adams(bytes: &[u8]) -> Verdict {
    imported(adams::read(&Source::new("deck.adm", text_of(bytes)), bytes.len() % 2 == 0))
}

/// The command file of a deck with one pendulum.
pub fn adams_commands(bytes: &[u8]) -> Verdict {
    const DECK: &str = "m\nPART/1,GROUND\nMARKER/1\nPART/2,MASS=1,CM=3,IP=1,1,1\nMARKER/2\nMARKER/3,QP=1,0,0\nJOINT/1,REV,I=2,J=1\nEND\n";
    let commands = Source::new("deck.acf", text_of(bytes));
    imported(adams::read_with(&Source::new("deck.adm", DECK), Some(&commands), bytes.len() % 2 == 0))
}

/// Every other text is read strictly.
fn strict(bytes: &[u8]) -> Options {
    Options { strict: bytes.len() % 2 == 0, ..Options::default() }
}

pub fn mjcf(bytes: &[u8]) -> Verdict {
    let folder = Path::new("tests/data/mjcf");
    imported(mjcf::read(&Source::new("model.xml", text_of(bytes)), folder, &strict(bytes)))
}

pub fn sdf(bytes: &[u8]) -> Verdict {
    let folder = Path::new("tests/data/sdf");
    imported(sdf::read(&Source::new("model.sdf", text_of(bytes)), folder, &strict(bytes)))
}

pub fn urdf(bytes: &[u8]) -> Verdict {
    let even = bytes.len() % 2 == 0;
    let options = urdf::Options { strict: even, free_base: bytes.len() % 3 == 0, ..urdf::Options::default() };
    imported(urdf::read(&Source::new("robot.urdf", text_of(bytes)), &options))
}

/// Closures of loops in YAML, for a robot that is in order.
pub fn closures(bytes: &[u8]) -> Verdict {
    let robot = Source::new("robot.urdf", CLOSED);
    let closures = Source::new("robot.yaml", text_of(bytes));
    imported(urdf::read_with(&robot, Some(&closures), &urdf::Options::default()))
}

/// Two links on the ground, and a frame at the end of each.
const CLOSED: &str = r#"<robot name="r"><link name="base"/><link name="a"/><link name="b"/><link name="ea"/><link name="eb"/>
<joint name="ja" type="continuous"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/></joint>
<joint name="jb" type="continuous"><parent link="base"/><child link="b"/><origin xyz="1 0 0"/><axis xyz="0 0 1"/></joint>
<joint name="fa" type="fixed"><parent link="a"/><child link="ea"/><origin xyz="0.5 0 0"/></joint>
<joint name="fb" type="fixed"><parent link="b"/><child link="eb"/><origin xyz="-0.5 0 0"/></joint></robot>"#;

pub fn thesis(bytes: &[u8]) -> Verdict {
    let text = text_of(bytes);
    let mut pages = text.split(PAGE).map(|page| Source::new("page.txt", page));
    let mut page = || pages.next().unwrap_or_else(|| Source::new("page.txt", ""));
    let files = thesis::ThesisFiles { general: page(), joints: page(), drivers: page(), q0: page() };
    imported(thesis::read(&files))
}

pub fn dh(bytes: &[u8]) -> Verdict {
    imported(dh::table::read(&Source::new("arm.csv", text_of(bytes))))
}

pub fn mesh(bytes: &[u8]) -> Verdict {
    let ending = match bytes {
        [b'<', ..] => "dae",
        [b'v' | b'm', ..] => "obj",
        _ if bytes.len() % 7 == 0 => "obj",
        [4, 0, 0, 0, ..] => "msh",
        _ => "stl",
    };
    match mesh::from_bytes(ending, bytes.to_vec(), 1.0) {
        Ok(found) => {
            let inside = found.triangles.iter().flatten().all(|k| (*k as usize) < found.points.len());
            let finite = found.points.iter().all(|p| p.is_finite());
            match inside && finite {
                true => Verdict::Taken,
                false => Verdict::Wrong("corners that are not there".into()),
            }
        }
        // Whole files may be wrong: without triangles, not of the length they tell.
        Err(error) => refused(&error, true),
    }
}

fn small_results() -> Results {
    let column = |name: &str, unit, data: &[f64]| Column::new(name, unit, data.to_vec());
    Results {
        columns: vec![
            column("t", "s", &[0.0, 0.5, 1.0]),
            column("crank.x", "m", &[1.0, -2.5e-300, 3.0]),
            column("O.angle", "rad", &[0.1, 1e10, f64::NAN]),
        ],
        notes: vec![("model".into(), "small".into())],
        ..Results::default()
    }
}

/// A small table in every format that is read back.
pub fn results() -> Vec<Vec<u8>> {
    let readable = FORMATS.iter().filter(|f| f.read.is_some());
    let written = readable.map(|f| {
        let mut bytes = Vec::new();
        (f.write)(&small_results(), &mut bytes).expect("written");
        bytes
    });
    written.collect()
}

pub fn tables(bytes: &[u8]) -> Verdict {
    let ending = match bytes {
        [b'P', b'K', ..] => "npz",
        [b'{', ..] => "json",
        _ => "csv",
    };
    let Some(read) = FORMATS.iter().find(|f| f.extension == ending).and_then(|f| f.read) else {
        return Verdict::Wrong("no reader".into());
    };
    match read(bytes).and_then(|found| found.check().map(|()| found)) {
        Ok(found) => {
            // What was read can be written and read again, to the last bit.
            let mut again = Vec::new();
            if let Err(error) = (FORMATS[0].write)(&found, &mut again) {
                return Verdict::Wrong(format!("cannot be written: {error}"));
            }
            match FORMATS[0].read.map(|read| read(&again)) {
                Some(Ok(same)) if same_columns(&same, &found) => Verdict::Taken,
                Some(Err(error)) => Verdict::Wrong(format!("written as CSV it is refused: {error}")),
                _ => Verdict::Wrong("written as CSV it reads differently".into()),
            }
        }
        // A table without rows or columns that fit names the signal.
        Err(error) => refused(&error, ending != "csv" || has_line(&error) || error.element().is_some()),
    }
}

fn same_columns(a: &Results, b: &Results) -> bool {
    let same = |x: &f64, y: &f64| x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan();
    a.columns.len() == b.columns.len()
        && a.columns.iter().zip(&b.columns).all(|(x, y)| {
            x.name == y.name && x.data.len() == y.data.len() && x.data.iter().zip(&y.data).all(|(x, y)| same(x, y))
        })
}

thread_local! {
    /// A folder of this thread, for inputs that must be files.
    static FOLDER: RefCell<Option<PathBuf>> = const { RefCell::new(None) };
}

/// Puts an input into a file of its own folder.
fn in_file(name: &str, bytes: &[u8]) -> PathBuf {
    FOLDER.with(|folder| {
        let mut folder = folder.borrow_mut();
        let folder = folder.get_or_insert_with(|| {
            let thread = std::thread::current().name().unwrap_or("fuzz").replace(' ', "-");
            let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(thread);
            std::fs::create_dir_all(&path).expect("a folder");
            path
        });
        let path = folder.join(name);
        std::fs::write(&path, bytes).expect("a file");
        path
    })
}

pub fn law(bytes: &[u8]) -> Verdict {
    let path = in_file("law.csv", bytes);
    let text =
        "[bodies.a]\n[joints.O]\ntype = \"revolute\"\nbodies = [\"ground\", \"a\"]\nat = [0, 0, 0]\naxis = \"z\"\n\
                [drivers.m]\njoint = \"O\"\nvalue = { table = \"law.csv\" }\n";
    let Ok(mut document) = Document::from_toml(&Source::new("m.toml", text)) else {
        return Verdict::Wrong("the model itself".into());
    };
    document.folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
    compiled(&document)
}

fn arm() -> &'static biela::model::Model {
    static ARM: OnceLock<biela::model::Model> = OnceLock::new();
    ARM.get_or_init(|| {
        let options = Options { gravity: Some([0.0, 0.0, -9.81]), ..Options::default() };
        let path = Path::new("../../models/arm-3r.toml");
        let mut model = Document::read(path, &options).and_then(|d| d.model(&options)).expect("a model");
        let inertia = biela::model::MassProperties {
            mass: 1.0,
            com: biela::math::Vec3::new(0.1, 0.0, 0.0),
            inertia: biela::math::Inertia::diagonal([0.1; 3]),
        };
        model.change_mechanism(|m| m.bodies.iter_mut().skip(1).for_each(|b| b.mass = Some(inertia)));
        model
    })
}

pub fn states(bytes: &[u8]) -> Verdict {
    match biela::tree::evaluate::evaluate(arm(), &["fk", "jacobian", "rnea", "crba", "aba"], &text_of(bytes)) {
        Ok(_) => Verdict::Taken,
        Err(error) => {
            let state = error.notes().iter().any(|n| n.contains("in state"));
            refused(&error, has_line(&error) || state || is_whole(&error))
        }
    }
}

pub fn path(bytes: &[u8]) -> Verdict {
    let Some(read) = FORMATS[0].read else { return Verdict::Wrong("no reader".into()) };
    let table = read(bytes).and_then(|table| table.check().map(|()| table));
    match table.and_then(|table| Task::by_table(arm(), "forearm", &table)) {
        Ok(_) => Verdict::Taken,
        Err(error) => refused(&error, true),
    }
}

fn crank() -> &'static Document {
    static CRANK: OnceLock<Document> = OnceLock::new();
    let path = Path::new("../../models/slider-crank.toml");
    CRANK.get_or_init(|| Document::read(path, &Options::default()).expect("a model"))
}

/// The same with a parameter for every unit.
fn crank_with_units() -> &'static Document {
    static CRANK: OnceLock<Document> = OnceLock::new();
    CRANK.get_or_init(|| {
        let text = std::fs::read_to_string("../../models/slider-crank.toml").expect("a model");
        let more: String = UNITS.iter().map(|u| format!("{} = 0.37\n", u.name)).collect();
        let at =
            text.find("[parameters]").and_then(|k| text[k..].find('\n').map(|end| k + end + 1)).expect("parameters");
        let text = format!("{}{more}{}", &text[..at], &text[at..]);
        Document::from_toml(&Source::new("units.toml", text)).expect("a model")
    })
}

pub fn plan(bytes: &[u8]) -> Verdict {
    let mut asked = Asked::default();
    // Three lines of the text make a plan.
    let text = text_of(bytes);
    let lines: Vec<&str> = text.lines().collect();
    for k in 0..3 {
        let line = lines.get((bytes.len() * 7 + k * 5) % lines.len().max(1)).copied().unwrap_or("");
        let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
        let pair = || rest.split_once('=').map(|(a, b)| (a.trim().to_string(), b.trim().to_string()));
        match key {
            "vary" => asked.vary.extend(pair()),
            "measure" => asked.measure.extend(pair()),
            "series" => asked.series.push(rest.into()),
            "sampling" => asked.sampling = Some(rest.into()),
            "samples" => asked.samples = rest.parse().ok(),
            _ => asked.seed = rest.parse().ok(),
        }
    }
    match crank().plan(&Options::default(), &asked) {
        Ok(plan) => {
            // Parameters called like units change nothing in it.
            let same = match crank_with_units().plan(&Options::default(), &asked) {
                Ok(same) => same,
                // A measure has no parameter's name.
                Err(error) if error.message().contains("the name is that of a parameter") => return Verdict::Taken,
                Err(error) => return Verdict::Wrong(format!("parameters called like units make it an error: {error}")),
            };
            let mut values = Vec::new();
            let mut others = Vec::new();
            for sample in [0, 1, plan.samples / 2, plan.samples.saturating_sub(1)] {
                values.clear();
                others.clear();
                plan.values(sample, &mut values);
                same.values(sample, &mut others);
                if !values.iter().map(|x| x.to_bits()).eq(others.iter().map(|x| x.to_bits())) {
                    return Verdict::Wrong(format!("parameters called like units make {others:?} of {values:?}"));
                }
                if values.iter().any(|x| !x.is_finite()) {
                    return Verdict::Wrong(format!("sample {sample} is {values:?}"));
                }
            }
            Verdict::Taken
        }
        Err(error) => refused(&error, true),
    }
}

/// Parameters and drivers given beside a model.
pub fn options(bytes: &[u8]) -> Verdict {
    let mut options = Options::default();
    for line in text_of(bytes).lines() {
        let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
        let Some((name, value)) = rest.split_once('=') else { continue };
        let pair = (name.trim().to_string(), value.trim().to_string());
        match key {
            "set" => options.set.push(pair),
            _ => options.drive.push(pair),
        }
    }
    match crank().compile(&options) {
        Ok(_) => Verdict::Taken,
        // An option stands on the command line, which has no lines.
        Err(error) => refused(&error, has_line(&error) || error.to_string().starts_with("--")),
    }
}

/// A part of a sweep, as bytes of its file.
pub fn parts() -> Vec<Vec<u8>> {
    let header = Header {
        columns: vec![("crank".into(), "m".into()), ("reach".into(), "m".into())],
        notes: vec![("fingerprint".into(), "f".into())],
    };
    let mut rows = Rows::new(2);
    for k in 0..20 {
        rows.push(k, [0.1 * k as f64, 1.0], if k == 3 { "the loops no longer close" } else { "" });
    }
    let mut bytes = Vec::new();
    rows.write_parquet(&header, &mut bytes).expect("written");
    vec![bytes]
}

pub fn part(bytes: &[u8]) -> Verdict {
    match Rows::read_parquet(&in_file("part.parquet", bytes)) {
        Ok((_, rows)) => {
            let whole = rows.columns.iter().all(|c| c.len() == rows.len());
            if whole {
                Verdict::Taken
            } else {
                Verdict::Wrong("columns of different lengths".into())
            }
        }
        Err(error) => refused(&error, true),
    }
}

/// Compiled, checked, and moved by one step, in a formulation that the length of the text chooses.
pub fn step(bytes: &[u8]) -> Verdict {
    let source = Source::new("fuzz.toml", text_of(bytes));
    let Ok(mut document) = Document::from_toml(&source) else { return Verdict::Refused };
    document.folder = PathBuf::from("tests/models");
    let Ok(mut model) = document.model(&Options::default()) else { return Verdict::Refused };
    let formulation = ["absolute", "natural", "relative"][bytes.len() % 3];
    let report = match check::check(&model, formulation) {
        Ok(report) => report,
        Err(error) => return refused(&error, names_something(&error)),
    };
    let json = report.json().to_string();
    if json.is_empty() || report.text().is_empty() {
        return Verdict::Wrong("an empty report".into());
    }
    let span = (model.study.end - model.study.start) / model.study.steps as f64;
    model.study.steps = 1;
    model.study.end = model.study.start + span;
    match run::run(&model, formulation, METHODS[0], |_, _| true) {
        Ok(results) => {
            if let Err(error) = results.check() {
                return Verdict::Wrong(format!("results that are not in order: {error}"));
            }
            let residual = results.get("residual").map_or(0.0, |c| c.data.iter().fold(0.0f64, |m, x| m.max(*x)));
            let told = ["distance", "singularity"];
            let finite = |c: &Column| told.contains(&c.name.as_str()) || c.data.iter().all(|x| x.is_finite());
            match results.columns.iter().find(|c| !finite(c)) {
                Some(column) => Verdict::Wrong(format!("signal '{}' is not finite", column.name)),
                None if residual > 1e-9 => Verdict::Wrong(format!("residual {residual:e}")),
                None => Verdict::Taken,
            }
        }
        Err(error) => refused(&error, names_something(&error)),
    }
}

/// Whether the message names an element of the mechanism, a place in the text, or a time.
fn names_something(error: &Error) -> bool {
    error.span().is_some() || error.element().is_some() || error.to_string().contains('\'')
}
