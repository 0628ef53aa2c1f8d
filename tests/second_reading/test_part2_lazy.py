"""Between lazy and rich, from the statements alone: networks written out layer by layer, on data drawn here."""

import numpy as np
import pytest

EPS = 1e-3


def haar(rng, rows, columns):
    q, r = np.linalg.qr(rng.standard_normal((rows, columns)))
    return q * np.sign(np.diag(r))


def sizes(imbalance):
    """a and b with b² - a² = imbalance and a b = EPS, by bisection."""
    low, high = 1e-9, 1e3
    for _ in range(200):
        b = np.sqrt(low * high)
        low, high = (b, high) if b**2 - (EPS / b) ** 2 < imbalance else (low, b)
    return EPS / b, b


def trained(first, second, data, clean, end, n_steps):
    """Test error over the training of both layers, by the classical Runge–Kutta method."""

    def slope(w21, w32):
        error = data - w32 @ w21
        return w32.T @ error, error @ w21.T

    step, errors = end / n_steps, []
    for _ in range(n_steps):
        errors.append(((second @ first - clean) ** 2).sum())
        a1, b1 = slope(first, second)
        a2, b2 = slope(first + step / 2 * a1, second + step / 2 * b1)
        a3, b3 = slope(first + step / 2 * a2, second + step / 2 * b2)
        a4, b4 = slope(first + step * a3, second + step * b3)
        first, second = first + step / 6 * (a1 + 2 * a2 + 2 * a3 + a4), second + step / 6 * (b1 + 2 * b2 + 2 * b3 + b4)
    return np.array(errors) / (clean**2).sum()


def drawn(rng, strengths, n_inputs=100, n_outputs=50):
    clean = haar(rng, n_outputs, len(strengths)) * strengths @ haar(rng, n_inputs, len(strengths)).T
    return clean, clean + rng.standard_normal(clean.shape) / np.sqrt(n_inputs)


def aligned_curves(strengths, imbalance, end, n_sets, n_steps):
    curves = []
    for seed in range(n_sets):
        clean, data = drawn(np.random.default_rng([41, seed]), np.array(strengths))
        left, _, right = np.linalg.svd(data, full_matrices=False)
        a, b = sizes(imbalance)
        curves.append(trained(a * right, left * b, data, clean, end, n_steps))
    return np.array(curves)


def at_best(curves):
    values = curves[:, curves.mean(0).argmin()]
    return values.mean(), values.std(ddof=1) / np.sqrt(len(values))


@pytest.mark.claims("lazy-harms")
def test_an_imbalance_of_one_harms_as_much_as_printed():
    rich, lazy = (aligned_curves((3.0,), size, end, 8, 400) for size, end in ((0.0, 2.4), (1.0, 1.0)))
    for curves, book in ((rich, 0.168), (lazy, 0.801)):
        mean, error = at_best(curves)
        assert mean == pytest.approx(book, abs=4 * error)
    assert at_best(lazy)[0] - at_best(rich)[0] > 0.55


@pytest.mark.claims("lazy-projection")
@pytest.mark.parametrize(("imbalance", "limit"), [(-100.0, 1 - 0.5 * 9 / 59), (100.0, 50 / 59)])
def test_a_large_layer_of_a_random_student_is_a_projection(imbalance, limit):
    curves = []
    for seed in range(12):
        rng = np.random.default_rng([42, seed])
        clean, data = drawn(rng, np.array([3.0]))
        small, large = sizes(abs(imbalance))
        first, second = (small, large) if imbalance > 0 else (large, small)
        start = first * haar(rng, 100, 50).T, second * haar(rng, 50, 50)
        curves.append(trained(*start, data, clean, 0.006, 80))
    mean, error = at_best(np.array(curves))
    assert mean == pytest.approx(limit, abs=4 * error)
    assert error < 0.01


@pytest.mark.claims("lazy-transfer-rises", "lazy-joint-error")
def test_two_equal_tasks_help_each_other_more_but_err_more():
    """Strengths 3 and 3, the same input direction; errors at the best common time of 6 data sets."""
    found = {}
    for size, end in ((0.0, 2.6), (0.3, 1.6)):
        alone, joint = [], []
        for seed in range(6):
            rng = np.random.default_rng([43, seed])
            right = haar(rng, 100, 1)
            tasks = [3 * haar(rng, 50, 1) @ right.T for _ in range(2)]
            data = [task + rng.standard_normal(task.shape) / 10 for task in tasks]
            for given, arm in ((data[0], alone), (np.concatenate(data), joint)):
                left, _, axes = np.linalg.svd(given, full_matrices=False)
                a, b = sizes(size)
                arm.append(trained_rows(a * axes, left * b, given, tasks[0], end, 260))
        found[size] = [at_best(np.array(arm))[0] for arm in (alone, joint)]
    gain = {size: alone - joint for size, (alone, joint) in found.items()}
    assert gain[0.0] == pytest.approx(0.057, abs=0.03)
    assert gain[0.3] == pytest.approx(0.141, abs=0.03)
    assert gain[0.3] - gain[0.0] > 0.04
    assert found[0.3][1] - found[0.0][1] > 0.2


def trained_rows(first, second, data, clean, end, n_steps):
    """Test error of the first rows of the map, by the midpoint method."""
    step, errors = end / n_steps, []
    for _ in range(n_steps):
        errors.append(((second[: len(clean)] @ first - clean) ** 2).sum())
        error = data - second @ first
        middle = first + step / 2 * second.T @ error, second + step / 2 * error @ first.T
        error = data - middle[1] @ middle[0]
        first, second = first + step * middle[1].T @ error, second + step * error @ middle[0].T
    return np.array(errors) / (clean**2).sum()
