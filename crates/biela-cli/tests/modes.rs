//! `--mode N` and `mode = N`: one configuration in every command.

mod common;

use common::{biela, model, told, Folder};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Stdio;

#[test]
fn a_mode_is_chosen_by_option_and_by_the_model_alike() {
    let folder = Folder::new("modes");
    let text = std::fs::read_to_string(model("four-bar.toml")).unwrap();
    folder.write("plain.toml", &text);
    let run = |arguments: &[&str]| biela().current_dir(&folder.0).args(arguments).output().unwrap();
    let list: Value = serde_json::from_slice(&run(&["assemble", "plain.toml", "--all", "--json"]).stdout).unwrap();
    assert_eq!((list["real"].as_u64(), list["complex"].as_u64()), (Some(2), Some(2)));
    for number in 1..=2 {
        let at = list["modes"][number - 1]["coordinates"]["B.angle"].as_f64().unwrap();
        let number = number.to_string();
        folder.write("own.toml", format!("mode = {number}\n{text}"));
        for arguments in
            [&["run", "plain.toml", "--mode", &number, "-o", "a.json"][..], &["run", "own.toml", "-o", "a.json"]]
        {
            let done = run(arguments);
            assert_eq!(done.status.code(), Some(0), "{}", told(&done));
            let found: Value = serde_json::from_slice(&folder.read("a.json")).unwrap();
            let first = found["signals"]["B.angle"][0].as_f64().unwrap();
            assert!((first - at).sin().abs() < 1e-9, "{arguments:?}: {first} {at}");
        }
        for command in ["check", "range", "verify", "assemble"] {
            let done = run(&[command, "own.toml", "--json"]);
            assert_eq!(done.status.code(), Some(0), "{command}: {}", told(&done));
        }
        let one: Value = serde_json::from_slice(&run(&["assemble", "own.toml", "--json"]).stdout).unwrap();
        assert!((one["modes"][0]["coordinates"]["B.angle"].as_f64().unwrap() - at).sin().abs() < 1e-9);
        // The list does not change with the mode that is chosen, and a converted text keeps it.
        let again: Value = serde_json::from_slice(&run(&["assemble", "own.toml", "--all", "--json"]).stdout).unwrap();
        let close = |a: &Value, b: &Value| {
            (a["coordinates"]["B.angle"].as_f64().unwrap() - b["coordinates"]["B.angle"].as_f64().unwrap()).abs() < 1e-9
        };
        assert!((0..2).all(|k| close(&again["modes"][k], &list["modes"][k])));
        let converted = run(&["convert", "plain.toml", "--mode", &number]);
        let written = String::from_utf8_lossy(&converted.stdout).into_owned();
        assert!(written.lines().any(|line| line.starts_with("mode ") && line.contains(&number)), "{written}");
    }
    let done = run(&["run", "plain.toml", "--mode", "3"]);
    assert_eq!(done.status.code(), Some(1));
    assert!(told(&done).contains("mode 3 is asked for"), "{}", told(&done));
    folder.write("own.toml", format!("mode = 3\n{text}"));
    let done = run(&["run", "own.toml"]);
    assert!(told(&done).contains("own.toml:1") && told(&done).contains("mode 3 is asked for"), "{}", told(&done));
    assert_eq!(run(&["run", "plain.toml", "--mode", "0"]).status.code(), Some(2));
}

/// The studio begins with the configuration that is asked for: it stands in the text.
#[test]
fn the_studio_begins_in_a_mode() {
    let mut child = biela()
        .args(["studio", &model("four-bar.toml"), "--no-open", "--mode", "2"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("an address");
    let (address, token) = line.trim().split_once("token=").expect("an address with a token");
    let host = address.split('/').nth(2).expect("a host");
    let mut stream = TcpStream::connect(host).expect("a connection");
    write!(
        stream,
        "POST /api/start HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Type: application/json\r\n\
         X-Biela-Token: {token}\r\nContent-Length: 2\r\n\r\n{{}}"
    )
    .expect("a request");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    child.kill().expect("its end");
    child.wait().expect("its end");
    let body = answer.split("\r\n\r\n").nth(1).expect("a body");
    let text = serde_json::from_str::<Value>(body).expect("JSON")["text"].as_str().expect("a text").to_string();
    let shipped = std::fs::read_to_string(model("four-bar.toml")).expect("a text");
    assert_eq!(text.replacen("mode = 2\n", "", 1), shipped);
    assert!(text.starts_with("mode = 2\n") || text.contains("\nmode = 2\n"), "{text}");
}
