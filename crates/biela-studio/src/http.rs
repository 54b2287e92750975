//! HTTP/1.1 as far as the studio speaks it: one request per connection, everything bounded in size and time.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// Bytes of request line and headers.
const HEAD_LIMIT: usize = 16 << 10;
/// Number of headers.
const MOST_HEADERS: usize = 64;
/// Time in which the head must have come.
const HEAD_TIME: Duration = Duration::from_secs(5);
/// Time in which the body must have come.
const BODY_TIME: Duration = Duration::from_secs(20);
/// What is read and dropped of a body that was refused, so that the refusal arrives.
const DRAINED: usize = 256 << 10;

/// A request as it came, the body still on its way.
#[derive(Debug)]
pub(crate) struct Head {
    pub method: String,
    /// Path without query.
    pub path: String,
    headers: Vec<(String, String)>,
    /// Bytes of the body that came with the head.
    rest: Vec<u8>,
}

/// Why a request is not answered as it asks.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub status: u16,
    pub why: &'static str,
}

/// A refusal.
pub(crate) fn refuse<T>(status: u16, why: &'static str) -> Result<T, Refusal> {
    Err(Refusal { status, why })
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Response {
    pub status: u16,
    pub kind: &'static str,
    /// Further headers.
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
}

impl Response {
    pub fn new(status: u16, kind: &'static str, body: impl Into<Vec<u8>>) -> Response {
        Response { status, kind, headers: Vec::new(), body: body.into() }
    }
}

impl Head {
    /// The one value of a header; a header that came twice is none.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|h| h.0 == name);
        match (found.next(), found.next()) {
            (Some(header), None) => Some(&header.1),
            _ => None,
        }
    }

    /// Whether the header came at all.
    pub fn has(&self, name: &str) -> bool {
        self.headers.iter().any(|h| h.0 == name)
    }
}

/// Reads request line and headers.
pub(crate) fn read_head(stream: &mut TcpStream) -> Result<Head, Refusal> {
    let until = Instant::now() + HEAD_TIME;
    let mut bytes = Vec::new();
    loop {
        if let Some(end) = find(&bytes, b"\r\n\r\n") {
            let rest = bytes.split_off(end + 4);
            bytes.truncate(end);
            return parse(&bytes, rest);
        }
        if bytes.len() > HEAD_LIMIT {
            return refuse(431, "the head of the request is too long");
        }
        if !more(stream, &mut bytes, HEAD_LIMIT + 4, until)? {
            return refuse(400, "the request ends in its head");
        }
    }
}

/// Reads more bytes, at most until `bytes` has `limit`; false at the end of the stream.
fn more(stream: &mut TcpStream, bytes: &mut Vec<u8>, limit: usize, until: Instant) -> Result<bool, Refusal> {
    let mut part = [0; 8 << 10];
    let room = (limit + 1).saturating_sub(bytes.len()).min(part.len());
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() || stream.set_read_timeout(Some(left)).is_err() {
            return refuse(408, "the request takes too long");
        }
        match stream.read(&mut part[..room.max(1)]) {
            Ok(0) => return Ok(false),
            Ok(count) => {
                bytes.extend_from_slice(&part[..count]);
                return Ok(true);
            }
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                return refuse(408, "the request takes too long")
            }
            Err(_) => return Ok(false),
        }
    }
}

fn parse(head: &[u8], rest: Vec<u8>) -> Result<Head, Refusal> {
    let Ok(text) = std::str::from_utf8(head) else { return refuse(400, "the head is not text") };
    let mut lines = text.split("\r\n");
    let mut words = lines.next().unwrap_or("").split(' ');
    let (Some(method), Some(target), Some(version), None) = (words.next(), words.next(), words.next(), words.next())
    else {
        return refuse(400, "the request line has not three words");
    };
    if !matches!(version, "HTTP/1.1" | "HTTP/1.0") {
        return refuse(505, "HTTP/1.1 is spoken here");
    }
    if !target.starts_with('/') || !target.bytes().all(|b| b.is_ascii_graphic()) {
        return refuse(400, "the target is no path");
    }
    let mut headers = Vec::new();
    for line in lines {
        let Some((name, value)) = line.split_once(':') else { return refuse(400, "a header has no colon") };
        let token = |b: u8| b.is_ascii_alphanumeric() || b"-_.!#$%&'*+^`|~".contains(&b);
        if name.is_empty() || !name.bytes().all(token) || value.chars().any(|c| c.is_control() && c != '\t') {
            return refuse(400, "a header is malformed");
        }
        headers.push((name.to_ascii_lowercase(), value.trim().to_string()));
        if headers.len() > MOST_HEADERS {
            return refuse(431, "there are too many headers");
        }
    }
    let path = target.split(['?', '#']).next().unwrap_or("/").to_string();
    Ok(Head { method: method.to_string(), path, headers, rest })
}

