"""The runs that are kept beside the book: what is kept of them, how it is read, and how some are trained again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib._random import own_seeds
from mtlbook_lib.experiments import kept_pairs
from mtlbook_lib.experiments.classifier_pairs import Arms, Pairs, train
from mtlbook_lib.experiments.part4.auxiliary_tasks import further, grid
from mtlbook_lib.experiments.sweep import sweep
from mtlbook_lib.statistics import mean_and_error

FILE = "results/part4/auxiliary-tasks.json"
NAMES = ("n_examples", "noise")


def compute_stored(folder: str | Path, progress: Any = None) -> dict[str, Any]:
    """Train everything that is kept, or what a former call left undone; an hour and a half on one core."""
    cells = sweep(grid.grid_cells, grid.sweep_settings(), folder, progress=progress)
    pairs = sweep(further.paired_cells, further.paired_settings(), folder, progress=progress)
    late = sweep(further.late_cells, further.late_settings(), folder, progress=progress)
    every = grid.STRENGTHS.size * grid.RELATEDNESS.size
    return {
        "grid": {
            "strengths": grid.STRENGTHS.tolist(),
            "relatedness": grid.RELATEDNESS.tolist(),
            "seeds": list(grid.SEEDS),
            "losses": kept_pairs.kept(cells, grid.sweep_settings(), NAMES, every),
        },
        "paired": {"auxiliary": further.PAIRED, "losses": kept_pairs.kept(pairs, further.paired_settings(), NAMES, 3)},
        "late": {
            "main": further.LATE_MAIN,
            "auxiliary": further.LATE_AUXILIARY,
            "seeds": list(further.LATE_SEEDS),
            "losses": kept_pairs.kept(late, further.late_settings(), NAMES, 3),
        },
    }


def stored_arms(name: str) -> dict[str, Arms]:
    """The kept losses of "grid", "paired" or "late", by number of examples (and noise), each (seed, setting)."""
    return kept_pairs.read(FILE, name)


def stored_grid() -> dict[int, Array]:
    """Benefits in the grid of Fig. 2 by number of examples, (seed, main strength, auxiliary strength, relatedness)."""
    shape = (-1, grid.STRENGTHS.size, grid.STRENGTHS.size, grid.RELATEDNESS.size)
    return {int(size): arms.benefit.reshape(shape) for size, arms in stored_arms("grid").items()}


def related_by_size() -> tuple[Array, dict[float, dict[str, tuple[Array, Array]]]]:
    """Numbers of examples, and for each of LATE_MAIN mean and error of the benefit of three auxiliary tasks.

    Up to 800 examples they are cells of the grid, beyond the late runs.
    """
    cells, late = stored_grid(), stored_arms("late")
    names = {"related": (8, 4), "unrelated": (8, 0), "noise": (0, 0)}
    found: dict[float, dict[str, tuple[Array, Array]]] = {}
    for main, place in enumerate((4, 5, 8)):
        found[further.LATE_MAIN[main]] = curves = {}
        for column, (name, (partner, r)) in enumerate(names.items()):
            runs = [cube[:, place, partner, r] for cube in cells.values()]
            runs += [arms.benefit[:, 3 * main + column] for arms in late.values()]
            mean, error = np.transpose([mean_and_error(run) for run in runs])
            curves[name] = (mean, error)
    return np.array([*cells, *map(int, late)]), found


@own_seeds()
def retrain_sample(draw: int, n_cells: int = 8, n_examples: int = 50) -> tuple[Array, Array]:
    """Benefits of some cells of the grid on one data set, drawn with the seed `draw`: now, and as stored."""
    rng = np.random.default_rng(draw)
    seed = grid.SEEDS[rng.integers(len(grid.SEEDS))]
    some = rng.choice(grid.grid_settings()[0].size, n_cells, replace=False)
    main, auxiliary, related = (values[some] for values in grid.grid_settings())
    now = train(Pairs(main, auxiliary, related, n_examples, n_examples), [seed], n_steps=200)
    return now.benefit[0], stored_grid()[n_examples][grid.SEEDS.index(seed)].ravel()[some]
