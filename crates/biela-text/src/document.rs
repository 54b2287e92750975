//! A model file: read by its format into a tree, compiled into a [`Model`], written as TOML.

use super::context::{Context, Options};
use super::couplings::{all_coordinates, coordinate_name};
use super::files::{read_foreign_text, read_own_text, LARGEST_FILE};
use super::foreign::{root_tag, swept};
use super::optimise::{self, AskedGoal};
use super::parameters::Parameters;
use super::reader::Reader;
use super::sweep::{self, Asked};
use super::synthesise;
use super::thesis::{self, ThesisFiles};
use super::tree::{Node, Table, Value};
use super::values::{self, describe, wrong};
use super::{
    adams, bodies, contacts, couplings, dh, drive, drivers, events, joints, loads, mjcf, names, repeat, rotors, run,
    sdf, shown_units, signals, toml, urdf, write_toml, Imported,
};
use biela_base::display_units::DisplayUnits;
use biela_base::error::{Error, Reason, Result};
use biela_base::registry::Added;
use biela_base::sorting::sort_by_key;
use biela_base::source::{visible, Source};
use biela_base::units::{Dimension, Kind};
use biela_core::blueprint::{Blueprint, Quantity, Vector};
use biela_core::model::{Mechanism, Model, Space, Study};
use biela_core::plan::{Goal, Plan};
use biela_core::synthesis::Synthesis;
use biela_results::read_if_any;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A text format of models.
#[derive(Debug)]
pub struct Format {
    /// What people call it.
    pub name: &'static str,
    /// File name endings, without the dot, in lower case.
    pub extensions: &'static [&'static str],
    /// Whether a text looks like this format, asked where the ending says nothing.
    pub recognises: fn(&str) -> bool,
    /// Reads a text. The folder is where files that it names are looked for.
    pub read: fn(&Arc<Source>, &Path, &Options) -> Result<Document>,
}

/// Every format read from a single file. The last one takes what no other recognises. (The thesis's four files stand in
/// a folder of their own: see [`ThesisFiles`].)
pub static FORMATS: &[Format] = &[
    Format {
        name: "URDF",
        extensions: &["urdf", "xml", "xacro"],
        recognises: |text| root_tag(text) == Some("robot"),
        read: |source, folder, options| {
            let urdf = urdf::Options {
                strict: options.strict,
                free_base: options.free_base,
                folder: Some(folder.to_path_buf()),
                confined: options.confined,
            };
            urdf::read(source, &urdf).map(|imported| Document::foreign(source, imported))
        },
    },
    Format {
        name: "MJCF",
        extensions: &["mjcf", "xml"],
        recognises: |text| root_tag(text).is_some_and(|tag| tag.starts_with("mujoco")),
        read: |source, folder, options| {
            mjcf::read(source, folder, options).map(|imported| Document::foreign(source, imported))
        },
    },
    Format {
        name: "SDF",
        extensions: &["sdf", "world", "xml"],
        recognises: |text| root_tag(text).is_some_and(|tag| ["sdf", "gazebo"].contains(&tag)),
        read: |source, folder, options| {
            sdf::read(source, folder, options).map(|imported| Document::foreign(source, imported))
        },
    },
    Format {
        name: "Adams",
        extensions: &["adm"],
        recognises: adams::recognises,
        read: |source, folder, options| {
            adams::read_in(source, folder, options.strict).map(|imported| Document::foreign(source, imported))
        },
    },
    Format {
        name: "Denavit-Hartenberg table",
        extensions: &["csv", "dh"],
        recognises: |_| false,
        read: |source, _, _| dh::table::read(source).map(|imported| Document::imported(source, imported)),
    },
    Format {
        name: "TOML",
        extensions: &["toml"],
        recognises: |_| true,
        read: |source, _, _| Document::from_toml(source),
    },
];

static ADDED: Added<Format> = Added::new();

/// Makes a format known by the endings of its files' names. An ending that is taken is refused.
pub fn register(format: &'static Format) -> Result<()> {
    let same = |other: &Format| other.extensions.iter().any(|e| format.extensions.contains(e));
    ADDED.add(
        format,
        FORMATS,
        same,
        format!("a format of models with the ending '.{}'", format.extensions.join("' or '.")),
    )
}

