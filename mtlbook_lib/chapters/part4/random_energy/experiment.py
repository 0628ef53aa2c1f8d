"""The softmax random-energy model: drawn logits, exact integrals, and the closed forms of the model."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part4.random_energy import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.simulation import logits
from mtlbook_lib.statistics import Curve, mean_and_error
from mtlbook_lib.theory.softmax import (
    calibrated_gain,
    interpolated_gain,
    isotropic_curves,
    isotropic_gain,
    isotropic_log_partition,
    isotropic_participation,
    rem_critical_norm,
    rem_gain,
    rem_log_partition,
)

CLASSES = SETTINGS.classes
AROUND = np.array(SETTINGS.around)
NORMS = np.array(SETTINGS.norms)
CLOSED_FORMS: dict[str, Callable[[Array, int], float | Array]] = {
    "REM": rem_gain,
    "calibrated": calibrated_gain,
    "interpolated": interpolated_gain,
}

_FEW = 20  # norms; for more of them interpolants of the exact gain are faster, and as good to a relative 1e-13


@dataclass(frozen=True)
class Drawn:
    """Simulated means over k independent logits, each with its standard error, of shape (norm,)."""

    norms: Array
    log_partition: Curve  # logarithm of the softmax's denominator (nats)
    participation: Curve  # sum of squared probabilities
    gain: Curve  # slope of the log partition function in units of (k - 1) times the norm

    def above(self, k: int) -> tuple[Curve, Curve]:
        """Log partition function less log k, and the gain in units of 1/(k - 1), as ``model_lines`` draws them."""
        mean, error = self.gain
        return (self.log_partition[0] - np.log(k), self.log_partition[1]), ((k - 1) * mean, (k - 1) * error)

    def ratio(self, form: Array) -> Curve:
        """A closed form of the gain over the simulated one, with its standard error."""
        mean, error = self.gain
        return form / mean, form * error / mean**2


def draw(k: int, norms: Array, seeds: range, n_numbers: int) -> Drawn:
    """Simulated means at some norms; each seed draws about `n_numbers` logits, at least two sets of k."""
    means = logits.isotropic_means(norms, k, seeds, max(2, n_numbers // k))
    gain = mean_and_error(means.slope / ((k - 1) * norms))
    return Drawn(norms, mean_and_error(means.log_partition), mean_and_error(means.participation), gain)


@sized(n_seeds=SETTINGS.n_seeds_measured, n_numbers=SETTINGS.n_numbers_measured, cost="1 GB, 45 min on one core")
def measured(classes: Sequence[int] = CLASSES, *, n_seeds: int, n_numbers: int) -> dict[int, Drawn]:
    """Simulated means at ``NORMS``, by number of classes."""
    return {k: draw(k, NORMS, range(n_seeds), n_numbers) for k in classes}


@sized(
    n_seeds=SETTINGS.n_seeds_around_freezing,
    n_numbers=SETTINGS.n_numbers_around_freezing,
    cost="1 GB, 10 min on one core",
)
def around_freezing(classes: Sequence[int], *, n_seeds: int, n_numbers: int) -> dict[int, Drawn]:
    """Simulated means at half of the critical norm, at it, and at twice it, by number of classes."""
    return {k: draw(k, AROUND * rem_critical_norm(k), range(1000, 1000 + n_seeds), n_numbers) for k in classes}


def shortfall(drawn: dict[int, Drawn]) -> tuple[Array, Array]:
    """How far the free energy is below the model's, in units of log k, (number of classes, norm), with its error."""
    parts = [(np.asarray(rem_log_partition(one.norms, k)), one.log_partition, np.log(k)) for k, one in drawn.items()]
    means = [(model - mean) / unit for model, (mean, _), unit in parts]
    return np.array(means), np.array([error / unit for _, (_, error), unit in parts])


class FreezingLines(NamedTuple):
    """Predictions around freezing, against the norm in multiples of the critical one."""

    norms: Array
    participation: dict[int, Array]  # exact, by number of classes, (norm,)
    model: Array  # the same by the model, for all
    classes: Array
    places: Array
    shortfall: Array  # of the exact free energy, (number of classes, place)


