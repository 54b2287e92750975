//! The calls of the studio as a WebAssembly module. A worker of the page writes a call's name and body into the module's memory and reads
//! the answer there; that is all they know of each other, so no generated code stands between them.
//!
//! ```text
//! room(bytes) → where to write        call(name's bytes) → [status, kind, its bytes, body, its bytes, is a file]
//!                                     typeface()         what was written is the file of a typeface
//! ```
//! The page brings a clock (`seconds`) and typefaces, and hears of progress. A panic ends the module: the page hears the words (`fault`),
//! and its worker makes a new one of it.
#![cfg(target_arch = "wasm32")]
// SAFETY: functions that others call by name, and theirs that are called here, have no other form. No pointer is followed here: the
// worker writes into a list that lies there until the call, and reads an answer that lies there until the next.
#![allow(unsafe_code)]

use biela_studio::{Answer, Browser, Host};
use std::cell::RefCell;
use std::sync::Arc;

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    safe fn seconds() -> f64;
    safe fn progress(done: f64, all: f64);
    safe fn fault(at: *const u8, bytes: usize);
}

/// The page's worker: its own clock, and no threads.
#[derive(Debug)]
struct Worker;

impl Host for Worker {
    fn seconds(&self) -> f64 {
        seconds()
    }

    fn begin(&self, _name: String, work: Box<dyn FnOnce() + Send>) -> biela_studio::Result<()> {
        work();
        Ok(())
    }

    fn progress(&self, done: usize, all: usize) {
        progress(done as f64, all as f64);
    }
}

/// What lies between two calls.
struct State {
    studio: Browser,
    /// Name and body of the call that comes.
    room: Vec<u8>,
    /// The last answer, and where its parts lie.
    answer: Option<Answer>,
    parts: [u32; 6],
}

thread_local! {
    static STATE: RefCell<State> = RefCell::new(begin());
}

fn begin() -> State {
    // Told before all is over: the page makes a new program of the module, and has no other way to know.
    std::panic::set_hook(Box::new(|info| {
        let words = info.to_string();
        fault(words.as_ptr(), words.len());
    }));
    State { studio: Browser::new(Arc::new(Worker)), room: Vec::new(), answer: None, parts: [0; 6] }
}

/// Takes a typeface out of the room; the page brings them before the first call, in their order.
#[no_mangle]
pub extern "C" fn typeface() {
    STATE.with_borrow_mut(|state| {
        let file = std::mem::take(&mut state.room);
        state.studio.typeface(file);
    });
}

/// Room for the name and the body of a call.
#[no_mangle]
pub extern "C" fn room(bytes: usize) -> *mut u8 {
    STATE.with_borrow_mut(|state| {
        state.answer = None;
        state.room = vec![0; bytes];
        state.room.as_mut_ptr()
    })
}

/// Answers the call whose name is the first bytes of the room, and its body the rest.
#[no_mangle]
pub extern "C" fn call(name: usize) -> *const u32 {
    STATE.with_borrow_mut(|state| {
        let room = std::mem::take(&mut state.room);
        let (name, body) = room.split_at(name.min(room.len()));
        let answer = state.studio.answer(std::str::from_utf8(name).unwrap_or(""), body);
        let place = |bytes: &[u8]| [bytes.as_ptr() as u32, bytes.len() as u32];
        let ([kind, kind_bytes], [body, body_bytes]) = (place(answer.kind.as_bytes()), place(&answer.body));
        state.parts = [answer.status.into(), kind, kind_bytes, body, body_bytes, answer.file.into()];
        state.answer = Some(answer);
        state.parts.as_ptr()
    })
}

/// There are no random numbers here, and nothing asks for them.
#[no_mangle]
unsafe extern "Rust" fn __getrandom_v03_custom(_to: *mut u8, _bytes: usize) -> Result<(), getrandom::Error> {
    Err(getrandom::Error::UNSUPPORTED)
}
