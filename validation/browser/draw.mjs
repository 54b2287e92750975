// Mechanisms drawn by hand, from an empty page: by the mouse, by fingers, by keys alone. Each runs, and its numbers are the command line's.
import { strict as assert } from 'node:assert';
import { until } from './chromium.mjs';
import { studio } from './person.mjs';

const { sit, stop } = await studio(process.argv.slice(2), 'drawn', 'name    = "drawing"\nplanar  = true\ngravity = [0, -9.81]\n');

const fourBar = async p => {
  await p.take('link'); await p.drag([0, 0], [0, 1]); await p.drag([0, 1], [3, 2]); await p.drag([3, 2], [3, 0]);
  await p.take('ground'); await p.click([3, 0]);
  await p.take('motor'); await p.click([0, 0]);
};
const mobility = (p, words) => until('the mobility', () => p.tab.run(`document.getElementById('freedom').textContent === ${JSON.stringify(words)}`));

try {
  for (const [name, width, height, more] of [['four-bar by the mouse', 1280, 800, {}], ['four-bar by fingers', 390, 844, { touch: true }]]) {
    const p = await sit(width, height, more);
    await fourBar(p);
    await p.take('trace'); await p.drag([1.8, 1.6], [1.6, 2]);
    await mobility(p, 'mobility 1: it runs');
    assert.match(await p.text(), /link2 = \{ points = \{ T = \[1\.6, 2\] \} \}\n/);
    await p.runs('four-bar', ['D.angle', 'C.angle.rate']);
    const { actions } = p;
    await p.again();
    assert.equal(p.actions, actions);
    await p.leave(name);
  }

  {
    const p = await sit(1280, 800);
    await p.take('link'); await p.drag([0, 0], [1, 1]); await p.drag([1, 1], [2.6, 0]);
    await p.take('slider'); await p.click([2.6, 0]);
    await p.take('motor'); await p.click([0, 0]);
    await mobility(p, 'mobility 1: it runs');
    await p.runs('slider-crank', ['guide1.slide']);
    // The mass of the block is typed where its pin is: a point mass there.
    await p.take('select'); await p.click([2.6, 0]);
    await p.tab.run(`(() => { const f = document.querySelector('#inspector [data-own="mass of slider1"]'); f.value = '1.2'; f.onchange(); })()`); await p.settle();
    assert.match(await p.text(), /\nslider1 = \{ mass = 1\.2, com = \[2\.6, 0\], inertia = 0 \}\n/);
    await p.again();
    await p.leave('slider-crank by the mouse');
  }

  {
    const p = await sit(1280, 800);
    // Watt's: a plate is the coupler, and carries two more links to a third pivot.
    await p.take('link'); await p.drag([0, 0], [0, 1]); await p.drag([3, 2], [3, 0]);
    await p.take('plate'); await p.click([0, 1]); await p.click([3, 2]); await p.click([2, 3]); await p.key('Enter');
    await p.take('link'); await p.drag([2, 3], [-2, 2]); await p.drag([-2, 2], [-2, 0]);
    await p.take('ground'); await p.click([3, 0]); await p.click([-2, 0]);
    await p.take('motor'); await p.click([0, 0]);
    await mobility(p, 'mobility 1: it runs');
    await p.runs('six-bar', ['link3.angle', 'link5.angle']);
    await p.again();
    await p.leave('six-bar by the mouse');
  }

  {
    // Keys alone. The way to the drawing is Tab, arrows lead the crosshair; keys are many, so they are not counted.
    const p = await sit(1280, 800), focus = id => p.tab.run(`document.activeElement.id === '${id}'`);
    for (let k = 0; k < 40 && !await focus('sketch'); k++) await p.key('Tab');
    assert.ok(await focus('sketch'));
    await p.key('ArrowRight');
    const spot = () => p.tab.run(`__biela.hands.cross`);
    const go = async (x, y) => {
      for (let k = 0; k < 60; k++) {
        const [cx, cy] = await spot();
        if (Math.abs(cx - x) < 1e-6 && Math.abs(cy - y) < 1e-6) return;
        await p.key(Math.abs(cx - x) > 1e-6 ? cx < x ? 'ArrowRight' : 'ArrowLeft' : cy < y ? 'ArrowUp' : 'ArrowDown');
      }
      assert.fail(`the crosshair is at ${await spot()}, not at ${[x, y]}`);
    };
    const enter = async (x, y) => { await go(x, y); await p.key('Enter'); await p.settle(); };
    await p.key('l'); await enter(0, 0); await enter(0, 1); await enter(0, 1); await enter(3, 2); await enter(3, 2); await enter(3, 0);
    await p.key('g'); await enter(3, 0);
    await p.key('m'); await enter(0, 0);
    await mobility(p, 'mobility 1: it runs');
    await p.key('Enter', { modifiers: 2 });
    await until('the run', () => p.tab.run(`/samples/.test(document.getElementById('outcome').textContent)`));
    // What is drawn is told to those who do not see it, and can be reached.
    await p.key('Escape');
    const names = await p.tab.run(`[...document.querySelectorAll('#sketch [role=button]')].map(g => g.getAttribute('aria-label'))`);
    assert.ok(names.some(n => /^pin A, on the ground, driven by motor, at 0, 0 m$/.test(n)), names.join('\n'));
    assert.ok(names.some(n => /^link link2, .*length 3.162 m$/.test(n)), names.join('\n'));
    for (let k = 0; k < 40 && !await p.tab.run(`document.activeElement.dataset?.key === 'joints:C'`); k++) await p.key('Tab');
    await p.key('Enter'); await p.key('ArrowUp'); await p.settle();
    assert.match(await p.text(), /\nC = .* at = \[3, 2\.5\] \}/);
    await p.key('z', { modifiers: 2 }); await p.settle();
    assert.match(await p.text(), /\nC = .* at = \[3, 2\] \}/);
    p.actions = 0;
    await p.leave('four-bar by keys alone');
  }

  {
    // Text and picture edit each other; comments stay, and a bad text leaves the last drawing.
    const p = await sit(1280, 800);
    await fourBar(p);
    const write = async text => { await p.tab.run(`(() => { const t = document.getElementById('text'); t.value = ${JSON.stringify(text)}; t.dispatchEvent(new Event('input')); })()`); await p.settle(); };
    const good = (await p.text()).replace('link2 = {}', 'link2 = {}   # the coupler');
    await write(good.replace('at = [3, 2]', 'at = [3, 1.5]'));
    const c = () => p.tab.run(`__biela.sheet.joint('C').at[0]`);
    assert.deepEqual(await c(), [3, 1.5]);
    await write(good.replace('at = [3, 2]', 'at = [3, 1.5'));
    assert.deepEqual(await c(), [3, 1.5]);
    assert.match(await p.tab.run(`document.getElementById('diagnostics').textContent`), /bracket \[ is opened/);
    await write(good);
    await p.take('select'); await p.drag([3, 2], [3, 2.5]);
    assert.match(await p.text(), /link2 = \{\} {3}# the coupler\n/);
    assert.deepEqual(await c(), [3, 2.5]);
    // A number typed while a link is drawn: its length and its angle.
    await p.take('link'); await p.click([-1, 2]);
    for (const key of '1.5') await p.key(key);
    await p.key('Tab');
    for (const key of '30') await p.key(key);
    await p.key('Enter'); await p.settle();
    assert.match(await p.text(), /link4 = \{ points = \{ \w+ = \[-1, 2\], \w+ = \[0\.299038106, 2\.75\] \} \}\n/);
    // A length typed into what is selected.
    await p.take('select'); await p.click([-0.35, 2.375]);
    await p.tab.run(`(() => { const f = document.querySelector('#inspector [data-own=length]'); f.value = '2'; f.onchange(); })()`);
    await p.settle();
    assert.match(await p.text(), /\[0\.732050808, 3\] \} \}\n/);
    // The same by its dimension's handle: the end that is taken goes along the link, on the grid, and the picture beside follows meanwhile.
    const dimension = () => p.tab.run(`[...document.querySelectorAll('[data-key="dimension:link4"] .handle')].map(h => { const b = h.getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]; })`);
    const [end] = await dimension(), [p0, p1] = [await p.at([-1, 2]), await p.at([0.732050808, 3])], outward = k => end.map((c, i) => c + k * (p1[i] - p0[i]));
    await p.tab.mouse('mouseMoved', ...end, { button: 'none', buttons: 0 }); await p.tab.mouse('mousePressed', ...end);
    for (let k = 1; k <= 6; k++) { await p.tab.mouse('mouseMoved', ...outward(k / 12)); await p.settle(); }
    assert.match(await p.text(), /\[1\.5\d+, 3\.5\d*\] \} \}\n/);
    await p.tab.mouse('mouseReleased', ...outward(0.5)); await p.settle();
    const [x, y] = (await p.text()).match(/link4 = .*\[([-\d.]+), ([-\d.]+)\] \} \}\n/).slice(1).map(Number);
    assert.ok(Math.abs(Math.hypot(x + 1, y - 2) - 3) < 1e-6 && Math.abs((y - 2) / (x + 1) - Math.tan(Math.PI / 6)) < 1e-6, `${x}, ${y}`);
    await p.tab.run(`document.getElementById('undo').click()`); await p.settle();
    assert.match(await p.text(), /\[0\.732050808, 3\] \} \}\n/);
    await p.tab.run(`document.getElementById('sketch').focus()`);
    await p.tab.stroke('Delete');
    await p.settle();
    assert.ok(!(await p.text()).includes('link4'));
    p.actions = 0;
    await p.leave('text and picture');
  }
} finally {
  await stop();
}
