"""Where the theories of four papers describe the same problem: the map, and the limits in which they agree."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array
from mtlbook_lib._random import haar, normal
from mtlbook_lib.chapters.part7.one_picture import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.gaussian_pairs import gaussian_task
from mtlbook_lib.data.sparse_tasks import sparse_teachers, sphere_inputs
from mtlbook_lib.simulation import diagonal, engine, softmax
from mtlbook_lib.simulation.diagonal import Fits, start_from
from mtlbook_lib.simulation.linear import descent, gradient_flow, observables, students
from mtlbook_lib.simulation.pooled import pooled_models
from mtlbook_lib.theory.generalization import test_error_examples
from mtlbook_lib.theory.hard_sharing import asymptotic_risk, asymptotic_transfer, shared_solution
from mtlbook_lib.theory.implicit_bias import pretrained_layer
from mtlbook_lib.theory.learning_curves import penalty_error
from mtlbook_lib.theory.linear_dynamics import mode_strength
from mtlbook_lib.theory.spiked import noisy_singular_value
from mtlbook_lib.theory.transfer import composite_modes, head_change, head_error

N_INPUTS = SETTINGS.n_inputs
PER_INPUT = np.array(SETTINGS.per_input)
_NULL = 1e-9  # of the largest eigenvalue: directions without data


@dataclass(frozen=True)
class Risks:
    """Excess risks, (draw, place): the shared feature alone, all weights trained to the end, a ridge to the start.

    They are in units of the noise variance times inputs over examples.
    """

    frozen: Array
    trained: Array
    held: Array


@sized(n_draws=SETTINGS.n_draws_risks, cost="2 GB, 20 min on one core")
def risks(own: ArrayLike, per_input: Array = PER_INPUT, *, n_draws: int) -> Risks:
    """Draw data at places of the map: examples for each input, and `own`, the strength of the task's own part.

    The shared model and its head are known. Trained from there, with fewer examples than inputs, descent ends at the
    nearest interpolator, else at least squares. The ridge has the strength that suits the own part's energy.
    """
    excess = [_place(float(n), float(o), n_draws) for n, o in zip(per_input, np.asarray(own), strict=True)]
    return Risks(*(np.stack(part, axis=1) for part in zip(*excess, strict=True)))


def _place(per_input: float, own: float, n_draws: int) -> tuple[Array, Array, Array]:
    n = round(per_input * N_INPUTS)
    energy = own * N_INPUTS / n  # of the own part, for noise of standard deviation 1
    truth, white = np.zeros(N_INPUTS), np.eye(N_INPUTS)
    truth[0] = np.sqrt(energy)
    task = gaussian_task(n, white, truth, 1.0, range(n_draws), "target", n)
    products = task.products[..., None]
    trained = np.linalg.pinv(task.gram, rcond=_NULL, hermitian=True) @ products
    held = np.linalg.solve(task.gram + N_INPUTS / energy * white, products)
    excess = (((fit[..., 0] - truth) ** 2).sum(axis=-1) * n / N_INPUTS for fit in (trained, held))
    return np.full(n_draws, own), *excess


DIM, OLD, NEW = SETTINGS.dim, SETTINGS.old, SETTINGS.new
ENDLESS, VANISHING = SETTINGS.endless, SETTINGS.vanishing


def trained(alpha: float, aux: Array, x: Array, y: Array) -> Fits:
    """Networks pretrained to `aux` from weights `alpha`, (seed, D), and trained on with the readout that they have."""
    plus, minus = (np.asarray(layer)[:, None] for layer in pretrained_layer(aux, alpha))
    start = start_from(plus, minus, plus[:, :, None], minus[:, :, None])
    return diagonal.gradient_flow(start, [x[:, None]], [y[:, None]], tolerance=1e-12, accuracy=0.05)


def tasks(seeds: range) -> tuple[Array, Array]:
    """Coefficients of 200 inputs: 20 features of size 1, and the same with ten more, each (seed, D)."""
    pair = sparse_teachers(DIM, OLD, OLD + NEW, OLD, seeds)
    return pair.aux, np.where(pair.aux != 0, pair.aux, pair.main)


@dataclass(frozen=True)
class Errors:
    """Squared error over that of the start, (..., scale, examples), by initial scale and examples for each input."""

    scales: Sequence[float]
    per_input: Array
    values: Array


@sized(n_seeds=SETTINGS.n_seeds_errors, sizes=SETTINGS.sizes, cost="4 GB, 20 min on one core")
def errors(alphas: Sequence[float], *, n_seeds: int, sizes: Sequence[int]) -> Errors:
    """Of trained networks, first axis seed."""
    seeds = range(n_seeds)
    aux, main = tasks(seeds)
    values = np.empty((n_seeds, len(alphas), len(sizes)))
    for j, n in enumerate(sizes):
        x = sphere_inputs(DIM, n, seeds)
        y = (x @ main[..., None])[..., 0]
        for i, alpha in enumerate(alphas):
            values[:, i, j] = ((trained(alpha, aux, x, y).beta[:, 0, 0] - main) ** 2).sum(axis=-1) / NEW
    return Errors(alphas, np.array(sizes) / DIM, values)


@sized(n_seeds=SETTINGS.n_seeds_crossing, cost="4 GB, 5 min on one core")
def crossing(few: int, many: int, *, n_seeds: int) -> Array:
    """Error from weights of 0.001 less that from 1 with few examples, and the other way round with many, (seed, 2)."""
    low, high = np.moveaxis(errors([0.001, 1.0], n_seeds=n_seeds, sizes=(few, many)).values, 1, 0)
    return np.asarray((low - high) * [1, -1])


@sized(n_places=SETTINGS.n_places, cost="1 GB, 1 min on one core")
def limits(alphas: Sequence[float], *, n_places: int) -> Errors:
    """Part VI: the same error in the limit of many inputs."""
    shares = np.array([OLD, NEW, DIM - OLD - NEW]) / DIM
    truth, start = np.array([1.0, 1.0, 0.0]), np.array([1.0, 0.0, 0.0])
    deltas = np.linspace(0.05, 0.8, n_places)
    values = [[penalty_error(d, shares, truth, 2 * alpha**2, start)[0] for d in deltas] for alpha in alphas]
    return Errors(alphas, deltas, np.array(values) * DIM / NEW)


@dataclass(frozen=True)
class Lazy:
    """One set of data, three procedures: models (seed, D), and the truth."""

    network: Array
    nearest: Array
    pooled: Array
    truth: Array

    @property
    def risk(self) -> Array:
        """Squared error of the network, (seed,)."""
        return np.asarray(((self.network - self.truth) ** 2).sum(axis=-1))


@sized(n_seeds=SETTINGS.n_seeds_lazy, cost="1 GB, 5 min on one core")
def lazy(n_examples: int, alpha: float = 30.0, noise: float = 0.0, *, n_seeds: int) -> Lazy:
    """A network with a large start, the interpolator nearest to the start, and pooling with a source of no weight.

    Inputs are Gaussian, and so is the difference of the tasks, of norm 1.
    """
    seeds = range(n_seeds)
    aux, step = (normal((DIM,), seeds, f"lazy: {name}") / np.sqrt(DIM) for name in ("start", "difference"))
    x = normal((n_examples, DIM), seeds, "lazy: inputs", n_examples)
    main = aux + step / np.linalg.norm(step, axis=-1, keepdims=True)
    y = (x @ main[..., None])[..., 0] + noise * normal((n_examples,), seeds, "lazy: noise", n_examples)
    rest = y - (x @ aux[..., None])[..., 0]
    nearest = aux + (np.linalg.pinv(x) @ rest[..., None])[..., 0]
    white, ratio = np.broadcast_to(np.eye(DIM), (n_seeds, DIM, DIM)), 1e4
    gram, products = x.swapaxes(-1, -2) @ x, (y[:, None] @ x)[:, 0]
    pooled, _ = pooled_models(white, aux / ratio, gram, products, ratio)
    return Lazy(trained(alpha, aux, x, y).beta[:, 0, 0], nearest, pooled, main)


def pooled_risk(deltas: Sequence[float] | Array, noise: float = 0.0) -> Array:
    """Part V: risk at `deltas` target examples for each input, with a source of endless examples and no weight.

    The source's model is at distance 1. Only examples for each input matter in the limit, so that two inputs do.
    """
    white, sizes = np.eye(2), 2 * np.asarray(deltas)
    origin, model = np.zeros(2), np.array([1.0, 0.0])
    return np.asarray(asymptotic_risk(white, white, ENDLESS, sizes, origin, model, 0.0, noise, VANISHING)[0])


def penalty_risk(deltas: Sequence[float], noise: float = 0.0) -> Array:
    """Part VI: the same with a wide penalty, from a start at distance 1."""
    return np.array([penalty_error(float(d), [1.0], [1.0], 1e4, 0.0, noise)[0] for d in deltas])


def late_risk(deltas: Sequence[float]) -> Array:
    """Part II: a student of one output without noise, at the end of training; a great strength stands for no noise."""
    return np.array([test_error_examples(1e4, [1e3], 1000, 1, round(1000 * d), 1e-9) for d in deltas])


D, HIDDEN, RELATED = SETTINGS.d, SETTINGS.hidden, SETTINGS.related


@sized(n_seeds=SETTINGS.n_seeds_label_courses, n_examples=SETTINGS.n_examples, cost="2 GB, 20 min on one core")
def label_courses(strengths: Sequence[float], *, n_seeds: int, n_examples: int) -> tuple[Array, Array]:
    """Difference of the two logits of both tasks in training, softmax and regression, (seed, strength, time, 2 D).

    A label is 1 where strength times the teacher's output, plus noise of standard deviation 1, is positive. Descent is
    slower and starts lower in proportion to the strength, so that all strengths take the same number of steps.
    """
    seeds = range(n_seeds)
    x = normal((D, n_examples), seeds, "weak labels: inputs")
    models = np.zeros((2, D))
    models[0, 0], models[1, :2] = 1.0, (RELATED, np.sqrt(1 - RELATED**2))
    noise = normal((2, n_examples), seeds, "weak labels: noise")
    courses = [_pair(x, (s * models @ x + noise > 0).astype(int), s, seeds) for s in strengths]
    logits, regression = (np.stack(part, axis=1) for part in zip(*courses, strict=True))
    return logits, regression


def _pair(x: Array, labels: Array, strength: float, seeds: range) -> tuple[Array, Array]:
    rate, every = SETTINGS.rate / strength, SETTINGS.steps // 20
    start = softmax.normal_students(2, D, HIDDEN, SETTINGS.start * np.sqrt(strength), seeds, n_tasks=2)
    opposite = [(head - head.flip(-2)) / 2 for head in start.heads]  # logits of sum zero, as regression starts
    classifiers = start.with_layers([*start.trunk, *opposite])
    tasks = [(x, labels[:, None, i]) for i in range(2)]
    watch = {str(i): softmax.composite(i) for i in range(2)}
    run = softmax.descend(classifiers, tasks, rate, SETTINGS.steps, record=every, observe=watch)
    logits = np.concatenate([_difference(run.values[str(i)]) for i in range(2)], axis=-1)
    return logits, _regression(x, labels, classifiers, rate, every)


def _regression(x: Array, labels: Array, students: softmax.Students, rate: float, every: int) -> Array:
    """Least squares on targets 1 and -1, both outputs of both tasks being those of one student, at half the rate."""
    targets = np.stack([1 - 2 * labels, 2 * labels - 1], axis=2).reshape(len(x), 4, -1)
    n, inputs = x.shape[-1], x.swapaxes(-1, -2)
    layers = [students.trunk[0], np.concatenate([engine.to_numpy(head) for head in students.heads], axis=-2)]
    watch = {"map": observables.composite_map()}
    run = descent.descend(
        layers, (targets @ inputs / n)[:, None], rate / 2, SETTINGS.steps,
        covariance=(x @ inputs / n)[:, None], record_every=every, observe=watch,
    )  # fmt: skip
    maps = run.values["map"][:, 0]
    return np.concatenate([_difference(maps[..., 2 * i : 2 * i + 2, :][:, None]) for i in range(2)], axis=-1)


def _difference(maps: Array) -> Array:
    """Of the logits of the two classes, (seed, time, D), from maps (seed, 1, time, 2, D)."""
    return np.asarray(maps[:, 0, ..., 1, :] - maps[:, 0, ..., 0, :])


STRENGTHS, _N_INPUTS = SETTINGS.strengths, 40  # of six tasks with one output each


def pair_gram(q: float) -> Array:
    """Gram matrix of the input modes of two tasks of rank one."""
    return np.array([[1.0, q], [q, 1.0]])


@sized(n_seeds=SETTINGS.n_seeds_ends_and_optima, cost="1 GB, 5 min on one core")
def ends_and_optima(
    capacities: Sequence[int], n_tasks: int = 6, time: float = 120.0, *, n_seeds: int
) -> tuple[Array, Array]:
    """Maps at the end of training and at the optimum of hard sharing, (seed, capacity, task, input).

    The students have as many hidden units as the capacity and start at random; the tasks see the same orthonormal
    inputs, so that the labels of a task are its row of the data.
    """
    seeds = range(n_seeds)
    left, right = haar(n_tasks, 3, seeds, "ends: left"), haar(_N_INPUTS, 3, seeds, "ends: right")
    noise = normal((n_tasks, _N_INPUTS), seeds, "ends: noise") / np.sqrt(_N_INPUTS)
    data = (left * np.array(STRENGTHS)) @ right.swapaxes(-1, -2) + noise
    trained, shared = [], []
    for capacity in capacities:
        start = students.orthogonal(n_tasks, _N_INPUTS, capacity, SETTINGS.eps, seeds)
        watch = {"map": observables.composite_map()}
        run = gradient_flow.integrate(start, data[:, None], [time], rtol=1e-9, observe=watch)
        trained.append(run.values["map"][:, 0, -1])
        shared.append(np.stack([_optimum(rows, capacity) for rows in data]))
    return np.stack(trained, axis=1), np.stack(shared, axis=1)


def _optimum(rows: Array, capacity: int) -> Array:
    layer, heads, _ = shared_solution([np.eye(rows.shape[-1])] * len(rows), list(rows), capacity)
    return np.stack(heads) @ layer.T


@dataclass(frozen=True)
class Courses:
    """Squared error of the first of two tasks in training over that of its least squares: points and lines.

    `measured` goes from the kind of student to (seed, time), `predicted` to (time,); the kinds are "alone",
    "capacity 2" and "capacity 1".
    """

    times: Array
    measured: dict[str, Array]
    predicted: dict[str, Array]


@sized(n_seeds=SETTINGS.n_seeds_courses, cost="4 GB, 10 min on one core")
def courses(s: float, q: float, n_inputs: int = 500, *, n_seeds: int) -> Courses:
    """Two tasks with one output each, of one strength: trained from small weights, alone and with 1 or 2 hidden units.

    Errors are in units of the noise that least squares keeps.
    """
    seeds, times = range(n_seeds), np.r_[np.linspace(0.5, 12, 24), 15, 20, 25]
    clean = np.zeros((1, 1, 2, n_inputs))
    clean[..., 0] = s * q, s
    clean[..., 0, 1] = s * np.sqrt(1 - q**2)
    data = clean + normal((2, n_inputs), seeds, "courses: noise")[:, None] / np.sqrt(n_inputs)
    cases = {"alone": (data[:, :, :1], 1), "capacity 2": (data, 2), "capacity 1": (data, 1)}
    watch = {"error": observables.relative_test_error(clean[:, :, :1], rows=slice(0, 1))}
    measured = {}
    for name, (rows, capacity) in cases.items():
        run = gradient_flow.integrate(students.aligned(rows, capacity, SETTINGS.eps, seeds), rows, times, observe=watch)
        measured[name] = s**2 * run.values["error"][:, 0]
    return Courses(times, measured, _predicted(s, q, n_inputs, times))


def _predicted(s: float, q: float, n_inputs: int, times: Array) -> dict[str, Array]:
    aspect = 1 / n_inputs
    alone = head_error(times, [s], np.eye(1), aspect, 1, SETTINGS.eps, order=1)
    both = head_error(times, [s, s], pair_gram(q), aspect, 1, SETTINGS.eps, order=1)
    modes, weights = composite_modes([s, s], pair_gram(q))
    grown = mode_strength(times, noisy_singular_value(modes[0], 2 * aspect), SETTINGS.eps)
    kept = s**2 + head_change(grown, modes[0], weights[0, 0], aspect)
    return {"alone": s**2 * np.asarray(alone), "capacity 2": s**2 * np.asarray(both), "capacity 1": np.asarray(kept)}


def early_gain(strengths: tuple[float, float], q: float, aspect: float) -> float:
    """Part III: share of the first task's error alone that a student of capacity 1 takes away by the end of training.

    Tasks with one output each of `aspect` 1/inputs.
    """
    modes, weights = composite_modes(list(strengths), pair_gram(q))
    first, alone = strengths[0] ** 2, float(noisy_singular_value(strengths[0], aspect))
    own = first + float(head_change(alone, strengths[0], 1.0, aspect, 1))
    kept = float(noisy_singular_value(modes[0], 2 * aspect))
    return 1 - (first + float(head_change(kept, modes[0], weights[0, 0], aspect))) / own


def pooled_gain(strengths: tuple[float, float], q: float, per_input: float) -> float:
    """Part V: the same in the limit of many inputs, with `per_input` examples of the first task for each input.

    Only examples for each input matter in the limit, so that two inputs do. Strengths are counted in the noise that a
    task's least squares keeps, which fixes its noise and the examples of the second task.
    """
    target, source = np.array([1.0, 0.0]), np.array([q, np.sqrt(1 - q**2)])
    noise, white = np.sqrt(per_input) / strengths[0], np.eye(2)
    sizes = 2 * per_input * (strengths[1] / strengths[0]) ** 2, 2 * per_input
    _, both, alone = asymptotic_transfer(white, white, *sizes, source, target, noise, noise)
    return 1 - float(both) / float(alone)


@sized(n_draws=SETTINGS.n_draws_drawn_gains, cost="2 GB, 2 min on one core")
def drawn_gains(strengths: tuple[float, float], cosines: Sequence[float], d: int = 400, *, n_draws: int) -> Array:
    """The same from data: squared error of the first task, alone and with one shared direction, (draw, cosine, 2).

    Orthonormal inputs, so that the data are the tasks' models with noise; the best map of rank one is their first mode.
    """
    cosine = np.asarray(cosines)
    models = np.zeros((cosine.size, 2, d))
    models[:, 0, 0], models[:, 1, 0] = strengths[0], strengths[1] * cosine
    models[:, 1, 1] = strengths[1] * np.sqrt(1 - cosine**2)
    data = models + normal((2, d), range(n_draws), "gains: noise")[:, None] / np.sqrt(d)
    left, values, right = np.linalg.svd(data, full_matrices=False)
    shared = left[..., :1, :1] * values[..., :1, None] * right[..., :1, :]
    return np.asarray(((np.stack([data[..., 0, :], shared[..., 0, :]], axis=2) - models[:, None, 0]) ** 2).sum(axis=-1))
