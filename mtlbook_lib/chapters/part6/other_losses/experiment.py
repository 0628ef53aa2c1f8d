"""Diagonal classifiers on the logistic loss: alone, after pretraining and together, and the largest margins."""

from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib._remembered import remembered
from mtlbook_lib.chapters.part6._diagonal import fresh, invariants
from mtlbook_lib.chapters.part6.other_losses import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.sparse_tasks import sparse_teachers, sphere_examples
from mtlbook_lib.simulation.diagonal import Weights, equal_pathways
from mtlbook_lib.simulation.diagonal_variants import fixed_steps, logistic_flow
from mtlbook_lib.statistics import relative_distance
from mtlbook_lib.theory.implicit_bias import printed_width
from mtlbook_lib.theory.interpolation import min_penalty
from mtlbook_lib.theory.training_paths import largest_margin, relative_margin

DIM, N, N_AUX, FEATURES = SETTINGS.dim, SETTINGS.n, SETTINGS.n_aux, SETTINGS.features
GAMMA, PRETRAINED = SETTINGS.gamma, SETTINGS.pretrained
MARKS = np.array(SETTINGS.marks)
SCALES = np.array(SETTINGS.scales)


@dataclass(frozen=True)
class Data:
    """Two tasks of each seed: inputs (seed, n, D), labels ±1 (seed, n), the main teacher (seed, D)."""

    seeds: range
    x: Array
    y: Array
    x_aux: Array
    y_aux: Array
    teacher: Array

    @property
    def signed(self) -> Array:
        """Inputs of the main task times their labels."""
        return np.asarray(self.x * self.y[..., None])

    @property
    def signed_aux(self) -> Array:
        """Those of the other task."""
        return np.asarray(self.x_aux * self.y_aux[..., None])


def data(overlap: int, n_seeds: int) -> Data:
    """Signs of two sparse teachers of 40 inputs, 20 examples of the main task and 60 of the other."""
    seeds = fresh(n_seeds)
    pair = sparse_teachers(DIM, FEATURES, FEATURES, overlap, seeds)
    (x, y), (x_aux, y_aux) = sphere_examples(pair.main, N, seeds), sphere_examples(pair.aux, N_AUX, seeds, "aux")
    return Data(seeds, x, np.sign(y), x_aux, np.sign(y_aux), pair.main)


@dataclass(frozen=True)
class Classifiers:
    """Networks "single", "finetune" and "multi" at each mark of minus the logarithm of the loss.

    `beta` (mark, seed, task, D), the main task first; `margin` over the largest one for the group norm of the
    network's tasks and `error` on the main task (mark, seed). `largest` are the classifiers of largest margin, of the
    main task alone ("single", "finetune") and of both ("multi"), (seed, task, D).
    """

    marks: Array
    beta: dict[str, Array]
    margin: dict[str, Array]
    error: dict[str, Array]
    largest: dict[str, Array]

    def direction(self, kind: str) -> Array:
        """Cosine of the network and the classifier of largest margin, (mark, seed)."""
        return cosine(*(b.reshape(*b.shape[:-2], -1) for b in (self.beta[kind], self.largest[kind])))

    @property
    def alike(self) -> Array:
        """Cosine of the finetuned network and the one that was trained on the main task alone, (mark, seed)."""
        return cosine(self.beta["single"][:, :, 0], self.beta["finetune"][:, :, 0])


