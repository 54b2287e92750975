// Sliders of parameters, drivers and joints, what the mechanism is, and runs.
const parameters = {
  set: {}, key: '',
  show(list) {
    const key = list.map(p => p.name).join('\n') + JSON.stringify(list.filter(p => !(p.name in this.set)).map(p => p.value));
    list.forEach(p => document.querySelector(`#parameters [data-name="${CSS.escape(p.name)}"]`)?.classList.toggle('changed', p.name in this.set));
    this.list = list;
    sweeper.know(list);
    this.tools();
    if (key === this.key) return;
    // Sliders stay where they are while one of them is moved.
    this.key = key;
    $('parameters').replaceChildren(...list.map(p => {
      const wide = Math.abs(p.value) || 1, low = p.value > 0 ? 0.1 * wide : p.value - wide, high = p.value > 0 ? 2 * wide : p.value + wide;
      const row = slider({ ...p, unit: p.shown, low, high, change: v => { this.set[p.name] = v; studio.live(); }, reset: () => { delete this.set[p.name]; this.key = ''; studio.changed(); } }).row;
      row.classList.toggle('changed', p.name in this.set);
      return row;
    }), this.bar ||= element('div', { className: 'tools' }));
    if (!list.length) $('parameters').prepend(element('p', { className: 'fine', textContent: 'The model has no [parameters].' }));
    this.tools();
  },
  tools() {
    if (!this.bar) return;
    const any = Object.keys(this.set).length > 0;
    if (any === this.bar.childElementCount > 0) return;
    this.bar.replaceChildren(...any ? [
      element('button', { textContent: 'Write into the text', onclick: () => this.write() }),
      element('button', { textContent: 'All as in the text', onclick: () => { this.set = {}; this.key = ''; studio.changed(); } }),
    ] : []);
  },
  // Puts values in place of those in [parameters].
  async write() {
    const edits = Object.entries(this.set).map(([name, value]) => {
      const p = this.list.find(p => p.name === name), number = +(value * (p?.ratio ?? 1)).toPrecision(12);
      return { do: 'set', path: ['parameters', name], value: p?.shown ? `${number} ${p.shown}` : `${number}` };
    });
    try {
      const { text } = await ask('edit', { ...studio.given(), set: {}, edits });
      this.set = {}; this.key = ''; editor.value = text; studio.touched = true; studio.edited();
    } catch (error) { studio.say(error.message); }
  },
};

const drivers = {
  values: {}, sliders: {}, key: '',
  show(list) {
    const key = JSON.stringify(list);
    $('drivers-head').hidden = !list.length;
    $('drivers-head').textContent = list.some(d => d.hold) ? 'Joints' : 'Drivers';
    if (key === this.key) return;
    this.key = key; this.values = {}; this.sliders = {};
    $('drivers').replaceChildren(...list.map(d => {
      const wide = d.high > d.low ? 0 : (d.angle ? Math.PI : 0.5 * (Math.abs(d.value) || 1));
      const made = slider({ name: d.name, unit: d.shown, ratio: d.ratio, low: d.low - wide, high: d.high + wide, value: d.value, change: v => { play(false); this.lead(d, v); }, reset: release });
      this.sliders[d.name] = { ...made, coordinate: d.coordinate, ratio: d.ratio, start: d.value };
      return made.row;
    }));
  },
  // Where no driver leads, the other joints with sliders stay as they are.
  lead(d, v) {
    if (d.hold) for (const [name, s] of Object.entries(this.sliders)) this.values[name] ??= s.start;
    this.values[d.name] = v;
    leading.ask(this.values);
  },
  // Sliders follow a position that was found otherwise.
  follow(coordinates) {
    for (const [name, s] of Object.entries(this.sliders)) if (s.coordinate in coordinates) { this.values[name] = coordinates[s.coordinate]; s.set(coordinates[s.coordinate]); }
  },
  // And the motion. Called for every frame.
  track() {
    if (hand.held) return;
    this.values = {};
    for (const s of Object.values(this.sliders)) { const k = motion.names.get(s.coordinate); if (k !== undefined) s.set(motion.value(k, state.t) / s.ratio); }
  },
};

// A joint's name that rings it in the picture.
function chip(name, more = '') {
  const names = [name], made = element('button', { className: 'chip', type: 'button', textContent: name + more, 'data-joint': name });
  const on = () => { ring(names); made.classList.add('on'); }, off = () => { ring([]); made.classList.remove('on'); };
  made.onmouseenter = made.onfocus = on; made.onmouseleave = made.onblur = off; made.onclick = on;
  return made;
}

