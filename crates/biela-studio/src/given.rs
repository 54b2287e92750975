//! What a call brings: a model text, and what goes before it.

use biela::error::Result;
use biela::model::{Analysis, Model};
use biela::source::Source;
use biela::text::{Document, Options as Reading};
use serde_json::Value;
use std::path::{Path, PathBuf};

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
        }
    }

    /// The text read; files that it names are looked for in the opened folder alone.
    pub fn document(&self) -> Result<Document> {
        let document = Document::from_toml(&Source::new(self.name.as_str(), self.text.as_str()))?;
        Ok(Document { folder: self.folder.clone(), ..document })
    }

    /// The model, with warnings.
    pub fn model(&self) -> Result<(Model, Vec<String>)> {
        self.compile(&self.document()?)
    }

    /// A document of this call compiled, its run within bounds.
    pub fn compile(&self, document: &Document) -> Result<(Model, Vec<String>)> {
        let (mut model, mut warnings) = document.compile(&self.reading)?;
        if model.study.steps > MOST_STEPS {
            let asked = model.study.steps;
            warnings.push(format!(
                "[run] asks for {asked} steps; the studio makes {MOST_STEPS} at most, biela run makes all"
            ));
            model.study.steps = MOST_STEPS;
        }
        model.study.room = ROOM;
        Ok((model, warnings))
    }
}
