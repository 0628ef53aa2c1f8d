// The joint model of two tasks, as in mtlbook_lib.forecast: what a partner adds to a target. All its constants come
// from there, in `constants`; tests hold the answers to those of Python. A worker gets the text of `joint`.
(() => {
  "use strict";
  const mtl = (window.mtl = window.mtl || {});

  mtl.joint = function joint(constants, algebra) {
    const { add, axes, backward, cholesky, column, dot, forward, matrix, quadratic, row, shifted, times, transposedTimes, tridiagonal, turned, turnedBack, unwhiten, varies, whiten, whitenOne } = algebra;
    const { noises, intercept } = constants;

    const sum = (values) => values.reduce((total, value) => total + value, 0);
    const mean = (values) => sum(values) / values.length;
    const sumLog = (values) => values.reduce((total, value) => total + Math.log(value), 0);
    const spread = (values) => {
      const centre = mean(values);
      return Math.sqrt(mean(values.map((value) => (value - centre) ** 2)));
    };
    const clip = (value, low, high) => Math.min(high, Math.max(low, value));
    const logSum = (values) => {
      let [most, total] = [-Infinity, 0];
      for (let k = 0; k < values.length; k += 1) most = Math.max(most, values[k]);
      for (let k = 0; k < values.length; k += 1) total += Math.exp(values[k] - most);
      return most + Math.log(total);
    };
    const leastPlace = (values) => values.reduce((best, value, place) => (value < values[best] ? place : best), 0);
    const all = (task, change) => ({ rows: task.rows, cols: task.cols, data: task.data.map(change) });
    const stacked = (top, bottom) => {
      const found = matrix(top.rows + bottom.rows, top.cols);
      found.data.set(top.data);
      found.data.set(bottom.data, top.data.length);
      return found;
    };

    // Mean and standard deviation of each column; a constant one gets an endless spread, and drops out.
    function unitsOf(rows) {
      return Array.from({ length: rows.cols }, (_, j) => {
        const values = column(rows, j);
        const width = spread(values);
        return { centre: mean(values), width: varies(values) && width > 0 ? width : Infinity };
      });
    }
    const scaled = (rows, units) => all(rows, (value, i) => (value - units[i % rows.cols].centre) / units[i % rows.cols].width);

    // The target's own units: its mean and, beside partners, its variance with some rows of that within all tasks.
    function unitsBeside(own, others) {
      const tables = [own, ...others];
      const total = sum(tables.map(({ rows }) => rows));
      return Array.from({ length: own.cols }, (_, j) => {
        const columns = tables.map((table) => column(table, j));
        const variances = columns.map((values) => spread(values) ** 2);
        const within = sum(variances.map((variance, k) => (tables[k].rows * variance) / total));
        const width = Math.sqrt((own.rows * variances[0] + constants.unitRows * within) / (own.rows + constants.unitRows));
        const varied = columns.some((values, k) => varies(values) && variances[k] > 0);
        return { centre: mean(columns[0]), width: varied ? width : Infinity };
      });
    }

    // The four kernels, of diagonal 1 in the mean over all rows: each makes a function of two tables, and its diagonal.
    function kernelsOf(own, others) {
      const { furthest, length } = constants;
      const units = unitsBeside(own, others);
      const rows = others.reduce(stacked, own);
      const clipped = (value) => clip(value, -furthest, furthest);
      const softened = (value) => value / Math.hypot(1, value / furthest);
      const squares = (table) => Float64Array.from({ length: table.rows }, (_, i) => dot(row(table, i), row(table, i)));
      const made = (bend, values, flat) => {
        const bent = all(scaled(rows, units), bend);
        const centre = Array.from({ length: rows.cols }, (_, j) => mean(column(bent, j)));
        const moved = (table) => all(scaled(table, units), (x, i) => bend(x) - centre[i % table.cols]);
        const size = mean(squares(moved(rows)));
        const between = (left, right) => values(moved(left), moved(right), size);
        const diagonal = (table) => squares(moved(table)).map((square) => flat + ((1 - flat) * square) / size);
        return { between, diagonal };
      };
      // Of pairs of rows by their product and their squares alone.
      const ofProducts = (value) => (x, z, size) => {
        const [xx, zz] = [squares(x), squares(z)];
        const found = matrix(x.rows, z.rows);
        for (let i = 0; i < x.rows; i += 1) {
          const target = row(found, i);
          for (let j = 0; j < z.rows; j += 1) target[j] = value(dot(row(x, i), row(z, j)), xx[i], zz[j], size);
        }
        return found;
      };
      const linear = (product, _x, _z, size) => product / size;
      const wide = (product, x, z, size) => {
        const norms = Math.sqrt(x * z);
        const cosine = norms > 0 ? clip(product / norms, -1, 1) : 0;
        const angle = Math.acos(cosine);
        return (product + (norms / Math.PI) * (Math.sin(angle) + (Math.PI - angle) * cosine)) / (2 * size);
      };
      const smooth = (product, x, z, size) => Math.exp(-Math.max(x + z - 2 * product, 0) / (2 * length * size));
      const steps = (x, z, size) => additive(x, z, units, size);
      return [
        made(clipped, ofProducts(linear), 0), made(softened, ofProducts(wide), 0), made(softened, ofProducts(smooth), 1), made(softened, steps, 0.5),
      ];
    }

    // Half linear, half the mean over columns that vary of exp(-|x - z|), from exponentials of rows alone.
    function additive(x, z, units, size) {
      const varied = Array.from(units.keys()).filter((j) => Number.isFinite(units[j].width));
      const found = matrix(x.rows, z.rows);
      varied.forEach((j) => {
        const [rise, up] = [x, z].map((table) => column(table, j).map((value) => Math.exp(value)));
        const [fall, down] = [rise, up].map((values) => values.map((value) => 1 / value));
        for (let i = 0; i < x.rows; i += 1) {
          const [target, above, below] = [row(found, i), rise[i], fall[i]];
          for (let k = 0; k < z.rows; k += 1) {
            const [over, under] = [above * down[k], below * up[k]];
            target[k] += over < under ? over : under;
          }
        }
      });
      for (let i = 0; i < x.rows; i += 1) {
        const target = row(found, i);
        for (let k = 0; k < z.rows; k += 1) target[k] = (target[k] / varied.length + dot(row(x, i), row(z, k)) / size) / 2;
      }
      return found;
    }

    const withLevel = (gram) => all(gram, (value) => value + intercept);

    // The noise and the scale that a task's own evidence prefers.
    function single({ gram, labels }) {
      const reduced = tridiagonal(withLevel(gram));
      const y = turned(reduced, labels);
      const fits = noises.map((noise) => {
        const factor = shifted(reduced, noise);
        const scale = forward(factor, y).reduce((total, value, k) => total + (value * value) / factor.pivots[k], 0) / y.length;
        return { noise, scale, height: sumLog(factor.pivots) + y.length * Math.log(scale) };
      });
      return fits[leastPlace(fits.map(({ height }) => height))];
    }

    function partnersOf(task) {
      const own = single(task);
      const factor = cholesky(withLevel(task.gram), own.noise);
      const whitened = whitenOne(factor, task.labels.map((label) => label / Math.sqrt(own.scale)));
      const level = whitenOne(factor, new Float64Array(task.labels.length).fill(1));
      return { rows: task.rows, factor, whitened, level, unit: task.scale * Math.sqrt(own.scale) };
    }

    // Relations of the target with the partner, except none: sizes of the correlation with
    // their signs, and the ones in which both have the same units.
    function relationsOf(target, partner, partners) {
      const sizes = [...new Set(constants.prior.map(([rho]) => Math.abs(rho)).filter(Boolean))].sort((a, b) => a - b);
      const free = sizes.map((size) => {
        const signs = constants.prior.filter(([rho]) => Math.abs(rho) === size).sort(([a], [b]) => b - a);
        return { size, signs: signs.map(([rho]) => Math.sign(rho)), logPriors: signs.map(([, mass]) => Math.log(mass)), units: null, offset: 0 };
      });
      const offset = (target.mean - partner.mean) / partners.unit;
      const same = constants.units.map(([size, mass]) => ({ size, signs: [1], logPriors: [Math.log(mass)], units: target.scale / partners.unit, offset }));
      return [...free, ...same];
    }

    // The covariance of what is known of two sets of rows, from the whitened kernel of both and from what they share.
    const through = ({ size, units }, value, mine, other, levels) =>
      size * size * value + (units === null ? 0 : intercept * size * (mine + other) + intercept * intercept * levels);

    // Every sign and noise of one relation; `told` is null for the target by itself.
    function membersOf(relation, target, told) {
      const n = target.labels.length;
      const covariance = withLevel(target.gram);
      let offsets = new Float64Array(n);
      if (told) {
        const { products, levels, said, level, level2 } = told;
        for (let i = 0; i < n; i += 1) {
          const mine = row(covariance, i);
          for (let j = 0; j <= i; j += 1) mine[j] -= through(relation, row(products, i)[j], levels[i], levels[j], level2);
        }
        const shared = relation.units === null ? 0 : intercept * level;
        offsets = said.map((value) => relation.size * value + shared - relation.offset);
      }
      const reduced = tridiagonal(covariance);
      const turn = axes(reduced);
      const [y, m] = [turned(reduced, target.labels), turned(reduced, offsets)];
      const factors = noises.map((noise) => shifted(reduced, noise));
      const forwards = factors.map((factor) => [forward(factor, y), forward(factor, m)]);
      const precisions = factors.map((factor) => quadratic(factor, turn));
      const solved = factors.map((factor, k) => forwards[k].map((values) => turnedBack(turn, backward(factor, values))));
      const members = [];
      relation.signs.forEach((sign, place) => noises.forEach((noise, k) => {
        const { pivots } = factors[k];
        const [fy, fm] = forwards[k];
        let [yy, ym, mm] = [0, 0, 0];
        for (let i = 0; i < n; i += 1) {
          yy += (fy[i] * fy[i]) / pivots[i];
          ym += (sign * fy[i] * fm[i]) / pivots[i];
          mm += (fm[i] * fm[i]) / pivots[i];
        }
        const free = relation.units === null;
        const s = free ? (ym + Math.sqrt(ym * ym + 4 * n * yy)) / (2 * yy) : relation.units;
        const fit = n * Math.log(s) - 0.5 * (sumLog(pivots) + s * s * yy - 2 * s * ym + mm);
        const weights = solved[k][0].map((value, i) => value - (sign * solved[k][1][i]) / s);
        members.push({
          relation, sign, noise, s, weights, factor: factors[k],
          rho: sign * relation.size,
          log: relation.logPriors[place] + fit - (free ? 0.5 * Math.log(n + s * s * yy) : 0), // Laplace, over log s
          errors: weights.map((value, i) => value / precisions[k][i]),
          deviations: precisions[k].map((value) => 1 / (Math.sqrt(value) * s)),
        });
      }));
      return { relation, turn, members };
    }

    // What one kernel says of the target by itself.
    function aloneOf(kernel, target, watch) {
      const none = { size: 0, signs: [1], logPriors: [Math.log(constants.prior.find(([rho]) => rho === 0)[1])], units: null, offset: 0 };
      const groups = [membersOf(none, { ...target, gram: kernel.between(target.rows, target.rows) }, null)];
      watch();
      return { kernel, partners: null, seen: null, groups };
    }

    // And of the target with its partner.
    function familyOf(kernel, target, partner, watch) {
      const tasks = [target, partner].map((task) => ({ ...task, gram: kernel.between(task.rows, task.rows) }));
      const partners = partnersOf(tasks[1]);
      const seen = whiten(partners.factor, kernel.between(partner.rows, target.rows));
      const told = {
        products: transposedTimes(seen, seen),
        levels: turnedBack(seen, partners.level),
        said: turnedBack(seen, partners.whitened),
        level: dot(partners.level, partners.whitened),
        level2: dot(partners.level, partners.level),
      };
      const groups = relationsOf(target, partner, partners).map((relation) => {
        const found = membersOf(relation, tasks[0], told);
        watch();
        return found;
      });
      return { kernel, partners, seen, groups };
    }

    // Weights that add to one, and the logarithm of what they were divided by.
    function normalised(logs) {
      const total = logSum(logs);
      return { logs: logs.map((log) => log - total), total };
    }

    // Each label predicted by all others, by the average whose weights leave it out too.
    function leftOut(members, logs) {
      const errors = new Float64Array(members[0].errors.length);
      const raw = new Float64Array(members.length);
      for (let i = 0; i < errors.length; i += 1) {
        for (let k = 0; k < raw.length; k += 1) {
          const [error, deviation] = [members[k].errors[i], members[k].deviations[i]];
          raw[k] = logs[k] + 0.5 * (error / deviation) ** 2 + Math.log(deviation);
        }
        const total = logSum(raw);
        for (let k = 0; k < raw.length; k += 1) errors[i] += Math.exp(raw[k] - total) * members[k].errors[i];
      }
      return errors;
    }

    // The share of the joint average that is kept beside the target alone, and what is left out with as much.
    function checked(together, apart) {
      const n = apart.length;
      const moved = apart.map((error, i) => error - together[i]);
      const [along, across] = [dot(moved, apart), dot(moved, moved)];
      const share = (count, one, other) => {
        const added = (constants.pseudoRows / count) * other;
        return clip(other > 0 ? (one + added) / (other + added) : 1, 0, 1);
      };
      const each = moved.map((d, i) => share(n - 1, along - d * apart[i], across - d * d));
      return { kept: share(n, along, across), left: apart.map((error, i) => error - each[i] * moved[i]) };
    }

    // The posterior of the correlation, and its mean.
    function relationOf(members, weights) {
      const masses = new Map();
      members.forEach(({ rho }, k) => masses.set(rho + 0, (masses.get(rho + 0) || 0) + weights[k]));
      const values = [...masses.keys()].sort((a, b) => a - b);
      const shares = values.map((value) => masses.get(value));
      return { mean: sum(values.map((value, k) => value * shares[k])), values, shares };
    }

    // Folds the members of a kernel into one weight for each row of both tasks.
    function averageOf(family, target) {
      const { kernel, groups, partners, seen } = family;
      const own = new Float64Array(target.labels.length);
      const told = new Float64Array(partners ? partners.whitened.length : 0);
      let level = 0;
      groups.forEach(({ relation, members }) => {
        const mine = new Float64Array(own.length);
        members.forEach(({ weights, weight }) => add(mine, weight, weights));
        add(own, 1, mine);
        if (!relation.size) return;
        const over = sum(members.map(({ sign, s, weight }) => (weight * sign) / s));
        const part = partners.whitened.map((value) => over * value);
        add(part, -relation.size, times(seen, mine));
        if (relation.units !== null) {
          add(part, -intercept * sum(mine), partners.level);
          level += intercept * dot(partners.level, part) - relation.offset * sum(members.map(({ s, weight }) => weight / s));
        }
        add(told, relation.size, part);
      });
      return { family, level: level + intercept * sum(own), own, told: partners && unwhiten(partners.factor, told) };
    }

    function averageAt({ family: { kernel }, level, own, told }, target, partner, fresh) {
      const found = times(kernel.between(fresh, target.rows), own).map((value) => level + value);
      if (told) add(found, 1, times(kernel.between(fresh, partner.rows), told));
      return found;
    }

    // Weighted sum of a new label's variance and squared mean.
    function squaresAt({ family: { kernel, groups, partners, seen } }, target, partner, fresh) {
      const [own, prior] = [withLevel(kernel.between(target.rows, fresh)), kernel.diagonal(fresh).map((value) => value + intercept)];
      const nothing = new Float64Array(fresh.rows);
      let [products, level2, levels, levelsNew, said, level, lengths] = [null, 0, nothing, nothing, nothing, 0, nothing];
      if (partners) {
        const seenNew = whiten(partners.factor, kernel.between(partner.rows, fresh));
        [products, level2] = [transposedTimes(seen, seenNew), dot(partners.level, partners.level)];
        [levels, levelsNew] = [seen, seenNew].map((one) => turnedBack(one, partners.level));
        [said, level] = [turnedBack(seenNew, partners.whitened), dot(partners.level, partners.whitened)];
        lengths = Float64Array.from({ length: fresh.rows }, (_, j) => column(seenNew, j).reduce((found, value) => found + value * value, 0));
      }
      const total = new Float64Array(fresh.rows);
      groups.forEach(({ relation, turn, members }) => {
        const counted = members.filter(({ weight }) => weight > constants.negligible);
        if (!counted.length) return;
        const cross = matrix(own.rows, own.cols);
        for (let i = 0; i < own.rows; i += 1) {
          const [mine, from, product] = [row(cross, i), row(own, i), products && row(products, i)];
          for (let j = 0; j < own.cols; j += 1) mine[j] = from[j] - (relation.size ? through(relation, product[j], levels[i], levelsNew[j], level2) : 0);
        }
        const known = lengths.map((value, j) => (relation.size ? through(relation, value, levelsNew[j], levelsNew[j], level2) : 0));
        const shared = relation.units === null ? 0 : intercept * level;
        const news = said.map((value) => relation.size * value + shared - relation.offset);
        const turnedCross = matrix(own.rows, own.cols);
        for (let k = 0; k < turn.rows; k += 1) row(turnedCross, k).set(turnedBack(cross, row(turn, k)));
        counted.forEach(({ weight, weights, factor, sign, s, noise }) => {
          const [along, explained] = [quadratic(factor, turnedCross), turnedBack(cross, weights)];
          for (let j = 0; j < total.length; j += 1) {
            const rest = Math.max(prior[j] - known[j] - along[j], 0) + noise;
            const centre = (sign * news[j] * (relation.size ? 1 : 0)) / s + explained[j];
            total[j] += weight * (rest / (s * s) + centre * centre);
          }
        });
      });
      return total;
    }

    // Rows and numbers of a task, in units of their spread.
    function standard(rows, numbers) {
      const [centre, scale] = [mean(numbers), spread(numbers)];
      return { rows, labels: Float64Array.from(numbers, (number) => (number - centre) / scale), mean: centre, scale };
    }

    // The model, fitted: what it says of itself, and a function that predicts rows. Tables are { rows, numbers }, of numbers.
    function fitted(a, b, watch) {
      const [target, partner] = [a, b].map(({ rows, numbers }) => standard(rows, numbers));
      const own = kernelsOf(a.rows, []).map((kernel) => aloneOf(kernel, target, watch));
      const families = [...own, ...kernelsOf(a.rows, [b.rows]).map((kernel) => familyOf(kernel, target, partner, watch))];
      const [alone, members] = [own, families].map((ones) => ones.flatMap(({ groups }) => groups.flatMap((group) => group.members)));
      const unrelated = own[0].groups[0].relation.logPriors[0];
      const apart = normalised(alone.map(({ log }) => log - unrelated));
      const joint = normalised(members.map(({ log }) => log));
      const weights = joint.logs.map(Math.exp);
      const relation = relationOf(members, weights);
      const out = leftOut(alone, apart.logs);
      const { kept, left } = checked(leftOut(members, joint.logs), out);
      members.forEach((one, k) => { one.weight = kept * weights[k] + (k < alone.length ? (1 - kept) * Math.exp(apart.logs[k]) : 0); });
      const averages = families.map((family) => averageOf(family, target));
      const bounds = boundsOf(a.numbers);
      const within = (given) => given.map((error, i) => {
        const [low, high] = bounds.map((bound) => (bound - target.mean) / target.scale);
        return target.labels[i] - clip(target.labels[i] - error, low, high);
      });
      const [errors, errorsAlone] = [left, out].map(within);
      const heard = sum(weights.slice(alone.length));
      const said = sharingOf(errors, errorsAlone);
      const worth = worthOf(families.slice(own.length), target, partner);
      const predict = (rows, spreads) => predicted(averages, { target, partner, bounds }, rows, spreads);
      return { predict, sharing: { ...said, chance: chanceOf(said, heard), worth, nats: joint.total - apart.total, relation }, errors, errorsAlone, scale: target.scale };
    }

    // How many rows of the target the partner is worth; as in worth_of.
    function worthOf(families, target, partner) {
      const heard = families.flatMap(({ kernel, groups }) => noises.map((noise) => {
        const parts = groups.map(({ members }) => {
          const own = members.filter((one) => one.noise === noise);
          const left = mean(own[0].deviations.map((value) => (value * own[0].s) ** 2)) - noise;
          return { left, weight: sum(own.map(({ weight }) => weight)) };
        });
        return { kernel, noise, parts, mass: sum(parts.map(({ weight }) => weight)) };
      }));
      const total = sum(heard.map(({ mass }) => mass));
      if (!total) return 0;
      const { kernel, noise, parts, mass } = heard[leastPlace(heard.map((one) => -one.mass))];
      const [within, between, beside] = [[target, target], [partner, target], [partner, partner]].map(([left, right]) => withLevel(kernel.between(left.rows, right.rows)));
      const one = matrix(within.rows, within.rows);
      for (let i = 0; i < one.rows; i += 1) row(one, i)[i] = 1;
      const counted = constants.shares.map((share) => {
        const seen = share && whiten(cholesky(beside, noise / share), { ...between, data: between.data.slice() });
        const told = share ? transposedTimes(seen, seen).data : within.data.map(() => 0);
        const inverse = whiten(cholesky(all(within, (value, i) => value - told[i]), noise), { ...one, data: one.data.slice() });
        const precision = new Float64Array(one.rows);
        for (let k = 0; k < one.rows; k += 1) row(inverse, k).forEach((value, i) => { precision[i] += value * value; });
        return 1 / (mean(precision.map((value) => 1 / value)) - noise);
      });
      const shareOf = (precision) => {
        const next = counted.findIndex((value) => value > precision);
        if (next <= 0) return next ? 1 : 0;
        const [low, high] = [constants.shares[next - 1], constants.shares[next]];
        return low + ((high - low) * (precision - counted[next - 1])) / (counted[next] - counted[next - 1]);
      };
      return partner.labels.length * sum(parts.map(({ left, weight }) => weight * shareOf(1 / left))) * (total / mass);
    }

    // Predictions of two values stay between them.
    function boundsOf(numbers) {
      const [low, high] = [numbers.reduce((x, y) => Math.min(x, y)), numbers.reduce((x, y) => Math.max(x, y))];
      return numbers.every((number) => number === low || number === high) ? [low, high] : [-Infinity, Infinity];
    }

    function predicted(averages, { target, partner, bounds }, fresh, spreads) {
      const found = new Float64Array(fresh.rows);
      averages.forEach((average) => add(found, 1, averageAt(average, target, partner, fresh)));
      const means = found.map((value) => clip(target.mean + target.scale * value, ...bounds));
      if (!spreads) return { means };
      const squares = new Float64Array(fresh.rows);
      averages.forEach((average) => add(squares, 1, squaresAt(average, target, partner, fresh)));
      return { means, deviations: squares.map((square, i) => target.scale * Math.sqrt(Math.max(square - found[i] ** 2, 0))) };
    }

    const withError = (values) => {
      const centre = mean(values);
      return [centre, Math.sqrt(sum(values.map((value) => (value - centre) ** 2)) / (values.length - 1) / values.length)];
    };

    function sharingOf(errors, errorsAlone) {
      const [together, alone] = [errors, errorsAlone].map((values) => values.map((value) => value * value));
      const [gain, error] = withError(alone.map((value, i) => value - together[i]));
      return { gain, error, alone: mean(alone), together: mean(together) };
    }

    // Probability that sharing gains: of related tasks half do, whatever the rows left out say. Phi by its series.
    function chanceOf({ gain, error }, related) {
      const z = error > 0 ? clip(gain / error, -8, 8) : 8 * Math.sign(gain);
      let [term, total] = [z, z];
      for (let k = 3; k < 400; k += 2) {
        term *= (z * z) / k;
        total += term;
      }
      const ahead = error > 0 || z ? 0.5 + (total * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI) : 0;
      return (related * (1 + ahead)) / 2;
    }

    // Ridge regression of tasks with shared coefficients and, at `share` above 0, some of their own; as in shared_ridge.
    function ridge(tables, labels, share) {
      const [parts, d] = [tables.length, tables[0].cols];
      const width = unitsOf(tables.length > 1 ? stacked(...tables) : tables[0]).map((unit) => unit.width);
      const inUnits = tables.map((table) => all(table, (value, i) => value / width[i % d]));
      const centres = inUnits.map((table) => Array.from({ length: d }, (_, j) => mean(column(table, j))));
      const means = labels.map(mean);
      const scales = labels.map((values) => spread(values) || 1);
      const design = matrix(sum(tables.map(({ rows }) => rows)), d * (share ? 1 + parts : 1));
      const [aims, place] = [new Float64Array(design.rows), []];
      inUnits.forEach((table, t) => {
        for (let i = 0; i < table.rows; i += 1) {
          const mine = row(design, place.length);
          row(table, i).forEach((value, j) => {
            mine[j] = value - centres[t][j];
            if (share) mine[d * (1 + t) + j] = Math.sqrt(share) * mine[j];
          });
          aims[place.length] = (labels[t][i] - means[t]) / scales[t];
          place.push(t);
        }
      });
      const gram = transposedTimes(design, design);
      const size = Math.max(sum(Array.from({ length: gram.rows }, (_, j) => row(gram, j)[j])) / design.rows, 1e-300);
      const reduced = tridiagonal(gram);
      const turn = axes(reduced);
      const turnedRows = matrix(design.cols, design.rows);
      for (let i = 0; i < design.rows; i += 1) times(turn, row(design, i)).forEach((value, k) => { row(turnedRows, k)[i] = value; });
      const y = times(turnedRows, aims);
      const fits = constants.penalties.map((penalty) => {
        const factor = shifted(reduced, size * penalty);
        const weights = backward(factor, forward(factor, y));
        const [leverage, said] = [quadratic(factor, turnedRows), turnedBack(turnedRows, weights)];
        const errors = aims.map((aim, i) => (aim - said[i]) / Math.max(1 - leverage[i] - 1 / Math.max(tables[place[i]].rows, 2), 1e-12));
        return { weights, errors, error: mean(errors.map((value) => value * value)) };
      });
      const best = fits[leastPlace(fits.map(({ error }) => error))];
      const weights = turnedBack(turn, best.weights);
      return { error: best.error, leftOut: best.errors.map((value, i) => value * scales[place[i]]), predict: predictRidge };

      // Of the first task, in a table of the units that were given.
      function predictRidge(table) {
        const slopes = width.map((unit, j) => ((weights[j] + (share ? Math.sqrt(share) * weights[d + j] : 0)) * scales[0]) / unit);
        const level = means[0] - sum(centres[0].map((centre, j) => (Number.isFinite(width[j]) ? centre * width[j] * slopes[j] : 0)));
        return times(table, slopes).map((value) => level + value);
      }
    }

    // What baselines err, and would gain over the same target alone, with the gain's error, in the order of their names;
    // and which one errs least, and how far it is ahead of the model.
    function baselinesOf(a, b, fit) {
      const units = unitsOf(stacked(a.rows, b.rows));
      const [one, other] = [a, b].map(({ rows, numbers }) => standard(scaled(rows, units), numbers));
      const [tables, labels] = [[one.rows, other.rows], [one.labels, other.labels]];
      const own = constants.own.map((share) => ridge(tables, labels, share));
      const told = ridge([other.rows], [other.labels], 0).predict(one.rows);
      const wider = matrix(one.rows.rows, one.rows.cols + 1);
      for (let i = 0; i < wider.rows; i += 1) row(wider, i).set([...row(one.rows, i), told[i]]);
      const found = [ridge([one.rows], [one.labels], 0), own[0], own[leastPlace(own.map(({ error }) => error))], ridge([wider], [one.labels], 0)];
      const losses = found.map(({ leftOut: errors }) => fit.errors.map((_, i) => errors[i] ** 2));
      const over = (errors, squares) => withError(errors.map((value, i) => value * value - squares[i]));
      const best = leastPlace(losses.map(mean));
      return { baselines: losses.map((squares) => [mean(squares), ...over(fit.errorsAlone, squares)]), ahead: [best, ...over(fit.errors, losses[best])] };
    }

    // Columns whose level or spread is another in the other table, and whose values are, by more than sampling does.
    function unlikeOf(a, b) {
      const { sure, chance, far, wide } = constants.unlike;
      const found = { unit: [], levels: [] };
      for (let j = 0; j < a.cols; j += 1) {
        const columns = [a, b].map((table) => column(table, j));
        const [fixed, numbers] = [columns.map((values) => !varies(values)), columns.every((values) => new Set(values).size > 2)];
        const hardly = (k) => fixed[k] && (columns[1 - k].filter((value) => value === columns[k][0]).length / columns[1 - k].length) ** columns[k].length < chance;
        if (hardly(0) || hardly(1)) found.levels.push(j);
        if (!numbers) continue;
        const [levels, variances] = [columns.map(mean), columns.map((values) => spread(values) ** 2)];
        const fourths = columns.map((values, k) => mean(values.map((value) => (value - levels[k]) ** 4)));
        const apart = Math.abs(levels[0] - levels[1]);
        const ofLevel = Math.sqrt(sum(variances.map((variance, k) => variance / columns[k].length)));
        const ratio = Math.abs(Math.log(variances[0] / variances[1]));
        const ofRatio = Math.sqrt(sum(fourths.map((fourth, k) => (fourth / variances[k] ** 2 - 1) / columns[k].length)));
        const level = apart > sure * ofLevel && apart > far * Math.sqrt(Math.max(...variances));
        if (level || (ratio > sure * ofRatio && ratio > 2 * Math.log(wide))) found.unit.push(j);
      }
      return found;
    }

    // Log odds of a class from predictions of its labels 0 and 1, by the likelihood and the prior of its level and slope.
    function curveOf(labels, said) {
      const { levelSpread, slopeSpread, steps, small } = constants.curve;
      const share = mean(labels);
      const x = said.map((value) => (value - share) / (share * (1 - share)));
      const [level0, p, q] = [Math.log(share / (1 - share)), levelSpread ** -2, slopeSpread ** -2];
      const softplus = (odds) => Math.max(odds, 0) + Math.log1p(Math.exp(-Math.abs(odds)));
      const height = ([u, v]) => 0.5 * (p * (u - level0) ** 2 + q * (v - 1) ** 2)
        + x.reduce((total, value, i) => total + softplus(u + v * value) - labels[i] * (u + v * value), 0);
      let at = [level0, 1];
      for (let k = 0; k < steps; k += 1) {
        let [g0, g1, h00, h01, h11] = [-p * (at[0] - level0), -q * (at[1] - 1), p, 0, q];
        x.forEach((value, i) => {
          const chance = 1 / (1 + Math.exp(-(at[0] + at[1] * value)));
          const weight = chance * (1 - chance);
          g0 += labels[i] - chance;
          g1 += value * (labels[i] - chance);
          h00 += weight;
          h01 += weight * value;
          h11 += weight * value * value;
        });
        const det = h00 * h11 - h01 * h01;
        let step = [(h11 * g0 - h01 * g1) / det, (h00 * g1 - h01 * g0) / det];
        const most = () => Math.max(...step.map(Math.abs));
        while (height([at[0] + step[0], at[1] + step[1]]) > height(at) && most() > small) step = step.map((part) => part / 2);
        at = [at[0] + step[0], at[1] + step[1]];
        if (most() <= small) break;
      }
      return (value) => 1 / (1 + Math.exp(-(at[0] + (at[1] * (value - share)) / (share * (1 - share)))));
    }

    // The answer to two tables { rows, numbers, classes }; `classes` are the two names of labels that are text. Where the
    // target has such names, what is predicted is the second one's probability.
    function answer(a, b, watch = () => {}) {
      const named = a.classes;
      const known = named && b.classes ? b.classes.indexOf(a.classes[1]) : -1;
      const fit = fitted(a, known === 0 ? { ...b, numbers: b.numbers.map((number) => 1 - number) } : b, watch);
      const baselines = baselinesOf(a, b, fit);
      watch();
      const saidOf = (errors) => a.numbers.map((number, i) => number - fit.scale * errors[i]);
      const curve = named && curveOf(a.numbers, saidOf(fit.errors));
      const losses = [fit.errorsAlone, fit.errors].map((errors) => {
        if (!named) return fit.scale * Math.sqrt(mean(errors.map((value) => value * value)));
        const chances = saidOf(errors).map(curveOf(a.numbers, saidOf(errors)));
        return -mean(chances.map((chance, i) => Math.log(a.numbers[i] ? chance : 1 - chance)));
      });
      const predict = (rows) => (named ? { chances: fit.predict(rows, false).means.map(curve) } : fit.predict(rows, true));
      return { ...fit.sharing, ...baselines, measure: constants.measures[named ? 1 : 0], losses, unlike: unlikeOf(a.rows, b.rows), predict };
    }
    answer.steps = 4 * (1 + new Set(constants.prior.map(([rho]) => Math.abs(rho)).filter(Boolean)).size + constants.units.length) + 1;
    return answer;
  };
})();