/// Reads the body, refusing more than `limit` bytes before they come.
pub(crate) fn read_body(stream: &mut TcpStream, head: &mut Head, limit: usize) -> Result<Vec<u8>, Refusal> {
    let until = Instant::now() + BODY_TIME;
    let chunked = match head.header("transfer-encoding") {
        Some(how) if how.eq_ignore_ascii_case("chunked") => true,
        None if !head.has("transfer-encoding") => false,
        _ => return refuse(501, "this encoding of bodies is not spoken"),
    };
    if chunked && head.has("content-length") {
        return refuse(400, "a body has one length");
    }
    let length = match head.header("content-length") {
        Some(text) if !text.is_empty() && text.len() < 16 && text.bytes().all(|b| b.is_ascii_digit()) => {
            text.parse::<usize>().unwrap_or(usize::MAX)
        }
        None if chunked => 0,
        None if !head.has("content-length") => return refuse(411, "the body needs a length"),
        _ => return refuse(400, "the length of the body is no number"),
    };
    if length > limit {
        return refuse(413, "the body is too large");
    }
    if head.header("expect").is_some_and(|e| e.eq_ignore_ascii_case("100-continue")) {
        // A client that waits for this goes on without it too.
        let _ = stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n");
    }
    let mut bytes = std::mem::take(&mut head.rest);
    if chunked {
        return read_chunks(stream, bytes, limit, until);
    }
    while bytes.len() < length {
        if !more(stream, &mut bytes, length, until)? {
            return refuse(400, "the body is shorter than it says");
        }
    }
    bytes.truncate(length);
    Ok(bytes)
}

fn read_chunks(stream: &mut TcpStream, mut raw: Vec<u8>, limit: usize, until: Instant) -> Result<Vec<u8>, Refusal> {
    /// Longest line that tells the size of a chunk.
    const LINE: usize = 64;
    let mut body = Vec::new();
    loop {
        let end = loop {
            match find(&raw, b"\r\n") {
                Some(end) if end <= LINE => break end,
                None if raw.len() <= LINE => {}
                _ => return refuse(400, "a chunk is malformed"),
            }
            if !more(stream, &mut raw, LINE + (8 << 10), until)? {
                return refuse(400, "the body ends in a chunk");
            }
        };
        let digits = std::str::from_utf8(&raw[..end]).unwrap_or("").split(';').next().unwrap_or("").trim();
        let Some(size) = Some(digits).filter(|d| d.len() < 12).and_then(|d| usize::from_str_radix(d, 16).ok()) else {
            return refuse(400, "a chunk is malformed");
        };
        if size == 0 {
            return Ok(body);
        }
        if body.len() + size > limit {
            return refuse(413, "the body is too large");
        }
        raw.drain(..end + 2);
        while raw.len() < size + 2 {
            if !more(stream, &mut raw, size + 2 + (8 << 10), until)? {
                return refuse(400, "the body ends in a chunk");
            }
        }
        if &raw[size..size + 2] != b"\r\n" {
            return refuse(400, "a chunk is malformed");
        }
        body.extend_from_slice(&raw[..size]);
        raw.drain(..size + 2);
    }
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|w| w == what)
}

/// Sends an answer and ends the connection. A client that has gone away is none of our business.
pub(crate) fn send(mut stream: TcpStream, response: &Response, body: bool) {
    let reason = match response.status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        411 => "Length Required",
        413 => "Content Too Large",
        415 => "Unsupported Media Type",
        431 => "Request Header Fields Too Large",
        501 => "Not Implemented",
        505 => "HTTP Version Not Supported",
        _ => "Internal Server Error",
    };
    let mut head = format!(
        "HTTP/1.1 {} {reason}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n\
         Cross-Origin-Opener-Policy: same-origin\r\nX-Frame-Options: DENY\r\n",
        response.status,
        response.kind,
        response.body.len()
    );
    for (name, value) in &response.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    let _ = stream.set_write_timeout(Some(BODY_TIME));
    let sent =
        stream.write_all(head.as_bytes()).and_then(|()| if body { stream.write_all(&response.body) } else { Ok(()) });
    if sent.and_then(|()| stream.shutdown(Shutdown::Write)).is_err() {
        return;
    }
    // Closing with bytes unread would throw the answer away: a little of what is still coming is read and dropped.
    let until = Instant::now() + Duration::from_millis(500);
    let mut dropped = Vec::new();
    while dropped.len() < DRAINED && more(&mut stream, &mut dropped, DRAINED, until).unwrap_or(false) {}
}
