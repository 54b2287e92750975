// Pictures of studio and report for the documents. From the root:
//   node --experimental-websocket validation/browser/screenshots.mjs target/release/biela $(command -v chromium) docs/images
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Browser, until } from './chromium.mjs';

const [biela, chromium, out] = process.argv.slice(2), folder = mkdtempSync(join(tmpdir(), 'biela-shots-'));
const browser = await Browser.start(chromium);
const wait = ms => new Promise(done => setTimeout(done, ms));
// Lossy: a PNG of a shaded picture takes four times the room.
const shoot = async (tab, name) => { const { data } = await tab.send('Page.captureScreenshot', { format: 'webp', quality: 85 }); writeFileSync(join(out, name), Buffer.from(data, 'base64')); await tab.close(); };

/** Model, tab, theme, and what is done before the picture is taken. */
const studios = [
  ['four-bar', 'mechanism', false, `document.querySelector('#mechanism .chip[data-joint=P2]').dispatchEvent(new Event('mouseenter')); document.querySelector('#show-traces').click()`],
  ['slider-crank', 'plots', true, `__biela.seek(0.4); document.querySelector('#show-velocity').click()`],
  ['stewart-platform', 'run', false, `document.getElementById('go').click()`],
  ['planetary-gear', 'plots', false, `__biela.seek(0.3)`],
  ['delta-robot', 'mechanism', true, `__biela.seek(0.3)`],
];
try {
  for (const [name, tab, dark, act] of studios) {
    const program = spawn(biela, ['studio', `models/${name}.toml`, '--no-open'], { stdio: ['ignore', 'pipe', 'inherit'] });
    let told = '';
    program.stdout.on('data', d => { told += d; });
    const page = await browser.open(await until('the address', () => (told.match(/http:\S+/) || [])[0]), 1280, 800, { dark });
    await until('the page', () => page.run('!!window.__biela && __biela.frames > 0 && !!__biela.studio.report').catch(() => false));
    await page.run(`__biela.studio.tab('${tab}'); ${act}; void 0`);
    await wait(1500);
    await shoot(page, `studio-${name}.webp`);
    program.kill();
  }
  for (const name of ['four-bar', 'slider-crank', 'stewart-platform', 'sarrus', 'cccc']) {
    const file = join(folder, `${name}.html`);
    execFileSync(biela, ['report', `models/${name}.toml`, '-o', file], { stdio: ['ignore', 'ignore', 'inherit'] });
    const page = await browser.open(pathToFileURL(resolve(file)).href, 900, 1200);
    await until('the pictures', () => page.run(`document.images.length > 0 && [...document.images].every(i => i.complete)`).catch(() => false));
    await wait(300);
    await shoot(page, `report-${name}.webp`);
  }
} finally {
  await browser.stop();
  rmSync(folder, { recursive: true, force: true });
}
