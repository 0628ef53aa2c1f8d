"""Networks whose readout is trained alone for a while before all weights are: errors, widths, starts, distortion."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import Array, one_of
from mtlbook_lib._random import haar, normal
from mtlbook_lib.chapters.part6._diagonal import labels
from mtlbook_lib.chapters.part6.probe_then_tune import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.chapters.sparse_pairs import relative_errors
from mtlbook_lib.data.sparse_tasks import sparse_teachers, sphere_examples, sphere_inputs
from mtlbook_lib.simulation.diagonal import Weights, equal_pathways, gradient_flow, sampled_flow, start_from
from mtlbook_lib.simulation.linear.shared_head import HeadNetworks, head_flow, head_networks
from mtlbook_lib.statistics import relative_distance
from mtlbook_lib.theory.implicit_bias import pretrained_layer, probed_start, probed_width, probing_path
from mtlbook_lib.theory.interpolation import min_penalty, min_weighted_l2

DIM, FEATURES, ALPHA, GAMMA = SETTINGS.dim, SETTINGS.features, SETTINGS.alpha, SETTINGS.gamma
TIMES = np.array(SETTINGS.times)
# Shared features of 20, and examples: with fewer than 20 there is something to be won where all are shared.
CASES = {"all 20 shared": (20, 15), "19 shared": (19, 30), "15 shared": (15, 60), "10 shared": (10, 90)}


@dataclass(frozen=True)
class Problem:
    """One main task after ideal pretraining: inputs, teacher, pretrained features and the first layer they left."""

    x: Array
    main: Array
    pretrained: NDArray[np.bool_]
    layer: tuple[Array, Array]

    @property
    def y(self) -> Array:
        """Labels."""
        return np.asarray(self.x @ self.main)

    def paths(self, times: Array, gamma: float = GAMMA) -> Array:
        """Path of the readout at every time, (time, D)."""
        return np.asarray(probing_path(self.x, self.y, *self.layer, gamma, times))

    def widths_and_starts(self, times: Array, gamma: float = GAMMA) -> tuple[Array, Array]:
        """Width and start of tuning after probing for every time, (time, D)."""
        paths = self.paths(times, gamma)
        return np.asarray(probed_width(*self.layer, gamma, paths)), np.asarray(probed_start(*self.layer, gamma, paths))

    def errors(self, width: Array, start: Array) -> Array:
        """Errors of the interpolators of least penalty, relative to predicting zero, (time,)."""
        return self.missed(min_penalty(self.x, self.y, width, start))

    def missed(self, beta: Array) -> Array:
        """Error of coefficients (..., D), relative to predicting zero."""
        return relative_errors(beta, self.main)


def problems(overlap: int, n_examples: int, seeds: range, strengths: str = "signs") -> list[Problem]:
    """Main tasks of 20 features in 500 inputs, `overlap` of which were pretrained.

    Features are ±1 ("signs"), or their sizes are those of normal numbers: one for both tasks ("same sizes"), or one for
    each ("other sizes").
    """
    one_of("strengths", strengths, ("signs", "same sizes", "other sizes"))
    teachers = sparse_teachers(DIM, FEATURES, FEATURES, overlap, seeds)
    aux, main = teachers.aux, teachers.main
    if strengths != "signs":
        sizes = np.abs(normal((2, DIM), seeds, "sizes of features"))
        aux, main = aux * sizes[:, 0], main * sizes[:, 0 if strengths == "same sizes" else 1]
    listed = zip(sphere_inputs(DIM, n_examples, seeds), aux, main, strict=True)
    return [Problem(x, b, a != 0, _layer(a, ALPHA)) for x, a, b in listed]


def _layer(aux: Array, alpha: float) -> tuple[Array, Array]:
    plus, minus = pretrained_layer(aux, alpha)
    return np.asarray(plus), np.asarray(minus)


@dataclass(frozen=True)
class Course:
    """After probing for each of ``TIMES``, (seed, time): `error` of tuning then, relative to predicting zero.

    `probed` is the error after probing to the end, without tuning, (seed,). `left`, the loss of the readout when
    probing stops, and `opened`, the median width of features that were not pretrained, are relative to their starts.
    """

    times: Array
    error: Array
    probed: Array
    left: Array
    opened: Array

    @property
    def gain(self) -> Array:
        """Error after probing less that of tuning at once, (seed, time)."""
        return self.error - self.error[:, :1]


@sized(n_seeds=SETTINGS.n_seeds, cost="1 GB, 10 min on one core")
def course(overlap: int, n_examples: int, strengths: str = "signs", gamma: float = GAMMA, *, n_seeds: int) -> Course:
    """Probing for each of ``TIMES`` from readouts `gamma`, then tuning, by the exact formula."""
    return _course(problems(overlap, n_examples, range(n_seeds), strengths), gamma)


@sized(n_seeds=SETTINGS.n_long, cost="1 GB, 10 min on one core")
def long_course(overlap: int, n_examples: int, strengths: str = "signs", *, n_seeds: int) -> Course:
    """The same with more seeds, for small or scattered differences."""
    return _course(problems(overlap, n_examples, range(n_seeds), strengths), GAMMA)


def _course(given: list[Problem], gamma: float) -> Course:
    errors, probed, left, opened = [], [], [], []
    for one in given:
        widths, starts = one.widths_and_starts(TIMES, gamma)
        errors.append(one.errors(widths, starts))
        energy = one.layer[0] ** 2 + one.layer[1] ** 2
        probed.append(one.missed(min_weighted_l2(one.x, one.y, energy, starts[0])))
        loss = ((one.y - starts @ one.x.T) ** 2).sum(axis=1)
        left.append(loss / loss[0])
        new = np.median(widths[:, ~one.pretrained], axis=1)
        opened.append(new / new[0])
    return Course(TIMES, np.array(errors), np.array(probed), np.array(left), np.array(opened))


@sized(n_seeds=SETTINGS.n_sides, cost="1 GB, 5 min on one core")
def without_one_side(overlap: int, n_examples: int, times: Array, *, n_seeds: int) -> tuple[Array, Array]:
    """Test errors after probing through pretrained features alone, and through the others alone, each (seed, time).

    Width and start are those after probing on one side, and those without probing on the other.
    """
    rows = []
    for one in problems(overlap, n_examples, range(n_seeds)):
        (plain, widths), (rest, starts) = ((part[0], part[1:]) for part in one.widths_and_starts(np.r_[0.0, times]))
        on = one.pretrained
        sides = ((np.where(side, widths, plain), np.where(side, starts, rest)) for side in (on, ~on))
        rows.append([one.errors(*side) for side in sides])
    errors = np.array(rows)
    return errors[:, 0], errors[:, 1]


@sized(n_seeds=SETTINGS.n_charge, cost="1 GB, 5 min on one core")
def charge(overlap: int, n_examples: int, *, n_seeds: int) -> Array:
    """Squared error of pretrained features after probing for the last of ``TIMES``, for each new feature, (seed,)."""
    given = problems(overlap, n_examples, range(n_seeds))
    starts = (np.asarray(probed_start(*one.layer, GAMMA, one.paths(TIMES[-1:])))[0] for one in given)
    missed = [((start - one.main)[one.pretrained] ** 2).sum() for start, one in zip(starts, given, strict=True)]
    return np.array(missed) / (FEATURES - overlap)


@dataclass(frozen=True)
class Snapshots:
    """Width and start of every feature at each of ``TIMES``, (time, D), of one task; (D,) which kind of feature it is.

    `kinds` is 3 for a pretrained feature that is used, 2 for one that is not, 1 for a new one and 0 for the rest.
    """

    width: Array
    start: Array
    kinds: NDArray[np.int64]


def snapshots(overlap: int, n_examples: int) -> Snapshots:
    """Where tuning starts, of the first seed."""
    (one,) = problems(overlap, n_examples, range(1))
    width, start = one.widths_and_starts(TIMES)
    return Snapshots(width, start, 2 * one.pretrained + (one.main != 0))


NETWORK_TIMES = np.array(SETTINGS.network_times)
_SMALL = 200  # inputs of the networks that are pretrained as well


@dataclass(frozen=True)
class Networks:
    """Networks after probing for each of the `times` and tuning then; all other arrays (seed, time).

    `error` is relative to predicting zero; `to_exact` and `to_plain` are the relative distances to the minimisers with
    width and start after probing, and before. `readout`: how far a readout after probing is at most from the formula's,
    relative to the largest.
    """

    times: Array
    error: Array
    to_exact: Array
    to_plain: Array
    readout: Array


@sized(n_seeds=SETTINGS.n_networks, cost="4 GB, 10 min on one core")
def networks(overlap: int, n_examples: int, *, n_seeds: int) -> Networks:
    """Networks of 500 inputs that begin with the first layer that ideal pretraining leaves; ``NETWORK_TIMES``."""
    given = problems(overlap, n_examples, range(n_seeds))
    plus, minus = (np.array([one.layer[side] for one in given])[:, None] for side in (0, 1))
    reset = np.full((n_seeds, 1, 1, plus.shape[-1]), GAMMA)
    weights = start_from(plus, minus, reset, reset)
    data = np.array([one.x for one in given]), np.array([one.main for one in given])
    return _trained(weights, *data, NETWORK_TIMES)


@sized(n_seeds=SETTINGS.n_trained, cost="2 GB, 5 min on one core")
def trained_throughout(overlap: int, n_examples: int, times: Array, *, n_seeds: int) -> Networks:
    """Networks of 200 inputs that are pretrained on 240 examples, probed and tuned."""
    seeds = range(n_seeds)
    teachers = sparse_teachers(_SMALL, FEATURES, FEATURES, overlap, seeds)
    x, y = sphere_examples(teachers.aux, 240, seeds, "aux")
    fits = gradient_flow(equal_pathways(ALPHA, ALPHA, (n_seeds, 1, _SMALL)), x, y, tolerance=1e-10)
    weights = fits.finished().weights.with_readout(GAMMA)
    return _trained(weights, sphere_inputs(_SMALL, n_examples, seeds), teachers.main, times)


def _trained(weights: Weights, x: Array, main: Array, times: Array) -> Networks:
    y = labels(x, main)
    probed, _ = sampled_flow(weights, x, y, times, rtol=1e-6, layers="readout")
    columns = [_compared(weights, state, x, y, main, time) for state, time in zip(probed, times, strict=True)]
    error, exact, plain, readout = np.moveaxis(np.array(columns), 0, -1)
    return Networks(times, error, exact, plain, readout)


def _compared(weights: Weights, probed: Weights, x: Array, y: Array, main: Array, time: float) -> Array:
    """Error, distances and deviation of the readout of networks probed for one time, (4, seed)."""
    beta = gradient_flow(probed, x, y, tolerance=1e-10).finished().coefficients()
    (u_plus, _, u_minus, _), (_, v_plus, _, v_minus) = weights.pathways, probed.pathways
    path = np.array([probing_path(*one, GAMMA, time) for one in zip(x, y, u_plus, u_minus, strict=True)])
    layers = [(u_plus, u_minus, GAMMA, g) for g in (path, 0 * path)]
    exact, plain = (min_penalty(x, y, probed_width(*one), probed_start(*one)) for one in layers)
    readouts, expected = np.stack([v_plus, v_minus]), np.stack([GAMMA + u_plus * path, GAMMA - u_minus * path])
    return np.stack([
        relative_errors(beta, main),
        relative_distance(beta, exact),
        relative_distance(beta, plain),
        np.abs(readouts - expected).max(axis=(0, 2)) / np.abs(expected).max(axis=(0, 2)),
    ])  # fmt: skip


_DIM, _FEATURES, SEEN, EXAMPLES = 40, 4, SETTINGS.seen, SETTINGS.examples
MISSED = np.array(SETTINGS.missed)
HEADS = np.array(SETTINGS.heads)
_TIME = 100.0
WAYS = ("tuned", "probed", "probed, tuned")


@dataclass(frozen=True)
class Task:
    """Teachers β = Wᵀv with orthonormal features, and inputs from 12 random directions; first axis seed."""

    features: Array
    head: Array
    directions: Array
    x: Array

    @property
    def beta(self) -> Array:
        """The teacher's coefficients."""
        return np.asarray((self.head[:, None] @ self.features)[:, 0])

    @property
    def y(self) -> Array:
        """Labels."""
        return labels(self.x, self.beta)

    def errors(self, networks: HeadNetworks) -> tuple[Array, Array]:
        """Error in the distribution of the inputs, and for inputs from everywhere, (seed, setting)."""
        missed = networks.beta - self.beta[:, None]
        inside, whole = missed @ self.directions, self.beta[:, None] @ self.directions
        return (
            np.asarray((inside**2).sum(axis=-1) / (whole**2).sum(axis=-1)),
            np.asarray((missed**2).sum(axis=-1) / (self.beta**2).sum(axis=-1)[:, None]),
        )


