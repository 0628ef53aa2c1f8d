"""Plain and noisy steps: their product law, their agreement with other trainers, and their draws."""

import numpy as np
import pytest

from mtlbook_lib.simulation.diagonal import equal_pathways, sampled_flow, start_from
from mtlbook_lib.simulation.diagonal_variants import fixed_steps

RNG = np.random.default_rng(0)
X = RNG.standard_normal((2, 5, 7))
Y = X[..., 0]


def width(w):
    """From the conserved quantities of the flow, (seed, setting, D)."""
    plus, minus = w.u_plus**2 - w.v_plus[:, :, 0] ** 2, w.u_minus**2 - w.v_minus[:, :, 0] ** 2
    return np.hypot((plus - minus) / 2, w.u_plus * w.u_minus + w.v_plus[:, :, 0] * w.v_minus[:, :, 0])


def test_small_steps_follow_the_flow():
    start = equal_pathways(0.3, 0.2, (2, 1, 7))
    steps = fixed_steps(start, X, Y, 1e-3, [500, 2000])
    flow, _ = sampled_flow(start, [X[:, None]], [Y[:, None]], [0.5, 2.0])
    for one, other in zip(steps, flow, strict=True):
        assert one.beta == pytest.approx(other.beta, abs=5e-3)


@pytest.mark.parametrize("batch", [None, 2])
def test_width_is_the_product(batch):
    now = start_from(*RNG.uniform(0.2, 0.8, (2, 2, 1, 7)), *RNG.uniform(0.2, 0.8, (2, 2, 1, 1, 7)))
    first, product = width(now), 1.0
    seeds = () if batch is None else (3, 4)
    states = fixed_steps(now, X, Y, 0.05, range(1, 21), batch, seeds)
    for after in states:
        rise = np.log((after.u_plus + after.v_plus[:, :, 0]) / (now.u_plus + now.v_plus[:, :, 0]))
        product = product * np.abs(1 - np.expm1(rise) ** 2)  # what u_plus + v_plus grew by is 1 + rate times pull
        now = after
    assert width(now) == pytest.approx(first * product, rel=1e-10)
    assert np.all(product < 1)


def test_all_examples_in_one_batch_of_one():
    one = X[:, :1], Y[:, :1]
    start = equal_pathways(0.3, 0.3, (2, 1, 7))
    drawn, plain = fixed_steps(start, *one, 0.1, [30], 1, (0, 1))[0], fixed_steps(start, *one, 0.1, [30])[0]
    assert drawn.beta == pytest.approx(plain.beta, rel=1e-12)


def test_draws_belong_to_seeds_and_settings_share_them():
    start = equal_pathways(0.3, 0.3, (2, 2, 7))
    found = fixed_steps(start, X, Y, 0.1, [50], 2, (5, 9))[0].beta
    alone = fixed_steps(equal_pathways(0.3, 0.3, (1, 1, 7)), X[1:], Y[1:], 0.1, [50], 2, (9,))[0].beta
    assert found[1, 0] == pytest.approx(alone[0, 0], rel=1e-12)
    assert found[:, 0] == pytest.approx(found[:, 1], rel=1e-12)
    other = fixed_steps(start, X, Y, 0.1, [50], 2, (5, 8))[0].beta
    assert np.abs(found[1] - other[1]).max() > 1e-3


def test_marks_are_on_one_run():
    start = equal_pathways(0.3, 0.3, (2, 1, 7))
    long = fixed_steps(start, X, Y, 0.1, [10, 40], 2, (0, 1))[1]
    assert fixed_steps(start, X, Y, 0.1, [40], 2, (0, 1))[0].beta == pytest.approx(long.beta, rel=1e-12)


def test_errors_say_what_is_wrong():
    start = equal_pathways(0.3, 0.3, (2, 1, 7))
    with pytest.raises(RuntimeError, match="lower the rate"):
        fixed_steps(start, X, Y, 50.0, [200])
    with pytest.raises(ValueError, match="marks must be an increasing list"):
        fixed_steps(start, X, Y, 0.1, [5, 5])
    with pytest.raises(ValueError, match="seeds must have one number for each of the 2 inputs"):
        fixed_steps(start, X, Y, 0.1, [5], 2, (0,))
    with pytest.raises(ValueError, match="weights must be of one task"):
        fixed_steps(equal_pathways(0.3, 0.3, (2, 1, 7), 2), X, Y, 0.1, [5])
    with pytest.raises(ValueError, match="inputs must have shape"):
        fixed_steps(start, X[:, :, :5], Y, 0.1, [5])
