"""Experiments of the chapter on the spectrum of noise: noise against the law, its edge, and the digits."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigvalsh_tridiagonal
from scipy.sparse.linalg import eigsh

from mtlbook_lib._checks import Array
from mtlbook_lib._random import stream
from mtlbook_lib.chapters.part1.noise_spectrum import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data import real
from mtlbook_lib.data.teachers import low_rank_teachers
from mtlbook_lib.simulation import spectra
from mtlbook_lib.statistics import Arm, weighted_slope
from mtlbook_lib.theory import marchenko_pastur
from mtlbook_lib.theory.spiked import largest_noise_singular_value

_LARGE = 200  # rows from which one singular value is cheaper alone than with all others
SHAPES = {rows / columns: (rows, columns) for rows, columns in SETTINGS.shapes}


def noise_values(n_rows: int, n_columns: int, n_matrices: int) -> Array:
    """Singular values of Gaussian noise of variance 1/columns, shape (matrix, value)."""
    return spectra.singular_values(low_rank_teachers(n_rows, n_columns, [0.0], range(n_matrices)).training[:, 0])


@sized(n_seeds=SETTINGS.n_seeds, cost="1 GB, 30 s on one core")
def noise_spectra(*, n_seeds: int) -> dict[float, Array]:
    """Singular values of `n_seeds` matrices of pure noise for each aspect of ``SHAPES``."""
    return {aspect: noise_values(*shape, n_seeds) for aspect, shape in SHAPES.items()}


def tail_shares(noise: dict[float, Array]) -> Arm:
    """Shares of the rows beyond the points that cut the mass of the law into quarters, (seed, aspect, point)."""
    predicted = np.array([np.array([1, 2, 3]) / 4 * min(1, 1 / aspect) for aspect in noise])
    shares = []
    for (aspect, values), mass in zip(noise.items(), predicted, strict=True):
        points = marchenko_pastur.tail_quantile(mass, aspect)
        shares.append((values[..., None] > points).sum(axis=1) / SHAPES[aspect][0])
    return Arm(np.stack(shares, axis=1), predicted)


@dataclass(frozen=True)
class LargestValues:
    """The largest singular value of square noise: mean and standard deviation, measured and predicted, each (size,)."""

    sizes: NDArray[np.int64]
    count: NDArray[np.int64]
    mean: Array
    spread: Array
    predicted_mean: Array
    predicted_spread: Array

    @property
    def mean_error(self) -> Array:
        """Standard error of the mean."""
        return np.asarray(self.spread / np.sqrt(self.count))

    @property
    def spread_error(self) -> Array:
        """Standard error of the standard deviation of Gaussian draws."""
        return np.asarray(self.spread / np.sqrt(2 * (self.count - 1)))


@sized(n_rows_in_all=SETTINGS.n_rows_in_all, cost="3 GB, 20 min on one core")
def largest_values(sizes: tuple[int, ...] = SETTINGS.squares, *, n_rows_in_all: int) -> LargestValues:
    """Mean and spread of the largest value; a size N has `n_rows_in_all` / N matrices."""
    drawn = [_largest(n, n_rows_in_all // n) for n in sizes]
    predicted_mean, predicted_spread = np.transpose([largest_noise_singular_value(n, n) for n in sizes])
    return LargestValues(
        np.array(sizes),
        np.array([values.size for values in drawn]),
        np.array([values.mean() for values in drawn]),
        np.array([values.std(ddof=1) for values in drawn]),
        predicted_mean,
        predicted_spread,
    )


def _largest(size: int, n_matrices: int) -> Array:
    """The largest singular value of each matrix of square noise: of large ones by Lanczos' method, for that one."""
    if size < _LARGE:
        return noise_values(size, size, n_matrices)[:, 0]
    noise = low_rank_teachers(size, size, [0.0], range(n_matrices)).training[:, 0]
    start = np.ones(size)
    squares = [eigsh(matrix @ matrix.T, k=1, v0=start, tol=1e-12, return_eigenvectors=False)[0] for matrix in noise]
    return np.sqrt(squares)


