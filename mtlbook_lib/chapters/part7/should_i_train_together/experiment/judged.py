"""Five ways of sharing on real pairs: what each gains on new rows, and what was recommended from the training rows.

The recommendation was fixed on pairs from ``SOURCES`` and is judged on pairs from ``HELD_OUT``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part7.should_i_train_together.experiment.forecasts import VERDICTS, median_seconds
from mtlbook_lib.chapters.part7.should_i_train_together.experiment.students import narrow_losses
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.chapters.stored_results import Some, read, spot_check
from mtlbook_lib.chapters.sweep import sweep
from mtlbook_lib.data.real_pairs import Target, TargetRows, draw_rows, random_targets
from mtlbook_lib.forecast import Recommendation, SharedRidge, TwoTaskGP, recommend

WAYS = ("pool", "shared + own", "feature", "process")
LEARNERS = (*WAYS, "network")
# What is stored of a recommendation, in this order: first the expected gains, then the gains on rows left out and
# their errors, each for the WAYS.
SAID = (*(f"{kind}, {way}" for kind in ("expected", "left out", "error") for way in WAYS),
        "gain", "nats", "score", "cosine", "verdict", "way")  # fmt: skip
_WORST = 4.0  # an error on new rows, over the variance of their labels, counts at most so much


def gains_and_advice(rows: TargetRows, seeds: Sequence[int]) -> dict[str, Array]:
    """Measured gains, "gains", shape (seed, partner, 5), and what was "said", (seed, partner, 18).

    A gain is the test error of A alone minus that with B, over the variance of the test labels; of the network, the
    loss over a constant's. Where a partner has no column that varies, nothing can be shared and nothing is said.
    """
    shape = (len(seeds), len(rows.partners))
    gains, said = np.zeros((*shape, len(LEARNERS))), np.zeros((*shape, len(SAID)))
    for seed in range(len(seeds)):
        for place, partner in enumerate(rows.partners):
            data = rows.inputs[seed], rows.labels[seed], partner.inputs[seed], partner.labels[seed]
            if not np.ptp(data[2], axis=0).max() > 0:
                said[seed, place, SAID.index("verdict")] = VERDICTS.index("cannot tell")
                continue
            gains[seed, place, :4] = sharing_gains(*data, rows.new_inputs[seed], rows.new_labels[seed])
            said[seed, place] = numbers_of(recommend(*data, repeats="keep", draws=2), cosine(*data))
    alone, joint = narrow_losses(rows, seeds)
    gains[..., 4] = alone - joint
    return {"gains": gains, "said": said}


def sharing_gains(x_a: Array, y_a: Array, x_b: Array, y_b: Array, new: Array, truth: Array) -> Array:
    """Gains of the four WAYS on new rows, each over the same model of A alone."""
    x_a, x_b, new = _same_units(x_a, x_b, new)
    y_a, truth = (labels - y_a.mean() for labels in (y_a, truth))
    both, labels = np.concatenate([x_a, x_b]), np.concatenate([y_a / y_a.std(), (y_b - y_b.mean()) / y_b.std()])
    task = np.repeat([0, 1], [len(y_a), len(y_b)])
    alone, other = SharedRidge(own=0.0).fit(x_a, y_a), SharedRidge(own=0.0).fit(x_b, y_b)
    feature = SharedRidge(own=0.0).fit(np.column_stack([x_a, other.predict(x_a)]), y_a)
    apart, process = TwoTaskGP().fit(x_a, y_a), TwoTaskGP().fit(x_a, y_a, x_b, y_b)
    shared = [SharedRidge(own).fit(both, labels, task).predict(new, 0) * y_a.std() for own in (0.0, None)]
    said = [alone.predict(new), apart.predict(new), *shared]
    said += [feature.predict(np.column_stack([new, other.predict(new)])), process.predict(new)]
    errors = np.minimum(np.square(np.array(said) - truth).mean(axis=1) / truth.var(), _WORST)
    return np.asarray([errors[0] - errors[2], errors[0] - errors[3], errors[0] - errors[4], errors[1] - errors[5]])


def cosine(x_a: Array, y_a: Array, x_b: Array, y_b: Array) -> float:
    """Between the coefficients of both tasks, each learned by a ridge of its own in common units."""
    x_a, x_b, _ = _same_units(x_a, x_b, x_a)
    slopes = [SharedRidge(own=0.0).fit(x, y).coef_[0] for x, y in ((x_a, y_a), (x_b, y_b))]
    size = float(np.linalg.norm(slopes[0]) * np.linalg.norm(slopes[1]))
    return float(slopes[0] @ slopes[1]) / size if size > 0 else 0.0


def numbers_of(told: Recommendation, alike: float) -> list[float]:
    """The numbers SAID."""
    gains = [told.gains[way][part] for part in (0, 1) for way in WAYS]
    way = WAYS.index(told.way) if told.way in WAYS else -1
    forecast = [float(np.nan_to_num(told.forecast.gain)), told.forecast.nats, told.forecast.score]
    return [*(told.expected[name] for name in WAYS), *gains, *forecast, alike, VERDICTS.index(told.verdict), way]


def constructed(seed: int, n_pairs: int, n_rows: Sequence[int] = (40, 80, 160)) -> dict[str, Any]:
    """Of drawn tasks, how often the same task and permuted labels "likely help".

    5, 10 or 20 Gaussian columns; a linear teacher or eight rectified units, noise half of it or as large; one of
    `n_rows` rows of the target, and 40, 80 or 160 of its partner.
    """
    rng = np.random.default_rng(seed)
    found = [_constructed_pair(rng, n_rows) for _ in range(n_pairs)]
    return {"same": np.mean([same for same, _ in found]), "permuted": np.mean([other for _, other in found])}


def _constructed_pair(rng: np.random.Generator, n_rows: Sequence[int]) -> tuple[bool, bool]:
    d, n_a, n_b = (int(rng.choice(values)) for values in ((5, 10, 20), n_rows, (40, 80, 160)))
    noise, linear = float(rng.choice([0.5, 1.0])), bool(rng.integers(2))
    x, units = rng.standard_normal((n_a + n_b, d)), rng.standard_normal((d, 1 if linear else 8))
    clean = x @ units[:, 0] if linear else np.maximum(x @ units, 0) @ rng.standard_normal(8)
    y = (clean - clean.mean()) / clean.std() + noise * rng.standard_normal(n_a + n_b)
    labels = y[n_a:], rng.permutation(y[n_a:])
    same, other = (recommend(x[:n_a], y[:n_a], x[n_a:], of_b, draws=2).verdict for of_b in labels)
    return same == VERDICTS[0], other == VERDICTS[0]


def _same_units(x_a: Array, x_b: Array, new: Array) -> tuple[Array, Array, Array]:
    """Columns in units of their spread over the rows of both tasks."""
    both = np.concatenate([x_a, x_b])
    spread = both.std(axis=0)
    unit = np.where(spread > 1e-12 * np.abs(both).max(axis=0), spread, np.inf)
    a, b, fresh = ((rows - both.mean(axis=0)) / unit for rows in (x_a, x_b, new))
    return a, b, fresh


FILE = "part7/should_i_train_together/which-way.json"
# The split: the rule was fixed on pairs of the first kind alone, and run once on the second.
KINDS = {"fixed on": False, "judged on": True}
N_TARGETS, N_PARTNERS, N_DRAWS = 48, 3, 30
SEEDS = {"fixed on": 2126, "judged on": 2127}
CONSTRUCTED_SEED, N_CONSTRUCTED, PER_CELL = 2128, 1000, 100
FEW_FILE, FEW_ROWS, FEW_SEED, N_FEW = "part7/should_i_train_together/few-rows.json", (14, 20, 30), 2200, 600
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


@sized(file=FILE, minutes=10)
def study(folder: Path) -> dict[str, Any]:
    """All that is kept, or what a former call left undone."""
    found: dict[str, Any] = {"seconds": round(median_seconds(recommend, 10), 3)}
    for kind in ("judged on", "fixed on"):
        settings = [{"kind": kind, "place": place} for place in range(N_TARGETS)]
        cells = sweep(study_cell, settings, folder)
        found[kind] = [{name: np.round(values, _DIGITS).tolist() for name, values in cell.items()} for cell in cells]
    found["constructed"] = _shares(folder, CONSTRUCTED_SEED, N_CONSTRUCTED)
    return found


def _shares(folder: Path, seed: int, n_pairs: int, **more: Any) -> dict[str, list[float]]:
    """How often constructed pairs "likely help", by kind: a share for each cell, whose seeds go on from `seed`."""
    cells = [{"seed": seed + part, "n_pairs": PER_CELL, **more} for part in range(n_pairs // PER_CELL)]
    drawn = sweep(constructed, cells, folder)
    return {name: [round(float(cell[name]), _DIGITS) for cell in drawn] for name in ("same", "permuted")}


@sized(file=FEW_FILE, minutes=10)
def few_rows(folder: Path) -> dict[str, Any]:
    """How often partners "likely help" a target of few rows: of its own task, and with permuted labels."""
    shares = {str(rows): _shares(folder, FEW_SEED + 100 * rows, N_FEW, n_rows=[rows]) for rows in FEW_ROWS}
    return {"pairs": PER_CELL, "shares": shares}


def stored_few_rows() -> dict[int, tuple[float, float]]:
    """For each number of the target's rows, the share of 600 pairs that "likely help": same task, permuted labels."""
    shares = read(FEW_FILE, "shares")
    return {int(rows): (float(np.mean(s["same"])), float(np.mean(s["permuted"]))) for rows, s in shares.items()}


