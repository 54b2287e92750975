//! The C interface: `include/biela.h` says what each function does; a test holds the two together.
// SAFETY: functions that C calls by name have no other form; pointers are followed by `border` alone, which says what it needs of them.
#![allow(unsafe_code)]
#![allow(clippy::missing_safety_doc, missing_docs)] // The header says what each does, and what callers owe.

use crate::border::{fault, free, guarded, handle, list, made, put, room, text, words};
use biela::error::{Error, Result};
use biela::results::Results;
use biela::signal::Choice;
use biela::solve::check::check;
use biela::solve::newton::METHODS;
use biela::solve::run::{counted_in, formulation_of, run_as_far};
use biela::source::Source;
use biela::text::{Document, Options};
use biela_live::{kept, Live};
use std::ffi::{c_char, CString};
use std::path::Path;

/// A model: its text, and values of its parameters.
pub struct Model {
    document: Document,
    options: Options,
    parameters: Vec<(CString, f64)>,
}

/// Columns of a run.
pub struct Run {
    results: Results,
    names: Vec<CString>,
    units: Vec<CString>,
    ended: CString,
}

/// A mechanism held live.
pub struct State {
    live: Live,
    inputs: Vec<CString>,
    outputs: Vec<CString>,
}

impl Model {
    fn new(document: Document, options: Options) -> Result<Model> {
        document.model(&options)?;
        let mut model = Model { document, options, parameters: Vec::new() };
        model.read_parameters()?;
        Ok(model)
    }

    fn read_parameters(&mut self) -> Result<()> {
        let values = self.document.parameter_values(&self.options)?;
        self.parameters = values.into_iter().map(|(name, value)| (text(&name), value)).collect();
        Ok(())
    }
}

/// Patterns between commas.
unsafe fn patterns<'a>(signals: *const c_char) -> Result<Vec<&'a str>> {
    if signals.is_null() {
        return Ok(Vec::new());
    }
    let text = unsafe { words(signals, "signals") }?;
    Ok(text.split(',').map(str::trim).filter(|name| !name.is_empty()).collect())
}

fn pointer(text: Option<&CString>) -> *const c_char {
    text.map_or(std::ptr::null(), |text| text.as_ptr())
}

#[no_mangle]
pub extern "C" fn biela_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

#[no_mangle]
pub extern "C" fn biela_error_message() -> *const c_char {
    fault(|last| last.message.as_ptr())
}

#[no_mangle]
pub extern "C" fn biela_error_place() -> *const c_char {
    fault(|last| last.place.as_ptr())
}

#[no_mangle]
pub extern "C" fn biela_error_advice() -> *const c_char {
    fault(|last| last.advice.as_ptr())
}

#[no_mangle]
pub extern "C" fn biela_error_text() -> *const c_char {
    fault(|last| last.whole.as_ptr())
}

#[no_mangle]
pub unsafe extern "C" fn biela_open(path: *const c_char, model: *mut *mut Model) -> i32 {
    guarded(|| {
        let options = Options { undrawn: true, ..Options::default() };
        let document = Document::read(Path::new(unsafe { words(path, "path") }?), &options)?;
        unsafe { put(model, made(Model::new(document, options)?)) };
        Ok(())
    })
}

#[no_mangle]
pub unsafe extern "C" fn biela_read(source: *const c_char, model: *mut *mut Model) -> i32 {
    guarded(|| {
        let source = Source::new("text", unsafe { words(source, "text") }?);
        let made_of = Model::new(Document::from_toml(&source)?, Options::default())?;
        unsafe { put(model, made(made_of)) };
        Ok(())
    })
}

#[no_mangle]
pub unsafe extern "C" fn biela_free(model: *mut Model) {
    unsafe { free(model) };
}

#[no_mangle]
pub unsafe extern "C" fn biela_check(model: *mut Model, json: *mut *mut c_char) -> i32 {
    guarded(|| {
        let model = unsafe { handle(model) }?;
        let found = model.document.model(&model.options)?;
        let report = check(&found, counted_in(&found, None))?;
        unsafe { put(json, text(&report.json().to_string()).into_raw()) };
        Ok(())
    })
}

#[no_mangle]
pub unsafe extern "C" fn biela_text_free(text: *mut c_char) {
    if !text.is_null() {
        drop(unsafe { CString::from_raw(text) });
    }
}

