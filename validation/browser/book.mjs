// The built book in a real browser: every page at the width of a desk and of a phone, light and dark, without complaint and without
// network; chapters, search and theme.
import { strict as assert } from 'node:assert';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Browser, until } from './chromium.mjs';

const [book, chromium, out] = process.argv.slice(2);
mkdirSync(out, { recursive: true });
// The studio beside the pages is none of the book's.
const pages = readdirSync(book, { recursive: true }).filter(f => f.endsWith('.html') && f !== 'studio.html').sort();
const browser = await Browser.start(chromium);
const ready = tab => until('a page', () => tab.run(`document.readyState === 'complete' && !!document.querySelector('main h1')`).catch(() => false));
const open = async (page, width, height, more) => { const tab = await browser.open(pathToFileURL(join(book, page)).href, width, height, more); await ready(tab); return tab; };
function clean(tab) {
  assert.deepEqual(tab.complaints, []);
  assert.deepEqual(tab.requests.filter(r => !r.startsWith('file:') && !r.startsWith('data:') && !r.startsWith('blob:null/') && r !== 'about:blank'), [], 'the book asks nothing of a network');
}

try {
  for (const [width, height, more] of [[1280, 900, {}], [390, 844, { touch: true, dark: true }]]) {
    const tab = await open(pages[0], width, height, more);
    for (const page of pages) {
      await tab.send('Page.navigate', { url: pathToFileURL(join(book, page)).href });
      await until(page, () => tab.run(`location.pathname.endsWith(${JSON.stringify(page)}) && document.readyState === 'complete'`).catch(() => false));
      assert.ok(await tab.run('document.documentElement.scrollWidth <= innerWidth'), `${page} scrolls sideways at ${width}`);
      assert.equal(await tab.run(`document.querySelectorAll('merror').length`), 0, `${page} has a broken formula`);
      assert.equal(await tab.run(`document.querySelectorAll('nav .here').length`), 1, `${page} is not in the list of chapters`);
    }
    const dark = await tab.run(`getComputedStyle(document.body).backgroundColor`);
    assert.equal(dark === 'rgb(255, 255, 255)', !more.dark, dark);
    clean(tab);
    await tab.close();
  }
  console.log(`  ${pages.length} pages at two widths`);

  const desk = await open('index.html', 1280, 900);
  await desk.key('/');
  await until('the search field', () => desk.run(`document.activeElement.id === 'search'`));
  for (const letter of 'stiff springs') await desk.key(letter);
  await until('something found', () => desk.run(`document.querySelectorAll('#found a').length > 0`));
  writeFileSync(join(out, 'book-search.png'), await desk.screenshot());
  await desk.key('Enter');
  await until('the page found', () => desk.run(`location.pathname.includes('stiff-springs')`).catch(() => false));
  await ready(desk);
  const paper = () => desk.run('getComputedStyle(document.body).backgroundColor');
  const light = await paper();
  await desk.run(`document.getElementById('theme').click()`);
  assert.notEqual(await paper(), light, 'the button changes the theme');
  clean(desk);
  await desk.close();
  console.log('  search and theme');

  // A model of a page and one of the gallery, run where they stand: the program's own frame, by its own sandbox.
  for (const [page, opens, width, more] of [['tutorials/linkage.html', 'pre[data-live] + .bar .run', 1280, {}], ['gallery.html', 'td .run[aria-label="Run jansen-leg here"]', 1280, { dark: true }], ['how-to/statics.html', 'pre[data-live] + .bar .run', 390, { touch: true }]]) {
    const tab = await open(page, width, 900, more);
    const shown = await tab.run(`localStorage.removeItem('theme'), delete document.documentElement.dataset.theme, document.querySelectorAll('.run').length`);
    assert.ok(shown > 0, page);
    await tab.run(`document.querySelector(${JSON.stringify(opens)}).click()`);
    await until('the frame', () => tab.run(`!!document.querySelector('iframe.live')`));
    await tab.run(`document.querySelector('iframe.live').scrollIntoView({ block: 'center' })`);
    const inside = await tab.frame('studio.html#embed');
    await until('motion in the frame', () => inside.run('!!window.__biela && __biela.frames > 3 && __biela.state.playing && __biela.t > 0').catch(() => false));
    const [written, kept, wide, barred] = await inside.run(`[document.getElementById('text').value, (() => { try { return localStorage.length; } catch { return 'none'; } })(), document.documentElement.scrollWidth <= innerWidth, getComputedStyle(document.querySelector('body > header')).display]`);
    const due = await tab.run(`document.querySelector('pre[data-live]')?.textContent ?? null`);
    if (due !== null) assert.equal(written, due, 'the model of the page');
    else assert.match(written, /Jansen/);
    assert.deepEqual([kept, wide, barred], ['none', true, 'none']);
    assert.equal(await inside.run(`getComputedStyle(document.body).backgroundColor === 'rgb(255, 255, 255)'`), !more.dark);
    assert.ok(await tab.run('document.documentElement.scrollWidth <= innerWidth'), `${page} scrolls sideways`);
    await inside.run('new Promise(done => setTimeout(done, 500))');
    writeFileSync(join(out, `book-live-${page.replace(/\W/g, '-')}.png`), await tab.screenshot());
    if (!more.dark) {
      // A parameter moved in the frame moves the mechanism there.
      const before = await inside.run('__biela.studio.looked');
      await inside.run(`(() => { const r = document.querySelector('#parameters input'); r.value = 1.02 * r.value; r.dispatchEvent(new Event('input')); })()`);
      await until('another motion', async () => await inside.run('__biela.studio.looked') > before);
    }
    await tab.run(`document.querySelector(${JSON.stringify(opens)}).click()`);
    assert.equal(await tab.run(`document.querySelectorAll('iframe').length`), 0, 'the frame closes');
    assert.deepEqual(inside.complaints, []);
    clean(tab);
    await tab.close();
  }
  console.log('  models run where they stand');

  const phone = await open('tutorials/linkage.html', 390, 844, { touch: true });
  const shown = () => phone.run(`document.querySelector('nav').getBoundingClientRect().left >= 0`);
  assert.equal(await shown(), false);
  await phone.run(`document.querySelector('header .menu').click()`);
  await until('the list of chapters', shown);
  writeFileSync(join(out, 'book-chapters.png'), await phone.screenshot());
  await phone.run(`document.querySelector('.veil').click()`);
  await until('the list to go', async () => !(await shown()));
  clean(phone);
  await phone.close();
  console.log('  chapters on a phone');
} finally {
  await browser.stop();
}
