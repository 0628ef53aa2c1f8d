"""The runs that are kept beside the book, some of them trained again, and what the chapter trains while it is built."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib._random import normal
from mtlbook_lib.chapters.part6.relu_networks.experiment import arms
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.chapters.stored_results import Some, read, spot_check, sweep_to_lists
from mtlbook_lib.chapters.sweep import combinations
from mtlbook_lib.simulation.shallow import gradient_flow, random_layers
from mtlbook_lib.statistics import mean_and_error

FILE = "part6/relu_networks/relu-networks.json"
DIGITS, WIDE = 6, 1000  # digits that are kept; hidden units of networks that learn one task, as in the paper


@sized(
    file=FILE,
    minutes=30,
    n_seeds=(2, 32, 32),
    n_wide=(2, 32, 32),
    n_hidden=(64, 64, 1000),
    n_aux=(160, 160, 1024),
    cost="48 GB, 11 h on 16 cores",
)
def compute_stored(folder: Path, *, n_seeds: int, n_wide: int, n_hidden: int, n_aux: int) -> dict[str, Any]:
    """Train everything that is kept, or what a former call left undone; half an hour on one core.

    The profile "large" has the paper's numbers of hidden units and of auxiliary examples; with one task alone
    networks have it in all.
    """
    sizes = {"n_hidden": n_hidden, "n_aux": n_aux}
    settings = combinations(seed=range(n_seeds), n_hidden=[n_hidden], n_aux=[n_aux])
    alone = combinations(seed=range(n_wide), n_hidden=[WIDE])
    plan = (("few", arms.seed_cells, settings), ("wide", arms.wide_cells, alone), ("many", arms.late_cells, settings))
    measured = {name: sweep_to_lists(cells, chosen, folder, DIGITS) for name, cells, chosen in plan}
    return {"sizes": sizes, "seeds": n_seeds, "tolerance": arms.TOLERANCE, "measured": measured}


@dataclass(frozen=True)
class Kept:
    """What is stored, first axis seed; ``arms`` describes the arrays of "few", "many" and "wide"."""

    n_hidden: int
    n_aux: int
    measured: dict[str, dict[str, Array]]

    def errors(self, arm: str, task: str) -> Array:
        """Test errors (seed, n) of "single", "joint", "finetuned", "kernel" or "probed" on a main task."""
        found = [_error(self.measured["few"][arm][:, arms.TASKS.index(task)])]
        if task in arms.LATE:
            found.append(_error(self.measured["many"][arm][:, arms.LATE.index(task)]))
        return np.concatenate(found, axis=1)

    def rescaled(self, task: str, factor: int) -> Array:
        """Test errors (seed, n) of finetuning after the first layer was multiplied by a factor, given by its place."""
        return np.asarray(self.measured["few"]["rescaled"][:, factor, arms.NESTED.index(task), :, 0])

    def joint_norms(self, task: str) -> tuple[Array, Array, Array]:
        """Path norm of two outputs, the sum of both outputs', and half the squared weights, (seed, n) each."""
        found = self.measured["few"]["joint"][:, arms.TASKS.index(task)]
        return found[..., 1], found[..., 2], found[..., 3]

    def separate_norms(self, task: str) -> Array:
        """Path norm of two networks, one for each task, (seed, n)."""
        main = self.measured["few"]["single"][:, arms.TASKS.index(task), :, 1]
        return np.asarray(main + self.measured["few"]["pretrained"][:, 1, None])

    def starts(self, teacher: str) -> dict[str, tuple[Array, Array]]:
        """Error and path norm, (seed, n), of wide networks trained alone from "small" and "large" weights."""
        found = self.measured["wide"]["starts"][:, :, list(arms.TEACHERS).index(teacher)]
        return {name: (found[:, i, :, 0], found[:, i, :, 1]) for i, name in enumerate(("small", "large"))}

    def kernel_alone(self, teacher: str) -> Array:
        """Errors of the tangent kernel's interpolator for the same data, (seed, n)."""
        return np.asarray(self.measured["wide"]["kernel alone"][:, list(arms.TEACHERS).index(teacher)])

    def losses(self) -> Array:
        """The last losses of all networks."""
        trained = ("pretrained", "single", "joint", "finetuned", "rescaled", "starts")
        parts = [part[name][..., -1] for part in self.measured.values() for name in trained if name in part]
        return np.concatenate([part.ravel() for part in parts])


def _error(values: Array) -> Array:
    """The errors (seed, n) among what is measured of networks, (seed, n, column), or of interpolators, (seed, n)."""
    return values if values.ndim == 2 else np.asarray(values[..., 0])


def stored() -> Kept:
    """What the stored runs measured."""
    sizes = read(FILE, "sizes")
    return Kept(int(sizes["n_hidden"]), int(sizes["n_aux"]), read(FILE, "measured"))


