//! Between Rust and C: texts and lists that come in, results that go out, errors as data.
// SAFETY: the functions here follow pointers that C hands over. Each says what it needs of them; a null pointer is always told, never followed.
#![allow(unsafe_code)]

use biela::error::{Error, Result};
use std::cell::RefCell;
use std::ffi::{c_char, CStr, CString};
use std::panic::{catch_unwind, AssertUnwindSafe};

/// What went wrong last on this thread.
#[derive(Default)]
pub struct Fault {
    pub message: CString,
    pub place: CString,
    pub advice: CString,
    pub whole: CString,
}

thread_local! {
    static FAULT: RefCell<Fault> = RefCell::default();
}

/// A text for C: it ends where C would end it.
pub fn text(text: &str) -> CString {
    CString::new(text.replace('\0', " ")).unwrap_or_default()
}

/// Keeps an error for this thread.
pub fn keep(error: &Error) {
    let place = error.span().map(|span| span.place().to_string()).unwrap_or_default();
    let message = match error.element() {
        Some(element) => format!("{element}: {}", error.message()),
        None => error.message().to_string(),
    };
    let fault = Fault {
        message: text(&message),
        place: text(&place),
        advice: text(&error.notes().join("\n")),
        whole: text(&error.to_string()),
    };
    FAULT.with_borrow_mut(|last| *last = fault);
}

/// Looks at what went wrong last on this thread.
pub fn fault(read: impl FnOnce(&Fault) -> *const c_char) -> *const c_char {
    FAULT.with_borrow(|fault| read(fault))
}

/// Does something that may fail or panic: 0 where it is done, 1 where it is not, with the error kept.
pub fn guarded(work: impl FnOnce() -> Result<()>) -> i32 {
    match caught(work) {
        Ok(()) => 0,
        Err(error) => {
            keep(&error);
            1
        }
    }
}

/// The same; a panic is an error.
pub fn caught<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let words = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        Err(Error::new(format!("the library has failed: {}", words.unwrap_or("no words")))
            .note("this is a fault of biela; the handle must not be used any more"))
    })
}

/// A text that ends with a zero.
///
/// # Safety
/// `from` is null, or a text that ends with a zero and lives through the call.
pub unsafe fn words<'a>(from: *const c_char, what: &str) -> Result<&'a str> {
    if from.is_null() {
        return Err(Error::new(format!("{what} is a null pointer")));
    }
    let text = unsafe { CStr::from_ptr(from) };
    text.to_str().map_err(|_| Error::new(format!("{what} is no UTF-8")))
}

/// A list.
///
/// # Safety
/// `from` is null, or there are `count` values that live through the call.
pub unsafe fn list<'a, T>(from: *const T, count: usize, what: &str) -> Result<&'a [T]> {
    match (from.is_null(), count) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(Error::new(format!("{what} is a null pointer"))),
        _ => Ok(unsafe { std::slice::from_raw_parts(from, count) }),
    }
}

/// Room to write into.
///
/// # Safety
/// `to` is null, or there is room for `count` values that nobody else uses through the call.
pub unsafe fn room<'a, T>(to: *mut T, count: usize, what: &str) -> Result<&'a mut [T]> {
    match (to.is_null(), count) {
        (_, 0) => Ok(&mut []),
        (true, _) => Err(Error::new(format!("{what} is a null pointer"))),
        _ => Ok(unsafe { std::slice::from_raw_parts_mut(to, count) }),
    }
}

/// A handle.
///
/// # Safety
/// `handle` is null, or one that this library has made and not freed, used by this thread alone through the call.
pub unsafe fn handle<'a, T>(handle: *mut T) -> Result<&'a mut T> {
    unsafe { handle.as_mut() }.ok_or_else(|| Error::new("the handle is a null pointer"))
}

/// Puts a value where a pointer points; where it is null, nothing.
///
/// # Safety
/// `to` is null or points to room for a value.
pub unsafe fn put<T>(to: *mut T, value: T) {
    if !to.is_null() {
        unsafe { to.write(value) };
    }
}

/// Makes a handle.
pub fn made<T>(value: T) -> *mut T {
    Box::into_raw(Box::new(value))
}

/// Frees a handle.
///
/// # Safety
/// `handle` is null, or one that [`made`] has made and nobody has freed.
pub unsafe fn free<T>(handle: *mut T) {
    if !handle.is_null() {
        drop(unsafe { Box::from_raw(handle) });
    }
}
