"""One seed of everything: pretraining once, and all arms that are compared, batched over main tasks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.experiments.part6.relu_networks import tasks
from mtlbook_lib.experiments.part6.relu_networks.tasks import Problem
from mtlbook_lib.simulation.shallow import Fits, Layers, gradient_flow, random_layers


def pretrain(one: Problem) -> Fits:
    """A network trained on the auxiliary task, from small weights."""
    x, y = one.aux_data()
    start = random_layers(tasks.DIM, one.n_hidden, [one.seed], tasks.SMALL)
    return gradient_flow(start, [x], [y], tasks.TOLERANCE)


def single(one: Problem, n: int, scale: float = tasks.SMALL) -> Fits:
    """Each main task alone; large weights start mirrored, so that the network computes zero."""
    start = random_layers(tasks.DIM, one.n_hidden, [one.seed], scale, mirrored=scale > tasks.SMALL)
    x, y = one.data(n)
    return gradient_flow(start.of_settings(len(one.main)), [x], [y], tasks.TOLERANCE)


def joint(one: Problem, n: int) -> Fits:
    """Each main task together with the auxiliary one, which comes first."""
    start = random_layers(tasks.DIM, one.n_hidden, [one.seed], tasks.SMALL, n_tasks=2)
    (xa, ya), (x, y) = one.aux_data(), one.data(n)
    return gradient_flow(start.of_settings(len(one.main)), [xa, x], [ya, y], tasks.TOLERANCE)


def finetune(one: Problem, pretrained: Layers, n: int, factor: float = 1.0) -> Fits:
    """Each main task after pretraining: first layer times a factor, small new readout, all weights trained."""
    readout = random_layers(tasks.DIM, one.n_hidden, [one.seed], tasks.GAMMA, role="readout").second
    start = pretrained.rescaled(factor).with_readout(readout).of_settings(len(one.main))
    x, y = one.data(n)
    return gradient_flow(start, [x], [y], tasks.TOLERANCE)


def seed_cells(seed: int, n_hidden: int, n_aux: int) -> dict[str, Any]:
    """Everything that is kept of one seed with few examples of the main task; half a minute on one core.

    "single" and "joint" hold error, path norm, sum of path norms, half the squared weights and loss on their last axis,
    "finetuned" and "rescaled" error and loss, "starts" as "single"; axes before: (task, n), (factor, task, n),
    (start, teacher, n). "pretrained": error, path norm and loss of the auxiliary task. "kernel", "probed", and
    "kernel alone": errors.
    """
    one, nested = (tasks.problem(seed, n_hidden, n_aux, names) for names in (tasks.TASKS, tasks.NESTED))
    first = pretrain(one)

    def rescaled(factor: float) -> Array:
        return _over(lambda n: _short(nested, finetune(nested, first.layers, n, factor)), tasks.FEW)

    return {
        "pretrained": _aux_summary(one, first),
        **_compared(one, first.layers, tasks.FEW),
        "rescaled": np.stack([rescaled(factor) for factor in tasks.FACTORS]),
        **_alone(tasks.alone(seed, n_hidden)),
    }


def late_cells(seed: int, n_hidden: int, n_aux: int) -> dict[str, Any]:
    """The arms that are compared, on tasks of Fig. 3 b with the largest number of examples; ten seconds on one core."""
    one = tasks.problem(seed, n_hidden, n_aux, tasks.LATE)
    return _compared(one, pretrain(one).layers, (tasks.MANY,))


def wide_cells(seed: int, n_hidden: int) -> dict[str, Any]:
    """Fig. 1 c, d: "starts" and "kernel alone" for networks of another width; half a minute on one core."""
    return _alone(tasks.alone(seed, n_hidden))


def _compared(one: Problem, pretrained: Layers, sizes: Sequence[int]) -> dict[str, Array]:
    return {
        "single": _over(lambda n: _full(one, single(one, n)), sizes),
        "joint": _over(lambda n: _full(one, joint(one, n), 1), sizes),
        "finetuned": _over(lambda n: _short(one, finetune(one, pretrained, n)), sizes),
        "kernel": _over(one.kernel_errors, sizes),
        "probed": _over(lambda n: one.probed_errors(pretrained, n), sizes),
    }


def _alone(one: Problem) -> dict[str, Array]:
    def started(scale: float) -> Array:
        return _over(lambda n: _full(one, single(one, n, scale)), tasks.EXAMPLES)

    starts = np.stack([started(scale) for scale in (tasks.SMALL, tasks.LARGE)])
    return {"starts": starts, "kernel alone": _over(one.kernel_errors, tasks.EXAMPLES)}


def _over(measure: Callable[[int], Array], sizes: Sequence[int]) -> Array:
    """Measurements (task, ...) for several numbers of examples, stacked on a second axis."""
    return np.stack([measure(n) for n in sizes], axis=1)


def _full(one: Problem, fits: Fits, task: int = 0) -> Array:
    columns = one.network_errors(fits.layers, task)[:, None], tasks.norms(fits.layers), fits.loss[0][:, None]
    return np.concatenate(columns, axis=1)


def _short(one: Problem, fits: Fits) -> Array:
    return np.stack([one.network_errors(fits.layers), fits.loss[0]], axis=1)


def _aux_summary(one: Problem, fits: Fits) -> Array:
    own = replace(one, main=(one.aux,))
    return np.array([own.network_errors(fits.layers)[0], tasks.norms(fits.layers)[0, 0], fits.loss[0, 0]])
