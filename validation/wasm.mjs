// The program as a WebAssembly module beside the same program on this machine: every shipped model is run by both, and the tables that they
// write are the same bytes. The module is the one inside an exported studio, or a file given.
//
//   node validation/wasm.mjs PROGRAM FOLDER [MODULE.wasm]
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';

const [biela, out, given] = process.argv.slice(2);
mkdirSync(out, { recursive: true });
const native = (...words) => execFileSync(biela, ['--quiet', ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
const page = join(out, 'studio.html');
native('studio', '--export', page);
const block = id => readFileSync(page, 'utf8').match(new RegExp(`id="${id}">([^<]*)</script>`))[1];
const unpacked = text => inflateRawSync(Buffer.from(text, 'base64'));
// By what the page itself unpacks it with.
const unlzma = new Function(`${readFileSync('crates/biela-studio/assets/inside/lzma.js', 'utf8')}; return unlzma;`)();
const compiled = new WebAssembly.Module(given ? readFileSync(given) : unlzma(new Uint8Array(Buffer.from(block('module'), 'base64'))));
const typefaces = block('typefaces').split(' ').map(unpacked);

let words = '';
const imports = { page: { seconds: () => performance.now() / 1000, progress() {}, fault(at, bytes) { words = text(at, bytes); } } };
const program = new WebAssembly.Instance(compiled, imports).exports;
const bytes = (at, count) => new Uint8Array(program.memory.buffer, at, count);
const text = (at, count) => new TextDecoder().decode(bytes(at, count));
function write(...parts) {
  const all = Buffer.concat(parts), at = program.room(all.length);
  bytes(at, all.length).set(all);
}
typefaces.forEach(file => { write(file); program.typeface(); });
function call(name, body) {
  const head = Buffer.from(name);
  write(head, Buffer.from(JSON.stringify(body)));
  let at;
  try { at = program.call(head.length); } catch (error) { throw new Error(`${name}: ${words || error}`); }
  const [status, kind, kindBytes, answer, answerBytes] = new Uint32Array(program.memory.buffer, at, 6);
  const found = { kind: text(kind, kindBytes), bytes: Buffer.from(bytes(answer, answerBytes)) };
  assert.equal(status, 200, `${name}: ${found.bytes}`);
  assert.ok(!found.kind.includes('problem'), `${name}: ${found.bytes}`);
  return found;
}
const asked = (name, body) => JSON.parse(call(name, body).bytes);

/** Where two texts part, for the message. */
function apart(a, b) {
  const at = a.findIndex((x, k) => x !== b[k]);
  const show = c => c.subarray(Math.max(0, at - 60), at + 40).toString();
  return `byte ${at}: …${show(a)}… natively, …${show(b)}… in the module`;
}

const files = readdirSync('models').filter(name => name.endsWith('.toml')).sort();
const wrong = [];
let values = 0, tables = 0, here = 0, inside = 0;
for (const name of files) {
  const body = { name: join('models', name), text: readFileSync(join('models', name), 'utf8') };
  for (const kind of ['csv', 'json']) {
    const path = join(out, `${name}.${kind}`);
    let start = performance.now();
    native('run', join('models', name), '-o', path);
    here += performance.now() - start;
    const due = readFileSync(path);
    try {
      start = performance.now();
      // Asked for by name, it is the analysis that the command makes; else the studio tells forces too.
      const { id } = asked('run', { ...body, analysis: asked('look', body).run.analysis });
      const told = asked('job', { id });
      assert.equal(told.state, 'done', told.error?.message);
      const found = call('export', { id, kind }).bytes;
      inside += performance.now() - start;
      assert.ok(found.equals(due), apart(due, found));
      tables++;
      if (kind === 'csv') values += found.toString().split(/[,\n]/).length;
    } catch (error) { wrong.push(`${name}, ${kind}: ${error.message.split('\n')[0].slice(0, 600)}`); }
  }
}
wrong.forEach(line => console.error(line));
assert.equal(wrong.length, 0, `${wrong.length} tables differ`);
console.log(`module: ${files.length} models, ${tables} tables, ${values} values: the same bytes as natively; ${(inside / 1000).toFixed(1)} s inside, ${(here / 1000).toFixed(1)} s as processes of their own`);
