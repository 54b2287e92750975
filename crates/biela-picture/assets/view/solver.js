// Freedoms that no driver leads, moved by hand: sliders prescribe joint coordinates, and the position is solved here, from the equations
// that the page was given. Unknown are small displacements and turns of all bodies; Newton's method takes the least change.
class Solver {
  constructor(data, motion) {
    const { hand } = data;
    this.size = data.size || 1;
    this.poses = motion.poses.map(p => p ? p.map(r => motion.at(r, 0)) : [0, 0, 0, 1, 0, 0, 0]);
    this.coordinates = hand.coordinates.map(c => ({ ...c, now: c.value }));
    const rows = hand.equations.map(([terms, target, power]) => ({ terms: terms.map(([c, m, v]) => ({ c, m, last: v })), target, power }));
    this.sliders = this.coordinates.filter(c => c.independent);
    const led = this.sliders.map(c => ({ terms: [{ c: 1, m: c.measure, last: c.value }], target: c.value, power: c.angle ? 0 : 1, slider: c }));
    this.rows = [...rows, ...led]; this.led = led;
    this.read = this.coordinates.map(c => ({ c: 1, m: c.measure, last: c.value }));
  }

  // Frames of all bodies as columns.
  frames(poses) {
    const out = new Float64Array(12 * poses.length);
    poses.forEach((p, k) => writePose(out, 12 * k, ...p));
    return out;
  }

  // Value of a measure and its gradient, a list of [body, by displacement, by turn]. Angles count turns from the value before.
  measure(term, f, poses) {
    const [kind, ...markers] = term.m, at = ([b, ...p], w) => carry(f, b, p, w), origin = b => poses[b].slice(0, 3), zero = [0, 0, 0];
    const product = (a, b) => {
      const u = at(markers[a], 0), v = at(markers[b], 0), x = cross(u, v);
      return [dot(u, v), [[markers[a][0], zero, x], [markers[b][0], zero, mul(x, -1)]]];
    };
    if (kind === 0) return product(0, 1);
    if (kind === 3) {
      // atan2(y·m, x·m) of markers x, y, m.
      const [c, gc] = product(0, 2), [s, gs] = product(1, 2), d = c * c + s * s || 1;
      const raw = Math.atan2(s, c), value = raw + 2 * Math.PI * Math.round((term.last - raw) / (2 * Math.PI));
      const part = (list, k) => list.map(([b, v, w]) => [b, mul(v, k), mul(w, k)]);
      return [value, [...part(gs, c / d), ...part(gc, -s / d)]];
    }
    if (kind === 5) {
      // asin(n·u) of unit vectors.
      const [s, g] = product(0, 1), c = Math.sqrt(Math.max(1e-30, 1 - s * s));
      return [Math.asin(Math.max(-1, Math.min(1, s))), g.map(([b, v, w]) => [b, mul(v, 1 / c), mul(w, 1 / c)])];
    }
    const [from, to] = kind === 1 ? [markers[1], markers[2]] : [markers[0], markers[1]];
    const p = at(from, 1), q = at(to, 1), d = sub(q, p), far = Math.sqrt(dot(d, d)), a = kind === 1 ? at(markers[0], 0) : mul(d, kind === 4 ? 1 / (far || 1) : 2);
    const list = [[to[0], a, cross(sub(q, origin(to[0])), a)], [from[0], mul(a, -1), cross(a, sub(p, origin(from[0])))]];
    if (kind === 1) list.push([markers[0][0], zero, cross(a, d)]);
    return [kind === 1 ? dot(a, d) : kind === 4 ? far : dot(d, d), list];
  }

  // Brings the rows to zero from these poses; the poses, or null where they do not come there.
  solve(start) {
    const n = this.rows.length, L = this.size, terms = this.rows.flatMap(r => r.terms), lasts = terms.map(t => t.last);
    let poses = start.map(p => [...p]), damping = 1e-12, finest = Infinity;
    for (let turn = 0; turn < 40; turn++) {
      const f = this.frames(poses), J = [], r = new Float64Array(n);
      let worst = 0;
      this.rows.forEach((row, i) => {
        const g = new Map(), scale = L ** -row.power;
        let sum = -row.target;
        for (const term of row.terms) {
          const [value, list] = this.measure(term, f, poses);
          sum += term.c * value; term.next = value;
          for (const [b, v, w] of list) if (b) {
            const slot = g.get(b) || g.set(b, new Float64Array(6)).get(b), k = term.c * scale;
            for (let a = 0; a < 3; a++) { slot[a] += k * v[a] * L; slot[3 + a] += k * w[a]; }
          }
        }
        J.push(g); r[i] = sum * scale; worst = Math.max(worst, Math.abs(r[i]));
      });
      for (const t of terms) t.last = t.next;
      // The floor of rounding: no better any more.
      if (worst < 1e-12 || worst < 1e-9 && worst >= 0.5 * finest) return poses;
      if (!(worst < 1e3)) break;
      finest = Math.min(finest, worst);
      // (J Jᵀ + damping) y = r, then the step −Jᵀ y: rows that depend on others do no harm.
      const A = Array.from({ length: n }, () => new Float64Array(n));
      for (let i = 0; i < n; i++) for (let j = 0; j <= i; j++) {
        let s = 0;
        const [small, large] = J[i].size < J[j].size ? [J[i], J[j]] : [J[j], J[i]];
        for (const [b, u] of small) { const v = large.get(b); if (v) for (let a = 0; a < 6; a++) s += u[a] * v[a]; }
        A[i][j] = s;
      }
      for (let i = 0; i < n; i++) A[i][i] += damping * (1 + A[i][i]);
      const y = this.cholesky(A, r);
      if (!y) { damping *= 100; if (damping > 1e-4) break; continue; }
      const step = new Map();
      for (let i = 0; i < n; i++) for (const [b, u] of J[i]) {
        const slot = step.get(b) || step.set(b, new Float64Array(6)).get(b);
        for (let a = 0; a < 6; a++) slot[a] -= u[a] * y[i];
      }
      poses = poses.map((p, b) => step.has(b) ? this.moved(p, step.get(b)) : p);
    }
    terms.forEach((t, k) => { t.last = lasts[k]; });
    return null;
  }

