// Leave of a chapter's page its title and its exercises, with a line where an answer is a number, and solutions if asked for.
const [solutions] = arguments;
const article = document.querySelector(".bd-article");
const kept = article.querySelectorAll(solutions ? "h1, .exercise, .solution" : "h1, .exercise");
kept.forEach((part) => part.classList.remove("dropdown", "toggle", "toggle-hidden"));
article.replaceChildren(...kept);
const content = document.createElement("div"); // which the style of boxes asks for
content.className = "bd-content";
content.append(article);
document.body.replaceChildren(content);
article.querySelectorAll("form.mtl-answer-box").forEach((form) => {
  const line = document.createElement("p");
  line.append(...form.querySelector("label").childNodes, ` ${"_".repeat(24)}`);
  form.replaceWith(line);
});
const style = document.createElement("style");
style.textContent = `
  :root { font-size: 14px; }
  html, body { height: auto; min-height: 0; }
  .bd-article .exercise { break-inside: avoid; break-after: avoid; }
  .bd-article .solution { break-inside: auto; }
  .solution > .admonition-title { break-after: avoid; }
  .admonition > * { display: block !important; visibility: visible !important; }
  .bd-article { padding: 0 !important; }
  .bd-article > :last-child { margin-bottom: 0 !important; }`;
document.head.append(style);
