"""The teachers of the chapter, its sizes, and what is measured of a trained network."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.data.sparse_tasks import sphere_inputs
from mtlbook_lib.data.two_tasks.relu_teachers import ReluTeacher, relu_teachers
from mtlbook_lib.simulation.shallow import Layers
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
