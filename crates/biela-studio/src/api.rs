//! What the page may ask for. Calls carry JSON and are answered in JSON, except for exports. Nothing here knows threads, files or
//! HTTP: a server answers by it, and so does a worker inside the page.

use crate::answer::Answer;
use crate::given::{Given, Last};
use crate::host::Host;
use crate::jobs::Jobs;
use crate::lessons::{LESSONS, SHIPPED};
use crate::store::{Held, Replace, Store};
use crate::{draw, look, pose, sweeps, thumb, words};
use biela::error::{Error, Result};
use biela::model::Analysis;
use serde_json::{json, Value};
use std::sync::atomic::AtomicU64;
use std::sync::Arc;

/// Bytes that the body of a call may have.
pub const BODY_LIMIT: usize = 8 << 20;

/// The state behind the page.
#[derive(Debug)]
pub(crate) struct Api {
    opening: Opening,
    store: Box<dyn Store>,
    host: Arc<dyn Host>,
    jobs: Jobs,
    /// The text of the last look, so that sliders bind it.
    last: Last,
    /// Number of the latest look: older ones are given up.
    latest: AtomicU64,
    /// Stamp of the file that the studio was opened with, where its text is that of a file.
    opened: Option<String>,
}

/// What a studio shows first, and what it offers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Opening {
    pub name: String,
    pub text: String,
    /// Models inside the program: name and text.
    pub library: Vec<(String, String)>,
}

impl Api {
    pub fn new(opening: Opening, store: Box<dyn Store>, host: Arc<dyn Host>) -> Api {
        let of_file = |held: &Held| held.text.trim_start_matches('\u{feff}') == opening.text;
        let opened = store.read(&opening.name).ok().filter(of_file).map(|held| held.stamp);
        let jobs = Jobs::new(host.clone());
        Api { opening, store, host, jobs, last: Last::default(), latest: AtomicU64::new(0), opened }
    }

    /// Answers a call.
    pub fn answer(&self, call: &str, body: &[u8]) -> Answer {
        let Ok(asked) = serde_json::from_slice::<Value>(body) else {
            return Answer::refusal(400, "the body is no JSON");
        };
        self.store.bring(&asked);
        let given = || Given::new(&asked, self.store.folder());
        let known = match call {
            "start" => Ok(self.start().to_string()),
            "open" => self.open(&asked).map(|v| v.to_string()),
            "save" => self.save(&asked).map(|v| v.to_string()),
            "look" => Ok(look::look(&given(), &self.last, &self.latest, &*self.host)),
            "words" => Ok(words::offered().to_string()),
            "lesson" => self.lesson(&asked).map(|v| v.to_string()),
            "thumb" => self.thumb(&asked).map(|v| v.to_string()),
            "code" => given().python().map(|code| json!({ "code": code }).to_string()),
            "sketch" => Ok(draw::told(&given()).to_string()),
            "edit" => draw::edit(&given(), &asked).map(|v| v.to_string()),
            "fit" => draw::fit(&given(), &asked).map(|v| v.to_string()),
            "through" => draw::through(&given(), &asked).map(|v| v.to_string()),
            "share" => sweeps::share(&given(), &asked).map(|v| v.to_string()),
            "gather" => sweeps::gather(&given(), &asked).map(|v| v.to_string()),
            "swing" => look::swing(&given(), &asked),
            "modes" => look::modes(&given()).map(|v| v.to_string()),
            "interference" => look::interference(&given()).map(|v| v.to_string()),
            "check" => look::check(&given()).map(|v| v.to_string()),
            "pose" => pose::pose(&given(), &self.last, &asked).map(|v| v.to_string()),
            "run" => self.jobs.start(&given(), &asked).map(|v| v.to_string()),
            "job" => self.jobs.tell(&asked),
            "cancel" => self.jobs.cancel(&asked).map(|v| v.to_string()),
            "export" => return self.jobs.export(&asked).unwrap_or_else(|e| failure(&e)),
            _ => return Answer::refusal(404, "there is no such call"),
        };
        match known {
            Ok(text) => Answer::new(200, "application/json", text),
            Err(error) => failure(&error),
        }
    }