def task(seeds: range) -> Task:
    """A teacher of four features of 40 inputs, whose head has length one, and 48 examples."""
    head = normal((_FEATURES,), seeds, "shared head")
    directions = haar(_DIM, SEEN, seeds, "seen directions")
    x = normal((EXAMPLES, SEEN), seeds, "inputs from seen directions") @ directions.swapaxes(1, 2)
    features = haar(_DIM, _FEATURES, seeds, "features of a shared head").swapaxes(1, 2)
    return Task(features, head / np.linalg.norm(head, axis=1, keepdims=True), directions, x)


@dataclass(frozen=True)
class HeadErrors:
    """Errors of one way of training; `inside` and `outside` the distribution, (seed, head, features), and a check.

    `kept` is how far the features of directions without data moved, (seed, head, features). There is one head where the
    way does not depend on its length.
    """

    inside: Array
    outside: Array
    kept: Array


@sized(n_seeds=SETTINGS.n_heads, cost="2 GB, 10 min on one core")
def shared_head_errors(*, n_seeds: int) -> dict[str, HeadErrors]:
    """Networks v·Wx whose features miss the teacher's by each of ``MISSED``, from heads of length ``HEADS``.

    The features are W* + eE over their length, with orthonormal rows in E. Ways: "tuned" from a random head, "probed"
    (the head alone), and "probed, tuned".
    """
    seeds = range(n_seeds)
    given = task(seeds)
    wrong = haar(_DIM, _FEATURES, seeds, "error of features").swapaxes(1, 2)
    size = MISSED[:, None, None]
    features = (given.features[:, None] + size * wrong[:, None]) / np.sqrt(1 + size**2)
    start = normal((_FEATURES,), seeds, "head before tuning")
    start = start / np.linalg.norm(start, axis=1, keepdims=True)
    data = given.x[:, None], given.y[:, None]
    before = [head_networks(features, length * start[:, None]) for length in HEADS]
    tuned = [head_flow(nets, *data, _TIME)[0] for nets in before]
    probed, _ = head_flow(before[0], *data, _TIME, layers="readout")
    both, _ = head_flow(probed, *data, _TIME)
    ways = zip(WAYS, (tuned, [probed], [both]), strict=True)
    return {way: _errors(given, features, networks) for way, networks in ways}


