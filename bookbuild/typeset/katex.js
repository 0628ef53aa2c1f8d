// Typesets formulas for formulas.py: a line of JSON in, {tex, options}, a line of JSON out, {html} or {error}.
const katex = require("./vendor/katex/katex.min.js");

function answer({ tex, options }) {
  try {
    return { html: katex.renderToString(tex, options) };
  } catch (error) {
    return { error: error.message };
  }
}

require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  process.stdout.write(`${JSON.stringify(answer(JSON.parse(line)))}\n`);
});
