// What makes the text area an editor of models: colours, what may stand here, mistakes in their place. The text stays that of the text
// area; its own undo covers all that is put in here.
const code = {
  words: null, lines: [''], opens: [], first: 0, last: -1,
  layer: element('div', { id: 'paint', 'aria-hidden': 'true' }),
  list: element('div', { id: 'offers', role: 'listbox', 'aria-label': 'What may stand here', hidden: true }),
  spot: element('button', { id: 'spot', className: 'quiet', type: 'button', title: 'Go to a line (Ctrl+G)' }),

  // Colours. Only lines that are seen are drawn, so that a text of thousands stays quick.
  read() {
    const text = editor.area.value;
    if (text === this.text) return;
    this.text = text;
    this.lines = text.split('\n');
    this.opens = [];
    // What a line begins in: a text of several lines, or none.
    if (/"""|'''/.test(text)) { let open = null; this.opens = this.lines.map(line => { const own = open; for (const [mark] of line.matchAll(/"""|'''/g)) open = open === mark ? null : open ?? mark; return own; }); }
    this.last = -1;
  },
  // Letters are larger where the page is narrow.
  get height() { return parseFloat(getComputedStyle($('editor')).lineHeight); },
  paint() {
    this.read();
    const area = editor.area, row = this.height, from = Math.floor(area.scrollTop / row), to = Math.ceil((area.scrollTop + area.clientHeight) / row);
    const told = editor.error?.line ? `${editor.error.line} ${editor.error.message}` : '';
    if (from < this.first || Math.min(to, this.lines.length) > this.last || told !== this.told) {
      this.told = told;
      this.first = Math.max(0, from - 30); this.last = Math.min(this.lines.length, to + 30);
      this.layer.replaceChildren(...this.lines.slice(this.first, this.last).map((line, k) => {
        const row = element('div', {}, ...tokens(line, this.opens[this.first + k]).map(([kind, text]) => kind ? element('span', { className: kind, textContent: text }) : text));
        if (this.first + k + 1 === editor.error?.line) row.append(element('span', { className: 'told', textContent: `   ${editor.error.message}` }));
        return row;
      }));
    }
    this.layer.style.transform = `translate(${-area.scrollLeft}px, ${this.first * row - area.scrollTop}px)`;
  },

  // Puts text in the place of some of it, as if it were typed.
  put(from, to, text) {
    const area = editor.area;
    area.focus({ preventScroll: true }); area.setSelectionRange(from, to);
    if (!document.execCommand('insertText', false, text)) { area.setRangeText(text, from, to, 'end'); area.dispatchEvent(new Event('input')); }
  },
  // Where a line begins.
  start(line) { let at = 0; for (let k = 0; k < line - 1; k++) at += this.lines[k].length + 1; return at; },

  // A button that follows the advice of a message.
  mend(error) {
    if (!error?.fix) return null;
    return element('button', { id: 'mend', type: 'button', className: 'main', title: 'Alt+Enter', textContent: `Change to ${error.fix.text}`, onclick: () => this.follow(error.fix) });
  },
  follow({ line, column, width, wrong, text }) {
    this.read();
    const letters = [...this.lines[line - 1] ?? ''], before = letters.slice(0, column - 1).join('').length, at = this.start(line) + before;
    if (letters.slice(column - 1, column - 1 + width).join('') === wrong) this.put(at, at + wrong.length, text);
  },

  where() {
    const before = editor.area.value.slice(0, editor.area.selectionStart), line = before.split('\n').length;
    return { line, column: before.length - before.lastIndexOf('\n') };
  },
  place() { const { line, column } = this.where(); this.spot.textContent = `${line}:${column}`; this.spot.setAttribute('aria-label', `Line ${line}, column ${column}. Go to a line`); },
  goto() {
    const box = element('input', { id: 'goto', inputMode: 'numeric', size: 6, value: this.where().line, 'aria-label': `Go to line, 1 to ${this.lines.length}` });
    const end = () => { if (box.isConnected) { box.onblur = null; box.replaceWith(this.spot); } };
    box.onkeydown = e => {
      if (e.key === 'Enter') { const line = Math.round(+box.value); end(); if (line >= 1) editor.go(Math.min(line, this.lines.length)); this.place(); }
      if (e.key === 'Escape') { e.stopPropagation(); end(); editor.area.focus(); }
    };
    box.onblur = end;
    this.spot.replaceWith(box); box.select();
  },

  // What may stand at the cursor: its list, and where the word begins that it takes the place of.
  context() {
    const area = editor.area, at = area.selectionStart;
    if (at !== area.selectionEnd || !this.words) return null;
    this.read();
    const { line } = this.where(), head = this.lines[line - 1].slice(0, at - this.start(line));
    if (this.opens[line - 1]) return null;
    const cut = tokens(head, null), inside = cut[cut.length - 1];
    if (inside?.[0] === 'comment') return null;
    const heading = head.match(/^\s*\[+\s*([\w.-]*)$/);
    if (heading) return { word: heading[1], list: sections(this.words) };
    // The section and element that the line belongs to.
    let path = [], first = line - 1;
    for (; first > 0; first--) { const found = this.lines[first - 1].match(/^\s*\[+\s*([^\]]+?)\s*\]/); if (found) { path = found[1].split('.').map(p => p.trim().replace(/^["']|["']$/g, '')); break; } }
    const quote = inside?.[0] === 'text' && !closed(inside[1]), word = (quote ? inside[1].slice(1) : head).match(/[\p{L}_][\p{L}\p{N}_.-]*$|$/u)[0];
    const before = head.slice(0, head.length - word.length), braces = this.braces(first, line, before);
    const full = braces.length ? [...path, ...braces] : path;
    if (!quote && /^\s*$|[{,]\s*$/.test(before) && !/\[[^\]{]*$/.test(before.replace(/^\s*\[+[^\]]*\]/, ''))) return { word, list: keysOf(this.words, full, this.block(first, line)) };
    const key = before.match(/([\w-]+)"?\s*=\s*[^=]*$/)?.[1];
    if (!key) return null;
    return valuesOf(this.words, full, key, word, quote, before);
  },
  // Keys of the tables in braces that are open here.
  braces(first, line, before) {
    const open = [], text = [...this.lines.slice(Math.max(first, line - 40), line - 1), before].join('\n');
    for (const [found, key] of text.matchAll(/([\w-]+)"?\s*=\s*\{|\{|\}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#.*$/gm)) if (found.endsWith('{') && !/^["'#]/.test(found)) open.push(key || ''); else if (found === '}') open.pop();
    return open;
  },
  // Lines of the element around a line.
  block(first, line) {
    let last = line;
    while (last < this.lines.length && !/^\s*\[/.test(this.lines[last])) last++;
    return this.lines.slice(first, last).join('\n');
  },

  offer(asked) {
    const found = this.context(), typed = found?.word.toLowerCase() ?? '';
    let list = [];
    if (found && (asked || typed.length > 0)) {
      const rank = w => { const low = w.toLowerCase(), at = low.startsWith(typed) ? 0 : low.split(/[.-]/).some(p => p.startsWith(typed)) ? 1 : low.includes(typed) ? 2 : 3; return at; };
      const seen = new Set();
      list = found.list.filter(o => !seen.has(o.word) && seen.add(o.word)).map(o => [rank(o.word), o]).filter(([r]) => r < (typed.length > 1 ? 3 : asked ? 3 : 2)).sort((a, b) => a[0] - b[0]).map(o => o[1]).slice(0, 60);
      if (list.length === 1 && list[0].word === found.word && !asked) list = [];
      if (!asked && list[0]?.word === found.word) list = [];
    }
    if (!list.length) { this.close(); return; }
    this.offered = { list, word: found.word, at: editor.area.selectionStart, chosen: 0 };
    this.list.replaceChildren(...list.map((o, k) => element('div', { id: `offer-${k}`, role: 'option', 'aria-selected': String(k === 0), onpointerdown: e => { e.preventDefault(); this.offered.chosen = k; this.take(); } },
      element('b', { textContent: o.word }), o.help ? element('small', { textContent: o.help }) : null)));
    this.list.hidden = false;
    this.hang();
    this.point(0);
  },
  // The list stands below its word, or above where there is no room.
  hang() {
    const area = editor.area, box = $('paper').getBoundingClientRect(), { line, column } = this.where(), wide = this.letter, row = this.height;
    const top = 6 + line * row - area.scrollTop, height = Math.min(220, this.list.scrollHeight), left = 8 + (column - 1 - this.offered.word.length) * wide - area.scrollLeft;
    this.list.style.left = `${Math.max(4, Math.min(left, box.width - Math.min(300, box.width - 8) - 4))}px`;
    this.list.style.top = `${top + height > box.height && top - row > height ? top - row - height - 4 : top}px`;
  },
  get letter() {
    const pen = document.createElement('canvas').getContext('2d');
    pen.font = getComputedStyle(editor.area).font;
    return pen.measureText('0'.repeat(100)).width / 100;
  },
  point(k) {
    const { list } = this.offered;
    this.offered.chosen = k = (k + list.length) % list.length;
    [...this.list.children].forEach((c, i) => c.setAttribute('aria-selected', String(i === k)));
    this.list.children[k].scrollIntoView({ block: 'nearest' });
    editor.area.setAttribute('aria-activedescendant', `offer-${k}`);
  },
  take() {
    const { list, word, at, chosen } = this.offered, { put, word: found } = list[chosen];
    this.close();
    this.taking = true;
    this.put(at - word.length, at, put ?? found);
    this.taking = false;
  },
  close() { this.offered = null; this.list.hidden = true; editor.area.removeAttribute('aria-activedescendant'); },

  // Comments lines out, or in again.
  comment() {
    const area = editor.area, from = area.value.lastIndexOf('\n', area.selectionStart - 1) + 1, end = area.value.indexOf('\n', area.selectionEnd), to = end < 0 ? area.value.length : end;
    const lines = area.value.slice(from, to).split('\n'), all = lines.every(l => /^\s*#|^\s*$/.test(l));
    const made = lines.map(l => all ? l.replace(/^(\s*)# ?/, '$1') : l.trim() ? `# ${l}` : l).join('\n');
    this.put(from, to, made); area.setSelectionRange(from, from + made.length);
  },
};

// A line as pieces: what sort, and its text.
function tokens(line, open) {
  const out = [];
  let rest = line;
  if (open) { const end = rest.indexOf(open); if (end < 0) return [['text', rest]]; out.push(['text', rest.slice(0, end + 3)]); rest = rest.slice(end + 3); }
  const head = !open && rest.match(/^\s*\[\[?[^\]#]*\]\]?/);
  if (head && !/^\s*\[[^\]]*,/.test(rest)) { out.push(['head', head[0]]); rest = rest.slice(head[0].length); }
  for (const [piece] of rest.matchAll(/#.*$|"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|"(?:[^"\\]|\\.)*"?|'[^']*'?|[\p{L}\p{N}_-]+(?:\s*\.\s*[\p{L}\p{N}_"-]+)*(?=\s*=)|[+-]?\d[\d_.eE+-]*|true\b|false\b|[\p{L}_-]+|\s+|./gu)) {
    const kind = piece[0] === '#' ? 'comment' : piece[0] === '"' || piece[0] === "'" ? (/^["']\s*[-+]?[\d.]/.test(piece) && closed(piece) ? 'amount' : 'text')
      : /^[+-]?\d/.test(piece) ? 'amount' : /^(true|false)$/.test(piece) ? 'yes' : /^[\p{L}_]/u.test(piece) ? 'key' : '';
    out.push([kind, piece]);
  }
  return out;
}
const closed = text => text.length > 1 && text.endsWith(text[0]) && !/[^\\]\\$/.test(text.slice(0, -1));

// Names that the model has: from its headings as they are written, and from the last good picture.
function namesOf(section) {
  const found = [];
  for (const line of code.lines) { const head = line.match(/^\s*\[+\s*([\w-]+)\.("?)([^\].]+?)\2\s*\]/); if (head && head[1] === section) found.push(head[3]); }
  const drawn = { bodies: data?.bodies, joints: data?.joints }[section];
  return [...new Set([...found, ...(drawn || []).map(e => e.name)])];
}
const offers = (list, help) => list.map(word => typeof word === 'string' ? { word, help } : word);
function sections(words) {
  const tables = words.tables[''], elements = ['bodies', 'joints', 'couplings', 'drivers', 'forces', 'events', 'rotors'];
  return [...elements.filter(t => tables.includes(t)).map(word => ({ word: `${word}.`, help: `one of the ${word}` })), ...offers(tables.filter(t => !['name', 'about', 'mode', 'planar', 'units', 'gravity'].includes(t)), 'section')];
}
// Keys that a table may have.
function keysOf(words, path, block) {
  const [section, ...rest] = path, types = words.types[section];
  const put = list => list.map(word => ({ word, put: `${word} = `, help: 'key' }));
  const inner = rest.length > 1 ? words.inner[rest[rest.length - 1]] : null;
  if (inner) return put(inner);
  if (!section) return words.tables[''].filter(k => !words.types[k] && !['bodies', 'events', 'rotors', 'parameters', 'run', 'sweep', 'optimise', 'initial', 'signals', 'repeat', 'assemblies', 'parts', 'arm'].includes(k)).map(word => ({ word, put: `${word} = `, help: 'key' }))
    .concat(sections(words).map(o => ({ ...o, put: `[${o.word}` })));
  if (types && rest.length === 1) {
    const type = block.match(/^\s*type\s*=\s*["']([^"']*)/m)?.[1], own = types.find(t => t.word === type) || section === 'drivers' && types.find(t => new RegExp(`^\\s*${t.word}\\s*=`, 'm').test(block));
    const all = own ? own.keys : [...new Set(types.flatMap(t => t.keys))], has = key => new RegExp(`^\\s*${key}\\s*=`, 'm').test(block);
    return put(all.filter(key => !has(key)));
  }
  if (section === 'bodies' && rest.length === 1) return put(words.tables[rest[0] === 'ground' ? 'ground' : 'bodies']);
  if (section === 'initial') return [...motion?.names?.keys() || []].map(word => ({ word, put: `"${word}" = `, help: 'signal' }));
  if (['events', 'rotors'].includes(section) && rest.length === 1 || ['run', 'sweep', 'optimise'].includes(section) && !rest.length) return put(words.tables[section]);
  return [];
}
// Values that a key may have.
function valuesOf(words, path, key, word, quote, before) {
  const section = path[0], say = list => ({ word, list: quote ? list : list.map(o => ({ ...o, put: o.put ?? `"${o.word}"` })) });
  if (key === 'type' && words.types[section] && path.length <= 2) return say(words.types[section].map(t => ({ word: t.word, help: t.help })));
  if (words.values[key]) return say(offers(words.values[key]));
  if (['bodies', 'body', 'carrier', 'reference'].includes(key)) return say(offers([...new Set(['ground', ...namesOf('bodies')])], 'body'));
  if (['joint', 'joints', 'effort'].includes(key)) return say([...offers(namesOf('joints'), 'joint'), ...offers([...motion?.names?.keys() || []].filter(n => /\.(angle|slide)$/.test(n)), 'coordinate')]);
  if (key === 'point') return say(offers((data?.points || []).map(p => p.name), 'point'));
  if (key === 'angle' && section === 'drivers') return say(offers(namesOf('bodies'), 'body'));
  if (['outputs', 'signals', 'except'].includes(key) && section !== 'optimise') return say(offers([...motion?.names?.keys() || []], 'signal'));
  if (key === 'planar' || key === 'verify' || key === 'internal' || key === 'crossed') return { word, list: offers(['true', 'false']) };
  if (key === 'at' && word && quote) return say(offers((data?.points || []).map(p => p.name.split('.').pop()), 'point'));
  if (!quote) return null;
  // An expression: after a number a unit, else names and functions.
  if (/[\d.]\s*$/.test(before)) return { word, list: words.units };
  const joints = [...motion?.names?.keys() || []].filter(n => /\.(angle|slide)(\.rate)?$/.test(n));
  return { word, list: [...offers((parameters.list || []).map(p => p.name), 'parameter'), { word: 't', help: 'time' }, ...words.functions.map(f => ({ ...f, put: `${f.word}(` })), ...offers(['forces', 'signals', 'events'].includes(section) ? joints : [], 'signal'), ...words.units] };
}

// Its place in the page.
$('text').before(code.layer); $('text').after(code.list);
$('file').append(code.spot);
Object.entries({ 'aria-autocomplete': 'list', 'aria-controls': 'offers' }).forEach(([k, v]) => editor.area.setAttribute(k, v));
$('editor').classList.add('painted');
for (const name of ['number', 'follow']) { const own = editor[name]; editor[name] = function (...what) { own.apply(this, what); code.paint(); }; }
editor.area.addEventListener('input', e => { code.paint(); code.place(); if (code.taking || e.inputType?.startsWith('history')) code.close(); else if (e.isTrusted) code.offer(false); });
editor.area.addEventListener('blur', () => code.close());
document.addEventListener('selectionchange', () => { if (document.activeElement !== editor.area) return; code.place(); if (code.offered && editor.area.selectionStart !== code.offered.at) code.close(); });
editor.area.addEventListener('scroll', () => { if (code.offered) code.hang(); });
editor.area.addEventListener('keydown', e => {
  const ctrl = e.ctrlKey || e.metaKey, done = () => { e.preventDefault(); e.stopPropagation(); };
  if (ctrl && e.key === ' ') { done(); code.offer(true); return; }
  if (ctrl && e.key === '/') { done(); code.comment(); return; }
  if (e.altKey && e.key === 'Enter' && editor.error?.fix) { done(); code.follow(editor.error.fix); return; }
  if (!code.offered) return;
  if (e.key === 'ArrowDown' || e.key === 'ArrowUp') { done(); code.point(code.offered.chosen + (e.key === 'ArrowDown' ? 1 : -1)); }
  else if (!ctrl && (e.key === 'Enter' || e.key === 'Tab') && !e.shiftKey) { done(); code.take(); }
  else if (e.key === 'Escape') { done(); code.close(); }
});
code.spot.onclick = () => code.goto();
addEventListener('keydown', e => { if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === 'g' && $('left').checkVisibility()) { e.preventDefault(); code.goto(); } });
ask('words').then(words => { code.words = words; page.words = words; }, () => { /* without them nothing is offered */ });
code.place(); code.paint();
page.code = code;
