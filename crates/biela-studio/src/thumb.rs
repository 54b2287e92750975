//! A small picture of a model: its first position, as the program draws it.

use crate::given::Given;
use biela::error::Result;
use biela::picture::export::{still_with, Choice};
use biela::picture::page::base64;
use biela::picture::{self, Animation, Look};
use biela::solve::manual_pose;
use serde_json::{json, Value};

/// Pixels across: twice what a card is wide, for fine screens.
const WIDTH: usize = 480;

/// The picture as its media type and Base64, for paper that is dark or light; with what can be searched.
pub(crate) fn thumb(given: &Given, dark: bool) -> Result<Value> {
    let (model, _) = given.model()?;
    let t = model.study.start;
    let poses = manual_pose::assembled(&model, t)?.poses;
    let results = manual_pose::results(&model, &poses, t);
    let motion = Animation::new(&model, &results)?;
    let scene = picture::scene(&model, &motion)?;
    let look = Look { dark, grid: false, ..Look::default() };
    let (kind, bytes) = still_with(&scene, &motion, &Choice::new(0, WIDTH, &look))?;
    let mut types: Vec<&str> = model.joints.iter().map(|j| j.kind.keyword()).collect();
    types.sort_unstable();
    types.dedup();
    Ok(
        json!({ "kind": kind, "bytes": base64(&bytes), "bodies": model.bodies.len().saturating_sub(1), "joints": types }),
    )
}
