//! Drawing: what of a model lies where, and edits of its text by what a hand does.
//!
//! A link that is drawn is a body without a pose of its own, so that all places are those of one sketch, and a place is written once: a pin
//! as the `at` of its joint, an end that nothing holds as a named point of its body. In a plane bodies are joined by pins, in space by the kind
//! of joint that is asked for.
//!
//! | file | idea |
//! |---|---|
//! | `place` | places |
//! | `sketch` | what lies where, from the text and the model that it makes |
//! | `spots` | the places that a text writes, and how they move together |
//! | `shift` | what goes along where something is moved |
//! | `ends` | what a hand has pointed at, as places of bodies |
//! | `fastening` | what joins two bodies where they meet |
//! | `add` | links, pins, guides, motors, springs and the like |
//! | `alter` | what goes, what is copied or mirrored, other names and values |
//! | `mass` | masses of what is drawn: uniform until the text says otherwise |
//! | `fit` | a path that is sketched, and a drawing that follows it |
//! | `through` | all four-bars through nine places of such a path |

mod add;
mod alter;
mod ends;
mod fastening;
mod fit;
mod mass;
mod place;
mod shift;
mod sketch;
mod spots;
mod through;

use crate::given::Given;
use crate::look::diagnostic;
use biela::error::{Error, Result};
pub(crate) use fit::fit;
use serde_json::{json, Value};
pub(crate) use sketch::sketch;
use sketch::Sketch;
pub(crate) use through::through;

/// A text after a list of edits, whole or not at all: `{"text", "made", "sketch"}`. What comes out can always be read.
pub(crate) fn edit(given: &Given, asked: &Value) -> Result<Value> {
    let mut given = given.clone();
    let mut made: Vec<[String; 2]> = Vec::new();
    for one in asked["edits"].as_array().ok_or_else(|| Error::new("an edit brings a list"))? {
        let mut drawing = Sketch::read(&given)?;
        apply(&mut drawing, one, &mut made)?;
        given.text = drawing.sheet.text().to_string();
    }
    let drawing = Sketch::read(&given).map_err(|e| match asked["edits"].as_array().map(Vec::len) {
        Some(0) => e,
        _ => Error::new(format!("the text would be wrong: {}", e.message())),
    })?;
    Ok(json!({ "text": given.text, "made": made, "sketch": drawing.json() }))
}

/// One edit: an object whose first key says which.
fn apply(drawing: &mut Sketch, asked: &Value, made: &mut Vec<[String; 2]>) -> Result<()> {
    let kind = asked["do"].as_str().unwrap_or("");
    match kind {
        "link" => add::link(drawing, asked, made),
        "pin" => add::pin(drawing, asked, made),
        "ground" => add::ground(drawing, asked, made),
        "slider" => add::slider(drawing, asked, made),
        "drive" => add::motor(drawing, asked, made),
        "ram" => add::actuator(drawing, asked, made),
        "coil" => add::spring(drawing, asked, made),
        "gears" => add::gears(drawing, asked, made),
        "trace" => add::trace(drawing, asked, made),
        "force" => add::force(drawing, asked, made),
        "move" => shift::shift(drawing, asked),
        "delete" => alter::delete(drawing, asked),
        "copy" => alter::copy(drawing, asked, made),
        "mirror" => alter::mirror(drawing, asked),
        "joint" => fastening::change(drawing, asked),
        "set" => alter::set(drawing, asked),
        "mass" => mass::give(drawing, asked),
        "rename" => alter::rename(drawing, asked),
        _ => Err(Error::new(format!("there is no edit '{kind}'"))),
    }
}

/// What is drawn, for the page; where the text cannot be read, why.
pub(crate) fn told(given: &Given) -> Value {
    sketch(given).unwrap_or_else(|e| json!({ "error": diagnostic(&e, &given.name, "text") }))
}
