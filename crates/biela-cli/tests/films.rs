//! Films and pictures of `view`: what is asked for wrongly is answered with advice, and nothing half-written is left.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn view(folder: &Path, encoder: &Path, more: &[&str]) -> (Option<i32>, String) {
    let model = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models/slider-crank.toml");
    let mut command = Command::new(env!("CARGO_BIN_EXE_biela"));
    command
        .current_dir(folder)
        .env("BIELA_FFMPEG", encoder)
        .arg("view")
        .arg(model)
        .args(["--steps", "6", "--width", "64"]);
    let found: Output = command.args(more).output().expect("the program starts");
    (found.status.code(), String::from_utf8_lossy(&found.stderr).into_owned())
}

#[test]
fn wrong_words_are_answered_with_advice() {
    let folder = folder("wrong-words");
    for (line, status, said) in [
        ("-o a.gif --traces rod.H", 1, "did you mean 'rod."),
        ("-o a.gif --camera frnt", 1, "did you mean 'front'?"),
        ("-o a.gif --camera 30", 1, "azimuth and elevation in degrees such as 30,20"),
        ("-o a.gif --camera 30,20,0", 1, "1 fits the whole motion"),
        ("-o a.gif --arrows speed", 1, "allowed: velocity, acceleration, reaction, effort, all"),
        ("-o a.gif --names bodis", 1, "did you mean 'bodies'?"),
        ("-o a.gif --fps 0", 2, "1 to 240 frames a second"),
        ("-o a.gif --fps -5", 2, "1 to 240 frames a second"),
        ("-o a.gif --fps 100", 1, "at most 50 frames a second"),
        ("-o a.gif --length 0", 2, "0.01 to 3600 seconds"),
        ("-o a.png --fps 25", 1, "--fps is for films"),
        ("-o a.gif --at 0.1", 1, "--at is the time of a still picture"),
        ("-o a.glb --dark", 1, "a .glb file holds bodies alone"),
        ("-o a.gfi", 1, "did you mean 'gif'?"),
        ("-o a", 1, "allowed: html, glb, gif, apng"),
        ("--gif a.png", 1, "a moving picture ends in"),
        ("--gif a.apng", 1, "--gif writes a .gif file"),
        ("--still a.gif", 1, "a still picture ends in svg, png, dxf"),
        ("-o a.mp4", 1, "install ffmpeg, or name it in BIELA_FFMPEG"),
        ("-o a.webm", 1, "or write .gif or .apng, which need no other program"),
    ] {
        let (code, message) = view(&folder, Path::new("/nowhere/ffmpeg"), &line.split(' ').collect::<Vec<_>>());
        assert!(code == Some(status) && message.contains(said), "{line}: {code:?} {message}");
    }
    let left: Vec<_> = std::fs::read_dir(&folder).expect("a folder").collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn every_ending_is_written_by_the_same_option() {
    let folder = folder("endings");
    let endings = ["html", "glb", "gif", "apng", "svg", "png", "dxf"].map(|e| format!("a.{e}"));
    let mut more: Vec<&str> = endings.iter().flat_map(|e| ["-o", e]).collect();
    more.extend([
        "--traces",
        "--names",
        "--arrows",
        "velocity,reaction,effort",
        "--camera",
        "iso,0.8",
        "--dark",
        "--fps",
        "30",
    ]);
    let (code, message) = view(&folder, Path::new("ffmpeg"), &more);
    assert_eq!(code, Some(0), "{message}");
    assert!(endings.iter().all(|e| folder.join(e).metadata().is_ok_and(|m| m.len() > 300)));
}

/// A program that takes frames as ffmpeg does: what reaches it is every pixel of every frame, and what it leaves is the film.
#[cfg(unix)]
#[test]
fn an_encoder_hears_all_frames_and_a_broken_one_leaves_nothing() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("encoder");
    let script = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{text}")).expect("a script");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("a program");
        path
    };
    const LIST: &str = "if [ \"$2\" = -encoders ]; then echo ' V..... libx264 h264'; exit 0; fi\n";
    let good = script("good", &format!("{LIST}for last; do :; done\ncat > \"$last\"\n"));
    let (code, message) = view(&folder, &good, &["-o", "film.mp4", "--length", "2", "--fps", "10"]);
    assert_eq!(code, Some(0), "{message}");
    let bytes = std::fs::read(folder.join("film.mp4")).expect("a film");
    assert!(bytes.len() % (20 * 64 * 3) == 0 && bytes.len() / (20 * 64 * 3) >= 25, "{} bytes", bytes.len());
    // The first pixel is paper.
    assert_eq!(bytes[..3], [255; 3]);
    for (name, text, said) in [
        ("deaf", format!("{LIST}echo 'no room' >&2\nexit 3\n"), "no room"),
        ("without", "exit 0\n".to_string(), "none of libx264"),
    ] {
        let broken = script(name, &text);
        let (code, message) = view(&folder, &broken, &["-o", "broken.mp4"]);
        assert!(code == Some(1) && message.contains(said), "{name}: {message}");
        assert!(!folder.join("broken.mp4").exists());
    }
    let (code, message) = view(&folder, &good, &["-o", "film.webm"]);
    assert!(code == Some(1) && message.contains("no encoder for .webm"), "{message}");
}
