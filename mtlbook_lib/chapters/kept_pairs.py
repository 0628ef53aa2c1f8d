"""Losses of students alone and of pairs that are kept in a file: what is kept of a sweep, and how it is read again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import stored_results
from mtlbook_lib.chapters.classifier_pairs import Arms
from mtlbook_lib.chapters.sweep import Result, sweep

DIGITS = 6  # of a loss in nats


def train_and_keep(
    cells: Callable[..., dict[str, Any]],
    settings: Sequence[dict[str, Any]],
    folder: str | Path,
    names: Sequence[str],
    every: int,
) -> dict[str, Any]:
    """What is ``kept`` of a sweep, after training what is not finished in the folder; cells give `losses` of arms."""
    return kept(sweep(cells, settings, folder), settings, names, every)


def kept(
    results: Sequence[Result], settings: Sequence[dict[str, Any]], names: Sequence[str], every: int
) -> dict[str, Any]:
    """Losses (seed, setting) of a sweep: with the auxiliary task, and alone once for every so many settings.

    Results whose settings agree in the entries `names` are put together, under these entries; seeds in the order of the
    sweep. No best loss may be the last sample.
    """
    found: dict[str, Any] = {}
    for result, setting in zip(results, settings, strict=True):
        if np.any(result["at_end"]):
            raise RuntimeError(f"a test loss is still falling at the end, for {setting}: train longer.")
        name = " ".join(str(setting[key]) for key in names if key in setting)
        rows = found.setdefault(name, {"alone": [], "joint": []})
        rows["alone"] += np.atleast_2d(result["alone"])[:, ::every].round(DIGITS).tolist()
        rows["joint"] += np.atleast_2d(result["joint"]).round(DIGITS).tolist()
    return found


def read(file: str, sweep: str) -> dict[str, Arms]:
    """The kept losses of one sweep, by the names that it was kept under, each (seed, setting).

    Raises
    ------
    CorruptResult
        If the file is no JSON, or a loss is missing or no number; the message names the file.
    """
    with stored_results.reading(file) as found:
        losses = found[sweep]["losses"]
        return {name: _arms(np.array(rows["alone"]), np.array(rows["joint"])) for name, rows in losses.items()}


def _arms(alone: Array, joint: Array) -> Arms:
    """Every student alone is the baseline of equally many settings, which follow each other."""
    if alone.ndim != 2 or joint.ndim != 2 or len(alone) != len(joint) or joint.shape[1] % alone.shape[1]:
        raise ValueError(f"losses of shapes {alone.shape} and {joint.shape} do not belong together")
    if not (np.isfinite(alone).all() and np.isfinite(joint).all()):
        raise ValueError("a loss is no finite number")
    baseline = np.repeat(alone, joint.shape[1] // alone.shape[1], axis=1)
    return Arms(baseline, joint, np.zeros(joint.shape, dtype=bool))
