// Mechanisms drawn by hand, from an empty page: by the mouse, by fingers, by keys alone. Each runs, and its numbers are the command line's.
import { strict as assert } from 'node:assert';
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Browser, until } from './chromium.mjs';

const [biela, chromium, out] = process.argv.slice(2);
const folder = join(out, 'drawn');
rmSync(folder, { recursive: true, force: true }); mkdirSync(folder, { recursive: true });
const EMPTY = 'name    = "drawing"\nplanar  = true\ngravity = [0, -9.81]\n';
writeFileSync(join(folder, 'drawing.toml'), EMPTY);
const program = spawn(biela, ['studio', join(folder, 'drawing.toml'), '--no-open'], { stdio: ['ignore', 'pipe', 'inherit'] });
let told = '';
program.stdout.on('data', d => { told += d; });
const address = await until('the address', () => (told.match(/http:\S+/) || [])[0]);
const browser = await Browser.start(chromium);
const pause = ms => new Promise(done => setTimeout(done, ms));
const MOST = 20; // Actions that a mechanism may take.

/** A person before the page: whatever it does is counted. */
class Person {
  static async sit(width, height, more = {}) {
    const tab = await browser.open(address, width, height, more), person = Object.assign(new Person(), { tab, actions: 0, fingers: !!more.touch });
    // Whoever reloads a page with what is not saved is asked; this one means it.
    const hear = tab.hear.bind(tab);
    tab.hear = message => { if (message.method === 'Page.javascriptDialogOpening') tab.send('Page.handleJavaScriptDialog', { accept: true }).catch(() => {}); else hear(message); };
    await person.ready();
    return person;
  }
  ready() { return until('the page', () => this.tab.run(`!!window.__biela && __biela.frames > 0 && document.body.dataset.mode === 'draw' && !!__biela.sheet.sketch`).catch(() => false)); }
  text() { return this.tab.run(`document.getElementById('text').value`); }
  /** Waits until the page is at rest: nothing asked, nothing awaited. */
  async settle() {
    let before = null;
    await until('rest', async () => { const now = await this.text() + await this.tab.run(`__biela.studio.looked || 0`); await pause(120); const same = now === before; before = now; return same; });
  }
  async middle(selector) { return this.tab.run(`(() => { const e = document.querySelector(${JSON.stringify(selector)}); e.scrollIntoView({ block: 'nearest', inline: 'nearest' }); const b = e.getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]; })()`); }
  at(p) { return this.tab.run(`(() => { __biela.draw(); const [x, y] = __biela.sheet.seen(${JSON.stringify(p)}), b = document.getElementById('sketch').getBoundingClientRect(); return [b.left + x, b.top + y]; })()`); }
  async press([x, y]) {
    this.actions++;
    if (this.fingers) { await this.tab.touch('touchStart', [[x, y]]); await this.tab.touch('touchEnd', []); } else { await this.tab.mouse('mouseMoved', x, y, { button: 'none', buttons: 0 }); await this.tab.click(x, y); }
    await this.settle();
  }
  async on(selector) { await this.press(await this.middle(selector)); }
  take(tool) { return this.on(`#tools [data-tool=${tool}]`); }
  async click(p) { await this.press(await this.at(p)); }
  async drag(p, q) {
    this.actions++;
    const [a, b] = [await this.at(p), await this.at(q)], along = k => [0, 1].map(i => a[i] + (b[i] - a[i]) * k / 8);
    if (this.fingers) await this.tab.touch('touchStart', [a]); else { await this.tab.mouse('mouseMoved', ...a, { button: 'none', buttons: 0 }); await this.tab.mouse('mousePressed', ...a); }
    for (let k = 1; k <= 8; k++) { if (this.fingers) await this.tab.touch('touchMove', [along(k)]); else await this.tab.mouse('mouseMoved', ...along(k)); await pause(15); }
    if (this.fingers) await this.tab.touch('touchEnd', []); else await this.tab.mouse('mouseReleased', ...b);
    await this.settle();
  }
  async key(key, more = {}) {
    this.actions++;
    const code = { Tab: 9, Enter: 13, Escape: 27, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40 }[key] ?? (/^\w$/.test(key) ? key.toUpperCase().charCodeAt(0) : undefined), text = key.length === 1 && !more.modifiers ? key : undefined;
    await this.tab.send('Input.dispatchKeyEvent', { type: text ? 'keyDown' : 'rawKeyDown', key, text, windowsVirtualKeyCode: code, ...more });
    await this.tab.send('Input.dispatchKeyEvent', { type: 'keyUp', key, windowsVirtualKeyCode: code, ...more });
  }
  /** Runs what is drawn, and compares what the page tells with what the command line tells of the same text. */
  async runs(name, signals) {
    await this.on('#tabs [data-tab=run]'); await this.on('#go');
    await until('the run', () => this.tab.run(`/samples/.test(document.getElementById('outcome').textContent)`));
    const file = join(folder, `${name}.toml`), table = join(folder, `${name}.csv`);
    writeFileSync(file, await this.text());
    execFileSync(biela, ['run', file, '-o', table], { stdio: ['ignore', 'ignore', 'inherit'] });
    const [head, ...rows] = readFileSync(table, 'utf8').trimEnd().split('\n').map(l => l.split(','));
    for (const signal of signals) {
      const k = head.findIndex(h => h.startsWith(`${signal} [`) || h === signal), column = rows.map(r => Number(r[k]));
      assert.ok(k >= 0 && rows.length > 50, `${signal} of ${head}`);
      const shown = x => String(+x.toPrecision(4)).replace('-', '−');
      const due = [Math.min(...column), Math.max(...column)].map(shown);
      const seen = await this.tab.run(`[...document.querySelectorAll('#outcome tr')].filter(r => r.textContent.startsWith(${JSON.stringify(signal + ' ')})).map(r => [...r.querySelectorAll('td.n')].map(c => c.firstChild.textContent))[0]`);
      assert.deepEqual(seen, due, `${name}: ${signal}`);
    }
  }
  /** Undoes all, does all again, reloads: everything is there. */
  async again() {
    const whole = await this.text();
    let count = 0;
    while (!await this.tab.run(`document.getElementById('undo').disabled`)) { await this.tab.run(`document.getElementById('undo').click()`); assert.ok(++count < 100); }
    assert.equal(await this.text(), EMPTY);
    await this.settle();
    for (let k = 0; k < count; k++) await this.tab.run(`document.getElementById('redo').click()`);
    assert.equal(await this.text(), whole);
    assert.equal(await this.tab.run(`document.getElementById('redo').disabled`), true);
    await this.settle();
    const signs = () => this.tab.run(`[...document.querySelectorAll('#sketch [data-key]')].map(g => g.getAttribute('aria-label')).join('\\n')`), before = await signs();
    await this.tab.run(`window.before = true`);
    await this.tab.send('Page.reload');
    await until('the page to go', () => this.tab.run(`!window.before`).catch(() => false));
    await this.ready();
    await until('what was drawn', async () => await this.text() === whole && await signs() === before);
    await this.tab.run(`document.getElementById('undo').click()`);
    assert.notEqual(await this.text(), whole);
    await this.tab.run(`document.getElementById('redo').click()`);
    assert.equal(await this.text(), whole);
  }
  async leave(name) {
    writeFileSync(join(out, `${name}.png`), await this.tab.screenshot());
    assert.deepEqual(this.tab.complaints, []);
    assert.ok(this.actions <= MOST, `${name}: ${this.actions} actions`);
    console.log(`  ${name}: ${this.actions} actions`);
    await this.tab.close();
  }
}

