"""The kernel that is half additive: against a sum over pairs, at its limits, and to which data it adds what."""

import math

import numpy as np
import pytest

from mtlbook_lib.forecast import JointRegressor, prior
from mtlbook_lib.forecast._related import kernels, regressor
from mtlbook_lib.forecast._related.kernels import AdditiveKernel, kernels_of


def tables(n=(3 * kernels.BLOCK // 2, 40), d=4, seed=0):
    """More rows than a block has, columns of different units, one of two values, and one that is far out."""
    rng = np.random.default_rng(seed)
    found = [rng.standard_normal((rows, d)) * 10.0 ** np.arange(d) for rows in n]
    for table in found:
        table[:, 0] = table[:, 0] > 0
        table[:, 1] = np.exp(table[:, 1] / 3)
    return found


def additive(own, *others):
    (found,) = (one for one in kernels_of(own, others) if isinstance(one.kernel, AdditiveKernel))
    return found


def test_it_is_the_sum_over_columns_of_each_pair_of_rows():
    own, other = tables()
    within = np.average([own.var(axis=0), other.var(axis=0)], axis=0, weights=[len(own), len(other)])
    spread = np.sqrt((len(own) * own.var(axis=0) + prior.UNIT_ROWS * within) / (len(own) + prior.UNIT_ROWS))
    units = [(table - own.mean(axis=0)) / spread for table in (own, other)]
    bent = [[[u / math.hypot(1, u / 3) for u in row] for row in table] for table in units]
    centre = np.mean(bent[0] + bent[1], axis=0)
    size = np.mean([sum((u - c) ** 2 for u, c in zip(row, centre, strict=True)) for row in bent[0] + bent[1]])
    kernel = additive(own, other)
    found, diagonal = kernel(own, other), kernel.diagonal(own)
    for i, x in enumerate(bent[0]):
        for j, z in enumerate(bent[1]):
            steps = [math.exp(-abs(u - v)) for u, v in zip(x, z, strict=True)]
            line = sum((u - c) * (v - c) for u, v, c in zip(x, z, centre, strict=True)) / size
            assert found[i, j] == pytest.approx(0.5 * line + 0.5 * sum(steps) / len(steps), rel=1e-12, abs=1e-14)
        assert diagonal[i] == pytest.approx(0.5 + 0.5 * sum((x - centre) ** 2) / size)


@pytest.mark.parametrize("n", [1, kernels.BLOCK - 1, kernels.BLOCK, kernels.BLOCK + 1, 2 * kernels.BLOCK + 7])
def test_many_rows_are_as_one_at_a_time_and_a_table_with_itself_as_with_a_copy(n):
    rows = tables((150, 40))[0][:n]
    kernel = additive(*tables((150, 40)))
    gram = kernel(rows, rows)
    one_at_a_time = np.concatenate([kernel(rows[[i]], rows) for i in range(n)])
    for other in (kernel(rows, rows.copy()), one_at_a_time, gram.T):
        np.testing.assert_allclose(gram, other, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(np.diag(gram), kernel.diagonal(rows), rtol=1e-12)


def test_it_is_positive_and_of_mean_diagonal_1_and_forgets_a_column_that_is_far_away():
    own, other = tables()
    kernel = additive(own, other)
    assert np.linalg.eigvalsh(kernel(own, own)).min() > -1e-12
    assert np.mean(kernel.diagonal(np.concatenate([own, other]))) == pytest.approx(1)
    inner, (x, z) = kernel.kernel, np.random.default_rng(1).standard_normal((2, 1, 4))
    z[0, 2] = x[0, 2] + 50.0
    steps = 2 * inner(x, z) - (x - inner.centre) @ (z - inner.centre).T / inner.mean_square
    near = [0, 1, 3]
    assert steps[0, 0] == pytest.approx(np.exp(-np.abs(x - z))[0, near].sum() / 4)


def test_what_it_learns_is_a_sum_of_functions_of_one_column():
    """How much one column changes the kernel does not depend on another one, which the other kernels do not have."""
    own, other = tables()
    corners = np.repeat(own[[1]], 4, axis=0)
    corners[[1, 3], 2], corners[[2, 3], 3] = own[2, 2], own[2, 3]
    mixed = [np.abs(np.array([1, -1, -1, 1]) @ one(corners, other)).max() for one in kernels_of(own, [other])]
    assert mixed[3] < 1e-14
    assert min(mixed[1:3]) > 1e-4


def test_columns_that_do_not_vary_and_the_order_of_columns_change_nothing():
    own, other = tables()
    found = additive(own, other)(own, other)
    wider = [np.column_stack([table, np.full(len(table), 7.0)]) for table in (own, other)]
    np.testing.assert_allclose(additive(*wider)(*wider), found, rtol=1e-12, atol=1e-14)
    turned = [table[:, ::-1] for table in (own, other)]
    np.testing.assert_allclose(additive(*turned)(*turned), found, rtol=1e-12, atol=1e-14)


def drawn(kind, rng, n):
    """Rows and labels of variance 1 with noise of a quarter, of a function that has steps, or that is smooth."""
    x, values = rng.standard_normal((n, 6)), np.random.default_rng(rng.integers(1 << 30))
    if kind == "steps":
        cuts, heights = values.standard_normal((2, 6, 3))
        function = ((x[:, :, None] > cuts) * heights).sum(axis=(1, 2))
    elif kind == "skewed columns":
        function, x = x[:, 0] + np.abs(x[:, 1]) + (x[:, 2] > 0), np.exp(1.5 * x)
    elif kind == "linear":
        function = x @ values.standard_normal(6)
    else:
        function = np.maximum(x @ values.standard_normal((6, 8)), 0) @ values.standard_normal(8)
    return x, (function - function.mean()) / function.std() + 0.5 * rng.standard_normal(n)


def errors(kind, seed, monkeypatch, most=2000, n=(50, 200)):
    """Of three kernels and of all four with a partner, of four alone, and with permuted labels of the partner."""
    rng = np.random.default_rng(seed)
    x, y = drawn(kind, rng, sum(n) + 500)
    a, b, new = np.split(np.arange(len(x)), np.cumsum(n))
    mixed, found = rng.permutation(y[b]), []
    for kept, labels in ((3, y[b]), (4, y[b]), (4, None), (4, mixed)):
        with monkeypatch.context() as patch:
            patch.setattr(regressor, "kernels_of", lambda *given, kept=kept: kernels_of(*given)[:kept])
            other = () if labels is None else (x[b], labels)
            model = JointRegressor("a" if other else None, most_rows=most).fit(x[a], y[a], *other)
        found.append(np.square(model.predict(x[new]) - y[new]).mean() / y.var())
    return found


def mean_and_error(differences):
    return np.mean(differences), np.std(differences, ddof=1) / np.sqrt(len(differences))


@pytest.mark.parametrize(("kind", "most"), [("steps", 2000), ("skewed columns", 2000), ("steps", 60)])
def test_steps_and_skewed_columns_are_predicted_better(kind, most, monkeypatch):
    """Also where rows are more than are computed in full. A permuted partner costs nothing."""
    three, four, alone, permuted = np.transpose([errors(kind, seed, monkeypatch, most) for seed in range(8)])
    gain, error = mean_and_error(three - four)
    assert gain > max(0.04, 4 * error)
    cost, error = mean_and_error(permuted - alone)
    assert cost < 0.005 + 2 * error


@pytest.mark.parametrize("kind", ["linear", "rectified"])
def test_smooth_functions_lose_hardly_anything(kind, monkeypatch):
    """Of functions that the other kernels are made for: the error rises by less than a fiftieth."""
    three, four, alone, permuted = np.transpose([errors(kind, seed, monkeypatch) for seed in range(8)])
    assert np.mean(four) < 1.02 * np.mean(three)
    assert np.mean(permuted - alone) < 0.005
