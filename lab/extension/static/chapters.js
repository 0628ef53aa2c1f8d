// How the book's notebooks look in JupyterLab. Written as the container that JupyterLab loads, so that it needs no build.
(() => {
  "use strict";

  const style = document.createElement("style");
  // Equations have the numbers of the pages, so those that JupyterLab-MyST counts beside them go; what opens has its triangle.
  style.textContent = `
    .jp-Notebook .myst div:has(> .katex-display, > * > .katex-display) + div > a[href^="#"] { display: none; }
    .jp-Notebook details > summary { list-style: revert; cursor: pointer; }
  `;

  window._JUPYTERLAB = window._JUPYTERLAB || {};
  window._JUPYTERLAB["mtlbook-lab"] = {
    init: () => {},
    get: async (name) => {
      if (name === "./style") document.head.append(style);
      return () => (name === "./style" ? {} : { __esModule: true, default: [] });
    },
  };
})();
