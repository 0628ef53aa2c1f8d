"""Transfer against exact curves of aligned students on drawn tasks, with standard errors over data sets.

The minimum of the mean curve is compared with the minimum of the theory's curve: stopping every data set at its own
best time would be another quantity.
"""

import numpy as np
import pytest
from generalization_draws import largest_deviation, mean_and_error
from transfer_draws import benefit, draw_data, equal_overlaps, head_curve, pair, paired_curves

from mtlbook_lib.theory import spiked, transfer

TIMES = np.linspace(0.02, 6, 300)


@pytest.fixture
def rng():
    return np.random.default_rng(20250117)


@pytest.mark.parametrize(
    ("s_a", "s_b", "q"),
    [(0.84, 1, 0), (0.84, 1, 1), (0.84, 3, 0.5), (0.84, 10, 0), (0.84, 10, 1), (3, 1, 0), (3, 3, 0.5), (3, 3, 0.8)],
)
def test_first_order_benefit_is_that_of_finite_networks(rng, s_a, s_b, q):
    mean, error = benefit(*paired_curves(rng, TIMES, [[s_a], [s_b]], pair(q), 50, 100, 200))
    assert abs(mean - transfer.transfer_benefit(s_a, s_b, q, 0.5, 50, 1e-3, order=1)) < 4 * error
    assert error < 0.006
    if (s_a, q) == (0.84, 0):  # at threshold, the unrelated task takes away what little the noise modes tell
        assert abs(mean - transfer.transfer_benefit(s_a, s_b, q, 0.5, 50, 1e-3)) > 8 * error


@pytest.mark.parametrize(
    ("tasks", "gram", "n_outputs", "n_inputs", "head"),
    [
        ([[0.84], [3.0]], pair(0.8), 50, 100, 0),
        ([[0.84], [1.0]], pair(0.0), 50, 100, 0),
        ([[4.0, 2.0], [3.0]], pair([[0.6], [0.3]], 2, 1), 50, 100, 1),
        ([[3.0, 1.0], [4.0, 4.0]], pair([[0.5, 0.5], [0.5, -0.5]], 2, 2), 50, 100, 0),
        ([[0.6], [1.5]], pair(0.5), 25, 100, 0),
        ([[1.0], [3.0]], pair(0.8), 60, 60, 0),
        ([[3.0], [1.5], [2.0]], equal_overlaps(0.5, 3), 40, 120, 1),
        ([[3.0], [1.5], [2.0]], equal_overlaps(0.5, 3), 40, 60, 2),
    ],
)
def test_first_order_curve_of_a_head_is_that_of_finite_networks(rng, tasks, gram, n_outputs, n_inputs, head):
    aspect = n_outputs / n_inputs
    _, joint = paired_curves(rng, TIMES, tasks, gram, n_outputs, n_inputs, 100, head=head)
    leading, first = (
        transfer.head_error(TIMES, tasks, gram, aspect, n_outputs, 1e-3, head=head, order=order) for order in (0, 1)
    )
    assert largest_deviation(joint, first) < 0.02
    assert largest_deviation(joint, first) < largest_deviation(joint, leading) / 2
    mean, error = mean_and_error(joint)
    assert np.max(np.abs(mean - first) / error) < 5  # 300 dependent times, the worst of them


@pytest.mark.parametrize(
    ("s_a", "s_b", "q", "sign"),
    [(0.84, 3, 0.8, 1), (0.84, 10, 1, 1), (3, 3, 0, -1), (3, 3, 1, 1), (3, 10, 0.8, -1), (3, 10, 1, 1)],
)
def test_signs_are_those_of_finite_networks(rng, s_a, s_b, q, sign):
    mean, error = benefit(*paired_curves(rng, TIMES, [[s_a], [s_b]], pair(q), 50, 100, 40))
    assert sign * mean > 4 * error
    for order in (0, 1):
        theory = transfer.transfer_benefit(s_a, s_b, q, 0.5, 50, 1e-3, order=order)
        assert sign * theory > 0
        assert abs(mean - theory) < 4 * error + 0.02


def test_output_modes_play_no_part(rng):
    differences = []
    for _ in range(60):
        clean, data = draw_data(rng, [[2.0], [3.0]], pair(0.7), 30, 60)
        noise = data - clean
        rotation = np.linalg.qr(rng.standard_normal((30, 30)))[0]
        other = np.concatenate([rotation @ clean[:30], clean[30:]])
        curves = [head_curve(TIMES, teacher, teacher + noise, slice(0, 30), 1e-3) for teacher in (clean, other)]
        differences.append(curves[0] - curves[1])
    mean, error = mean_and_error(np.array(differences))
    assert np.max(np.abs(mean) / error) < 4.5
    assert np.max(error) < 0.02


def test_head_shrinkage_saves_the_weak_head(rng):
    errors = []
    for _ in range(40):
        clean, data = draw_data(rng, [[0.84], [3.0]], pair(0.0), 50, 100)
        left, s, right = np.linalg.svd(data, full_matrices=False)
        share = np.sum(left[:50] ** 2, axis=0)
        strengths = transfer.head_shrinkage(s, share, 0.5), spiked.optimal_shrinkage(s, 1.0)
        errors.append([np.sum((left[:50] * x @ right - clean[:50]) ** 2) / 0.84**2 for x in strengths])
    mean, _ = mean_and_error(np.array(errors))
    gain, error = mean_and_error(np.diff(errors, axis=1)[:, 0])
    assert gain > 0.3 + 4 * error
    theory = [transfer.head_shrinkage_error([0.84, 3.0], np.eye(2), 0.5, joint=joint) for joint in (False, True)]
    np.testing.assert_allclose(mean, theory, atol=0.05)


@pytest.mark.parametrize(("n_tasks", "expected"), [(1, 1.0), (2, 0.988), (4, 0.866)])
def test_aligned_tasks_lift_each_other_out_of_the_noise(rng, n_tasks, expected):
    gram = equal_overlaps(1.0, n_tasks)
    theory = transfer.head_shrinkage_error([0.75] * n_tasks, gram, 0.5)
    assert theory == pytest.approx(expected, abs=1e-3)
    errors = []
    for _ in range(15):
        clean, data = draw_data(rng, [[0.75]] * n_tasks, gram, 60, 120)
        left, s, right = np.linalg.svd(data, full_matrices=False)
        x = transfer.head_shrinkage(s, np.sum(left[:60] ** 2, axis=0), 0.5, n_tasks)
        errors.append(np.sum((left[:60] * x @ right - clean[:60]) ** 2) / 0.75**2)
    mean, error = mean_and_error(np.array(errors))
    assert abs(mean - theory) < 4 * error + 0.03
