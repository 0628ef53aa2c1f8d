"""The time law of modes of three and more weight matrices, against integrals with more digits."""

import numpy as np
import pytest

from mtlbook_lib.theory import _modes


@pytest.mark.parametrize("depth", [3, 4, 7, 20, 100, 1000])
def test_at_any_depth_the_strength_found_is_that_of_the_time_after_few_steps(depth, monkeypatch):
    """The starts of Newton's method stay close to the root, for long growth and decay as for short ones."""
    taken = []

    def counting(guess, goal, integral, *rest):
        taken.append(0)

        def counted(logit):
            taken[-1] += 1
            return integral(logit)

        return newton(guess, goal, counted, *rest)

    newton = _modes._newton
    monkeypatch.setattr(_modes, "_newton", counting)
    log_start, log_target, log_t = np.mgrid[-12:2.1:1.3, -8:2.1:0.9, -3:3.1:0.7].reshape(3, -1)
    start, target = 10**log_start, 1.7 * 10**log_target
    t = 10**log_t / (depth * (np.maximum(start, 1e-3) ** (2 - 2 / depth) + target ** (2 - 2 / depth)))
    s = _modes.deep_strength(t, target, start, depth)
    assert max(taken) <= 5
    rounding = 4e-16 * (s + target)
    moving = (np.abs(s - target) > 1e3 * rounding) & (np.abs(s - start) > 1e3 * rounding)
    s, target, start, t, rounding = (array[moving] for array in (s, target, start, t, rounding))
    back = _modes.deep_time(s, target, start, depth)
    speed = depth * s ** (2 - 2 / depth) * np.abs(target - s)
    assert moving.sum() > 300
    # The constants of G, which cancel, are as large as the depth.
    assert np.all(np.abs(back - t) <= 1e-13 * t + (4 + depth / 50) * rounding / speed)
