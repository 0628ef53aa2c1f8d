"""The joint model with every covariance written out in full: the second route to what the library computes.

No eigendecomposition, no conditional formulas: one covariance of all labels for each member, solved, with the target's
row left out by leaving it out, and a scale found from its values.
"""

from functools import partial
from itertools import product

import numpy as np
from scipy.stats import multivariate_normal

NOISES = np.array([0.01, 0.3, 10.0])
CORRELATIONS = {-0.8: 0.1, 0.0: 0.4, 0.5: 0.2, 0.95: 0.3}
SAME_UNITS = {0.9: 0.15, 0.99: 0.25}
POOLED = 0.35
PSEUDO_ROWS = 7.0
UNIT_ROWS = 5


def line(rows, left, right):
    rows, left, right = (np.clip(x, -3, 3) for x in (rows, left, right))
    centre = rows.mean(axis=0)
    return (left - centre) @ (right - centre).T / np.mean(np.sum((rows - centre) ** 2, axis=1))


def standard(y):
    return (y - y.mean()) / y.std()


def layer_kernel(rows, left, right):
    centre = rows.mean(axis=0)
    size = np.mean(np.sum((rows - centre) ** 2, axis=1))
    found = np.empty((len(left), len(right)))
    for i, x in enumerate(left - centre):
        for j, z in enumerate(right - centre):
            angle = np.arccos(np.clip(x @ z / (np.linalg.norm(x) * np.linalg.norm(z)), -1, 1))
            relu = np.linalg.norm(x) * np.linalg.norm(z) * (np.sin(angle) + (np.pi - angle) * np.cos(angle)) / np.pi
            found[i, j] = (x @ z + relu) / (2 * size)
    return found


def layer(rows, left, right):
    return layer_kernel(*(x / (1 + x**2 / 9) ** 0.5 for x in (rows, left, right)))


def smooth(rows, left, right):
    rows, left, right = (x / (1 + x**2 / 9) ** 0.5 for x in (rows, left, right))
    mean_square = np.mean(np.sum((rows - rows.mean(axis=0)) ** 2, axis=1))
    return np.exp(-np.sum((left[:, None] - right[None]) ** 2, axis=2) / (6 * mean_square))


def additive(rows, left, right):
    rows, left, right = (x / (1 + x**2 / 9) ** 0.5 for x in (rows, left, right))
    centre = rows.mean(axis=0)
    linear = (left - centre) @ (right - centre).T / np.mean(np.sum((rows - centre) ** 2, axis=1))
    return 0.5 * linear + 0.5 * np.mean(np.exp(-np.abs(left[:, None] - right[None])), axis=2)


KERNELS = (line, layer, smooth, additive)


def standard_rows(tables, new):
    """In the target's units: its mean, and its variance beside partners with five rows of that within all tasks."""
    own, n = tables[0], [len(rows) for rows in tables]
    square = np.square(own - own.mean(axis=0)).sum(axis=0)
    within = np.average([rows.var(axis=0) for rows in tables], axis=0, weights=n)
    spread = np.sqrt((square + UNIT_ROWS * within) / (n[0] + UNIT_ROWS))
    return [(rows - own.mean(axis=0)) / spread for rows in [*tables, new]]


def alone(gram, y):
    """Noise and scale of highest evidence."""
    best = (-np.inf, 0.0, 0.0)
    for noise in NOISES:
        cov = gram + 1 + noise * np.eye(len(y))
        scale = y @ np.linalg.solve(cov, y) / len(y)
        best = max(best, (multivariate_normal.logpdf(y, cov=scale * cov), noise, scale))
    return best[1:]


