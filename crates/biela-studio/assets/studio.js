// Puts the studio together: text in, picture out, runs, files, keys.
const RED = [214, 40, 40];
const studio = {
  name: 'model.toml', saved: '', stamp: null, files: [], library: [], notes: null, job: null,
  given() { return { name: this.name, text: editor.value, set: parameters.set }; },
  say(text) { $('outcome').replaceChildren(element('p', { className: 'bad', textContent: text })); $('dirty').textContent = text; },

  edited(typed = false) { history_.take(editor.value, typed); $('dirty').textContent = editor.value === this.saved ? '' : 'not saved'; this.changed(); },
  // At once, as often as it can be looked at: what a hand moves.
  live() { drafts.soon(); this.hasty = true; looking.ask(); },
  // Samples of a motion while a hand moves something: enough for a path and plots, and many times a second. The whole follows.
  few: 40,
  // Once nobody has typed for a moment.
  changed() { drafts.soon(); clearTimeout(this.timer); this.timer = setTimeout(() => looking.ask(), 180); },

  tab(name) {
    document.body.dataset.tab = name;
    if (['plots', 'mechanism', 'run'].includes(name)) document.body.dataset.side = name;
    for (const b of document.querySelectorAll('#tabs button')) b.setAttribute('aria-pressed', b.dataset.tab === name || b.dataset.tab === document.body.dataset.side && innerWidth > 820);
    state.dirty = true;
  },

  // A picture from the server; what cannot close is red.
  see(found, guilty, brief = false) {
    release();
    // While it is drawn in space, what has come to it turns no picture under the hand.
    if (sheet.space && data?.name === found.name && (data.held || document.body.dataset.mode === 'draw')) Object.assign(found, { front: camera.front, up: camera.up, planar: found.planar && data.planar, held: true });
    if (guilty) for (const b of found.bodies) if (guilty.bodies.includes(b.name)) b.parts.forEach(p => { p.colour = RED; });
    load(found, null, brief && data?.name === found.name);
    if (!brief) this.whole = motion;
    document.title = `${found.name} – biela studio`;
  },

  take(name, text, saved, stamp = null) {
    this.name = name; this.saved = saved ? text : ''; this.stamp = stamp; this.notes = null; this.job = null;
    parameters.set = {}; parameters.key = ''; drivers.key = '';
    editor.value = text; editor.area.scrollTop = 0; $('filename').value = name;
    $('outcome').replaceChildren();
    history_.begin(text);
    sheet.sketch = null; sheet.text = null; hands.ready = false; hands.chosen.clear(); inspector.show(); sheet.draw();
    this.edited();
  },

  // Goes on with a draft, whose past can be undone.
  resume({ name, saved, stamp, touched, text, past, future, set }) {
    Object.assign(this, { name, saved, stamp, touched: touched !== false });
    $('filename').value = name;
    for (const [key, value] of Object.entries(set || {})) if (Number.isFinite(value)) parameters.set[key] = value;
    Object.assign(history_, { past, future, now: text });
    editor.value = text; this.edited(); history_.tell();
  },
};

// Signals that are looked at while a hand moves something: in plots, as arrows, by sliders. Nothing where more than these is shown.
function watched() {
  const { whole } = studio;
  if (!whole || !data?.joints.length || show.centres || show.poles || show.inflection || polygons.on && data.planar) return undefined;
  const names = [...panels.map(p => p.input.value), ...Object.values(drivers.sliders).map(s => s.coordinate), ...$('energy').hidden ? [] : energies.kinds.map(kind => `energy.${kind}`)];
  for (const [kind, group] of Object.entries(drawing.arrows)) if (show[kind]) for (const a of group.arrows) for (const k of [a.places ?? a.place].flat()) if (k !== null) names.push(motion.signals[k].name);
  return [...new Set(names)].filter(name => whole.names.has(name));
}
const looking = new Latest(async () => {
  const asked = studio.given(), hasty = studio.hasty && studio.steps > 0;
  studio.hasty = false;
  clearTimeout(studio.timer);
  if (hasty) studio.timer = setTimeout(() => looking.ask(), 220);
  try {
    const [found] = await Promise.all([ask('look', hasty ? { ...asked, steps: Math.min(studio.steps, studio.few), brief: watched() } : asked), drafting.look(asked)]);
    if (drafting.blank) { drafting.welcome(); studio.looked = (studio.looked || 0) + 1; return; }
    diagnose(found.error, found.warnings, found.guilty);
    if (!found.error && found.joints?.length) diagnose.also(element('p', { className: 'fine', textContent: 'No driver moves all of it: the sliders under Joints do.' }));
    if (found.parameters) { parameters.show(found.parameters); drivers.show(found.joints.length ? found.joints : found.drivers); if (!hasty) { studio.steps = found.run.steps; runner.show(found.run); } }
    if (found.picture) studio.see(found.picture, found.guilty, hasty && !found.error);
    studio.looked = (studio.looked || 0) + 1;
    if (!hasty) light.look(asked);
    $('mechanism').classList.toggle('stale', !!found.error && found.error.stage !== 'late');
    // Mobility is told a few times a second while a hand moves.
    const now = performance.now();
    if (hasty && now - studio.checked < 250) return;
    studio.checked = now;
    if (!found.error || found.error.stage === 'run' || found.error.stage === 'late') checking.ask(asked);
  } catch (error) { studio.say(error.message); }
});
const checking = new Latest(async asked => {
  try { showMechanism(studio.report = await ask('check', asked)); drafting.freedom(studio.report); } catch (error) { $('mechanism').replaceChildren(element('p', { className: 'bad', textContent: error.message })); }
});

