// Drawing by hand: tools, what a pointer or a key does with them, and edits of the text by the engine.
const NEW = 'name    = "drawing"\nplanar  = true\ngravity = [0, -9.81]\n', NEW_IN_SPACE = 'name    = "drawing"\ngravity = [0, 0, -9.81]\n';

// Key, name, what it does in words, and its icon.
const TOOLS = {
  select: ['v', 'Select', 'Click or drag pins and links; drag over empty paper to select many; Delete removes.', 'M5 3v15l4-4 3 6 3-1-3-6h6z'],
  link: ['l', 'Link', 'Click two places, or drag from one to the other. On a pin or an end it is joined.', 'M5 19L19 5M5 19m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0M19 5m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0'],
  plate: ['p', 'Plate', 'Click three places or more; click the last one again, or press Enter, to finish.', 'M4 19L12 4L20 17Z'],
  pin: ['i', 'Pin', 'Click where two links cross to pin them, or on one link to make a hole.', 'M12 12m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0M12 2v4M12 18v4M2 12h4M18 12h4'],
  slider: ['s', 'Slider', 'Click the end of a link; drag to set its direction. On another link it slides along that.', 'M2 18h20M7 8h10v8h-10z'],
  ground: ['g', 'Ground', 'Click a pin or an end to fix it to the ground.', 'M12 4l-6 10h12zM3 15h18M6 15l-2 4M11 15l-2 4M16 15l-2 4'],
  motor: ['m', 'Motor', 'Click a pin or a slider to drive it.', 'M19 8A8 8 0 1 0 20 14M20 3v6h-6'],
  spring: ['k', 'Spring', 'Click two places, on links or on the ground.', 'M2 12h3l2-5 3 10 3-10 3 10 2-5h4'],
  actuator: ['a', 'Actuator', 'Click two places: a cylinder between them goes out and in.', 'M2 12h3M5 8h9v8h-9zM14 12h8M20 9v6'],
  gears: ['e', 'Gears', 'Click two pins: the links on them turn as wheels do.', 'M8 14m-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0M17 8m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0'],
  trace: ['t', 'Trace', 'Click on a link, or drag from one to a place beside it: the path of that point is drawn.', 'M3 17C6 4 14 4 20 10M20 10m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0'],
  wish: ['w', 'Path', 'Draw the path that a traced point shall follow, in one drag or by clicks; then press Fit.', 'M3 15c2-9 9-12 13-8s1 10-4 10-5-5-1-6M19 19l3 3M22 19l-3 3'],
  force: ['f', 'Force', 'Drag from a place on a link in the direction of the force.', 'M4 20L18 6M18 6l-7 1M18 6l-1 7'],
};

// In space the view turns too.
const TURN = ['o', 'Turn', 'Drag to turn the view; the right button does so with any tool.', 'M4 12a8 3.4 0 1 0 16 0a8 3.4 0 1 0-16 0M12 4a3.4 8 0 1 0 .1 0'];
const toolOf = tool => TOOLS[tool] ?? TURN;

