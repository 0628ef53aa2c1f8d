"""A set of pairs: what they gained, and what had been forecast."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import Array
from mtlbook_lib.data.real_pairs import Target, source_of
from mtlbook_lib.experiments.part7.should_i_train_together.forecasts import NUMBERS
from mtlbook_lib.experiments.part7.should_i_train_together.students import STUDENTS
from mtlbook_lib.statistics import mean_and_error

_ALONE = (0, 1, 2, 2, 2)  # the student that has no partner, for each of STUDENTS


@dataclass(frozen=True)
class Measured:
    """Targets, what was stored of each, and how many of the first seeds forecasts were made from.

    The truth of a pair is the mean over the other seeds: no row order, no start and no label noise of it was seen by a
    forecast.
    """

    targets: tuple[Target, ...]
    cells: list[dict[str, Array]]
    n_forecasts: int

    @cached_property
    def owner(self) -> NDArray[np.int64]:
        """Place of each pair's target, shape (pair,)."""
        return np.repeat(np.arange(len(self.targets)), [len(target.partners) for target in self.targets])

    @cached_property
    def runs(self) -> Array:
        """Benefit of a single run, shape (seed, pair, student)."""
        gains = [cell["alone"][:, None, _ALONE] - cell["joint"] for cell in self.cells]
        return np.concatenate(gains, axis=1)[self.n_forecasts :]

    @cached_property
    def benefit(self) -> Array:
        """Mean benefit, shape (pair, student)."""
        return mean_and_error(self.runs)[0]

    @cached_property
    def error(self) -> Array:
        """Its standard error over seeds."""
        return mean_and_error(self.runs)[1]

    @cached_property
    def significant(self) -> NDArray[np.bool_]:
        """Where the mean is more than two standard errors from 0, shape (pair, student)."""
        return np.asarray(np.abs(self.benefit) > 2 * self.error)

    def forecast(self, name: str) -> Array:
        """One of the NUMBERS, shape (draw, pair); "evidence" is the nats for each row of the target."""
        if name == "evidence":
            return self.forecast("nats") / self.rows[:, 0]
        return np.concatenate([cell["forecasts"][..., NUMBERS.index(name)] for cell in self.cells], axis=1)

    @property
    def rows(self) -> Array:
        """Rows of target and partner, shape (pair, 2)."""
        return np.array([[t.n_rows, p.n_rows] for t in self.targets for p in t.partners], dtype=float)

    @property
    def of_classes(self) -> NDArray[np.bool_]:
        """Whether the target asks for one of two classes, and not for a number, shape (pair,)."""
        kinds = [source_of(target.source).questions[target.question].binary for target in self.targets]
        return np.array(kinds)[self.owner]

    @property
    def relations(self) -> list[str]:
        """What each partner is to its target."""
        return [target.relation(place) for target in self.targets for place in range(len(target.partners))]

    @property
    def permuted(self) -> tuple[Array, Array]:
        """Verdicts and nats of partners with permuted labels, shape (draw, pair) each."""
        found = np.concatenate([cell["permuted"] for cell in self.cells], axis=1)
        return found[..., NUMBERS.index("verdict")], found[..., NUMBERS.index("nats")]

    @property
    def squares(self) -> dict[str, Array]:
        """Mean squared errors, (pair,), of wide students and of the process, alone and joint; on the first seeds."""
        n = len(self.cells[0]["process alone"])
        found: dict[str, Array] = {}
        for name, kept in (("wide", "squares"), ("process", "process")):
            lone = [np.repeat(c[f"{kept} alone"][:n].mean(), c["joint"].shape[1]) for c in self.cells]
            both = [c[f"{kept} joint"][:n].mean(axis=0) for c in self.cells]
            found |= {f"{name} alone": np.concatenate(lone), f"{name} joint": np.concatenate(both)}
        return found

    def name(self, pair: int) -> str:
        """The pair in words."""
        target = self.targets[self.owner[pair]]
        place = pair - int(np.searchsorted(self.owner, self.owner[pair]))
        partner = target.partners[place]
        changed = [partner.shift] * (partner.shift != "none") + [f"noise {partner.noise:g}"] * (partner.noise > 0)
        changed += ["same rows"] * partner.same_rows + ["permuted"] * partner.permuted
        more = f" ({', '.join(changed)})" if changed else ""
        return f"{target.source}: {target.question} with {partner.question}{more}"


def column(student: str) -> int:
    """Place of a student among STUDENTS."""
    return STUDENTS.index(student)
