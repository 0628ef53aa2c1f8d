"""One flow of all weights, where descent ends from random starts, and the paper's equations for the weights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.integrate import cumulative_simpson

from mtlbook_lib._checks import Array
from mtlbook_lib._random import normal
from mtlbook_lib.data.sparse_tasks import sphere_inputs
from mtlbook_lib.experiments.part6._distance import relative
from mtlbook_lib.experiments.sizes import sized
from mtlbook_lib.simulation.diagonal import Weights, descend, sampled_flow, start_from
from mtlbook_lib.theory.implicit_bias import pathway_invariants
from mtlbook_lib.theory.interpolation import min_penalty, stationarity_residual


@dataclass(frozen=True)
class Course:
    """A flow of all weights: states at `times`, loss (seed, 1, time), pulls g and angles G (time, seed, D)."""

    times: Array
    states: list[Weights]
    loss: Array
    pulls: Array
    angles: Array

    @property
    def conserved(self) -> Array:
        """The energy differences of both pathways, and what mixes them, (time, 3, seed, D)."""
        return np.stack([_conserved(state) for state in self.states])


def course(start: str, n_seeds: int = 5, n_times: int = 401) -> Course:
    """Flow of 30 inputs and 10 examples from random weights, by a Runge–Kutta method that knows the gradient alone.

    `start` is "equal", both pathways alike, or "unequal", four independent layers. Angles are the time integral of the
    pulls, by Simpson's rule.
    """
    n, dim = 10, 30
    x, y = sphere_inputs(dim, n, range(n_seeds)), normal((n,), range(n_seeds), "course: labels")
    weights, times = random_start(start, dim, n_seeds), np.linspace(0.0, 20.0, n_times)
    states, loss = sampled_flow(weights, [x[:, None]], [y[:, None]], times, rtol=1e-10)
    residuals = y - np.stack([(x @ state.beta[:, 0, 0, :, None])[..., 0] for state in states])
    pulls = 2 / n * (residuals[..., None, :] @ x)[..., 0, :]
    angles = cumulative_simpson(pulls, x=times, axis=0, initial=0)
    return Course(times, states, loss, pulls, np.asarray(angles))


def random_start(start: str, dim: int, n_seeds: int) -> Weights:
    """Weights of standard deviation 0.3, in both pathways the same or not; one setting and one task."""
    layers = 0.3 * normal((4, dim), range(n_seeds), "diagonal start")[:, None]
    plus, minus = (0, 1), (0, 1) if start == "equal" else (2, 3)
    u, v = ([layers[:, :, pathway[part]] for pathway in (plus, minus)] for part in (0, 1))
    return start_from(*u, *(readout[:, :, None] for readout in v))


def _conserved(state: Weights) -> Array:
    plus, minus = state.v_plus[:, 0, 0], state.v_minus[:, 0, 0]
    u_plus, u_minus = state.u_plus[:, 0], state.u_minus[:, 0]
    return np.stack([u_plus**2 - plus**2, u_minus**2 - minus**2, u_plus * u_minus + plus * minus])


@dataclass(frozen=True)
class Slopes:
    """Right-hand side of eqs. 5 and 6 and the gradient of the loss by central differences, each (layer, weight)."""

    right_hand: Array
    gradient: Array


def slopes() -> Slopes:
    """The paper's equations for the weights, judged at random ones: both pathways in one vector, the loss a sum."""
    n, dim, step = 4, 6, 1e-5
    x, y, weights = (
        normal(shape, [0], f"slopes: {part}")[0] for part, shape in enumerate(((n, dim), (n,), (2, 2 * dim)))
    )
    both = np.hstack([x, -x])

    def loss(change: Array) -> float:
        first, second = weights + change
        return float(((both @ (first * second) - y) ** 2).sum())

    moves = step * np.eye(weights.size).reshape(-1, *weights.shape)
    gradient = np.array([(loss(move) - loss(-move)) / (2 * step) for move in moves]).reshape(weights.shape)
    pull = -2 * both.T @ (both @ weights.prod(axis=0) - y)
    return Slopes(pull * weights[::-1], gradient)


@dataclass(frozen=True)
class Ends:
    """Trained networks against a minimiser: relative distance, and stationarity residual, each (seed,)."""

    distance: Array
    residual: Array
    converged: bool


@sized(
    quick={"n_seeds": 3},
    paper={"n_seeds": 12},
    large={"n_seeds": 200},
    large_cost="1 GB, 10 min on one core",
)
def descent_ends(start: str, width: str = "exact", *, n_seeds: int) -> Ends:
    """Gradient descent of 60 inputs and 20 examples from random weights, against the minimiser for a width.

    Width "exact" is that of the conserved quantities, "layers" the mean over pathways of u² + v² with start 0.
    """
    n, dim = 20, 60
    x, y = sphere_inputs(dim, n, range(n_seeds)), normal((n,), range(n_seeds), "ends: labels")
    weights = random_start(start, dim, n_seeds)
    fits = descend(weights, [x[:, None]], [y[:, None]], tolerance=1e-12, reach=0.01)
    kappa, beta0 = _width(weights) if width == "exact" else (_mean_energy(weights), np.zeros((n_seeds, dim)))
    problems, found = list(zip(x, y, kappa, beta0, strict=True)), fits.beta[:, 0, 0]
    distances = [relative(beta, min_penalty(*problem)) for beta, problem in zip(found, problems, strict=True)]
    residuals = [stationarity_residual(a, beta, k, b) for beta, (a, _, k, b) in zip(found, problems, strict=True)]
    return Ends(np.array(distances), np.array(residuals), bool(fits.converged.all()))


def _width(weights: Weights) -> tuple[Array, Array]:
    parts = (weights.u_plus[:, 0], weights.v_plus[:, 0, 0], weights.u_minus[:, 0], weights.v_minus[:, 0, 0])
    kappa, _, beta0 = pathway_invariants(*parts)
    return kappa, beta0


def _mean_energy(weights: Weights) -> Array:
    first = weights.u_plus**2 + weights.u_minus**2
    return np.asarray((first + (weights.v_plus**2 + weights.v_minus**2)[:, :, 0])[:, 0] / 2)
