// Short lessons: a model, a few sentences, what to look at, and a question. Whoever answers is told by the program, which computes the
// answer from the model as it stands.

// A run as columns of numbers in SI, by names of signals.
async function tableOf(given) {
  const { id } = await ask('run', given);
  for (let pause = 20; ; pause = Math.min(200, pause * 1.5)) {
    const told = await ask('job', { id });
    if (told.state === 'failed' || told.state === 'cancelled') throw new Trouble(told.error?.message || 'The run was cancelled.');
    if (told.state === 'done') break;
    await new Promise(done => setTimeout(done, pause));
  }
  const lines = (await (await ask('export', { id, kind: 'csv' })).text()).trimEnd().split('\n'), heads = lines[0].split(',').map(h => h.replace(/ \[[^\]]*\]$/, ''));
  const rows = lines.slice(1).map(l => l.split(','));
  return name => { const k = heads.indexOf(name); if (k < 0) throw new Trouble(`the model has no ${name} any more`); return rows.map(r => Number(r[k])); };
}
const degrees = x => x * 180 / Math.PI;
// Whether the mechanism closes all along its motion. A look that a newer one ended, or that took too long, says nothing.
async function turns(set) {
  for (let k = 0; k < 3; k++) { const { error } = await ask('look', { ...studio.given(), set }); if (error?.stage !== 'late') return !error; }
  throw new Trouble('The motion takes too long to be tried.');
}

