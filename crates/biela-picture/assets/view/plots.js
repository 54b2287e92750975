// A plot of one signal over time, with a cursor at the present time.
class PlotPanel {
  constructor(parent, motion, name, seek, changed) {
    this.motion = motion; this.seek = seek;
    const make = (tag, attributes, to) => { const e = document.createElement(tag); Object.assign(e, attributes); to.append(e); return e; };
    this.root = make('div', { className: 'plot' }, parent);
    const head = make('div', { className: 'head' }, this.root);
    this.input = make('input', { value: name, spellcheck: false, autocomplete: 'off' }, head);
    this.input.setAttribute('list', 'names'); this.input.setAttribute('aria-label', 'Signal');
    this.value = make('output', {}, head);
    const close = make('button', { textContent: '×', title: 'Remove' }, head);
    close.setAttribute('aria-label', 'Remove this plot');
    this.canvas = make('canvas', {}, this.root);
    this.canvas.setAttribute('role', 'img');
    close.onclick = () => { this.root.remove(); changed(this); };
    this.input.onchange = () => { this.choose(this.input.value); changed(); };
    this.input.onfocus = () => this.input.select();
    const go = e => { const b = this.canvas.getBoundingClientRect(); this.seek(this.timeAt(e.clientX - b.left)); };
    this.canvas.onpointerdown = e => { this.canvas.setPointerCapture(e.pointerId); go(e); };
    this.canvas.onpointermove = e => { if (e.buttons) go(e); };
    this.choose(name);
  }

  choose(name) {
    this.signal = this.motion.names.get(name);
    this.input.setCustomValidity(this.signal === undefined ? 'no such signal' : '');
    this.canvas.setAttribute('aria-label', `${name} over time`);
    this.still = null;
  }

  timeAt(x) {
    const { start, end } = this.motion;
    return Math.min(end, Math.max(start, start + (x - this.left) / this.inner * (end - start)));
  }

  // The room it has. All plots are measured before one is drawn, so that the page is laid out once.
  measure() { this.box = this.canvas.getBoundingClientRect(); }

  // The curve is kept as a picture; only the cursor is drawn anew.
  draw(t, style) {
    const ratio = devicePixelRatio || 1, { box } = this;
    const width = Math.round(box.width * ratio), height = Math.round(box.height * ratio);
    if (!width || !height) return;
    const key = `${width} ${height} ${style.ink}`;
    if (!this.still || this.key !== key) { this.key = key; this.canvas.width = width; this.canvas.height = height; this.render(width, height, ratio, style); }
    // A cursor that has moved by less than half a pixel stays.
    const place = this.signal === undefined ? 0 : Math.round(2 * ratio * this.inner * (t - this.motion.start) / Math.max(1e-300, this.motion.end - this.motion.start));
    if (this.drawn === this.still && this.place === place) return;
    this.drawn = this.still; this.place = place;
    const pen = this.canvas.getContext('2d');
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, width, height); pen.drawImage(this.still, 0, 0);
    if (this.signal === undefined) { this.value.textContent = ''; return; }
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const { start, end } = this.motion, v = this.motion.value(this.signal, t);
    const x = this.left + (end > start ? (t - start) / (end - start) : 0) * this.inner, y = this.y(v);
    this.cursor = x;
    pen.strokeStyle = style.soft; pen.lineWidth = 1;
    pen.beginPath(); pen.moveTo(x, 4); pen.lineTo(x, box.height - 18); pen.stroke();
    pen.fillStyle = style.accent; pen.beginPath(); pen.arc(x, y, 4, 0, 7); pen.fill();
    // What the scale of the diagram cannot tell from nothing is nothing.
    this.value.textContent = `${shown(Math.abs(v) < 1e-12 * this.most ? 0 : v)} ${this.motion.unit(this.signal)}`;
  }

  render(width, height, ratio, style) {
    const still = document.createElement('canvas'), pen = still.getContext('2d');
    still.width = width; still.height = height; this.still = still;
    pen.scale(ratio, ratio);
    const w = width / ratio, h = height / ratio, top = 8, bottom = h - 18;
    this.left = 46; this.inner = w - this.left - 8;
    if (this.signal === undefined) { pen.fillStyle = style.soft; pen.fillText(this.motion.count > 1 ? 'no such signal' : 'no motion yet', 50, h / 2); this.y = () => 0; return; }
    const { motion } = this, row = motion.signals[this.signal].row;
    let low = Infinity, high = -Infinity;
    for (let k = 0; k < motion.count; k++) { const v = motion.at(row, k); if (v < low) low = v; if (v > high) high = v; }
    this.most = Math.max(Math.abs(low), Math.abs(high));
    if (!(high > low)) { const m = Math.max(1e-12, Math.abs(low) * 0.1, low === 0 ? 1 : 0); low -= m; high += m; }
    // A signal that moves in the last digits alone is at rest.
    if (high - low < 1e-9 * Math.max(Math.abs(low), Math.abs(high))) { const m = Math.abs(high) * 0.1; low -= m; high += m; }
    const pad = (high - low) * 0.06, y0 = low - pad, y1 = high + pad;
    this.y = v => bottom - (v - y0) / (y1 - y0) * (bottom - top);
    const x = t => this.left + (motion.end > motion.start ? (t - motion.start) / (motion.end - motion.start) : 0) * this.inner;
    const ticks = (a, b, n) => { const raw = (b - a) / n, p = 10 ** Math.floor(Math.log10(raw)), s = [1, 2, 5, 10].map(m => m * p).find(m => m >= raw); const out = []; for (let v = Math.ceil(a / s) * s; v <= b + s * 1e-9 && out.length < 20; v += s) out.push(Math.abs(v) < s * 1e-9 ? 0 : v); return out; };
    pen.font = '11px system-ui, Arial, sans-serif'; pen.textBaseline = 'middle'; pen.lineWidth = 1;
    pen.textAlign = 'right';
    for (const v of ticks(y0, y1, 4)) {
      pen.strokeStyle = v === 0 ? style.soft : style.line; pen.globalAlpha = v === 0 ? 0.5 : 1;
      pen.beginPath(); pen.moveTo(this.left, this.y(v)); pen.lineTo(w - 8, this.y(v)); pen.stroke(); pen.globalAlpha = 1;
      pen.fillStyle = style.soft; pen.fillText(shown(v), this.left - 6, this.y(v));
    }
    pen.textAlign = 'center';
    const { ratio: unit } = motion.time;
    if (motion.end > motion.start) for (const v of ticks(motion.start * unit, motion.end * unit, 5)) pen.fillText(shown(v), Math.min(x(v / unit), w - 14), h - 8);
    pen.strokeStyle = style.accent; pen.lineWidth = 1.8; pen.lineJoin = 'round';
    pen.beginPath();
    const step = Math.max(1, Math.floor(motion.count / (4 * this.inner)));
    for (let k = 0; k < motion.count; k += step) pen.lineTo(x(motion.times[k]), this.y(motion.at(row, k)));
    pen.stroke();
  }
}
