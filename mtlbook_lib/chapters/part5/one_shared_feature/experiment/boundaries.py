"""Two sources with one boundary and points in different places, beside a target in the plane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.two_tasks.planar import planar_points
from mtlbook_lib.simulation.boundaries import AngleLosses, angle_losses

SOURCES = {"along": (0.3, 3.0), "across": (2.0, 0.5)}  # spread of the points across their boundary, and along it
N_TARGET, ANGLE, SLOPE = 20, np.radians(13.0), 3.0  # angle between the two boundaries; slope of the logistic law


@dataclass(frozen=True)
class Plane:
    """Points and labels of "target", "along" and "across", first axis seed, and how right the target's boundary is.

    `alone`, (seed,), is the share of new target points on the right side of the boundary that is learnt alone, `shared`
    that with each source, (seed, source size). `angles`, (seed,), are learnt alone and with the most points of each
    source; `losses` are those of each task with the most points.
    """

    tasks: dict[str, tuple[Array, Array]]
    alone: Array
    shared: dict[str, Array]
    angles: dict[str, Array]
    losses: dict[str, AngleLosses]

    def gains(self) -> dict[str, Array]:
        """Accuracy with each source less that alone, (seed, source size)."""
        return {name: value - self.alone[:, None] for name, value in self.shared.items()}

    def example(self) -> int:
        """The draw in which one source harms and the other helps most clearly."""
        gains = self.gains()
        return int(np.argmax(np.minimum(-gains["along"][:, -1], gains["across"][:, -1])))


@sized(n_seeds=(40, 400, 20_000), cost="2 GB, 5 min on one core")
def plane(sizes: Sequence[int], *, n_seeds: int) -> Plane:
    """Twenty target points, with the first points of either source, for each size.

    The target's points are isotropic: a boundary at the angle x from the true one is right for a share 1 - x/pi.
    """
    seeds = range(n_seeds)
    tasks = {"target": planar_points(N_TARGET, 0.0, (1.0, 1.0), SLOPE, seeds)}
    target = angle_losses(*tasks["target"])
    own = target.best_angles()
    angles, kept, shared = {"alone": own}, {"target": target}, {}
    for name, spread in SOURCES.items():
        x, y = tasks[name] = planar_points(max(sizes), ANGLE, spread, SLOPE, seeds, name)
        fits = [angle_losses(x[:, :m], y[:, :m]) for m in sizes]
        found = [target.best_angles(source) for source in fits]
        shared[name] = np.stack([_right(angle) for angle in found], axis=1)
        angles[name], kept[name] = found[-1], fits[-1]
    return Plane(tasks, _right(own), shared, angles, kept)


@sized(n_seeds=(40, 2400, 20_000), cost="2 GB, 2 min on one core")
def gains_of_many_draws(size: int, *, n_seeds: int) -> dict[str, Array]:
    """Accuracy with each source of one size less that alone, (seed,), over as many draws as half a percent needs."""
    return {name: gain[:, 0] for name, gain in plane([size], n_seeds=n_seeds).gains().items()}


def _right(angles: Array) -> Array:
    return np.asarray(1 - np.abs((angles + np.pi) % (2 * np.pi) - np.pi) / np.pi)
