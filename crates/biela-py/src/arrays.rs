//! Arrays of NumPy in and out of short calls.
//!
//! A call of a small tree takes a quarter of a microsecond in Rust, and must not take several from Python. So arrays are looked at once,
//! through NumPy's own fields: what is of 64-bit floats, in rows and aligned is used where it lies; all else is converted by NumPy.

#![allow(unsafe_code)] // NumPy's own fields, see above.

use crate::errors::BielaError;
use numpy::npyffi::flags::{NPY_ARRAY_CARRAY, NPY_ARRAY_CARRAY_RO};
use numpy::npyffi::objects::PyArrayObject;
use numpy::{dtype, PyUntypedArray, PY_ARRAY_API};
use pyo3::ffi::{PyObject, PyTypeObject, Py_INCREF};
use pyo3::prelude::*;
use pyo3::type_object::PyTypeInfo;
use std::os::raw::c_int;
use std::sync::OnceLock;

/// Axes of an array at most: states, then those of a result.
const MOST: usize = 4;

/// Numbers that a caller gives: those of one state, or of many.
pub struct Given<'py> {
    /// The array they lie in.
    _owner: Option<Bound<'py, PyAny>>,
    data: *const f64,
    len: usize,
    /// Number of states; none for a single one.
    pub count: Option<usize>,
}

// SAFETY: the array is held, and read alone; whoever writes into it from another thread gets what NumPy gives then.
unsafe impl Sync for Given<'_> {}

/// An array as NumPy keeps it, where its numbers can be used as they lie.
struct Fields<'a> {
    data: *mut f64,
    shape: &'a [isize],
}

/// NumPy's type of arrays and its type of 64-bit floats in this machine's order: one object each, kept for good.
struct Known {
    array: *mut PyTypeObject,
    floats: *mut PyObject,
}

// SAFETY: places of objects that are never given up; what they point to is looked at under the interpreter's lock.
unsafe impl Send for Known {}
unsafe impl Sync for Known {}

