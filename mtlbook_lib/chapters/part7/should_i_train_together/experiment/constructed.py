"""Constructed pairs: how often the same task is found, and permuted labels are taken for a partner."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mtlbook_lib import forecast
from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part7.should_i_train_together import settings as SETTINGS
from mtlbook_lib.chapters.part7.should_i_train_together.experiment.forecasts import median_seconds
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.chapters.stored_results import read, spot_check
from mtlbook_lib.chapters.sweep import sweep
from mtlbook_lib.forecast import recommend

CONSTRUCTED = "part7/should_i_train_together/constructed.json"
# Rows of the target, and pairs of each.
SIZES = {(40, 80, 160): 800, (14,): 200, (20,): 200, (30,): 200}
SEED, PER_CELL = SETTINGS.seed, SETTINGS.per_cell
HELPS = forecast.policy.HELPS
COUNTED = ("same", "same, helps", "permuted")


def constructed(seed: int, n_pairs: int, n_rows: Sequence[int]) -> dict[str, Any]:
    """Shares of drawn pairs: COUNTED, of which the first is related with probability .9, the others "likely help".

    5, 10 or 20 Gaussian columns; a linear teacher or eight rectified units, noise half of it or as large; one of
    `n_rows` rows of the target, and 40, 80 or 160 of its partner.
    """
    rng = np.random.default_rng(seed)
    return dict(zip(COUNTED, np.mean([_pair(rng, n_rows) for _ in range(n_pairs)], axis=0), strict=True))


def _pair(rng: np.random.Generator, n_rows: Sequence[int]) -> tuple[bool, bool, bool]:
    d, n_a, n_b = (int(rng.choice(values)) for values in ((5, 10, 20), n_rows, (40, 80, 160)))
    noise, linear = float(rng.choice([0.5, 1.0])), bool(rng.integers(2))
    x, units = rng.standard_normal((n_a + n_b, d)), rng.standard_normal((d, 1 if linear else 8))
    clean = x @ units[:, 0] if linear else np.maximum(x @ units, 0) @ rng.standard_normal(8)
    y = (clean - clean.mean()) / clean.std() + noise * rng.standard_normal(n_a + n_b)
    labels = y[n_a:], rng.permutation(y[n_a:])
    same, other = (recommend(x[:n_a], y[:n_a], x[n_a:], of_b) for of_b in labels)
    return same.sharing.nats > forecast.policy.LEAST_NATS, same.verdict == HELPS, other.verdict == HELPS


@sized(file=CONSTRUCTED, minutes=6)
def study(folder: Path) -> dict[str, Any]:
    """Shares for each of the SIZES, a number for each cell of PER_CELL pairs, and seconds of a recommendation."""
    counts: dict[str, Any] = {"seconds": round(median_seconds(80, 160, 64, 10), 3), "pairs": PER_CELL, "shares": {}}
    for place, (n_rows, n_pairs) in enumerate(SIZES.items()):
        seeds = [SEED + 100 * place + part for part in range(n_pairs // PER_CELL)]
        cells = sweep(constructed, [{"seed": s, "n_pairs": PER_CELL, "n_rows": list(n_rows)} for s in seeds], folder)
        shares = {name: [round(float(cell[name]), 4) for cell in cells] for name in COUNTED}
        counts["shares"][" ".join(map(str, n_rows))] = shares
    return counts


def stored_shares() -> dict[str, dict[str, float]]:
    """For each number of the target's rows the share of the pairs, for all that is COUNTED."""
    shares = read(CONSTRUCTED, "shares")
    return {rows: {name: float(values.mean()) for name, values in one.items()} for rows, one in shares.items()}


def stored_seconds() -> float:
    """Of one recommendation, when the results were made."""
    return float(read(CONSTRUCTED, "seconds"))


@spot_check(CONSTRUCTED, 0.011, place=range(len(SIZES)), part=range(2))  # one pair at its limit
def construct_again(place: int, part: int) -> tuple[Array, Array]:
    """Shares of a cell of one of the SIZES."""
    n_rows = list(SIZES)[place]
    counts = constructed(SEED + 100 * place + part, PER_CELL, n_rows)
    kept = read(CONSTRUCTED, "shares", " ".join(map(str, n_rows)))
    return np.array([counts[name] for name in COUNTED]), np.array([kept[name][part] for name in COUNTED])
