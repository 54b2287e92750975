// Solids as pixels, by the processor: corners are carried and lit once a frame, triangles filled row by row against depths of their own.
// Samples are twice as close as pixels, so that edges are smooth; light and shadow are those of the graphics card's program.
class Raster {
  constructor() {
    this.canvas = document.createElement('canvas'); this.pen = this.canvas.getContext('2d');
    this.width = this.height = 0;
    // What samples are covered: columns and rows.
    this.box = null;
  }

  take(drawing) {
    const { points, triangles } = drawing, count = points.length / 3;
    this.drawing = drawing;
    // Of every corner: its place in the picture, its depth, its light and how much it shines.
    for (const key of ['x', 'y', 'z', 'light', 'shine']) this[key] = new Float32Array(count);
    this.corners = new Map();
    this.triangles = triangles;
  }

  // Corners of a range of triangles: they lie together.
  range(start, end) {
    let found = this.corners.get(start);
    if (!found) {
      let low = Infinity, high = -1;
      for (let k = start; k < end; k++) { const c = this.triangles[k]; if (c < low) low = c; if (c > high) high = c; }
      this.corners.set(start, found = [low, high + 1]);
    }
    return found;
  }

  draw(target, camera, show, dark, ratio) {
    const { drawing } = this, { width, height } = target.canvas, fine = width * height > 4e6 ? 1 : 2;
    this.size(width, height, fine);
    const ranges = drawing.ranges(show), m = camera.m, [right, up, towards] = camera.axes();
    if (show.shadow && show.bodies !== false) {
      const { n, x, y, level } = drawing.floor, sun = unit(add(add(mul(n, 1), mul(x, -0.28)), mul(y, drawing.data.planar ? 0.42 : -0.22)));
      this.carry(m, ...this.range(0, drawing.solid), { n, level, sun, steep: dot(n, sun) });
      this.cover(0, drawing.solid, (dark ? 87 : 33) << 24);
    }
    const key = unit(add(add(mul(towards, 0.75), mul(up, 0.8)), mul(right, -0.55))), fill = unit(add(add(mul(towards, 0.5), right), mul(up, -0.2))), half = unit(add(key, towards));
    for (const [start, end] of ranges) {
      const corners = this.range(start, end);
      this.carry(m, ...corners, null);
      this.lit(...corners, { key, fill, half, up, towards });
      this.paint(start, end);
    }
    if (this.box) this.show(target);
  }

  size(width, height, fine) {
    const w = width * fine, h = height * fine;
    if (this.width !== w || this.height !== h) {
      Object.assign(this, { width: w, height: h, box: null, shown: null });
      this.canvas.width = width; this.canvas.height = height;
      this.colour = new Int32Array(w * h); this.depth = new Float32Array(w * h).fill(2);
      this.image = this.pen.createImageData(width, height); this.pixels = new Int32Array(this.image.data.buffer);
    } else if (this.box) {
      const [x0, y0, x1, y1] = this.box;
      for (let y = y0; y <= y1; y++) { this.colour.fill(0, y * w + x0, y * w + x1 + 1); this.depth.fill(2, y * w + x0, y * w + x1 + 1); }
    }
    this.fine = fine;
    this.box = null;
  }

  // Places of corners in the picture; as they fall on the floor where there is a sun.
  carry(m, low, high, floor) {
    const { points, owners, frames } = this.drawing, { x, y, z, width, height } = this, w2 = width / 2, h2 = height / 2, c = new Float64Array(16);
    for (let k = low, last = -1; k < high; k++) {
      const owner = owners[k];
      if (owner !== last) {
        last = owner;
        // Camera after frame, columns.
        for (let j = 0; j < 4; j++) {
          let v = [0, 1, 2].map(i => frames[12 * owner + 3 * j + i]);
          const one = j === 3 ? 1 : 0;
          if (floor) { const s = (dot(floor.n, v) - one * floor.level) / floor.steep; v = sub(v, mul(floor.sun, s)); }
          for (let i = 0; i < 4; i++) c[4 * j + i] = m[i] * v[0] + m[4 + i] * v[1] + m[8 + i] * v[2] + one * m[12 + i];
        }
      }
      const p = points[3 * k], q = points[3 * k + 1], r = points[3 * k + 2], w = c[3] * p + c[7] * q + c[11] * r + c[15];
      // What is behind the eye is nowhere.
      const s = w > 0 ? 1 / w : NaN;
      x[k] = ((c[0] * p + c[4] * q + c[8] * r + c[12]) * s + 1) * w2; y[k] = (1 - (c[1] * p + c[5] * q + c[9] * r + c[13]) * s) * h2; z[k] = (c[2] * p + c[6] * q + c[10] * r + c[14]) * s;
    }
  }

