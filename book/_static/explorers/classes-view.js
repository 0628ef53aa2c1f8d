// The explorer of classifiers: what k classes, noise, examples and a second task do to the loss. Dials, words and pictures over
// classes-formulas.js.
(() => {
  "use strict";
  const mtl = (window.mtl = window.mtl || {});
  const { element } = mtl;
  const { linear, geometric } = mtl.numerics;
  const {
    curvesOf, remGain, interpolatedGain, loss, best, teacherOverlap, oneStepOverlap, denoisedOverlap, agreement,
  } = mtl.classes;

  const SEEN = 1e-3; // nats: a smaller benefit counts as none
  const NORMS = geometric(0.05, 100, 121);
  const STRENGTHS = geometric(0.1, 20, 25);
  const SIZES = geometric(1, 10000, 61);
  const RELATED = linear(0, 1, 31);

  const dials = [
    { id: "k", label: "classes, {k}", low: 2, high: 1000, log: true, whole: true, start: 10 },
    { id: "s", label: "signal-to-noise ratio of the teacher, {s}", low: 0.1, high: 20, log: true, start: 1 },
    { id: "n", label: "examples per class, {n}", low: 1, high: 10000, log: true, whole: true, start: 40 },
    { id: "x", label: "features per class", low: 2, high: 100, whole: true, start: 10 },
    { id: "r", label: "relatedness of the second task, {r}", low: 0, high: 1, start: 1 },
    { id: "c", label: "norm of your logits, {c}", low: 0.05, high: 100, log: true, start: 1 },
  ];

  const examples = [
    ["two classes", { k: 2 }],
    ["a thousand classes, near freezing", { k: 1000, c: 3.7 }],
    ["a clean teacher and many examples", { s: 20, n: 10000, c: 20 }],
    ["a teacher lost in the noise", { s: 0.2 }],
    ["a second task no better than chance", { r: 0.316 }],
  ];

  // Everything that is shown at once, as numbers.
  function answer({ k, s, n, x, r, c }) {
    const features = x * k;
    const teacher = teacherOverlap(s);
    const step = oneStepOverlap(n * k, features, k);
    const learned = teacher * step;
    const helped = denoisedOverlap(s, r, k, features);
    const [endless, few, together] = [teacher, learned, helped].map((overlap) => best(overlap, k));
    return {
      gains: [curvesOf(k).gain(c), remGain(c, k), interpolatedGain(c, k)],
      exact: NORMS.map((norm) => curvesOf(k).gain(norm)),
      rem: NORMS.map((norm) => remGain(norm, k)),
      interpolated: NORMS.map((norm) => interpolatedGain(norm, k)),
      teacher, step, learned, helped, endless, few, together,
      benefit: endless.loss - together.loss,
      loss: loss(c, learned, k),
      losses: NORMS.map((norm) => loss(norm, learned, k)),
      ideal: NORMS.map((norm) => loss(norm, teacher, k)),
      steps: SIZES.map((size) => oneStepOverlap(size * k, features, k)),
      agreement: agreement(teacher, k),
    };
  }

  function* later({ k, s, x }) {
    const alone = best(teacherOverlap(s), k).loss;
    const benefits = [];
    for (const related of RELATED) {
      benefits.push(alone - best(denoisedOverlap(s, related, k, x * k), k).loss);
      yield;
    }
    const agreements = [];
    for (const strength of STRENGTHS) {
      agreements.push(agreement(teacherOverlap(strength), k));
      yield;
    }
    return { benefits, agreements };
  }

  const digits = (value, count = 3) => value.toFixed(count).replace(/^-(0\.?0*)$/, "$1");
  const percent = (value) => `${digits(100 * value, 1)} %`;

  function sentence({ few, endless, together, benefit }) {
    const step = `One step on these examples reaches ${digits(few.loss)}.`;
    return benefit > SEEN
      ? {
          tone: "helps",
          text: `+ With endless examples a second task helps, by ${digits(benefit)} nats: ` +
            `loss ${digits(together.loss)} in place of ${digits(endless.loss)}. ${step}`,
        }
      : { tone: "none", text: `± Even with endless examples, a second task adds nothing to ${digits(endless.loss)}. ${step}` };
  }

  function numbers(found, { c, s }) {
    const [exact, rem, interpolated] = found.gains;
    const rows = [
      [`Gain at norm ${c}: exact`, digits(exact, 5)],
      ["Gain, random energy model", `${digits(rem, 5)} (${percent(rem / exact - 1)} off)`],
      ["Gain, interpolated", `${digits(interpolated, 5)} (${percent(interpolated / exact - 1)} off)`],
      [`Labels unchanged at signal-to-noise ratio ${s}`, percent(found.agreement)],
      ["Overlap with the clean teacher: noisy teacher", digits(found.teacher, 4)],
      ["Overlap after one step on these examples", digits(found.learned, 4)],
      [`Loss after one step, at norm ${c}`, digits(found.loss, 4)],
      ["Least loss after one step", `${digits(found.few.loss, 4)} at norm ${digits(found.few.scale, 2)}`],
      ["Least loss with endless examples", `${digits(found.endless.loss, 4)} at norm ${digits(found.endless.scale, 2)}`],
      ["The same with a second task", `${digits(found.together.loss, 4)} at norm ${digits(found.together.scale, 2)}`],
      ["Benefit of the second task", digits(found.benefit, 4)],
    ];
    return [element("dl", {}, ...rows.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]))];
  }

  const top = (...values) => 1.1 * Math.max(...values);
  const ends = (values) => [values[0], values.at(-1)];

  function gainData({ exact, rem, interpolated, gains }, { c, k }) {
    return {
      x: NORMS, lines: [rem, interpolated, exact], range: { x: ends(NORMS), y: [0, top(...rem)] },
      marks: [{ x: Math.sqrt(2 * Math.log(k)), text: "freezing" }, { x: c, y: gains[0] }],
      words: `Gain of the softmax over the norm of the logits; at ${c} it is ${digits(gains[0], 4)}, the random energy model says ${digits(gains[1], 4)}.`,
    };
  }

  function lossData({ losses, ideal, few, loss: here }, { c, k }) {
    return {
      x: NORMS, lines: [losses, ideal], range: { x: ends(NORMS), y: [0, 1.6 * Math.log(k)] },
      marks: [{ y: Math.log(k), text: "chance", late: false }, { x: few.scale, y: few.loss, colour: "single" }, { x: c, y: here }],
      words: `Loss on clean labels over the norm of the logits. Its least value after one step is ${digits(few.loss)}.`,
    };
  }

  function learnData({ steps, step }, { n }) {
    return {
      x: SIZES, lines: [steps], range: { x: ends(SIZES), y: [0, 1.05] }, marks: [{ x: n, y: step }],
      words: `Overlap with the labels' teacher after one step over the examples per class; here ${digits(step)}.`,
    };
  }

  function agreementData({ agreements, agreement: here }, { s }) {
    if (!agreements) return null;
    return {
      x: STRENGTHS, lines: [agreements], range: { x: ends(STRENGTHS), y: [0, 1.05] }, marks: [{ x: s, y: here }],
      words: `Share of labels that the noise leaves unchanged over the signal-to-noise ratio; here ${percent(here)}.`,
    };
  }

  function benefitData({ benefits, benefit }, { r, x }) {
    if (!benefits) return null;
    return {
      x: RELATED, lines: [benefits], range: { x: [0, 1], y: [0, top(...benefits, 0.01)] },
      marks: [{ x: Math.sqrt(1 / x), text: "chance" }, { x: r, y: benefit }],
      words: `Benefit of a second task at endless examples over its relatedness; here ${digits(benefit)} nats.`,
    };
  }

  const { lines } = mtl.plots;
  const you = ["dot", "ink", "your setting"];
  const plots = [
    {
      id: "gain", data: gainData,
      make: lines({
        title: "Gain of the softmax", x: "norm of the logits", y: "gain", xLog: true, lines: ["noise", "single", "theory"],
        dashed: ["theory"],
        key: [["dash", "theory", "exact"], ["line", "noise", "random energy model"], ["line", "single", "interpolated"], you],
      }),
    },
    {
      id: "loss", data: lossData,
      make: lines({
        title: "Loss on clean labels", x: "norm of the logits", y: "loss (nats)", xLog: true, lines: ["single", "theory"],
        dashed: ["theory"],
        key: [["line", "single", "after one step"], ["dash", "theory", "endless examples"], you],
      }),
    },
    {
      id: "learning", data: learnData,
      make: lines({
        title: "What one step learns of its labels' teacher", x: "examples per class", y: "overlap", xLog: true, lines: ["single"],
        key: [["line", "single", "after one step"], you],
      }),
    },
    {
      id: "agreement", data: agreementData,
      make: lines({
        title: "Labels that the noise leaves unchanged", x: "signal-to-noise ratio", y: "share", xLog: true, lines: ["theory"],
        key: [["line", "theory", "share of the labels"], you],
      }),
    },
    {
      id: "benefit", data: benefitData,
      make: lines({
        title: "A second task at endless examples", x: "relatedness r", y: "benefit (nats)", lines: ["multi"],
        key: [["line", "multi", "benefit for the first task"], you],
      }),
    },
  ];

  mtl.views = mtl.views || {};
  mtl.views.classes = { dials, examples, answer, later, sentence, numbers, plots, small: { dials: ["k", "c"], plots: ["gain"] } };
})();
