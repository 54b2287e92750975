//! Files of a scene in motion, chosen by the extension of the file's name.

pub use super::choice::{Choice, Pace};
use super::look::Look;
use super::{dxf, gif, gltf, page, png, svg, Animation, Scene};
use biela_base::error::{Error, Result};
use biela_results::write_atomically;
use std::path::Path;

/// A file format of pictures.
pub struct PictureFormat {
    /// Extension of the file's name, lower case, without the dot.
    pub extension: &'static str,
    /// Whether it shows one sample alone.
    pub still: bool,
    /// One line for help texts.
    pub help: &'static str,
    /// The bytes of a file.
    pub make: fn(&Scene, &Animation, &Choice) -> Result<Vec<u8>>,
}

/// Every format in which a scene is written.
pub const PICTURES: &[PictureFormat] = &[
    PictureFormat {
        extension: "html",
        still: false,
        help: "one web page that works offline",
        make: |scene, motion, choice| Ok(page::html_with(scene, motion, choice.look, None).into_bytes()),
    },
    PictureFormat {
        extension: "glb",
        still: false,
        help: "binary glTF 2.0 with animation, for other viewers",
        make: |scene, motion, _| Ok(gltf::glb(scene, motion)),
    },
    PictureFormat { extension: "gif", still: false, help: "animated GIF", make: gif::gif },
    PictureFormat {
        extension: "apng",
        still: false,
        help: "animated PNG, in all colours; browsers play it",
        make: png::apng,
    },
    PictureFormat {
        extension: "svg",
        still: true,
        help: "still picture as a drawing",
        make: |scene, motion, choice| svg::svg(scene, motion, choice).map(String::into_bytes),
    },
    PictureFormat { extension: "png", still: true, help: "still picture in pixels", make: png::png },
    PictureFormat {
        extension: "dxf",
        still: true,
        help: "drawing for CAD, a layer for each body, in the model's unit of length",
        make: |scene, motion, choice| Ok(dxf::dxf(scene, motion, choice).into_bytes()),
    },
];

/// A sample as an image for pages, with its media type: a drawing where the mechanism is flat, else pixels, which show well what
/// hides what.
pub fn still(scene: &Scene, motion: &Animation, sample: usize, width: usize) -> Result<(&'static str, Vec<u8>)> {
    still_with(scene, motion, &Choice::new(sample, width, &Look::default()))
}

/// The same with more that is chosen.
pub fn still_with(scene: &Scene, motion: &Animation, choice: &Choice) -> Result<(&'static str, Vec<u8>)> {
    match scene.planar {
        true => Ok(("image/svg+xml", svg::svg(scene, motion, choice)?.into_bytes())),
        false => Ok(("image/png", png::png(scene, motion, choice)?)),
    }
}

/// The format that the extension of a path asks for, among those that are still or moving as asked.
pub fn picture_format(path: &Path, still: bool) -> Result<&'static PictureFormat> {
    let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
    let mut known = PICTURES.iter().filter(|f| f.still == still);
    known.clone().find(|f| f.extension == extension).ok_or_else(|| {
        let names: Vec<&str> = known.by_ref().map(|f| f.extension).collect();
        Error::new(format!(
            "'{}': a {} picture ends in {}",
            path.display(),
            if still { "still" } else { "moving" },
            names.join(", ")
        ))
    })
}

/// Writes a scene in the format of the file's extension: whole, or not at all. The number of bytes.
pub fn write(path: &Path, format: &PictureFormat, scene: &Scene, motion: &Animation, choice: &Choice) -> Result<usize> {
    let bytes = (format.make)(scene, motion, choice)?;
    write_atomically(path, |out| out.write_all(&bytes))?;
    Ok(bytes.len())
}
