"""Experiments of the chapter on random labels: structure against noise of equal energy, dilution, shuffled digits."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part2.random_labels import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data import real
from mtlbook_lib.data.teachers import Teachers, low_rank_teachers
from mtlbook_lib.data.training import gaussian_labels, training_set
from mtlbook_lib.simulation import spectra
from mtlbook_lib.simulation.linear import students
from mtlbook_lib.simulation.linear.gradient_flow import integrate
from mtlbook_lib.simulation.linear.observables import relative_train_error
from mtlbook_lib.statistics import crossing_times
from mtlbook_lib.theory.linear_dynamics import mode_strength

STRENGTHS, EPS = np.array(SETTINGS.strengths), SETTINGS.eps
FINE_RANKS = (*SETTINGS.ranks[:10], 28, 30, 32, 34, 40, 50)


def fitted_error(times: Array, values: Array, eps: float = EPS) -> Array:
    """Relative training error of an aligned student on data with given singular values, shape (..., n_times)."""
    left = mode_strength(times[:, None], values[..., None, :], eps) - values[..., None, :]
    return np.asarray((left**2).sum(axis=-1) / (values**2).sum(axis=-1)[..., None])


def teachers_of_three(seeds: Sequence[int], noise_scale: float = 1.0) -> Teachers:
    """The teachers of the chapter: strengths 6, 4 and 2, 50 outputs and 100 inputs."""
    return low_rank_teachers(SETTINGS.outputs, SETTINGS.inputs, STRENGTHS, seeds=seeds, noise_scale=noise_scale)


def structured_and_random(teachers: Teachers) -> Array:
    """The data of teachers, and last along the second axis random labels of the energy of the first of them."""
    return np.concatenate([teachers.training, gaussian_labels(teachers)[:, :1]], axis=1)


@sized(n_seeds=SETTINGS.n_seeds_label_spectra, cost="4 GB, 2 min on one core")
def label_spectra(*, n_seeds: int) -> tuple[Array, Array]:
    """Singular values of structured data and of random labels, each of shape (seed, mode)."""
    values = spectra.singular_values(structured_and_random(teachers_of_three(range(n_seeds))))
    return values[:, 0], values[:, 1]


@dataclass(frozen=True)
class LabelTraining:
    """Training errors (seed, 2, time) of "aligned" and "random" students; structured data first, then random labels."""

    times: Array
    train: dict[str, Array]

    def reached(self, levels: Sequence[float]) -> dict[str, Array]:
        """For each student the times at which its error is down to each level, shape (seed, 2, level)."""
        return {
            name: np.stack([crossing_times(self.times, errors, level, falling=True) for level in levels], axis=-1)
            for name, errors in self.train.items()
        }

    def delay(self, levels: Sequence[float]) -> Array:
        """By how much random labels reach each level later, shape (seed, student, level)."""
        return np.stack([times[:, 1] - times[:, 0] for times in self.reached(levels).values()], axis=1)


@sized(n_seeds=SETTINGS.n_seeds_label_training, cost="6 GB, 4 min on one GPU")
def label_training(n_times: int = 161, *, n_seeds: int) -> LabelTraining:
    """Aligned and random students of 50 hidden units, trained on structured data and on random labels to time 8."""
    seeds = range(n_seeds)
    both = structured_and_random(teachers_of_three(seeds))
    times = np.linspace(0, 8, n_times)
    starts = {
        "aligned": students.aligned(both, SETTINGS.outputs, EPS),
        "random": students.orthogonal(SETTINGS.outputs, SETTINGS.inputs, SETTINGS.outputs, EPS, seeds, n_settings=2),
    }
    watch = {"train": relative_train_error(both)}
    runs = {name: integrate(w, both, times, rtol=1e-6, observe=watch) for name, w in starts.items()}
    return LabelTraining(times, {name: run.values["train"] for name, run in runs.items()})


def diluted_data(ranks: Sequence[int], seeds: Sequence[int]) -> Array:
    """Data of teachers that spread one energy over more and more equal modes; random labels last."""
    energy = float((STRENGTHS**2).sum())
    strengths = [[np.sqrt(energy / k)] * k + [0.0] * (SETTINGS.outputs - k) for k in ranks]
    return structured_and_random(low_rank_teachers(SETTINGS.outputs, SETTINGS.inputs, strengths, seeds=seeds))


@dataclass(frozen=True)
class Dilution:
    """Students of teachers of one energy and many ranks; the last entry of each second axis is of random labels.

    Singular values of the data, (seed, rank + 1, mode), and training errors, (seed, rank + 1, time).
    """

    ranks: tuple[int, ...]
    times: Array
    values: Array
    train: Array

    @property
    def head_start(self) -> Array:
        """By how much a tenth of the error is lost earlier than on random labels, shape (seed, rank)."""
        tenth = crossing_times(self.times, self.train, 0.9, falling=True)
        return np.asarray(tenth[:, -1:] - tenth[:, :-1])


@sized(n_seeds=SETTINGS.n_seeds_dilution_training, cost="20 GB, 10 min on one GPU")
def dilution_training(ranks: tuple[int, ...] = SETTINGS.ranks, *, n_seeds: int) -> Dilution:
    """Aligned students, trained from their layers, on teachers of each rank and on random labels."""
    data, times = diluted_data(ranks, range(n_seeds)), np.linspace(0, 6, 121)
    layers = students.aligned(data, SETTINGS.outputs, EPS)
    run = integrate(layers, data, times, rtol=1e-5, observe={"train": relative_train_error(data)})
    return Dilution(ranks, times, spectra.singular_values(data), run.values["train"])


@sized(n_seeds=SETTINGS.n_seeds_dilution_spectra, cost="9 GB, 4 min on one core")
def dilution_spectra(ranks: tuple[int, ...] = FINE_RANKS, *, n_seeds: int) -> Dilution:
    """The same from the singular values alone, which is as exact for aligned students, and cheap."""
    values = spectra.singular_values(diluted_data(ranks, range(n_seeds)))
    times = np.linspace(0, 3, 151)
    return Dilution(ranks, times, values, np.stack([fitted_error(times, one) for one in values]))


class DigitsTraining(NamedTuple):
    """Students of one hidden layer on whitened digits; the axis of two is true labels, then shuffled ones."""

    times: Array
    shape: tuple[int, int, int]  # numbers of images, of pixel directions and of class directions
    values: Array  # canonical correlations, (seed, 2, mode)
    train: dict[str, Array]  # training error of "aligned" and of "random" students, (seed, 2, time)
    left: dict[str, Array]  # share of its learnable part that is left


def _shuffled(inputs: Array, labels: Array, n_shuffles: int) -> Array:
    """Correlations of whitened inputs with true and with shuffled labels, shape (shuffle, 2, label, input)."""
    size = np.sqrt(inputs.shape[1] / len(inputs))
    shuffles = real.row_permutations(len(labels), seeds=range(n_shuffles))
    true, shuffled = (size * real.input_label_covariance(inputs, y) for y in (labels, labels[shuffles]))
    return np.stack([np.broadcast_to(true, shuffled.shape), shuffled], axis=1)


def _digits() -> tuple[Array, Array]:
    task = real.digits()
    return real.whiten(task.inputs), real.whiten(task.targets)


@sized(n_shuffles=SETTINGS.n_shuffles_digits_training, cost="3 GB, 4 min on one GPU")
def digits_training(n_times: int = 121, *, n_shuffles: int) -> DigitsTraining:
    """Aligned and random students of 30 hidden units on the digits."""
    pixels, classes = _digits()
    (n, d), k = pixels.shape, classes.shape[1]
    data, times = _shuffled(pixels, classes, n_shuffles), np.geomspace(1, 60, n_times)
    observe = {"train": relative_train_error(data, np.eye(d), float(k)), "left": relative_train_error(data)}
    starts = {
        "aligned": students.aligned(data, 30, EPS),
        "random": students.orthogonal(k, d, 30, EPS, range(n_shuffles), n_settings=2),
    }
    runs = {name: integrate(w, data, times, observe=observe).values for name, w in starts.items()}
    train, left = ({name: run[what] for name, run in runs.items()} for what in ("train", "left"))
    return DigitsTraining(times, (n, d, k), spectra.singular_values(data), train, left)


@sized(n_shuffles=SETTINGS.n_shuffles_shuffled_digits, cost="6 GB, 1 min on one core")
def shuffled_digits(times: Array, *, n_shuffles: int) -> Array:
    """Learnable part left of shuffled digits, aligned students, from the singular values; shape (shuffle, n_times)."""
    return fitted_error(times, spectra.singular_values(_shuffled(*_digits(), n_shuffles)[:, 1]))


@sized(n_seeds=SETTINGS.n_seeds_ratios_of_tops, cost="6 GB, 5 min on one core")
def ratios_of_tops(*, n_seeds: int) -> dict[int, float]:
    """Ratio of the mean largest singular values of structured data and of random labels, by number of examples."""
    ratios = {}
    for examples in (100, 400):
        drawn = training_set(teachers_of_three(range(n_seeds)), examples)
        spread = drawn.outputs.std(axis=(-2, -1), keepdims=True)
        labels = spread * np.random.default_rng(5).standard_normal(drawn.outputs.shape)
        noise_only = labels @ drawn.inputs[:, None].swapaxes(-1, -2)
        tops = [spectra.singular_values(x)[..., 0].mean() for x in (drawn.sigma31, noise_only)]
        ratios[examples] = tops[0] / tops[1]
    return ratios


def finished(noise_scale: float) -> tuple[float, float]:
    """Times at which aligned students are down to 0.01, on structured data and on random labels, of one teacher."""
    values = spectra.singular_values(structured_and_random(teachers_of_three([3], noise_scale)))[0]
    times = np.linspace(0, 60, 1201)
    structured, noise = crossing_times(times, fitted_error(times, values), 0.01, falling=True)
    return float(structured), float(noise)


@sized(n_shuffles=SETTINGS.n_shuffles_cancer_half_times, cost="1 GB, 1 min on one core")
def cancer_half_times(*, n_shuffles: int) -> tuple[Array, Array]:
    """On breast-cancer data: strengths of the true mode and of chance; half-times (shuffle, 2) of trained students."""
    cancer = real.breast_cancer()
    features, label = real.whiten(real.standardise(cancer.inputs)), real.whiten(cancer.targets)
    data, times = _shuffled(features, label, n_shuffles), np.geomspace(1, 60, 121)
    layers = students.aligned(data, 5, EPS)
    left = integrate(layers, data, times, observe={"left": relative_train_error(data)}).values["left"]
    strengths = np.array([np.linalg.norm(data[0, 0]), np.sqrt(features.shape[1] / len(label))])
    # Half of the strength leaves a quarter of the error.
    return strengths, crossing_times(times, left, 0.25, falling=True)
