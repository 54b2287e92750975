// How large the studio as one file is, how soon a four-bar moves when it is opened from the disk, and how often in a second a mechanism
// follows while it is drawn or led; beside MuJoCo's own WebAssembly on a comparable four-bar. Prints a table; decides nothing.
//
//   node validation/browser/bench.mjs PROGRAM CHROMIUM FOLDER [FOLDER with node_modules/@mujoco/mujoco, as `npm install @mujoco/mujoco` makes it]
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { Browser, until } from './chromium.mjs';

const [biela, chromium, out, packages] = process.argv.slice(2);
mkdirSync(out, { recursive: true });
const file = name => resolve(join(out, `bench-${name}.html`));
const names = ['four-bar', 'stephenson-six-bar', 'stewart-platform'];
for (const name of names) execFileSync(biela, ['--quiet', 'studio', `models/${name}.toml`, '--export', file(name)]);
const page = readFileSync(file('four-bar'));
console.log(`page: ${page.length} bytes, ${gzipSync(page, { level: 9 }).length} by gzip -9; program: ${statSync(biela).size} bytes`);

const browser = await Browser.start(chromium);
const middle = list => [...list].sort((a, b) => a - b)[list.length >> 1];
// When the first picture of the mechanism, and the first in motion, were drawn, in milliseconds since the page was asked for.
const watch = `addEventListener('DOMContentLoaded', () => { const look = () => { const b = window.__biela;
  if (b?.frames > 0 && b.studio.looked) { window.seen ??= performance.now(); if (!b.state.playing) b.play(true); if (b.t > 0) { window.moved = performance.now(); return; } }
  requestAnimationFrame(look); }; look(); });`;
// A length that is changed by its slider: the whole motion, its path and plots anew.
const changed = `(async () => {
      const input = document.querySelector('#parameters input[type=range]');
      if (!input) return null;
      const own = +input.value, studio = __biela.studio, gaps = [];
      for (let k = 0, last = performance.now(), end = last + 3000; performance.now() < end; k++) {
        const before = studio.looked, frames = __biela.frames;
        input.value = own * (1 + 0.03 * Math.sin(0.2 * k)); input.dispatchEvent(new Event('input'));
        while (studio.looked === before) await new Promise(done => setTimeout(done));
        gaps.push(performance.now() - last); last = performance.now();
      }
      return gaps;
    })()`;
try {
  const starts = [];
  for (let k = 0; k < 5; k++) {
    const tab = await browser.open('about:blank', 1280, 800);
    await tab.send('Page.addScriptToEvaluateOnNewDocument', { source: watch });
    await tab.send('Page.navigate', { url: pathToFileURL(file('four-bar')).href });
    await until('motion', () => tab.run('window.moved').catch(() => 0));
    starts.push(await tab.run('[seen, moved]'));
    await tab.close();
  }
  console.log(`start from the disk: seen after ${middle(starts.map(s => s[0])).toFixed(0)} ms, moving after ${middle(starts.map(s => s[1])).toFixed(0)} ms (least ${Math.min(...starts.map(s => s[1])).toFixed(0)})`);
  for (const name of names) {
    const tab = await browser.open(pathToFileURL(file(name)).href, 1280, 800);
    await until('the mechanism', () => tab.run('!!window.__biela?.studio?.report').catch(() => false));
    const [per, work] = await tab.run(`(async () => {
      __biela.play(true);
      const work = [], plain = __biela.draw, from = performance.now(), frames = __biela.frames;
      while (performance.now() - from < 3000) { await new Promise(requestAnimationFrame); const begun = performance.now(); plain(); work.push(performance.now() - begun); }
      const per = (__biela.frames - frames - work.length) / (performance.now() - from) * 1000;
      __biela.play(false);
      return [per, work];
    })()`);
    console.log(`${name}: ${per.toFixed(0)} frames a second while it plays on what the page chooses (${await tab.run('__biela.renderer')}), ${middle(work).toFixed(2)} ms of work in each`);
    // The same by WebGL, whoever draws it.
    const bare = await browser.open(`${pathToFileURL(file(name)).href}#webgl`, 1280, 800);
    await until('the mechanism', () => bare.run('!!window.__biela?.studio?.report').catch(() => false));
    const simple = await bare.run(`(async () => { __biela.play(true); const frames = __biela.frames, from = performance.now(); await new Promise(done => setTimeout(done, 2000)); const per = (__biela.frames - frames) / (performance.now() - from) * 1000; __biela.play(false); return per; })()`);
    console.log(`${name}: ${simple.toFixed(0)} frames a second by WebGL (#webgl)`);
    const quick = await bare.run(changed);
    if (quick) console.log(`${name}: ${(1000 / middle(quick)).toFixed(0)} whole motions a second while a length is changed, by WebGL`);
    await bare.close();
    // A driver led as by its slider, or by the page's own hand, for three seconds: positions that the program has found.
    const found = await tab.run(`(async () => {
      const input = document.querySelector('#drivers input'), low = +input.min, high = +input.max, end = performance.now() + 3000, gaps = [];
      const shown = () => JSON.stringify(__biela.motion.poses.at(-1));
      let last = performance.now(), before = shown();
      for (let k = 0; performance.now() < end; k++) {
        input.value = low + (high - low) * (0.2 + 0.3 * (1 + Math.sin(0.05 * k)) / 2); input.dispatchEvent(new Event('input'));
        for (;;) { await new Promise(done => setTimeout(done)); const now = shown(); if (now !== before || performance.now() - last > 1000) { before = now; break; } }
        gaps.push(performance.now() - last); last = performance.now();
      }
      return gaps;
    })()`);
    console.log(`${name}: ${(1000 / middle(found)).toFixed(0)} positions a second led by hand (${found.length} in 3 s)`);
    const seen = await tab.run(changed);
    if (seen) console.log(`${name}: ${(1000 / middle(seen)).toFixed(0)} whole motions a second while a length is changed`);
    await tab.close();
  }
} finally { await browser.stop(); }