const fourBar = async p => {
  await p.take('link'); await p.drag([0, 0], [0, 1]); await p.drag([0, 1], [3, 2]); await p.drag([3, 2], [3, 0]);
  await p.take('ground'); await p.click([3, 0]);
  await p.take('motor'); await p.click([0, 0]);
};
const mobility = (p, words) => until('the mobility', () => p.tab.run(`document.getElementById('freedom').textContent === ${JSON.stringify(words)}`));

try {
  for (const [name, width, height, more] of [['four-bar by the mouse', 1280, 800, {}], ['four-bar by fingers', 390, 844, { touch: true }]]) {
    const p = await Person.sit(width, height, more);
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
    const p = await Person.sit(1280, 800);
    await p.take('link'); await p.drag([0, 0], [1, 1]); await p.drag([1, 1], [2.6, 0]);
    await p.take('slider'); await p.click([2.6, 0]);
    await p.take('motor'); await p.click([0, 0]);
    await mobility(p, 'mobility 1: it runs');
    await p.runs('slider-crank', ['guide1.slide']);
    await p.again();
    await p.leave('slider-crank by the mouse');
  }

  {
    const p = await Person.sit(1280, 800);
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
    const p = await Person.sit(1280, 800), focus = id => p.tab.run(`document.activeElement.id === '${id}'`);
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
    const p = await Person.sit(1280, 800);
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
    await p.tab.run(`document.getElementById('sketch').focus()`);
    await p.tab.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'Delete', windowsVirtualKeyCode: 46 });
    await p.settle();
    assert.ok(!(await p.text()).includes('link4'));
    p.actions = 0;
    await p.leave('text and picture');
  }
} finally {
  program.kill();
  await browser.stop();
}