  // Light of corners.
  lit(low, high, { key, fill, half, up, towards }) {
    const { normals, owners, frames } = this.drawing, { light, shine } = this, c = new Float64Array(18);
    for (let k = low, last = -1; k < high; k++) {
      const owner = owners[k];
      if (owner !== last) {
        last = owner;
        // Directions as the frame sees them; a frame that stretches turns its normals.
        for (let j = 0; j < 3; j++) {
          const v = [0, 1, 2].map(i => frames[12 * owner + 3 * j + i]), s = 1 / Math.max(1e-30, dot(v, v));
          [key, fill, half, up, towards].forEach((d, i) => { c[3 * i + j] = dot(d, v) * s; });
          c[15 + j] = s;
        }
      }
      const a = normals[3 * k], b = normals[3 * k + 1], d = normals[3 * k + 2];
      let s = 1 / Math.sqrt(a * a * c[15] + b * b * c[16] + d * d * c[17]);
      const seen = (a * c[12] + b * c[13] + d * c[14]) * s;
      if (seen < 0) s = -s;
      const of = i => (a * c[i] + b * c[i + 1] + d * c[i + 2]) * s, from = of(0), aside = of(3), edge = 1 - Math.abs(seen);
      light[k] = (0.58 + (from > 0 ? 0.52 * from : 0) + (aside > 0 ? 0.14 * aside : 0) + 0.06 * of(9)) * (1 - 0.16 * edge * edge * edge);
      const h2 = of(6) ** 2, h8 = h2 ** 4;
      shine[k] = of(6) > 0 ? 56 * h8 * h8 * h8 * h8 * h8 * h8 : 0;
    }
  }

  // What is covered, so that nothing else is cleared or shown.
  grow(x0, y0, x1, y1) {
    const { box } = this;
    if (!box) this.box = [x0, y0, x1, y1];
    else { if (x0 < box[0]) box[0] = x0; if (y0 < box[1]) box[1] = y0; if (x1 > box[2]) box[2] = x1; if (y1 > box[3]) box[3] = y1; }
  }

  // Triangles in one colour, under all that is painted after them.
  cover(start, end, colour) {
    const { x, y, triangles, width, height } = this, samples = this.colour, { closed } = this.drawing;
    for (let k = start; k < end; k += 3) {
      const a = triangles[k], b = triangles[k + 1], c = triangles[k + 2], ax = x[a], ay = y[a], bx = x[b], by = y[b], cx = x[c], cy = y[c];
      // Of what is closed one side throws all of the shadow.
      if (closed[a] && (bx - ax) * (cy - ay) > (cx - ax) * (by - ay)) continue;
      const top = Math.max(0, Math.ceil(Math.min(ay, by, cy) - 0.5)), bottom = Math.min(height - 1, Math.ceil(Math.max(ay, by, cy) - 0.5) - 1);
      if (!(bottom >= top)) continue;
      const left = Math.max(0, Math.floor(Math.min(ax, bx, cx))), right = Math.min(width - 1, Math.ceil(Math.max(ax, bx, cx)));
      if (left > right) continue;
      this.grow(left, top, right, bottom);
      for (let j = top; j <= bottom; j++) {
        const p = j + 0.5;
        let low = Infinity, high = -Infinity;
        if (ay <= p !== by <= p) { const t = ax + (p - ay) / (by - ay) * (bx - ax); if (t < low) low = t; if (t > high) high = t; }
        if (by <= p !== cy <= p) { const t = bx + (p - by) / (cy - by) * (cx - bx); if (t < low) low = t; if (t > high) high = t; }
        if (cy <= p !== ay <= p) { const t = cx + (p - cy) / (ay - cy) * (ax - cx); if (t < low) low = t; if (t > high) high = t; }
        const from = Math.max(left, Math.ceil(low - 0.5)), to = Math.min(right, Math.ceil(high - 0.5) - 1);
        if (to >= from) samples.fill(colour, j * width + from, j * width + to + 1);
      }
    }
  }

