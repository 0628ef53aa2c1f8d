// Formulas of the explorer of transfer: one task A of strength a and H - 1 others of strength b, rank one, with one
// similarity q between all pairs, learned by one aligned student; those of `mtlbook_lib.theory.transfer`.
(() => {
  "use strict";
  const mtl = (window.mtl = window.mtl || {});
  const { linear, geometric, least, zero } = mtl.numerics;
  const { threshold, noisy, leftSquared, overlap, grown, horizon, noiseNodes } = mtl.spiked;

  const DEGENERATE = 1e-12; // of the strongest mode: strengths that differ by less share their weights
  const SEEN = 1e-4; // of the energy of A's teacher: a smaller benefit counts as none
  const FINE = { step: 0.025, times: 600, precision: 1e-10 };
  const COARSE = { step: 0.05, times: 120, precision: 1e-5 }; // of maps: the least value of a curve forgives its place

  // Composite modes, strongest first: strength, share of each on the head of A, how many there are alike.
  function compositeModes({ a, b, q, heads }) {
    if (heads === 1) return [{ strength: a, share: 1, count: 1 }];
    const others = heads - 1;
    const [own, rest] = [a * a, b * b * (1 + (others - 1) * q)];
    const cross = q * a * b * Math.sqrt(others);
    const [lead, gap] = [own - rest, Math.hypot(own - rest, 2 * cross)];
    const upper = (own + rest + gap) / 2;
    const lower = ((a * b) ** 2 * (1 - q) * (1 + others * q)) / upper;
    const minor = gap > 0 ? (((2 * cross) / gap) * ((2 * cross) / (gap + Math.abs(lead)))) / 2 : 0.5;
    const plus = lead > 0 ? 1 - minor : minor;
    const modes = [
      { strength: Math.sqrt(upper), share: plus, count: 1 },
      { strength: Math.sqrt(lower), share: 1 - plus, count: 1 },
      { strength: b * Math.sqrt(1 - q), share: 0, count: others - 1 },
    ];
    return merged(modes.filter(({ count }) => count).sort((x, y) => y.strength - x.strength));
  }

  // Modes of equal strength have no directions of their own: they share their weights.
  function merged(modes) {
    const groups = [];
    for (const mode of modes) {
      const last = groups.at(-1);
      if (!last || last.strength - mode.strength > DEGENERATE * modes[0].strength) groups.push({ ...mode });
      else {
        last.share = (last.share * last.count + mode.share * mode.count) / (last.count + mode.count);
        last.count += mode.count;
      }
    }
    return groups;
  }

  // The head of A: its modes with what the data show of them, at the aspect of the composite.
  function makeHead({ a, b, q, aspect, heads }) {
    const ratio = heads * aspect;
    const modes = compositeModes({ a, b, q, heads }).map((mode) => {
      const left = leftSquared(mode.strength, ratio);
      return {
        ...mode,
        visible: mode.strength > threshold(ratio),
        data: noisy(mode.strength, ratio),
        dataShare: mode.share * left + (1 - left) / heads,
        alignment: mode.strength * mode.share * overlap(mode.strength, ratio),
      };
    });
    return { modes, heads, aspect: ratio, energy: a * a };
  }

  // Squared distance to A's teacher of a map that has the data modes at some strengths.
  function distance(head, modes, strengthOf) {
    return modes.reduce((sum, mode) => {
      const x = strengthOf(mode);
      return sum + mode.count * (mode.dataShare * x * x - 2 * mode.alignment * x);
    }, head.energy);
  }

  const quotient = (top, bottom) => (bottom > 0 ? top / bottom : 0);

  // Error of A when the strengths are chosen at their best: for the head alone, or for all heads together.
  function shrunk(setting) {
    const head = makeHead(setting);
    const together = setting.method === "joint";
    const strength = (mode) => together
      ? mode.strength * overlap(mode.strength, head.aspect)
      : quotient(mode.alignment, mode.dataShare);
    return distance(head, head.modes, strength) / head.energy;
  }

  // Weights of what the noise modes add to the squared distance: of x^2 and x at the nodes, and of x^2 at both edges.
  function noiseTerms(head, setting, nodes) {
    return setting.order === 0 ? leadingTerms(head, setting, nodes) : firstTerms(head, setting, nodes);
  }

  // Leading order: pure noise, less one mode for each composite mode, which all count as outliers.
  function leadingTerms(head, { outputs }, { weight, density }) {
    const found = head.modes.reduce((sum, { count }) => sum + count, 0);
    const number = outputs - found / (head.heads * Math.min(1, 1 / head.aspect));
    return { square: weight.map((w, i) => number * w * density[i]), line: null, first: 0, last: 0, outliers: head.modes };
  }

  // All terms that stay of order one as the sizes grow; the modes below threshold then belong to the noise.
  function firstTerms(head, { outputs }, nodes) {
    const modes = head.modes.map((mode) => ({ ...mode, ratio: mode.strength ** 2 / Math.sqrt(head.aspect) }));
    const outliers = modes.filter(({ ratio }) => ratio > 1);
    const [all, out] = [modes, outliers].map((group) => group.reduce((sum, { count }) => sum + count, 0));
    const even = (1 + all) / (2 * Math.PI);
    const square = new Float64Array(nodes.angle.length);
    const line = new Float64Array(nodes.angle.length);
    let pulled = 0;
    nodes.weight.forEach((weight, i) => {
      const sums = modeSums(modes, head.heads, nodes.angle[i]);
      square[i] = weight * (nodes.density[i] * (outputs + sums.energy) + (sums.pull - even) / head.heads);
      line[i] = -2 * weight * nodes.density[i] * nodes.value[i] * sums.alignment;
      pulled += weight * sums.pull;
    });
    const edge = 0.25 + all / 2 - out;
    return { square, line, first: (edge - pulled) / head.heads, last: (even * Math.PI - edge - out) / head.heads, outliers };
  }

  // What the composite modes do to the noise mode at an angle: displacement (a Poisson kernel for each, away from the upper
  // edge above threshold), energy and alignment that it has on the head because it overlaps with them.
  function modeSums(modes, heads, angle) {
    const sums = { pull: 0, energy: 0, alignment: 0 };
    const sine = 4 * Math.sin(angle / 2) ** 2;
    for (const { ratio, strength, share, count } of modes) {
      const inner = Math.min(ratio, 1 / ratio);
      const kernel = (1 - inner ** 2) / Math.PI / ((1 - inner) ** 2 + inner * sine);
      const gap = (1 - ratio) ** 2 + ratio * sine;
      sums.pull += count * (ratio > 1 ? -0.5 : 0.5) * kernel;
      sums.energy += count * (share - 1 / heads) * ((1 + strength ** 2) / gap - 1);
      sums.alignment += (count * share * strength ** 2) / gap;
    }
    return sums;
  }

  // The noise modes of a student at some times; the same for all teachers, so that they are kept.
  const kept = new Map();
  function course(aspect, eps, detail) {
    const key = [aspect, eps, detail.step].join();
    if (!kept.has(key)) {
      if (kept.size > 7) kept.clear();
      const nodes = noiseNodes(aspect, detail.step);
      const last = horizon(eps);
      const times = [0, ...geometric(1e-4, 1, detail.times).map((part) => part * last)];
      kept.set(key, { nodes, times, rows: times.map((time) => nodes.value.map((s) => grown(time, s, eps))) });
    }
    return kept.get(key);
  }

  // The error of A over time while all heads train, as a function of the time and, where it is known, the row of the noise.
  function curve(setting, detail) {
    const head = makeHead(setting);
    const { nodes, times, rows } = course(head.aspect, setting.eps, detail);
    const terms = noiseTerms(head, setting, nodes);
    const { lower, upper } = mtl.spiked.edges(head.aspect);
    const grow = (time, s) => grown(time, s, setting.eps);
    const at = (time, row = nodes.value.map((s) => grow(time, s))) => {
      const edge = terms.first * grow(time, upper) ** 2 + terms.last * grow(time, lower) ** 2;
      const own = distance(head, terms.outliers, (mode) => grow(time, mode.data));
      return (own + edge + noiseSum(terms, row)) / head.energy;
    };
    return { at, times, rows };
  }

  function noiseSum({ square, line }, row) {
    let sum = 0;
    if (line) for (let i = 0; i < row.length; i += 1) sum += (square[i] * row[i] + line[i]) * row[i];
    else for (let i = 0; i < row.length; i += 1) sum += square[i] * row[i] * row[i];
    return sum;
  }

  // Least error over time and when it is reached: on a grid of times, then between the neighbours of the best one.
  function stopped(setting, detail) {
    const { at, times, rows } = curve(setting, detail);
    const errors = times.map((time, i) => at(time, rows[i]));
    const best = errors.indexOf(Math.min(...errors));
    const found = least(at, times[Math.max(best - 1, 0)], times[Math.min(best + 1, times.length - 1)], detail.precision);
    return found.value < errors[best] ? { error: found.value, time: found.at } : { error: errors[best], time: times[best] };
  }

  // The least error of A by the chosen method; shrinkage has no time.
  const best = (setting, detail = FINE) => setting.method === "stop"
    ? stopped(setting, detail)
    : { error: shrunk(setting), time: null };

  const aloneOf = (setting) => ({ ...setting, heads: 1 });
  const benefit = (setting, detail = FINE) => best(aloneOf(setting), detail).error - best(setting, detail).error;

  // The benefit over the similarity, and where help and harm change places there (whether help lies above).
  function overSimilarity(setting, count = 41) {
    const alone = best(aloneOf(setting), COARSE).error;
    const gain = (q) => alone - best({ ...setting, q }, COARSE).error;
    const points = linear(0, 1, count).map((q) => ({ q, benefit: gain(q) }));
    const clear = points.filter(({ benefit: value }) => Math.abs(value) > SEEN);
    const pairs = clear.slice(1).map((point, i) => [clear[i], point]).filter(([one, next]) => one.benefit * next.benefit < 0);
    return { points, turns: pairs.map(([one, next]) => ({ q: zero(gain, one.q, next.q), helpsAbove: next.benefit > 0 })) };
  }

  mtl.transfer = { FINE, COARSE, SEEN, makeHead, curve, best, aloneOf, benefit, overSimilarity, horizon, threshold };
})();
