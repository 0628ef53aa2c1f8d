"""The teachers of the chapter, its sizes, and one seed of every arm, batched over main tasks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.data.sparse_tasks import sphere_inputs
from mtlbook_lib.data.two_tasks.relu_teachers import ReluTeacher, relu_teachers
from mtlbook_lib.simulation.shallow import Fits, Layers, gradient_flow, random_layers
from mtlbook_lib.theory.implicit_bias import kernel_interpolator, path_norm, tangent_kernel

DIM, N_TEST = 8, 2000
FEW, MANY = (8, 16, 32, 64), 128  # examples of the main task
EXAMPLES = (*FEW, MANY)
FEATURES, COSINE = 6, 0.9
SMALL, LARGE, GAMMA = 0.01, 1.0, 1e-3  # weights at the start, and of the new readout
TOLERANCE = 1e-7  # mean squared error at which training stops
# The main teachers: units, how many of them the auxiliary teacher has too, and how many correlate with one of its own.
MAIN = {
    "overlap 0": (6, 0, 0),
    "overlap 3": (6, 3, 0),
    "overlap 6": (6, 6, 0),
    "correlated": (6, 0, 6),
    "mixed": (6, 3, 3),
    "subset 1": (1, 1, 0),
    "subset 3": (3, 3, 0),
    "new 1": (1, 0, 0),
    "new 3": (3, 0, 0),
}
TASKS = tuple(MAIN)
LATE = TASKS[:3]  # those that are also learned from the largest number of examples
NESTED = ("subset 1", "subset 3", "overlap 6", "new 1")  # tasks of Fig. 3 f and g
FACTORS = tuple(10.0 ** np.linspace(-1, 1, 9))
TEACHERS = {"sparse": 6, "dense": 64}  # units of the teachers of Fig. 1


@dataclass(frozen=True)
class Problem:
    """Data of one seed, and the sizes: units of the networks that learn them, examples of the auxiliary task."""

    aux: ReluTeacher
    main: tuple[ReluTeacher, ...]
    seed: int
    n_hidden: int
    n_aux: int

    def aux_data(self) -> tuple[Array, Array]:
        """Inputs (1, 1, n, d) and labels (1, 1, n)."""
        x = sphere_inputs(DIM, self.n_aux, [self.seed], "aux")
        return x[:, None], self.aux.labels(x)[:, None]

    def data(self, n: int, role: str = "main") -> tuple[Array, Array]:
        """Inputs (1, 1, n, d) of the main tasks, which share them, and labels (1, task, n)."""
        x = sphere_inputs(DIM, n, [self.seed], role)
        return x[:, None], np.stack([teacher.labels(x) for teacher in self.main], axis=1)

    def errors(self, outputs: Array) -> Array:
        """Squared error on test inputs relative to that of predicting zero, (task,), from outputs (task, n)."""
        _, labels = self.data(N_TEST, "test")
        return np.asarray(((outputs - labels[0]) ** 2).mean(axis=-1) / (labels[0] ** 2).mean(axis=-1))

    def network_errors(self, layers: Layers, task: int = 0) -> Array:
        """Errors of networks with one seed and a setting for each main task."""
        x, _ = self.data(N_TEST, "test")
        return self.errors(layers.outputs(x)[0, :, task])

    def kernel_outputs(self, n: int) -> Array:
        """Outputs of the tangent kernel's interpolators on test inputs, (task, n)."""
        x, y = self.data(n)
        new, _ = self.data(N_TEST, "test")
        gram, cross = tangent_kernel(x[0, 0], x[0, 0]), tangent_kernel(new[0, 0], x[0, 0])
        return np.stack([kernel_interpolator(gram, labels, cross) for labels in y[0]])

    def kernel_errors(self, n: int) -> Array:
        """Their errors, (task,)."""
        return self.errors(self.kernel_outputs(n))

    def probed_errors(self, pretrained: Layers, n: int) -> Array:
        """Errors of the readout of least norm on pretrained features; least squares where n exceeds their number."""
        x, y = self.data(n)
        new, _ = self.data(N_TEST, "test")
        features, others = (np.maximum(rows[0, 0] @ pretrained.first[0, 0].T, 0) for rows in (x, new))
        return self.errors((others @ np.linalg.lstsq(features, y[0].T, rcond=None)[0]).T)


def problem(seed: int, n_hidden: int, n_aux: int, tasks: tuple[str, ...] = TASKS) -> Problem:
    """The auxiliary teacher of a seed, and main ones by their names in MAIN."""
    pairs = [relu_teachers(DIM, FEATURES, *MAIN[name], COSINE, [seed]) for name in tasks]
    return Problem(pairs[0][0], tuple(main for _, main in pairs), seed, n_hidden, n_aux)


