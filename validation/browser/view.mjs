// Pages of `biela view` in a real browser: they load without complaint, play, scrub, follow, and hold what hostile names do.
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Browser, until } from './chromium.mjs';

const [biela, chromium, out] = process.argv.slice(2);
mkdirSync(out, { recursive: true });
const page = (model, name, ...more) => { const file = join(out, `${name}.html`); execFileSync(biela, ['view', model, '-o', file, ...more], { stdio: ['ignore', 'ignore', 'inherit'] }); return file; };

/** A chain of four-bars whose cranks swing together. */
function chain(loops) {
  const hinge = 'type = "revolute"\naxis = [[0, 0, 1], [0, 0, 1]]\n';
  let text = 'name = "n-four-bar"\n';
  for (let i = 0; i <= loops; i++) {
    text += `[bodies.c${i}]\npose = { at = [${i}, 0, 0], angle = "90 deg", axis = [0, 0, 1] }\n`;
    if (i < loops) text += `[bodies.k${i}]\npose = { at = [${i}, 1, 0] }\n`;
  }
  for (let i = 0; i <= loops; i++) {
    text += `[joints.g${i}]\n${hinge}bodies = ["ground", "c${i}"]\nat = [[${i}, 0, 0], [0, 0, 0]]\n`;
    if (i < loops) text += `[joints.a${i}]\n${hinge}bodies = ["c${i}", "k${i}"]\nat = [[1, 0, 0], [0, 0, 0]]\n[joints.b${i}]\n${hinge}bodies = ["k${i}", "c${i + 1}"]\nat = [[1, 0, 0], [1, 0, 0]]\n`;
  }
  return `${text}[drivers.motor]\njoint = "g0"\nvalue = "pi/2 + 1.2*sin(2*pi*t)"\n[run]\nend = 2\nsteps = 2000\n`;
}

/** Pixels of the moving picture that differ between two shots, and whether a shot shows anything. */
const pixels = `(() => { __biela.draw(); const c = document.getElementById('picture'), s = document.createElement('canvas'); s.width = c.width; s.height = c.height;
  const p = s.getContext('2d'); p.drawImage(c, 0, 0); const d = p.getImageData(0, 0, s.width, s.height).data; let sum = 0, seen = 0;
  for (let k = 0; k < d.length; k += 4) { if (d[k + 3] > 200) seen++; sum = (sum * 31 + d[k] + 7 * d[k + 1] + 13 * d[k + 2] + 3 * d[k + 3]) >>> 0; }
  return { seen, sum }; })()`;

const browser = await Browser.start(chromium);
const done = [];
async function test(name, what) { const start = Date.now(); await what(); done.push(name); console.log(`  ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`); }
async function open(file, width, height, more = {}, hash = '') {
  const tab = await browser.open(pathToFileURL(file).href + hash, width, height, more);
  await until('the first frame', () => tab.run('!!window.__biela && __biela.frames > 0').catch(() => false));
  return tab;
}
async function clean(tab) {
  assert.deepEqual(tab.complaints, []);
  const foreign = tab.requests.filter(r => !r.startsWith('file:') && !r.startsWith('data:') && r !== 'about:blank');
  assert.deepEqual(foreign, [], 'the page asks nothing of a network');
  await tab.close();
}

