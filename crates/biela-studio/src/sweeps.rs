//! Sweeps in shares: each by a worker or thread of its own, from its number alone, and then gathered. Whoever computes how many of
//! them, the table has the bytes of the command line's.

use crate::given::Given;
use biela::error::{Error, Result};
use biela::failure::FailureClass;
use biela::results::row_formats::CSV;
use biela::results::rows::Rows;
use biela::solve::newton::METHODS;
use biela::sweep::{Gather, Sweep};
use biela::text::Asked;
use serde_json::{json, Value};

/// Samples at most: rows travel through the page.
const MOST_SAMPLES: u64 = 20_000;
/// Points of a diagram at most; of more, every so-manieth.
const MOST_POINTS: usize = 4000;

/// The sweep that a call asks for, by `vary` and `measure` (pairs of name and text) or by the model's own `[sweep]`.
fn sweep<'d>(given: &Given, asked: &Value) -> Result<Sweep<'d>> {
    let word = |value: &Value| value.as_str().unwrap_or("").to_string();
    let pairs = |key: &str| -> Vec<(String, String)> {
        asked[key].as_array().into_iter().flatten().map(|pair| (word(&pair[0]), word(&pair[1]))).collect()
    };
    let plan = Asked {
        vary: pairs("vary"),
        measure: pairs("measure"),
        samples: asked["samples"].as_u64(),
        seed: asked["seed"].as_u64(),
        ..Asked::default()
    };
    let document = given.document()?;
    let plan = document.plan(&given.reading, &plan)?;
    if plan.samples > MOST_SAMPLES {
        let words = format!("{} samples are asked for; the studio makes {MOST_SAMPLES} at most", plan.samples);
        return Err(Error::new(words).note("biela sweep makes all"));
    }
    if !plan.series.is_empty() {
        return Err(Error::new("whole signals of many runs are for biela sweep: ask for measures here"));
    }
    Sweep::new(document, &given.reading, plan, given.formulation.as_deref(), METHODS[0])
}

/// Rows of the chunks that belong to share `share` of `of`.
pub(crate) fn share(given: &Given, asked: &Value) -> Result<Value> {
    let sweep = sweep(given, asked)?;
    let (share, of) = (asked["share"].as_u64().unwrap_or(0), asked["of"].as_u64().unwrap_or(1).max(1));
    let chunks = (0..sweep.plan.chunks()).filter(|k| k % of == share);
    let parts: Vec<Value> = chunks.map(|k| json!([k, told(&sweep.chunk(k))])).collect();
    Ok(json!({ "samples": sweep.plan.samples, "chunks": sweep.plan.chunks(), "parts": parts }))
}

/// Rows for the page; what is missing is null.
fn told(rows: &Rows) -> Value {
    let classes: Vec<Value> = rows.classes.iter().map(|(row, class)| json!([row, class.to_string()])).collect();
    json!({ "samples": rows.samples, "columns": rows.columns, "reasons": rows.reasons, "classes": classes })
}

/// The same back.
fn taken(value: &Value, columns: usize) -> Option<Rows> {
    let list = |key: &str| value[key].as_array();
    let mut rows = Rows::new(columns);
    rows.samples = list("samples")?.iter().map(Value::as_u64).collect::<Option<_>>()?;
    let number = |x: &Value| if x.is_null() { Some(f64::NAN) } else { x.as_f64() };
    for (column, told) in rows.columns.iter_mut().zip(list("columns")?) {
        *column = told.as_array()?.iter().map(number).collect::<Option<_>>()?;
    }
    rows.reasons = list("reasons")?.iter().map(|r| r.as_str().map(str::to_string)).collect::<Option<_>>()?;
    let class = |pair: &Value| Some((pair[0].as_u64()? as usize, FailureClass::parse(pair[1].as_str()?)?));
    rows.classes = list("classes")?.iter().map(class).collect::<Option<_>>()?;
    let length = rows.samples.len();
    let whole = rows.reasons.len() == length && rows.columns.iter().all(|c| c.len() == length);
    whole.then_some(rows)
}

/// What all shares come to: the table, its summary, and what a diagram shows.
pub(crate) fn gather(given: &Given, asked: &Value) -> Result<Value> {
    let wrong = || Error::new("the shares of this sweep do not fit each other: run it again");
    let sweep = sweep(given, asked)?;
    let width = sweep.header.columns.len();
    let mut parts: Vec<(u64, Rows)> = Vec::new();
    for part in asked["parts"].as_array().into_iter().flatten() {
        parts.push((part[0].as_u64().ok_or_else(wrong)?, taken(&part[1], width).ok_or_else(wrong)?));
    }
    parts.sort_by_key(|part| part.0);
    if !parts.iter().map(|part| part.0).eq(0..sweep.plan.chunks()) {
        return Err(wrong());
    }
    let mut gather = Gather::new(&sweep);
    let mut all = Rows::new(width);
    for (_, rows) in &parts {
        gather.add(rows);
        all.append(rows);
    }
    let shown = gather.finish().shown(&sweep.shown[sweep.varied()..]);
    let step = all.len().div_ceil(MOST_POINTS).max(1);
    let columns: Vec<Value> = (sweep.header.columns.iter().zip(&sweep.shown).zip(&all.columns))
        .map(|(((name, _), scale), data)| {
            let values: Vec<f64> = data.iter().step_by(step).map(|x| scale.shown(*x)).collect();
            json!({ "name": name, "unit": scale.unit, "values": values })
        })
        .collect();
    let mut csv = Vec::new();
    let mut once = Some(all);
    CSV.table(&sweep.header, &mut || Ok(once.take()), &mut csv).map_err(|e| Error::new(e.to_string()))?;
    Ok(json!({
        "summary": shown.json(), "sampling": sweep.plan.sampling.keyword, "varied": sweep.varied(),
        "curve": sweep.plan.sampling.every && sweep.varied() == 1,
        "columns": columns, "csv": String::from_utf8_lossy(&csv),
    }))
}
