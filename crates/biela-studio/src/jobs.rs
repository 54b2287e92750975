//! Runs that take a while: each aside where the machine has threads, with progress and cancel, its results kept for exports.

use crate::answer::Answer;
use crate::given::Given;
use crate::host::Host;
use crate::look::{diagnostic, picture_data};
use biela::error::{Error, Result};
use biela::model::{Analysis, Model};
use biela::picture::export::{Choice, PICTURES};
use biela::picture::{self, Animation, Look};
use biela::report;
use biela::results::{formats, Ended, Results};
use biela::solve::headline::headline;
use biela::solve::manual_pose::or_at_rest;
use biela::solve::newton::METHODS;
use biela::solve::outcome::Outcome;
use biela::solve::run::{formulation_of, run_as_far, run_with_forces, solved_by};
use biela::solve::verify::verify;
use serde_json::{json, Value};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// Runs that may go on at one time, and that are kept.
const MOST_RUNNING: usize = 2;
const MOST_KEPT: usize = 6;
/// Bytes of results that are kept of runs that are done; the latest is kept whatever it has.
const MOST_BYTES: usize = 1 << 30;
/// Exports that are made at one time.
const MOST_EXPORTS: usize = 3;

/// All runs.
#[derive(Debug)]
pub(crate) struct Jobs {
    host: Arc<dyn Host>,
    list: Mutex<(u64, Vec<Arc<Job>>)>,
    exports: AtomicUsize,
}

#[derive(Debug)]
struct Job {
    id: u64,
    given: Given,
    host: Arc<dyn Host>,
    done: AtomicUsize,
    all: AtomicUsize,
    cancel: AtomicBool,
    /// When, by the clock of the host.
    started: f64,
    /// Locked for a moment at a time: whoever needs what is in it for longer takes it along.
    end: Mutex<Option<std::result::Result<Arc<End>, Value>>>,
}

/// What a run has left.
#[derive(Debug)]
struct End {
    model: Model,
    results: Results,
    /// What ended it before its time.
    ended: Option<Value>,
    warnings: Vec<String>,
    formulation: String,
    verification: Option<Value>,
    seconds: f64,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|p| p.into_inner())
}

impl Jobs {
    pub fn new(host: Arc<dyn Host>) -> Jobs {
        Jobs { host, list: Mutex::default(), exports: AtomicUsize::new(0) }
    }

    /// Starts a run; the answer is its number.
    pub fn start(&self, given: &Given, asked: &Value) -> Result<Value> {
        let mut list = lock(&self.list);
        let running = list.1.iter().filter(|j| lock(&j.end).is_none()).count();
        if running >= MOST_RUNNING {
            return Err(Error::new("other runs are going on").note("cancel them, or wait until they end"));
        }
        list.0 += 1;
        let job = Arc::new(Job {
            id: list.0,
            given: given.clone(),
            host: self.host.clone(),
            done: AtomicUsize::new(0),
            all: AtomicUsize::new(0),
            cancel: AtomicBool::new(false),
            started: self.host.seconds(),
            end: Mutex::new(None),
        });
        let bytes = |list: &[Arc<Job>]| list.iter().map(|j| j.bytes()).sum::<usize>();
        while list.1.len() >= MOST_KEPT || (list.1.len() > 1 && bytes(&list.1) > MOST_BYTES) {
            match list.1.iter().position(|j| lock(&j.end).is_some()) {
                Some(k) => list.1.remove(k),
                None => break,
            };
        }
        list.1.push(job.clone());
        let begun = job.clone();
        let verifying = asked["verify"].as_bool().unwrap_or(false);
        let id = job.id;
        // Where the run is made at once, it is told of when it is done.
        drop(list);
        let work = move || {
            let end = catch_unwind(AssertUnwindSafe(|| job.solve(verifying)));
            let end = match end {
                Ok(Ok(end)) => Ok(Arc::new(end)),
                Ok(Err(error)) => Err(diagnostic(&error, &job.given.name, "run")),
                Err(_) => Err(json!({"message": "this run met a fault of the program", "notes": []})),
            };
            *lock(&job.end) = Some(end);
        };
        self.host.begin(format!("run {id}"), Box::new(work)).inspect_err(|error| {
            *lock(&begun.end) = Some(Err(diagnostic(error, &begun.given.name, "run")));
        })?;
        Ok(json!({ "id": id }))
    }

