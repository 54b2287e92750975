// The drawing as it is seen: links, pins, guides, motors, springs and forces as signs over the grid.
const SVG = 'http://www.w3.org/2000/svg';
function sign(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) if (value !== null && value !== undefined) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
const TONES = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#8a6d3b', '#7b5ea7'];

const sheet = {
  root: $('sketch'), sketch: null, items: new Map(),

  // Places in the picture, and back: onto the paper, or in space onto the plane that is drawn on. Nothing is seen in perspective.
  seen(p) { const { target, half, width, height } = camera, [r, u] = camera.axes(), s = height / (2 * half), d = sub([p[0], p[1], p[2] ?? 0], target); return [width / 2 + dot(d, r) * s, height / 2 - dot(d, u) * s]; },
  place(x, y) { const { target, half, width, height } = camera, [r, u] = camera.axes(), s = 2 * half / height, p = add(target, add(mul(r, (x - width / 2) * s), mul(u, (height / 2 - y) * s))); return this.space ? paperPlane.meet(p) : [p[0], p[1]]; },
  get space() { return this.sketch?.planar === false; },
  // The middle of places.
  middle(at) { return at[0].map((_, k) => at.reduce((s, p) => s + p[k], 0) / at.length); },
  // A direction as it is seen: a unit vector of the picture, and how long it looks.
  heading(at, along) { const a = this.seen(at), b = this.seen(at.map((c, k) => c + along[k] * data.size)), d = [b[0] - a[0], b[1] - a[1]], l = Math.hypot(...d); return l > 1e-9 ? [d[0] / l, d[1] / l, l * this.pixel() / data.size / Math.hypot(...along)] : [1, 0, 0]; },
  pixel() { return 2 * camera.half / camera.height; },
  // What hands snap to: the least of 1, 2 or 5 that a hand can tell apart, in the unit that is read.
  step() { const least = 6 * this.pixel() * this.sketch.length[1], power = 10 ** Math.floor(Math.log10(least)); return [1, 2, 5, 10].map(m => m * power).find(m => m >= least * 0.999) / this.sketch.length[1]; },

  // A length or coordinate in the unit that it is read in.
  shown(x, digits = 4) { return +(x * this.sketch.length[1]).toPrecision(digits); },
  unit() { return this.sketch.length[0]; },
  back(x) { return x / this.sketch.length[1]; },

  body(name) { return this.sketch.bodies.find(b => b.name === name); },
  joint(name) { return this.sketch.joints.find(j => j.name === name); },
  pins(name) { return this.sketch.joints.filter(j => j.bodies.includes(name)); },
  tone(name) { const known = data?.bodies.find(b => b.name === name); return known && name !== 'ground' ? css(known.colour) : TONES[Math.max(0, this.sketch.bodies.findIndex(b => b.name === name) - 1) % TONES.length]; },
  driver(joint) { return this.sketch.drivers.find(d => d.keys?.some(([k, v]) => k === 'joint' && v === JSON.stringify(joint))); },

  // All places of a body, each once.
  places(name) {
    const found = [], add = p => { if (!found.some(q => same(p, q))) found.push(p); };
    for (const j of this.sketch.joints) j.bodies.forEach((b, side) => b === name && j.type !== 'gear' && add(j.at[side]));
    for (const p of this.body(name)?.points ?? []) if (!/^T\d*$/.test(p.name)) add(p.at);
    return found;
  },
  // What slides: a body with a guide and one place.
  guide(name) { return this.sketch.joints.find(j => ['prismatic', 'point-on-line'].includes(j.type) && j.bodies[1] === name && this.places(name).length === 1); },

  // Places where something is, each with all that is there.
  knots() {
    const knots = [], at = p => { let k = knots.find(k => same(k.at, p)); if (!k) knots.push(k = { at: p, joints: [], points: [], forces: [] }); return k; };
    for (const j of this.sketch.joints) j.at.forEach((p, side) => { const k = at(p); if (!k.joints.some(o => o.joint === j)) k.joints.push({ joint: j, side }); });
    for (const b of this.sketch.bodies) for (const p of b.points) at(p.at).points.push({ body: b.name, point: p.name });
    for (const f of this.sketch.forces) f.at.forEach((p, end) => at(p).forces.push({ force: f, end }));
    return knots;
  },

  // Draws it all. Elements stay, so that what has the focus keeps it.
  draw() {
    const shown = document.body.dataset.mode === 'draw' && this.sketch && data && camera.width > 1;
    this.root.toggleAttribute('hidden', !shown);
    if (!shown) return;
    this.root.setAttribute('viewBox', `0 0 ${camera.width} ${camera.height}`);
    this.fresh = [];
    // What is far is drawn first.
    const far = b => { const at = this.places(b.name); return at.length && this.space ? dot(this.middle(at), camera.axes()[2]) : 0; };
    for (const b of this.sketch.bodies.filter(b => b.name !== 'ground').sort((a, b) => far(a) - far(b))) this.link(b);
    for (const f of this.sketch.forces) this.force(f);
    for (const j of this.sketch.joints) if (j.at.length && ['actuator', 'rod', 'distance'].includes(j.type)) this.strut(j);
    for (const c of this.sketch.couplings) this.gears(c);
    for (const knot of this.knots()) this.knot(knot);
    this.lengths();
    const keep = new Set(this.fresh.map(([key]) => key));
    for (const [key, g] of this.items) if (!keep.has(key)) { g.remove(); this.items.delete(key); }
    // In the order in which they are drawn, without touching what has not moved.
    this.fresh.forEach(([, g], k) => { if (this.root.children[k] !== g) this.root.insertBefore(g, this.root.children[k] || null); });
    hands.band();
  },
  put(key, label, chosen, ...children) {
    let g = this.items.get(key);
    if (!g) { g = sign('g', { role: 'button', tabindex: '0', 'data-key': key }); this.items.set(key, g); }
    g.setAttribute('aria-label', label);
    g.setAttribute('aria-pressed', String(chosen));
    g.setAttribute('class', `sign ${chosen ? 'chosen' : ''}`);
    g.replaceChildren(...children);
    this.fresh.push([key, g]);
    return g;
  },

  link(b) {
    const at = this.places(b.name).map(p => this.seen(p)), key = `bodies:${b.name}`, chosen = hands.chosen.has(key), colour = this.tone(b.name), guide = this.guide(b.name);
    if (!at.length) return;
    const words = this.words(b.name);
    if (guide) {
      const [x, y] = at[0], [hx, hy] = this.heading(this.places(b.name)[0], guide.axis), a = Math.atan2(hy, hx) * 180 / Math.PI, turn = `rotate(${a} ${x} ${y})`;
      const own = guide.bodies[0] === 'ground';
      return this.put(key, words, chosen,
        ...own ? [sign('line', { class: 'rail', x1: x - 70, x2: x + 70, y1: y + 13, y2: y + 13, transform: turn }), ...hatch(x, y + 13, 70, turn)] : [],
        sign('rect', { class: 'block', x: x - 20, y: y - 12, width: 40, height: 24, rx: 4, fill: colour, stroke: colour, transform: turn }));
    }
    const hull = at.length > 2 ? outline(at) : at, d = hull.map(([x, y], k) => `${k ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`).join('') + (hull.length > 2 ? 'Z' : at.length === 1 ? 'h.01' : '');
    // What is traced beside the link is held by it.
    const arms = b.points.filter(p => /^T\d*$/.test(p.name)).map(p => { const q = this.seen(p.at), foot = hull.map((h, k) => aside(q, h, hull[(k + 1) % hull.length])).sort((m, n) => m[0] - n[0])[0]; return foot && foot[0] > 6 ? `M${q}L${foot[1]}` : ''; }).join('');
    this.put(key, words, chosen,
      sign('path', { class: 'arm', d: arms || null, stroke: colour }), sign('path', { class: 'edge', d, stroke: colour, fill: hull.length > 2 ? colour : 'none' }),
      sign('path', { class: 'bar', d, stroke: colour, fill: hull.length > 2 ? colour : 'none' }));
  },
  // A body in words.
  words(name) {
    const at = this.places(name), pins = this.knots().filter(k => k.joints.some(({ joint }) => joint.bodies.includes(name)) || k.points.some(p => p.body === name)).map(k => this.name(k)).filter(Boolean);
    const length = at.length === 2 ? `, length ${this.shown(apart(...at))} ${this.unit()}` : '';
    return `${this.guide(name) ? 'slider' : at.length > 2 ? 'plate' : 'link'} ${name}, ${pins.join(', ')}${length}`;
  },
  name(knot) { return knot.joints.map(k => k.joint.name).concat(knot.points.map(p => p.point), knot.forces.map(f => f.force.name))[0]; },

  force(f) {
    const key = `forces:${f.name}`, chosen = hands.chosen.has(key);
    if (f.at.length === 2) {
      const [a, b] = f.at.map(p => this.seen(p)), feet = f.bodies.map((body, k) => body === 'ground' ? anchor(...[a, b][k]) : null).filter(Boolean);
      this.put(key, `spring ${f.name}`, chosen, ...feet, sign('path', { class: 'grip', d: `M${a}L${b}` }), sign('path', { class: 'spring', d: zigzag(a, b) }));
    } else if (f.at.length === 1) {
      const [x, y] = this.seen(f.at[0]), along = f.value?.every(v => v !== null) && f.value.some(v => v) ? f.value : this.space ? [0, 0, -1] : [0, -1], [dx, dy] = this.heading(f.at[0], along).slice(0, 2).map(c => c * 64);
      const tip = [x + dx, y + dy], side = (w, back) => [tip[0] - dx / 64 * back - dy / 64 * w, tip[1] - dy / 64 * back + dx / 64 * w];
      this.put(key, `force ${f.name}`, chosen, sign('path', { class: 'grip', d: `M${x} ${y}L${tip}` }), sign('path', { class: 'arrow', d: `M${x} ${y}L${side(0, 8)}` }), sign('path', { class: 'head', d: `M${tip}L${side(6, 14)}L${side(-6, 14)}Z` }));
    }
  },
  strut(j) {
    const [a, b] = j.at.map(p => this.seen(p)), key = `joints:${j.name}`, m = [a[0] + (b[0] - a[0]) * 0.55, a[1] + (b[1] - a[1]) * 0.55];
    const feet = j.bodies.map((body, k) => body === 'ground' ? anchor(...[a, b][k]) : null).filter(Boolean);
    const children = j.type === 'actuator' ? [sign('path', { class: 'grip', d: `M${a}L${b}` }), sign('path', { class: 'piston', d: `M${a}L${b}` }), sign('path', { class: 'cylinder', d: `M${a}L${m}` })] : [sign('path', { class: 'grip', d: `M${a}L${b}` }), sign('path', { class: 'rod', d: `M${a}L${b}` })];
    this.put(key, `${j.type} ${j.name}`, hands.chosen.has(key), ...feet, ...children);
  },
  gears(c) {
    const value = name => c.keys?.find(([k]) => k === name)?.[1], list = text => { try { return JSON.parse(text); } catch { return null; } };
    const joints = (list(value('joints')) || []).map(name => this.joint(name)).filter(Boolean), teeth = list(value('teeth')) || [1, 1];
    if (joints.length !== 2 || !teeth.every(Number.isFinite)) return;
    const at = joints.map(j => this.seen(j.at[0])), d = Math.hypot(at[0][0] - at[1][0], at[0][1] - at[1][1]), key = `couplings:${c.name}`, sum = teeth[0] + teeth[1];
    this.put(key, `gear pair ${c.name}`, hands.chosen.has(key), ...at.map(([cx, cy], k) => sign('circle', { class: 'wheel', cx, cy, r: d * teeth[k] / sum })));
  },

  knot(knot) {
    const [x, y] = this.seen(knot.at), name = this.name(knot);
    if (!knot.joints.length && !knot.points.length) return;
    const pins = knot.joints.filter(k => this.pinned(k.joint)), own = knot.joints[0]?.joint, key = own ? `joints:${(pins[0]?.joint ?? own).name}` : `points:${knot.points[0].body}.${knot.points[0].point}`;
    if (!pins.length && own && !['prismatic', 'point-on-line'].includes(own.type) && !knot.points.length) return this.put(`${key}:${x.toFixed(0)},${y.toFixed(0)}`, `end of ${own.name}`, false, sign('circle', { class: 'pin', cx: x, cy: y, r: 4 }));
    const grounded = pins.some(k => k.joint.bodies.includes('ground')), trace = !pins.length && knot.points.some(p => /^T\d*$/.test(p.point)), driven = knot.joints.map(k => this.driver(k.joint.name)).find(Boolean);
    const chosen = knot.joints.some(k => hands.chosen.has(`joints:${k.joint.name}`)) || knot.points.some(p => hands.chosen.has(`points:${p.body}.${p.point}`));
    const kind = pins.length && !(this.space && own?.type !== 'revolute') ? 'pin' : this.space && own ? own.type : null;
    const words = [`${kind ? kind : trace ? 'traced point' : own ? 'slider' : 'open end'} ${name}`, grounded && 'on the ground', driven && `driven by ${driven.name}`, `at ${knot.at.map(c => this.shown(c)).join(', ')} ${this.unit()}`].filter(Boolean).join(', ');
    const children = [];
    if (this.space) for (const { joint } of knot.joints) children.push(...this.axes(joint, knot.at));
    if (grounded) children.push(sign('path', { class: 'foot', d: `M${x} ${y}l-13 20h26z` }), sign('line', { class: 'rail', x1: x - 19, x2: x + 19, y1: y + 20, y2: y + 20 }), ...hatch(x, y + 20, 19, null));
    if (driven && pins.length) children.push(sign('path', { class: 'motor', d: `M${x + 17} ${y - 8}A19 19 0 1 0 ${x + 18} ${y + 6}` }), sign('path', { class: 'motor-head', d: `M${x + 23} ${y - 4}l-12 -2 8 -8z` }));
    else if (driven) children.push(sign('path', { class: 'motor', d: `M${x - 24} ${y - 22}h48` }), sign('path', { class: 'motor-head', d: `M${x + 32} ${y - 22}l-10 -5v10zM${x - 32} ${y - 22}l10 -5v10z` }));
    children.push(sign('circle', { class: 'grip', cx: x, cy: y, r: 13 }), sign('circle', { class: trace ? 'trace' : pins.length || own ? 'pin' : 'open', cx: x, cy: y, r: trace ? 4.5 : 6 }));
    if (name && show.names !== false) children.push(sign('text', { class: 'name', x: x + 10, y: y - 11 }));
    const g = this.put(key, words, chosen, ...children);
    if (children.at(-1).tagName === 'text') children.at(-1).textContent = name;
    g.knot = knot;
  },

  // What joins two links at one place.
  pinned(joint) { return joint.type === 'revolute' || this.space && !['prismatic', 'point-on-line', 'point-on-plane', 'actuator', 'rod', 'distance'].includes(joint.type); },
  // Directions of a joint in space: a line that it turns about, with heads where it slides along it; a ring where it turns about all.
  axes(joint, at) {
    const [x, y] = this.seen(at);
    if (joint.type === 'spherical') return [sign('circle', { class: 'axis', cx: x, cy: y, r: 11 })];
    return [joint.axis, joint.axis2].filter(Boolean).map((axis, k) => {
      const [hx, hy, l] = this.heading(at, axis), r = 34 * l, slides = ['prismatic', 'cylindrical', 'screw'].includes(joint.type) && l > 0.2;
      const tip = s => `M${x + hx * r * s - hx * 9 * s - hy * 6} ${y + hy * r * s - hy * 9 * s + hx * 6}L${x + hx * r * s} ${y + hy * r * s}L${x + hx * r * s - hx * 9 * s + hy * 6} ${y + hy * r * s - hy * 9 * s - hx * 6}`;
      return sign('path', { class: k ? 'axis second' : 'axis', d: l < 0.08 ? `M${x - 11} ${y}a11 11 0 1 0 22 0a11 11 0 1 0 -22 0` : `M${x - hx * r} ${y - hy * r}L${x + hx * r} ${y + hy * r}${slides ? tip(1) + tip(-1) : ''}` });
    });
  },

  // Dimensions of what is chosen, or of all links.
  lengths() {
    for (const b of this.sketch.bodies) {
      const at = this.places(b.name);
      if (b.name === 'ground' || at.length !== 2 || !(hands.dimensions || hands.chosen.has(`bodies:${b.name}`))) continue;
      const [p, q] = at.map(a => this.seen(a)), d = [q[0] - p[0], q[1] - p[1]], l = Math.hypot(...d);
      if (l < 40) continue;
      const words = `${this.shown(apart(...at))} ${this.unit()}`, half = words.length * 3.6 + 7;
      // As far aside as its figure needs, to the left of what stands upright.
      const n = [d[1] / l, -d[0] / l], up = n[1] > 0.02 || Math.abs(n[1]) <= 0.02 && n[0] > 0 ? -1 : 1, off = (14 + 8 * Math.abs(n[1]) + half * Math.abs(n[0])) * up, a = [p[0] + n[0] * off, p[1] + n[1] * off], z = [q[0] + n[0] * off, q[1] + n[1] * off], m = [(a[0] + z[0]) / 2, (a[1] + z[1]) / 2];
      const text = sign('text', { class: 'figure', x: m[0], y: m[1] + 4 });
      text.textContent = words;
      this.put(`dimension:${b.name}`, `length of ${b.name}, ${words}; drag it, or Enter to type`, false,
        sign('path', { class: 'measure', d: `M${p}L${a}M${q}L${z}M${a}L${z}` }), sign('path', { class: 'grip', d: `M${a}L${z}` }), sign('circle', { class: 'handle', cx: z[0], cy: z[1], r: 4.5 }), sign('circle', { class: 'handle', cx: a[0], cy: a[1], r: 4.5 }), sign('rect', { class: 'plaque', x: m[0] - half, y: m[1] - 10, width: 2 * half, height: 20, rx: 4 }), text);
    }
  },
};
const apart = (p, q) => Math.hypot(...p.map((c, k) => c - q[k]));
const same = (p, q) => apart(p, q) <= 1e-7 * (data?.size || 1);

