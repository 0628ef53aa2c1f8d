"""Students aligned with the data: the checked setting and the unnormalised error curves."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib import _checks
from mtlbook_lib._checks import Array
from mtlbook_lib.theory import _bulk
from mtlbook_lib.theory._curves import curve
from mtlbook_lib.theory._modes import unchecked_strength
from mtlbook_lib.theory._noise_angle import solve_angle
from mtlbook_lib.theory.spiked import noisy_singular_value, overlap


@dataclass(frozen=True)
class Student:
    """Teacher (descending), aspect, sizes, and the way one mode grows."""

    teacher: Array
    aspect: float
    n_outputs: int
    n_hidden: int
    eps: float
    depth: int

    def mode(self, s: Array, t: Array) -> Array:
        """Strength at time `t` of the student mode on the data mode `s`."""
        return unchecked_strength(t, s, self.eps, self.depth)

    def energy(self, s: Array, t: Array) -> Array:
        """Its square."""
        return self.mode(s, t) ** 2

    def learned(self, n_outliers: int) -> tuple[int, float]:
        """Number of noise modes that the student learns after its outliers, and their share of all noise modes."""
        n_bulk = self.n_outputs - n_outliers
        if self.n_hidden >= self.n_outputs:
            return n_bulk, 1.0
        n_learned = max(self.n_hidden - n_outliers, 0)
        return n_learned, n_learned / n_bulk if n_learned else 0.0

    def bulk(self, share: float, times: Array) -> _bulk.LearnedBulk:
        """The strongest `share` of the noise modes; with more than two layers learning has a sharp front in them."""
        cut = float(solve_angle(np.array(share), np.array(self.aspect)))
        fronts = np.zeros(times.size)
        if self.depth > 2:
            fronts = _bulk.half_learned(self.mode, times, cut, self.aspect)
        return _bulk.LearnedBulk(self.aspect, cut, times, fronts)


def teacher_values(teacher: ArrayLike, minimum: int = 1) -> Array:
    """The teacher's singular values, checked, in descending order."""
    values = _checks.in_scale("teacher", teacher)
    if values.ndim != 1 or values.size < minimum:
        raise ValueError(
            f"teacher must be a sequence of at least {minimum} singular value(s); got shape {values.shape}. "
            "Pass [s] for a teacher of rank 1."
        )
    return np.sort(values)[::-1]


def aspect_up_to_one(aspect: float) -> float:
    """`aspect` in (0, 1], where every output has its own noise mode."""
    value = _checks.scalar("aspect", aspect, _checks.in_scale)
    if value > 1:
        raise ValueError(f"aspect must be at most 1 (as many inputs as outputs, or more); got {value:g}.")
    return value


def student(teacher: Array, aspect: float, n_outputs: int, n_hidden: int | None, eps: float, depth: int) -> Student:
    """The setting of a checked `teacher`, checked; a student without stated rank has full rank."""
    outputs = _checks.whole("n_outputs", n_outputs)
    if teacher.size > outputs:
        raise ValueError(f"teacher must have at most n_outputs = {outputs} singular values; got {teacher.size}.")
    hidden = outputs if n_hidden is None else _checks.whole("n_hidden", n_hidden)
    initial = _checks.scalar("eps", eps, _checks.in_scale)
    layers = _checks.count("depth", depth, minimum=2, maximum=10**6)
    return Student(teacher, aspect_up_to_one(aspect), outputs, hidden, initial, layers)


def train_curve(t: ArrayLike, setting: Student) -> float | Array:
    """Training error at the times `t`."""
    _require_teacher_rank(setting)
    n_bulk = setting.n_outputs - setting.teacher.size
    data_energy = n_bulk + float(np.sum(np.square(noisy_singular_value(setting.teacher, setting.aspect))))
    return curve(t, lambda times: train_energy(times, setting), data_energy)


def test_curve(t: ArrayLike, setting: Student, order: int) -> float | Array:
    """Test error at the times `t`, to the order asked for."""
    if _checks.whole("order", order, minimum=0) > 1:
        raise ValueError(f"order must be 0 or 1; got {order}.")
    if order == 0:
        _require_teacher_rank(setting)
    energy = test_energy_first_order if order else test_energy
    return curve(t, lambda times: energy(times, setting), float(np.sum(setting.teacher**2)))


def _require_teacher_rank(setting: Student) -> None:
    # The leading-order formulas count every teacher mode as learned.
    if setting.n_hidden < setting.teacher.size:
        raise ValueError(
            f"n_hidden must be at least the teacher's rank {setting.teacher.size}; got {setting.n_hidden}. "
            "Raise n_hidden; the test error at order=1 takes a student of any rank."
        )


def train_energy(times: Array, setting: Student) -> Array:
    """Squared distance between student and data."""
    bulk = setting.bulk(setting.learned(setting.teacher.size)[1], times)

    def residual(s: Array, t: Array) -> Array:
        return (setting.mode(s, t) - s) ** 2

    s_hat = np.asarray(noisy_singular_value(setting.teacher, setting.aspect))
    outliers = np.sum(residual(s_hat, times[:, None]), axis=1)
    n_bulk = setting.n_outputs - setting.teacher.size
    return np.asarray(n_bulk * (bulk.integral(residual) + _bulk.energy_below(bulk.cut)) + outliers)


def test_energy(times: Array, setting: Student) -> Array:
    """Squared distance between student and teacher to leading order, every teacher mode taken as an outlier."""
    bulk = setting.bulk(setting.learned(setting.teacher.size)[1], times)
    n_bulk = setting.n_outputs - setting.teacher.size
    return n_bulk * bulk.integral(setting.energy) + outlier_energy(times, setting, setting.teacher)


def test_energy_first_order(times: Array, setting: Student) -> Array:
    """Squared distance between student and teacher with all corrections of relative order one over the size."""
    ratios = _bulk.teacher_ratios(setting.teacher, setting.aspect)
    outliers = setting.teacher[ratios > 1]
    n_learned, share = setting.learned(outliers.size)
    bulk = setting.bulk(share, times)
    # n_learned states at the energy of the last one, and what n_outputs states of the noise density have above it.
    energy = (n_learned - setting.n_outputs * share) * bulk.last(setting.energy)
    energy += setting.n_outputs * bulk.integral(setting.energy) + bulk.shift(setting.energy, ratios)
    energy -= 2 * bulk.alignment(setting.mode, ratios)
    return energy + outlier_energy(times, setting, outliers[: setting.n_hidden])


def outlier_energy(times: Array, setting: Student, learned: Array) -> Array:
    """Squared distance from the teacher of a student that has only the outliers of the teacher modes `learned`."""
    x = setting.mode(np.asarray(noisy_singular_value(learned, setting.aspect)), times[:, None])
    alignment = learned * np.asarray(overlap(learned, setting.aspect))
    return np.asarray(np.sum(x**2 - 2 * x * alignment, axis=1) + np.sum(setting.teacher**2))
