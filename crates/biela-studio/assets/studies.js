// What a run tells beyond its motion: natural modes that swing in the picture, and sweeps that several workers share.
const modes = {
  // Shows a mode by its number, as large as can be seen, and plays it in two seconds or so.
  async show(number, given = runner.asked()) {
    try {
      const { picture } = await ask('swing', { ...given, mode: number });
      if (document.body.dataset.mode === 'draw') drafting.mode('move');
      studio.see(picture, null);
      for (const b of document.querySelectorAll('[data-swing]')) b.setAttribute('aria-pressed', String(+b.dataset.swing === number));
      state.speed = length / 2 || 1; state.wanted = null;
      play(true);
      announce(`Mode ${number} swings`);
    } catch (error) { studio.say(error.message); }
  },
  table({ frequency, damping }) {
    const head = ['mode', 'Hz', 'damping', ''].map((h, k) => element('th', { textContent: h, className: k ? 'n' : '' })), given = runner.asked();
    return element('table', { id: 'mode-table' }, element('tr', {}, ...head), ...frequency.map((f, k) => element('tr', {}, element('td', { textContent: k + 1 }), element('td', { className: 'n', textContent: shown(f) }), element('td', { className: 'n', textContent: shown(damping[k]) }),
      element('td', { className: 'n' }, element('button', { className: 'chip', type: 'button', textContent: '▶ show', 'data-swing': String(k + 1), 'aria-pressed': 'false', 'aria-label': `Show mode ${k + 1} swinging`, onclick: () => this.show(k + 1, given) })))));
  },
};

const sweeper = {
  // Values of a parameter: a range, or spread about its own value.
  rows: [],
  make() {
    const box = $('sweeper');
    this.list = element('div', { id: 'sweep-rows' });
    this.measure = element('input', { id: 'sweep-measure', autocomplete: 'off', spellcheck: false, placeholder: 'max(motor.effort)', title: 'An expression of signals reduced to one number: max, min, range, mean, rms, at, …' });
    this.go = element('button', { className: 'main', id: 'sweep-go', type: 'button', textContent: 'Sweep', onclick: () => this.run() });
    this.stop = element('button', { type: 'button', id: 'sweep-stop', textContent: 'Cancel', disabled: true, onclick: () => { this.ended = true; engine.stop(); } });
    this.bar = element('progress', { id: 'sweep-progress', max: 1, value: 0, hidden: true, 'aria-label': 'Progress of the sweep' });
    this.told = element('div', { id: 'swept', role: 'status', 'aria-live': 'polite' });
    this.more = element('button', { className: 'chip', type: 'button', textContent: '+ parameter', onclick: () => this.add() });
    box.append(element('h2', { textContent: 'Sweep' }), this.list, this.more, element('label', {}, 'Measure ', this.measure), element('div', { className: 'row' }, this.go, this.stop), this.bar, this.told);
  },
  add() {
    const known = parameters.list || [], used = this.rows.map(r => r.name.value), p = known.find(p => !used.includes(p.name)) || known[0];
    if (!p) return;
    const name = element('select', { 'aria-label': 'Parameter', onchange: () => fill() }, ...known.map(p => new Option(p.name))), field = (label, mode = 'decimal') => element('input', { inputmode: mode, 'aria-label': label, autocomplete: 'off' });
    const from = field('From'), to = field('To'), count = field('Count', 'numeric'), unit = element('span', { className: 'fine' });
    const own = { name, from, to, count, unit, row: null }, fill = () => {
      const q = known.find(p => p.name === name.value), x = q.value * q.ratio, short = v => String(+v.toPrecision(4));
      from.value = short(x * 0.9); to.value = short(x * 1.1); count.value = '101'; unit.textContent = q.shown === '1' ? '' : q.shown;
    };
    name.value = p.name; fill();
    own.row = element('div', { className: 'row sweep-row' }, name, from, '…', to, unit, ' ', count, element('button', { className: 'quiet', type: 'button', textContent: '✕', 'aria-label': 'Leave it out', onclick: () => { this.rows = this.rows.filter(r => r !== own); own.row.remove(); } }));
    this.rows.push(own); this.list.append(own.row);
  },
  // The model has these parameters from now on.
  know(list) {
    const key = list.map(p => p.name).join('\n');
    if (key === this.key) return;
    this.key = key; this.rows = [];
    this.list.replaceChildren(...list.length ? [] : [element('p', { className: 'fine', textContent: 'Many runs with other values of [parameters]: the model has none.' })]);
    for (const part of [this.more, this.measure.parentElement, this.go.parentElement]) part.hidden = !list.length;
    this.told.replaceChildren();
    this.add();
  },
  // A sweep is asked for by parameters here, or by the model's own [sweep].
  asked() {
    const vary = this.rows.map(({ name, from, to, count, unit }) => { const u = unit.textContent ? ` ${unit.textContent}` : ''; return [name.value, `${from.value.trim()}${u}:${to.value.trim()}${u}:${count.value.trim()}`]; });
    const text = this.measure.value.trim();
    return { ...studio.given(), formulation: $('formulation').value || undefined, vary, measure: text ? [[text.replace(/[^\w.]+/g, '_').replace(/^[^a-zA-Z]+|_+$/g, '') || 'measure', text]] : [] };
  },
  async run() {
    if (this.stop.disabled === false) return;
    const asked = this.asked(), lanes = engine.lanes, of = 4 * lanes, parts = [], begun = performance.now();
    this.ended = false; this.go.disabled = true; this.stop.disabled = false; this.bar.hidden = false; this.bar.value = 0;
    try {
      let next = 0, done = 0;
      const lane = async () => {
        while (next < of && !this.ended) { const share = next++, found = await ask('share', { ...asked, share, of }); parts.push(...found.parts); this.bar.value = ++done / of; }
      };
      await Promise.all(Array.from({ length: lanes }, lane));
      if (this.ended) throw new Trouble('The sweep was cancelled.');
      const found = await ask('gather', { ...asked, parts });
      this.found = found;
      this.show(found, lanes, (performance.now() - begun) / 1000);
    } catch (error) { this.ended = true; this.told.replaceChildren(element('p', { className: 'bad', textContent: error.message }), ...(error.diagnostic?.notes || []).map(n => element('p', { textContent: n }))); }
    finally { this.go.disabled = false; this.stop.disabled = true; this.bar.hidden = true; }
  },
  show({ summary, sampling, varied, curve, columns, csv }, lanes, seconds) {
    const line = (className, ...children) => element('p', { className }, ...children), label = c => c.unit === '1' || !c.unit ? c.name : `${c.name} [${c.unit}]`;
    const rows = [line('', `${summary.samples} runs (${sampling}), ${summary.failed} failed, ${shown(seconds)} s by ${lanes} ${lanes === 1 ? 'worker' : 'workers'} `, element('button', { className: 'chip', id: 'sweep-table', type: 'button', textContent: 'Table (.csv)', onclick: () => download(new Blob([csv], { type: 'text/csv' }), `${sharing.stem}-sweep.csv`) }))];
    summary.failures.slice(0, 4).forEach(f => rows.push(line('warn', `${f.count} times: ${f.reason}`)));
    summary.measures.slice(0, 6).forEach((m, k) => {
      const strongest = columns.findIndex(c => c.name === m.sensitivities[0]?.parameter), x = columns[curve || strongest < 0 ? 0 : strongest];
      rows.push(line('', element('b', { textContent: m.name }), ` ${shown(m.least)} … ${shown(m.greatest)}, mean ${shown(m.mean)} ± ${shown(m.deviation)}${m.unit === '1' ? '' : ` ${m.unit}`}`), chart(x, columns[varied + k], curve, label));
    });
    this.told.replaceChildren(...rows);
  },
};

