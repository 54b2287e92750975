// What a page without a server offers besides: models of this browser by name, files, links.
const notice = element('p', { id: 'notice', hidden: true }, element('span', { role: 'status' }), element('button', { className: 'quiet', textContent: '✕', 'aria-label': 'Close the notice', onclick: () => { notice.hidden = true; } }));
$('stage').append(notice);
function tell(words) { notice.firstChild.textContent = words; notice.hidden = false; }
const telling = work => async (...what) => { try { await work(...what); } catch (error) { if (error.name !== 'AbortError') tell(error.message); } };
const unsaved = () => studio.touched && editor.value !== studio.saved;
const mayOpen = () => !unsaved() || confirm('The text is not saved. Open another?');
function again() { studio.files = keeping.names; listModels(); }

// Beside each model that is kept: another name, or none.
engine.beside = name => [
  element('button', { textContent: '✎', title: `Rename ${name}`, 'aria-label': `Rename ${name}`, onclick: telling(async () => {
    const to = prompt(`A new name for ${name}`, name)?.trim();
    if (!to || to === name) return;
    if (keeping.read(to) !== null) throw new Trouble(`'${to}' exists already`);
    // The program knows which names are none.
    await workers.hand.ask('save', { name: to, text: keeping.read(name), names: [], held: {} });
    keeping.rename(name, to);
    if (studio.name === name) { studio.name = to; $('filename').value = to; drafts.keep(); }
    again();
  }) }),
  element('button', { textContent: '✕', title: `Delete ${name}`, 'aria-label': `Delete ${name}`, onclick: () => {
    if (!confirm(`Delete ${name} from this browser?`)) return;
    keeping.remove(name);
    if (studio.name === name) { studio.saved = ''; studio.stamp = null; $('dirty').textContent = 'not saved'; }
    again();
  } }),
];

// A model from outside: from the disk, or by a link.
function opened({ name, text }) {
  $('models').open = false;
  studio.touched = false;
  studio.take(name, text, !!keeping.file);
}
const pick = element('input', { type: 'file', accept: '.toml,text/plain', hidden: true, id: 'pick', onchange: telling(async () => {
  const [file] = pick.files;
  pick.value = '';
  if (file && mayOpen()) opened(await keeping.take(file));
}) });
const openFile = telling(async () => {
  if (!window.showOpenFilePicker) { pick.click(); return; }
  const [handle] = await showOpenFilePicker({ types: [{ description: 'Model', accept: { 'text/plain': ['.toml'] } }] });
  if (mayOpen()) opened(await keeping.take(await handle.getFile(), handle));
});
const copyLink = telling(async () => {
  $('exports').open = false;
  const link = await keeping.link(studio.name, editor.value);
  try { await navigator.clipboard.writeText(link); tell(location.protocol === 'file:' ? 'The link is copied. It opens where this same file is.' : 'The link is copied: it holds the whole model.'); }
  catch { prompt('The link holds the whole model:', link); }
});
$('find').before(element('button', { id: 'open-file', textContent: 'Open a file…', onclick: openFile }), pick);
$('exports').querySelector('div').append(element('button', { id: 'copy-link', textContent: 'Link that holds the model', onclick: copyLink }));

addEventListener('dragover', e => { if (e.dataTransfer?.types.includes('Files')) e.preventDefault(); });
addEventListener('drop', telling(async e => {
  const [item] = e.dataTransfer?.files || [];
  if (!item) return;
  e.preventDefault();
  const handle = await e.dataTransfer.items?.[0]?.getAsFileSystemHandle?.().catch(() => null);
  if (mayOpen()) opened(await keeping.take(item, handle?.createWritable ? handle : null));
}));
addEventListener('hashchange', telling(async () => {
  const { model, shipped } = keeping.asked, now = JSON.stringify([model, shipped]);
  if (now === engine.from || model === null && shipped === null || !mayOpen()) return;
  keeping.file = null; engine.from = now; studio.origin = engine.origin();
  if (model === null) await openModel({ shipped });
  else opened(await keeping.linked(model));
}));

engine.from = JSON.stringify([keeping.asked.model, keeping.asked.shipped]);
// Once the first model is there: what went wrong on the way.
engine.ready = () => {
  if (engine.first?.why) tell(engine.first.why);
};
