"""How wide a shared module should be: ten digit tasks on linear, fully connected and convolutional modules."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib._random import stream
from mtlbook_lib.chapters.part5.capacity import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.chapters.stored_results import read, spot_check, sweep_to_lists
from mtlbook_lib.chapters.sweep import combinations
from mtlbook_lib.data.real import digits, standardiser
from mtlbook_lib.data.scores import area_under_curve
from mtlbook_lib.data.teachers import low_rank_teachers
from mtlbook_lib.simulation import spectra
from mtlbook_lib.simulation.shared_modules import ModuleFits, refit_heads, train_modules
from mtlbook_lib.statistics import mean_and_error
from mtlbook_lib.theory.truncation import truncation_error

FILE = "part5/capacity/capacity.json"
MODULES = ("linear", "perceptron", "convolution")
SHARES = SETTINGS.shares
SHARED, APART = SETTINGS.shared, SETTINGS.apart
N_TRAIN, N_HELD, N_NOISY, N_STEPS = SETTINGS.n_train, SETTINGS.n_held, SETTINGS.n_noisy, SETTINGS.n_steps
# Linear modules differ least and are trained fastest; convolutions differ most and take longest.
N_BLOCKS = {"linear": 16, "perceptron": 9, "convolution": 5}
N_TASKS, N_INPUTS = SETTINGS.n_tasks, SETTINGS.n_inputs
STRENGTHS, CAPACITIES = SETTINGS.strengths, range(9)  # of the tasks' common directions
N_CHOOSING = SETTINGS.n_choosing


def noisy_tasks(splits: Iterable[int]) -> Array:
    """Which tasks have random labels, (split, digit): three, that move on by one digit from split to split."""
    return np.array([np.isin(np.arange(10), (split + np.arange(N_NOISY)) % 10) for split in splits])


def windows(images: Array) -> Array:
    """Windows of 4 × 4 pixels at every second place of images (n, 64): (n, 9, 16), in units of the ink's range."""
    square = images.reshape(-1, 8, 8) / 16 - 0.5
    views = np.lib.stride_tricks.sliding_window_view(square, (4, 4), axis=(1, 2))[:, ::2, ::2]
    return views.reshape(len(images), 9, 16)


def drawn(module: str, share: float, splits: Iterable[int]) -> tuple[list[Array], Array]:
    """Inputs and labels for training and for choosing its end, inputs of the test, and its clean labels.

    All have the leading axis split. Labels are centred and of unit variance on the training images; random labels are
    those of other images, in training and choosing alike.
    """
    task, draws, tests = digits(), [], []
    for split, noisy in zip(splits, noisy_tasks(splits), strict=True):
        rng = stream(split, "capacity of modules")
        parts = np.split(rng.permutation(len(task.labels)), [N_TRAIN, N_TRAIN + N_HELD])
        targets = task.targets.copy()
        for column, rows in product(np.flatnonzero(noisy), parts[:2]):
            drawn = rng.permutation(rows)[: round(share * len(rows))]
            targets[drawn, column] = targets[rng.permutation(drawn), column]
        if module == "convolution":
            inputs = windows(task.inputs)
        else:
            pixels = standardiser(task.inputs[parts[0]]).apply(task.inputs)
            # Constant pixels are dropped, not the same number in all splits: zeros stand for them.
            inputs = np.pad(pixels, ((0, 0), (0, 64 - pixels.shape[1])))[:, None]
        mean, spread = targets[parts[0]].mean(axis=0), targets[parts[0]].std(axis=0)
        labels = (targets - mean) / spread
        draws.append((inputs[parts[0]], labels[parts[0]], inputs[parts[1]], labels[parts[1]], inputs[parts[2]]))
        tests.append(task.targets[parts[2]])
    return [np.stack(part) for part in zip(*draws, strict=True)], np.stack(tests)


