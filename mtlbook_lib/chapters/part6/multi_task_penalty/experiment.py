"""What multi-task networks minimise: least weights, what their flow conserves, where it ends, and Fig. 2c."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib._random import normal
from mtlbook_lib.chapters import stored_results
from mtlbook_lib.chapters.part6._diagonal import conserved, invariants
from mtlbook_lib.chapters.part6.multi_task_penalty import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.chapters.sparse_pairs import (
    ALPHA,
    DIM,
    GAMMA,
    K_AUX,
    N_AUX,
    pretrained,
    relative_errors,
    trained_on,
    trained_on_both,
)
from mtlbook_lib.chapters.stored_results import spot_check, sweep_to_lists
from mtlbook_lib.chapters.sweep import combinations
from mtlbook_lib.data.sparse_tasks import SparseTeachers, sparse_teachers, sphere_examples, sphere_inputs
from mtlbook_lib.simulation.diagonal import (
    Fits,
    Weights,
    equal_pathways,
    gradient_flow,
    sampled_flow,
    shrunk,
    start_from,
)
from mtlbook_lib.statistics import relative_distance
from mtlbook_lib.theory.implicit_bias import group_norm, penalty_terms, printed_penalty
from mtlbook_lib.theory.interpolation import min_group_norm, min_group_norm_given, min_l1

ALPHAS = np.array(SETTINGS.alphas)
_START_ACCURACY = 1e-2


@dataclass(frozen=True)
class Starts:
    """Networks from the starts `ALPHAS`, (seed, start).

    `distance` of the coefficients to those of least group norm, and `excess` of their norm, are relative; `balance` is
    the sum of squared weights over the group norm, less 1; `error` the squared one of the main coefficients over that
    of zero. The least group norm itself `misses` the teachers by so much of their length, (seed,). `share` is the
    weight of the lesser pathway over that of both, (seed, start, D), NaN for coefficients below 0.05. `moved`: relative
    distance to networks whose second task weighs ten times as much. `loss` is the largest.
    """

    misses: Array
    distance: Array
    excess: Array
    balance: Array
    error: Array
    share: Array
    moved: Array
    loss: float

    @property
    def recovers(self) -> Array:
        """Whether the least group norm finds the teachers, (seed,)."""
        return np.asarray(self.misses < 1e-6)


@sized(n_seeds=SETTINGS.n_starts, cost="2 GB, 5 min on one core")
def starts(n_features: int, readout: float = 1.0, *, n_seeds: int) -> Starts:
    """Two tasks with the same features; `readout` is that at the start over the first layer."""
    xs, ys, truth = tasks(n_features, range(n_seeds))
    best = min_group_norm(xs, ys)
    fits = _trained(xs, ys, (1.0, 1.0), readout)
    beta, size = fits.beta, np.sqrt((best**2).sum(axis=(1, 2)))[:, None]
    norms, least = group_norm(beta), np.asarray(group_norm(best))[:, None]
    faster = _trained(xs, ys, (1.0, 10.0), readout).beta
    return Starts(
        _norm(best - truth) / _norm(truth),
        _norm(beta - best[:, None]) / size,
        norms / least - 1,
        fits.weights.squared_norm / norms - 1,
        relative_errors(beta[:, :, 1], truth[:, None, 1]),
        _shares(fits.weights),
        _norm(faster - beta) / _norm(beta),
        float(fits.loss.max()),
    )


@sized(n_seeds=SETTINGS.n_alone, cost="1 GB, 2 min on one core")
def alone(n_features: int, *, n_seeds: int) -> dict[str, Array]:
    """The second task alone, (seed, start): relative distance to the least l1 norm ("distance"), and to the same
    network when half of the examples weigh ten times as much ("moved").
    """
    xs, ys, _ = tasks(n_features, range(n_seeds))
    x, y = xs[1], ys[1]
    best = min_l1(x, y)
    weights = np.where(np.arange(len(y[0])) % 2, 1.0, np.sqrt(10.0))
    plain, other = (_trained([x * w[:, None]], [y * w], (1.0,), 1.0).beta[:, :, 0] for w in (1 + 0 * weights, weights))
    return {"distance": relative_distance(plain, best[:, None]), "moved": relative_distance(other, plain)}


def slope(values: Array, places: slice) -> Array:
    """Slope of the logarithm of values (seed, start) against that of the start, for each seed."""
    return np.asarray(np.polyfit(np.log(ALPHAS[places]), np.log(values[:, places]).T, 1)[0])


def certificate(x: Sequence[Array], y: Sequence[Array], betas: Array) -> tuple[float, float]:
    """Proof that coefficients (task, D) have the least group norm, from multipliers that fit on their support.

    Returns the largest norm of a combination of the inputs, which is at most 1 for a proof, and the relative
    difference between norm and lower bound.
    """
    norms = np.linalg.norm(betas, axis=0)
    used = norms > 1e-9 * norms.max()
    multipliers = [np.linalg.lstsq(rows[:, used].T, (beta / np.where(used, norms, 1.0))[used], rcond=None)[0]
                   for rows, beta in zip(x, betas, strict=True)]  # fmt: skip
    steepest = np.linalg.norm([nu @ rows for nu, rows in zip(multipliers, x, strict=True)], axis=0).max()
    bound = sum(float(nu @ labels) for nu, labels in zip(multipliers, y, strict=True)) / max(1.0, steepest)
    return float(steepest), 1 - bound / float(norms.sum())


def tasks(n_features: int, seeds: range) -> tuple[list[Array], list[Array], Array]:
    """Inputs (seed, n, D) and labels (seed, n) of both tasks, and their teachers (seed, task, D)."""
    teachers = sparse_teachers(SETTINGS.small_dim, n_features, n_features, n_features, seeds)
    truth = np.stack([teachers.aux, teachers.main], axis=1)
    n_aux, n_main = SETTINGS.examples
    (x_aux, y_aux), (x, y) = (sphere_examples(teachers.aux, n_aux, seeds, "aux"),
                              sphere_examples(teachers.main, n_main, seeds))  # fmt: skip
    return [x_aux, x], [y_aux, y], truth


def _trained(xs: Sequence[Array], ys: Sequence[Array], weights: Sequence[float], readout: float) -> Fits:
    """Networks from every start, the loss of each task multiplied by its weight; which sets its speed."""
    scales = np.sqrt(weights)
    start = _start(readout, len(xs[0]), len(xs))
    inputs, labels = ([scale * part for scale, part in zip(scales, parts, strict=True)] for parts in (xs, ys))
    return gradient_flow(start, inputs, labels, tolerance=SETTINGS.start_loss, accuracy=_START_ACCURACY).finished()


def _start(readout: float, n_seeds: int, n_tasks: int) -> Weights:
    first = ALPHAS[None, :, None]
    return equal_pathways(first, readout * first[..., None], (n_seeds, len(ALPHAS), SETTINGS.small_dim), n_tasks)


def _shares(weights: Weights) -> Array:
    energy = np.stack([weights.u_plus**2 + (weights.v_plus**2).sum(axis=2),
                       weights.u_minus**2 + (weights.v_minus**2).sum(axis=2)])  # fmt: skip
    active = np.linalg.norm(weights.beta, axis=2) > 0.05
    return np.where(active, energy.min(axis=0) / energy.sum(axis=0), np.nan)


def _norm(betas: Array) -> Array:
    return np.asarray(np.sqrt((betas**2).sum(axis=(-2, -1))))


# Inputs and label of the one example of each task, and how much the tasks weigh in three trainings.
PLANE = ((np.array([[1.0, 0.7]]), np.array([1.0])), (np.array([[0.7, 1.0]]), np.array([0.6])))
WEIGHTS = {"1 : 1": (1.0, 1.0), "10 : 1": (10.0, 1.0), "1 : 10": (1.0, 10.0)}


def random_start(n_tasks: int, dim: int, n_seeds: int, scale: float = 0.3) -> Weights:
    """Independent weights in both pathways; one setting."""
    layers = scale * normal((2, 1 + n_tasks, dim), range(n_seeds), "multi-task start")[:, None]
    return start_from(layers[:, :, 0, 0], layers[:, :, 1, 0], layers[:, :, 0, 1:], layers[:, :, 1, 1:])


def conserved_course(n_seeds: int = 5) -> tuple[Array, Array]:
    """Runge-Kutta on the weights of some inputs and tasks, at times 0, 1, 5 and 20.

    Returns the conserved quantities (time, 3, seed, 1, D) and the loss (seed, 1, time).
    """
    dim, seeds, sizes = SETTINGS.course_dim, range(n_seeds), SETTINGS.course_examples
    n_tasks = len(sizes)
    xs = [sphere_inputs(dim, 2 * n, seeds)[:, None, n:] for n in sizes]
    ys = [normal((n,), seeds, f"multi-task course: labels {n}")[:, None] for n in sizes]
    states, loss = sampled_flow(
        random_start(n_tasks, dim, n_seeds), xs, ys, [0.0, 1.0, 5.0, 20.0], SETTINGS.course_error
    )
    return np.stack([conserved(state) for state in states]), loss


def in_turn(alpha: float, first: float, seconds: Array) -> Array:
    """Networks of one input that one task pulls at unit strength for a time, then the other: coefficients.

    The first task pulls for the time `first`, the second for those of `seconds` (> 0, increasing). From a first layer
    of alpha and readouts of zero; (order, time, task), the orders being first-second and second-first.
    """
    start, rtol = equal_pathways(alpha, 0.0, (1, 1, 1), n_tasks=2), SETTINGS.course_error
    ahead = sampled_flow(start, *_pulled(0), [first], rtol=rtol)[0][0]
    one = [state.beta[0, 0, :, 0] for state in sampled_flow(ahead, *_pulled(1), seconds, rtol=rtol)[0]]
    behind = sampled_flow(start, *_pulled(1), seconds, rtol=rtol)[0]
    parts = [np.concatenate([getattr(state, part) for state in behind], axis=1)
             for part in ("u_plus", "u_minus", "v_plus", "v_minus")]  # fmt: skip
    other = sampled_flow(start_from(*parts), *_pulled(0), [first], rtol=rtol)[0][0]
    return np.stack([np.array(one), other.beta[0, :, :, 0]])


def _pulled(task: int) -> tuple[list[Array], list[Array]]:
    """An example of each task; the given one pulls at unit strength whatever the coefficient, the other not at all."""
    tiny = 1e-7
    own, idle = np.full((1, 1, 1, 1), tiny), np.zeros((1, 1, 1, 1))
    label, none = np.full((1, 1, 1), 0.5 / tiny), np.zeros((1, 1, 1))
    return ([own, idle], [label, none]) if task == 0 else ([idle, own], [none, label])


@sized(n_seeds=SETTINGS.n_least, cost="100 MB, 5 min on one core")
def least_weights(start: str, *, n_seeds: int) -> tuple[Array, Array]:
    """Squared norm of least weights over the group norm, and the second pathway's share of the squares, (seed, D).

    They are searched for at given coefficients of 2 tasks, from random weights.
    `start` is "both", random weights in both pathways, or "one", an empty second pathway.
    """
    weights = random_start(2, 4, n_seeds, scale=1.0)
    if start == "one":
        zero = np.zeros_like
        weights = start_from(weights.u_plus, zero(weights.u_minus), weights.v_plus, zero(weights.v_minus))
    least = shrunk(weights)
    plus, minus = (u**2 + (v**2).sum(axis=2) for u, v in ((least.u_plus, least.v_plus), (least.u_minus, least.v_minus)))
    norms = group_norm(np.moveaxis(weights.beta[:, 0, :, :, None], 2, 1))  # each input by itself
    return (plus + minus)[:, 0] / norms, (minus / (plus + minus))[:, 0]


@dataclass(frozen=True)
class Plane:
    """Networks of two inputs and tasks of one example, from each start.

    `ends` goes from the weights of the tasks to the second coefficient of each task (start, 2), `best` has those of
    least group norm, and `norm` (main, auxiliary) the group norm over its least value, on `axis` twice.
    """

    ends: dict[str, Array]
    best: Array
    axis: Array
    norm: Array


def plane(alphas: Array) -> Plane:
    """The networks, and the norm around them: the data leave each task one number to choose."""
    start = equal_pathways(alphas[None, :, None], alphas[None, :, None, None], (1, len(alphas), 2), n_tasks=2)
    ends = {}
    for name, weights in WEIGHTS.items():
        xs = [np.sqrt(w) * x for w, (x, _) in zip(weights, PLANE, strict=True)]
        ys = [np.sqrt(w) * y for w, (_, y) in zip(weights, PLANE, strict=True)]
        ends[name] = gradient_flow(start, xs, ys, tolerance=1e-12, accuracy=1e-3).finished().beta[0, :, :, 1]
    best = min_group_norm([x for x, _ in PLANE], [y for _, y in PLANE])
    axis = np.linspace(-0.15, 1.55, 120)
    second = np.stack(np.meshgrid(axis, axis), axis=-1)  # (main, auxiliary, task)
    first = np.stack([(y[0] - x[0, 1] * second[..., task]) / x[0, 0] for task, (x, y) in enumerate(PLANE)], axis=-1)
    norm = 2 * (np.linalg.norm(first, axis=-1) + np.linalg.norm(second, axis=-1))
    return Plane(ends, best[:, 1], axis, norm / group_norm(best))


FILE = "part6/multi_task_penalty/multi-task-penalty.json"
SIZES, OVERLAPS, SEEDS = SETTINGS.sizes, SETTINGS.overlaps, SETTINGS.n_seeds
KINDS = ("multi-task", "finetuned", "alone")
DIGITS = 17  # all of them
_ACCURACY = 0.05  # the coefficients are right to about a thousandth
MEASURES = ("distance", "excess", "balance", "error", "least error", "loss")


@sized(file=FILE, minutes=10)
def compute_stored(folder: Path) -> dict[str, Any]:
    """Train all networks, or what a former call left undone: ten minutes on one core."""
    both = sweep_to_lists(joint_cells, combinations(overlap=OVERLAPS, seed=range(SEEDS)), folder, DIGITS)
    norms = sweep_to_lists(norm_cells, combinations(seed=range(SEEDS)), folder, DIGITS)
    shape = len(OVERLAPS), SEEDS, len(SIZES)
    joint = {name: np.reshape(cells, shape).tolist() for name, cells in both.items()}
    return {"sizes": SIZES, "overlaps": OVERLAPS, "joint": joint, "norms": norms}


def read() -> tuple[dict[str, Array], dict[str, Array]]:
    """Stored multi-task networks (overlap, seed, size), and the norms of Fig. 2c (seed, size)."""
    return stored_results.read(FILE, "joint"), stored_results.read(FILE, "norms")


@spot_check(FILE, 0.029, relative=True, place=range(len(OVERLAPS)), seed=range(SEEDS), size=range(len(SIZES)))
@sized(finer=(2, 5, 10), cost="1 GB, 10 s on one core")
def recomputed(place: int, seed: int, size: int, *, finer: int) -> tuple[Array, Array]:
    """Distance and error of one network, trained with finer steps: the stored one has the accuracy of its training."""
    now = joint_cells(seed, OVERLAPS[place], SIZES[size : size + 1], accuracy=_ACCURACY / finer)
    names = ("distance", "error")
    return np.array([now[name][0] for name in names]), np.array([read()[0][name][place, seed, size] for name in names])


def joint_cells(seed: int, overlap: int, sizes: Any = SIZES, dim: int = DIM, accuracy: float = _ACCURACY) -> Any:
    """Multi-task networks of one pair of teachers, each (size,), against the least group norm.

    Distance and excess are relative; `balance` is the sum of squared weights over the group norm, less 1.
    """
    rows: list[list[float]] = []
    for n in sizes:
        fits = joint(seed, overlap, n, dim, accuracy)
        teachers, x = _task(seed, overlap, n, dim)
        beta, best = fits.beta[0, 0], min_group_norm_given(x, x @ teachers.main[0], teachers.aux[0])
        norm, truth = float(group_norm(beta)), teachers.main[0]
        rows.append([
            float(relative_distance(beta[1], best)),
            norm / float(group_norm([teachers.aux[0], best])) - 1,
            float(fits.weights.squared_norm[0, 0]) / norm - 1,
            *(float(relative_errors(b, truth)) for b in (beta[1], best)),
            float(fits.loss[0, 0]),
        ])  # fmt: skip
    return {name: np.array(column) for name, column in zip(MEASURES, np.transpose(rows), strict=True)}


def joint(seed: int, overlap: int, n_examples: int, dim: int = DIM, accuracy: float = _ACCURACY) -> Fits:
    """One network trained on both tasks at once from weights of 0.001."""
    teachers, x = _task(seed, overlap, n_examples, dim)
    first = sphere_inputs(dim, N_AUX, [seed], "aux")[0]
    return trained_on_both(first, teachers.aux[0], x, teachers.main, accuracy)


def norm_cells(seed: int, sizes: Any = SIZES, dim: int = DIM) -> dict[str, Array]:
    """Fig. 2c: norms over those of the teachers, for networks of three kinds whose tasks have the same features.

    The auxiliary coefficients of a finetuned network, and of one that learns the main task alone, are those after
    pretraining; width and start of the finetuning penalty are always those of the pretrained network.
    """
    teachers = sparse_teachers(dim, K_AUX, K_AUX, K_AUX, [seed])
    before, small = pretrained(seed, teachers.aux[0], N_AUX), equal_pathways(ALPHA, ALPHA, (1, 1, dim))
    weights, known, rows = before.weights.with_readout(GAMMA), before.beta[0, 0, 0], []
    for n in sizes:
        x = _task(seed, K_AUX, n, dim)[1]
        tuned, alone = (trained_on(begin, x, teachers.main).beta[0, 0, 0] for begin in (weights, small))
        pairs = [*joint(seed, K_AUX, n, dim).beta[0, 0]], [known, tuned], [known, alone]
        rows.append([_norms(pair, [teachers.aux[0], teachers.main[0]], weights, known) for pair in pairs])
    values = np.array(rows)
    names = ("group", "exact", "printed")
    norms = {f"{kind} {name}": values[:, i, j] for i, kind in enumerate(KINDS) for j, name in enumerate(names)}
    return {**norms, "pretraining loss": np.array(before.loss[0])}


def _norms(pair: Any, truth: list[Array], weights: Weights, known: Array) -> list[float]:
    """Group norm, and finetuning penalty, exact and printed, over those of the teachers."""
    kappa, start = (part[0] for part in invariants(weights))
    exact, printed = np.transpose([
        [float(np.sum(penalty_terms(beta, kappa, start))), float(printed_penalty(beta, known, GAMMA))]
        for beta in (pair[1], truth[1])
    ])  # fmt: skip
    return [float(group_norm(pair) / group_norm(truth)), exact[0] / exact[1], printed[0] / printed[1]]


def _task(seed: int, overlap: int, n_examples: int, dim: int) -> tuple[SparseTeachers, Array]:
    """Teachers, and inputs (n, D) of the main task."""
    return sparse_teachers(dim, K_AUX, K_AUX, overlap, [seed]), sphere_inputs(dim, n_examples, [seed])[0]
