// All shipped models in pictures, and lessons beside them: found by words, opened by a click.
const gallery = {
  pictures: new Map(), waiting: [], busy: 0,
  box: element('dialog', { id: 'explore', 'aria-label': 'Models and lessons' }),
  find: element('input', { type: 'search', id: 'explore-find', placeholder: 'Find a model or a lesson', 'aria-label': 'Find a model or a lesson', autocomplete: 'off' }),
  cards: element('div', { id: 'cards' }),

  open() {
    if (typeof this.box.showModal !== 'function' || this.box.open) return;
    $('models').open = $('exports').open = false;
    this.show();
    this.box.showModal();
    this.find.focus();
  },

  show() {
    const wanted = this.find.value.toLowerCase().split(/\s+/).filter(Boolean), fits = words => wanted.every(w => words.toLowerCase().includes(w));
    const chosen = studio.library.filter(m => fits(`${m.name} ${m.about} ${(this.pictures.get(m.name)?.told?.joints || []).join(' ')}`));
    const taught = lessons.list.filter(l => fits(`lesson ${l.title} ${l.about}`));
    this.watcher?.disconnect();
    this.watcher = new IntersectionObserver(seen => seen.filter(s => s.isIntersecting).forEach(s => { this.watcher.unobserve(s.target); this.want(s.target.dataset.model); }), { root: this.cards, rootMargin: '300px' });
    const card = (kind, key, title, about, model, open) => {
      const image = element('img', { alt: '', 'data-thumb': model }), made = element('button', { className: `card ${kind}`, type: 'button', [`data-${kind}`]: key, 'data-model': model, onclick: open }, element('span', { className: 'frame' }, image), element('b', { textContent: title }), element('small', { textContent: about }));
      this.watcher.observe(made);
      return made;
    };
    const parts = [];
    if (taught.length) parts.push(element('h2', { textContent: 'Lessons' }), element('div', { className: 'shelf' }, ...taught.map((l, k) => card('lesson', l.id, l.title, l.about, l.shows, () => { this.close(); lessons.begin(l.id); }))));
    if (chosen.length) parts.push(element('h2', { textContent: `Models (${chosen.length})` }), element('div', { className: 'shelf' }, ...chosen.map(m => card('model', m.name, m.name, m.about, m.name, () => this.take(m.name)))));
    if (!parts.length) parts.push(element('p', { className: 'fine', textContent: 'Nothing has these words.' }));
    this.cards.replaceChildren(...parts);
    this.cards.setAttribute('aria-live', 'off');
    this.count.textContent = `${taught.length} lessons, ${chosen.length} models`;
  },
  count: element('span', { className: 'hidden', role: 'status' }),

  async take(name) {
    if (studio.touched && editor.value !== studio.saved && !confirm('The text is not saved. Open another?')) return;
    this.close(); lessons.end();
    await openModel({ shipped: name });
  },
  close() { if (this.box.open) this.box.close(); },

  // A picture is asked for once it is nearly seen, two at a time; light and dark are two pictures.
  want(name) {
    const kept = this.pictures.get(name);
    if (kept?.dark === dark) { this.hang(name); return; }
    if (!this.waiting.includes(name)) this.waiting.push(name);
    this.next();
  },
  async next() {
    if (this.busy >= 2 || !this.waiting.length || !this.box.open) return;
    const name = this.waiting.pop(), on = dark;
    this.busy++;
    try {
      const told = await ask('thumb', { shipped: name, dark: on });
      const old = this.pictures.get(name);
      if (old) URL.revokeObjectURL(old.url);
      this.pictures.set(name, { dark: on, told, url: URL.createObjectURL(new Blob([bytesOf(told.bytes)], { type: told.kind })) });
      this.hang(name);
    } catch { /* a card without a picture still opens its model */ } finally { this.busy--; this.next(); }
  },
  hang(name) { for (const image of this.cards.querySelectorAll(`[data-thumb="${CSS.escape(name)}"]`)) { image.src = this.pictures.get(name).url; image.parentElement.classList.add('hung'); } },
};
gallery.find.oninput = () => gallery.show();
gallery.box.append(element('div', { className: 'bar' }, gallery.find, gallery.count,
  element('button', { id: 'tour-again', textContent: 'First minute', onclick: () => { gallery.close(); tour.begin(); } }),
  element('button', { className: 'quiet', textContent: '✕', 'aria-label': 'Close', onclick: () => gallery.close() })), gallery.cards);
gallery.box.onclick = e => { if (e.target === gallery.box) gallery.close(); };
gallery.box.onclose = () => { gallery.waiting = []; };
// Arrows go from card to card.
gallery.cards.onkeydown = e => {
  const all = [...gallery.cards.querySelectorAll('.card')], at = all.indexOf(document.activeElement);
  if (at < 0) return;
  const across = Math.max(1, all.filter(c => c.parentElement === all[at].parentElement && c.offsetTop === all[at].parentElement.firstChild.offsetTop).length), by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: across, ArrowUp: -across }[e.key];
  if (!by) return;
  e.preventDefault();
  all[Math.max(0, Math.min(all.length - 1, at + by))].focus();
};
document.body.append(gallery.box);
$('models').before(element('button', { id: 'explore-open', textContent: 'Explore', title: 'Models in pictures, and lessons', onclick: () => gallery.open() }));
// Where the page is narrow the way leads through the list of models.
$('find').before(element('button', { id: 'explore-menu', textContent: 'Explore in pictures; lessons', onclick: () => gallery.open() }));
new MutationObserver(() => { if (gallery.box.open) gallery.show(); }).observe(document.documentElement, { attributes: true, attributeFilter: ['class'] });
page.gallery = gallery;
