"""What the chapter on learning one mode at a time runs: aligned students of any depth, their wave, descent in steps."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part2.one_mode import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.teachers import low_rank_teachers
from mtlbook_lib.simulation import spectra
from mtlbook_lib.simulation.linear import descent, gradient_flow, observables, students
from mtlbook_lib.theory import linear_dynamics as ld

EPS = SETTINGS.eps
DOUBLE = torch.float64  # identities are checked in double precision, whatever the precision of the book


class Downhill(NamedTuple):
    """Layers and covariances of a small task, and minus the gradient of half its loss, all weights in one row."""

    first: Array
    second: Array
    sigma31: Array
    sigma11: Array
    direction: Array


@dataclass(frozen=True)
class Growth:
    """Singular values of the data (seed, mode), and strengths of the student's modes (seed, time, mode)."""

    times: Array
    modes: Array
    strength: Array
    depth: int = 2

    @property
    def share(self) -> Array:
        """How much of each mode is learned, (seed, time, mode)."""
        return np.asarray(self.strength / self.modes[:, None])

    @property
    def predicted(self) -> Array:
        """The same strengths from the growth law of a balanced student."""
        return np.asarray(ld.mode_strength(self.times[:, None], self.modes[:, None], EPS, depth=self.depth))


@dataclass(frozen=True)
class Descent:
    """Gradient descent on modes of the data (mode,): times in units of the flow, and strengths (time, mode)."""

    rate: float
    modes: Array
    times: Array
    strength: Array
    every: int = 1  # steps between samples

    @property
    def error(self) -> Array:
        """Largest distance of each mode's strength from the flow over training, (mode,)."""
        return np.asarray(np.abs(self.strength - ld.mode_strength(self.times[:, None], self.modes, EPS)).max(axis=0))

    def lag(self, mode: int) -> tuple[Array, Array]:
        """Strengths of one mode between the start and the end, and the steps by which descent is behind there."""
        s_hat, s = self.modes[mode], self.strength[:, mode]
        seen = (s > 1.5 * EPS) & (s < 0.99 * s_hat)
        return s[seen], (self.times[seen] - ld.mode_time(s[seen], s_hat, EPS)) / self.rate

    def half_steps(self) -> Array:
        """Number of steps after which each mode is half learned, (mode,)."""
        steps = self.every * np.arange(len(self.strength))
        return np.array([np.interp(0.5, share, steps) for share in (self.strength / self.modes).T])


def downhill(n: int = 8, n_hidden: int = 5, n_examples: int = 30, seed: int = 0) -> Downhill:
    """Minus the gradient of half the squared error, by automatic differentiation, for random layers and examples."""
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(n, n_examples)), rng.normal(size=(n, n_examples))
    layers = [torch.tensor(rng.normal(size=size), requires_grad=True) for size in ((n_hidden, n), (n, n_hidden))]
    loss = 0.5 * (torch.tensor(y) - layers[1] @ layers[0] @ torch.tensor(x)).square().sum()
    gradients = [gradient.numpy().ravel() for gradient in torch.autograd.grad(loss, layers)]
    first, second = (layer.detach().numpy() for layer in layers)
    return Downhill(first, second, y @ x.T, x @ x.T, -np.concatenate(gradients))


def growth(modes: ArrayLike, times: Array, depth: int = 2) -> Growth:
    """An aligned student (50 hidden units) of data with 100 inputs, 50 outputs, given modes and no noise."""
    return _grow(low_rank_teachers(50, 100, modes, seeds=[0], noise_scale=0).training, times, depth, rtol=1e-6)


@sized(n_seeds=SETTINGS.n_seeds_noisy_growth, cost="1 GB, 2 min on one core")
def noisy_growth(times: Array, depth: int = 2, tilt: float = 1.0, *, n_seeds: int) -> Growth:
    """Aligned students of noisy data with teacher modes 6, 4 and 2; the first layer `tilt` times, the last 1/`tilt`."""
    return _grow(_noisy(n_seeds), times, depth, rtol=SETTINGS.sharp, tilt=tilt)


@sized(depths=SETTINGS.depths_deep_growth, cost="0.5 GB, 1 min on one core")
def deep_growth(times: Array, *, depths: Sequence[int]) -> list[Growth]:
    """The same for one data set and each of several numbers of weight matrices."""
    return [noisy_growth(times, depth, n_seeds=1) for depth in depths]


def _noisy(n_seeds: int) -> Array:
    return low_rank_teachers(50, 100, [6.0, 4.0, 2.0], seeds=range(n_seeds)).training


def _grow(data: Array, times: Array, depth: int, rtol: float, tilt: float = 1.0) -> Growth:
    layers = _aligned(data, depth)
    layers[0], layers[-1] = tilt * layers[0], layers[-1] / tilt
    watch = {"strength": observables.mode_strengths(data)}
    run = gradient_flow.integrate(layers, data, times, observe=watch, rtol=rtol)
    return Growth(times, spectra.singular_values(data)[:, 0], run.values["strength"][:, 0], depth)


