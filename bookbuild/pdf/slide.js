// Leave of a chapter's page one slide: title, the words of its summary, its law, its best figure.
const [named, noLaw] = arguments;
const article = document.querySelector(".bd-article");
const brief = article.querySelector(".admonition-in-brief");
const equations = [...article.querySelectorAll("[id^=equation-]")];
const law = equations.find((found) => found.id === `equation-${named}`)
  || equations.find((found) => found.closest(".proof.theorem, .proof.proposition"))
  || equations.find((found) => !noLaw.includes(found.id.slice("equation-".length)));
const link = brief.querySelector("a[href^='#fig-']");
const frames = [...article.querySelectorAll(`${link ? link.hash : "figure"} .mtl-figure`)];
const figure = brief.querySelector(".mtl-brief .mtl-figure") || frames.find((frame) => frame.getClientRects().length) || frames[0];
const words = [...brief.children].filter((child) => child.matches("p:not(.admonition-title, .mtl-verdicts)"));

const made = (kind, ...children) => {
  const box = document.createElement("div");
  box.className = kind;
  box.append(...children.filter(Boolean).map((child) => child.cloneNode(true)));
  return box;
};
const left = made("mtl-said", ...words, law);
const right = made("mtl-seen", figure);
const slide = made("mtl-slide", article.querySelector("h1"));
slide.append(left, right);
slide.querySelectorAll(".headerlink, .mtl-equation .katex-mathml").forEach((part) => part.remove());
[...right.querySelectorAll(".mtl-panel")].slice(1, -1).forEach((part) => part.remove()); // of many panels the ends
const style = document.createElement("style");
style.textContent = `
  @page { margin: 0; }
  html, body { margin: 0; padding: 0; overflow: hidden; background: #fff; }
  .mtl-slide { box-sizing: border-box; width: 1280px; height: 718px; padding: 40px 56px; display: grid; gap: 16px 40px;
    grid-template: auto minmax(0, 1fr) auto / minmax(0, 7fr) minmax(0, 6fr); }
  .mtl-slide h1 { grid-column: 1 / 3; display: block !important; margin: 0; font-size: 40px; }
  .mtl-said { font-size: var(--size); line-height: 1.4; align-self: center; }
  .mtl-said p { margin: 0 0 0.7em; }
  .mtl-said .math { font-size: inherit; }
  .mtl-slide [id^=equation-] { display: flex; flex-direction: row; align-items: center; gap: 1em; margin: 1em 0 0; font-size: var(--law) !important; }
  .mtl-slide > [id^=equation-] { grid-column: 1 / 3; margin: 0; }
  .mtl-slide .mtl-equation { order: -1; overflow: hidden !important; font-size: 1em !important; }
  .mtl-slide .mtl-equation :not(.hide-tail, .hide-tail *) { overflow: visible !important; }
  .mtl-slide [id^=equation-]::before, .mtl-slide [id^=equation-]::after { content: none !important; }
  .mtl-said a { color: inherit; text-decoration: none; }
  .mtl-seen { display: flex; align-items: center; justify-content: center; align-self: center; }
  .mtl-seen .mtl-figure { flex-direction: column; align-items: center; width: 100%; }
  .mtl-seen .mtl-panel { flex: none !important; width: min(var(--panel), 100%); max-width: none !important; }
  .mtl-seen .mtl-panel svg { width: 100%; height: auto; }`;
document.head.append(style);
document.documentElement.dataset.theme = "light";
document.body.replaceChildren(slide);
// As large as it fits: the law in its column or, if it is long, below; the picture; the words.
const shrink = (name, from, to, fits) => {
  let size = from;
  for (; slide.style.setProperty(name, `${size}px`), size > to && !fits(); size -= 1);
  return size;
};
const formula = left.querySelector(".mtl-equation");
const short = () => !formula || formula.scrollWidth <= formula.clientWidth;
if (shrink("--law", 32, 10, short) < 22) {
  slide.append(formula.parentElement);
  shrink("--law", 32, 10, short);
}
const low = (box) => () => box.scrollHeight <= slide.clientHeight - 100 - slide.firstChild.offsetHeight
  - (slide.children[3] ? slide.children[3].offsetHeight + 16 : 0);
shrink("--panel", 560, 150, low(right));
shrink("--size", 27, 9, low(left));
