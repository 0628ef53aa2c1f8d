"""Networks in the four regimes: which known interpolator they are nearest to, and what they learn from little."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.data.sparse_tasks import SparseTeachers, sparse_teachers, sphere_inputs
from mtlbook_lib.experiments.part6.finetuning_prior.networks import relative, treated, unbalanced
from mtlbook_lib.experiments.sizes import sized
from mtlbook_lib.simulation.diagonal import Weights, gradient_flow
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


def placed(aux: Array, setting: Setting) -> Weights:
    """Networks that were pretrained on `aux` (seed, D) of 0, 1 and −1, and reset.

    Pretraining has one example for each feature, so that features do not meet: three networks of one input are
    trained, and their weights are copied to where their coefficient stands.
    """
    goals = np.array([0.0, 1.0, -1.0])
    start = unbalanced(np.full(3, setting.c), setting.imbalance, (1, 3, 1))
    end = gradient_flow(start, [np.ones((1, 1, 1, 1))], [goals[None, :, None]], 1e-24).finished().weights
    changed = treated(end, setting.pathways).rescaled(setting.rescale).with_readout(setting.gamma)
    place = aux.astype(int)  # −1 is the last of the three

    def spread(part: Array) -> Array:
        return np.asarray(part.reshape(3)[place][:, None])

    parts = (changed.u_plus, changed.u_minus, changed.v_plus, changed.v_minus)
    u_plus, u_minus, v_plus, v_minus = map(spread, parts)
    return Weights(u_plus, u_minus, v_plus[:, :, None], v_minus[:, :, None])


def finetuned(teachers: SparseTeachers, x: Array, setting: Setting) -> tuple[Array, Array]:
    """Coefficients of finetuned networks, and those at which they started, (seed, D)."""
    weights = placed(teachers.aux, setting)
    y = (x @ teachers.main[..., None])[..., 0]
    fits = gradient_flow(weights, [x[:, None]], [y[:, None]], 1e-10).finished()
    return fits.beta[:, 0, 0], weights.beta[:, 0, 0]


def references(x: Array, y: Array, old: Array, start: Array) -> dict[str, Array]:
    """Four interpolators of one problem: what a network of a regime is expected to be like."""
    among = np.zeros(len(old))
    among[old] = min_l1(x[:, old], y)
    return {
        "l1": min_l1(x, y),
        "l1 among old": among,
        "l2 on old": min_weighted_l2(x, y, np.where(old, 1.0, _NEW)),
        "l2 around the start": min_weighted_l2(x, y, np.ones(len(start)), start),
    }


@sized(quick={"n_seeds": 4}, paper={"n_seeds": 80}, large={"n_seeds": 1000}, large_cost="1 GB, 5 min on one core")
def distances(setting: Setting, *, n_seeds: int) -> dict[str, Array]:
    """Relative distances of networks to the references, (seed,): 200 inputs, 40 old features, 6 of them, 24 examples.

    From so many examples the least l1 norm recovers 6 of 40 features, but not 6 of 200: with more, it would be the
    teacher both among old features and among all, and no distance could tell the two apart.
    """
    seeds = range(n_seeds)
    teachers, x = sparse_teachers(DIM, OLD, 6, 6, seeds), sphere_inputs(DIM, N_APART, seeds)
    beta, start = finetuned(teachers, x, setting)
    rows = [
        references(one, one @ main, aux != 0, begin)
        for one, main, aux, begin in zip(x, teachers.main, teachers.aux, start, strict=True)
    ]
    return {name: relative(beta, np.array([row[name] for row in rows])) for name in rows[0]}


@sized(quick={"n_seeds": 4}, paper={"n_seeds": 40}, large={"n_seeds": 1000}, large_cost="1 GB, 5 min on one core")
def errors(setting: Setting, task: str, *, n_seeds: int) -> Array:
    """Squared errors of networks relative to predicting zero, (seed,)."""
    (k, shared), seeds = TASKS[task], range(n_seeds)
    teachers, x = sparse_teachers(DIM, OLD, k, shared, seeds), sphere_inputs(DIM, N_MAIN, seeds)
    beta, _ = finetuned(teachers, x, setting)
    return np.asarray(((beta - teachers.main) ** 2).sum(axis=-1) / (teachers.main**2).sum(axis=-1))


@sized(quick={"n_seeds": 4}, paper={"n_seeds": 40}, large={"n_seeds": 1000}, large_cost="1 GB, 20 min on one core")
def balance(widths: Sequence[float], imbalances: Sequence[float], pathways: str = "exact", *, n_seeds: int) -> Array:
    """Errors on few old features by width and imbalance of pretraining, (width, imbalance, seed); readout 0.001."""
    cases = [[Setting(1.0, 1e-3, c, share, pathways) for share in imbalances] for c in widths]
    return np.array([[errors(case, "few old", n_seeds=n_seeds) for case in row] for row in cases])
