//! The functions of FMI 2.0 (fmi-standard.org, version 2.0.4), by their names there.
// SAFETY: functions that importers call by name have no other form; pointers are followed by `border` alone, which says what it needs of them.
#![allow(unsafe_code)]
#![allow(clippy::missing_safety_doc, missing_docs)] // The standard says what each does, and what callers owe.
#![allow(clippy::too_many_arguments)] // The standard's own.
#![allow(non_snake_case)] // The standard's names.

use crate::border::{caught, free, handle, list, made, put, room, text, words};
use crate::instance::{Instance, Kept, Phase};
use biela::error::{Error, Result};
use biela_live::Live;
use std::ffi::{c_char, c_void};
use std::path::PathBuf;

const OK: i32 = 0;
const DISCARD: i32 = 2;
const ERROR: i32 = 3;
/// What an instance is made for, as the standard counts.
const EXCHANGE: i32 = 0;

/// What an importer brings; the functions for memory are not needed.
#[repr(C)]
pub struct Callbacks {
    logger: Option<unsafe extern "C" fn(*mut c_void, *const c_char, i32, *const c_char, *const c_char, ...)>,
    allocate: *mut c_void,
    free: *mut c_void,
    finished: *mut c_void,
    environment: *mut c_void,
}

/// What comes of an event.
#[repr(C)]
pub struct EventInfo {
    again: i32,
    terminate: i32,
    nominals: i32,
    values: i32,
    next_given: i32,
    next: f64,
}

/// An instance with what this version of the standard keeps besides.
struct Component {
    instance: Instance,
    /// Whether an event has ended the motion, and when the last step ended.
    terminated: bool,
    last: f64,
    start: Option<f64>,
}

unsafe fn with(component: *mut c_void, work: impl FnOnce(&mut Component) -> Result<i32>) -> i32 {
    let Ok(component) = (unsafe { handle(component.cast::<Component>()) }) else { return ERROR };
    match caught(|| work(component)) {
        Ok(status) => status,
        Err(error) => {
            component.instance.tell(ERROR, "logStatusError", &error.to_string());
            ERROR
        }
    }
}

/// The same with the instance alone.
unsafe fn plainly(component: *mut c_void, work: impl FnOnce(&mut Instance) -> Result<()>) -> i32 {
    unsafe { with(component, |c| work(&mut c.instance).map(|()| OK)) }
}

#[no_mangle]
pub extern "C" fn fmi2GetTypesPlatform() -> *const c_char {
    c"default".as_ptr()
}

#[no_mangle]
pub extern "C" fn fmi2GetVersion() -> *const c_char {
    c"2.0".as_ptr()
}

#[no_mangle]
pub unsafe extern "C" fn fmi2SetDebugLogging(_: *mut c_void, _: i32, _: usize, _: *const *const c_char) -> i32 {
    OK
}

// Many: the standard's.
#[no_mangle]
pub unsafe extern "C" fn fmi2Instantiate(
    name: *const c_char,
    kind: i32,
    guid: *const c_char,
    location: *const c_char,
    callbacks: *const Callbacks,
    _visible: i32,
    _logging: i32,
) -> *mut c_void {
    let own = unsafe { words(name, "the name") }.unwrap_or("").to_string();
    let (logger, environment) = match unsafe { callbacks.as_ref() } {
        Some(callbacks) => (callbacks.logger, callbacks.environment),
        None => (None, std::ptr::null_mut()),
    };
    let tell = move |status: i32, category: &str, message: &str| {
        if let Some(logger) = logger {
            // The message is a form for numbers: none stand in it.
            let (own, category, message) = (text(&own), text(category), text(&message.replace('%', "%%")));
            unsafe { logger(environment, own.as_ptr(), status, category.as_ptr(), message.as_ptr()) };
        }
    };
    let failed = tell.clone();
    let found = caught(|| {
        let (guid, location) = unsafe { (words(guid, "the GUID")?, words(location, "the location of resources")?) };
        let instance = Instance::new(&folder(location)?, guid, kind == EXCHANGE, Box::new(tell))?;
        Ok(Component { instance, terminated: false, last: 0.0, start: None })
    });
    match found {
        Ok(component) => made(component).cast(),
        Err(error) => {
            failed(ERROR, "logStatusError", &error.to_string());
            std::ptr::null_mut()
        }
    }
}

/// The folder of a URI.
fn folder(location: &str) -> Result<PathBuf> {
    let rest = location.strip_prefix("file:").ok_or_else(|| {
        Error::new(format!("the location of resources '{location}' is no file")).note("it begins with file:///")
    })?;
    let path = match rest.strip_prefix("//") {
        // A host may stand there; this machine alone is meant.
        Some(rest) => rest.find('/').map_or("", |at| &rest[at..]),
        None => rest,
    };
    let bytes = path.as_bytes();
    let (mut decoded, mut k) = (Vec::with_capacity(bytes.len()), 0);
    while k < bytes.len() {
        let pair = path.get(k + 1..k + 3).filter(|_| bytes[k] == b'%');
        match pair.and_then(|pair| u8::from_str_radix(pair, 16).ok()) {
            Some(byte) => {
                decoded.push(byte);
                k += 3;
            }
            None => {
                decoded.push(bytes[k]);
                k += 1;
            }
        }
    }
    let text = String::from_utf8(decoded).map_err(|_| Error::new("the location of resources is no UTF-8"))?;
    Ok(PathBuf::from(text))
}