def freezing_lines(powers: Sequence[int]) -> FreezingLines:
    """Participation for some numbers of classes, and the shortfall for many at ``AROUND``."""
    grid, classes = np.linspace(0.02, 2.5, 30), np.unique(np.geomspace(2, 10**6, 13).astype(int))
    exact = {k: np.asarray(isotropic_participation(grid * float(rem_critical_norm(k)), k)) for k in powers}
    few = powers[0]
    model = 1 - (few - 1) * np.asarray(rem_gain(grid * float(rem_critical_norm(few)), few))
    norms = np.asarray(rem_critical_norm(classes))[:, None] * AROUND
    below = rem_log_partition(norms, classes[:, None]) - isotropic_log_partition(norms, classes[:, None])
    return FreezingLines(grid, exact, model, classes, AROUND, np.asarray(below / np.log(classes)[:, None]))


def model_lines(k: int, norms: Array) -> tuple[dict[str, Array], dict[str, Array]]:
    """Exact and model curves: log partition function less log k, and the gain in units of 1/(k - 1)."""
    exact = isotropic_curves(k)
    energies = {
        "exact": exact.log_partition(norms),
        "REM": rem_log_partition(norms, k),
        "annealed": rem_log_partition(norms, k, annealed=True),
    }
    gains = {name: form(norms, k) for name, form in CLOSED_FORMS.items()} | {"exact": exact.gain(norms)}
    return (
        {name: np.asarray(values) - np.log(k) for name, values in energies.items()},
        {name: (k - 1) * np.asarray(values) for name, values in gains.items()},
    )


def relative_error(form: str, norms: Array, k: int) -> Array:
    """Relative error of a closed form of the gain, by its name in ``CLOSED_FORMS``, against the exact integral."""
    exact = isotropic_gain(norms, k) if norms.size < _FEW else isotropic_curves(k).gain(norms)
    return np.asarray(CLOSED_FORMS[form](norms, k) / exact - 1)


def error_contour(classes: Sequence[int], tolerance: float) -> Array:
    """``usable_norm`` for each number of classes, not a number where it is 0 or infinite."""
    norms = np.array([usable_norm(int(k), tolerance) for k in classes])
    return np.where((norms > 0) & np.isfinite(norms), norms, np.nan)


def largest_errors(classes: Sequence[int]) -> dict[str, Array]:
    """Largest error at any norm from 0.01 to 100 of each closed form, (number of classes,), in absolute value."""
    norms = np.geomspace(0.01, 100, 2000)
    errors = {form: [np.abs(relative_error(form, norms, k)).max() for k in classes] for form in CLOSED_FORMS}
    return {form: np.array(values) for form, values in errors.items()}


def usable_norm(k: int, tolerance: float) -> float:
    """Norm up to which the model's gain is too large by less than `tolerance`: 0 where it is at no norm.

    It is infinite where even the error at the critical norm, which is close to the largest, is below.
    """
    critical = float(rem_critical_norm(k))

    def excess(s: float) -> float:
        return float(relative_error("REM", np.array([s]), k)[0]) - tolerance

    if excess(1e-9) >= 0:
        return 0.0
    return float(brentq(excess, 1e-9, critical, xtol=1e-10)) if excess(critical) > 0 else np.inf


@sized(
    n_seeds=SETTINGS.n_seeds_near_usable_norm,
    n_numbers=SETTINGS.n_numbers_near_usable_norm,
    cost="1 GB, 5 min on one core",
)
def near_usable_norm(classes: Sequence[int], tolerance: float, *, n_seeds: int, n_numbers: int) -> tuple[Curve, Curve]:
    """Simulated relative error of the model's gain a tenth below its usable norm, and a tenth above it.

    Each is a mean and a standard error of shape (number of classes,).
    """
    sides: list[list[tuple[float, float]]] = [[], []]
    for k in classes:
        norms = usable_norm(k, tolerance) * np.array([0.9, 1.1])
        drawn = draw(k, norms, range(2000, 2000 + n_seeds), n_numbers)
        ratio, error = drawn.ratio(np.asarray(rem_gain(norms, k)))
        for side, mean, deviation in zip(sides, ratio - 1, error, strict=True):
            side.append((mean, deviation))
    (low, low_error), (high, high_error) = (np.transpose(side) for side in sides)
    return (low, low_error), (high, high_error)
