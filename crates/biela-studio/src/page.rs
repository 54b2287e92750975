//! The page: three files of a server, and a policy that allows no others.

use crate::http::{refuse, Refusal, Response};
use biela::picture::page::{filled, script_with, STYLE};

pub(crate) const HTML: &str = include_str!("../assets/studio.html");
pub(crate) const MORE_STYLE: &str = concat!(
    include_str!("../assets/studio.css"),
    include_str!("../assets/code.css"),
    include_str!("../assets/gallery.css")
);
/// What every engine shares, before it.
pub(crate) const ENGINE: &str = include_str!("../assets/engine.js");
/// What the studio adds to the moving picture's script, after its engine.
pub(crate) const STUDIO: &[&str] = &[
    include_str!("../assets/editor.js"),
    include_str!("../assets/code.js"),
    include_str!("../assets/hand.js"),
    include_str!("../assets/panels.js"),
    include_str!("../assets/light.js"),
    include_str!("../assets/motion-bars.js"),
    include_str!("../assets/sheet.js"),
    include_str!("../assets/history.js"),
    include_str!("../assets/space.js"),
    include_str!("../assets/draw.js"),
    include_str!("../assets/pointer.js"),
    include_str!("../assets/polygons.js"),
    include_str!("../assets/wish.js"),
    include_str!("../assets/inspector.js"),
    include_str!("../assets/studio.js"),
    include_str!("../assets/gallery.js"),
    include_str!("../assets/lessons.js"),
    include_str!("../assets/exports.js"),
    include_str!("../assets/studies.js"),
];
const SERVER: &str = include_str!("../assets/server.js");

const LINK: &str = "<link rel=\"stylesheet\" href=\"/studio.css\">\n";
const SCRIPT: &str = "<script src=\"/studio.js\"></script>\n";

const POLICY: &str =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data: blob:; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Answers for a path of the page.
pub(crate) fn answer(method: &str, path: &str) -> Result<Response, Refusal> {
    let (kind, body) = match path {
        "/" => ("text/html; charset=utf-8", filled(HTML, &[("style", LINK), ("script", SCRIPT)])),
        "/studio.css" => ("text/css; charset=utf-8", format!("{STYLE}{MORE_STYLE}")),
        "/studio.js" => ("text/javascript; charset=utf-8", script_with(&[&[ENGINE, SERVER][..], STUDIO].concat())),
        _ => return refuse(404, "there is nothing here"),
    };
    if !["GET", "HEAD"].contains(&method) {
        return refuse(405, "the page is read by GET");
    }
    let mut response = Response::new(200, kind, body);
    response.headers.push(("Content-Security-Policy", POLICY.into()));
    Ok(response)
}
