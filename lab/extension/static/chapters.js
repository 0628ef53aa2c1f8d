// Shows a chapter in JupyterLab as its page does: captions under figures, plumbing folded, solutions closed.
// Written as the container that JupyterLab loads, so that it needs no build. It changes what is seen, never the notebook.
(() => {
  "use strict";

  // What the pages call figures, equations, theorems and works: `make lab` puts it here once the book is built.
  const here = (document.currentScript || location).src || location.href;
  const names = fetch(new URL("names.json", here)).then((answer) => answer.json()).catch(() => ({}));

  const CALLED = /\{(?:numref|prf:ref|ref)\}`([^`<>]+?)\s*<[^`<>]+>`/g;
  const ROLE = /\{(numref|eq|prf:ref|ref|cite|cite:[a-z]+)\}`([^`<>]+)`/g;

  // Text with the numbers and titles of the pages for references, and authors for citations; what is not known stays.
  function written(text, { labels = {}, works = {} }) {
    return text.replace(CALLED, "$1").replace(ROLE, (all, role, target) => {
      if (!role.startsWith("cite")) return labels[target] || all;
      const cited = target.split(",").map((key) => works[key.trim()]);
      if (cited.some((work) => !work)) return all;
      if (role === "cite:t") return cited.map(([authors, year]) => `${authors} (${year})`).join(", ");
      return `(${cited.map((work) => work.join(", ")).join("; ")})`;
    });
  }

  let shared; // the modules that JupyterLab lends to its extensions

  async function borrow(name) {
    const [version] = Object.values(shared[name]);
    return (await version.get())();
  }

  const source = (cell) => cell.model.sharedModel.getSource();
  const isCode = (cell) => cell.model.type === "code";

  // The cells between the start and the end of a solution. Its first words stand in the cell of the start, and
  // JupyterLab-MyST closes them; its last ones stand in the cell of the end, with what follows the solution.
  function solutionCells(cells) {
    let inside = false;
    return cells.filter((cell) => {
      const before = inside;
      const marks = isCode(cell) ? [] : [...source(cell).matchAll(/\{solution-(start|end)\}/g)];
      if (marks.length) inside = marks.at(-1)[1] === "start";
      return before;
    });
  }

  // Hides the last words of a solution behind a button.
  function closeWords(cell) {
    const button = document.createElement("button");
    button.className = "mtlbook-more";
    button.textContent = "The solution, continued";
    button.addEventListener("click", () => cell.toggleClass("mtlbook-closed"));
    cell.node.prepend(button);
    cell.addClass("mtlbook-closed");
  }

  // JupyterLab would write the folds into the notebook, and saving would change the chapter.
  function fold(cell, outputsToo) {
    cell.syncCollapse = false;
    cell.inputHidden = true;
    if (outputsToo) cell.outputHidden = true;
  }

  async function addCaption(cell, rendermime) {
    const figure = (cell.model.getMetadata("mystnb") || {}).figure;
    if (!figure || !figure.caption) return;
    const known = await names;
    const number = (known.labels || {})[figure.name] || `Figure (${figure.name})`;
    const text = `**${number}.** ${written(figure.caption, known)}`;
    const caption = rendermime.createRenderer("text/markdown");
    caption.addClass("mtlbook-caption");
    cell.layout.addWidget(caption);
    caption.renderModel(rendermime.createModel({ data: { "text/markdown": text } }));
  }

  // What JupyterLab-MyST cannot know, since it sees one file: figures of code cells, other chapters, works. The text of
  // its elements is changed and no element is moved, so that it may draw them again.
  function resolve(element, { labels = {}, works = {} }) {
    const text = element.lastChild;
    if (!text || text.nodeType !== Node.TEXT_NODE) return;
    const own = element.hash ? decodeURIComponent(element.hash.slice(1)) : text.nodeValue.trim();
    const work = works[own];
    if (element.hash) {
      const number = (labels[own] || "").replace(/^Eq\. /, "");
      // "(", "1" and ")" may be pieces of their own.
      if (number && /^\(\d+\)$/.test(element.textContent)) {
        element.childNodes.forEach((piece, i) => { piece.nodeValue = i === 0 ? `(${number})` : ""; });
      }
    } else if (work || labels[own]) {
      const inside = element.closest(".parenthetical");
      text.nodeValue = !work ? labels[own] : inside ? work.join(", ") : `${work[0]} (${work[1]})`;
      element.dataset.resolved = "";
      element.removeAttribute("title");
    }
  }

  // A link to another chapter that has no words of its own gets the chapter's title.
  function entitle(link, { titles = {} }) {
    const [, folder, name] = /(?:([\w-]+)\/)?([\w-]+)\.md$/.exec(link.pathname) || [];
    const found = Object.keys(titles).filter((page) => page.endsWith(`/${name}`));
    const page = found.find((one) => one === `${folder}/${name}`) || (found.length === 1 && found[0]);
    if (page && !link.textContent.trim()) link.textContent = titles[page];
  }

  async function resolveAll(node) {
    const known = await names;
    const look = () => {
      node.querySelectorAll('.myst [title$="Not Found"], .myst a[href^="#eq-"]')
        .forEach((element) => resolve(element, known));
      node.querySelectorAll('.myst a[href*=".md"]').forEach((link) => entitle(link, known));
    };
    new MutationObserver(look).observe(node, { childList: true, subtree: true });
    look();
  }

  // The kernel's language is noted in the notebook when the kernel is there. That is no change of the chapter.
  async function openUnchanged(panel) {
    await panel.sessionContext.ready;
    const model = panel.context.model;
    setTimeout(() => { if (!model.sharedModel.canUndo()) model.dirty = false; }, 1000);
  }

  function dress(panel) {
    // A copy of `make lab` has all that follows in its cells, and the numbers of the pages in its text.
    if (panel.context.path.endsWith(".ipynb")) panel.addClass("mtlbook-copy");
    resolveAll(panel.content.node);
    openUnchanged(panel);
    const cells = [...panel.content.widgets];
    const closed = new Set(solutionCells(cells));
    cells.forEach(async (cell) => {
      await cell.ready;
      if (!isCode(cell)) {
        const words = source(cell).split(/^.*\{solution-end\}/m)[0].trim();
        if (closed.has(cell) && words) closeWords(cell);
        return;
      }
      const tags = cell.model.getMetadata("tags") || [];
      if (closed.has(cell)) fold(cell, true);
      else if (tags.includes("hide-input")) fold(cell, false);
      addCaption(cell, panel.content.rendermime);
    });
  }

  async function plugin() {
    const { INotebookTracker } = await borrow("@jupyterlab/notebook");
    return {
      id: "mtlbook-lab:chapters",
      autoStart: true,
      requires: [INotebookTracker],
      activate: (app, tracker) => {
        tracker.widgetAdded.connect((_, panel) => panel.revealed.then(() => dress(panel)));
      },
    };
  }

  const style = document.createElement("style");
  // The first rule is about numbers that JupyterLab-MyST gives to equations beside those of the pages, the next about the
  // triangles that it takes from all that opens, the last one about the book's own directives, which only the page can show.
  style.textContent = `
    .mtlbook-copy .myst div:has(> .katex-display, > * > .katex-display) + div > a[href^="#"] { display: none; }
    .jp-Notebook details > summary { list-style: revert; cursor: pointer; }
    .mtlbook-more { margin-left: calc(var(--jp-cell-prompt-width, 64px) + 8px); cursor: pointer; }
    .mtlbook-closed .myst > :not(.myst-exercise, .myst-exercise ~ *):has(~ .myst-exercise) { display: none; }
    .mtlbook-caption { padding: 0 0 0.5rem calc(var(--jp-cell-prompt-width, 64px) + 5px); }
    .jp-MarkdownCell details[class*="border-red"] { display: none; }
    .myst [data-resolved] { color: inherit; }
    .myst [data-resolved] > svg { display: none; }
  `;

  window._JUPYTERLAB = window._JUPYTERLAB || {};
  window._JUPYTERLAB["mtlbook-lab"] = {
    init: (scope) => { shared = scope; },
    get: async (name) => {
      if (name === "./style") {
        document.head.append(style);
        return () => ({});
      }
      const chapters = await plugin();
      return () => ({ __esModule: true, default: chapters });
    },
  };
})();
