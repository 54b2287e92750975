//! An FMU of a live mechanism: what it says of itself, and the archive.
//!
//! Value references are places: 0 is time, then inputs, parameters, outputs, then states with their rates. The library in the archive reads the model's
//! text beside it and numbers them in the same order, so that nothing but the text says what there is.

use crate::live::Live;
use crate::ports::refuse_twice;
use biela::error::{Error, Result};
use biela::text::tree::{Node, Value};
use biela::text::{Document, Options};
use serde_json::{json, Value as Json};
use std::io::{self, Write};
use std::path::Path;

/// Name of the library in the archive, and what its functions belong to.
pub const IDENTIFIER: &str = "biela_c";
/// The file beside the model that says how it is read.
pub const SETTINGS: &str = "biela.json";
/// The model's file.
pub const MODEL: &str = "model.toml";
/// Whether rates of drivers are found from their values.
pub const INTERPOLATE: &str = "interpolate_drivers";
/// Largest file that is packed.
const LARGEST: u64 = 64 << 20;

/// Versions of the standard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    /// FMI 2.0.
    Two,
    /// FMI 3.0.
    Three,
}

/// What a variable is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Time.
    Time,
    /// An input by its place.
    Input(usize),
    /// A parameter by its place.
    Parameter(usize),
    /// Whether rates of drivers are found from their values.
    Interpolate,
    /// An output by its place.
    Output(usize),
    /// A state by its place.
    State(usize),
    /// The rate of a state.
    Rate(usize),
}

/// The variables of a live mechanism; a value reference is a place in it.
pub fn roles(live: &Live) -> Vec<Role> {
    let states = 2 * live.freedoms().len();
    let mut roles = vec![Role::Time];
    roles.extend((0..live.inputs().len()).map(Role::Input));
    roles.extend((0..live.parameters().len()).map(Role::Parameter));
    roles.push(Role::Interpolate);
    roles.extend((0..live.outputs().len()).map(Role::Output));
    roles.extend((0..states).flat_map(|k| [Role::State(k), Role::Rate(k)]));
    roles
}

/// A model packed for an FMU.
#[derive(Debug)]
pub struct Packed {
    live: Live,
    version: Version,
    token: String,
    /// Files under `resources`.
    resources: Vec<(String, Vec<u8>)>,
}

impl Packed {
    /// Packs a document, with the files that it names; outputs are those that patterns choose.
    pub fn new(document: &Document, options: &Options, patterns: &[&str], version: Version) -> Result<Packed> {
        let live = Live::new(document.clone(), options.clone(), patterns)?;
        let names =
            live.inputs().iter().map(|p| p.name.as_str()).chain(live.parameters().iter().map(|p| p.name.as_str()));
        refuse_twice(names.chain(["time", INTERPOLATE]))?;
        let mut own = document.clone();
        let mut resources = Vec::new();
        for entry in &mut own.tree.entries {
            pack_files(&mut entry.node, &document.folder, &mut resources)?;
        }
        let outputs: Vec<&str> = live.outputs().iter().map(|o| o.name.as_str()).collect();
        let settings = settings(options, &outputs);
        let mut files = vec![(MODEL.to_string(), own.to_toml().into_bytes())];
        files.append(&mut resources);
        let mut all = settings.to_string().into_bytes();
        files.iter().for_each(|(name, bytes)| {
            all.extend_from_slice(name.as_bytes());
            all.extend_from_slice(bytes);
        });
        let token = guid(&hmac_sha256::Hash::hash(&all));
        let mut settings = settings;
        settings["token"] = json!(token);
        files.push((SETTINGS.into(), format!("{settings:#}\n").into_bytes()));
        Ok(Packed { live, version, token, resources: files })
    }

    /// The mechanism in it.
    pub fn live(&self) -> &Live {
        &self.live
    }

    /// Writes the archive around a library of this machine.
    pub fn write(&self, library: &[u8], out: &mut dyn Write) -> io::Result<()> {
        let folder = match self.version {
            Version::Two => "binaries/linux64".to_string(),
            // The library is one of this machine, as this program is.
            Version::Three => format!("binaries/{}-linux", std::env::consts::ARCH),
        };
        let description = self.description();
        let named = |(name, bytes): &(String, Vec<u8>)| (format!("resources/{name}"), bytes.clone());
        let mut files = vec![
            ("modelDescription.xml".to_string(), description.into_bytes()),
            (format!("{folder}/{IDENTIFIER}.so"), library.to_vec()),
        ];
        files.extend(self.resources.iter().map(named));
        archive(&files, out)
    }

