//! Four-bar linkages in one line of text: lengths of crank, coupler, rocker and ground, in metres.

use biela::error::{Error, Result};
use biela::source::{Source, Span};
use biela::text::document::Format;
use biela::text::{Document, Options};
use std::path::Path;
use std::sync::Arc;

pub static FOUR_LENGTHS: Format =
    Format { name: "four lengths of a four-bar", extensions: &["fourbar"], recognises: |_| false, read };

fn read(source: &Arc<Source>, _: &Path, _: &Options) -> Result<Document> {
    let mut lengths = Vec::new();
    for word in source.text.split_whitespace() {
        let start = word.as_ptr() as usize - source.text.as_ptr() as usize;
        let span = Span::new(source, start..start + word.len());
        match word.parse::<f64>() {
            Ok(length) if length > 0.0 && length.is_finite() => lengths.push(length),
            _ => return Err(Error::new(format!("'{word}' is no length")).at(&span).note("in metres, such as 0.35")),
        }
    }
    let [crank, coupler, rocker, ground] = lengths[..] else {
        let message = format!("{} lengths where crank, coupler, rocker and ground have one each", lengths.len());
        return Err(Error::new(message).at(&Span::new(source, 0..source.text.len())));
    };
    let text = format!(
        r#"
        [parameters]
        crank = {crank:?}
        coupler = {coupler:?}
        rocker = {rocker:?}
        ground = {ground:?}
        [bodies]
        crank = {{ points = {{ P = ["crank", 0, 0] }} }}
        coupler = {{ points = {{ Q = ["coupler", 0, 0] }}, pose = {{ at = ["crank", 0, 0], angle = "30 deg", axis = "z" }} }}
        rocker = {{ points = {{ Q = ["rocker", 0, 0] }}, pose = {{ at = ["ground", 0, 0], angle = "90 deg", axis = "z" }} }}
        [joints]
        A = {{ type = "revolute", bodies = ["ground", "crank"], at = [[0, 0, 0], [0, 0, 0]], axis = [0, 0, 1] }}
        P = {{ type = "revolute", bodies = ["crank", "coupler"], at = ["P", [0, 0, 0]], axis = [0, 0, 1] }}
        Q = {{ type = "revolute", bodies = ["coupler", "rocker"], at = ["Q", "Q"], axis = [0, 0, 1] }}
        B = {{ type = "revolute", bodies = ["ground", "rocker"], at = [["ground", 0, 0], [0, 0, 0]], axis = [0, 0, 1] }}
        [drivers]
        motor = {{ joint = "A", value = "2*pi*t" }}
        "#
    );
    Document::from_toml(&Source::new(source.name.as_str(), text))
}
