"""Edges of the domains, and defaults."""

import numpy as np
import pytest

from mtlbook_lib.theory.linear_dynamics import (
    balanced_distances,
    balanced_flow,
    deep_random_half_time,
    deep_random_strength,
    effective_initial_scale,
    mode_strength,
    mode_time,
    wave_front,
)
from mtlbook_lib.theory.linear_dynamics.balanced_inputs import checked_instants

LAYERS = {"w21": np.eye(3, 6) / 3, "w32": np.eye(4, 3) / 3, "sigma31": np.arange(24.0).reshape(4, 6) / 20}


def test_networks_have_two_layers_as_wide_as_their_sides_unless_told():
    goals = [np.ones((4, 6))]
    found = balanced_distances(**LAYERS, times=[0.4, 1.0], goals=goals)
    maps = balanced_flow(**LAYERS, times=[0.4, 1.0])
    np.testing.assert_allclose(found[0], np.sum((maps - 1) ** 2, axis=(1, 2)), rtol=1e-12)
    for function, arguments, rest in (
        (mode_strength, (0.7, 1.2, 1e-2), (2,)),
        (mode_time, (0.7, 1.2, 1e-2), (2,)),
        (deep_random_half_time, (1.2, 1e-2, 3), (1.0, 1.0)),
    ):
        assert function(*arguments) == function(*arguments, *rest)
    found = deep_random_strength([0.7, 5.0], 1.2, 1e-2, 3)
    np.testing.assert_array_equal(found, deep_random_strength([0.7, 5.0], 1.2, 1e-2, 3, 1.0, 1.0))
    assert effective_initial_scale(0.2, 10, 20, 20) == pytest.approx(0.1, rel=1e-15)


def test_the_front_is_refused_where_it_leaves_float64():
    for times in ([0.1, 1e-320], [1e-320, 1e-321], 1e-320):
        with pytest.raises(ValueError, match="t must be 0, or so late that the front is below the largest float64"):
            wave_front(times, 1.0)
    with pytest.raises(ValueError, match=r"got t=13.93 with eps=0.01"):
        wave_front([13.0, 13.93, 14.5], 0.01)


@pytest.mark.parametrize("eps", [1e-20, 1e-8])
@pytest.mark.parametrize(("ratio_in", "ratio_out"), [(1.0, 1.0), (0.5, 0.8)])
def test_tiny_starts_are_integrated_as_accurately(eps, ratio_in, ratio_out):
    """One hidden layer: at the half-time the exact flow of the reduction has learned half."""
    u = np.array([0, np.sqrt(ratio_out), np.sqrt(1 - ratio_out)])
    v = np.array([np.sqrt(ratio_in), 0, np.sqrt(1 - ratio_in)])
    half = deep_random_half_time(1.3, eps, 2, ratio_in, ratio_out)
    times = half * np.array([0.5, 0.8, 1.0, 1.1])
    maps = balanced_flow(np.sqrt(eps) * np.eye(2, 3), np.sqrt(eps) * np.eye(3, 2), 1.3 * np.outer(u, v), times)
    exact = u @ maps @ v
    assert exact[2] == pytest.approx(0.65, rel=1e-10)
    strength, alignment = deep_random_strength(times, 1.3, eps, 2, ratio_in, ratio_out)
    np.testing.assert_allclose(strength, exact, rtol=1e-9)
    np.testing.assert_allclose(alignment, exact / np.linalg.norm(maps, axis=(1, 2)), rtol=1e-9)


def test_the_last_time_is_limited_by_the_strongest_mode_of_all_students():
    weak, strong = np.diag([0.1, 0.05]), np.diag([3.0, 0.2])
    stack = np.stack([weak, strong])
    np.testing.assert_array_equal(checked_instants([0.0, 1e6], stack), [0.0, 1e6])
    np.testing.assert_array_equal(checked_instants([1.0, 2.9e7], weak), [1.0, 2.9e7])
    np.testing.assert_array_equal(checked_instants([1e9], 0 * weak), [1e9])
    for times, target in (([0.0, 1.01e6], stack), ([0.0, 1.01e6], strong), ([1.05e6, 1.05e6], stack)):
        with pytest.raises(ValueError, match=r"times must end by 3e\+06/r, where r = 3 is"):
            checked_instants(times, target)
    with pytest.raises(ValueError, match="times must be sorted"):
        checked_instants([0.0, 2.0, 1.0], weak)
