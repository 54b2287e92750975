//! `biela view`: the moving picture of a mechanism, as a web page or in other forms.

use super::{view_vary, Command};
use crate::options;
use crate::output::say;
use biela::error::{counted, Error, Result};
use biela::linkage::plane;
use biela::picture::export::{self, picture_format, Choice, PictureFormat};
use biela::picture::page::html_varied;
use biela::picture::{self, Animation};
use biela::results::write_atomically;
use biela::solve::manual_pose::or_at_rest;
use biela::solve::outcome::Outcome;
use clap::{value_parser, Arg, ArgAction, ArgMatches};
use std::path::{Path, PathBuf};

pub const COMMAND: Command =
    Command {
        name: "view",
        about: "Draws the mechanism in motion: one web page that works offline",
        arguments: |command| {
            let path = |name: &'static str, help: &'static str| {
                Arg::new(name).long(name).value_name("FILE").value_parser(value_parser!(PathBuf)).help(help)
            };
            options::formulation_argument(options::run_arguments(options::model_arguments(command)))
                .arg(path("output", "Page to write, .html; the model's name if nothing else is asked for").short('o'))
                .arg(path("gltf", "Binary glTF 2.0 with animation, .glb, for other viewers"))
                .arg(path("gif", "Animated GIF of the whole motion"))
                .arg(path("still", "Still picture, .svg or .png"))
                .arg(
                    Arg::new("at")
                        .long("at")
                        .value_name("SECONDS")
                        .value_parser(value_parser!(f64))
                        .allow_hyphen_values(true)
                        .help("Time of the still picture; the first sample if not given"),
                )
                .arg(
                    Arg::new("vary").long("vary").value_name("NAME=FROM..TO:COUNT").action(ArgAction::Append).help(
                        "Slider for a parameter in the page, such as 'r = 20 mm..60 mm : 9'; 'none' for no sliders",
                    ),
                )
                .arg(
                    Arg::new("width")
                        .long("width")
                        .value_name("PIXELS")
                        .value_parser(value_parser!(u32).range(16..=4096))
                        .default_value("640")
                        .help("Width of pictures"),
                )
        },
        run,
    };

fn run(arguments: &ArgMatches) -> Result<()> {
    let mut outputs: Vec<(PathBuf, &PictureFormat)> = Vec::new();
    for (option, still) in [("output", false), ("gltf", false), ("gif", false), ("still", true)] {
        if let Some(path) = arguments.get_one::<PathBuf>(option) {
            let format = picture_format(path, still)?;
            let due =
                [("gltf", "glb"), ("gif", "gif")].iter().find(|d| d.0 == option).map_or(format.extension, |d| d.1);
            if format.extension != due {
                return Err(Error::new(format!("--{option} writes a .{due} file, not '{}'", path.display())));
            }
            options::check_folder(path)?;
            outputs.push((path.clone(), format));
        }
    }
    if outputs.is_empty() {
        let page = named_after(&options::file(arguments));
        let format = picture_format(&page, false)?;
        options::claim(&page);
        outputs.push((page, format));
    }
    if arguments.contains_id("at") && !outputs.iter().any(|(_, format)| format.still) {
        return Err(
            Error::new("--at is the time of a still picture, and none is asked for").note("add --still FILE.png")
        );
    }
    let mut model = options::load(arguments)?;
    // Pages of linkages hold what is read off them, to be plotted.
    model.study.every = outputs.iter().any(|(_, format)| format.extension == "html") && plane(&model).is_some();
    let run = |model| super::run::solve_with_forces(model, arguments);
    let (model, Outcome { results, ended }, loose) = or_at_rest(model, run)?;
    let motion = Animation::new(&model, &results)?;
    let scene = picture::scene(&model, &motion)?;
    if let (Some(t), Some(first), Some(last)) =
        (arguments.get_one::<f64>("at"), results.times().first(), results.times().last())
    {
        // Times are sums of rounded steps.
        let slack = 1e-9 * (last - first);
        if !(first - slack..=last + slack).contains(t) {
            if let Some(ended) = ended {
                return Err(
                    ended.note(format!("--at {t} s lies outside of what was reached, t = {first} s to {last} s"))
                );
            }
            return Err(Error::new(format!("the motion runs from t = {first} s to {last} s; {t} s lies outside"))
                .of("--at")
                .note("choose a time within the motion, or a longer one with --end"));
        }
    }
    let sample = arguments.get_one::<f64>("at").map_or(0, |t| motion.nearest(*t));
    let width = arguments.get_one::<u32>("width").map_or(640, |w| *w as usize);
    for (path, format) in outputs {
        let mut samples = counted(motion.len(), "sample");
        let bytes = match format.extension {
            "html" => {
                let varied = view_vary::varied(arguments, &model, &scene, &motion)?;
                if let Some(varied) = &varied {
                    samples = format!("{samples}, {}", counted(varied.cases.len(), "motion"));
                }
                let html = html_varied(&scene, &motion, varied.as_ref());
                write_atomically(&path, |out| out.write_all(html.as_bytes()))?;
                html.len()
            }
            _ => export::write(&path, format, &scene, &motion, Choice { sample, width })?,
        };
        say!("wrote {} ({samples}, {} kB)", path.display(), bytes.div_ceil(1000));
    }
    if let Some(error) = loose {
        say!("note: {}; the page has a slider for each", error.message());
    }
    ended.map_or(Ok(()), Err)
}

/// `models/crank.toml` gives `crank.html` in the present folder.
fn named_after(file: &Path) -> PathBuf {
    let stem = file.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_else(|| "view".into());
    PathBuf::from(format!("{stem}.html"))
}
