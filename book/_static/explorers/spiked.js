// Formulas that explorers of linear students share: a signal in noise, the noise itself, the growth of one mode. They are
// those of `mtlbook_lib.theory`: spiked, the Marchenko-Pastur law in its angle, linear_dynamics (two layers).
(() => {
  "use strict";
  const mtl = (window.mtl = window.mtl || {});

  // The strength that a mode must exceed to leave a trace in the data.
  const threshold = (aspect) => aspect ** 0.25;

  // Edges of the singular values of pure noise.
  const edges = (aspect) => ({ lower: Math.abs(1 - aspect) / (1 + Math.sqrt(aspect)), upper: 1 + Math.sqrt(aspect) });

  // 1 - A/s^4 above threshold, 0 below.
  function excess(s, aspect) {
    const critical = threshold(aspect);
    if (s <= critical) return 0;
    const ratio = critical / s;
    return ((s - critical) / s) * (1 + ratio) * (1 + ratio ** 2);
  }

  // Singular value of the data that belongs to one of the signal; the edge of the noise below threshold.
  function noisy(s, aspect) {
    const { upper } = edges(aspect);
    if (s <= threshold(aspect)) return upper;
    return Math.max(Math.hypot(1, s) * Math.hypot(1, Math.sqrt(aspect) / s), upper);
  }

  // Squared overlap of the left singular vectors of data and signal; product of both overlaps.
  const side = (s, aspect) => 1 + aspect / Math.max(s, threshold(aspect)) ** 2;
  const leftSquared = (s, aspect) => excess(s, aspect) / side(s, aspect);
  const overlap = (s, aspect) => {
    const visible = Math.max(s, threshold(aspect));
    return excess(s, aspect) / Math.sqrt(side(s, aspect)) / Math.hypot(1, 1 / visible);
  };

  // Strength, at a time in units of tau, of the mode of an aligned student with two layers that started at `eps`.
  function grown(time, target, eps) {
    if (target === 0) return eps / (1 + 2 * eps * time);
    const growth = 2 * target * time;
    return target / (-Math.expm1(-growth) + (Math.exp(-growth) * target) / eps);
  }

  // Time at which a mode of strength 1, the mean energy of a noise mode, is learned to 99 %.
  const horizon = (eps) => Math.log1p((0.99 - eps) / (eps * 0.01)) / 2;

  // Noise modes of one aspect as nodes: angle (0 at the upper edge), singular value, weight in an integral over the angle,
  // and density per angle.
  function noiseNodes(aspect, step) {
    const { x: angle, weight } = mtl.numerics.endRule(Math.PI, step);
    const { lower } = edges(aspect);
    const value = angle.map((phi) => Math.hypot(lower, 2 * aspect ** 0.25 * Math.cos(phi / 2)));
    const density = angle.map((phi) => {
      const cosine = Math.cos(phi / 2) ** 2;
      return ((8 / Math.PI) * Math.sin(phi / 2) ** 2 * cosine) / (lower ** 2 + 4 * Math.sqrt(aspect) * cosine);
    });
    return { angle, value, weight, density };
  }

  mtl.spiked = { threshold, edges, noisy, leftSquared, overlap, grown, horizon, noiseNodes };
})();
