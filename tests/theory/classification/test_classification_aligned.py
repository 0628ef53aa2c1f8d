"""Aligned flow of one task: how exactly it is solved, at the ends of its range and where it changes its form."""

import numpy as np
import pytest
from scipy.integrate import quad

from mtlbook_lib.theory.classification import aligned_flow
from mtlbook_lib.theory.softmax import expected_maximum, rem_critical_norm


@pytest.mark.parametrize("closure", ["exact", "interpolated", "rem", "rem gain"])
def test_tiny_students_of_two_layers_grow_exponentially(closure):
    """The labels alone drive them: ds/dt = 2 c s, at any start that is small enough, to all its digits."""
    strength = rem_critical_norm(7) if closure == "rem" else expected_maximum(7)
    times = np.array([0.0, 3.0, 11.0])
    grown = 1e-13 * np.exp(2 * strength / 6 * times)
    assert aligned_flow(1e-13, times, 7, closure=closure) == pytest.approx(grown, rel=1e-9, abs=0)


@pytest.mark.parametrize(("depth", "time"), [(1, 6e9), (2, 4e8)])
def test_so_many_classes_that_the_gain_has_a_sharp_bend(depth, time):
    """A flow that is stopped and started again is the same flow, although its panels lie elsewhere."""
    half = aligned_flow(0.5, [0.3 * time, 0.8 * time], 10**9, depth)
    whole = aligned_flow(0.5, time, 10**9, depth)
    again = [aligned_flow(s, (1 - part) * time, 10**9, depth) for s, part in zip(half, (0.3, 0.8), strict=True)]
    assert again == pytest.approx([whole] * 2, rel=3e-12)


@pytest.mark.parametrize(("depth", "start"), [(1, 0.0), (1, 0.4), (3, 0.1), (5, 0.7)])
@pytest.mark.parametrize("closure", ["rem", "rem gain"])
def test_random_energy_flow_takes_the_integral_of_its_time(depth, start, closure):
    """The time to a strength is an integral over all smaller ones, also close to the plateau."""
    k = 6
    plateau = rem_critical_norm(k) if closure == "rem" else expected_maximum(k)
    for share in (0.55, 0.98):
        strength = start + share * (plateau - start)

        def speed(s):
            return depth * s ** (2 - 2 / depth) * (plateau - s) / (k - 1)

        time = quad(lambda s: 1 / speed(s), start, strength, epsabs=0, epsrel=1e-12)[0]
        assert aligned_flow(start, time, k, depth, closure) == pytest.approx(strength, rel=1e-11)


def test_one_bad_start_among_good_ones_is_refused():
    with pytest.raises(ValueError, match="s0 must be greater than 0 at depth 2"):
        aligned_flow([0.0, 1.0], 1.0, 10)
    plateau = expected_maximum(10)
    with pytest.raises(ValueError, match="s0 must be below"):
        aligned_flow([0.1, plateau], 1.0, 10, closure="rem gain")
    assert aligned_flow(np.nextafter(plateau, 0), 1.0, 10, closure="rem gain") == pytest.approx(plateau, rel=1e-14)
    assert aligned_flow(plateau, 0.0, 10) == pytest.approx(plateau, rel=1e-14)
