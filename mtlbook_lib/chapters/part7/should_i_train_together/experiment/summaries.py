"""What the tables of the chapter show."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part7.should_i_train_together.experiment.forecasts import VERDICTS
from mtlbook_lib.chapters.part7.should_i_train_together.experiment.measured import Measured, column
from mtlbook_lib.chapters.part7.should_i_train_together.experiment.scores import (
    failures,
    oracle,
    policy,
    rank_correlation,
    right_signs,
    verdict_means,
)
from mtlbook_lib.chapters.part7.should_i_train_together.experiment.students import STUDENTS
from mtlbook_lib.statistics import Estimate, mean_and_error

# After which verdicts a student is trained together: one that is seldom harmed unless no gain is expected.
SPEAK = ("likely helps", "no gain expected")
UNLESS = tuple(verdict for verdict in VERDICTS if verdict != "no gain expected")
TOGETHER = {name: UNLESS if name in ("wide", "finetune") else VERDICTS[:1] for name in STUDENTS}
MODELS = ("wide alone", "wide joint", "model alone", "model joint")


@dataclass(frozen=True)
class Policy:
    """Mean benefit of following the verdicts over that of always, its error, that of never, and of an oracle."""

    value: float
    error: float
    never: float
    oracle: float

    @property
    def cells(self) -> tuple[str, str, str]:
        """As text for a table."""
        return f"{self.value:.3f} ± {self.error:.3f}", f"{self.never:+.3f}", f"{self.oracle:.3f}"


def rank_table(measured: Measured, names: Sequence[str]) -> dict[str, list[Estimate]]:
    """Rank correlations of these forecasts with the benefit, for each student."""
    return {student: [rank_correlation(measured, name, student) for name in names] for student in STUDENTS}


def verdict_curves(measured: Measured) -> dict[str, Array]:
    """For each verdict the mean benefits and their errors, shape (student, 2)."""
    by_student = [verdict_means(measured, student) for student in STUDENTS]
    return {verdict: np.array([means[verdict][:2] for means in by_student]) for verdict in VERDICTS}


def verdict_rows(measured: Measured) -> list[list[str]]:
    """Each verdict, how often it is given, and for each student how often its sign is right, of how many."""
    rows = []
    for verdict in VERDICTS:
        given = verdict_means(measured, STUDENTS[0])[verdict][2]
        signs = [right_signs(measured, student, verdict) for student in STUDENTS]
        shares = [f"{right:.2f} of {n}" if verdict in SPEAK else "–" for right, n in signs]
        rows.append([verdict, f"{given:.2f}", *shares])
    return rows


def policy_table(measured: Measured) -> dict[str, Policy]:
    """Mean benefit of following the verdicts, for each student."""
    always = measured.benefit.mean(axis=0)
    return {
        name: Policy(*policy(measured, name, TOGETHER[name]), -float(always[column(name)]), oracle(measured, name))
        for name in STUDENTS
    }


def failure_rows(measured: Measured, student: str, n: int) -> list[list[str]]:
    """Pairs furthest on the wrong side of a verdict: pair, rows, student, verdict, benefit."""
    place, rows = column(student), []
    for verdict, wrong in failures(measured, student, n).items():
        for pair in wrong:
            own, other = measured.rows[pair]
            benefit = f"{measured.benefit[pair, place]:.3f} ± {measured.error[pair, place]:.3f}"
            rows.append([measured.name(pair), f"{own:.0f} + {other:.0f}", student, verdict, benefit])
    return rows


def model_table(measured: Measured) -> dict[str, Array]:
    """For numbers and for classes the mean errors of MODELS, and how often the joint model is ahead with both tasks."""
    squares, table = measured.squares, {}
    for asked, chosen in (("numbers", ~measured.of_classes), ("classes", measured.of_classes)):
        errors = np.array([squares[name][chosen] for name in MODELS])
        table[asked] = np.append(errors.mean(axis=1), np.mean(errors[3] < errors[1]))
    return table


def model_gains(measured: Measured) -> Array:
    """Gain of the joint model by each partner, error alone less joint, and its error over draws, (2, pair)."""
    gains = [cell["model alone"][:, None] - cell["model joint"] for cell in measured.cells]
    return np.stack(mean_and_error(np.concatenate(gains, axis=1)))
