// Every text that was, so that all can be undone, and a draft that outlives a reload of the page.
const history_ = {
  past: [], future: [], now: '', typed: 0,

  // Begins anew with a text.
  begin(text) { this.past = []; this.future = []; this.now = text; this.tell(); },

  // A change. Letters typed one after the other are one.
  take(text, typed = false) {
    if (text === this.now) return;
    const at = Date.now(), goes_on = typed && at - this.typed < 900 && this.past.length && !this.future.length;
    if (!goes_on) this.past.push(this.now);
    this.typed = typed ? at : 0;
    this.future = []; this.now = text;
    this.tell();
  },

  undo() { this.go(this.past, this.future, 'Undone'); },
  redo() { this.go(this.future, this.past, 'Done again'); },
  go(from, to, word) {
    if (!from.length) return announce(word === 'Undone' ? 'There is nothing to undo' : 'There is nothing to do again');
    to.push(this.now); this.now = from.pop(); this.typed = 0;
    editor.value = this.now; studio.touched = true; studio.edited(); this.tell(); announce(word);
  },

  tell() {
    $('undo').disabled = !this.past.length; $('redo').disabled = !this.future.length;
    clearTimeout(this.timer); this.timer = setTimeout(() => this.keep(), 150);
  },

  // The draft stays with this tab. Where there is no room for all of the past, the oldest is left out.
  keep() {
    if (!studio.origin) return;
    let past = this.past, future = this.future;
    for (;;) {
      try {
        sessionStorage.setItem('biela.draft', JSON.stringify({ origin: studio.origin, name: studio.name, saved: studio.saved, stamp: studio.stamp, text: this.now, past, future, mode: document.body.dataset.mode }));
        return;
      } catch {
        if (!past.length && !future.length) return;
        past = past.slice(Math.ceil(past.length / 2)); future = future.slice(Math.ceil(future.length / 2));
      }
    }
  },
  draft(origin) {
    try { const d = JSON.parse(sessionStorage.getItem('biela.draft')); return d && d.origin === origin && typeof d.text === 'string' && d.text !== d.saved ? d : null; } catch { return null; }
  },
};
addEventListener('pagehide', () => history_.keep());
$('undo').onclick = () => history_.undo();
$('redo').onclick = () => history_.redo();
addEventListener('keydown', e => {
  if (!(e.ctrlKey || e.metaKey) || e.altKey) return;
  // Fields of one line have their own undo.
  if (e.target.tagName === 'INPUT' && e.target.type !== 'range') return;
  const key = e.key.toLowerCase();
  if (key === 'z' && !e.shiftKey) { e.preventDefault(); history_.undo(); }
  if (key === 'y' || key === 'z' && e.shiftKey) { e.preventDefault(); history_.redo(); }
}, true);

// Words for those who listen.
function announce(words) { $('spoken').textContent = ''; setTimeout(() => { $('spoken').textContent = words; }, 30); }