  cholesky(A, r) {
    const n = r.length, y = Float64Array.from(r);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) {
        let s = A[i][j];
        for (let k = 0; k < j; k++) s -= A[i][k] * A[j][k];
        if (i === j) { if (!(s > 0)) return null; A[i][i] = Math.sqrt(s); } else A[i][j] = s / A[j][j];
      }
    }
    for (let i = 0; i < n; i++) { for (let k = 0; k < i; k++) y[i] -= A[i][k] * y[k]; y[i] /= A[i][i]; }
    for (let i = n - 1; i >= 0; i--) { for (let k = i + 1; k < n; k++) y[i] -= A[k][i] * y[k]; y[i] /= A[i][i]; }
    return y;
  }

  // A pose displaced and turned by a small vector, lengths in parts of the size.
  moved([x, y, z, e0, e1, e2, e3], s) {
    const L = this.size, w = [s[3], s[4], s[5]], angle = Math.min(0.5, norm(w)), u = mul(unit(w), Math.sin(angle / 2)), c = Math.cos(angle / 2), e = [e1, e2, e3];
    const v = add(add(mul(e, c), mul(u, e0)), cross(u, e)), scalar = c * e0 - dot(u, e), l = 1 / Math.hypot(scalar, ...v);
    return [x + L * s[0], y + L * s[1], z + L * s[2], scalar * l, v[0] * l, v[1] * l, v[2] * l];
  }

  // Leads one coordinate to a value, the others of the sliders where they are; as far as it goes. Whether it came there.
  lead(slider, value) {
    const row = this.led.find(r => r.slider === slider), most = slider.angle ? 0.12 : 0.06 * this.size;
    let from = row.target, step = most;
    while (Math.abs(value - from) > 1e-12 * (1 + Math.abs(value))) {
      const next = from + Math.sign(value - from) * Math.min(step, Math.abs(value - from));
      row.target = next;
      const found = this.solve(this.poses);
      // Next to a dead point bodies move far for a small step: that is no way to go on.
      if (found && this.near(found)) { this.poses = found; this.tell(); from = next; step = Math.min(most, step * 2); }
      else { row.target = from; step /= 4; if (step < 1e-4 * most) break; }
    }
    return from === value || Math.abs(value - from) <= 1e-12 * (1 + Math.abs(value));
  }

  // Reads all coordinates, turns counted from those before.
  tell() {
    const f = this.frames(this.poses);
    this.read.forEach((term, k) => { term.last = this.coordinates[k].now = this.measure(term, f, this.poses)[0]; });
  }

  // Whether no body has jumped.
  near(found) {
    return found.every((p, b) => { const q = this.poses[b], away = norm(sub(p, q)), turn = 1 - Math.abs(p[3] * q[3] + p[4] * q[4] + p[5] * q[5] + p[6] * q[6]); return away < 0.5 * this.size && turn < 0.06; });
  }
}

// The sliders of a page whose mechanism has freedoms without drivers.
function handle(data, motion, redraw) {
  const box = $('hand'), { hand } = data;
  if (!box) return;
  box.hidden = !hand; box.replaceChildren();
  if (!hand) return;
  const say = element('p', { role: 'status' }), head = element('h2', { textContent: 'Joints' });
  if (!hand.equations) { say.textContent = `No driver moves this mechanism, and its joints cannot be moved here: ${hand.why}. biela studio can.`; box.append(head, say); return; }
  const solver = new Solver(data, motion), count = solver.sliders.length, rest = solver.coordinates.filter(c => !c.independent);
  const told = `No driver moves this mechanism. ${count === 1 ? 'The slider moves its one freedom' : `Each slider moves one of ${count} freedoms and the others stay`}${rest.length ? '; the other joints follow' : ''}. Positions are solved in this page.` + (hand.unnamed ? ` ${hand.unnamed} more ${hand.unnamed === 1 ? 'freedom has' : 'freedoms have'} no joint coordinate and no slider here.` : '');
  say.textContent = told;
  const outputs = rest.slice(0, 24).map(c => [c, element('output', {}, element('span', { textContent: c.name }), element('span'))]);
  const show = () => {
    motion.poses = solver.poses.map((p, k) => k ? p.map(value => ({ value })) : null);
    for (const c of solver.sliders) c.control.set(c.now);
    for (const [c, row] of outputs) row.lastChild.textContent = `${shown(c.now * c.ratio)} ${c.shown}`;
    redraw(solver.frames(solver.poses));
  };
  for (const c of solver.sliders) c.control = slider({
    name: c.name, unit: c.shown, ratio: c.ratio, low: c.low, high: c.high, value: c.value, reset: () => { solver.lead(c, c.value); c.control.row.classList.remove('changed'); show(); },
    change: v => {
      const there = solver.lead(c, v);
      c.control.row.classList.toggle('changed', c.now !== c.value);
      say.textContent = there ? told : `${c.name} goes no further than ${shown(c.now * c.ratio)} ${c.shown} here.`;
      show();
    },
  });
  box.append(head, ...solver.sliders.map(c => c.control.row), ...outputs.map(o => o[1]), say);
  page.hand = solver;
  show();
}
