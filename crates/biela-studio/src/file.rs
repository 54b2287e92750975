//! The studio as one file: page, program and models, for a browser without a server. It asks nothing of a network.

use crate::page::{ENGINE, HTML, MORE_STYLE, STUDIO};
use biela::error::Result;
use biela::picture::page::{base64, filled, policy, script_with, STYLE};
use biela::results::plot::typefaces;
use miniz_oxide::deflate::compress_to_vec;
use serde_json::{json, Value};

/// The program as a WebAssembly module, packed by LZMA; `release/wasm.sh` makes it.
static MODULE: &[u8] = include_bytes!("../assets/biela.wasm.lzma");

/// What unpacks it, and calls it.
const WORKER: &str = concat!(include_str!("../assets/inside/lzma.js"), include_str!("../assets/inside/worker.js"));
/// The engine that calls it, in place of the one of a server.
const INSIDE: [&str; 2] = [include_str!("../assets/inside/keeping.js"), include_str!("../assets/inside/engine.js")];
/// What it offers once the studio stands.
const AFTER: [&str; 2] = [include_str!("../assets/inside/menu.js"), include_str!("../assets/inside/embed.js")];
/// How it looks inside another page.
const EMBEDDED: &str = include_str!("../assets/inside/embed.css");

/// The page as text, with the model that it shows first and the models that it offers.
pub fn file(name: &str, text: &str, library: &[(&str, &str)]) -> Result<String> {
    let style = format!("{STYLE}{MORE_STYLE}{EMBEDDED}");
    let script = script_with(&[&[ENGINE][..], &INSIDE, STUDIO, &AFTER].concat());
    // Workers are made of the page's own blobs, and take over what the page may do: code of the module, and no network.
    let policy = policy(Some(&script), &style)
        .replace("; style-src", " 'wasm-unsafe-eval'; worker-src blob:; connect-src 'none'; style-src");
    let library: Vec<Value> = library.iter().map(|(name, text)| json!([name, text])).collect();
    let own = json!({"name": name, "text": text, "library": library}).to_string();
    // What browsers unpack by themselves.
    const LEVEL: u8 = 10;
    let packed = |bytes: &[u8]| base64(&compress_to_vec(bytes, LEVEL));
    let typefaces = typefaces().into_iter().map(packed).collect::<Vec<_>>().join(" ");
    let head = format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n<style>{style}</style>\n");
    let block = |id: &str, kind: &str, held: &str| format!("<script type=\"{kind}\" id=\"{id}\">{held}</script>\n");
    // Data is read as text and never run; a text cannot end the block that it stands in.
    let tail = [
        block("own", "application/json", &own.replace('<', "\\u003c")),
        block("typefaces", "text/plain", &typefaces),
        block("module", "text/plain", &base64(MODULE)),
        block("worker", "text/plain", WORKER),
        format!("<script>{script}</script>\n"),
    ];
    Ok(filled(HTML, &[("style", &head), ("script", &tail.concat())]))
}
