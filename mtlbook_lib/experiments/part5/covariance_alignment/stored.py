"""The table of domains that is kept beside the book: how it is made, read, and made again in part."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib._random import own_seeds
from mtlbook_lib.experiments import stored_results
from mtlbook_lib.experiments.part5.covariance_alignment.arms import cell
from mtlbook_lib.experiments.part5.covariance_alignment.domains import DOMAINS
from mtlbook_lib.experiments.sweep import sweep
from mtlbook_lib.statistics import mean_and_error

FILE = "results/part5/covariance-alignment.json"
N_SPLITS, DIGITS = 60, 6
ARMS = ("alone", "stopped", "shared", "kendall", "aligned", "gate")


@dataclass(frozen=True)
class Table:
    """Areas of a domain, (split, role, arm), source before target, and its scores, (split, kind, state)."""

    areas: Array
    scores: Array

    def changes(self, arm: str, over: str, both: bool = False) -> Array:
        """Area of the target by one arm less that by another, in each split; of both tasks' mean for multi-task."""
        change = self.areas[..., ARMS.index(arm)] - self.areas[..., ARMS.index(over)]
        return np.asarray(change.mean(axis=1) if both else change[:, 1])

    def gain(self, arm: str, over: str, both: bool = False) -> tuple[Array, Array]:
        """Mean over splits and paired standard error."""
        return mean_and_error(self.changes(arm, over, both))


def compute_stored(folder: str | Path, progress: Any = None) -> dict[str, Any]:
    """Fit everything that is kept, or what a former call left undone."""
    settings = [{"domain": domain, "split": split} for domain in DOMAINS for split in range(N_SPLITS)]
    results = sweep(cell, settings, folder, progress=progress)
    kept: dict[str, dict[str, list[Any]]] = {domain: {"areas": [], "scores": []} for domain in DOMAINS}
    for result, setting in zip(results, settings, strict=True):
        for name, values in result.items():
            kept[str(setting["domain"])][name].append(values.round(DIGITS).tolist())
    return {"splits": N_SPLITS, "domains": kept}


def table() -> dict[str, Table]:
    """What is stored, by domain."""
    with stored_results.reading(FILE) as found:
        kept = found["domains"].items()
        return {domain: Table(np.array(one["areas"]), np.array(one["scores"])) for domain, one in kept}


@own_seeds()
def fit_again(seed: int, n_cells: int = 4) -> tuple[Array, Array]:
    """Areas of some cells, drawn with the seed: now, and as stored."""
    rng = np.random.default_rng(seed)
    domains = rng.choice(list(DOMAINS), n_cells, replace=False)
    splits = rng.integers(N_SPLITS, size=n_cells)
    kept = table()
    now = [cell(str(domain), int(split))["areas"] for domain, split in zip(domains, splits, strict=True)]
    then = [kept[str(domain)].areas[split] for domain, split in zip(domains, splits, strict=True)]
    return np.stack(now), np.stack(then)
