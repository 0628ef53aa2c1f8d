// The explorer of transfer: should these tasks be trained together? Dials, words and pictures over transfer-formulas.js.
(() => {
  "use strict";
  const mtl = (window.mtl = window.mtl || {});
  const { element, words } = mtl;
  const { linear, geometric } = mtl.numerics;
  const { COARSE, FINE, SEEN, best, aloneOf, curve, makeHead, overSimilarity, horizon, threshold } = mtl.transfer;

  const EPS = 1e-3; // the initial strength of the book's simulations
  const MAP = { strengths: 37, similarities: 33 };
  const STRENGTH = { low: 0.2, high: 12, log: true };

  const dials = [
    { id: "sA", label: "strength of task A, {s_A}", ...STRENGTH, start: 1 },
    { id: "sB", label: "strength of task B, {s_B}", ...STRENGTH, start: 3 },
    { id: "q", label: "similarity of their inputs, {q}", low: 0, high: 1, start: 0.7 },
    { id: "A", label: "outputs per input of a task, {A}", low: 0.1, high: 2, log: true, start: 0.5 },
    { id: "H", label: "tasks in all, {H}", low: 2, high: 10, whole: true, start: 2 },
    { id: "N", label: "outputs of one task, {N_3}", low: 20, high: 200, whole: true, start: 50 },
    {
      id: "method", label: "how each task is learned", start: "stop",
      options: [["stop", "early stopping"], ["heads", "shrinking each head by itself"], ["joint", "joint shrinkage"]],
    },
    {
      id: "order", label: "accuracy in the size of the matrices", start: "1",
      options: [["1", "up to relative order 1/size"], ["0", "leading order only"]],
    },
  ];

  const examples = [
    ["a task at its threshold beside a strong one", { sA: 0.84, sB: 10, q: 0.9 }],
    ["two strong tasks, little alike", { sA: 3, sB: 10, q: 0.25 }],
    ["two strong tasks, nearly the same", { sA: 3, sB: 3, q: 0.95 }],
    ["ten weak tasks alike", { sA: 0.8, sB: 0.8, q: 0.9, H: 10 }],
    ["a weak task under joint shrinkage", { sA: 1, sB: 10, q: 0.1, method: "joint" }],
    ["A and B exchanged", ({ sA, sB }) => ({ sA: sB, sB: sA })],
  ];

  // The setting in the names of the formulas. Shrinkage knows no time and no size.
  const setting = (state) => ({
    a: state.sA, b: state.sB, q: state.q, aspect: state.A, heads: state.H, outputs: state.N, eps: EPS,
    method: state.method, order: Number(state.order),
  });

  // How long the curves are followed: twice the time at which A is best, or until the noise has been learned.
  const span = (...found) => 2 * Math.max(...found.map(({ time }) => (time === null ? 0.5 * horizon(EPS) : time)), 0.25 * horizon(EPS));

  // Everything that is shown, as numbers.
  function answer(state) {
    const given = setting(state);
    const [alone, together] = [best(aloneOf(given)), best(given)];
    const times = linear(0, span(alone, together), 151);
    const [single, joint] = [aloneOf(given), given].map((one) => times.map((time) => curve(one, FINE).at(time)));
    const seen = { alone: threshold(state.A), together: threshold(state.H * state.A) };
    return { modes: makeHead(given).modes, alone, together, benefit: alone.error - together.error, times, single, joint, seen };
  }

  function* later(state) {
    const given = setting(state);
    const slice = overSimilarity(given);
    yield;
    const alone = best(aloneOf(given), COARSE).error;
    const x = geometric(STRENGTH.low, STRENGTH.high, MAP.strengths);
    const y = linear(0, 1, MAP.similarities);
    const values = [];
    for (const b of x) {
      values.push([]);
      for (const q of y) {
        values.at(-1).push(alone - best({ ...given, b, q }, COARSE).error);
        yield;
      }
    }
    return { slice, map: { x, y, values } };
  }

  const digits = (value, count = 4) => value.toFixed(count).replace(/^-(0\.?0*)$/, "$1");
  const signed = (value) => `${value > 0 ? "+" : "−"}${digits(Math.abs(value))}`;
  const companions = ({ H }) => (H === 2 ? "task B" : `the ${H - 1} tasks B`);

  function sentence({ alone, together, benefit }, state) {
    const [one, both] = [alone, together].map(({ error }) => digits(error, Math.abs(benefit) < 5e-3 ? 4 : 3));
    const errors = `alone it is left with an error of ${one}, with ${companions(state)} of ${both}`;
    if (Math.abs(benefit) < SEEN) return { tone: "none", text: `± No difference: ${errors}.` };
    return benefit > 0
      ? { tone: "helps", text: `+ Yes, train A with ${companions(state)}: ${errors}.` }
      : { tone: "harms", text: `− No, train A alone: ${errors}.` };
  }

  function turnWords(slice) {
    if (!slice) return "…";
    if (slice.turns.length) {
      return slice.turns.map(({ q, helpsAbove }) => `${helpsAbove ? "harm below, help above" : "help below, harm above"} q = ${digits(q)}`).join("; ");
    }
    const clear = slice.points.filter(({ benefit }) => Math.abs(benefit) > SEEN);
    if (!clear.length) return "no difference at any similarity";
    return clear[0].benefit > 0 ? "no harm at any similarity" : "no help at any similarity";
  }

  const when = ({ time }) => (time === null ? "" : `, stopped at time ${digits(time)}`);

  function numbers(found, state) {
    const rows = [
      ["Error of A alone", `${digits(found.alone.error)}${when(found.alone)}`],
      [`Error of A with ${companions(state)}`, `${digits(found.together.error)}${when(found.together)}`],
      ["Benefit", signed(found.benefit)],
      ["Where the sign changes", turnWords(found.slice)],
      ["Seen in the noise: alone", `strengths above ${digits(found.seen.alone)}`],
      ["Seen in the noise: together", `strengths above ${digits(found.seen.together)}`],
    ];
    const list = element("dl", {}, ...rows.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
    return [list, modeTable(found.modes)];
  }

  function modeTable(modes) {
    const row = (kind, cells) => element("tr", {}, ...cells.map((cell) => element(kind, kind === "th" ? { scope: "col" } : {}, cell)));
    const body = modes.map(({ strength, share, count, visible }) => row("td", [
      `${digits(strength)}${count > 1 ? ` (${count} of them)` : ""}`, digits(share), visible ? "yes" : "no",
    ]));
    const caption = element("caption", {}, "Composite modes of the stacked tasks");
    return element("table", {}, caption, element("thead", {}, row("th", ["strength", "share on the head of A", "seen"])), element("tbody", {}, ...body));
  }

  const top = (...values) => 1.08 * Math.max(...values);

  function curvesData({ times, single, joint, alone, together }, { method }) {
    const marks = method === "stop"
      ? [{ x: alone.time, y: alone.error, colour: "single" }, { x: together.time, y: together.error, colour: "multi" }]
      : [{ y: alone.error, text: "alone, shrunk", colour: "single" }, { y: together.error, text: "together, shrunk", colour: "multi", late: true }];
    const high = Math.min(top(1, ...single, ...joint), 1.5 * Math.max(1, together.error));
    return {
      x: times, lines: [single, joint], marks, range: { x: [0, times.at(-1)], y: [0, high] },
      words: `Error of task A over training time. Its least value is ${digits(Math.min(...single))} alone and ${digits(Math.min(...joint))} together.`,
    };
  }

  function modesData({ modes, seen }, { sA }) {
    const right = top(...modes.map(({ strength }) => strength), seen.together, sA);
    return {
      x: [0, right], lines: [[null, null]], range: { x: [0, right], y: [-0.05, 1.15] },
      marks: [{ x: seen.together, text: "seen" }, ...modes.map(({ strength, share, visible }) => (
        { x: strength, y: share, stem: true, colour: visible ? "multi" : "noise" }
      ))],
      words: modes.map(({ strength, share }) => `A mode of strength ${digits(strength)} has the share ${digits(share)} on the head of A.`).join(" "),
    };
  }

  function sliceData({ slice, benefit }, { q }) {
    if (!slice) return null;
    const values = slice.points.map((point) => point.benefit);
    const [low, high] = [Math.min(0, benefit, ...values), Math.max(0, benefit, ...values)];
    const room = 0.12 * Math.max(high - low, 10 * SEEN);
    return {
      x: slice.points.map((point) => point.q), lines: [values], range: { x: [0, 1], y: [low - room, high + room] },
      marks: [{ y: 0, text: "" }, ...slice.turns.map((turn) => ({ x: turn.q, text: digits(turn.q, 3) })), { x: q, y: benefit }],
      words: `Benefit for task A over similarity: ${turnWords(slice)}.`,
    };
  }

  function mapData({ map, benefit }, { sB, q }) {
    const text = `Sign of the benefit over the strength of B and the similarity; at this setting it is ${signed(benefit)}.`;
    return { ...(map || {}), seen: SEEN, point: [sB, q], words: text };
  }

  const { lines, map } = mtl.plots;
  const plots = [
    {
      id: "map", data: mapData,
      make: map({
        title: "Help and harm for A", x: "strength of B", y: "similarity q", xLog: true,
        range: { x: [STRENGTH.low, STRENGTH.high], y: [0, 1] },
        key: [["cell", "helps", "+ helps A"], ["cell", "harms", "− harms A"], ["dot", "ink", "your setting (click to move it)"]],
        picked: (sB, q) => ({ sB: Number(sB.toPrecision(3)), q: Number(q.toFixed(3)) }),
      }),
    },
    {
      id: "curves", data: curvesData,
      make: lines({
        title: "Error of A while it is trained", x: "time", y: "error of A", lines: ["single", "multi"],
        key: [["line", "single", "alone"], ["line", "multi", "together"]],
      }),
    },
    {
      id: "modes", data: modesData,
      make: lines({
        title: "Composite modes, and their share on the head of A", x: "strength", y: "share", lines: ["multi"],
        key: [["dot", "multi", "seen in the noise"], ["dot", "noise", "lost in it"]],
      }),
    },
    {
      id: "slice", data: sliceData,
      make: lines({
        title: "Benefit over similarity", x: "similarity q", y: "benefit", lines: ["theory"],
        key: [["line", "theory", "benefit for A"], ["dot", "ink", "your setting"]],
      }),
    },
  ];

  mtl.views = mtl.views || {};
  mtl.views.transfer = { dials, examples, answer, later, sentence, numbers, plots };
})();
