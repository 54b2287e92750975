// What the studio finds for a person: a mechanism that follows a sketched path, natural modes that swing, sweeps that several workers share, what
// changes while a point is dragged, and a motion that ends early.
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './chromium.mjs';
import { pause, studio } from './person.mjs';

const EMPTY = 'name    = "drawing"\nplanar  = true\ngravity = [0, -9.81]\n';
const { sit, stop, folder } = await studio(process.argv.slice(2), 'studies', EMPTY), biela = process.argv[2];
const write = async (p, text) => { await p.tab.run(`(() => { const t = document.getElementById('text'); t.value = ${JSON.stringify(text)}; t.dispatchEvent(new Event('input')); })()`); await p.settle(); };
const says = (p, id) => p.tab.run(`document.getElementById(${JSON.stringify(id)}).textContent`);
const fourBar = async p => {
  await p.take('link'); await p.drag([0, 0], [0, 1]); await p.drag([0, 1], [3, 2]); await p.drag([3, 2], [3, 0]);
  await p.take('ground'); await p.click([3, 0]);
  await p.take('motor'); await p.click([0, 0]);
  await p.take('trace'); await p.drag([1.8, 1.6], [1.6, 2]);
};
/** The path of a traced point as the command line tells it. */
const traced = (text, name, point) => {
  const file = join(folder, `${name}.toml`), table = join(folder, `${name}.csv`);
  writeFileSync(file, text);
  execFileSync(biela, ['run', file, '--steps', '720', '-o', table], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [head, ...rows] = readFileSync(table, 'utf8').trimEnd().split('\n').map(l => l.split(',')), at = leaf => head.findIndex(h => h.startsWith(`${point}.${leaf} [`));
  return rows.map(r => [Number(r[at('x')]), Number(r[at('y')])]);
};

try {
  {
    // A path sketched in one drag; the mechanism goes along it, and all of it is one step that can be undone.
    const p = await sit(1280, 800);
    await fourBar(p);
    const before = await p.text();
    await p.take('wish');
    const wanted = Array.from({ length: 48 }, (_, k) => 2 * Math.PI * k / 48).map(a => [1.6 + 1.2 * Math.cos(a), 1.8 + 0.45 * Math.sin(a)]), way = [];
    for (const q of wanted) way.push(await p.at(q));
    await p.tab.mouse('mouseMoved', ...way[0], { button: 'none', buttons: 0 }); await p.tab.mouse('mousePressed', ...way[0]);
    for (const q of way.slice(1)) await p.tab.mouse('mouseMoved', ...q);
    await p.tab.mouse('mouseReleased', ...way.at(-1));
    assert.ok(await p.tab.run(`__biela.wish.path.length > 20`));
    await p.on('#wish-fit');
    await until('the fit', () => p.tab.run('!__biela.wish.running'));
    assert.match(await says(p, 'wish-told'), /m away on average, was 0\.\d/);
    const text = await p.text(), path = traced(text, 'fitted', 'link2.T');
    const off = Math.sqrt(wanted.reduce((s, q) => s + Math.min(...path.map(r => (r[0] - q[0]) ** 2 + (r[1] - q[1]) ** 2)), 0) / wanted.length);
    // An ellipse is no coupler curve, but one comes near; as drawn the point was a third of a metre off.
    assert.ok(off < 0.05, `${off} m off`);
    await p.tab.run(`document.getElementById('undo').click()`); await p.settle();
    assert.equal(await p.text(), before);
    await p.tab.run(`document.getElementById('redo').click()`); await p.settle();
    assert.equal(await p.text(), text);
    // By clicks too, and what cannot be is told.
    await p.on('#wish-clear'); await p.click([-2, 2]); await p.click([-1, 3]);
    await p.on('#wish-fit');
    assert.match(await says(p, 'wish-told'), /three points/);
    // All four-bars through nine places of the path that the drawing itself has: one of them goes along it, told by the command line's numbers.
    await p.on('#wish-clear');
    await p.tab.run(`document.getElementById('undo').click()`); await p.settle();
    const own = traced(before, 'drawn', 'link2.T').filter((_, k, all) => k % Math.ceil(all.length / 60) === 0), round = [];
    for (const q of own) round.push(await p.at(q));
    await p.take('wish');
    await p.tab.mouse('mouseMoved', ...round[0], { button: 'none', buttons: 0 }); await p.tab.mouse('mousePressed', ...round[0]);
    for (const q of round.slice(1)) await p.tab.mouse('mouseMoved', ...q);
    await p.tab.mouse('mouseReleased', ...round.at(-1));
    await p.on('#wish-four');
    await until('all four-bars', () => p.tab.run('__biela.wish.found && !__biela.wish.running'), 240000);
    await p.settle();
    assert.match(await says(p, 'wish-told'), /^1 \/ \d+: .*in one motion, .* on average/);
    const other = traced(await p.text(), 'synthesised', 'coupler.P');
    const away = Math.sqrt(own.reduce((s, q) => s + Math.min(...other.map(r => (r[0] - q[0]) ** 2 + (r[1] - q[1]) ** 2)), 0) / own.length);
    assert.ok(away < 0.05, `${away} m off`);
    await p.tab.run(`document.getElementById('undo').click()`); await p.settle();
    assert.equal(await p.text(), before);
    p.actions = 0;
    await p.leave('a sketched path');
  }

  {
    // A joint that is dragged: text, path, plots and mobility change meanwhile.
    const p = await sit(1280, 800);
    await fourBar(p);
    await p.take('select');
    const seen = () => p.tab.run(`JSON.stringify([__biela.sheet.joint('C').at[0], __biela.motion.signals.find(s => s.name === 'D.angle')?.row.high ?? __biela.motion.signals.filter(s => s.name === 'D.angle').map(s => __biela.motion.at(s.row, 20))[0], (k => __biela.motion.point(__biela.data.points[k].body, __biela.data.points[k].at, 30))(__biela.data.points.findIndex(p => p.name === 'link2.T'))])`);
    const [a, b] = [await p.at([3, 2]), await p.at([3, 2.6])], states = new Set();
    await p.tab.mouse('mouseMoved', ...a, { button: 'none', buttons: 0 }); await p.tab.mouse('mousePressed', ...a);
    for (let k = 1; k <= 12; k++) { await p.tab.mouse('mouseMoved', a[0] + (b[0] - a[0]) * k / 12, a[1] + (b[1] - a[1]) * k / 12); await pause(120); states.add(await seen()); }
    assert.ok(states.size > 5, `${states.size} states while it was dragged`);
    await p.tab.mouse('mouseReleased', ...b); await p.settle();
    assert.match(await p.text(), /at = \[3, 2\.6\]/);
    // A link that is too short cannot turn round: the motion ends early, is shown as far as it goes, and says why.
    await write(p, (await p.text()).replace('at = [3, 2.6]', 'at = [1.4, 1.2]'));
    await until('the end', () => p.tab.run(`!document.getElementById('ended').hidden || /\\S/.test(document.getElementById('verdict').textContent)`));
    assert.ok((await says(p, 'ended')).length > 20, await says(p, 'ended'));
    assert.ok(await p.tab.run('__biela.motion.count > 2 && __biela.motion.end < 1'));
    p.actions = 0;
    await p.leave('what changes while it is dragged');
  }

  {
    // Two pendulums, one below the other: ω² = g (2 ∓ √2) / l, and the lower swings √2 times as far, to the same side or the other.
    const p = await sit(1280, 800);
    await write(p, `${EMPTY}bodies.upper = { mass = 1, com = [0, -1] }\nbodies.lower = { mass = 1, com = [0, -2] }\n[joints]\nA = { type = "revolute", bodies = ["ground", "upper"], at = [0, 0] }\nB = { type = "revolute", bodies = ["upper", "lower"], at = [0, -1] }\n[run]\nanalysis = "modes"\n`);
    await p.on('#tabs [data-tab=run]'); await p.on('#go');
    await until('the modes', () => p.tab.run(`document.querySelectorAll('[data-swing]').length === 2`));
    for (const [mode, sign] of [[1, 1], [2, -1]]) {
      await p.on(`[data-swing="${mode}"]`);
      await until('the swing', () => p.tab.run(`__biela.motion.count > 24 && __biela.state.playing && document.querySelector('[data-swing="${mode}"]').getAttribute('aria-pressed') === 'true'`));
      const [end, ...turns] = await p.tab.run(`[__biela.motion.end, ...[1, 2].map(b => { const q = __biela.motion.poses[b].map(r => __biela.motion.at(r, 0)); return 2 * Math.atan2(q[6], q[3]); })]`);
      assert.ok(Math.abs(end - 2 * Math.PI / Math.sqrt(9.81 * (2 - sign * Math.SQRT2))) < 1e-4, `${end}`);
      assert.ok(Math.abs(turns[1] / turns[0] - sign * Math.SQRT2) < 0.03, `${turns}`);
      const t = await p.tab.run('__biela.t');
      await until('it to go on', async () => await p.tab.run('__biela.t') !== t);
    }
    p.actions = 0;
    await p.leave('modes that swing');
  }

  {
    // Polygons at the start of a four-bar whose crank of 1 m turns at 60 rpm: v = ω r to the left, a = ω² r down; both links say the same of the pin between them.
    const p = await sit(1280, 800);
    await fourBar(p);
    await p.on('#add-polygons');
    await until('the polygons', () => p.tab.run(`document.querySelectorAll('#polygons svg').length === 2`));
    const tips = kind => p.tab.run(`(() => { const { data, polygons } = __biela, at = (joint, side) => { const j = data.joints.find(j => j.name === joint), k = j.bodies[side]; return polygons.tip(polygons.rates(k), k, j.at[side], ${kind}); }; return [at('B', 0), at('B', 1), at('C', 0), at('C', 1)]; })()`);
    const omega = 2 * Math.PI, close = (a, b) => assert.ok(Math.hypot(a[0] - b[0], a[1] - b[1]) < 1e-4 * omega * omega, `${a} for ${b}`);
    const [v, a] = [await tips(0), await tips(1)];
    close(v[0], [-omega, 0]); close(v[1], v[0]); close(v[2], v[3]);
    close(a[0], [0, -omega * omega]); close(a[1], a[0]); close(a[2], a[3]);
    // The rocker turns about D at (3, 0): its pin moves across it.
    assert.ok(Math.abs(v[3][1]) < 1e-4 * omega);
    p.actions = 0;
    await p.leave('polygons');
  }

  {
    // The light of interference: green, red once a disc is moved, and the two places ringed; discs of 15 and 20 mm, one on a crank of 60 mm.
    const p = await sit(1280, 800), disc = (r, at) => `shape = { type = "circle", radius = "${r} mm", at = [${at}, 0] }`;
    const text = at => `planar = true\nunits = "mm, deg"\nbodies.ground = { ${disc(15, at)} }\nbodies.crank = {}\nbodies.cam = { ${disc(20, 0.06)} }\n[joints]\nA = { type = "revolute", bodies = ["ground", "crank"], at = [0, 0] }\nF = { type = "fixed", bodies = ["crank", "cam"], at = [0, 0] }\n[drivers]\nm = { joint = "A", value = "2*pi*t + 2" }\n[run]\nend = 1\nsteps = 40\n`;
    await write(p, text(0.11));
    await p.on('#mode-move'); await p.on('#tabs [data-tab=mechanism]');
    await until('the mechanism', () => p.tab.run(`!!document.getElementById('watch')`));
    await p.on('#watch');
    const lamp = (state, words) => until(`the lamp: ${state}`, () => p.tab.run(`(l => !l.hidden && l.dataset.state === '${state}' && l.textContent.includes('${words}'))(document.getElementById('lamp'))`));
    await lamp('clear', 'ground and cam 15 mm apart');
    await write(p, text(0.09));
    await lamp('meets', 'ground and cam overlap by 5 mm');
    await p.on('#lamp');
    await until('the rings', () => p.tab.run(`document.querySelectorAll('.ring.close').length === 2`));
    const [t, turned] = await p.tab.run(`[__biela.t, __biela.motion.signals.some(s => s.name === 'A.angle')]`);
    assert.ok(turned && Math.abs(t - (1 - 1 / Math.PI)) < 1e-4, `${t}`);
    await p.on('#tabs [data-tab=mechanism]'); await p.on('#watch');
    assert.equal(await p.tab.run(`document.getElementById('lamp').hidden`), true);
    p.actions = 0;
    await p.leave('the light of interference');
  }

  {
    // A sweep by several workers is the command line's.
    const p = await sit(1280, 800);
    await write(p, readFileSync('models/four-bar.toml', 'utf8'));
    await p.on('#tabs [data-tab=run]');
    await p.tab.run(`(() => { const [own] = __biela.sweeper.rows; own.name.value = 'crank'; own.from.value = '0.5'; own.to.value = '6'; own.count.value = '300'; document.getElementById('sweep-measure').value = 'max(B.angle)'; })()`);
    await p.on('#sweep-go');
    await until('the sweep', () => p.tab.run(`!!__biela.sweeper.found`));
    const file = join(folder, 'sweep.toml'), table = join(folder, 'sweep.csv');
    writeFileSync(file, await p.text());
    execFileSync(biela, ['sweep', file, '--vary', 'crank=0.5:6:300', '--measure', 'max_B.angle=max(B.angle)', '-o', table], { stdio: ['ignore', 'ignore', 'inherit'] });
    assert.equal(await p.tab.run('__biela.sweeper.found.csv'), readFileSync(table, 'utf8'));
    assert.match(await says(p, 'swept'), /300 runs \(grid\), \d+ failed/);
    assert.equal(await p.tab.run(`document.querySelectorAll('#swept .chart .line').length`), 1);
    await p.tab.run(`(() => { document.getElementById('sweep-measure').value = 'max(nothing.x)'; document.getElementById('sweep-go').click(); })()`);
    await until('the words', async () => /unknown name 'nothing.x'/.test(await says(p, 'swept')));
    p.actions = 0;
    await p.leave('a sweep');
  }
} finally {
  await stop();
}
