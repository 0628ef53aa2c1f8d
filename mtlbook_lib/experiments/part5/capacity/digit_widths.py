"""Ten digit tasks on one shared module or on ten of their own: areas under the curve against the number of units."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib._random import stream
from mtlbook_lib.data.real import digits, standardiser
from mtlbook_lib.data.scores import area_under_curve
from mtlbook_lib.simulation.shared_modules import ModuleFits, train_modules

MODULES = ("linear", "perceptron", "convolution")
SHARES = (0.0, 0.6)  # of random labels in the noisy tasks
SHARED, APART = (1, 2, 3, 5, 7, 10, 14, 20, 30, 50, 100), (1, 2, 3, 5, 10)  # units together, and of each task alone
N_TRAIN, N_HELD, N_NOISY, N_STEPS = 150, 150, 3, 400
BLOCK = 10  # splits that are trained together
# Linear modules differ least and are trained fastest; convolutions differ most and take longest.
N_BLOCKS = {"linear": 16, "perceptron": 9, "convolution": 5}
N_CHOOSING = 20  # the first splits choose the best width, the others judge it


def noisy_tasks(splits: Iterable[int]) -> Array:
    """Which tasks have random labels, (split, digit): three, that move on by one digit from split to split."""
    return np.array([np.isin(np.arange(10), (split + np.arange(N_NOISY)) % 10) for split in splits])


def windows(images: Array) -> Array:
    """Windows of 4 × 4 pixels at every second place of images (n, 64): (n, 9, 16), in units of the ink's range."""
    square = images.reshape(-1, 8, 8) / 16 - 0.5
    views = np.lib.stride_tricks.sliding_window_view(square, (4, 4), axis=(1, 2))[:, ::2, ::2]
    return views.reshape(len(images), 9, 16)


def draw(module: str, share: float, splits: Iterable[int]) -> tuple[list[Array], Array]:
    """Inputs and labels for training and for choosing its end, inputs of the test, and its clean labels.

    All have the leading axis split. Labels are centred and of unit variance on the training images; random labels are
    those of other images, in training and choosing alike.
    """
    task, found, tests = digits(), [], []
    for split, noisy in zip(splits, noisy_tasks(splits), strict=True):
        rng = stream(split, "capacity of modules")
        parts = np.split(rng.permutation(len(task.labels)), [N_TRAIN, N_TRAIN + N_HELD])
        targets = task.targets.copy()
        for column, rows in product(np.flatnonzero(noisy), parts[:2]):
            drawn = rng.permutation(rows)[: round(share * len(rows))]
            targets[drawn, column] = targets[rng.permutation(drawn), column]
        if module == "convolution":
            inputs = windows(task.inputs)
        else:
            inputs = _filled(standardiser(task.inputs[parts[0]]).apply(task.inputs))[:, None]
        mean, spread = targets[parts[0]].mean(axis=0), targets[parts[0]].std(axis=0)
        labels = (targets - mean) / spread
        found.append((inputs[parts[0]], labels[parts[0]], inputs[parts[1]], labels[parts[1]], inputs[parts[2]]))
        tests.append(task.targets[parts[2]])
    return [np.stack(part) for part in zip(*found, strict=True)], np.stack(tests)


def _filled(rows: Array) -> Array:
    """Constant pixels were dropped, not the same number in all splits: zeros stand for them."""
    return np.pad(rows, ((0, 0), (0, 64 - rows.shape[1])))


def fit(module: str, data: list[Array], width: int, splits: Iterable[int], apart: bool) -> ModuleFits:
    """Train the modules of one width, one for all tasks or one for each, a network a split."""
    x, y, held_x, held_y = data[:4]
    return train_modules(x, y, held_x, held_y, width, splits, N_STEPS, rectified=module != "linear", apart=apart)


def areas(fits: ModuleFits, inputs: Array, labels: Array) -> Array:
    """Area under the curve of each task on the test images, (split, digit)."""
    return area_under_curve(fits.scores(inputs).swapaxes(-1, -2), labels.swapaxes(-1, -2))


def width_cells(module: str, share: float, block: int) -> dict[str, Array]:
    """Areas at all widths, (width, split, digit), of shared modules and of those apart, for one block of splits."""
    splits = range(BLOCK * block, BLOCK * (block + 1))
    data, labels = draw(module, share, splits)
    found = {}
    for name, widths in (("shared", SHARED), ("apart", APART)):
        fits = (fit(module, data, width, splits, name == "apart") for width in widths)
        found[name] = np.stack([areas(one, data[4], labels) for one in fits])
    return found


def width_settings() -> list[dict[str, Any]]:
    """All modules, with clean and with noisy labels, block after block."""
    axes = product(range(max(N_BLOCKS.values())), MODULES, SHARES)
    return [
        {"module": module, "share": share, "block": block} for block, module, share in axes if block < N_BLOCKS[module]
    ]
