// Fields for the answer to an exercise: says whether a number is right, or not yet; nothing is kept or sent.
(() => {
  "use strict";

  // A number as readers write it: 0.25, .25, 0,25, 1/4, 25 %, 2.5e-1, with any minus.
  function read(text) {
    const plain = text.trim().replace(/[−–]/g, "-").replace(",", ".");
    const [, top, bottom, percent] = plain.match(/^(-?[\d.]+(?:e-?\d+)?)(?:\s*\/\s*([\d.]+))?\s*(%?)$/i) || [];
    return top === undefined ? NaN : Number(top) / Number(bottom ?? 1) / (percent ? 100 : 1);
  }

  function watch(form) {
    const say = (state, words) => {
      form.dataset.said = state;
      form.querySelector(".mtl-said").textContent = words;
    };
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const given = read(form.querySelector("input").value);
      if (Number.isNaN(given)) say("unread", "A number, please, such as 0.25 or 1/4.");
      else if (Math.abs(given - form.dataset.number) <= form.dataset.within) say("right", "✓ Right.");
      else say("not-yet", "✗ Not yet.");
    });
  }

  document.querySelectorAll(".mtl-answer-box").forEach(watch);
})();
