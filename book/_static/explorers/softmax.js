// The softmax of independent logits of equal norm, as in `mtlbook_lib.theory.softmax`: normal law, gain, log-partition function.
// With standard Gumbel noise on the logits the softmax is the chance of being the largest; all averages are integrals over a threshold.
(() => {
  "use strict";
  const mtl = (window.mtl = window.mtl || {});

  const ROOT = Math.sqrt(2 * Math.PI);
  const EULER = 0.5772156649015329;
  const density = (x) => Math.exp((-x * x) / 2) / ROOT;

  // Distribution of a normal variable: a series in the middle, a continued fraction in the tails.
  function normal(x) {
    if (Math.abs(x) > 3) {
      let ratio = 0;
      for (let n = 80; n >= 1; n -= 1) ratio = n / (Math.abs(x) + ratio);
      const tail = density(x) / (Math.abs(x) + ratio);
      return x < 0 ? tail : 1 - tail;
    }
    let [term, sum] = [x, x];
    for (let n = 3; Math.abs(term) > 1e-17; n += 2) {
      term *= (x * x) / n;
      sum += term;
    }
    return 0.5 + density(x) * sum;
  }

  // The same from a table, by a Taylor series around the nearest entry: to 1e-14, for integrals with many points.
  const [CELL, EDGE] = [1 / 64, 9];
  const table = Float64Array.from({ length: (2 * EDGE) / CELL + 1 }, (_, i) => normal(i * CELL - EDGE));
  function quickNormal(x) {
    if (x >= EDGE) return 1;
    if (x <= -EDGE) return 0;
    const index = Math.round((x + EDGE) / CELL);
    const a = index * CELL - EDGE;
    const h = x - a;
    const rest = h * (1 - h * (a / 2 - h * ((a * a - 1) / 6 - h * ((a * a * a - 3 * a) / 24 - (h * (a ** 4 - 6 * a * a + 3)) / 120))));
    return table[index] + density(a) * rest;
  }

  // Laws of z + g on a grid of thresholds for z of standard deviation s, whatever the number of classes up to MOST.
  const MOST = 1000;
  const WIDE = 2; // from here on the sum runs over the Gumbel noise, below over the logit
  const STEP = 0.4;
  const noise = Float64Array.from({ length: 85 }, (_, i) => STEP * (i - 10));
  const noiseWeights = noise.map((y) => STEP * Math.exp(-y - Math.exp(-y)));

  // 1 - Q and q at one threshold.
  function overNoise(x, s) {
    let [tail, dense] = [0, 0];
    for (let i = 0; i < noise.length; i += 1) {
      const deviation = (x - noise[i]) / s;
      if (deviation > -EDGE && deviation < EDGE) {
        tail += noiseWeights[i] * quickNormal(-deviation);
        dense += noiseWeights[i] * density(deviation);
      } else if (deviation < 0) tail += noiseWeights[i];
    }
    return [tail, dense / s];
  }

  function overLogit(x, s, step) {
    let [tail, dense] = [0, 0];
    for (let z = -step * Math.ceil(8.5 / step); z < 8.5 + 2 * s; z += step) {
      const rate = Math.exp(Math.min(s * z - x, 300));
      const weight = step * density(z);
      tail -= weight * Math.expm1(-rate);
      dense += weight * rate * Math.exp(-rate);
    }
    return [tail, dense];
  }

  function law(s) {
    const levels = Math.log(MOST) + 32;
    const [low, high] = [-8.5 * s - 4, Math.min((s * s) / 2 + levels, s * Math.sqrt(2 * levels) + levels)];
    const step = 0.25 + 0.08 * s;
    const [x, dense, log] = [0, 1, 2].map(() => new Float64Array(Math.ceil((high - low) / step)));
    for (let i = 0; i < x.length; i += 1) {
      x[i] = low + i * step;
      const [tail, value] = s < WIDE ? overLogit(x[i], s, Math.min(0.6, 0.36 / s)) : overNoise(x[i], s);
      dense[i] = value;
      log[i] = Math.log1p(-Math.min(tail, 1 - 2 ** -53));
    }
    return { x, dense, log, step };
  }

  // Gain g(s) and log-partition function F(s) of k classes from a law.
  function pair({ x, dense, log, step }, k) {
    let [gain, mean] = [0, 0];
    for (let i = 0; i < x.length; i += 1) {
      const others = dense[i] * Math.exp((k - 2) * log[i]);
      gain += dense[i] * others;
      mean += x[i] * others * Math.exp(log[i]);
    }
    return [k * step * gain, k * step * mean - EULER];
  }

  // Norms far above 1: series in 1/s, free of the difference of nearly equal terms.
  const LARGE = 50;
  const TERMS = 24;
  const zeta = (j) => {
    let sum = 0;
    for (let n = 1999; n >= 1; n -= 1) sum += n ** -j;
    return sum + 2000 ** (1 - j) / (j - 1) + 2000 ** -j / 2 + (j * 2000 ** (-j - 1)) / 12;
  };
  const moments = [1, 0];
  const zetas = Array.from({ length: TERMS }, (_, j) => (j < 2 ? 0 : zeta(j)));
  for (let order = 2; order < TERMS; order += 1) {
    let sum = 0;
    for (let j = 2; j <= order; j += 1) sum += zetas[j] * moments[order - j];
    moments.push(sum / order);
  }

  const FINE = 1 / 16;
  const far = Array.from({ length: Math.ceil((9 + Math.sqrt(2 * Math.log(MOST) + 81)) / FINE) }, (_, i) => FINE * i - 9)
    .map((v) => ({ v, dense: density(v), log: Math.log(normal(v)) }));
  const changed = (weight, exponent) => (Math.abs(exponent) < 1 ? Math.exp(weight) * Math.expm1(exponent) : Math.exp(weight + exponent) - Math.exp(weight));

  // m_k - (k - 1) s g(s) and F(s) - s m_k at a large norm.
  function series(s, k) {
    let [deficit, excess] = [0, 0];
    for (const { v, dense, log } of far) {
      let [before, hermite, cdf, tilt, power] = [1, v, 0, 0, 1 / s];
      for (let order = 2; order < TERMS; order += 1) {
        [before, hermite] = [hermite, v * hermite - (order - 1) * before];
        power /= s;
        cdf += moments[order] * power * before;
        tilt += moments[order] * power * hermite;
      }
      const shift = Math.log1p((-cdf * dense) / Math.exp(log));
      deficit -= changed(2 * Math.log(dense) + (k - 2) * log, 2 * Math.log1p(tilt) + (k - 2) * shift);
      excess -= changed(k * log, k * shift);
    }
    return { deficit: FINE * k * (k - 1) * deficit, excess: s * FINE * excess };
  }

  // Mean of the largest of k standard normal variables.
  function largest(k) {
    let sum = 0;
    for (const { dense, log } of far) sum += dense * dense * Math.exp((k - 2) * log);
    return k * (k - 1) * FINE * sum;
  }

  // Chebyshev interpolants on panels that double in length. The laws are the same for all numbers of classes.
  const POINTS = 20;
  const edges = [0, ...Array.from({ length: 10 }, (_, i) => LARGE / 2 ** (9 - i))];
  const angles = Array.from({ length: POINTS }, (_, i) => (Math.PI * (i + 0.5)) / POINTS);
  let laws = null;
  const allLaws = () => (laws = laws || edges.slice(1).map((high, i) => (
    angles.map((angle) => law((edges[i] + high) / 2 + ((high - edges[i]) / 2) * Math.cos(angle))))));
  const transform = (values) => angles.map((_, j) => (
    ((j ? 2 : 1) / POINTS) * values.reduce((sum, value, i) => sum + value * Math.cos(j * angles[i]), 0)));

  function chebyshev(coefficients, x) {
    let [next, after] = [0, 0];
    for (let j = coefficients.length - 1; j >= 1; j -= 1) [next, after] = [2 * x * next - after + coefficients[j], next];
    return x * next - after + coefficients[0];
  }

  // Curves of one number of classes; `deficit` and `excess` as in `series`.
  function curves(k) {
    const panels = allLaws().map((panel) => {
      const values = panel.map((one) => pair(one, k));
      return [0, 1].map((which) => transform(values.map((value) => value[which])));
    });
    const top = largest(k);
    const at = (s, which) => {
      let index = 0;
      while (index < panels.length - 1 && s >= edges[index + 1]) index += 1;
      return chebyshev(panels[index][which], (2 * s - edges[index] - edges[index + 1]) / (edges[index + 1] - edges[index]));
    };
    const deficit = (s) => (s > LARGE ? series(s, k).deficit : top - (k - 1) * s * at(s, 0));
    const excess = (s) => (s > LARGE ? series(s, k).excess : at(s, 1) - s * top);
    const gain = (s) => (s > LARGE ? (top - deficit(s)) / (k - 1) / s : at(s, 0));
    return { k, top, gain, deficit, excess };
  }

  mtl.softmax = { density, quickNormal, curves };
})();
