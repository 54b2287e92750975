//! The typefaces that are part of the program: widths for the layout, outlines for PNG.

use ab_glyph::{Font, FontRef, GlyphId};
use std::sync::OnceLock;

/// Viewers of an SVG draw it with a font of theirs; DejaVu Sans, the widest of those asked for, is so much wider than
/// ours (1.12 to 1.15, measured on names and numbers as they occur in figures).
const WIDEST: f64 = 1.15;

/// A glyph on its line, lengths in parts of the font size.
pub(super) struct Placed {
    pub font: &'static FontRef<'static>,
    pub glyph: GlyphId,
    /// Distance from the start of the text.
    pub x: f64,
    /// Height above the base line.
    pub rise: f64,
    /// Size relative to the text.
    pub scale: f64,
}

/// Typefaces that were brought, where none are inside the program.
static BROUGHT: OnceLock<Vec<Vec<u8>>> = OnceLock::new();

/// Takes the typefaces of another program, in the order of [`typefaces`]: for one that has none inside. Only the first that are
/// brought are taken, before a text is drawn.
pub fn bring(typefaces: Vec<Vec<u8>>) {
    let _ = BROUGHT.set(typefaces);
}

/// The files of the typefaces, by preference.
pub fn typefaces() -> Vec<&'static [u8]> {
    static INSIDE: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    BROUGHT.get().unwrap_or_else(|| INSIDE.get_or_init(inside)).iter().map(Vec::as_slice).collect()
}

/// Those inside the program, as the build has packed them.
#[cfg(feature = "fonts")]
fn inside() -> Vec<Vec<u8>> {
    const PACKED: [&[u8]; 2] =
        [include_bytes!(concat!(env!("OUT_DIR"), "/first")), include_bytes!(concat!(env!("OUT_DIR"), "/second"))];
    PACKED.iter().filter_map(|packed| miniz_oxide::inflate::decompress_to_vec(packed).ok()).collect()
}

#[cfg(not(feature = "fonts"))]
fn inside() -> Vec<Vec<u8>> {
    Vec::new()
}

/// Fonts by preference; fewer only if bytes built into the program were no font.
fn fonts() -> &'static [FontRef<'static>] {
    static FONTS: OnceLock<Vec<FontRef<'static>>> = OnceLock::new();
    FONTS.get_or_init(|| typefaces().into_iter().filter_map(|bytes| FontRef::try_from_slice(bytes).ok()).collect())
}

/// The font to draw a letter with: the second has letters that the first lacks, and a pi that is not taken for a
/// Cyrillic letter.
fn font_for(letter: char) -> Option<&'static FontRef<'static>> {
    let (first, others) = fonts().split_first()?;
    let better = others.iter().find(|font| has(font, letter));
    if has(first, letter) && letter != 'π' {
        return Some(first);
    }
    Some(better.unwrap_or(first))
}

fn has(font: &FontRef, letter: char) -> bool {
    font.glyph_id(letter).0 != 0
}

/// Units of the font's outlines in one font size.
pub(super) fn units_per_em(font: &FontRef) -> f64 {
    f64::from(font.units_per_em().unwrap_or(1000.0))
}

/// Space to keep for a text of this size, whatever font draws it.
pub(super) fn room(text: &str, size: f64) -> f64 {
    place(text).1 * size * WIDEST
}

/// The glyphs of a text and its width.
pub(super) fn place(text: &str) -> (Vec<Placed>, f64) {
    let mut x = 0.0;
    let mut before: Option<(&FontRef, GlyphId)> = None;
    let mut placed = Vec::new();
    for letter in text.chars() {
        // The fonts have all raised digits but not a raised minus: a small one, lifted, stands for it.
        let (letter, scale, rise) = if letter == '⁻' { ('\u{2212}', 0.6, 0.32) } else { (letter, 1.0, 0.0) };
        let Some(font) = font_for(letter) else { continue };
        let glyph = font.glyph_id(letter);
        let em = units_per_em(font);
        match before {
            Some((other, last)) if std::ptr::eq(other, font) => x += f64::from(font.kern_unscaled(last, glyph)) / em,
            _ => {}
        }
        placed.push(Placed { font, glyph, x, rise, scale });
        x += scale * f64::from(font.h_advance_unscaled(glyph)) / em;
        before = Some((font, glyph));
    }
    (placed, x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fonts_have_what_axes_need() {
        assert_eq!(fonts().len(), 2);
        for letter in "0123456789.−π/×·²³⁰¹⁴⁵⁶⁷⁸⁹[]…αωφ".chars() {
            assert!(font_for(letter).is_some_and(|font| has(font, letter)), "{letter}");
        }
        assert!(room("mm", 10.0) > 1.9 * room("m", 10.0));
    }
}
