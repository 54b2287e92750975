// The studio as one file, opened from the disk in a real browser: the program runs inside, what it computes is what the command line
// computes, models are kept, sent by links and read from files, and nothing hostile runs.
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { Browser, until } from './chromium.mjs';

const [biela, chromium, out] = process.argv.slice(2);
const file = resolve(join(out, 'studio.html')), downloads = resolve(join(out, 'alone')), address = pathToFileURL(file).href;
rmSync(downloads, { recursive: true, force: true }); mkdirSync(downloads, { recursive: true });
const native = (...words) => execFileSync(biela, ['--quiet', ...words], { encoding: 'utf8' });
native('studio', 'models/four-bar.toml', '--export', file);
const text = readFileSync('models/four-bar.toml', 'utf8');

/** Bytes that the page may have as `gzip -9` packs it. */
const MOST = 2_000_000;
const packed = gzipSync(readFileSync(file), { level: 9 }).length;
assert.ok(packed <= MOST, `${packed} bytes by gzip -9`);

const browser = await Browser.start(chromium);
await browser.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: downloads });
const done = [];
async function test(name, what) { const start = Date.now(); await what(); done.push(name); console.log(`  ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`); }
const stands = tab => until('the first picture', () => tab.run('!!window.__biela && __biela.frames > 0 && !!__biela.studio.report').catch(() => false));
async function open(hash = '', width = 1280, height = 800, before = '') {
  const tab = await browser.open('about:blank', width, height, { touch: width < 500 });
  if (before) await tab.send('Page.addScriptToEvaluateOnNewDocument', { source: before });
  await tab.send('Page.navigate', { url: address + hash });
  await stands(tab);
  return tab;
}
const reload = async tab => { await tab.run('window.stale = true'); await tab.send('Page.reload'); await until('the page again', () => tab.run('!window.stale').catch(() => false)); await stands(tab); };
async function write(tab, what) {
  const before = await tab.run('__biela.studio.looked');
  await tab.run(`(() => { const t = document.getElementById('text'); t.value = ${JSON.stringify(what)}; t.dispatchEvent(new Event('input')); })()`);
  await until('the text to be looked at', async () => await tab.run('__biela.studio.looked') > before);
}
const press = (tab, selector) => tab.run(`document.querySelector(${JSON.stringify(selector)}).click()`);
const says = (tab, id) => tab.run(`document.getElementById(${JSON.stringify(id)}).textContent`);
const told = (tab, words) => until(`${words} to be told`, async () => words.test(await says(tab, 'notice')));
const value = tab => tab.run(`document.getElementById('text').value`);
// A page that nobody has clicked on may not ask before it is left; the browser notes that it wanted to.
const clean = async tab => { assert.deepEqual(tab.complaints.filter(words => !words.startsWith("Blocked attempt to show a 'beforeunload'")), []); await tab.close(); };
const saved = (tab, name) => (async () => {
  await tab.run(`document.getElementById('filename').value = ${JSON.stringify(name)}`);
  await press(tab, '#save');
})();
const listed = tab => tab.run(`[...document.querySelectorAll('.kept button:first-child')].map(b => b.textContent)`);
const copied = async tab => {
  await tab.run(`navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve(); }`);
  await press(tab, '#copy-link');
  return until('the link', () => tab.run('window.copied'));
};
const model = what => `#model=${deflateRawSync(typeof what === 'string' ? what : JSON.stringify(what)).toString('base64url')}`;

