"""Paths, penalties and the logistic flow of diagonal networks, written anew in the coordinates of the examples."""

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import linprog
from scipy.special import expit, log_expit, logsumexp


def sparse(rng, d, k):
    """Teacher of k coefficients of plus or minus one."""
    teacher = np.zeros(d)
    teacher[rng.permutation(d)[:k]] = rng.choice([-1.0, 1.0], k)
    return teacher


def two_layers(a):
    """Coefficients, slopes and potential over the pull G, from equal weights a."""

    def response(g):
        g = np.clip(2 * g, -300, 300)
        return 2 * a**2 * np.sinh(g), 4 * a**2 * np.cosh(g), a**2 * np.cosh(g)

    return response


def three_layers(a):
    """The same for three layers, where the pull has walls; nothing is returned behind them."""

    def response(g):
        s = a * g
        if np.abs(s).max() >= 1:
            return None
        up, down = 1 / (1 - s), 1 / (1 + s)
        return a**3 * (up**3 - down**3), 3 * a**4 * (up**4 + down**4), a**2 * (up**2 + down**2) / 2

    return response


def interpolator(x, y, response, tolerance=1e-10):
    """Coefficients that fit, with a pull in the span of the examples: Newton's method on the dual problem."""
    nu = np.zeros(len(y))
    beta, slope, potential = response(x.T @ nu)
    now = potential.sum()
    for _ in range(500):
        residual = x @ beta - y
        if np.abs(residual).max() < tolerance:
            return beta
        move, size = -np.linalg.solve((x * slope) @ x.T, residual), 1.0
        while True:
            tried = response(x.T @ (nu + size * move))
            value = np.inf if tried is None else tried[2].sum() - (nu + size * move) @ y
            if value <= now + 1e-4 * size * (residual @ move) + 1e-13 * abs(now):
                break
            size /= 2
        nu, now, (beta, slope, _) = nu + size * move, value, tried
    raise AssertionError("no interpolator")


def least_l1(x, y):
    """Least sum of sizes of coefficients that fit."""
    both = np.hstack([x, -x])
    return linprog(np.ones(both.shape[1]), A_eq=both, b_eq=y, bounds=(0, None), method="highs").fun


def largest_margin(signed):
    """Largest least margin of coefficients whose sizes sum to one."""
    both = np.hstack([signed, -signed])
    found = linprog(np.ones(both.shape[1]), A_ub=-both, b_ub=-np.ones(len(signed)), bounds=(0, None), method="highs")
    return 1 / found.fun


def logistic(signed, up, down, marks):
    """Coefficients up exp(2G) - down exp(-2G) of gradient flow where minus the log of the loss is at each mark."""

    def parts(nu):
        g = np.clip(2 * signed.T @ nu, -90, 90)
        return up * np.exp(g) - down * np.exp(-g), 2 * (up * np.exp(g) + down * np.exp(-g))

    def shares(_, nu):
        logs = log_expit(-signed @ parts(nu)[0])
        return np.exp(logs - logsumexp(logs))

    def slopes(_, nu):
        beta, rise = parts(nu)
        p = shares(0, nu)
        change = -((signed * rise) @ signed.T) * expit(signed @ beta)[:, None]
        return p[:, None] * change - np.outer(p, p @ change)

    def level(nu):
        margins = signed @ parts(nu)[0]
        logs = np.where(margins > 30, -margins, np.log(np.maximum(np.logaddexp(0, -margins), 1e-300)))
        return np.log(len(signed)) - logsumexp(logs)

    events = [lambda _, nu, mark=mark: level(nu) - mark for mark in marks]
    events[-1].terminal = True
    run = solve_ivp(shares, (0, 1e7), np.zeros(len(signed)), "LSODA", jac=slopes, events=events, rtol=1e-4, atol=1e-6)
    return [parts(found[0])[0] for found in run.y_events]