def _aligned(data: Array, depth: int) -> list[torch.Tensor]:
    return students.aligned(data, 50, EPS, depth=depth, dtype=DOUBLE)


@sized(depths=SETTINGS.depths_off_diagonal, n_seeds=SETTINGS.n_seeds_off_diagonal, cost="1 GB, 2 min on one core")
def off_diagonal(times: Array, *, depths: Sequence[int], n_seeds: int) -> Array:
    """Largest entry off the diagonal of the student in the basis of the data, over times and seeds, for each depth."""
    data = _noisy(n_seeds)
    modes = spectra.svd(data)
    left, right = torch.as_tensor(modes.left), torch.as_tensor(modes.right)
    watch = {"matrix": lambda maps: left.mT.to(maps) @ maps @ right.to(maps)}
    off = 1 - np.eye(modes.values.shape[-1])
    largest = []
    for depth in depths:
        result = gradient_flow.integrate(_aligned(data, depth), data, times, observe=watch)
        largest.append(np.abs(result.values["matrix"] * off).max())
    return np.array(largest)


@sized(depths=SETTINGS.depths_imbalance_drift, n_seeds=SETTINGS.n_seeds_imbalance_drift, cost="1 GB, 8 min on one core")
def imbalance_drift(until: float = 5.0, *, depths: Sequence[int], n_seeds: int) -> Array:
    """Largest change of the imbalance of neighbouring layers, relative to the largest squared weight, for each depth.

    Students start with Gaussian weights; their inputs are 150 Gaussian examples, neither orthogonal nor white.
    """
    inputs = np.random.default_rng(0).normal(size=(100, 150)) / 10
    covariance, data = inputs @ inputs.T, _noisy(n_seeds)
    drift = []
    for depth in depths:
        start = students.gaussian(50, 100, 30, 0.05, range(n_seeds), depth=depth, dtype=DOUBLE)
        end = gradient_flow.integrate(start, data, [until], covariance=covariance, rtol=SETTINGS.sharp).layers
        before, after = (_imbalance([torch.as_tensor(layer).cpu() for layer in layers]) for layers in (start, end))
        moved = max(float((b - a).abs().max()) for a, b in zip(before, after, strict=True))
        drift.append(moved / max(float(np.abs(layer).max()) for layer in end) ** 2)
    return np.array(drift)


def _imbalance(layers: Sequence[torch.Tensor]) -> list[torch.Tensor]:
    return [above.mT @ above - below @ below.mT for below, above in pairwise(layers)]


def half_learned(growth: Growth) -> Array:
    """The mode that is half learned at each time, (time,), of the first seed.

    Between two modes the logit of the learned share is interpolated, which is nearly straight.
    """
    fronts = []
    for share in growth.share[0]:
        near = (share > 0.05) & (share < 0.95)
        logit = np.log(share[near] / (1 - share[near]))
        fronts.append(np.interp(0.0, logit[::-1], growth.modes[0, near][::-1]))
    return np.array(fronts)


def overtaken(growth: Growth) -> Array:
    """Number of places at each time where a mode is half learned and the next stronger one is not, (time,)."""
    return np.asarray(np.count_nonzero(np.diff((growth.share[0] > 0.5).astype(int), axis=-1) > 0, axis=-1))


def descend(modes: Array, rate: float, loss: str = "half", until: float = 12.0, every: int = 1) -> Descent:
    """Gradient descent of an aligned student on data with given modes and no noise, up to a time of the flow."""
    data = low_rank_teachers(50, 100, modes, seeds=[0], noise_scale=0).training
    watch, n_steps = {"strength": observables.mode_strengths(data, len(modes))}, round(until / rate)
    run = descent.descend(_aligned(data, 2), data, rate, n_steps, loss=loss, record_every=every, observe=watch)
    return Descent(rate, modes, run.times, run.values["strength"][0, 0], every)


@sized(rates=SETTINGS.rates, cost="0.2 GB, 15 s on one core")
def descents(modes: Array, *, rates: Sequence[float]) -> list[Descent]:
    """The same for several learning rates."""
    return [descend(modes, rate) for rate in rates]


def descent_end(mode: float, depth: int, rate: float, n_steps: int = 4000) -> float:
    """Strength of a single mode after many steps, from a start at nine tenths of its factors."""
    layers = [torch.full((1, 1, 1, 1), 0.9 * mode ** (1 / depth), dtype=DOUBLE)] * depth
    watch, data = {"s": observables.singular_values()}, torch.full((1, 1, 1, 1), mode, dtype=DOUBLE)
    run = descent.descend(layers, data, rate, n_steps, record_every=n_steps, observe=watch)
    return float(run.values["s"][0, 0, -1, 0])
