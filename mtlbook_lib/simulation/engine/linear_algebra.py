"""Prepared calls on batches of small matrices: one way to write them, by NumPy on the host and by torch elsewhere.

NumPy's loop over a batch of small matrices takes .6 to .85 of the time of torch's on a CPU (measured for 8 to 80
matrices of 10 x 20 to 50 x 100). An array shares the memory of its tensor, so that the tensors stay where they are and
what is written to one is read from the other. Calls are prepared once and made again and again, because on small
networks to find out what to call costs as much as a product.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor

from mtlbook_lib.simulation.engine.runtime import on_host

Matrices = Any  # a Tensor, or an array that shares its memory
Calls = list[Callable[[], object]]  # to be made one after the other

_PRECISIONS = (torch.float64, torch.float32)  # which both libraries have


def array_view(tensor: Matrices) -> Matrices:
    """`tensor` as what multiplies fastest where it lies: an array of the same memory on the host, else the tensor."""
    if isinstance(tensor, Tensor) and on_host(tensor) and tensor.dtype in _PRECISIONS:
        return tensor.detach().numpy()
    return tensor


def empty(like: Matrices, *shape: int) -> Matrices:
    """Memory of the kind, precision and device of `like`."""
    return np.empty(shape, like.dtype) if isinstance(like, np.ndarray) else like.new_empty(shape)


def packed(blocks: Sequence[Tensor]) -> tuple[list[Tensor], Tensor]:
    """Memory for blocks of these shapes, and the same as one vector."""
    whole = blocks[0].new_empty(sum(block.numel() for block in blocks))
    parts = torch.split(whole, [block.numel() for block in blocks])
    return [part.view(block.shape) for part, block in zip(parts, blocks, strict=True)], whole


def product(left: Matrices, right: Matrices, out: Matrices) -> Calls:
    """Puts the product of matrices (run, ...), of two matrices, or of a vector and a matrix, into `out`."""
    if isinstance(left, np.ndarray):
        return [partial(np.matmul, left, right, out=out)]
    if left.ndim == 1:  # which torch's general product does not write to a given place
        return [partial(torch.mv, right.T, left, out=out)]
    return [partial(torch.matmul, left, right, out=out)]


def subtract_product(whole: Matrices, left: Matrices, right: Matrices, out: Matrices) -> Calls:
    """Puts `whole` less the product of matrices (run, ...) into `out`, which is none of them."""
    if isinstance(left, np.ndarray):
        return [partial(np.matmul, left, right, out=out), partial(np.subtract, whole, out, out=out)]
    return [partial(torch.baddbmm, whole, left, right, alpha=-1, out=out)]


def subtract(whole: Matrices, part: Matrices) -> Calls:
    """Puts `whole` less `part` into `part`."""
    return [partial(np.subtract if isinstance(part, np.ndarray) else torch.sub, whole, part, out=part)]


def scaled(values: Matrices, factors: Matrices) -> Calls:
    """Multiplies `values` by `factors`, a number or what has the same axes, in place."""
    return [partial(np.multiply if isinstance(values, np.ndarray) else torch.mul, values, factors, out=values)]


def added(values: Sequence[Matrices], changes: Sequence[Matrices]) -> Calls:
    """Adds changes to values, in place."""
    add = np.add if values and isinstance(values[0], np.ndarray) else torch.add
    return [partial(add, value, change, out=value) for value, change in zip(values, changes, strict=True)]


def run_calls(calls: Calls, times: int = 1) -> None:
    """Make the calls, so many times over; numbers may overflow without a word, as torch lets them everywhere."""
    with np.errstate(over="ignore", invalid="ignore"):
        for _ in range(times):
            for call in calls:
                call()


def exponential(values: Tensor) -> None:
    """Puts exponentials in place of `values`; on a host NumPy's take half the time of torch's in double precision."""
    here = array_view(values)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        (np if isinstance(here, np.ndarray) else torch).exp(here, out=here)
