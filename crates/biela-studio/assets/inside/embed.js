// Inside another page (`#embed`): the picture plays, panels stand beside it, nothing is kept. `dark` and `light` in the link choose the theme.
if (keeping.asked.inside) {
  document.documentElement.dataset.inside = '';
  const theme = () => { const words = keeping.asked; if (words.dark !== null) setTheme(words.dark); };
  theme();
  addEventListener('hashchange', theme);
  // One panel at a time, however wide it is.
  const tab = studio.tab;
  studio.tab = function (name) { tab.call(this, name); for (const b of document.querySelectorAll('#tabs button')) b.setAttribute('aria-pressed', b.dataset.tab === name); };
  studio.tab('parameters');
  const ready = engine.ready;
  engine.ready = () => {
    ready();
    // Once the first motion is there, it plays.
    const begin = () => { if (data && length > 0) play(true); else if (!data) requestAnimationFrame(begin); };
    if (!matchMedia('(prefers-reduced-motion: reduce)').matches) begin();
  };
}
