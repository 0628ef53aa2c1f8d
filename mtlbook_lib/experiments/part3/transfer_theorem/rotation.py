"""Teachers turned at random, with their noise or without it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.stats import ortho_group

from mtlbook_lib._checks import Array
from mtlbook_lib.experiments.part3.transfer_theorem.pairs import PAIRS, Curves, Pair, curves, draw
from mtlbook_lib.experiments.sizes import sized

_TURNED_ALONG = 40  # sets


def turned(pair: Pair, with_noise: bool, seed: int = 1) -> Pair:
    """The pair with the outputs of each task and the inputs turned at random, with the noise or without it."""
    n_sets, rows, columns = pair.a.shape
    sizes = (rows, rows, columns)
    left_a, left_b, inputs = (ortho_group(n, seed=seed + i).rvs(n_sets) for i, n in enumerate(sizes))
    noise = pair.noise
    if with_noise:
        halves = zip((left_a, left_b), np.split(noise, 2, axis=-2), strict=True)
        noise = np.concatenate([left @ half @ inputs for left, half in halves], axis=-2)
    return Pair(left_a @ pair.a @ inputs, left_b @ pair.b @ inputs, noise)


@dataclass(frozen=True)
class Rotation:
    """Curves of a pair before it is turned and after; of its first sets, sharp, and with the noise turned along."""

    n_inputs: int
    before: Curves
    fixed: Curves
    first: Curves
    along: Curves

    def benefits(self) -> tuple[Array, Array, Array]:
        """Benefits (set,) before, after, and with the noise turned along, at the best times of the first."""
        stops = self.before.stops()
        return self.before.benefits(stops), self.fixed.benefits(stops), self.along.benefits(stops)

    def largest_change(self) -> float:
        """Largest difference of any curve when the noise is turned along."""
        return max(
            float(np.abs(self.along.alone - self.first.alone).max()),
            float(np.abs(self.along.joint - self.first.joint).max()),
        )


@sized(
    quick={"n_sets": 8, "n_inputs": 60},
    paper={"n_sets": 400, "n_inputs": 100},
    large={"n_sets": 4000, "n_inputs": 200},
    large_cost="24 GB, 15 min on 16 cores",
)
def rotations(*, n_sets: int, n_inputs: int) -> dict[str, Rotation]:
    """Curves of all ``PAIRS`` and of the same pairs turned."""
    found = {}
    for name in PAIRS:
        pair = draw(name, n_inputs, n_sets)
        # Noise turned along leaves the curves as they are, to rounding, which few sets show.
        first = Pair(pair.a[:_TURNED_ALONG], pair.b[:_TURNED_ALONG], pair.noise[:_TURNED_ALONG])
        before, fixed = curves(pair, sharp=False), curves(turned(pair, False), sharp=False)
        found[name] = Rotation(n_inputs, before, fixed, curves(first), curves(turned(first, True)))
    return found


def mirror_gap(name: str, n_inputs: int = 60, n_sets: int = 8) -> float:
    """Largest change of any curve when the outputs of B change sign, noise included."""
    pair = draw(name, n_inputs, n_sets)
    sign = np.repeat([1.0, -1.0], n_inputs // 2)[:, None]
    before, after = curves(pair), curves(Pair(pair.a, -pair.b, sign * pair.noise))
    return max(float(np.abs(after.alone - before.alone).max()), float(np.abs(after.joint - before.joint).max()))
