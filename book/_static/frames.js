// Figures with a slider or a list: shows the frame that the reader chooses. The page itself shows the first.
(() => {
  "use strict";

  function follow(figure) {
    const control = figure.querySelector("input, select");
    const frames = figure.querySelectorAll(":scope > .mtl-frame");
    const readout = figure.querySelector("output");
    const names = control.dataset.names ? JSON.parse(control.dataset.names) : [];
    const show = () => {
      const chosen = control.localName === "select" ? control.selectedIndex : Number(control.value);
      frames.forEach((frame, index) => { frame.hidden = index !== chosen; });
      if (!readout) return;
      readout.textContent = names[chosen];
      control.setAttribute("aria-valuetext", names[chosen]);
    };
    control.addEventListener("input", show);
    control.addEventListener("change", show); // a list that is changed by a script or a screen reader
  }

  document.querySelectorAll(".mtl-frames").forEach(follow);
})();
