"""Flow with few examples, in the axes of the inputs: nothing changes but the cost, and what is frozen stays."""

import numpy as np
import pytest
import torch
from _flow_tasks import MAP, SEEDS

from mtlbook_lib.data.teachers import low_rank_teachers
from mtlbook_lib.data.training import training_set
from mtlbook_lib.simulation.engine import covariance_of, networks
from mtlbook_lib.simulation.linear import descent, students
from mtlbook_lib.simulation.linear._input_axes import input_axes
from mtlbook_lib.simulation.linear._steepest import Steepest
from mtlbook_lib.simulation.linear.gradient_flow import integrate

TEACHERS = low_rank_teachers(5, 8, [[1.0], [3.0]], SEEDS)


def start(depth=2, dtype=torch.float64):
    return students.gaussian(5, 8, 6, 0.3, SEEDS, depth=depth, n_settings=2, dtype=dtype)


def axes(layers, data):
    nets = networks(layers)
    target = nets.fold("training", data.sigma31, 5, 8)
    return input_axes(nets, target, covariance_of(nets, data.sigma11)), target


def limit_of_descent(layers, target, spread, end):
    """Maps at time `end` in the limit of small rates, and those at the coarsest rate."""
    coarse, middle, fine = (
        descent.descend(layers, target, end / n, n, covariance=spread, record_every=n, observe=MAP).values["map"]
        for n in (1000, 2000, 4000)
    )
    return ((coarse - 6 * middle + 8 * fine) / 3)[:, :, -1], coarse[:, :, -1]  # errors of order one and two cancel


@pytest.mark.parametrize("kind", ["orthonormal", "gaussian"])
@pytest.mark.parametrize("n_examples", [1, 3, 8, 20])
@pytest.mark.parametrize("depth", [2, 3])
def test_flow_is_the_limit_of_descent_for_any_number_of_examples(kind, n_examples, depth):
    data, layers = training_set(TEACHERS, n_examples, kind), start(depth)
    flow = integrate(layers, data.sigma31, [1.0], covariance=data.sigma11, rtol=1e-9, observe=MAP).values["map"]
    limit, coarse = limit_of_descent(layers, data.sigma31, data.sigma11, end=1.0)
    np.testing.assert_allclose(limit, flow[:, :, 0], rtol=0, atol=1e-6)
    assert np.abs(coarse - flow[:, :, 0]).max() > 1e-5  # so the limit is seen to be taken


@pytest.mark.parametrize(("n_examples", "n_axes"), [(3, 3), (8, 8), (20, 8)])
def test_directions_are_those_of_the_given_coordinates_turned(n_examples, n_axes):
    data, layers = training_set(TEACHERS, n_examples, "gaussian"), [x.flatten(0, 1) for x in start()]
    turned, target = axes(start(), data)
    assert turned.variances.shape == (4, 1, n_axes)
    inner = [turned.inward(layers[0]), layers[1]]
    found, given = ([torch.empty_like(layer) for layer in some] for some in (inner, layers))
    Steepest(inner, turned.inward(target), variances=turned.variances)(found)
    spread = torch.from_numpy(data.sigma11).expand(2, 2, 8, 8).flatten(0, 1)
    Steepest(layers, target, spread)(given)
    torch.testing.assert_close(found[0] @ turned.basis.mT, given[0], rtol=0, atol=1e-13)
    torch.testing.assert_close(found[1], given[1], rtol=0, atol=1e-13)
    torch.testing.assert_close(turned.outward(inner[0]), layers[0], rtol=0, atol=1e-14)