def geometric_mean(values: Array) -> tuple[Array, Array]:
    """Geometric mean over seeds, which no single bad one decides, and its standard error to first order."""
    mean, error = mean_and_error(np.log(values))
    return np.exp(mean), np.exp(mean) * error


def trends(errors: Iterable[Array]) -> Array:
    """Sparsity and reuse, (seed, 2), from errors (seed, n) with one, three and six reused units and with a new one.

    They are differences of logarithms, averaged over n: of six reused units and one, and of a new unit and a reused.
    """
    one, _, six, new = (np.log(values) for values in errors)
    return np.stack([(six - one).mean(axis=1), (new - one).mean(axis=1)], axis=1)


@spot_check(FILE, 0.05, relative=True, seed=range(32), place=range(len(arms.FEW)),
            joint=Some(range(len(arms.TASKS)), 2))  # fmt: skip
def recomputed(seed: int, place: int, joint: list[int]) -> tuple[Array, Array]:
    """Test errors of one seed: all main tasks alone and finetuned with a number of examples, and two tasks together
    with the auxiliary task with the least number."""
    kept = stored()
    was, n = kept.measured["few"], arms.FEW[place]
    one = arms.problem(seed, kept.n_hidden, kept.n_aux)
    few = arms.problem(seed, kept.n_hidden, kept.n_aux, tuple(arms.TASKS[i] for i in joint))
    now = [
        one.network_errors(arms.single(one, n).layers),
        one.network_errors(arms.finetune(one, arms.pretrain(one).layers, n).layers),
        few.network_errors(arms.joint(few, arms.FEW[0]).layers, 1),
    ]
    then = [was["single"][seed, :, place, 0], was["finetuned"][seed, :, place, 0], was["joint"][seed, joint, 0, 0]]
    return np.concatenate(now), np.concatenate(then)


HIDDEN, FRESH = 64, 1000  # units of networks that are trained here; first seed of those


@dataclass(frozen=True)
class Course:
    """Two-task networks stopped at several losses: loss, half the squared weights, path norms, change of balance."""

    loss: Array
    half: Array
    grouped: Array
    drift: Array


def course(losses: Array, reach: float = 0.1) -> Course:
    """A network of two outputs, stopped at each of the losses; 40 examples of either task, overlap 3.

    The drift is the largest change of a unit's balance, relative to the largest squared norm of a unit.
    """
    one = arms.problem(FRESH, HIDDEN, 40, ("overlap 3",))
    layers = random_layers(arms.DIM, HIDDEN, [FRESH], arms.SMALL, n_tasks=2)
    start, found = layers.balance, []
    (xa, ya), (x, y) = one.aux_data(), one.data(40)
    for loss in losses:
        fits = gradient_flow(layers, [xa, x], [ya, y], float(loss), reach)
        layers = fits.layers
        grouped, _, half = arms.norms(layers)[0]
        drift = np.abs(layers.balance - start).max() / (layers.second**2).sum(axis=-2).max()
        found.append((fits.loss[0, 0], half, grouped, drift))
    return Course(*np.transpose(found))


@sized(n_seeds=(4, 40, 400), cost="1 GB, 1 min on one core")
def random_kernels(angles: Array, width: int = 2000, *, n_seeds: int) -> Array:
    """Tangent kernels (seed, angle) of random networks for pairs of unit inputs at given angles."""
    x = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    first = normal((width, 2), range(n_seeds), "random kernels: first")
    second = normal((width,), range(n_seeds), "random kernels: second")
    here, there = np.maximum(first[..., :1], 0), np.maximum(first @ x.T, 0)  # the first input is the unit vector e_1
    slopes = np.cos(angles) * second[..., None] ** 2 * (here > 0) * (there > 0)
    return np.asarray((here * there + slopes).mean(axis=1))


@sized(n_seeds=(2, 12, 100), cost="2 GB, 5 min on one core")
def lazy_distance(widths: tuple[int, ...], n_examples: int = 16, *, n_seeds: int) -> Array:
    """Distance (seed, width) of networks with large mirrored weights to the tangent kernel's interpolator.

    It is relative to the interpolator's size on test inputs; six features.
    """
    found = np.empty((n_seeds, len(widths)))
    for i in range(n_seeds):
        for j, width in enumerate(widths):
            one = arms.problem(FRESH + i, width, 1, ("overlap 0",))
            x, _ = one.data(arms.N_TEST, "test")
            outputs = arms.single(one, n_examples, arms.LARGE).layers.outputs(x)[0, 0, 0]
            wanted = one.kernel_outputs(n_examples)[0]
            found[i, j] = np.linalg.norm(outputs - wanted) / np.linalg.norm(wanted)
    return found