// A diagram of one column over another: a curve, or points.
function chart(x, y, curve, label) {
  const W = 360, H = 190, left = 52, bottom = 34, top = 8, right = 10, fine = v => v.filter(Number.isFinite), range = v => { const f = fine(v), a = Math.min(...f), b = Math.max(...f); return b > a ? [a, b] : [a - 0.5 * Math.abs(a) - 0.5, b + 0.5 * Math.abs(b) + 0.5]; };
  const [x0, x1] = range(x.values), [y0, y1] = range(y.values), px = v => left + (W - left - right) * (v - x0) / (x1 - x0), py = v => H - bottom - (H - bottom - top) * (v - y0) / (y1 - y0);
  const ticks = (a, b) => { const raw = (b - a) / 4, power = 10 ** Math.floor(Math.log10(raw)), step = [1, 2, 5, 10].map(m => m * power).find(s => s >= raw), out = []; for (let v = Math.ceil(a / step) * step; v <= b + 1e-9 * step; v += step) out.push(Math.abs(v) < 1e-9 * step ? 0 : +v.toPrecision(10)); return out; };
  const text = (words, at, anchor, more) => { const t = sign('text', { x: at[0], y: at[1], 'text-anchor': anchor, ...more }); t.textContent = words; return t; };
  const there = x.values.map((v, k) => [v, y.values[k]]), marks = there.filter(p => p.every(Number.isFinite)).map(p => `${px(p[0]).toFixed(1)} ${py(p[1]).toFixed(1)}`);
  const parts = there.reduce((d, p) => p.every(Number.isFinite) ? [`${d[0]}${d[1] ? 'L' : 'M'}${px(p[0]).toFixed(1)} ${py(p[1]).toFixed(1)}`, true] : [d[0], false], ['', false])[0];
  return sign('svg', { class: 'chart', viewBox: `0 0 ${W} ${H}`, role: 'img', 'aria-label': `${label(y)} over ${label(x)}` },
    ...ticks(x0, x1).flatMap(v => [sign('path', { class: 'rule', d: `M${px(v)} ${top}V${H - bottom}` }), text(shown(v), [px(v), H - bottom + 14], 'middle')]), ...ticks(y0, y1).flatMap(v => [sign('path', { class: 'rule', d: `M${left} ${py(v)}H${W - right}` }), text(shown(v), [left - 6, py(v) + 4], 'end')]),
    text(label(x), [(left + W - right) / 2, H - 4], 'middle'), curve ? sign('path', { class: 'line', d: parts }) : sign('path', { class: 'dots', d: marks.map(m => `M${m}h.01`).join('') }));
}
sweeper.make();
Object.assign(page, { modes, sweeper });
