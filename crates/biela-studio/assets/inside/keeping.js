// Where a page without a server keeps models: the browser's storage, the page's own link, and files that the user opens.
const keeping = {
  prefix: 'biela/model/',
  // A link is short enough to be sent; what it holds, for a model.
  mostLink: 32768, mostText: 1 << 20, mostFile: 8 << 20,
  file: null,

  // What the page's link says: a model, or one that is shipped, by its name; whether the page stands inside another, and in which light.
  get asked() {
    const words = new URLSearchParams(location.hash.slice(1)), has = name => words.has(name);
    return { model: words.get('model'), shipped: words.get('shipped'), inside: has('embed'), dark: has('dark') ? true : has('light') ? false : null };
  },

  // The browser's storage, or nothing where it is shut off.
  get store() { try { return localStorage; } catch { return null; } },
  get names() {
    const store = this.store, found = [];
    for (let k = 0; k < (store?.length || 0); k++) if (store.key(k).startsWith(this.prefix)) found.push(store.key(k).slice(this.prefix.length));
    return found.sort();
  },
  read(name) { return this.store?.getItem(this.prefix + name) ?? null; },
  write(name, text) {
    if (!this.store) throw new Trouble('this browser keeps nothing for this page; Export has the text as a file');
    try { this.store.setItem(this.prefix + name, text); }
    catch { throw new Trouble(`the storage of this browser is full: ${name} is not saved; delete models that are no longer needed, or export the text as a file`); }
  },
  remove(name) { this.store?.removeItem(this.prefix + name); },
  rename(from, to) {
    const text = this.read(from);
    this.write(to, text);
    this.remove(from);
  },

  // A model in a link: its name and text, packed, in letters that links take.
  async link(name, text) {
    const packed = await through(new CompressionStream('deflate-raw'), new TextEncoder().encode(JSON.stringify([name, text])), Infinity);
    const letters = btoa(Array.from(packed, b => String.fromCharCode(b)).join('')).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
    if (letters.length > this.mostLink) throw new Trouble(`the model is too large for a link: ${letters.length} letters where ${this.mostLink} are the most; send it as a file`);
    return `${location.href.split('#')[0]}#model=${letters}`;
  },
  async linked(letters) {
    if (letters.length > this.mostLink) throw new Trouble(`the link is too large: ${letters.length} letters where ${this.mostLink} are the most`);
    let found;
    try {
      const packed = Uint8Array.from(atob(letters.replaceAll('-', '+').replaceAll('_', '/')), c => c.charCodeAt(0));
      found = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(await through(new DecompressionStream('deflate-raw'), packed, this.mostText)));
    } catch (error) { throw error instanceof Trouble ? error : new Trouble('the link is damaged: no model can be read from it'); }
    if (!Array.isArray(found) || !found.every(part => typeof part === 'string') || found.length !== 2) throw new Trouble('the link is damaged: no model can be read from it');
    return { name: found[0].slice(0, 200), text: found[1] };
  },

  // A file of the user, as text. Its handle, where there is one, is where it is saved again.
  async take(file, handle = null) {
    if (file.size > this.mostFile) throw new Trouble(`${file.name} is larger than ${this.mostFile >> 20} MB`);
    let text;
    try { text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer()); } catch { throw new Trouble(`${file.name} is not text in UTF-8`); }
    const name = file.name.replace(/(\.toml)?$/i, '.toml');
    this.file = handle && { name, handle, text };
    return { name, text };
  },
  // Puts a text where the file was opened, unless somebody else has changed it since.
  async back(name, text, any) {
    const file = this.file, held = await (await file.handle.getFile()).text();
    if (!any && held !== file.text) throw new Trouble(`'${name}' has changed on disk since it was opened`);
    const out = await file.handle.createWritable();
    await out.write(text); await out.close();
    file.text = text;
  },
};

// Bytes through a stream, and no more than so many.
async function through(stream, bytes, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader(), parts = [];
  for (let size = 0; ;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) { reader.cancel(); throw new Trouble(`the link holds more than a model may have (${most >> 20} MB)`); }
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
