// The engine of a page that has the program inside: calls by messages to workers, so that the page never waits. Each worker has a program
// of its own and no memory in common with another: one answers the hand, one reports, one runs.
const source = URL.createObjectURL(new Blob([$('worker').textContent], { type: 'text/javascript' }));
const unpacked = text => through(new DecompressionStream('deflate-raw'), Uint8Array.from(atob(text), c => c.charCodeAt(0)), Infinity);
const compiled = new Promise((done, fail) => {
  if (!window.DecompressionStream || !window.WebAssembly) throw new Trouble('this browser is too old for the program in this page');
  const worker = new Worker(source);
  worker.onmessage = ({ data: { compiled, fault } }) => { worker.terminate(); compiled ? done(compiled) : fail(new Trouble(fault)); };
  worker.onerror = e => { e.preventDefault(); fail(new Trouble('the program in this page could not be started')); };
  worker.postMessage({ packed: $('module').textContent });
});
compiled.catch(() => {});
// Typefaces are for pictures and reports alone.
const typefaces = () => Promise.all($('typefaces').textContent.split(' ').map(unpacked));

// A worker, made when it is first asked. `patience` is how many seconds a call may take before it is given up,
// `draws` whether it makes pictures with letters.
class Aside {
  constructor(patience = 0, draws = false) { Object.assign(this, { patience, draws, waiting: new Map(), last: 0, made: 0, worker: null, begun: null }); }

  begin(module, fonts) {
    this.made++;
    this.worker = new Worker(source);
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = e => { e.preventDefault(); this.end('the program in this page could not be started'); };
    this.worker.postMessage({ module, fonts });
    if (this.begun) this.worker.postMessage({ id: 0, name: 'begin', body: this.begun });
  }
  // Ends what is going on; the next call begins anew.
  end(why) {
    this.worker?.terminate();
    this.worker = null;
    for (const { fail, clock } of this.waiting.values()) { clearTimeout(clock); fail(new Trouble(why)); }
    this.waiting.clear();
  }
  hear({ id, progress, answer, fault }) {
    const one = this.waiting.get(id);
    if (!one) return;
    if (progress) { one.hear?.(...progress); return; }
    this.waiting.delete(id); clearTimeout(one.clock);
    if (fault !== undefined) { one.fail(new Trouble(`this met a fault of the program, which was started anew: ${fault.slice(0, 300)}`)); return; }
    const text = () => new TextDecoder().decode(answer.bytes);
    if (answer.kind.includes('problem')) { const { error } = JSON.parse(text()); one.fail(new Trouble(error.message, error)); }
    else if (answer.status !== 200) one.fail(new Trouble(text()));
    else one.done(answer.file ? new Blob([answer.bytes], { type: answer.kind }) : JSON.parse(text()));
  }
  async ask(name, body, hear) {
    const module = await compiled, fonts = this.worker || !this.draws ? [] : await typefaces();
    if (!this.worker) this.begin(module, fonts);
    const id = ++this.last, said = JSON.stringify(body);
    if (name === 'begin') this.begun = said;
    return new Promise((done, fail) => {
      const clock = this.patience && setTimeout(() => this.end(`this took longer than ${this.patience} s and was given up`), 1000 * this.patience);
      this.waiting.set(id, { done, fail, hear, clock });
      this.worker.postMessage({ id, name, body: said });
    });
  }
}

const workers = { hand: new Aside(30), report: new Aside(120), run: new Aside(0, true) };
// And those that share a sweep, each with chunks of its own; one of them fits.
const lanes = Array.from({ length: Math.min(8, Math.max(1, navigator.hardwareConcurrency || 2)) }, () => new Aside());

// Runs go on aside, and are told of as a server tells of them. A run whose worker is gone is made again before it is exported.
const runs = {
  list: new Map(), last: 0,
  begin(asked) {
    const run = { asked, told: null, done: 0, all: 0, cancelled: false }, id = ++this.last;
    this.list.set(id, run);
    if (this.list.size > 6) this.list.delete(this.list.keys().next().value);
    this.make(run).then(told => { run.told = told; }, error => {
      run.told = { state: run.cancelled ? 'cancelled' : 'failed', error: error.diagnostic || { message: error.message, notes: [] } };
    });
    return { id };
  },
  async make(run) {
    const { id } = await workers.run.ask('run', run.asked, (done, all) => Object.assign(run, { done, all }));
    Object.assign(run, { own: id, made: workers.run.made });
    return workers.run.ask('job', { id });
  },
  find({ id }) {
    const run = this.list.get(id);
    if (!run) throw new Trouble('this run is no longer kept');
    return run;
  },
  tell(asked) { const run = this.find(asked); return run.told || { state: 'running', done: run.done, all: run.all }; },
  cancel(asked) { this.find(asked).cancelled = true; workers.run.end('the run was cancelled'); return {}; },
  async export(asked) {
    const run = this.find(asked);
    const make = async () => { if (run.made !== workers.run.made || !workers.run.worker) await this.make(run); return workers.run.ask('export', { ...asked, id: run.own }); };
    try { return await make(); } catch (error) {
      if (!/no longer kept/.test(error.message)) throw error;
      run.made = -1;
      return make();
    }
  },
};

const engine = {
  place: 'In this browser',
  // A page inside another keeps no draft: it shows what it was made for.
  get drafts() { return keeping.asked.inside ? [] : ['sessionStorage', 'localStorage']; },
  origin: () => `${location.pathname}${location.hash}`,

  get lanes() { return lanes.length; },
  stop() { for (const lane of lanes) lane.end('it was given up'); },

  async call(name, body) {
    switch (name) {
      case 'start': return this.start();
      case 'run': return runs.begin(body);
      case 'job': return runs.tell(body);
      case 'cancel': return runs.cancel(body);
      case 'export': return runs.export(body);
      case 'check': return workers.report.ask(name, body);
      case 'save': return this.save(body);
      case 'share': case 'gather': case 'fit': case 'through': case 'interference': return (lanes.find(lane => !lane.waiting.size) || lanes[0]).ask(name, body);
      case 'open': { keeping.file = null; return workers.hand.ask(name, this.bring(body)); }
      default: return workers.hand.ask(name, body);
    }
  },

  // What a call needs of what this browser keeps.
  bring(body) {
    const text = body.name === undefined ? null : keeping.read(body.name);
    return { ...body, names: keeping.names, held: text === null ? {} : { [body.name]: text } };
  },

  // What is shown first: the model of the link, or that of the page.
  async start() {
    const own = JSON.parse($('own').textContent);
    let first = own, why = null;
    const { model, shipped } = keeping.asked;
    try {
      if (model !== null) first = await keeping.linked(model);
      else if (shipped !== null) first = this.shipped(own.library, shipped);
    } catch (error) { why = error.message; }
    const found = await workers.hand.ask('begin', this.bring({ name: first.name, text: first.text, library: own.library }));
    this.first = { why };
    return found;
  },

  shipped(library, name) {
    const found = library.find(([known]) => known === name);
    if (!found) throw new Trouble(`the link asks for '${name.slice(0, 120)}', and there is no such model in this page`);
    return { name: `${name}.toml`, text: found[1] };
  },

  async save(body) {
    if (keeping.file?.name === body.name) {
      await keeping.back(body.name, body.text, body.overwrite);
      return { saved: body.name, stamp: null, files: keeping.names };
    }
    const found = await workers.hand.ask('save', this.bring(body));
    keeping.write(body.name, body.text);
    return found;
  },
};