/// Every format of models: those of the library, and those that programs bring.
pub fn formats() -> Vec<&'static Format> {
    ADDED.after(FORMATS)
}

/// The format of a text: by the ending of the file's name, and by what the text looks like where several have that ending, or none.
fn format_of(ending: &str, text: &str) -> Option<&'static Format> {
    let all = formats();
    let by_ending: Vec<&Format> = all.iter().copied().filter(|f| f.extensions.contains(&ending)).collect();
    match by_ending[..] {
        [] => FORMATS.iter().find(|f| (f.recognises)(text)),
        [first, ..] => by_ending.iter().copied().find(|f| (f.recognises)(text)).or(Some(first)),
    }
}

/// A model's text as a tree, not yet compiled.
#[derive(Debug, Clone)]
pub struct Document {
    /// The tree.
    pub tree: Table,
    /// What was read and could not be used, one line each.
    pub warnings: Vec<String>,
    /// Where tables and meshes are looked for.
    pub folder: PathBuf,
    /// The file as the user knows it; empty where there is none.
    pub file: String,
    /// Whether another program wrote it: what is doubtful is told, and shapes that cannot be read are not drawn.
    pub foreign: bool,
}

impl<'d> From<&'d Document> for Cow<'d, Document> {
    fn from(document: &'d Document) -> Self {
        Cow::Borrowed(document)
    }
}

impl From<Document> for Cow<'_, Document> {
    fn from(document: Document) -> Self {
        Cow::Owned(document)
    }
}

impl Document {
    /// Reads a file in any of the formats.
    pub fn read(path: &Path, options: &Options) -> Result<Document> {
        let shown = path.display().to_string();
        if ThesisFiles::are_at(path) {
            let Imported { tree, warnings } = thesis::read(&ThesisFiles::load(path)?)?;
            return Ok(Document { file: shown, ..Document::from_tree(tree, warnings) });
        }
        if path.is_dir() {
            return Err(Error::new(format!("'{shown}' is a folder, not a model file")).note(
                "a folder is read where it holds the four files general.txt, joints.txt, drivers.txt and q0.txt",
            ));
        }
        let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
        let read = if options.strict || ["", "toml"].contains(&&*ending) { read_own_text } else { read_foreign_text };
        let (source, doubt) = read(path, &shown).map_err(|e| e.of(format!("'{shown}'")))?;
        let Some(format) = format_of(&ending, &source.text) else {
            return Err(Error::new(format!("'{shown}' is in no format that can be read")));
        };
        let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        let mut document = (format.read)(&source, &folder, options)?;
        document.warnings.splice(0..0, doubt);
        document.file = shown;
        document.folder = folder;
        Ok(document)
    }

    /// Reads a TOML text. Tables are looked for in the current folder until [`Document::folder`] is set.
    pub fn from_toml(source: &Arc<Source>) -> Result<Document> {
        let document = Document::from_tree(toml::parse(source)?, Vec::new());
        Ok(Document { file: source.name.clone(), ..document })
    }

    fn imported(source: &Arc<Source>, Imported { tree, warnings }: Imported) -> Document {
        Document { file: source.name.clone(), ..Document::from_tree(tree, warnings) }
    }

    /// The document of a file that another program wrote.
    pub(super) fn foreign(source: &Arc<Source>, imported: Imported) -> Document {
        let imported = Imported { tree: swept(imported.tree), warnings: imported.warnings };
        Document { foreign: true, ..Document::imported(source, imported) }
    }

    /// A document from an importer's tree.
    pub fn from_tree(tree: Table, warnings: Vec<String>) -> Document {
        Document { tree, warnings, folder: PathBuf::new(), file: String::new(), foreign: false }
    }

    /// Compiles the tree.
    pub fn model(&self, options: &Options) -> Result<Model> {
        self.compile(options).map(|(model, _)| model)
    }

    /// Compiles the tree; the second part is what deserves a warning, one line each, those of reading included.
    pub fn compile(&self, options: &Options) -> Result<(Model, Vec<String>)> {
        self.made(options, false).map(|(_, model, warnings)| (model, warnings))
    }

    /// The same with what the model is made from, so that it can be bound to other values of its parameters.
    pub fn draw(&self, options: &Options) -> Result<(Blueprint, Model, Vec<String>)> {
        self.made(options, true)
    }

