"""A set of pairs: what they gained, and what had been forecast; how it was measured and kept, and some of it again."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import Array
from mtlbook_lib._random import own_seeds
from mtlbook_lib._remembered import remembered
from mtlbook_lib.chapters.part7.should_i_train_together import settings as SETTINGS
from mtlbook_lib.chapters.part7.should_i_train_together.experiment.forecasts import (
    NUMBERS,
    forecasts_for,
    permuted_forecasts,
)
from mtlbook_lib.chapters.part7.should_i_train_together.experiment.students import (
    STUDENTS,
    model_losses,
    student_losses,
)
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.chapters.stored_results import Draws, read, spot_check
from mtlbook_lib.chapters.sweep import sweep
from mtlbook_lib.data.real_pairs import Target, draw_rows, random_targets, source_of, targets_by_hand
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
    def permuted(self) -> tuple[Array, Array]:
        """Verdicts and nats of partners with permuted labels, shape (draw, pair) each."""
        numbers = np.concatenate([cell["permuted"] for cell in self.cells], axis=1)
        return numbers[..., NUMBERS.index("verdict")], numbers[..., NUMBERS.index("nats")]

    @property
    def squares(self) -> dict[str, Array]:
        """Mean squared errors, (pair,), of wide students and the joint model, alone and joint; on the first seeds."""
        n = len(self.cells[0]["model alone"])
        errors: dict[str, Array] = {}
        for name, kept in (("wide", "squares"), ("model", "model")):
            lone = [np.repeat(c[f"{kept} alone"][:n].mean(), c["joint"].shape[1]) for c in self.cells]
            both = [c[f"{kept} joint"][:n].mean(axis=0) for c in self.cells]
            errors |= {f"{name} alone": np.concatenate(lone), f"{name} joint": np.concatenate(both)}
        return errors

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


FILE = "part7/should_i_train_together/should-i-train-together.json"
FORECASTS = "part7/should_i_train_together/forecasts.json"
SETS = ("by hand", "at random")
RANDOM: dict[str, Any] = {"n_targets": 24, "n_partners": 4, "seed": 2026}
N_SEEDS = {"by hand": 32, "at random": 48}
_DIGITS, _MORE_DIGITS = 3, 5


@remembered()
@own_seeds()  # what is stored is of these targets, whatever the seeds of a run
def targets_of(kind: str) -> tuple[Target, ...]:
    """The targets of a set, "by hand" or "at random"."""
    return targets_by_hand() if kind == SETS[0] else random_targets(**RANDOM)


def loss_cells(kind: str, place: int) -> dict[str, Any]:
    """Losses of the students of one target."""
    seeds = range(N_SEEDS[kind])
    return student_losses(draw_rows(targets_of(kind)[place], seeds), seeds)


def forecast_cells(kind: str, place: int) -> dict[str, Any]:
    """Forecasts of one target's partners, those with permuted labels, and losses of the joint model."""
    target, first = targets_of(kind)[place], range(SETTINGS.n_permuted)
    return {
        "forecasts": forecasts_for(draw_rows(target, range(SETTINGS.n_forecasts))),
        "permuted": permuted_forecasts(draw_rows(target, first), first),
        **model_losses(draw_rows(target, range(SETTINGS.n_model))),
    }


@sized(file=FILE, minutes=20)
def train_students(folder: Path) -> dict[str, Any]:
    """Losses of all students, or what a former call left undone."""
    return {"sets": {kind: _swept(loss_cells, kind, folder, _DIGITS) for kind in SETS}}


@sized(file=FORECASTS, minutes=15)
def make_forecasts(folder: Path) -> dict[str, Any]:
    """All that the joint model says and errs by, or what a former call left undone."""
    return {"sets": {kind: _swept(forecast_cells, kind, folder, _MORE_DIGITS) for kind in SETS}}


def _swept(cells: Callable[..., dict[str, Any]], kind: str, folder: Path, digits: int) -> list[dict[str, Any]]:
    settings = [{"kind": kind, "place": place} for place in range(len(targets_of(kind)))]
    return [{name: np.round(values, digits).tolist() for name, values in cell.items()}
            for cell in sweep(cells, settings, folder)]  # fmt: skip


def stored_pairs(kind: str) -> Measured:
    """Measurements on a set, "by hand" or "at random"."""
    files = [read(file, "sets", kind) for file in (FILE, FORECASTS)]
    return Measured(targets_of(kind), [one | other for one, other in zip(*files, strict=True)], SETTINGS.n_forecasts)


@spot_check(FILE, 2e-3, by_hand=range(13), at_random=range(RANDOM["n_targets"]), seeds=Draws(range(32), 3))
def recomputed(by_hand: int, at_random: int, seeds: list[int]) -> tuple[Array, Array]:
    """Losses of all students of one target from each set."""
    now, kept = [], []
    for kind, place in zip(SETS, (by_hand, at_random), strict=True):
        losses = student_losses(draw_rows(targets_of(kind)[place], seeds), seeds)
        now += [losses[name].ravel() for name in ("alone", "joint")]
        kept += [read(FILE, "sets", kind)[place][name][seeds].ravel() for name in ("alone", "joint")]
    return np.concatenate(now), np.concatenate(kept)


@spot_check(FORECASTS, 2e-4, by_hand=range(13), at_random=range(RANDOM["n_targets"]), draw=range(SETTINGS.n_forecasts))
def forecast_again(by_hand: int, at_random: int, draw: int) -> tuple[Array, Array]:
    """Forecasts of the joint model for all partners of one target from each set, computed now and as stored."""
    places = list(zip(SETS, (by_hand, at_random), strict=True))
    now = [forecasts_for(draw_rows(targets_of(kind)[place], [draw])).ravel() for kind, place in places]
    kept = [read(FORECASTS, "sets", kind)[place]["forecasts"][draw].ravel() for kind, place in places]
    return np.concatenate(now), np.concatenate(kept)
