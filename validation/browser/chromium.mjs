// Drives Debian's chromium over the DevTools protocol, with nothing but Node.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const wait = ms => new Promise(done => setTimeout(done, ms));

/** Waits until `check` gives something true, or fails after `ms`. */
export async function until(what, check, ms = 60000) {
  const end = Date.now() + ms;
  for (;;) {
    const found = await check();
    if (found) return found;
    if (Date.now() > end) throw new Error(`waited in vain for: ${what}`);
    await wait(50);
  }
}

export class Browser {
  static async start(executable) {
    const folder = mkdtempSync(join(tmpdir(), 'biela-browser-'));
    const process_ = spawn(executable, [
      '--headless=new', '--no-sandbox', '--disable-dev-shm-usage', '--no-first-run', '--hide-scrollbars', '--mute-audio',
      '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-gpu-compositing',
      '--remote-debugging-port=0', `--user-data-dir=${folder}`, 'about:blank',
    ], { stdio: 'ignore' });
    const port = join(folder, 'DevToolsActivePort');
    await until('chromium to start', () => existsSync(port) && readFileSync(port, 'utf8').includes('\n'));
    const [number, path] = readFileSync(port, 'utf8').split('\n');
    const browser = new Browser(process_, folder);
    await browser.connect(`ws://127.0.0.1:${number}${path}`);
    return browser;
  }

  constructor(process_, folder) { this.process = process_; this.folder = folder; this.next = 1; this.waiting = new Map(); this.pages = new Map(); }

  async connect(address) {
    this.socket = new WebSocket(address);
    await new Promise((done, fail) => { this.socket.onopen = done; this.socket.onerror = () => fail(new Error('no connection to chromium')); });
    this.socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (message.id) { const { done, fail } = this.waiting.get(message.id); this.waiting.delete(message.id); message.error ? fail(new Error(message.error.message)) : done(message.result); }
      else this.pages.get(message.sessionId)?.hear(message);
    };
  }

  send(method, params = {}, sessionId) {
    const id = this.next++;
    return new Promise((done, fail) => { this.waiting.set(id, { done, fail }); this.socket.send(JSON.stringify({ id, method, params, sessionId })); });
  }

  async open(address, width, height, { touch = false, dark = false } = {}) {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const page = new Page(this, targetId, sessionId);
    this.pages.set(sessionId, page);
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await page.send(`${domain}.enable`);
    await page.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: touch });
    if (touch) await page.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    if (dark) await page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: 'dark' }] });
    await page.send('Page.navigate', { url: address });
    return page;
  }

  async stop() {
    await this.send('Browser.close').catch(() => {});
    await new Promise(done => { if (this.process.exitCode !== null) done(); else { this.process.on('exit', done); setTimeout(done, 5000); } });
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

class Page {
  constructor(browser, target, session) { this.browser = browser; this.target = target; this.session = session; this.complaints = []; this.requests = []; }
  send(method, params) { return this.browser.send(method, params, this.session); }
  /** A frame in it, by a piece of its address. */
  async frame(piece) {
    const found = await until(`a frame ${piece}`, async () => (await this.browser.send('Target.getTargets')).targetInfos.find(t => t.type === 'iframe' && t.url.includes(piece)));
    const { sessionId } = await this.browser.send('Target.attachToTarget', { targetId: found.targetId, flatten: true });
    const frame = new Page(this.browser, found.targetId, sessionId);
    this.browser.pages.set(sessionId, frame);
    for (const domain of ['Runtime', 'Log', 'Network']) await frame.send(`${domain}.enable`);
    return frame;
  }
  hear({ method, params }) {
    if (method === 'Runtime.exceptionThrown') this.complaints.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === 'Runtime.consoleAPICalled' && ['error', 'warning', 'assert'].includes(params.type)) this.complaints.push(params.args.map(a => a.value ?? a.description).join(' '));
    if (method === 'Log.entryAdded' && params.entry.level === 'error') this.complaints.push(params.entry.text);
    if (method === 'Network.requestWillBeSent') this.requests.push(params.request.url);
  }
  async run(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
    return result.value;
  }
  async key(key, code = key) {
    const text = key.length === 1 ? key : undefined;
    await this.send('Input.dispatchKeyEvent', { type: text ? 'keyDown' : 'rawKeyDown', key, code, text });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', key, code });
  }
  /** A key with Alt 1, Control 2, Shift 8 held. */
  async stroke(key, more = {}) {
    const code = { Tab: 9, Enter: 13, Escape: 27, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, Delete: 46 }[key] ?? (/^\w$/.test(key) ? key.toUpperCase().charCodeAt(0) : undefined), text = key.length === 1 && !more.modifiers ? key : undefined;
    await this.send('Input.dispatchKeyEvent', { type: text ? 'keyDown' : 'rawKeyDown', key, text, windowsVirtualKeyCode: code, ...more });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', key, windowsVirtualKeyCode: code, ...more });
  }
  reload() { return this.send('Page.reload'); }
  mouse(type, x, y, more = {}) { return this.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', buttons: type === 'mouseReleased' ? 0 : 1, clickCount: 1, ...more }); }
  async click(x, y) { await this.mouse('mousePressed', x, y); await this.mouse('mouseReleased', x, y); }
  touch(type, points) { return this.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) }); }
  async screenshot() { return Buffer.from((await this.send('Page.captureScreenshot', { format: 'png' })).data, 'base64'); }
  async close() { await this.browser.send('Target.closeTarget', { targetId: this.target }); }
}
