"""The sweep over widths that is kept beside the book: how it is made and read, and how some is trained again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib._random import own_seeds
from mtlbook_lib.experiments import stored_results
from mtlbook_lib.experiments.part5.capacity import digit_widths
from mtlbook_lib.experiments.part5.capacity.curves import Widths
from mtlbook_lib.experiments.sweep import sweep

FILE = "results/part5/capacity.json"


def compute_stored(folder: str | Path, progress: Any = None) -> dict[str, Any]:
    """Train everything that is kept, or what a former call left undone; ten minutes on one core."""
    settings = digit_widths.width_settings()
    results = sweep(digit_widths.width_cells, settings, folder, progress=progress)
    kept: dict[str, dict[str, Any]] = {}
    for module in digit_widths.MODULES:
        for share in digit_widths.SHARES:
            found = [
                result
                for result, setting in zip(results, settings, strict=True)
                if (setting["module"], setting["share"]) == (module, share)
            ]
            kept[f"{module} {share:g}"] = {
                name: stored_results.significant(np.concatenate([one[name] for one in found], axis=1), 4)
                for name in ("shared", "apart")
            }
    return {"shared": digit_widths.SHARED, "apart": digit_widths.APART, "areas": kept}


def stored_widths(module: str, share: float) -> Widths:
    """Areas under the curve of one module, with a share of random labels in three tasks of each split."""
    with stored_results.reading(FILE) as found:
        areas = found["areas"][f"{module} {share:g}"]
        shared, apart = np.array(areas["shared"]), np.array(areas["apart"])
    return Widths(shared, apart, digit_widths.noisy_tasks(range(shared.shape[1])))


@own_seeds()
def retrain_sample(draw: int) -> tuple[Array, Array]:
    """Areas of one split, drawn with the seed `draw`, now and as stored: both kinds at one width, ten tasks each."""
    rng = np.random.default_rng(draw)
    module, share = str(rng.choice(digit_widths.MODULES)), float(rng.choice(digit_widths.SHARES))
    widths, split = (int(rng.integers(8)), int(rng.integers(3))), int(rng.integers(50))
    data, labels = digit_widths.draw(module, share, range(split, split + 1))
    kept, now = stored_widths(module, share), []
    for widths_of, place, apart in ((digit_widths.SHARED, widths[0], False), (digit_widths.APART, widths[1], True)):
        fits = digit_widths.fit(module, data, widths_of[place], range(split, split + 1), apart)
        now.append(digit_widths.areas(fits, data[4], labels)[0])
    return np.stack(now), np.stack([kept.shared[widths[0], split], kept.apart[widths[1], split]])
