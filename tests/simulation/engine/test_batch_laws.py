"""A batch is a loop: in every trainer each network takes the course that it takes alone, to the same step."""

import numpy as np
import pytest
import torch
from _diagonal_tasks import X, Y, random_start
from _flow_tasks import MAP, TIMES, task

from mtlbook_lib.simulation import boundaries, convolution, diagonal_variants, logits, pooled, rank_one
from mtlbook_lib.simulation.diagonal import Weights, descend, equal_pathways, gradient_flow
from mtlbook_lib.simulation.engine import batches
from mtlbook_lib.simulation.linear import descent as linear
from mtlbook_lib.simulation.linear.gradient_flow import integrate
from mtlbook_lib.simulation.linear.shared_head import head_flow, head_networks
from mtlbook_lib.simulation.rectifier import descent as rectifier
from mtlbook_lib.simulation.shallow import Layers, random_layers
from mtlbook_lib.simulation.shallow import gradient_flow as shallow_flow
from mtlbook_lib.simulation.shared_modules import train_modules
from mtlbook_lib.simulation.sharing import train_shared
from mtlbook_lib.simulation.stopped_students import train_stopped
from mtlbook_lib.simulation.two_tasks.shared_features import train_features
from mtlbook_lib.simulation.two_tasks.worst_pairs import least_sine

RNG = np.random.default_rng(12)
SEEDS = np.array([3, 8, 11])
ROWS, OTHERS = RNG.standard_normal((3, 8, 4)), RNG.standard_normal((3, 11, 4))
LABELS, OTHER_LABELS = RNG.standard_normal((3, 8)), RNG.standard_normal((3, 11))
SIGNS = np.sign(LABELS)
MAPS = RNG.standard_normal((3, 3, 4))
HEADS = RNG.standard_normal((3, 2, 5, 4)) / 2, RNG.standard_normal((3, 2, 5))
EXAMPLES = RNG.standard_normal((2, 7, 6))
SQUARES = [x.swapaxes(1, 2) @ x for x in (ROWS, OTHERS)]
PRODUCTS = [(x.swapaxes(1, 2) @ y[..., None])[..., 0] for x, y in ((ROWS, LABELS), (OTHERS, OTHER_LABELS))]
MOMENTS = SQUARES[0], PRODUCTS[0], SQUARES[1], PRODUCTS[1]
PIXELS = [convolution.Images(RNG.standard_normal((3, n, 64)), RNG.integers(0, k, (3, n))) for n, k in ((4, 2), (6, 3))]


def diagonal(train, n_tasks):
    start = random_start(n_tasks, scale=0.3)
    xs, ys = [X, X[..., :3, :]][:n_tasks], [Y, -2 * Y[..., :3]][:n_tasks]

    def run(s, k):
        weights = Weights(*(w[s, k] for w in (start.u_plus, start.u_minus, start.v_plus, start.v_minus)))
        fits = train(weights, [x[s, k] for x in xs], [y[s, k] for y in ys], 1e-8)
        return fits.beta, fits.steps, fits.loss

    return run


def chains(s):
    fits = diagonal_variants.descend_chains(np.array([0.3, 0.5, 0.8])[s], 3, ROWS[s, :3], LABELS[s, :3], 1e-8)
    return fits.beta, fits.steps, fits.loss


def logistic(s):
    start = equal_pathways(0.1, 0.1, (len(SEEDS[s]), 1, 4))
    ends = diagonal_variants.logistic_flow(start, [ROWS[s, None, :3]], [SIGNS[s, None, :3]], [1.0, 5.0])
    return tuple(end.beta for end in ends)


def head(s, k):
    nets = head_networks(*(part[s, k] for part in HEADS))
    end, loss = head_flow(nets, ROWS[s, None], LABELS[s, None], 2.0)
    return end.features, end.head, loss


def shallow(s, k):
    start = random_layers(4, 8, SEEDS, 0.1, n_tasks=2)
    layers = Layers(*(np.concatenate([part, 2 * part], axis=1)[s, k] for part in (start.first, start.second)))
    fits = shallow_flow(layers, [ROWS[s, None], OTHERS[s, None]], [LABELS[s, None], OTHER_LABELS[s, None]], 0.3)
    return fits.steps, fits.layers.first, fits.layers.second


def angles(s):
    fit = boundaries.angle_losses(ROWS[s, :, :2], SIGNS[s])
    return fit.losses, fit.best_angles()


def shared(s, k):
    fits = train_shared(np.stack([ROWS, -2 * ROWS], 1)[k], np.stack([LABELS, SIGNS], 1)[k], 2, SEEDS[s], 300)
    return (fits.loss,)


def features(s, k):
    labels = [np.stack([y, y**2], axis=1)[s, k] for y in (LABELS, OTHER_LABELS)]
    fit = train_features([ROWS[s], OTHERS[s]], labels, 2, SEEDS[s], 20, True)
    return fit.shared, fit.heads


def modules(s):
    rows, labels = ROWS[s, :, None], np.stack([LABELS, SIGNS], axis=2)[s]
    fits = train_modules(rows, labels, rows, labels, 2, SEEDS[s], 60)
    return fits.scores(rows), fits.stopped


