//! Who is let in and what cannot be done: other sites, wrong tokens, paths out of the folder, floods and nonsense.

mod common;

use common::{files, status, Studio, FOUR_BAR};
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

#[test]
fn foreign_hosts_and_origins_are_refused_everywhere() {
    let studio = Studio::start();
    let (host, token) = (studio.host(), studio.token.clone());
    let port = studio.address.port();
    let api = |headers: &[(&str, &str)]| {
        let base = [("Content-Type", "application/json"), ("X-Biela-Token", token.as_str()), ("Content-Length", "2")];
        studio.status("POST /api/start", &[headers, &base].concat(), "{}")
    };
    assert_eq!(api(&[("Host", &host)]), 200);
    assert_eq!(api(&[("Host", &host), ("Origin", &format!("http://{host}"))]), 200);
    assert_eq!(api(&[("Host", &format!("localhost:{port}")), ("Origin", &format!("http://localhost:{port}"))]), 200);
    // Names that lead here without being ours: rebinding.
    let strangers = ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:1", "0.0.0.0", "[::1]", ""];
    for name in strangers
        .iter()
        .map(|s| s.to_string())
        .chain([format!("evil.example:{port}"), format!("127.0.0.1:{port}.evil.example")])
    {
        assert_eq!(api(&[("Host", &name)]), 403, "{name}");
        assert_eq!(studio.status("GET /", &[("Host", &name)], ""), 403, "{name}");
        assert_eq!(studio.status("GET /studio.js", &[("Host", &name)], ""), 403, "{name}");
    }
    assert_eq!(api(&[]), 403, "a request without a host");
    assert_eq!(api(&[("Host", &host), ("Host", "evil.example")]), 403, "two hosts");
    for origin in [
        "http://evil.example",
        "null",
        "",
        "https://127.0.0.1",
        &format!("https://{host}"),
        &format!("http://{host}.evil.example"),
        &format!("http://evil.example@{host}"),
    ] {
        assert_eq!(api(&[("Host", &host), ("Origin", origin)]), 403, "{origin}");
        assert_eq!(studio.status("GET /", &[("Host", &host), ("Origin", origin)], ""), 403, "{origin}");
    }
    for site in ["cross-site", "same-site", "anything"] {
        assert_eq!(api(&[("Host", &host), ("Sec-Fetch-Site", site)]), 403, "{site}");
    }
    assert_eq!(studio.status("GET /", &[("Host", &host), ("Sec-Fetch-Site", "none")], ""), 200);
    // A link may lead to the page itself, as the file does that a browser is sent by; to nothing else, and into no frame.
    let led = |line: &str, mode: &str, target: &str| {
        let from = [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", mode), ("Sec-Fetch-Dest", target)];
        studio.status(line, &[&[("Host", host.as_str())][..], &from].concat(), "")
    };
    assert_eq!(led("GET /", "navigate", "document"), 200);
    for (line, mode, target) in [
        ("GET /", "navigate", "iframe"),
        ("GET /", "no-cors", "document"),
        ("GET /studio.js", "navigate", "document"),
        ("GET /api/start", "navigate", "document"),
        ("POST /", "navigate", "document"),
    ] {
        assert_eq!(led(line, mode, target), 403, "{line} {mode} {target}");
    }
}

/// Whatever is put into the folder, a save changes nothing outside it and waits for nobody.
#[cfg(unix)]
#[test]
fn saves_stay_in_the_folder_whatever_is_planted_there() {
    use std::os::unix::fs::symlink;
    let studio = Studio::start();
    let (outside, opened) = (studio.folder.join("secret.toml"), studio.opened());
    let save =
        |name: &str| studio.call("save", &json!({"name": name, "text": "mine", "replace": true, "overwrite": true})).0;
    // What once were the names of temporary files.
    for name in [".model.toml.tmp", ".model.toml.tmp-1", ".new.toml.tmp"] {
        symlink(&outside, opened.join(name)).expect("a link");
    }
    std::fs::hard_link(&outside, opened.join("hard.toml")).expect("a link");
    symlink(studio.folder.join("made.toml"), opened.join("dangling.toml")).expect("a link");
    symlink(&studio.folder, opened.join("out")).expect("a link");
    let pipe = opened.join("pipe.toml");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    for name in ["dangling.toml", "out/secret.toml", "out/made.toml", "pipe.toml"] {
        assert_eq!(save(name), 422, "{name}");
    }
    assert_eq!(studio.call("open", &json!({"name": "pipe.toml"})).0, 422);
    for name in ["model.toml", "new.toml", "hard.toml"] {
        assert_eq!(save(name), 200, "{name}");
        assert_eq!(std::fs::read_to_string(opened.join(name)).expect("a file"), "mine");
    }
    assert_eq!(std::fs::read_to_string(&outside).expect("a file"), "name = \"secret\"");
    assert_eq!(files(&studio.folder), ["secret.csv", "secret.toml"]);
    // A folder that becomes a link while the studio runs leads nowhere either.
    std::fs::rename(opened.join("inner"), opened.join("moved")).expect("a folder");
    symlink(&studio.folder, opened.join("inner")).expect("a link");
    assert_eq!(save("inner/secret.toml"), 422);
    assert_eq!(std::fs::read_to_string(&outside).expect("a file"), "name = \"secret\"");
}

#[test]
fn calls_need_the_token_the_method_and_the_type() {
    let studio = Studio::start();
    let host = studio.host();
    let call = |token: &str| {
        let headers = [
            ("Host", host.as_str()),
            ("Content-Type", "application/json"),
            ("X-Biela-Token", token),
            ("Content-Length", "2"),
        ];
        studio.status("POST /api/start", &headers, "{}")
    };
    assert_eq!(studio.token.len(), 32, "128 bits");
    assert_eq!(call(&studio.token), 200);
    let mut wrong = studio.token.clone().into_bytes();
    wrong[31] = if wrong[31] == b'0' { b'1' } else { b'0' };
    let wrong = String::from_utf8(wrong).expect("text");
    for token in [
        "",
        "0",
        &studio.token[..31],
        &format!("{}0", studio.token),
        &wrong,
        &studio.token.to_uppercase().replace('A', "a"),
    ] {
        if token != studio.token {
            assert_eq!(call(token), 403, "{token}");
        }
    }
    // A token in the address is not one in the header.
    let line = format!("POST /api/start?token={}", studio.token);
    assert_eq!(
        studio.status(&line, &[("Host", &host), ("Content-Type", "application/json"), ("Content-Length", "2")], "{}"),
        403
    );
    for name in [
        "start", "open", "save", "look", "check", "pose", "run", "job", "cancel", "export", "words", "lesson", "thumb",
        "code", "fit", "through", "share", "gather", "swing", "nothing",
    ] {
        assert_eq!(
            studio.status(&format!("POST /api/{name}"), &[("Host", &host), ("Content-Length", "2")], "{}"),
            403,
            "{name}"
        );
    }
    let token = studio.token.as_str();
    assert_eq!(studio.status("GET /api/start", &[("Host", &host), ("X-Biela-Token", token)], ""), 405);
    let plain =
        [("Host", host.as_str()), ("X-Biela-Token", token), ("Content-Type", "text/plain"), ("Content-Length", "2")];
    assert_eq!(studio.status("POST /api/start", &plain, "{}"), 415);
    assert_ne!(Studio::start().token, studio.token, "every studio has a token of its own");
}

#[test]
fn the_page_has_a_policy_and_holds_no_secret() {
    let studio = Studio::start();
    for path in ["/", "/studio.js", "/studio.css"] {
        let answer = studio.exchange(format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", studio.host()).as_bytes());
        let text = String::from_utf8(answer).expect("text");
        assert!(text.starts_with("HTTP/1.1 200 OK\r\n"), "{path}");
        for header in [
            "default-src 'none'",
            "frame-ancestors 'none'",
            "X-Content-Type-Options: nosniff",
            "Referrer-Policy: no-referrer",
            "X-Frame-Options: DENY",
        ] {
            assert!(text.contains(header), "{path}: {header}");
        }
        assert!(!text.to_lowercase().contains("access-control-allow"), "{path}");
        assert!(!text.contains(&studio.token), "{path}");
        assert!(!text.contains("https://"), "{path} asks nothing of a network");
    }
}

#[test]
fn paths_out_of_the_folder_are_refused() {
    let studio = Studio::start();
    let outside = studio.folder.join("secret.toml");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&outside, studio.opened().join("link.toml")).expect("a link");
        std::os::unix::fs::symlink(&studio.folder, studio.opened().join("out")).expect("a link");
    }
    let absolute = outside.display().to_string();
    let names = [
        "../secret.toml",
        "inner/../../secret.toml",
        "./../secret.toml",
        "..\\secret.toml",
        "link.toml",
        "out/secret.toml",
        "out/new.toml",
        ".hidden.toml",
        "inner/.hidden.toml",
        "nowhere/new.toml",
        "model.txt",
        "model.toml/",
        "C:\\secret.toml",
        "\0.toml",
        "",
        "/",
        "..",
        "inner",
        &absolute,
        &"a".repeat(400),
    ];
    for name in names {
        for (call, body) in
            [("open", json!({ "name": name })), ("save", json!({"name": name, "text": "x", "replace": true}))]
        {
            let (status, answer) = studio.call(call, &body);
            assert_eq!(status, 422, "{call} {name}");
            assert!(!String::from_utf8_lossy(&answer).contains("\"secret\\\""), "{name}");
        }
    }
    assert_eq!(std::fs::read_to_string(&outside).expect("a file"), "name = \"secret\"", "nothing outside was written");
    assert_eq!(files(&studio.folder), ["secret.csv", "secret.toml"]);
    // Paths of requests lead nowhere but to the page.
    for path in [
        "/../secret.toml",
        "/%2e%2e/secret.toml",
        "/model.toml",
        "//",
        "/studio.js/..",
        "/assets/studio.js",
        "/api",
        "/api/../studio.js",
    ] {
        let found = studio.status(&format!("GET {path}"), &[("Host", &studio.host())], "");
        assert!([403, 404, 405].contains(&found), "{path}: {found}");
    }
    // What is inside is served.
    assert_eq!(studio.json("open", &json!({"name": "model.toml"}))["text"], FOUR_BAR);
    assert_eq!(studio.json("save", &json!({"name": "inner/new.toml", "text": "one"}))["saved"], "inner/new.toml");
    assert_eq!(studio.call("save", &json!({"name": "inner/new.toml", "text": "two"})).0, 422, "not replaced unasked");
    assert_eq!(std::fs::read_to_string(studio.opened().join("inner/new.toml")).expect("a file"), "one");
    assert_eq!(files(&studio.opened().join("inner")), ["new.toml"], "no file half-written is left");
}

