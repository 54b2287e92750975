// Drawing in space: the plane that a hand draws on, and the kind of joint that it makes.
const paperPlane = {
  // The axis that it is normal to, and where it cuts each axis while nothing has been begun.
  k: 2, level: [0, 0, 0],
  get along() { return [[1, 2], [0, 2], [0, 1]][this.k]; },
  // What has been begun lies on a plane of its own.
  get now() { return (hands.points.at(-1)?.at ?? hands.drag?.arrow?.[0] ?? hands.drag?.grip ?? hands.cross ?? this.level)[this.k]; },
  // Where the line of sight through a place meets it.
  meet(p) {
    const { k, now } = this, t = camera.axes()[2], s = Math.abs(t[k]) > 0.02 ? (now - p[k]) / t[k] : 0, q = add(p, mul(t, s));
    q[k] = now;
    return q;
  },
  // So far to the right and up along it, and so far out of it.
  vector(right, up, out) {
    const [r, u] = camera.axes(), [i, j] = this.along, turned = Math.abs(r[i]) < Math.abs(r[j]), [a, b] = turned ? [j, i] : [i, j], v = [0, 0, 0];
    v[a] = right * (r[a] < 0 ? -1 : 1); v[b] = up * (u[b] < 0 ? -1 : 1); v[this.k] = out;
    return v;
  },
};

// The place of a link, or of a plate, that is seen at a place of the picture.
function onLink(name, x, y) {
  const at = sheet.places(name), seen = at.map(p => sheet.seen(p)), step = sheet.step();
  let best = null;
  for (let i = 0; i < (at.length > 2 ? at.length : at.length - 1); i++) {
    const j = (i + 1) % at.length, [d, , t] = aside([x, y], seen[i], seen[j]);
    if (!best || d < best.d) best = { d, i, j, t };
  }
  if (!best) return at[0];
  const { i, j, t } = best, way = sub(at[j], at[i]), l = norm(way);
  if (best.d > 11 && at.length > 2) {
    const n = cross(way, sub(at[(j + 1) % at.length], at[i])), sight = camera.axes()[2], q = sheet.place(x, y), into = dot(n, sight);
    if (Math.abs(into) > 1e-3 * norm(n)) return add(q, mul(sight, dot(n, sub(at[i], q)) / into)).map(c => +c.toPrecision(9));
  }
  const s = hands.free ? t : Math.min(1, Math.round(t * l / step) * step / l);
  return add(at[i], mul(way, s)).map(c => +c.toPrecision(12));
}

const KINDS_DRAWN = { revolute: 'Pin (revolute)', spherical: 'Ball (spherical)', universal: 'Universal', cylindrical: 'Cylindrical', prismatic: 'Slide (prismatic)', planar: 'Planar', fixed: 'Fixed' };
const turnable = kind => !['spherical', 'fixed'].includes(kind);

