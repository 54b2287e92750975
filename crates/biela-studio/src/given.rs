//! What a call brings: a model text, and what goes before it.

use biela::blueprint::{Blueprint, Bound};
use biela::error::Result;
use biela::model::{Analysis, Model};
use biela::source::Source;
use biela::text::{python_code::python_code, Document, Options as Reading};
use biela::units::Kind;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Intervals of a run at most, whoever asks for them, and bytes of its table: results are kept in memory.
const MOST_STEPS: usize = 200_000;
const ROOM: u64 = 1 << 29;

/// A model text as a call brings it.
#[derive(Debug, Clone)]
pub(crate) struct Given {
    pub name: String,
    pub text: String,
    folder: PathBuf,
    pub formulation: Option<String>,
    pub reading: Reading,
    /// Signals that somebody looks at while a hand moves; all where nobody says.
    pub brief: Option<Vec<String>>,
}

impl Given {
    /// The model text of a call with what goes before it.
    pub fn new(asked: &Value, folder: &Path) -> Given {
        let set = asked["set"].as_object().into_iter().flatten();
        let values = set.filter_map(|(name, v)| Some((name.clone(), v.as_f64().filter(|x| x.is_finite())?))).collect();
        let number = |key: &str| asked[key].as_f64().filter(|x| x.is_finite());
        let word = asked["analysis"].as_str().unwrap_or("");
        let reading = Reading {
            confined: true,
            values,
            start: number("start"),
            end: number("end"),
            steps: asked["steps"].as_u64().map(|n| n.min(MOST_STEPS as u64) as usize),
            analysis: Analysis::ALL.iter().find(|a| a.0 == word).map(|a| a.1),
            ..Reading::default()
        };
        Given {
            name: asked["name"].as_str().unwrap_or("model.toml").to_string(),
            text: asked["text"].as_str().unwrap_or("").to_string(),
            folder: folder.to_path_buf(),
            formulation: asked["formulation"].as_str().filter(|f| !f.is_empty()).map(str::to_string),
            reading,
            brief: asked["brief"]
                .as_array()
                .map(|list| list.iter().filter_map(Value::as_str).map(str::to_string).collect()),
        }
    }

    /// The same with another text.
    pub fn with_text(&self, text: impl Into<String>) -> Given {
        Given { text: text.into(), ..self.clone() }
    }

    /// The text read; files that it names are looked for in the opened folder alone.
    pub fn document(&self) -> Result<Document> {
        let document = Document::from_toml(&Source::new(self.name.as_str(), self.text.as_str()))?;
        Ok(Document { folder: self.folder.clone(), ..document })
    }

    /// Python code that makes the model anew and runs it.
    pub fn python(&self) -> Result<String> {
        Ok(python_code(&self.document()?.tree, &self.reading.values))
    }

    /// The model, with warnings.
    pub fn model(&self) -> Result<(Model, Vec<String>)> {
        let (model, warnings) = self.document()?.compile(&self.reading)?;
        Ok(bounded(model, warnings))
    }

    /// The same. Where the text is that of the last call and only values of parameters are others, they are bound and nothing is read.
    pub fn drawn(&self, last: &Last) -> Result<Seen> {
        let reading = Reading { values: Vec::new(), ..self.reading.clone() };
        let held = last.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let same =
            |d: &Arc<Drawn>| d.given.text == self.text && d.given.name == self.name && d.given.reading == reading;
        if let Some(seen) = held.filter(same).and_then(|drawn| drawn.bound(&self.reading.values)) {
            return Ok(seen);
        }
        let document = self.document()?;
        let (blueprint, model, warnings) = document.draw(&self.reading)?;
        let kinds = document.parameter_kinds(&self.reading)?;
        let keep = !blueprint.from_files;
        let given = Given { reading, ..self.clone() };
        let drawn = Arc::new(Drawn { given, blueprint, model: model.clone(), kinds: kinds.clone() });
        *last.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(drawn).filter(|_| keep);
        let (model, warnings) = bounded(model, warnings);
        Ok(Seen { model, warnings, kinds })
    }
}

/// A model as a call asks for it.
pub(crate) struct Seen {
    pub model: Model,
    pub warnings: Vec<String>,
    /// Parameters with what is known of their dimensions.
    pub kinds: Vec<(String, Kind)>,
}

/// The text that was read last, unless it names files.
#[derive(Debug, Default)]
pub(crate) struct Last(Mutex<Option<Arc<Drawn>>>);

/// A text read, with the parameters as symbols.
#[derive(Debug)]
struct Drawn {
    /// What was given, without values of parameters.
    given: Given,
    blueprint: Blueprint,
    model: Model,
    kinds: Vec<(String, Kind)>,
}

impl Drawn {
    /// The model with these values; `None` where they need the text, be it for the message.
    fn bound(&self, values: &[(String, f64)]) -> Option<Seen> {
        let place = |(name, value): &(String, f64)| Some((self.blueprint.parameters.place(name)?, *value));
        let given: Vec<(usize, f64)> = values.iter().filter_map(place).collect();
        let mut model = self.model.clone();
        let Bound::Whole(told) = self.blueprint.bind(&given, &mut Vec::new(), &mut model).ok()? else { return None };
        let (model, warnings) = bounded(model, self.blueprint.warnings(Some(&told)));
        Some(Seen { model, warnings, kinds: self.kinds.clone() })
    }
}

/// A model whose run is within bounds.
fn bounded(mut model: Model, mut warnings: Vec<String>) -> (Model, Vec<String>) {
    if model.study.steps > MOST_STEPS {
        let asked = model.study.steps;
        warnings
            .push(format!("[run] asks for {asked} steps; the studio makes {MOST_STEPS} at most, biela run makes all"));
        model.study.steps = MOST_STEPS;
    }
    model.study.room = ROOM;
    (model, warnings)
}
