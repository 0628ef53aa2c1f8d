// Filters of scoreboard and errata: they hide entries, count what is left, and stand in the address. A part of the book is folded
// until it is opened, asked for by a filter, or led to by a link. Until then its list is the text of a <noscript>, which is all
// that a browser without scripts wants, and spares the others some 40,000 elements.
(() => {
  "use strict";
  const NAMES = { verdict: "Verdict", paper: "Paper", status: "Rests on", role: "Shown as", chapter: "Chapter" };
  const ROLES = { table: "table", thead: "rowgroup", tbody: "rowgroup", tr: "row", th: "columnheader", td: "cell" };
  const all = (selector, root) => Array.from(root.querySelectorAll(selector));

  function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
    made.append(...children);
    return made;
  }

  // A drop-down for each question, with its values; a field for words.
  function controls(filters) {
    const fields = Object.entries(filters).map(([key, values]) => {
      const options = [["", "all"], ...Object.entries(values)].map(([value, text]) => element("option", { value }, text));
      return element("label", {}, NAMES[key], element("select", { name: key }, ...options));
    });
    const words = element("label", {}, "Words", element("input", { type: "text", name: "words", autocomplete: "off" }));
    const reset = element("button", { type: "reset" }, "Show all");
    return element("form", { class: "mtl-filters", "aria-label": "Filters" }, ...fields, words, reset);
  }

  function matches(entry, text, asked) {
    const words = asked.words.toLowerCase().split(/\s+/).filter(Boolean);
    return Object.keys(NAMES).every((key) => !asked[key] || entry.dataset[key] === asked[key])
      && words.every((word) => text.includes(word));
  }

  // A page from disk may not be allowed to change its address: the filters are then not kept.
  function remember(asked) {
    const text = new URLSearchParams(Object.entries(asked).filter(([, value]) => value)).toString();
    const { pathname, hash } = window.location;
    try {
      window.history.replaceState(null, "", `${pathname}${text && `?${text}`}${hash}`);
    } catch (error) {
      if (error.name !== "SecurityError") throw error;
    }
  }

  // A part of the book: its list is read when a filter asks, and stands in the page from when it is seen on.
  function partOf(details) {
    const source = details.querySelector("noscript");
    const list = element("template");
    const number = details.querySelector("[data-part-count]");
    const part = { details, number, size: Number(number.textContent), entries: null };
    part.has = (id) => source.textContent.includes(`id="${id}"`);
    part.read = () => {
      if (part.entries) return part.entries;
      list.innerHTML = source.textContent;
      // A table remains one for a screen reader where a narrow page shows its cells below each other.
      Object.entries(ROLES).forEach(([name, role]) => all(name, list.content).forEach((one) => one.setAttribute("role", role)));
      part.entries = all("[data-verdict]", list.content).map((entry) => ({ entry, text: entry.textContent.toLowerCase() }));
      return part.entries;
    };
    part.fill = () => {
      part.read();
      details.append(list.content);
    };
    // A click is told before the part opens; what else opens it, only afterwards.
    ["click", "toggle"].forEach((event) => details.addEventListener(event, part.fill));
    return part;
  }

  // Which entries of a part are shown, or null for all of them, where none is asked for.
  function narrowed(part, asked, filtered) {
    if (!filtered) {
      if (part.entries) part.entries.forEach(({ entry }) => { entry.hidden = false; });
      return null;
    }
    part.read().forEach(({ entry, text }) => { entry.hidden = !matches(entry, text, asked); });
    return part.entries.map(({ entry }) => entry).filter((entry) => !entry.hidden);
  }

  function mount(board) {
    const form = controls(JSON.parse(board.dataset.filters));
    const parts = all(".mtl-part", board).map(partOf);
    const totals = all("[data-count]", board).map((number) => ({ number, size: Number(number.textContent) }));
    const size = parts.reduce((sum, part) => sum + part.size, 0);
    const count = element("p", { class: "mtl-shown", role: "status" });
    board.querySelector(".mtl-asked").append(form, count);

    function show() {
      const asked = Object.fromEntries(new FormData(form));
      const filtered = Object.values(asked).some((value) => value.trim());
      const shown = parts.flatMap((part) => {
        const mine = narrowed(part, asked, filtered);
        part.number.textContent = mine ? mine.length : part.size;
        part.details.hidden = mine !== null && !mine.length;
        if (mine && mine.length) {
          part.fill();
          part.details.open = true;
        }
        return mine || [];
      });
      totals.forEach(({ number, size: whole }) => {
        number.textContent = filtered ? shown.filter(({ dataset }) => dataset.verdict === number.dataset.count).length : whole;
      });
      all("section", board).forEach((group) => { group.hidden = all(".mtl-part", group).every(({ hidden }) => hidden); });
      count.textContent = filtered ? `${shown.length} of ${size} shown` : `All ${size} listed`;
      return asked;
    }

    // An entry that a link leads to is shown, whatever the filters say.
    function showTarget() {
      const id = decodeURIComponent(window.location.hash.slice(1));
      const part = id && parts.find(({ has }) => has(id));
      if (!part) return;
      const seen = document.getElementById(id);
      if (seen && seen.checkVisibility()) return;
      part.fill();
      if (document.getElementById(id).hidden) {
        form.reset();
        show();
      }
      part.details.open = true;
      window.location.replace(window.location.href); // there is such a place now
    }

    const query = new URLSearchParams(window.location.search);
    all("select, input", form).forEach((field) => { field.value = query.get(field.name) || ""; });
    all("select", form).forEach((field) => { if (field.selectedIndex < 0) field.value = ""; });
    // Of drop-downs some browsers tell only the change.
    ["input", "change"].forEach((event) => form.addEventListener(event, () => remember(show())));
    form.addEventListener("reset", () => setTimeout(() => remember(show()), 0));
    form.querySelector("[type=reset]").addEventListener("click", () => parts.forEach(({ details, fill }) => {
      fill();
      details.open = true;
    }));
    form.addEventListener("submit", (event) => event.preventDefault());
    window.addEventListener("hashchange", showTarget);
    window.addEventListener("beforeprint", () => parts.forEach(({ fill }) => fill()));
    show();
    showTarget();
  }

  document.addEventListener("DOMContentLoaded", () => document.querySelectorAll(".mtl-board").forEach(mount));
})();
