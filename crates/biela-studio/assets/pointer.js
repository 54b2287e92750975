// Mouse, touch and keys over the drawing.
const paper = $('sketch');
const touches = new Map();
const spotOf = e => { const b = paper.getBoundingClientRect(); return [e.clientX - b.left, e.clientY - b.top]; };

paper.addEventListener('pointerdown', e => {
  if (e.target.closest('#measure')) return;
  const [x, y] = spotOf(e), touch = e.pointerType === 'touch';
  touches.set(e.pointerId, [x, y]);
  paper.setPointerCapture(e.pointerId);
  state.touched = true; hands.free = e.altKey; hands.round = e.shiftKey && hands.points.length > 0; hands.cross = null;
  // Two fingers move the paper, and so do the other buttons.
  if (touches.size > 1) { hands.drag = null; hands.points.pop(); sheet.draw(); return; }
  if (e.button || hands.space || hands.tool === 'turn') { hands.drag = sheet.space && e.button !== 1 && !e.shiftKey ? { turn: true } : { pan: true }; return; }
  const { tool } = hands, found = hands.points.length ? hands.aim(x, y, touch) : hands.find(x, y, touch);
  hands.now = found;
  const mark = e.target.closest?.('[data-key]')?.dataset.key;
  const drag = hands.drag = { id: e.pointerId, start: [x, y], found, touch, shift: e.shiftKey };
  if (tool === 'select') {
    if (mark?.startsWith('dimension:') && !found.knot) { Object.assign(drag, hands.stretching(mark.slice(10), x, y), { text: editor.value }); return; }
    // A block is taken beside its pin.
    if (!found.knot && !found.bodies && !found.key && mark) mark.startsWith('bodies:') ? found.bodies = [mark.slice(7)] : found.key = mark;
    const key = hands.key(found);
    if (key && !hands.chosen.has(key) && !e.shiftKey) hands.choose([key]);
    if (key && hands.ready) {
      const knot = found.knot, link = knot && single(knot);
      const what = hands.chosen.size > 1 ? hands.movers() : [hands.mover(key)].filter(Boolean);
      if (knot && hands.chosen.size < 2) knot.forces.forEach(({ force, end }) => what.push({ force: force.name, end }));
      Object.assign(drag, { text: editor.value, what, grip: knot ? knot.at : sheet.place(x, y), knot, from: link });
    } else if (!key) drag.frame = [[x, y], [x, y]];
  } else if (tool === 'wish') { drag.wish = sheet.place(x, y); } else if (['slider', 'force', 'trace'].includes(tool)) { drag.arrow = [found.at, found.at]; } else if (['link', 'spring', 'actuator'].includes(tool) && !hands.points.length) drag.rubber = true;
  paper.focus({ preventScroll: true });
});
// The other end of the only link that a knot ends.
function single(knot) {
  const bodies = new Set([...knot.joints.flatMap(k => k.joint.bodies), ...knot.points.map(p => p.body)].filter(b => b !== 'ground' && !sheet.guide(b)));
  if (bodies.size !== 1) return null;
  const at = sheet.places([...bodies][0]);
  return at.length === 2 ? at.find(p => !same(p, knot.at)) : null;
}

