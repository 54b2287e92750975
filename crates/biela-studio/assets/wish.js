// A path that is wanted: drawn by hand over the paper, then the drawing is changed until its point goes along it.
const wish = {
  path: [], point: null, running: false, found: null, at: 0,
  line: sign('path', { class: 'wanted' }), dots: sign('path', { class: 'wanted-dots' }),
  box: element('div', { id: 'wish', role: 'group', 'aria-label': 'Wanted path', hidden: true }),

  make() {
    this.points = element('select', { id: 'wish-point', 'aria-label': 'Point that follows the path', onchange: () => { this.point = this.points.value; } });
    this.go = element('button', { id: 'wish-fit', className: 'main', type: 'button', textContent: 'Fit', title: 'Change the drawing until the point follows the path; what is selected stays', onclick: () => this.running ? this.end() : this.fit() });
    this.four = element('button', { id: 'wish-four', type: 'button', textContent: 'Four-bars', title: 'All four-bars through nine places of the path, in place of the drawing; undo brings it back', onclick: () => this.running ? this.stop() : this.synthesise() });
    const turn = (by, words, sign) => element('button', { id: `wish-${words}`, type: 'button', textContent: sign, title: `The ${words} of the four-bars that were found`, 'aria-label': `The ${words} four-bar`, hidden: true, onclick: () => this.pick(this.at + by) });
    this.ways = [turn(-1, 'previous', '‹'), turn(1, 'next', '›')];
    this.clear = element('button', { id: 'wish-clear', type: 'button', textContent: 'Clear', onclick: () => { this.stop(); this.path = []; this.told.textContent = ''; this.show(); } });
    this.told = element('span', { id: 'wish-told', role: 'status' });
    this.follows = element('label', {}, 'Path of ', this.points);
    this.box.append(this.follows, this.go, this.four, ...this.ways, this.clear, this.told);
    $('stage').append(this.box);
    $('wished').append(this.line, this.dots);
  },

  // Points of links that have names; what is traced comes first.
  known() {
    const all = (sheet.sketch?.bodies ?? []).filter(b => b.name !== 'ground').flatMap(b => b.points.map(p => `${b.name}.${p.name}`)), traced = name => /\.T\d*$/.test(name);
    return all.sort((a, b) => traced(b) - traced(a));
  },

  show() {
    const there = this.path.length > 0 && !sheet.space, box = $('wished');
    this.box.hidden = !there || document.body.dataset.mode !== 'draw';
    box.toggleAttribute('hidden', !there);
    document.body.toggleAttribute('data-wish', there);
    if (!there || !data) return;
    const names = this.known();
    if (names.join() !== this.names) { this.names = names.join(); this.points.replaceChildren(...names.map(n => new Option(n))); if (names.includes(this.point)) this.points.value = this.point; else this.point = names[0] ?? null; }
    box.setAttribute('viewBox', `0 0 ${camera.width} ${camera.height}`);
    camera.matrix();
    const at = this.path.map(p => camera.project([p[0], p[1], 0])), closed = this.closed();
    this.line.setAttribute('d', `M${at.map(p => `${p[0].toFixed(1)} ${p[1].toFixed(1)}`).join('L')}${closed ? 'Z' : ''}`);
    this.dots.setAttribute('d', (this.found ? this.found.places.map(p => camera.project([p[0], p[1], 0])) : this.path.length <= 24 ? at : []).map(p => `M${p[0].toFixed(1)} ${p[1].toFixed(1)}h.01`).join(''));
    this.go.textContent = this.running === 'fit' ? 'Stop' : 'Fit'; this.four.textContent = this.running === 'all' ? 'Stop' : 'Four-bars';
    this.go.hidden = this.running === 'all'; this.four.hidden = this.running === 'fit'; this.follows.hidden = !names.length;
    const many = (this.found?.designs.length ?? 0) > 1;
    this.ways.forEach((way, k) => { way.hidden = !many; way.disabled = many && (k ? this.at >= this.found.designs.length - 1 : this.at <= 0); });
  },
  closed() { const l = this.path.reduce((s, p, k) => k ? s + apart(p, this.path[k - 1]) : 0, 0); return this.path.length > 3 && apart(this.path[0], this.path.at(-1)) < 0.15 * l; },

  // One more point, by a click; or a whole path, by a drag.
  add(p) { this.end(); this.path.push(p.slice(0, 2)); this.told.textContent = this.path.length < 3 ? 'and more points' : ''; announce(`Point ${this.path.length} of the path`); this.show(); },
  begin(p) { this.end(); this.path = [p.slice(0, 2)]; this.told.textContent = ''; },
  extend(p) { if (apart(p, this.path.at(-1)) > 2 * sheet.pixel()) { this.path.push(p.slice(0, 2)); this.show(); } },

  end() { this.running = false; this.found = null; this.show(); },
  stop() { if (this.running === 'all') engine.stop(); this.end(); },
  // Every four-bar through nine places of the path; the first is shown, the others by the arrows.
  async synthesise() {
    if (this.path.length < 3) { this.told.textContent = 'A path has three points at least.'; return; }
    const title = (editor.value.match(/^\s*name\s*=\s*"([^"]*)"/m) || [])[1] ?? 'four-bar', begun = performance.now();
    this.running = 'all'; this.found = null; this.show();
    const clock = setInterval(() => { this.told.textContent = `Following 1442 coupler curves, ${Math.round((performance.now() - begun) / 1000)} s …`; }, 250);
    try {
      const found = await ask('through', { ...studio.given(), set: {}, path: this.path, title: title.replace(/ \d+$/, '') });
      if (this.running !== 'all') return;
      this.running = false; this.found = found;
      if (found.designs.length) { await this.pick(0); state.touched = false; camera.fit(); } else this.told.textContent = 'No four-bar goes through nine places of this path.';
    } catch (error) { if (this.running === 'all') this.told.textContent = [error.message, ...(error.diagnostic?.notes ?? []).slice(-1)].join('; '); }
    finally { clearInterval(clock); if (this.running === 'all') this.running = false; this.show(); }
  },
  // One of what was found becomes the text.
  async pick(k) {
    const { designs, sound, count, real } = this.found, one = designs[k];
    if (!one) return;
    this.at = k;
    studio.touched = true; parameters.set = {}; parameters.key = '';
    editor.value = one.text; studio.edited();
    this.point = 'coupler.P'; show.traces = true; hands.choose([]); hands.follow(this.point);
    const faults = { circuit: 'only taken apart and put together anew', branch: 'only pushed over a dead centre', order: 'in another order' };
    const way = one.defects.length ? one.defects.map(d => faults[d] ?? d).join(', ') : one.rms === null ? 'in one motion' : `in one motion, ${sheet.shown(one.rms, 3)} ${sheet.unit()} from the whole path on average, transmission angle ${Math.round(degrees(one.transmission))}° at least`;
    this.told.textContent = `${k + 1} / ${designs.length}: ${one.class ?? 'four-bar'}, through nine places of the path ${way}. ${count} four-bars go through them on ${real} curves, ${sound || 'none'} in one motion${this.found.complete ? '; there are no others' : ''}.`;
    announce(this.told.textContent);
    this.show();
  },
  // In rounds, each of which is seen; the whole is one step that can be undone.
  async fit() {
    if (this.path.length < 3) { this.told.textContent = 'A path has three points at least.'; return; }
    if (!this.point) { this.told.textContent = 'No point follows yet: take the tool Trace and click on a link.'; return; }
    const held = [...hands.chosen].filter(k => k.startsWith('joints:')).map(k => k.slice(7)), wide = Math.max(...[0, 1].map(k => Math.max(...this.path.map(p => p[k])) - Math.min(...this.path.map(p => p[k]))));
    const words = rms => `${sheet.shown(rms, 3)} ${sheet.unit()} away on average`;
    let best = Infinity, idle = 0, first = null;
    this.running = 'fit'; this.found = null; this.told.textContent = 'Fitting…'; this.show();
    show.traces = true; hands.follow(this.point);
    try {
      for (let round = 0; round < 9 && idle < 3; round++) {
        const text = editor.value, found = await ask('fit', { ...studio.given(), set: {}, point: this.point, path: this.path, held, round });
        if (!this.running || editor.value !== text) break;
        first ??= found.before;
        if (found.rms < 0.99 * best) { best = found.rms; idle = 0; hands.put(found); } else idle++;
        this.told.textContent = `${words(best)}${first !== null ? `, was ${sheet.shown(first, 3)}` : ''}`;
        if (best < 1e-3 * wide) break;
      }
      announce(this.told.textContent);
    } catch (error) { this.told.textContent = [error.message, ...(error.diagnostic?.notes ?? []).slice(-1)].join('; '); }
    this.running = false; history_.take(editor.value);
    // What has grown beyond the picture is seen whole.
    state.touched = false; camera.fit(); state.dirty = state.lines = true; this.show();
  },
};
wish.make();
page.wish = wish;
