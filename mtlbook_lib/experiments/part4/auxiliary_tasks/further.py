"""Two comparisons beside the grid: noisy against clean auxiliary tasks on many data sets, and many examples."""

from __future__ import annotations

from typing import Any

import numpy as np

from mtlbook_lib.experiments.classifier_pairs import CLASSES, FEATURES, Pairs, train
from mtlbook_lib.experiments.part4.auxiliary_tasks.grid import SIZES, training_steps

# Auxiliary tasks of the first comparison: strength and relatedness. Two random maps of the noise are as related
# as the last one.
NOISY, CLEAN, CLEAN_RELATED = (0.01, 0.0), (100.0, 0.0), (100.0, float(np.sqrt(CLASSES / FEATURES)))
PAIRED = (NOISY, CLEAN, CLEAN_RELATED)
PAIRED_MAIN = float(np.sqrt(10))
BLOCK, N_BLOCKS = 8, 6

LATE_MAIN = (1.0, float(np.sqrt(10)), 100.0)
LATE_AUXILIARY = ((100.0, 1.0), (100.0, 0.0), (0.01, 0.0))
LATE_SIZES = (1600, 3200)
LATE_SEEDS = tuple(range(8))
LATE_STEPS = {1600: 900, 3200: 1500}  # the optimum of clean tasks comes late: at times up to 225, or above


def paired_cells(n_examples: int, block: int, noise: str) -> dict[str, Any]:
    """Eight data sets with each auxiliary task of PAIRED: best losses (seed, auxiliary task)."""
    seeds = range(BLOCK * block, BLOCK * (block + 1))
    strengths, related = np.transpose(PAIRED)
    steps = training_steps(n_examples)
    pairs = Pairs(PAIRED_MAIN, strengths, related, n_examples, n_examples, noise)
    arms = train(pairs, seeds, n_steps=steps)
    return {"alone": arms.alone, "joint": arms.joint, "at_end": arms.at_end}


def paired_settings() -> list[dict[str, Any]]:
    """All sizes with one noise for each task, and the size 400 with fresh noise for each example."""
    kinds = [(size, "weight") for size in SIZES] + [(400, "sample")]
    return [{"n_examples": n, "block": b, "noise": noise} for n, noise in kinds for b in range(N_BLOCKS)]


def late_cells(n_examples: int, seed: int) -> dict[str, Any]:
    """One large data set for every main task of LATE_MAIN with each of LATE_AUXILIARY, unrolled: best losses (9,)."""
    main = np.repeat(LATE_MAIN, len(LATE_AUXILIARY))
    strengths, related = np.tile(np.transpose(LATE_AUXILIARY), len(LATE_MAIN))
    pairs = Pairs(main, strengths, related, n_examples, n_examples)
    arms = train(pairs, [seed], n_steps=LATE_STEPS[n_examples])
    return {"alone": arms.alone[0], "joint": arms.joint[0], "at_end": arms.at_end[0]}


def late_settings() -> list[dict[str, Any]]:
    """Every size and seed."""
    return [{"n_examples": size, "seed": seed} for size in LATE_SIZES for seed in LATE_SEEDS]