    /// The same; plans of elements, which take as much room as the text's tree, are kept where somebody asks for them.
    fn made(&self, options: &Options, planned: bool) -> Result<(Blueprint, Model, Vec<String>)> {
        let parameters = self.parameters(options)?;
        let mut context = Context::new(&parameters, &self.folder, options, self.space());
        context.foreign = self.foreign;
        context.planned = planned;
        let (mut blueprint, mut model) = self
            .expanded(&parameters, options)
            .and_then(|tree| compile(&context, &tree))
            .map_err(|e| match (e.span(), e.element()) {
                (None, None) if !self.file.is_empty() => e.of(format!("'{}'", self.file)),
                _ => e,
            })?;
        if model.name.is_empty() {
            // A model without a name is called after its file.
            let stem = Path::new(&self.file).file_stem().map(|s| s.to_string_lossy().into_owned());
            let name = stem.filter(|s| !s.is_empty()).unwrap_or_else(|| "model".into());
            model.change_mechanism(|mechanism| mechanism.name = name);
        }
        parameters.check_unit_names()?.iter().for_each(|warning| context.warn(warning));
        blueprint.parameters = parameters.plan().clone();
        blueprint.held = parameters.held();
        blueprint.from_files = context.named_files.get();
        blueprint.spread();
        blueprint.imported.clone_from(&self.warnings);
        blueprint.told = context.take_warnings();
        if self.foreign {
            // The reader has told them, each kind once.
            let told = [Some(Reason::Unphysical), Some(Reason::Negative)];
            blueprint.told.retain(|warning| !told.contains(&warning.reason()));
        }
        let warnings = blueprint.warnings(None);
        Ok((blueprint, model, warnings))
    }

    /// What the model moves in.
    pub fn space(&self) -> Space {
        match self.tree.get(PLANAR).map(|node| &node.value) {
            Some(Value::Bool(true)) => Space::Planar,
            _ => Space::Spatial,
        }
    }

    /// The parameters in force.
    pub(super) fn parameters(&self, options: &Options) -> Result<Parameters> {
        Parameters::read(self.tree.get("parameters"), &options.set, &options.values)
    }

    /// Names of the parameters with what is known of their dimension, in the order of [`Mechanism::parameters`].
    pub fn parameter_kinds(&self, options: &Options) -> Result<Vec<(String, Kind)>> {
        let parameters = self.parameters(options)?;
        Ok(parameters.values().iter().map(|(name, _)| (name.clone(), parameters.kind(name))).collect())
    }

    /// Units in which people read what is found of the model.
    pub fn units(&self, options: &Options) -> Result<DisplayUnits> {
        let parameters = self.parameters(options)?;
        let context = Context::new(&parameters, &self.folder, options, self.space());
        shown_units::read(&Reader::of_document(&context, &self.tree))
    }

    /// Names and values of the parameters in force.
    pub fn parameter_values(&self, options: &Options) -> Result<Vec<(String, f64)>> {
        Ok(self.parameters(options)?.values().to_vec())
    }

    /// All that a model is made of, as one text: its own, and the contents of the files that it names.
    pub fn contents(&self) -> String {
        const LONGEST_NAME: usize = 300;
        let mut text = self.to_toml();
        let whole = Node::from(self.tree.clone());
        let mut open = vec![&whole];
        while let Some(node) = open.pop() {
            match &node.value {
                Value::Table(table) => open.extend(table.entries.iter().map(|e| &e.node)),
                Value::List(list) => open.extend(list),
                Value::Text(name) if name.len() < LONGEST_NAME => {
                    let bytes = read_if_any(&self.folder.join(name), LARGEST_FILE).unwrap_or_default();
                    text += &String::from_utf8_lossy(&bytes);
                }
                _ => {}
            }
        }
        text
    }

    /// The plan of `[sweep]`, with what `asked` adds to it or puts in its place.
    pub fn plan(&self, options: &Options, asked: &Asked) -> Result<Plan> {
        let parameters = self.parameters(options)?;
        let mut tree = self.tree.clone();
        sweep::add(&mut tree, asked);
        let context = Context::new(&parameters, &self.folder, options, self.space());
        sweep::read(&Reader::of_document(&context, &tree))?
            .ok_or_else(|| Error::new("no parameter varies").note(sweep::FORM))
    }

