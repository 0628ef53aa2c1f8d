"""A source and a target that share one feature: two boundaries, the optimum and its certificate, and training.

The pairs of regression tasks have 100 inputs, models of cosine 0.96, and ten strong axes each, a hundred times as
strong as the others: the same axes for both tasks, or different ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from mtlbook_lib._checks import Array
from mtlbook_lib._random import normal
from mtlbook_lib.chapters.part5.one_shared_feature import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.gaussian_pairs import gaussian_task
from mtlbook_lib.data.linear_tasks import LinearTasks, TransferPair, regression_tasks, transfer_pairs
from mtlbook_lib.data.scores import rank_correlation
from mtlbook_lib.data.two_tasks.planar import planar_points
from mtlbook_lib.simulation.boundaries import AngleLosses, angle_losses
from mtlbook_lib.simulation.mixed_batches import train_on_mixed_batches
from mtlbook_lib.simulation.rank_one import alternating_directions, moments, rank_one_directions
from mtlbook_lib.simulation.sharing import train_shared
from mtlbook_lib.statistics import mean_and_error
from mtlbook_lib.theory.hard_sharing import rank_one_optimum

SOURCES = {"along": (0.3, 3.0), "across": (2.0, 0.5)}  # spread of the points across their boundary, and along it
N_TARGET, ANGLE, SLOPE = (
    SETTINGS.n_target,
    np.radians(13.0),
    SETTINGS.slope,
)  # angle between the two boundaries; slope of the logistic law


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


@sized(n_seeds=SETTINGS.n_seeds_plane, cost="2 GB, 5 min on one core")
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
        best = [target.best_angles(source) for source in fits]
        shared[name] = np.stack([_right(angle) for angle in best], axis=1)
        angles[name], kept[name] = best[-1], fits[-1]
    return Plane(tasks, _right(own), shared, angles, kept)


@sized(n_seeds=SETTINGS.n_seeds_gains_of_many_draws, cost="2 GB, 2 min on one core")
def gains_of_many_draws(size: int, *, n_seeds: int) -> dict[str, Array]:
    """Accuracy with each source of one size less that alone, (seed,), over as many draws as half a percent needs."""
    return {name: gain[:, 0] for name, gain in plane([size], n_seeds=n_seeds).gains().items()}


def _right(angles: Array) -> Array:
    return np.asarray(1 - np.abs((angles + np.pi) % (2 * np.pi) - np.pi) / np.pi)


N_EXAMPLES, N_SMALL, NOISE, N_STEPS = SETTINGS.n_examples, SETTINGS.n_small, SETTINGS.noise, SETTINGS.n_steps


@dataclass(frozen=True)
class Certified:
    """Pairs of tasks and the explained energy at the optimum, `value`.

    `reached`, (pair, start), is the energy where alternating least squares ends, `stayed` where it starts at the
    optimum; the others are (pair,).
    """

    tasks: LinearTasks
    value: Array
    reached: Array
    stayed: Array

    @property
    def shortfall(self) -> Array:
        """Relative to the optimum, how much the ends miss, (pair, start)."""
        return np.asarray(1 - self.reached / self.value[:, None])


@sized(n_pairs=SETTINGS.n_pairs_certified, n_starts=SETTINGS.n_starts_certified, cost="2 GB, 20 min on one core")
def certified(condition: float, *, n_pairs: int, n_starts: int) -> Certified:
    """Two noisy tasks whose covariances have the same eigenvalues in other axes."""
    tasks = regression_tasks(N_EXAMPLES, N_SMALL, (1.0, 1.0), condition, NOISE, range(n_pairs), covariances="rotated")
    pairs = [_pair(tasks, i) for i in range(n_pairs)]
    (x1, x2), (y1, y2) = tasks.inputs.swapaxes(0, 1), tasks.labels.swapaxes(0, 1)
    starts = normal((n_starts, N_SMALL), range(n_pairs), "one shared feature: starts")
    optima = [rank_one_optimum(*pair) for pair in pairs]
    starts = np.concatenate([starts, np.array([[direction] for direction, *_ in optima])], axis=1)
    _, reached = alternating_directions(*moments(x1, y1), *moments(x2, y2), starts, N_STEPS)
    return Certified(tasks, np.array([value for *_, value in optima]), reached[:, :-1], reached[:, -1])


@sized(n_pairs=SETTINGS.n_pairs_descent, n_starts=SETTINGS.n_starts_descent, cost="1 GB, 5 min on one core")
def descent(*, n_pairs: int, n_starts: int) -> tuple[Array, Array]:
    """Least loss that descent on direction and heads reaches, and what the certified optimum leaves, (pair,)."""
    tasks = regression_tasks(N_EXAMPLES, N_SMALL, (1.0, 1.0), 3.0, NOISE, range(n_pairs), covariances="rotated")
    fits = train_shared(tasks.inputs, tasks.labels, 1, range(n_starts), N_STEPS)
    best = np.array([rank_one_optimum(*_pair(tasks, i))[2] for i in range(n_pairs)])
    return np.asarray(fits.loss.min(axis=0)), np.asarray((tasks.labels**2).sum(axis=(1, 2)) - best)


def rescaled(run: Certified, factors: Sequence[float]) -> Array:
    """Certified energy with the second task's inputs multiplied by each factor, (pair, factor)."""
    losses = []
    for i in range(len(run.value)):
        xs, ys = _pair(run.tasks, i)
        losses.append([rank_one_optimum([xs[0], c * xs[1]], ys)[2] for c in factors])
    return np.array(losses)


