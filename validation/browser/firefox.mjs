// Drives Firefox over WebDriver BiDi, with nothing but Node: what `chromium.mjs` does over DevTools, by the same names.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './chromium.mjs';

const KEYS = { Enter: '\uE007', Tab: '\uE004', Escape: '\uE00C', ArrowLeft: '\uE012', ArrowUp: '\uE013', ArrowRight: '\uE014', ArrowDown: '\uE015', Delete: '\uE017' };
const SHIFT = '\uE008', CONTROL = '\uE009';

export class Browser {
  static async start(executable) {
    const folder = mkdtempSync(join(tmpdir(), 'biela-firefox-'));
    // Nothing of its own is fetched, and nobody is asked.
    const choices = { 'browser.shell.checkDefaultBrowser': false, 'datareporting.policy.dataSubmissionEnabled': false, 'app.update.enabled': false, 'toolkit.telemetry.enabled': false, 'app.normandy.enabled': false, 'network.captive-portal-service.enabled': false, 'dom.disable_beforeunload': false };
    writeFileSync(join(folder, 'user.js'), Object.entries(choices).map(([k, v]) => `user_pref(${JSON.stringify(k)}, ${v});\n`).join(''));
    const process_ = spawn(executable, ['--headless', '--no-remote', '--profile', folder, '--remote-debugging-port', '0'], { stdio: ['ignore', 'ignore', 'pipe'] });
    let told = '';
    process_.stderr.on('data', d => { told += d; });
    const address = await until('firefox to start', () => (told.match(/BiDi listening on (ws:\S+)/) || [])[1]);
    const browser = new Browser(process_, folder);
    await browser.connect(`${address}/session`);
    return browser;
  }

  constructor(process_, folder) { this.process = process_; this.folder = folder; this.next = 1; this.waiting = new Map(); this.pages = new Map(); }

  async connect(address) {
    this.socket = new WebSocket(address);
    await new Promise((done, fail) => { this.socket.onopen = done; this.socket.onerror = () => fail(new Error('no connection to firefox')); });
    this.socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (message.id) { const { done, fail } = this.waiting.get(message.id); this.waiting.delete(message.id); message.type === 'error' ? fail(new Error(message.message)) : done(message.result); }
      else this.pages.get(message.params?.source?.context ?? message.params?.context)?.hear(message);
    };
    await this.send('session.new', { capabilities: { alwaysMatch: { unhandledPromptBehavior: { default: 'accept', beforeUnload: 'accept' } } } });
    await this.send('session.subscribe', { events: ['log.entryAdded', 'network.beforeRequestSent'] });
  }

  send(method, params = {}) {
    const id = this.next++;
    return new Promise((done, fail) => { this.waiting.set(id, { done, fail }); this.socket.send(JSON.stringify({ id, method, params })); });
  }

  async open(address, width, height) {
    const { context } = await this.send('browsingContext.create', { type: 'tab' }), page = new Page(this, context);
    this.pages.set(context, page);
    await this.send('browsingContext.setViewport', { context, viewport: { width, height } });
    await this.send('browsingContext.navigate', { context, url: address, wait: 'interactive' });
    return page;
  }

  async stop() {
    await Promise.race([this.send('browser.close').catch(() => {}), new Promise(done => setTimeout(done, 5000))]);
    await new Promise(done => { if (this.process.exitCode !== null) done(); else { this.process.on('exit', done); setTimeout(() => { this.process.kill('SIGKILL'); done(); }, 5000); } });
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A value as BiDi tells it. */
function plain(told) {
  switch (told.type) {
    case 'number': return typeof told.value === 'number' ? told.value : Number(told.value);
    case 'string': case 'boolean': return told.value;
    case 'null': return null;
    case 'array': return (told.value ?? []).map(plain);
    case 'object': return Object.fromEntries((told.value ?? []).map(([k, v]) => [typeof k === 'string' ? k : plain(k), plain(v)]));
    default: return undefined;
  }
}

class Page {
  constructor(browser, context) { this.browser = browser; this.context = context; this.complaints = []; this.requests = []; }
  send(method, params) { return this.browser.send(method, { context: this.context, ...params }); }
  hear({ method, params }) {
    if (method === 'log.entryAdded' && params.level === 'error') this.complaints.push(params.text);
    if (method === 'network.beforeRequestSent') this.requests.push(params.request.url);
  }
  async run(expression) {
    const { type, result, exceptionDetails } = await this.browser.send('script.evaluate', { expression, target: { context: this.context }, awaitPromise: true, serializationOptions: { maxObjectDepth: 8 } });
    if (type === 'exception') throw new Error(`${expression}: ${exceptionDetails.text}`);
    return plain(result);
  }
  act(source) { return this.send('input.performActions', { actions: [source] }); }
  pointer(kind, id, actions) { return this.act({ type: 'pointer', id, parameters: { pointerType: kind }, actions }); }
  mouse(type, x, y) {
    const move = { type: 'pointerMove', x: Math.round(x), y: Math.round(y) }, then = { mousePressed: [{ type: 'pointerDown', button: 0 }], mouseReleased: [{ type: 'pointerUp', button: 0 }] }[type] ?? [];
    return this.pointer('mouse', 'mouse', [move, ...then]);
  }
  async click(x, y) { await this.mouse('mousePressed', x, y); await this.mouse('mouseReleased', x, y); }
  /** One finger. */
  touch(type, points) {
    const [x, y] = points[0] ?? this.finger;
    this.finger = [x, y];
    const move = { type: 'pointerMove', x: Math.round(x), y: Math.round(y) };
    return this.pointer('touch', 'finger', type === 'touchStart' ? [move, { type: 'pointerDown', button: 0 }] : type === 'touchEnd' ? [{ type: 'pointerUp', button: 0 }] : [move]);
  }
  /** A key with Alt 1, Control 2, Shift 8 held. */
  stroke(key, { modifiers = 0 } = {}) {
    const held = [[2, CONTROL], [8, SHIFT]].filter(([bit]) => modifiers & bit).map(([, k]) => k), value = KEYS[key] ?? key;
    const down = k => ({ type: 'keyDown', value: k }), up = k => ({ type: 'keyUp', value: k });
    return this.act({ type: 'key', id: 'keys', actions: [...held.map(down), down(value), up(value), ...held.reverse().map(up)] });
  }
  reload() { return this.send('browsingContext.reload', { wait: 'none' }); }
  async screenshot() { return Buffer.from((await this.send('browsingContext.captureScreenshot', {})).data, 'base64'); }
  async close() { await this.send('browsingContext.close', {}); }
}