#[test]
fn a_model_text_reads_no_file_out_of_the_folder() {
    let studio = Studio::start();
    std::fs::write(studio.opened().join("law.csv"), "0,0\n1,1\n").expect("a file");
    let secret = studio.folder.join("secret.csv").display().to_string();
    let text = |file: &str| {
        FOUR_BAR
            .replace("value = \"alpha + omega*t + accel*t^2/2\"", &format!("value = {{ table = '{file}' }}"))
            .replace("end   = \"2*pi\"", "end = 1")
    };
    assert!(studio.json("look", &json!({"text": text("law.csv"), "name": "model.toml"}))["error"].is_null());
    for file in ["../secret.csv", secret.as_str(), "inner/../../secret.csv"] {
        let found = studio.json("look", &json!({"text": text(file), "name": "model.toml"}));
        let message = found["error"]["message"].as_str().unwrap_or("");
        assert!(message.contains("is not in the model's folder"), "{file}: {message}");
    }
    let rod = "shape = { type = \"rod\", length = \"crank\", radius = 0.04, density = 1000 }";
    let mesh = |file: &str| {
        FOUR_BAR.replacen(rod, &format!("shape = {{ type = \"mesh\", file = '{file}', density = 1000 }}"), 1)
    };
    // Not by another ending either.
    std::os::unix::fs::symlink(studio.folder.join("secret.csv"), studio.folder.join("link.stl")).expect("a link");
    for file in ["../secret.csv", "../link.stl", "../none.stl", "/etc/passwd"] {
        let found = studio.json("look", &json!({"text": mesh(file), "name": "model.toml"}));
        let message = found["error"]["message"].as_str().unwrap_or("");
        assert!(message.contains("is not in the model's folder"), "{file}: {message}");
    }
    // A mesh beside the folder is that of a package, and is drawn.
    std::fs::create_dir(studio.folder.join("meshes")).expect("a folder");
    let corners = ["0 0 0", "1 0 0", "0 1 0", "0 0 1"];
    let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]].map(|f| {
        let [a, b, c] = f.map(|k: usize| corners[k]);
        format!("facet normal 0 0 0\nouter loop\nvertex {a}\nvertex {b}\nvertex {c}\nendloop\nendfacet\n")
    });
    let stl = format!("solid t\n{}endsolid t\n", faces.concat());
    std::fs::write(studio.folder.join("meshes/arm.stl"), stl).expect("a file");
    let found = studio.json("look", &json!({"text": mesh("../meshes/arm.stl"), "name": "model.toml"}));
    assert!(found["error"].is_null(), "{}", found["error"]);
}