@sized(n_seeds=SETTINGS.n_seeds, cost="4 GB, 15 min on one core")
def classifiers(alpha: float, overlap: int, *, n_seeds: int) -> Classifiers:
    """Train all three kinds from weights of `alpha`; pretraining ends at a loss of exp(−10)."""
    tasks = data(overlap, n_seeds)
    one, two = (equal_pathways(alpha, alpha, (n_seeds, 1, DIM), k) for k in (1, 2))
    main, both = (tasks.x, tasks.y), ([tasks.x, tasks.x_aux], [tasks.y, tasks.y_aux])
    runs = {
        "single": logistic_flow(one, *main, MARKS),
        "finetune": logistic_flow(_pretrained(tasks, alpha), *main, MARKS),
        "multi": logistic_flow(two, *both, MARKS),
    }
    beta = {kind: np.stack([w.beta[:, 0] for w in states]) for kind, states in runs.items()}
    alone, pairs = [[z] for z in tasks.signed], [list(p) for p in zip(tasks.signed, tasks.signed_aux, strict=True)]
    top_alone, top_pairs = _largest_margins(overlap, n_seeds)
    signed = {"single": alone, "finetune": alone, "multi": pairs}
    best = {"single": top_alone, "finetune": top_alone, "multi": top_pairs}
    margin = {kind: _margins(signed[kind], b, np.array([top for _, top in best[kind]])) for kind, b in beta.items()}
    error = {kind: np.arccos(cosine(b[:, :, 0], tasks.teacher)) / np.pi for kind, b in beta.items()}
    largest = {kind: np.array([b for b, _ in trained]) for kind, trained in best.items()}
    return Classifiers(MARKS, beta, margin, error, largest)


@remembered(4)
def _largest_margins(overlap: int, n_seeds: int) -> tuple[list[tuple[Array, float]], list[tuple[Array, float]]]:
    """Classifiers and largest margins of the main task alone and of both tasks: they know no start."""
    tasks = data(overlap, n_seeds)
    both = zip(tasks.signed, tasks.signed_aux, strict=True)
    return [largest_margin([z]) for z in tasks.signed], [largest_margin(list(pair)) for pair in both]


def _margins(signed: list[list[Array]], beta: Array, largest: Array) -> Array:
    """Margins (mark, seed) over the largest ones."""
    rows = [[relative_margin(z, b) for z, b in zip(signed, some, strict=True)] for some in beta]
    return np.array(rows) / largest


def _pretrained(tasks: Data, alpha: float) -> Weights:
    start = equal_pathways(alpha, alpha, (len(tasks.seeds), 1, DIM))
    return logistic_flow(start, tasks.x_aux, tasks.y_aux, [PRETRAINED])[0].with_readout(GAMMA)


@sized(n_seeds=SETTINGS.n_descents, cost="1 GB, 2 min on one core")
def descended(*, n_seeds: int) -> dict[str, Array]:
    """Distance of networks to the interpolators of their own outputs that have the least penalty.

    Plain gradient descent on the logistic loss from 0.1: "single" afresh, "finetune" after pretraining, both with width
    and start of the weights before the descent, "printed" after pretraining with the width of eq. 1; all (seed,).
    """
    tasks = data(2, n_seeds)
    starts = {"single": equal_pathways(0.1, 0.1, (n_seeds, 1, DIM)), "finetune": _pretrained(tasks, 0.1)}
    distances = {}
    for kind, start in starts.items():
        (end,) = fixed_steps(start, tasks.x, tasks.y, 0.5, [8000], loss="logistic")
        beta, outputs = end.coefficients(), end.predictions(tasks.x)
        distances[kind] = relative_distance(min_penalty(tasks.x, outputs, *invariants(start)), beta)
    aux = starts["finetune"].u_plus[:, 0] ** 2 - starts["finetune"].u_minus[:, 0] ** 2  # its layers were equal
    distances["printed"] = relative_distance(min_penalty(tasks.x, outputs, np.asarray(printed_width(aux, GAMMA))), beta)
    return distances


@sized(n_seeds=SETTINGS.n_starts, cost="2 GB, 5 min on one core")
def starts(*, n_seeds: int) -> Array:
    """Margin of single-task networks over the largest one at the last mark, for each of the starts, (start, seed)."""
    tasks = data(0, n_seeds)
    first = SCALES[None, :, None]
    start = equal_pathways(first, first[..., None], (n_seeds, len(SCALES), DIM))
    beta = logistic_flow(start, tasks.x, tasks.y, MARKS[-1:])[0].beta[:, :, 0]
    top = [largest_margin([z])[1] for z in tasks.signed]
    rows = zip(tasks.signed, beta, top, strict=True)
    return np.array([[relative_margin([z], b[None]) / best for b in some] for z, some, best in rows]).T


def cosine(a: Array, b: Array) -> Array:
    """Of vectors along the last axis."""
    return np.asarray((a * b).sum(axis=-1) / (np.linalg.norm(a, axis=-1) * np.linalg.norm(b, axis=-1)))
