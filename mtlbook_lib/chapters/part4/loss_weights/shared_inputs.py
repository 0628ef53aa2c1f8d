"""Cosines of two tasks' gradients against the share of their inputs that is common, the number of examples fixed."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

from mtlbook_lib._checks import Array
from mtlbook_lib._random import stream
from mtlbook_lib.chapters.part4.loss_weights import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.theory.hard_sharing import gradient_cosine

SHARES = SETTINGS.shares


# Examples of each task, inputs, and whether the inputs that are a task's own lie as those of the other do.
CASES = {
    "many examples": (400, 20, "alike"),
    "few examples": (40, 400, "alike"),
    "many examples, laws apart": (400, 20, "apart"),
}


class Shared(NamedTuple):
    """Cosines of related and of unrelated tasks, (seed, share), and what they are expected to be, (share,)."""

    shares: Sequence[float]
    related: Array
    unrelated: Array
    expected: Array

    @property
    def told_apart(self) -> Array:
        """Whether a related pair has the larger cosine than an unrelated one of another draw, (seed, share)."""
        return (self.related > np.roll(self.unrelated, 1, axis=0)).astype(float)


@sized(n_seeds=SETTINGS.n_seeds_shared_inputs, cost="1 GB, 2 min on one core")
def shared_inputs(name: str, shares: Sequence[float] = SHARES, *, n_seeds: int) -> Shared:
    """Of one setting: gradients of the mean squared loss at shared weights of zero, by automatic differentiation."""
    n, d, own = CASES[name]
    cosines = np.stack([_cosines(n, d, own, shares, seed) for seed in range(n_seeds)])
    expected = np.asarray(gradient_cosine(shares, SETTINGS.related, n, d, SETTINGS.noise, own))
    return Shared(shares, cosines[:, 0], cosines[:, 1], expected)


def _cosines(n: int, d: int, own: str, shares: Sequence[float], seed: int) -> Array:
    """Cosines of one draw, (related or not, share); a larger share has the common inputs of a smaller one."""
    rng = stream(seed, f"shared inputs: {n}, {d}, {own}")
    first, second = np.linalg.qr(rng.standard_normal((d, 2)))[0].T
    related = SETTINGS.related * first + np.sqrt(1 - SETTINGS.related**2) * second
    common, *rows = rng.standard_normal((3, n, d))
    if own == "apart":
        for part, half in zip(rows, (slice(d // 2), slice(d // 2, d)), strict=True):
            part[:, half] = 0.0
            part *= np.sqrt(2)
    noise = SETTINGS.noise * rng.standard_normal((2, n, 1))
    cosines = np.empty((2, len(shares)))
    for place, share in enumerate(shares):
        in_common = np.arange(n)[:, None] < round(share * n)
        main, other = (np.where(in_common, common, part) for part in rows)
        (one,) = _gradients(main, main @ first[:, None] + noise[0])
        others = _gradients(other, other @ np.stack([related, second], axis=1) + noise[1])
        cosines[:, place] = others @ one / np.linalg.norm(others, axis=1) / np.linalg.norm(one)
    return cosines


def _gradients(inputs: Array, labels: Array) -> Array:
    """Of half the mean squared loss of each column of labels, at weights of zero, (column, d)."""
    rows, wanted = torch.from_numpy(inputs), torch.from_numpy(labels)
    weights = torch.zeros(rows.shape[1], wanted.shape[1], dtype=rows.dtype, requires_grad=True)
    loss = torch.mean((rows @ weights - wanted) ** 2, dim=0).sum() / 2
    return np.asarray(torch.autograd.grad(loss, weights)[0].T)
