// What the theme leaves open.
(() => {
  "use strict";

  // A box that scrolls must be reachable by keyboard, and show that it scrolls, and where to.
  const BOXES = ".mtl-equation, .bd-article .output, .pst-scrollable-table-container";
  const LEAST = 0.8; // of its size: smaller than that a formula is not set; it scrolls

  function mark(box, hidden, scrolled) {
    const [left, right] = [scrolled > 1, scrolled < hidden - 1];
    if (hidden > 1) box.dataset.more = left && right ? "both" : left ? "left" : "right";
    else delete box.dataset.more;
    if (hidden > 1) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }

  const measure = (box) => [box, box.scrollWidth - box.clientWidth, box.scrollLeft];

  function fitBoxes() {
    shrink(Array.from(document.querySelectorAll(".mtl-equation")));
    // All are measured before the first is changed: the browser lays the page out once.
    Array.from(document.querySelectorAll(BOXES), measure).forEach((measured) => mark(...measured));
  }

  // A formula that is a little too wide for a phone, after it was broken, is set a little smaller.
  function shrink(boxes) {
    boxes.forEach((box) => box.style.removeProperty("font-size"));
    const ratios = boxes.map((box) => [box, (0.99 * box.clientWidth) / box.scrollWidth]);
    ratios.filter(([box, ratio]) => box.scrollWidth > box.clientWidth + 1 && ratio >= LEAST)
      .forEach(([box, ratio]) => { box.style.fontSize = `${ratio}em`; });
  }

  // A formula that is copied is its TeX: what is drawn would come twice, as MathML and as letters without their places.
  function copyTeX(event) {
    const selection = document.getSelection();
    if (selection.isCollapsed || !selection.rangeCount) return;
    const range = selection.getRangeAt(0).cloneRange();
    const formula = (node) => (node.closest ? node : node.parentElement).closest("[data-copy]");
    if (formula(range.startContainer)) range.setStartBefore(formula(range.startContainer));
    if (formula(range.endContainer)) range.setEndAfter(formula(range.endContainer));
    const copy = document.createElement("div");
    copy.append(range.cloneContents());
    const found = copy.querySelectorAll("[data-copy]");
    if (!found.length) return;
    found.forEach((each) => each.replaceWith(each.matches("div") ? `\n${each.dataset.copy}\n` : each.dataset.copy));
    // Words of a selection stand where the page has them only if it is laid out.
    copy.style.cssText = "position: absolute; opacity: 0; white-space: pre-line";
    document.body.append(copy);
    event.clipboardData.setData("text/plain", copy.innerText);
    event.clipboardData.setData("text/html", copy.innerHTML);
    copy.remove();
    event.preventDefault();
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
    document.addEventListener("copy", copyTeX);
  });
})();