def _pair(tasks: LinearTasks, index: int) -> tuple[list[Array], list[Array]]:
    return list(tasks.inputs[index]), list(tasks.labels[index])


N_INPUTS, COSINE, CONDITION = SETTINGS.n_inputs, SETTINGS.cosine, SETTINGS.condition
KINDS = ("same", "different")


@dataclass(frozen=True)
class Optimum:
    """The target's models at the optimum of one shared direction, (seed, noise, source size, d), and alone.

    `pair` has the models and covariances of the tasks.
    """

    pair: TransferPair
    shared: Array
    alone: Array

    def risks(self) -> tuple[Array, Array]:
        """Noise-free error on new target inputs, (seed, noise, source size) and (seed, noise)."""
        return self._energy(self.shared), self._energy(self.alone)

    def log_ratio(self) -> tuple[Array, Array]:
        """Logarithm of the risk shared over the risk alone: mean and standard error, (noise, source size)."""
        shared, alone = self.risks()
        return mean_and_error(np.log(shared / alone[..., None]))

    def rank_gain(self) -> Array:
        """Rank correlation of predictions and truth, shared less alone, (seed, noise, source size)."""
        return new_rank_correlation(self.pair, self.shared) - new_rank_correlation(self.pair, self.alone)[..., None]

    def source_misfit(self) -> Array:
        """Error on new target inputs of the best multiple of the source's model, (seed,)."""
        cov, (first, second) = self.pair.target_covariance, self.pair.models.swapaxes(0, 1)
        inner = [np.einsum("si,sij,sj->s", a, cov, b) for a, b in ((first, first), (first, second), (second, second))]
        return np.asarray(inner[2] - inner[1] ** 2 / inner[0])

    def _energy(self, models: Array) -> Array:
        errors = models - self.pair.models[:, 1].reshape(len(models), *[1] * (models.ndim - 2), -1)
        return np.asarray(np.einsum("s...i,sij,s...j->s...", errors, self.pair.target_covariance, errors))


@sized(n_seeds=SETTINGS.n_seeds_optimum, cost="16 GB, 20 min on one core")
def optimum(
    sources: Sequence[int], noises: Sequence[float], covariances: str, n_target: int = 120, *, n_seeds: int
) -> Optimum:
    """The optimum for every size of the source and every noise, the same in both tasks; models have unit norm."""
    # Of the examples least squares see the moments alone, which are drawn without them.
    pair = transfer_pairs(1, 1, N_INPUTS, COSINE, CONDITION, 0.0, range(n_seeds), covariances)
    s1, b1 = _moments("source", pair.source_covariance, pair.models[:, 0], sources, noises)
    s2, b2 = _moments("target", pair.target_covariance, pair.models[:, 1], [n_target], noises)
    # The energy is smooth in the logarithm of the heads' ratio: steps of 0.16 bracket its summits, as 0.04 do.
    _, shared = rank_one_directions(s1, b1, np.broadcast_to(s2, s1.shape), b2, 201).models
    return Optimum(pair, shared, np.asarray(np.linalg.solve(s2[:, 0, 0], b2[:, :, 0].mT).mT))


@sized(n_seeds=SETTINGS.n_seeds_ahead_of_other, cost="16 GB, 20 min on one core")
def ahead_of_other(sources: Sequence[int], noise: float, *, n_seeds: int) -> Array:
    """Logarithm of the risk with a source of another covariance over that with one of the same, (seed, source)."""
    same, other = (optimum(sources, [noise], kind, n_seeds=n_seeds).risks()[0][:, 0] for kind in KINDS)
    return np.asarray(np.log(other / same))


@sized(n_seeds=SETTINGS.n_seeds_without_noise, n_target=SETTINGS.n_target_experiment, cost="16 GB, 20 min on one core")
def without_noise(sources: Sequence[int], covariances: str, *, n_seeds: int, n_target: int) -> Optimum:
    """The optimum of clean tasks with many target examples."""
    return optimum(sources, [0.0], covariances, n_target, n_seeds=n_seeds)


