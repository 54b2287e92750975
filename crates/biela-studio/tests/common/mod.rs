//! A studio on a port of its own, and raw connections to it.

use biela_studio::{Options, Server};
use serde_json::Value;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// A studio in an empty folder.
pub struct Studio {
    pub address: SocketAddr,
    pub token: String,
    pub folder: PathBuf,
}

/// The four-bar: crank 2, coupler 8, rocker 5, pivots 10 apart.
pub const FOUR_BAR: &str = include_str!("../../../../models/four-bar.toml");

#[allow(dead_code)] // each test file uses a part of them
impl Studio {
    pub fn start() -> Studio {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::SeqCst);
        let folder = std::env::temp_dir().join(format!("biela-studio-{}-{number}", std::process::id()));
        std::fs::create_dir_all(folder.join("opened/inner")).expect("a folder");
        std::fs::write(folder.join("opened/model.toml"), FOUR_BAR).expect("a file");
        std::fs::write(folder.join("secret.toml"), "name = \"secret\"").expect("a file");
        std::fs::write(folder.join("secret.csv"), "0,41\n1,42\n").expect("a file");
        let server = Server::bind(Options {
            folder: folder.join("opened"),
            name: "model.toml".into(),
            text: FOUR_BAR.into(),
            port: 0,
            library: &[("four-bar", FOUR_BAR)],
        })
        .expect("a studio");
        let (address, token) = (server.address(), server.token().to_string());
        std::thread::spawn(move || server.run());
        Studio { address, token, folder }
    }

    /// Sends bytes and reads all that comes back.
    pub fn exchange(&self, bytes: &[u8]) -> Vec<u8> {
        let mut stream = TcpStream::connect(self.address).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        answer
    }

    /// Status of a request with these headers.
    pub fn status(&self, line: &str, headers: &[(&str, &str)], body: &str) -> u16 {
        let mut request = format!("{line} HTTP/1.1\r\n");
        for (name, value) in headers {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        status(&self.exchange(format!("{request}\r\n{body}").as_bytes()))
    }

    pub fn host(&self) -> String {
        self.address.to_string()
    }

    /// A call as the page makes it: status and body. An answer that tells a problem of what the call brought counts as 422.
    pub fn call(&self, name: &str, body: &Value) -> (u16, Vec<u8>) {
        let (body, host) = (body.to_string(), self.host());
        let request = format!(
            "POST /api/{name} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nSec-Fetch-Site: same-origin\r\n\
             Content-Type: application/json\r\nX-Biela-Token: {}\r\nContent-Length: {}\r\n\r\n{body}",
            self.token,
            body.len()
        );
        let answer = self.exchange(request.as_bytes());
        let head = answer.windows(4).position(|w| w == b"\r\n\r\n").expect("a head") + 4;
        let problem = String::from_utf8_lossy(&answer[..head]).contains("application/problem+json");
        (if problem { 422 } else { status(&answer) }, answer[head..].to_vec())
    }

    /// The same, answered in JSON.
    pub fn json(&self, name: &str, body: &Value) -> Value {
        let (status, body) = self.call(name, body);
        let value = serde_json::from_slice(&body).expect("JSON");
        assert!(status == 200 || status == 422, "{name}: {status} {value}");
        value
    }

    /// That it still answers.
    pub fn is_alive(&self) -> bool {
        self.status("GET /", &[("Host", &self.host())], "") == 200
    }

    pub fn opened(&self) -> PathBuf {
        self.folder.join("opened")
    }
}

impl Drop for Studio {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Status of an answer; 0 where there is none.
pub fn status(answer: &[u8]) -> u16 {
    let text = String::from_utf8_lossy(&answer[..answer.len().min(16)]).into_owned();
    text.strip_prefix("HTTP/1.1 ").and_then(|r| r.get(..3)).and_then(|n| n.parse().ok()).unwrap_or(0)
}

/// Names of all files below a folder.
#[allow(dead_code)] // one of the test files alone looks
pub fn files(folder: &Path) -> Vec<String> {
    let mut found: Vec<String> = std::fs::read_dir(folder)
        .expect("a folder")
        .flatten()
        .filter(|e| e.path().is_file())
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .collect();
    found.sort();
    found
}
