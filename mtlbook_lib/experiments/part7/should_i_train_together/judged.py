"""The study of the recommendation: how it is run, stored, read, and how a part of it is run again."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import Array
from mtlbook_lib.data.real_pairs import Target, draw_rows, random_targets
from mtlbook_lib.experiments import stored_results
from mtlbook_lib.experiments.part7.should_i_train_together.sharing import SAID, WAYS, constructed, gains_and_advice
from mtlbook_lib.experiments.part7.should_i_train_together.timing import median_seconds
from mtlbook_lib.experiments.sizes import sized
from mtlbook_lib.experiments.sweep import sweep
from mtlbook_lib.forecast import recommend

FILE = "results/part7/which-way.json"
# The split: the rule was fixed on pairs of the first kind alone, and run once on the second.
KINDS = {"fixed on": False, "judged on": True}
N_TARGETS, N_PARTNERS, N_DRAWS = 48, 3, 30
SEEDS = {"fixed on": 2126, "judged on": 2127}
CONSTRUCTED_SEED, N_CONSTRUCTED, PER_CELL = 2128, 1000, 100
_DIGITS = 4


@dataclass(frozen=True)
class Judged:
    """Gains, shape (draw, pair, learner), what was said, (draw, pair, 18), and the target of each pair."""

    gains: Array
    said: Array
    owner: NDArray[np.int64]

    def number(self, name: str) -> Array:
        """One of SAID, shape (draw, pair)."""
        return self.said[..., SAID.index(name)]

    def each_way(self, name: str) -> Array:
        """The four "expected", "left out" or "error", shape (draw, pair, way)."""
        return np.stack([self.number(f"{name}, {way}") for way in WAYS], axis=-1)


@cache
def targets_judged(kind: str) -> tuple[Target, ...]:
    """Targets with three partners each, on rows of their own; "fixed on" or "judged on"."""
    return random_targets(N_TARGETS, N_PARTNERS, SEEDS[kind], held_out=KINDS[kind], same_rows=0.0)


def study_cell(kind: str, place: int) -> dict[str, Any]:
    """One target with its partners, all draws."""
    seeds = range(N_DRAWS)
    return gains_and_advice(draw_rows(targets_judged(kind)[place], seeds), seeds)


def study(folder: str | Path, progress: Any = None) -> dict[str, Any]:
    """All that is kept, or what a former call left undone."""
    found: dict[str, Any] = {"seconds": round(median_seconds(recommend, 10), 3)}
    for kind in ("judged on", "fixed on"):
        settings = [{"kind": kind, "place": place} for place in range(N_TARGETS)]
        cells = sweep(study_cell, settings, folder, progress=progress)
        found[kind] = [{name: np.round(values, _DIGITS).tolist() for name, values in cell.items()} for cell in cells]
    parts = [{"seed": CONSTRUCTED_SEED + part, "n_pairs": PER_CELL} for part in range(N_CONSTRUCTED // PER_CELL)]
    drawn = sweep(constructed, parts, folder, progress=progress)
    shares = {name: [round(float(cell[name]), _DIGITS) for cell in drawn] for name in ("same", "permuted")}
    found["constructed"] = shares
    return found


def stored_recommend_seconds() -> float:
    """What this was when the results were made."""
    with stored_results.reading(FILE) as stored:
        return float(stored["seconds"])


def stored_judged(kind: str) -> Judged:
    """What was measured and said, "fixed on" or "judged on"."""
    with stored_results.reading(FILE) as stored:
        cells = [{name: np.array(values, dtype=float) for name, values in cell.items()} for cell in stored[kind]]
        gains, said = (np.concatenate([cell[name] for cell in cells], axis=1) for name in ("gains", "said"))
    return Judged(gains, said, np.repeat(np.arange(len(cells)), N_PARTNERS))


def stored_constructed() -> tuple[float, float]:
    """Share of 1000 constructed pairs that "likely help": of the same task, and with permuted labels."""
    with stored_results.reading(FILE) as stored:
        same, permuted = (float(np.mean(stored["constructed"][name])) for name in ("same", "permuted"))
    return same, permuted


@sized(
    quick={"n_targets": 1, "n_draws": 1},
    paper={"n_targets": 2, "n_draws": 3},
    large={"n_targets": 24, "n_draws": 8},
    large_cost="1 GB, 2 min on one core",
)
def judge_again(draw: int, *, n_targets: int, n_draws: int) -> tuple[Array, Array]:
    """Gains and advice on pairs that the rule was fixed on, drawn with the seed `draw`, now and as stored."""
    rng, kept = np.random.default_rng(draw), stored_judged("fixed on")
    now, then = [], []
    for place in rng.choice(N_TARGETS, n_targets, replace=False):
        seeds = np.sort(rng.choice(N_DRAWS, n_draws, replace=False)).tolist()
        found = gains_and_advice(draw_rows(targets_judged("fixed on")[int(place)], seeds), seeds)
        pairs = kept.owner == place
        now += [found["gains"].ravel(), found["said"].ravel()]
        then += [kept.gains[seeds][:, pairs].ravel(), kept.said[seeds][:, pairs].ravel()]
    return np.concatenate(now), np.concatenate(then)
