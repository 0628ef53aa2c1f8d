// The frame of an explorer: dials, the answer in words, numbers, pictures, and the setting in the address. What is asked and
// drawn comes from a view, one for each explorer (CONTRIBUTING says how); a page holds <div class="mtl-explorer" data-view>.
(() => {
  "use strict";
  const mtl = (window.mtl = window.mtl || {});
  const { element, words } = mtl;
  const REST = 60; // ms without a change before the slow part of the answer is computed
  const SLICE = 12; // ms of computing before the page may react

  // Runs a generator in slices, so that the page goes on reacting; a later run ends it.
  function runner() {
    let current = 0;
    return (begin, done) => {
      const mine = (current += 1);
      let steps = null;
      const slice = () => {
        if (mine !== current) return;
        steps = steps || begin();
        const end = performance.now() + SLICE;
        let step = steps.next();
        while (!step.done && performance.now() < end) step = steps.next();
        if (step.done) done(step.value);
        else setTimeout(slice, 0);
      };
      setTimeout(slice, REST);
    };
  }

  // Buttons that set several dials at once.
  function examples(view, state, change) {
    const buttons = view.examples.map(([text, values]) => {
      const button = element("button", { type: "button" }, ...words(text));
      const chosen = () => (typeof values === "function" ? values(state) : { ...mtl.dials.starts(view.dials), ...values });
      button.addEventListener("click", () => change(chosen()));
      return button;
    });
    return element("p", { class: "mtl-examples" }, "Try ", ...buttons);
  }

  // The elements of an explorer, put into its place; a small one has some of the dials and pictures, and keeps its link.
  function build(root, view, state, change) {
    const small = "small" in root.dataset ? view.small : null;
    const dials = view.dials.filter(({ id }) => !small || small.dials.includes(id));
    const made = Object.fromEntries(dials.map((dial) => [dial.id, mtl.dials.make(dial, (value) => change({ [dial.id]: value }))]));
    const form = element("form", { class: "mtl-dials", "aria-label": "Settings" }, ...dials.map(({ id }) => made[id].box));
    form.addEventListener("submit", (event) => event.preventDefault());
    const answer = element("p", { class: "mtl-answer", role: "status" });
    const numbers = element("div", { class: "mtl-numbers" });
    const plots = element("div", { class: "mtl-plots" });
    const link = root.querySelector("a");
    root.replaceChildren(...(small
      ? [answer, form, plots, element("p", { class: "mtl-more" }, link)]
      : [element("div", { class: "mtl-side" }, answer, form, examples(view, state, change)), element("div", { class: "mtl-main" }, plots, numbers)]));
    const wanted = view.plots.filter(({ id }) => !small || small.plots.includes(id));
    return { dials: made, answer, numbers, link, plots: wanted.map((plot) => ({ ...plot, drawing: plot.make(plots, change) })) };
  }

  function say(answer, { tone, text }) {
    answer.dataset.tone = tone;
    if (answer.textContent !== text) answer.textContent = text;
  }

  // A page from disk may not be allowed to change its address: the setting is then not kept.
  function remember(search) {
    const { pathname, hash } = window.location;
    try {
      window.history.replaceState(null, "", `${pathname}${search && `?${search}`}${hash}`);
    } catch (error) {
      if (error.name !== "SecurityError") throw error;
    }
  }

  function mount(root) {
    const view = mtl.views[root.dataset.view];
    const small = "small" in root.dataset;
    const state = small ? mtl.dials.starts(view.dials) : mtl.dials.fromAddress(view.dials, window.location.search);
    const runLater = runner();
    const parts = build(root, view, state, (values) => {
      Object.assign(state, values);
      show();
      if (!small) remember(mtl.dials.toAddress(view.dials, state));
    });
    const draw = (answer) => {
      parts.plots.forEach(({ drawing, data }) => drawing.set(data(answer, state)));
      parts.numbers.replaceChildren(...view.numbers(answer, state));
    };
    function show() {
      Object.entries(parts.dials).forEach(([id, dial]) => dial.set(state[id]));
      const answer = view.answer(state);
      say(parts.answer, view.sentence(answer, state));
      draw(answer);
      if (small) parts.link.search = mtl.dials.toAddress(view.dials, state);
      root.dataset.ready = "no";
      runLater(() => (small ? [].values() : view.later(state)), (later) => {
        if (later) draw({ ...answer, ...later });
        root.dataset.ready = "yes";
      });
    }
    show();
  }

  mtl.views = mtl.views || {};
  document.addEventListener("DOMContentLoaded", () => document.querySelectorAll(".mtl-explorer").forEach(mount));
})();
