//! `biela view`: the moving picture of a mechanism, as a web page or in other forms.

use super::{view_vary, Command};
use crate::encoder::{Encoder, FilmFormat, FILMS};
use crate::options;
use crate::output::say;
use crate::progress;
use biela::error::{counted, Error, Result};
use biela::linkage::plane;
use biela::picture::export::{self, picture_format, Choice, Pace, PictureFormat, PICTURES};
use biela::picture::page::{html_with, Varied};
use biela::picture::{self, Animation, Film, Look, Scene, View};
use biela::results::{write_atomically, Results};
use biela::solve::manual_pose::or_at_rest;
use biela::solve::outcome::Outcome;
use clap::{value_parser, Arg, ArgAction, ArgMatches};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

pub const COMMAND: Command = Command {
    name: "view",
    about: "Draws the mechanism in motion: one web page that works offline, films, pictures, drawings",
    arguments: |command| {
        let command =
            options::formulation_argument(options::run_arguments(options::draws(options::model_arguments(command))));
        looks(outputs(command))
    },
    run,
};

/// What to write.
fn outputs(command: clap::Command) -> clap::Command {
    let path = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name("FILE").value_parser(value_parser!(PathBuf)).help(help)
    };
    let endings = "Page (.html), film (.gif, .apng, .mp4, .webm), glTF (.glb), picture (.png, .svg) or drawing (.dxf) to write, by its ending; may be repeated; the model's name with .html if nothing is asked for";
    command
        .arg(path("output", endings).short('o').action(ArgAction::Append))
        .arg(path("gltf", "Binary glTF 2.0 with animation, .glb, for other viewers"))
        .arg(path("gif", "Animated GIF of the whole motion"))
        .arg(path("still", "Still picture, .svg or .png, or drawing, .dxf"))
        .arg(
            Arg::new("at")
                .long("at")
                .value_name("SECONDS")
                .value_parser(value_parser!(f64))
                .allow_hyphen_values(true)
                .help("Time of the still picture; the first sample if not given"),
        )
        .arg(
            Arg::new("vary")
                .long("vary")
                .value_name("NAME=FROM..TO:COUNT")
                .action(ArgAction::Append)
                .help("Slider for a parameter in the page, such as 'r = 20 mm..60 mm : 9'; 'none' for no sliders"),
        )
        .arg(
            Arg::new("width")
                .long("width")
                .value_name("PIXELS")
                .value_parser(value_parser!(u32).range(16..=4096))
                .default_value("640")
                .help("Width of pictures"),
        )
        .arg(
            Arg::new("fps")
                .long("fps")
                .value_name("NUMBER")
                .value_parser(frames_a_second)
                .allow_hyphen_values(true)
                .help("Frames a second of a film; 25 if not given"),
        )
        .arg(
            Arg::new("length")
                .long("length")
                .value_name("SECONDS")
                .value_parser(film_length)
                .allow_hyphen_values(true)
                .help("How long a film plays; if not given each sample is a 25th of a second, at most 121 of them"),
        )
}

/// How it looks.
fn looks(command: clap::Command) -> clap::Command {
    let list = |name: &'static str, what: &'static str, missing: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(what).num_args(0..=1).default_missing_value(missing).help(help)
    };
    command
        .arg(list("traces", "POINTS", "all", "Draws paths of points, such as coupler.P,crank.*; of all where none is named"))
        .arg(list("names", "KINDS", "all", "Writes names of bodies, joints, points; of all where no kind is named"))
        .arg(list(
            "arrows",
            "KINDS",
            "velocity",
            "Draws arrows of velocity, acceleration, reaction, effort; of velocity where no kind is named. Points are those of --traces, or all",
        ))
        .arg(
            Arg::new("camera")
                .long("camera")
                .value_name("VIEW")
                .allow_hyphen_values(true)
                .help("Looks from front, top, side, iso, or from AZIMUTH,ELEVATION in degrees; a zoom may follow: iso,1.5"),
        )
        .arg(options::flag("dark", "Light things on a dark ground"))
        .arg(options::flag("no-grid", "Leaves out the grid and its scale"))
}

fn frames_a_second(text: &str) -> std::result::Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|n| (1.0..=240.0).contains(n));
    number.ok_or_else(|| "a film has 1 to 240 frames a second, such as 25".into())
}

