//! Python's dicts, lists, numbers and texts as parts of a model's tree.

use biela::text::tree::{Node, Table, Value};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

/// Lists in lists at most; a list that holds itself ends here.
const DEEPEST: usize = 64;

/// The tree of a dict.
pub fn table(dict: &Bound<'_, PyDict>) -> PyResult<Table> {
    table_at(dict, 0)
}

fn table_at(dict: &Bound<'_, PyDict>, depth: usize) -> PyResult<Table> {
    let mut table = Table::default();
    for (key, value) in dict {
        let key: String = key.extract().map_err(|_| PyTypeError::new_err("keys of a model are texts"))?;
        table.set(key, node(&value, depth + 1)?);
    }
    Ok(table)
}

fn node(value: &Bound<'_, PyAny>, depth: usize) -> PyResult<Node> {
    if depth > DEEPEST {
        return Err(PyTypeError::new_err(format!("lists and dicts of a model are nested {DEEPEST} deep at most")));
    }
    // Arrays and scalars of NumPy.
    if value.hasattr("tolist")? {
        return node(&value.call_method0("tolist")?, depth + 1);
    }
    let list = |items: Vec<Bound<'_, PyAny>>| -> PyResult<Value> {
        Ok(Value::List(items.iter().map(|item| node(item, depth + 1)).collect::<PyResult<_>>()?))
    };
    Ok(Node::new(if let Ok(b) = value.cast::<PyBool>() {
        Value::Bool(b.is_true())
    } else if value.is_instance_of::<PyInt>() {
        // What is longer than 64 bits is no count, but may be a number.
        match value.extract::<i64>() {
            Ok(n) => Value::Integer(n),
            Err(_) => Value::Number(value.extract()?),
        }
    } else if value.is_instance_of::<PyFloat>() {
        Value::Number(value.extract()?)
    } else if value.is_instance_of::<PyString>() {
        Value::Text(value.extract()?)
    } else if let Ok(dict) = value.cast::<PyDict>() {
        Value::Table(table_at(dict, depth)?)
    } else if let Ok(items) = value.cast::<PyList>() {
        list(items.iter().collect())?
    } else if let Ok(items) = value.cast::<PyTuple>() {
        list(items.iter().collect())?
    } else {
        let found = value.get_type().name()?;
        return Err(PyTypeError::new_err(format!("a model holds numbers, texts, lists and dicts, not {found}")));
    }))
}