@sized(n_rows_in_all=SETTINGS.n_bidiagonal_rows, cost="0.5 GB, 30 s on one core")
def edge_spreads(sizes: tuple[int, ...] = SETTINGS.squares, *, n_rows_in_all: int) -> tuple[Array, Array]:
    """Standard deviation of the largest value over that of the law, and its standard error, each (size,).

    A size N has `n_rows_in_all` / N bidiagonal matrices of chi variables, with the singular values of square noise.
    """
    tops = [_largest_of_bidiagonal(n, n_rows_in_all // n) for n in sizes]
    law = np.array([largest_noise_singular_value(n, n)[1] for n in sizes])
    ratio = np.array([top.std(ddof=1) for top in tops]) / law
    return ratio, ratio / np.sqrt([2 * (top.size - 1) for top in tops])


def _largest_of_bidiagonal(size: int, n_matrices: int) -> Array:
    freedom, draws = np.arange(size, 0, -1), stream(0, "bidiagonal noise", size)
    across = np.sqrt(draws.chisquare(freedom, (n_matrices, size)))
    above = np.sqrt(draws.chisquare(freedom[1:], (n_matrices, size - 1)))
    gram = across**2
    gram[:, 1:] += above**2
    beside = across[:, :-1] * above
    last = {"select": "i", "select_range": (size - 1, size - 1)}
    return np.sqrt(np.array([eigvalsh_tridiagonal(*rows, **last)[0] for rows in zip(gram, beside, strict=True)]) / size)


def edge_slopes(largest: LargestValues) -> tuple[float, float, float]:
    """Slope of the distance from the edge against the size, logarithms, its error, and the slope of the prediction."""
    below = 2 - largest.mean
    slope, error = weighted_slope(np.log(largest.sizes), np.log(below), largest.mean_error / below)
    predicted = np.polyfit(np.log(largest.sizes), np.log(2 - largest.predicted_mean), 1)[0]
    return slope, error, float(predicted)


class DigitsSpectra(NamedTuple):
    """Singular values of the input–label covariance of whitened digits, (9,), and by kind of noise, (draw, 9)."""

    aspect: float
    true: Array
    noise: dict[str, Array]


@sized(
    n_shuffles=SETTINGS.n_shuffles,
    n_random=SETTINGS.n_random,
    n_gaussian=SETTINGS.n_gaussian,
    cost="3 GB, 1 min on one core",
)
def digits_spectra(*, n_shuffles: int, n_random: int, n_gaussian: int) -> DigitsSpectra:
    """The digits with their own labels, with shuffled ones, and with noise in the place of labels or covariance."""
    task = real.digits()
    pixels, classes = real.whiten(task.inputs), real.whiten(task.targets)
    outputs, inputs = classes.shape[1], pixels.shape[1]

    def values(labels: Array) -> Array:
        return spectra.singular_values(real.input_label_covariance(pixels, labels))

    rng = np.random.default_rng(0)
    shuffles = real.row_permutations(len(classes), seeds=range(n_shuffles))
    noise = {
        "shuffled labels": values(classes[shuffles]),
        "random labels": np.array([values(real.whiten(rng.standard_normal(classes.shape))) for _ in range(n_random)]),
        "Gaussian matrices": noise_values(outputs, inputs, n_gaussian),
    }
    return DigitsSpectra(outputs / inputs, values(classes), noise)


@sized(n_seeds=SETTINGS.n_heavy, cost="4 GB, 3 min on one core")
def heavy_tails(*, n_seeds: int) -> dict[str, tuple[float, float]]:
    """For entries other than Gaussian: share of the values above the law's median, and mean of the largest value."""
    rng = np.random.default_rng(7)
    half = marchenko_pastur.tail_quantile(0.5, 1.0)

    def measure(entries: Array) -> tuple[float, float]:
        values = spectra.singular_values(entries / np.sqrt(entries.shape[-1]))
        return float((values > half).mean()), float(values[:, 0].mean())

    def student(repeats: int, n: int) -> Array:
        return np.asarray(rng.standard_t(3, size=(repeats, n, n)) / np.sqrt(3))

    return {
        "signs, 100 rows": measure(rng.choice([-1.0, 1.0], size=(n_seeds, 100, 100))),
        "t with 3 degrees, 100 rows": measure(student(n_seeds, 100)),
        "t with 3 degrees, 400 rows": measure(student(n_seeds // 4, 400)),
    }