    /// The goal of `[optimise]`, with what `asked` adds to it or puts in its place.
    pub fn goal(&self, options: &Options, asked: &AskedGoal) -> Result<Goal> {
        let parameters = self.parameters(options)?;
        let mut tree = self.tree.clone();
        optimise::add(&mut tree, asked);
        let context = Context::new(&parameters, &self.folder, options, self.space());
        optimise::read(&Reader::of_document(&context, &tree))?
            .ok_or_else(|| Error::new("the model does not say what to optimise").note(optimise::FORM))
    }

    /// The task of `[synthesise]`.
    pub fn synthesis(&self, options: &Options) -> Result<Synthesis> {
        let parameters = self.parameters(options)?;
        let context = Context::new(&parameters, &self.folder, options, self.space());
        let root = Reader::of_document(&context, &self.tree);
        root.allow(KEYS)?;
        let asked = synthesise::read(&root)?
            .ok_or_else(|| Error::new("the model does not say what to synthesise").note(synthesise::FORM))?;
        let name = shown_text(&root, "name")?;
        Ok(if name.is_empty() { asked } else { Synthesis { name, ..asked } })
    }

    /// The document as TOML with these values of parameters, in SI, and those that options set. Where it was read from a text in TOML and
    /// nothing but parameters that stand there has other values since, nothing else in that text changes: comments stay.
    pub fn to_toml_with(&self, options: &Options, values: &[(String, f64)]) -> Result<String> {
        let given = options.set.iter().filter(|(name, _)| !values.iter().any(|v| v.0 == *name));
        let mut nodes: Vec<(&str, Node)> =
            given.map(|(name, text)| (name.as_str(), Node::from(text.as_str()))).collect();
        if !values.is_empty() {
            let parameters = self.parameters(options)?;
            let written = |value: f64, name: &str| optimise::written(value, parameters.kind(name));
            nodes.extend(values.iter().map(|(name, value)| (name.as_str(), written(*value, name))));
        }
        let mut tree = self.tree.clone();
        if !nodes.is_empty() {
            let mut table = parameters_of(&tree).cloned().unwrap_or_default();
            nodes.into_iter().for_each(|(name, node)| table.set(name, node));
            tree.set("parameters", table);
        }
        let written = write_toml::write(&tree);
        Ok(self.edited(&tree, &written).unwrap_or(written))
    }

    /// The document as TOML that starts from this configuration, as [`Options::mode`] does. Of a text in TOML nothing else changes: comments stay.
    pub fn to_toml_in_mode(&self, mode: usize) -> String {
        self.edited_mode(mode).unwrap_or_else(|| {
            let mut document = self.clone();
            document.set_mode(mode);
            document.to_toml()
        })
    }

    /// Lets it start from this configuration.
    pub fn set_mode(&mut self, mode: usize) {
        self.tree.set(MODE, Node::new(Value::Integer(mode as i64)));
    }

    /// The text that the document was read from, with this mode; none where it was read from no TOML.
    fn edited_mode(&self, mode: usize) -> Option<String> {
        let first = self.tree.entries.iter().filter_map(|e| e.key_span.as_ref()).min_by_key(|span| span.range.start)?;
        let mut text = first.source.text.clone();
        match self.tree.get(MODE) {
            Some(own) => text.replace_range(own.span.clone()?.range, &mode.to_string()),
            // Before the first key, where no table has begun.
            None => {
                let line = text[..first.range.start].rfind('\n').map_or(0, |k| k + 1);
                text.insert_str(line, &format!("{MODE} = {mode}\n"));
            }
        }
        let again = Document::from_toml(&Source::new(&self.file, text.as_str())).ok()?;
        let others = |tree: &Table| {
            let entries = tree.entries.iter().filter(|e| e.key != MODE).cloned().collect();
            write_toml::write(&Table { entries })
        };
        (others(&again.tree) == others(&self.tree)).then_some(text)
    }

