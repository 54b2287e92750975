//! The functions of FMI 3.0 (fmi-standard.org, version 3.0.2), by their names there.
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
use std::path::Path;

const OK: i32 = 0;
const DISCARD: i32 = 2;
const ERROR: i32 = 3;

/// How importers hear of what happens.
pub type Log = Option<unsafe extern "C" fn(*mut c_void, i32, *const c_char, *const c_char)>;

/// Does something with an instance; what fails is told the importer.
unsafe fn with(instance: *mut c_void, work: impl FnOnce(&mut Instance) -> Result<i32>) -> i32 {
    let Ok(instance) = (unsafe { handle(instance.cast::<Instance>()) }) else { return ERROR };
    match caught(|| work(instance)) {
        Ok(status) => status,
        Err(error) => {
            instance.tell(ERROR, "logStatusError", &error.to_string());
            ERROR
        }
    }
}

unsafe fn instantiated(
    token: *const c_char,
    folder: *const c_char,
    environment: *mut c_void,
    log: Log,
    exchange: bool,
) -> *mut c_void {
    let tell = move |status: i32, category: &str, message: &str| {
        if let Some(log) = log {
            let (category, message) = (text(category), text(message));
            unsafe { log(environment, status, category.as_ptr(), message.as_ptr()) };
        }
    };
    let found = caught(|| {
        let (token, folder) = unsafe { (words(token, "the token")?, words(folder, "the path of resources")?) };
        Instance::new(Path::new(folder), token, exchange, Box::new(tell))
    });
    match found {
        Ok(instance) => made(instance).cast(),
        Err(error) => {
            tell(ERROR, "logStatusError", &error.to_string());
            std::ptr::null_mut()
        }
    }
}

#[no_mangle]
pub extern "C" fn fmi3GetVersion() -> *const c_char {
    c"3.0".as_ptr()
}

#[no_mangle]
pub unsafe extern "C" fn fmi3SetDebugLogging(_: *mut c_void, _: bool, _: usize, _: *const *const c_char) -> i32 {
    OK
}

// Many: the standard's.
#[no_mangle]
pub unsafe extern "C" fn fmi3InstantiateModelExchange(
    _name: *const c_char,
    token: *const c_char,
    folder: *const c_char,
    _visible: bool,
    _logging: bool,
    environment: *mut c_void,
    log: Log,
) -> *mut c_void {
    unsafe { instantiated(token, folder, environment, log, true) }
}

// Many: the standard's.
#[no_mangle]
pub unsafe extern "C" fn fmi3InstantiateCoSimulation(
    _name: *const c_char,
    token: *const c_char,
    folder: *const c_char,
    _visible: bool,
    _logging: bool,
    _event_mode: bool,
    _early_return: bool,
    _intermediate: *const u32,
    _count: usize,
    environment: *mut c_void,
    log: Log,
    _update: *mut c_void,
) -> *mut c_void {
    unsafe { instantiated(token, folder, environment, log, false) }
}

#[no_mangle]
pub unsafe extern "C" fn fmi3FreeInstance(instance: *mut c_void) {
    unsafe { free(instance.cast::<Instance>()) };
}

#[no_mangle]
pub unsafe extern "C" fn fmi3EnterInitializationMode(
    instance: *mut c_void,
    _tolerance_given: bool,
    _tolerance: f64,
    start: f64,
    _stop_given: bool,
    _stop: f64,
) -> i32 {
    unsafe { with(instance, |i| i.enter_initialization(Some(start)).map(|()| OK)) }
}

#[no_mangle]
pub unsafe extern "C" fn fmi3ExitInitializationMode(instance: *mut c_void) -> i32 {
    unsafe { with(instance, |i| i.exit_initialization().map(|()| OK)) }
}

