// Draws on a plain canvas where no graphics card would draw: faint lines, solids as pixels, bright lines over them.
class Plain {
  constructor(canvas, drawing) {
    this.context = canvas.getContext('2d'); this.solids = new Raster(); this.backdrop = document.createElement('canvas');
    this.take(drawing);
  }

  take(drawing) { this.drawing = drawing; this.solids.take(drawing); this.setLines([]); }

  // Faint lines lie in the ground: they are a picture of their own while the camera stays.
  setLines(lines) { this.faint = lines.filter(l => l[3] < 0.5 && l[5] === 0); this.bright = lines.filter(l => l[3] >= 0.5 || l[5]); this.kept = null; }

  draw(camera, show, dark, ratio) {
    const { context: pen, backdrop } = this, { width, height } = pen.canvas, key = [width, height, ...camera.matrix()].join();
    if (this.kept !== key) {
      this.kept = key;
      backdrop.width = width; backdrop.height = height;
      // Their order does not matter: what looks alike is drawn together.
      const alike = new Map();
      for (const [a, b, c, alpha, width, frame] of this.faint) { const light = Math.round(100 * alpha) / 100, key = `${c} ${light} ${width}`; alike.has(key) || alike.set(key, []); alike.get(key).push([a, b, c, light, width, frame]); }
      this.stroke(backdrop.getContext('2d'), camera, ratio, [...alike.values()].flat());
    }
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, width, height);
    if (this.faint.length) pen.drawImage(backdrop, 0, 0);
    this.solids.draw(pen, camera, show, dark, ratio);
    this.stroke(pen, camera, ratio, this.bright);
  }

  // Lines that look alike and go on from each other are one stroke.
  stroke(pen, camera, ratio, lines) {
    const { frames } = this.drawing;
    let style = '', last = null;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    for (const [a, b, c, alpha, width, frame] of lines) {
      const now = `rgb(${c[0]} ${c[1]} ${c[2]} / ${alpha}) ${width}`;
      if (now !== style) {
        if (style) pen.stroke();
        style = now; pen.strokeStyle = now.slice(0, now.lastIndexOf(' ')); pen.lineWidth = width; pen.beginPath();
      }
      if (a !== last) pen.moveTo(...camera.project(carry(frames, frame, a)));
      pen.lineTo(...camera.project(carry(frames, frame, b)));
      last = b;
    }
    if (style) pen.stroke();
  }
}