paper.addEventListener('pointermove', e => {
  const [x, y] = spotOf(e), before = touches.get(e.pointerId), touch = e.pointerType === 'touch';
  hands.free = e.altKey; hands.round = e.shiftKey && (hands.points.length > 0 || !!hands.drag?.arrow);
  if (before && touches.size > 1) {
    const other = [...touches].find(([id]) => id !== e.pointerId)[1], wide = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
    camera.pan((x - before[0]) / 2, (y - before[1]) / 2);
    camera.zoom(wide(before, other) / Math.max(1, wide([x, y], other)), (x + other[0]) / 2, (y + other[1]) / 2);
    touches.set(e.pointerId, [x, y]); state.dirty = true;
    return;
  }
  const drag = hands.drag;
  if (drag?.turn && before) { drag.moved ||= Math.hypot(x - before[0], y - before[1]) > 2; camera.orbit(x - before[0], y - before[1]); touches.set(e.pointerId, [x, y]); state.dirty = state.lines = true; return; }
  if (drag?.pan && before) { camera.pan(x - before[0], y - before[1]); touches.set(e.pointerId, [x, y]); state.dirty = true; return; }
  if (before) touches.set(e.pointerId, [x, y]);
  const far = drag && Math.hypot(x - drag.start[0], y - drag.start[1]) > (touch ? 9 : 4);
  if (drag && far) drag.moved = true;
  if (drag?.frame) { drag.frame[1] = [x, y]; hands.band(); return; }
  if (drag?.wish && drag.moved) { if (!drag.begun) { drag.begun = true; wish.begin(drag.wish); } wish.extend(sheet.place(x, y)); return; }
  if (drag?.what && drag.moved) {
    // Its own place is no place to snap to.
    hands.aiming = drag;
    const at = hands.movedTo(drag, x, y);
    hands.now = { at };
    pull(drag, at); hands.measure();
    return;
  }
  if (drag?.rubber && drag.moved && !hands.points.length) { hands.points.push({ ...drag.found, end: hands.end(drag.found) }); }
  const now = hands.aim(x, y, touch, drag?.arrow?.[0]);
  hands.now = now;
  if (drag?.arrow) drag.arrow[1] = now.at;
  $('place').textContent = `${now.at.map(c => sheet.shown(c)).join(', ')} ${sheet.unit()}`;
  if (hands.tool === 'select' && !drag) paper.style.cursor = hands.key(now) ? 'move' : '';
  hands.measure(); hands.band();
});
// What a dimension moves along its link: the end whose handle is taken, else that which is held less.
hands.stretching = function (name, x, y) {
  const at = sheet.places(name);
  if (!this.ready || at.length !== 2) return { dimension: name };
  const t = aside([x, y], ...at.map(p => sheet.seen(p)))[2], [held, grip] = t < 0.15 ? [at[1], at[0]] : t > 0.85 ? at : inspector.held(name, at);
  return { dimension: name, held, grip, from: sheet.space ? null : held, what: [inspector.end(name, grip)] };
};
hands.stretched = function ({ held, grip, start }, x, y) {
  const [a, b] = [sheet.seen(held), sheet.seen(grip)], d = [b[0] - a[0], b[1] - a[1]], own = apart(held, grip), step = sheet.step();
  const wanted = own * (1 + ((x - start[0]) * d[0] + (y - start[1]) * d[1]) / Math.max(1, d[0] * d[0] + d[1] * d[1]));
  const length = Math.max(step, this.fixed.length ?? (this.free ? wanted : Math.round(wanted / step) * step));
  return held.map((c, k) => +(c + (grip[k] - c) * length / own).toPrecision(12));
};
hands.movedTo = function (drag, x, y) {
  const step = sheet.step(), from = drag.from;
  if (drag.held) return this.stretched(drag, x, y);
  if (Object.keys(this.fixed).length) return this.aim(x, y, drag.touch, from ?? undefined).at;
  const raw = sheet.place(x, y);
  if (!drag.knot) return this.free ? raw : drag.grip.map((g, k) => g + Math.round((raw[k] - g) / step) * step);
  const knots = sheet.knots().filter(k => !same(k.at, drag.now ?? drag.grip));
  const close = knots.find(k => { const [px, py] = sheet.seen(k.at); return Math.hypot(px - x, py - y) < 7; });
  const at = close ? close.at : this.snapped(x, y);
  drag.now = at;
  return at;
};

