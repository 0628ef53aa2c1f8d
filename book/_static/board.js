// Filters of scoreboard and errata: they hide entries, count what is left, and stand in the address. Without this script all
// entries are shown. A part of the book is folded until it is opened, asked for by a filter, or led to by a link.
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

  // A drop-down for each question, with the values that occur; a field for words.
  function controls(filters, entries) {
    const fields = Object.entries(filters).map(([key, values]) => {
      const present = Object.entries(values).filter(([value]) => entries.some((entry) => entry.dataset[key] === value));
      const options = [["", "all"], ...present].map(([value, text]) => element("option", { value }, text));
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

  // An entry that a link leads to is shown, whatever the filters say.
  function showTarget(form, show) {
    const target = window.location.hash && document.getElementById(decodeURIComponent(window.location.hash.slice(1)));
    const part = target && target.closest("details.mtl-part");
    if (!target || !(target.hidden || (part && !part.open))) return;
    if (target.hidden) {
      form.reset();
      show();
    }
    if (part) part.open = true;
    target.scrollIntoView();
  }

  function mount(board) {
    // A table remains one for a screen reader where a narrow page shows its cells below each other.
    Object.entries(ROLES).forEach(([name, role]) => all(name, board).forEach((part) => part.setAttribute("role", role)));
    const entries = all("[data-verdict]", board);
    const texts = new Map(entries.map((entry) => [entry, entry.textContent.toLowerCase()]));
    const form = controls(JSON.parse(board.dataset.filters), entries);
    const parts = all(".mtl-part", board);
    const count = element("p", { class: "mtl-shown", role: "status" });
    board.querySelector(".mtl-asked").append(form, count);

    function show() {
      const asked = Object.fromEntries(new FormData(form));
      entries.forEach((entry) => { entry.hidden = !matches(entry, texts.get(entry), asked); });
      const shown = entries.filter((entry) => !entry.hidden);
      all("[data-count]", board).forEach((number) => {
        number.textContent = shown.filter(({ dataset }) => dataset.verdict === number.dataset.count).length;
      });
      const filtered = shown.length < entries.length;
      all("section, .mtl-part", board).forEach((group) => {
        const mine = shown.filter((entry) => group.contains(entry));
        group.hidden = !mine.length;
        if (group.localName !== "details") return;
        group.querySelector("[data-part-count]").textContent = mine.length;
        if (filtered) group.open = true;
      });
      count.textContent = filtered ? `${shown.length} of ${entries.length} shown` : `All ${entries.length} listed`;
      return asked;
    }

    const query = new URLSearchParams(window.location.search);
    all("select, input", form).forEach((field) => { field.value = query.get(field.name) || ""; });
    all("select", form).forEach((field) => { if (field.selectedIndex < 0) field.value = ""; });
    // Of drop-downs some browsers tell only the change.
    ["input", "change"].forEach((event) => form.addEventListener(event, () => remember(show())));
    form.addEventListener("reset", () => setTimeout(() => remember(show()), 0));
    form.querySelector("[type=reset]").addEventListener("click", () => parts.forEach((part) => { part.open = true; }));
    form.addEventListener("submit", (event) => event.preventDefault());
    window.addEventListener("hashchange", () => showTarget(form, show));
    show();
    showTarget(form, show);
  }

  document.addEventListener("DOMContentLoaded", () => document.querySelectorAll(".mtl-board").forEach(mount));
})();
