"""What becomes of the theorem for one data set, and for noise that is not Gaussian."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator, default_rng

from mtlbook_lib._checks import Array
from mtlbook_lib.experiments.part3.transfer_theorem.pairs import TIMES, Pair, curves, draw
from mtlbook_lib.experiments.part3.transfer_theorem.rotation import Rotation
from mtlbook_lib.experiments.sizes import sized


@dataclass(frozen=True)
class Spread:
    """Standard deviation of the benefit over data sets, (size,), with the relative error that the numbers of sets give.

    `fixed` and `late` are at one stopping time for all sizes: the best at 100 inputs, and three times that. `best` is
    at the best times of each size, `mean` the mean benefit at the fixed ones.
    """

    sizes: Array
    fixed: Array
    late: Array
    best: Array
    mean: Array
    relative: Array


@sized(
    quick={"n_sets": {50: 20, 100: 10, 200: 5}},
    paper={"n_sets": {50: 1600, 100: 800, 200: 400}},
    large={"n_sets": {50: 16000, 100: 8000, 200: 4000, 400: 2000, 800: 1000}},
    large_cost="40 GB, 60 min on 16 cores",
)
def spreads(name: str, stops: tuple[int, int], *, n_sets: dict[int, int]) -> Spread:
    """How the benefit of one data set scatters, at several sizes; `stops` are the fixed stopping times."""
    late = tuple(int(np.searchsorted(TIMES, 3 * TIMES[stop])) for stop in stops)
    rows = []
    for n_inputs, sets in n_sets.items():
        found = curves(draw(name, n_inputs, sets), sharp=False)
        fixed = found.benefits(stops)
        others = [found.benefits(times).std(ddof=1) for times in ((late[0], late[1]), found.stops())]
        rows.append([fixed.std(ddof=1), *others, fixed.mean()])
    relative = 1 / np.sqrt(2 * (np.array(list(n_sets.values())) - 1))
    fixed_std, late_std, best_std, mean = np.transpose(rows)
    return Spread(np.array(list(n_sets)), fixed_std, late_std, best_std, mean, relative)


def random_signs(rng: Generator, shape: tuple[int, ...]) -> Array:
    """Entries +1 or -1."""
    return rng.choice([-1.0, 1.0], size=shape)


def student_t(rng: Generator, shape: tuple[int, ...]) -> Array:
    """Student's t with three degrees of freedom at variance 1: no finite fourth moment."""
    return np.asarray(rng.standard_t(3, size=shape) / np.sqrt(3))


def with_noise(pair: Pair, entries: Callable[[Generator, tuple[int, ...]], Array], seed: int = 11) -> Pair:
    """The pair with noise of independent `entries` of variance 1/inputs."""
    noise = entries(default_rng(seed), pair.noise.shape) / np.sqrt(pair.noise.shape[-1])
    return replace(pair, noise=noise)


def sign_shifts(rotations: Mapping[str, Rotation]) -> Array:
    """Benefits with noise of random signs minus those with Gaussian noise, (set, pair).

    Teachers and stopping times are those of the pairs before they were turned.
    """
    shifts = []
    for name, gaussian in ((name, rotation.before) for name, rotation in rotations.items()):
        pair = draw(name, rotations[name].n_inputs, len(gaussian.alone))
        stops = gaussian.stops()
        shifts.append(curves(with_noise(pair, random_signs), sharp=False).benefits(stops) - gaussian.benefits(stops))
    return np.stack(shifts, axis=1)


@sized(
    quick={"n_sets": {100: 10}},
    paper={"n_sets": {100: 80, 400: 12}},
    large={"n_sets": {100: 800, 400: 200, 1600: 40}},
    large_cost="30 GB, 30 min on 16 cores",
)
def heavy_noise(name: str, *, n_sets: dict[int, int]) -> dict[int, tuple[float, float]]:
    """By number of inputs: least mean error of head A, with Gaussian noise and with Student's t of three degrees."""
    found = {}
    for n_inputs, sets in n_sets.items():
        pair = draw(name, n_inputs, sets)
        both = curves(pair, sharp=False), curves(with_noise(pair, student_t), sharp=False)
        found[n_inputs] = tuple(float(each.joint.mean(axis=0).min()) for each in both)
    return {size: (gaussian, heavy) for size, (gaussian, heavy) in found.items()}
