r"""Orders of the finetuning penalty of one coefficient, measured on networks of one input, and computed.

At an interpolator the slope of the penalty is 4 times the angle by which finetuning turned the weights, and
:math:`u_+ + v_+` grew by its exponential. The mean over both signs of the pretrained coefficient has no start.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part6._diagonal import growth
from mtlbook_lib.chapters.part6.finetuning_prior.experiment.networks import treated, unbalanced
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.simulation.diagonal import Weights, gradient_flow
from mtlbook_lib.theory.implicit_bias import finetuning_width, penalty_orders, penalty_terms

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


@sized(n_across=(4, 9, 65), cost="2 GB, 2 min on one core")
def plane(*, n_across: int) -> Points:
    """The plane of regimes after small weights: rescaled old coefficient 1e-5 to 1e3, squared readout 1e-6 to 100."""
    old, reset = np.geomspace(1e-5, 1e3, n_across), np.geomspace(1e-6, 1e2, n_across)[:, None]
    return points(beta=1.0, beta_aux=1.0, c=2e-6, rescale=np.sqrt(old), gamma=np.sqrt(reset))


@sized(n_betas=(2, 5, 50), cost="2 GB, 1 min on one core")
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
    start = unbalanced(c, imbalance, (1, len(beta), 1))
    first = _fitted(start, np.abs(aux), np.sign(aux))
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
