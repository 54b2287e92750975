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

  tell() { $('undo').disabled = !this.past.length; $('redo').disabled = !this.future.length; drafts.soon(); },
};

// The one draft: the text as it is being written, with its past, its sliders and the mode. It outlives a reload, in each window its own; a
// page without a server lets the last of all outlive the browser's end too.
const drafts = {
  key: 'biela.draft',
  // Letters that past and future may have where models are kept beside them.
  most: 1 << 19,
  soon() { clearTimeout(this.timer); this.timer = setTimeout(() => this.keep(), 150); },

  // Where there is no room for all of the past, the oldest is left out.
  keep() {
    if (!studio.origin) return;
    const { past, future, now } = history_, mode = document.body.dataset.mode;
    const what = { origin: studio.origin, name: studio.name, saved: studio.saved, stamp: studio.stamp, touched: !!studio.touched, text: now, set: parameters.set, mode };
    for (const place of engine.drafts) {
      let [before, after] = [past, future];
      for (const size = () => before.concat(after).reduce((n, t) => n + t.length, 0); ;) {
        try { if (place === 'localStorage' && size() > this.most) throw new Error('large'); window[place].setItem(this.key, JSON.stringify({ ...what, past: before, future: after })); break; } catch {
          if (!before.length && !after.length) break;
          before = before.slice(Math.ceil(before.length / 2)); after = after.slice(Math.ceil(after.length / 2));
        }
      }
    }
  },
  read(origin) {
    const texts = list => Array.isArray(list) && list.every(t => typeof t === 'string');
    for (const place of engine.drafts) try {
      const d = JSON.parse(window[place].getItem(this.key));
      if (d && d.origin === origin && [d.text, d.name, d.saved].every(t => typeof t === 'string') && texts(d.past) && texts(d.future)) return d;
    } catch { /* nothing that could be read */ }
    return null;
  },
};
addEventListener('pagehide', () => drafts.keep());
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
