// Calls to the program that serves this page. The token came with the address and leaves in a header alone.
const token = (location.hash.match(/token=([0-9a-f]+)/) || [])[1] || '';

// An error in words, with the diagnostic where there is one.
class Trouble extends Error {
  constructor(message, diagnostic) { super(message); this.diagnostic = diagnostic; }
}

async function ask(call, body = {}, signal) {
  const reply = await fetch(`/api/${call}`, { method: 'POST', headers: { 'Content-Type': 'application/json', 'X-Biela-Token': token }, body: JSON.stringify(body), signal });
  const kind = reply.headers.get('Content-Type') || '';
  if (kind.includes('problem')) { const { error } = await reply.json(); throw new Trouble(error.message, error); }
  if (!reply.ok) throw new Trouble(await reply.text());
  return call === 'export' ? reply.blob() : reply.json();
}

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
