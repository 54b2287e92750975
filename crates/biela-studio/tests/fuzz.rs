//! Mutated requests: whatever comes, the studio answers in good order, meets no fault of its own, and goes on.
//!
//! `BIELA_FUZZ=100` makes a hundred times as many; the seeds are fixed.

mod common;
#[path = "../../biela/tests/fuzz/mutate.rs"]
mod mutate;

use common::{status, Studio, FOUR_BAR};
use mutate::mutated;
use serde_json::{json, Value};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// All that may be answered; 500 is a fault of the program.
const ANSWERS: [u16; 11] = [200, 400, 403, 404, 405, 408, 411, 413, 415, 431, 501];

fn factor() -> u64 {
    std::env::var("BIELA_FUZZ").ok().and_then(|f| f.parse().ok()).unwrap_or(1)
}

/// Sends a request to its end and reads the answer; tells how long it took.
fn ask(studio: &Studio, request: &[u8]) -> (u16, Duration) {
    let start = Instant::now();
    let mut stream = TcpStream::connect(studio.address).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
    let _ = stream.write_all(request);
    let _ = stream.shutdown(Shutdown::Write);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    (status(&answer), start.elapsed())
}

/// A request with the names that stand for the studio's own put in.
fn filled(studio: &Studio, bytes: &[u8]) -> Vec<u8> {
    let mut filled = Vec::with_capacity(bytes.len() + 200);
    let (host, token) = (studio.host(), studio.token.as_str());
    let mut rest = bytes;
    while let Some(first) = rest.first() {
        let (piece, used): (&[u8], usize) = match rest {
            [b'H', b'O', b'S', b'T', b'!', ..] => (host.as_bytes(), 5),
            [b'T', b'O', b'K', b'!', ..] => (token.as_bytes(), 4),
            _ => (std::slice::from_ref(first), 1),
        };
        filled.extend_from_slice(piece);
        rest = &rest[used..];
    }
    filled
}

fn bodies() -> Vec<(&'static str, Value)> {
    let small = "[bodies.a]\n[joints.O]\ntype = \"revolute\"\nbodies = [\"ground\", \"a\"]\nat = [0, 0, 0]\naxis = \"z\"\n[drivers.m]\njoint = \"O\"\nvalue = \"t\"\n";
    vec![
        ("start", json!({})),
        ("open", json!({"name": "model.toml"})),
        ("open", json!({"shipped": "four-bar"})),
        ("save", json!({"name": "inner/saved.toml", "text": "x = 1", "replace": true})),
        ("look", json!({"text": small, "name": "model.toml", "set": {"crank": 2.5}, "number": 3})),
        ("check", json!({"text": small, "name": "model.toml", "formulation": "relative"})),
        (
            "pose",
            json!({"text": FOUR_BAR, "name": "model.toml", "point": {"body": 1, "at": [1, 0, 0], "to": [0, 1, 0]}}),
        ),
        ("pose", json!({"text": small, "drive": {"O": 0.5}, "poses": [[0, 0, 0, 1, 0, 0, 0]]})),
        ("job", json!({"id": 1, "since": 0})),
        ("cancel", json!({"id": 1})),
        ("export", json!({"id": 1, "kind": "csv", "signals": ["a.x"]})),
    ]
}

fn request(call: &str, body: &str) -> Vec<u8> {
    format!(
        "POST /api/{call} HTTP/1.1\r\nHost: HOST!\r\nOrigin: http://HOST!\r\nContent-Type: application/json\r\n\
         X-Biela-Token: TOK!\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

fn words(list: &str) -> Vec<String> {
    list.split(' ').map(str::to_string).collect()
}

/// The longest answer to a request, beside four other builds on two cores; twenty times what the work takes.
const LONGEST: Duration = Duration::from_secs(20);

#[test]
fn mutated_requests_are_answered() {
    let studio = Studio::start();
    let mut corpus: Vec<Vec<u8>> = bodies().iter().map(|(call, body)| request(call, &body.to_string())).collect();
    corpus.push(b"GET / HTTP/1.1\r\nHost: HOST!\r\n\r\n".to_vec());
    corpus.push(b"GET /studio.js?x=1#y HTTP/1.1\r\nHost: HOST!\r\nSec-Fetch-Site: same-origin\r\n\r\n".to_vec());
    corpus.push(b"POST /api/start HTTP/1.1\r\nHost: HOST!\r\nX-Biela-Token: TOK!\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n".to_vec());
    let names = words("GET POST HEAD PUT HTTP/1.0 HTTP/1.1 HTTP/2.0 Host Origin Expect 100-continue chunked Transfer-Encoding Content-Length HOST! TOK! /api/look /api/run");
    for seed in 0..4000 * factor() {
        let bytes = filled(&studio, &mutated(&corpus, &names, seed));
        let (found, time) = ask(&studio, &bytes);
        // A request without a byte, or one that is left in the middle, may go without an answer.
        let fine = ANSWERS.contains(&found) || found == 505 || found == 0 && bytes.len() < 4;
        assert!(fine && time < LONGEST, "{seed}: {found} after {time:?}: {}", String::from_utf8_lossy(&bytes));
    }
    assert!(studio.is_alive());
}

#[test]
fn mutated_calls_are_answered() {
    let studio = Studio::start();
    let names = words("text name set start end steps analysis formulation point body at to drive poses id kind signals null true -1 1e308 [] {}");
    let mut taken = 0;
    for (number, (call, body)) in bodies().into_iter().enumerate() {
        let corpus = vec![body.to_string().into_bytes()];
        for seed in 0..250 * factor() {
            let body = mutated(&corpus, &names, (number as u64) << 32 | seed);
            let mut bytes = filled(&studio, &request(call, ""));
            let head = String::from_utf8_lossy(&bytes)
                .replace("Content-Length: 0", &format!("Content-Length: {}", body.len()));
            bytes = [head.as_bytes(), &body].concat();
            let (found, time) = ask(&studio, &bytes);
            let fine = [200, 400].contains(&found) && time < LONGEST;
            assert!(fine, "{call} {seed}: {found} after {time:?}: {}", String::from_utf8_lossy(&body));
            taken += usize::from(found == 200);
        }
    }
    assert!(taken > 300, "only {taken} calls come past the reader of JSON");
    assert!(studio.is_alive());
}
