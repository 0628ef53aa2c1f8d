"""The runs that are kept beside the book: how they are made and read, and how some are made again."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib._random import own_seeds
from mtlbook_lib.data.real_pairs import Target, draw_rows, random_targets, targets_by_hand
from mtlbook_lib.experiments import stored_results
from mtlbook_lib.experiments.part7.should_i_train_together.forecasts import forecasts_for, permuted_forecasts
from mtlbook_lib.experiments.part7.should_i_train_together.measured import Measured
from mtlbook_lib.experiments.part7.should_i_train_together.students import process_losses, student_losses
from mtlbook_lib.experiments.part7.should_i_train_together.timing import median_seconds
from mtlbook_lib.experiments.sizes import sized
from mtlbook_lib.experiments.sweep import sweep
from mtlbook_lib.forecast import advise

FILE = "results/part7/should-i-train-together.json"
SETS = ("by hand", "at random")
RANDOM: dict[str, Any] = {"n_targets": 24, "n_partners": 4, "seed": 2026}
N_SEEDS = {"by hand": 32, "at random": 48}
N_FORECASTS, N_PERMUTED, N_PROCESS = 4, 2, 16  # the first seeds
_DIGITS = 3


@cache
@own_seeds()  # what is stored is of these targets, whatever the seeds of a run
def targets_of(kind: str) -> tuple[Target, ...]:
    """The targets of a set, "by hand" or "at random"."""
    return targets_by_hand() if kind == SETS[0] else random_targets(**RANDOM)


def loss_cells(kind: str, place: int) -> dict[str, Any]:
    """Losses of the students of one target."""
    seeds = range(N_SEEDS[kind])
    return student_losses(draw_rows(targets_of(kind)[place], seeds), seeds)


def forecast_cells(kind: str, place: int) -> dict[str, Any]:
    """Forecasts of one target's partners, those with permuted labels, and losses of the process."""
    target = targets_of(kind)[place]
    shared = [partner.same_rows for partner in target.partners]
    first = range(N_PERMUTED)
    return {
        "forecasts": forecasts_for(draw_rows(target, range(N_FORECASTS)), shared),
        "permuted": permuted_forecasts(draw_rows(target, first), first),
        **process_losses(draw_rows(target, range(N_PROCESS))),
    }


def compute_stored(folder: str | Path, progress: Any = None) -> dict[str, Any]:
    """Train and forecast everything that is kept, or what a former call left undone."""
    found: dict[str, Any] = {"seconds": round(median_seconds(advise, 20), 4), "sets": {}}
    for kind in SETS:
        settings = [{"kind": kind, "place": place} for place in range(len(targets_of(kind)))]
        told, trained = (sweep(cells, settings, folder, progress=progress) for cells in (forecast_cells, loss_cells))
        found["sets"][kind] = [_plain({**one, **other}) for one, other in zip(trained, told, strict=True)]
    return found


def stored_seconds() -> float:
    """What this was when the results were made."""
    with stored_results.reading(FILE) as stored:
        return float(stored["seconds"])


def stored_pairs(kind: str) -> Measured:
    """What was measured on a set, "by hand" or "at random"."""
    with stored_results.reading(FILE) as stored:
        cells = [{name: np.array(rows, dtype=float) for name, rows in t.items()} for t in stored["sets"][kind]]
        return Measured(targets_of(kind), cells, N_FORECASTS)


@sized(
    quick={"n_targets": 1, "n_seeds": 1},
    paper={"n_targets": 2, "n_seeds": 3},
    large={"n_targets": 24, "n_seeds": 16},
    large_cost="1 GB, 4 min on one core",
)
@own_seeds()
def retrain_sample(draw: int, *, n_targets: int, n_seeds: int) -> tuple[Array, Array]:
    """Losses of all students of targets from both sets, drawn with the seed `draw`, now and as stored."""
    rng, pairs = np.random.default_rng(draw), []
    with stored_results.reading(FILE) as stored:
        for _ in range(n_targets):
            kind = str(rng.choice(SETS))
            place = int(rng.integers(len(targets_of(kind))))
            seeds = np.sort(rng.choice(N_SEEDS[kind], n_seeds, replace=False)).tolist()
            now = student_losses(draw_rows(targets_of(kind)[place], seeds), seeds)
            kept = stored["sets"][kind][place]
            pairs += [(now[name].ravel(), np.array(kept[name])[seeds].ravel()) for name in ("alone", "joint")]
    new, old = zip(*pairs, strict=True)
    return np.concatenate(new), np.concatenate(old)


def _plain(cells: dict[str, Any]) -> dict[str, Any]:
    """Rounded lists; what cannot be computed is None."""
    return {name: _listed(np.round(values, _DIGITS + 2 * (name in ("forecasts", "permuted"))).tolist())
            for name, values in cells.items()}  # fmt: skip


def _listed(values: Any) -> Any:
    if isinstance(values, list):
        return [_listed(value) for value in values]
    return None if np.isnan(values) else values