def stored_recommend_seconds() -> float:
    """What this was when the results were made."""
    return float(read(FILE, "seconds"))


def stored_judged(kind: str) -> Judged:
    """What was measured and said, "fixed on" or "judged on"."""
    cells = read(FILE, kind)
    gains, said = (np.concatenate([cell[name] for cell in cells], axis=1) for name in ("gains", "said"))
    return Judged(gains, said, np.repeat(np.arange(len(cells)), N_PARTNERS))


def stored_constructed() -> tuple[float, float]:
    """Share of 1000 constructed pairs that "likely help": of the same task, and with permuted labels."""
    shares = read(FILE, "constructed")
    return float(shares["same"].mean()), float(shares["permuted"].mean())


@spot_check(FILE, 2e-3, place=range(N_TARGETS), seeds=Some(range(N_DRAWS), 3))
def judged_again(place: int, seeds: list[int]) -> tuple[Array, Array]:
    """Gains and advice on the pairs of one target that the rule was fixed on."""
    found = gains_and_advice(draw_rows(targets_judged("fixed on")[place], seeds), seeds)
    kept = stored_judged("fixed on")
    now = np.append(found["gains"], found["said"])
    return now, np.append(*(part[seeds][:, kept.owner == place] for part in (kept.gains, kept.said)))
