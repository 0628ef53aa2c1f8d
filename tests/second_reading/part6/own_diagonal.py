"""Diagonal networks written anew: balanced pretraining in closed form, finetuning by Newton's method."""

import numpy as np

D, ALPHA, GAMMA = 1000, 1e-3, 1e-3


def examples(rng, n, d=D):
    """Inputs of unit norm in rows."""
    x = rng.standard_normal((n, d))
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def first_layer(aux, alpha=ALPHA):
    """Both pathways after pretraining that found `aux`: difference of squares aux, product alpha squared."""
    root = np.sqrt(aux**2 + 4 * alpha**4)
    return np.sqrt((root + aux) / 2), np.sqrt((root - aux) / 2)


def finetuned(x, y, up, um, gamma=GAMMA, steps=60):
    """Where training ends that starts with one number in all readouts."""
    return tuned(x, y, (up, gamma, um, gamma), steps)


def tuned(x, y, layers, steps=60):
    """Coefficients A exp(2G) - B exp(-2G) that fit, with G in the span of the examples."""
    up, vp, um, vm = layers
    a = ((up + vp) ** 2 + (um - vm) ** 2) / 4
    b = ((up - vp) ** 2 + (um + vm) ** 2) / 4
    nu = np.zeros(len(y))

    def value(nu):
        g = np.clip(2 * x.T @ nu, -500, 500)
        return (a * np.exp(g) + b * np.exp(-g)).sum() / 2 - nu @ y, a * np.exp(g), b * np.exp(-g)

    now, up_part, down_part = value(nu)
    for _ in range(steps):
        residual = x @ (up_part - down_part) - y
        if np.abs(residual).max() < 1e-10:
            break
        move = -np.linalg.solve((x * (2 * (up_part + down_part))) @ x.T, residual)
        size = min(1.0, 1.5 / np.abs(x.T @ move).max())
        while value(nu + size * move)[0] > now + 1e-4 * size * (residual @ move) + 1e-12 * abs(now):
            size /= 2
        nu = nu + size * move
        now, up_part, down_part = value(nu)
    assert np.abs(x @ (up_part - down_part) - y).max() < 1e-7
    return up_part - down_part


def least_squares(x, y, weights=None):
    """Interpolator of least sum of squares over weights."""
    weights = np.ones(x.shape[1]) if weights is None else weights
    return weights * (x.T @ np.linalg.solve((x * weights) @ x.T, y))


def tasks(rng, k, shared, k_aux=40):
    """Coefficients of an auxiliary task and of a main task of k features, some of them the auxiliary ones."""
    place = rng.permutation(D)
    aux, main = np.zeros(D), np.zeros(D)
    aux[place[:k_aux]] = rng.choice([-1.0, 1.0], k_aux)
    main[place[k_aux - shared : k_aux - shared + k]] = rng.choice([-1.0, 1.0], k)
    return aux, main


def error(found, main):
    """Squared distance relative to predicting zero."""
    return np.sum((found - main) ** 2) / np.sum(main**2)


def finetuning_error(seed, k, shared, n, factor=1.0):
    """Error of a network that was pretrained ideally, rescaled, and finetuned on n examples."""
    rng = np.random.default_rng([seed, k, shared, 6])
    aux, main = tasks(rng, k, shared)
    up, um = first_layer(aux)
    x = examples(rng, n)
    return error(finetuned(x, x @ main, factor * up, factor * um), main)


def mean_logs(n_seeds, *case, **more):
    """Mean logarithm of finetuning errors over seeds."""
    return np.mean([np.log(finetuning_error(seed, *case, **more)) for seed in range(n_seeds)])
