// Vectors are arrays of three, matrices of the camera are columns of sixteen.
const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const mul = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const norm = a => Math.hypot(a[0], a[1], a[2]);
const unit = a => { const l = norm(a); return l > 0 ? mul(a, 1 / l) : [0, 0, 1]; };
const perpendicular = a => unit(cross(a, Math.abs(a[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0]));

// Writes the columns of a rotation by Euler parameters and a position: twelve numbers from `at` on.
function writePose(out, at, x, y, z, e0, e1, e2, e3) {
  out[at] = 1 - 2 * (e2 * e2 + e3 * e3); out[at + 1] = 2 * (e1 * e2 + e0 * e3); out[at + 2] = 2 * (e1 * e3 - e0 * e2);
  out[at + 3] = 2 * (e1 * e2 - e0 * e3); out[at + 4] = 1 - 2 * (e1 * e1 + e3 * e3); out[at + 5] = 2 * (e2 * e3 + e0 * e1);
  out[at + 6] = 2 * (e1 * e3 + e0 * e2); out[at + 7] = 2 * (e2 * e3 - e0 * e1); out[at + 8] = 1 - 2 * (e1 * e1 + e2 * e2);
  out[at + 9] = x; out[at + 10] = y; out[at + 11] = z;
}

// Point (w = 1) or direction (w = 0) `p` of frame `body` in the ground.
function carry(frames, body, p, w = 1) {
  const m = frames, k = 12 * body;
  return [
    m[k] * p[0] + m[k + 3] * p[1] + m[k + 6] * p[2] + w * m[k + 9],
    m[k + 1] * p[0] + m[k + 4] * p[1] + m[k + 7] * p[2] + w * m[k + 10],
    m[k + 2] * p[0] + m[k + 5] * p[1] + m[k + 8] * p[2] + w * m[k + 11],
  ];
}

// Number for people: up to four digits that matter.
function shown(x) {
  if (!Number.isFinite(x)) return '–';
  const a = Math.abs(x);
  if (a !== 0 && (a < 1e-3 || a >= 1e5)) return x.toExponential(2).replace(/\.?0+e/, 'e').replace('e+', 'e').replaceAll('-', '−');
  return String(+x.toPrecision(4)).replace('-', '−');
}

// Colours are red, green, blue of 0 to 255.
const css = c => `rgb(${c[0]} ${c[1]} ${c[2]})`;
