"""Networks in the four regimes: which known interpolator they are nearest to, and what they learn from little."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part6._diagonal import labels
from mtlbook_lib.chapters.part6.finetuning_prior.experiment.networks import PATHWAYS, treated, unbalanced
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.chapters.sparse_pairs import relative_errors
from mtlbook_lib.data.sparse_tasks import SparseTeachers, sparse_teachers, sphere_inputs
from mtlbook_lib.simulation.diagonal import Weights, gradient_flow
from mtlbook_lib.statistics import relative_distance
from mtlbook_lib.theory.interpolation import min_l1, min_weighted_l2


class Setting(NamedTuple):
    """What one sets: factor and readout between the phases; width, imbalance and pathways of pretraining."""

    rescale: float
    gamma: float
    c: float = 2e-6
    imbalance: float = 0.0
    pathways: str = "exact"


REGIMES = {
    "I": Setting(0.003, 0.01),
    "II": Setting(10.0, 1e-3),
    "III": Setting(0.1, 3.0),
    "IV": Setting(0.1, 1e-3),
}
TASKS = {"few old": (6, 6), "many old": (40, 40), "few new": (6, 0)}  # features of the task, and how many are old
DIM, OLD, N_MAIN = 200, 40, 32
N_APART = 24  # examples from which the references differ
_NEW = 1e-8  # weight of a new feature in the third, where an old one has 1


def placed(aux: Array, settings: Sequence[Setting]) -> Weights:
    """Networks that were pretrained on `aux` (seed, D) of 0, 1 and −1, and reset as the settings say.

    Pretraining has one example for each feature, so that features do not meet: for each setting three networks of one
    input are trained, and their weights are copied to where their coefficient stands.
    """
    goals = np.array([0.0, 1.0, -1.0])
    c, imbalance = (np.repeat([getattr(one, name) for one in settings], 3) for name in ("c", "imbalance"))
    start, ends = unbalanced(c, imbalance, (1, len(c), 1)), np.tile(goals, len(settings))[None, :, None]
    end = gradient_flow(start, np.ones((1, 1)), ends, 1e-24).finished().weights
    place = aux.astype(int)  # −1 is the last of the three
    u_plus, u_minus = (
        np.moveaxis(part.reshape(len(settings), 3)[:, place], 0, 1) for part in (end.u_plus, end.u_minus)
    )
    plain = Weights(u_plus, u_minus, u_plus[:, :, None], u_minus[:, :, None])  # the readouts are thrown away
    layers = {name: treated(plain, name) for name in PATHWAYS}
    chosen = [[getattr(layers[one.pathways], part)[:, k] for k, one in enumerate(settings)]
              for part in ("u_plus", "u_minus")]  # fmt: skip
    first = replace(plain, u_plus=np.stack(chosen[0], axis=1), u_minus=np.stack(chosen[1], axis=1))
    factor, readout = (np.array([getattr(one, name) for one in settings]) for name in ("rescale", "gamma"))
    return first.rescaled(factor[:, None]).with_readout(readout[:, None, None])


def finetuned(teachers: SparseTeachers, x: Array, settings: Sequence[Setting]) -> tuple[Array, Array]:
    """Coefficients of finetuned networks, and those at which they started, (seed, setting, D)."""
    weights = placed(teachers.aux, settings)
    y = labels(x, teachers.main)
    fits = gradient_flow(weights, x, y, 1e-10).finished()
    return fits.beta[:, :, 0], weights.beta[:, :, 0]


def references(x: Array, y: Array, old: Array, starts: Array) -> dict[str, Array]:
    """Four interpolators of one problem, (start, D): what a network of a regime is expected to be like."""
    among, even = np.zeros(len(old)), np.ones(len(old))
    among[old] = min_l1(x[:, old], y)
    found = {
        "l1": min_l1(x, y),
        "l1 among old": among,
        "l2 on old": min_weighted_l2(x, y, np.where(old, 1.0, _NEW)),
        "l2 around the start": np.array([min_weighted_l2(x, y, even, start) for start in starts]),
    }
    return {name: np.broadcast_to(beta, starts.shape) for name, beta in found.items()}


@sized(n_seeds=(3, 80, 1000), cost="1 GB, 5 min on one core")
def distances(settings: Sequence[Setting], *, n_seeds: int) -> dict[str, Array]:
    """Relative distances of networks to the references, (setting, seed): 200 inputs, 6 of 40 old features, 24 examples.

    From so many examples the least l1 norm recovers 6 of 40 features, but not 6 of 200: with more, it would be the
    teacher both among old features and among all, and no distance could tell the two apart.
    """
    seeds = range(n_seeds)
    teachers, x = sparse_teachers(DIM, OLD, 6, 6, seeds), sphere_inputs(DIM, N_APART, seeds)
    betas, starts = finetuned(teachers, x, settings)
    cases = zip(x, teachers.main, teachers.aux, starts, strict=True)
    rows = [references(one, one @ main, aux != 0, some) for one, main, aux, some in cases]
    return {name: relative_distance(betas, np.array([row[name] for row in rows])).T for name in rows[0]}


@sized(n_seeds=(3, 40, 1000), cost="1 GB, 5 min on one core")
def errors(settings: Sequence[Setting], task: str, *, n_seeds: int) -> Array:
    """Squared errors of networks relative to predicting zero, (setting, seed)."""
    (k, shared), seeds = TASKS[task], range(n_seeds)
    teachers, x = sparse_teachers(DIM, OLD, k, shared, seeds), sphere_inputs(DIM, N_MAIN, seeds)
    betas, _ = finetuned(teachers, x, settings)
    return relative_errors(betas, teachers.main[:, None]).T


def balance(widths: Sequence[float], imbalances: Sequence[float], pathways: str = "exact", **sizes: int) -> Array:
    """Errors on few old features by width and imbalance of pretraining, (width, imbalance, seed); readout 0.001."""
    cases = [Setting(1.0, 1e-3, c, share, pathways) for c in widths for share in imbalances]
    found = errors(cases, "few old", **sizes)
    return np.asarray(found.reshape(len(widths), len(imbalances), -1))
