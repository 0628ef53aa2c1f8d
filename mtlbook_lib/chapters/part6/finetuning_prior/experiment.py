"""Which prior finetuning uses: one formula against networks, the orders of the penalty, and its four regimes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part6._diagonal import growth, labels
from mtlbook_lib.chapters.part6.finetuning_prior import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.chapters.sparse_pairs import relative_errors
from mtlbook_lib.data.sparse_tasks import SparseTeachers, sparse_teachers, sphere_examples, sphere_inputs
from mtlbook_lib.simulation.diagonal import Fits, Weights, descend, equal_pathways, gradient_flow
from mtlbook_lib.statistics import relative_distance
from mtlbook_lib.theory.implicit_bias import finetuning_start, finetuning_width, penalty_orders, penalty_terms
from mtlbook_lib.theory.interpolation import min_l1, min_penalty, min_weighted_l2

PATHWAYS = ("exact", "average", "rms")
NETWORK_DIM, N_AUX, NETWORK_MAIN, FEATURES, SHARED = (
    SETTINGS.network_dim,
    SETTINGS.n_aux,
    SETTINGS.network_main,
    SETTINGS.features,
    SETTINGS.shared,
)
GAMMA = SETTINGS.gamma


class Pretraining(NamedTuple):
    """Width c and imbalance at the start of pretraining, and the factor on the first layer after it."""

    c: float
    imbalance: float
    rescale: float

    @property
    def alpha(self) -> float:
        """The size of all weights where the layers are balanced."""
        return float(np.sqrt(self.c / 2))


PRETRAININGS = (
    Pretraining(2e-6, 0.0, 1.0),
    Pretraining(2e-2, -0.5, 1.0),
    Pretraining(2.0, 0.9, 1.0),
    Pretraining(2.0, 0.0, 1.0),
    Pretraining(2.0, 0.0, 0.3),
    Pretraining(2.0, -0.999, 1.0),
)
LARGE = PRETRAININGS[2:]  # from small weights plain descent takes 50 times as many steps


def unbalanced(c: ArrayLike, imbalance: ArrayLike, shape: tuple[int, int, int]) -> Weights:
    """Equal pathways whose layers have the squares c(1 + imbalance)/2 and c(1 − imbalance)/2; arrays over settings."""
    widths, shares = np.broadcast_arrays(np.asarray(c, dtype=float), np.asarray(imbalance, dtype=float))
    u, v = (np.sqrt(widths * (1 + sign * shares) / 2) for sign in (1, -1))
    return equal_pathways(u[..., None], v[..., None, None], shape)


def treated(weights: Weights, pathways: str) -> Weights:
    """The first layer as it is ("exact"), or in both pathways the mean of the two, or their root mean square."""
    if pathways == "average":
        return weights.symmetrised((weights.u_plus + weights.u_minus) / 2)
    if pathways == "rms":
        return weights.symmetrised(np.sqrt((weights.u_plus**2 + weights.u_minus**2) / 2))
    return weights


@dataclass(frozen=True)
class Decision:
    """How far networks are from what the formulas say; axes (treatment of the networks, formula, seed, setting)."""

    distance: Array

    @property
    def own(self) -> Array:
        """Distances to the formula for the network's own treatment, (treatment, seed, setting)."""
        each = np.arange(len(self.distance))
        return np.asarray(self.distance[each, each])

    def between(self, network: str, formula: str) -> Array:
        """Distances of networks of one treatment to the formula for another, (seed, setting)."""
        return np.asarray(self.distance[PATHWAYS.index(network), PATHWAYS.index(formula)])


@sized(n_seeds=SETTINGS.n_flows, cost="2 GB, 2 min on one core")
def by_flow(settings: Sequence[Pretraining] = PRETRAININGS, *, n_seeds: int) -> Decision:
    """Both phases by gradient flow: 100 inputs, pretraining on 120 examples of 20 features, 10 of them shared."""
    return _decided(settings, range(n_seeds), descent=False)


