//! Connections, and who is let in.
//!
//! Only the loopback is listened to. A page of another site that makes the browser send something here is refused by its
//! Host (a name that was rebound to this machine) or its Origin, and it does not know the token.

use crate::answer::Answer;
use crate::api::{Api, Opening, BODY_LIMIT};
use crate::folder::Folder;
use crate::host::Host;
use crate::http::{self, refuse, Head, Refusal, Response};
use crate::{page, Options};
use biela::error::{Error, Result};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::mpsc::{sync_channel, Receiver};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Threads that answer.
const THREADS: usize = 24;
/// Connections that wait for a thread; further ones wait in the system's own queue.
const WAITING: usize = 400;

/// A studio that listens.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    guard: Guard,
    api: Api,
}

/// 128 bits that nobody can foretell, in hexadecimal digits.
pub fn secret() -> std::io::Result<String> {
    let mut random = [0; 16];
    let gap = |e| std::io::Error::other(format!("the system gives no random numbers: {e}"));
    getrandom::fill(&mut random).map_err(gap)?;
    Ok(random.iter().map(|b| format!("{b:02x}")).collect())
}

/// A machine with threads, and when it began.
#[derive(Debug)]
struct Threads(Instant);

impl Host for Threads {
    fn seconds(&self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }

    fn begin(&self, name: String, work: Box<dyn FnOnce() + Send>) -> Result<()> {
        let spawned = thread::Builder::new().name(name).spawn(work);
        spawned.map(drop).map_err(|e| Error::new(format!("no thread can be started: {e}")))
    }
}

/// Who is let in.
#[derive(Debug, Clone)]
struct Guard {
    port: u16,
    token: String,
}

impl Server {
    /// Opens a studio on the loopback.
    pub fn bind(options: Options) -> Result<Server> {
        let port = options.port;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|e| {
            Error::new(format!("cannot listen on port {port} of 127.0.0.1: {e}"))
                .note("choose another with --port, or none")
        })?;
        let port = listener.local_addr().map(|a| a.port()).unwrap_or(port);
        let token = secret().map_err(|e| Error::new(e.to_string()))?;
        let library = options.library.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect();
        let opening = Opening { name: options.name, text: options.text, library };
        let folder = Folder::new(&options.folder)?;
        let api = Api::new(opening, Box::new(folder), Arc::new(Threads(Instant::now())));
        Ok(Server { listener, guard: Guard { port, token }, api })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        SocketAddr::from((Ipv4Addr::LOCALHOST, self.guard.port))
    }

    /// The secret that every call must bring.
    pub fn token(&self) -> &str {
        &self.guard.token
    }

    /// The address for a browser. The token stands where browsers keep it to themselves.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/#token={}", self.guard.port, self.guard.token)
    }

    /// Serves for ever.
    pub fn run(self) -> Result<()> {
        let (send, receive) = sync_channel::<TcpStream>(WAITING);
        let receive = Arc::new(Mutex::new(receive));
        let shared = Arc::new((self.guard, self.api));
        for k in 0..THREADS {
            let (receive, shared) = (receive.clone(), shared.clone());
            thread::Builder::new()
                .name(format!("studio {k}"))
                .spawn(move || serve(&receive, &shared.0, &shared.1))
                .map_err(|e| Error::new(format!("no thread can be started: {e}")))?;
        }
        loop {
            match self.listener.accept() {
                Ok((stream, from)) if from.ip().is_loopback() => {
                    if send.send(stream).is_err() {
                        return Err(Error::new("all threads have ended"));
                    }
                }
                Ok(_) => {}
                // Too many open files and the like pass.
                Err(_) => thread::sleep(Duration::from_millis(20)),
            }
        }
    }
}

/// A thread that answers one connection after the other. No request takes it down.
fn serve(receive: &Mutex<Receiver<TcpStream>>, guard: &Guard, api: &Api) {
    loop {
        let next = receive.lock().unwrap_or_else(|p| p.into_inner()).recv();
        let Ok(mut stream) = next else { return };
        let _ = stream.set_nodelay(true);
        let mut body = true;
        let answered = catch_unwind(AssertUnwindSafe(|| {
            let mut head = http::read_head(&mut stream)?;
            body = head.method != "HEAD";
            answer(&mut stream, &mut head, guard, api)
        }));
        let response = match answered {
            Ok(Ok(response)) => response,
            Ok(Err(Refusal { status, why })) => Response::new(status, "text/plain; charset=utf-8", why),
            Err(_) => Response::new(500, "text/plain; charset=utf-8", "this request met a fault of the program"),
        };
        http::send(stream, &response, body);
    }
}

fn answer(stream: &mut TcpStream, head: &mut Head, guard: &Guard, api: &Api) -> std::result::Result<Response, Refusal> {
    guard.host_and_origin(head)?;
    let Some(call) = head.path.strip_prefix("/api/").map(str::to_string) else {
        return page::answer(&head.method, &head.path);
    };
    guard.caller(head)?;
    let body = http::read_body(stream, head, BODY_LIMIT)?;
    Ok(api.answer(&call, &body).into())
}

impl From<Answer> for Response {
    fn from(answer: Answer) -> Response {
        let mut response = Response::new(answer.status, answer.kind, answer.body);
        if answer.file {
            // Nothing that is exported ever runs under this address.
            response.headers.push(("Content-Disposition", "attachment".into()));
            response.headers.push(("Content-Security-Policy", "default-src 'none'; sandbox".into()));
        }
        response
    }
}

impl Guard {
    /// That the request is meant for this machine, and does not come from another site.
    fn host_and_origin(&self, head: &Head) -> std::result::Result<(), Refusal> {
        let ours = |host: &str| ["127.0.0.1", "localhost"].iter().any(|name| host == format!("{name}:{}", self.port));
        if !head.header("host").is_some_and(ours) {
            return refuse(403, "this host is not served here");
        }
        if head.has("origin") && !head.header("origin").and_then(|o| o.strip_prefix("http://")).is_some_and(ours) {
            return refuse(403, "other sites have no business here");
        }
        let from = head.header("sec-fetch-site").unwrap_or("none");
        // Anybody may lead the user to the page itself, as the file does by which a browser is sent here; it knows nothing without
        // the token and shows itself in no frame.
        let is = |name: &str, due: &str| head.header(name).is_some_and(|found| found == due);
        let led_here = head.path == "/"
            && ["GET", "HEAD"].contains(&head.method.as_str())
            && is("sec-fetch-mode", "navigate")
            && is("sec-fetch-dest", "document");
        if head.has("sec-fetch-site") && !["same-origin", "none"].contains(&from) && !led_here {
            return refuse(403, "other sites have no business here");
        }
        Ok(())
    }

    /// That the caller knows the token, before a byte of the body is read.
    fn caller(&self, head: &Head) -> std::result::Result<(), Refusal> {
        let given = head.header("x-biela-token").unwrap_or("").as_bytes();
        let due = self.token.as_bytes();
        // Takes the same time wherever the first difference is.
        let different =
            due.iter().zip(given).fold(usize::from(given.len() != due.len()), |d, (a, b)| d | usize::from(a ^ b));
        if different != 0 {
            return refuse(403, "the token is missing or wrong; open the address that biela studio printed");
        }
        if head.method != "POST" {
            return refuse(405, "calls are made by POST");
        }
        let kind = head.header("content-type").unwrap_or("").split(';').next().unwrap_or("").trim();
        if !kind.eq_ignore_ascii_case("application/json") {
            return refuse(415, "calls are made in JSON");
        }
        Ok(())
    }
}