def stopped(s):
    tasks = [ROWS[s], OTHERS[s]], [(SIGNS[s] > 0) * 1.0, OTHER_LABELS[s]], [True, False]
    held = OTHERS[s, :5], (OTHER_LABELS[s, :5] > 0) * 1.0
    found = train_stopped(*tasks, *held, MAPS[s], 0.1 * MAPS[s, :, 0], 0.01, n_steps=40, every=10)
    return (found.outputs(OTHERS[s]),)


def convolved(s):
    nets = convolution.random_networks([2, 3], SEEDS[s])
    given = [convolution.Images(images.inputs[s], images.labels[s]) for images in PIXELS]
    fits = convolution.descend(nets, given, 0.3, dtype=torch.float64)
    return fits.steps, *fits.networks.trunk


def flow():
    layers, data, spread = task(3, n_settings=3)

    def run(s, k):
        result = integrate([w[s, k] for w in layers], data[s, k], TIMES, covariance=spread, observe=MAP)
        return result.values["map"], result.steps

    return run


def steps(s, k):
    layers, data, spread = task(2, n_settings=3)
    return linear.descend([w[s, k] for w in layers], data[s, k], 0.02, 30, covariance=spread).layers


def leaky(s, k):
    layers, data, _ = task(2, n_settings=3)
    inputs, targets = EXAMPLES[s], data @ EXAMPLES[:, None]
    return rectifier.descend([w[s, k] for w in layers], inputs, targets[s, k], 0.02, 40, leaky_output=True).layers


# A function of the networks that are trained, (seed, setting) or (seed,); how many there are; what may differ.
TRAINERS = {
    "diagonal, flow": (diagonal(gradient_flow, 1), (2, 3), 1e-9),
    "diagonal, flow of two tasks": (diagonal(gradient_flow, 2), (2, 3), 1e-6),
    "diagonal, descent": (diagonal(descend, 1), (2, 3), 1e-9),
    "diagonal, descent of two tasks": (diagonal(descend, 2), (2, 3), 1e-9),
    "chains": (chains, (3,), 1e-9),
    "logistic flow": (logistic, (3,), 1e-7),
    "linear, adaptive": (flow(), (2, 3), 1e-10),
    "linear, descent": (steps, (2, 3), 1e-11),
    "linear, one head": (head, (3, 2), 1e-9),
    "rectifier": (leaky, (2, 3), 1e-11),
    "shallow": (shallow, (3, 2), 1e-7),
    "convolution": (convolved, (3,), 1e-8),
    "shared modules": (modules, (3,), 1e-7),
    "stopped students": (stopped, (3,), 1e-7),
    "shared features": (features, (3, 2), 1e-7),
    "sharing": (shared, (3, 3), 1e-6),
    "boundaries": (angles, (3,), 1e-9),
    "worst pairs": (lambda s: (least_sine([10.0, 3.0, 1.0], 0.5, SEEDS[s], 50),), (3,), 1e-12),
    "pooled": (lambda s: pooled.pooled_models(*(part[s] for part in MOMENTS), 0.7), (3,), 1e-10),
    "weighted ridge": (
        lambda s: (pooled.weighted_ridge_models(*(part[s] for part in MOMENTS), 0.3, 1.0),),
        (3,),
        1e-12,
    ),
    "rank one": (lambda s: rank_one.rank_one_directions(*(part[s] for part in MOMENTS)), (3,), 1e-6),
    "maps": (lambda s, k: (logits.map_means(MAPS[k], SEEDS[s], 500).jacobian,), (3, 3), 1e-12),
    "Jacobians": (lambda s, k: (logits.mean_jacobians(MAPS[k], SEEDS[s], 500),), (3, 3), 1e-12),
    "norms": (lambda s, k: (logits.isotropic_means(np.arange(3.0)[k], 3, SEEDS[s], 500).participation,), (3, 3), 1e-12),
    "agreement": (lambda s, k: (logits.agreement(np.array([0.3, 0.8])[k], 3, SEEDS[s], 500),), (3, 2), 1e-12),
}


@pytest.mark.parametrize("name", TRAINERS)
def test_a_batch_is_a_loop(name, monkeypatch):
    run, sizes, accuracy = TRAINERS[name]
    monkeypatch.setattr(batches, "_CACHE_BYTES", 3000)  # a few networks at a time
    whole = run(*(slice(None) for _ in sizes))
    monkeypatch.undo()
    for place in {(0,) * len(sizes), tuple(size - 1 for size in sizes), tuple(min(i, 1) for i in range(len(sizes)))}:
        one = tuple(slice(i, i + 1) for i in place)
        for alone, together in zip(run(*one), whole, strict=True):
            assert alone.shape[: len(sizes)] == (1,) * len(sizes)
            np.testing.assert_allclose(alone, together[one], rtol=accuracy, atol=accuracy)
    for together in whole:
        assert together.shape[: len(sizes)] == sizes
    distinct = [part.reshape(-1, *part.shape[len(sizes) :]) for part in whole]
    assert any(not np.allclose(part[0], part[-1]) for part in distinct)