@sized(n_seeds=SETTINGS.n_descents, n_treatments=SETTINGS.n_treatments, cost="2 GB, 5 min on one core")
def by_descent(settings: Sequence[Pretraining] = LARGE, *, n_seeds: int, n_treatments: int) -> Decision:
    """The same by plain gradient descent on the layers, of the first few treatments."""
    return _decided(settings, range(n_seeds), descent=True, networks=PATHWAYS[:n_treatments])


def _decided(
    settings: Sequence[Pretraining], seeds: range, descent: bool, networks: Sequence[str] = PATHWAYS
) -> Decision:
    pair = sparse_teachers(NETWORK_DIM, FEATURES, FEATURES, SHARED, seeds)
    x_aux, y_aux = sphere_examples(pair.aux, N_AUX, seeds, "aux")
    x, y = sphere_examples(pair.main, NETWORK_MAIN, seeds)
    c, imbalance, rescale = np.transpose(settings)
    start = unbalanced(c, imbalance, (len(seeds), len(settings), NETWORK_DIM))
    first = _trained(start, x_aux, y_aux, SETTINGS.pretraining_loss, descent)
    reached = first.beta[:, :, 0]
    rows, expected = [], [_expected(x, y, reached, settings, formula) for formula in PATHWAYS]
    for network in networks:
        weights = treated(first.weights, network).rescaled(rescale[:, None]).with_readout(GAMMA)
        beta = _trained(weights, x, y, SETTINGS.loss, descent).beta[:, :, 0]
        rows.append([relative_distance(beta, one) for one in expected])
    return Decision(np.array(rows))


def _trained(weights: Weights, x: Array, y: Array, loss: float, descent: bool) -> Fits:
    fits = descend(weights, x, y, loss, reach=SETTINGS.reach) if descent else gradient_flow(weights, x, y, loss)
    return fits.finished()


def _expected(x: Array, y: Array, reached: Array, settings: Sequence[Pretraining], formula: str) -> Array:
    """Interpolators of least penalty, (seed, setting, D), from the coefficients that pretraining reached."""
    cases = [(reached[:, i], at.alpha, GAMMA, at.imbalance, at.rescale, formula) for i, at in enumerate(settings)]
    laws = (finetuning_width, finetuning_start)
    return min_penalty(x, y, *(np.stack([law(*case) for case in cases], axis=1) for law in laws))


_NODES = 28  # coefficients between zero and the one at which the order is wanted
_RANGE = 16.0  # they lie evenly in the logarithm, down to 1e-7 of it: the slope may bend anywhere
_STEP = 0.005  # in the logarithm of what is varied in networks; its square is the error
_LOSS = 1e-20  # relative to the square of the coefficient
_FINE = 1e-4  # the same where the penalty is known to rounding


