// Sliders for parameters: motions for some of their values lie in the page. Between two of them everything is interpolated, where both
// are the same way of assembly and no body is far from where the other has it.
class Mixed {
  // Whether between two motions there is anything to see.
  static joined(a, b) {
    const p = a.motion, q = b.motion, size = a.data.size;
    if (a.data.mode !== b.data.mode || p.count !== q.count || p.bodies !== q.bodies) return false;
    for (let body = 1; body < p.bodies; body++) if (!Mixed.alike(a.data, b.data, body)) return false;
    for (let body = 1; body < p.bodies; body++) for (let k = 0; k < p.count; k++) {
      const u = p.poses[body].map(r => p.at(r, k)), v = q.poses[body].map(r => q.at(r, k));
      const turn = Math.abs(u[3] * v[3] + u[4] * v[4] + u[5] * v[5] + u[6] * v[6]);
      // Half a radian, a third of the size.
      if (turn < 0.968 || norm(sub(u, v)) > 0.34 * size) return false;
    }
    return true;
  }

  // Whether a body is made of the same parts in two pictures.
  static alike(a, b, k) {
    const parts = d => d.bodies[k].parts, corners = (d, p) => d.surfaces[p.s].points.length;
    return parts(a).length === parts(b).length && parts(a).every((p, i) => p.s === parts(b)[i].s && corners(a, p) === corners(b, parts(b)[i]));
  }

  // A picture and motion between two, by so much of the second.
  static make(a, b, w) {
    const p = a.motion, q = b.motion, mix = (x, y) => x + w * (y - x), mix3 = (u, v) => u.map((x, k) => mix(x, v[k]));
    const row = (r, s) => ({ data: Float32Array.from({ length: p.count }, (_, k) => mix(p.at(r, k), q.at(s, k))), low: 0, step: 1 });
    const motion = Object.assign(Object.create(Motion.prototype), p);
    motion.times = p.times.map((t, k) => mix(t, q.times[k])); motion.start = motion.times[0]; motion.end = motion.times[p.count - 1];
    motion.poses = p.poses.map((list, body) => list && list.map((r, i) => {
      if (i < 3) return row(r, q.poses[body][i]);
      // Of the two signs of Euler parameters those that are near.
      return { data: Float32Array.from({ length: p.count }, (_, k) => {
        let near = 0;
        for (let j = 3; j < 7; j++) near += p.at(list[j], k) * q.at(q.poses[body][j], k);
        return mix(p.at(r, k), Math.sign(near || 1) * q.at(q.poses[body][i], k));
      }), low: 0, step: 1 };
    }));
    motion.signals = p.signals.map(s => { const k = q.names.get(s.name); return k === undefined ? s : { ...s, row: row(s.row, q.signals[k].row) }; });
    const floats = text => new Float32Array(bytesOf(text).buffer), d = a.data, e = b.data;
    const surfaces = d.surfaces.map((s, k) => {
      if (s.points.length !== e.surfaces[k]?.points.length) return s;
      const u = floats(s.points), v = floats(e.surfaces[k].points);
      return { ...s, points: u.map((x, i) => mix(x, v[i])) };
    });
    const pose = (u, v) => { const near = u[3] * v[3] + u[4] * v[4] + u[5] * v[5] + u[6] * v[6] < 0 ? -1 : 1, m = u.map((x, k) => mix(x, k < 3 ? v[k] : near * v[k])), l = Math.hypot(...m.slice(3)) || 1; return m.map((x, k) => k < 3 ? x : x / l); };
    // What stands still may be of other parts, such as strokes of a longer rail.
    const bodies = d.bodies.map((body, k) => !Mixed.alike(d, e, k) ? body : ({ ...body, label: mix3(body.label, e.bodies[k].label), parts: body.parts.map((part, i) => { const o = e.bodies[k].parts[i]; return { ...part, pose: pose(part.pose, o.pose), scale: mix3(part.scale, o.scale) }; }) }));
    const ends = (s, o) => s.ends.map((x, k) => ({ ...x, at: mix3(x.at, o.ends[k].at) }));
    // Instant centres are those of computed motions alone.
    const data = { ...d, surfaces, bodies, centres: [], circles: [], size: mix(d.size, e.size), thickness: mix(d.thickness, e.thickness), lift: mix(d.lift, e.lift),
      joints: d.joints.map((j, k) => ({ ...j, at: j.at.map((x, i) => mix3(x, e.joints[k].at[i])) })), points: d.points.map((x, k) => ({ ...x, at: mix3(x.at, e.points[k].at) })),
      struts: d.struts.map((s, k) => ({ ...s, scale: mix3(s.scale, e.struts[k].scale), ends: ends(s, e.struts[k]) })) };
    return { data, motion };
  }
}

