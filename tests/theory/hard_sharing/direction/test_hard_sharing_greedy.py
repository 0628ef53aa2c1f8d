"""Greedy directions of Prop. 6: their sum, their bound, equal covariances, and a second route by alternation."""

import numpy as np
import pytest
from hard_sharing.hard_sharing_draws import alternated, equal_covariances, explained, tasks

from mtlbook_lib.theory import hard_sharing

RNG = np.random.default_rng(2)


def reachable(xs, ys):
    return sum(float(y @ x @ np.linalg.pinv(x) @ y) for x, y in zip(xs, ys, strict=True))


@pytest.mark.parametrize(("sizes", "n_inputs"), [((9, 8), 4), ((5, 12), 5), ((7, 8, 9), 3), ((6,), 4), ((4, 5), 1)])
def test_energies_add_up_to_all_that_the_inputs_explain(sizes, n_inputs):
    xs, ys = tasks(0, sizes, n_inputs, condition=5.0)
    energies = hard_sharing.greedy_energies(xs, ys)
    assert energies.shape == (n_inputs,)
    assert np.sum(energies) == pytest.approx(reachable(xs, ys), rel=1e-10)
    assert np.all(energies >= 0)
    assert energies[0] == pytest.approx(hard_sharing.rank_one_optimum(xs, ys)[2], rel=1e-10)


def test_equal_covariances_have_the_singular_values_of_the_scores():
    xs, ys = equal_covariances(2, 2, 5)
    losses = [hard_sharing.shared_solution(xs, ys, capacity)[2] for capacity in range(1, 6)]
    energies = hard_sharing.greedy_energies(xs, ys)
    np.testing.assert_allclose(np.sum(energies) + sum(y @ y for y in ys) - reachable(xs, ys) - np.cumsum(energies),
                               losses, rtol=1e-8)  # fmt: skip


def test_each_energy_is_the_best_of_the_deflated_inputs():
    """A second route: every input matrix projected in its full space, the direction by alternating descent."""
    xs, ys = tasks(3, (8, 9), 3)
    energies = hard_sharing.greedy_energies(xs, ys)
    left = xs
    for j in range(2):
        rows = np.linalg.svd(np.vstack(left))[2][: 3 - j]  # the complement of the earlier directions
        reduced = [x @ rows.T for x in left]
        starts = RNG.normal(size=(8, 3 - j))
        assert alternated(reduced, ys, starts) == pytest.approx(energies[j], rel=1e-8)
        b, _, _ = hard_sharing.rank_one_optimum(left, ys)
        features = [x @ b / np.linalg.norm(x @ b) for x in left]
        left = [x - np.outer(f, f @ x) for x, f in zip(left, features, strict=True)]
    last = np.linalg.svd(np.vstack(left))[2][0]
    assert explained(left, ys, last) == pytest.approx(energies[2], rel=1e-8)