const hands = {
  tool: 'select', chosen: new Set(), dimensions: false, points: [], drag: null, cross: null, fixed: {}, ready: false,

  // Takes up a tool.
  take(tool) {
    this.tool = tool; this.stop();
    for (const b of $('tools').querySelectorAll('[data-tool]')) b.setAttribute('aria-pressed', b.dataset.tool === tool);
    $('sketch').dataset.tool = tool;
    this.hint(toolOf(tool)[2]);
    if (tool !== 'select') this.choose([]);
  },
  hint(words, bad = false) { $('hint').textContent = words.charAt(0).toUpperCase() + words.slice(1); $('hint').classList.toggle('bad', bad); },
  stop() {
    if (this.drag?.moving) { editor.value = this.drag.text; studio.edited(); }
    this.points = []; this.drag = null; this.fixed = {}; this.lead = null; $('measure').hidden = true; sheet.draw();
  },
  choose(keys) { this.chosen = new Set(keys); inspector.show(); sheet.draw(); },

  // What is at a place of the picture: the nearest knot, else the nearest link.
  find(x, y, touch = false) {
    const reach = touch ? 24 : 14;
    let best = null;
    for (const knot of sheet.knots()) { const [px, py] = sheet.seen(knot.at), d = Math.hypot(px - x, py - y); if (d < reach && (!best || d < best.d)) best = { d, knot, at: knot.at }; }
    if (best) return best;
    const bodies = [];
    for (const b of sheet.sketch.bodies) {
      if (b.name === 'ground') continue;
      const at = sheet.places(b.name).map(p => sheet.seen(p)), hull = at.length > 2 ? outline(at) : at;
      for (let k = 0; k < hull.length; k++) {
        const [d, q] = aside([x, y], hull[k], hull[(k + 1) % hull.length]);
        if (d < (touch ? 18 : 11) || hull.length > 2 && inside([x, y], hull)) { const known = bodies.find(o => o.body === b.name); if (!known) bodies.push({ body: b.name, d, on: d < 11 ? q : [x, y] }); else if (d < known.d) Object.assign(known, { d, on: d < 11 ? q : [x, y] }); }
      }
    }
    bodies.sort((a, b) => a.d - b.d);
    if (bodies.length) return { bodies: bodies.map(b => b.body), at: sheet.space ? onLink(bodies[0].body, x, y) : this.snapped(...bodies[0].on), d: bodies[0].d };
    for (const [key, g] of sheet.items) if (/^(forces|couplings|joints):/.test(key) && g.querySelector('.arrow, .spring, .cylinder, .wheel')) { const box = g.querySelector('.grip, .wheel'); if (box?.isPointInStroke?.(new DOMPoint(x, y))) return { key, at: sheet.place(x, y) }; }
    return { at: this.snapped(x, y) };
  },
  // The nearest place of the fine grid.
  snapped(x, y) { const p = sheet.place(x, y); if (this.free) return p; const s = sheet.step(); return p.map((c, k) => sheet.space && k === paperPlane.k ? c : +(Math.round(c / s) * s).toPrecision(12)); },

  // A place for the pointer: a knot there, or on the grid; level and upright lines are easy to meet, and with Shift every 15°.
  aim(x, y, touch, from = this.points.at(-1)?.at) {
    const found = this.find(x, y, touch);
    this.lead = null;
    if (['x', 'y', 'z'].some(c => this.fixed[c] !== undefined)) return { at: found.at.map((c, k) => this.fixed['xyz'[k]] ?? c) };
    if (from && (this.fixed.length !== undefined || this.fixed.angle !== undefined)) {
      const raw = sheet.place(x, y), d = [raw[0] - from[0], raw[1] - from[1]], angle = this.fixed.angle ?? Math.atan2(d[1], d[0]), l = this.fixed.length ?? Math.hypot(...d);
      return { at: [from[0] + l * Math.cos(angle), from[1] + l * Math.sin(angle)].map(c => +c.toPrecision(12)) };
    }
    const own = this.points.find(p => { const [px, py] = sheet.seen(p.at); return Math.hypot(px - x, py - y) < (touch ? 24 : 12); });
    if (own) return { ...own };
    if (found.knot || found.bodies || !from || this.free) return found;
    const raw = sheet.place(x, y), [i, j] = sheet.space ? paperPlane.along : [0, 1], d = [raw[i] - from[i], raw[j] - from[j]], l = Math.hypot(...d), turn = this.round ? Math.PI / 12 : Math.PI / 2, angle = Math.round(Math.atan2(d[1], d[0]) / turn) * turn, off = Math.abs(Math.atan2(d[1], d[0]) - angle);
    if (l > 0 && (this.round || off * l < 6 * sheet.pixel())) {
      const s = sheet.step(), r = Math.max(s, Math.round(l / s) * s);
      this.lead = angle;
      const at = [...raw];
      at[i] = from[i] + r * Math.cos(angle); at[j] = from[j] + r * Math.sin(angle);
      return { at: at.map(c => Math.abs(c) < 1e-9 * r ? 0 : +c.toPrecision(10)) };
    }
    return found;
  },

  // What is pointed at, as the engine takes it.
  end(found, want = 'any') {
    const end = { at: found.at };
    if (found.knot?.joints.length) {
      const own = found.knot.joints.filter(k => sheet.pinned(k.joint) || ['prismatic', 'point-on-line', 'actuator'].includes(k.joint.type)).map(k => k.joint);
      const grounded = own.find(j => j.bodies.includes('ground')), pin = own.find(j => sheet.pinned(j));
      const j = want === 'ground' ? grounded ?? own[0] : pin ?? own[0];
      if (j) end.joint = j.name;
    }
    if (!end.joint && found.knot?.points.length) end.body = found.knot.points[0].body;
    if (!end.joint && !end.body && found.bodies) end.body = found.bodies[0];
    return end;
  },

  // Edits of the text, whole or not at all.
  async edit(edits, words) {
    if (!this.ready) return this.hint('The text cannot be read: mend it first, or undo.', true);
    try {
      const done = await ask('edit', { ...studio.given(), set: {}, edits: sheet.space ? edits.map(e => ({ joint: spaceBar.joint(), ...e })) : edits });
      this.put(done); history_.take(done.text);
      if (words !== undefined) announce(typeof words === 'function' ? words(done.made) : words);
      return done;
    } catch (error) { this.hint(error.message, true); announce(error.message); return null; }
  },
  put(done) {
    sheet.sketch = done.sketch; sheet.text = done.text; drafting.units();
    editor.value = done.text; studio.touched = true; state.touched = true;
    $('dirty').textContent = editor.value === studio.saved ? '' : 'not saved';
    studio.hasty = !!this.drag?.moving;
    looking.ask(); inspector.show(); sheet.draw();
  },

  // One click of the tool at what was found.
  async click(found, shift) {
    const { tool } = this, end = this.end(found);
    if (this.picking) return spaceBar.pick(found);
    if (tool === 'turn') return;
    if (tool === 'wish') return wish.add(found.at);
    if (tool === 'select') {
      const key = this.key(found);
      if (!key) return shift || this.choose([]);
      const keys = new Set(shift ? this.chosen : []);
      shift && keys.has(key) ? keys.delete(key) : keys.add(key);
      return this.choose(keys);
    }
    const once = { pin: 'pin', ground: 'ground', motor: 'drive', trace: 'trace' }[tool];
    if (once) {
      const edit = { do: once, end: this.end(found, ['ground', 'motor'].includes(tool) ? 'ground' : 'any') };
      if (tool === 'pin') {
        if (found.knot && this.overlap(found).length < 2) return this.hint('There is a pin or an end already. A pin joins two links where they cross.', true);
        edit.bodies = this.overlap(found).slice(0, 2);
      }
      if (tool === 'trace') { if (!edit.end.joint && !edit.end.body) edit.end.body = this.nearest(found.at); show.traces = true; }
      const done = await this.edit([edit], made => this.said(made));
      if (done && tool === 'trace') this.follow(done.made.at(-1)[1]);
      return done;
    }
    if (tool === 'slider') return this.slide(found, sheet.space ? spaceBar.axis() : [1, 0]);
    if (tool === 'force') return this.edit([{ do: 'force', end, along: sheet.space ? [0, 0, -1] : [0, -1] }], made => this.said(made));
    if (tool === 'gears') {
      if (!end.joint) return this.hint('A gear sits on a pin: click two pins.', true);
      this.points.push({ ...found, end: this.end(found, 'ground') });
    } else this.points.push({ ...found, end });
    if (tool !== 'plate' && this.points.length === 2 && same(this.points[0].at, this.points[1].at)) { this.points.pop(); return; }
    const two = tool !== 'plate' && this.points.length === 2, again = tool === 'plate' && this.points.length > 3 && this.points.slice(0, -1).some(p => same(p.at, found.at));
    if (again) { this.points.pop(); return this.finish(); }
    if (two) return this.finish();
    this.fixed = {}; this.measure();
    announce(`${this.points.length === 1 ? 'From' : 'Then'} ${this.spot(found)}`);
    sheet.draw();
  },
  async finish() {
    const { tool, points } = this;
    this.points = []; this.fixed = {}; $('measure').hidden = true; this.lead = null;
    if (points.length < 2 || tool === 'plate' && points.length < 3) return sheet.draw();
    const ends = points.map(p => p.end), edit = tool === 'gears' ? { do: 'gears', joints: ends.map(e => e.joint) } : { do: { plate: 'link', spring: 'coil', actuator: 'ram' }[tool] ?? tool, ends };
    await this.edit([edit], made => this.said(made));
    sheet.draw();
  },
  slide(found, axis) {
    const others = this.overlap(found).filter(b => !found.knot?.points.some(p => p.body === b) && !found.knot?.joints.some(k => k.joint.bodies.includes(b)));
    const edit = { do: 'slider', end: this.end(found), axis };
    if (others.length && found.knot) {
      // Along the link that it lies on.
      const at = sheet.places(others[0]);
      if (at.length > 1) Object.assign(edit, { along: others[0], axis: at[1].map((c, k) => c - at[0][k]) });
    }
    return this.edit([edit], made => this.said(made));
  },
  // All bodies at a place.
  overlap(found) {
    const [x, y] = sheet.seen(found.at), names = new Set(found.bodies ?? []);
    found.knot?.joints.forEach(k => k.joint.bodies.forEach(b => b !== 'ground' && names.add(b)));
    found.knot?.points.forEach(p => names.add(p.body));
    for (const b of sheet.sketch.bodies) {
      const at = sheet.places(b.name).map(p => sheet.seen(p)), hull = at.length > 2 ? outline(at) : at;
      if (b.name !== 'ground' && hull.length > 1 && (hull.some((p, k) => aside([x, y], p, hull[(k + 1) % hull.length])[0] < 9) || hull.length > 2 && inside([x, y], hull))) names.add(b.name);
    }
    return [...names];
  },
  nearest(at) {
    const [x, y] = sheet.seen(at);
    let best = [Infinity, null];
    for (const b of sheet.sketch.bodies) { const p = sheet.places(b.name).map(q => sheet.seen(q)); if (b.name !== 'ground') p.forEach((q, k) => { const [d] = aside([x, y], q, p[(k + 1) % p.length]); if (d < best[0]) best = [d, b.name]; }); }
    return best[1] ?? undefined;
  },
  // The path of a point is drawn from now on.
  follow(name) { this.traced = name; },
  key(found) {
    if (found.key) return found.key;
    if (found.knot) { const j = found.knot.joints, pin = j.find(k => sheet.pinned(k.joint)) ?? j[0]; return pin ? `joints:${pin.joint.name}` : found.knot.points.length ? `points:${found.knot.points[0].body}.${found.knot.points[0].point}` : `forces:${found.knot.forces[0].force.name}`; }
    return found.bodies ? `bodies:${found.bodies[0]}` : null;
  },
  spot(found) { return `${found.at.map(c => sheet.shown(c)).join(', ')}${found.knot ? ` on ${sheet.name(found.knot)}` : found.bodies ? ` on ${found.bodies[0]}` : ''}`; },
  said(made) { return `Made ${made.map(([, name]) => name).join(', ')}`; },

  // What a key of the selection is to the engine that moves it.
  mover(key) {
    const [section, name] = [key.slice(0, key.indexOf(':')), key.slice(key.indexOf(':') + 1)];
    return section === 'joints' ? { joint: name } : section === 'bodies' ? { body: name } : section === 'forces' ? { force: name } : section === 'points' ? { body: name.slice(0, name.lastIndexOf('.')), point: name.slice(name.lastIndexOf('.') + 1) } : null;
  },
  movers() { return [...this.chosen].map(k => this.mover(k)).filter(Boolean); },

  async remove() {
    const what = [...this.chosen].map(k => [k.slice(0, k.indexOf(':')), k.slice(k.indexOf(':') + 1)]).filter(([s]) => s !== 'dimension');
    if (!what.length) return this.hint('Nothing is selected.', true);
    // What goes with another is not named twice: the engine is asked one at a time, as far as it is still there.
    const bodies = what.filter(w => w[0] === 'bodies').map(w => w[1]), rest = what.filter(([s, n]) => s === 'bodies' || !(s === 'joints' && sheet.joint(n)?.bodies.some(b => bodies.includes(b))) && !(s === 'points' && bodies.includes(n.slice(0, n.lastIndexOf('.')))));
    this.chosen.clear();
    await this.edit([{ do: 'delete', what: rest }], `Deleted ${what.map(w => w[1]).join(', ')}`);
    $('sketch').focus();
  },
  bodies() { return [...this.chosen].filter(k => k.startsWith('bodies:')).map(k => k.slice(7)); },
  async copy() {
    const bodies = this.bodies();
    if (!bodies.length) return this.hint('Select a link to copy.', true);
    const s = sheet.step() * 5, done = await this.edit([{ do: 'copy', bodies, by: [s, -s] }], made => `Copied as ${made.map(m => m[1]).join(', ')}`);
    if (done) this.choose(done.made.map(m => m.join(':')));
  },
  // Over along an axis: x, y or z.
  mirror(level) {
    const bodies = this.bodies(), at = sheet.sketch.bodies.filter(b => b.name !== 'ground' && (!bodies.length || bodies.includes(b.name))).flatMap(b => sheet.places(b.name));
    if (!at.length) return;
    const middle = k => (Math.min(...at.map(p => p[k])) + Math.max(...at.map(p => p[k]))) / 2;
    return this.edit([{ do: 'mirror', bodies, about: at[0].map((_, k) => middle(k)), axis: +level }], 'Mirrored');
  },

  // The rubber band, the crosshair of the keyboard and the frame of a selection.
  band() {
    const g = $('band'), out = [], { points, drag, cross } = this, now = this.now;
    const path = points.map(p => sheet.seen(p.at));
    if (path.length && now) path.push(sheet.seen(now.at));
    if (path.length > 1) out.push(sign('path', { class: 'rubber', d: `M${path.join('L')}${this.tool === 'plate' && path.length > 2 ? 'Z' : ''}` }));
    if (this.lead !== null && this.lead !== undefined && path.length > 1) { const a = path.at(-2), b = path.at(-1), l = 4000 / (Math.hypot(b[0] - a[0], b[1] - a[1]) || 1); out.push(sign('path', { class: 'lead', d: `M${a}L${a[0] + l * (b[0] - a[0])} ${a[1] + l * (b[1] - a[1])}` })); }
    if (now && this.tool !== 'select') { const [x, y] = sheet.seen(now.at); out.push(sign('circle', { class: now.knot || now.bodies ? 'spot on' : 'spot', cx: x, cy: y, r: now.knot ? 11 : 5 })); }
    if (drag?.frame) { const [a, b] = drag.frame; out.push(sign('rect', { class: 'frame', x: Math.min(a[0], b[0]), y: Math.min(a[1], b[1]), width: Math.abs(a[0] - b[0]), height: Math.abs(a[1] - b[1]) })); }
    if (drag?.arrow) out.push(sign('path', { class: 'rubber', d: `M${drag.arrow.map(p => sheet.seen(p)).join('L')}` }));
    if (cross && document.activeElement === $('sketch')) { const [x, y] = sheet.seen(cross); out.push(sign('path', { class: 'cross', d: `M${x - 14} ${y}h28M${x} ${y - 14}v28` })); }
    g.replaceChildren(...out);
    $('sketch').append(g);
  },

  // Numbers beside the pointer: length and angle from where it comes, or the place itself.
  measure() {
    const from = this.points.at(-1)?.at ?? this.drag?.from, free = !from || sheet.space, box = $('measure'), at = this.now?.at ?? from;
    if (!at || !(this.points.length && !['gears'].includes(this.tool) || this.drag?.moving)) { box.hidden = true; return; }
    box.hidden = false; box.classList.toggle('place', free);
    const [a, b] = free ? [sheet.shown(at[0], 5), sheet.shown(at[1], 5)] : [sheet.shown(Math.hypot(at[0] - from[0], at[1] - from[1]), 5), +(Math.atan2(at[1] - from[1], at[0] - from[0]) * 180 / Math.PI).toFixed(2)];
    $('measure-c').parentElement.hidden = !sheet.space;
    if (sheet.space && document.activeElement !== $('measure-c') && this.fixed.z === undefined) $('measure-c').value = sheet.shown(at[2], 5);
    $('measure-c-name').textContent = `z [${sheet.unit()}]`;
    $('measure-a-name').textContent = free ? `x [${sheet.unit()}]` : `length [${sheet.unit()}]`; $('measure-b-name').textContent = free ? `y [${sheet.unit()}]` : 'angle [°]';
    if (document.activeElement !== $('measure-a') && !('a' in this.typed)) $('measure-a').value = a;
    if (document.activeElement !== $('measure-b') && !('b' in this.typed)) $('measure-b').value = b;
    const [x, y] = sheet.seen(at);
    box.style.left = `${Math.min(camera.width - 200, Math.max(4, x + 18))}px`; box.style.top = `${Math.min(camera.height - (sheet.space ? 90 : 60), Math.max(4, y + 18))}px`;
  },
  get typed() { const f = this.fixed; return { ...(f.length !== undefined || f.x !== undefined ? { a: 1 } : {}), ...(f.angle !== undefined || f.y !== undefined ? { b: 1 } : {}) }; },
};

// Dragging: the text as it was, moved; each answer is shown, the last one is kept.
const pulling = new Latest(async drag => {
  if (hands.drag !== drag && !drag.ending) return;
  const by = drag.by;
  try {
    const done = await ask('edit', { ...studio.given(), text: drag.text, set: {}, edits: [{ do: 'move', what: drag.what, by }] });
    if (hands.drag === drag || drag.ending) { hands.put(done); drag.done = by; drag.good = done.text; }
  } catch (error) { hands.hint(error.message, true); drag.bad = true; }
});
function pull(drag, at) {
  const by = at.map((c, k) => c - drag.grip[k]);
  if (drag.by && by.every((c, k) => c === drag.by[k])) return;
  drag.by = by; drag.moving = true;
  pulling.ask(drag);
}
async function dropped(drag) {
  if (!drag.moving) return;
  drag.ending = true;
  while (pulling.busy || pulling.next) await new Promise(done => setTimeout(done, 8));
  if (drag.good === undefined) return;
  history_.take(drag.good);
  const named = [...hands.chosen][0]?.split(':')[1] ?? '';
  announce(`${named} moved`);
}