#[test]
fn a_body_of_100_megabytes_is_refused_before_it_comes() {
    let studio = Studio::start();
    let head = |more: &str| {
        format!("POST /api/look HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nX-Biela-Token: {}\r\n{more}\r\n\r\n", studio.host(), studio.token)
    };
    // By its length: not a byte of it is sent.
    let started = Instant::now();
    assert_eq!(status(&studio.exchange(head("Content-Length: 104857600").as_bytes())), 413);
    assert_eq!(status(&studio.exchange(head("Content-Length: 104857600\r\nExpect: 100-continue").as_bytes())), 413);
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    // In chunks: the connection ends long before all is sent.
    let mut stream = TcpStream::connect(studio.address).expect("a connection");
    stream.set_write_timeout(Some(Duration::from_secs(10))).expect("a timeout");
    stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a timeout");
    stream.write_all(head("Transfer-Encoding: chunked").as_bytes()).expect("sent");
    let chunk = [b"10000\r\n".as_slice(), &[b' '; 0x10000], b"\r\n"].concat();
    let mut sent = 0;
    while sent < 100 << 20 && stream.write_all(&chunk).is_ok() {
        sent += 0x10000;
    }
    assert!(sent < 40 << 20, "{sent} bytes were taken");
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    assert!([0, 413].contains(&status(&answer)));
    // One chunk that says it is huge is refused at once, and so is a wrong token before any body.
    assert_eq!(status(&studio.exchange((head("Transfer-Encoding: chunked") + "6400000\r\n").as_bytes())), 413);
    let wrong = head("Content-Length: 104857600").replace(&studio.token, "0");
    assert_eq!(status(&studio.exchange(wrong.as_bytes())), 403);
    assert!(studio.is_alive());
}

