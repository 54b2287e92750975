//! One web page with everything in it: scene, motion, signals, and the program that shows them.
//!
//! The page asks nothing of a network. Its policy allows exactly the style and the script below, by their hashes; data is text
//! that is never run.

mod base64;
mod blob;
mod data;
mod hand;
mod linkage;
mod vary;

use super::look::Look;
use super::{Animation, Scene};
pub use base64::base64;
use biela_results::markup::escaped;
pub use data::{data, data_with};
pub use vary::{Case, Own, Variation, Varied};

/// The page without what is put into it.
const HTML: &str = include_str!("../../assets/view/view.html");
/// Its buttons for the views, and those for playing: parts of every page with a moving picture.
const PARTS: [(&str, &str); 2] = [
    ("views", include_str!("../../assets/view/views.html")),
    ("transport", include_str!("../../assets/view/transport.html")),
];
/// Its style.
pub const STYLE: &str = include_str!("../../assets/view/view.css");
/// Its script, file by file, in the order of use.
const SCRIPTS: &[&str] = &[
    include_str!("../../assets/view/math.js"),
    include_str!("../../assets/view/motion.js"),
    include_str!("../../assets/view/camera.js"),
    include_str!("../../assets/view/drawing.js"),
    include_str!("../../assets/view/webgl.js"),
    include_str!("../../assets/view/raster.js"),
    include_str!("../../assets/view/canvas.js"),
    include_str!("../../assets/view/linkage.js"),
    include_str!("../../assets/view/labels.js"),
    include_str!("../../assets/view/plots.js"),
    include_str!("../../assets/view/sliders.js"),
    include_str!("../../assets/view/solver.js"),
    include_str!("../../assets/view/vary.js"),
    include_str!("../../assets/view/app.js"),
];

/// The page as text.
pub fn html(scene: &Scene, motion: &Animation) -> String {
    html_with(scene, motion, &Look::default(), None)
}

/// The page as text, with what it shows first and sliders for parameters.
pub fn html_with(scene: &Scene, motion: &Animation, look: &Look, varied: Option<&Varied>) -> String {
    let script = script();
    let policy = policy(Some(&script), STYLE);
    let mut data = data_with(scene, motion, look);
    if let Some(varied) = varied {
        data.truncate(data.len() - 1);
        data = format!("{data},\"varied\":{}}}", varied.data());
    }
    filled(
        HTML,
        &[
            ("policy", policy.as_str()),
            ("title", &escaped(&scene.name)),
            ("style", STYLE),
            ("data", &data),
            ("script", &script),
        ],
    )
}

/// A page whose `{{name}}` are replaced by the parts of these names, and by those that every moving picture has.
pub fn filled(page: &str, parts: &[(&str, &str)]) -> String {
    // One pass, so that nothing put in is looked at again.
    let mut out = String::with_capacity(page.len() + parts.iter().map(|p| p.1.len()).sum::<usize>());
    let mut rest = page;
    while let Some((before, after)) = rest.split_once("{{") {
        out.push_str(before);
        let Some((name, after)) = after.split_once("}}") else { break };
        out.push_str(parts.iter().chain(&PARTS).find(|p| p.0 == name).map_or("", |p| p.1));
        rest = after;
    }
    out + rest
}

/// The policy of a page that runs this script (or none) and takes this style, and asks nothing of a network.
pub fn policy(script: Option<&str>, style: &str) -> String {
    let hash = |text: &str| format!("'sha256-{}'", base64(&sha256(text.as_bytes())));
    let scripts = script.map_or("'none'".into(), hash);
    let style = hash(style);
    format!(
        "default-src 'none'; script-src {scripts}; style-src {style}; img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
}

/// SHA-256, by which a policy knows a page's own script and style.
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    hmac_sha256::Hash::hash(bytes)
}

/// The page's script: its files in one scope.
pub fn script() -> String {
    script_with(&[])
}

/// The same with more files after those, for pages that hold the moving picture and more.
pub fn script_with(more: &[&str]) -> String {
    format!("'use strict';(() => {{\n{}{}}})();\n", SCRIPTS.concat(), more.concat())
}

#[cfg(test)]
mod tests {
    use super::sha256;

    /// Examples of FIPS 180-4: whoever computes them, policies and stamps of files stand on these.
    #[test]
    fn the_examples_of_the_standard() {
        let hex = |bytes: &[u8]| sha256(bytes).iter().map(|b| format!("{b:02x}")).collect::<String>();
        assert_eq!(hex(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(hex(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        let long = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        assert_eq!(hex(long), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
        assert_eq!(hex(&[b'a'; 1_000_000]), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    }
}