    /// The text that the document was read from with the parameters of a tree in place of its own; `written` is the whole tree as TOML.
    /// None where it was read from no TOML, or where the tree says more than that.
    fn edited(&self, tree: &Table, written: &str) -> Option<String> {
        let source = self.tree.entries.iter().find_map(|e| e.key_span.as_ref()).map(|span| span.source.clone())?;
        let original = toml::parse(&source).ok()?;
        let mut edits = Vec::new();
        for entry in parameters_of(tree).map_or(&[][..], |table| &table.entries) {
            let old = parameters_of(&original)?.get(&entry.key)?;
            let new = write_toml::value(&entry.node);
            if write_toml::value(old) != new {
                edits.push((old.span.clone()?.range, new));
            }
        }
        sort_by_key(&mut edits, |(range, _)| std::cmp::Reverse(range.start));
        let mut text = source.text.clone();
        edits.into_iter().for_each(|(range, new)| text.replace_range(range, &new));
        // Whatever else was changed, or stands there in a way that is not foreseen, reads otherwise.
        let again = Document::from_toml(&Source::new(&self.file, text.as_str())).ok()?;
        (again.to_toml() == written).then_some(text)
    }

    /// The tree with a serial arm, repeats and parts put in as the bodies and joints they stand for, and with the drivers that options add.
    fn expanded(&self, parameters: &Parameters, options: &Options) -> Result<Cow<'_, Table>> {
        if let (Space::Planar, Some(arm)) = (self.space(), self.tree.get("arm")) {
            return Err(wrong(arm, "an arm by Denavit-Hartenberg leaves the plane, which planar = true keeps to")
                .note("describe its links by [bodies] and its joints by [joints], or leave planar = true out"));
        }
        let repeated = repeat::any(&self.tree);
        if self.tree.get("arm").is_none() && options.drive.is_empty() && !repeated {
            return Ok(Cow::Borrowed(&self.tree));
        }
        let mut tree = if repeated { repeat::expand(&self.tree, parameters)? } else { self.tree.clone() };
        drive::add(&mut tree, &options.drive);
        dh::expand(&mut tree, &|node, quantity| {
            let wanted = match quantity {
                "length" => Some(Dimension::LENGTH),
                "angle" => Some(Dimension::ANGLE),
                "mass" => Some(Dimension::MASS),
                "first moment" => Some(Dimension::FIRST_MOMENT),
                "inertia" => Some(Dimension::INERTIA),
                _ => None,
            };
            values::number(node, "this", wanted, parameters)
        })?;
        Ok(Cow::Owned(tree))
    }

    /// The document as TOML.
    pub fn to_toml(&self) -> String {
        write_toml::write(&self.tree)
    }
}

/// The key of the configuration that a model starts from.
const MODE: &str = "mode";
/// The key that keeps a model to a plane.
pub(super) const PLANAR: &str = "planar";

pub(super) const KEYS: &[&str] = &[
    "name",
    "about",
    MODE,
    PLANAR,
    "units",
    "gravity",
    "parameters",
    "bodies",
    "joints",
    "couplings",
    "drivers",
    "forces",
    "contacts",
    "events",
    "rotors",
    "signals",
    "initial",
    "sweep",
    "optimise",
    "synthesise",
    "run",
    "arm",
    repeat::REPEAT,
    repeat::ASSEMBLIES,
    repeat::PARTS,
];

/// More configurations than anyone counts.
const MOST_MODES: usize = 1_000_000;

