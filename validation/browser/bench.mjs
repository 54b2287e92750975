// How large the studio as one file is, how soon a four-bar moves when it is opened from the disk, and how often in a second a mechanism
// follows while it is drawn or led; beside MuJoCo's own WebAssembly on a comparable four-bar. Prints a table; decides nothing.
//
//   node validation/browser/bench.mjs PROGRAM CHROMIUM FOLDER [FOLDER with node_modules/@mujoco/mujoco]
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
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
    await tab.close();
  }
} finally { await browser.stop(); }

if (packages) {
  const folder = join(resolve(packages), 'node_modules/@mujoco/mujoco');
  const wasm = readFileSync(join(folder, 'mujoco.wasm'));
  console.log(`MuJoCo: ${wasm.length + statSync(join(folder, 'mujoco.js')).size} bytes of module and script, ${gzipSync(wasm, { level: 9 }).length + gzipSync(readFileSync(join(folder, 'mujoco.js')), { level: 9 }).length} by gzip -9`);
  const load = (await import(pathToFileURL(join(folder, 'mujoco.js')).href)).default;
  const begun = performance.now(), mujoco = await load();
  const rod = (name, length, joint, inner) => `<body name="${name}" pos="${joint}"><joint type="hinge" axis="0 0 1"/><geom type="capsule" fromto="0 0 0 ${length} 0 0" size="0.1" mass="${length}"/>${inner}</body>`;
  const model = mujoco.MjModel.from_xml_string(`<mujoco><option gravity="0 -9.81 0" timestep="0.002"/><worldbody>${rod('crank', 2, '0 0 0', rod('coupler', 8, '2 0 0', ''))}${rod('rocker', 5, '10 0 0', '')}</worldbody>
    <equality><connect body1="coupler" body2="rocker" anchor="8 0 0"/></equality></mujoco>`);
  const data = new mujoco.MjData(model);
  mujoco.mj_step(model, data);
  console.log(`MuJoCo in Node: first step after ${(performance.now() - begun).toFixed(0)} ms`);
  const start = performance.now(), steps = 20000;
  for (let k = 0; k < steps; k++) mujoco.mj_step(model, data);
  console.log(`MuJoCo in Node: ${(1e3 * (performance.now() - start) / steps).toFixed(1)} µs a step of its own integrator`);
}
