"""Experiments of the chapter on the number of examples: an exact map, a missing factor, and what leaks."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part2.how_many_examples import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.teachers import Teachers, low_rank_teachers
from mtlbook_lib.data.training import training_set
from mtlbook_lib.simulation import engine, spectra
from mtlbook_lib.simulation.linear import students
from mtlbook_lib.simulation.linear.aligned import mode_strengths
from mtlbook_lib.simulation.linear.gradient_flow import integrate
from mtlbook_lib.simulation.linear.observables import relative_test_error, singular_values, unseen_energy
from mtlbook_lib.statistics import mean_and_error
from mtlbook_lib.theory import marchenko_pastur
from mtlbook_lib.theory.linear_dynamics import mode_strength

N, EPS = SETTINGS.n, SETTINGS.eps
STRENGTHS = SETTINGS.strengths
EXACT = torch.float64
NUMBERS, KINDS = SETTINGS.numbers, ("orthonormal", "gaussian")
TIMES = np.concatenate([np.arange(0, 3, 0.1), np.arange(3, 8.01, 0.25)])
Cases = dict[int, tuple[float, ...]]
CASES: Cases = {25: (1.5, 3.0), 50: (1.5, 3.0, 10.0), 75: (1.5, 3.0), 100: (3.0,), 200: (3.0,), 400: (3.0,)}


def teachers_of(strengths: Sequence[float], n_seeds: int, n: int = N, noise_scale: float = 1.0) -> Teachers:
    """Teachers of rank one with `n` inputs and outputs, one setting for each strength."""
    return low_rank_teachers(n, n, np.array(strengths)[:, None], seeds=range(n_seeds), noise_scale=noise_scale)


@sized(n_seeds=SETTINGS.n_seeds_four_flows, cost="2 GB, 5 min on one GPU")
def four_flows(n: int = 60, *, n_seeds: int) -> dict[str, Array]:
    """Test errors (seed, strength, time) of random students with four examples for each input, by convention."""
    teachers = teachers_of((0.75, 1.5, 3.0), n_seeds, n)
    data, times = training_set(teachers, 4 * n), np.geomspace(0.1, 2.5, 80)

    def flow(eps: float, training: Array, speed: float, boost: float, covariance: Array | None = None) -> Array:
        layers = students.orthogonal(n, n, n, eps, teachers.seeds, n_settings=3, dtype=EXACT)
        observe = {"error": relative_test_error(boost * teachers.clean)}
        run = integrate(layers, training, speed * times, covariance=covariance, rtol=1e-6, observe=observe)
        return run.values["error"]

    return {
        "as they are": flow(EPS, data.sigma31, 1, 1, data.sigma11),
        "noise divided": flow(EPS, data.sigma31 / 4, 4, 1),
        "teacher boosted": flow(2 * EPS, data.sigma31 / 2, 2, 2),
        "counted twice": flow(EPS, data.sigma31 / 2, 4, 2),
    }


@sized(n_seeds=SETTINGS.n_seeds_mode_overlaps, cost="8 GB, 2 min on one core")
def mode_overlaps(strengths: Sequence[float], n: int = N, *, n_seeds: int) -> Array:
    """Overlap of the top data mode with the teacher's, half as many examples as inputs; shape (seed, strength)."""
    teachers = teachers_of(strengths, n_seeds, n)
    data = training_set(teachers, n // 2)  # orthonormal inputs: the modes of Y X^T are those of Y, half as large
    top = np.linalg.eigh(data.outputs.mT @ data.outputs)[1][..., -1:]
    left, right = data.outputs @ top, data.inputs[:, None] @ top
    overlaps = (left * teachers.left).sum((-2, -1)) * (right * teachers.right).sum((-2, -1))
    return np.asarray(np.abs(overlaps) / np.linalg.norm(left, axis=(-2, -1)))


@sized(n_seeds=SETTINGS.n_seeds_floors, cost="8 GB, 5 min on one GPU")
def floors(densities: Sequence[float], n: int = N, *, n_seeds: int) -> Array:
    """Late test error of aligned students of a teacher without noise, shape (seed, density)."""
    teachers = teachers_of((3.0,), n_seeds, n, noise_scale=0.0)
    late = [_errors(teachers, round(density * n), np.array([5.0]), _integrated) for density in densities]
    return np.concatenate(late, axis=1)[..., 0]


@dataclass(frozen=True)
class Curves:
    """Test errors of aligned students, by strength and number of examples, each of shape (seed, n_times)."""

    times: Array
    errors: dict[tuple[float, int], Array]

    def mean(self, strength: float, examples: int) -> tuple[Array, Array]:
        """Mean over seeds and its standard error."""
        return mean_and_error(self.errors[strength, examples])

    def deviation(self, theory: Array, strength: float, examples: int) -> float:
        """Largest distance of the mean from a theory, in logarithms of base 10."""
        return float(np.abs(np.log10(self.mean(strength, examples)[0] / theory)).max())


@sized(n_seeds=SETTINGS.n_seeds_learning_curves, cost="12 GB, 20 min on one GPU")
def learning_curves(cases: Cases | None = None, *, n_seeds: int) -> Curves:
    """Aligned students of a hundred units on teachers of the given strengths, for each number of examples."""
    errors: dict[tuple[float, int], Array] = {}
    for number, strengths in (CASES if cases is None else cases).items():
        values = _errors(teachers_of(strengths, n_seeds), number, TIMES, _integrated)
        errors.update({(s, number): values[:, k] for k, s in enumerate(strengths)})
    return Curves(TIMES, errors)


@sized(n_seeds=SETTINGS.n_seeds_mode_curves, cost="8 GB, 3 min on one core")
def mode_curves(strengths: Sequence[float], numbers: Sequence[int], n: int = N, *, n_seeds: int) -> Curves:
    """The same without training, for fewer examples than inputs: each mode by its law."""
    teachers = teachers_of(strengths, n_seeds, n)
    values = {number: _errors(teachers, number, TIMES, _by_law) for number in numbers}
    return Curves(TIMES, {(s, number): one[:, k] for number, one in values.items() for k, s in enumerate(strengths)})


def _integrated(modes: Array, times: Array, variance: float) -> Array:
    return mode_strengths(modes, times, EPS, variances=variance, rtol=1e-6)


def _by_law(modes: Array, times: Array, _: float) -> Array:
    return np.asarray(mode_strength(times[:, None], modes[..., None, :], EPS))


def _errors(teachers: Teachers, number: int, times: Array, grow: Callable[[Array, Array, float], Array]) -> Array:
    """Test errors (seed, strength, time) of aligned students, whose modes `grow`; without data the start's stay."""
    data, n = training_set(teachers, number), teachers.n_inputs
    few = number < n  # orthonormal inputs: the modes of Y X^T are those of Y
    modes = spectra.svd(data.outputs if few else data.sigma31)
    right = data.inputs[:, None] @ modes.right if few else modes.right
    shared, strength = ((modes.left.mT @ teachers.left) * (right.mT @ teachers.right))[..., 0], teachers.singular_values
    x = grow(modes.values, times, max(1.0, number / n))
    energy = (x**2).sum(-1) + max(0, n - number) * EPS**2
    return np.asarray(1 + energy / strength**2 - 2 * (x @ shared[..., None])[..., 0] / strength)


class Minima(NamedTuple):
    """Best early stopping of random students, by kind of inputs; arrays of shape (seed, number, strength).

    `captured` is the share of the teacher's input direction that lies in the span of the inputs.
    """

    numbers: Array
    n_inputs: int
    strengths: tuple[float, ...]
    least: dict[str, Array]
    stop: dict[str, Array]
    captured: dict[str, Array]

    @property
    def density(self) -> Array:
        """Examples for each input."""
        return self.numbers / self.n_inputs

    @property
    def excess(self) -> Array:
        """Least error with Gaussian inputs less that with orthonormal ones.

        Each kind captures its own share of a teacher. Both have the mean P/N, so that what a share more brings, the
        mean gain for each captured share, can be taken out: the mean stays, and draws scatter less.
        """
        shared, gaussian = KINDS
        covered = np.minimum(self.density, 1.0)[:, None]
        worth = (1 - self.least[shared].mean(axis=0)) / covered
        luck = self.captured[gaussian] - self.captured[shared]
        return np.asarray(self.least[gaussian] - self.least[shared] + worth * luck)


@sized(n_seeds=SETTINGS.n_seeds_minima, cost="12 GB, 40 min on one GPU")
def minima(numbers: Sequence[int] = NUMBERS, n: int = N, kinds: Sequence[str] = KINDS, *, n_seeds: int) -> Minima:
    """Random students with the same start in all settings of a seed, on inputs of several kinds."""
    teachers = teachers_of(STRENGTHS, n_seeds, n)
    layers = students.orthogonal(n, n, n, EPS, teachers.seeds, n_settings=len(STRENGTHS), dtype=torch.float32)
    observe = {"test_error": relative_test_error(teachers.clean)}

    def optimum(number: int, kind: str) -> engine.Minimum:
        data = training_set(teachers, number, kind)
        clock = np.geomspace(0.1, 5, 60)[:54] / np.sqrt(max(1.0, data.density))  # all minima come in two thirds of it
        return engine.best(integrate(layers, data.sigma31, clock, covariance=data.sigma11, rtol=3e-5, observe=observe))

    best = {kind: [optimum(number, kind) for number in numbers] for kind in kinds}
    least = {kind: np.stack([one.value for one in stops], axis=1) for kind, stops in best.items()}
    stop = {kind: np.stack([one.time for one in stops], axis=1) for kind, stops in best.items()}
    captured = {kind: np.stack([_captured(teachers, p, kind) for p in numbers], axis=1) for kind in kinds}
    return Minima(np.array(numbers), n, STRENGTHS, least, stop, captured)


def _captured(teachers: Teachers, number: int, kind: str) -> Array:
    """Squared length of the teachers' input directions within the span of the inputs, (seed, setting)."""
    span = np.linalg.qr(training_set(teachers, number, kind).inputs)[0]
    return np.asarray(((span.mT[:, None] @ teachers.right) ** 2).sum(axis=(-2, -1)))


@sized(n_seeds=SETTINGS.n_seeds_first_fall, cost="12 GB, 10 min on one GPU")
def first_fall(numbers: tuple[int, int] = (25, 50), n: int = N, *, n_seeds: int) -> Array:
    """Fall of the least error over the step that scatters most, orthonormal inputs, shape (seed, strength)."""
    fewer, more = minima(numbers, n, KINDS[:1], n_seeds=n_seeds).least[KINDS[0]].swapaxes(0, 1)
    return np.asarray(fewer - more)


@sized(n_seeds=SETTINGS.n_seeds_later_falls, cost="12 GB, 15 min on one GPU")
def later_falls(numbers: Sequence[int] = NUMBERS[1:5], n: int = N, *, n_seeds: int) -> Array:
    """Fall of the least error over the steps after the first, but for the large last, shape (seed, step, strength)."""
    least = minima(numbers, n, KINDS[:1], n_seeds=n_seeds).least[KINDS[0]]
    return np.asarray(least[:, :-1] - least[:, 1:])


class Leak(NamedTuple):
    """On directions without data: energies and bounds, arrays (seed, eps, n_times); `start`, (eps, 1), is the lower."""

    times: Array
    eps: Array
    energy: dict[str, Array]
    test_error: dict[str, Array]
    upper: Array
    start: Array


@sized(n_seeds=SETTINGS.n_seeds_leak, cost="3 GB, 10 min on one GPU")
def leak(n: int = 60, *, n_seeds: int) -> Leak:
    """Students of four initial scales, half as many examples as inputs; in double precision, whatever the runtime."""
    eps, times = np.array([1e-2, 1e-3, 1e-4, 1e-5]), np.linspace(0, 24, 25)
    teachers = teachers_of((3.0,) * eps.size, n_seeds, n)
    data = training_set(teachers, n // 2)
    training, covariance, unseen = data.sigma31, data.sigma11, unseen_energy(data.inputs[:, None])
    observe = {"energy": unseen, "strengths": singular_values(), "test_error": relative_test_error(teachers.clean)}
    layers = {
        "aligned": students.aligned(training, n, eps, dtype=EXACT),
        "random": students.orthogonal(n, n, n, eps, teachers.seeds, dtype=EXACT),
    }
    runs = {
        name: integrate(w, training, times, covariance=covariance, observe=observe).values for name, w in layers.items()
    }
    energy, errors = ({name: run[what] for name, run in runs.items()} for what in ("energy", "test_error"))
    upper = eps[:, None] * runs["random"]["strengths"].sum(-1)
    return Leak(times, eps, energy, errors, upper, (n - n // 2) * eps[:, None] ** 2)


class Ends(NamedTuple):
    """By number of examples: what training ends at, and without the teacher how many modes per unit of a grid."""

    n_inputs: int
    spectra: dict[int, Array]  # nonzero singular values
    grid: Array
    noise: dict[int, Array]


def ends(numbers: Sequence[int] = SETTINGS.slides) -> Ends:
    """One teacher of strength 3, and the law of noise."""
    maps = {p: training_set(low_rank_teachers(N, N, [3.0], seeds=[1]), p).sigma31[0, 0] for p in numbers}
    values = {p: spectra.singular_values(one)[: min(p, N)] / max(1, p / N) for p, one in maps.items()}
    grid, roots = np.linspace(0.005, 3.0, 300), {p: np.sqrt(max(1, p / N)) for p in numbers}
    laws = {p: np.asarray(marchenko_pastur.density(grid * root, min(1, p / N))) for p, root in roots.items()}
    return Ends(N, values, grid, {p: min(p, N) * roots[p] * law for p, law in laws.items()})


@sized(n_seeds=SETTINGS.n_seeds_least_squares, cost="2 GB, 3 min on one core")
def least_squares(strength: float, numbers: Sequence[int] = (50, 100, 200), *, n_seeds: int) -> Array:
    """Mean test error of the least-squares solution for each number of examples."""
    teachers, errors = low_rank_teachers(N, N, [strength], seeds=range(n_seeds)), []
    for number in numbers:
        data = training_set(teachers, number)
        solution = data.sigma31 @ np.linalg.pinv(data.sigma11, rcond=1e-9, hermitian=True)
        errors.append(((solution - teachers.clean) ** 2).sum((-2, -1)).mean() / strength**2)
    return np.array(errors)


@sized(n_seeds=SETTINGS.n_seeds_output_overlaps, cost="8 GB, 5 min on one core")
def output_overlaps(n_examples: int, n: int = 240, *, n_seeds: int) -> Array:
    """Overlap of the top data mode with the teacher's on the output side, a teacher of strength 2; shape (seed,)."""
    teachers = teachers_of((2.0,), n_seeds, n)
    modes = spectra.svd(training_set(teachers, n_examples).sigma31[:, 0])
    return np.asarray(np.abs((modes.left[..., 0] * teachers.left[:, 0, :, 0]).sum(-1)))


@sized(n_seeds=SETTINGS.n_seeds_start_inside, cost="2 GB, 2 min on one GPU")
def start_inside(n: int = 60, *, n_seeds: int) -> dict[str, tuple[float, float]]:
    """Least test error and late energy without data, of a random start and of one projected on the inputs' span."""
    teachers, ends = teachers_of((3.0,), n_seeds, n), {}
    data = training_set(teachers, n // 2)
    first, second = students.orthogonal(n, n, n, 0.1, teachers.seeds)
    observe = {"energy": unseen_energy(data.inputs[:, None]), "test_error": relative_test_error(teachers.clean)}
    for name, inner in {"plain": first, "projected": first @ engine.to_tensor(data.sigma11)}.items():
        run = integrate([inner, second], data.sigma31, np.linspace(0, 8, 81), covariance=data.sigma11, observe=observe)
        ends[name] = (float(engine.best(run).value.mean()), float(run.values["energy"][..., -1].mean()))
    return ends