def alone(seed: int, n_hidden: int) -> Problem:
    """Main teachers with few and with many units, which are learned alone."""
    pairs = [relu_teachers(DIM, FEATURES, k, 0, 0, COSINE, [seed]) for k in TEACHERS.values()]
    return Problem(pairs[0][0], tuple(main for _, main in pairs), seed, n_hidden, 1)


def norms(layers: Layers) -> Array:
    """Path norm, sum of the path norms of the outputs, and half the squared weights, (setting, 3), of one seed."""
    half = layers.squared_norm[0] / 2
    return np.array([
        [path_norm(first, second.T), sum(path_norm(first, one) for one in second), half[i]]
        for i, (first, second) in enumerate(zip(layers.first[0], layers.second[0], strict=True))
    ])  # fmt: skip


def pretrain(one: Problem) -> Fits:
    """A network trained on the auxiliary task, from small weights."""
    x, y = one.aux_data()
    start = random_layers(DIM, one.n_hidden, [one.seed], SMALL)
    return gradient_flow(start, [x], [y], TOLERANCE)


def single(one: Problem, n: int, scale: float = SMALL) -> Fits:
    """Each main task alone; large weights start mirrored, so that the network computes zero."""
    start = random_layers(DIM, one.n_hidden, [one.seed], scale, mirrored=scale > SMALL)
    x, y = one.data(n)
    return gradient_flow(start.of_settings(len(one.main)), [x], [y], TOLERANCE)


def joint(one: Problem, n: int) -> Fits:
    """Each main task together with the auxiliary one, which comes first."""
    start = random_layers(DIM, one.n_hidden, [one.seed], SMALL, n_tasks=2)
    (xa, ya), (x, y) = one.aux_data(), one.data(n)
    return gradient_flow(start.of_settings(len(one.main)), [xa, x], [ya, y], TOLERANCE)


def finetune(one: Problem, pretrained: Layers, n: int, factor: float = 1.0) -> Fits:
    """Each main task after pretraining: first layer times a factor, small new readout, all weights trained."""
    readout = random_layers(DIM, one.n_hidden, [one.seed], GAMMA, role="readout").second
    start = pretrained.rescaled(factor).with_readout(readout).of_settings(len(one.main))
    x, y = one.data(n)
    return gradient_flow(start, [x], [y], TOLERANCE)


def seed_cells(seed: int, n_hidden: int, n_aux: int) -> dict[str, Any]:
    """Everything that is kept of one seed with few examples of the main task; half a minute on one core.

    "single" and "joint" hold error, path norm, sum of path norms, half the squared weights and loss on their last axis,
    "finetuned" and "rescaled" error and loss, "starts" as "single"; axes before: (task, n), (factor, task, n),
    (start, teacher, n). "pretrained": error, path norm and loss of the auxiliary task. "kernel", "probed", and
    "kernel alone": errors.
    """
    one, nested = (problem(seed, n_hidden, n_aux, names) for names in (TASKS, NESTED))
    first = pretrain(one)

    def rescaled(factor: float) -> Array:
        return _over(lambda n: _short(nested, finetune(nested, first.layers, n, factor)), FEW)

    return {
        "pretrained": _aux_summary(one, first),
        **_compared(one, first.layers, FEW),
        "rescaled": np.stack([rescaled(factor) for factor in FACTORS]),
        **_alone(alone(seed, n_hidden)),
    }


def late_cells(seed: int, n_hidden: int, n_aux: int) -> dict[str, Any]:
    """The arms that are compared, on tasks of Fig. 3 b with the largest number of examples; ten seconds on one core."""
    one = problem(seed, n_hidden, n_aux, LATE)
    return _compared(one, pretrain(one).layers, (MANY,))


def wide_cells(seed: int, n_hidden: int) -> dict[str, Any]:
    """Fig. 1 c, d: "starts" and "kernel alone" for networks of another width; half a minute on one core."""
    return _alone(alone(seed, n_hidden))


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
        return _over(lambda n: _full(one, single(one, n, scale)), EXAMPLES)

    starts = np.stack([started(scale) for scale in (SMALL, LARGE)])
    return {"starts": starts, "kernel alone": _over(one.kernel_errors, EXAMPLES)}


def _over(measure: Callable[[int], Array], sizes: Sequence[int]) -> Array:
    """Measurements (task, ...) for several numbers of examples, stacked on a second axis."""
    return np.stack([measure(n) for n in sizes], axis=1)


def _full(one: Problem, fits: Fits, task: int = 0) -> Array:
    columns = one.network_errors(fits.layers, task)[:, None], norms(fits.layers), fits.loss[0][:, None]
    return np.concatenate(columns, axis=1)


def _short(one: Problem, fits: Fits) -> Array:
    return np.stack([one.network_errors(fits.layers), fits.loss[0]], axis=1)


def _aux_summary(one: Problem, fits: Fits) -> Array:
    own = replace(one, main=(one.aux,))
    return np.array([own.network_errors(fits.layers)[0], norms(fits.layers)[0, 0], fits.loss[0, 0]])