class Member:
    """One kernel, one noise of the target, and one matrix that multiplies the kernel between tasks.

    `units` are a partner, and the means and the scales of all labels, where the target's and that partner's are taken
    in the same units and have the same level.
    """

    def __init__(self, kernel, tables, labels, between, tau, log_prior, units=None):
        *rows, self.new = tables
        self.everything, self.between, self.log_prior = np.concatenate(rows), between, log_prior
        self.kernel = partial(kernel, self.everything)
        self.place = np.repeat(np.arange(len(rows)), [len(x) for x in rows])
        found = [alone(self.kernel(x, x), y) for x, y in zip(rows[1:], labels[1:], strict=True)]
        noises, self.levels = np.array([tau] + [noise for noise, _ in found]), np.eye(len(rows))
        if units is not None:
            partner, means, scales = units
            self.levels[0, partner] = self.levels[partner, 0] = 1.0
        self.function = self._function(self.everything, self.place)
        self.cov = self.function + np.diag(noises[self.place])
        self.y = labels[0]
        others = [y / np.sqrt(scale) for y, (_, scale) in zip(labels[1:], found, strict=True)]
        self.others = np.concatenate([np.zeros(0), *others])
        self.n, self.tau, self.offset = len(self.y), tau, 0.0
        if units is None:
            self.s = self._scale()
        else:
            unit = scales[partner] * np.sqrt(found[partner - 1][1])
            self.s, self.offset = scales[0] / unit, (means[0] - means[partner]) / unit

    def _function(self, rows, place):
        """Covariance of the functions between given rows of tasks and all training rows."""
        of_tasks = np.ix_(place, self.place)
        return self.kernel(rows, self.everything) * self.between[of_tasks] + self.levels[of_tasks]

    def log_density(self, s, rows=slice(None)):
        """Of the target's labels in these rows, given all of the others'."""
        kept = np.concatenate([np.arange(self.n)[rows], np.arange(self.n, len(self.cov))])
        labels = np.r_[s * self.y[rows] + self.offset, self.others]
        all_of_them = multivariate_normal.logpdf(labels, cov=self.cov[np.ix_(kept, kept)])
        return all_of_them + len(self.y[rows]) * np.log(s) - self.evidence_of_others()

    def evidence_of_others(self):
        if not len(self.others):
            return 0.0
        return multivariate_normal.logpdf(self.others, cov=self.cov[self.n :, self.n :])

    def _scale(self):
        """Less n log s the log density is a parabola in s, which three points tell."""
        tried = np.array([1.0, 2.0, 3.0])
        heights = [self.log_density(s) - self.n * np.log(s) for s in tried]
        square, linear, _ = np.polyfit(tried, heights, 2)
        found = float(max(np.roots([2 * square, linear, self.n]).real))
        self.log_prior += -0.5 * np.log(-4 * square * found**2 - linear * found)  # curvature in log s, by Laplace
        return found

    def predicted(self, cross, kept):
        """Mean and variance of a function of this covariance with the kept rows, before its own variance is added."""
        labels = np.r_[self.s * self.y + self.offset, self.others][kept]
        solved = np.linalg.solve(self.cov[np.ix_(kept, kept)], cross[:, kept].T)
        return (solved.T @ labels - self.offset) / self.s, -np.einsum("ij,ji->i", cross[:, kept], solved) / self.s**2

    def left_out(self, row):
        mean, known = self.predicted(self.function[[row]], np.delete(np.arange(len(self.cov)), row))
        return self.y[row] - mean[0], known[0] + self.cov[row, row] / self.s**2

    def at_new(self):
        own = np.zeros(len(self.new), dtype=int)
        mean, known = self.predicted(self._function(self.new, own), np.arange(len(self.cov)))
        prior = np.diag(self.kernel(self.new, self.new)) + 1 + self.tau
        return mean, known + prior / self.s**2


def members(own, tables, labels, units):
    """All of them, of the target by itself in units `own`, with each partner, and of two partners with both as one."""
    found, partners = [], range(1, len(labels))
    for kernel, tau in product(KERNELS, NOISES):
        apart, alike = structure(kernel, tables, labels, units)
        zero = np.eye(len(labels))
        found.append(Member(kernel, own, labels[:1], np.eye(1), tau, np.log(CORRELATIONS[0.0])))
        for partner in partners:
            each = [(rho, mass, None) for rho, mass in CORRELATIONS.items() if rho]
            each += [(rho, mass, (partner, *units)) for rho, mass in SAME_UNITS.items()]
            for rho, mass, same in each:
                between = zero.copy()
                between[0, partner] = between[partner, 0] = rho
                prior = np.log(mass * apart / len(partners))
                found.append(Member(kernel, tables, labels, between, tau, prior, same))
        if alike:
            found += as_one(kernel, tau, tables, labels, units, alike * (1 - CORRELATIONS[0.0]))
    return found


def as_one(kernel, tau, tables, labels, units, share):
    """Members of the target with both partners' rows as those of one task, whose labels have the same units."""
    target, *rows, new = tables
    raw = [mean + scale * y for y, mean, scale in zip(labels, *units, strict=True)]
    both, found = np.concatenate(raw[1:]), []
    same = 1, [raw[0].mean(), both.mean()], [raw[0].std(), both.std()]
    for rho, mass in SAME_UNITS.items():
        between, prior = np.array([[1, rho], [rho, 1]]), share * mass / sum(SAME_UNITS.values())
        given = [target, np.concatenate(rows), new], [labels[0], standard(both)]
        found.append(Member(kernel, *given, between, tau, np.log(prior), same))
    return found