    fn find(&self, asked: &Value) -> Result<Arc<Job>> {
        let id = asked["id"].as_u64().unwrap_or(0);
        let list = lock(&self.list);
        list.1.iter().find(|j| j.id == id).cloned().ok_or_else(|| Error::new("this run is no longer kept"))
    }

    /// Ends a run before its time.
    pub fn cancel(&self, asked: &Value) -> Result<Value> {
        self.find(asked)?.cancel.store(true, Ordering::SeqCst);
        Ok(json!({}))
    }

    /// How far a run is; with its picture and figures once it is done.
    pub fn tell(&self, asked: &Value) -> Result<String> {
        let job = self.find(asked)?;
        let end = lock(&job.end).clone();
        let progress = (job.done.load(Ordering::Relaxed), job.all.load(Ordering::Relaxed));
        Ok(match &end {
            None => json!({"state": "running", "done": progress.0, "all": progress.1}).to_string(),
            Some(Err(error)) if job.cancel.load(Ordering::SeqCst) => {
                json!({"state": "cancelled", "error": error}).to_string()
            }
            Some(Err(error)) => json!({"state": "failed", "error": error}).to_string(),
            Some(Ok(end)) => {
                let text = end.told().to_string();
                match picture_data(&end.model, &end.results) {
                    Ok(data) => format!("{},\"picture\":{data}}}", &text[..text.len() - 1]),
                    Err(_) => text,
                }
            }
        })
    }

    /// A file of a run that is done.
    pub fn export(&self, asked: &Value) -> Result<Answer> {
        let job = self.find(asked)?;
        // Runs are begun, told of and cancelled while a picture is drawn.
        let Some(Ok(end)) = lock(&job.end).clone() else { return Err(Error::new("the run is not done")) };
        let ending = asked["kind"].as_str().unwrap_or("");
        let _turn = Turn::take(&self.exports)?;
        let bytes = end.export(ending, &job.given)?;
        let kind = match ending {
            "html" | "report" => "text/html; charset=utf-8",
            "csv" => "text/csv; charset=utf-8",
            "json" => "application/json",
            "svg" => "image/svg+xml",
            "png" => "image/png",
            "glb" => "model/gltf-binary",
            _ => "application/octet-stream",
        };
        Ok(Answer { status: 200, kind, body: bytes, file: true })
    }
}

/// One of the exports that are made at a time.
struct Turn<'a>(&'a AtomicUsize);

