// Learning and sharing in a real browser: the editor's colours, offers and mends; the gallery; lessons and the first minute; exports.
// With a folder as fourth argument, screenshots at four widths, light and dark.
import { strict as assert } from 'node:assert';
import { spawn, execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Browser, until } from './chromium.mjs';

const [biela, chromium, out, shots] = process.argv.slice(2);
const folder = join(out, 'learn'), downloads = resolve(join(out, 'learn-downloads'));
for (const f of [folder, downloads]) { rmSync(f, { recursive: true, force: true }); mkdirSync(f, { recursive: true }); }
copyFileSync('models/four-bar.toml', join(folder, 'four-bar.toml'));
const text = readFileSync('models/four-bar.toml', 'utf8');
const program = spawn(biela, ['studio', join(folder, 'four-bar.toml'), '--no-open'], { stdio: ['ignore', 'pipe', 'inherit'] });
let told = '';
program.stdout.on('data', d => { told += d; });
const address = await until('the address', () => (told.match(/http:\S+/) || [])[0]);
const browser = await Browser.start(chromium);
await browser.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: downloads });
async function test(name, what) { const start = Date.now(); await what(); console.log(`  ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`); }
async function open(width, height, more = {}) {
  const tab = await browser.open(address, width, height, more);
  await until('the first picture', () => tab.run('!!window.__biela && __biela.frames > 0 && !!__biela.studio.report && !!__biela.words').catch(() => false));
  return tab;
}
const looked = tab => tab.run('__biela.studio.looked || 0');
async function write(tab, what) {
  const before = await looked(tab);
  await tab.run(`(() => { const t = document.getElementById('text'); t.value = ${JSON.stringify(what)}; t.dispatchEvent(new Event('input')); })()`);
  await until('the text to be looked at', async () => await looked(tab) > before);
}
const press = (tab, selector) => tab.run(`document.querySelector(${JSON.stringify(selector)}).click()`);
const clean = async tab => { assert.deepEqual(tab.complaints, []); await tab.close(); };
const value = tab => tab.run('__biela.editor.value');
/** Puts the cursor behind some text, and types as a person does. */
async function type(tab, behind, what) {
  await tab.run(`(() => { const t = document.getElementById('text'), at = t.value.indexOf(${JSON.stringify(behind)}) + ${behind.length}; t.focus(); t.setSelectionRange(at, at); })()`);
  for (const letter of what) await tab.send('Input.insertText', { text: letter });
}
const key = async (tab, name, code, number, modifiers = 0) => { for (const type of ['rawKeyDown', 'keyUp']) await tab.send('Input.dispatchKeyEvent', { type, key: name, code, windowsVirtualKeyCode: number, modifiers }); };
const offered = tab => tab.run(`[...document.querySelectorAll('#offers:not([hidden]) [role=option] b')].map(b => b.textContent)`);

