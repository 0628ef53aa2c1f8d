"""The joint model with every covariance written out in full: the second route to what the library computes.

No eigendecomposition, no conditional formulas: one covariance of all labels for each member, solved, with the target's
row left out by leaving it out, and a scale found from its values.
"""

from itertools import product

import numpy as np
import plain
from scipy.stats import multivariate_normal

NOISES = np.array([0.01, 0.3, 10.0])
PRIOR = {-0.8: 0.1, 0.0: 0.4, 0.5: 0.2, 0.95: 0.3}
SHARES = {0.0: 0.3, 0.6: 0.5, 0.98: 0.2}


def line(rows, left, right):
    rows, left, right = (np.clip(x, -3, 3) for x in (rows, left, right))
    centre = rows.mean(axis=0)
    return (left - centre) @ (right - centre).T / np.mean(np.sum((rows - centre) ** 2, axis=1))


def layer(rows, left, right):
    return plain.kernel(*(x / (1 + x**2 / 9) ** 0.5 for x in (rows, left, right)))


KERNELS = (line, layer)


def standard_rows(tables, new):
    together = np.concatenate(tables)
    mean, spread = together.mean(axis=0), together.std(axis=0)
    return [(rows - mean) / spread for rows in [*tables, new]]


def alone(gram, y):
    """Noise and scale of highest evidence."""
    best = (-np.inf, 0.0, 0.0)
    for noise in NOISES:
        cov = gram + 1 + noise * np.eye(len(y))
        scale = y @ np.linalg.solve(cov, y) / len(y)
        best = max(best, (multivariate_normal.logpdf(y, cov=scale * cov), noise, scale))
    return best[1:]


class Member:
    """One kernel, one noise of the target, and one matrix that multiplies the kernel between tasks."""

    def __init__(self, kernel, tables, labels, between, tau, log_prior):
        *rows, self.new = tables
        self.everything, self.kernel, self.between, self.log_prior = np.concatenate(rows), kernel, between, log_prior
        self.place = np.repeat(np.arange(len(rows)), [len(x) for x in rows])
        found = [alone(kernel(self.everything, x, x), y) for x, y in zip(rows[1:], labels[1:], strict=True)]
        noises = np.array([tau] + [noise for noise, _ in found])
        self.function = self._function(self.everything, self.place)
        self.cov = self.function + np.diag(noises[self.place])
        self.y = labels[0]
        self.others = np.concatenate([y / np.sqrt(scale) for y, (_, scale) in zip(labels[1:], found, strict=True)])
        self.n, self.tau = len(self.y), tau
        self.s = self._scale()

    def _function(self, rows, place):
        """Covariance of the functions between given rows of tasks and all training rows."""
        same = place[:, None] == self.place[None]
        return self.kernel(self.everything, rows, self.everything) * self.between[np.ix_(place, self.place)] + same

    def log_density(self, s, rows=slice(None)):
        """Of the target's labels in these rows, given all of the others'."""
        kept = np.concatenate([np.arange(self.n)[rows], np.arange(self.n, len(self.cov))])
        all_of_them = multivariate_normal.logpdf(np.r_[s * self.y[rows], self.others], cov=self.cov[np.ix_(kept, kept)])
        return all_of_them + len(self.y[rows]) * np.log(s) - self.evidence_of_others()

    def evidence_of_others(self):
        return multivariate_normal.logpdf(self.others, cov=self.cov[self.n :, self.n :])

    def _scale(self):
        """Less n log s the log density is a parabola in s, which three points tell."""
        tried = np.array([1.0, 2.0, 3.0])
        heights = [self.log_density(s) - self.n * np.log(s) for s in tried]
        square, linear, _ = np.polyfit(tried, heights, 2)
        return float(max(np.roots([2 * square, linear, self.n]).real))

    def predicted(self, cross, kept):
        """Mean and variance of a function of this covariance with the kept rows, before its own variance is added."""
        labels = np.r_[self.s * self.y, self.others][kept]
        solved = np.linalg.solve(self.cov[np.ix_(kept, kept)], cross[:, kept].T)
        return solved.T @ labels / self.s, -np.einsum("ij,ji->i", cross[:, kept], solved) / self.s**2

    def left_out(self, row):
        mean, known = self.predicted(self.function[[row]], np.delete(np.arange(len(self.cov)), row))
        return self.y[row] - mean[0], known[0] + self.cov[row, row] / self.s**2

    def at_new(self):
        own = np.zeros(len(self.new), dtype=int)
        mean, known = self.predicted(self._function(self.new, own), np.arange(len(self.cov)))
        prior = np.diag(self.kernel(self.everything, self.new, self.new)) + 1 + self.tau
        return mean, known + prior / self.s**2


def members(tables, labels):
    """All of them; of two partners also both together, each turned as its own members would have it."""
    found, n_partners = [], len(labels) - 1
    halves = 2 if n_partners > 1 else 1
    for kernel in KERNELS:
        turned = [1]
        for partner in range(1, n_partners + 1):
            own = []
            for tau, rho in product(NOISES, PRIOR):
                between = np.eye(n_partners + 1)
                between[0, partner] = between[partner, 0] = rho
                prior = np.log(PRIOR[rho] / n_partners / halves)
                own.append((rho, Member(kernel, tables, labels, between, tau, prior)))
            weights = shares([one.log_prior + one.log_density(one.s) for _, one in own])
            turned.append(-1 if weights @ [rho for rho, _ in own] < 0 else 1)
            found += [one for _, one in own]
        signed = [sign * y for sign, y in zip(turned, labels, strict=True)]
        for tau, share in product(NOISES, SHARES if n_partners > 1 else []):
            between = share + (1 - share) * np.eye(n_partners + 1)
            one = Member(kernel, tables, signed, between, tau, np.log(0.5 * SHARES[share]))
            apart = Member(kernel, tables, signed, np.eye(n_partners + 1), tau, 0.0)
            one.log_prior += one.evidence_of_others() - apart.evidence_of_others()
            found.append(one)
    return found


def average(tables, labels, new):
    """Errors and variances of the target's rows left out, and means and variances at new rows, in the labels' units."""
    standard = [plain.standard(y) for y in labels]
    found = members(standard_rows(tables, new), standard)
    scale, mean = labels[0].std(), labels[0].mean()
    errors, variances = [], []
    for row in range(len(labels[0])):
        rest = np.delete(np.arange(len(labels[0])), row)
        weights = shares([one.log_prior + one.log_density(one.s, rest) for one in found])
        parts = np.array([one.left_out(row) for one in found])
        errors.append(weights @ parts[:, 0])
        variances.append(weights @ (parts[:, 1] + parts[:, 0] ** 2) - errors[-1] ** 2)
    weights = shares([one.log_prior + one.log_density(one.s) for one in found])
    means, spreads = (np.array(parts) for parts in zip(*[one.at_new() for one in found], strict=True))
    at_new = weights @ means
    spread = weights @ (spreads + means**2) - at_new**2
    return scale * np.array(errors), scale**2 * np.array(variances), mean + scale * at_new, scale**2 * spread


def shares(logs):
    weights = np.exp(np.array(logs) - np.max(logs))
    return weights / weights.sum()
