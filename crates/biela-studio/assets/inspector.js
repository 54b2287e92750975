// What is selected, with its numbers; and the two modes of the stage.
const inspector = {
  show() {
    const box = $('inspector'), keys = [...hands.chosen], held = box.contains(document.activeElement) ? document.activeElement.dataset.own : null;
    box.hidden = !keys.length || !sheet.sketch || document.body.dataset.mode !== 'draw';
    if (box.hidden) return box.replaceChildren();
    const rows = keys.length === 1 ? this.one(keys[0]) : [element('h2', { textContent: `${keys.length} selected` })];
    if (!rows) { hands.chosen.clear(); box.hidden = true; return; }
    const tools = [['Delete', 'Delete (Del)', () => hands.remove()]];
    if (hands.bodies().length) tools.push(['Copy', 'Copy (Ctrl+D)', () => hands.copy()], ['Mirror ⇆', 'Turn over about an upright line', () => hands.mirror(false)], ['Mirror ⇅', 'Turn over about a level line', () => hands.mirror(true)]);
    if (sheet.space && hands.bodies().length) for (const tool of tools.slice(-2)) [tool[0], tool[1]] = tool[0] === 'Mirror ⇆' ? ['Mirror x', 'Turn over along x'] : ['Mirror y', 'Turn over along y'];
    if (sheet.space && hands.bodies().length) tools.push(['Mirror z', 'Turn over along z', () => hands.mirror(2)]);
    box.replaceChildren(...rows, element('div', { className: 'tools' }, ...tools.map(([textContent, title, onclick]) => element('button', { textContent, title, onclick }))));
    if (held) box.querySelector(`[data-own="${CSS.escape(held)}"]`)?.focus();
  },

  field(name, value, change, unit = '') {
    const input = element('input', { value, autocomplete: 'off', spellcheck: false, 'data-own': name, 'aria-label': unit ? `${name} in ${unit}` : name });
    input.onchange = () => { if (input.value !== value) change(input.value.trim()); };
    input.onkeydown = e => { if (e.key === 'Escape') { input.value = value; $('sketch').focus(); } if (e.key === 'Enter') { input.onchange(); $('sketch').focus(); } };
    return element('label', {}, element('span', { textContent: unit ? `${name} [${unit}]` : name }), input);
  },

  one(key) {
    const section = key.slice(0, key.indexOf(':')), name = key.slice(key.indexOf(':') + 1), { sketch } = sheet, rows = [];
    const set = (path, value) => hands.edit([{ do: 'set', path, value }], 'Changed');
    const plain = text => { if (text === undefined) return ''; try { const t = JSON.parse(text); return typeof t === 'string' ? t : text; } catch { return text; } };
    const renamed = to => hands.edit([{ do: 'rename', section, name, to }], `Renamed to ${to}`).then(done => done && hands.choose([`${section}:${section === 'points' ? `${name.slice(0, name.lastIndexOf('.') + 1)}${to}` : to}`]));
    const place = (at, what) => at.forEach((_, k) => rows.push(this.field('xyz'[k], String(sheet.shown(at[k], 9)), v => {
      const by = at.map(() => 0); by[k] = sheet.back(Number(v.replace(',', '.'))) - at[k];
      if (Number.isFinite(by[k])) hands.edit([{ do: 'move', what, by }], 'Moved'); else hands.hint(`'${v}' is no number.`, true);
    }, sheet.unit())));
    const own = (table, path, leave) => (table?.keys ?? []).filter(([k, v]) => !leave.includes(k) && !/^[{]/.test(v)).forEach(([k, v]) => rows.push(this.field(k, plain(v), value => set([...path, k], value))));
    let title = '';
    if (section === 'bodies') {
      const body = sheet.body(name), at = body && sheet.places(name);
      if (!body) return null;
      title = sheet.guide(name) ? 'Slider' : at.length > 2 ? 'Plate' : 'Link';
      if (at.length === 2) {
        const [a, b] = this.held(name, at), d = b.map((c, k) => c - a[k]), length = Math.hypot(...d), angle = Math.atan2(d[1], d[0]);
        const turn = (l, t) => hands.edit([{ do: 'move', what: [this.end(name, b)], by: sheet.space ? d.map((c, k) => a[k] + c / length * l - b[k]) : [a[0] + l * Math.cos(t) - b[0], a[1] + l * Math.sin(t) - b[1]] }], 'Changed');
        const number = (v, use) => { const x = Number(v.replace(',', '.')); Number.isFinite(x) ? use(x) : hands.hint(`'${v}' is no number.`, true); };
        rows.push(this.field('length', String(sheet.shown(length, 9)), v => number(v, x => x > 0 && turn(sheet.back(x), angle)), sheet.unit()));
        if (!sheet.space) rows.push(this.field('angle', String(+(angle * 180 / Math.PI).toFixed(4)), v => number(v, x => turn(length, x * Math.PI / 180)), '°'));
      }
      for (const k of ['mass', 'inertia']) rows.push(this.field(k, plain(body.keys?.find(([n]) => n === k)?.[1]), v => k === 'mass' ? hands.edit([{ do: 'mass', body: name, value: v }], 'Changed') : set(['bodies', name, k], v)));
      own(body, ['bodies', name], ['points', 'mass', 'inertia', 'shape', 'pose', 'com']);
    } else if (section === 'joints') {
      const joint = sheet.joint(name), driver = joint && sheet.driver(name);
      if (!joint) return null;
      title = joint.type === 'revolute' ? 'Pin' : joint.type.charAt(0).toUpperCase() + joint.type.slice(1);
      if (sheet.space && joint.keys) rows.push(...spaceBar.fields(joint));
      if (same(...joint.at)) place(joint.at[0], [{ joint: name }]);
      const guide = sheet.knots().find(k => same(k.at, joint.at[0]))?.joints.map(k => k.joint).find(j => j.type === 'prismatic');
      if (guide?.axis && !sheet.space) rows.push(this.field('direction', String(+(Math.atan2(guide.axis[1], guide.axis[0]) * 180 / Math.PI).toFixed(4)), v => { const t = Number(v) * Math.PI / 180; if (Number.isFinite(t)) set(['joints', guide.name, 'axis'], `[${+Math.cos(t).toFixed(9)}, ${+Math.sin(t).toFixed(9)}]`); }, '°'));
      if (guide) rows.push(this.field(`mass of ${guide.bodies[1]}`, plain(sheet.body(guide.bodies[1])?.keys?.find(([n]) => n === 'mass')?.[1]), v => hands.edit([{ do: 'mass', body: guide.bodies[1], value: v }], 'Changed')));
      const moved = driver ? [name, driver] : guide && sheet.driver(guide.name) ? [guide.name, sheet.driver(guide.name)] : null;
      if (moved) {
        rows.push(this.field('motor', plain(moved[1].keys.find(([k]) => k === 'value')?.[1]), v => set(['drivers', moved[1].name, 'value'], /^[-+]?[\d.]+(e[-+]?\d+)?\s*(rpm|rad\/s|deg\/s|mm\/s|cm\/s|m\/s|in\/s)$/i.test(v) ? `${v} * t` : v)));
        rows.push(element('button', { className: 'small', textContent: 'Remove the motor', onclick: () => hands.edit([{ do: 'delete', what: [['drivers', moved[1].name]] }], 'The motor is removed') }));
      }
      own(joint, ['joints', name], ['type', 'bodies', 'at', 'axis', 'axis2']);
    } else if (section === 'points') {
      const dot = name.lastIndexOf('.'), body = name.slice(0, dot), point = sheet.body(body)?.points.find(p => p.name === name.slice(dot + 1));
      if (!point) return null;
      title = /^T\d*$/.test(point.name) ? 'Traced point' : 'End';
      place(point.at, [{ body, point: point.name }]);
    } else {
      const found = sketch[section]?.find(e => e.name === name);
      if (!found) return null;
      title = section === 'couplings' ? 'Gear pair' : found.at?.length === 2 ? 'Spring' : 'Force';
      own(found, [section, name], ['type', 'bodies', 'body', 'joints', 'at']);
    }
    const shown = section === 'points' ? name.slice(name.lastIndexOf('.') + 1) : name;
    return [element('h2', { textContent: title }), this.field('name', shown, renamed), ...rows];
  },
  // The end of a link at a place, as the engine moves it.
  end(name, at) {
    const knot = sheet.knots().find(k => same(k.at, at));
    return knot.joints.length ? { joint: knot.joints[0].joint.name } : { body: name, point: knot.points.find(p => p.body === name).point };
  },
  // Of a link's ends that which stays comes first: a pivot on the ground.
  held(name, at) {
    const fixed = p => sheet.knots().find(k => same(k.at, p))?.joints.some(k => k.joint.bodies.includes('ground'));
    return fixed(at[1]) && !fixed(at[0]) ? [at[1], at[0]] : at;
  },
};

// Draw and move.
const drafting = {
  blank: false,
  mode(to) {
    document.body.dataset.mode = to;
    for (const m of ['draw', 'move']) $(`mode-${m}`).setAttribute('aria-pressed', String(m === to));
    show.bodies = to !== 'draw'; picture.tabIndex = to === 'draw' ? -1 : 0;
    if (data) { camera.paper = to === 'draw'; this.room(); }
    if (to === 'draw' && data) {
      play(false); release(); seek(motion.start);
      if (sheet.space) camera.ortho = true;
      else if (camera.yaw || camera.pitch || !camera.ortho) { camera.yaw = camera.pitch = 0; camera.ortho = true; }
      hands.take(hands.tool);
    } else hands.choose([]);
    state.dirty = state.lines = true;
    if (data) draw();
    history_.tell();
    inspector.show();
  },
  // Tools cover a part of the picture: it is fitted into the rest.
  room() {
    const on = document.body.dataset.mode === 'draw', { space } = sheet, phone = innerWidth <= 820, below = wish.box.hidden ? 0 : wish.box.offsetHeight + 12, inset = !on ? [0, 0, 0] : phone ? [0, space ? 150 : 104, Math.max(60, below)] : space ? [124, 92, 30] : [66, 44, Math.max(30, below)];
    if (String(inset) === String(camera.inset ?? [0, 0, 0])) return;
    camera.inset = inset;
    if (!state.touched) camera.fit();
    state.dirty = state.lines = true;
  },

  // What can be drawn on, of a text that was written.
  async look(asked) {
    if (asked.text === sheet.text && sheet.sketch) { this.blank = !sheet.sketch.bodies.length; hands.ready = true; return; }
    const found = await ask('sketch', { ...asked, set: {} });
    if (editor.value !== asked.text) return;
    hands.ready = !found.error;
    // What cannot be read leaves the last drawing as it is.
    if (found.error) { this.blank = false; hands.hint('The text cannot be read; what is drawn is as it was.', true); return; }
    sheet.sketch = found; sheet.text = asked.text; this.units(); spaceBar.show();
    this.blank = !found.bodies.length;
    if (document.body.dataset.mode === 'draw') { inspector.show(); if ($('hint').classList.contains('bad')) hands.hint(TOOLS[hands.tool]?.[2] ?? TURN[2]); }
  },
  // Paper with nothing on it.
  welcome() {
    const [unit, ratio] = sheet.sketch.length, reach = 3 / (ratio >= 10 ? 10 : 1), name = (editor.value.match(/^\s*name\s*=\s*"([^"]*)"/m) || [])[1] ?? 'drawing';
    const was = data && data.name === name && data.planar === !sheet.space && !data.about && !data.joints.length && data.length[0] === unit;
    const { space } = sheet, r = reach, flat = { planar: true, front: [0, 0, 1], up: [0, 1, 0], outermost: [[-r, -r * 0.75, 0], [r, r * 0.75, 0]] };
    if (!was) studio.see({ name, about: '', size: reach, length: [unit, ratio], thickness: reach / 60, ...space ? { planar: false, front: [0, -1, 0], up: [0, 0, 1], outermost: [-r, r].flatMap(x => [-r, r].flatMap(y => [[x, y, 0], [x, y, r * 0.75]])) } : flat, lift: 0, colours: [], surfaces: [], bodies: [{ name: 'ground', colour: [120, 120, 120], label: [0, 0, 0], parts: [] }], joints: [], points: [], drivers: [], struts: [], hand: null, samples: 1, ended: null, times: [0], time: { unit: 's', ratio: 1 }, poses: [null], signals: [], untold: 0, plots: [], mode: null, centres: [], circles: [], look: null, blob: '' }, null);
    if (!was) { state.touched = false; camera.fit(); }
    camera.paper = document.body.dataset.mode === 'draw'; this.room();
    diagnose(null, [], null);
    diagnose.fine = false;
    $('diagnostics').replaceChildren(element('p', { className: 'fine', textContent: 'Nothing is drawn yet. Take the tool Link and drag from one place to another.' }));
    $('mechanism').replaceChildren(element('p', { textContent: 'Nothing is drawn yet.' }));
    $('freedom').textContent = '';
    if (document.body.dataset.mode !== 'draw') { this.mode('draw'); hands.take('link'); }
    sheet.draw();
  },
  // The unit in which lengths are read and written.
  units() {
    const [unit] = sheet.sketch.length, box = $('unit');
    if (![...box.options].some(o => o.value === unit)) box.append(new Option(unit));
    box.value = unit;
  },
  // What the mechanism can do, in a few words.
  freedom(found) {
    const words = found.mobility === null ? '' : found.overdriven ? 'too many motors' : found.undriven ? `${found.undriven} of ${found.mobility} freedom${found.mobility === 1 ? '' : 's'} without a motor` : found.mobility === 0 ? 'mobility 0: nothing can move' : `mobility ${found.mobility}: it runs`;
    $('freedom').textContent = words; $('freedom').classList.toggle('runs', /it runs/.test(words));
  },
  drawn() {
    if (document.body.dataset.mode === 'draw' && state.playing) this.mode('move');
    if (document.body.dataset.mode === 'draw' && sheet.space && !camera.ortho) { camera.ortho = true; state.dirty = state.lines = true; }
    spaceBar.paper(); this.room();
    if (hands.traced) { const k = data.points.findIndex(p => p.name === hands.traced); if (k >= 0) { chosen.add(k); hands.traced = null; state.dirty = state.lines = true; } }
    energies.draw(); wish.show(); polygons.draw();
    $('add-polygons').hidden = !data.planar;
    sheet.draw();
  },
};
$('mode-draw').onclick = () => { drafting.mode('draw'); $('sketch').focus(); };
$('mode-move').onclick = () => drafting.mode('move');
$('tools').append(...Object.entries({ ...TOOLS, turn: TURN }).map(([tool, [key, name, words, icon]]) => {
  const button = element('button', { type: 'button', title: `${name} (${key.toUpperCase()}): ${words}`, 'aria-pressed': String(tool === 'select'), 'data-tool': tool, 'aria-keyshortcuts': key, onclick: () => { hands.take(tool); if (matchMedia('(pointer: fine)').matches) $('sketch').focus({ preventScroll: true }); } });
  button.append(sign('svg', { viewBox: '0 0 24 24', width: 22, height: 22, 'aria-hidden': 'true' }, sign('path', { d: icon })), element('span', { textContent: name }));
  return button;
}), element('button', { type: 'button', id: 'dimensions', 'aria-pressed': 'false', title: 'Lengths of all links (D)', onclick: () => { hands.dimensions = !hands.dimensions; $('dimensions').setAttribute('aria-pressed', String(hands.dimensions)); sheet.draw(); } }, sign('svg', { viewBox: '0 0 24 24', width: 22, height: 22, 'aria-hidden': 'true' }, sign('path', { d: 'M3 6v12M21 6v12M4 12h16M4 12l3-3M4 12l3 3M20 12l-3-3M20 12l-3 3' })), element('span', { textContent: 'Lengths' })), element('button', { type: 'button', id: 'finish', title: 'Finish the plate (Enter)', onclick: () => hands.finish() }, element('span', { textContent: 'Finish' })));
// One stop for Tab; arrows go along the tools.
$('tools').addEventListener('keydown', e => {
  const list = [...$('tools').querySelectorAll('button')], at = list.indexOf(document.activeElement), by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[e.key];
  if (by && at >= 0) { e.preventDefault(); e.stopPropagation(); list[(at + by + list.length) % list.length].focus(); }
});
$('unit').onchange = () => {
  const own = (editor.value.match(/^\s*units\s*=\s*"([^"]*)"/m) || [])[1], unit = $('unit').value, rest = (own ?? 'm, deg').split(',').map(u => u.trim()).filter(u => !['m', 'cm', 'mm', 'km', 'in', 'ft'].includes(u));
  hands.edit([{ do: 'set', path: ['units'], value: [unit, ...rest].join(', ') }], `Lengths in ${unit}`).then(() => { if (data) data.name = ''; looking.ask(); });
};
function newDrawing(text = NEW) {
  $('fresh').open = false;
  if (editor.value !== studio.saved && studio.touched && !confirm('The text is not saved. Begin a new drawing?')) return;
  let name = 'drawing.toml';
  for (let k = 2; studio.files.includes(name); k++) name = `drawing${k}.toml`;
  studio.touched = false; data && (data.name = '');
  studio.take(name, text, false);
}
$('new').onclick = () => newDrawing();
$('new-space').onclick = () => newDrawing(NEW_IN_SPACE);
