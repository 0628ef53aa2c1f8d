"""The law for one output against simulated rows, against the general theory, and in its exact limits."""

import numpy as np
import pytest
from refusals import refused

from mtlbook_lib.methods.one_output import _lowest, _times, one_output_benefit
from mtlbook_lib.theory.linear_dynamics import mode_strength

UNIT = np.eye(2)


def clean(s_a, s_b, q):
    return np.array([[s_a**2, q * s_a * s_b], [q * s_a * s_b, s_b**2]])


def simulated(s_a, s_b, q, rho, d=400, n_seeds=300):
    """Mean benefit of explicit rows, each curve from a singular value decomposition."""
    teacher = np.zeros((2, d))
    teacher[0, 0], teacher[1, :2] = s_a, (s_b * q, s_b * np.sqrt(1 - q**2))
    root = np.linalg.cholesky([[1, rho], [rho, 1]])
    data = teacher + root @ np.random.default_rng(7).standard_normal((n_seeds, 2, d)) / np.sqrt(d)
    times = np.geomspace(0.2, 30, 1500)
    best = []
    for part in (data[:, :1], data):
        curve = 0
        for rows in part:
            u, s, vt = np.linalg.svd(rows, full_matrices=False)
            x = mode_strength(times[:, None], s, 1e-3) * u[0]
            curve = curve + (x**2 - 2 * x * (vt @ teacher[0])).sum(axis=1)
        best.append(curve.min() / n_seeds)
    return best[0] - best[1]


@pytest.mark.parametrize(("q", "rho"), [(0.9, 0.0), (0.3, 0.6), (-0.9, 0.0)])
def test_simulated_rows_obey_the_law(q, rho):
    noise = np.array([[1, rho], [rho, 1]])
    predicted = one_output_benefit(clean(3, 2, q) + noise, noise)
    # Terms of order 1/d, with d = 400, and the mean over 300 seeds.
    assert simulated(3, 2, q, rho) == pytest.approx(predicted, abs=0.015)


def test_sign_of_the_similarity_does_not_matter():
    assert one_output_benefit(clean(3, 2, 0.7) + UNIT, UNIT) == pytest.approx(
        one_output_benefit(clean(3, 2, -0.7) + UNIT, UNIT), rel=1e-9
    )


def test_the_same_examples_bring_nothing():
    # The same labels on the same rows: one direction with all data, noise included.
    noise = np.ones((2, 2))
    assert one_output_benefit(clean(3, 3, 1) + noise, noise) == pytest.approx(0, abs=1e-3)


def test_the_same_task_on_other_examples_halves_the_noise():
    # Best strengths give 1 - s^2/(1 + s^2) alone and 1 - 2s^2/(1 + 2s^2) with a copy, in units of s^2.
    s = 2.0
    exact = s**2 * (1 / (1 + s**2) - 1 / (1 + 2 * s**2))
    assert one_output_benefit(clean(s, s, 1) + UNIT, UNIT, eps=1e-6) == pytest.approx(exact, rel=1e-3)


@pytest.mark.parametrize("s_b", [1e3, 1e5])
def test_a_companion_without_noise_gives_all_that_lies_along_it(s_b):
    # B is learned at once and without error; A then is two tasks, on B's direction and across it.
    s, q = 2.0, 0.9
    joint = s**2 - sum(part**2 / (part + noise) for part, noise in (((s * q) ** 2, 0), ((1 - q**2) * s**2, 1)))
    exact = s**2 / (1 + s**2) - joint
    found = one_output_benefit(clean(s, s_b, q) + UNIT, UNIT, eps=1e-6)
    # Times are as many from B's learning to A's, whatever lies between: the minimum is found to a percent.
    assert found == pytest.approx(exact, rel=1e-2)


def test_leading_axes_broadcast():
    grams = np.stack([clean(3, 2, q) + UNIT for q in (0.1, 0.5, 0.9)])
    together = one_output_benefit(grams, UNIT)
    assert together.shape == (3,)
    assert together.tolist() == pytest.approx([one_output_benefit(gram, UNIT) for gram in grams])
    assert isinstance(one_output_benefit(grams[0], UNIT), float)
    assert together[2] > max(together[0], together[1])


test_bad_matrices_are_refused = refused(
    one_output_benefit,
    {"data": UNIT, "noise": UNIT},
    {
        "data must have shape": [{"data": np.eye(3)}],
        "noise must have shape": [{"noise": np.eye(3)}],
        "data must be symmetric": [{"data": [[2.0, 1.0], [0.5, 2.0]]}],
        "positive semi-definite": [{"data": [[1.0, 2.0], [2.0, 1.0]]}],
        "positive diagonal": [{"data": np.diag([0.0, 1.0])}],
        "broadcast": [{"data": np.tile(UNIT, (3, 1, 1)), "noise": np.tile(UNIT, (2, 1, 1))}],
    },
)


def test_without_noise_both_are_learned_to_the_end_and_company_brings_nothing():
    assert one_output_benefit(clean(3.0, 2.0, 0.5), np.zeros((2, 2))) == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("place", [0.7, 3.2, 6.3])
def test_the_least_value_of_a_parabola_is_found_between_any_two_points(place):
    assert _lowest((np.arange(8.0) - place) ** 2) == pytest.approx(0, abs=1e-12)
    assert _lowest((np.arange(8.0) - 9) ** 2) == 4  # still falling at the end
    assert _lowest((np.arange(8.0) - 7.25) ** 2) == 0.0625  # the same, with the vertex not far outside


def test_a_flat_curve_is_its_own_minimum():
    assert _lowest(np.full((2, 5), 3.0)) == pytest.approx([3, 3])


@pytest.mark.parametrize("eps", [1e-6, 1e-2])
def test_times_begin_before_the_strong_mode_and_end_after_the_weak_one(eps):
    values = np.array([[0.02, 50.0]])
    times = _times(values, eps)[0]
    assert mode_strength(times[0], 50.0, eps) <= np.exp(2) * eps  # it grows as exp(2 s t)
    assert mode_strength(times[-1], 0.02, eps / 10) > 0.9 * 0.02
