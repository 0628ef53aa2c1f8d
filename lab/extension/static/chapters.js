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
  // The last rule is about the book's own directives, which only the page can show.
  style.textContent = `
    .mtlbook-more { margin-left: calc(var(--jp-cell-prompt-width, 64px) + 8px); cursor: pointer; }
    .mtlbook-closed .myst > :not(.myst-exercise, .myst-exercise ~ *):has(~ .myst-exercise) { display: none; }
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
