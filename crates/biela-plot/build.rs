//! Packs the typefaces that are part of the program: half of what they take. They are unpacked where a text is drawn.

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
        if let Err(error) = std::fs::write(&file, miniz_oxide::deflate::compress_to_vec(bytes, EFFORT)) {
            panic!("cannot write {}: {error}", file.display());
        }
    }
}
