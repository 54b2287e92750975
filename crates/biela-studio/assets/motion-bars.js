// Energies as bars over the picture while the motion plays, where the run tells them.
const energies = {
  kinds: ['kinetic', 'potential', 'total'], of: null, rows: [],
  // The bars share one scale: from the least to the greatest of the whole run.
  begin() {
    this.of = motion;
    const known = this.kinds.map(kind => [kind, motion.names.get(`energy.${kind}`)]).filter(([, k]) => k !== undefined), box = $('energy');
    let low = 0, high = 0;
    for (const [, k] of known) for (let i = 0; i < motion.count; i++) { const e = motion.at(motion.signals[k].row, i); if (Number.isFinite(e)) { low = Math.min(low, e); high = Math.max(high, e); } }
    this.rows = known.length && high > low && motion.count > 1 ? known.map(([kind, k]) => ({ k, bar: element('u'), value: element('b'), kind })) : [];
    Object.assign(this, { low, wide: high - low || 1, unit: known.length ? motion.unit(known[0][1]) : '' });
    box.replaceChildren(...this.rows.map(r => element('div', {}, element('span', { textContent: r.kind }), element('i', {}, r.bar), r.value)));
  },
  draw() {
    if (this.of !== motion) this.begin();
    const box = $('energy'), shows = this.rows.length > 0 && document.body.dataset.mode === 'move' && !hand.held && (state.playing || state.t > motion.start);
    box.hidden = !shows;
    if (!shows) return;
    for (const { k, bar, value } of this.rows) {
      const e = motion.value(k, state.t), zero = -this.low / this.wide * 100, to = (e - this.low) / this.wide * 100;
      bar.style.left = `${Math.min(zero, to)}%`; bar.style.width = `${Math.abs(to - zero)}%`;
      value.textContent = `${shown(e)} ${this.unit}`;
    }
  },
};
