// The light of interference: how near bodies come to each other over the motion, where and when. It is asked for under Mechanism, and looks
// again at whatever is changed until it is put out; on the picture it is green or red, and a press leads to the nearest place.
const light = {
  on: false, found: null,
  box: element('div', { id: 'clearance' }),
  lamp: element('button', { id: 'lamp', type: 'button', hidden: true, title: 'Where bodies come nearest', onclick: () => light.found?.least && light.lead(light.found.least) }),

  set(on) {
    this.on = on; this.found = null; hand.spots = [];
    this.show();
    if (on) this.asking.ask(studio.given()); else placeRings();
  },
  look(asked) { if (this.on) this.asking.ask(asked); },
  asking: new Latest(async asked => {
    try { light.found = await ask('interference', asked); } catch (error) { light.found = { fault: error.message, notes: error.diagnostic?.notes || [] }; }
    if (!light.on) light.found = null;
    hand.spots = [];
    light.show();
  }),

  // A pair at its nearest: the time, and a ring at each of the two places.
  lead({ t, points }) {
    if (document.body.dataset.mode === 'draw') drafting.mode('move');
    release(); play(false); seek(t);
    hand.spots = points.map(at => ({ at, t: state.t }));
    placeRings();
  },
  length(x) { return `${shown(Math.abs(x) * data.length[1])} ${data.length[0]}`; },
  words({ distance }) { return distance < 0 ? `overlap by ${this.length(distance)}` : distance === 0 ? 'touch' : `${this.length(distance)} apart`; },
  state() { const { found } = this; return !found ? 'looking' : found.fault ? 'dark' : found.least.distance < 0 ? 'meets' : 'clear'; },

  show() {
    const { found, lamp } = this, line = (className, ...children) => element('p', { className }, ...children);
    const toggle = element('button', { className: 'chip', type: 'button', id: 'watch', 'aria-pressed': String(this.on), textContent: this.on ? 'Light off' : 'Do bodies meet?', title: 'Least distances over the whole motion, with nothing between samples unseen', onclick: () => this.set(!this.on) });
    const rows = [];
    if (this.on && !found) rows.push(line('fine', 'Looking …'));
    if (found?.fault) rows.push(line('bad', found.fault), ...found.notes.map(n => line('', n)));
    if (found?.pairs) {
      rows.push(element('table', {}, ...found.pairs.slice(0, 60).map(pair => element('tr', { className: pair.distance < 0 ? 'meets' : '' }, element('td', { textContent: pair.bodies.join(' and ') }), element('td', { className: 'n' }, this.words(pair), element('small', { textContent: `at ${shown(pair.t * data.time.ratio)} ${data.time.unit}` })),
        element('td', { className: 'n' }, element('button', { className: 'chip', type: 'button', textContent: 'show', 'aria-label': `Show where ${pair.bodies.join(' and ')} are nearest`, onclick: () => this.lead(pair) }))))));
      if (found.pairs.length > 60) rows.push(line('fine', `and ${found.pairs.length - 60} more pairs`));
      if (found.ended) rows.push(line('', `The motion ended before its time: ${found.ended}`));
      if (found.doubt) rows.push(line('', `Between samples bodies are known to ${this.length(found.doubt)}; more steps tell more.`));
    }
    this.box.replaceChildren(element('h2', { textContent: 'Interference' }), line('', toggle), ...rows);
    const lit = this.on && !found?.fault;
    lamp.hidden = !lit; document.body.toggleAttribute('data-lit', lit); lamp.dataset.state = this.state();
    if (lit) lamp.textContent = !found ? 'Looking …' : found.least.distance < 0 ? `${found.least.bodies.join(' and ')} ${this.words(found.least)}` : `Nothing meets: ${found.least.bodies.join(' and ')} ${this.words(found.least)}`;
  },
};
$('stage').append(light.lamp);
light.show();
page.light = light;
