// Puts the page together: picture, playback, toggles, plots, keys and touch.
const $ = id => document.getElementById(id);
const picture = $('picture');
let data, motion, drawing, camera, labels, renderer = null, rendererName = 'webgl2', length = 0, panels = [];
const show = { names: true, axes: true, grid: true, shadow: true, frames: false, joints: false, traces: false, onion: false, centres: false, poles: false, inflection: false, velocity: false, acceleration: false, reaction: false, effort: false };
const state = { t: 0, playing: false, loop: true, speed: 1, last: 0, dirty: true, lines: true, covered: [] };
const chosen = new Set();

// Takes a scene with its motion. Camera, time, switches and plots stay as they were where there was one before; `brief` is one of many while a
// hand moves something, which has the signals that are looked at alone: what is written about it waits for the last of them.
function load(given, moving, brief = false) {
  const before = camera, traced = new Set([...chosen].map(k => data.points[k].name)), same = data && data.name === given.name, many = given.bodies.length >= 60;
  data = given; motion = moving || new Motion(data); drawing = new Drawing(data, motion, drawing); camera = new Camera(data); labels = new Labels($('overlay'), drawing);
  drawing.update(motion.start, {});
  if (renderer) renderer.take(drawing); else startRenderer();
  if (before) {
    camera.width = before.width; camera.height = before.height; camera.paper = before.paper; camera.inset = before.inset;
    if (same) { camera.yaw = before.yaw; camera.pitch = before.pitch; camera.ortho = before.ortho; }
    camera.fit();
    if (same && state.touched) { camera.target = before.target; camera.half = before.half; }
  }
  if (!same) { show.names = data.bodies.length < 10; show.shadow = show.grid && !many; traced.clear(); state.touched = false; }
  chosen.clear();
  if (traced.size) data.points.forEach((p, k) => traced.has(p.name) && chosen.add(k)); else farthest();
  if (!before && data.look) wear(data.look);
  length = motion.end - motion.start;
  state.t = same ? Math.min(motion.end, Math.max(motion.start, state.t)) : motion.start;
  setSpeeds();
  if (brief) legend(); else setToggles();
  // The time line goes on to the end that was asked for; what was not reached is red.
  const asked = data.ended ? Math.max(data.ended.asked, motion.end) : motion.end, reached = asked > motion.start ? (motion.end - motion.start) / (asked - motion.start) : 1;
  $('scrub').min = motion.start; $('scrub').max = asked;
  $('stop').hidden = $('ended').hidden = !data.ended;
  $('stop').style.left = `${100 * Math.min(0.985, reached)}%`; $('stop').title = $('ended').textContent = data.ended ? data.ended.words : '';
  $('name').textContent = data.name; $('about').textContent = data.about; $('about').title = data.about;
  if (!brief) $('untold').textContent = data.untold ? `${data.untold} more signals are left out of this page to keep it small; biela run -o writes them all.` : '';
  if (!brief) $('names').replaceChildren(...motion.signals.slice(0, 4000).map(s => new Option(s.name)));
  // Plots of signals that are there no more make room for those that tell most.
  const kept = panels.filter(p => brief || same && motion.count === 1 || motion.names.has(p.input.value));
  panels.filter(p => !kept.includes(p)).forEach(p => p.root.remove());
  panels = kept;
  panels.forEach(p => { p.motion = motion; p.choose(p.input.value); });
  if (!panels.length) data.plots.filter(name => motion.names.has(name)).forEach(addPlot);
  if (!page.studio) handle(data, motion, frames => { seeAll(frames); state.dirty = state.lines = true; });
  state.dirty = state.lines = true;
  if (!before) { setTheme(dark); resize(); requestAnimationFrame(frame); }
}
// What the page was asked to show first.
function wear(look) {
  show.names = show.names || look.names; show.grid = look.grid; show.shadow = show.shadow && look.grid;
  look.arrows.forEach(kind => { show[kind] = true; });
  if (look.traces.length) { show.traces = true; chosen.clear(); look.traces.forEach(k => chosen.add(k)); }
  if (look.dark) dark = true;
  if (look.view) camera.lookFrom(look.view);
}
// What is moved by hand stays in the picture, unless the camera was moved by hand too.
function seeAll(frames) {
  if (state.touched || camera.width === 1) return;
  camera.matrix();
  const points = [...data.points.map(p => carry(frames, p.body, p.at)), ...data.joints.map(j => carry(frames, j.bodies[1], j.at[1]))];
  const out = points.filter(p => { const [x, y] = camera.project(p); return x < 24 || y < 24 || x > camera.width - 24 || y > camera.height - 24; });
  if (out.length) { data.outermost.push(...out); camera.fit(); }
}
// Where the processor would have to do a graphics card's work, a plain canvas is the quicker one. `#plain` and `#webgl` in the address ask for one of them.
function startRenderer() {
  const asked = new URLSearchParams(location.hash.slice(1));
  try { if (!asked.has('plain') && (asked.has('webgl') || WebGL.quick())) renderer = WebGL.make(picture, drawing); } catch (error) { console.warn(error.message); }
  if (!renderer) { renderer = new Plain(picture, drawing); rendererName = 'canvas'; }
}
// Traces of the points that travel farthest, to begin with.
function farthest() {
  data.points.map((p, k) => {
    let way = 0, last = null;
    for (let i = 0; i < motion.count; i += Math.max(1, Math.floor(motion.count / 40))) { const q = motion.point(p.body, p.at, i); if (last) way += norm(sub(q, last)); last = q; }
    return [way, k];
  }).filter(([way]) => way > 1e-6 * data.size).sort((a, b) => b[0] - a[0]).slice(0, 3).forEach(([, k]) => chosen.add(k));
}