def fit(module: str, data: list[Array], width: int, splits: Iterable[int], apart: bool) -> ModuleFits:
    """Train the modules of one width, one for all tasks or one for each, a network a split."""
    x, y, held_x, held_y = data[:4]
    return train_modules(x, y, held_x, held_y, width, splits, N_STEPS, rectified=module != "linear", apart=apart)


def areas(fits: ModuleFits, inputs: Array, labels: Array) -> Array:
    """Area under the curve of each task on the test images, (split, digit)."""
    return area_under_curve(fits.scores(inputs).swapaxes(-1, -2), labels.swapaxes(-1, -2))


def width_cells(module: str, share: float, block: int) -> dict[str, Array]:
    """Areas at all widths, (width, split, digit), of shared modules and of those apart, for one block of splits."""
    splits = range(SETTINGS.block * block, SETTINGS.block * (block + 1))
    data, labels = drawn(module, share, splits)
    scores = {}
    for name, widths in (("shared", SHARED), ("apart", APART)):
        fits = (fit(module, data, width, splits, name == "apart") for width in widths)
        scores[name] = np.stack([areas(one, data[4], labels) for one in fits])
    return scores


@sized(n_seeds=SETTINGS.n_seeds, cost="2 GB, 2 min on one GPU")
def drawn_errors(strengths: Sequence[float], noise: float, *, n_seeds: int) -> Array:
    """Squared error of 30 tasks' models, all together, at capacities 0 to 8, (seed, capacity).

    The tasks have common directions of these strengths and white inputs. The best shared layer is a truncated singular
    value decomposition of the single models, whose noise has entries of variance noise²/inputs.
    """
    teachers = low_rank_teachers(N_TASKS, N_INPUTS, [strengths], range(n_seeds), noise_scale=noise)
    modes, clean = spectra.svd(teachers.training[:, 0]), teachers.clean[:, 0]
    return np.stack([((modes.truncated(r) - clean) ** 2).sum(axis=(1, 2)) for r in CAPACITIES], axis=1)


def law(strengths: Sequence[float], noise: float) -> Array:
    """Error of the truncated map in the limit of large matrices, (capacity,)."""
    s = np.asarray(strengths) / noise
    return np.array([noise**2 * truncation_error(s, r, N_TASKS / N_INPUTS) for r in CAPACITIES])


@sized(n_starts=SETTINGS.n_starts, cost="1 GB, 1 min on one GPU")
def three_points(width: int, *, n_starts: int) -> tuple[float, float]:
    r"""The tasks :math:`\max(0, x)` and :math:`|x|` at -1, 0 and 1: sums of squared errors, the least over starts.

    Of networks with so many rectified units for each task, put side by side, and of one with as many in all.
    """
    x, y = np.array([[-1.0], [0.0], [1.0]])[:, None], np.array([[0.0, 1.0], [0.0, 0.0], [1.0, 1.0]])
    inputs, labels = (np.tile(part, (n_starts, *[1] * part.ndim)) for part in (x, y))
    losses = [
        train_modules(inputs, labels, inputs, labels, units, range(n_starts), 1000, apart=apart).losses
        for units, apart in ((width, True), (2 * width, False))
    ]
    return float(3 * losses[0].min(axis=0).sum()), float(3 * losses[1].sum(axis=1).min())


@sized(n_splits=SETTINGS.n_splits, cost="2 GB, 2 min on one GPU")
def stacked_digits(module: str, width: int, *, n_splits: int) -> tuple[Array, Array]:
    """Training losses of ten digit tasks on single networks put side by side: as trained, with new heads, (split,)."""
    data, _ = drawn(module, 0.0, range(n_splits))
    fits = fit(module, data, width, range(n_splits), apart=True)
    stacked, refitted = refit_heads(fits, data[0], data[1])
    return stacked.mean(axis=1), refitted.mean(axis=1)


