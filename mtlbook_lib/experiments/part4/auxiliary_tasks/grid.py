"""The grid of Fig. 2: strengths of both tasks and their relatedness, at five numbers of examples."""

from __future__ import annotations

from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.experiments.classifier_pairs import Pairs, train

STRENGTHS = np.geomspace(0.01, 100, 9)
RELATEDNESS = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
SIZES = (50, 100, 200, 400, 800)
SEEDS = tuple(range(10))


def grid_settings() -> tuple[Array, Array, Array]:
    """Strength of the main task, of the auxiliary one, and relatedness, unrolled in this order, each (405,)."""
    main, auxiliary, related = np.meshgrid(STRENGTHS, STRENGTHS, RELATEDNESS, indexing="ij")
    return main.ravel(), auxiliary.ravel(), related.ravel()


def training_steps(n_examples: int) -> int:
    """How long to train: to time 50, or 75 for more than 200 examples, whose optimum comes later."""
    return 200 if n_examples <= 200 else 300


def grid_cells(n_examples: int, seed: int) -> dict[str, Any]:
    """Best losses of one data set in all cells of the grid: "alone", "joint" and "at_end", each (405,).

    Training lasts for ``training_steps``.
    """
    arms = train(Pairs(*grid_settings(), n_examples, n_examples), [seed], n_steps=training_steps(n_examples))
    return {"alone": arms.alone[0], "joint": arms.joint[0], "at_end": arms.at_end[0]}


def sweep_settings() -> list[dict[str, Any]]:
    """The list of independent settings of the whole figure: a data set each."""
    return [{"n_examples": size, "seed": seed} for size in SIZES for seed in SEEDS]
