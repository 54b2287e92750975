// The model text with its line numbers and the place of what is wrong.
const editor = {
  area: $('text'), error: null,
  get value() { return this.area.value; },
  set value(text) { this.area.value = text; this.number(); },

  number() {
    const count = this.area.value.split('\n').length, bad = this.error?.line;
    if (this.numbered === `${count} ${bad}`) return;
    this.numbered = `${count} ${bad}`;
    const lines = (from, to) => Array.from({ length: Math.max(0, to - from) }, (_, k) => `${from + k + 1}\n`).join('');
    $('gutter').replaceChildren(lines(0, bad ? bad - 1 : count), ...bad ? [element('b', { textContent: `${bad}\n` }), lines(bad, count)] : [], '\n\n');
    this.follow();
  },

  // Numbers and marks scroll with the text.
  follow() {
    $('gutter').scrollTop = this.area.scrollTop;
    const e = this.error, height = parseFloat(getComputedStyle($('editor')).lineHeight);
    $('mark').hidden = $('squiggle').hidden = !e?.line;
    if (!e?.line) return;
    const top = 6 + (e.line - 1) * height - this.area.scrollTop;
    $('mark').style.top = `${top}px`;
    Object.assign($('squiggle').style, { top: `${top + height - 3}px`, left: `calc(8px + ${e.column - 1}ch - ${this.area.scrollLeft}px)`, width: `${e.width}ch` });
  },

  show(error) {
    const quiet = !error && !this.error;
    this.error = error;
    if (quiet) return;
    this.numbered = ''; this.number(); this.follow();
  },

  // Puts the cursor at a line.
  go(line, column = 1) {
    const lines = this.area.value.split('\n'), at = lines.slice(0, line - 1).reduce((n, l) => n + l.length + 1, 0) + column - 1;
    this.area.focus(); this.area.setSelectionRange(at, at);
    this.area.scrollTop = Math.max(0, (line - 6) * parseFloat(getComputedStyle($('editor')).lineHeight));
  },
};
editor.area.addEventListener('scroll', () => editor.follow());
editor.area.addEventListener('input', () => editor.number());

// What is wrong, or that nothing is.
function diagnose(error, warnings, guilty) {
  const box = $('diagnostics'), bad = error && error.stage !== 'late', fine = !error && !warnings?.length && !guilty;
  // Where nothing was wrong and nothing is, nothing is written.
  if (fine && diagnose.fine) return;
  diagnose.fine = fine;
  box.classList.toggle('bad', !!bad);
  editor.show(error && error.line ? error : null);
  const rows = [];
  if (error) {
    const words = (error.element ? `${error.element}: ` : '') + error.message;
    rows.push(element('p', { className: bad ? 'bad' : 'fine' }, words, ' ', error.line ? element('button', { textContent: `line ${error.line}`, onclick: () => editor.go(error.line, error.column) }) : null, code.mend(error)));
    if (error.snippet) rows.push(element('pre', { textContent: error.snippet }));
    error.notes.forEach(note => rows.push(element('p', { textContent: note })));
  } else rows.push(element('p', { className: 'fine', textContent: 'Nothing is wrong.' }));
  (warnings || []).forEach(text => rows.push(element('p', { className: 'warn', textContent: `warning: ${text}` })));
  box.replaceChildren(...rows);
  $('verdict').hidden = !guilty;
  $('verdict').textContent = guilty ? (guilty.bodies.length ? `${guilty.bodies.join(', ')}: ${guilty.why}` : guilty.why) : '';
}
// A line besides.
diagnose.also = line => { diagnose.fine = false; $('diagnostics').append(line); };
