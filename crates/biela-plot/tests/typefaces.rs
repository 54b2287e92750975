//! The typefaces in the program are lighter than their files, and every letter is as it was: its outline, its width and what is kerned.
#![cfg(feature = "fonts")]

use ab_glyph::{Font, FontRef};
use biela_plot::typefaces;

/// Of the two files this much at most is left: outlines and widths, without instructions for coarse screens.
const SHARE: f64 = 0.55;

#[test]
fn letters_are_as_they_were() {
    let files = [epaint_default_fonts::UBUNTU_LIGHT, epaint_default_fonts::HACK_REGULAR];
    let own = typefaces();
    assert_eq!(own.len(), files.len());
    for (file, light) in files.into_iter().zip(own) {
        assert!((light.len() as f64) < SHARE * file.len() as f64, "{} of {}", light.len(), file.len());
        let [whole, light] = [file, light].map(|bytes| FontRef::try_from_slice(bytes).expect("a font"));
        assert_eq!(whole.glyph_count(), light.glyph_count());
        assert_eq!(
            [whole.units_per_em(), Some(whole.ascent_unscaled()), Some(whole.descent_unscaled())],
            [light.units_per_em(), Some(light.ascent_unscaled()), Some(light.descent_unscaled())]
        );
        let mut letters = 0;
        for (glyph, letter) in whole.codepoint_ids() {
            letters += 1;
            assert_eq!(light.glyph_id(letter), glyph, "{letter:?}");
            assert_eq!(
                light.h_advance_unscaled(glyph).to_bits(),
                whole.h_advance_unscaled(glyph).to_bits(),
                "{letter:?}"
            );
            let [a, b] = [&whole, &light].map(|font| format!("{:?}", font.outline(glyph)));
            assert_eq!(a, b, "{letter:?}");
            let [a, b] = [&whole, &light].map(|font| font.kern_unscaled(font.glyph_id('A'), glyph).to_bits());
            assert_eq!(a, b, "A{letter:?}");
        }
        assert!(letters > 500, "{letters} letters");
    }
}
