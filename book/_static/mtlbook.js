// What the theme and the widget manager leave open. Runs before the deferred scripts (MathJax, html-manager).
(() => {
  "use strict";

  // html-manager loads the fonts of its icons from here, not from the folder of the page.
  window.__jupyter_widgets_assets_path__ = new URL("vendor/html-manager/", document.currentScript.src).href;

  // html-manager speaks to MathJax 2; this answers with MathJax 3, one request after the other.
  function answerMathJax2() {
    const MathJax = window.MathJax;
    if (!MathJax || !MathJax.startup || MathJax.Hub) return;
    let queue = MathJax.startup.promise;
    const typeset = (element) => {
      if (/\$|\\\(|\\\[/.test(element.textContent)) queue = queue.then(() => MathJax.typesetPromise([element]));
    };
    MathJax.Hub = { Queue: (...requests) => requests.forEach(([, , element]) => typeset(element)) };
  }

  // A screen reader says the label of a slider and the value that a sighted reader sees beside it.
  function describeSliders(area) {
    area.querySelectorAll(".widget-slider").forEach((slider) => {
      const text = (selector) => (slider.querySelector(selector) || { textContent: "" }).textContent.trim();
      const label = text(".widget-label") || "Setting of the figure below";
      const readout = slider.querySelector(".widget-readout");
      slider.querySelectorAll("[role=slider]").forEach((handle) => {
        handle.setAttribute("aria-label", label);
        if (readout) handle.setAttribute("aria-valuetext", readout.textContent.trim());
      });
      if (readout && readout.isContentEditable) {
        readout.setAttribute("role", "textbox");
        readout.setAttribute("aria-label", `${label}, as a number`);
      }
    });
  }

  function watchWidgets() {
    document.querySelectorAll('script[type="application/vnd.jupyter.widget-view+json"]').forEach((view) => {
      const area = view.parentElement;
      const options = { childList: true, subtree: true, characterData: true };
      new MutationObserver(() => describeSliders(area)).observe(area, options);
    });
  }

  // A box that scrolls must be reachable by keyboard; an inline formula wider than its line becomes such a box.
  function fitBoxes() {
    document.querySelectorAll("mjx-container:not([display=true])").forEach((formula) => {
      formula.classList.remove("mtl-wide");
      const line = formula.closest("p, li, td, th, dd, figcaption, h1, h2, h3, h4, div");
      if (formula.getBoundingClientRect().width > line.clientWidth) formula.classList.add("mtl-wide");
    });
    // Tables, code and output have this from the theme.
    document.querySelectorAll("mjx-container").forEach((box) => {
      if (box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).overflowX !== "visible") box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    });
  }

  // The page grows when a solution unfolds: the theme looks for boxes that scroll only when the window changes its size.
  function lookAgain() {
    fitBoxes();
    window.dispatchEvent(new Event("resize"));
  }

  // Names and roles that the theme or the generator leaves out, or has from an older standard.
  function completeRoles() {
    document.querySelectorAll(".citation-list > .citation").forEach((entry) => entry.setAttribute("role", "listitem"));
    document.querySelectorAll(".bd-sidenav summary").forEach((arrow) => {
      const link = arrow.closest("li").querySelector("a");
      arrow.setAttribute("aria-label", `Pages below ${link.textContent.trim()}`);
    });
  }

  // A fold is named by its words, "Show the code": the generator gives it another name, which a screen reader would say.
  function nameFolds() {
    document.querySelectorAll("details.hide > summary[aria-label]").forEach((fold) => fold.removeAttribute("aria-label"));
  }

  document.addEventListener("DOMContentLoaded", () => {
    completeRoles();
    nameFolds();
    answerMathJax2();
    watchWidgets();
    const ready = (window.MathJax && window.MathJax.startup && window.MathJax.startup.promise) || Promise.resolve();
    ready.then(() => new ResizeObserver(lookAgain).observe(document.querySelector("main") || document.body));
  });
})();
