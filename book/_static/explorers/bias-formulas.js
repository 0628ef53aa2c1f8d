// Formulas of the explorer of finetuning: widths, start and penalty of two features, one that pretraining used and one that it did
// not, and what each method gives them where the main task has one example, x β_old + β_new = 1; those of
// `mtlbook_lib.theory.implicit_bias` and `interpolation`.
(() => {
  "use strict";
  const mtl = (window.mtl = window.mtl || {});
  const { zero } = mtl.numerics;

  const HALVINGS = 90;
  const SERIES = [20, 42, 72, 110, 156, 210, 272]; // sinh h − h = h³/6 (1 + h²/20 (1 + h²/42 (...)))

  function sineExcess(h) {
    return ((h * h * h) / 6) * SERIES.reduceRight((sum, factor) => 1 + ((h * h) / factor) * sum, 1);
  }

  // Twice the Bregman divergence of β from its start, without cancellation near the start.
  function penalty(beta, width, start) {
    const h = Math.asinh(beta / width) - Math.asinh(start / width);
    const [end, begin] = [Math.hypot(beta, width), Math.hypot(start, width)];
    if (Math.abs(h) < 1) return 2 * (2 * end * Math.sinh(h / 2) ** 2 - beta * sineExcess(h));
    return 2 * (beta * h - (beta - start) * ((beta + start) / (end + begin)));
  }

  // Width and start of a feature with the coefficient `aux` after pretraining, a factor on the first layer, and the reset.
  function prepared({ scale, readout, factor }, aux) {
    const root = Math.hypot(aux, 2 * scale ** 2);
    const square = factor ** 2;
    return {
      width: Math.hypot((square * aux) / 2, square * scale ** 2 + readout ** 2),
      start: (readout * factor * aux) / Math.sqrt(2 * scale ** 2 + root),
      energy: square * root,
      printed: square * Math.abs(aux) + readout ** 2,
    };
  }

  // The part of the label that rests on the old feature at the least penalty: the coefficients are κ sinh(asinh(β₀/κ) + λ x), and
  // the fit rises with λ.
  function byPenalty(x, old, fresh) {
    const angle = Math.asinh(old.start / old.width);
    const coefficient = (multiplier) => old.width * Math.sinh(angle + multiplier * x);
    const surplus = (multiplier) => x * coefficient(multiplier) + fresh.width * Math.sinh(multiplier) - 1;
    const [low, high] = [Math.asinh(Math.min(0, 1 - x * old.start) / fresh.width), Math.asinh(1 / fresh.width)];
    return x * coefficient(zero(surplus, low, high, HALVINGS));
  }

  const finetuned = (given) => byPenalty(given.x, prepared(given, given.aux), prepared(given, 0));

  function printed(given) {
    const [old, fresh] = [given.aux, 0].map((aux) => ({ width: prepared(given, aux).printed, start: 0 }));
    return byPenalty(given.x, old, fresh);
  }

  function fromScratch({ scale, x }) {
    const feature = { width: 2 * scale ** 2, start: 0 };
    return byPenalty(x, feature, feature);
  }

  // Least Σ (β − β₀)²/(u₊² + u₋²): only the readout is trained.
  function probed(given) {
    const { x } = given;
    const [old, fresh] = [prepared(given, given.aux), prepared(given, 0)];
    const step = (1 - x * old.start) / (old.energy * x * x + fresh.energy);
    return x * (old.start + old.energy * x * step);
  }

  // Least sqrt(β_old² + aux²) + |β_new|: a new feature costs 1 for each unit, an old one up to x for each unit of the label.
  function multiTask({ x, aux }) {
    return x >= 1 ? 1 : Math.min(1, (aux * x * x) / Math.sqrt(1 - x * x));
  }

  // How the penalty of a feature grows at the coefficient 1, the start left out: its order, and what a larger coefficient of
  // pretraining does to it.
  function orders(given) {
    const { width } = prepared(given, given.aux);
    const order = (2 * Math.asinh(1 / width)) / penalty(1, width, 0);
    const share = ((given.factor ** 2 * given.aux) / 2 / width) ** 2;
    return { order, dependence: (1 - order) * share, share };
  }

  mtl.bias = { penalty, prepared, finetuned, printed, fromScratch, probed, multiTask, orders };
})();