const lessons = {
  now: null,
  list: [
    {
      id: 'grashof', title: 'Grashof: which link turns round?', about: 'Why some four-bars have a crank and others only rockers.', plots: ['B.angle'], shows: 'grashof',
      text: ['Four bars in a loop: the ground, a crank, a coupler and a rocker. One of them can turn all the way round when the shortest and the longest link together are no longer than the other two together. That is Grashof’s rule, and the link that turns is the shortest or stands beside it.',
        'Here the crank is 30 mm, the ground 100 mm, coupler and rocker 80 mm and 70 mm: 30 + 100 is less than 80 + 70.'],
      look: 'Move the slider of “coupler” under Parameters and play the motion. Past a certain length the crank stops short of a turn, and the red mark on the time line says where.',
      ask: 'How long can the coupler become before the crank no longer turns round?', unit: 'mm', near: 0.02,
      how: 'The program made the coupler longer and longer and tried each motion. Grashof says the same: rocker + ground − crank.',
      async answer() {
        const p = name => parameters.list.find(q => q.name === name)?.value ?? NaN;
        let low = p('coupler'), high = 2 * (p('ground') + p('rocker'));
        if (!(await turns({ ...parameters.set, coupler: low }))) throw new Trouble('The crank does not turn round now: set the lengths back first.');
        for (let k = 0; k < 14; k++) { const middle = 0.5 * (low + high); if (await turns({ ...parameters.set, coupler: middle })) low = middle; else high = middle; }
        studio.changed();
        return 1000 * low;
      },
    },
    {
      id: 'dead-centre', title: 'Dead centres', about: 'Where an output stands still, and how far it goes between.', plots: ['guide.slide', 'guide.slide.rate'], shows: 'dead-centre',
      text: ['The slider moves out and back while the crank turns on. At the ends of its stroke crank and rod lie in one line: stretched at the far end, folded at the near one. There the slider stands still for a moment, and pushing on it cannot turn the crank.',
        'The slider’s line passes 20 mm beside the crank’s axis. So it does not take the same time out as back: a quick return.'],
      look: 'Play the motion slowly and plot guide.slide. The tab Mechanism lists both dead centres after a run, each with its time: press “show”.',
      ask: 'How long is the stroke of the slider?', unit: 'mm', near: 0.01,
      how: 'The greatest less the least position of the slider in a whole turn. By Pythagoras: √((rod + crank)² − offset²) − √((rod − crank)² − offset²).',
      async answer() { const slide = (await tableOf(studio.given()))('guide.slide'); return 1000 * (Math.max(...slide) - Math.min(...slide)); },
    },
    {
      id: 'transmission-angle', title: 'Transmission angle', about: 'How well a coupler pushes: near 90° well, near 0° not at all.', plots: ['transmission', 'B.angle'], shows: 'transmission-angle',
      text: ['The coupler pushes the rocker along its own length. What turns the rocker is the part of that push across it, the sine of the angle between both: the transmission angle. Designers keep it above 40° or so, else bearings are loaded and nothing moves.',
        'It is least where crank and ground lie in one line, so two positions tell all.'],
      look: 'The plot of “transmission” has its lowest points where the crank lies along the ground, at one side or the other. Make the ground longer and watch it sink.',
      ask: 'What is the least transmission angle of a turn?', unit: '°', near: 0.02,
      how: 'The least of the signal Q.transmission along a turn. By the law of cosines with the diagonal ground − crank: coupler, rocker and diagonal make a triangle.',
      async answer() { return degrees(Math.min(...(await tableOf(studio.given()))('transmission'))); },
    },
    {
      id: 'mobility', title: 'Mobility and redundancy', about: 'Counting freedoms, and equations that say nothing new.', shows: 'four-bar',
      text: ['In space a body has six freedoms, and an ordinary pin takes five of them. Three moving links have 18, four pins take 20: by that count (Grübler’s) this four-bar cannot move at all. It moves nevertheless.',
        'Its pins are parallel, so some equations only repeat that the links stay in their plane. They are redundant: kinematics does not mind, but forces in such bearings depend on how exactly they were made.'],
      look: 'The tab Mechanism tells mobility, Grübler’s count and which joints repeat each other, and proposes joints that would leave nothing twice. Point at a joint’s name there to see it ringed in the picture.',
      ask: 'How many equations too many has this four-bar?', unit: '', near: 0,
      how: 'The rank of the equations, found by the program: as many as there are less those that are independent. Mobility 1 = 18 − (20 − 3).',
      async answer() { return (await ask('check', studio.given())).redundancies; }, tab: 'mechanism',
    },
    {
      id: 'instant-centre', title: 'Velocity by instant centres', about: 'Every link turns about a point, if only for a moment.', plots: ['ratio', 'B.angle.rate'], closer: 0.6, shows: 'instant-centre',
      text: ['At any moment a link that moves in a plane turns about one point: its instant centre. Any two links have one in common, and those of three links lie on a line (Aronhold and Kennedy). With them velocities are read off the drawing.',
        'Crank and rocker have their common centre where the coupler’s line meets the ground’s line. There both have the same velocity, so their speeds are in the reverse ratio of the distances from A and from B.'],
      look: 'The instant centres are switched on in the picture. At the beginning the crank stands upright. Measure from the centre of crank and rocker to A and to B.',
      ask: 'How fast does the rocker turn at the beginning, as a part of the crank’s speed?', unit: '', near: 0.02,
      how: 'The ratio of rates in the first sample, with its sign: below zero they turn against each other.',
      async answer() { return (await tableOf(studio.given()))('ratio')[0]; }, show: 'centres',
    },
    {
      id: 'motor-sizing', title: 'Forces and the size of a motor', about: 'What a motor must give to lift a load in a given time.', plots: ['motor.effort', 'O.angle.rate'], shows: 'motor-sizing',
      text: ['An arm of one metre lifts 10 kg from the level to the vertical in a second. Holding it level takes 98 N·m. Starting takes more: the load must get its speed, and its inertia about the axis is m·l² and a little.',
        'The motion law is cycloidal: it starts and ends without a jerk, and pays with a higher acceleration between. A motor is chosen by the greatest torque, by the root mean square (it warms the motor), and by the greatest speed.'],
      look: 'Plot motor.effort: where is its highest point, and when does it fall below zero, where the motor brakes? Give it two seconds (parameter time) and see what is left.',
      ask: 'What is the greatest torque of the motor?', unit: 'N·m', near: 0.01,
      how: 'The greatest of the signal motor.effort: gravity’s m·g·l·cos θ and (m·l² + I)·θ̈ at every sample.',
      async answer() { return Math.max(...(await tableOf(studio.given()))('motor.effort')); },
    },
    {
      id: 'robot-arm', title: 'A robot arm, backwards', about: 'The hand is led; what must the joints do?', plots: ['elbow.angle', 'elbow.angle.rate', 'shoulder.angle.rate'], shows: 'robot-arm',
      text: ['A robot is told where its hand has to be, and its joints have to follow: inverse kinematics. Here two drivers lead the hand along a straight line at a height of 400 mm, at a constant speed. No joint turns at a constant rate for that.',
        'There are two ways to reach a point, elbow to the one side or the other. The program stays with the one that the drawing shows.'],
      look: 'Plot elbow.angle.rate and shoulder.angle.rate. Raise “height” towards 700 mm: the hand comes to the end of its reach, the arm is stretched, and the rates grow beyond all bounds. That is a singular position.',
      ask: 'What is the greatest angle of the elbow on the way?', unit: '°', near: 0.01,
      how: 'The greatest of elbow.angle. It is where the hand is nearest to the shoulder; the law of cosines gives it: (400² − 400² − 300²) / (2·400·300) is its cosine.',
      async answer() { return degrees(Math.max(...(await tableOf(studio.given()))('elbow.angle'))); },
    },
    {
      id: 'stewart-platform', title: 'The Stewart platform', about: 'Six legs move one platform in every way there is.', shows: 'stewart-platform',
      text: ['Flight simulators stand on it: six legs that can be made longer, a universal joint below and a ball above each. The legs are led, the platform follows, and it is stiff because every leg only pulls or pushes.',
        'Count: the platform and the twelve halves of legs have 13 · 6 = 78 freedoms. A universal joint takes 4, a slide 5, a ball 3: 12 for each leg.'],
      look: 'Turn the picture with the pointer and play it. The tab Mechanism shows the count. Then raise “yaw” step by step: a platform that turns too far stands in a singular position.',
      ask: 'How many freedoms has the mechanism without its drives?', unit: '', near: 0,
      how: 'The rank of its equations, found by the program: 78 − 6 · 12 = 6, one for every leg’s drive.',
      async answer() { return (await ask('check', studio.given())).mobility; }, tab: 'mechanism',
    },
  ],

  async begin(id) {
    const lesson = this.list.find(l => l.id === id);
    if (!lesson) return;
    if (studio.touched && editor.value !== studio.saved && !confirm('The text is not saved. Open the lesson?')) return;
    try {
      const found = await ask('lesson', { id });
      studio.touched = false;
      studio.take(found.name, found.text, false);
    } catch (error) { studio.say(error.message); return; }
    this.now = lesson;
    this.show();
    await this.drawn();
    if (this.now !== lesson) return;
    if (lesson.plots) { panels.forEach(p => p.root.remove()); panels = []; lesson.plots.filter(name => motion.names.has(name)).forEach(addPlot); state.dirty = true; }
    if (lesson.closer) { camera.closer = lesson.closer; camera.fit(); state.touched = state.dirty = state.lines = true; }
    if (lesson.show && !show[lesson.show]) { show[lesson.show] = true; setToggles(); state.dirty = state.lines = true; }
    studio.tab(lesson.tab && innerWidth > 820 ? lesson.tab : innerWidth > 820 ? 'plots' : 'text');
  },

  // Waits for the picture of a text that was just put in.
  async drawn() {
    const before = studio.looked || 0;
    for (let k = 0; k < 200 && (studio.looked || 0) === before; k++) await new Promise(done => setTimeout(done, 25));
  },

  show() {
    const lesson = this.now, at = this.list.indexOf(lesson), verdict = element('div', { className: 'verdict', role: 'status' });
    const box = element('input', { inputMode: 'decimal', id: 'answer', autocomplete: 'off', 'aria-label': lesson.unit ? `Your answer in ${lesson.unit}` : 'Your answer' });
    const told = (text, right) => { verdict.textContent = text; verdict.classList.toggle('right', !!right); verdict.scrollIntoView({ block: 'nearest' }); };
    const due = async () => { told('The program computes …'); const value = await lesson.answer(); this.computed = value; return value; };
    const form = element('form', { onsubmit: async e => {
      e.preventDefault();
      const given = Number(box.value.trim().replace(',', '.').replace('−', '-'));
      if (box.value.trim() === '' || !Number.isFinite(given)) { told('A number, please.'); return; }
      try {
        const value = await due(), right = Math.abs(given - value) <= lesson.near * Math.abs(value) + 1e-9;
        told(right ? `Right: ${shown(value)} ${lesson.unit}. ${lesson.how}` : Math.abs(given + value) <= lesson.near * Math.abs(value) ? 'The amount is right. And its sign?' : given > value ? 'Less than that.' : 'More than that.', right);
      } catch (error) { told(error.message); }
    } }, element('p', { textContent: lesson.ask }), box, lesson.unit || null, element('button', { className: 'main', type: 'submit', textContent: 'Check' }),
    element('button', { type: 'button', id: 'reveal', className: 'quiet', textContent: 'Show me', onclick: async () => { try { const value = await due(); told(`${shown(value)} ${lesson.unit}. ${lesson.how}`); } catch (error) { told(error.message); } } }), verdict);
    const other = (by, words) => { const next = this.list[at + by]; return next ? element('button', { type: 'button', textContent: words, title: next.title, onclick: () => this.begin(next.id) }) : element('span'); };
    this.panel.replaceChildren(
      element('h2', {}, element('span', { textContent: lesson.title, tabIndex: -1 }), element('button', { type: 'button', className: 'quiet', textContent: '✕', 'aria-label': 'Close the lesson', onclick: () => this.end() })),
      ...lesson.text.map(t => element('p', { textContent: t })), element('p', { className: 'see', textContent: lesson.look }), form,
      element('div', { className: 'turn' }, other(-1, '‹ Before'), element('span', { textContent: `${at + 1} of ${this.list.length}` }), other(1, 'Next ›')));
    this.panel.hidden = false; this.panel.scrollTop = 0;
    this.panel.querySelector('h2 span').focus({ preventScroll: innerWidth > 820 });
  },
  end() { this.now = null; this.panel.hidden = true; },
  panel: element('section', { id: 'lesson', hidden: true, 'aria-label': 'Lesson' }),
};
$('left').prepend(lessons.panel);
page.lessons = lessons;

