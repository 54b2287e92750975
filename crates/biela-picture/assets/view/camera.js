// Looks at a target from a direction told by two angles about the scene's front and up.
class Camera {
  constructor(data) {
    this.front = data.front; this.up = data.up;
    this.right = unit(cross(data.up, data.front));
    this.points = data.outermost;
    this.flat = data.planar;
    this.width = 1; this.height = 1;
    // Whether it is paper that is drawn on: the grid is everywhere then, and follows nothing but the camera.
    this.paper = false;
    this.look(this.flat ? 'front' : 'iso');
  }

  // One of the named views.
  look(view) {
    const angles = { front: [0, 0], top: [0, Math.PI / 2], side: [Math.PI / 2, 0], iso: [0.58, 0.5] }[view];
    [this.yaw, this.pitch] = angles; this.closer = 1;
    this.ortho = view !== 'iso';
    this.fit();
  }

  // From two angles, so much closer than fitted. Straight on, lengths can be compared.
  lookFrom({ yaw, pitch, zoom }) {
    const right = angle => Math.abs(Math.sin(2 * angle)) < 1e-9;
    [this.yaw, this.pitch, this.closer, this.ortho] = [yaw, pitch, zoom, right(yaw) && right(pitch)];
    this.fit();
  }

  // Unit vectors of the picture: right, up, towards the viewer.
  axes() {
    const cp = Math.cos(this.pitch), sp = Math.sin(this.pitch), cy = Math.cos(this.yaw), sy = Math.sin(this.yaw);
    const level = add(mul(this.front, cy), mul(this.right, sy));
    const towards = add(mul(level, cp), mul(this.up, sp));
    const right = sub(mul(this.right, cy), mul(this.front, sy));
    return [right, cross(towards, right), towards];
  }

  // Sees all of the motion.
  fit() {
    const [r, u, t] = this.axes();
    const range = axis => { const d = this.points.map(c => dot(c, axis)); return d.length ? [Math.min(...d), Math.max(...d)] : [-1, 1]; };
    const [x, y, z] = [range(r), range(u), range(t)];
    const mid = v => (v[0] + v[1]) / 2, half = v => (v[1] - v[0]) / 2;
    this.target = add(add(mul(r, mid(x)), mul(u, mid(y))), mul(t, mid(z)));
    // What covers the picture at its left, top and bottom is left free.
    const [left, top, bottom] = this.inset ?? [0, 0, 0], wide = Math.max(this.width - left, 1), high = Math.max(this.height - top - bottom, 1), aspect = wide / high, room = 1.14;
    // Half of the height that is seen at the target.
    this.half = (Math.max(half(y), half(x) / aspect, 1e-9) * room + (this.ortho ? 0 : 0.1 * half(z))) / (this.closer || 1);
    this.depth = Math.max(half(x), half(y), half(z)) * 2 + this.half;
    this.half *= this.height / high;
    const s = this.half / this.height;
    this.target = add(this.target, add(mul(r, -left * s), mul(u, (top - bottom) * s)));
  }

  orbit(dx, dy) {
    this.yaw -= dx * 0.0075;
    this.pitch = Math.min(Math.PI / 2, Math.max(-Math.PI / 2, this.pitch + dy * 0.0075));
  }

  pan(dx, dy) {
    const [r, u] = this.axes(), s = 2 * this.half / this.height;
    this.target = add(this.target, add(mul(r, -dx * s), mul(u, dy * s)));
  }

  // Zooms about a place of the picture.
  zoom(factor, x, y) {
    const [r, u] = this.axes(), s = 2 * this.half / this.height;
    const dx = (x - this.width / 2) * s, dy = (this.height / 2 - y) * s;
    const least = this.depth * 1e-5;
    const half = Math.min(this.depth * 20, Math.max(least, this.half * factor)), f = 1 - half / this.half;
    this.target = add(this.target, add(mul(r, dx * f), mul(u, dy * f)));
    this.half = half;
  }

  // Matrix from the ground to the picture, columns.
  matrix() {
    const [r, u, t] = this.axes(), aspect = this.width / this.height, c = this.target;
    const reach = this.depth * 3 + this.half * 4;
    const distance = this.ortho ? reach : this.half / Math.tan(0.22);
    const near = this.ortho ? 0 : Math.max(distance * 0.02, distance - reach), far = distance + reach;
    this.eye = add(c, mul(t, distance));
    const row = (v, s) => [v[0] * s, v[1] * s, v[2] * s, -dot(v, this.eye) * s];
    const focal = this.ortho ? 1 / this.half : distance / this.half;
    const x = row(r, focal / aspect), y = row(u, focal), z = row(t, 1);
    let depth, w;
    if (this.ortho) {
      depth = z.map(v => -2 / (far - near) * v); depth[3] -= (far + near) / (far - near); w = [0, 0, 0, 1];
    } else {
      depth = z.map(v => -(far + near) / (far - near) * v);
      depth[3] -= 2 * far * near / (far - near);
      w = z.map(v => -v);
    }
    this.m = [];
    for (let k = 0; k < 4; k++) this.m.push(x[k], y[k], depth[k], w[k]);
    return this.m;
  }

  // Place of a ground point in the picture, in pixels, and its depth.
  project(p) {
    const m = this.m, w = m[3] * p[0] + m[7] * p[1] + m[11] * p[2] + m[15];
    const x = (m[0] * p[0] + m[4] * p[1] + m[8] * p[2] + m[12]) / w, y = (m[1] * p[0] + m[5] * p[1] + m[9] * p[2] + m[13]) / w;
    const z = (m[2] * p[0] + m[6] * p[1] + m[10] * p[2] + m[14]) / w;
    return [(x + 1) / 2 * this.width, (1 - y) / 2 * this.height, z, w];
  }
}