@dataclass(frozen=True)
class Widths:
    """Areas under the curve of one module for all ten tasks, at the widths `SHARED`, (width, split, digit).

    `apart` is that of a module for each task, at the widths `APART` of each. The first splits choose the best widths;
    curves and comparisons take the others only.
    """

    shared: Array
    apart: Array

    def curves(self) -> dict[str, tuple[Array, Array]]:
        """Mean over tasks and its standard error over the judging splits, "shared" and "apart", each (width,)."""
        scores = {"shared": self.shared, "apart": self.apart}
        return {name: mean_and_error(areas[:, N_CHOOSING:].mean(axis=-1).T) for name, areas in scores.items()}

    @cached_property
    def best(self) -> int:
        """Width of the shared module with the largest mean on the choosing splits."""
        return SHARED[int(self._choosing(self.shared).mean(axis=-1).argmax())]

    @cached_property
    def best_narrower(self) -> int:
        """The same among all widths but the largest."""
        return SHARED[int(self._choosing(self.shared)[:-1].mean(axis=-1).argmax())]

    @cached_property
    def best_apart(self) -> Array:
        """Width of each task's own module with the largest mean on the choosing splits, (digit,)."""
        return np.asarray(np.array(APART)[self._choosing(self.apart).argmax(axis=0)])

    @property
    def total(self) -> int:
        """Units of the best modules apart together."""
        return int(self.best_apart.sum())

    def of_shared(self, width: int) -> Array:
        """Mean area over tasks of the shared module of this width, on the judging splits."""
        return np.asarray(self.shared[SHARED.index(width), N_CHOOSING:].mean(axis=-1))

    def of_apart(self, widths: Array) -> Array:
        """Mean area over tasks of modules apart of these widths, (digit,), on the judging splits."""
        places = np.searchsorted(APART, widths)
        return np.asarray(self.apart[places, N_CHOOSING:, np.arange(10)].mean(axis=0))

    def over_largest(self) -> tuple[Array, Array]:
        """Mean area at every width less that at the largest, with a paired error, (width,)."""
        means = self.shared[:, N_CHOOSING:].mean(axis=-1)
        return mean_and_error((means - means[-1]).T)

    def peaks(self) -> float:
        """Share of single judging splits whose own best width is neither the least nor the largest."""
        places = self.shared[:, N_CHOOSING:].mean(axis=-1).argmax(axis=0)
        return float(np.mean((places > 0) & (places < len(SHARED) - 1)))

    def _choosing(self, areas: Array) -> Array:
        """Means over the choosing splits, (width, digit)."""
        return np.asarray(areas[:, :N_CHOOSING].mean(axis=1))


@sized(file=FILE, minutes=10)
def compute_stored(folder: Path) -> dict[str, Any]:
    """Train everything that is kept, or what a former call left undone; ten minutes on one core."""
    kept = {}
    for module, share in product(MODULES, SHARES):
        blocks = combinations(module=[module], share=[share], block=range(N_BLOCKS[module]))
        kept[f"{module} {share:g}"] = sweep_to_lists(width_cells, blocks, folder, 4, along=1)
    return {"shared": SHARED, "apart": APART, "areas": kept}


def stored_widths(module: str, share: float) -> Widths:
    """Areas under the curve of one module, with a share of random labels in three tasks of each split."""
    return Widths(**read(FILE, "areas", f"{module} {share:g}"))


@spot_check(FILE, 2e-3, module=MODULES, share=SHARES, width=range(8), own=range(3), split=range(50))
def recomputed(module: str, share: float, width: int, own: int, split: int) -> tuple[Array, Array]:
    """Areas of one split: both kinds at one width each, ten tasks each."""
    data, labels = drawn(module, share, range(split, split + 1))
    kept, now = stored_widths(module, share), []
    for units, apart in ((SHARED[width], False), (APART[own], True)):
        now.append(areas(fit(module, data, units, range(split, split + 1), apart), data[4], labels)[0])
    return np.stack(now), np.stack([kept.shared[width, split], kept.apart[own, split]])