fn compile(context: &Context, tree: &Table) -> Result<(Blueprint, Model)> {
    let root = Reader::of_document(context, tree);
    if tree.entries.is_empty() {
        return Err(Error::new("the model is empty").note("it needs [bodies.NAME] and [joints.NAME] tables"));
    }
    root.allow(KEYS)?;
    root.bool(PLANAR)?;
    let (name, about) = (shown_text(&root, "name")?, shown_text(&root, "about")?);
    let units = shown_units::read(&root)?;
    let gravity = read_gravity(&root)?;
    let bodies = bodies::read(&root)?;
    let (joints, among_joints) = joints::read(&root, &bodies)?;
    let (coupling_plans, couplings) = couplings::read(&root, &among_joints, &bodies, &joints)?;
    let (rotor_plans, rotors) = rotors::read(&root, &bodies, &joints)?;
    let (driver_plans, drivers) = drivers::read(&root, &bodies, &joints, &rotors)?;
    let mut loads = loads::read(&root, &bodies, &joints, &rotors)?;
    let contacts = contacts::read(&root, &bodies, &joints)?;
    loads.loads.extend(contacts.loads);
    let (study, run) = run::read(&root, &drivers, &joints)?;
    // Samples of a sweep come here with values of their own; its plan has been read by then.
    if context.options.values.is_empty() {
        sweep::read(&root)?;
        optimise::read(&root)?;
        synthesise::read(&root)?;
    }
    let own_mode = root.whole(MODE, 1, MOST_MODES)?;
    let mode = context.options.mode.or(own_mode);
    let mode_span = root.get(MODE).filter(|_| context.options.mode.is_none()).and_then(|node| node.span.clone());
    bodies.tell_point_masses(context);
    names::check(context.space, &bodies.list, &joints.list, (&couplings, &drivers, &contacts.contacts))?;
    let coordinates: Vec<String> = all_coordinates(&joints).into_iter().map(|c| coordinate_name(&joints, c)).collect();
    let binding = &context.binding;
    let value = |(name, quantity): &(String, Quantity)| Ok((name.clone(), quantity.value(binding)?));
    let mechanism = Mechanism {
        name,
        about,
        space: context.space,
        gravity: gravity.as_ref().map(|g| binding.vector(g).map_err(|e| root.blame(e))).transpose()?,
        parameters: context.parameters.values().to_vec(),
        parameter_scales: shown_units::scales(context.parameters, &units),
        bodies: bodies.list,
        joints: joints.list,
        couplings,
        rotors,
        loads: loads.loads,
        contacts: contacts.contacts,
        reference: None,
    };
    let initial = loads.initial.iter().map(value).collect::<Result<_>>()?;
    let mut model =
        Model::new(mechanism, drivers, Study { initial, nearest: loads.nearest, mode, mode_span, units, ..run });
    signals::read(&root, &mut model)?;
    events::read(&root, &mut model, &coordinates)?;
    run::check_outputs(&root, &model)?;
    let blueprint = Blueprint {
        gravity,
        bodies: bodies.plans,
        joints: joints.plans,
        couplings: coupling_plans,
        rotors: rotor_plans,
        drivers: driver_plans,
        loads: loads.plans,
        contacts: contacts.plans,
        initial: loads.initial,
        study,
        ..Blueprint::default()
    };
    Ok((blueprint, model))
}

/// A text that is shown in pages and terminals: what would not be seen there is written out, and told.
fn shown_text(root: &Reader, key: &str) -> Result<String> {
    let text = root.text(key)?.unwrap_or("");
    let shown = visible(text);
    if shown != text {
        let message =
            format!("'{key}' holds characters that are not seen or turn the sense of reading; they are written out");
        root.context.warn(&root.wrong_value(key, message));
    }
    Ok(shown.into_owned())
}

/// The table of parameters of a tree.
fn parameters_of(tree: &Table) -> Option<&Table> {
    match tree.get("parameters").map(|node| &node.value) {
        Some(Value::Table(table)) => Some(table),
        _ => None,
    }
}

fn read_gravity(root: &Reader) -> Result<Option<Vector>> {
    let stated = match root.get("gravity") {
        Some(node) if !matches!(node.value, Value::List(_)) => {
            let (count, example) = match root.context.space {
                Space::Spatial => ("three", "such as gravity = [0, 0, -9.81]"),
                Space::Planar => ("two", "such as gravity = [0, -9.81]"),
            };
            let message = format!("'gravity' is a vector of {count} accelerations, not {}", describe(node));
            return Err(root.blame(wrong(node, message)).note(example));
        }
        _ => root.vector("gravity", Dimension::ACCELERATION)?,
    };
    let asked = root.context.options.gravity;
    if asked.is_some_and(|g| g[2].is_nan() && !root.context.is_planar()) {
        return Err(Error::new("two numbers are given; gravity of a model in space has three")
            .of("--gravity")
            .note("such as --gravity 0,-9.81,0"));
    }
    let asked = asked.map(|[x, y, z]| [x, y, if z.is_nan() { 0.0 } else { z }]);
    if let Some(g) = asked.filter(|g| root.context.is_planar() && g[2] != 0.0) {
        return Err(Error::new(format!(
            "gravity along z, {} m/s^2, leads out of the plane, which planar = true keeps to",
            g[2]
        ))
        .of("--gravity")
        .note("such as --gravity 0,-9.81"));
    }
    Ok(asked.map(|g| g.map(Quantity::Number)).or(stated))
}