    /// `modelDescription.xml`.
    pub fn description(&self) -> String {
        let roles = roles(&self.live);
        match self.version {
            Version::Two => self.second(&roles),
            Version::Three => self.third(&roles),
        }
    }

    /// Name, description, unit and start value of a variable.
    fn told(&self, role: Role) -> (String, &'static str, &str, f64) {
        let live = &self.live;
        let freedom = |k: usize| &live.freedoms()[k % live.freedoms().len()];
        let second = |k: usize| k >= live.freedoms().len();
        match role {
            Role::Time => ("time".into(), "time", "s", 0.0),
            Role::Input(k) => {
                let input = &live.inputs()[k];
                (input.name.clone(), "input", input.unit, input.start)
            }
            Role::Parameter(k) => {
                let told = &live.parameters()[k];
                (told.name.clone(), "parameter", &told.unit, told.start)
            }
            Role::Interpolate => (
                INTERPOLATE.into(),
                "1: rates of drivers are found from the values that they have had; 0: they are what is set",
                "",
                0.0,
            ),
            Role::Output(k) => {
                let told = &live.outputs()[k];
                (told.name.clone(), "signal", &told.unit, told.start)
            }
            Role::State(k) => {
                let unit = match (freedom(k).angle, second(k)) {
                    (true, false) => "rad",
                    (true, true) => "rad/s",
                    (false, false) => "m",
                    (false, true) => "m/s",
                };
                (
                    format!("state[{}]", k + 1),
                    "independent coordinate, or its rate; which one may change at events",
                    unit,
                    0.0,
                )
            }
            Role::Rate(k) => {
                let unit = match (freedom(k).angle, second(k)) {
                    (true, false) => "rad/s",
                    (true, true) => "rad/s^2",
                    (false, false) => "m/s",
                    (false, true) => "m/s^2",
                };
                (format!("der(state[{}])", k + 1), "rate of a state", unit, 0.0)
            }
        }
    }

    /// Units that variables have.
    fn units(&self, roles: &[Role]) -> String {
        let mut units: Vec<String> = roles.iter().map(|role| self.told(*role).2.to_string()).collect();
        units.sort_unstable();
        units.dedup();
        let lines =
            units.iter().filter(|unit| is_told(unit)).map(|unit| format!("    <Unit name=\"{}\"/>\n", escaped(unit)));
        format!("  <UnitDefinitions>\n{}  </UnitDefinitions>\n", lines.collect::<String>())
    }

    /// What both versions say at the head.
    fn experiment(&self) -> String {
        let study = &self.live.model().study;
        let step = (study.end - study.start) / study.steps.max(1) as f64;
        let step = if step > 0.0 { format!(" stepSize=\"{step}\"") } else { String::new() };
        format!(
            "  <DefaultExperiment startTime=\"{}\" stopTime=\"{}\" tolerance=\"{}\"{step}/>\n",
            study.start, study.end, study.tolerance
        )
    }

    fn exchanges(&self) -> bool {
        self.live.without_states().is_none()
    }

