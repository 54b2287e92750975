// The program in a worker: a name and a body in, an answer out. The page brings the compiled module once, and then calls one after the
// other; a fault of the program ends its instance, and the next call is answered by a new one.
'use strict';
let compiled = null, typefaces = [], program = null, begun = null, asked = 0, words = '', told = 0;
const read = (at, bytes) => new Uint8Array(program.memory.buffer, at, bytes);
const decode = bytes => new TextDecoder().decode(bytes);
const page = {
  seconds: () => performance.now() / 1000,
  // Often enough to be seen, seldom enough to cost nothing.
  progress: (done, all) => { const now = performance.now(); if (now - told > 50) { told = now; postMessage({ id: asked, progress: [done, all] }); } },
  // Without the place in the source, which the module does not know.
  fault: (at, bytes) => { words = decode(read(at, bytes)).replace(/^panicked at [^\n]*\n/, ''); },
};

function call(name, body) {
  const encode = text => new TextEncoder().encode(text), head = encode(name), rest = encode(body);
  const at = program.room(head.length + rest.length);
  read(at, head.length).set(head); read(at + head.length, rest.length).set(rest);
  // The memory may have grown meanwhile, and is then another buffer.
  const parts = program.call(head.length);
  const [status, kind, kindBytes, answer, answerBytes, file] = new Uint32Array(program.memory.buffer, parts, 6);
  return { status, kind: decode(read(kind, kindBytes)), bytes: read(answer, answerBytes).slice(), file: file === 1 };
}

// The program as the page has it, unpacked and compiled aside while the page puts itself together.
async function compile(packed) {
  try { postMessage({ compiled: await WebAssembly.compile(unlzma(Uint8Array.from(atob(packed), c => c.charCodeAt(0)))) }); } catch (error) { postMessage({ fault: error.message }); }
}

onmessage = ({ data: { packed, module, fonts, id, name, body } }) => {
  if (packed) return compile(packed);
  if (module) { compiled = module; typefaces = fonts; return; }
  asked = id; words = '';
  try {
    if (!program) {
      program = new WebAssembly.Instance(compiled, { page }).exports;
      for (const file of typefaces) { const at = program.room(file.length); read(at, file.length).set(file); program.typeface(); }
      // What was said at the beginning is said to a new instance too.
      if (begun !== null && name !== 'begin') call('begin', begun);
    }
    if (name === 'begin') begun = body;
    const answer = call(name, body);
    postMessage({ id, answer }, [answer.bytes.buffer]);
  } catch (error) {
    program = null;
    postMessage({ id, fault: words || String(error) });
  }
};
