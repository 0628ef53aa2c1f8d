"""Maps of the digit tasks: what training images, and the images held out, say about every task; what a student sees."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part3.real_tasks import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data import digit_tasks, real
from mtlbook_lib.data.digit_tasks import WhiteSet
from mtlbook_lib.methods.task_estimate import estimate_task, least_squares, white_inputs

Targets = Callable[[NDArray[np.int64]], Array]


@dataclass(frozen=True)
class TaskMaps:
    """Tasks on training images, one split after the other; k outputs, d inputs."""

    data: Array  # estimated map in units of the label noise, (split, task, k, d)
    unit: Array  # energy of a map that explains all variance of the labels, (split, task)
    residuals: Array  # what the regression leaves of the labels, (split, task, n, k)
    new: Array  # the map of the held-out images in the same units, free of the training noise, (split, task, k, d)
    spread: Array  # mean square of the held-out inputs, (split, d, d)
    cross: Array  # mean product of held-out labels and inputs, (split, task, k, d)

    @property
    def strength(self) -> Array:
        """Estimated strengths of tasks with one output, shape (split, task)."""
        return np.asarray(np.sqrt((self.data**2).sum((-2, -1)) - 1))


def inner(first: TaskMaps, second: TaskMaps, key: str = "data") -> Array:
    """Inner products of the rows of all pairs of tasks with one output, shape (split, A, B)."""
    a, b = (getattr(part, key)[:, :, 0] for part in (first, second))
    return np.asarray(a @ b.swapaxes(-1, -2))


def cosines(first: TaskMaps, second: TaskMaps) -> tuple[Array, Array]:
    """Similarities (split, A, B): estimated on the training images, and of the held-out maps."""
    estimated = inner(first, second) / (first.strength[:, :, None] * second.strength[:, None])
    norms = [np.linalg.norm(part.new[:, :, 0], axis=-1) for part in (first, second)]
    return np.clip(estimated, -1, 1), inner(first, second, "new") / (norms[0][:, :, None] * norms[1][:, None])


def noise_energy(part: TaskMaps) -> Array:
    """Energy of the noise in the data by the held-out map, mean over tasks, shape (split,); residuals put it at 1."""
    return np.asarray((part.data * (part.data - part.new)).sum((-2, -1)).mean(axis=1))


def residual_correlation(part: TaskMaps) -> Array:
    """Correlation of the label noise of all pairs of tasks on the same images, shape (split, task, task)."""
    residuals = part.residuals[..., 0]
    spare = residuals.shape[-1] - part.data.shape[-1] - 1
    return np.asarray(residuals @ residuals.swapaxes(-1, -2) / spare)


@sized(
    n_splits=SETTINGS.n_splits_digit_maps, cost="2 GB, 1 min on one core; 4 GB, 3 min with the benefits of all pairs"
)
def digit_maps(
    n_a: int,
    n_b: int,
    make: Targets = digit_tasks.yes_no_targets,
    stratified: bool = False,
    controls: bool = True,
    *,
    n_splits: int,
) -> dict[str, TaskMaps]:
    """The tasks on `n_a` images ("A"), on `n_b` others ("B"), on those turned ("turned") or with shuffled labels.

    All other images are held out; there are `n_splits` random splits. Targets (task, n, k) of the digits (n,) are made
    by `make`. Where `stratified`, every set gets the same share of each digit; `controls`, images turned and labels
    shuffled, may be left out.
    """
    runs = []
    for seed in range(n_splits):
        a, b, turned = digit_tasks.digit_split(n_a, n_b, seed, stratified=stratified)
        measured = {"A": _measure(a, make), "B": _measure(b, make)}
        if controls:
            order = np.random.default_rng(seed).permutation(n_b)
            measured |= {"turned": _measure(turned, make), "shuffled": _measure(b, make, order)}
        runs.append(measured)
    return _gather(runs)


@sized(n_splits=SETTINGS.n_splits_long_digit_maps, cost="2 GB, 1 min on one core")
def long_digit_maps(n_a: int, n_b: int, *, n_splits: int) -> dict[str, TaskMaps]:
    """Both sets of images, without controls, from more splits: for small differences."""
    return digit_maps(n_a, n_b, controls=False, n_splits=n_splits)


@sized(n_splits=SETTINGS.n_splits_teacher_maps, cost="1 GB, 1 min on one core")
def teacher_maps(n_a: int, n_b: int, *, n_splits: int) -> dict[str, TaskMaps]:
    """The same images, with labels of the held-out linear maps plus Gaussian noise of the same variance."""
    runs = []
    for seed in range(n_splits):
        rng = np.random.default_rng(seed)
        sets = digit_tasks.digit_split(n_a, n_b, seed)[:2]
        runs.append({name: _taught(part, rng) for name, part in zip("AB", sets, strict=True)})
    return _gather(runs)


@sized(n_splits=SETTINGS.n_splits_flipped_maps, cost="1 GB, 1 min on one core")
def flipped_maps(share: float, *, n_splits: int) -> dict[str, TaskMaps]:
    """Tasks on 100 clean images of A, and on 400 images of B with a share of the labels turned round at random."""
    runs = []
    for seed in range(n_splits):
        a, b, _ = digit_tasks.digit_split(100, 400, seed)
        y, y_new = (digit_tasks.yes_no_targets(labels) for labels in (b.labels, b.new_labels))
        flip = np.random.default_rng(seed).random(y.shape) < share
        runs.append({"A": _measure(a, digit_tasks.yes_no_targets), "B": _fit(b, np.where(flip, 1 - y, y), y_new)})
    return _gather(runs)


def _measure(part: WhiteSet, make: Targets, order: NDArray[np.int64] | slice = slice(None)) -> TaskMaps:
    return _fit(part, make(part.labels)[:, order], make(part.new_labels))


def _fit(part: WhiteSet, y: Array, new: Array) -> TaskMaps:
    """One split, from the labels of its training images and of those held out."""
    fit, x = estimate_task(part.inputs, y), part.new_inputs
    labels = np.sqrt(y.shape[1] / x.shape[1]) * (new - y.mean(axis=1, keepdims=True)) @ fit.noise_root
    return TaskMaps(
        data=fit.data,
        unit=fit.label_energy,
        residuals=fit.residuals,
        new=fit.map_of(x, new),
        spread=x.T @ x / len(x),
        cross=labels.swapaxes(-1, -2) @ x / len(x),
    )


def _taught(part: WhiteSet, rng: np.random.Generator) -> TaskMaps:
    x, y = part.new_inputs, digit_tasks.yes_no_targets(part.new_labels)
    w = least_squares(x, y)
    rest = y - y.mean(axis=1, keepdims=True) - (x - x.mean(axis=0)) @ w.swapaxes(-1, -2)
    noise = rng.standard_normal((len(w), len(part.labels), 1)) * rest.std(axis=1, keepdims=True)
    fit = estimate_task(part.inputs, part.inputs @ w.swapaxes(-1, -2) + noise)
    new, spread = np.sqrt(len(part.labels) / x.shape[1]) * fit.noise_root @ w, x.T @ x / len(x)
    return TaskMaps(fit.data, fit.label_energy, fit.residuals, new, spread, new @ spread)


def _gather(runs: Sequence[dict[str, TaskMaps]]) -> dict[str, TaskMaps]:
    """One array for each quantity of each set, splits along the first axis."""
    return {
        name: TaskMaps(*(np.stack([getattr(run[name], field.name) for run in runs]) for field in fields(TaskMaps)))
        for name in runs[0]
    }


def gallery(n: int = 360, n_axes: int = 40) -> dict[str, Array]:
    """The first image of each digit among the first `n`, each kind of shape (10, 64), scaled to its own range."""
    task = real.digits()
    images, first = task.inputs[:n], [int(np.argmax(task.labels[:n] == digit)) for digit in range(10)]
    frame = real.whitener(images)
    axes = frame.matrix[:, :n_axes] / np.linalg.norm(frame.matrix[:, :n_axes], axis=0)
    white = white_inputs(frame.apply(images)[:, :n_axes]) @ axes.T
    kinds = {"upright": images, "turned": digit_tasks.turn(images), "white": white}
    return {name: _scaled(rows[first]) for name, rows in kinds.items()}


def _scaled(rows: Array) -> Array:
    low, high = rows.min(axis=1, keepdims=True), rows.max(axis=1, keepdims=True)
    return np.asarray((rows - low) / (high - low))
