// Formulas of the explorer of classifiers: gain, generalisation loss, agreement of labels, learning, and a second task; those of
// `mtlbook_lib.theory.softmax` and `mtlbook_lib.theory.classification`.
(() => {
  "use strict";
  const mtl = (window.mtl = window.mtl || {});
  const { zero } = mtl.numerics;
  const { density, quickNormal } = mtl.softmax;

  const made = new Map();
  const curvesOf = (k) => {
    if (!made.has(k)) made.set(k, mtl.softmax.curves(k));
    return made.get(k);
  };

  const remGain = (s, k) => Math.min(1, Math.sqrt(2 * Math.log(k)) / s) / (k - 1);
  function interpolatedGain(s, k) {
    const power = 1.6 + 0.305 * Math.log(k);
    const ratio = (s * (k - 1)) / (k * curvesOf(k).top);
    const [small, large] = [Math.min(ratio, 1), Math.max(ratio, 1)];
    return ((1 / large) ** power + small ** power) ** (-1 / power) / large / k;
  }

  // Loss of logits of norm `scale` whose overlap with the teacher's is `overlap`; where it is least over the scale.
  const loss = (scale, overlap, k) => curvesOf(k).excess(scale) + scale * (1 - overlap) * curvesOf(k).top;
  function bestScale(overlap, k) {
    const { top, gain, deficit } = curvesOf(k);
    // Negative below the best scale, without a difference of nearly equal terms at either end.
    const slope = (logScale) => {
      const scale = Math.exp(logScale);
      return overlap < 0.5 ? ((k - 1) * scale * gain(scale)) / (overlap * top) - 1 : 1 - deficit(scale) / ((1 - overlap) * top);
    };
    let start = Math.log((overlap * top * k) / (k - 1)) - 1e-3;
    while (slope(start + 1) < 0) start += 1;
    return Math.exp(zero(slope, start, start + 1));
  }
  function best(overlap, k) {
    const scale = bestScale(overlap, k);
    return { scale, loss: loss(scale, overlap, k) };
  }

  // Overlaps of logits with those of the clean teacher: of the noisy teacher, after one step of descent, with a second task.
  const teacherOverlap = (snr) => snr / Math.hypot(1, snr);
  function oneStepOverlap(examples, features, k) {
    const signal = curvesOf(k).top / (k - 1);
    return signal / Math.hypot(signal, Math.sqrt(features / (k * examples)));
  }
  function denoisedOverlap(snr, related, k, features) {
    const across = Math.sqrt((1 - related) * (1 + related));
    const cosine = (signal, variance) => (signal > 0 ? signal / Math.hypot(signal, Math.sqrt(variance)) : 0);
    const share = k / features;
    return Math.min(1, Math.hypot(related * cosine(snr * related, share), across * cosine(snr * across, 1 - share)));
  }
  const denoisingBenefit = (snr, related, k, features) => (
    best(teacherOverlap(snr), k).loss - best(denoisedOverlap(snr, related, k, features), k).loss);

  // Chance that two sets of logits of a given overlap have the same largest one. Thresholds x, y are alpha a +- beta b; the chance
  // that either is exceeded is integrated from a far difference b, where it is that of the lower threshold alone.
  const STEP = 1 / 8;
  const GAUSS = [[0.06943184420297371, 0.17392742256872693], [0.33000947820757187, 0.32607257743127307]];
  const nodes = [...GAUSS, ...GAUSS.map(([place, weight]) => [1 - place, weight])];
  function agreement(overlap, k) {
    const [alpha, beta] = [Math.sqrt((1 + overlap) / 2), Math.sqrt((1 - overlap) / 2)];
    const reach = Math.sqrt(2 * (28 + Math.log(k)));
    const count = Math.ceil(reach / STEP);
    const extreme = 2 * Math.sqrt(Math.log(k) / (1 + overlap));
    let sum = 0;
    for (let a = (0.5 - count) * STEP; a < reach + extreme; a += STEP) {
      let b = (count + 0.5) * STEP;
      let above = quickNormal(-(alpha * a - beta * b));
      const weight = density(a);
      for (let i = count; i >= 0; i -= 1) {
        sum += weight * density(b) * Math.exp((k - 1) * Math.log1p(-Math.min(above, 1 - 2 ** -53)));
        if (i === 0) break;
        let change = 0;
        for (const [place, share] of nodes) {
          const c = b - STEP * place;
          change += share * (density(alpha * a + beta * c) * quickNormal(beta * a - alpha * c) - density(alpha * a - beta * c) * quickNormal(beta * a + alpha * c));
        }
        above += STEP * beta * change;
        b -= STEP;
      }
    }
    return Math.min(1, 2 * STEP * STEP * k * sum);
  }

  mtl.classes = {
    curvesOf, remGain, interpolatedGain, loss, best, teacherOverlap, oneStepOverlap, denoisedOverlap, denoisingBenefit, agreement,
  };
})();