async function up(e) {
  const drag = hands.drag, [x, y] = spotOf(e), fingers = touches.size;
  touches.delete(e.pointerId);
  if (fingers > 1 || !drag || drag.pan || drag.turn || drag.id !== e.pointerId) { if (drag?.pan || drag?.turn) hands.drag = null; if (drag?.turn && e.button === 2 && !drag.moved) hands.points.length ? hands.stop() : hands.take('select'); return; }
  hands.drag = null;
  if (e.type === 'pointercancel') { if (drag.moving) { editor.value = drag.text; studio.edited(); } return; }
  if (drag.dimension && !drag.moving) return dimension(drag.dimension);
  if (drag.begun) return wish.show();
  if (drag.what && drag.moved) { $('measure').hidden = true; hands.fixed = {}; return dropped(drag); }
  if (drag.frame && drag.moved) {
    const [a, b] = drag.frame, within = p => { const [px, py] = sheet.seen(p); return px >= Math.min(a[0], b[0]) && px <= Math.max(a[0], b[0]) && py >= Math.min(a[1], b[1]) && py <= Math.max(a[1], b[1]); };
    const keys = new Set(drag.shift ? hands.chosen : []);
    for (const b of sheet.sketch.bodies) { const at = sheet.places(b.name); if (b.name !== 'ground' && at.length && at.every(within)) keys.add(`bodies:${b.name}`); }
    if (![...keys].some(k => k.startsWith('bodies:'))) for (const k of sheet.knots()) if (within(k.at) && (k.joints.length || k.points.length)) keys.add(hands.key({ knot: k }));
    return hands.choose(keys);
  }
  if (drag.arrow && drag.moved) {
    const [a, b] = drag.arrow, along = b.map((c, k) => c - a[k]);
    if (hands.tool === 'slider') return hands.slide(drag.found, along);
    if (hands.tool === 'force') return hands.edit([{ do: 'force', end: hands.end(drag.found), along }], made => hands.said(made));
    const end = hands.end(drag.found);
    show.traces = true;
    const done = await hands.edit([{ do: 'trace', end: { at: b, body: end.body ?? sheet.joint(end.joint)?.bodies.find(n => n !== 'ground') ?? hands.nearest(b) } }], made => hands.said(made));
    if (done) hands.follow(done.made.at(-1)[1]);
    return;
  }
  if (drag.rubber && drag.moved) { const found = hands.aim(x, y, drag.touch); if (hands.points.length) { hands.points.push({ ...found, end: hands.end(found) }); await hands.finish(); } return; }
  // A tap of the first finger has no way before it.
  const found = hands.points.length ? hands.aim(x, y, drag.touch) : drag.found;
  await hands.click(found, drag.shift);
}
paper.addEventListener('pointerup', up);
paper.addEventListener('pointercancel', up);
paper.addEventListener('pointerleave', () => { if (!hands.drag && !hands.points.length) { hands.now = null; hands.band(); $('place').textContent = ''; } });
paper.addEventListener('contextmenu', e => { e.preventDefault(); if (sheet.space) return; hands.points.length ? hands.stop() : hands.take('select'); });
paper.addEventListener('dblclick', e => {
  if (hands.tool === 'plate') return;
  const key = e.target.closest?.('[data-key]')?.dataset.key;
  if (key && hands.tool === 'select') $('inspector').querySelector('input')?.focus();
});
paper.addEventListener('wheel', e => { e.preventDefault(); const [x, y] = spotOf(e); state.touched = true; camera.zoom(Math.exp(Math.sign(e.deltaY) * Math.min(0.25, Math.abs(e.deltaY) * 0.0015)), x, y); state.dirty = true; }, { passive: false });

// A length that is clicked is typed; one that is dragged changes under the hand.
function dimension(name) {
  hands.choose([`bodies:${name}`]);
  const field = $('inspector').querySelector('[data-own="length"]');
  field?.focus(); field?.select();
}

