"""Curves of aligned students, and least errors of random ones, read a second time: from singular vectors of drawn data.

An aligned student's error is a sum over the modes of its data. Formulas are written out from the page Notation.
"""

from functools import cache

import numpy as np
import pytest

EPS, ANGLE = 1e-3, (np.arange(1000) + 0.5) * np.pi / 1000


def haar(rng, rows, columns):
    return np.linalg.qr(rng.standard_normal((rows, columns)))[0]


@cache
def drawn(strengths, n_outputs, n_sets, seed):
    """Of each data set: singular values, and what each mode catches of the teacher; 100 inputs."""
    rng, found = np.random.default_rng([seed, 1203]), []
    for _ in range(n_sets):
        teacher = haar(rng, n_outputs, len(strengths)) * strengths @ haar(rng, 100, len(strengths)).T
        left, s, right = np.linalg.svd(teacher + rng.standard_normal(teacher.shape) / 10, full_matrices=False)
        found.append((s, np.einsum("ik,ij,kj->k", left, teacher, right, optimize=True)))
    return found


def grown(t, s, imbalance=0.0, eps=EPS):
    """Strengths of modes at times (T,), (T, mode); with an imbalance λ, exp(asinh(2 s/λ)) obeys a Riccati equation."""
    t, s = np.asarray(t)[:, None], np.maximum(s, 1e-9)
    if imbalance == 0:
        return s / (1 + (s / eps - 1) * np.exp(-2 * s * t))
    half = 2 * s / imbalance
    high = half + np.hypot(half, 1)
    low, start = -1 / high, np.exp(np.arcsinh(2 * eps / imbalance))
    decayed = (start - high) / (start - low) * np.exp(-imbalance / 2 * (high - low) * t)
    u = (high - low * decayed) / (1 - decayed)
    return imbalance / 4 * (u - 1 / u)


def curves(t, strengths, n_outputs, n_sets, seed, **how):
    energy, rows = np.sum(np.square(strengths)), []
    for s, caught in drawn(strengths, n_outputs, n_sets, seed):
        x = grown(t, s, **how)
        rows.append(1 + (np.sum(x**2, axis=1) - 2 * x @ caught) / energy)
    return np.array(rows)


def eq15(t, strengths, n_outputs, hidden=False, order=0, **how):
    """Eq. 15 of Lampinen and Ganguli, with the overlap hidden in the bulk, and with all terms of order one."""
    aspect, energy = n_outputs / 100, np.sum(np.square(strengths))
    root = np.sqrt(aspect)
    square = 1 + aspect + 2 * root * np.cos(ANGLE)
    s = np.sqrt(square)
    mass = 2 * np.sin(ANGLE) ** 2 / square / ANGLE.size  # of the Marchenko–Pastur law
    x, edges = grown(t, s, **how), grown(t, [abs(1 - root), 1 + root], **how)
    total = (n_outputs - (0 if order else len(strengths))) * (x**2 @ mass)
    for a in strengths:
        place, above = np.sqrt((1 + a**2) * (aspect + a**2)) / a, a**4 > aspect
        if above or not order:
            y = grown(t, [place if above else 1 + root], **how)[:, 0]
            total += y**2 - 2 * y * above * (a**4 - aspect) / (a * a * place)
        if hidden or order:
            total -= 2 * (x @ (aspect * s * mass / (place**2 - square)))
        if order:  # displaced modes: the kernel is narrow near threshold, so the value at the edge goes apart
            r = a**2 / root
            kernel = (r * np.cos(ANGLE) - r**2) / (1 + r**2 - 2 * r * np.cos(ANGLE)) / ANGLE.size
            total += (x**2 - edges[:, 1:] ** 2) @ kernel - above * edges[:, 1] ** 2
    if order:
        total += np.sum(edges**2, axis=1) / 4 - np.mean(x**2, axis=1) / 2
    return 1 + total / energy


def at_best(values):
    chosen = values[:, values.mean(axis=0).argmin()]
    return chosen.mean(), chosen.std(ddof=1) / np.sqrt(len(chosen))


TEACHERS = pytest.mark.parametrize("strengths", [(1.5,), (3.0,), (6.0, 4.0, 2.0)])


@pytest.mark.claims("lazy-least-error")
@TEACHERS
def test_a_lazy_student_ends_at_the_share_of_the_noise(strengths):
    """Seen over 400 data sets: 0.0008, 0.0013 and 0.0001 above it, ± 0.0004."""
    t = np.geomspace(1e-3, 1, 300) * 0.08
    mean, error = at_best(curves(t, strengths, 50, 60, 1, imbalance=100.0))
    limit = 50 / (50 + np.sum(np.square(strengths)))
    assert mean == pytest.approx(limit, abs=0.004)
    assert 4 * error < 0.006