def _moments(
    role: str, covariances: Array, models: Array, sizes: Sequence[int], noises: Sequence[float]
) -> tuple[Array, Array]:
    """Of so many examples: inputs with inputs, the same for each noise, (seed, 1, size, d, d), and inputs with labels,
    (seed, noise, size, d)."""
    laws = enumerate(zip(covariances, models, strict=True))
    tasks = [[gaussian_task(n, *law, 1.0, [seed], role, n) for n in sizes] for seed, law in laws]
    grams, products = (np.array([[getattr(one, name)[0] for one in row] for row in tasks])
                       for name in ("gram", "products"))  # fmt: skip
    clean = (grams @ models[:, None, :, None])[..., 0]
    levels = np.asarray(noises, dtype=float)[:, None, None]
    return grams[:, None], clean[:, None] + levels * (products - clean)[:, None]


def new_rank_correlation(pair: TransferPair, models: Array) -> Array:
    """Rank correlation of models (seed, ..., d) and truth on new inputs of the target's law, (seed, ...)."""
    rows = np.random.default_rng(0).standard_normal((SETTINGS.n_new, models.shape[-1]))
    parts = zip(models, pair.models[:, 1], rows @ np.linalg.cholesky(pair.target_covariance).mT, strict=True)
    return np.array([rank_correlation(model @ new.T, new @ truth) for model, truth, new in parts])


_SINGLE = torch.float32  # half the time of double precision; what it moves is far below the scatter over seeds
_GROUP = 32  # seeds trained side by side; each group has an order of the batches of its own


@sized(n_seeds=SETTINGS.n_seeds_trained, cost="8 GB, 20 min on one core")
def trained(
    sources: Sequence[int], covariances: str, n_epochs: int = 30, n_target: int = 100, size: float = 10.0,
    rate: float = 1e-3, rotated: bool = True, *, n_seeds: int,
) -> tuple[Array, Array]:  # fmt: skip
    """Rank correlation of the target's predictions with the truth, without noise: shared (seed, source), alone (seed,).

    The settings of the paper's App. B.3, with Adam. `size` is the norm of the models. Strong axes that are not
    `rotated` are single inputs, as in the printed X = R Q D. The source may also be of "zeros", inputs and labels.
    """
    settings = n_epochs, n_target, size, rate, rotated
    groups = [range(first, min(first + _GROUP, n_seeds)) for first in range(0, n_seeds, _GROUP)]
    parts = [_group(sources, covariances, seeds, *settings) for seeds in groups]
    return np.concatenate([shared for shared, _ in parts]), np.concatenate([alone for _, alone in parts])


@sized(n_seeds=SETTINGS.n_seeds_after_longer_training, cost="8 GB, 20 min on one core")
def after_longer_training(epochs: Sequence[int], covariances: str, *, n_seeds: int) -> list[Array]:
    """Gain in rank correlation by 500 source examples, (seed,), for each number of epochs."""
    runs = [trained([500], covariances, n_epochs=int(n), n_seeds=n_seeds) for n in epochs]
    return [shared[:, 0] - alone for shared, alone in runs]


@sized(n_seeds=SETTINGS.n_seeds_slight_help, cost="8 GB, 20 min on one core")
def slight_help(*, n_seeds: int) -> tuple[Array, Array]:
    """``trained`` with 500 source examples of another covariance, over as many seeds as so small a gain needs."""
    return trained([500], "different", n_seeds=n_seeds)


@sized(n_seeds=SETTINGS.n_seeds_large_source, cost="8 GB, 10 min on one core")
def large_source(n_source: int, *, n_seeds: int) -> Array:
    """Gain in rank correlation by a large source of another covariance, (seed,)."""
    shared, alone = trained([n_source], "different", n_seeds=n_seeds)
    return np.asarray(shared[:, 0] - alone)


def _group(
    sources: Sequence[int], kind: str, seeds: range, n_epochs: int, n_target: int, size: float, rate: float,
    rotated: bool,
) -> tuple[Array, Array]:  # fmt: skip
    law, seen = ("same", 0.0) if kind == "zeros" else (kind, 1.0)
    pair = transfer_pairs(max(sources), n_target, N_INPUTS, COSINE, CONDITION, 0.0, seeds, law, rotated=rotated)
    target = pair.target_inputs, size * pair.target_labels
    alone = train_on_mixed_batches([target[0]], [target[1]], seeds, n_epochs, rate, dtype=_SINGLE).models[:, 0]
    shared = []
    for m in sources:
        x, y = pair.source(m)
        xs, ys = [seen * x, target[0]], [seen * size * y, target[1]]
        shared.append(train_on_mixed_batches(xs, ys, seeds, n_epochs, rate, dtype=_SINGLE).models[:, 1])
    return new_rank_correlation(pair, np.stack(shared, axis=1)), new_rank_correlation(pair, alone)
