// Formulas of the explorer of shared directions: the limit of risk and loss for two tasks with Gaussian inputs, and the ratio of
// the heads at the least loss; those of `mtlbook_lib.theory.hard_sharing`. Examples are counted for each input.
(() => {
  "use strict";
  const mtl = (window.mtl = window.mtl || {});
  const { linear } = mtl.numerics;

  const FAR = 14; // logarithm of a ratio of the heads that stands for 0 or infinity
  const GRID = linear(-FAR, FAR, 189);
  const GOLDEN = (Math.sqrt(5) - 1) / 2;
  const logistic = (z) => (z < 0 ? Math.exp(z) / (1 + Math.exp(z)) : 1 / (1 + Math.exp(-z)));

  // The source's shares of the two kinds of directions, and the logit of its part of the spare examples: Newton's steps, halvings
  // of the bracket where they would leave it.
  function divide({ n1, n2 }, logits) {
    const spare = n1 + n2 - 1;
    let [low, high, root] = [-800, 800, 0];
    for (let round = 0; round < 200; round += 1) {
      const shares = logits.map((logit) => logistic(logit + root));
      const x = logistic(root);
      const value = (shares[0] + shares[1]) / 2 + spare * x - n1;
      const slope = (shares[0] * (1 - shares[0]) + shares[1] * (1 - shares[1])) / 2 + spare * x * (1 - x);
      if (value > 0) high = root;
      else low = root;
      const step = root - value / Math.max(slope, 1e-200);
      const next = step >= low && step <= high ? step : (low + high) / 2;
      const moved = Math.abs(next - root);
      root = next;
      if (moved <= 1e-12 * (1 + Math.abs(root))) break;
    }
    return { root, own: logits.map((logit) => logistic(logit + root)), rest: logits.map((logit) => logistic(-logit - root)) };
  }

  // Excess risk of the target and loss for each input, at a logarithm of the ratio of target head to source head. Half of the
  // source's directions have the variance `stretch`, half its inverse; models of norm 1 are spread evenly over both.
  function atRatio(given, logRatio) {
    const { n1, n2, noise1, noise2, cosine, stretch } = given;
    const heads = [Math.exp(-Math.max(logRatio, 0)), Math.exp(Math.min(logRatio, 0))];
    const variances = [stretch, 1 / stretch];
    const { root, own, rest } = divide(given, variances.map((v) => Math.log(v) - 2 * logRatio));
    const gap = heads[0] ** 2 + heads[1] ** 2 - 2 * heads[0] * heads[1] * cosine;
    const mean = (term) => (term(0) + term(1)) / 2;
    const bias = [mean((j) => variances[j] * (rest[j] / heads[1]) ** 2) * gap, mean((j) => (own[j] / heads[0]) ** 2) * gap];
    const squares = [mean((j) => own[j] ** 2) / n1, mean((j) => rest[j] ** 2) / n2];
    const cross = mean((j) => own[j] * rest[j]);
    const [into1, into2] = [(Math.exp(-root) * cross) / n2, (Math.exp(root) * cross) / n1];
    const plain = [bias[0] + noise1 ** 2, bias[1] + noise2 ** 2];
    const determinant = (1 - squares[0]) * (1 - squares[1]) - cross ** 2 / (n1 * n2);
    const first = ((1 - squares[1]) * plain[0] + into1 * plain[1]) / determinant;
    const second = ((1 - squares[0]) * plain[1] + into2 * plain[0]) / determinant;
    const spare = n1 + n2 - 1;
    return {
      risk: bias[1] + into2 * first + squares[1] * second,
      loss: ((spare * logistic(root)) ** 2 / n1) * first + ((spare * logistic(-root)) ** 2 / n2) * second,
    };
  }

  // Ratio of the heads at the least loss, and the target's risk there: a grid, then golden sections between its neighbours.
  function shared(given) {
    const lossAt = (logRatio) => atRatio(given, logRatio).loss;
    const losses = GRID.map(lossAt);
    const place = losses.indexOf(Math.min(...losses));
    let [low, high] = [GRID[Math.max(place - 1, 0)], GRID[Math.min(place + 1, GRID.length - 1)]];
    for (let round = 0; round < 45; round += 1) {
      const [left, right] = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
      if (lossAt(left) < lossAt(right)) high = right;
      else low = left;
    }
    const end = place === 0 || place === GRID.length - 1;
    const logRatio = end ? GRID[place] : (low + high) / 2;
    return { ratio: Math.exp(logRatio), risk: atRatio(given, logRatio).risk };
  }

  const pooled = (given) => atRatio(given, 0).risk;
  const alone = ({ n2, noise2 }) => noise2 ** 2 / (n2 - 1);

  // Benefit as a part of both risks together, from -1 to 1.
  function benefit(given) {
    const [one, both] = [alone(given), shared(given).risk];
    return (one - both) / (one + both);
  }

  mtl.sharing = { atRatio, shared, pooled, alone, benefit };
})();