fn known(py: Python<'_>) -> &'static Known {
    static KNOWN: OnceLock<Known> = OnceLock::new();
    KNOWN.get_or_init(|| Known {
        array: PyUntypedArray::type_object(py).into_ptr().cast(),
        floats: dtype::<f64>(py).into_ptr(),
    })
}

/// The fields of an array of floats in rows.
fn fields<'a>(array: &'a Bound<'_, PyAny>, flags: c_int) -> Option<Fields<'a>> {
    let (object, known) = (array.as_ptr(), known(array.py()));
    // SAFETY: an object has a type; one of NumPy's type of arrays, or of a type made of it, has its fields.
    unsafe {
        if (*object).ob_type != known.array && array.cast::<PyUntypedArray>().is_err() {
            return None;
        }
        let f = &(*object.cast::<PyArrayObject>()).fields;
        if f.descr.cast() != known.floats || f.flags & flags != flags {
            return None;
        }
        let shape = match f.nd {
            0 => &[],
            nd => std::slice::from_raw_parts(f.dimensions, nd as usize),
        };
        Some(Fields { data: f.data.cast(), shape })
    }
}

impl<'py> Given<'py> {
    /// Numbers of shape `shape` for a state, or (N, shape…) for many.
    pub fn new(given: &Bound<'py, PyAny>, shape: &[usize], name: &str) -> PyResult<Given<'py>> {
        if let Some(found) = fields(given, NPY_ARRAY_CARRAY_RO) {
            return Given::of(given.clone(), &found, shape, name);
        }
        // Lists, whole numbers, slices: NumPy knows how.
        let converted = given.py().import("numpy")?.call_method1("ascontiguousarray", (given, "f8"))?;
        match fields(&converted, NPY_ARRAY_CARRAY_RO) {
            Some(found) => Given::of(converted.clone(), &found, shape, name),
            None => Err(BielaError::new_err(format!("'{name}' is no array of numbers"))),
        }
    }

    fn of(owner: Bound<'py, PyAny>, found: &Fields, shape: &[usize], name: &str) -> PyResult<Given<'py>> {
        let same = |a: &[isize]| a.iter().zip(shape).all(|(a, b)| *a == *b as isize);
        let count = match found.shape {
            own if own.len() == shape.len() && same(own) => None,
            [count, own @ ..] if own.len() == shape.len() && same(own) => Some(*count as usize),
            _ => return Err(wrong_shape(name, found.shape, shape)),
        };
        let len = count.unwrap_or(1) * shape.iter().product::<usize>();
        Ok(Given { _owner: Some(owner), data: found.data, len, count })
    }

    /// The same where it may be left out: then it is zero.
    pub fn optional(given: Option<&Bound<'py, PyAny>>, n: usize, name: &str, like: &Given) -> PyResult<Given<'py>> {
        let Some(given) = given else { return Ok(Given::none(like.count)) };
        let states = Given::new(given, &[n], name)?;
        match states.count == like.count {
            true => Ok(states),
            false => Err(BielaError::new_err(format!("'{name}' has not as many states as 'q'"))),
        }
    }

    /// Nothing.
    pub fn none(count: Option<usize>) -> Given<'py> {
        Given { _owner: None, data: std::ptr::NonNull::dangling().as_ptr(), len: 0, count }
    }

    /// All numbers, state by state; none where nothing is given.
    pub fn data(&self) -> &[f64] {
        // SAFETY: as many numbers as the array has, which is held; aligned, as its flags say.
        unsafe { std::slice::from_raw_parts(self.data, self.len) }
    }

    /// Numbers of state `k`, of which each has `n`.
    pub fn state(&self, k: usize, n: usize) -> &[f64] {
        match self.len {
            0 => &[],
            _ => &self.data()[k * n..(k + 1) * n],
        }
    }
}

fn wrong_shape(name: &str, found: &[isize], shape: &[usize]) -> PyErr {
    let list = |shape: &mut dyn Iterator<Item = String>| shape.collect::<Vec<_>>().join(", ");
    let due = list(&mut shape.iter().map(usize::to_string));
    let found = list(&mut found.iter().map(isize::to_string));
    BielaError::new_err(format!("'{name}' has the shape ({found}); it must be ({due}) or (N, {due})"))
}

/// An array for results: a new one, or one that the caller gives.
pub struct Output<'py> {
    array: Bound<'py, PyAny>,
    data: *mut f64,
    len: usize,
}

// SAFETY: a new array is known to nobody else; a given one is written as NumPy writes it.
unsafe impl Send for Output<'_> {}

impl<'py> Output<'py> {
    /// Room for `shape` of one state, or of `count` states.
    pub fn new(
        py: Python<'py>,
        count: Option<usize>,
        shape: &[usize],
        given: Option<&Bound<'py, PyAny>>,
        inputs: &[&Given],
    ) -> PyResult<Output<'py>> {
        let mut whole = [0isize; MOST];
        let axes = shape.len() + usize::from(count.is_some());
        let all = count.iter().chain(shape);
        whole.iter_mut().zip(all.clone()).for_each(|(to, from)| *to = *from as isize);
        let len = all.product::<usize>();
        if let Some(given) = given {
            return Output::given(given, &whole[..axes], len, inputs);
        }
        // SAFETY: NumPy makes an array of zeros of that shape and type; a reference to the type is handed over.
        unsafe {
            let floats = known(py).floats;
            Py_INCREF(floats);
            let made = PY_ARRAY_API.PyArray_Zeros(py, axes as c_int, whole.as_mut_ptr(), floats.cast(), 0);
            let array = Bound::from_owned_ptr_or_err(py, made)?;
            let data = (*made.cast::<PyArrayObject>()).fields.data.cast();
            Ok(Output { array, data, len })
        }
    }

    fn given(given: &Bound<'py, PyAny>, shape: &[isize], len: usize, inputs: &[&Given]) -> PyResult<Output<'py>> {
        let found = fields(given, NPY_ARRAY_CARRAY).filter(|found| found.shape == shape);
        let Some(found) = found else {
            let due = shape.iter().map(isize::to_string).collect::<Vec<_>>().join(", ");
            let message = format!("'out' is no writable array of 64-bit floats in rows, of shape ({due})");
            return Err(BielaError::new_err(message));
        };
        let apart = |input: &&Given| {
            let (a, b) = (input.data as usize, found.data as usize);
            a + 8 * input.len <= b || b + 8 * len <= a
        };
        match inputs.iter().all(apart) {
            true => Ok(Output { array: given.clone(), data: found.data, len }),
            false => Err(BielaError::new_err("'out' shares memory with an argument")),
        }
    }

    /// Its numbers.
    pub fn data(&mut self) -> &mut [f64] {
        // SAFETY: as many numbers as the array has, which is held; no other slice of it is made, and no argument lies there.
        unsafe { std::slice::from_raw_parts_mut(self.data, self.len) }
    }

    /// The array.
    pub fn array(self) -> Bound<'py, PyAny> {
        self.array
    }
}
