// The map of all theories: three errors of a task whose shared part is known, and what they say to do. They are those of
// `mtlbook_lib.theory.hard_sharing.asymptotic_risk`, with white inputs and a source of endless examples.
(() => {
  "use strict";
  const mtl = (window.mtl = window.mtl || {});
  const CLEAR = 1.25; // by how much the compromise must beat the better of both, to be advised

  // Errors over the variance of the noise, at `delta` examples per input and an own part of `rho` times that variance:
  // the own part left alone, learned to the end, and held back just as much as is best.
  function errors(delta, rho) {
    const learned = Math.max(1 - delta, 0) * rho + Math.min(delta, 1) / Math.abs(1 - delta);
    const b = delta * rho + 1 - rho;
    const root = Math.sqrt(b * b + 4 * rho);
    return { left: rho, learned, best: b > 0 ? (2 * rho) / (root + b) : (root - b) / 2 };
  }

  // Where leaving and learning have the same error.
  const border = (delta) => 1 / Math.abs(1 - delta);

  function region(delta, rho) {
    const { left, learned, best } = errors(delta, rho);
    if (Math.min(left, learned) >= CLEAR * best) return "compromise";
    if (left < learned) return "keep";
    return delta < 1 ? "tune" : "alone";
  }

  mtl.picture = { errors, border, region };
})();
