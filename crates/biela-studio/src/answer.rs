//! What a call is answered with, whoever brings it.

/// What a call is answered with.
#[derive(Debug)]
pub struct Answer {
    /// As in HTTP: 200, or why the call is none.
    pub status: u16,
    /// Type of the body.
    pub kind: &'static str,
    /// JSON, a file, or words of a refusal.
    pub body: Vec<u8>,
    /// Whether the body is a file for the user.
    pub file: bool,
}

impl Answer {
    pub(crate) fn new(status: u16, kind: &'static str, body: impl Into<Vec<u8>>) -> Answer {
        Answer { status, kind, body: body.into(), file: false }
    }

    /// Words for a call that is none.
    pub(crate) fn refusal(status: u16, why: &'static str) -> Answer {
        Answer::new(status, "text/plain; charset=utf-8", why)
    }
}
