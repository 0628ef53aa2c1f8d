"""All methods in all settings, on the same data, next to what theory says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.experiments.part3.shrinking_heads.learning import learn
from mtlbook_lib.experiments.part3.shrinking_heads.settings import ASPECT, Setting, settings
from mtlbook_lib.experiments.sizes import sized
from mtlbook_lib.statistics import mean_and_error
from mtlbook_lib.theory.transfer import head_shrinkage_error


@dataclass(frozen=True)
class Comparison:
    """Errors of the first head in a number of settings.

    Attributes
    ----------
    names : sequence of str
        The settings.
    errors : dict of ndarray, shape (set, setting)
        By method, see ``learn``.
    theory, jointly, by_itself : ndarray, shape (setting,)
        The head rule with known shares, joint shrinkage, and shrinkage alone, to leading order.
    own : ndarray, shape (setting,)
        Largest strength of the head's teacher.
    distinct : ndarray, shape (setting,)
        Least eigenvalue of the Gram matrix: 0 for fully aligned tasks, 1 for unrelated ones.
    """

    names: Sequence[str]
    errors: dict[str, Array]
    theory: Array
    jointly: Array
    by_itself: Array
    own: Array
    distinct: Array

    def excess(self, method: str) -> tuple[Array, Array]:
        """Error of another method minus that of the head rule, (setting,): mean and standard error."""
        return mean_and_error(self.errors[method] - self.errors["head"])

    def missing_length(self) -> tuple[Array, Array]:
        """Error that the length of the head's map predicts minus the actual one: mean and standard error."""
        return mean_and_error(1 - self.errors["length"] - self.errors["head"])

    def longer(self) -> Array:
        """Error (set, setting) of the longer one of two maps, by the head rule and alone."""
        joint = self.errors["length"] > self.errors["length alone"]
        return np.where(joint, self.errors["head"], self.errors["alone"])

    def cost_of_choice(self) -> tuple[Array, Array]:
        """Error of the longer map minus that of the method that is better on average: mean and standard error."""
        rule, alone = self.errors["head"], self.errors["alone"]
        return mean_and_error(self.longer() - np.where(rule.mean(axis=0) < alone.mean(axis=0), rule, alone))


@sized(quick={"n_sets": 3}, paper={"n_sets": 360}, large={"n_sets": 10000}, large_cost="16 GB, 25 min on 16 cores")
def compare(chosen: dict[str, Setting] | None = None, *, n_sets: int) -> Comparison:
    """Learn the first head in the thirty settings, or in those given, by all methods."""
    tasks = settings() if chosen is None else chosen
    runs = [learn(*setting, range(n_sets)) for setting in tasks.values()]
    rule, joint = (
        [head_shrinkage_error(*setting, ASPECT, joint=together) for setting in tasks.values()]
        for together in (False, True)
    )
    alone = [head_shrinkage_error(s[:1], gram[: len(s[0]), : len(s[0])], ASPECT) for s, gram in tasks.values()]
    return Comparison(
        list(tasks),
        {method: np.hstack([run[method] for run in runs]) for method in runs[0]},
        np.array(rule),
        np.array(joint),
        np.array(alone),
        np.array([max(s[0]) for s, _ in tasks.values()]),
        np.array([np.linalg.eigvalsh(gram)[0] for _, gram in tasks.values()]),
    )
