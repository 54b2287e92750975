// The built book in a real browser: every page at the width of a desk and of a phone, light and dark, without complaint and without
// network; chapters, search and theme.
import { strict as assert } from 'node:assert';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Browser, until } from './chromium.mjs';

const [book, chromium, out] = process.argv.slice(2);
mkdirSync(out, { recursive: true });
const pages = readdirSync(book, { recursive: true }).filter(f => f.endsWith('.html')).sort();
const browser = await Browser.start(chromium);
const ready = tab => until('a page', () => tab.run(`document.readyState === 'complete' && !!document.querySelector('main h1')`).catch(() => false));
const open = async (page, width, height, more) => { const tab = await browser.open(pathToFileURL(join(book, page)).href, width, height, more); await ready(tab); return tab; };
function clean(tab) {
  assert.deepEqual(tab.complaints, []);
  assert.deepEqual(tab.requests.filter(r => !r.startsWith('file:') && !r.startsWith('data:') && r !== 'about:blank'), [], 'the book asks nothing of a network');
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
