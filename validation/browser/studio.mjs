// The studio in a real browser: texts change the picture, faults show at their line, hands move the mechanism, files come out whole.
import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Browser, until } from './chromium.mjs';

const [biela, chromium, out] = process.argv.slice(2);
const folder = join(out, 'studio'), downloads = resolve(join(out, 'downloads'));
rmSync(folder, { recursive: true, force: true }); rmSync(downloads, { recursive: true, force: true });
mkdirSync(folder, { recursive: true }); mkdirSync(downloads, { recursive: true });
copyFileSync('models/four-bar.toml', join(folder, 'four-bar.toml'));
const text = readFileSync('models/four-bar.toml', 'utf8');

const program = spawn(biela, ['studio', join(folder, 'four-bar.toml'), '--no-open'], { stdio: ['ignore', 'pipe', 'inherit'] });
let told = '';
program.stdout.on('data', d => { told += d; });
const address = await until('the address', () => (told.match(/http:\S+/) || [])[0]);
const browser = await Browser.start(chromium);
await browser.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: downloads });
const done = [];
async function test(name, what) { const start = Date.now(); await what(); done.push(name); console.log(`  ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`); }

const looked = tab => tab.run('__biela.studio.looked || 0');
async function open(width, height, more = {}) {
  const tab = await browser.open(address, width, height, more);
  await until('the first picture', () => tab.run('!!window.__biela && __biela.frames > 0 && !!__biela.studio.report').catch(() => false));
  return tab;
}
/** Writes a text into the editor as typing does, and waits for the answer. */
async function write(tab, what) {
  const before = await looked(tab);
  await tab.run(`(() => { const t = document.getElementById('text'); t.value = ${JSON.stringify(what)}; t.dispatchEvent(new Event('input')); })()`);
  await until('the text to be looked at', async () => await looked(tab) > before);
  await tab.run('__biela.draw()');
}
const clean = async tab => { assert.deepEqual(tab.complaints, []); await tab.close(); };
/** Where a named point is: in the ground, and in the window. */
const point = (tab, name) => tab.run(`(() => { __biela.draw(); const { data, camera, drawing } = __biela, p = data.points.find(p => p.name === ${JSON.stringify(name)}), f = drawing.frames, k = 12 * p.body;
  const w = [0, 1, 2].map(i => f[k + i] * p.at[0] + f[k + 3 + i] * p.at[1] + f[k + 6 + i] * p.at[2] + f[k + 9 + i]), s = camera.project(w), b = document.getElementById('stage').getBoundingClientRect();
  return { world: w, x: b.left + s[0], y: b.top + s[1] }; })()`);
const pixels = tab => tab.run(`(() => { __biela.draw(); const c = document.getElementById('picture'), s = document.createElement('canvas'); s.width = c.width; s.height = c.height;
  const p = s.getContext('2d'); p.drawImage(c, 0, 0); const d = p.getImageData(0, 0, s.width, s.height).data; let seen = 0, sum = 0, red = 0;
  for (let k = 0; k < d.length; k += 4) { if (d[k + 3] > 200) seen++; if (d[k + 3] > 200 && d[k] > 150 && d[k + 1] < 70 && d[k + 2] < 70) red++; sum = (sum * 31 + d[k] + 7 * d[k + 1] + 13 * d[k + 2]) >>> 0; } return { seen, sum, red }; })()`);
const middle = (tab, selector) => tab.run(`(() => { const e = document.querySelector(${JSON.stringify(selector)}); e.scrollIntoView({ block: 'nearest' }); const b = e.getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]; })()`);
const press = (tab, selector) => tab.run(`document.querySelector(${JSON.stringify(selector)}).click()`);

