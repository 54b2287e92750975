// Light and dark, and the search; pages read without it.
"use strict";
(() => {
  const up = document.currentScript.dataset.up;
  const root = document.documentElement;
  const kept = (value) => {
    try {
      if (value) localStorage.setItem("theme", value);
      return localStorage.getItem("theme");
    } catch {
      return null;
    }
  };
  if (kept()) root.dataset.theme = kept();

  // Sections that hold every word, those first whose headings do.
  const search = (words) => {
    const found = [];
    for (const [place, chapter, heading, text] of window.sections || []) {
      const head = `${chapter} ${heading}`.toLowerCase();
      const body = text.toLowerCase();
      let worth = 0;
      for (const word of words) {
        if (head.includes(word)) worth += heading.toLowerCase().includes(word) ? 12 : 6;
        else if (body.includes(word)) worth += 1;
        else {
          worth = -1;
          break;
        }
      }
      if (worth > 0) found.push({ worth, place, chapter, heading, text });
    }
    return found.sort((a, b) => b.worth - a.worth).slice(0, 30);
  };

  const excerpt = (text, word) => {
    const at = text.toLowerCase().indexOf(word);
    const from = Math.max(0, at - 40);
    const line = document.createElement("small");
    if (at < 0) line.textContent = text.slice(0, 120);
    else {
      const mark = document.createElement("mark");
      mark.textContent = text.slice(at, at + word.length);
      line.append((from ? "…" : "") + text.slice(from, at), mark, text.slice(at + word.length, at + 100));
    }
    return line;
  };

  document.addEventListener("DOMContentLoaded", () => {
    document.getElementById("theme").onclick = () => {
      const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
      kept(root.dataset.theme);
    };
    document.querySelector("nav .here")?.scrollIntoView({ block: "center" });
    document.querySelector("nav").addEventListener("click", () => (document.getElementById("menu").checked = false));

    const field = document.getElementById("search");
    const list = document.getElementById("found");
    const show = () => {
      const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      list.replaceChildren();
      list.hidden = !words.length;
      const hits = words.length ? search(words) : [];
      for (const hit of hits) {
        const link = document.createElement("a");
        link.href = up + hit.place;
        const name = document.createElement("b");
        name.textContent = hit.heading === hit.chapter ? hit.chapter : `${hit.chapter} › ${hit.heading}`;
        link.append(name, excerpt(hit.text, words[0]));
        list.append(link);
      }
      if (!list.hidden && !hits.length) {
        const none = document.createElement("p");
        none.textContent = window.sections ? "Nothing found." : "…";
        list.append(none);
      }
      list.querySelector("a")?.classList.add("chosen");
    };
    const load = () => {
      if (window.sections || load.asked) return;
      load.asked = true;
      const script = document.createElement("script");
      script.src = up + "search.js";
      script.onload = show;
      document.head.append(script);
    };
    field.addEventListener("focus", load);
    field.addEventListener("input", () => {
      load();
      show();
    });
    field.addEventListener("keydown", (event) => {
      const links = [...list.querySelectorAll("a")];
      const now = links.findIndex((l) => l.classList.contains("chosen"));
      if (event.key === "Enter" && links[now]) links[now].click();
      if (event.key === "Escape") {
        field.value = "";
        show();
        field.blur();
      }
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step && links.length) {
        event.preventDefault();
        links[now]?.classList.remove("chosen");
        const next = links[(now + step + links.length) % links.length];
        next.classList.add("chosen");
        next.scrollIntoView({ block: "nearest" });
      }
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "/" && !/INPUT|TEXTAREA/.test(document.activeElement.tagName)) {
        event.preventDefault();
        field.focus();
      }
    });
    document.addEventListener("click", (event) => {
      if (!list.contains(event.target) && event.target !== field) list.hidden = true;
      else if (list.contains(event.target)) list.hidden = true;
    });
  });
})();