function hatch(x, y, half, turn) {
  const d = [];
  for (let k = -half + 4; k <= half; k += 8) d.push(`M${x + k} ${y}l-6 7`);
  return [sign('path', { class: 'hatch', d: d.join(''), transform: turn })];
}
// Where something is held by the ground.
const anchor = (x, y) => sign('path', { class: 'hatch', d: `M${x - 14} ${y + 6}h28m-24 0l-6 7m14 -7l-6 7m14 -7l-6 7M${x} ${y}v6` });
function zigzag(a, b) {
  const d = [b[0] - a[0], b[1] - a[1]], l = Math.hypot(...d) || 1, u = [d[0] / l, d[1] / l], n = [-u[1], u[0]], turns = Math.max(4, Math.min(14, Math.round(l / 14)));
  const out = [`M${a}`];
  for (let k = 0; k <= 2 * turns; k++) { const s = l * (0.15 + 0.7 * k / (2 * turns)), w = k === 0 || k === 2 * turns ? 0 : k % 2 ? 8 : -8; out.push(`L${a[0] + u[0] * s + n[0] * w} ${a[1] + u[1] * s + n[1] * w}`); }
  return `${out.join('')}L${b}`;
}
// The convex outline of points.
function outline(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]), turn = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
  const half = list => { const out = []; for (const p of list) { while (out.length > 1 && turn(out.at(-2), out.at(-1), p) <= 0) out.pop(); out.push(p); } return out.slice(0, -1); };
  const found = [...half(sorted), ...half(sorted.reverse())];
  return found.length ? found : points;
}
function inside(p, polygon) {
  let within = false;
  polygon.forEach((a, k) => { const b = polygon[(k + 1) % polygon.length]; if (a[1] > p[1] !== b[1] > p[1] && p[0] < (b[0] - a[0]) * (p[1] - a[1]) / (b[1] - a[1]) + a[0]) within = !within; });
  return within;
}
function aside(p, a, b) {
  const d = [b[0] - a[0], b[1] - a[1]], l = d[0] * d[0] + d[1] * d[1], t = l > 0 ? Math.min(1, Math.max(0, ((p[0] - a[0]) * d[0] + (p[1] - a[1]) * d[1]) / l)) : 0, q = [a[0] + t * d[0], a[1] + t * d[1]];
  return [Math.hypot(p[0] - q[0], p[1] - q[1]), q, t];
}
