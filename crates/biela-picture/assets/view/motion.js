// Bytes of a base64 text.
function bytesOf(text) {
  const binary = atob(text), out = new Uint8Array(binary.length);
  for (let k = 0; k < out.length; k++) out[k] = binary.charCodeAt(k);
  return out;
}

// Poses and signals over time, read from the page's data.
class Motion {
  constructor(data) {
    const blob = bytesOf(data.blob).buffer, count = data.samples;
    // A row of numbers is constant, floats, or 16 bits over a range.
    const row = channel => {
      if (channel.length === 1) return { value: channel[0] };
      if (channel[1] === 'f') return { data: new Float32Array(blob, channel[0], count), low: 0, step: 1 };
      return { data: new Uint16Array(blob, channel[0], count), low: channel[1], step: (channel[2] - channel[1]) / 65535 };
    };
    const at = (r, k) => r.data ? r.low + r.step * r.data[k] : r.value;
    this.at = at;
    this.row = row;
    this.count = count;
    const times = row(data.times);
    this.times = Float64Array.from({ length: count }, (_, k) => at(times, k));
    this.start = this.times[0];
    this.end = this.times[count - 1];
    this.poses = data.poses.map(p => p && p.map(row));
    this.signals = data.signals.map(s => ({ name: s.name, unit: s.unit, row: row(s.data) }));
    this.names = new Map(this.signals.map((s, k) => [s.name, k]));
    this.bodies = data.poses.length;
  }

  // Sample before a time, and how far towards the next.
  place(t) {
    let low = 0, high = this.count - 1;
    while (high - low > 1) { const mid = (low + high) >> 1; if (this.times[mid] <= t) low = mid; else high = mid; }
    const width = this.times[high] - this.times[low];
    return [low, width > 0 ? Math.min(1, Math.max(0, (t - this.times[low]) / width)) : 0];
  }

  // Writes every body's frame at a time.
  frames(t, out) {
    const [k, f] = this.place(t), next = Math.min(k + 1, this.count - 1), at = this.at;
    for (let b = 0; b < this.bodies; b++) {
      const p = this.poses[b];
      if (!p) { writePose(out, 12 * b, 0, 0, 0, 1, 0, 0, 0); continue; }
      const v = i => { const a = at(p[i], k); return f ? a + f * (at(p[i], next) - a) : a; };
      let e0 = v(3), e1 = v(4), e2 = v(5), e3 = v(6);
      const s = 1 / Math.hypot(e0, e1, e2, e3);
      writePose(out, 12 * b, v(0), v(1), v(2), e0 * s, e1 * s, e2 * s, e3 * s);
    }
  }

  // A body's point at a sample.
  point(body, p, k) {
    const one = new Float64Array(12), row = this.poses[body];
    if (!row) return p;
    const [x, y, z, e0, e1, e2, e3] = row.map(r => this.at(r, k));
    const s = 1 / Math.hypot(e0, e1, e2, e3);
    writePose(one, 0, x, y, z, e0 * s, e1 * s, e2 * s, e3 * s);
    return carry(one, 0, p);
  }

  // Value of a signal at a time.
  value(signal, t) {
    const [k, f] = this.place(t), r = this.signals[signal].row, a = this.at(r, k);
    return f ? a + f * (this.at(r, Math.min(k + 1, this.count - 1)) - a) : a;
  }

  // A signal's unit as people write it.
  unit(signal) { const u = this.signals[signal].unit; return u === '1' ? '' : u.replace(/\*/g, '·').replace(/\^2/g, '²').replace(/\^3/g, '³'); }

  // Three signals as a vector.
  vector(places, t) { return places.map(k => k === null ? 0 : this.value(k, t)); }

  // Largest length of such vectors in the whole run.
  largest(list) {
    let most = 0;
    const step = Math.max(1, Math.floor(this.count / 400));
    for (const places of list) for (let k = 0; k < this.count; k += step) {
      const v = places.map(s => s === null ? 0 : this.at(this.signals[s].row, k));
      const l = Math.hypot(...v);
      if (l > most) most = l;
    }
    return most;
  }
}