    // Long: a document from its head to its end.
    fn second(&self, roles: &[Role]) -> String {
        let model = self.live.model();
        let able = "canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\" providesDirectionalDerivative=\"true\"";
        let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        text += &format!(
            "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"{}\" guid=\"{}\" description=\"{}\" generationTool=\"biela {}\" \
             variableNamingConvention=\"flat\" numberOfEventIndicators=\"{}\">\n",
            escaped(&model.name),
            self.token,
            escaped(&model.about),
            env!("CARGO_PKG_VERSION"),
            if self.exchanges() { self.live.indicator_count() } else { 0 }
        );
        if self.exchanges() {
            text += &format!("  <ModelExchange modelIdentifier=\"{IDENTIFIER}\" {able}/>\n");
        }
        text += &format!(
            "  <CoSimulation modelIdentifier=\"{IDENTIFIER}\" canHandleVariableCommunicationStepSize=\"true\" {able}/>\n"
        );
        text += &self.units(roles);
        text += &self.experiment();
        text += "  <ModelVariables>\n";
        for (k, role) in roles.iter().enumerate() {
            let (name, about, unit, start) = self.told(*role);
            let unit = if is_told(unit) { format!(" unit=\"{}\"", escaped(unit)) } else { String::new() };
            let (kind, real) = match role {
                Role::Time => ("causality=\"independent\" variability=\"continuous\"", unit),
                Role::Input(_) => {
                    ("causality=\"input\" variability=\"continuous\"", format!("{unit} start=\"{start}\""))
                }
                Role::Parameter(_) | Role::Interpolate => (
                    "causality=\"parameter\" variability=\"fixed\" initial=\"exact\"",
                    format!("{unit} start=\"{start}\""),
                ),
                Role::Output(_) => ("causality=\"output\" variability=\"continuous\" initial=\"calculated\"", unit),
                Role::State(_) => ("causality=\"local\" variability=\"continuous\" initial=\"calculated\"", unit),
                // The variable before it is its state; indices count from 1.
                Role::Rate(_) => (
                    "causality=\"local\" variability=\"continuous\" initial=\"calculated\"",
                    format!("{unit} derivative=\"{k}\""),
                ),
            };
            text += &format!(
                "    <ScalarVariable name=\"{}\" valueReference=\"{k}\" description=\"{about}\" {kind}>\n      <Real{real}/>\n    </ScalarVariable>\n",
                escaped(&name)
            );
        }
        text += "  </ModelVariables>\n  <ModelStructure>\n";
        let list = |is: &dyn Fn(&Role) -> bool| {
            let places = (0..roles.len()).filter(|k| is(&roles[*k]));
            places.map(|k| format!("      <Unknown index=\"{}\"/>\n", k + 1)).collect::<String>()
        };
        let is_output = |role: &Role| matches!(role, Role::Output(_));
        let is_rate = |role: &Role| matches!(role, Role::Rate(_));
        let is_initial = |role: &Role| matches!(role, Role::Output(_) | Role::State(_) | Role::Rate(_));
        for (word, lines) in
            [("Outputs", list(&is_output)), ("Derivatives", list(&is_rate)), ("InitialUnknowns", list(&is_initial))]
        {
            if !lines.is_empty() {
                text += &format!("    <{word}>\n{lines}    </{word}>\n");
            }
        }
        text + "  </ModelStructure>\n</fmiModelDescription>\n"
    }

    // Long: a document from its head to its end.
    fn third(&self, roles: &[Role]) -> String {
        let model = self.live.model();
        let able =
            "canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\" providesDirectionalDerivatives=\"true\"";
        let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        text += &format!(
            "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"{}\" instantiationToken=\"{}\" description=\"{}\" generationTool=\"biela {}\" \
             variableNamingConvention=\"flat\">\n",
            escaped(&model.name),
            self.token,
            escaped(&model.about),
            env!("CARGO_PKG_VERSION")
        );
        if self.exchanges() {
            text += &format!("  <ModelExchange modelIdentifier=\"{IDENTIFIER}\" {able}/>\n");
        }
        text += &format!(
            "  <CoSimulation modelIdentifier=\"{IDENTIFIER}\" canHandleVariableCommunicationStepSize=\"true\" {able}/>\n"
        );
        text += &self.units(roles);
        text += &self.experiment();
        text += "  <ModelVariables>\n";
        for (k, role) in roles.iter().enumerate() {
            let (name, about, unit, start) = self.told(*role);
            let unit = if is_told(unit) { format!(" unit=\"{}\"", escaped(unit)) } else { String::new() };
            let kind = match role {
                Role::Time => "causality=\"independent\" variability=\"continuous\"".to_string(),
                Role::Input(_) => format!("causality=\"input\" variability=\"continuous\" start=\"{start}\""),
                Role::Parameter(_) | Role::Interpolate => {
                    format!("causality=\"parameter\" variability=\"fixed\" initial=\"exact\" start=\"{start}\"")
                }
                Role::Output(_) => "causality=\"output\" variability=\"continuous\" initial=\"calculated\"".into(),
                Role::State(_) => "causality=\"local\" variability=\"continuous\" initial=\"calculated\"".into(),
                Role::Rate(_) => {
                    format!(
                        "causality=\"local\" variability=\"continuous\" initial=\"calculated\" derivative=\"{}\"",
                        k - 1
                    )
                }
            };
            text += &format!(
                "    <Float64 name=\"{}\" valueReference=\"{k}\" description=\"{about}\" {kind}{unit}/>\n",
                escaped(&name)
            );
        }
        for k in 0..self.indicators() {
            let reference = roles.len() + k;
            text += &format!(
                "    <Float64 name=\"indicator[{}]\" valueReference=\"{reference}\" description=\"its change of sign is an event\" \
                 causality=\"local\" variability=\"continuous\" initial=\"calculated\"/>\n",
                k + 1
            );
        }
        text += "  </ModelVariables>\n  <ModelStructure>\n";
        for (word, is) in [
            ("Output", (|role| matches!(role, Role::Output(_))) as fn(&Role) -> bool),
            ("ContinuousStateDerivative", |role| matches!(role, Role::Rate(_))),
            ("InitialUnknown", |role| matches!(role, Role::Output(_) | Role::State(_) | Role::Rate(_))),
        ] {
            for k in (0..roles.len()).filter(|k| is(&roles[*k])) {
                text += &format!("    <{word} valueReference=\"{k}\"/>\n");
            }
        }
        for k in 0..self.indicators() {
            text += &format!("    <EventIndicator valueReference=\"{}\"/>\n", roles.len() + k);
        }
        text + "  </ModelStructure>\n</fmiModelDescription>\n"
    }