#[no_mangle]
pub unsafe extern "C" fn fmi2FreeInstance(component: *mut c_void) {
    unsafe { free(component.cast::<Component>()) };
}

#[no_mangle]
pub unsafe extern "C" fn fmi2SetupExperiment(
    component: *mut c_void,
    _tolerance_given: i32,
    _tolerance: f64,
    start: f64,
    _stop_given: i32,
    _stop: f64,
) -> i32 {
    unsafe {
        with(component, |c| {
            c.instance.only("SetupExperiment", &[Phase::Instantiated])?;
            c.start = Some(start);
            Ok(OK)
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn fmi2EnterInitializationMode(component: *mut c_void) -> i32 {
    unsafe { with(component, |c| c.instance.enter_initialization(c.start).map(|()| OK)) }
}

#[no_mangle]
pub unsafe extern "C" fn fmi2ExitInitializationMode(component: *mut c_void) -> i32 {
    unsafe { plainly(component, Instance::exit_initialization) }
}

#[no_mangle]
pub unsafe extern "C" fn fmi2Terminate(component: *mut c_void) -> i32 {
    unsafe {
        plainly(component, |i| {
            i.only("Terminate", &[Phase::Stepping, Phase::Event, Phase::Continuous])?;
            i.phase = Phase::Terminated;
            Ok(())
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn fmi2Reset(component: *mut c_void) -> i32 {
    unsafe {
        with(component, |c| {
            (c.terminated, c.start) = (false, None);
            c.instance.reset().map(|()| OK)
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn fmi2GetReal(c: *mut c_void, references: *const u32, count: usize, values: *mut f64) -> i32 {
    unsafe { plainly(c, |i| i.get(list(references, count, "references")?, room(values, count, "values")?)) }
}

#[no_mangle]
pub unsafe extern "C" fn fmi2SetReal(c: *mut c_void, references: *const u32, count: usize, values: *const f64) -> i32 {
    unsafe { plainly(c, |i| i.set(list(references, count, "references")?, list(values, count, "values")?)) }
}

#[no_mangle]
pub unsafe extern "C" fn fmi2GetFMUstate(component: *mut c_void, state: *mut *mut c_void) -> i32 {
    unsafe {
        plainly(component, |i| {
            let old = handle(state)?;
            match old.cast::<Kept>().as_mut() {
                Some(kept) => *kept = i.keep(),
                None => *old = made(i.keep()).cast(),
            }
            Ok(())
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn fmi2SetFMUstate(component: *mut c_void, state: *mut c_void) -> i32 {
    unsafe {
        plainly(component, |i| {
            i.put_back(handle(state.cast::<Kept>())?);
            Ok(())
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn fmi2FreeFMUstate(component: *mut c_void, state: *mut *mut c_void) -> i32 {
    unsafe {
        plainly(component, |_| {
            let state = handle(state)?;
            free(state.cast::<Kept>());
            *state = std::ptr::null_mut();
            Ok(())
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn fmi2SerializedFMUstateSize(
    component: *mut c_void,
    state: *mut c_void,
    size: *mut usize,
) -> i32 {
    unsafe {
        plainly(component, |_| {
            put(size, handle(state.cast::<Kept>())?.bytes().len());
            Ok(())
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn fmi2SerializeFMUstate(c: *mut c_void, state: *mut c_void, to: *mut u8, size: usize) -> i32 {
    unsafe {
        plainly(c, |_| {
            let bytes = handle(state.cast::<Kept>())?.bytes();
            if size < bytes.len() {
                return Err(Error::new(format!("room for {size} bytes where there are {}", bytes.len())));
            }
            room(to, bytes.len(), "the bytes")?.copy_from_slice(&bytes);
            Ok(())
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn fmi2DeSerializeFMUstate(
    component: *mut c_void,
    from: *const u8,
    size: usize,
    state: *mut *mut c_void,
) -> i32 {
    unsafe {
        plainly(component, |i| {
            let found = Kept::from_bytes(list(from, size, "the bytes")?, i)?;
            let old = handle(state)?;
            free(old.cast::<Kept>());
            *old = made(found).cast();
            Ok(())
        })
    }
}

// Many: the standard's.
#[no_mangle]
pub unsafe extern "C" fn fmi2GetDirectionalDerivative(
    component: *mut c_void,
    unknowns: *const u32,
    unknown_count: usize,
    knowns: *const u32,
    known_count: usize,
    seed: *const f64,
    sensitivity: *mut f64,
) -> i32 {
    unsafe {
        plainly(component, |i| {
            let (unknowns, knowns) = (list(unknowns, unknown_count, "unknowns")?, list(knowns, known_count, "knowns")?);
            let to = room(sensitivity, unknowns.len(), "sensitivities")?;
            i.slope(unknowns, knowns, list(seed, knowns.len(), "the seed")?, to)
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn fmi2EnterEventMode(component: *mut c_void) -> i32 {
    unsafe {
        plainly(component, |i| {
            i.only("EnterEventMode", &[Phase::Continuous, Phase::Event])?;
            i.phase = Phase::Event;
            Ok(())
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn fmi2NewDiscreteStates(component: *mut c_void, info: *mut EventInfo) -> i32 {
    unsafe {
        plainly(component, |i| {
            let (changed, over) = i.update()?;
            let (values, terminate) = (i32::from(changed), i32::from(over));
            put(info, EventInfo { again: 0, terminate, nominals: values, values, next_given: 0, next: 0.0 });
            Ok(())
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn fmi2EnterContinuousTimeMode(component: *mut c_void) -> i32 {
    unsafe {
        plainly(component, |i| {
            i.only("EnterContinuousTimeMode", &[Phase::Event])?;
            i.phase = Phase::Continuous;
            Ok(())
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn fmi2CompletedIntegratorStep(
    component: *mut c_void,
    _no_return: i32,
    event: *mut i32,
    terminate: *mut i32,
) -> i32 {
    unsafe {
        plainly(component, |i| {
            put(event, i32::from(i.completed()?));
            put(terminate, 0);
            Ok(())
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn fmi2SetTime(component: *mut c_void, t: f64) -> i32 {
    unsafe { plainly(component, |i| i.set_time(t)) }
}

#[no_mangle]
pub unsafe extern "C" fn fmi2SetContinuousStates(component: *mut c_void, x: *const f64, count: usize) -> i32 {
    unsafe { plainly(component, |i| i.set_states(list(x, count, "states")?)) }
}

#[no_mangle]
pub unsafe extern "C" fn fmi2GetContinuousStates(component: *mut c_void, to: *mut f64, count: usize) -> i32 {
    unsafe { plainly(component, |i| i.list(Live::states, room(to, count, "states")?)) }
}

#[no_mangle]
pub unsafe extern "C" fn fmi2GetDerivatives(component: *mut c_void, to: *mut f64, count: usize) -> i32 {
    unsafe { plainly(component, |i| i.list(Live::rates, room(to, count, "rates")?)) }
}

#[no_mangle]
pub unsafe extern "C" fn fmi2GetEventIndicators(component: *mut c_void, to: *mut f64, count: usize) -> i32 {
    unsafe { plainly(component, |i| i.list(Live::indicators, room(to, count, "indicators")?)) }
}

#[no_mangle]
pub unsafe extern "C" fn fmi2GetNominalsOfContinuousStates(component: *mut c_void, to: *mut f64, count: usize) -> i32 {
    unsafe {
        plainly(component, |_| {
            room(to, count, "nominals")?.fill(1.0);
            Ok(())
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn fmi2DoStep(component: *mut c_void, t: f64, h: f64, _no_return: i32) -> i32 {
    unsafe {
        with(component, |c| {
            c.terminated = c.instance.step(t, h)?;
            c.last = c.instance.live.time();
            // An event has ended the motion within the step: the status tells when.
            Ok(if c.terminated { DISCARD } else { OK })
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn fmi2CancelStep(_component: *mut c_void) -> i32 {
    // No step is ever on its way: each is done when its call returns.
    ERROR
}

/// What may be asked of the last step, as the standard counts.
const LAST_SUCCESSFUL_TIME: i32 = 2;
const TERMINATED: i32 = 3;

#[no_mangle]
pub unsafe extern "C" fn fmi2GetRealStatus(component: *mut c_void, kind: i32, value: *mut f64) -> i32 {
    unsafe {
        with(component, |c| match kind {
            LAST_SUCCESSFUL_TIME => {
                put(value, c.last);
                Ok(OK)
            }
            _ => Ok(DISCARD),
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn fmi2GetBooleanStatus(component: *mut c_void, kind: i32, value: *mut i32) -> i32 {
    unsafe {
        with(component, |c| match kind {
            TERMINATED => {
                put(value, i32::from(c.terminated));
                Ok(OK)
            }
            _ => Ok(DISCARD),
        })
    }
}

/// Functions for variables of types that no FMU of this library has. Of no variable they are content.
macro_rules! of_no_variable {
    ($($name:ident),* $(,)?) => {
        $(#[no_mangle]
        pub unsafe extern "C" fn $name(_: *mut c_void, _: *const u32, count: usize) -> i32 {
            if count == 0 { OK } else { ERROR }
        })*
    };
}
of_no_variable!(
    fmi2GetInteger,
    fmi2GetBoolean,
    fmi2GetString,
    fmi2SetInteger,
    fmi2SetBoolean,
    fmi2SetString,
    fmi2SetRealInputDerivatives,
    fmi2GetRealOutputDerivatives,
);

macro_rules! not_claimed {
    ($($name:ident),* $(,)?) => {
        $(#[no_mangle]
        pub unsafe extern "C" fn $name(_: *mut c_void) -> i32 {
            DISCARD
        })*
    };
}
not_claimed!(fmi2GetStatus, fmi2GetIntegerStatus, fmi2GetStringStatus);
