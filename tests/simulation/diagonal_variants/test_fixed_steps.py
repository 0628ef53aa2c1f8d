"""Plain and noisy steps: their product law, their agreement with other trainers, and their draws."""

import numpy as np
import pytest
from refusals import refused

from mtlbook_lib._random import stream
from mtlbook_lib.simulation.diagonal import equal_pathways, start_from
from mtlbook_lib.simulation.diagonal_variants import fixed_steps

RNG = np.random.default_rng(0)
X = RNG.standard_normal((2, 5, 7))
Y = X[..., 0]


def width(w):
    """From the conserved quantities of the flow, (seed, setting, D)."""
    plus, minus = w.u_plus**2 - w.v_plus[:, :, 0] ** 2, w.u_minus**2 - w.v_minus[:, :, 0] ** 2
    return np.hypot((plus - minus) / 2, w.u_plus * w.u_minus + w.v_plus[:, :, 0] * w.v_minus[:, :, 0])


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


def test_draws_belong_to_seeds_and_settings_share_them():
    start = equal_pathways(0.3, 0.3, (2, 2, 7))
    found = fixed_steps(start, X, Y, 0.1, [50], 2, (5, 9))[0].beta
    alone = fixed_steps(equal_pathways(0.3, 0.3, (1, 1, 7)), X[1:], Y[1:], 0.1, [50], 2, (9,))[0].beta
    assert found[1, 0] == pytest.approx(alone[0, 0], rel=1e-12)
    assert found[:, 0] == pytest.approx(found[:, 1], rel=1e-12)
    other = fixed_steps(start, X, Y, 0.1, [50], 2, (5, 8))[0].beta
    assert np.abs(found[1] - other[1]).max() > 1e-3


CALL = {"weights": equal_pathways(0.3, 0.2, (2, 1, 7)), "inputs": X, "labels": Y, "rate": 0.1, "marks": [5]}


test_too_large_a_rate_is_refused = refused(
    fixed_steps,
    CALL,
    {
        "lower the rate": [
            {"rate": 50.0, "marks": [200]},
            {"labels": Y * np.array([[1.0], [1e30]]), "rate": 1e20},
            {"inputs": X * np.array([1e-9, 1e9])[:, None, None], "rate": 1.0, "marks": [40]},
        ]
    },
    RuntimeError,
)


def test_examples_are_drawn_one_batch_after_the_other():
    """Four steps of squares written out, with the numbers that the stream of each seed gives."""
    w = start_from(*RNG.uniform(0.2, 0.8, (2, 2, 1, 7)), *RNG.uniform(0.2, 0.8, (2, 2, 1, 1, 7)))
    found = fixed_steps(w, X, Y, 0.05, [4], 3, (5, 9))[0]
    for place, seed in enumerate((5, 9)):
        up, um, vp, vm = (part[place, 0].ravel() for part in (w.u_plus, w.u_minus, w.v_plus, w.v_minus))
        for rows in stream(seed, "steps: batches").integers(0, 5, (1000, 3))[:4]:
            x, y = X[place][rows], Y[place][rows]
            pull = 0.05 * 2 * (y - x @ (up * vp - um * vm)) @ x / 3
            up, vp, um, vm = up + pull * vp, vp + pull * up, um - pull * vm, vm - pull * um
        assert found.u_plus[place, 0] == pytest.approx(up, rel=1e-12)
        assert found.v_minus[place, 0, 0] == pytest.approx(vm, rel=1e-12)