// Runs.
const runner = {
  show(run) {
    for (const key of ['start', 'end', 'steps']) $(key).placeholder = shown(run[key]);
    $('analysis').options[0].textContent = `as the model says (${run.analysis})`;
  },
  asked() {
    const number = id => $(id).value.trim() === '' ? undefined : Number($(id).value);
    return { ...studio.given(), analysis: $('analysis').value || undefined, formulation: $('formulation').value || undefined, start: number('start'), end: number('end'), steps: number('steps'), verify: $('verify').checked };
  },
  // A run of what is asked; the number of one that is done already where nothing has changed.
  async run(fresh) {
    const asked = this.asked(), key = JSON.stringify(asked);
    if (!fresh && studio.job?.key === key) return studio.job.id;
    const { id } = await ask('run', asked);
    this.id = id; $('cancel').disabled = false; $('go').disabled = true; $('progress').hidden = false; $('progress').removeAttribute('value');
    try {
      for (let pause = 30; ; pause = Math.min(250, pause * 1.5)) {
        const told = await ask('job', { id });
        if (told.state === 'running') { if (told.all) $('progress').value = told.done / told.all; await new Promise(done => setTimeout(done, pause)); continue; }
        if (told.state === 'cancelled') throw new Trouble('The run was cancelled.');
        if (told.state === 'failed') throw new Trouble(told.error.message, told.error);
        studio.job = { id, key }; studio.notes = told.notes;
        if (told.picture) studio.see(told.picture, null);
        showOutcome(told);
        if (studio.report) showMechanism(studio.report);
        return id;
      }
    } finally { $('cancel').disabled = true; $('go').disabled = false; $('progress').hidden = true; this.id = null; }
  },
};
$('runner').onsubmit = async e => {
  e.preventDefault();
  try { await runner.run(true); } catch (error) {
    $('outcome').replaceChildren(element('p', { className: 'bad', textContent: error.message }), ...(error.diagnostic?.notes || []).map(n => element('p', { textContent: n })));
  }
};
$('cancel').onclick = () => runner.id && ask('cancel', { id: runner.id });

