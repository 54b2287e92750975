// Velocity and acceleration polygons of a mechanism in a plane, at the present time: from the pole o to the velocity of each pin, and between
// the pins of one link its image, turned by a right angle for velocities.
const polygons = {
  on: false, box: element('div', { id: 'polygons', hidden: true }),
  turns: { 'rad/s': 1, 'deg/s': Math.PI / 180, rpm: Math.PI / 30, 'rad/s^2': 1, 'deg/s^2': Math.PI / 180, 'rad/s²': 1, 'deg/s²': Math.PI / 180 },

  // The rates of a body in the unit of lengths that is read, and those of its turning in radians; none where the run does not tell them.
  rates(k) {
    const body = data.bodies[k].name, take = leaves => leaves.map(l => motion.names.get(`${body}.${l}`)), [vx, vy, ax, ay] = take(['vx', 'vy', 'ax', 'ay']), [w, al] = [['w', 'wz'], ['al', 'alz']].map(names => take(names).find(n => n !== undefined));
    if ([vx, vy, w].includes(undefined)) return null;
    const turn = n => n === undefined ? undefined : motion.value(n, state.t) * (this.turns[motion.unit(n)] ?? NaN), at = n => n === undefined ? undefined : motion.value(n, state.t);
    return { v: [at(vx), at(vy)], a: [at(ax), at(ay)], w: turn(w), al: turn(al), unit: [motion.unit(vx), ax === undefined ? '' : motion.unit(ax)] };
  },
  // Tips: where the arrow of a place of a body ends.
  tip(r, k, p, kind) {
    const d = sub(carry(drawing.frames, k, p), carry(drawing.frames, k, [0, 0, 0])).map(c => c * data.length[1]);
    return kind ? [r.a[0] - r.al * d[1] - r.w * r.w * d[0], r.a[1] + r.al * d[0] - r.w * r.w * d[1]] : [r.v[0] - r.w * d[1], r.v[1] + r.w * d[0]];
  },
  draw() {
    this.box.hidden = !this.on || !data?.planar;
    if (this.box.hidden || !this.box.offsetParent || motion.count < 2) return;
    const known = data.bodies.map((_, k) => k ? this.rates(k) : null), kinds = [0, 1].map(kind => {
      const links = data.bodies.map((b, k) => {
        const r = known[k];
        if (!r || kind && (r.al === undefined || r.a.includes(undefined))) return null;
        const places = [...data.joints.flatMap(j => [0, 1].filter(s => j.bodies[s] === k).map(s => ({ name: j.name, at: j.at[s] }))), ...data.points.filter(p => p.body === k && p.short && !data.joints.some(j => j.name === p.short)).map(p => ({ name: p.short, at: p.at }))];
        return { colour: css(b.colour), unit: r.unit[kind], tips: places.map(p => ({ name: p.name, at: this.tip(r, k, p.at, kind) })) };
      }).filter(Boolean);
      return this.picture(['Velocity polygon', 'Acceleration polygon'][kind], links);
    });
    this.box.replaceChildren(...kinds.filter(Boolean));
  },
  picture(title, links) {
    const tips = links.flatMap(l => l.tips).filter(t => t.at.every(Number.isFinite)), most = Math.max(0, ...tips.map(t => Math.hypot(...t.at)));
    if (!(most > 0)) return null;
    const W = 360, H = 240, xs = [0, ...tips.map(t => t.at[0])], ys = [0, ...tips.map(t => t.at[1])], span = v => Math.max(...v) - Math.min(...v), s = Math.min((W - 70) / Math.max(span(xs), 1e-9 * most), (H - 60) / Math.max(span(ys), 1e-9 * most));
    const mid = v => (Math.max(...v) + Math.min(...v)) / 2, at = ([x, y]) => [W / 2 + (x - mid(xs)) * s, H / 2 - (y - mid(ys)) * s], o = at([0, 0]), seen = [], parts = [], notes = [];
    for (const link of links) {
      const here = link.tips.filter(t => t.at.every(Number.isFinite)).map(t => at(t.at));
      if (here.length > 1) parts.push(sign('path', { class: 'image', stroke: link.colour, fill: here.length > 2 ? link.colour : 'none', d: `M${(here.length > 2 ? outline(here) : here).map(p => p.map(c => c.toFixed(1)).join(' ')).join('L')}${here.length > 2 ? 'Z' : ''}` }));
      for (const t of link.tips) {
        const p = at(t.at), same = seen.find(q => Math.hypot(q.p[0] - p[0], q.p[1] - p[1]) < 5);
        if (same) { if (!same.names.includes(t.name)) same.names.push(t.name); } else seen.push({ p, names: [t.name], far: Math.hypot(...t.at) });
      }
    }
    const letter = (words, [x, y]) => { const over = x + 12 + 7 * words.length > W, t = sign('text', { x: over ? x - 7 : x + 7, y: y - 6, 'text-anchor': over ? 'end' : 'start' }); t.textContent = words; return t; };
    for (const { p, names, far } of seen) {
      if (far > 1e-6 * most) parts.push(sign('path', { class: 'ray', d: `M${o}L${p}` }));
      notes.push(sign('circle', { class: 'tip', cx: p[0], cy: p[1], r: 2.6 }), letter(far > 1e-6 * most ? names.map(n => n.toLowerCase()).join(', ') : ['o', ...names.map(n => n.toLowerCase())].join(', '), p));
    }
    if (!seen.some(q => q.far <= 1e-6 * most)) notes.push(sign('circle', { class: 'tip', cx: o[0], cy: o[1], r: 2.6 }), letter('o', o));
    return element('div', {}, element('h2', {}, title, element('small', { textContent: ` at most ${shown(most)} ${links[0].unit}` })), sign('svg', { class: 'chart polygon', viewBox: `0 0 ${W} ${H}`, role: 'img', 'aria-label': `${title}: ${seen.map(q => q.names.join(', ')).join('; ')}` }, ...parts, ...notes));
  },
};
$('add').after(element('button', { className: 'quiet', id: 'add-polygons', textContent: '+ polygons', title: 'Velocity and acceleration polygons at the present time', 'aria-pressed': 'false', onclick: () => { polygons.on = !polygons.on; $('add-polygons').setAttribute('aria-pressed', String(polygons.on)); state.dirty = true; } }), polygons.box);
page.polygons = polygons;
