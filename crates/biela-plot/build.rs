//! Packs the typefaces that are part of the program: a fifth of what they take. They are unpacked where a text is drawn.
//!
//! Of a file there stay outlines, widths and which letter is which; what fits outlines to coarse screens, places ligatures and names the file is left
//! out, since nothing here reads it. That letters are as they were, a test says (`tests/typefaces.rs`).

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    #[cfg(feature = "fonts")]
    pack(&[("first", epaint_default_fonts::UBUNTU_LIGHT), ("second", epaint_default_fonts::HACK_REGULAR)]);
}

#[cfg(feature = "fonts")]
fn pack(typefaces: &[(&str, &[u8])]) {
    /// Beyond this nothing is gained.
    const EFFORT: u8 = 9;
    let folder = std::path::PathBuf::from(std::env::var("OUT_DIR").unwrap_or_default());
    for (name, bytes) in typefaces {
        let file = folder.join(name);
        // A file of another form stays as it is.
        let plain = lightened(bytes).unwrap_or_else(|| bytes.to_vec());
        if let Err(error) = std::fs::write(&file, miniz_oxide::deflate::compress_to_vec(&plain, EFFORT)) {
            panic!("cannot write {}: {error}", file.display());
        }
    }
}

/// The number of so many bytes at a place.
#[cfg(feature = "fonts")]
fn number(bytes: &[u8], at: usize, count: usize) -> Option<usize> {
    bytes.get(at..at + count).map(|b| b.iter().fold(0, |n, b| n << 8 | usize::from(*b)))
}

/// A TrueType file with the tables that are read, and glyphs without instructions.
#[cfg(feature = "fonts")]
fn lightened(file: &[u8]) -> Option<Vec<u8>> {
    const READ: [&[u8]; 8] = [b"OS/2", b"cmap", b"glyf", b"head", b"hhea", b"hmtx", b"loca", b"maxp"];
    let table = |name: &[u8]| {
        let entry = |k: usize| file.get(12 + 16 * k..28 + 16 * k);
        let found = (0..number(file, 4, 2)?).filter_map(entry).find(|e| e.starts_with(name))?;
        file.get(number(found, 8, 4)?..)?.get(..number(found, 12, 4)?)
    };
    let (glyf, loca, count) = (table(b"glyf")?, table(b"loca")?, number(table(b"maxp")?, 4, 2)?);
    let long = number(table(b"head")?, 50, 2)? == 1;
    let place = |k: usize| if long { number(loca, 4 * k, 4) } else { number(loca, 2 * k, 2).map(|x| 2 * x) };
    let (mut glyphs, mut places) = (Vec::new(), Vec::new());
    for k in 0..=count {
        places.extend_from_slice(&u32::try_from(glyphs.len()).ok()?.to_be_bytes());
        let (from, to) = (place(k)?, if k < count { place(k + 1)? } else { place(k)? });
        let glyph = glyf.get(from..to)?;
        // A glyph made of others has no list of contours; its few instructions stay.
        match number(glyph, 0, 2).filter(|contours| *contours < 0x8000) {
            Some(contours) => {
                let head = 10 + 2 * contours;
                glyphs.extend_from_slice(glyph.get(..head)?);
                glyphs.extend_from_slice(&[0, 0]);
                glyphs.extend_from_slice(glyph.get(head + 2 + number(glyph, head, 2)?..)?);
            }
            None => glyphs.extend_from_slice(glyph),
        }
        glyphs.resize(glyphs.len().next_multiple_of(4), 0);
    }
    let mut head = table(b"head")?.to_vec();
    // Places of glyphs are long ones.
    head.get_mut(50..52)?.copy_from_slice(&[0, 1]);
    let mut made = file.get(..4)?.to_vec();
    made.extend_from_slice(&[0, READ.len() as u8, 0, 0, 0, 0, 0, 0]);
    let mut body = Vec::new();
    for name in READ {
        let bytes = match name {
            b"glyf" => glyphs.as_slice(),
            b"loca" => places.as_slice(),
            b"head" => head.as_slice(),
            _ => table(name)?,
        };
        let at = 12 + 16 * READ.len() + body.len();
        made.extend_from_slice(name);
        // Sums are for checks that nobody makes here.
        for x in [0, at, bytes.len()] {
            made.extend_from_slice(&u32::try_from(x).ok()?.to_be_bytes());
        }
        body.extend_from_slice(bytes);
        body.resize(body.len().next_multiple_of(4), 0);
    }
    made.extend(body);
    Some(made)
}
