"""Prepared calls put what they promise where they are told, by either library."""

import numpy as np
import pytest
import torch

from mtlbook_lib.simulation.engine.linear_algebra import (
    added,
    empty,
    exponential,
    product,
    run_calls,
    scaled,
    subtract,
    subtract_product,
)


@pytest.mark.parametrize("kind", [np.asarray, torch.from_numpy], ids=["NumPy", "torch"])
def test_calls_are_those_of_the_definitions(kind):
    rng = np.random.default_rng(4)
    whole, left, right = (rng.standard_normal((3, *shape)) for shape in ((4, 5), (4, 2), (2, 5)))
    out = empty(kind(whole), 3, 4, 5)
    steps = [
        (product(kind(left), kind(right), out), 1, left @ right),
        (subtract_product(kind(whole), kind(left), kind(right), out), 1, whole - left @ right),
        (subtract(kind(whole), out), 1, left @ right),
        (added([out], [kind(whole)]), 2, left @ right + 2 * whole),
        (scaled(out, -3.0), 1, -3 * (left @ right + 2 * whole)),
        (product(kind(left[0, 0]), kind(right[0]), out[0, 0]), 1, left[0, 0] @ right[0]),
    ]
    for calls, times, wanted in steps:
        run_calls(calls, times)
        found = out[0, 0] if wanted.ndim == 1 else out
        np.testing.assert_allclose(np.asarray(found), wanted, rtol=1e-13, atol=1e-14)
    given = torch.from_numpy(whole.copy())
    exponential(given)
    np.testing.assert_allclose(given.numpy(), np.exp(whole), rtol=1e-14)
