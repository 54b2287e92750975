// What is shared besides the exports that the program writes: pictures as they are seen, Python code, and a frame for other pages.
const sharing = {
  add(id, words, make) {
    const button = element('button', { id, textContent: words, onclick: async () => {
      $('exports').open = false;
      button.disabled = true;
      try { await make(); } catch (error) { studio.tab('run'); studio.say(error.message); } finally { button.disabled = false; }
    } });
    $('exports').querySelector('div').append(button);
    return button;
  },
  get stem() { return studio.name.replace(/^.*\//, '').replace(/\.toml$/, ''); },

  async copy(text, words) {
    try { await navigator.clipboard.writeText(text); studio.say(''); $('outcome').replaceChildren(element('p', { className: 'fine', role: 'status', textContent: words })); $('dirty').textContent = words; }
    catch { this.give(text, words); }
  },
  // Where a page may not write to the clipboard the text is shown, chosen.
  give(text, words) {
    const area = element('textarea', { readOnly: true, value: text, rows: 6, 'aria-label': words }), box = element('dialog', { className: 'give', 'aria-label': words },
      element('p', { textContent: words.replace(/ is copied.*/, ': copy it with Ctrl+C.') }), area, element('button', { className: 'main', textContent: 'Close', onclick: () => box.close() }));
    box.onclose = () => box.remove();
    document.body.append(box);
    box.showModal(); area.select();
  },

  // A film of one cycle as the browser sees it.
  get film() { return ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm', 'video/mp4'].find(kind => window.MediaRecorder?.isTypeSupported?.(kind)); },
  async record() {
    if (!(length > 0)) throw new Trouble('There is no motion to be filmed: the mechanism has a position alone.');
    const sheet = element('canvas', { width: 2 * Math.round(picture.clientWidth), height: 2 * Math.round(picture.clientHeight) }), pen = sheet.getContext('2d'), kind = this.film;
    const seconds = Math.min(12, Math.max(2, length / state.speed)), t0 = state.t, was = state.playing;
    play(false);
    const stream = sheet.captureStream(30), recorder = new MediaRecorder(stream, { mimeType: kind, videoBitsPerSecond: 6e6 }), parts = [];
    recorder.ondataavailable = e => { if (e.data.size) parts.push(e.data); };
    const ended = new Promise((done, fail) => { recorder.onstop = done; recorder.onerror = () => fail(new Trouble('the browser could not film')); });
    recorder.start(500);
    const begin = performance.now();
    await new Promise(done => {
      const step = () => {
        const part = Math.min(1, (performance.now() - begin) / 1000 / seconds);
        seek(motion.start + part * length); draw();
        pen.fillStyle = getComputedStyle($('stage')).getPropertyValue('--stage2') || '#fff'; pen.fillRect(0, 0, sheet.width, sheet.height);
        for (const layer of [picture, $('overlay')]) if (layer.width && layer.height) pen.drawImage(layer, 0, 0, sheet.width, sheet.height);
        if (part < 1) requestAnimationFrame(step); else done();
      };
      step();
    });
    recorder.stop(); await ended;
    stream.getTracks().forEach(t => t.stop());
    seek(t0); play(was);
    download(new Blob(parts, { type: kind.split(';')[0] }), `${this.stem}.${kind.includes('mp4') ? 'mp4' : 'webm'}`);
  },

  // Python code that makes the model by calls and runs it.
  async python() { download(new Blob([(await ask('code', studio.given())).code], { type: 'text/x-python' }), `${this.stem.replace(/[^\w]+/g, '_')}.py`); },

  // A frame for another page: the moving picture itself, whole, so that nothing has to be reached from there.
  async frame() {
    const html = await (await ask('export', { id: await runner.run(false), kind: 'html' })).text();
    const inside = html.replaceAll('&', '&amp;').replaceAll('"', '&quot;'), title = (data?.name || this.stem).replace(/[&<>"]/g, c => `&#${c.charCodeAt(0)};`);
    return `<iframe title="${title}" sandbox="allow-scripts" style="width: 100%; height: 480px; border: 0" srcdoc="${inside}"></iframe>\n`;
  },
  async embed() { const text = await this.frame(); await this.copy(text, `The frame for a web page is copied (${Math.ceil(text.length / 1024)} kB).`); },
};
sharing.add('export-python', 'Python code that makes and runs it (.py)', () => sharing.python());
if (sharing.film) sharing.add('export-film', `Film of one cycle (.${sharing.film.includes('mp4') ? 'mp4' : 'webm'})`, () => sharing.record());
sharing.add('export-embed', 'Frame for a web page (copies <iframe>)', () => sharing.embed());
page.sharing = sharing;