@pytest.mark.claims("lazy-leading-order")
@TEACHERS
def test_terms_of_order_one_at_any_imbalance(strengths):
    """Seen over 400 data sets: at most 0.005 ± 0.003 off, for the weakest teacher without imbalance."""
    for size, end in ((0.0, 6.0), (0.1, 5.0), (1.0, 4.0), (10.0, 0.8)):
        t = np.linspace(0, end, 400)
        mean, error = at_best(curves(t, strengths, 50, 60, 1, imbalance=size))
        off = [mean - eq15(t, strengths, 50, order=order, imbalance=size).min() for order in (0, 1)]
        assert abs(off[1]) < 0.03
        if size == 10.0:
            assert abs(off[1]) < 4 * error + 1e-3
            assert off[0] < -0.002  # the leading order alone is above


@pytest.mark.claims("hidden-overlap-alone")
@pytest.mark.parametrize(("strength", "late"), [(0.6, 0.071), (1.0, 0.031), (1.5, 0.017)])
def test_the_hidden_overlap_is_enough_up_to_the_minimum_alone(strength, late):
    t = np.linspace(0, 6, 121)
    found = curves(t, (strength,), 50, 200, 2)
    mean = found.mean(axis=0)
    error = found.std(axis=0, ddof=1) / np.sqrt(len(found)) / mean / np.log(10)
    off = np.abs(np.log10(mean / eq15(t, (strength,), 50, hidden=True)))
    least = mean.argmin() + 1
    assert off[:least].max() < 0.01
    assert off.max() == pytest.approx(late, abs=4 * error[off.argmax()])
    assert off.max() > 0.01


@pytest.mark.claims("oversampled-curves")
@pytest.mark.parametrize("density", [1, 2, 4])
def test_more_examples_are_a_stronger_teacher(density):
    """In units in which the examples are as many as the inputs. Seen with 64 data sets: 0.020, 0.011 and 0.013."""
    root = np.sqrt(density)
    t, strengths = np.linspace(0, 8, 161) * root, (3 * root,)
    mean = curves(t, strengths, 100, 30, 3, eps=EPS * root).mean(axis=0)
    off = np.abs(np.log10(mean / eq15(t, strengths, 100, eps=EPS * root)))
    assert off.max() < 0.04


def least_of_random(seed, n_examples, strength):
    """Least test error of a random 100–100–100 student: both layers by the classical Runge–Kutta method."""
    rng, n = np.random.default_rng([seed, n_examples, 1204]), 100
    teacher = strength * haar(rng, n, 1) @ haar(rng, n, 1).T
    middle = haar(rng, n, n)
    first, second = np.sqrt(EPS) * middle.T @ haar(rng, n, n), np.sqrt(EPS) * haar(rng, n, n) @ middle
    density = n_examples / n
    seen = np.full(n, max(density, 1.0)) if density >= 1 else np.arange(n) < n_examples  # diagonal of the covariance
    data = (teacher + rng.standard_normal((n, n)) / np.sqrt(n * np.maximum(seen, 1))) * seen
    first, second, teacher, data, seen = (np.asarray(m, dtype=np.float32) for m in (first, second, teacher, data, seen))

    def slope(w21, w32):
        error = data - w32 @ w21 * seen
        return w32.T @ error, error @ w21.T

    step, least = np.float32(0.25 / np.linalg.norm(data, 2)), np.inf
    for _ in range(int(2.2 / np.sqrt(max(density, 1)) / step)):
        least = min(least, float(np.sum((second @ first - teacher) ** 2)))
        a1, b1 = slope(first, second)
        a2, b2 = slope(first + step / 2 * a1, second + step / 2 * b1)
        a3, b3 = slope(first + step / 2 * a2, second + step / 2 * b2)
        a4, b4 = slope(first + step * a3, second + step * b3)
        first, second = first + step / 6 * (a1 + 2 * a2 + 2 * a3 + a4), second + step / 6 * (b1 + 2 * b2 + 2 * b3 + b4)
    return least / strength**2


@pytest.mark.claims("minimum-falls")
def test_more_examples_lower_the_least_error_of_random_students():
    """Strength 3. Seen over 24 data sets: 0.640, 0.222, 0.108 and 0.056; every step of six falls at three strengths."""
    found = np.array([[least_of_random(seed, p, 3.0) for seed in range(3)] for p in (50, 100, 200, 400)])
    mean, error = found.mean(axis=1), found.std(axis=1, ddof=1) / np.sqrt(3)
    assert np.all(mean[:-1] - mean[1:] > 3 * np.hypot(error[:-1], error[1:]))
    assert mean == pytest.approx([0.640, 0.222, 0.108, 0.056], rel=0.25)