// Theme: what the system asks for, until the button is pressed.
const system = matchMedia('(prefers-color-scheme: dark)');
let dark = system.matches;
function setTheme(on) { dark = on; document.documentElement.classList.toggle('dark', on); state.dirty = state.lines = true; }
system.addEventListener('change', e => setTheme(e.matches));
$('theme').onclick = () => setTheme(!dark);
const style = () => { const s = getComputedStyle(document.documentElement), v = n => s.getPropertyValue(n).trim(); return { ink: v('--ink'), soft: v('--soft'), line: v('--line'), accent: v('--accent') }; };

// Playback.
const speeds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];
function setSpeeds() {
  for (const id of ['play', 'loop', 'scrub']) $(id).disabled = !(length > 0);
  // A position alone leaves the speed as it was.
  if (!(length > 0)) return play(false);
  const wanted = length < 2 ? length / 5 : length > 20 ? length / 10 : 1;
  if (state.wanted === wanted) return;
  state.wanted = wanted;
  state.speed = speeds.reduce((a, b) => Math.abs(Math.log(b / wanted)) < Math.abs(Math.log(a / wanted)) ? b : a);
  $('speed').replaceChildren(...speeds.filter(s => s >= state.speed / 20 && s <= state.speed * 20 || s === 1).map(s => new Option(`${s}×`, s)));
  $('speed').value = state.speed;
}
$('speed').onchange = () => { state.speed = +$('speed').value; };
function play(on) {
  state.playing = on && length > 0; state.last = 0;
  if (state.playing && state.t >= motion.end) state.t = motion.start;
  $('play').textContent = state.playing ? '❚❚' : '▶'; $('play').setAttribute('aria-label', state.playing ? 'Pause' : 'Play');
}
function seek(t) { state.t = Math.min(motion.end, Math.max(motion.start, t)); state.dirty = true; }
function step(count) { play(false); const [k, f] = motion.place(state.t); const i = Math.round(k + f) + count; seek(motion.times[Math.min(motion.count - 1, Math.max(0, i))]); }
$('play').onclick = () => play(!state.playing);
$('loop').onclick = () => { state.loop = !state.loop; $('loop').setAttribute('aria-pressed', state.loop); };
$('scrub').oninput = () => { play(false); seek(+$('scrub').value); };

