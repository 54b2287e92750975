// Names over the picture, moved apart where they would cover each other.
class Labels {
  constructor(canvas, drawing) { this.context = canvas.getContext('2d'); this.drawing = drawing; this.linkage = new Linkage(drawing); }

  draw(camera, show, dark, ratio, t) {
    const { context: pen, drawing } = this, { data, frames } = drawing;
    // Without names only the camera moves what is written here.
    const names = show.names && show.bodies !== false, key = names || show.centres || show.inflection ? '' : [show.axes, show.grid, dark, ratio, camera.width, camera.height, ...camera.m].join();
    if (key && key === this.key) return;
    this.key = key;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, camera.width, camera.height);
    // Names keep clear of the buttons over the picture.
    const taken = [...state.covered], font = 'system-ui, "Segoe UI", Roboto, Arial, sans-serif';
    const text = (words, p, colour, weight, size, near) => {
      const [x, y, , w] = camera.project(p);
      if (!(w > 0) || x < 0 || y < 0 || x > camera.width || y > camera.height) return;
      pen.font = `${weight} ${size}px ${font}`;
      const width = pen.measureText(words).width, height = size;
      // Places around the point, the nearest first.
      for (const [i, j] of [[0, 1], [1, 0.4], [-1, 0.4], [0, -1], [1, 1], [-1, 1], [1, -1], [-1, -1], [0, 2], [0, -2]]) {
        const bx = x + i * (near + width / 2) - width / 2, by = y - j * (near + height / 2) - height / 2;
        const box = [bx - 2, by - 1, bx + width + 2, by + height + 1];
        if (box[0] < 0 || box[2] > camera.width || box[1] < 0 || box[3] > camera.height) continue;
        if (taken.some(b => b[0] < box[2] && box[0] < b[2] && b[1] < box[3] && box[1] < b[3])) continue;
        taken.push(box);
        pen.lineJoin = 'round'; pen.lineWidth = 3.5; pen.strokeStyle = dark ? 'rgb(20 24 29 / .85)' : 'rgb(255 255 255 / .9)';
        pen.textBaseline = 'top';
        pen.strokeText(words, bx, by); pen.fillStyle = colour; pen.fillText(words, bx, by);
        return;
      }
    };
    if (show.axes) {
      const l = Math.max(0.14 * data.size, 6 * data.thickness) * 1.08;
      [[1, 0, 0], [0, 1, 0], [0, 0, 1]].forEach((a, k) => {
        if (Math.abs(dot(a, camera.axes()[2])) < 0.98) text('xyz'[k], mul(a, l), css(AXES[k]), 700, 13, 2);
      });
    }
    this.linkage.draw(pen, camera, show, dark, t, text);
    if (show.grid) this.scale(pen, camera, dark, taken, font);
    if (!names) return;
    const scale = camera.height / (2 * camera.half), near = Math.min(26, Math.max(5, 1.5 * data.thickness * scale));
    const ink = dark ? '#e6ebf0' : '#1d242c';
    const many = data.bodies.length > 60;
    data.bodies.forEach((b, k) => {
      if (!k || (many && taken.length > 40)) return;
      const tone = dark ? b.colour.map(c => Math.round(c * 0.6 + 102)) : b.colour.map(c => Math.round(c * 0.72));
      text(b.name, carry(frames, k, b.label), css(tone), 650, 13, near);
    });
    data.joints.forEach(j => { if (!many || taken.length < 60) text(j.name, carry(frames, j.bodies[1], j.at[1]), ink, 400, 12, near); });
  }

  // Figures along two rows of the grid, and how far its lines are apart.
  scale(pen, camera, dark, taken, font) {
    const { drawing } = this, { data } = drawing, { unit, step, ratio } = drawing.grid(camera), { list, across, along, m } = drawing.gridFigures(camera);
    const flat = data.planar && Math.abs(dot(camera.axes()[2], data.front)) > 0.999, covered = camera.inset ?? [0, 0];
    pen.font = `11px ${font}`; pen.textBaseline = 'middle'; pen.textAlign = 'center';
    pen.fillStyle = dark ? 'rgb(230 235 240 / .62)' : 'rgb(29 36 44 / .62)';
    // Of the two rows beside the middle, that which is nearer to the viewer: what stands on the floor does not hide it.
    const side = Math.round(0.5 * m), low = k => camera.project(k)[1];
    const row = [true, false].map(first => { const one = list.find(([k, f]) => f === first && k === (first ? along : across)), mid = first ? across : along; return one && low(one[2](mid + side)) > low(one[2](mid - side)) ? mid + side : mid - side; });
    for (const [k, first, place, words] of list) {
      if (!flat && Math.abs(k - (first ? along : across)) > side) continue;
      let [px, py, , w] = camera.project(place(row[first ? 0 : 1]));
      // Straight on, figures stand at the edges like those of a ruler.
      if (flat) { if (first) py = camera.height - 9; else px = 6 + covered[0] + pen.measureText(words).width / 2; }
      const half = pen.measureText(words).width / 2 + 4, box = [px - half, py - 7, px + half, py + 7];
      // The buttons for the views stand there.
      if (flat && !first && (py < Math.max(54, covered[1]) || covered[2] && py > camera.height - covered[2] - 50)) continue;
      if (!(w > 0) || box[0] < 0 || box[1] < 0 || box[2] > camera.width || box[3] > camera.height) continue;
      if (taken.some(b => b[0] < box[2] && box[0] < b[2] && b[1] < box[3] && box[1] < b[3])) continue;
      taken.push(box);
      pen.fillText(words, px, py);
    }
    pen.textAlign = 'right';
    pen.fillText(`grid ${shown(step * ratio)} ${unit}`, camera.width - 10, camera.height - (flat ? 24 : 10));
    pen.textAlign = 'left';
  }
}
