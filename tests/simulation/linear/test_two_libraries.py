"""One algorithm by two libraries: NumPy on the host, torch where it is told to, and both say the same."""

from itertools import pairwise

import numpy as np
import pytest
import torch

from mtlbook_lib.simulation.engine import array_view, linear_algebra
from mtlbook_lib.simulation.linear import _steepest as steepest
from mtlbook_lib.simulation.linear import descent, gradient_flow, observables

RNG = np.random.default_rng(7)
MAP = {"map": observables.composite_map()}


def students(depth, dtype=torch.float64):
    widths = [6, *(4 for _ in range(depth - 1)), 5]
    draws = [RNG.standard_normal((2, 3, after, before)) for before, after in pairwise(widths)]
    examples = RNG.standard_normal((2, 3, 6, 30)) / np.sqrt(30)  # enough that no direction is stiff
    layers = [torch.from_numpy(0.4 * draw).to(dtype) for draw in draws]
    return layers, RNG.standard_normal((2, 3, 5, 6)) / 2, examples @ examples.swapaxes(-1, -2)


def by_torch_alone(monkeypatch):
    """Nothing is at hand: every call is that of torch."""
    for module in (linear_algebra, steepest):
        monkeypatch.setattr(module, "array_view", lambda values: values)
    for module in ("descent", "dormand_prince"):
        monkeypatch.setattr(f"mtlbook_lib.simulation.engine.{module}.array_view", lambda values: values)


@pytest.mark.parametrize("depth", [2, 3, 4])
@pytest.mark.parametrize("inputs", ["white", "of each", "of all"])
@pytest.mark.parametrize("train", ["descent", "flow"])
def test_both_libraries_train_alike(monkeypatch, depth, inputs, train):
    layers, data, spread = students(depth)
    covariance = {"white": None, "of each": spread, "of all": spread[0, 0]}[inputs]

    def maps():  # at a rate that is stable, or else rounding grows from step to step
        if train == "descent":
            return descent.descend(layers, data, 0.004, 60, covariance=covariance, observe=MAP, record_every=20)
        return gradient_flow.integrate(layers, data, [0.3, 1.0, 2.5], covariance=covariance, observe=MAP)

    host = maps()
    by_torch_alone(monkeypatch)
    other = maps()
    # Rounding of the error of a step moves the next one by about a part in 1e9 of what the flow is accurate to.
    accuracy = 1e-12 if train == "descent" else 1e-8
    np.testing.assert_allclose(host.values["map"], other.values["map"], rtol=0, atol=accuracy)
    np.testing.assert_array_equal(host.steps, other.steps)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_what_is_at_hand_shares_its_memory(dtype):
    tensor = torch.zeros(2, 3, dtype=dtype)
    array = array_view(tensor)
    array += 1
    assert array.dtype == np.dtype(str(dtype).removeprefix("torch."))
    assert tensor.tolist() == [[1.0] * 3] * 2