try {
  for (const [width, height, touch] of [[1280, 800, false], [390, 844, true]]) await test(`four-bar at ${width}×${height}`, async () => {
    const tab = await open(width, height, { touch });
    assert.ok(await tab.run('document.documentElement.scrollWidth <= innerWidth'), 'no sideways scrolling');
    const first = await pixels(tab);
    assert.ok(first.seen > 1500, `${first.seen} pixels drawn`);
    assert.equal(await tab.run(`document.getElementById('text').getBoundingClientRect().height > 100`), true, 'the text is seen');

    // An edited dimension changes the picture: the pin of the crank is as far from A as the text says.
    await write(tab, text.replace('crank   = 2', 'crank   = 1.5'));
    const pin = await point(tab, 'crank.P1');
    assert.ok(Math.abs(Math.hypot(...pin.world) - 1.5) < 1e-5, `${pin.world}`);
    assert.notEqual((await pixels(tab)).sum, first.sum);

    // A bad line is told with its place, and the picture stays.
    const bad = text.replace('bodies = ["crank", "coupler"]', 'bodies = ["crank", "couplr"]'), line = bad.split('\n').findIndex(l => l.includes('couplr')) + 1;
    await write(tab, bad);
    const words = await tab.run(`document.getElementById('diagnostics').textContent`);
    assert.match(words, /couplr/); assert.match(words, /did you mean 'coupler'/); assert.match(words, new RegExp(`line ${line}`)); assert.match(words, /\^{8}/);
    assert.equal(await tab.run(`document.querySelector('#gutter b').textContent.trim()`), String(line));
    assert.equal(await tab.run(`document.getElementById('mark').hidden`), false);
    assert.ok((await pixels(tab)).seen > 1500);
    await write(tab, text);
    assert.match(await tab.run(`document.getElementById('diagnostics').textContent`), /Nothing is wrong/);
    assert.equal(await tab.run(`document.getElementById('mark').hidden`), true);

    // An impossible length turns the link red and says why.
    const before = await pixels(tab);
    await write(tab, text.replace('coupler = 8', 'coupler = 20'));
    assert.match(await tab.run(`document.getElementById('verdict').textContent`), /coupler: .* short/);
    assert.ok((await pixels(tab)).red > before.red + 200, 'the coupler is red');
    await write(tab, text);
    assert.equal(await tab.run(`document.getElementById('verdict').hidden`), true);

    // A slider changes the picture without touching the text; its value can be written there.
    if (touch) await press(tab, '#tabs [data-tab=parameters]');
    let count = await looked(tab);
    await tab.run(`(() => { const r = document.querySelector('[data-name=rocker] input'); r.value = 6; r.dispatchEvent(new Event('input')); })()`);
    await until('the slider', async () => await looked(tab) > count);
    const rocker = await point(tab, 'rocker.P2');
    assert.ok(Math.abs(Math.hypot(rocker.world[0] - 10, rocker.world[1]) - 6) < 1e-5, `${rocker.world}`);
    assert.equal(await tab.run('__biela.editor.value'), text);
    count = await looked(tab);
    await press(tab, '#parameters .tools button');
    await until('the text to be written', async () => await looked(tab) > count);
    assert.ok((await tab.run('__biela.editor.value')).includes('rocker  = 6\n'));
    await write(tab, text);

    // Without a driver nothing is wrong, and a slider leads the joint.
    await write(tab, text.replace(/\[drivers\.[^[]*/, ''));
    assert.match(await tab.run(`document.getElementById('diagnostics').textContent`), /Nothing is wrong.*sliders under Joints/);
    await tab.run(`(() => { const r = document.querySelector('#drivers [data-name="A.angle"] input'); r.value = 2; r.dispatchEvent(new Event('input')); })()`);
    await until('the joint to be led', async () => { const q = (await point(tab, 'crank.P1')).world; return Math.abs(Math.atan2(q[1], q[0]) - 2) < 1e-4; });
    const led = [await point(tab, 'coupler.P2'), await point(tab, 'rocker.P2')].map(m => m.world);
    assert.ok(Math.hypot(led[0][0] - led[1][0], led[0][1] - led[1][1]) < 1e-4, 'the loop stays closed');
    await write(tab, text);

    // A drag moves the crank: its pin follows the pointer round A.
    if (touch) await tab.run('scrollTo(0, 0)');
    const a = await point(tab, 'crank.A'), p = await point(tab, 'crank.P1'), radius = Math.hypot(p.x - a.x, p.y - a.y);
    const to = angle => [a.x + radius * Math.cos(angle), a.y - radius * Math.sin(angle)];
    const from = Math.atan2(a.y - p.y, p.x - a.x), goal = 2.3;
    if (touch) await tab.touch('touchStart', [[p.x, p.y]]); else await tab.mouse('mousePressed', p.x, p.y);
    for (let k = 1; k <= 12; k++) {
      const [x, y] = to(from + (goal - from) * k / 12);
      if (touch) await tab.touch('touchMove', [[x, y]]); else await tab.mouse('mouseMoved', x, y);
      await tab.run('new Promise(done => setTimeout(done, 40))');
    }
    await until('the crank to follow', async () => { const q = (await point(tab, 'crank.P1')).world; return Math.abs(Math.atan2(q[1], q[0]) - goal) < 0.03; });
    if (touch) await tab.touch('touchEnd', []); else await tab.mouse('mouseReleased', ...to(goal));
    const meet = [await point(tab, 'coupler.P2'), await point(tab, 'rocker.P2')].map(m => m.world);
    assert.ok(Math.hypot(meet[0][0] - meet[1][0], meet[0][1] - meet[1][1]) < 1e-4, 'the loop stays closed');
    assert.match(await tab.run(`document.getElementById('held').textContent`), /A\.angle = 2\.[23]/);
    writeFileSync(join(out, `studio-${width}.png`), await tab.screenshot());
    await press(tab, '#release');
    assert.ok(Math.abs((await point(tab, 'crank.P1')).world[0] - 1) < 1e-4, 'released, it is where the motion has it');

    // A driver is led by its slider, to the value that it shows.
    await tab.run(`(() => { const r = document.querySelector('#drivers input'); r.value = 3; r.dispatchEvent(new Event('input')); })()`);
    await until('the driver to lead', async () => { const q = (await point(tab, 'crank.P1')).world; return Math.abs(Math.atan2(q[1], q[0]) - 3) < 1e-3; });
    await press(tab, '#release');

    // Plots follow the motion.
    if (touch) await press(tab, '#tabs [data-tab=plots]');
    await tab.run('__biela.seek(0)'); await tab.run('__biela.draw()');
    const cursor = await tab.run('__biela.panels()[0].cursor');
    await press(tab, '#play');
    await until('the cursor to move', async () => await tab.run('__biela.panels()[0].cursor') > cursor + 5);
    await press(tab, '#play');

    // Joints are ringed where their names are pointed at.
    await press(tab, '#tabs [data-tab=mechanism]');
    const [x, y] = await middle(tab, '#mechanism .chip[data-joint=P2]');
    if (touch) await press(tab, '#mechanism .chip[data-joint=P2]'); else await tab.mouse('mouseMoved', x, y, { buttons: 0 });
    await until('the ring', () => tab.run(`document.querySelectorAll('.ring:not(.hover)').length === 1`));
    assert.match(await tab.run(`document.getElementById('mechanism').textContent`), /3redundant equations/);

    // A run, with its progress, and one that is cancelled.
    await press(tab, '#tabs [data-tab=run]');
    await tab.run(`document.getElementById('steps').value = '120'`);
    await press(tab, '#go');
    await until('the run', () => tab.run(`/121 samples/.test(document.getElementById('outcome').textContent)`));
    assert.equal(await tab.run('__biela.motion.count'), 121);
    await tab.run(`document.getElementById('steps').value = '200000'; document.getElementById('end').value = '100000'`);
    await press(tab, '#go');
    await until('progress', () => tab.run(`!document.getElementById('progress').hidden && document.getElementById('progress').value > 0`));
    await press(tab, '#cancel');
    await until('the end', () => tab.run(`/cancelled/.test(document.getElementById('outcome').textContent)`));
    await tab.run(`for (const id of ['steps', 'end']) document.getElementById(id).value = ''`);
    assert.ok(await tab.run('document.documentElement.scrollWidth <= innerWidth'), 'no sideways scrolling');
    await clean(tab);
  });

  await test('exports are whole files', async () => {
    const tab = await open(1280, 800);
    const file = async (kind, name) => { await press(tab, `[data-export=${kind}]`); const path = join(downloads, name); await until(name, () => existsSync(path) && !readdirSync(downloads).some(f => f.endsWith('.crdownload'))); return readFileSync(path); };
    const html = (await file('html', 'four-bar.html')).toString();
    assert.ok(html.startsWith('<!doctype html>') && html.endsWith('</html>\n'));
    const csv = (await file('csv', 'four-bar.csv')).toString().trimEnd().split('\n');
    assert.equal(csv.length, 74);
    assert.ok(csv.every(l => l.split(',').length === csv[0].split(',').length));
    const glb = await file('glb', 'four-bar.glb');
    assert.equal(glb.readUInt32LE(8), glb.length);
    const report = (await file('report', 'four-bar-report.html')).toString();
    assert.ok(report.includes('Mobility') && report.endsWith('</html>\n'));
    assert.equal((await file('toml', 'four-bar.toml')).toString(), text);
    await clean(tab);
  });

  await test('the way of the browser to the page', async () => {
    // In the place of the program that opens browsers: it notes what it is asked to open.
    const bin = resolve(join(out, 'bin')), note = join(bin, 'note');
    rmSync(bin, { recursive: true, force: true }); mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\nprintf %s "$1" > ${note}.new && mv ${note}.new ${note}\n`, { mode: 0o755 });
    const other = spawn(biela, ['studio', join(folder, 'four-bar.toml')], { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, PATH: `${bin}:${process.env.PATH}`, XDG_RUNTIME_DIR: bin } });
    try {
      const post = await until('the file', () => existsSync(note) && readFileSync(note, 'utf8'));
      const tab = await browser.open(`file://${post}`, 1280, 800, {});
      await until('the page', () => tab.run(`location.protocol === 'http:' && !!window.__biela && !!__biela.studio.report`).catch(() => false));
      await clean(tab);
    } finally { other.kill('SIGKILL'); }
  });

  await test('files, the library and the keyboard', async () => {
    const tab = await open(1280, 800, { dark: true });
    assert.ok(await tab.run(`document.documentElement.classList.contains('dark')`));
    // Saved by the keyboard, whole.
    await tab.run(`document.getElementById('text').focus()`);
    await write(tab, text.replace('crank   = 2', 'crank   = 1.8'));
    await tab.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 's', code: 'KeyS', modifiers: 2, windowsVirtualKeyCode: 83 });
    await until('the file', () => readFileSync(join(folder, 'four-bar.toml'), 'utf8').includes('crank   = 1.8'));
    await until('the word', () => tab.run(`document.getElementById('dirty').textContent === 'saved'`));
    // What somebody else has written meanwhile is not lost: it is taken over, or replaced where that is asked for.
    const file = join(folder, 'four-bar.toml'), dirty = `document.getElementById('dirty').textContent`;
    for (const [button, due] of [['reload', 'theirs'], ['overwrite', 'ours']]) {
      writeFileSync(file, `# theirs before ${button}\n${text}`);
      await write(tab, `# ours\n${text}`);
      await press(tab, '#save');
      await until('the warning', () => tab.run(`/has changed on disk/.test(${dirty})`));
      assert.ok(readFileSync(file, 'utf8').startsWith('# theirs'));
      await press(tab, `#${button}`);
      await until(button, async () => readFileSync(file, 'utf8').startsWith(`# ${due}`) && await tab.run(`document.getElementById('text').value.startsWith('# ${due}')`));
      await until('what is known of it', () => tab.run(`!/changed/.test(${dirty})`));
      await press(tab, '#save');
      await until('the word', () => tab.run(`${dirty} === 'saved'`));
    }
    await tab.run(`document.getElementById('filename').value = '../out.toml'`);
    await press(tab, '#save');
    await until('the refusal', () => tab.run(`/no file of the opened folder/.test(document.getElementById('dirty').textContent)`));
    assert.ok(!existsSync(join(out, 'out.toml')));
    await tab.run(`document.getElementById('filename').value = 'four-bar.toml'`);
    // Run by the keyboard; typing keys in the text are letters.
    await tab.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'Enter', code: 'Enter', modifiers: 2, windowsVirtualKeyCode: 13 });
    await until('the run', () => tab.run(`/73 samples/.test(document.getElementById('outcome').textContent)`));
    await tab.run(`document.getElementById('text').focus()`);
    const t = await tab.run('__biela.t');
    await tab.key('ArrowRight'); await tab.key('End');
    assert.equal(await tab.run('__biela.t'), t);
    await tab.run(`document.querySelector('#drivers input').focus()`);
    await tab.key('ArrowRight');
    await until('the driver by the keyboard', () => tab.run('!!__biela.hand.held'));
    await tab.key('Escape');
    assert.equal(await tab.run('!!__biela.hand.held'), false);
    // A model of the library.
    const count = await looked(tab);
    await press(tab, '[data-shipped=stewart-platform]');
    await until('another model', async () => await looked(tab) > count && await tab.run(`__biela.data.name === 'stewart-platform'`));
    assert.ok((await pixels(tab)).seen > 1500);
    await clean(tab);
  });

  await test('hostile names and wrong tokens', async () => {
    const tab = await open(1280, 800);
    const evil = `</script><img src=x onerror=window.hit=1>`;
    await write(tab, text.replace(/^name .*/m, `name = '${evil}'`).replaceAll('bodies.rocker]', `bodies.'${evil}']`).replaceAll('"rocker"]', `'${evil}']`).replace('[joints.P2]', `[joints.'${evil}']`));
    assert.equal(await tab.run(`document.getElementById('name').textContent`), evil);
    await until('the mechanism', () => tab.run(`document.getElementById('mechanism').textContent.includes('onerror')`));
    await write(tab, text.replace('"coupler"]', `'${evil}']`));
    assert.ok((await tab.run(`document.getElementById('diagnostics').textContent`)).includes('onerror'));
    assert.equal(await tab.run('document.images.length'), 0);
    assert.equal(await tab.run('window.hit'), undefined);
    await clean(tab);
    const stranger = await browser.open(address.replace(/token=..../, 'token=0000'), 1280, 800);
    await until('the refusal', () => stranger.run(`/token is missing or wrong/.test(document.getElementById('diagnostics').textContent)`).catch(() => false));
    assert.equal(await stranger.run('__biela.frames'), 0);
    await stranger.close();
  });
  console.log(`studio: ${done.length} groups of checks passed`);
} finally {
  program.kill();
  await browser.stop();
}
