"""What tuning does out of distribution: inputs from a few directions, with a head that is shared and without one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib._random import haar, normal
from mtlbook_lib.chapters.part6._diagonal import labels
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.chapters.sparse_pairs import relative_errors
from mtlbook_lib.simulation.diagonal import gradient_flow, start_from
from mtlbook_lib.simulation.linear.shared_head import HeadNetworks, head_flow, head_networks
from mtlbook_lib.theory.implicit_bias import pretrained_layer

_DIM, _FEATURES, SEEN, EXAMPLES = 40, 4, 12, 48
MISSED = np.array([0.0, 0.1, 0.3, 1.0])  # size of the error of the pretrained features, relative to the features
HEADS = np.array([1.0, 0.5, 1e-3])  # length of the head at which tuning starts, relative to the right one
_TIME = 100.0
WAYS = ("tuned", "probed", "probed, tuned")


@dataclass(frozen=True)
class Task:
    """Teachers β = Wᵀv with orthonormal features, and inputs from 12 random directions; first axis seed."""

    features: Array
    head: Array
    directions: Array
    x: Array

    @property
    def beta(self) -> Array:
        """The teacher's coefficients."""
        return np.asarray((self.head[:, None] @ self.features)[:, 0])

    @property
    def y(self) -> Array:
        """Labels."""
        return labels(self.x, self.beta)

    def errors(self, networks: HeadNetworks) -> tuple[Array, Array]:
        """Error in the distribution of the inputs, and for inputs from everywhere, (seed, setting)."""
        missed = networks.beta - self.beta[:, None]
        inside, whole = missed @ self.directions, self.beta[:, None] @ self.directions
        return (
            np.asarray((inside**2).sum(axis=-1) / (whole**2).sum(axis=-1)),
            np.asarray((missed**2).sum(axis=-1) / (self.beta**2).sum(axis=-1)[:, None]),
        )


def task(seeds: range) -> Task:
    """A teacher of four features of 40 inputs, whose head has length one, and 48 examples."""
    head = normal((_FEATURES,), seeds, "shared head")
    directions = haar(_DIM, SEEN, seeds, "seen directions")
    x = normal((EXAMPLES, SEEN), seeds, "inputs from seen directions") @ directions.swapaxes(1, 2)
    features = haar(_DIM, _FEATURES, seeds, "features of a shared head").swapaxes(1, 2)
    return Task(features, head / np.linalg.norm(head, axis=1, keepdims=True), directions, x)


@dataclass(frozen=True)
class HeadErrors:
    """Errors of one way of training; `inside` and `outside` the distribution, (seed, head, features), and a check.

    `kept` is how far the features of directions without data moved, (seed, head, features). There is one head where the
    way does not depend on its length.
    """

    inside: Array
    outside: Array
    kept: Array


@sized(n_seeds=(3, 40, 2000), cost="2 GB, 10 min on one core")
def shared_head_errors(*, n_seeds: int) -> dict[str, HeadErrors]:
    """Networks v·Wx whose features miss the teacher's by each of ``MISSED``, from heads of length ``HEADS``.

    The features are W* + eE over their length, with orthonormal rows in E. Ways: "tuned" from a random head, "probed"
    (the head alone), and "probed, tuned".
    """
    seeds = range(n_seeds)
    given = task(seeds)
    wrong = haar(_DIM, _FEATURES, seeds, "error of features").swapaxes(1, 2)
    size = MISSED[:, None, None]
    features = (given.features[:, None] + size * wrong[:, None]) / np.sqrt(1 + size**2)
    start = normal((_FEATURES,), seeds, "head before tuning")
    start = start / np.linalg.norm(start, axis=1, keepdims=True)
    data = given.x[:, None], given.y[:, None]
    before = [head_networks(features, length * start[:, None]) for length in HEADS]
    tuned = [head_flow(nets, *data, _TIME)[0] for nets in before]
    probed, _ = head_flow(before[0], *data, _TIME, layers="readout")
    both, _ = head_flow(probed, *data, _TIME)
    ways = zip(WAYS, (tuned, [probed], [both]), strict=True)
    return {way: _errors(given, features, networks) for way, networks in ways}


def _errors(given: Task, features: Array, networks: list[HeadNetworks]) -> HeadErrors:
    unseen = np.eye(_DIM) - given.directions @ given.directions.swapaxes(1, 2)
    moved = [np.sqrt((((nets.features - features) @ unseen[:, None]) ** 2).sum(axis=(-2, -1))) for nets in networks]
    inside, outside = zip(*(given.errors(nets) for nets in networks), strict=True)
    return HeadErrors(*(np.stack(part, axis=1) for part in (inside, outside, moved)))


@sized(n_seeds=(4, 24, 2000), cost="1 GB, 5 min on one core")
def diagonal_errors(gammas: Array, along_axes: bool, *, n_seeds: int) -> dict[str, Array]:
    """Diagonal networks with the right features, on inputs from 12 directions: errors everywhere, (seed, readout).

    Both tasks have the same four features, with signs of their own. The 12 directions are axes, those of three features
    and nine others, or random ones. The readout is reset to each of `gammas`.
    """
    seeds = range(n_seeds)
    directions = np.tile(np.eye(_DIM)[:, 1 : SEEN + 1], (n_seeds, 1, 1)) if along_axes else task(seeds).directions
    x = normal((EXAMPLES, SEEN), seeds, "inputs from seen directions") @ directions.swapaxes(1, 2)
    truth, aux = np.zeros((2, n_seeds, _DIM))
    signs = np.sign(normal((2, _FEATURES), seeds, "signs of features"))
    truth[:, :_FEATURES], aux[:, :_FEATURES] = signs.swapaxes(0, 1)
    plus, minus = (np.repeat(part[:, None], len(gammas), axis=1) for part in pretrained_layer(aux, 1e-3))
    readout = np.broadcast_to(gammas[:, None, None], (n_seeds, len(gammas), 1, _DIM))
    start, data = start_from(plus, minus, readout, readout), (x, labels(x, truth))
    probed = gradient_flow(start, *data, tolerance=1e-14, layers="readout").finished()
    tuned = gradient_flow(start, *data, tolerance=1e-14).finished()
    both = gradient_flow(probed.weights, *data, tolerance=1e-14).finished()
    return {
        way: relative_errors(fits.beta[:, :, 0], truth[:, None])
        for way, fits in zip(WAYS, (tuned, probed, both), strict=True)
    }