#[no_mangle]
pub unsafe extern "C" fn biela_parameter_count(model: *mut Model) -> usize {
    unsafe { handle(model) }.map_or(0, |model| model.parameters.len())
}

#[no_mangle]
pub unsafe extern "C" fn biela_parameter_name(model: *mut Model, k: usize) -> *const c_char {
    unsafe { handle(model) }.map_or(std::ptr::null(), |model| pointer(model.parameters.get(k).map(|p| &p.0)))
}

#[no_mangle]
pub unsafe extern "C" fn biela_parameter_value(model: *mut Model, k: usize) -> f64 {
    unsafe { handle(model) }.map_or(f64::NAN, |model| model.parameters.get(k).map_or(f64::NAN, |p| p.1))
}

#[no_mangle]
pub unsafe extern "C" fn biela_bind(model: *mut Model, name: *const c_char, value: f64) -> i32 {
    guarded(|| {
        let model = unsafe { handle(model) }?;
        let name = unsafe { words(name, "name") }?;
        let known: Vec<&str> = model.parameters.iter().filter_map(|p| p.0.to_str().ok()).collect();
        if !known.contains(&name) {
            return Err(Error::new(format!("there is no parameter '{name}'")).suggest(name, known));
        }
        let mut options = model.options.clone();
        options.values.retain(|given| given.0 != name);
        options.values.push((name.to_string(), value));
        // What the model does not take leaves it as it was.
        model.document.model(&options)?;
        model.options = options;
        model.read_parameters()
    })
}

#[no_mangle]
pub unsafe extern "C" fn biela_run(model: *mut Model, signals: *const c_char, run: *mut *mut Run) -> i32 {
    guarded(|| {
        let model = unsafe { handle(model) }?;
        let patterns = unsafe { patterns(signals) }?;
        let mut found = model.document.model(&model.options)?;
        let choice = Choice::new(&found, &patterns)?;
        found.study = choice.narrowed(&found.study);
        let outcome = run_as_far(&found, formulation_of(&found), METHODS[0], |_, _| true)?;
        let ended = outcome.ended.map(|error| error.line()).unwrap_or_default();
        let results = choice.take(outcome.results)?;
        let all = |of: fn(&biela::results::Column) -> &str| results.columns.iter().map(|c| text(of(c))).collect();
        let (names, units) = (all(|c| &c.name), all(|c| c.unit));
        unsafe { put(run, made(Run { names, units, ended: text(&ended), results })) };
        Ok(())
    })
}

#[no_mangle]
pub unsafe extern "C" fn biela_run_free(run: *mut Run) {
    unsafe { free(run) };
}

#[no_mangle]
pub unsafe extern "C" fn biela_run_columns(run: *mut Run) -> usize {
    unsafe { handle(run) }.map_or(0, |run| run.names.len())
}

#[no_mangle]
pub unsafe extern "C" fn biela_run_rows(run: *mut Run) -> usize {
    unsafe { handle(run) }.map_or(0, |run| run.results.columns.first().map_or(0, |c| c.data.len()))
}

#[no_mangle]
pub unsafe extern "C" fn biela_run_name(run: *mut Run, k: usize) -> *const c_char {
    unsafe { handle(run) }.map_or(std::ptr::null(), |run| pointer(run.names.get(k)))
}

#[no_mangle]
pub unsafe extern "C" fn biela_run_unit(run: *mut Run, k: usize) -> *const c_char {
    unsafe { handle(run) }.map_or(std::ptr::null(), |run| pointer(run.units.get(k)))
}

#[no_mangle]
pub unsafe extern "C" fn biela_run_ended(run: *mut Run) -> *const c_char {
    unsafe { handle(run) }.map_or(std::ptr::null(), |run| run.ended.as_ptr())
}

#[no_mangle]
pub unsafe extern "C" fn biela_run_copy(run: *mut Run, k: usize, to: *mut f64, count: usize) -> i32 {
    guarded(|| {
        let run = unsafe { handle(run) }?;
        let column = run.results.columns.get(k);
        let column = column.ok_or_else(|| Error::new(format!("there is no column {k}")))?;
        if count < column.data.len() {
            return Err(Error::new(format!("room for {count} values where there are {}", column.data.len())));
        }
        unsafe { room(to, column.data.len(), "the array") }?.copy_from_slice(&column.data);
        Ok(())
    })
}

