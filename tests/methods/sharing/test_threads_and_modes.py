"""A fit is the same beside other fits, and whatever modes of torch it is called in."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch
from torch import nn

from mtlbook_lib.methods.sharing import HardSharing, Training

X, Y = np.split(np.random.default_rng(0).standard_normal((60, 7)), [5], axis=1)


def encoder() -> nn.Module:
    return nn.Sequential(nn.Linear(5, 8), nn.Dropout(0.5), nn.Linear(8, 3))


def normalised() -> nn.Module:
    return nn.Sequential(nn.Linear(5, 8), nn.BatchNorm1d(8))


def fitted(seed: int) -> np.ndarray:
    return HardSharing(encoder, training=Training(epochs=5, batch_size=16), seed=seed).fit(X, Y).predict(X)


def test_fits_in_four_threads_are_those_of_one() -> None:
    before = torch.get_rng_state()
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(fitted, range(6)))
    np.testing.assert_array_equal(together, [fitted(seed) for seed in range(6)])
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode])
def test_a_fit_needs_no_gradients_from_its_caller(mode: type) -> None:
    with mode():
        found = fitted(0)
    np.testing.assert_array_equal(found, fitted(0))


@pytest.fixture
def half_precision() -> Iterator[None]:
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float16)
    yield
    torch.set_default_dtype(before)


@pytest.mark.usefixtures("half_precision")
def test_a_fit_converges_where_half_precision_is_the_default() -> None:
    assert np.isfinite(fitted(0)).all()


def test_a_last_batch_of_one_row_can_be_normalised() -> None:
    model = HardSharing(normalised, training=Training(epochs=2, batch_size=47))  # of 48, as a fifth is held out
    assert np.isfinite(model.fit(X, Y).predict(X)).all()
    with pytest.raises(ValueError, match="batch_size must be at least 2"):
        HardSharing(normalised, training=Training(batch_size=1)).fit(X, Y)
