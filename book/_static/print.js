// Paper is light: printing takes the light theme, whatever the reader sees, and gives the reader's back.
(() => {
  "use strict";

  const page = document.documentElement;
  let theme;

  window.addEventListener("beforeprint", () => {
    theme = page.dataset.theme;
    page.dataset.theme = "light";
  });
  window.addEventListener("afterprint", () => {
    if (theme) page.dataset.theme = theme;
  });
})();
