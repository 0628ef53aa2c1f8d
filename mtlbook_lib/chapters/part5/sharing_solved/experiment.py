"""Hard sharing with linear layers: trained from random starts, in closed form, and on the ten digit tasks."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import Array
from mtlbook_lib._random import own_seeds, stream
from mtlbook_lib.chapters.part5._same_inputs import in_label_space
from mtlbook_lib.chapters.part5.sharing_solved import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.linear_tasks import LinearTasks, regression_tasks
from mtlbook_lib.data.real import digits, standardiser
from mtlbook_lib.data.scores import area_under_curve
from mtlbook_lib.simulation.sharing import SharedFits, train_shared
from mtlbook_lib.statistics import mean_and_error
from mtlbook_lib.theory.hard_sharing import greedy_energies, shared_models, shared_solution, single_task_solution

WEIGHTS, SCALES = SETTINGS.weights, SETTINGS.scales
N_EXAMPLES, N_INPUTS, CONDITION, NOISE = SETTINGS.n_examples, SETTINGS.n_inputs, SETTINGS.condition, SETTINGS.noise
N_NOISY, N_TRAIN, RIDGE = SETTINGS.n_noisy, SETTINGS.n_train, SETTINGS.ridge


@dataclass(frozen=True)
class Trained:
    """Weighted tasks, what training reached from every start, and the weighted loss of the tasks alone."""

    tasks: LinearTasks
    fits: SharedFits
    alone: Array

    @property
    def best(self) -> Array:
        """Least loss over starts, (problem,)."""
        return np.asarray(self.fits.loss.min(axis=0))

    def problem(self, index: int) -> tuple[list[Array], list[Array]]:
        """Inputs and labels of all tasks of one problem."""
        return list(self.tasks.inputs[index]), list(self.tasks.labels[index])


from_many_starts = sized(
    n_problems=SETTINGS.n_problems_from_many_starts,
    n_starts=SETTINGS.n_starts_from_many_starts,
    n_steps=SETTINGS.n_steps_from_many_starts,
    cost="2 GB, 10 min on one GPU",
)


@from_many_starts
def trained(capacity: int, covariances: str = "equal", *, n_problems: int, n_starts: int, n_steps: int) -> Trained:
    """Four weighted tasks with noise, trained from random starts at one capacity; "shared": of the same inputs."""
    scales = (1.0,) * len(WEIGHTS) if covariances == "shared" else SCALES
    tasks = regression_tasks(N_EXAMPLES, N_INPUTS, scales, CONDITION, 1.0, range(n_problems), covariances=covariances)
    fits = train_shared(tasks.inputs, tasks.labels, capacity, range(n_starts), n_steps, WEIGHTS)
    return Trained(tasks, fits, alone(tasks))


@sized(
    n_problems=SETTINGS.n_problems_trained_longer,
    n_starts=SETTINGS.n_starts_trained_longer,
    n_steps=SETTINGS.n_steps_trained_longer,
    cost="2 GB, 40 min on one GPU",
)
def trained_longer(capacity: int, *, n_problems: int, n_starts: int, n_steps: int) -> Trained:
    """``trained`` for four times as long: the slowest of 800 starts takes between 8000 and 12,000 steps."""
    return trained(capacity, n_problems=n_problems, n_starts=n_starts, n_steps=n_steps)


@from_many_starts
@own_seeds()
def in_other_axes(*, n_problems: int, n_starts: int, n_steps: int) -> Trained:
    """``trained`` with covariances in different axes, at capacity 2: the problems of which some have a second valley.

    That descent can end there is shown by an example. Hence the draws are always the same.
    """
    return trained(2, "rotated", n_problems=n_problems, n_starts=n_starts, n_steps=n_steps)


def alone(tasks: LinearTasks, weights: Sequence[float] = WEIGHTS) -> Array:
    """Weighted sum of the least losses of the tasks alone, (problem,)."""
    models = single_task_solution(tasks.inputs, tasks.labels)
    errors = (tasks.inputs @ models[..., None])[..., 0] - tasks.labels
    return np.asarray((errors**2).sum(axis=-1) @ np.asarray(weights))


def solutions(run: Trained, capacity: int) -> list[tuple[Array, list[Array], float]]:
    """Closed-form layer, heads and loss of every problem."""
    return [shared_solution(*run.problem(i), capacity, WEIGHTS) for i in range(len(run.alone))]


def unit_vector_tasks() -> tuple[Array, Array]:
    """Least trained loss of four tasks with inputs I and labels e_i, and what is expected, at capacities 1 to 3."""
    inputs, labels = np.broadcast_to(np.eye(5), (1, 4, 5, 5)), np.eye(5)[None, :4]
    losses = [train_shared(inputs, labels, r, range(5), 1000).loss.min() for r in (1, 2, 3)]
    return np.array(losses), np.array([3.0, 2.0, 1.0])


@sized(
    n_problems=SETTINGS.n_problems_reweighted,
    n_trained=SETTINGS.n_trained,
    n_steps=SETTINGS.n_steps_reweighted,
    cost="1 GB, 10 min on one core",
)
def reweighted(
    weights: Array, condition: float, *, n_problems: int, n_trained: int, n_steps: int
) -> tuple[Array, Array]:
    r"""Cosine of the shared direction and the clean model against the weight of the clean task.

    Two tasks have the same inputs and model; the second has noise of standard deviation 5. The sign of the direction
    is such that its features agree with the clean labels. Closed form (problem, weight), and trained for the first
    problems, which takes long for ill-conditioned inputs: at condition numbers up to 3 only.
    """
    tasks = regression_tasks(20, N_INPUTS, (1.0, 1.0), condition, NOISE, range(n_problems), covariances="shared")
    x, theta = tasks.inputs, tasks.models[:, 0]
    clean = (x[:, 0] @ theta[..., None])[..., 0]
    noise = tasks.labels[:, 1] - (x[:, 1] @ tasks.models[:, 1, :, None])[..., 0]
    labels = np.stack([clean, clean + noise], axis=1)
    exact = np.array([[shared_solution(list(a), list(b), 1, (float(w), 1.0))[0][:, 0] for w in weights]
                      for a, b in zip(x, labels, strict=True)])  # fmt: skip
    few = n_trained if condition <= 3 else 0
    models = np.empty((few, len(weights), N_INPUTS))
    if few:
        # A weight in front of a sum of squares is its root in front of inputs and labels.
        roots = np.stack([np.sqrt(weights), np.ones(len(weights))], axis=1)
        inputs = (roots[..., None, None] * x[:few, None]).reshape(-1, *x.shape[1:])
        targets = (roots[..., None] * labels[:few, None]).reshape(-1, *labels.shape[1:])
        models = train_shared(inputs, targets, 1, [0], n_steps).shared.reshape(models.shape)
    return _cosines(exact, x[:, 0], theta), _cosines(models, x[:few, 0], theta[:few])


def _cosines(directions: Array, inputs: Array, theta: Array) -> Array:
    covariance = inputs.swapaxes(-1, -2) @ inputs
    sign = np.sign((directions @ (covariance @ theta[..., None]))[..., 0])
    return np.asarray(sign * (directions @ theta[..., None])[..., 0] / np.linalg.norm(directions, axis=-1))


@dataclass(frozen=True)
class Greedy:
    """Greedy energies (problem, d), trained losses (problem, capacity) and losses alone (problem,), two tasks."""

    energies: Array
    trained: Array
    alone: Array
    explained: Array

    @property
    def tails(self) -> Array:
        """Energy of the directions beyond each capacity, (problem, capacity)."""
        return np.asarray(self.energies.sum(axis=1, keepdims=True) - np.cumsum(self.energies, axis=1))


@sized(
    n_problems=SETTINGS.n_problems_greedy,
    n_starts=SETTINGS.n_starts_greedy,
    n_steps=SETTINGS.n_steps_greedy,
    cost="2 GB, 20 min on one GPU",
)
def greedy(*, n_problems: int, n_starts: int, n_steps: int) -> Greedy:
    """Two tasks with covariances in different axes, four inputs: the greedy directions against training."""
    tasks = regression_tasks(10, 4, (1.0, 1.5), CONDITION, 1.0, range(100, 100 + n_problems), covariances="rotated")
    pairs = list(zip(tasks.inputs, tasks.labels, strict=True))
    fits = [train_shared(tasks.inputs, tasks.labels, r, range(n_starts), n_steps) for r in (1, 2, 3, 4)]
    own = alone(tasks, (1.0, 1.0))
    return Greedy(
        np.stack([greedy_energies(list(x), list(y)) for x, y in pairs]),
        np.stack([fit.loss.min(axis=0) for fit in fits], axis=1),
        own,
        np.asarray((tasks.labels**2).sum(axis=(1, 2)) - own),
    )


@dataclass(frozen=True)
class Capacity:
    """Areas under the curve on held-out images, (split, capacity, digit), and which tasks were noisy, (split, digit).

    The last capacity, ten, is that of the tasks alone.
    """

    areas: Array
    noisy: NDArray[np.bool_]

    def gain(self, which: str = "all") -> tuple[Array, Array]:
        """Mean over tasks less that of the tasks alone, with a paired standard error over splits, (capacity,)."""
        mask = {"all": np.ones_like(self.noisy), "noisy": self.noisy, "clean": ~self.noisy}[which]
        change = np.where(mask[:, None], self.areas - self.areas[:, -1:], 0.0)
        return mean_and_error(change.sum(axis=-1) / mask.sum(axis=-1)[:, None])

    def by_digit(self, noisy: bool) -> tuple[Array, Array]:
        """The same for each digit, (capacity, digit), over the splits in which it is noisy or not."""
        change = self.areas - self.areas[:, -1:]
        parts = [mean_and_error(change[self.noisy[:, i] == noisy, :, i]) for i in range(10)]
        return np.stack([part[0] for part in parts], axis=-1), np.stack([part[1] for part in parts], axis=-1)


@sized(n_splits=SETTINGS.n_splits, cost="1 GB, 10 min on one core")
def capacity_sweep(random_share: float, *, n_splits: int) -> Capacity:
    """Is it a 0? ... Is it a 9? from 150 images, at every capacity; three tasks have a share of random labels.

    The three noisy tasks move on by one digit from split to split. Held-out labels are clean.
    """
    noisy = np.array([np.isin(np.arange(10), (split + np.arange(N_NOISY)) % 10) for split in range(n_splits)])
    return Capacity(np.stack([_areas(*_split(i, noisy[i], random_share)) for i in range(n_splits)]), noisy)


def _areas(rows: Array, targets: Array, new_inputs: Array, new_labels: Array) -> Array:
    """Areas under the curve on held-out rows at the optimum of every capacity, (capacity, task)."""
    x, y, lift = in_label_space(rows, targets)
    models = np.concatenate([lift @ shared_models(x, y, r) for r in range(1, 11)], axis=1)
    scores = (new_inputs @ models).T.reshape(10, 10, -1)
    return area_under_curve(scores, np.broadcast_to(new_labels.T, scores.shape))


def _split(split: int, noisy: NDArray[np.bool_], random_share: float) -> tuple[Array, Array, Array, Array]:
    """Training rows with those of a ridge and their labels, and held-out rows with clean labels."""
    task, rng = digits(), stream(split, "capacity")
    order = rng.permutation(len(task.labels))
    train, test = order[:N_TRAIN], order[N_TRAIN:]
    scaling = standardiser(task.inputs[train])
    x, targets = scaling.apply(task.inputs[train]), task.targets[train].copy()
    for column in np.flatnonzero(noisy):
        drawn = rng.permutation(N_TRAIN)[: round(random_share * N_TRAIN)]
        targets[drawn, column] = targets[rng.permutation(drawn), column]
    ridge = np.sqrt(RIDGE) * np.eye(x.shape[1])
    labels = np.concatenate([targets - targets.mean(axis=0), np.zeros((x.shape[1], 10))])
    return np.concatenate([x, ridge]), labels, scaling.apply(task.inputs[test]), task.targets[test]