// Keys over the drawing. Arrows lead a crosshair, Enter clicks there; what is chosen moves with Shift.
// In space they go along the plane, PageUp and PageDown out of it.
const NEXT = { ArrowLeft: [-1, 0, 0], ArrowRight: [1, 0, 0], ArrowUp: [0, 1, 0], ArrowDown: [0, -1, 0], PageUp: [0, 0, 1], PageDown: [0, 0, -1] };
const along = ([a, b, c]) => sheet.space ? paperPlane.vector(a, b, c) : [a, b];
paper.addEventListener('keydown', async e => {
  const { key } = e, ctrl = e.ctrlKey || e.metaKey, own = e.target.closest('[data-key]')?.dataset.key;
  const took = () => { e.preventDefault(); e.stopPropagation(); };
  if (ctrl && key.toLowerCase() === 'c') { took(); hands.clip = hands.bodies(); announce('Copied'); return; }
  if (ctrl && ['v', 'd'].includes(key.toLowerCase())) { took(); if (key.toLowerCase() === 'v' && hands.clip?.length) hands.chosen = new Set(hands.clip.map(b => `bodies:${b}`)); return hands.copy(); }
  if (ctrl && key.toLowerCase() === 'a') { took(); return hands.choose(sheet.sketch.bodies.filter(b => b.name !== 'ground').map(b => `bodies:${b.name}`)); }
  if (ctrl || e.altKey) return;
  if (key === 'Escape') { took(); if (hands.points.length || hands.drag) hands.stop(); else if (hands.tool !== 'select') hands.take('select'); else hands.choose([]); return; }
  if (key === 'Delete' || key === 'Backspace') { took(); if (own && !hands.chosen.size) hands.choose([own]); return hands.remove(); }
  if (NEXT[key] && (sheet.space || !key.startsWith('Page'))) {
    took();
    const step = sheet.step() * (e.shiftKey ? 1 : 5), d = along(NEXT[key]);
    if (hands.tool === 'select' && hands.chosen.size && hands.movers().length) {
      return hands.edit([{ do: 'move', what: hands.movers(), by: d.map(c => c * step) }], `Moved ${key.replace(/^(Arrow|Page)/, '').toLowerCase()}`);
    }
    const from = hands.cross ?? hands.now?.at ?? sheet.place(camera.width / 2, camera.height / 2).map(c => Math.round(c / step) * step);
    hands.cross = hands.cross || hands.now ? from.map((c, k) => +(Math.round((c + d[k] * step) / sheet.step()) * sheet.step()).toPrecision(12)) : from;
    const found = hands.find(...sheet.seen(hands.cross));
    hands.now = found.knot ? found : { ...found, at: hands.cross };
    if (own) paper.focus();
    hands.measure(); hands.band();
    return announce(hands.spot(hands.now));
  }
  if (key === 'Enter' || key === ' ') {
    took();
    if (hands.tool === 'plate' && key === 'Enter' && hands.points.length > 2 && same(hands.points.at(-1).at, hands.cross ?? hands.points.at(-1).at)) return hands.finish();
    if (own?.startsWith('dimension:')) return dimension(own.slice(10));
    if (own) return hands.click(atKey(own), e.shiftKey);
    // What is there may have come since the crosshair did.
    if (hands.cross) { const found = hands.find(...sheet.seen(hands.cross)); return hands.click(hands.now = found.knot ? found : { ...found, at: hands.cross }, e.shiftKey); }
    return;
  }
  if (/^[\d.-]$/.test(key) && !$('measure').hidden) { took(); const field = $('measure-a'); field.focus(); field.value = key; field.dispatchEvent(new Event('input')); return; }
  if (key === '0') { took(); camera.fit(); state.dirty = true; return; }
  if (key === 'd') { took(); $('dimensions').click(); return; }
  if (sheet.space && 'xyz'.includes(key)) { took(); return spaceBar.plane('xyz'.indexOf(key)); }
  const tool = Object.keys(TOOLS).find(t => TOOLS[t][0] === key);
  if (tool) { took(); hands.take(tool); announce(`${TOOLS[tool][1]}: ${TOOLS[tool][2]}`); }
});
// What a sign stands for, as if it had been pointed at.
function atKey(key) {
  const [section, name] = [key.slice(0, key.indexOf(':')), key.slice(key.indexOf(':') + 1)];
  if (section === 'bodies') { const at = sheet.places(name); return { bodies: [name], at: sheet.middle(at) }; }
  const knot = sheet.knots().find(k => section === 'joints' ? k.joints.some(j => j.joint.name === name) : k.points.some(p => `${p.body}.${p.point}` === name));
  return knot && section !== 'forces' ? { knot, at: knot.at } : { key, at: [0, 0] };
}
paper.addEventListener('focusin', e => {
  // One stop for the tab key: arrows of the list go on from there by Tab within.
  const g = e.target.closest('[data-key]');
  if (g) announce(g.getAttribute('aria-label'));
});
paper.addEventListener('focus', () => { hands.band(); });
paper.addEventListener('blur', () => hands.band());

// Numbers typed while something is drawn or dragged.
for (const [id, free, from] of [['measure-a', 'x', 'length'], ['measure-b', 'y', 'angle'], ['measure-c', 'z', 'z']]) {
  const field = $(id);
  field.addEventListener('input', () => {
    const key = $('measure').classList.contains('place') ? free : from, value = Number(field.value.replace(',', '.'));
    if (field.value.trim() === '' || !Number.isFinite(value)) delete hands.fixed[key];
    else hands.fixed[key] = key === 'angle' ? value * Math.PI / 180 : sheet.back(value);
    const [x, y] = sheet.seen(hands.now?.at ?? [0, 0, 0]), drag = hands.drag;
    if (drag?.what) { hands.now = { at: hands.movedTo(drag, x, y) }; pull(drag, hands.now.at); } else hands.now = hands.aim(x, y, false);
    hands.band(); hands.measure();
  });
  field.addEventListener('keydown', async e => {
    if (e.key === 'Escape') { e.stopPropagation(); hands.stop(); paper.focus(); }
    if (e.key !== 'Enter') return;
    e.preventDefault(); e.stopPropagation();
    const drag = hands.drag;
    if (drag?.what) { hands.drag = null; $('measure').hidden = true; hands.fixed = {}; await dropped(drag); } else if (hands.now) await hands.click({ ...hands.now });
    paper.focus();
  });
}
