// Linear algebra of the joint model. A matrix is { rows, cols, data }, row by row. A worker gets the text of `algebra`, so
// that it uses nothing outside itself.
(() => {
  "use strict";
  const mtl = (window.mtl = window.mtl || {});

  mtl.algebra = function algebra() {
    const matrix = (rows, cols) => ({ rows, cols, data: new Float64Array(rows * cols) });
    const row = ({ cols, data }, i) => data.subarray(i * cols, (i + 1) * cols);
    const column = (rows, j) => Float64Array.from({ length: rows.rows }, (_, i) => row(rows, i)[j]);

    // Whether numbers differ by more than rounding makes them: sixteen last digits of the largest.
    function varies(values) {
      const [low, high] = [values.reduce((x, y) => Math.min(x, y)), values.reduce((x, y) => Math.max(x, y))];
      return high - low > 2 ** -48 * Math.max(high, -low);
    }

    // Four sums at once: each addition would else wait for the one before.
    function dot(left, right, end = left.length) {
      let [a, b, c, d, i] = [0, 0, 0, 0, 0];
      for (; i < end - 3; i += 4) {
        a += left[i] * right[i];
        b += left[i + 1] * right[i + 1];
        c += left[i + 2] * right[i + 2];
        d += left[i + 3] * right[i + 3];
      }
      for (; i < end; i += 1) a += left[i] * right[i];
      return a + b + (c + d);
    }

    // Adds `factor` times one row to another.
    function add(to, factor, from, end = to.length) {
      for (let i = 0; i < end; i += 1) to[i] += factor * from[i];
    }

    // The transpose of `left` times `right`; with both the same, a symmetric matrix.
    function transposedTimes(left, right) {
      const found = matrix(left.cols, right.cols);
      for (let k = 0; k < left.rows; k += 1) {
        const [mine, other] = [row(left, k), row(right, k)];
        for (let i = 0; i < left.cols; i += 1) if (mine[i]) add(row(found, i), mine[i], other);
      }
      return found;
    }

    // The lower factor of a symmetric positive matrix plus `shift` in its diagonal.
    function cholesky(from, shift) {
      const factor = { ...from, data: from.data.slice() };
      for (let i = 0; i < from.rows; i += 1) {
        const mine = row(factor, i);
        mine[i] += shift;
        for (let j = 0; j < i; j += 1) mine[j] = (mine[j] - dot(mine, row(factor, j), j)) / row(factor, j)[j];
        mine[i] = Math.sqrt(mine[i] - dot(mine, mine, i));
      }
      return factor;
    }

    // The factor's inverse times a matrix, in place.
    function whiten(factor, columns) {
      for (let i = 0; i < factor.rows; i += 1) {
        const [mine, target] = [row(factor, i), row(columns, i)];
        for (let j = 0; j < i; j += 1) add(target, -mine[j], row(columns, j));
        for (let k = 0; k < target.length; k += 1) target[k] /= mine[i];
      }
      return columns;
    }

    const whitenOne = (factor, vector) => whiten(factor, { rows: vector.length, cols: 1, data: Float64Array.from(vector) }).data;

    // The transposed factor's inverse times a vector.
    function unwhiten(factor, vector) {
      const found = Float64Array.from(vector);
      for (let i = factor.rows - 1; i >= 0; i -= 1) {
        found[i] /= row(factor, i)[i];
        add(found, -found[i], row(factor, i), i);
      }
      return found;
    }

    // Householder's vector that maps the first `end` entries onto the last of them: 1 there, and { scale, value }.
    function reflector(mine, end) {
      const [last, rest] = [mine[end - 1], dot(mine, mine, end - 1)];
      const vector = new Float64Array(end);
      vector[end - 1] = 1;
      if (!rest) return { vector, scale: 0, value: last };
      const value = last > 0 ? -Math.sqrt(last * last + rest) : Math.sqrt(last * last + rest);
      for (let i = 0; i < end - 1; i += 1) vector[i] = mine[i] / (last - value);
      return { vector, scale: (value - last) / value, value };
    }

    // A symmetric matrix, whose lower part is read and lost, as Q T Q^T with T tridiagonal: its diagonal, what is below
    // it, and the reflectors whose product is Q, the first of them last.
    function tridiagonal(from) {
      const n = from.rows;
      const below = new Float64Array(n);
      const reflectors = [];
      const image = new Float64Array(n);
      for (let k = n - 1; k > 0; k -= 1) {
        const { vector, scale, value } = reflector(row(from, k), k);
        below[k] = value;
        reflectors.push({ vector, scale });
        if (!scale) continue;
        image.fill(0);
        for (let i = 0; i < k; i += 1) {
          const mine = row(from, i);
          image[i] += dot(mine, vector, i + 1);
          add(image, vector[i], mine, i);
        }
        const half = (scale * scale * dot(vector, image)) / 2;
        for (let i = 0; i < k; i += 1) image[i] = scale * image[i] - half * vector[i];
        for (let i = 0; i < k; i += 1) {
          const mine = row(from, i);
          const [v, w] = [vector[i], image[i]];
          for (let j = 0; j <= i; j += 1) mine[j] -= v * image[j] + w * vector[j];
        }
      }
      const diagonal = Float64Array.from({ length: n }, (_, i) => row(from, i)[i]);
      return { n, diagonal, below, reflectors };
    }

    // Q^T times a vector.
    function turned({ reflectors }, vector) {
      const found = Float64Array.from(vector);
      reflectors.forEach(({ vector: v, scale }) => add(found, -scale * dot(v, found), v, v.length));
      return found;
    }

    // Q^T as a matrix.
    function axes({ n, reflectors }) {
      const found = matrix(n, n);
      for (let i = 0; i < n; i += 1) row(found, i)[i] = 1;
      for (let k = reflectors.length - 1; k >= 0; k -= 1) {
        const { vector, scale } = reflectors[k];
        if (scale) for (let i = 0; i < vector.length; i += 1) add(row(found, i), -scale * dot(vector, row(found, i)), vector, vector.length);
      }
      return found;
    }

    // T plus a shift as L D L^T: L's part below its diagonal of ones, and D.
    function shifted({ n, diagonal, below }, shift) {
      const [lower, pivots] = [new Float64Array(n), new Float64Array(n)];
      pivots[0] = diagonal[0] + shift;
      for (let k = 1; k < n; k += 1) {
        lower[k] = below[k] / pivots[k - 1];
        pivots[k] = diagonal[k] + shift - lower[k] * below[k];
      }
      return { lower, pivots };
    }

    // L's inverse times a vector, and (T + shift)'s inverse times it.
    function forward({ lower }, vector) {
      const found = Float64Array.from(vector);
      for (let k = 1; k < found.length; k += 1) found[k] -= lower[k] * found[k - 1];
      return found;
    }
    function backward({ lower, pivots }, forwarded) {
      const found = forwarded.map((value, k) => value / pivots[k]);
      for (let k = found.length - 2; k >= 0; k -= 1) found[k] -= lower[k + 1] * found[k + 1];
      return found;
    }

    // x^T (T + shift)^{-1} x for each column x of a matrix.
    function quadratic({ lower, pivots }, columns) {
      const [total, last] = [new Float64Array(columns.cols), new Float64Array(columns.cols)];
      for (let k = 0; k < columns.rows; k += 1) {
        const [mine, step, over] = [row(columns, k), lower[k], 1 / pivots[k]];
        for (let i = 0; i < last.length; i += 1) {
          last[i] = mine[i] - step * last[i];
          total[i] += last[i] * last[i] * over;
        }
      }
      return total;
    }

    // Q times a vector, with Q^T as a matrix; more generally the transpose of a matrix times a vector.
    function turnedBack(transposed, vector) {
      const found = new Float64Array(transposed.cols);
      for (let k = 0; k < transposed.rows; k += 1) add(found, vector[k], row(transposed, k));
      return found;
    }

    const times = (left, vector) => Float64Array.from({ length: left.rows }, (_, i) => dot(row(left, i), vector));

    return { add, axes, backward, cholesky, column, dot, forward, matrix, quadratic, row, shifted, times, transposedTimes, tridiagonal, turned, turnedBack, unwhiten, varies, whiten, whitenOne };
  };
})();