function showMechanism(found) {
  const figure = (value, words) => element('div', {}, element('b', { textContent: value ?? '–' }), words);
  const words = named => named.map(r => chip(r.joint, ` ${r.components.join(' ')}`));
  const line = (className, ...children) => element('p', { className }, ...children);
  const rows = [element('div', { className: 'figures' },
    figure(found.mobility, found.idle ? `mobility, ${found.idle} of it idle` : 'mobility'), figure(found.redundancies, 'redundant equations'), figure(found.drivers, 'drivers'),
    figure(found.bodies, 'moving bodies'), figure(shown(found.grubler), 'Grübler count'), figure(found.singularity_distance === null ? null : shown(found.singularity_distance), 'distance to singularity'))];
  if (found.overdriven) rows.push(line('bad', `Over-driven: ${found.overdriven} driver equations too many.`));
  else if (found.undriven) rows.push(line('', `Under-driven: ${found.undriven} without a driver; still free: `, ...found.loose.map(n => chip(n.replace(/^joint '|'$/g, '')))));
  else rows.push(line('', 'The drivers determine the motion.'));
  if (found.singularity) rows.push(line('bad', `In or near a singular position (${found.singularity}).`));
  if (found.idle_bodies.length) rows.push(line('', `Idle spin: ${found.idle_bodies.join(', ')}.`));
  if (found.assembled !== false) rows.push(element('h2', { textContent: 'Configurations' }), element('p', {}, element('button', { className: 'chip', id: 'modes-all', textContent: 'Find all ways to put it together', onclick: configurations })));
  rows.push(element('h2', { textContent: 'Redundancy' }));
  const groups = found.redundancy_groups || [];
  if (!groups.length) rows.push(line('', 'No equation repeats another.'));
  groups.forEach(g => rows.push(line('', `${g.redundant} too many among `, ...words(g.rows))));
  found.suggestions.slice(0, 3).forEach((set, k) => rows.push(line('', k ? 'or by ' : 'Exactly constrained by ', ...set.flatMap(c => [chip(c.joint), ` ${c.from} → ${c.to === 'free' ? 'left out' : c.to} `]))));
  if (found.indeterminate_reactions?.length) rows.push(line('', `Reactions not unique: ${found.indeterminate_reactions.slice(0, 40).join(', ')}.`));
  const notes = (studio.notes || []).filter(([key]) => /singular/.test(key));
  rows.push(element('h2', { textContent: 'Singular positions' }));
  if (!notes.length) rows.push(line('', studio.notes ? 'None was met in the last run.' : 'Run tells those of the whole motion.'));
  notes.slice(0, 30).forEach(([, text]) => { const t = text.match(/t = ([-\d.e+]+)/); rows.push(line('', text, ' ', t ? element('button', { className: 'chip', textContent: 'show', onclick: () => { play(false); seek(+t[1]); } }) : null)); });
  rows.push(element('h2', { textContent: 'Equations' }), element('table', {}, ...found.rows.slice(0, 200).map(([name, kind, count]) => element('tr', {}, element('td', {}, chip(name)), element('td', { textContent: kind }), element('td', { className: 'n', textContent: count })))));
  rows.push(light.box);
  $('mechanism').replaceChildren(...rows);
}

// Every configuration for the drivers' first values; one that is pressed is written into the text.
async function configurations(e) {
  const place = e.target.parentElement;
  e.target.disabled = true; e.target.textContent = 'Looking…';
  try {
    const found = await ask('modes', studio.given()), now = Number((editor.value.match(/^\s*mode\s*=\s*(\d+)/m) || [])[1]);
    const pick = async number => {
      const { text } = await ask('edit', { ...studio.given(), set: {}, edits: [{ do: 'set', path: ['mode'], value: String(number) }] });
      editor.value = text; studio.touched = true; studio.edited();
    };
    place.replaceChildren(`${found.real} found${found.complete ? ', which are all' : ''}: `, ...found.modes.map((mode, k) => {
      const number = mode.number ?? k + 1, words = Object.entries(mode.coordinates).map(([n, x]) => `${n} = ${shown(x)}`).join(', ');
      return element('button', { className: number === now ? 'chip on' : 'chip', textContent: String(number), title: words, 'aria-label': `configuration ${number}: ${words}`, disabled: mode.number === null, onclick: () => pick(number).catch(error => studio.say(error.message)) });
    }), element('span', { className: 'fine', textContent: ` ${found.proof}` }));
  } catch (error) { place.replaceChildren(element('span', { className: 'bad', textContent: error.message })); }
}

function showOutcome(found) {
  const line = (className, ...children) => element('p', { className }, ...children);
  const rows = [line('', `${found.analysis}, ${found.samples} samples, ${found.formulation} formulation, ${shown(found.seconds)} s`)];
  if (found.error) rows.push(line('bad', found.error.message), ...found.error.notes.map(n => line('', n)));
  found.warnings.forEach(w => rows.push(line('bad', w)));
  const quiet = ['model', 'formulation', 'newton', 'newton iterations', 'mode', 'steps'];
  if (found.modes) quiet.push('states', 'state space', 'imbalance');
  const notes = found.notes.filter(([key, text]) => !quiet.includes(key) && !found.warnings.includes(text)), told = {};
  // What comes again in every turn is told twice and counted; the tab Mechanism lists singular positions.
  for (const [key, text] of notes) { told[key] = (told[key] ?? 0) + 1; if (told[key] <= 2) rows.push(line('', `${key}: ${text}`)); }
  for (const [key, count] of Object.entries(told)) if (count > 2) rows.push(line('fine', `${key}: ${count - 2} more`));
  if (found.verification) for (const level of ['position', 'velocity', 'acceleration', 'reaction']) { const d = found.verification[level]; if (d) rows.push(line('', `verified: ${level} to ${shown(d.difference)} (${d.signal}, ${d.between.join(' against ')})`)); }
  const table = (heads, body) => element('table', {}, element('tr', {}, ...heads.map((h, k) => element('th', { textContent: h, className: k ? 'n' : '' }))), ...body);
  if (found.modes) rows.push(modes.table(found.modes));
  else rows.push(table(['signal', 'least', 'greatest'], found.extremes.map(([name, unit, a, ta, b, tb]) => element('tr', {},
    element('td', {}, element('button', { className: 'chip', textContent: unit === '1' ? name : `${name} [${unit.replaceAll('*', '·').replace('^2', '²').replace('^3', '³')}]`, title: 'Plot it', onclick: () => { addPlot(name); studio.tab('plots'); state.dirty = true; } })),
    ...[[a, ta], [b, tb]].map(([v, t]) => element('td', { className: 'n' }, shown(v), element('small', { textContent: `at ${shown(t)} ${found.time_unit}` })))))));
  $('outcome').replaceChildren(...rows);
}
