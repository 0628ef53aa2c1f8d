// Questions that the tests ask a page. Each function answers with plain data.
window.probe = (() => {
  const BLACK = { r: 0, g: 0, b: 0, a: 1 };
  const APART = "\n"; // begins, in a look, the name of what is placed apart from its parents
  const SOON = 1000; // milliseconds that a script may put off what follows from a change of size
  const WHITE = { r: 255, g: 255, b: 255, a: 1 };
  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
  const article = () => document.querySelector(".bd-article") || document.body;
  const visible = (element) => element.checkVisibility({ visibilityProperty: true });
  const describe = (element) => element.cloneNode(false).outerHTML.replace(' data-judged=""', "").slice(0, 160);
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));

  async function until(what, condition, seconds = 20) {
    const end = performance.now() + 1000 * seconds;
    while (!condition()) {
      if (performance.now() > end) throw new Error(`timed out: ${what}`);
      await frame();
    }
  }

  // Scripts and fonts are ready.
  async function loaded() {
    await until("page loaded", () => document.readyState === "complete");
    await document.fonts.ready;
    await frame();
  }

  // Folded parts are open, and the fonts in them are ready.
  async function unfolded() {
    all("details").forEach((element) => { element.open = true; });
    const folded = all("button.toggle-button-hidden");
    if (folded.length) hurry();
    folded.forEach((button) => button.click());
    await frame();
    await document.fonts.ready;
    finishAnimations(); // what unfolds does so over 0.3 s
    await frame();
    if (folded.length) await resized();
  }

  // Parts of the height of a page that are code, figures and claims.
  function finishAnimations() {
    document.getAnimations().forEach((animation) => animation.finish());
  }

  // The theme waits 0.3 s after a change of size before it looks for boxes that scroll. Who asks to hurry before the change
  // need not wait: whatever scripts put off from then on, they do in the next frames.
  const later = window.setTimeout.bind(window);
  const hurry = () => { window.setTimeout = (task, delay, ...rest) => later(task, delay > SOON ? delay : 0, ...rest); };

  // The page has the size that it was given, and all that follows from that is done.
  async function resized(width = window.innerWidth) {
    await until("the window has its size", () => window.innerWidth === width);
    for (let count = 0; count < 4; count += 1) await frame();
    window.setTimeout = later;
    finishAnimations(); // the sidebar slides to its place, and the article with it
    await frame();
  }

  async function theme(name) {
    document.documentElement.dataset.theme = name;
    await frame();
    finishAnimations(); // colours fade over; compare the end state
  }

  // Computed colours read rgb(0-255), rgba(0-255, alpha) or, where they were mixed, color(srgb 0-1 / alpha).
  function parseColour(text) {
    const numbers = (text.match(/-?\d*\.?\d+(?:e-?\d+)?/g) || []).map(Number);
    if (numbers.length < 3) return null;
    const scale = text.startsWith("color(") ? 255 : 1;
    const [r, g, b, a = 1] = numbers;
    return { r: r * scale, g: g * scale, b: b * scale, a };
  }

  function over(front, back) {
    const mix = (channel) => front[channel] * front.a + back[channel] * (1 - front.a);
    return { r: mix("r"), g: mix("g"), b: mix("b"), a: 1 };
  }

  function luminance({ r, g, b }) {
    const [x, y, z] = [r, g, b].map((v) => (v <= 10.31475 ? v / 3294.6 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  }

  function background(element) {
    const layers = [];
    for (let node = element; node; node = node.parentElement) {
      const colour = parseColour(getComputedStyle(node).backgroundColor);
      if (colour && colour.a > 0) layers.push(colour);
      if (colour && colour.a === 1) break;
    }
    return layers.reduceRight((back, front) => over(front, back), WHITE);
  }

  function contrast(colour, back) {
    const [dark, light] = [luminance(over(colour, back)), luminance(back)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  }

  // Words in a drawing: text elements, or the outlines of letters (drawn upwards, so in a group that is flipped, in units
  // of a hundredth of the font size).
  function words(svg) {
    const outlines = all("g[transform*='scale(']", svg)
      .filter((group) => group.querySelector(":scope > use") && group.getCTM().d < 0)
      .map((group) => ({ element: group, ink: group.querySelector(":scope > use"), size: 100 }));
    const texts = all("text", svg).map((t) => ({ element: t, ink: t, size: parseFloat(getComputedStyle(t).fontSize) }));
    return [...outlines, ...texts];
  }

  // Every text of every drawn figure: its colour and contrast, and the height of its font on the screen in pixels.
  function figureTexts() {
    return all(".mtl-figure svg").filter(visible).flatMap((svg) => words(svg).map(({ element, ink, size }) => {
      const style = getComputedStyle(ink);
      const fill = parseColour(style.fill) || BLACK;
      const matrix = element.getScreenCTM();
      return {
        figure: svg.getAttribute("aria-label") || describe(svg),
        colour: style.fill,
        contrast: contrast({ ...fill, a: fill.a * style.fillOpacity * style.opacity }, background(svg)),
        height: size * Math.hypot(matrix.c, matrix.d),
      };
    }));
  }

  // Formulas as the generator marked them (class math) and as KaTeX set them; TeX that still stands in the text.
  function formulas() {
    const walker = document.createTreeWalker(article(), NodeFilter.SHOW_TEXT);
    const raw = [];
    while (walker.nextNode()) {
      const text = walker.currentNode.textContent;
      const skip = walker.currentNode.parentElement.closest("script, style, noscript, pre, code, .katex");
      if (!skip && /\$[^$]*\$|\\[()[\]]|\\begin\{/.test(text)) raw.push(text.trim().slice(0, 120));
    }
    const sources = all(".math");
    const containers = all(".katex");
    return {
      sources: sources.length,
      typeset: containers.length,
      untouched: sources.filter((e) => !e.querySelector(".katex")).map((e) => e.textContent.slice(0, 120)),
      empty: containers.filter((e) => visible(e) && !e.querySelector(".katex-html > .base")?.offsetWidth).length,
      // KaTeX shows what it does not understand in this class, or as red text inside a formula.
      errors: all(".katex-error, .katex [style*='color:#cc0000']").map((e) => e.textContent.trim().slice(0, 120)),
      raw,
    };
  }

  // Formulas of their own that are wider than their box, and those of them that do not show it: by a fade and by keyboard.
  function wideFormulas() {
    const wide = all(".mtl-equation").filter((box) => visible(box) && box.scrollWidth > box.clientWidth + 1);
    const told = (box) => box.dataset.more && box.tabIndex === 0 && getComputedStyle(box).maskImage !== "none";
    const name = (box) => `${box.parentElement.id} ${box.textContent.slice(0, 80)}`;
    return { cut: wide.map(name), silent: wide.filter((box) => !told(box)).map(name) };
  }

  // Formulas of several lines whose right halves do not begin at one place.
  function ragged() {
    const start = (half) => half.querySelector(".base").getBoundingClientRect().left;
    const starts = (lines) => all(".mtl-right .katex-html", lines).map(start);
    const apart = (lines) => Math.max(...starts(lines)) - Math.min(...starts(lines)) > 1;
    return all(".mtl-lines").filter((lines) => visible(lines) && apart(lines)).map((lines) => lines.textContent.slice(0, 80));
  }

  // Pictures without words for a reader who cannot see them (an icon belongs to its button).
  function wordless() {
    const hidden = ".katex, [aria-hidden=true], [role=img][aria-label] *, button";
    const images = all("img", article()).filter((image) => !image.alt.trim());
    const drawings = all("svg", article()).filter((svg) => !svg.parentElement.closest("svg") && !svg.matches(hidden)
      && !svg.closest(hidden) && !(svg.getAttribute("role") === "img" && (svg.getAttribute("aria-label") || "").trim()));
    return [...images, ...drawings].map(describe);
  }

  // The width of the page, and what is cut off at the right of the article without a box to scroll in.
  function sideways() {
    const edge = Math.min(window.innerWidth, article().getBoundingClientRect().right) + 1;
    const scrolls = (element) => element && element !== article().parentElement
      && (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
    const cut = all("p, li, dd, dt, div, figure, table, svg, img, pre, code, .katex", article())
      .filter((e) => visible(e) && !e.closest(".katex-mathml, .visually-hidden, .sr-only"))
      .filter((e) => e.getBoundingClientRect().right > edge && !scrolls(e));
    const right = (element) => element.getBoundingClientRect().right;
    // The theme hides what of a formula is wider than its line.
    const formulas = all("span.math", article()).filter((formula) => visible(formula)
      && [...formula.querySelectorAll(".base")].some((part) => right(part) > right(formula) + 1));
    return { width: document.documentElement.scrollWidth, cut: [...cut, ...formulas].slice(0, 8).map(describe) };
  }

  const searchFields = () => all("input[type=search], input[name=q], .search-button__button").filter(visible).map(describe);

  const handles = () => all(".mtl-frames :is(input[type=range], select)");
  const sliders = () => handles().map((handle) => (handle.labels[0] ? handle.labels[0].textContent.trim() : ""));

  function focusSlider(index) {
    handles()[index].scrollIntoView({ block: "center" });
    handles()[index].focus();
  }

  // A picture without its words and without the names of its parts, which may differ where the drawing does not.
  function drawing(picture) {
    const copy = picture.cloneNode(true);
    all("title, desc", copy).forEach((element) => element.remove());
    const names = ["id", "href", "xlink:href", "clip-path", "aria-label", "alt"];
    [copy, ...all("*", copy)].forEach((element) => names.forEach((name) => element.removeAttribute(name)));
    return copy.outerHTML;
  }

  // A short text that is another one for another text, and empty for none: drawings are long, and are only compared.
  function digest(text) {
    let [a, b] = [0x811c9dc5, 7];
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      a = Math.imul(a ^ code, 0x01000193);
      b = (Math.imul(b, 31) + code) | 0;
    }
    return text && `${text.length} ${a} ${b}`;
  }

  // What the reader sees below the slider, and what is said to a reader who does not.
  async function shownFrame(index) {
    await frame();
    await frame();
    const control = handles()[index];
    const area = control.closest(".mtl-frames");
    // Panels that belong together have one description, on the box around them.
    const described = all("[role=img], img", area).filter(visible);
    return {
      picture: digest(all("svg, img", area).filter(visible).map(drawing).join("\n")),
      words: described.map((picture) => picture.getAttribute("aria-label") || picture.alt || "").join("\n"),
      value: control.localName === "select" ? control.value : control.getAttribute("aria-valuetext"),
    };
  }

  // Parts of the page that no rule of axe-core asks anything of, but which it would visit by the thousand: the strokes of a
  // drawing, the boxes of a formula, and the inside of its hidden MathML (not if it holds a link, a role or a name).
  function inert() {
    const meant = "[href], [tabindex], [role], [id], [aria-label], [aria-hidden]";
    const parts = all(".katex-html > *, .katex-mathml > math > *");
    const formulas = parts.filter((e) => !e.matches(meant) && !e.querySelector(meant));
    return [...all(".mtl-figure svg > :not(title)"), ...formulas];
  }

  // Words inside a line, marked by a class alone, less the first of each look: axe-core asks nothing but their contrast. What
  // has the same classes all the way up, and the same colours now, looks alike in the other theme and at the other size, too.
  function repeated() {
    const [known, surface, paths] = [new Set(), surfaces(), new Map()];
    const marked = (element) => [...element.attributes].every(({ name }) => name === "class");
    const path = (element) => {
      if (!element || element === document.body) return "";
      if (!paths.has(element)) paths.set(element, `${path(element.parentElement)} ${element.localName}.${element.className}`);
      return paths.get(element);
    };
    const look = (element) => [path(element), ...styles(element), visible(element), surface(element)].join("|");
    return all(":is(span, em, strong, code, i, b, sup, sub, cite, small):not(.katex *)", article())
      .filter((element) => marked(element) && known.size === known.add(look(element)).size);
  }

  function styles(element) {
    const style = getComputedStyle(element);
    return ["color", "fontSize", "fontWeight", "display", "position", "visibility", "textShadow"].map((name) => style[name]);
  }

  // What lies behind an element, as a text: the backgrounds and opacities of all it stands in.
  function surfaces() {
    const known = new Map();
    return function surface(element) {
      if (element && !known.has(element)) {
        const { backgroundColor, backgroundImage, opacity, position } = getComputedStyle(element);
        // What is placed apart from its parents may lie on something else.
        const place = position === "absolute" || position === "fixed" ? element.className || element.localName : "";
        const own = `${backgroundColor} ${backgroundImage} ${opacity}${place && APART + place}`;
        known.set(element, surface(element.parentElement) + (own === "rgba(0, 0, 0, 0) none 1" ? "" : `/${own}`));
      }
      return known.get(element) || "";
    };
  }

  // What one template makes all of a kind: formulas that hold nothing a reader can reach, entries of the contents beside a
  // page, rows of claims, functions of the library, buttons that copy. Twenty stand for the rest.
  const formulasOf = () => all(".math", article()).filter((e) => !e.querySelector("[href], [tabindex], [role], [id], [aria-label]"));
  const KINDS = ["li.toc-entry", ".bd-links li:not(.current)", ".mtl-claims tbody tr", "dl.py", "button.copybtn"];
  const beyond = (elements) => elements.slice(20);

  // Take away what axe-core need not see, for good: 5 of 6 elements of a chapter. The article is changed outside the page,
  // where nothing watches it.
  function thin() {
    const [strokes, twins, formulas, root] = [inert(), repeated(), beyond(formulasOf()), article()];
    const others = KINDS.flatMap((kind) => beyond(all(kind)));
    const place = document.createComment("");
    root.replaceWith(place);
    all("wbr", root).forEach((element) => element.remove()); // a word that may break would keep its boxes
    [...strokes, ...others].forEach((element) => element.remove());
    formulas.forEach((element) => element.replaceWith("formula")); // a word in its place: a heading may be a formula
    // Children first: when they have become text, their parent may be a word too.
    for (const element of twins.reverse()) if (!element.firstElementChild) element.replaceWith(element.textContent);
    place.replaceWith(root);
  }

  // Mark the elements whose contrast is to be judged: those with text or an input, and links, the first of each look. `seen`
  // has the looks of pages before this one. Returns all looks of this page.
  function mark(seen) {
    const [surface, known, before, looks] = [surfaces(), new Set(), new Set(seen), []];
    const look = (element) => {
      // A link is told from the text around it, and may have no words of its own, but those of what it holds.
      const worded = [...element.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.data.trim());
      const around = element.localName === "a" ? [worded, ...styles(element.parentElement)] : [];
      return [element.localName, element.className, ...styles(element), ...around, visible(element), surface(element)].join("|");
    };
    const judged = (element) => {
      const own = look(element);
      const first = known.size !== known.add(own).size;
      // What stands in the article apart from its parents may lie on something else on another page.
      const name = own.includes(APART) && element.closest(".bd-article") ? "" : digest(own);
      if (first && name) looks.push(name);
      return (first || element.matches("input, select, textarea, option, svg *")) && !before.has(name);
    };
    const elements = new Set(all("input, select, textarea, a[href]:not(:empty)"));
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { data, parentElement } = walker.currentNode;
      if (data.trim() && !parentElement.matches("script, style, noscript, title")) elements.add(parentElement);
    }
    elements.forEach((element) => element.toggleAttribute("data-judged", judged(element)));
    return looks;
  }

  // What axe-core finds in the open theme, of contrast in what is marked alone; all rules, or contrast alone.
  async function accessibility(allowed, seen, contrastAlone) {
    const looks = mark(seen);
    const selectors = { "color-contrast": "[data-judged]", "link-in-text-block": "a[href][data-judged]" };
    window.axe.configure({ rules: Object.entries(selectors).map(([id, selector]) => ({ id, selector })) });
    if (contrastAlone && !document.querySelector("[data-judged]")) return { found: [], looks };
    return { found: await violations(allowed, contrastAlone ? { runOnly: ["color-contrast"] } : {}), looks };
  }

  // What axe-core finds, one entry for each rule and element; all its rules, or those that `choice` names. `allowed` holds
  // pairs of a rule and a selector.
  async function violations(allowed, choice = {}) {
    const ours = (element) => element.closest(".bd-article") || element.querySelector(".bd-article");
    const excused = (rule, element) => !ours(element)
      && allowed.some(([name, selector]) => name === rule && element.matches(selector));
    // Style sheets are not fetched and parsed once more for rules that are not asked.
    const options = { resultTypes: ["violations"], elementRef: true, preload: { assets: ["media"] }, ...choice };
    const result = await window.axe.run(document, options);
    return result.violations.flatMap(({ id, nodes }) => nodes.filter(({ element }) => !excused(id, element))
      .map(({ element, target, failureSummary }) => (
        { rule: id, target: target.flat().join(" "), element: describe(element), why: failureSummary }
      )));
  }

  async function searchResults() {
    const list = document.querySelector("#search-results");
    await until("search finished", () => /search finished|did not match/i.test(list.textContent));
    return all("li a", list).map((link) => link.getAttribute("href"));
  }

  // What is asked of the page as a reader finds it at a desk, and on a phone.
  const wide = () => (
    { formulas: formulas(), wordless: wordless(), fields: searchFields(), light: figureTexts(), cut: wideFormulas().cut,
      ragged: ragged() });
  const narrow = () => (
    { silent: wideFormulas().silent, dark: figureTexts(), sideways: sideways(), sliders: sliders() });

  return {
    loaded, unfolded, hurry, resized, theme, wide, narrow, formulas, wideFormulas, focusSlider, shownFrame, thin, accessibility,
    violations, searchResults,
  };
})();
