// What the formulas of explorers share: a quadrature, the least value of a curve, the zeros of a function. No page is touched here.
(() => {
  "use strict";
  const mtl = (window.mtl = window.mtl || {});

  // At |u| = 3.6 the nodes of the tanh-sinh rule are within 1e-25 of an end, so that scales of 1e-12 there are resolved.
  const REACH = 3.6;

  // Nodes and weights of the tanh-sinh rule over 0 < x < upper, as in `theory`: dense at both ends.
  function endRule(upper, step) {
    const count = Math.round(REACH / step);
    const x = new Float64Array(2 * count + 1);
    const weight = new Float64Array(2 * count + 1);
    for (let i = 0; i <= 2 * count; i += 1) {
      const u = step * (i - count);
      const tail = Math.exp(-Math.PI * Math.sinh(Math.abs(u)));
      const [near, far] = [tail / (1 + tail), 1 / (1 + tail)];
      x[i] = upper * (u < 0 ? near : far);
      weight[i] = upper * step * Math.PI * Math.cosh(u) * near * far;
    }
    return { x, weight };
  }

  // `count` numbers from `low` to `high` at equal distances, or in equal ratios.
  const linear = (low, high, count) => Array.from({ length: count }, (_, i) => low + ((high - low) * i) / (count - 1));
  const geometric = (low, high, count) => linear(Math.log(low), Math.log(high), count).map(Math.exp);

  // Least value of a function between two points, and its place, by golden section.
  function least(func, low, high, precision) {
    const ratio = (Math.sqrt(5) - 1) / 2;
    let [a, b] = [low, high];
    let [c, d] = [b - ratio * (b - a), a + ratio * (b - a)];
    let [atC, atD] = [func(c), func(d)];
    while (b - a > precision * high) {
      if (atC < atD) {
        [b, d, atD] = [d, c, atC];
        c = b - ratio * (b - a);
        atC = func(c);
      } else {
        [a, c, atC] = [c, d, atD];
        d = a + ratio * (b - a);
        atD = func(d);
      }
    }
    return atC < atD ? { value: atC, at: c } : { value: atD, at: d };
  }

  // Where a function that has different signs at two points changes its sign, by halvings.
  function zero(func, low, high, halvings = 30) {
    let [a, b] = [low, high];
    const sign = Math.sign(func(a));
    for (let round = 0; round < halvings; round += 1) {
      const middle = (a + b) / 2;
      if (Math.sign(func(middle)) === sign) a = middle;
      else b = middle;
    }
    return (a + b) / 2;
  }

  mtl.numerics = { endRule, linear, geometric, least, zero };
})();
