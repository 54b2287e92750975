// An element with properties, attributes (aria…, data…) and children.
function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) if (/^(aria|data)-|^role$/.test(key)) made.setAttribute(key, value); else made[key] = value;
  made.append(...children.filter(c => c !== null && c !== undefined));
  return made;
}

// A slider with its number. Values are SI outside of it; it shows and takes so many (`ratio`) of a unit to one of SI.
function slider({ name, unit, ratio = 1, low, high, value, change, reset }) {
  [low, high, value] = [low, high, value].map(x => x * ratio);
  const take = change;
  change = v => take(v / ratio);
  const id = `slider-${name}`, step = (high - low) / 500 || 1e-3;
  const range = element('input', { type: 'range', min: low, max: high, step: 'any', value, id });
  const number = element('input', { type: 'number', step: 'any', value: +value.toPrecision(7), 'aria-label': `${name}, value` });
  const back = element('button', { textContent: '↺', title: `${name} as in the text`, 'aria-label': `${name} as in the text` });
  const row = element('div', { className: 'slider', 'data-name': name }, element('label', { htmlFor: id, textContent: unit ? `${name} [${unit}]` : name, title: name }), range, number, back);
  range.oninput = () => { number.value = +(+range.value).toPrecision(5); change(+number.value); };
  number.oninput = () => { if (Number.isFinite(number.valueAsNumber)) { range.value = number.value; change(number.valueAsNumber); } };
  range.onkeydown = e => { const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 20, PageDown: -20 }[e.key]; if (by) { e.preventDefault(); range.value = +range.value + by * step; range.oninput(); } };
  back.onclick = reset;
  return { row, set(v) { v *= ratio; if (Math.abs(v) < 1e-12 * (high - low)) v = 0; if (document.activeElement !== number) number.value = +v.toPrecision(5); if (document.activeElement !== range) range.value = v; } };
}