impl Turn<'_> {
    fn take(count: &AtomicUsize) -> Result<Turn<'_>> {
        let turn = Turn(count);
        match count.fetch_add(1, Ordering::SeqCst) < MOST_EXPORTS {
            true => Ok(turn),
            false => Err(Error::new("other exports are being made").note("wait until they are done")),
        }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Job {
    /// Bytes of its table of results.
    fn bytes(&self) -> usize {
        match &*lock(&self.end) {
            Some(Ok(end)) => end.results.columns.len() * end.results.len() * size_of::<f64>(),
            _ => 0,
        }
    }

    fn solve(&self, verifying: bool) -> Result<End> {
        let (model, mut warnings) = self.given.model()?;
        let formulation = self.given.formulation.clone().unwrap_or_else(|| formulation_of(&model).to_string());
        let hear = |done: usize, all: usize| {
            self.done.store(done, Ordering::Relaxed);
            self.all.store(all, Ordering::Relaxed);
            self.host.progress(done, all);
            !self.cancel.load(Ordering::SeqCst)
        };
        let still = matches!(model.study.analysis, Analysis::Modes | Analysis::StateSpace);
        let named = self.given.reading.analysis.is_some() || still;
        let (model, Outcome { mut results, ended }, loose) = match named {
            true => run_as_far(&model, &formulation, METHODS[0], hear).map(|r| (model, r, None))?,
            false => or_at_rest(model, |model| run_with_forces(model, &formulation, METHODS[0], hear))?,
        };
        // Files tell what the command line's tell.
        warnings.iter().for_each(|text| results.tell("warning", text.clone()));
        // Where freedoms have no driver there is a position to draw, and no motion.
        warnings.extend(loose.map(|e| e.message().to_string()));
        let ended = ended.map(|e| diagnostic(&e, &self.given.name, "run"));
        let verification =
            if verifying && ended.is_none() { Some(verify(&model, METHODS[0], hear)?.json()) } else { None };
        let seconds = self.host.seconds() - self.started;
        Ok(End { model, results, ended, warnings, formulation, verification, seconds })
    }
}

impl End {
    fn told(&self) -> Value {
        const MOST: usize = 80;
        let (results, model) = (&self.results, &self.model);
        let modes = model.study.analysis == Analysis::Modes;
        // The table is read by people, in their units.
        let time = model.study.units.scale("s");
        let rows = |name: &String| {
            let column = results.get(name)?;
            let e = column.extremes(results.times())?;
            let scale = model.study.units.scale(column.unit);
            let [least, greatest] = [e.least, e.greatest].map(|x| scale.shown(x));
            let [t_least, t_greatest] = [e.t_least, e.t_greatest].map(|t| time.shown(t));
            Some(json!([name, scale.unit, least, t_least, greatest, t_greatest]))
        };
        let column = |name: &str| results.get(name).map(|c| c.data.iter().take(MOST).collect::<Vec<_>>());
        json!({
            "state": "done",
            "analysis": Analysis::ALL.iter().find(|a| a.1 == model.study.analysis).map(|a| a.0),
            "formulation": solved_by(&self.results).unwrap_or(&self.formulation),
            "samples": results.len(),
            "seconds": self.seconds,
            "warnings": self.warnings,
            "notes": results.notes,
            "time_unit": time.unit,
            "complete": results.is_complete(),
            "ended": results.ended.as_ref().map(Ended::json),
            "error": self.ended,
            "extremes": if modes { Vec::new() } else { headline(model, results).iter().take(MOST).filter_map(rows).collect::<Vec<_>>() },
            "modes": if modes { json!({"frequency": column("frequency"), "damping": column("damping")}) } else { Value::Null },
            "verification": self.verification,
        })
    }

    fn export(&self, ending: &str, given: &Given) -> Result<Vec<u8>> {
        if let Some(format) = formats().into_iter().find(|f| f.extension == ending) {
            let mut bytes = Vec::new();
            (format.write)(&self.results, &mut bytes).map_err(|e| Error::new(format!("cannot be written: {e}")))?;
            return Ok(bytes);
        }
        if ending == "report" {
            let subject = report::Subject {
                model: &self.model,
                results: &self.results,
                text: &given.text,
                contents: &given.text,
                warnings: &self.warnings,
                formulation: &self.formulation,
                command: "biela studio",
                plots: &[],
                x: "t",
                fluctuation: biela::sizing::USUAL_FLUCTUATION,
            };
            return report::html(&subject, METHODS[0], |_, _| true).map(String::into_bytes);
        }
        let format = PICTURES.iter().find(|f| f.extension == ending);
        let format = format.ok_or_else(|| Error::new(format!("no export is called '{ending}'")))?;
        let motion = Animation::new(&self.model, &self.results)?;
        let scene = picture::scene(&self.model, &motion)?;
        (format.make)(&scene, &motion, &Choice::new(0, 800, &Look::default()))
    }
}