def structure(kernel, tables, labels, units):
    """How probable it is that the partners are several tasks, and that both are one, of their labels alone."""
    (_, *rows, _), given = tables, partial(kernel, np.concatenate(tables[:-1]))
    if len(rows) < 2:
        return 1.0, 0.0
    raw = [mean + scale * y for y, mean, scale in zip(labels, *units, strict=True)][1:]
    several = sum(map(partial(evidence, given), rows, raw))
    return shares([np.log(1 - POOLED) + several, np.log(POOLED) + evidence(given, *map(np.concatenate, (rows, raw)))])


def evidence(kernel, rows, y):
    """Of a task's labels in their units, at the best noise; the scale's logarithm integrated by Laplace's method."""
    noise, scale = alone(kernel(rows, rows), standard(y))
    cov = np.var(y) * (kernel(rows, rows) + 1 + noise * np.eye(len(y)))
    centred = y - y.mean()
    heights = [multivariate_normal.logpdf(centred, cov=scale * np.exp(2 * step) * cov) for step in (-1e-3, 0, 1e-3)]
    curvature = -(heights[0] - 2 * heights[1] + heights[2]) / 1e-6
    return heights[1] - 0.5 * np.log(curvature)


def average(tables, labels, new):
    """Errors and variances of the target's rows left out, and means and variances at new rows, in the labels' units."""
    units = [y.mean() for y in labels], [y.std() for y in labels]
    apart, given = standard_rows(tables[:1], new), [standard(y) for y in labels]
    own = [Member(kernel, apart, given[:1], np.eye(1), tau, 0.0) for kernel, tau in product(KERNELS, NOISES)]
    joint, alone = Averaged(members(apart, standard_rows(tables, new), given, units)), Averaged(own)
    moved, out = alone.errors - joint.errors, np.arange(len(labels[0]))
    kept = kept_share(moved, alone.errors)
    each = np.array([kept_share(np.delete(moved, row), np.delete(alone.errors, row)) for row in out])
    errors, variances = mixed(each, (joint.errors, joint.variances), (alone.errors, alone.variances))
    at_new, spread = mixed(kept, joint.at_new, alone.at_new)
    scale, mean = labels[0].std(), labels[0].mean()
    return scale * errors, scale**2 * variances, mean + scale * at_new, scale**2 * spread


class Averaged:
    """Members with their weights: errors and variances of rows left out, and means and variances at new rows."""

    def __init__(self, found):
        errors, variances = [], []
        for row in range(found[0].n):
            rest = np.delete(np.arange(found[0].n), row)
            weights = shares([one.log_prior + one.log_density(one.s, rest) for one in found])
            parts = np.array([one.left_out(row) for one in found])
            errors.append(weights @ parts[:, 0])
            variances.append(weights @ (parts[:, 1] + parts[:, 0] ** 2) - errors[-1] ** 2)
        weights = shares([one.log_prior + one.log_density(one.s) for one in found])
        means, spreads = (np.array(parts) for parts in zip(*[one.at_new() for one in found], strict=True))
        self.errors, self.variances = np.array(errors), np.array(variances)
        self.at_new = weights @ means, weights @ (spreads + means**2) - (weights @ means) ** 2


def kept_share(moved, errors):
    """Least squares of the errors on what the joint average moves, with further rows that it moves rightly."""
    posterior = np.full(1, np.sqrt(PSEUDO_ROWS * np.mean(moved**2)))
    return np.clip(np.linalg.lstsq(np.r_[moved, posterior][:, None], np.r_[errors, posterior])[0][0], 0, 1)


def mixed(share, one, other):
    """Means and variances of a mixture of two."""
    mean = share * one[0] + (1 - share) * other[0]
    return mean, share * (one[1] + one[0] ** 2) + (1 - share) * (other[1] + other[0] ** 2) - mean**2


def shares(logs):
    weights = np.exp(np.array(logs) - np.max(logs))
    return weights / weights.sum()


def three_tasks(n=(9, 11, 8), d=3, seed=3):
    rng = np.random.default_rng(seed)
    x = [rng.standard_normal((rows, d)) for rows in n]
    direction = rng.standard_normal(d)
    y = [
        5 + x[0] @ direction + rng.standard_normal(n[0]),
        2 * x[1] @ direction + 0.5 * rng.standard_normal(n[1]),
        -x[2] @ (direction + np.eye(d)[0]) + rng.standard_normal(n[2]),
    ]
    return x, y, rng.standard_normal((4, d))


def together(x, y, names="abc"):
    return np.concatenate(x), np.concatenate(y), np.repeat(list(names[: len(y)]), [len(labels) for labels in y])