    fn indicators(&self) -> usize {
        if self.exchanges() {
            self.live.indicator_count()
        } else {
            0
        }
    }
}

/// Whether a unit says more than that there is none.
fn is_told(unit: &str) -> bool {
    !unit.is_empty() && unit != "1"
}

/// A text in XML: marks as entities, characters that XML does not have left out.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\n' | '\r' | '\t' => out.push(' '),
            c if c < ' ' || ('\u{7f}'..='\u{9f}').contains(&c) || c == '\u{fffe}' || c == '\u{ffff}' => {}
            c => out.push(c),
        }
    }
    out
}

/// The options that a model is read with, and the outputs.
fn settings(options: &Options, outputs: &[&str]) -> Json {
    let analysis = options.analysis.and_then(|a| biela::Analysis::ALL.iter().find(|x| x.1 == a)).map(|a| a.0);
    let gravity = options.gravity.map(|g| g.into_iter().filter(|x| x.is_finite()).collect::<Vec<f64>>());
    json!({
        "set": options.set, "drive": options.drive, "gravity": gravity, "analysis": analysis, "start": options.start,
        "end": options.end, "steps": options.steps, "mode": options.mode, "unphysical": options.unphysical,
        "outputs": outputs,
    })
}

/// The live mechanism of a folder `resources`, and its token.
pub fn unpacked(folder: &Path) -> Result<(Live, String)> {
    let read = |name: &str| biela::results::read_whole(&folder.join(name), LARGEST);
    let damaged = || Error::new("the file is damaged").of(format!("'{SETTINGS}'"));
    let settings: Json = serde_json::from_slice(&read(SETTINGS)?).map_err(|_| damaged())?;
    let pairs =
        |key: &str| -> Vec<(String, String)> { serde_json::from_value(settings[key].clone()).unwrap_or_default() };
    let gravity: Option<Vec<f64>> = serde_json::from_value(settings["gravity"].clone()).unwrap_or_default();
    let gravity = gravity.and_then(|g| match g[..] {
        [x, y, z] => Some([x, y, z]),
        [x, y] => Some([x, y, f64::NAN]),
        _ => None,
    });
    let whole = |key: &str| settings[key].as_u64().map(|x| x as usize);
    let word = settings["analysis"].as_str();
    let options = Options {
        set: pairs("set"),
        drive: pairs("drive"),
        gravity,
        analysis: word.and_then(|word| biela::Analysis::ALL.iter().find(|a| a.0 == word)).map(|a| a.1),
        start: settings["start"].as_f64(),
        end: settings["end"].as_f64(),
        steps: whole("steps"),
        mode: whole("mode"),
        unphysical: settings["unphysical"].as_bool().unwrap_or(false),
        undrawn: true,
        confined: true,
        ..Options::default()
    };
    let outputs: Vec<String> = serde_json::from_value(settings["outputs"].clone()).map_err(|_| damaged())?;
    let token = settings["token"].as_str().ok_or_else(damaged)?.to_string();
    let document = Document::read(&folder.join(MODEL), &options)?;
    let patterns: Vec<&str> = outputs.iter().map(String::as_str).collect();
    Ok((Live::new(document, options, &patterns)?, token))
}

