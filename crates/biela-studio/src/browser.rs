//! The studio inside a page: a worker brings calls, and the page keeps the models.

use crate::answer::Answer;
use crate::api::{Api, Opening};
use crate::host::Host;
use crate::store::{Brought, Store};
use biela::results::plot::bring;
use serde_json::Value;
use std::sync::Arc;

/// A studio without a server.
#[derive(Debug)]
pub struct Browser {
    api: Api,
    host: Arc<dyn Host>,
    typefaces: Vec<Vec<u8>>,
}

impl Browser {
    /// One on this machine, with nothing opened.
    pub fn new(host: Arc<dyn Host>) -> Browser {
        Browser {
            api: Api::new(Opening::default(), Box::new(Brought::default()), host.clone()),
            host,
            typefaces: Vec::new(),
        }
    }

    /// Takes the file of a typeface, one after the other in the order of `biela::results::plot::typefaces`. Those that came before the
    /// first call are used.
    pub fn typeface(&mut self, file: Vec<u8>) {
        self.typefaces.push(file);
    }

    /// Answers a call as a server would. `begin` comes before `start` and brings what is shown first (`name`, `text`), what the page keeps
    /// of it, and the library as pairs of name and text.
    pub fn answer(&mut self, call: &str, body: &[u8]) -> Answer {
        if !self.typefaces.is_empty() {
            bring(std::mem::take(&mut self.typefaces));
        }
        if call == "begin" {
            let asked: Value = serde_json::from_slice(body).unwrap_or_default();
            let word = |value: &Value| value.as_str().unwrap_or("").to_string();
            let library = asked["library"].as_array().into_iter().flatten();
            let library = library.map(|pair| (word(&pair[0]), word(&pair[1]))).collect();
            let store = Box::new(Brought::default());
            store.bring(&asked);
            let opening = Opening { name: word(&asked["name"]), text: word(&asked["text"]), library };
            self.api = Api::new(opening, store, self.host.clone());
        }
        self.api.answer(if call == "begin" { "start" } else { call }, body)
    }
}