def _errors(given: Task, features: Array, networks: list[HeadNetworks]) -> HeadErrors:
    unseen = np.eye(_DIM) - given.directions @ given.directions.swapaxes(1, 2)
    moved = [np.sqrt((((nets.features - features) @ unseen[:, None]) ** 2).sum(axis=(-2, -1))) for nets in networks]
    inside, outside = zip(*(given.errors(nets) for nets in networks), strict=True)
    return HeadErrors(*(np.stack(part, axis=1) for part in (inside, outside, moved)))


@sized(n_seeds=SETTINGS.n_axes, cost="1 GB, 5 min on one core")
def diagonal_errors(gammas: Array, along_axes: bool, *, n_seeds: int) -> dict[str, Array]:
    """Diagonal networks with the right features, on inputs from 12 directions: errors everywhere, (seed, readout).

    Both tasks have the same four features, with signs of their own. The 12 directions are axes, those of three features
    and nine others, or random ones. The readout is reset to each of `gammas`.
    """
    seeds = range(n_seeds)
    directions = np.tile(np.eye(_DIM)[:, 1 : SEEN + 1], (n_seeds, 1, 1)) if along_axes else task(seeds).directions
    x = normal((EXAMPLES, SEEN), seeds, "inputs from seen directions") @ directions.swapaxes(1, 2)
    truth, aux = np.zeros((2, n_seeds, _DIM))
    signs = np.sign(normal((2, _FEATURES), seeds, "signs of features"))
    truth[:, :_FEATURES], aux[:, :_FEATURES] = signs.swapaxes(0, 1)
    plus, minus = (np.repeat(part[:, None], len(gammas), axis=1) for part in _layer(aux, 1e-3))
    readout = np.broadcast_to(gammas[:, None, None], (n_seeds, len(gammas), 1, _DIM))
    start, data = start_from(plus, minus, readout, readout), (x, labels(x, truth))
    probed = gradient_flow(start, *data, tolerance=1e-14, layers="readout").finished()
    tuned = gradient_flow(start, *data, tolerance=1e-14).finished()
    both = gradient_flow(probed.weights, *data, tolerance=1e-14).finished()
    return {
        way: relative_errors(fits.beta[:, :, 0], truth[:, None])
        for way, fits in zip(WAYS, (tuned, probed, both), strict=True)
    }