    fn start(&self) -> Value {
        // A page that is opened again shows the file as it is now.
        let held = self.opened.as_ref().and_then(|_| self.store.read(&self.opening.name).ok());
        let (text, stamp) = match held {
            Some(Held { text, stamp }) => (text, Some(stamp)),
            None => (self.opening.text.clone(), None),
        };
        let about = |text: &str| {
            let line = text.lines().find_map(|l| l.strip_prefix("about")).unwrap_or("");
            line.split('"').nth(1).unwrap_or("").to_string()
        };
        let library: Vec<Value> =
            self.opening.library.iter().map(|(name, text)| json!({"name": name, "about": about(text)})).collect();
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "folder": self.store.folder().display().to_string(),
            "name": self.opening.name,
            "text": text,
            "stamp": stamp,
            "files": self.store.list(),
            "library": library,
            "analyses": Analysis::ALL.map(|a| a.0),
            "formulations": biela::system::formulation_words().collect::<Vec<_>>(),
        })
    }

    /// The text of a file of the folder, or of a model inside the program.
    fn open(&self, asked: &Value) -> Result<Value> {
        if let Some(name) = asked["shipped"].as_str() {
            let found = self.opening.library.iter().find(|m| m.0 == name);
            let (name, text) = found.ok_or_else(|| Error::new(format!("there is no model '{name}'")))?;
            return Ok(json!({"name": format!("{name}.toml"), "text": text, "saved": false}));
        }
        let name = asked["name"].as_str().unwrap_or("");
        let Held { text, stamp } = self.store.read(name)?;
        Ok(json!({"name": name, "text": text, "saved": true, "stamp": stamp}))
    }

    /// The text of a lesson's model, or of one of the library.
    fn text_of(&self, name: &str) -> Result<&str> {
        let taught = LESSONS.iter().find(|m| m.0 == name).map(|m| m.1);
        let shipped = || self.opening.library.iter().find(|m| m.0 == name).map(|m| m.1.as_str());
        taught.or_else(shipped).ok_or_else(|| Error::new(format!("there is no model '{name}'")))
    }

    /// The model of a lesson.
    fn lesson(&self, asked: &Value) -> Result<Value> {
        let id = asked["id"].as_str().unwrap_or("");
        let known = SHIPPED.iter().find(|l| l.0 == id).map(|l| l.1).or(LESSONS.iter().find(|l| l.0 == id).map(|l| l.0));
        let name = known.ok_or_else(|| Error::new(format!("there is no lesson '{id}'")))?;
        Ok(json!({ "name": format!("{name}.toml"), "text": self.text_of(name)? }))
    }

    /// A small picture of a model inside the program.
    fn thumb(&self, asked: &Value) -> Result<Value> {
        let name = asked["shipped"].as_str().unwrap_or("");
        let text = self.text_of(name)?;
        let given = Given::new(&json!({ "text": text, "name": format!("{name}.toml") }), self.store.folder());
        thumb::thumb(&given, asked["dark"].as_bool().unwrap_or(false))
    }

    fn save(&self, asked: &Value) -> Result<Value> {
        let (name, text) = (asked["name"].as_str().unwrap_or(""), asked["text"].as_str().unwrap_or(""));
        let yes = |key: &str| asked[key].as_bool().unwrap_or(false);
        let replace = match (yes("overwrite"), yes("replace")) {
            (true, _) => Replace::Any,
            (_, true) => Replace::Same(asked["stamp"].as_str()),
            _ => Replace::No,
        };
        let stamp = self.store.save(name, text, replace)?;
        Ok(json!({"saved": name, "stamp": stamp, "files": self.store.list()}))
    }
}

/// An error as the page shows it. The call was served, what it brought was wrong: the type of the answer says so, not its
/// status, which browsers would report as a fault of the page.
fn failure(error: &Error) -> Answer {
    Answer::new(200, "application/problem+json", json!({"error": look::diagnostic(error, "", "")}).to_string())
}