#[no_mangle]
pub unsafe extern "C" fn fmi3EnterEventMode(instance: *mut c_void) -> i32 {
    let phases = [Phase::Continuous, Phase::Stepping];
    unsafe {
        with(instance, |i| {
            i.only("EnterEventMode", &phases)?;
            i.phase = Phase::Event;
            Ok(OK)
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn fmi3EnterContinuousTimeMode(instance: *mut c_void) -> i32 {
    unsafe {
        with(instance, |i| {
            i.only("EnterContinuousTimeMode", &[Phase::Event])?;
            i.phase = Phase::Continuous;
            Ok(OK)
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn fmi3EnterStepMode(instance: *mut c_void) -> i32 {
    unsafe {
        with(instance, |i| {
            i.only("EnterStepMode", &[Phase::Event, Phase::Stepping])?;
            i.phase = Phase::Stepping;
            Ok(OK)
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn fmi3Terminate(instance: *mut c_void) -> i32 {
    unsafe {
        with(instance, |i| {
            i.only("Terminate", &[Phase::Stepping, Phase::Event, Phase::Continuous])?;
            i.phase = Phase::Terminated;
            Ok(OK)
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn fmi3Reset(instance: *mut c_void) -> i32 {
    unsafe { with(instance, |i| i.reset().map(|()| OK)) }
}

#[no_mangle]
pub unsafe extern "C" fn fmi3GetFloat64(
    instance: *mut c_void,
    references: *const u32,
    count: usize,
    values: *mut f64,
    room_for: usize,
) -> i32 {
    unsafe {
        with(instance, |i| {
            i.get(list(references, count, "references")?, room(values, room_for, "values")?).map(|()| OK)
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn fmi3SetFloat64(
    instance: *mut c_void,
    references: *const u32,
    count: usize,
    values: *const f64,
    given: usize,
) -> i32 {
    unsafe {
        with(instance, |i| i.set(list(references, count, "references")?, list(values, given, "values")?).map(|()| OK))
    }
}

#[no_mangle]
pub unsafe extern "C" fn fmi3GetFMUState(instance: *mut c_void, state: *mut *mut c_void) -> i32 {
    unsafe {
        with(instance, |i| {
            let old = handle(state)?;
            match old.cast::<Kept>().as_mut() {
                Some(kept) => *kept = i.keep(),
                None => *old = made(i.keep()).cast(),
            }
            Ok(OK)
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn fmi3SetFMUState(instance: *mut c_void, state: *mut c_void) -> i32 {
    unsafe {
        with(instance, |i| {
            i.put_back(handle(state.cast::<Kept>())?);
            Ok(OK)
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn fmi3FreeFMUState(instance: *mut c_void, state: *mut *mut c_void) -> i32 {
    unsafe {
        with(instance, |_| {
            let state = handle(state)?;
            free(state.cast::<Kept>());
            *state = std::ptr::null_mut();
            Ok(OK)
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn fmi3SerializedFMUStateSize(
    instance: *mut c_void,
    state: *mut c_void,
    size: *mut usize,
) -> i32 {
    unsafe {
        with(instance, |_| {
            put(size, handle(state.cast::<Kept>())?.bytes().len());
            Ok(OK)
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn fmi3SerializeFMUState(
    instance: *mut c_void,
    state: *mut c_void,
    to: *mut u8,
    size: usize,
) -> i32 {
    unsafe {
        with(instance, |_| {
            let bytes = handle(state.cast::<Kept>())?.bytes();
            if size < bytes.len() {
                return Err(Error::new(format!("room for {size} bytes where there are {}", bytes.len())));
            }
            room(to, bytes.len(), "the bytes")?.copy_from_slice(&bytes);
            Ok(OK)
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn fmi3DeserializeFMUState(
    instance: *mut c_void,
    from: *const u8,
    size: usize,
    state: *mut *mut c_void,
) -> i32 {
    unsafe {
        with(instance, |i| {
            let found = Kept::from_bytes(list(from, size, "the bytes")?, i)?;
            let old = handle(state)?;
            free(old.cast::<Kept>());
            *old = made(found).cast();
            Ok(OK)
        })
    }
}

// Many: the standard's.
#[no_mangle]
pub unsafe extern "C" fn fmi3GetDirectionalDerivative(
    instance: *mut c_void,
    unknowns: *const u32,
    unknown_count: usize,
    knowns: *const u32,
    known_count: usize,
    seed: *const f64,
    seeds: usize,
    sensitivity: *mut f64,
    sensitivities: usize,
) -> i32 {
    unsafe {
        with(instance, |i| {
            let (unknowns, knowns) = (list(unknowns, unknown_count, "unknowns")?, list(knowns, known_count, "knowns")?);
            let to = room(sensitivity, sensitivities, "sensitivities")?;
            i.slope(unknowns, knowns, list(seed, seeds, "the seed")?, to).map(|()| OK)
        })
    }
}

// Many: the standard's.
#[no_mangle]
pub unsafe extern "C" fn fmi3UpdateDiscreteStates(
    instance: *mut c_void,
    again: *mut bool,
    terminate: *mut bool,
    nominals: *mut bool,
    values: *mut bool,
    next_given: *mut bool,
    next: *mut f64,
) -> i32 {
    unsafe {
        with(instance, |i| {
            let (changed, over) = i.update()?;
            [(again, false), (terminate, over), (nominals, changed), (values, changed), (next_given, false)]
                .into_iter()
                .for_each(|(to, value)| put(to, value));
            put(next, 0.0);
            Ok(OK)
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn fmi3EvaluateDiscreteStates(_instance: *mut c_void) -> i32 {
    OK
}

#[no_mangle]
pub unsafe extern "C" fn fmi3CompletedIntegratorStep(
    instance: *mut c_void,
    _no_return: bool,
    event: *mut bool,
    terminate: *mut bool,
) -> i32 {
    unsafe {
        with(instance, |i| {
            put(event, i.completed()?);
            put(terminate, false);
            Ok(OK)
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn fmi3SetTime(instance: *mut c_void, t: f64) -> i32 {
    unsafe { with(instance, |i| i.set_time(t).map(|()| OK)) }
}

#[no_mangle]
pub unsafe extern "C" fn fmi3SetContinuousStates(instance: *mut c_void, x: *const f64, count: usize) -> i32 {
    unsafe { with(instance, |i| i.set_states(list(x, count, "states")?).map(|()| OK)) }
}

#[no_mangle]
pub unsafe extern "C" fn fmi3GetContinuousStates(instance: *mut c_void, to: *mut f64, count: usize) -> i32 {
    unsafe { with(instance, |i| i.list(Live::states, room(to, count, "states")?).map(|()| OK)) }
}

#[no_mangle]
pub unsafe extern "C" fn fmi3GetContinuousStateDerivatives(instance: *mut c_void, to: *mut f64, count: usize) -> i32 {
    unsafe { with(instance, |i| i.list(Live::rates, room(to, count, "rates")?).map(|()| OK)) }
}

#[no_mangle]
pub unsafe extern "C" fn fmi3GetEventIndicators(instance: *mut c_void, to: *mut f64, count: usize) -> i32 {
    unsafe { with(instance, |i| i.list(Live::indicators, room(to, count, "indicators")?).map(|()| OK)) }
}

#[no_mangle]
pub unsafe extern "C" fn fmi3GetNominalsOfContinuousStates(instance: *mut c_void, to: *mut f64, count: usize) -> i32 {
    unsafe {
        with(instance, |_| {
            room(to, count, "nominals")?.fill(1.0);
            Ok(OK)
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn fmi3GetNumberOfEventIndicators(instance: *mut c_void, count: *mut usize) -> i32 {
    unsafe {
        with(instance, |i| {
            put(count, i.live.indicator_count());
            Ok(OK)
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn fmi3GetNumberOfContinuousStates(instance: *mut c_void, count: *mut usize) -> i32 {
    unsafe {
        with(instance, |i| {
            put(count, 2 * i.live.freedoms().len());
            Ok(OK)
        })
    }
}

// Many: the standard's.
#[no_mangle]
pub unsafe extern "C" fn fmi3DoStep(
    instance: *mut c_void,
    t: f64,
    h: f64,
    _no_return: bool,
    event: *mut bool,
    terminate: *mut bool,
    early: *mut bool,
    last: *mut f64,
) -> i32 {
    unsafe {
        with(instance, |i| {
            let stopped = i.step(t, h)?;
            [(event, false), (terminate, stopped), (early, stopped)].into_iter().for_each(|(to, value)| put(to, value));
            put(last, i.live.time());
            Ok(OK)
        })
    }
}

/// Functions for variables of types that no FMU of this library has, and for what it does not claim to be able to do: nothing is done, and the
/// status says so. Of no variable they are content.
macro_rules! of_no_variable {
    ($($name:ident),* $(,)?) => {
        $(#[no_mangle]
        pub unsafe extern "C" fn $name(_: *mut c_void, _: *const u32, count: usize) -> i32 {
            if count == 0 { OK } else { ERROR }
        })*
    };
}
of_no_variable!(
    fmi3GetFloat32,
    fmi3GetInt8,
    fmi3GetUInt8,
    fmi3GetInt16,
    fmi3GetUInt16,
    fmi3GetInt32,
    fmi3GetUInt32,
    fmi3GetInt64,
    fmi3GetUInt64,
    fmi3GetBoolean,
    fmi3GetString,
    fmi3GetBinary,
    fmi3GetClock,
    fmi3SetFloat32,
    fmi3SetInt8,
    fmi3SetUInt8,
    fmi3SetInt16,
    fmi3SetUInt16,
    fmi3SetInt32,
    fmi3SetUInt32,
    fmi3SetInt64,
    fmi3SetUInt64,
    fmi3SetBoolean,
    fmi3SetString,
    fmi3SetBinary,
    fmi3SetClock,
    fmi3GetIntervalDecimal,
    fmi3GetIntervalFraction,
    fmi3GetShiftDecimal,
    fmi3GetShiftFraction,
    fmi3SetIntervalDecimal,
    fmi3SetIntervalFraction,
    fmi3SetShiftDecimal,
    fmi3SetShiftFraction,
    fmi3GetOutputDerivatives,
    fmi3GetAdjointDerivative,
);

macro_rules! not_claimed {
    ($($name:ident),* $(,)?) => {
        $(#[no_mangle]
        pub unsafe extern "C" fn $name(_: *mut c_void) -> i32 {
            DISCARD
        })*
    };
}
not_claimed!(
    fmi3EnterConfigurationMode,
    fmi3ExitConfigurationMode,
    fmi3ActivateModelPartition,
    fmi3GetNumberOfVariableDependencies,
    fmi3GetVariableDependencies,
);

#[no_mangle]
pub extern "C" fn fmi3InstantiateScheduledExecution() -> *mut c_void {
    std::ptr::null_mut()
}
