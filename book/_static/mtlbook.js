// What the theme leaves open.
(() => {
  "use strict";

  // A box that scrolls must be reachable by keyboard, and show that it scrolls, and where to.
  const BOXES = ".mtl-equation, .math.mtl-wide";

  function mark(box, hidden, scrolled) {
    const [left, right] = [scrolled > 1, scrolled < hidden - 1];
    if (hidden > 1) box.dataset.more = left && right ? "both" : left ? "left" : "right";
    else delete box.dataset.more;
    if (hidden > 1) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }

  const measure = (box) => [box, box.scrollWidth - box.clientWidth, box.scrollLeft];

  // A formula in a line breaks behind its relations; one that is still wider than the line becomes a box.
  function fitBoxes() {
    const formulas = Array.from(document.querySelectorAll("main span.math"));
    formulas.forEach((formula) => formula.classList.remove("mtl-wide"));
    const wide = formulas.filter((formula) => {
      const line = formula.closest("p, li, td, th, dd, figcaption, h1, h2, h3, h4, div");
      return formula.getBoundingClientRect().width > line.clientWidth;
    });
    wide.forEach((formula) => formula.classList.add("mtl-wide"));
    // All are measured before the first is changed: the browser lays the page out once.
    Array.from(document.querySelectorAll(BOXES), measure).forEach((measured) => mark(...measured));
  }

  function watchBoxes() {
    document.addEventListener("scroll", ({ target }) => {
      if (target.matches && target.matches(BOXES)) mark(...measure(target));
    }, { capture: true, passive: true });
    new ResizeObserver(lookAgain).observe(document.querySelector("main") || document.body);
  }

  // The page grows when a solution unfolds: the theme looks for boxes that scroll only when the window changes its size.
  function lookAgain() {
    fitBoxes();
    window.dispatchEvent(new Event("resize"));
  }

  // Names and roles that the theme or the generator leaves out, or has from an older standard.
  function completeRoles() {
    document.querySelectorAll(".citation-list > .citation").forEach((entry) => entry.setAttribute("role", "listitem"));
    document.querySelectorAll(".bd-sidenav summary:not(.mtl-fold)").forEach((arrow) => {
      const link = arrow.closest("li").querySelector("a");
      arrow.setAttribute("aria-label", `Pages below ${link.textContent.trim()}`);
    });
  }

  // A fold is named by its words, "Show the code": the generator gives it another name, which a screen reader would say.
  function nameFolds() {
    document.querySelectorAll("details.hide > summary[aria-label]").forEach((fold) => fold.removeAttribute("aria-label"));
  }

  // The index of the search is as large as a chapter: it is loaded when the reader turns to the search.
  function awaitSearch() {
    if (!window.Search || window.Search.hasIndex()) return;
    const load = ({ target }) => {
      if (!target.matches("input[type=search]")) return;
      document.removeEventListener("focusin", load);
      const script = document.createElement("script");
      script.src = new URL("searchindex.js", new URL(document.documentElement.dataset.content_root, location.href));
      document.head.append(script);
    };
    document.addEventListener("focusin", load);
  }

  document.addEventListener("DOMContentLoaded", () => {
    awaitSearch();
    completeRoles();
    nameFolds();
    watchBoxes();
  });
})();
