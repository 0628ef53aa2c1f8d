// Questions with choices: each choice becomes a button; taking one says whether it is right, and opens the answer.
(() => {
  "use strict";
  function live(box) {
    const right = Number(box.dataset.right);
    const said = box.querySelector(".mtl-said");
    const choices = [...box.querySelector("ul").children];
    const buttons = choices.map((choice, i) => {
      const button = document.createElement("button");
      button.type = "button";
      button.setAttribute("aria-pressed", "false");
      button.append(...(choice.querySelector("p") || choice).childNodes);
      button.addEventListener("click", () => take(i));
      choice.replaceChildren(button);
      return button;
    });
    function take(chosen) {
      buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(i === chosen)));
      const hit = chosen + 1 === right;
      box.dataset.hit = hit ? "yes" : "no";
      said.textContent = hit ? "✓ Right." : `✗ No. Right is: “${buttons[right - 1].textContent.trim()}”`;
      box.querySelector("details").open = true;
    }
    box.dataset.live = "";
  }
  document.addEventListener("DOMContentLoaded", () => document.querySelectorAll(".mtl-ask").forEach(live));
})();
