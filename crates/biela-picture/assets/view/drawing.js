// Everything that is drawn, as flat arrays made once: each corner knows the frame it moves with.
const KINDS = {
  velocity: { label: 'velocity', colour: [0, 158, 115] },
  acceleration: { label: 'acceleration', colour: [230, 159, 0] },
  reaction: { label: 'reaction', colour: [213, 60, 40] },
  effort: { label: 'driver effort', colour: [150, 80, 190] },
};
const MOST_ARROWS = 240;

// A surface of revolution about z through (radius, z) pairs; flat where the profile has a corner.
function lathe(profile, count = 14) {
  const points = [], normals = [], triangles = [];
  for (let i = 0; i + 1 < profile.length; i++) {
    const [r0, z0] = profile[i], [r1, z1] = profile[i + 1], n = unit([z1 - z0, 0, r0 - r1]), base = points.length / 3;
    for (let k = 0; k <= count; k++) {
      const a = 2 * Math.PI * k / count, c = Math.cos(a), s = Math.sin(a);
      points.push(r0 * c, r0 * s, z0, r1 * c, r1 * s, z1);
      for (let twice = 0; twice < 2; twice++) normals.push(n[0] * c, n[0] * s, n[2]);
      if (k < count) { const b = base + 2 * k; triangles.push(b, b + 2, b + 1, b + 1, b + 2, b + 3); }
    }
  }
  return { points, normals, triangles };
}

// Whether the inside of a surface is seen from nowhere: its faces together face no direction, and look outwards.
function isClosed(points, triangles) {
  const sum = [0, 0, 0];
  let all = 0, volume = 0;
  for (let k = 0; k < triangles.length; k += 3) {
    const [a, b, c] = [0, 1, 2].map(i => points.subarray(3 * triangles[k + i], 3 * triangles[k + i] + 3)), n = cross(sub(b, a), sub(c, a));
    for (let i = 0; i < 3; i++) sum[i] += n[i];
    all += norm(n); volume += dot(a, n);
  }
  return volume > 0 && norm(sum) < 1e-5 * all;
}

class Drawing {
  // What an earlier drawing has unpacked is taken from it.
  constructor(data, motion, before) {
    this.data = data; this.motion = motion;
    this.puts = []; this.corners = 0; this.indices = 0;
    this.surfaces = data.surfaces.map((s, k) => {
      const known = before?.data.surfaces[k];
      if (known && known.points === s.points && known.normals === s.normals && known.triangles === s.triangles) return before.surfaces[k];
      const points = s.points instanceof Float32Array ? s.points : new Float32Array(bytesOf(s.points).buffer), triangles = new Uint32Array(bytesOf(s.triangles).buffer);
      return { points, normals: Float32Array.from(new Int8Array(bytesOf(s.normals).buffer), x => x / 127), triangles, closed: isClosed(points, triangles) };
    });
    data.bodies.forEach((body, k) => body.parts.forEach(p => this.put(this.surfaces[p.s], p.pose, p.scale, p.colour, k)));
    let frames = motion.bodies;
    this.struts = data.struts.map(s => {
      this.put(this.surfaces[s.s], [0, 0, 0, 1, 0, 0, 0], s.scale, s.colour, frames);
      return { ends: s.ends, from: s.from, length: s.scale[2], frame: frames++ };
    });
    this.solid = this.indices;
    this.arrows = this.makeArrows(() => frames++);
    this.count = frames;
    this.frames = new Float32Array(12 * frames);
    this.fill();
  }

  // A stretched and placed surface that moves with a frame.
  put(surface, pose, scale, colour, owner) {
    this.puts.push([surface, pose, scale, colour, owner]);
    this.corners += surface.points.length / 3; this.indices += surface.triangles.length;
  }

