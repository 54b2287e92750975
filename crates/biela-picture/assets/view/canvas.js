// Draws on a plain canvas where there is no WebGL: triangles from the farthest to the nearest.
class Plain {
  constructor(canvas, drawing) {
    this.context = canvas.getContext('2d'); this.take(drawing);
  }

  take(drawing) {
    this.drawing = drawing; this.list = [];
    this.places = new Float32Array(drawing.points.length); this.normals = new Float32Array(drawing.points.length);
  }

  setLines(lines) { this.list = lines; }

  draw(camera, show, dark, ratio) {
    const { context: pen, drawing: d } = this, { points, owners, frames, colours, triangles } = d;
    camera.matrix();
    const [right, up, towards] = camera.axes(), key = unit(add(add(mul(towards, 0.75), mul(up, 0.8)), mul(right, -0.55)));
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, camera.width, camera.height);
    const world = new Array(points.length / 3);
    const at = k => world[k] ??= carry(frames, owners[k], [points[3 * k], points[3 * k + 1], points[3 * k + 2]]);
    const line = ([a, b, c, alpha, width, frame]) => {
      const [p, q] = [a, b].map(v => camera.project(carry(frames, frame, v)));
      pen.strokeStyle = `rgb(${c[0]} ${c[1]} ${c[2]} / ${alpha})`; pen.lineWidth = width;
      pen.beginPath(); pen.moveTo(p[0], p[1]); pen.lineTo(q[0], q[1]); pen.stroke();
    };
    this.list.filter(l => l[3] < 0.5).forEach(line);
    const faces = [];
    for (const [start, end] of d.ranges(show)) for (let k = start; k < end; k += 3) {
      const corners = [at(triangles[k]), at(triangles[k + 1]), at(triangles[k + 2])];
      const n = cross(sub(corners[1], corners[0]), sub(corners[2], corners[0])), l = norm(n);
      if (!(l > 0) || (camera.ortho ? dot(n, towards) : dot(n, sub(camera.eye, corners[0]))) <= 0) continue;
      const seen = corners.map(c => camera.project(c));
      faces.push([seen[0][2] + seen[1][2] + seen[2][2], seen, 0.56 + 0.46 * Math.max(0, dot(n, key) / l), triangles[k] * 3]);
    }
    faces.sort((a, b) => b[0] - a[0]);
    for (const [, s, light, c] of faces) {
      const fill = css([0, 1, 2].map(i => Math.min(255, Math.round(colours[c + i] * light))));
      pen.fillStyle = fill; pen.strokeStyle = fill; pen.lineWidth = 0.7;
      pen.beginPath(); pen.moveTo(s[0][0], s[0][1]); pen.lineTo(s[1][0], s[1][1]); pen.lineTo(s[2][0], s[2][1]); pen.closePath();
      pen.fill(); pen.stroke();
    }
    this.list.filter(l => l[3] >= 0.5).forEach(line);
  }
}
