"""When an auxiliary task helps a classifier: the grid of Fig. 2, more examples, what is stored, and what is trained."""

from pathlib import Path
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import classifier_pairs
from mtlbook_lib.chapters.classifier_pairs import CLASSES, FEATURES, Arms, Pairs, stored, sweep_to_losses, train
from mtlbook_lib.chapters.part4.auxiliary_tasks import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.chapters.stored_results import Draws, spot_check
from mtlbook_lib.chapters.sweep import combinations
from mtlbook_lib.data.classification import labelled, snr_pairs
from mtlbook_lib.simulation import softmax
from mtlbook_lib.statistics import Curve, mean_and_error

FILE = "part4/auxiliary_tasks/auxiliary-tasks.json"

# The grid: strengths of both tasks and their relatedness, at five numbers of examples.
STRENGTHS = np.geomspace(0.01, 100, 9)
RELATEDNESS = np.array(SETTINGS.relatedness)
SIZES = SETTINGS.sizes
SEEDS = tuple(range(10))

# A noisy and two clean auxiliary tasks on many data sets: strength and relatedness. Two random maps of the noise are as
# related as the last one.
PAIRED = ((0.01, 0.0), (100.0, 0.0), (100.0, float(np.sqrt(CLASSES / FEATURES))))
PAIRED_MAIN = float(np.sqrt(10))
BLOCK, N_BLOCKS = SETTINGS.block, SETTINGS.n_blocks

# Many examples: the optimum of clean tasks comes late, at times up to 225, or above.
LATE_MAIN = (1.0, float(np.sqrt(10)), 100.0)
LATE_AUXILIARY = SETTINGS.late_auxiliary
LATE_STEPS = {1600: 900, 3200: 1500}  # by number of examples
LATE_SEEDS = tuple(range(8))


def grid_settings() -> tuple[Array, Array, Array]:
    """Strength of the main task, of the auxiliary one, and relatedness, unrolled in this order, each (405,)."""
    main, auxiliary, related = np.meshgrid(STRENGTHS, STRENGTHS, RELATEDNESS, indexing="ij")
    return main.ravel(), auxiliary.ravel(), related.ravel()


def training_steps(n_examples: int) -> int:
    """How long to train: to time 50, or 75 for more than 200 examples, whose optimum comes later."""
    return 200 if n_examples <= 200 else 300


def grid_cells(n_examples: int, seed: int) -> dict[str, Any]:
    """One data set in all cells of the grid, (1, 405)."""
    return train(Pairs(*grid_settings(), n_examples, n_examples), [seed], n_steps=training_steps(n_examples)).losses


def paired_cells(n_examples: int, noise: str, block: int) -> dict[str, Any]:
    """Eight data sets with each auxiliary task of PAIRED, (seed, auxiliary task)."""
    strengths, related = np.transpose(PAIRED)
    pairs = Pairs(PAIRED_MAIN, strengths, related, n_examples, n_examples, noise)
    return train(pairs, range(BLOCK * block, BLOCK * (block + 1)), n_steps=training_steps(n_examples)).losses


def late_cells(n_examples: int, seed: int) -> dict[str, Any]:
    """One large data set for every main task of LATE_MAIN with each of LATE_AUXILIARY, unrolled, (1, 9)."""
    main = np.repeat(LATE_MAIN, len(LATE_AUXILIARY))
    strengths, related = np.tile(np.transpose(LATE_AUXILIARY), len(LATE_MAIN))
    pairs = Pairs(main, strengths, related, n_examples, n_examples)
    return train(pairs, [seed], n_steps=LATE_STEPS[n_examples]).losses


@sized(file=FILE, minutes=30)
def compute_stored(folder: str | Path) -> dict[str, Any]:
    """Train everything that is kept, or what a former call left undone; an hour and a half on one core."""
    names = ("n_examples", "noise")
    grid = combinations(n_examples=SIZES, seed=SEEDS)
    # All sizes with one noise for each task, and the size 400 with fresh noise for each example.
    paired = combinations(n_examples=SIZES, noise=["weight"], block=range(N_BLOCKS))
    paired += combinations(n_examples=[400], noise=["sample"], block=range(N_BLOCKS))
    late = combinations(n_examples=list(LATE_STEPS), seed=LATE_SEEDS)
    return {
        "grid": {
            "strengths": STRENGTHS.tolist(),
            "relatedness": RELATEDNESS.tolist(),
            "seeds": list(SEEDS),
            "losses": sweep_to_losses(grid_cells, grid, folder, names, STRENGTHS.size * RELATEDNESS.size),
        },
        "paired": {"auxiliary": PAIRED, "losses": sweep_to_losses(paired_cells, paired, folder, names, len(PAIRED))},
        "late": {
            "main": LATE_MAIN,
            "auxiliary": LATE_AUXILIARY,
            "seeds": list(LATE_SEEDS),
            "losses": sweep_to_losses(late_cells, late, folder, names, len(LATE_AUXILIARY)),
        },
    }