@dataclass(frozen=True)
class Points:
    """Coefficients, and how their networks were prepared: arrays of one shape."""

    beta: Array
    beta_aux: Array
    c: Array
    imbalance: Array
    rescale: Array
    gamma: Array

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of each array."""
        return self.beta.shape

    def varied(self, beta_aux: float = 1.0, c: float = 1.0, reset: float = 1.0) -> Points:
        """The same with the pretrained coefficient, the width of pretraining, or the squared readout multiplied."""
        parts = (self.beta, self.beta_aux * beta_aux, self.c * c)
        return Points(*parts, self.imbalance, self.rescale, self.gamma * np.sqrt(reset))


@dataclass(frozen=True)
class Orders:
    """Logarithmic derivatives of the penalty: by the coefficient, the pretrained one, c, and the squared readout."""

    order: Array
    dependence: Array
    scale: Array
    readout: Array

    @property
    def tradeoff(self) -> Array:
        """Order and dependence together."""
        return np.asarray(self.order + self.dependence)

    @property
    def total(self) -> Array:
        """The sum of all four."""
        return np.asarray(self.tradeoff + self.scale + self.readout)


def points(**given: float | Array) -> Points:
    """Points of arrays that broadcast; what is left out is 0 for `imbalance`, 1 for `rescale`."""
    whole = {"imbalance": 0.0, "rescale": 1.0, **given}
    parts = np.broadcast_arrays(*(np.asarray(whole[field.name], dtype=float) for field in fields(Points)))
    return Points(*(part.copy() for part in parts))


@sized(n_across=SETTINGS.n_across, cost="2 GB, 2 min on one core")
def plane(*, n_across: int) -> Points:
    """The plane of regimes after small weights: rescaled old coefficient 1e-5 to 1e3, squared readout 1e-6 to 100."""
    old, reset = np.geomspace(1e-5, 1e3, n_across), np.geomspace(1e-6, 1e2, n_across)[:, None]
    return points(beta=1.0, beta_aux=1.0, c=2e-6, rescale=np.sqrt(old), gamma=np.sqrt(reset))


@sized(n_betas=SETTINGS.n_betas, cost="2 GB, 1 min on one core")
def unbalanced_points(imbalances: Array, *, n_betas: int) -> Points:
    """Coefficients 0.003 to 30 for each imbalance, old coefficient 1, pretraining of width 2, readout 0.001."""
    betas = np.geomspace(3e-3, 30, n_betas)
    return points(beta=betas, beta_aux=1.0, c=2.0, gamma=1e-3, imbalance=np.asarray(imbalances)[:, None])


def measured(at: Points, pathways: str = "exact") -> Orders:
    """The orders from networks alone; the readout must be above zero."""
    up, down = np.exp(_STEP), np.exp(-_STEP)
    pairs = [(at.varied(**{name: up}), at.varied(**{name: down})) for name in ("beta_aux", "c", "reset")]
    penalties, slopes = _of_networks([at, *(one for pair in pairs for one in pair)], pathways)
    logs = np.log(penalties[1:])
    changes = (logs[::2] - logs[1::2]) / (2 * _STEP)
    return Orders(at.beta * slopes[0] / penalties[0], *changes)


def _of_networks(variants: Sequence[Points], pathways: str) -> tuple[Array, Array]:
    """A quarter of the penalty, integrated from zero on, and of its slope: orders are free of factors."""
    parts = {field.name: np.stack([getattr(one, field.name) for one in variants]) for field in fields(Points)}
    both = {name: np.stack([part, part]) for name, part in parts.items()}
    both["beta_aux"][1] *= -1
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    goals = np.exp(-_RANGE * (nodes + 1) / 2)
    slopes = _slopes(Points(**both), np.append(goals, 1.0), pathways).mean(axis=0)
    penalty = parts["beta"] * (slopes[..., :-1] @ (weights * _RANGE / 2 * goals))
    return np.asarray(penalty), np.asarray(slopes[..., -1])


def _slopes(at: Points, goals: Array, pathways: str) -> Array:
    """A quarter of the slopes where networks of one input end that are finetuned to shares of a coefficient."""
    parts = [np.repeat(getattr(at, field.name).ravel(), len(goals)) for field in fields(Points)]
    beta, aux, c, imbalance, rescale, gamma = parts
    first = _fitted(unbalanced(c, imbalance, (1, len(beta), 1)), np.abs(aux), np.sign(aux))
    weights = treated(first, pathways).rescaled(rescale[:, None]).with_readout(gamma[:, None, None])
    end = _fitted(weights, beta, np.tile(goals, at.beta.size))
    return growth(weights, end).reshape(*at.shape, len(goals))


def _fitted(weights: Weights, unit: Array, goal: Array) -> Weights:
    """Networks of one input, each trained to a coefficient of so many units; an input of 1/unit makes losses alike."""
    inputs, labels = (1 / unit)[None, :, None, None], goal[None, :, None]
    return gradient_flow(weights, inputs, labels, _LOSS).finished().weights


def predicted(at: Points, pathways: str = "exact") -> Orders:
    """The orders from the formula for the width, without the start: derivatives of the penalty by differences."""

    def penalty(where: Points, grown: float = 1.0) -> Array:
        width = finetuning_width(
            where.beta_aux, np.sqrt(where.c / 2), where.gamma, where.imbalance, where.rescale, pathways
        )
        return np.asarray(penalty_terms(where.beta * grown, width))

    def changed(**what: float) -> Array:
        upper, lower = (penalty(at.varied(**{name: np.exp(sign * _FINE) for name in what})) for sign in (1, -1))
        return np.asarray(np.log(upper / lower) / (2 * _FINE))

    order = np.log(penalty(at, np.exp(_FINE)) / penalty(at, np.exp(-_FINE))) / (2 * _FINE)
    return Orders(order, changed(beta_aux=1), changed(c=1), changed(reset=1))


def least_tradeoff(imbalance: Array) -> Array:
    """Least order plus dependence over the width of pretraining, as run: small coefficients and no readout."""
    widths = np.geomspace(1e-4, 1e4, 4001)
    order, dependence, *_ = penalty_orders(1e-8, 1.0, np.sqrt(widths / 2), 0.0, np.asarray(imbalance)[..., None])
    return np.asarray(np.min(order + dependence, axis=-1))


class Setting(NamedTuple):
    """One setting: factor and readout between the phases; width, imbalance and pathways of pretraining."""

    rescale: float
    gamma: float
    c: float = 2e-6
    imbalance: float = 0.0
    pathways: str = "exact"


REGIMES = {"I": Setting(0.003, 0.01), "II": Setting(10.0, 1e-3), "III": Setting(0.1, 3.0), "IV": Setting(0.1, 1e-3)}
TASKS = {"few old": (6, 6), "many old": (40, 40), "few new": (6, 0)}  # features of the task, and how many are old
DIM, OLD, N_MAIN = SETTINGS.dim, SETTINGS.old, SETTINGS.n_main
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
    fits = gradient_flow(weights, x, labels(x, teachers.main), 1e-10).finished()
    return fits.beta[:, :, 0], weights.beta[:, :, 0]


def references(x: Array, y: Array, old: Array, starts: Array) -> dict[str, Array]:
    """Four interpolators of one problem, (start, D): what a network of a regime is expected to be like."""
    among, even = np.zeros(len(old)), np.ones(len(old))
    among[old] = min_l1(x[:, old], y)
    solutions = {
        "l1": min_l1(x, y),
        "l1 among old": among,
        "l2 on old": min_weighted_l2(x, y, np.where(old, 1.0, _NEW)),
        "l2 around the start": np.array([min_weighted_l2(x, y, even, start) for start in starts]),
    }
    return {name: np.broadcast_to(beta, starts.shape) for name, beta in solutions.items()}


@sized(n_seeds=SETTINGS.n_distances, cost="1 GB, 5 min on one core")
def distances(settings: Sequence[Setting], *, n_seeds: int) -> dict[str, Array]:
    """Relative distances of networks to the references, (setting, seed): 200 inputs, 6 of 40 old features, 24 examples.

    From so many examples the least l1 norm recovers 6 of 40 features, but not 6 of 200: with more, it would be the
    teacher both among old features and among all, and no distance could tell the two apart.
    """
    seeds = range(n_seeds)
    teachers, x = sparse_teachers(DIM, OLD, 6, 6, seeds), sphere_inputs(DIM, SETTINGS.n_apart, seeds)
    betas, starts = finetuned(teachers, x, settings)
    cases = zip(x, teachers.main, teachers.aux, starts, strict=True)
    rows = [references(one, one @ main, aux != 0, some) for one, main, aux, some in cases]
    return {name: relative_distance(betas, np.array([row[name] for row in rows])).T for name in rows[0]}


@sized(n_seeds=SETTINGS.n_errors, cost="1 GB, 5 min on one core")
def errors(settings: Sequence[Setting], task: str, *, n_seeds: int) -> Array:
    """Squared errors of networks relative to predicting zero, (setting, seed)."""
    (k, shared), seeds = TASKS[task], range(n_seeds)
    teachers, x = sparse_teachers(DIM, OLD, k, shared, seeds), sphere_inputs(DIM, N_MAIN, seeds)
    betas, _ = finetuned(teachers, x, settings)
    return relative_errors(betas, teachers.main[:, None]).T


def balance(widths: Sequence[float], imbalances: Sequence[float], pathways: str = "exact", **sizes: int) -> Array:
    """Errors on few old features by width and imbalance of pretraining, (width, imbalance, seed); readout 0.001."""
    cases = [Setting(1.0, 1e-3, c, share, pathways) for c in widths for share in imbalances]
    missed = errors(cases, "few old", **sizes)
    return np.asarray(missed.reshape(len(widths), len(imbalances), -1))