// Toggles; what the data does not hold cannot be switched on.
const toggles = [['names', 'Names'], ['frames', 'Frames'], ['joints', 'Joint axes'], ['traces', 'Traces'], ['onion', 'Onion skin'], ['centres', 'Centres'], ['poles', 'Pole curves'], ['inflection', 'Inflection'], ['velocity', 'Velocity'], ['acceleration', 'Acceleration'], ['reaction', 'Reactions'], ['effort', 'Efforts'], ['grid', 'Grid']];
function setToggles() {
  $('toggles').replaceChildren();
  for (const [key, words] of toggles) {
    // What linkages in a plane alone have.
    if (['centres', 'poles', 'inflection'].includes(key) && !labels.linkage.centres.some(c => key === 'centres' || c.rows && !c.bodies[0])) continue;
    const button = document.createElement('button');
    button.textContent = words; button.id = `show-${key}`;
    const there = key === 'onion' ? motion.count > 1 : !(key in drawing.arrows) || drawing.arrows[key].units.length > 0;
    button.disabled = !there;
    if (!there) button.title = 'this run tells none';
    const press = () => button.setAttribute('aria-pressed', show[key]);
    button.onclick = () => { show[key] = !show[key]; if (key === 'grid') show.shadow = show.grid && data.bodies.length < 60; press(); state.dirty = state.lines = true; legend(); };
    press();
    $('toggles').append(button);
    if (key === 'traces') $('toggles').append(traceMenu());
  }
  legend();
}
function traceMenu() {
  const menu = document.createElement('details'), summary = document.createElement('summary'), list = document.createElement('div');
  summary.textContent = 'Points ▾'; summary.setAttribute('aria-label', 'Points to trace');
  data.points.slice(0, 300).forEach((p, k) => {
    const label = document.createElement('label'), box = document.createElement('input');
    box.type = 'checkbox'; box.checked = chosen.has(k);
    box.onchange = () => { box.checked ? chosen.add(k) : chosen.delete(k); show.traces = true; $('show-traces').setAttribute('aria-pressed', true); state.dirty = state.lines = true; };
    label.append(box, ` ${p.name}`); list.append(label);
  });
  menu.append(summary, list);
  return menu;
}
document.addEventListener('pointerdown', e => { for (const menu of document.querySelectorAll('#toggles details')) if (!menu.contains(e.target)) menu.open = false; });
function legend() {
  $('legend').replaceChildren(...Object.entries(drawing.arrows).filter(([kind]) => show[kind]).flatMap(([kind, g]) => g.units.map(([most, unit]) => {
    const row = document.createElement('div'), mark = document.createElement('i');
    mark.style.background = css(KINDS[kind].colour);
    row.append(mark, `${KINDS[kind].label}, at most ${shown(most)} ${unit}`);
    return row;
  })));
}

// Plots.
const addPlot = name => panels.push(new PlotPanel($('plots'), motion, name, t => { play(false); seek(t); }, gone => { if (gone) panels = panels.filter(p => p !== gone); state.dirty = true; }));
$('add').onclick = () => { const used = new Set(panels.map(p => p.input.value)); addPlot((motion.signals.find(s => !used.has(s.name)) || motion.signals[0] || { name: '' }).name); panels[panels.length - 1].input.focus(); state.dirty = true; };