/// Takes the files in that a model names, each under a name of its own.
fn pack_files(node: &mut Node, folder: &Path, files: &mut Vec<(String, Vec<u8>)>) -> Result<()> {
    /// Depth of a model's tables, at most.
    const DEEPEST: usize = 64;
    let mut open: Vec<(&mut Node, usize)> = vec![(node, 0)];
    while let Some((node, depth)) = open.pop() {
        if depth > DEEPEST {
            continue;
        }
        match &mut node.value {
            Value::Table(table) => {
                for entry in &mut table.entries {
                    match (&entry.node.value, entry.key.as_str()) {
                        (Value::Text(name), "file" | "table" | "mesh") if !name.is_empty() => {
                            let name = name.clone();
                            let kept = pack_file(&name, &folder.join(&name), files)?;
                            if let Some(kept) = kept {
                                entry.node = Node::new(Value::Text(kept));
                            }
                        }
                        _ => open.push((&mut entry.node, depth + 1)),
                    }
                }
            }
            Value::List(list) => open.extend(list.iter_mut().map(|node| (node, depth + 1))),
            _ => {}
        }
    }
    Ok(())
}

/// Packs one file; `None` where there is none of that name.
fn pack_file(name: &str, path: &Path, files: &mut Vec<(String, Vec<u8>)>) -> Result<Option<String>> {
    let Some(bytes) = biela::results::read_if_any(path, LARGEST) else { return Ok(None) };
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '.' || c == '-' { c } else { '_' };
    let last: String = name.rsplit(['/', '\\']).next().unwrap_or(name).chars().map(plain).collect();
    let kept = format!("{}-{}", files.len() + 1, last.trim_start_matches('.'));
    files.push((kept.clone(), bytes));
    Ok(Some(kept))
}

/// A token in the form of a GUID.
fn guid(hash: &[u8]) -> String {
    let hex: String = hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    format!("{{{}-{}-{}-{}-{}}}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

/// A zip archive of files as they are, with a fixed date, so that the same files give the same bytes.
pub fn archive(files: &[(String, Vec<u8>)], out: &mut dyn Write) -> io::Result<()> {
    /// 1 January 1980, the first day that zip knows.
    const DATE: u16 = 0x0021;
    const UTF8: u16 = 1 << 11;
    let large = || io::Error::new(io::ErrorKind::InvalidInput, "too large for an archive");
    let (mut directory, mut offset) = (Vec::new(), 0u32);
    for (name, bytes) in files {
        let size = u32::try_from(bytes.len()).map_err(|_| large())?;
        let mut common = Vec::new();
        common.extend([20u16, UTF8, 0, 0, DATE].iter().flat_map(|x| x.to_le_bytes()));
        common.extend([crc32fast::hash(bytes), size, size].iter().flat_map(|x| x.to_le_bytes()));
        common.extend([name.len() as u16, 0].iter().flat_map(|x| x.to_le_bytes()));
        let head = [&0x0403_4b50u32.to_le_bytes()[..], &common, name.as_bytes()].concat();
        out.write_all(&head)?;
        out.write_all(bytes)?;
        directory.extend(0x0201_4b50u32.to_le_bytes());
        // Made by Unix, so that attributes are those of files there: a library may be run.
        directory.extend(0x0314u16.to_le_bytes());
        directory.extend(&common);
        directory.extend([0u16, 0, 0].iter().flat_map(|x| x.to_le_bytes()));
        directory.extend((0o100_755u32 << 16).to_le_bytes());
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
        offset = u32::try_from(head.len() + bytes.len()).ok().and_then(|n| offset.checked_add(n)).ok_or_else(large)?;
    }
    let (count, size) = (files.len() as u16, u32::try_from(directory.len()).map_err(|_| large())?);
    out.write_all(&directory)?;
    out.write_all(&0x0605_4b50u32.to_le_bytes())?;
    out.write_all(&[0u16, 0, count, count].iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>())?;
    out.write_all(&[size, offset].iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>())?;
    out.write_all(&0u16.to_le_bytes())
}