  // Triangles in the light, those that are nearer over those that are farther.
  paint(start, end) {
    const { x, y, z, light, shine, triangles, width, height, depth } = this, samples = this.colour, { colours, closed } = this.drawing;
    for (let k = start; k < end; k += 3) {
      const a = triangles[k], b = triangles[k + 1], c = triangles[k + 2], ax = x[a], ay = y[a], bx = x[b], by = y[b], cx = x[c], cy = y[c];
      const top = Math.max(0, Math.ceil(Math.min(ay, by, cy) - 0.5)), bottom = Math.min(height - 1, Math.ceil(Math.max(ay, by, cy) - 0.5) - 1);
      if (!(bottom >= top)) continue;
      const left = Math.max(0, Math.floor(Math.min(ax, bx, cx))), right = Math.min(width - 1, Math.ceil(Math.max(ax, bx, cx)));
      if (left > right) continue;
      const ux = bx - ax, uy = by - ay, vx = cx - ax, vy = cy - ay, area = ux * vy - vx * uy;
      if (area === 0 || area > 0 && closed[a]) continue;
      const inverse = 1 / area;
      this.grow(left, top, right, bottom);
      // Depth and light are planes over the picture.
      const zb = z[b] - z[a], zc = z[c] - z[a], zx = (zb * vy - zc * uy) * inverse, zy = (zc * ux - zb * vx) * inverse;
      const lb = light[b] - light[a], lc = light[c] - light[a], lx = (lb * vy - lc * uy) * inverse, ly = (lc * ux - lb * vx) * inverse;
      const sb = shine[b] - shine[a], sc = shine[c] - shine[a], sx = (sb * vy - sc * uy) * inverse, sy = (sc * ux - sb * vx) * inverse;
      const red = colours[3 * a], green = colours[3 * a + 1], blue = colours[3 * a + 2];
      for (let j = top; j <= bottom; j++) {
        const p = j + 0.5;
        let low = Infinity, high = -Infinity;
        if (ay <= p !== by <= p) { const t = ax + (p - ay) / (by - ay) * (bx - ax); if (t < low) low = t; if (t > high) high = t; }
        if (by <= p !== cy <= p) { const t = bx + (p - by) / (cy - by) * (cx - bx); if (t < low) low = t; if (t > high) high = t; }
        if (cy <= p !== ay <= p) { const t = cx + (p - cy) / (ay - cy) * (ax - cx); if (t < low) low = t; if (t > high) high = t; }
        const from = Math.max(left, Math.ceil(low - 0.5)), to = Math.min(right, Math.ceil(high - 0.5) - 1), dx = from + 0.5 - ax, dy = p - ay;
        let d = z[a] + dx * zx + dy * zy, l = light[a] + dx * lx + dy * ly, s = shine[a] + dx * sx + dy * sy;
        for (let i = j * width + from, last = j * width + to; i <= last; i++, d += zx, l += lx, s += sx) {
          if (d > depth[i]) continue;
          depth[i] = d;
          const r = red * l + s, g = green * l + s, h = blue * l + s;
          samples[i] = -16777216 | (h > 255 ? 255 : h) << 16 | (g > 255 ? 255 : g) << 8 | (r > 255 ? 255 : r);
        }
      }
    }
  }

  // Samples as pixels of the target.
  show(target) {
    const { colour, pixels, width, fine, canvas, box } = this;
    const [x0, y0, x1, y1] = [Math.floor(box[0] / fine), Math.floor(box[1] / fine), Math.floor(box[2] / fine), Math.floor(box[3] / fine)];
    for (let y = y0; y <= y1; y++) for (let x = x0, i = fine * (y * width + x0), o = y * canvas.width + x0; x <= x1; x++, i += fine, o++) {
      const a = colour[i];
      if (fine === 1) { pixels[o] = a; continue; }
      const b = colour[i + 1], c = colour[i + width], d = colour[i + width + 1];
      if (a === b && a === c && a === d) { pixels[o] = a; continue; }
      let alpha = 0, red = 0, green = 0, blue = 0;
      for (let n = 0; n < 4; n++) {
        const v = n === 0 ? a : n === 1 ? b : n === 2 ? c : d, w = v >>> 24;
        alpha += w; red += w * (v & 255); green += w * (v >> 8 & 255); blue += w * (v >> 16 & 255);
      }
      pixels[o] = (alpha + 2 >> 2) << 24 | blue / alpha << 16 | green / alpha << 8 | red / alpha;
    }
    this.pen.putImageData(this.image, 0, 0, x0, y0, x1 - x0 + 1, y1 - y0 + 1);
    target.drawImage(canvas, x0, y0, x1 - x0 + 1, y1 - y0 + 1, x0, y0, x1 - x0 + 1, y1 - y0 + 1);
  }
}
