"""The runs that are kept beside the book: how they are made and read, and how some are trained again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib._random import own_seeds
from mtlbook_lib.experiments import kept_pairs
from mtlbook_lib.experiments.classifier_pairs import Arms
from mtlbook_lib.experiments.part4.auxiliary_data import sweeps
from mtlbook_lib.experiments.sweep import sweep

FILE = "results/part4/auxiliary-data.json"
FURTHER_FILE = "results/part4/auxiliary-data-further.json"
TRUNKS: dict[str, Any] = {"main": 3.0, "auxiliary": 100.0, "relatedness": sweeps.FINE}
NAMES = ("kind", "n_layers", "start", "n_examples")


def compute_stored(folder: str | Path, progress: Any = None) -> dict[str, Any]:
    """Train everything that is kept, or what a former call left undone; ten minutes on one core."""
    strengths = {"main": sweeps.MAIN, "auxiliary": sweeps.AUXILIARY, "relatedness": sweeps.RELATEDNESS}
    plan: dict[str, Any] = {
        "amounts": (sweeps.amount_cells, sweeps.amount_settings(), ("n_auxiliary", "loss"), strengths),
        "trunks": (sweeps.trunk_cells, sweeps.trunk_settings(), NAMES, TRUNKS),
        "grid": (
            sweeps.grid_cells,
            sweeps.grid_settings(),
            ("n_layers",),
            {**strengths, "examples": sweeps.GRID_EXAMPLES},
        ),
    }
    found: dict[str, Any] = {}
    for name, (cells, settings, names, axes) in plan.items():
        results = sweep(cells, settings, folder, progress=progress)
        every = len(sweeps.FINE) if name == "trunks" else len(sweeps.AUXILIARY) * len(sweeps.RELATEDNESS)
        found[name] = {**axes, "losses": kept_pairs.kept(results, settings, names, every)}
    return found


def run_further(folder: str | Path, progress: Any = None) -> dict[str, Any]:
    """Train the further students of two layers, or what a former call left undone; two minutes on one core."""
    settings = sweeps.further_settings()
    results = sweep(sweeps.trunk_cells, settings, folder, progress=progress)
    return {"trunks": {**TRUNKS, "losses": kept_pairs.kept(results, settings, NAMES, len(sweeps.FINE))}}


def stored_amounts() -> dict[str, Array]:
    """Benefits of Fig. 3 (left) and A3 for each loss: (number of examples, seed, main, auxiliary, relatedness)."""
    arms = kept_pairs.read(FILE, "amounts")
    return {loss: np.stack([_by_strength(arms[f"{n} {loss}"]) for n in sweeps.AMOUNTS]) for loss in sweeps.LOSSES}


def stored_trunks(start: str, n_examples: int) -> dict[str, tuple[Array, Array]]:
    """Benefits (layers, seed, relatedness) and losses alone (layers, seed) of linear and of rectified students."""
    arms = kept_pairs.read(FILE, "trunks")
    found = {}
    for kind in sweeps.KINDS:
        runs = [arms[f"{kind} {layers} {start} {n_examples}"] for layers in sweeps.LAYERS]
        found[kind] = (np.stack([run.benefit for run in runs]), np.stack([run.alone[:, 0] for run in runs]))
    return found


def stored_shift() -> Array:
    """Benefit of linear minus that of rectified students, two layers, 1600 examples, (seed, relatedness).

    The first data sets are those of ``stored_trunks``.
    """
    sets = [kept_pairs.read(file, "trunks") for file in (FILE, FURTHER_FILE)]
    linear, rectified = (
        np.concatenate([arms[f"{kind} 2 large 1600"].benefit for arms in sets]) for kind in sweeps.KINDS
    )
    return np.asarray(linear - rectified)


def stored_grid() -> Array:
    """Benefits of A4, (layers, seed, main strength, auxiliary strength, relatedness)."""
    arms = kept_pairs.read(FILE, "grid")
    return np.stack([_by_strength(arms[str(layers)]) for layers in sweeps.GRID_LAYERS])


def _by_strength(arms: Arms) -> Array:
    return arms.benefit.reshape(-1, len(sweeps.MAIN), len(sweeps.AUXILIARY), len(sweeps.RELATEDNESS))


@own_seeds()
def retrain_sample(draw: int) -> tuple[Array, Array]:
    """Benefits of one data set, drawn with the seed `draw`, now and as stored: three cells of each of two figures.

    The cells are of a number of auxiliary examples and a loss, and of a student with one or two hidden layers.
    """
    rng = np.random.default_rng(draw)
    place, loss = int(rng.integers(len(sweeps.AMOUNTS))), str(rng.choice(sweeps.LOSSES))
    some, seed = rng.choice(27, 3, replace=False), int(rng.integers(sweeps.BLOCK))
    main, auxiliary, related = (values[some] for values in sweeps.settings_of_strengths())
    data = range(seed, seed + 1)
    now = sweeps.amount_arms(sweeps.AMOUNTS[place], loss, data, (main, auxiliary, related)).benefit[0]
    kept = stored_amounts()[loss][place, seed].ravel()[some]
    kind, layers = str(rng.choice(sweeps.KINDS)), int(rng.integers(1, 3))
    ends = sweeps.trunk_arms(kind, layers, "large", 400, data, sweeps.FINE[::2]).benefit[0]
    return np.append(now, ends), np.append(kept, stored_trunks("large", 400)[kind][0][layers - 1, seed, ::2])