// Files.
function download(blob, name) {
  const link = element('a', { href: URL.createObjectURL(blob), download: name });
  document.body.append(link); link.click(); link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 30000);
}
for (const button of document.querySelectorAll('[data-export]')) button.onclick = async () => {
  const kind = button.dataset.export, stem = studio.name.replace(/^.*\//, '').replace(/\.toml$/, '');
  $('exports').open = false;
  if (kind === 'toml') return download(new Blob([editor.value], { type: 'text/plain' }), `${stem}.toml`);
  button.disabled = true;
  try { download(await ask('export', { id: await runner.run(false), kind }), kind === 'report' ? `${stem}-report.html` : `${stem}.${kind}`); }
  catch (error) { studio.tab('run'); studio.say(error.message); }
  finally { button.disabled = false; }
};
async function save(more = {}) {
  const name = $('filename').value.trim(), own = name === studio.name && (studio.saved !== '' || studio.stamp !== null);
  const text = editor.value, turn = save.turn = (save.turn ?? 0) + 1;
  // Whoever saves twice is told of the second.
  const tell = words => { if (turn === save.turn) $('dirty').textContent = words; return turn === save.turn; };
  try {
    let done;
    try { done = await ask('save', { name, text, replace: own, stamp: own ? studio.stamp : null, ...more }); }
    catch (error) {
      if (!/exists already/.test(error.message) || !confirm(`${name} exists already. Replace it?`)) throw error;
      done = await ask('save', { name, text, replace: true });
    }
    studio.name = name; studio.saved = text; studio.stamp = done.stamp; studio.files = done.files; listModels();
    tell('saved');
  } catch (error) {
    if (tell(error.message) && /has changed/.test(error.message)) $('dirty').append(' ',
      element('button', { id: 'reload', textContent: 'Reload', title: 'Open the file as it is now; this text is lost', onclick: () => openModel({ name }) }), ' ',
      element('button', { id: 'overwrite', textContent: 'Overwrite', title: 'Replace the file by this text', onclick: () => save({ overwrite: true }) }));
  }
}
$('save').onclick = () => save();
async function openModel(what) {
  try { const found = await ask('open', what); studio.touched = false; studio.take(found.name, found.text, found.saved, found.stamp); } catch (error) { studio.say(error.message); }
}
function listModels() {
  const wanted = $('find').value.toLowerCase(), fits = name => name.toLowerCase().includes(wanted);
  const open = async what => {
    if (editor.value !== studio.saved && studio.touched && !confirm('The text is not saved. Open another?')) return;
    $('models').open = false;
    await openModel(what);
  };
  $('list').replaceChildren(
    ...studio.files.length ? [element('h2', { textContent: engine.place || 'In the folder' })] : [],
    ...studio.files.filter(fits).map(name => element('div', { className: 'kept' }, element('button', { textContent: name, onclick: () => open({ name }) }), ...engine.beside?.(name) || [])),
    element('h2', { textContent: 'Shipped with the program' }),
    ...studio.library.filter(m => fits(m.name) || fits(m.about)).map(m => element('button', { 'data-shipped': m.name, onclick: () => open({ shipped: m.name }) }, m.name, element('small', { textContent: m.about }))));
}
$('find').oninput = listModels;
$('models').ontoggle = () => { if ($('models').open) $('find').focus(); };
document.addEventListener('pointerdown', e => { for (const menu of document.querySelectorAll('.menu')) if (!menu.contains(e.target)) menu.open = false; });

editor.area.addEventListener('input', () => { studio.touched = true; studio.edited(true); });
for (const b of document.querySelectorAll('#tabs button')) b.onclick = () => studio.tab(b.dataset.tab);
addEventListener('keydown', e => {
  const with_ctrl = e.ctrlKey || e.metaKey;
  if (with_ctrl && e.key === 's') { e.preventDefault(); save(); }
  if (with_ctrl && e.key === 'Enter') { e.preventDefault(); studio.tab('run'); $('runner').requestSubmit(); }
  if (e.key === 'Escape') { release(); for (const menu of document.querySelectorAll('.menu')) menu.open = false; }
});
addEventListener('beforeunload', e => { if (studio.touched && editor.value !== studio.saved) e.preventDefault(); });
new ResizeObserver(() => editor.follow()).observe($('paper'));
const drawn = page.drawn;
page.engine = (name, body) => ask(name, body);
page.drawn = () => { drawn(); drivers.track(); drafting.drawn(); };
Object.assign(page, { studio, hand, editor, hands, sheet, drafting, history: history_ });

document.body.dataset.side = 'plots';
studio.tab(innerWidth > 820 ? 'plots' : 'text');
(async () => {
  try {
    const start = await ask('start');
    Object.assign(studio, { files: start.files, library: start.library });
    $('analysis').append(new Option('as the model says', ''), ...start.analyses.map(a => new Option(a)));
    $('formulation').append(new Option('as the model says', ''), ...start.formulations.map(f => new Option(f)));
    listModels();
    studio.take(start.name, start.text, !!start.stamp, start.stamp);
    studio.origin = engine.origin(start);
    const draft = drafts.read(studio.origin);
    // A file that was saved is read as it is now.
    if (draft && draft.text !== draft.saved) studio.resume(draft);
    else if (draft && draft.name !== start.name) await openModel({ name: draft.name });
    if (draft && draft.mode === 'draw') drafting.mode('draw');
    engine.ready?.();
  } catch (error) {
    $('diagnostics').replaceChildren(element('p', { className: 'bad', textContent: error.message }));
  }
})();
