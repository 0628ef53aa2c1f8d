// How search results are ranked: a page whose keyword (book/contents.yml) is the question comes first, then a function
// of that name, titles that hold the question, other titles and words in the text, and the rest of the API reference last.
const question = () => (new URLSearchParams(window.location.search).get("q") ?? "").trim().toLowerCase();

// The index knows a numbered page by its title with and without the number, and finds it twice.
function isRepeated(title) {
  const [page, section] = title.split(" > ");
  return section !== undefined && page.replace(/^\d+\. /, "") === section;
}

// A keyword that is the question has the score 100 in Sphinx; nothing else reaches it, so that a part of a word never does.
var Scorer = { // eslint-disable-line no-var -- the search's own script asks whether it is there
  objNameMatch: 4,
  objPartialMatch: 2,
  objPrio: { 0: 0, 1: 0, 2: 0 },
  objPrioDefault: 0,
  title: 40,
  partialTitle: 3,
  term: 5,
  partialTerm: 2,
  score([docname, title, anchor, description, score]) {
    const asked = question();
    const isFunction = description !== null && title.toLowerCase().split(".").pop() === asked;
    if (isFunction) return score + 90;
    if (docname.startsWith("book/reference/api") || isRepeated(title)) return score - 1000;
    return score + (asked && title.toLowerCase().includes(asked) ? 50 : 0);
  },
};

// What a result shows of its page: words of the article, without menus, formulas, code and pictures.
document.addEventListener("DOMContentLoaded", () => {
  if (typeof Search === "undefined") return;
  Search.htmlToText = (html) => {
    const page = new DOMParser().parseFromString(html, "text/html");
    const article = page.querySelector("article.bd-article") ?? page.body;
    article.querySelectorAll("script, style, pre, svg, .katex, .headerlink, .mtl-facts").forEach((part) => part.remove());
    return article.textContent;
  };
});