// Camera by mouse, touch and buttons.
const look = view => { if (view === 'fit') { camera.closer = 1; camera.fit(); } else camera.look(view); state.dirty = true; };
for (const button of document.querySelectorAll('#views button')) button.onclick = () => look(button.dataset.view);
const fingers = new Map();
picture.onpointerdown = e => { if (page.grab?.(e)) return; picture.setPointerCapture(e.pointerId); fingers.set(e.pointerId, [e.offsetX, e.offsetY]); };
picture.onpointerup = picture.onpointercancel = e => fingers.delete(e.pointerId);
picture.oncontextmenu = e => e.preventDefault();
picture.onpointermove = e => {
  const before = fingers.get(e.pointerId);
  if (!before) return;
  const now = [e.offsetX, e.offsetY], dx = now[0] - before[0], dy = now[1] - before[1];
  if (fingers.size === 1) {
    // In the studio a plane that is seen straight on is paper: it is moved, and turned by the other buttons.
    const paper = !!page.studio && data.planar && camera.ortho && !camera.yaw && !camera.pitch;
    if (paper !== (e.shiftKey || (e.buttons & 6) > 0)) camera.pan(dx, dy); else camera.orbit(dx, dy);
  } else {
    // Two fingers: their distance zooms, their middle pans.
    const other = [...fingers].find(([id]) => id !== e.pointerId)[1], wide = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
    camera.pan(dx / 2, dy / 2);
    camera.zoom(wide(before, other) / Math.max(1, wide(now, other)), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
  }
  fingers.set(e.pointerId, now); state.dirty = true;
};
picture.addEventListener('wheel', e => { e.preventDefault(); camera.zoom(Math.exp(Math.sign(e.deltaY) * Math.min(0.25, Math.abs(e.deltaY) * 0.0015)), e.offsetX, e.offsetY); state.dirty = true; }, { passive: false });
picture.ondblclick = () => look('fit');

const keys = { ' ': () => play(!state.playing), ArrowRight: () => step(1), ArrowLeft: () => step(-1), ArrowUp: () => step(10), ArrowDown: () => step(-10), Home: () => { play(false); seek(motion.start); }, End: () => { play(false); seek(motion.end); }, f: () => look('fit'), 1: () => look('front'), 2: () => look('top'), 3: () => look('side'), 4: () => look('iso') };
addEventListener('keydown', e => {
  const writing = ['INPUT', 'SELECT', 'TEXTAREA'].includes(e.target.tagName) && e.target.id !== 'scrub';
  if (!data || writing || e.ctrlKey || e.altKey || e.metaKey || !keys[e.key]) return;
  if (e.key === ' ' && e.target.tagName === 'BUTTON') e.target.blur();
  e.preventDefault(); keys[e.key]();
});

// The picture takes the room it has.
function resize() {
  const box = $('stage').getBoundingClientRect(), ratio = Math.min(2, devicePixelRatio || 1);
  if (!data || !box.width || !box.height) return;
  for (const canvas of [picture, $('overlay')]) { canvas.width = Math.round(box.width * ratio); canvas.height = Math.round(box.height * ratio); }
  state.covered = ['views', 'modes'].map($).filter(e => e?.offsetParent).map(e => [e.offsetLeft, e.offsetTop, e.offsetLeft + e.offsetWidth, e.offsetTop + e.offsetHeight]);
  const first = camera.width === 1;
  camera.width = box.width; camera.height = box.height; state.ratio = ratio;
  if (first || !state.touched) camera.fit();
  // A canvas that takes a size is empty.
  labels.key = null; state.dirty = true;
}
new ResizeObserver(resize).observe($('stage'));
picture.addEventListener('pointerdown', () => { state.touched = true; });

// Frames per second over the last second of playing.
const beats = [];
function frame(now) {
  requestAnimationFrame(frame);
  if (state.playing) {
    if (state.last) {
      state.t += (now - state.last) / 1000 * state.speed;
      if (state.t > motion.end) { if (state.loop) state.t = motion.start + (state.t - motion.start) % length; else { state.t = motion.end; play(false); } }
    }
    state.last = now; state.dirty = true;
    beats.push(now);
    while (beats.length && now - beats[0] > 1000) beats.shift();
    page.fps = beats.length > 1 ? (beats.length - 1) / (now - beats[0]) * 1000 : 0;
  }
  if (state.dirty && camera.width > 1) draw();
}
function draw() {
  state.dirty = false;
  drawing.update(state.t, show);
  // Lines of the grid follow the camera where it comes near.
  const mesh = show.grid && drawing.floor ? Object.values(drawing.grid(camera)).join() : '';
  if (state.lines || mesh !== state.mesh) { state.lines = false; state.mesh = mesh; renderer.setLines(drawing.lines(show, chosen, dark, camera).concat(show.poles ? labels.linkage.lines() : [])); state.style = style(); }
  renderer.draw(camera, show, dark, state.ratio);
  labels.draw(camera, show, dark, state.ratio, state.t);
  page.drawn?.();
  panels.forEach(p => p.measure()); panels.forEach(p => p.draw(state.t, state.style));
  $('scrub').value = state.t;
  const told = `${shown(state.t * motion.time.ratio)} ${motion.time.unit}`;
  $('time').textContent = told; $('scrub').setAttribute('aria-valuetext', told);
  page.t = state.t; page.frames++;
}
const page = window.__biela = {
  fps: 0, frames: 0, t: 0, play, seek, look, draw, load, show, state, panels: () => panels,
  get renderer() { return rendererName; }, get data() { return data; }, get motion() { return motion; }, get drawing() { return drawing; }, get camera() { return camera; },
};
if ($('data')) {
  const own = JSON.parse($('data').textContent);
  load(own);
  vary(own.varied, own, load);
}
