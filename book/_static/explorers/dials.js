// Dials of explorers: a slider with a field for the number, or a choice among names; what stands in an address means.
(() => {
  "use strict";
  const mtl = (window.mtl = window.mtl || {});
  const STEPS = 400; // positions of a slider; whole numbers have one each

  // An element with attributes and children.
  function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
    made.append(...children);
    return made;
  }

  // Text in which {s_A} is a symbol with an index: as nodes, and as plain text.
  function words(text) {
    return text.split(/(\{[^}]*\})/).filter(Boolean).map((part) => {
      if (!part.startsWith("{")) return part;
      const [letter, index] = part.slice(1, -1).split("_");
      return index ? element("span", { class: "mtl-symbol" }, element("i", {}, letter), element("sub", {}, index)) : element("i", {}, letter);
    });
  }
  const plain = (text) => text.replace(/[{}]/g, "");

  // Value of a dial at a part of its way, from 0 to 1, and back.
  const valueAt = ({ low, high, log }, part) => (log ? low * (high / low) ** part : low + (high - low) * part);
  const partOf = ({ low, high, log }, value) => log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  const tidy = (dial, value) => (dial.whole ? Math.round(value) : Number(value.toPrecision(3)));

  // What a text in an address or a field means for a dial; where that is nothing, the value so far.
  function parsed(dial, text, before) {
    if (dial.options) return dial.options.some(([value]) => value === text) ? text : before;
    const number = Number(text);
    if (text === null || text.trim() === "" || !Number.isFinite(number)) return before;
    const inside = Math.min(dial.high, Math.max(dial.low, number));
    return dial.whole ? Math.round(inside) : inside;
  }

  const starts = (dials) => Object.fromEntries(dials.map(({ id, start }) => [id, start]));

  // The setting that an address asks for, and the address of a setting: what differs from the start.
  function fromAddress(dials, address) {
    const query = new URLSearchParams(address);
    return Object.fromEntries(dials.map((dial) => [dial.id, parsed(dial, query.get(dial.id), dial.start)]));
  }
  function toAddress(dials, setting) {
    const moved = dials.filter(({ id, start }) => setting[id] !== start);
    return new URLSearchParams(moved.map(({ id }) => [id, setting[id]])).toString();
  }

  // The elements of a dial, and `set`, which shows a value; `changed` is told of a new one.
  function make(dial, changed) {
    const id = `mtl-dial-${dial.id}`;
    const label = element("label", { for: id }, ...words(dial.label));
    const { parts, set } = dial.options ? choice(dial, id, changed) : slider(dial, id, changed);
    return { box: element("div", { class: "mtl-dial" }, label, ...parts), set };
  }

  function choice(dial, id, changed) {
    const options = dial.options.map(([value, text]) => element("option", { value }, text));
    const select = element("select", { id }, ...options);
    select.addEventListener("change", () => changed(select.value));
    return { parts: [select], set: (value) => { select.value = value; } };
  }

  // An arrow key moves a whole number by one, also where a logarithmic slider has many positions for it.
  function oneByOne(event, move) {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    move(step);
  }

  function slider(dial, id, changed) {
    const steps = dial.whole ? dial.high - dial.low : STEPS;
    let current = dial.start;
    const range = element("input", { type: "range", id, min: 0, max: steps });
    const named = { "aria-label": `${plain(dial.label)}, as a number` };
    const field = element("input", { type: "number", min: dial.low, max: dial.high, step: dial.whole ? 1 : "any", ...named });
    range.addEventListener("input", () => changed(tidy(dial, valueAt(dial, Number(range.value) / steps))));
    if (dial.whole) range.addEventListener("keydown", (event) => oneByOne(event, (step) => changed(parsed(dial, String(current + step), current))));
    field.addEventListener("change", () => changed(parsed(dial, field.value, current)));
    const set = (value) => {
      current = value;
      // Not while it is dragged: a rounded value would pull the handle back.
      if (tidy(dial, valueAt(dial, Number(range.value) / steps)) !== value) range.value = Math.round(partOf(dial, value) * steps);
      range.setAttribute("aria-valuetext", value);
      field.value = value;
    };
    return { parts: [range, field], set };
  }

  Object.assign(mtl, { element, words, plain });
  mtl.dials = { make, parsed, starts, fromAddress, toAddress, valueAt, partOf };
})();