try {
  const crank = page('models/slider-crank.toml', 'slider-crank'), platform = page('models/stewart-platform.toml', 'stewart-platform');

  for (const [width, height, touch] of [[1280, 800, false], [390, 844, true]]) await test(`slider-crank at ${width}×${height}`, async () => {
    const tab = await open(crank, width, height, { touch });
    assert.equal(await tab.run('__biela.renderer'), 'canvas');
    const still = await tab.run(pixels);
    assert.ok(still.seen > 2000, `${still.seen} pixels drawn`);
    // Nothing is wider than the window.
    assert.ok(await tab.run('document.documentElement.scrollWidth <= innerWidth'), 'no sideways scrolling');
    await tab.run(`document.getElementById('play').click()`);
    await until('playing', () => tab.run('__biela.t > 0.1'));
    await tab.run(`document.getElementById('play').click()`);
    const stopped = await tab.run('__biela.t');
    assert.notEqual((await tab.run(pixels)).sum, still.sum, 'the picture moves');
    await tab.run('new Promise(done => setTimeout(done, 200))');
    assert.equal(await tab.run('__biela.t'), stopped, 'it stops');
    // Scrubbing sets the time, and the plots' cursors follow.
    const before = await tab.run('__biela.panels()[0].cursor');
    await tab.run(`(() => { const s = document.getElementById('scrub'); s.value = 0.75; s.dispatchEvent(new Event('input')); })()`);
    await until('the scrub', () => tab.run('Math.abs(__biela.t - 0.75) < 1e-9'));
    const after = await tab.run('__biela.panels()[0].cursor');
    assert.notEqual(before, after, 'the cursor follows');
    // The value beside the plot is the signal's own: x = r cos φ + √(l² − r² sin² φ).
    const phi = Math.PI / 4 + 2 * Math.PI * 0.75, due = 2 * Math.cos(phi) + Math.sqrt(3.5 ** 2 - (2 * Math.sin(phi)) ** 2);
    const told = parseFloat(await tab.run(`__biela.panels().find(p => p.input.value === 'guide.slide').value.textContent.replace('−', '-')`));
    assert.ok(Math.abs(told - due) < 2e-3, `${told} against ${due}`);
    // A click in a plot scrubs.
    await tab.run('__biela.panels()[0].canvas.scrollIntoView()');
    const spot = await tab.run(`(() => { const p = __biela.panels()[0], b = p.canvas.getBoundingClientRect(); return [b.left + p.left + 0.25 * p.inner, b.top + 40]; })()`);
    if (touch) { await tab.touch('touchStart', [spot]); await tab.touch('touchEnd', []); } else await tab.click(...spot);
    await until('the click to scrub', () => tab.run('Math.abs(__biela.t - 0.25) < 0.02'));
    // Every toggle that is on offer changes the picture.
    for (const key of ['frames', 'joints', 'traces', 'velocity', 'acceleration', 'reaction', 'effort', 'grid']) {
      const [a, able] = [await tab.run(pixels), await tab.run(`!document.getElementById('show-${key}').disabled`)];
      assert.ok(able, `${key} can be shown`);
      await tab.run(`document.getElementById('show-${key}').click()`);
      await until(`${key} to change the picture`, async () => (await tab.run(pixels)).sum !== a.sum);
    }
    for (const view of ['top', 'side', 'iso', 'front']) { const a = await tab.run(pixels); await tab.run(`document.querySelector('[data-view=${view}]').click()`); await until(`view ${view}`, async () => (await tab.run(pixels)).sum !== a.sum); }
    if (touch) {
      await tab.run('scrollTo(0, 0)');
      const half = await tab.run('__biela.camera.half'), [x, y] = await tab.run(`(() => { const b = document.getElementById('stage').getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]; })()`);
      await tab.touch('touchStart', [[x - 30, y], [x + 30, y]]);
      for (let k = 1; k <= 5; k++) await tab.touch('touchMove', [[x - 30 - 10 * k, y], [x + 30 + 10 * k, y]]);
      await tab.touch('touchEnd', []);
      await until('the pinch to zoom', async () => (await tab.run('__biela.camera.half')) < 0.7 * half);
    } else {
      const yaw = await tab.run('__biela.camera.yaw');
      await tab.mouse('mousePressed', 450, 400); await tab.mouse('mouseMoved', 520, 380); await tab.mouse('mouseReleased', 520, 380);
      await until('the drag to turn', async () => (await tab.run('__biela.camera.yaw')) !== yaw);
      await tab.run(`document.getElementById('picture').focus()`);
      await tab.key('End'); await until('End', () => tab.run('__biela.t === 1'));
      await tab.key('Home'); await until('Home', () => tab.run('__biela.t === 0'));
      await tab.key('ArrowRight'); await until('one sample on', () => tab.run('Math.abs(__biela.t - 0.01) < 1e-6'));
      await tab.key('1'); await until('key 1', () => tab.run('__biela.camera.yaw === 0'));
      await tab.key(' ', 'Space'); await until('space', () => tab.run('__biela.t > 0.03'));
      await tab.key(' ', 'Space');
      await tab.run(`(() => { const i = __biela.panels()[0].input; i.value = 'crank.B.x'; i.dispatchEvent(new Event('change')); })()`);
      await until('another signal', () => tab.run(`__biela.motion.signals[__biela.panels()[0].signal].name === 'crank.B.x'`));
    }
    writeFileSync(join(out, `slider-crank-${width}.png`), await tab.screenshot());
    await clean(tab);
  });

  await test('dark, in space, and without WebGL', async () => {
    const dark = await open(platform, 1280, 800, { dark: true });
    assert.ok(await dark.run(`document.documentElement.classList.contains('dark')`));
    await dark.run(`document.getElementById('theme').click()`);
    assert.ok(await dark.run(`!document.documentElement.classList.contains('dark')`));
    assert.ok((await dark.run(pixels)).seen > 2000);
    await clean(dark);
    // No graphics card here, so that a canvas is chosen; WebGL can be asked for, and shows the same.
    const plain = await open(platform, 1280, 800), card = await open(platform, 1280, 800, {}, '#webgl');
    assert.deepEqual([await plain.run('__biela.renderer'), await card.run('__biela.renderer')], ['canvas', 'webgl2']);
    const tones = `(() => { __biela.seek(0.1); __biela.draw(); const c = document.getElementById('picture'), s = document.createElement('canvas'); s.width = c.width / 4 | 0; s.height = c.height / 4 | 0;
      const p = s.getContext('2d'); p.fillStyle = '#fff'; p.fillRect(0, 0, s.width, s.height); p.imageSmoothingQuality = 'high'; p.drawImage(c, 0, 0, s.width, s.height); return [...p.getImageData(0, 0, s.width, s.height).data]; })()`;
    const [one, other] = [await plain.run(tones), await card.run(tones)], off = one.map((x, k) => Math.abs(x - other[k]));
    // Light between corners instead of in every pixel: a few tones where something shines, and half a pixel at edges.
    assert.ok(off.reduce((s, x) => s + x, 0) / off.length < 1.5 && off.filter(x => x > 40).length < 0.004 * off.length, `${off.reduce((s, x) => s + x, 0) / off.length} tones apart, ${off.filter(x => x > 40).length} of ${off.length} by more than 40`);
    await clean(card);
    const a = await plain.run(pixels);
    assert.ok(a.seen > 2000);
    await plain.run('__biela.seek(0.3)');
    await until('the plain canvas to follow', async () => (await plain.run(pixels)).sum !== a.sum);
    await clean(plain);
  });

  /** Moves the slider of that name as a hand does; values as they are shown. */
  const slide = (tab, name, value) => tab.run(`(() => { const r = document.querySelector('[data-name="${name}"] input[type=range]'); r.value = ${value}; r.dispatchEvent(new Event('input')); __biela.draw(); })()`);

  for (const [width, height, more] of [[1280, 800, {}], [390, 844, { touch: true, dark: true }]]) await test(`joints without drivers at ${width}×${height}`, async () => {
    const model = join(out, 'undriven.toml');
    writeFileSync(model, 'units = "mm, deg"\n' + readFileSync('models/four-bar.toml', 'utf8').replace(/\[drivers\.[^[]*/, '').replace(/\[run\][^[]*/, ''));
    const tab = await open(page(model, 'undriven'), width, height, more), hand = '__biela.hand';
    assert.deepEqual(await tab.run(`${hand}.sliders.map(c => c.name)`), ['A.angle']);
    assert.match(await tab.run(`document.getElementById('hand').textContent`), /solved in this page/);
    // The crank is led round in degrees; coupler and rocker meet where circles about their pivots do.
    for (const degrees of [80, 150]) {
      await slide(tab, 'A.angle', degrees);
      const phi = degrees * Math.PI / 180, pin = [2 * Math.cos(phi), 2 * Math.sin(phi)], dx = 10 - pin[0], dy = -pin[1], d = Math.hypot(dx, dy), a = (64 - 25 + d * d) / (2 * d), h = Math.sqrt(64 - a * a);
      const due = [pin[0] + (a * dx - h * dy) / d, pin[1] + (a * dy + h * dx) / d];
      const k = await tab.run(`__biela.data.bodies.findIndex(b => b.name === 'rocker')`), [x, y, , e0, , , e3] = await tab.run(`${hand}.poses[${k}]`), at = 2 * Math.atan2(e3, e0);
      assert.ok(Math.hypot(x + 5 * Math.cos(at) - due[0], y + 5 * Math.sin(at) - due[1]) < 1e-9, `${degrees}`);
    }
    assert.ok(await tab.run('document.documentElement.scrollWidth <= innerWidth'), 'no sideways scrolling');
    writeFileSync(join(out, `undriven-${width}.png`), await tab.screenshot());
    await clean(tab);
  });

  await test('sliders of parameters', async () => {
    const tab = await open(page('models/four-bar.toml', 'varied', '--vary', 'crank = 1.5..2.5 : 3', '--vary', 'coupler = 8..30 : 3'), 1280, 800);
    const pin = () => tab.run(`(() => { const { data, motion } = __biela, p = data.points.find(p => p.name === 'crank.P1'); return Math.hypot(...motion.point(p.body, p.at, 7)); })()`);
    // Stored, between two stored ones, and the model's own.
    for (const [value, slack] of [[1.5, 1e-3], [1.75, 0.02], [2.5, 1e-3], [2, 1e-6]]) { await slide(tab, 'crank', value); assert.ok(Math.abs(await pin() - value) < slack, `${value}: ${await pin()}`); }
    // With a coupler that is too long nothing closes, and the page says why.
    await slide(tab, 'coupler', 30);
    assert.match(await tab.run(`document.getElementById('vary').textContent`), /coupler = 30: /);
    writeFileSync(join(out, 'varied.png'), await tab.screenshot());
    await clean(tab);
    const plain = await open(page('models/four-bar.toml', 'unvaried', '--vary', 'none'), 1280, 800);
    assert.equal(await plain.run(`document.getElementById('vary').hidden`), true);
    await clean(plain);
  });

  await test('the grid has a scale in the unit of lengths', async () => {
    const tab = await open(page('models/slider-crank.toml', 'grid', '--units', 'mm'), 1280, 800), step = '(__biela.draw(), (({ step, ratio, unit }) => [step * ratio, unit])(__biela.drawing.grid(__biela.camera)))';
    const [far, unit] = await tab.run(step);
    assert.equal(unit, 'mm');
    await tab.run('__biela.camera.zoom(0.05, 400, 300)');
    const [near] = await tab.run(step);
    for (const lines of [far, near]) assert.ok([1, 2, 5].some(m => { const p = Math.log10(lines / m); return Math.abs(p - Math.round(p)) < 1e-9; }), `${lines} mm`);
    assert.ok(near < far / 5, `${near} of ${far}`);
    await clean(tab);
  });

  await test('hostile names stay names', async () => {
    const evil = '</script><img src=x onerror=window.hit=1><script>window.hit=1</script>';
    const model = join(out, 'hostile.toml');
    writeFileSync(model, readFileSync('models/slider-crank.toml', 'utf8').replace(/^name .*/m, `name = '${evil}'`).replace(/^about .*/m, `about = '${evil}'`)
      .replaceAll('bodies.crank]', `bodies.'${evil}']`).replaceAll('"crank"]', `'${evil}']`).replaceAll('bodies = ["crank",', `bodies = ['${evil}',`));
    const tab = await open(page(model, 'hostile'), 1280, 800);
    assert.equal(await tab.run('document.title'), evil);
    assert.equal(await tab.run(`document.getElementById('name').textContent`), evil);
    assert.ok(await tab.run(`JSON.parse(document.getElementById('data').textContent).bodies.some(b => b.name.includes('onerror'))`));
    assert.equal(await tab.run('document.images.length + document.scripts.length'), 2);
    assert.equal(await tab.run('window.hit'), undefined);
    // The policy refuses a script even where one gets in.
    await tab.run(`{ const s = document.createElement('script'); s.textContent = 'window.hit = 2'; document.body.append(s); }`);
    assert.equal(await tab.run('window.hit'), undefined);
    assert.ok(tab.complaints.every(c => c.includes('Content Security Policy')), tab.complaints.join('\n'));
    await tab.close();
  });

  await test('200 four-bars, 2000 samples', async () => {
    const model = join(out, 'n-four-bar.toml');
    writeFileSync(model, chain(200));
    const file = page(model, 'n-four-bar'), size = statSync(file).size;
    assert.ok(size < 15e6, `${size} bytes`);
    const tab = await open(file, 1280, 800);
    await tab.run('__biela.play(true)');
    // How fast is a matter of the machine and of what else it does, and is only told; the figure wanted is 30. That the picture moves is
    // not: ten different ones are seen.
    let best = 0;
    const seen = new Set();
    await until('the picture to move', async () => {
      seen.add((await tab.run(pixels)).sum);
      best = Math.max(best, await tab.run('__biela.fps'));
      return seen.size >= 10;
    }, 120000);
    console.log(`  ${(size / 1e6).toFixed(1)} MB, ${best.toFixed(0)} frames per second`);
    await clean(tab);
  });
  console.log(`view: ${done.length} groups of checks passed`);
} finally {
  await browser.stop();
}