try {
  await test('the editor colours, offers and mends', async () => {
    const tab = await open(1280, 800);
    // What is drawn below the transparent text is the text, letter for letter.
    const painted = await tab.run(`[...document.querySelectorAll('#paint > div')].map(d => d.textContent)`), lines = text.split('\n');
    assert.deepEqual(painted, lines.slice(0, painted.length));
    assert.ok(painted.length > 20);
    const kinds = await tab.run(`Object.fromEntries(['comment', 'head', 'key', 'text', 'amount'].map(k => [k, document.querySelector('#paint .' + k)?.textContent]))`);
    assert.deepEqual([kinds.head, kinds.key, kinds.text], ['[parameters]', 'name', '"four-bar"']);
    assert.match(kinds.comment, /^# Source/);
    // Letters of both layers lie on each other.
    const apart = await tab.run(`(() => { const t = document.getElementById('text'), s = getComputedStyle(t), p = getComputedStyle(document.getElementById('paint')); return [s.fontSize === p.fontSize, s.fontFamily === p.fontFamily, s.lineHeight === p.lineHeight, s.letterSpacing === p.letterSpacing, document.getElementById('paint').getBoundingClientRect().top - t.getBoundingClientRect().top]; })()`);
    assert.deepEqual(apart, [true, true, true, true, 6]);

    for (const [width, height] of [[390, 844], [1280, 800]]) {
      await tab.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
      await press(tab, '#tabs [data-tab=text]');
      await tab.run(`document.getElementById('text').dispatchEvent(new Event('scroll'))`);
      const off = await tab.run(`(() => { const rows = document.querySelectorAll('#paint > div'), row = parseFloat(getComputedStyle(document.getElementById('text')).lineHeight); return rows[20].getBoundingClientRect().top - rows[0].getBoundingClientRect().top - 20 * row; })()`);
      assert.ok(Math.abs(off) < 0.5, `rows at ${width} are ${off} px off`);
    }

    // Types come from the program's registry, keys from the type, names from the model.
    await write(tab, text.replace('[joints.B]\ntype   = "revolute"', '[joints.B]\ntype   = ""'));
    await type(tab, '[joints.B]\ntype   = "', 'rev');
    assert.equal((await offered(tab))[0], 'revolute');
    await key(tab, 'Enter', 'Enter', 13);
    await until('the type', async () => (await value(tab)) === text);
    await type(tab, '[joints.B]\ntype   = "revolute"\n', 'lim');
    assert.deepEqual(await offered(tab), ['limits']);
    await key(tab, 'Tab', 'Tab', 9);
    assert.match(await value(tab), /type {3}= "revolute"\nlimits = bodies/);
    // The text area's own undo takes back what was offered.
    for (let k = 0; k < 12 && await value(tab) !== text; k++) await key(tab, 'z', 'KeyZ', 90, 2);
    assert.equal(await value(tab), text, 'undone');
    await write(tab, text.replace('bodies = ["ground", "rocker"]', 'bodies = ["ground", ""]'));
    await type(tab, 'bodies = ["ground", "', 'r');
    assert.ok((await offered(tab)).includes('rocker'));
    await key(tab, 'Escape', 'Escape', 27);
    assert.deepEqual(await offered(tab), []);

    // A mistake is told in its line and mended by a click, or by Alt+Enter; undo brings it back.
    for (const way of ['click', 'key']) {
      const bad = text.replace('bodies = ["crank", "coupler"]', 'bodies = ["crank", "couplr"]');
      await write(tab, bad);
      await until('the mistake in its line', () => tab.run(`/no body 'couplr'/.test(document.querySelector('#paint .told')?.textContent)`));
      const before = await looked(tab);
      if (way === 'click') await press(tab, '#mend'); else { await tab.run(`document.getElementById('text').focus()`); await key(tab, 'Enter', 'Enter', 13, 1); }
      await until('the mend', async () => await value(tab) === text && await looked(tab) > before);
      assert.equal(await tab.run(`document.querySelectorAll('#mend, #paint .told').length`), 0);
    }

    // Go to a line; comment it out and in.
    await key(tab, 'g', 'KeyG', 71, 2);
    await tab.run(`(() => { const g = document.getElementById('goto'); g.value = '30'; g.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' })); })()`);
    assert.equal(await tab.run(`document.getElementById('text').value.slice(0, document.getElementById('text').selectionStart).split('\\n').length`), 30);
    await key(tab, '/', 'Slash', 191, 2);
    assert.equal((await value(tab)).split('\n')[29], `# ${lines[29]}`);
    await key(tab, '/', 'Slash', 191, 2);
    assert.equal(await value(tab), text);
    await clean(tab);
  });

  await test('a text of 5000 lines stays quick', async () => {
    const tab = await open(1280, 800);
    const long = text + Array.from({ length: 5000 }, (_, k) => `# line ${k} "quoted" [bracket] = 12.5`).join('\n');
    await write(tab, long);
    // Only what is seen is drawn: work does not grow with the text.
    assert.ok(await tab.run(`document.querySelectorAll('#paint > div').length`) < 160);
    const cost = await tab.run(`(() => { const t = document.getElementById('text'), times = []; t.focus(); for (let k = 0; k < 40; k++) { t.setSelectionRange(200, 200); const at = performance.now(); document.execCommand('insertText', false, 'x'); getComputedStyle(t).height; times.push(performance.now() - at); } return times.sort((a, b) => a - b)[20]; })()`);
    assert.ok((await value(tab)).length === long.length + 40, 'all letters are there');
    console.log(`    a letter in 5000 lines: ${cost.toFixed(1)} ms in the middle of 40`);
    await tab.run(`(() => { const t = document.getElementById('text'); t.scrollTop = 60000; })()`);
    await until('the lines there', () => tab.run(`/line 3\\d\\d\\d/.test(document.getElementById('paint').textContent)`));
    await clean(tab);
  });

  await test('the gallery shows, finds and opens', async () => {
    const tab = await open(1280, 800);
    await press(tab, '#explore-open');
    await until('pictures', () => tab.run(`document.querySelectorAll('.card .hung img').length >= 8 && [...document.querySelectorAll('.card .hung img')].every(i => i.complete && i.naturalWidth > 100)`));
    assert.equal(await tab.run(`document.querySelectorAll('.card.model').length`), readdirSync('models').filter(f => f.endsWith('.toml')).length);
    await tab.run(`(() => { const f = document.getElementById('explore-find'); f.value = 'stewart'; f.dispatchEvent(new Event('input')); })()`);
    assert.deepEqual(await tab.run(`[...document.querySelectorAll('.card')].map(c => c.dataset.model)`), ['stewart-platform', 'stewart-platform']);
    await press(tab, '.card.model');
    await until('the model', () => tab.run(`__biela.data?.name === 'stewart-platform' && !document.getElementById('explore').open`));
    await clean(tab);
  });

  await test('lessons ask, and the program answers', async () => {
    const tab = await open(1280, 800);
    const answers = {};
    for (const id of await tab.run('__biela.lessons.list.map(l => l.id)')) {
      const before = await looked(tab);
      await tab.run(`__biela.lessons.begin(${JSON.stringify(id)})`);
      await until(`the model of ${id}`, async () => await looked(tab) > before && await tab.run(`/Nothing is wrong/.test(document.getElementById('diagnostics').textContent)`));
      answers[id] = await tab.run('__biela.lessons.now.answer()');
      const say = async given => { await tab.run(`(() => { const a = document.getElementById('answer'); a.value = ${JSON.stringify(String(given))}; a.form.requestSubmit(); })()`); return until('a verdict', () => tab.run(`(v => !/computes/.test(v) && v)(document.querySelector('#lesson .verdict').textContent)`)); };
      assert.doesNotMatch(await say(answers[id] * 1.5 + 1), /Right/);
      assert.match(await say(answers[id].toPrecision(4)), /^Right/);
    }
    console.log(`    ${Object.entries(answers).map(([id, x]) => `${id} ${x.toPrecision(5)}`).join(', ')}`);
    assert.ok(Math.abs(answers.grashof - 140) < 1, 'Grashof: 70 + 100 - 30');
    assert.equal(answers.mobility, 3);
    assert.equal(answers['stewart-platform'], 6);
    await clean(tab);
  });

  await test('the first minute, by keyboard', async () => {
    const tab = await open(1280, 800);
    await tab.run(`document.getElementById('tour-open').focus()`);
    await key(tab, 'Enter', 'Enter', 13); await tab.send('Input.dispatchKeyEvent', { type: 'char', text: '\r' });
    await until('the first step', () => tab.run(`!document.getElementById('tour').hidden`));
    assert.match(await tab.run(`document.getElementById('tour').textContent`), /Make it move.*1 of 6/);
    // What is done in the page goes on to the next step.
    await press(tab, '#play');
    await until('the second step', () => tab.run(`/2 of 6/.test(document.getElementById('tour').textContent)`));
    for (let k = 3; k <= 6; k++) { await press(tab, '#tour-next'); assert.match(await tab.run(`document.getElementById('tour').textContent`), new RegExp(`${k} of 6`)); }
    await press(tab, '#tour-next');
    assert.equal(await tab.run(`document.getElementById('tour').hidden && !document.querySelector('.lit') && !document.getElementById('tour-open')`), true);
    await clean(tab);
    const again = await open(1280, 800);
    assert.equal(await again.run(`!document.getElementById('tour-open')`), true, 'seen is seen');
    await clean(again);
  });

  await test('what is shared is whole', async () => {
    const tab = await open(1280, 800);
    const file = async (selector, name) => { await press(tab, selector); const path = join(downloads, name); await until(name, () => existsSync(path) && !readdirSync(downloads).some(f => f.endsWith('.crdownload'))); return readFileSync(path); };
    assert.equal((await file('[data-export=png]', 'four-bar.png')).subarray(1, 4).toString(), 'PNG');
    const table = JSON.parse((await file('[data-export=json]', 'four-bar.json')).toString());
    assert.ok(table && typeof table === 'object');
    const code = (await file('#export-python', 'four_bar.py')).toString();
    assert.match(code, /^import biela\n/); assert.match(code, /m\.joint\("A", "revolute", \["ground", "crank"\]/);
    execFileSync('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], { input: code });
    if (await tab.run(`!!document.getElementById('export-film')`)) {
      const film = await file('#export-film', 'four-bar.webm');
      assert.equal(film.readUInt32BE(0), 0x1a45dfa3, 'a WebM file');
      assert.ok(film.length > 5000, `${film.length} bytes of film`);
    }
    const frame = await tab.run('__biela.sharing.frame()');
    assert.match(frame, /^<iframe title="four-bar" sandbox="allow-scripts"/);
    // The frame works in a page of somebody else.
    writeFileSync(join(folder, 'frame.html'), `<!doctype html><meta charset="utf-8"><title>frame</title>${frame}`);
    const other = await browser.open(`file://${resolve(join(folder, 'frame.html'))}`, 900, 600, {});
    await until('the frame', () => other.run(`document.querySelector('iframe')?.getBoundingClientRect().height === 480`).catch(() => false));
    assert.deepEqual(other.complaints, []);
    await other.close();
    await clean(tab);
  });

  if (shots) await test('screenshots', async () => {
    mkdirSync(shots, { recursive: true });
    for (const [width, height] of [[390, 844], [768, 1024], [1440, 900], [2560, 1300]]) for (const dark of [false, true]) {
      const tab = await open(width, height, { dark, touch: width < 800 }), shot = async name => writeFileSync(join(shots, `${name}-${width}-${dark ? 'dark' : 'light'}.png`), await tab.screenshot());
      const still = () => tab.run('new Promise(done => setTimeout(done, 700))');
      await still(); await shot('studio');
      await write(tab, text.replace('bodies = ["crank", "coupler"]', 'bodies = ["crank", "couplr"]'));
      await tab.run(`__biela.editor.go(__biela.editor.error.line)`); await still(); await shot('mistake');
      await write(tab, text.replace('[joints.B]\ntype   = "revolute"', '[joints.B]\ntype   = ""'));
      await tab.run(`__biela.editor.go(48)`); await type(tab, '[joints.B]\ntype   = "', 'p'); await still(); await shot('offers');
      await write(tab, text);
      await press(tab, '#explore-open');
      await until('pictures', () => tab.run(`document.querySelectorAll('.card .hung img').length >= 6`)); await still(); await shot('gallery');
      await tab.run('__biela.gallery.close()');
      await tab.run(`__biela.lessons.begin('instant-centre')`); await still(); await still(); await shot('lesson');
      assert.ok(await tab.run('document.documentElement.scrollWidth <= innerWidth'), `sideways at ${width}`);
      await tab.run(`__biela.lessons.end(); __biela.tour.begin()`); await still(); await shot('tour');
      await clean(tab);
    }
  });
} finally {
  program.kill();
  await browser.stop();
}
console.log('learning and sharing: all right');