fn film_length(text: &str) -> std::result::Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|n| (0.01..=3600.0).contains(n));
    number.ok_or_else(|| "a film plays for 0.01 to 3600 seconds".into())
}

/// A file to write, and how.
struct Output {
    path: PathBuf,
    kind: Kind,
}

enum Kind {
    Picture(&'static PictureFormat),
    Film(Encoder),
}

impl Kind {
    fn is_still(&self) -> bool {
        matches!(self, Kind::Picture(format) if format.still)
    }

    fn is_page(&self) -> bool {
        matches!(self, Kind::Picture(format) if format.extension == "html")
    }

    fn is_film(&self) -> bool {
        matches!(self, Kind::Film(_)) || matches!(self, Kind::Picture(f) if ["gif", "apng"].contains(&f.extension))
    }

    /// Whether it shows marks, and not bodies alone.
    fn has_marks(&self) -> bool {
        !matches!(self, Kind::Picture(format) if format.extension == "glb")
    }
}

fn run(arguments: &ArgMatches) -> Result<()> {
    let mut outputs = asked_for(arguments)?;
    if outputs.is_empty() {
        let page = named_after(&options::file(arguments));
        options::claim(&page);
        outputs.push(Output { kind: Kind::Picture(picture_format(&page, false)?), path: page });
    }
    refuse_idle(arguments, &outputs)?;
    // Words are looked at before the work; points are known with the model.
    let mut look = Look { dark: arguments.get_flag("dark"), grid: !arguments.get_flag("no-grid"), ..Look::default() };
    let word = |name: &str| arguments.get_one::<String>(name).map(String::as_str);
    look.view = word("camera").map(View::parse).transpose()?;
    look.names = word("names").map(Look::names).transpose()?.unwrap_or_default();
    look.arrows = word("arrows").map(Look::arrows).transpose()?.unwrap_or_default();
    let mut model = options::load(arguments)?;
    // Pages of linkages hold what is read off them, to be plotted.
    model.study.every = outputs.iter().any(|o| o.kind.is_page()) && plane(&model).is_some();
    let run = |model| super::run::solve_with_forces(model, arguments);
    let (model, Outcome { results, ended }, loose) = or_at_rest(model, run)?;
    let motion = Animation::new(&model, &results)?;
    let scene = picture::scene(&model, &motion)?;
    if let Some(points) = word("traces") {
        look.traces = Look::traces(&scene, points)?;
    }
    if let Some(fault) = outside(arguments, &results) {
        return Err(match ended {
            Some(ended) => ended.note(fault.0),
            None => fault.1,
        });
    }
    let sample = arguments.get_one::<f64>("at").map_or(0, |t| motion.nearest(*t));
    let width = arguments.get_one::<u32>("width").map_or(640, |w| *w as usize);
    let fps = arguments.get_one::<f64>("fps").copied().unwrap_or(Pace::USUAL);
    let pace = Pace { fps, seconds: arguments.get_one::<f64>("length").copied() };
    let choice = Choice { pace, ..Choice::new(sample, width, &look) };
    // Work that takes a while ends between two frames.
    let films = outputs.iter().any(|o| o.kind.is_film());
    let interrupted = if films { options::interrupted() } else { Default::default() };
    for output in outputs {
        let varied = match output.kind.is_page() {
            true => view_vary::varied(arguments, &model, &scene, &motion)?,
            false => None,
        };
        write(&output, &scene, &motion, (choice, varied), &interrupted)?;
    }
    if let Some(error) = loose {
        say!("note: {}; the page has a slider for each joint coordinate that is free", error.message());
    }
    ended.map_or(Ok(()), Err)
}

/// Writes one of the outputs and says so.
fn write(
    output: &Output,
    scene: &Scene,
    motion: &Animation,
    (choice, varied): (Choice, Option<Varied>),
    interrupted: &AtomicBool,
) -> Result<()> {
    let progress = progress::Shared::new();
    let told = |done: usize, all: usize| {
        progress.tell(|| format!("{done} of {all} frames"));
        !interrupted.load(Ordering::Relaxed)
    };
    let choice = Choice { told: &told, ..choice };
    let bytes = match &output.kind {
        Kind::Picture(_) if output.kind.is_page() => {
            let html = html_with(scene, motion, choice.look, varied.as_ref());
            write_atomically(&output.path, |out| out.write_all(html.as_bytes())).map(|()| html.len())
        }
        Kind::Picture(format) => export::write(&output.path, format, scene, motion, &choice),
        Kind::Film(encoder) => Film::new(scene, motion, &choice).and_then(|film| encoder.write(&output.path, &film)),
    };
    progress.finish();
    let mut samples = counted(motion.len(), "sample");
    if let Some(varied) = &varied {
        samples = format!("{samples}, {}", counted(varied.cases.len(), "motion"));
    }
    say!("wrote {} ({samples}, {} kB)", output.path.display(), bytes?.div_ceil(1000));
    Ok(())
}

/// The outputs that are asked for, with an encoder where one is needed.
fn asked_for(arguments: &ArgMatches) -> Result<Vec<Output>> {
    let mut outputs = Vec::new();
    for path in arguments.get_many::<PathBuf>("output").into_iter().flatten() {
        options::check_folder(path)?;
        outputs.push(Output { kind: kind_of(path)?, path: path.clone() });
    }
    for (option, still, due) in [("gltf", false, Some("glb")), ("gif", false, Some("gif")), ("still", true, None)] {
        if let Some(path) = arguments.get_one::<PathBuf>(option) {
            let format = picture_format(path, still)?;
            if let Some(due) = due.filter(|due| format.extension != *due) {
                return Err(Error::new(format!("--{option} writes a .{due} file, not '{}'", path.display()))
                    .note(format!("-o {} writes by the ending", path.display())));
            }
            options::check_folder(path)?;
            outputs.push(Output { path: path.clone(), kind: Kind::Picture(format) });
        }
    }
    Ok(outputs)
}

/// How a file of that name is written.
fn kind_of(path: &Path) -> Result<Kind> {
    let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
    if let Some(format) = PICTURES.iter().find(|f| f.extension == ending) {
        return Ok(Kind::Picture(format));
    }
    if let Some(format) = FILMS.iter().find(|f: &&FilmFormat| f.extension == ending) {
        return Encoder::find(format).map(Kind::Film);
    }
    let known = PICTURES.iter().map(|f| f.extension).chain(FILMS.iter().map(|f| f.extension));
    Err(Error::new(format!("'{}': no picture ends in '.{ending}'", path.display())).suggest(&ending, known))
}

/// Options that none of the outputs heeds.
fn refuse_idle(arguments: &ArgMatches, outputs: &[Output]) -> Result<()> {
    let given = |name: &str| arguments.value_source(name) == Some(clap::parser::ValueSource::CommandLine);
    let any = |fits: fn(&Kind) -> bool| outputs.iter().any(|o| fits(&o.kind));
    if given("at") && !any(Kind::is_still) {
        return Err(
            Error::new("--at is the time of a still picture, and none is asked for").note("add --still FILE.png")
        );
    }
    if let Some(option) = ["fps", "length"].into_iter().find(|o| given(o) && !any(Kind::is_film)) {
        return Err(Error::new(format!("--{option} is for films, and none is asked for"))
            .note("add -o FILE.gif, .apng, .mp4 or .webm"));
    }
    let marks = ["traces", "names", "arrows", "camera", "dark", "no-grid"];
    if let Some(option) = marks.into_iter().find(|o| given(o) && !any(Kind::has_marks)) {
        return Err(Error::new(format!("--{option} is for pictures, and a .glb file holds bodies alone"))
            .note("add -o FILE.html, .gif or .png"));
    }
    Ok(())
}

/// What is wrong with a time of a still picture that lies outside of the motion: for a run that ended early, and for one that did not.
fn outside(arguments: &ArgMatches, results: &Results) -> Option<(String, Error)> {
    let (t, times) = (arguments.get_one::<f64>("at")?, results.times());
    let (first, last) = (times.first()?, times.last()?);
    // Times are sums of rounded steps.
    let slack = 1e-9 * (last - first);
    if (first - slack..=last + slack).contains(t) {
        return None;
    }
    let error = Error::new(format!("the motion runs from t = {first} s to {last} s; {t} s lies outside"))
        .of("--at")
        .note("choose a time within the motion, or a longer one with --end");
    Some((format!("--at {t} s lies outside of what was reached, t = {first} s to {last} s"), error))
}

/// `models/crank.toml` gives `crank.html` in the present folder.
fn named_after(file: &Path) -> PathBuf {
    let stem = file.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_else(|| "view".into());
    PathBuf::from(format!("{stem}.html"))
}