  // All of them as flat arrays.
  fill() {
    const count = this.corners, closed = new Uint8Array(count), points = new Float32Array(3 * count), normals = new Float32Array(3 * count), colours = new Uint8Array(3 * count), owners = new Float32Array(count), triangles = new Uint32Array(this.indices), m = new Float64Array(12);
    let base = 0, next = 0;
    for (const [surface, pose, [sx, sy, sz], [red, green, blue], owner] of this.puts) {
      const { points: p, normals: n } = surface;
      writePose(m, 0, ...pose);
      for (let k = 0, o = 3 * base; k < p.length; k += 3, o += 3) {
        const x = p[k] * sx, y = p[k + 1] * sy, z = p[k + 2] * sz, a = n[k] / sx, b = n[k + 1] / sy, c = n[k + 2] / sz, l = Math.sqrt(a * a + b * b + c * c), f = l > 0 ? 1 / l : 0;
        for (let i = 0; i < 3; i++) {
          points[o + i] = m[i] * x + m[3 + i] * y + m[6 + i] * z + m[9 + i];
          normals[o + i] = l > 0 ? (m[i] * a + m[3 + i] * b + m[6 + i] * c) * f : i === 2 ? 1 : 0;
        }
        colours[o] = red; colours[o + 1] = green; colours[o + 2] = blue;
      }
      owners.fill(owner, base, base + p.length / 3);
      if (surface.closed && sx * sy * sz > 0) closed.fill(1, base, base + p.length / 3);
      for (const t of surface.triangles) triangles[next++] = base + t;
      base += p.length / 3;
    }
    Object.assign(this, { points, normals, colours, owners, triangles, closed, puts: null });
  }

  // Arrows by kind: each has a shaft and a head with frames of their own; torques have two heads.
  makeArrows(frame) {
    const { points, joints, drivers } = this.data, r = this.data.thickness;
    const shaft = lathe([[0, 0], [1, 0], [1, 1], [0, 1]]), cone = lathe([[0, 0], [1, 0], [0, 1]], 18);
    const sources = {
      velocity: points.filter(p => p.v).map(p => ({ body: p.body, at: p.at, places: p.v })),
      acceleration: points.filter(p => p.a).map(p => ({ body: p.body, at: p.at, places: p.a })),
      reaction: joints.filter(j => j.force).map(j => ({ body: j.bodies[1], at: j.at[1], places: j.force })),
      effort: drivers.filter(d => d.effort != null && d.along).map(d => ({ ...d, place: d.effort })),
    };
    const made = {};
    for (const [kind, list] of Object.entries(sources)) {
      const start = this.indices, arrows = list.slice(0, MOST_ARROWS);
      for (const a of arrows) {
        a.shaft = frame(); a.head = frame();
        this.put(shaft, [0, 0, 0, 1, 0, 0, 0], [1, 1, 1], KINDS[kind].colour, a.shaft);
        this.put(cone, [0, 0, 0, 1, 0, 0, 0], [1, 1, 1], KINDS[kind].colour, a.head);
        if (a.torque) this.put(cone, [0, 0, -0.75, 1, 0, 0, 0], [1, 1, 1], KINDS[kind].colour, a.head);
      }
      const group = { arrows, start, end: this.indices, most: 0, units: [] };
      if (kind === 'effort') {
        for (const torque of [false, true]) {
          const own = arrows.filter(a => a.torque === torque);
          const most = this.motion.largest(own.map(a => [a.place]));
          own.forEach(a => { a.most = most; });
          if (most > 0) group.units.push([most, this.motion.unit(own[0].place)]);
        }
      } else {
        const most = this.motion.largest(arrows.map(a => a.places));
        arrows.forEach(a => { a.most = most; });
        if (most > 0) group.units.push([most, this.motion.unit(arrows[0].places[0])]);
      }
      made[kind] = group;
    }
    this.shaftRadius = 0.28 * r;
    return made;
  }

  // Brings all frames to a time; arrows of the kinds asked for too.
  update(t, show) {
    const { frames, motion, data } = this;
    motion.frames(t, frames);
    for (const s of this.struts) {
      const [a, b] = s.ends.map(e => carry(frames, e.body, e.at));
      const along = sub(b, a), u = unit(along);
      if (s.from === 0.5) this.aim(s.frame, mul(add(a, b), 0.5), along, 1, norm(along));
      else this.aim(s.frame, s.from ? sub(b, mul(u, s.length / 2)) : add(a, mul(u, s.length / 2)), along, 1, 1);
    }
    const longest = 0.3 * data.size, lift = data.planar ? mul(data.front, 1.3 * data.lift + 0.6 * data.thickness) : [0, 0, 0];
    for (const [kind, group] of Object.entries(this.arrows)) {
      if (!show[kind]) continue;
      for (const a of group.arrows) {
        let v;
        if (kind === 'effort') {
          const axis = a.inGround ? a.along : carry(frames, a.body, a.along, 0);
          v = mul(axis, motion.value(a.place, t));
        } else v = motion.vector(a.places, t);
        const length = a.most > 0 ? longest * norm(v) / a.most : 0, at = add(carry(frames, a.body, a.at), lift), u = unit(v);
        const head = Math.min(length, 2.6 * data.thickness), radius = Math.min(this.shaftRadius, length / 6);
        const visible = length > 1e-4 * data.size ? 1 : 0;
        this.aim(a.shaft, at, u, radius * visible, (length - 0.9 * head) * visible);
        this.aim(a.head, add(at, mul(u, length - head)), u, head * 0.36 * visible, head * visible);
      }
    }
  }

