// The explorer of finetuning: on which feature a pretrained network rests its answer. Dials, words and pictures over
// bias-formulas.js.
(() => {
  "use strict";
  const mtl = (window.mtl = window.mtl || {});
  const { element } = mtl;
  const { linear, geometric } = mtl.numerics;
  const { penalty, prepared, finetuned, printed, fromScratch, probed, multiTask, orders } = mtl.bias;

  const SEEN = 0.02; // a smaller change of the share counts as none
  const AUX = { low: 1e-4, high: 10, log: true };
  const FACTOR = { low: 0.01, high: 10, log: true };
  const INPUT = { low: 0.05, high: 1.5 };
  const AUXES = geometric(AUX.low, AUX.high, 61);
  const FACTORS = geometric(FACTOR.low, FACTOR.high, 61);
  const MAP_AUX = geometric(AUX.low, AUX.high, 33);
  const MAP_INPUT = linear(INPUT.low, INPUT.high, 30);
  const COEFFICIENTS = linear(-1, 1, 121);

  const dials = [
    { id: "b", label: "coefficient of the old feature in pretraining, {β_aux}", ...AUX, start: 1 },
    { id: "x", label: "input of the old feature, {x} (the new one has 1)", ...INPUT, start: 0.5 },
    { id: "a", label: "scale of all weights before pretraining, {α}", low: 1e-4, high: 1, log: true, start: 1e-3 },
    { id: "g", label: "readout after the reset, {γ}", low: 1e-4, high: 3, log: true, start: 1e-2 },
    { id: "r", label: "factor on the first layer after pretraining, {s}", ...FACTOR, start: 1 },
  ];

  const examples = [
    ["a small factor: nested", { r: 0.1 }],
    ["a large factor: lazy", { r: 10 }],
    ["a large readout", { g: 3, r: 0.3 }],
    ["large weights before pretraining", { a: 1, r: 0.03 }],
    ["a feature hardly used before", { b: 1e-4 }],
    ["the old feature is the better one", { b: 0.01, x: 1.2 }],
  ];

  const setting = ({ b, x, a, g, r }) => ({ aux: b, x, scale: a, readout: g, factor: r });
  const METHODS = { finetuned, printed, probed, multiTask, fromScratch };
  const shares = (given) => Object.fromEntries(Object.entries(METHODS).map(([name, share]) => [name, share(given)]));

  // A penalty as a part of its largest value on the way.
  function shape(width, start) {
    const values = COEFFICIENTS.map((beta) => penalty(beta, width, start));
    const most = Math.max(...values);
    return values.map((value) => value / most);
  }

  // Everything that is shown at once, as numbers.
  function answer(state) {
    const given = setting(state);
    const [old, fresh] = [prepared(given, given.aux), prepared(given, 0)];
    const byAux = AUXES.map((aux) => ({ ...given, aux }));
    const byFactor = FACTORS.map((factor) => ({ ...given, factor }));
    return {
      ...shares(given), ...orders(given), width: old.width, widthNew: fresh.width, start: old.start, widthPrinted: old.printed,
      shapes: [shape(old.width, old.start), shape(fresh.width, 0), shape(old.printed, 0)],
      auxCurves: [finetuned, printed, multiTask, fromScratch].map((share) => byAux.map(share)),
      factorCurves: [finetuned, printed, probed].map((share) => byFactor.map(share)),
    };
  }

  function* later(state) {
    const values = [];
    for (const aux of MAP_AUX) {
      values.push([]);
      for (const x of MAP_INPUT) values.at(-1).push(finetuned({ ...setting(state), aux, x }) - 0.5);
      yield;
    }
    return { map: { x: MAP_AUX, y: MAP_INPUT, values } };
  }

  const digits = (value) => (value !== 0 && (Math.abs(value) < 0.01 || Math.abs(value) >= 1e4) ? value.toExponential(2) : value.toFixed(4));
  const percent = (value) => `${(100 * value).toFixed(1)} %`;

  // The regime of the old feature: its width against a coefficient of 1, and who sets the width.
  function regime({ width, share }) {
    const pretrained = share > 0.5;
    if (width < 1) return pretrained ? "nested: sparse, and cheaper on what was learned" : "rich: sparse, pretraining hardly matters";
    return pretrained ? "lazy on what was learned" : "lazy around the start";
  }

  function sentence(found) {
    const { finetuned: tuned, fromScratch: scratch } = found;
    const text = `the old feature carries ${percent(tuned)} of the label after finetuning, ${percent(scratch)} from scratch. Its penalty is ${regime(found)}.`;
    if (Math.abs(tuned - scratch) < SEEN) return { tone: "none", text: `± Pretraining makes no difference: ${text}` };
    return tuned > scratch
      ? { tone: "helps", text: `+ Finetuning reuses: ${text}` }
      : { tone: "harms", text: `− Finetuning relies less on it than training from scratch: ${text}` };
  }

  const list = (rows) => element("dl", {}, ...rows.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));

  function numbers(found) {
    return [
      list([
        ["Share of the old feature: finetuned", percent(found.finetuned)],
        ["by the printed penalty", percent(found.printed)],
        ["readout only (linear probing)", percent(found.probed)],
        ["both tasks together (ℓ1,2)", percent(found.multiTask)],
        ["from scratch", percent(found.fromScratch)],
      ]),
      list([
        ["Width κ of the old feature", digits(found.width)],
        ["Width as printed", digits(found.widthPrinted)],
        ["Width of the new feature", digits(found.widthNew)],
        ["Start β₀ of the old feature", digits(found.start)],
        ["Order of its penalty at 1", found.order.toFixed(3)],
        ["Dependence on pretraining", found.dependence.toFixed(3)],
      ]),
    ];
  }

  const ends = (values) => [values[0], values.at(-1)];
  const UNIT = [-0.03, 1.1];

  // Shares may leave 0 to 1 where finetuning starts far from zero.
  function shareRange(curves) {
    const all = curves.flat();
    return [Math.max(-3, Math.min(UNIT[0], ...all)), Math.min(4, Math.max(UNIT[1], ...all))];
  }

  function auxData({ auxCurves, finetuned: share }, { b }) {
    return {
      x: AUXES, lines: auxCurves, marks: [{ x: b, y: share }], range: { x: ends(AUXES), y: shareRange(auxCurves) },
      words: `Share of the old feature over its coefficient in pretraining: finetuned from ${percent(auxCurves[0][0])} to ${percent(auxCurves[0].at(-1))}, here ${percent(share)}.`,
    };
  }

  function factorData({ factorCurves, finetuned: share }, { r }) {
    return {
      x: FACTORS, lines: factorCurves, marks: [{ x: r, y: share }], range: { x: ends(FACTORS), y: shareRange(factorCurves) },
      words: `Share of the old feature over the factor on the first layer: finetuned from ${percent(factorCurves[0][0])} to ${percent(factorCurves[0].at(-1))}, here ${percent(share)}.`,
    };
  }

  function shapeData({ shapes, width, start, order }) {
    const marks = Math.abs(start) <= 1 ? [{ x: start, text: "start" }] : [];
    return {
      x: COEFFICIENTS, lines: shapes, marks, range: { x: [-1, 1], y: [0, 1.05] },
      words: `Shape of the penalties over a coefficient from -1 to 1: the old feature has width ${digits(width)}, start ${digits(start)} and order ${order.toFixed(2)} at 1.`,
    };
  }

  function mapData({ map, finetuned: share }, { b, x }) {
    const text = `Which feature carries more than half of the label, over the coefficient in pretraining and the input; here the old one has ${percent(share)}.`;
    return { ...(map || {}), seen: 0.01, point: [b, x], words: text };
  }

  const { lines, map } = mtl.plots;
  const plots = [
    {
      id: "map", data: mapData,
      make: map({
        title: "Which feature the network rests on", x: "coefficient in pretraining", y: "input of the old feature", xLog: true,
        range: { x: [AUX.low, AUX.high], y: [INPUT.low, INPUT.high] },
        key: [["cell", "helps", "+ more on the old one"], ["cell", "harms", "− more on the new one"], ["dot", "ink", "your setting (click to move it)"]],
        picked: (b, x) => ({ b: Number(b.toPrecision(3)), x: Number(x.toFixed(3)) }),
      }),
    },
    {
      id: "shape", data: shapeData,
      make: lines({
        title: "Shape of the penalty", x: "coefficient after finetuning", y: "penalty, as a part of its most",
        lines: ["helps", "single", "ink"], dashed: ["ink"],
        key: [["line", "helps", "old feature"], ["line", "single", "new feature"], ["dash", "ink", "old one, as printed"]],
      }),
    },
    {
      id: "aux", data: auxData,
      make: lines({
        title: "Share over the coefficient in pretraining", x: "coefficient in pretraining", y: "share of the old feature", xLog: true,
        lines: ["helps", "ink", "multi", "single"], dashed: ["ink"],
        key: [["line", "helps", "finetuned"], ["dash", "ink", "as printed"], ["line", "multi", "both tasks together"], ["line", "single", "from scratch"], ["dot", "ink", "your setting"]],
      }),
    },
    {
      id: "factor", data: factorData,
      make: lines({
        title: "Share over the factor on the first layer", x: "factor after pretraining", y: "share of the old feature", xLog: true,
        lines: ["helps", "ink", "theory"], dashed: ["ink"],
        key: [["line", "helps", "finetuned"], ["dash", "ink", "as printed"], ["line", "theory", "readout only"], ["dot", "ink", "your setting"]],
      }),
    },
  ];

  mtl.views = mtl.views || {};
  mtl.views.bias = { dials, examples, answer, later, sentence, numbers, plots, small: { dials: ["b", "x"], plots: ["map"] } };
})();
