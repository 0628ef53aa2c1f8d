"""Edges of the domains, defaults, and what only shows in stacks or at extreme scales."""

import numpy as np
import pytest

from mtlbook_lib.theory.linear_dynamics import (
    balanced_distances,
    balanced_flow,
    deep_random_half_time,
    deep_random_strength,
    effective_initial_scale,
    half_time,
    mode_strength,
    mode_time,
    wave_front,
)
from mtlbook_lib.theory.linear_dynamics.balanced_inputs import checked_goals, checked_instants, checked_layers
from mtlbook_lib.theory.linear_dynamics.deep_random import _checked_depth

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


def test_a_mode_that_starts_at_a_quarter_to_a_half_can_be_asked_for():
    assert half_time(0.25, 0.1) == pytest.approx(np.log(1.5) / 0.5, rel=1e-13)
    half = deep_random_half_time(0.25, 0.1, 2, 0.6, 0.9)
    assert half > half_time(0.25, 0.1)
    assert deep_random_strength([half], 0.25, 0.1, 2, 0.6, 0.9)[0][0] == pytest.approx(0.125, rel=1e-10)
    with pytest.raises(ValueError, match=r"s_hat must be at least 2 eps.*got s_hat=0.019, eps=0.01"):
        half_time([1.0, 0.019], 0.01)


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


def test_long_curves_are_read_off_in_blocks_without_seams():
    times = np.linspace(0, 9, 2500)
    strength, alignment = deep_random_strength(times, [1.1, 2.0], 0.05, 3, 0.7)
    picks = np.array([0, 511, 512, 1023, 1024, 2047, 2048, 2499])
    few = deep_random_strength(times[picks], [1.1, 2.0], 0.05, 3, 0.7)
    np.testing.assert_allclose(strength[:, picks], few[0], rtol=0, atol=1e-9)
    np.testing.assert_allclose(alignment[:, picks], few[1], rtol=0, atol=1e-9)
    assert np.all(np.diff(strength) > -1e-9)


def test_depths_up_to_a_thousand_are_allowed():
    assert _checked_depth(1000) == 1000
    with pytest.raises(ValueError, match="depth must be at most 1000"):
        _checked_depth(1001)
    with pytest.raises(ValueError, match="must hold at least one mode; got an empty array"):
        deep_random_half_time([], 0.1, 3)


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


def test_layers_of_unequal_size_are_balanced_relative_to_both():
    """The first layer's norm alone would allow half of what both allow."""
    first = np.diag([2.0, 1.0])
    for excess, balanced in ((0.9, True), (1.1, False)):
        allowed = 1e-8 * 10 * excess  # 1e-8 of |w21|² + |w32|² = 5 + 5
        second = np.diag([np.sqrt(4.0 + allowed), 1.0])
        if balanced:
            checked_layers(first, second, np.eye(2))
        else:
            with pytest.raises(ValueError, match=r"must be balanced.*got a difference of norm 1.1e-07"):
                checked_layers(first, second, np.eye(2))
    tiny = 1e-4 * first
    with pytest.raises(ValueError, match="must be balanced"):
        checked_layers(tiny, tiny * [np.sqrt(1 + 3e-8), 1.0], np.eye(2))


def test_goals_of_stacks_broadcast_to_the_students_and_no_further():
    target = np.zeros((3, 4, 6))
    for leading in ((), (1,), (3,)):
        assert checked_goals([np.ones((*leading, 4, 6))], target, (3,))[0].shape == (*leading, 4, 6)
    for wrong in ((2, 4, 6), (5, 3, 4, 6), (4, 5), (6,), ()):
        with pytest.raises(ValueError, match="goals must be maps with the last axes"):
            checked_goals([np.ones(wrong)], target, (3,))