  // A frame with z along a vector, stretched across and along it.
  aim(frame, at, along, across, length) {
    const z = unit(along), x = perpendicular(z), y = cross(z, x);
    const k = 12 * frame, m = this.frames;
    for (let i = 0; i < 3; i++) {
      m[k + i] = x[i] * across; m[k + 3 + i] = y[i] * across; m[k + 6 + i] = z[i] * length; m[k + 9 + i] = at[i];
    }
  }

  // Ranges of triangles to draw.
  ranges(show) {
    const list = show.bodies === false ? [] : [[0, this.solid]];
    for (const [kind, g] of Object.entries(this.arrows)) if (show[kind] && g.end > g.start) list.push([g.start, g.end]);
    return list;
  }

  // Line segments [a, b, colour, alpha, width, frame] for what is switched on.
  lines(show, chosen, dark, camera) {
    const { data, motion } = this, out = [], L = data.size, r = data.thickness;
    const grid = dark ? [255, 255, 255] : [40, 60, 80];
    this.floor = data.paper ?? this.makeFloor();
    if (show.grid) out.push(...this.gridLines(grid, camera));
    if (show.axes) {
      const o = data.planar ? mul(data.front, -0) : [0, 0, 0], l = Math.max(0.14 * L, 6 * r);
      [[1, 0, 0], [0, 1, 0], [0, 0, 1]].forEach((a, k) => out.push([o, add(o, mul(a, l)), AXES[k], 1, 2.6, 0]));
    }
    if (show.frames) data.bodies.forEach((b, k) => k && [[1, 0, 0], [0, 1, 0], [0, 0, 1]].forEach((a, i) =>
      out.push([[0, 0, 0], mul(a, 4.5 * r), AXES[i], 1, 2, k])));
    if (show.joints) data.joints.forEach(j => j.axis && out.push(
      [add(j.at[0], mul(j.axis[0], -7 * r)), add(j.at[0], mul(j.axis[0], 7 * r)), dark ? [255, 255, 255] : [30, 30, 30], 0.85, 1.6, j.bodies[0]]));
    if (show.traces) {
      const lift = data.planar ? mul(data.front, 1.15 * data.lift) : [0, 0, 0];
      [...chosen].forEach((index, n) => {
        const p = data.points[index], step = Math.max(1, Math.floor(motion.count / 2000));
        let last = null;
        for (let k = 0; ; k = Math.min(k + step, motion.count - 1)) {
          const q = add(motion.point(p.body, p.at, k), lift);
          if (last) out.push([last, q, data.bodies[p.body].colour, 1, 2.4, 0]);
          last = q;
          if (k >= motion.count - 1) break;
        }
      });
    }
    if (show.onion) out.push(...this.onion());
    return out;
  }

  // Where links are at other times, as thin lines from pin to pin, fainter than they are now.
  onion() {
    const { data, motion } = this, out = [], count = Math.min(16, motion.count - 1), lift = data.planar ? mul(data.front, 0.6 * data.lift) : [0, 0, 0];
    const pins = data.bodies.map(() => []), put = (b, p) => { if (b && !pins[b].some(q => norm(sub(p, q)) < 1e-9 * data.size)) pins[b].push(p); };
    data.joints.forEach(j => j.bodies.forEach((b, side) => put(b, j.at[side])));
    data.points.forEach(p => put(p.body, p.at));
    for (let n = 0; n <= count; n++) {
      const k = Math.round(n / count * (motion.count - 1));
      pins.forEach((list, b) => {
        const at = list.map(p => add(motion.point(b, p, k), lift)), last = at.length > 2 ? at.length : at.length - 1;
        for (let i = 0; i < last; i++) out.push([at[i], at[(i + 1) % at.length], data.bodies[b].colour, 0.35, 2, 0]);
      });
    }
    return out;
  }

