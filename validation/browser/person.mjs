// A person before the studio's page: what is done by mouse, fingers and keys, counted; and what a run tells against the command line.
import { strict as assert } from 'node:assert';
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as chromium from './chromium.mjs';
import * as firefox from './firefox.mjs';

const { until } = chromium;

const MOST = 20; // Actions that a mechanism may take.
export const pause = ms => new Promise(done => setTimeout(done, ms));

/** A studio with a model, and a browser before it: gives `sit`, as Person.sit, `stop`, and the folder. */
export async function studio([biela, executable, out], name, text) {
  const folder = join(out, name);
  rmSync(folder, { recursive: true, force: true }); mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'drawing.toml'), text);
  const program = spawn(biela, ['studio', join(folder, 'drawing.toml'), '--no-open'], { stdio: ['ignore', 'pipe', 'inherit'] });
  let told = '';
  program.stdout.on('data', d => { told += d; });
  const address = await until('the address', () => (told.match(/http:\S+/) || [])[0]);
  const { Browser } = /firefox/.test(executable) ? firefox : chromium, browser = await Browser.start(executable), place = { biela, out, folder, address, browser, text };
  return { folder, sit: (width, height, more) => Person.sit(place, width, height, more), stop: async () => { program.kill(); await browser.stop(); } };
}

/** A person before the page: whatever it does is counted. */
export class Person {
  static async sit(place, width, height, more = {}) {
    const tab = await place.browser.open(place.address, width, height, more), person = Object.assign(new Person(), { tab, place, actions: 0, fingers: !!more.touch });
    // Whoever reloads a page with what is not saved is asked; this one means it.
    const hear = tab.hear.bind(tab);
    tab.hear = message => { if (message.method === 'Page.javascriptDialogOpening') tab.send('Page.handleJavaScriptDialog', { accept: true }).catch(() => {}); else hear(message); };
    await person.ready();
    return person;
  }
  ready(mode = 'draw') { return until('the page', () => this.tab.run(`!!window.__biela && __biela.frames > 0 && document.body.dataset.mode === '${mode}' && !!__biela.sheet.sketch`).catch(() => false)); }
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
    await this.tab.stroke(key, more);
  }
  /** Runs what is drawn, and compares what the page tells with what the command line tells of the same text. */
  async runs(name, signals) {
    await this.on('#tabs [data-tab=run]'); await this.on('#go');
    await until('the run', () => this.tab.run(`/samples/.test(document.getElementById('outcome').textContent)`));
    const { biela, folder } = this.place, file = join(folder, `${name}.toml`), table = join(folder, `${name}.csv`);
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
    assert.equal(await this.text(), this.place.text);
    await this.settle();
    for (let k = 0; k < count; k++) await this.tab.run(`document.getElementById('redo').click()`);
    assert.equal(await this.text(), whole);
    assert.equal(await this.tab.run(`document.getElementById('redo').disabled`), true);
    await this.settle();
    const signs = () => this.tab.run(`[...document.querySelectorAll('#sketch [data-key]')].map(g => g.getAttribute('aria-label')).join('\\n')`), before = await signs();
    await this.tab.run(`window.before = true`);
    await this.tab.reload();
    await until('the page to go', () => this.tab.run(`!window.before`).catch(() => false));
    await this.ready();
    await until('what was drawn', async () => await this.text() === whole && await signs() === before);
    await this.tab.run(`document.getElementById('undo').click()`);
    assert.notEqual(await this.text(), whole);
    await this.tab.run(`document.getElementById('redo').click()`);
    assert.equal(await this.text(), whole);
  }
  async leave(name) {
    writeFileSync(join(this.place.out, `${name}.png`), await this.tab.screenshot());
    assert.deepEqual(this.tab.complaints, []);
    assert.ok(this.actions <= MOST, `${name}: ${this.actions} actions`);
    console.log(`  ${name}: ${this.actions} actions`);
    await this.tab.close();
  }
}
