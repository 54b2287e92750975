// Mechanisms drawn in space, from an empty page, by the mouse. Each runs, and its numbers are the command line's.
import { strict as assert } from 'node:assert';
import { until } from './chromium.mjs';
import { studio } from './person.mjs';

const { sit, stop } = await studio(process.argv.slice(2), 'drawn-in-space', 'name    = "drawing"\ngravity = [0, 0, -9.81]\n');
const choose = async (p, id, value) => { p.actions++; await p.tab.run(`(() => { const s = document.getElementById('${id}'); s.value = '${value}'; s.dispatchEvent(new Event('change')); })()`); };
const plane = (p, words) => p.on(`#space [data-plane=${words}]`);
const mobility = (p, words) => until('the mobility', () => p.tab.run(`document.getElementById('freedom').textContent === ${JSON.stringify(words)}`));

try {
  {
    const p = await sit(1280, 800);
    // What is drawn first turns nothing: the next is drawn where the eye left off.
    const origin = await p.at([0, 0, 0]);
    await p.take('link'); await p.drag([0, 0, 0], [0.4, 0, 0]);
    assert.ok((await p.at([0, 0, 0])).every((c, k) => Math.abs(c - origin[k]) < 2));
    // The rocker's foot is on the ground, its head above it.
    await p.click([1, 1.6, 0]); await plane(p, 'yz'); await p.click([1, 1.6, 1]);
    await choose(p, 'kind', 'spherical'); await p.drag([0.4, 0, 0], [1, 1.6, 1]);
    await choose(p, 'kind', 'revolute'); await p.take('ground'); await p.click([1, 1.6, 0]);
    await p.take('motor'); await plane(p, 'xy'); await p.click([0, 0, 0]);
    const text = await p.text();
    for (const line of [/\nB = \{ type = "spherical", bodies = \["link1", "link3"\], at = \[0\.4, 0, 0\] \}/, /\nD = \{ type = "spherical", bodies = \["link2", "link3"\], at = \[1, 1\.6, 1\] \}/, /"revolute", bodies = \["ground", "link2"\], at = \[1, 1\.6, 0\], axis = \[1, 0, 0\] \}/, /"revolute", bodies = \["ground", "link1"\], at = \[0, 0, 0\], axis = \[0, 0, 1\] \}/, /motor = \{ joint = "A", value = "60 rpm \* t" \}/]) assert.match(text, line);
    await mobility(p, 'mobility 2: it runs');
    await p.runs('rssr', ['C.angle', 'C.angle.rate']);
    const { actions } = p;
    await p.again();
    // Points that are dragged stay on a plane through them; what meets moves together.
    await p.take('select'); await plane(p, 'xz'); await p.drag([1, 1.6, 1], [1.2, 1.6, 1.2]);
    assert.match(await p.text(), /bodies = \["link2", "link3"\], at = \[1\.2, 1\.6, 1\.2\]/);
    await p.key('z', { modifiers: 2 }); await p.settle();
    assert.match(await p.text(), /bodies = \["link2", "link3"\], at = \[1, 1\.6, 1\]/);
    // Text and picture edit each other, with comments.
    await p.tab.run(`(() => { const t = document.getElementById('text'); t.value = t.value.replace('link3 = {}', 'link3 = {}   # the rod').replace('at = [1, 1.6, 1]', 'at = [1, 1.6, 1.4]'); t.dispatchEvent(new Event('input')); })()`);
    await p.settle();
    assert.deepEqual(await p.tab.run(`__biela.sheet.joint('D').at[0]`), [1, 1.6, 1.4]);
    await p.click([1, 1.6, 1.4]);
    await p.tab.run(`(() => { const s = document.querySelector('#inspector [data-own=type]'); s.value = 'universal'; s.onchange(); })()`);
    await p.settle();
    assert.match(await p.text(), /link3 = \{\} {3}# the rod\n/);
    assert.match(await p.text(), /\nD = \{ type = "universal", .*axis = \[/);
    p.actions = actions;
    await p.leave('spatial crank-rocker by the mouse');
  }

  {
    // An arm of three turns, with numbers typed where the mouse is not exact.
    const p = await sit(1280, 800);
    await p.take('link'); await p.click([0, 0, 0]);
    for (const [field, value] of [['a', '0'], ['b', '0'], ['c', '1']]) await p.tab.run(`(() => { const f = document.getElementById('measure-${field}'); f.value = '${value}'; f.dispatchEvent(new Event('input')); })()`);
    await p.tab.run(`document.getElementById('measure-c').focus()`);
    await p.key('Enter'); await p.settle();
    await plane(p, 'xz'); await p.drag([0, 0, 1], [2, 0, 1]); await p.drag([2, 0, 1], [2.5, 0, 2]);
    await p.take('motor'); await p.click([0, 0, 1]); await p.click([2, 0, 1]);
    await plane(p, 'xy'); await p.click([0, 0, 0]);
    await mobility(p, 'mobility 3: it runs');
    const text = await p.text();
    assert.match(text, /bodies = \["link1", "link2"\], at = \[0, 0, 1\], axis = \[0, 1, 0\]/);
    assert.match(text, /bodies = \["ground", "link1"\], at = \[0, 0, 0\], axis = \[0, 0, 1\]/);
    await p.runs('arm', ['link3.x', 'link3.z']);
    await p.again();
    await p.leave('arm of three turns by the mouse');
  }
} finally {
  await stop();
}