// The first minute: a few steps over the page itself. Each goes on by itself once it is done, or by a button.
const tour = {
  kept: 'biela/first-minute',
  steps: [
    ['#play', 'Make it move', 'The picture is a mechanism: links on joints, moved by a motor. Press ▶ below the picture, or the space bar while the picture is chosen.', () => state.playing],
    ['#picture', 'Take it by hand', 'Drag a pin in the picture: the mechanism follows as far as it can. Release it with Esc. With the keyboard, arrow keys step through time.', () => !!hand.held],
    ['#editor', 'It is a text', 'All there is stands in this text, and whatever you change is drawn at once. Change a length. Ctrl+Space offers what may stand where you write; Ctrl+Z takes back.', () => studio.touched],
    ['#parameters', 'Or a slider', 'Named numbers have sliders. They change the picture and leave the text, until you write them into it.', () => Object.keys(parameters.set).length > 0],
    ['#side', 'Numbers', 'Plots follow the motion: choose any signal by name. The tab Mechanism counts freedoms and tells what is redundant; Run solves with forces, and Export takes tables, pictures and reports along.', () => false],
    ['header', 'More to see', 'Explore (on a phone in the menu Models) has every shipped model as a picture, and eight short lessons. This first minute is there again too.', () => gallery.box.open],
  ],
  // Who sits before an empty page draws a four-bar.
  drawing: [
    ['#stage', 'Draw a link', 'The tool Link is taken. Drag from one place to another on the paper: this is the crank. Undo takes back.', () => sheet.sketch?.bodies.length > 1],
    ['#stage', 'And two more', 'Drag from its end to a third place, and from there down to a fourth. Ends that meet are pinned together.', () => sheet.sketch?.bodies.length > 3],
    ['#tools', 'Hold it', 'Take Ground and click the last end: it becomes a pivot that stays.', () => sheet.sketch?.joints.some(j => j.bodies.includes('ground'))],
    ['#tools', 'Drive it', 'Take Motor and click the very first end. “mobility 1: it runs” stands below the drawing then.', () => sheet.sketch?.drivers.length > 0],
  ],
  at: 0,
  card: element('section', { id: 'tour', role: 'dialog', 'aria-label': 'First minute', hidden: true }),

  begin() {
    this.plain ??= this.steps;
    this.steps = drafting.blank ? [...this.drawing, ...this.plain.filter(s => s[0] !== '#parameters')] : this.plain;
    if (drafting.blank) hands.take('link');
    this.at = 0; this.show();
  },
  show() {
    const [target, title, text] = this.steps[this.at], last = this.at === this.steps.length - 1, wide = innerWidth > 820;
    this.dim();
    if (!wide) studio.tab({ '#editor': 'text', '#parameters': 'parameters', '#side': 'plots' }[target] || document.body.dataset.tab);
    this.lit = document.querySelector(target); this.lit?.classList.add('lit');
    if (!wide) { if (target === '#play' || target === '#picture') scrollTo(0, 0); else this.lit?.scrollIntoView({ block: 'start' }); }
    this.before = this.steps.map(s => !!s[3]());
    const next = element('button', { type: 'button', className: 'main', id: 'tour-next', textContent: last ? 'Done' : 'Next', onclick: () => last ? this.end() : this.go(1) });
    this.card.replaceChildren(element('h2', { textContent: title }), element('p', { textContent: text }), element('div', { className: 'turn' },
      element('button', { type: 'button', className: 'quiet', id: 'tour-skip', textContent: last ? 'Close' : 'Skip', onclick: () => this.end() }), element('span', { textContent: `${this.at + 1} of ${this.steps.length}` }),
      this.at ? element('button', { type: 'button', textContent: 'Back', onclick: () => this.go(-1) }) : null, next));
    this.card.setAttribute('aria-live', 'polite');
    this.card.hidden = false;
    next.focus({ preventScroll: true });
    clearInterval(this.timer);
    // What is done in the page is the answer to the step.
    this.timer = setInterval(() => { if (!this.before[this.at] && this.steps[this.at][3]()) { clearInterval(this.timer); setTimeout(() => { if (!this.card.hidden && this.at < this.steps.length - 1) this.go(1, true); }, 1200); } }, 200);
  },
  go(by, own = false) {
    const focused = document.activeElement;
    this.at = Math.max(0, Math.min(this.steps.length - 1, this.at + by)); this.show();
    // Who writes or drags goes on doing so.
    if (own && focused && focused !== document.body && !this.card.contains(focused)) focused.focus({ preventScroll: true });
  },
  dim() { this.lit?.classList.remove('lit'); this.lit = null; },
  end() {
    clearInterval(this.timer); this.dim(); this.card.hidden = true;
    try { localStorage.setItem(this.kept, 'seen'); } catch { /* told again next time */ }
    $('tour-open')?.remove();
    ($('explore-open').offsetParent ? $('explore-open') : $('picture')).focus({ preventScroll: true });
  },
  get seen() { try { return localStorage.getItem(this.kept) !== null; } catch { return false; } },
};
document.body.append(tour.card);
tour.card.addEventListener('keydown', e => { if (e.key === 'Escape') { e.stopPropagation(); tour.end(); } });
if (!tour.seen) $('models').before(element('button', { id: 'tour-open', textContent: 'First minute', title: 'Six steps through the page', onclick: () => tour.begin() }));
page.tour = tour;