  // The plane that carries grid and shadow, unless something is drawn on another: below a mechanism in space, behind a flat one.
  makeFloor() {
    const { data } = this, n = data.planar ? data.front : data.up;
    const least = Math.min(...data.outermost.map(p => dot(n, p)));
    const x = unit(cross(data.up, data.front)), y = data.planar ? data.up : cross(n, x);
    let level = least - 0.5 * data.thickness;
    if (data.planar) {
      const middle = data.joints.length ? dot(n, carry(this.frames, data.joints[0].bodies[0], data.joints[0].at[0])) : 0;
      level = middle - 1.2 * data.lift - 1.6 * data.thickness;
    }
    return { n, x, y, level };
  }

  // Lines of the floor: how far apart they are (a round number in the unit that lengths are read in), and which of them there are.
  grid(camera) {
    const { data } = this, { x, y } = this.floor, [unit, ratio] = data.length;
    const range = axis => { const d = data.outermost.map(p => dot(p, axis)); return [Math.min(...d), Math.max(...d)]; };
    const [a, b] = [range(x), range(y)], reach = camera?.paper ? camera.half * 3.2 * Math.max(1, camera.width / camera.height) : Math.hypot(a[1] - a[0], b[1] - b[0]) * 0.9 || 1;
    // About eight squares across what is seen.
    const wanted = Math.min(reach, camera ? camera.half * 2 : reach) * ratio / 7, power = 10 ** Math.floor(Math.log10(wanted));
    const shownStep = [1, 2, 5, 10].map(m => m * power).find(m => m >= wanted * 0.999), step = shownStep / ratio;
    // What is looked at closely has lines where one looks.
    const near = camera && (camera.paper || camera.half < 0.4 * reach) ? [dot(camera.target, x), dot(camera.target, y)] : [(a[0] + a[1]) / 2, (b[0] + b[1]) / 2];
    return { step, unit, ratio, cx: Math.round(near[0] / step), cy: Math.round(near[1] / step), m: Math.min(24, Math.ceil(reach / step)) };
  }

  gridLines(colour, camera) {
    const { data } = this, { n, x, y, level } = this.floor, { step, cx, cy, m } = this.grid(camera), out = [];
    const at = (i, j) => add(add(mul(x, i * step), mul(y, j * step)), mul(n, level));
    const plain = (data.planar ? 0.16 : 0.22) * (colour[0] > 200 ? 1.5 : 1);
    for (let i = -m; i <= m; i++) for (let j = -m; j < m; j++) {
      // Fades out with the distance from the middle; lines through the origin are stronger.
      const alpha = Math.max(0, 1 - Math.hypot(i, j + 0.5) / m) * plain;
      if (alpha <= 0.004) continue;
      const strong = k => k === 0 ? 2 : 1;
      out.push([at(cx + i, cy + j), at(cx + i, cy + j + 1), colour, alpha * strong(cx + i), 1, 0], [at(cx + j, cy + i), at(cx + j + 1, cy + i), colour, alpha * strong(cy + i), 1, 0]);
    }
    return out;
  }

  // Figures of the grid: a place of the ground each, and what stands there.
  gridFigures(camera) {
    const { n, x, y, level } = this.floor, { step, ratio, cx, cy, m } = this.grid(camera), out = [];
    const digits = Math.max(0, -Math.floor(Math.log10(step * ratio) + 1e-9)), word = k => (k * step * ratio).toFixed(Math.min(8, digits)).replace('-', '−');
    const at = (i, j) => add(add(mul(x, i * step), mul(y, j * step)), mul(n, level));
    const sign = axis => { const k = axis.findIndex(c => Math.abs(c) > 0.999); return k < 0 ? 1 : Math.sign(axis[k]); };
    for (let i = -m; i <= m; i++) {
      if (Math.abs(i) > 0.8 * m) continue;
      out.push([i + cx, true, k => at(i + cx, k), word((i + cx) * sign(x))], [i + cy, false, k => at(k, i + cy), word((i + cy) * sign(y))]);
    }
    return { list: out, across: cy, along: cx, m };
  }
}

// x red, y green, z blue.
const AXES = [[214, 48, 49], [39, 154, 70], [40, 105, 214]];
