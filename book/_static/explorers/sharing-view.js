// The explorer of shared directions: what two tasks gain or lose by one. Dials, words and pictures over sharing-formulas.js.
(() => {
  "use strict";
  const mtl = (window.mtl = window.mtl || {});
  const { element } = mtl;
  const { linear, geometric } = mtl.numerics;
  const { atRatio, shared, pooled, alone, benefit } = mtl.sharing;

  const SEEN = 1e-4; // a smaller part of both risks counts as none
  const SOURCE = { low: 0.2, high: 100, log: true };
  const NOISE = { low: 0.05, high: 5, log: true };
  const SIZES = geometric(SOURCE.low, SOURCE.high, 61);
  const RATIOS = geometric(0.1, 10, 61);
  const NOISES = geometric(NOISE.low, NOISE.high, 33);
  const COSINES = linear(0, 1, 29);

  const dials = [
    { id: "m", label: "source: examples for each input, {n_1}/{d}", ...SOURCE, start: 4 },
    { id: "n", label: "target: examples for each input, {n_2}/{d}", low: 1.3, high: 50, log: true, start: 3 },
    { id: "p", label: "source: noise, {σ_1}", ...NOISE, start: 1 },
    { id: "s", label: "target: noise, {σ_2}", ...NOISE, start: 1 },
    { id: "c", label: "cosine of the two models", low: 0, high: 1, start: 0.8 },
    { id: "v", label: "stretch of the source's inputs, {v}", low: 1, high: 30, log: true, start: 1 },
  ];

  const examples = [
    ["a large source of another model", { m: 50, s: 0.5, p: 0.5, c: 0.8 }],
    ["one model, small stretched source", { m: 1, c: 1, v: 10 }],
    ["one model, large stretched source", { m: 20, c: 1, v: 10 }],
    ["many examples of both", { m: 40, n: 40, s: 3, p: 3, c: 0.9 }],
    ["tasks without relation", { c: 0 }],
    ["source and target exchanged", ({ m, n, p, s }) => ({ m: n, n: Math.max(m, 1.3), p: s, s: p })],
  ];

  const setting = ({ m, n, p, s, c, v }) => ({ n1: m, n2: n, noise1: p, noise2: s, cosine: c, stretch: v });

  // Everything that is shown at once, as numbers.
  function answer(state) {
    const given = setting(state);
    const { ratio, risk } = shared(given);
    const curves = RATIOS.map((one) => atRatio(given, Math.log(one)));
    const sizes = SIZES.map((n1) => ({ ...given, n1 }));
    const examplesOfBoth = state.m + state.n;
    return {
      alone: alone(given), shared: risk, pooled: pooled(given), ratio, benefit: benefit(given),
      risks: curves.map((one) => one.risk), losses: curves.map((one) => one.loss / examplesOfBoth),
      bySize: sizes.map((one) => shared(one).risk), bySizePooled: sizes.map(pooled),
    };
  }

  function* later(state) {
    const given = setting(state);
    const values = [];
    for (const noise2 of NOISES) {
      values.push([]);
      for (const cosine of COSINES) {
        values.at(-1).push(benefit({ ...given, noise2, noise1: (noise2 * state.p) / state.s, cosine }));
        yield;
      }
    }
    return { map: { x: NOISES, y: COSINES, values } };
  }

  const digits = (value) => (value !== 0 && Math.abs(value) < 0.01 ? value.toExponential(2) : value.toFixed(4));
  const signed = (value) => `${value > 0 ? "+" : "−"}${Math.abs(value).toFixed(4)}`;

  function sentence({ alone: one, shared: both, benefit: gain }) {
    const risks = `alone the target has the risk ${digits(one)}, with a shared direction ${digits(both)}`;
    if (Math.abs(gain) < SEEN) return { tone: "none", text: `± No difference: ${risks}.` };
    return gain > 0 ? { tone: "helps", text: `+ Yes, share: ${risks}.` } : { tone: "harms", text: `− No, do not share: ${risks}.` };
  }

  function numbers(found) {
    const rows = [
      ["Risk of the target alone", digits(found.alone)],
      ["Risk with a shared direction and fitted heads", digits(found.shared)],
      ["Ratio of the heads, target to source", found.ratio < 1e-5 ? "0" : found.ratio > 1e5 ? "∞" : digits(found.ratio)],
      ["Risk if both are pooled as one task", digits(found.pooled)],
      ["Benefit, as a part of both risks", signed(found.benefit)],
    ];
    return [element("dl", {}, ...rows.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]))];
  }

  const ends = (values) => [values[0], values.at(-1)];

  function sizeData({ bySize, bySizePooled, alone: one, shared: both }, { m }) {
    return {
      x: SIZES, lines: [bySize, bySizePooled], range: { x: ends(SIZES), y: [0, Math.min(1.1 * Math.max(one, ...bySize, ...bySizePooled), 3 * Math.max(one, both))] },
      marks: [{ y: one, text: "alone", colour: "single" }, { x: m, y: both }],
      words: `Risk of the target over the size of the source: ${digits(bySize[0])} at the left, ${digits(bySize.at(-1))} at the right, alone ${digits(one)}.`,
    };
  }

  function ratioData({ risks, losses, ratio, shared: both }) {
    const marks = ratio > RATIOS[0] && ratio < RATIOS.at(-1) ? [{ x: ratio, text: "least loss" }, { x: ratio, y: both }] : [];
    return {
      x: RATIOS, lines: [risks, losses], marks,
      range: { x: ends(RATIOS), y: [0, 1.1 * Math.max(2.5 * both, ...losses)] },
      words: `Risk and training loss over the ratio of the heads; the loss is least at ${digits(ratio)}, where the risk is ${digits(both)}.`,
    };
  }

  function mapData({ map, benefit: gain }, { s, c }) {
    const text = `Sign of the benefit over the noise and the cosine of the models; at this setting it is ${signed(gain)}.`;
    return { ...(map || {}), seen: SEEN, point: [s, c], words: text };
  }

  const { lines, map } = mtl.plots;
  const plots = [
    {
      id: "map", data: mapData,
      make: map({
        title: "Help and harm for the target", x: "noise of the target", y: "cosine of the models", xLog: true,
        range: { x: [NOISE.low, NOISE.high], y: [0, 1] },
        key: [["cell", "helps", "+ sharing helps"], ["cell", "harms", "− sharing harms"], ["dot", "ink", "your setting (click to move it)"]],
        picked: (s, c) => ({ s: Number(s.toPrecision(3)), c: Number(c.toFixed(3)) }),
      }),
    },
    {
      id: "sizes", data: sizeData,
      make: lines({
        title: "Risk over the size of the source", x: "source examples for each input", y: "risk of the target", xLog: true,
        lines: ["multi", "noise"],
        key: [["line", "multi", "heads fitted"], ["line", "noise", "pooled as one task"], ["dot", "ink", "your setting"]],
      }),
    },
    {
      id: "ratio", data: ratioData,
      make: lines({
        title: "Risk and loss over the ratio of the heads", x: "ratio, target to source", y: "risk, loss per example", xLog: true,
        lines: ["multi", "noise"],
        key: [["line", "multi", "risk of the target"], ["line", "noise", "training loss"], ["dot", "ink", "where training ends"]],
      }),
    },
  ];

  mtl.views = mtl.views || {};
  mtl.views.sharing = { dials, examples, answer, later, sentence, numbers, plots, small: { dials: ["s", "c"], plots: ["map"] } };
})();
