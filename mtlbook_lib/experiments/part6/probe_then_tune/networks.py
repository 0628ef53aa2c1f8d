"""Networks that are probed and then tuned, and what the formulas say about each of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.data.sparse_tasks import sparse_teachers, sphere_inputs
from mtlbook_lib.experiments.part6._distance import relative
from mtlbook_lib.experiments.part6.probe_then_tune.courses import ALPHA, FEATURES, GAMMA, problems
from mtlbook_lib.experiments.sizes import sized
from mtlbook_lib.simulation.diagonal import Weights, equal_pathways, gradient_flow, sampled_flow, start_from
from mtlbook_lib.theory.implicit_bias import probed_start, probed_width, probing_path
from mtlbook_lib.theory.interpolation import min_penalty

NETWORK_TIMES = np.array([0.0, 1e3, 1e4])
_SMALL = 200  # inputs of the networks that are pretrained as well


@dataclass(frozen=True)
class Networks:
    """Networks after probing for each of some times and tuning then; all arrays (seed, time).

    Attributes
    ----------
    error : ndarray
        Error of the networks, relative to predicting zero.
    to_exact, to_plain : ndarray
        Relative distance to the minimiser with width and start after probing, and with those before.
    readout : ndarray
        Largest deviation of a readout after probing from the formula's, relative to the largest readout.
    """

    error: Array
    to_exact: Array
    to_plain: Array
    readout: Array


@sized(quick={"n_seeds": 3}, paper={"n_seeds": 36}, large={"n_seeds": 2000}, large_cost="4 GB, 10 min on one core")
def networks(overlap: int, n_examples: int, *, n_seeds: int) -> Networks:
    """Networks of 500 inputs that begin with the first layer that ideal pretraining leaves; ``NETWORK_TIMES``."""
    given = problems(overlap, n_examples, range(n_seeds))
    plus, minus = (np.array([one.layer[side] for one in given])[:, None] for side in (0, 1))
    reset = np.full((n_seeds, 1, 1, plus.shape[-1]), GAMMA)
    weights = start_from(plus, minus, reset, reset)
    data = np.array([one.x for one in given]), np.array([one.main for one in given])
    return _trained(weights, *data, NETWORK_TIMES)


@sized(quick={"n_seeds": 3}, paper={"n_seeds": 12}, large={"n_seeds": 200}, large_cost="2 GB, 5 min on one core")
def trained_throughout(overlap: int, n_examples: int, times: Array, *, n_seeds: int) -> Networks:
    """Networks of 200 inputs that are pretrained on 240 examples, probed and tuned."""
    seeds = range(n_seeds)
    teachers = sparse_teachers(_SMALL, FEATURES, FEATURES, overlap, seeds)
    x = sphere_inputs(_SMALL, 240, seeds, "aux")
    start = equal_pathways(ALPHA, ALPHA, (n_seeds, 1, _SMALL))
    fits = gradient_flow(start, [x[:, None]], [(x @ teachers.aux[..., None])[:, None, :, 0]], tolerance=1e-10)
    weights = fits.finished().weights.with_readout(GAMMA)
    return _trained(weights, sphere_inputs(_SMALL, n_examples, seeds), teachers.main, times)


def _trained(weights: Weights, x: Array, main: Array, times: Array) -> Networks:
    y = (x @ main[..., None])[..., 0]
    probed, _ = sampled_flow(weights, [x[:, None]], [y[:, None]], times, rtol=1e-6, layers="readout")
    columns = [_compared(weights, state, x, y, main, time) for state, time in zip(probed, times, strict=True)]
    error, exact, plain, readout = np.moveaxis(np.array(columns), 0, -1)
    return Networks(error, exact, plain, readout)


def _compared(weights: Weights, probed: Weights, x: Array, y: Array, main: Array, time: float) -> Array:
    """Error, distances and deviation of the readout of networks probed for one time, (4, seed)."""
    beta = gradient_flow(probed, [x[:, None]], [y[:, None]], tolerance=1e-10).finished().beta[:, 0, 0]
    rows = []
    for seed, (inputs, labels) in enumerate(zip(x, y, strict=True)):
        layer = weights.u_plus[seed, 0], weights.u_minus[seed, 0], GAMMA
        path = probing_path(inputs, labels, *layer, time)
        exact, plain = (
            min_penalty(inputs, labels, probed_width(*layer, g), probed_start(*layer, g)) for g in (path, 0 * path)
        )
        readouts = probed.v_plus[seed, 0, 0], probed.v_minus[seed, 0, 0]
        expected = GAMMA + layer[0] * path, GAMMA - layer[1] * path
        rows.append([
            ((beta[seed] - main[seed]) ** 2).sum() / (main[seed] ** 2).sum(),
            relative(beta[seed], exact),
            relative(beta[seed], plain),
            np.abs(np.subtract(readouts, expected)).max() / np.abs(expected).max(),
        ])  # fmt: skip
    return np.transpose(rows)
