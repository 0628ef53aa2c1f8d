// What a link leads to, shown while the reader points at it or has moved to it by keyboard: an equation, a theorem, a figure,
// a claim, a term. Escape closes it. What lies on another page comes in a script that is loaded at the first look.
(() => {
  "use strict";

  const LINKS = ".bd-article a[href*='#']:not(.headerlink)";
  const SHOWN = "div.math, div.proof, div.exercise, div.mtl-claim, figure, dt[id^='term-']";
  const WAIT = 200; // ms: a pointer on its way somewhere else opens nothing, and may cross from the link to its preview
  const base = new URL(document.documentElement.dataset.content_root, location.href);
  const here = pageOf(location);
  const known = new Map();
  let box = null;
  let owner = null;
  let timer = 0;

  function pageOf({ href }) {
    return href.split(/[?#]/)[0].slice(base.href.length).replace(/\.html$/, "");
  }

  // The scripts in _static/previews call this: a page has the HTML of each target, or null where that is a script of its own.
  window.mtlPreviews = (name, content) => known.set(name, content);

  function load(name) {
    if (known.has(name)) return Promise.resolve(known.get(name));
    return new Promise((done) => {
      const script = document.createElement("script");
      script.src = new URL(`_static/previews/${name.replaceAll("/", "--")}.js`, base);
      script.addEventListener("load", () => done(known.get(name) || {}));
      script.addEventListener("error", () => done({}));
      document.head.append(script);
    });
  }

  function onThisPage(identity) {
    const target = document.getElementById(identity);
    if (!target || !target.matches(SHOWN)) return "";
    return target.outerHTML + (target.localName === "dt" ? target.nextElementSibling.outerHTML : "");
  }

  async function contentOf(link) {
    const address = new URL(link.href, location.href);
    const identity = decodeURIComponent(address.hash.slice(1));
    if (!address.href.startsWith(base.href) || !identity) return "";
    const page = pageOf(address);
    if (page === here) return onThisPage(identity);
    const html = (await load(page))[identity];
    return html === null ? load(`${page}/${identity}`) : html || "";
  }

  // Nothing in a preview can be clicked or focused, so nothing in it may look as if it could.
  function fill(html) {
    box.innerHTML = html;
    box.querySelectorAll("details, .headerlink, .mtl-frames-control, [hidden], script").forEach((part) => part.remove());
    box.querySelectorAll("a, button").forEach((link) => link.replaceWith(...link.childNodes));
    box.querySelectorAll("[tabindex]").forEach((part) => part.removeAttribute("tabindex"));
    box.querySelectorAll("[id]:not(svg *)").forEach((part) => part.removeAttribute("id"));
    if (box.querySelector(".katex") && !document.querySelector("link[href*='katex']")) {
      const style = document.createElement("link");
      style.rel = "stylesheet";
      style.href = new URL("_static/vendor/katex/katex.min.css", base);
      document.head.append(style);
    }
  }

  // Below the link, or above it where there is more room.
  function place(link) {
    const line = link.getClientRects()[0];
    const left = Math.min(line.left, document.documentElement.clientWidth - box.offsetWidth - 8);
    const below = window.innerHeight - line.bottom > Math.min(box.offsetHeight, line.top);
    box.style.left = `${Math.max(8, left) + window.scrollX}px`;
    box.style.top = `${(below ? line.bottom + 4 : line.top - box.offsetHeight - 4) + window.scrollY}px`;
  }

  async function open(link) {
    const html = await contentOf(link);
    if (!html || owner !== link) return;
    fill(html);
    box.hidden = false;
    place(link);
    link.setAttribute("aria-describedby", box.id);
  }

  function close() {
    clearTimeout(timer);
    if (owner) owner.removeAttribute("aria-describedby");
    owner = null;
    box.hidden = true;
  }

  function turnTo(link, wait) {
    clearTimeout(timer);
    if (link === owner) return;
    timer = setTimeout(() => {
      close();
      owner = link;
      open(link);
    }, wait);
  }

  const linkAt = (target) => (target.closest ? target.closest(LINKS) : null);

  function listen() {
    document.addEventListener("mouseover", ({ target }) => {
      if (linkAt(target)) turnTo(linkAt(target), WAIT);
      else if (box.contains(target)) clearTimeout(timer);
    });
    document.addEventListener("mouseout", ({ target }) => {
      if (!linkAt(target) && !box.contains(target)) return;
      clearTimeout(timer);
      // The pointer does not take away what the keyboard has opened.
      if (owner !== document.activeElement) timer = setTimeout(close, WAIT);
    });
    document.addEventListener("focusin", ({ target }) => {
      if (linkAt(target) && target.matches(":focus-visible")) turnTo(linkAt(target), 0);
    });
    document.addEventListener("focusout", ({ target }) => { if (target === owner) close(); });
    document.addEventListener("keydown", ({ key }) => { if (key === "Escape") close(); });
  }

  document.addEventListener("DOMContentLoaded", () => {
    box = document.createElement("div");
    Object.assign(box, { id: "mtl-preview", className: "mtl-preview", hidden: true });
    box.setAttribute("role", "tooltip");
    document.body.append(box);
    listen();
  });
})();
