"""One head of an aligned student of several tasks: its share of every mode, and its error while all heads train."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib import _checks
from mtlbook_lib._checks import Array
from mtlbook_lib.theory import _bulk
from mtlbook_lib.theory._modes import unchecked_strength
from mtlbook_lib.theory._noise_angle import mass_slope
from mtlbook_lib.theory._quadrature import integrate
from mtlbook_lib.theory.spiked import left_overlap, noisy_singular_value, overlap
from mtlbook_lib.theory.transfer.composite import composite_modes, task_values

_ROUNDING = 1e-12  # of the number of inputs, a quotient


@dataclass(frozen=True)
class Head:
    """Composite modes with their weights on one head, the energy of its teacher, the aspect of the composite."""

    strengths: Array
    weights: Array
    teacher_energy: float
    aspect: float
    n_heads: int

    @cached_property
    def data_values(self) -> Array:
        """Singular values of the data."""
        return np.asarray(noisy_singular_value(self.strengths, self.aspect))

    @cached_property
    def data_weights(self) -> Array:
        """Share of each left data mode on this head: its noise is spread over all heads alike."""
        return data_share(np.asarray(left_overlap(self.strengths, self.aspect)) ** 2, self.weights, self.n_heads)

    @cached_property
    def alignment(self) -> Array:
        """Inner product of each data mode with the teacher of this head."""
        return np.asarray(self.strengths * self.weights * overlap(self.strengths, self.aspect))

    def distance(self, x: Array) -> Array:
        """Squared distance to this head's teacher of the map with the data modes at strengths `x`, shape (..., K)."""
        terms = self.data_weights * x**2 - 2 * self.alignment * x
        return np.asarray(np.sum(terms, axis=-1) + self.teacher_energy)


@dataclass(frozen=True)
class Training:
    """Outputs per head, and the way that one mode of an aligned student grows."""

    n_outputs: int
    eps: float

    def mode(self, s: Array, t: Array) -> Array:
        """Strength at time `t` of the student mode on the data mode `s`."""
        return unchecked_strength(t, s, self.eps)

    def energy(self, s: Array, t: Array) -> Array:
        """Its square."""
        return np.square(self.mode(s, t))


def data_share(left_squared: Array, weights: Array, n_heads: int) -> Array:
    """Mean share on a head of a left data mode with squared overlap `left_squared` with its composite mode."""
    return weights * left_squared + (1 - left_squared) / n_heads


def make_head(singular_values: Sequence[ArrayLike], gram: ArrayLike, aspect: float, head: int) -> Head:
    """Head number `head`, checked; `aspect` is that of one task."""
    tasks = task_values(singular_values)
    index = _checks.whole("head", head, minimum=0)
    if index >= len(tasks):
        raise ValueError(f"head must be below the number of tasks, {len(tasks)}; got {index}.")
    strengths, weights = composite_modes(singular_values, gram)
    composite_aspect = len(tasks) * _checks.scalar("aspect", aspect, _checks.in_scale)
    return Head(strengths, weights[index], float(np.sum(tasks[index] ** 2)), composite_aspect, len(tasks))


def make_training(head: Head, ranks: Sequence[int], n_outputs: int, eps: float) -> Training:
    """The training of a composite of tasks of these `ranks`, checked."""
    outputs = _checks.whole("n_outputs", n_outputs)
    n_inputs = head.n_heads * outputs / head.aspect
    if max(ranks) > outputs or sum(ranks) > n_inputs * (1 + _ROUNDING):
        raise ValueError(
            f"n_outputs must be at least the rank of each task, and n_outputs/aspect inputs at least the sum of ranks; "
            f"got {outputs} outputs and {n_inputs:g} inputs for ranks {list(ranks)}."
        )
    return Training(outputs, _checks.scalar("eps", eps, _checks.in_scale))


def leading_order(times: Array, head: Head, training: Training) -> Array:
    """Squared distance to the teacher, every composite mode counted as an outlier and the rest as pure noise.

    A mode below threshold, of strength zero included, sits at the edge of the noise. Beyond composite aspect 1 only as
    many modes as inputs carry data, which the law's mass accounts for.
    """
    bulk = _bulk.LearnedBulk(head.aspect, np.pi, times, np.zeros(times.size))
    mass = min(1.0, 1 / head.aspect)
    n_noise = training.n_outputs - head.strengths.size / (head.n_heads * mass)
    return n_noise * bulk.integral(training.energy) + head.distance(training.mode(head.data_values, times[:, None]))


def first_order(times: Array, head: Head, training: Training) -> Array:
    """Squared distance to the teacher with all terms that stay O(1) as the sizes grow, at any composite aspect."""
    ratios = _bulk.teacher_ratios(head.strengths, head.aspect)
    bulk = _bulk.LearnedBulk(head.aspect, np.pi, times, np.zeros(times.size))
    # Of what the teacher does to the spectrum as a whole, every head gets the same share.
    displaced = bulk.shift(training.energy, ratios[ratios > 0])
    displaced -= np.count_nonzero(ratios > 1) * bulk.last(training.energy)
    noise = training.n_outputs * bulk.integral(training.energy) + displaced / head.n_heads
    outliers = replace(head, strengths=head.strengths[ratios > 1], weights=head.weights[ratios > 1])
    x = training.mode(outliers.data_values, times[:, None])
    return noise + _bulk_overlaps(times, head, training) + outliers.distance(x)


def _bulk_overlaps(times: Array, head: Head, training: Training) -> Array:
    """What the noise modes' overlaps with the composite modes add on this head: energy and alignment.

    A noise mode keeps the squared left overlap (1 + s²)/d per mode of the noise law with a composite mode of strength
    s, and the product s/d of its overlaps per unit of its own singular value; d is 1 without signal.
    """
    ratios = _bulk.teacher_ratios(head.strengths, head.aspect)
    excess = head.weights - 1 / head.n_heads
    aspect = np.array(head.aspect)

    def density(phi: Array, t: Array) -> Array:
        s = _bulk.singular_value(phi, head.aspect)
        x = training.mode(s, t)
        energy, alignment = np.zeros_like(phi), np.zeros_like(phi)
        for i, strength in enumerate(head.strengths):
            gap = (1 - ratios[i]) ** 2 + 4 * ratios[i] * np.sin(phi / 2) ** 2
            energy += excess[i] * ((1 + strength**2) / gap - 1)
            alignment += head.weights[i] * strength**2 / gap
        return np.asarray(mass_slope(phi, aspect) * (energy * x**2 - 2 * alignment * s * x))

    return integrate(density, float(np.pi), times, np.zeros(times.size))