#[test]
fn a_thousand_requests_at_once_are_answered() {
    let studio = Studio::start();
    let body = json!({"text": FOUR_BAR, "name": "model.toml"}).to_string();
    let request = format!(
        "POST /api/start HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nX-Biela-Token: {}\r\nContent-Length: {}\r\n\r\n{body}",
        studio.host(),
        studio.token,
        body.len()
    );
    let answers: Vec<u16> = std::thread::scope(|scope| {
        let spawn = |_| {
            let ask = || status(&studio.exchange(request.as_bytes()));
            std::thread::Builder::new().stack_size(128 << 10).spawn_scoped(scope, ask).expect("a thread")
        };
        let threads: Vec<_> = (0..1000).map(spawn).collect();
        threads.into_iter().map(|t| t.join().unwrap_or(0)).collect()
    });
    let answered = answers.iter().filter(|s| **s == 200).count();
    assert_eq!(answered, 1000, "{:?}", answers.iter().filter(|s| **s != 200).take(5).collect::<Vec<_>>());
    assert!(studio.is_alive());
}

#[test]
fn nonsense_is_refused_and_the_studio_lives() {
    let studio = Studio::start();
    let host = studio.host();
    let known: Vec<(String, u16)> = vec![
        ("\r\n\r\n".into(), 400),
        ("GET\r\n\r\n".into(), 400),
        ("GET / HTTP/2.0\r\n\r\n".into(), 505),
        ("GET  / HTTP/1.1\r\n\r\n".into(), 400),
        ("GET http://x/ HTTP/1.1\r\n\r\n".into(), 400),
        (format!("GET / HTTP/1.1\r\nHost {host}\r\n\r\n"), 400),
        (format!("GET / HTTP/1.1\r\nHost: {host}\r\n folded\r\n\r\n"), 400),
        (format!("GET / HTTP/1.1\r\nHo st: {host}\r\n\r\n"), 400),
        (format!("GET / HTTP/1.1\r\nHost: {host}\r\n{}\r\n", "a: b\r\n".repeat(100)), 431),
        (format!("GET / HTTP/1.1\r\nHost: {host}\r\na: {}\r\n\r\n", "b".repeat(20000)), 431),
        (format!("GET /{} HTTP/1.1\r\nHost: {host}\r\n\r\n", "b".repeat(20000)), 431),
        (format!("BREW / HTTP/1.1\r\nHost: {host}\r\n\r\n"), 405),
        (format!("OPTIONS /api/start HTTP/1.1\r\nHost: {host}\r\n\r\n"), 403),
    ];
    for (request, due) in &known {
        assert_eq!(status(&studio.exchange(request.as_bytes())), *due, "{:?}", &request[..request.len().min(60)]);
    }
    let call = |more: &str, body: &str| {
        let head = format!(
            "POST /api/look HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nX-Biela-Token: {}\r\n",
            studio.token
        );
        let mut stream = TcpStream::connect(studio.address).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a timeout");
        let _ = stream.write_all(format!("{head}{more}\r\n{body}").as_bytes());
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        status(&answer)
    };
    for (more, body, due) in [
        ("", "", 411),
        ("Content-Length: -1\r\n", "", 400),
        ("Content-Length: 99999999999999999999\r\n", "", 400),
        ("Content-Length: 2\r\nContent-Length: 3\r\n", "{}", 400),
        ("Content-Length: 2\r\nTransfer-Encoding: chunked\r\n", "{}", 400),
        ("Transfer-Encoding: gzip\r\n", "", 501),
        ("Transfer-Encoding: chunked\r\n", "zz\r\n", 400),
        ("Transfer-Encoding: chunked\r\n", "ffffffffffffffff\r\n", 400),
        ("Transfer-Encoding: chunked\r\n", "2\r\n{}xx", 400),
        ("Transfer-Encoding: chunked\r\n", "2\r\n{}\r\n0\r\n\r\n", 200),
        ("Content-Length: 10\r\n", "{}", 400),
        ("Content-Length: 3\r\n", "{}{", 400),
        ("Content-Length: 2\r\n", "[]", 200),
        ("Content-Length: 4\r\n", "null", 200),
    ] {
        assert_eq!(call(more, body), due, "{more:?} {body:?}");
    }
    // Deep nesting is no stack overflow.
    let deep = "[".repeat(100_000);
    assert_eq!(call(&format!("Content-Length: {}\r\n", deep.len()), &deep), 400);
    // Bytes by chance, from a fixed seed.
    let mut seed = 1u64;
    for _ in 0..200 {
        let mut next = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as u8
        };
        let mut bytes: Vec<u8> = (0..64).map(|_| next()).collect();
        bytes.extend_from_slice(b"\r\n\r\n");
        assert!(status(&studio.exchange(&bytes)) >= 400);
    }
    assert!(studio.is_alive());
}