const spaceBar = {
  kind: 'revolute', along: 'normal', picked: null,
  axis() { return this.along === 'picked' ? this.picked : [0, 1, 2].map(k => +(k === (this.along === 'normal' ? paperPlane.k : 'xyz'.indexOf(this.along)))); },
  joint() { return { type: this.kind, axis: this.axis() }; },

  make() {
    const box = $('space'), option = ([value, textContent]) => element('option', { value, textContent });
    const planes = [[2, 'xy'], [1, 'xz'], [0, 'yz']].map(([k, words]) => element('button', { type: 'button', textContent: words, 'data-plane': words, title: `Draw on a plane along ${words[0]} and ${words[1]} (key ${'xyz'[k]})`, onclick: () => this.plane(k) }));
    this.planes = planes;
    this.level = element('input', { id: 'level', inputmode: 'decimal', autocomplete: 'off', onchange: () => { const x = Number(this.level.value.replace(',', '.')); if (Number.isFinite(x)) paperPlane.level[paperPlane.k] = sheet.back(x); this.show(); state.dirty = true; } });
    this.where = element('span');
    this.kinds = element('select', { id: 'kind', title: 'The kind of joint that links are joined by', onchange: () => { this.kind = this.kinds.value; this.show(); } }, ...Object.entries(KINDS_DRAWN).map(option));
    this.axes = element('select', { id: 'axis', title: 'The direction of its axis', onchange: () => { if (this.axes.value === 'pick') this.asking(); else this.along = this.axes.value; this.show(); } },
      ...[['normal', 'normal to plane'], ['x', 'along x'], ['y', 'along y'], ['z', 'along z'], ['pick', 'along a link…']].map(option));
    box.append(element('span', { className: 'group', role: 'group', 'aria-label': 'Plane' }, ...planes), element('label', {}, this.where, this.level), element('label', {}, element('span', { textContent: 'Joint' }), this.kinds), element('label', {}, element('span', { textContent: 'Axis' }), this.axes));
  },
  plane(k) {
    paperPlane.k = k;
    // A plane that is seen on edge cannot be drawn on.
    if (Math.abs(camera.axes()[2][k]) < 0.1) { camera.look('iso'); camera.ortho = true; }
    this.show(); hands.measure(); state.dirty = state.lines = true;
    announce(`Plane normal to ${'xyz'[k]}`);
  },
  show() {
    if (!this.planes) this.make();
    const { k } = paperPlane;
    this.planes.forEach((b, n) => b.setAttribute('aria-pressed', String(k === 2 - n)));
    this.where.textContent = `${'xyz'[k]} [${sheet.sketch ? sheet.unit() : 'm'}]`;
    if (document.activeElement !== this.level && sheet.sketch) this.level.value = sheet.shown(paperPlane.level[k]);
    this.kinds.value = this.kind;
    this.axes.querySelector('[value=picked]')?.remove();
    if (this.picked) this.axes.append(element('option', { value: 'picked', textContent: `along ${this.picked.map(c => +c.toFixed(3)).join(', ')}` }));
    this.axes.value = this.along; this.axes.disabled = !turnable(this.kind);
  },

  // A direction that is pointed at: that of a link, or from one point to another.
  asking() { hands.stop(); hands.picking = []; hands.hint('Click a link for its direction, or two points.'); },
  pick(found) {
    const from = hands.picking;
    let way = null;
    if (found.knot) { from.push(found.at); if (from.length < 2) return hands.hint('And a second point.'); way = sub(from[1], from[0]); }
    else if (found.bodies) { const at = sheet.places(found.bodies[0]); if (at.length > 1) way = sub(at[1], at[0]); }
    if (way && norm(way) > 0) { this.picked = unit(way).map(c => +c.toFixed(9)); this.along = 'picked'; this.show(); announce(`Axis along ${this.picked.join(', ')}`); }
    hands.picking = null;
    hands.hint(toolOf(hands.tool)[2]);
  },

  // What a joint is, in the inspector.
  fields(joint) {
    if (!(joint.type in KINDS_DRAWN)) return [];
    const change = more => hands.edit([{ do: 'joint', name: joint.name, joint: { type: joint.type, axis: joint.axis ?? this.axis(), axis2: joint.axis2, ...more } }], 'Changed');
    const kinds = element('select', { 'data-own': 'type', onchange: () => change({ type: kinds.value }) }, ...Object.entries(KINDS_DRAWN).map(([value, textContent]) => element('option', { value, textContent })));
    kinds.value = joint.type;
    const vector = key => inspector.field(key, joint[key].map(c => +c.toPrecision(6)).join(', '), v => {
      const axis = v.split(/[,;\s]+/).filter(Boolean).map(Number);
      if (axis.length === 3 && axis.every(Number.isFinite)) change({ [key]: axis }); else hands.hint(`'${v}' is no direction: three numbers, such as 0, 0, 1.`, true);
    });
    return [element('label', {}, element('span', { textContent: 'type' }), kinds), ...['axis', 'axis2'].filter(key => joint[key]).map(vector)];
  },

  // The grid lies on the plane that is drawn on.
  paper() {
    const on = document.body.dataset.mode === 'draw' && !!sheet.space && !!data;
    document.body.toggleAttribute('data-space', !!sheet.space);
    if ($('space').hidden === on) { $('space').hidden = !on; this.show(); }
    if (!data) return;
    const sight = camera.axes()[2].map(Math.abs);
    // Seen straight from one side, that side is drawn on.
    if (on && sight[paperPlane.k] < 0.02) { paperPlane.k = sight.indexOf(Math.max(...sight)); this.show(); }
    const { k, now, along: [i, j] } = paperPlane, e = n => [0, 1, 2].map(m => +(m === n)), key = on ? `${k} ${now}` : '';
    if (key === this.laid && data === this.of) return;
    this.laid = key; this.of = data;
    data.paper = on ? { n: e(k), x: e(i), y: e(j), level: now } : undefined;
    state.dirty = state.lines = true;
  },
};
