// Instant centres, pole curves and inflection circles of a planar linkage.
class Linkage {
  constructor(drawing) {
    const { data, motion } = this.drawing = drawing;
    this.centres = (data.centres || []).map(c => ({ ...c, rows: c.at && c.at.map(r => motion.row(r)) }));
    this.circles = (data.circles || []).map(c => ({ ...c, rows: c.at.map(r => motion.row(r)) }));
    this.right = unit(cross(data.up, data.front));
  }

  // A place at a time; none where it is at infinity on the way.
  spot(rows, t) {
    const { motion, data } = this.drawing, [k, f] = motion.place(t), next = Math.min(k + 1, motion.count - 1);
    const a = rows.map(r => motion.at(r, k)), b = rows.map(r => motion.at(r, next));
    if (!(a.every(Number.isFinite) && b.every(Number.isFinite)) || norm(sub(a, b)) > 4 * data.size) return null;
    return add(mul(a, 1 - f), mul(b, f));
  }

  at(centre, t) {
    const { data, frames } = this.drawing;
    if (centre.rows) return this.spot(centre.rows, t);
    const joint = data.joints[centre.joint];
    return carry(frames, joint.bodies[1], joint.at[1]);
  }

  // Marks over the picture, with a way to write beside them.
  draw(pen, camera, show, dark, t, text) {
    const { data } = this.drawing, colour = dark ? 'rgb(255 128 138)' : 'rgb(178 24 43)';
    if (show.inflection) for (const circle of this.circles) {
      const pole = this.at(this.centres[circle.centre], t), opposite = this.spot(circle.rows, t);
      if (!pole || !opposite) continue;
      const middle = mul(add(pole, opposite), 0.5), radius = norm(sub(opposite, pole)) / 2, tone = data.bodies[circle.body].colour;
      pen.strokeStyle = css(dark ? tone.map(c => Math.round(c * 0.6 + 102)) : tone); pen.lineWidth = 1.8;
      pen.beginPath();
      for (let k = 0; k <= 360; k++) {
        const [c, s] = [Math.cos(k * Math.PI / 180), Math.sin(k * Math.PI / 180)];
        const [x, y] = camera.project(add(middle, add(mul(this.right, radius * c), mul(data.up, radius * s))));
        k ? pen.lineTo(x, y) : pen.moveTo(x, y);
      }
      pen.stroke();
      this.dot(pen, camera, opposite, pen.strokeStyle, dark);
      text('inflection pole', opposite, pen.strokeStyle, 500, 12, 5);
    }
    if (show.centres) for (const centre of this.centres) {
      const p = this.at(centre, t);
      if (!p) continue;
      this.dot(pen, camera, p, colour, dark);
      if (centre.rows) text(centre.bodies.map(b => data.bodies[b].name).join(' · '), p, colour, 600, 12, 5);
    }
  }

  dot(pen, camera, p, colour, dark) {
    const [x, y] = camera.project(p);
    pen.beginPath(); pen.arc(x, y, 4, 0, 7); pen.fillStyle = colour; pen.fill();
    pen.strokeStyle = dark ? '#14181d' : '#ffffff'; pen.lineWidth = 1.2; pen.stroke();
    pen.strokeStyle = colour;
  }

  // Pole curves as lines of their bodies' frames: the fixed one in the ground, the moving one in the body.
  lines() {
    const { data, motion } = this.drawing, out = [], one = new Float64Array(12), lift = mul(data.front, 1.2 * data.lift);
    const step = Math.max(1, Math.floor(motion.count / 2000)), far = 6 * data.size, origin = data.outermost[0] || [0, 0, 0];
    for (const { rows, bodies: [a, b] } of this.centres) {
      if (a || !rows) continue;
      let last = null;
      for (let k = 0; k < motion.count; k += step) {
        const p = rows.map(r => motion.at(r, k)), q = motion.poses[b].map(r => motion.at(r, k));
        const seen = p.every(Number.isFinite) && norm(sub(p, origin)) < far;
        if (!seen) { last = null; continue; }
        const s = 1 / Math.hypot(q[3], q[4], q[5], q[6]);
        writePose(one, 0, q[0], q[1], q[2], q[3] * s, q[4] * s, q[5] * s, q[6] * s);
        const fixed = add(p, lift), d = sub(fixed, [one[9], one[10], one[11]]);
        const moving = [0, 3, 6].map(i => dot(d, [one[i], one[i + 1], one[i + 2]]));
        if (last && norm(sub(fixed, last[0])) < data.size) {
          out.push([last[0], fixed, data.bodies[b].colour, 1, 2.2, 0], [last[1], moving, data.bodies[b].colour, 0.6, 2.2, b]);
        }
        last = [fixed, moving];
      }
    }
    return out;
  }
}