def stored_arms(name: str) -> dict[str, Arms]:
    """The kept losses of "grid", "paired" or "late", by number of examples (and noise), each (seed, setting)."""
    return stored(FILE, name)


def stored_grid() -> dict[int, Array]:
    """Benefits in the grid of Fig. 2 by number of examples, (seed, main strength, auxiliary strength, relatedness)."""
    shape = (-1, STRENGTHS.size, STRENGTHS.size, RELATEDNESS.size)
    return {int(size): arms.benefit.reshape(shape) for size, arms in stored_arms("grid").items()}


def related_by_size() -> tuple[Array, dict[float, dict[str, Curve]]]:
    """Numbers of examples, and for each of LATE_MAIN mean and error of the benefit of three auxiliary tasks.

    Up to 800 examples they are cells of the grid, beyond the late runs.
    """
    cells, late = stored_grid(), stored_arms("late")
    names = {"related": (8, 4), "unrelated": (8, 0), "noise": (0, 0)}
    by_strength: dict[float, dict[str, Curve]] = {}
    for main, place in enumerate((4, 5, 8)):
        by_strength[LATE_MAIN[main]] = curves = {}
        for column, (name, (partner, r)) in enumerate(names.items()):
            runs = [cube[:, place, partner, r] for cube in cells.values()]
            runs += [arms.benefit[:, 3 * main + column] for arms in late.values()]
            mean, error = np.transpose([mean_and_error(run) for run in runs])
            curves[name] = (mean, error)
    return np.array([*cells, *map(int, late)]), by_strength


@spot_check(FILE, 1e-4, seed=SEEDS, cells=Draws(range(grid_settings()[0].size), 8))
def recomputed(seed: int, cells: list[int]) -> tuple[Array, Array]:
    """Benefits of some cells of the grid on one data set of 50 examples."""
    main, auxiliary, related = (values[cells] for values in grid_settings())
    now = train(Pairs(main, auxiliary, related, 50, 50), [seed], n_steps=training_steps(50))
    return now.benefit[0], stored_grid()[50][SEEDS.index(seed)].ravel()[cells]


@sized(n_seeds=SETTINGS.n_seeds_fresh_cells, cost="20 GB, 3 min on one GPU")
def fresh_cells(n_examples: int = 400, *, n_seeds: int) -> tuple[Arms, Array]:
    """Some cells of the grid on data sets that the grid has not, and their places among its cells, (24,).

    Main tasks of strength 0.3 and 3.2, auxiliary ones of 0.01, 1, 3.2 and 100, relatedness 0, 1/2 and 1.
    """
    places = np.array([(45 * a + 5 * b + r) for a in (3, 5) for b in (0, 4, 5, 8) for r in (0, 2, 4)])
    main, auxiliary, related = (values[places] for values in grid_settings())
    pairs = Pairs(main, auxiliary, related, n_examples, n_examples)
    return train(pairs, range(SETTINGS.fresh, SETTINGS.fresh + n_seeds), n_steps=training_steps(n_examples)), places


@sized(n_seeds=SETTINGS.n_seeds_along_training, cost="10 GB, 1 min on one GPU")
def along_training(*, n_seeds: int) -> tuple[Array, Array]:
    """Times, and the benefit at these times without stopping, (seed, time).

    Both tasks have strength 100 and 200 examples, and are unrelated.
    """
    seeds = range(n_seeds)
    teachers = snr_pairs(CLASSES, FEATURES, 100.0, 100.0, 0.0, seeds)
    data = [labelled(task, 200, role) for task, role in zip(teachers, ("main", "auxiliary"), strict=True)]
    watched = {"loss": softmax.cross_entropy(labelled(teachers[0], 1000, "test", noise="none"))}
    students = classifier_pairs.Network().students(seeds)
    alone, joint = (
        softmax.descend(arm, tasks, classifier_pairs.RATE, 120, record=6, observe=watched)
        for arm, tasks in ((students.alone(), data[:1]), (students, data))
    )
    return alone.times, alone.values["loss"][:, 0] - joint.values["loss"][:, 0]


@sized(n_seeds=SETTINGS.n_seeds_rank_three, n_steps=SETTINGS.n_steps, cost="10 GB, 1 min on one GPU")
def rank_three(*, n_seeds: int, n_steps: int) -> Arms:
    """Teachers of rank three, 200 examples, main strength 3: auxiliary strengths 0.3, 3 and 100 for r = 0, 1/2 and 1.

    Settings run through the strengths for each relatedness, (9,).
    """
    strengths, related = np.tile([0.3, 3.0, 100.0], 3), np.repeat([0.0, 0.5, 1.0], 3)
    return train(Pairs(3.0, strengths, related, 200, 200, rank=3), range(n_seeds), n_steps=n_steps)