try {
  for (const [width, height] of [[1440, 900], [768, 1024], [390, 844]]) await test(`from the disk at ${width}×${height}`, async () => {
    const tab = await open('', width, height);
    assert.ok(await tab.run('document.documentElement.scrollWidth <= innerWidth'), 'no sideways scrolling');
    assert.ok(tab.requests.every(url => url === address || url.startsWith('blob:null/') || url === 'data:,'), tab.requests.map(u => u.slice(0, 80)).join(' '));
    if (width < 500) await press(tab, '#tabs [data-tab=parameters]');
    await press(tab, '#models summary');
    writeFileSync(join(out, `alone-${width}.png`), await tab.screenshot());
    await clean(tab);
  });

  await test('a run has the bytes of the command line', async () => {
    const tab = await open();
    await press(tab, '#tabs [data-tab=run]');
    await tab.run(`document.getElementById('steps').value = '120'`);
    await press(tab, '#go');
    await until('the run', () => tab.run(`/121 samples/.test(document.getElementById('outcome').textContent)`));
    const get = async (kind, name) => { await press(tab, `[data-export=${kind}]`); const path = join(downloads, name); await until(name, () => existsSync(path) && !readdirSync(downloads).some(f => f.endsWith('.crdownload'))); return readFileSync(path); };
    const due = join(downloads, 'due.csv');
    // Where a model has masses, the studio tells forces too.
    native('run', 'models/four-bar.toml', '--steps', '120', '--analysis', 'inverse-dynamics', '-o', due);
    assert.ok((await get('csv', 'four-bar.csv')).equals(readFileSync(due)), 'the same bytes');
    // A number as it is read: the greatest angle of the rocker.
    const [head, ...rows] = readFileSync(due, 'utf8').trimEnd().split('\n').map(line => line.split(','));
    const effort = head.findIndex(name => name.startsWith('motor.effort')), greatest = Math.max(...rows.map(row => +row[effort]));
    const shown = await tab.run(`[...document.querySelectorAll('#outcome tr')].find(r => /^motor.effort/.test(r.textContent)).cells[2].firstChild.textContent`);
    assert.equal(+shown, +greatest.toPrecision(shown.replace(/[-.]|^0+/g, '').length), `${shown} for ${greatest}`);
    // Letters of pictures and reports: the page has the typefaces.
    const report = (await get('report', 'four-bar-report.html')).toString();
    assert.ok(report.includes('Mobility') && report.endsWith('</html>\n'));
    assert.ok((await get('gif', 'four-bar.gif')).subarray(0, 6).equals(Buffer.from('GIF89a')));
    await clean(tab);
  });

  await test('a sweep by several workers has the bytes of the command line', async () => {
    const tab = await open();
    await tab.run(`(() => { const [own] = __biela.sweeper.rows; own.name.value = 'crank'; own.from.value = '0.5'; own.to.value = '6'; own.count.value = '300'; document.getElementById('sweep-measure').value = 'max(B.angle)'; document.getElementById('sweep-go').click(); })()`);
    await until('the sweep', () => tab.run('!!__biela.sweeper.found'));
    const table = join(downloads, 'sweep.csv');
    native('sweep', 'models/four-bar.toml', '--vary', 'crank=0.5:6:300', '--measure', 'max_B.angle=max(B.angle)', '-o', table);
    assert.equal(await tab.run('__biela.sweeper.found.csv'), readFileSync(table, 'utf8'));
    // A natural mode and a fit are calls of the module too.
    const swing = await tab.run(`__biela.engine('swing', { name: 'm.toml', mode: 1, text: 'planar = true\\ngravity = [0, -9.81]\\nbodies.b = { mass = 1, com = [0, -1] }\\njoints.A = { type = "revolute", bodies = ["ground", "b"], at = [0, 0] }\\n' }).then(f => f.picture.samples)`);
    assert.ok(swing > 24);
    await clean(tab);
  });

  await test('all four-bars through a sketched path are those of the command line', async () => {
    const tab = await open('#shipped=four-bar');
    await press(tab, '#new');
    await until('the empty paper', () => tab.run(`__biela.drafting.blank`));
    // Nine places of the coupler's path of a crank-rocker, clicked one by one: crank 1, coupler √10, rocker √5, pivots 4 apart.
    const place = turn => {
      const b = [-Math.sin(turn), Math.cos(turn)], d = [4 - b[0], -b[1]], f = Math.hypot(...d), along = (10 + f * f - 5) / (2 * f), high = Math.sqrt(10 - along * along), u = [d[0] / f, d[1] / f];
      const c = [along * u[0] - high * u[1], along * u[1] + high * u[0]], cos = (3 * c[0] + c[1]) / 10, sin = (3 * c[1] - c[0]) / 10;
      return [b[0] + cos * 1.6 - sin * 1.4, b[1] + sin * 1.6 + cos * 1.4];
    };
    const path = Array.from({ length: 9 }, (_, k) => place(Math.PI * k / 6));
    await tab.run(`__biela.wish.path = ${JSON.stringify(path)}; __biela.wish.show()`);
    await press(tab, '#wish-four');
    const found = JSON.parse(await until('the four-bars', () => tab.run(`__biela.wish.found && !__biela.wish.running ? JSON.stringify(__biela.wish.found) : ''`), 240000));
    const asked = join(out, 'nine.toml');
    writeFileSync(asked, `name = "drawing"\n[synthesise]\nkind = "path"\npoints = ${JSON.stringify(path)}\n`);
    const own = JSON.parse(native('synthesise', asked, '--json')), numbers = text => text.slice(text.indexOf('[parameters]'), text.indexOf('# Position'));
    assert.deepEqual([found.count, found.real, found.complete], [own.designs.length, own.real, own.complete]);
    const known = new Set(own.designs.map(d => numbers(d.model)));
    for (const one of found.designs) assert.ok(known.has(numbers(one.text)), one.text);
    assert.deepEqual(found.designs[0].defects, []);
    await clean(tab);
  });
  await test('the page lives on while a run goes on, and ends it', async () => {
    const tab = await open();
    await press(tab, '#tabs [data-tab=run]');
    await tab.run(`document.getElementById('steps').value = '200000'; document.getElementById('end').value = '100000'`);
    await press(tab, '#go');
    await until('progress', () => tab.run(`!document.getElementById('progress').hidden && document.getElementById('progress').value > 0`));
    await tab.run(`(() => { const r = document.querySelector('#drivers input'); r.value = 3; r.dispatchEvent(new Event('input')); })()`);
    await until('the driver to lead meanwhile', () => tab.run('!!__biela.hand.held'));
    assert.equal(await tab.run(`document.getElementById('progress').hidden`), false);
    await press(tab, '#cancel');
    await until('the end', () => tab.run(`/cancelled/.test(document.getElementById('outcome').textContent)`));
    await tab.run(`for (const id of ['steps', 'end']) document.getElementById(id).value = ''`);
    await press(tab, '#go');
    await until('another run', () => tab.run(`/73 samples/.test(document.getElementById('outcome').textContent)`));
    await clean(tab);
  });

  await test('models are kept, and a text outlives a reload', async () => {
    const tab = await open();
    await tab.run('window.confirm = () => true');
    await saved(tab, 'mine.toml');
    await until('the word', async () => await says(tab, 'dirty') === 'saved');
    await saved(tab, 'folder/other.toml');
    await until('the second', async () => (await listed(tab)).length === 2);
    for (const name of ['../out.toml', 'x.txt', '', '.hidden.toml']) {
      await saved(tab, name);
      await until(`the refusal of '${name}'`, async () => /no file of|does not end in/.test(await says(tab, 'dirty')));
    }
    const mine = text.replace('crank   = 2', 'crank   = 1.7');
    await write(tab, mine);
    const before = await tab.run('__biela.studio.looked');
    await tab.run(`(() => { const r = document.querySelector('[data-name=rocker] input'); r.value = 6; r.dispatchEvent(new Event('input')); })()`);
    await until('the slider', async () => await tab.run('__biela.studio.looked') > before);
    await reload(tab);
    assert.equal(await value(tab), mine);
    await until('the slider as it was', () => tab.run(`+document.querySelector('[data-name=rocker] input').value === 6`));
    assert.deepEqual(await listed(tab), ['folder/other.toml', 'mine.toml']);
    // Another window sees them too; a change made there is not overwritten unasked.
    const other = await open();
    assert.deepEqual(await listed(other), ['folder/other.toml', 'mine.toml']);
    for (const t of [tab, other]) {
      await t.run(`window.confirm = () => true; [...document.querySelectorAll('.kept button:first-child')].find(b => b.textContent === 'mine.toml').click()`);
      await until('the model', async () => await value(t) === text);
    }
    await write(other, `# theirs\n${text}`); await press(other, '#save');
    await until('theirs', async () => await says(other, 'dirty') === 'saved');
    await write(tab, `# ours\n${text}`); await press(tab, '#save');
    await until('the warning', async () => /has changed in another window/.test(await says(tab, 'dirty')));
    await press(tab, '#reload');
    await until('theirs', async () => (await value(tab)).startsWith('# theirs'));
    // Other names, and none.
    await tab.run(`window.prompt = () => '../evil.toml'; document.querySelector('[aria-label="Rename mine.toml"]').click()`);
    await told(tab, /no file of/);
    await tab.run(`window.prompt = () => 'yours.toml'; document.querySelector('[aria-label="Rename mine.toml"]').click()`);
    await until('the new name', async () => (await listed(tab)).join() === 'folder/other.toml,yours.toml');
    await press(tab, '[aria-label="Delete folder/other.toml"]');
    assert.deepEqual(await listed(tab), ['yours.toml']);
    await other.close();
    await clean(tab);
  });

  await test('full storage is told', async () => {
    const tab = await open();
    await tab.run(`for (let size = 1 << 22; size; size >>= 1) try { for (let k = 0; ; k++) localStorage.setItem('fill ' + size + ' ' + k, 'x'.repeat(size)); } catch {}`);
    await saved(tab, 'more.toml');
    await until('the words', async () => /storage of this browser is full: more.toml is not saved/.test(await says(tab, 'dirty')));
    assert.ok(!(await listed(tab)).includes('more.toml'));
    await tab.run(`localStorage.clear(); sessionStorage.clear()`);
    await saved(tab, 'more.toml');
    await until('room again', async () => await says(tab, 'dirty') === 'saved');
    await tab.run(`localStorage.clear(); sessionStorage.clear()`);
    await clean(tab);
  });

  await test('links hold a model, and no more than that', async () => {
    const tab = await open();
    const mine = text.replace('crank   = 2', 'crank   = 1.3 # ½ ≤ π');
    await write(tab, mine);
    const link = await copied(tab);
    assert.ok(link.startsWith(`${address}#model=`) && /^[-\w]+$/.test(link.split('=')[1]));
    await tab.run('sessionStorage.clear(); localStorage.clear()');
    const other = await open(link.slice(address.length));
    assert.equal(await value(other), mine);
    await clean(other);
    // A text that is too large for a link.
    await write(tab, `${text}\n# ${Array.from({ length: 40000 }, (_, k) => (k * 7919 % 99991).toString(36)).join('')}`);
    await press(tab, '#copy-link');
    await told(tab, /too large for a link/);
    await clean(tab);
    const evil = '</script><img src=x onerror=window.hit=1>';
    for (const [hash, words] of [
      [`#model=${'A'.repeat(40000)}`, /the link is too large: 40000 letters/], ['#model=%%%', /damaged/], ['#model=AAAA', /damaged/], [model('{}'), /damaged/],
      [model([evil, 5]), /damaged/], [model(JSON.stringify(['x', 'x'.repeat(3 << 20)])), /holds more than a model may have/], [model('\xff'), /damaged/],
    ]) {
      const bad = await open(hash);
      await told(bad, words);
      assert.equal(await value(bad), text, 'the page shows its own model');
      await clean(bad);
    }
    const bad = await open(model([evil, text.replace(/^name .*/m, `name = '${evil}'`).replaceAll('bodies.rocker]', `bodies.'${evil}']`).replaceAll('"rocker"]', `'${evil}']`)]));
    assert.equal(await says(bad, 'name'), evil);
    await until('the mechanism', async () => (await says(bad, 'mechanism')).includes('P2'));
    assert.deepEqual(await bad.run('[document.images.length, window.hit ?? null]'), [0, null]);
    await clean(bad);
  });

  await test('a hostile model in an exported page runs nothing', async () => {
    const path = resolve(join(downloads, 'hostile.html')), source = join(downloads, 'hostile.toml');
    writeFileSync(source, text.replace(/^name .*/m, `name = '</script><script>window.hit=1</script><!--<script>{{module}}'`));
    native('studio', source, '--export', path);
    const tab = await browser.open(pathToFileURL(path).href, 1280, 800);
    await stands(tab);
    assert.match(await says(tab, 'name'), /^<\/script><script>window/);
    // What the policy lets nobody do, whoever got in.
    const tried = await tab.run(`(async () => {
      // Later, as a page's own script: what DevTools evaluate may evaluate more.
      const tell = async what => { await new Promise(done => setTimeout(done)); try { await what(); return 'done'; } catch (error) { return error.name; } };
      const script = document.createElement('script'); script.textContent = 'window.hit = 2'; document.body.append(script);
      const image = document.createElement('div'); image.innerHTML = '<img src=x onerror="window.hit=3">'; document.body.append(image);
      return [await tell(() => fetch('https://127.0.0.1:9/')), await tell(() => eval('window.hit = 4')), await tell(() => new Function('window.hit = 5')())];
    })()`);
    assert.deepEqual(tried, ['TypeError', 'EvalError', 'EvalError']);
    assert.equal(await tab.run('window.hit ?? null'), null);
    assert.ok(tab.complaints.every(words => /Content Security Policy/.test(words)), tab.complaints.join('\n'));
    await tab.close();
  });

  await test('a fault of the program is told, and a new one goes on', async () => {
    // A worker that breaks its program in the second call: what a panic does to it.
    const breaks = `(() => { const Plain = Blob; window.Blob = class extends Plain { constructor(parts, options) {
      super(options?.type === 'text/javascript' ? [String(parts[0]).replace("function call(name, body) {", "let calls = 0;\\nfunction call(name, body) { if (name === 'look' && ++calls === 2) program.room(-1);")] : parts, options); } }; })()`;
    const tab = await open('', 1280, 800, breaks);
    await tab.run(`(() => { const t = document.getElementById('text'); t.value += '# more'; t.dispatchEvent(new Event('input')); })()`);
    await until('the words', async () => /fault of the program, which was started anew: capacity overflow/.test(await says(tab, 'outcome')));
    await write(tab, text.replace('crank   = 2', 'crank   = 1.8'));
    assert.match(await says(tab, 'diagnostics'), /Nothing is wrong/);
    await tab.run('window.confirm = () => true');
    await press(tab, '[data-shipped=stewart-platform]');
    await until('another model', () => tab.run(`__biela.data.name === 'stewart-platform'`));
    await tab.run('sessionStorage.clear(); localStorage.clear()');
    await clean(tab);
  });

  await test('files of the disk', async () => {
    const tab = await open();
    // In the place of the dialog that asks which file: a handle as browsers give one.
    await tab.run(`(() => { let held = ${JSON.stringify(text)}; window.disk = () => held; window.confirm = () => true;
      const handle = { getFile: async () => new File([held], 'pump.toml'), createWritable: async () => { let parts = ''; return { write: async part => { parts += part; }, close: async () => { held = parts; } }; } };
      window.showOpenFilePicker = async () => [handle]; window.others = what => { held = what; }; })()`);
    await press(tab, '#open-file');
    await until('the name', () => tab.run(`document.getElementById('filename').value === 'pump.toml'`));
    const mine = text.replace('crank   = 2', 'crank   = 1.4');
    await write(tab, mine); await press(tab, '#save');
    await until('the file', async () => await tab.run('disk()') === mine);
    await tab.run(`others('# theirs')`);
    await write(tab, text); await press(tab, '#save');
    await until('the warning', async () => /has changed on disk/.test(await says(tab, 'dirty')));
    assert.equal(await tab.run('disk()'), '# theirs');
    await press(tab, '#overwrite');
    await until('the file', async () => await tab.run('disk()') === text);
    // Dropped files: a model, and what is none.
    const drop = (name, parts) => tab.run(`(() => { const data = new DataTransfer(); data.items.add(new File([${parts}], ${JSON.stringify(name)})); document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data })); })()`);
    await drop('dropped.toml', JSON.stringify(mine));
    await until('the dropped one', () => tab.run(`document.getElementById('filename').value === 'dropped.toml'`));
    assert.equal(await value(tab), mine);
    await drop('bytes.toml', 'new Uint8Array([255, 254, 0])');
    await told(tab, /not text in UTF-8/);
    await drop('large.toml', 'new Uint8Array(9 << 20)');
    await told(tab, /larger than 8 MB/);
    await tab.run('sessionStorage.clear(); localStorage.clear()');
    await clean(tab);
  });
  console.log(`studio as one file: ${done.length} groups of checks passed; ${packed} bytes by gzip -9, ${statSync(biela).size} of the program`);
} finally { await browser.stop(); }
