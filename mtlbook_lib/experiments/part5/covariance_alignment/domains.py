"""A source and a target of real data, whose inputs or labels differ in a known way."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import Array
from mtlbook_lib._random import haar, stream
from mtlbook_lib.data.digit_tasks import turn
from mtlbook_lib.data.real import breast_cancer, digits

RIDGE = 3.0
# Name of a domain: how the source differs, examples of source and target.
DOMAINS: dict[str, tuple[str, int, int]] = {
    "same": ("same", 800, 60),
    "shifted": ("shifted", 800, 60),
    "turned": ("turned", 800, 60),
    "mixed": ("mixed", 800, 60),
    "other label": ("other label", 800, 60),
    "shifted, 300": ("shifted", 800, 300),
    "cells": ("cells", 300, 40),
    "cells, rescaled": ("cells, rescaled", 300, 40),
}


@dataclass(frozen=True)
class Pair:
    """Training data of source and target, and held-out inputs with their yes-or-no labels, source first.

    Inputs are standardised on the rows of each domain, labels have mean 0 and variance 1 on the training rows.
    """

    inputs: tuple[Array, Array]
    labels: tuple[Array, Array]
    new_inputs: tuple[Array, Array]
    new_labels: tuple[Array, Array]


def draw(domain: str, split: int) -> Pair:
    """A random split; target and held-out images are the same for all domains of digits with equal sizes.

    The target asks whether a digit is odd, or whether cells are benign. The source has the same question on the same
    kind of images, on images shifted by a pixel or turned by a quarter, on pixels mixed by a random rotation, on
    features multiplied by random scales; or another question, whether the digit is 5 or more.
    """
    kind, n_source, n_target = DOMAINS[domain]
    data = breast_cancer() if kind.startswith("cells") else digits()
    order = stream(split, "domains: rows").permutation(len(data.labels))
    target, source, new = np.split(order, [n_target, n_target + n_source])
    odd = data.labels if kind.startswith("cells") else data.labels % 2
    question = (data.labels >= 5).astype(int) if kind == "other label" else odd
    parts = [
        _side(_images(kind, data.inputs, split), question, source, new),
        _side(data.inputs, odd, target, new),
    ]
    if kind == "mixed":
        parts[0] = _mapped(parts[0], haar(64, 64, [split], "domains: mixing")[0])
    if kind == "cells, rescaled":
        d = data.inputs.shape[1]
        parts[0] = _mapped(parts[0], np.diag(np.exp(stream(split, "domains: scales").standard_normal(d))))
    x, y, x_new, y_new = zip(*parts, strict=True)
    return Pair(x, y, x_new, y_new)


Side = tuple[Array, Array, Array, Array]
Integers = NDArray[np.int64]


def _images(kind: str, images: Array, split: int) -> Array:
    if kind == "turned":
        return turn(images)
    if kind == "shifted":
        square = np.roll(images.reshape(-1, 8, 8), 1, axis=2)
        square[:, :, 0] = 0.0
        return square.reshape(-1, 64)
    return images


def _side(inputs: Array, question: Integers, train: Integers, new: Integers) -> Side:
    mean, spread = inputs[train].mean(axis=0), inputs[train].std(axis=0)
    scale = np.divide(1.0, spread, out=np.zeros_like(spread), where=spread > 0)
    labels = question[train].astype(float)
    x, x_new = ((inputs[rows] - mean) * scale for rows in (train, new))
    return x, (labels - labels.mean()) / labels.std(), x_new, question[new].astype(float)


def _mapped(side: Side, matrix: Array) -> Side:
    return side[0] @ matrix, side[1], side[2] @ matrix, side[3]