#[no_mangle]
pub unsafe extern "C" fn biela_live(model: *mut Model, signals: *const c_char, state: *mut *mut State) -> i32 {
    guarded(|| {
        let model = unsafe { handle(model) }?;
        let live = Live::new(model.document.clone(), model.options.clone(), &unsafe { patterns(signals) }?)?;
        let inputs = live.inputs().iter().map(|input| text(&input.name)).collect();
        let outputs = live.outputs().iter().map(|output| text(&output.name)).collect();
        unsafe { put(state, made(State { live, inputs, outputs })) };
        Ok(())
    })
}

#[no_mangle]
pub unsafe extern "C" fn biela_live_free(state: *mut State) {
    unsafe { free(state) };
}

#[no_mangle]
pub unsafe extern "C" fn biela_input_count(state: *mut State) -> usize {
    unsafe { handle(state) }.map_or(0, |state| state.inputs.len())
}

#[no_mangle]
pub unsafe extern "C" fn biela_input_name(state: *mut State, k: usize) -> *const c_char {
    unsafe { handle(state) }.map_or(std::ptr::null(), |state| pointer(state.inputs.get(k)))
}

#[no_mangle]
pub unsafe extern "C" fn biela_output_count(state: *mut State) -> usize {
    unsafe { handle(state) }.map_or(0, |state| state.outputs.len())
}

#[no_mangle]
pub unsafe extern "C" fn biela_output_name(state: *mut State, k: usize) -> *const c_char {
    unsafe { handle(state) }.map_or(std::ptr::null(), |state| pointer(state.outputs.get(k)))
}

#[no_mangle]
pub unsafe extern "C" fn biela_set(state: *mut State, name: *const c_char, value: f64) -> i32 {
    guarded(|| unsafe { handle(state) }?.live.set(unsafe { words(name, "name") }?, value))
}

#[no_mangle]
pub unsafe extern "C" fn biela_time(state: *mut State) -> f64 {
    unsafe { handle(state) }.map_or(f64::NAN, |state| state.live.time())
}

#[no_mangle]
pub unsafe extern "C" fn biela_values(state: *mut State, to: *mut f64, count: usize) -> i32 {
    guarded(|| {
        let values = unsafe { handle(state) }?.live.values()?;
        if count < values.len() {
            return Err(Error::new(format!("room for {count} values where there are {}", values.len())));
        }
        unsafe { room(to, values.len(), "the array") }?.copy_from_slice(values);
        Ok(())
    })
}

#[no_mangle]
pub unsafe extern "C" fn biela_advance(state: *mut State, t: f64) -> i32 {
    guarded(|| unsafe { handle(state) }?.live.advance(t))
}

#[no_mangle]
pub unsafe extern "C" fn biela_stopped(state: *mut State) -> i32 {
    unsafe { handle(state) }.map_or(0, |state| i32::from(state.live.has_stopped()))
}

#[no_mangle]
pub unsafe extern "C" fn biela_begin(state: *mut State, t: f64) -> i32 {
    guarded(|| unsafe { handle(state) }?.live.begin_at(t))
}

#[no_mangle]
pub unsafe extern "C" fn biela_save(state: *mut State, to: *mut u8, count: *mut usize) -> i32 {
    guarded(|| {
        let bytes = kept::bytes(&unsafe { handle(state) }?.live.state());
        let count = unsafe { handle(count) }?;
        if !to.is_null() {
            if *count < bytes.len() {
                return Err(Error::new(format!("room for {count} bytes where there are {}", bytes.len())));
            }
            unsafe { room(to, bytes.len(), "the array") }?.copy_from_slice(&bytes);
        }
        *count = bytes.len();
        Ok(())
    })
}

#[no_mangle]
pub unsafe extern "C" fn biela_restore(state: *mut State, from: *const u8, count: usize) -> i32 {
    guarded(|| {
        let live = &mut unsafe { handle(state) }?.live;
        let found = kept::state(unsafe { list(from, count, "the array") }?, live);
        live.put_back(found.ok_or_else(|| Error::new("these bytes are no state of this mechanism"))?);
        Ok(())
    })
}
