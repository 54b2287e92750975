// Models run where they stand: the studio, one file beside these pages, in a frame below the text or the row of a table that names one.
// The frame may run its own script and no more (`sandbox`), and asks nothing of a network.
"use strict";
(() => {
  const up = document.currentScript.dataset.up;
  const root = document.documentElement;
  const dark = () => (root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
  const make = (tag, more = {}) => Object.assign(document.createElement(tag), more);

  // A model in a link, as the studio reads it: name and text, packed, in letters that links take.
  const link = async (name, text) => {
    const stream = new Blob([JSON.stringify([name, text])]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    const packed = new Uint8Array(await new Response(stream).arrayBuffer());
    return `model=${btoa(Array.from(packed, (b) => String.fromCharCode(b)).join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
  };

  const frames = new Set();
  const place = (frame) => (frame.src = `${up}studio.html#embed&${dark() ? "dark" : "light"}&${frame.dataset.what}`);
  new MutationObserver(() => frames.forEach(place)).observe(root, { attributes: true, attributeFilter: ["data-theme"] });

  // A button that opens and closes a frame; `what` is asked when it is opened, `put` sets it into the page.
  const button = (title, what, put) => {
    const words = { false: "▶ Run it here", true: "✕ Close" };
    const own = make("button", { type: "button", className: "run", textContent: words[false], ariaExpanded: "false" });
    const studio = make("a", { textContent: "open in the studio ↗", target: "_blank", rel: "noopener", hidden: true });
    let shown = null;
    own.onclick = async () => {
      if (shown) {
        frames.delete(shown.frame);
        shown.box.remove();
        shown = null;
      } else {
        const asked = await what();
        const frame = make("iframe", { className: "live", title: `${title}: the mechanism`, sandbox: "allow-scripts allow-downloads allow-modals" });
        frame.dataset.what = asked;
        place(frame);
        frames.add(frame);
        studio.href = `${up}studio.html#${asked}`;
        shown = { frame, box: put(frame) };
      }
      studio.hidden = !shown;
      own.textContent = words[!!shown];
      own.ariaExpanded = String(!!shown);
    };
    own.setAttribute("aria-label", `Run ${title} here`);
    return [own, studio];
  };

  document.addEventListener("DOMContentLoaded", () => {
    if (!window.CompressionStream || !window.WebAssembly) return;
    for (const text of document.querySelectorAll("pre[data-live]")) {
      const name = text.dataset.live;
      const bar = make("div", { className: "bar" });
      bar.append(...button(name, () => link(name, text.textContent), (frame) => (bar.after(frame), frame)));
      text.after(bar);
    }
    // Shipped models that a table lists are in the studio.
    for (const way of document.querySelectorAll('td a[href$=".toml"]')) {
      const name = (way.getAttribute("href").match(/(?:^|\/)models\/([\w-]+)\.toml$/) || [])[1];
      if (!name) continue;
      const cell = way.closest("td");
      const row = way.closest("tr");
      const bar = make("div", { className: "bar" });
      const put = (frame) => {
        const own = make("tr", { className: "live" });
        const wide = make("td", { colSpan: row.cells.length });
        wide.append(frame);
        own.append(wide);
        row.after(own);
        return own;
      };
      bar.append(...button(name, async () => `shipped=${name}`, put));
      cell.append(bar);
    }
  });
})();
