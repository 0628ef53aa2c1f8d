// Shows a chapter in JupyterLab as its page does: captions under figures, plumbing folded, solutions closed.
// Written as the container that JupyterLab loads, so that it needs no build. It changes what is seen, never the notebook.
(() => {
  "use strict";

  let shared; // the modules that JupyterLab lends to its extensions

  async function borrow(name) {
    const [version] = Object.values(shared[name]);
    return (await version.get())();
  }

  const source = (cell) => cell.model.sharedModel.getSource();
  const isCode = (cell) => cell.model.type === "code";

  // The cells between the start and the end of a solution; text in the same cell as a mark is JupyterLab-MyST's to close.
  function solutionCells(cells) {
    let inside = false;
    return cells.filter((cell) => {
      if (isCode(cell)) return inside;
      const marks = [...source(cell).matchAll(/\{solution-(start|end)\}/g)];
      if (marks.length) inside = marks.at(-1)[1] === "start";
      return false;
    });
  }

  // JupyterLab would write the folds into the notebook, and saving would change the chapter.
  function fold(cell, outputsToo) {
    cell.syncCollapse = false;
    cell.inputHidden = true;
    if (outputsToo) cell.outputHidden = true;
  }

  function addCaption(cell, rendermime) {
    const figure = (cell.model.getMetadata("mystnb") || {}).figure;
    if (!figure || !figure.caption) return;
    const text = `**Figure (${figure.name}).** ${figure.caption}`;
    const caption = rendermime.createRenderer("text/markdown");
    caption.addClass("mtlbook-caption");
    cell.layout.addWidget(caption);
    caption.renderModel(rendermime.createModel({ data: { "text/markdown": text } }));
  }

  function dress(panel) {
    const cells = [...panel.content.widgets];
    const closed = new Set(solutionCells(cells));
    cells.filter(isCode).forEach(async (cell) => {
      await cell.ready;
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
  // The last rule is about the book's own directives, which only the page can show.
  style.textContent = `
    .mtlbook-caption { padding: 0 0 0.5rem calc(var(--jp-cell-prompt-width, 64px) + 5px); }
    .jp-MarkdownCell details[class*="border-red"] { display: none; }
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
