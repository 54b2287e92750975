// The mechanism moved by hand: points drawn with the pointer, drivers led by sliders; and rings that show which joint is meant.
// Spots are places of the ground that are ringed at one time.
const hand = { held: null, drag: null, rings: [], spots: [], near: null };

// Poses of all bodies at the present time: position and Euler parameters.
function posesNow() {
  const [k, f] = motion.place(state.t), next = Math.min(k + 1, motion.count - 1);
  return motion.poses.map(p => p ? p.map(r => { const a = motion.at(r, k); return a + f * (motion.at(r, next) - a); }) : [0, 0, 0, 1, 0, 0, 0]);
}

// Shows a position in place of the motion.
function hold(found) {
  hand.held ||= { poses: motion.poses, motion, t: state.t };
  hand.held.t = state.t;
  motion.poses = found.poses.map((p, k) => k ? p.map(value => ({ value })) : null);
  $('held').querySelector('span').textContent = `By hand: ${found.words}${found.distance > 1e-3 * data.size ? `, ${found.away} away` : ''}`;
  $('held').hidden = false;
  drivers.follow(found.coordinates);
  state.dirty = true;
}
function release() {
  if (!hand.held) return;
  hand.held.motion.poses = hand.held.poses;
  hand.held = null; $('held').hidden = true; state.dirty = true;
}
$('release').onclick = release;

// What can be drawn: named points and joint points of moving bodies.
function handles() {
  const list = data.points.map(p => ({ body: p.body, at: p.at, name: p.name }));
  data.joints.forEach(j => [0, 1].forEach(side => j.bodies[side] && list.push({ body: j.bodies[side], at: j.at[side], name: j.name })));
  return list.filter(h => h.body > 0);
}
function nearest(x, y, reach) {
  let best = null;
  for (const h of handles()) {
    const [px, py, , w] = camera.project(carry(drawing.frames, h.body, h.at)), d = Math.hypot(px - x, py - y);
    if (w > 0 && d < reach && (!best || d < best.d)) best = { ...h, d };
  }
  return best;
}

const drawing_to = new Latest(async (handle, to) => {
  try { hold(await ask('pose', { ...studio.given(), t: state.t, poses: posesNow(), point: { body: handle.body, at: handle.at, to } })); }
  catch (error) { if (error.name !== 'AbortError') studio.say(error.message); }
});
const leading = new Latest(async values => {
  try { hold(await ask('pose', { ...studio.given(), t: state.t, poses: posesNow(), drive: values })); }
  catch (error) { studio.say(error.message); }
});

page.grab = e => {
  if (e.button || e.shiftKey || !data) return false;
  const handle = nearest(e.offsetX, e.offsetY, e.pointerType === 'touch' ? 26 : 16);
  if (!handle) return false;
  play(false);
  picture.setPointerCapture(e.pointerId);
  hand.drag = { id: e.pointerId, handle };
  return true;
};
picture.addEventListener('pointermove', e => {
  if (!data) return;
  if (!hand.drag || hand.drag.id !== e.pointerId) {
    if (!e.buttons) { const near = nearest(e.offsetX, e.offsetY, 16); if (near?.name !== hand.near?.name) { hand.near = near; picture.style.cursor = near ? 'move' : ''; placeRings(); } }
    return;
  }
  // The point goes with the pointer in a plane parallel to the picture.
  const { handle } = hand.drag, p = carry(drawing.frames, handle.body, handle.at), [px, py, , w] = camera.project(p), [r, u] = camera.axes();
  const s = 2 * camera.half / camera.height * (camera.ortho ? 1 : w * Math.tan(0.22) / camera.half);
  drawing_to.ask(handle, add(p, add(mul(r, (e.offsetX - px) * s), mul(u, (py - e.offsetY) * s))));
});
for (const kind of ['pointerup', 'pointercancel']) picture.addEventListener(kind, e => { if (hand.drag?.id === e.pointerId) hand.drag = null; });

// Rings about joints by name.
function ring(names) { hand.rings = names; placeRings(); }
function placeRings() {
  if (!data) return;
  const joints = data.joints.filter(j => hand.rings.includes(j.name)).map(j => [j.bodies[1], j.at[1], 'ring']);
  hand.spots.filter(s => s.t === state.t && !hand.held).forEach(({ at }) => joints.push([0, at, 'ring close']));
  if (hand.near) joints.push([hand.near.body, hand.near.at, 'ring hover']);
  while ($('rings').children.length > joints.length) $('rings').lastChild.remove();
  joints.forEach(([body, at, className], k) => {
    const e = $('rings').children[k] || $('rings').appendChild(element('div')), [x, y] = camera.project(carry(drawing.frames, body, at));
    e.className = className; e.style.left = `${x}px`; e.style.top = `${y}px`;
  });
}
page.drawn = () => {
  // The motion goes on from where it was once time does.
  if (hand.held && (hand.held.motion !== motion || state.t !== hand.held.t)) { release(); }
  placeRings();
};