#[test]
fn odd_calls_are_answered_with_errors() {
    let studio = Studio::start();
    let odd = [
        json!(null),
        json!([]),
        json!({"text": 5}),
        json!({"text": FOUR_BAR, "set": {"crank": "x", "nothing": 1}, "steps": -1, "start": "x"}),
        json!({"id": 99}),
        json!({"text": FOUR_BAR, "point": {"body": 999, "at": [0, 0, 0], "to": [1, 1, 1]}}),
        json!({"text": FOUR_BAR, "point": {"body": 1, "at": [0, 0], "to": ["x", 1, 1]}}),
        json!({"text": FOUR_BAR, "poses": [[0, 0, 0, 0, 0, 0, 0]]}),
        json!({"text": FOUR_BAR, "drive": {"nobody": 1}}),
        json!({"text": "\u{0}", "name": "\u{0}"}),
        json!({"text": FOUR_BAR, "formulation": "nothing", "kind": "exe"}),
        json!({"text": FOUR_BAR, "start": 1e308, "end": -1e308}),
    ];
    for body in odd {
        for name in [
            "start", "open", "save", "look", "check", "pose", "job", "cancel", "export", "words", "lesson", "thumb",
            "code", "fit", "through", "share", "gather", "swing",
        ] {
            let (status, _) = studio.call(name, &body);
            assert!([200, 422].contains(&status), "{name} {body}: {status}");
        }
    }
    assert!(studio.is_alive());
}