// The sliders of a page that holds motions for other values of parameters.
function vary(given, own, take) {
  const box = $('vary');
  if (!box || !given) return;
  box.hidden = false;
  const { parameters: list, alone } = given, key = at => at.join(), base = list.map(p => p.base);
  const cases = new Map(given.cases.map(c => [key(c.at), c])), joins = new Map();
  const at = list.map(p => p.base), say = element('p', { role: 'status' });
  const unit = (p, v) => `${shown(v * p.ratio)}${p.shown ? ` ${p.shown}` : ''}`;
  const count = list.map(p => p.values.length);
  const many = alone && list.length > 1 ? `${count[0]} values of each, with the others at their own,` : `${count.join(' × ')} values`;
  const told = `Motions for ${many} are stored in this page; between two of them the picture is interpolated.`;
  // What a picture has in common with the model's own is stored once.
  const whole = (s, k) => s ? { ...s, normals: s.normals ?? own.surfaces[k].normals, triangles: s.triangles ?? own.surfaces[k].triangles } : own.surfaces[k];
  const found = place => { const c = cases.get(key(place)); if (c?.data && !c.motion) { c.data.surfaces = c.data.surfaces.map(whole); c.motion = new Motion(c.data); } return c; };
  const joined = (a, b) => { const k = `${key(a.at)} ${key(b.at)}`; if (!joins.has(k)) joins.set(k, Mixed.joined(a, b)); return joins.get(k); };
  function show(n, v) {
    const p = list[n], values = p.values;
    if (alone) at.forEach((_, k) => { if (k !== n) { at[k] = base[k]; list[k].control.set(list[k].own); } });
    let low = 0;
    while (low + 2 < values.length && v >= values[low + 1]) low++;
    const w = Math.min(1, Math.max(0, (v - values[low]) / (values[low + 1] - values[low]))), place = k => at.map((x, i) => i === n ? k : x);
    const [a, b] = [found(place(low)), found(place(low + 1))], exact = w < 1e-6 ? a : w > 1 - 1e-6 ? b : null;
    at[n] = low + Math.round(w);
    list.forEach((q, k) => q.control.row.classList.toggle('changed', k === n ? v !== q.own : at[k] !== q.base));
    // The model's own value has its own motion, with all signals.
    if (v === p.own && at.every((x, k) => k === n || x === base[k])) { say.textContent = told; return take(own, null); }
    const missing = (exact ? [exact] : [a, b]).find(c => !c?.data);
    if (missing) { say.textContent = `${p.name} = ${unit(p, values[exact ? at[n] : missing === a ? low : low + 1])}: ${missing.why ?? 'not stored'}.`; return; }
    if (exact) { say.textContent = told; return take(exact.data, exact.motion); }
    if (joined(a, b)) { const m = Mixed.make(a, b, w); say.textContent = told; return take(m.data, m.motion); }
    const near = w < 0.5 ? a : b;
    say.textContent = `Between ${unit(p, values[low])} and ${unit(p, values[low + 1])} the mechanism closes in another way, moves far or is drawn otherwise: the motion for ${unit(p, values[near === a ? low : low + 1])} is shown.`;
    take(near.data, near.motion);
  }
  list.forEach((p, n) => {
    p.control = slider({ name: p.name, unit: p.shown, ratio: p.ratio, low: Math.min(p.own, p.values[0]), high: Math.max(p.own, p.values[p.values.length - 1]), value: p.own, change: v => show(n, v), reset: () => { p.control.set(p.own); show(n, p.own); } });
  });
  say.textContent = told;
  box.append(element('h2', { textContent: 'Parameters' }), ...list.map(p => p.control.row), say);
  page.vary = { show, list, cases, joined };
}
