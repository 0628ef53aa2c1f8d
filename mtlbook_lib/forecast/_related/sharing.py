"""Gain of one task by its partners, and its relations with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import Array
from mtlbook_lib.forecast._related.members import LeftOut, Members
from mtlbook_lib.forecast.policy import advice_of, chance_of, cost_of, interval_of, verdict_of


@dataclass(frozen=True)
class Related:
    """Posterior of the correlation between the functions of the target and of one partner.

    Attributes
    ----------
    correlations, probabilities : ndarray
        Its values, in their order, and how probable they are.
    mean : float
        Of this posterior. Its quantiles are no interval: the values are too few.
    """

    correlations: Array = field(repr=False)
    probabilities: Array = field(repr=False)
    mean: float


@dataclass(frozen=True)
class Sharing:
    """Gain of a target by its partners. Errors and gains are fractions of the variance of its labels.

    Attributes
    ----------
    target : label of the task
    alone, together : float
        Mean squared error on rows left out one at a time, without and with the partners.
    gain, error : float
        Their difference, and its standard error over the rows.
    nats : float
        Log Bayes factor of the partners, a natural logarithm: log evidence of the target's labels with theirs minus
        that without.
    relations : dict
        ``Related`` for each partner.
    left_out, left_out_alone : ndarray, shape (n,)
        Label minus prediction by all other rows, in units of the labels.
    deviations : ndarray, shape (n,)
        Standard deviation that was expected of `left_out`.
    rows : ndarray, shape (n,)
        Places of the target's rows among those of ``fit``.
    related : float
        Probability that the target's function is correlated with that of any partner; 1 where the correlation is given.
    """

    target: Any
    alone: float
    together: float
    gain: float
    error: float
    nats: float
    relations: dict[Any, Related]
    left_out: Array = field(repr=False)
    left_out_alone: Array = field(repr=False)
    deviations: Array = field(repr=False)
    rows: NDArray[np.int64] = field(repr=False)
    related: float = 0.0

    @property
    def chance(self) -> float:
        """Probability that sharing gains anything on new rows; see ``policy.chance_of``."""
        return chance_of(self.gain, self.error, self.related)

    @property
    def root_errors(self) -> tuple[float, float]:
        """Root mean squared error on rows left out, without and with the partners, in units of the labels."""
        alone, together = (float(np.sqrt(np.mean(np.square(one)))) for one in (self.left_out_alone, self.left_out))
        return alone, together

    @property
    def cost(self) -> float:
        """The most that sharing costs: what is lost where the gain is two standard errors smaller; at least 0."""
        return cost_of(self.gain, self.error)

    @property
    def interval(self) -> tuple[float, float]:
        """The gain less and plus two standard errors, and at most what is lost alone."""
        return interval_of(self.gain, self.error, self.alone)

    @property
    def verdict(self) -> str:
        """One of ``policy.VERDICTS``."""
        return verdict_of(self.gain, self.error, self.nats, len(self.left_out))

    def __str__(self) -> str:
        if not self.relations:
            return f"{self.target!r} is learned by itself: it errs by {self.alone:.3f} of its labels' variance."
        told = f"{self.target!r} by itself errs by {self.alone:.3f} of its labels' variance on rows left out"
        expected = f"Expected gain: {self.gain:+.3f} ± {self.error:.3f}, above 0 with probability {self.chance:.2f}."
        expected += f" Log Bayes factor of the partners: {self.nats:+.1f}."
        lines = [f"{told}, with {_names(self.relations)} by {self.together:.3f}.", expected]
        for name, relation in self.relations.items():
            lines.append(f"Its function and that of {name!r}: correlation {relation.mean:+.2f}.")
        return "\n".join([*lines, self.advice])

    @property
    def advice(self) -> str:
        """One sentence: what to do, and what it costs at most."""
        return advice_of(self.verdict, self.gain, self.error, self.nats)


def related(members: Sequence[Members], weights: Sequence[Array], partners: Sequence[Any]) -> dict[Any, Related]:
    """Posterior of each partner's correlation: that of its pair, or of its group; 0 where it has no part."""
    relations = {}
    for place, name in enumerate(partners):
        masses: dict[float, float] = {}
        for one, weight in zip(members, weights, strict=True):
            has_part = float(place in one.relation.which)
            for rho, mass in zip(has_part * one.correlations + 0.0, weight, strict=True):  # -0.0 becomes 0.0
                masses[float(rho)] = masses.get(float(rho), 0.0) + float(mass)
        values = np.array(sorted(masses))
        shares = np.array([masses[value] for value in sorted(masses)])
        relations[name] = Related(values, shares, float(values @ shares))
    return relations


def sharing_of(
    target: Any,
    together: LeftOut,
    alone: LeftOut,
    scale: float,
    rows: NDArray[np.int64],
    nats: float,
    relations: dict[Any, Related],
    heard: float,
) -> Sharing:
    """From errors in units of the standardised labels, in the order of `rows`; `heard` is how probable one is."""
    apart, joint = np.square(alone.errors), np.square(together.errors)
    differences, order, counts, n = apart - joint, np.argsort(rows), alone.counts, alone.total
    gain = float((counts * differences).sum() / n)
    error = float(np.sqrt((counts * np.square(differences - gain)).sum() / (n - 1)) / np.sqrt(n))
    return Sharing(
        target=target,
        alone=float((counts * apart).sum() / n),
        together=float((counts * joint).sum() / n),
        gain=gain,
        error=error,
        nats=nats,
        relations=relations,
        left_out=scale * together.errors[order],
        left_out_alone=scale * alone.errors[order],
        deviations=scale * together.deviations[order],
        rows=rows[order],
        related=heard,
    )


def _names(partners: dict[Any, Related]) -> str:
    return ", ".join(repr(name) for name in partners)
