// The studio as one file in Firefox: it opens from the disk, plays, computes what the command line computes, keeps its draft, and runs nothing hostile.
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { until } from './chromium.mjs';
import { Browser } from './firefox.mjs';

const [biela, firefox, out] = process.argv.slice(2);
mkdirSync(out, { recursive: true });
const file = resolve(join(out, 'studio.html')), address = pathToFileURL(file).href, text = readFileSync('models/four-bar.toml', 'utf8');
const native = (...words) => execFileSync(biela, ['--quiet', ...words], { encoding: 'utf8' });
native('studio', 'models/four-bar.toml', '--export', file);
const browser = await Browser.start(firefox);
const says = (tab, id) => tab.run(`document.getElementById(${JSON.stringify(id)}).textContent`);
const stands = tab => until('the first picture', () => tab.run('!!window.__biela && __biela.frames > 0 && !!__biela.studio.report').catch(() => false));
const open = async hash => { const tab = await browser.open(address + hash, 1280, 800); await stands(tab); return tab; };
const model = what => `#model=${deflateRawSync(JSON.stringify(what)).toString('base64url')}`;
try {
  {
    const tab = await open('');
    assert.ok(tab.requests.every(url => url === address || /^(blob|data|about):/.test(url)), tab.requests.map(u => u.slice(0, 80)).join(' '));
    await tab.run('__biela.play(true)');
    const t = await tab.run('__biela.t');
    await until('motion', async () => await tab.run('__biela.t') !== t);
    await tab.run(`document.getElementById('steps').value = '120'; document.getElementById('runner').requestSubmit()`);
    await until('the run', async () => /121 samples/.test(await says(tab, 'outcome')));
    const due = join(out, 'due.csv');
    native('run', 'models/four-bar.toml', '--steps', '120', '--analysis', 'inverse-dynamics', '-o', due);
    const blob = await tab.run(`(async () => { const { sharing, engine, studio } = __biela, create = URL.createObjectURL; return new Promise(done => { URL.createObjectURL = made => { URL.createObjectURL = create; made.text().then(done); return 'data:,'; }; document.querySelector('[data-export=csv]').click(); }); })()`);
    assert.equal(blob, readFileSync(due, 'utf8'));
    // A text outlives a reload, with what can be undone.
    const mine = text.replace('crank   = 2', 'crank   = 1.7');
    await tab.run(`(() => { const t = document.getElementById('text'); t.value = ${JSON.stringify(mine)}; t.dispatchEvent(new Event('input')); window.stale = true; })()`);
    await new Promise(done => setTimeout(done, 600));
    await tab.reload();
    await until('the page again', () => tab.run('!window.stale').catch(() => false));
    await stands(tab);
    assert.equal(await tab.run(`document.getElementById('text').value`), mine);
    await tab.run(`document.getElementById('undo').click()`);
    assert.equal(await tab.run(`document.getElementById('text').value`), text);
    await tab.run('sessionStorage.clear(); localStorage.clear()');
    writeFileSync(join(out, 'firefox.png'), await tab.screenshot());
    assert.deepEqual(tab.complaints, []);
    await tab.close();
  }
  for (const [hash, words] of [[`#model=${'A'.repeat(40000)}`, /the link is too large: 40000 letters/], ['#model=%%%', /damaged/], [model(['x', 'x'.repeat(3 << 20)]), /holds more than a model may have/]]) {
    const tab = await open(hash);
    await until('the words', async () => words.test(await says(tab, 'notice')));
    await tab.close();
  }
  {
    const evil = '</script><img src=x onerror=window.hit=1>';
    const tab = await open(model([evil, text.replace(/^name .*/m, `name = '${evil}'`).replaceAll('bodies.rocker]', `bodies.'${evil}']`).replaceAll('"rocker"]', `'${evil}']`)]));
    assert.equal(await says(tab, 'name'), evil);
    await tab.run(`(() => { const s = document.createElement('script'); s.textContent = 'window.hit = 2'; document.body.append(s); const d = document.createElement('div'); d.innerHTML = '<img src=x onerror="window.hit=3">'; document.body.append(d); })()`);
    await new Promise(done => setTimeout(done, 200));
    assert.equal(await tab.run('window.hit ?? null'), null);
    assert.equal(await tab.run(`fetch('https://127.0.0.1:9/').then(() => 'done', error => error.name)`), 'TypeError');
    await tab.close();
  }
  console.log('the studio as one file in Firefox: all right');
} finally { await browser.stop(); }
