// What the page asks of the program, whichever engine answers: `engine.call(name, body, signal)` gives JSON, or a Blob for an export.
// An error in words, with the diagnostic where there is one.
class Trouble extends Error {
  constructor(message, diagnostic) { super(message); this.diagnostic = diagnostic; }
}

const ask = (call, body = {}, signal) => engine.call(call, body, signal);

// One call at a time of its kind: what is asked for meanwhile waits, and only the last of that is made.
class Latest {
  constructor(work) { this.work = work; this.busy = false; this.next = null; }
  async ask(...what) {
    if (this.busy) { this.next = what; return; }
    this.busy = true;
    try { await this.work(...what); } finally {
      this.busy = false;
      if (this.next) { const next = this.next; this.next = null; this.ask(...next); }
    }
  }
}