if (packages) await beside(join(resolve(packages), 'node_modules/@mujoco/mujoco'));

/** MuJoCo's own module on a comparable four-bar (closed softly, under gravity), in a page that does no more: its rods on a canvas, a sixtieth of a second in steps of 2 ms a frame. */
async function beside(folder) {
  const [wasm, script] = ['mujoco.wasm', 'mujoco.js'].map(name => readFileSync(join(folder, name)));
  console.log(`MuJoCo: ${wasm.length + script.length} bytes of module and script, ${gzipSync(wasm, { level: 9 }).length + gzipSync(script, { level: 9 }).length} by gzip -9`);
  const rod = (name, length, joint, inner) => `<body name="${name}" pos="${joint}"><joint type="hinge" axis="0 0 1"/><geom type="capsule" fromto="0 0 0 ${length} 0 0" size="0.1" mass="${length}"/>${inner}</body>`;
  const model = `<mujoco><option gravity="0 -9.81 0" timestep="0.002"/><worldbody>${rod('crank', 2, '0 0 0', rod('coupler', 8, '2 0 0', ''))}${rod('rocker', 5, '10 0 0', '')}</worldbody><equality><connect body1="coupler" body2="rocker" anchor="8 0 0"/></equality></mujoco>`;
  const html = `<!doctype html><canvas id="c" width="1280" height="720"></canvas><script type="module">
    import load from './mujoco.js';
    const mujoco = await load(), model = mujoco.MjModel.from_xml_string(${JSON.stringify(model)}), data = new mujoco.MjData(model), pen = document.getElementById('c').getContext('2d'), long = [0, 2, 8, 5];
    window.frames_ = []; window.work = [];
    const frame = now => {
      const begun = performance.now();
      for (let k = 0; k < 8; k++) mujoco.mj_step(model, data);
      pen.clearRect(0, 0, 1280, 720);
      for (let b = 1; b < 4; b++) { const p = data.xpos.subarray(3 * b, 3 * b + 3), m = data.xmat.subarray(9 * b, 9 * b + 9), at = (x, y) => [140 + 90 * x, 360 - 60 * y]; pen.lineWidth = 12; pen.beginPath(); pen.moveTo(...at(p[0], p[1])); pen.lineTo(...at(p[0] + long[b] * m[0], p[1] + long[b] * m[3])); pen.stroke(); }
      window.moved ??= performance.now(); window.frames_.push(now); window.work.push(performance.now() - begun);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  </script>`;
  const files = { '/': [html, 'text/html'], '/mujoco.js': [script, 'text/javascript'], '/mujoco.wasm': [wasm, 'application/wasm'] };
  const server = createServer((asked, reply) => { const [body, kind] = files[asked.url] ?? ['', 'text/plain']; reply.writeHead(body ? 200 : 404, { 'Content-Type': kind }); reply.end(body); });
  await new Promise(done => server.listen(0, '127.0.0.1', done));
  const own = await Browser.start(chromium), starts = [];
  try {
    for (let k = 0; k < 5; k++) {
      const tab = await own.open(`http://127.0.0.1:${server.address().port}/`, 1280, 800);
      await until('motion', () => tab.run('window.moved').catch(() => 0));
      starts.push(await tab.run('moved'));
      if (k === 4) {
        await new Promise(done => setTimeout(done, 3000));
        const [per, work] = await tab.run(`[(frames_.length - 1) / (frames_.at(-1) - frames_[0]) * 1000, work]`);
        console.log(`MuJoCo in the browser: four-bar ${per.toFixed(0)} frames a second, ${middle(work).toFixed(2)} ms of work in each`);
      }
      await tab.close();
    }
    console.log(`MuJoCo in the browser, from the loopback: moving after ${middle(starts).toFixed(0)} ms (least ${Math.min(...starts).toFixed(0)})`);
  } finally { await own.stop(); server.close(); }
}
