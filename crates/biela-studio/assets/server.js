// The engine of a page that a program serves: calls by HTTP. The token came with the address and leaves in a header alone.
const token = (location.hash.match(/token=([0-9a-f]+)/) || [])[1] || '';

const engine = {
  // Where drafts are kept, and what tells that of another page from this one's.
  drafts: ['sessionStorage'],
  origin: start => `${start.folder}/${start.name}`,

  // Calls that share a sweep are made side by side, and given up together.
  lanes: Math.min(6, Math.max(1, navigator.hardwareConcurrency || 2)), shared: new AbortController(),
  stop() { this.shared.abort(); this.shared = new AbortController(); },

  async call(name, body, signal = name === 'share' || name === 'through' ? this.shared.signal : undefined) {
    const reply = await fetch(`/api/${name}`, { method: 'POST', headers: { 'Content-Type': 'application/json', 'X-Biela-Token': token }, body: JSON.stringify(body), signal });
    const kind = reply.headers.get('Content-Type') || '';
    if (kind.includes('problem')) { const { error } = await reply.json(); throw new Trouble(error.message, error); }
    if (!reply.ok) throw new Trouble(await reply.text());
    return name === 'export' ? reply.blob() : reply.json();
  },
};
