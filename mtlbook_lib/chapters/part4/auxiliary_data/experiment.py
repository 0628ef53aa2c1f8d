"""More auxiliary data, and students with one to three hidden layers, linear or rectified: Figs. 3, A3 and A4."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import classifier_pairs
from mtlbook_lib.chapters.classifier_pairs import (
    CLASSES,
    FEATURES,
    KEEPING,
    START,
    Arms,
    Network,
    Pairs,
    stored,
    sweep_to_losses,
    train,
)
from mtlbook_lib.chapters.part4.auxiliary_data import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.chapters.stored_results import Draws, spot_check
from mtlbook_lib.chapters.sweep import combinations
from mtlbook_lib.data.classification import label_covariance, labelled, snr_teachers
from mtlbook_lib.simulation import logits, softmax

FILE = "part4/auxiliary_data/auxiliary-data.json"
FURTHER_FILE = "part4/auxiliary_data/auxiliary-data-further.json"

N_MAIN = SETTINGS.n_main
AMOUNTS = SETTINGS.amounts
LOSSES = ("sum", "mean")
MAIN, AUXILIARY, RELATEDNESS = SETTINGS.main, SETTINGS.auxiliary, SETTINGS.relatedness
GRIDS = {"main": MAIN, "auxiliary": AUXILIARY, "relatedness": RELATEDNESS}
# Rate and number of steps: the optimum of summed losses comes sooner.
DESCENT = {"mean": (0.25, 240), "sum": (0.1, 240)}

KINDS, LAYERS = ("linear", "rectified"), SETTINGS.layers
FINE = SETTINGS.fine
# For each start and number of examples the steps for one, two and three layers: students that start small, or have much
# to learn, are at their best later.
CASES = {("large", 400): (240, 240, 240), ("small", 400): (240, 400, 600), ("large", 1600): (400, 240, 240)}
GRID_LAYERS, GRID_EXAMPLES, GRID_STEPS = SETTINGS.grid_layers, SETTINGS.grid_examples, SETTINGS.grid_steps

BLOCK = SETTINGS.block
N_BLOCKS = {"amounts": 3, "trunks": 2, "grid": 2}
FURTHER = range(4, 8)  # blocks for students of two layers and so many examples, whose shift is the smallest
# What the last bit of single precision turns in rectified students of some layers with 1600 examples, whose losses
# move by 1e-4 to 0.008 where another machine, or a rate that is another by 1e-7, trains them. With 800 examples they
# moved by 0.0007 from an Intel to an AMD processor.
LAST_BIT = {"trunks": 0.012, "grid": 0.0011}
FRESH = SETTINGS.fresh


def settings_of_strengths() -> tuple[Array, Array, Array]:
    """Strength of the main task, of the auxiliary one, and relatedness, unrolled in this order, each (27,)."""
    main, auxiliary, related = np.meshgrid(MAIN, AUXILIARY, RELATEDNESS, indexing="ij")
    return main.ravel(), auxiliary.ravel(), related.ravel()


def seeds_of(block: int) -> range:
    """Data sets of one block."""
    return range(BLOCK * block, BLOCK * (block + 1))


def scale_of_start(n_layers: int, start: str) -> float:
    """Scale of every layer's first weights, as ``softmax.normal_students`` takes it for both kinds.

    "large" keeps the size of signals; "small" makes the whole map smaller by the square of START, for any number of
    layers.
    """
    return KEEPING if start == "large" else KEEPING * START ** (2 / (n_layers + 1))


def amount_arms(n_auxiliary: int, loss: str, seeds: range, settings: tuple[Array, Array, Array]) -> Arms:
    """Pairs with 100 examples of the main task, and more or fewer of the other."""
    rate, n_steps = DESCENT[loss]
    return train(Pairs(*settings, N_MAIN, n_auxiliary), seeds, n_steps=n_steps, rate=rate, loss=loss)


def trunk_arms(kind: str, n_layers: int, start: str, n_examples: int, seeds: range, related: Any = FINE) -> Arms:
    """Pairs of a main task of strength 3 and a clean one, for students with one to three hidden layers."""
    network = Network(depth=n_layers + 1, rectified=kind == "rectified", start=scale_of_start(n_layers, start))
    pairs = Pairs(3.0, 100.0, related, n_examples, n_examples)
    return train(pairs, seeds, network, n_steps=CASES[start, n_examples][n_layers - 1])


def amount_cells(n_auxiliary: int, loss: str, block: int) -> dict[str, Any]:
    """Fig. 3 (left) and A3: so many auxiliary examples, losses summed or averaged, (seed, 27)."""
    return amount_arms(n_auxiliary, loss, seeds_of(block), settings_of_strengths()).losses


def trunk_cells(kind: str, n_layers: int, start: str, n_examples: int, block: int) -> dict[str, Any]:
    """Fig. 3 (right): linear or rectified students against relatedness, (seed, 5)."""
    return trunk_arms(kind, n_layers, start, n_examples, seeds_of(block)).losses


def grid_cells(n_layers: int, block: int) -> dict[str, Any]:
    """A4: rectified students for all strengths, 800 examples of each task, (seed, 27)."""
    pairs = Pairs(*settings_of_strengths(), GRID_EXAMPLES, GRID_EXAMPLES)
    return train(pairs, seeds_of(block), Network(depth=n_layers + 1, rectified=True), n_steps=GRID_STEPS).losses


@sized(file=FILE, minutes=10, tolerances=LAST_BIT)
def compute_stored(folder: str | Path) -> dict[str, Any]:
    """Train everything that is kept, or what a former call left undone; ten minutes on one core."""
    blocks, every = {name: range(n) for name, n in N_BLOCKS.items()}, len(AUXILIARY) * len(RELATEDNESS)
    amounts = combinations(n_auxiliary=AMOUNTS, loss=LOSSES, block=blocks["amounts"])
    trunks = []
    for start, n in CASES:
        some = range(N_BLOCKS["trunks"] * (2 if n >= SETTINGS.many else 1))
        trunks += combinations(kind=KINDS, n_layers=LAYERS, start=[start], n_examples=[n], block=some)
    grid = combinations(n_layers=GRID_LAYERS, block=blocks["grid"])
    return {
        "amounts": {**GRIDS, "losses": sweep_to_losses(amount_cells, amounts, folder, ("n_auxiliary", "loss"), every)},
        "trunks": _trunks(trunks, folder),
        "grid": {
            **GRIDS,
            "examples": GRID_EXAMPLES,
            "losses": sweep_to_losses(grid_cells, grid, folder, ("n_layers",), every),
        },
    }


@sized(file=FURTHER_FILE, minutes=2, tolerances=LAST_BIT)
def run_further(folder: str | Path) -> dict[str, Any]:
    """Train the further students of two layers, or what a former call left undone; two minutes on one core."""
    case: dict[str, Any] = {"n_layers": [2], "start": ["large"], "n_examples": [SETTINGS.many]}
    return {"trunks": _trunks(combinations(kind=KINDS, **case, block=FURTHER), folder)}


def _trunks(settings: Sequence[dict[str, Any]], folder: str | Path) -> dict[str, Any]:
    losses = sweep_to_losses(trunk_cells, settings, folder, ("kind", "n_layers", "start", "n_examples"), len(FINE))
    return {"main": 3.0, "auxiliary": 100.0, "relatedness": FINE, "losses": losses}


def stored_amounts() -> dict[str, Array]:
    """Benefits of Fig. 3 (left) and A3 for each loss: (number of examples, seed, main, auxiliary, relatedness)."""
    arms = stored(FILE, "amounts")
    return {loss: np.stack([_by_strength(arms[f"{n} {loss}"]) for n in AMOUNTS]) for loss in LOSSES}


def stored_trunks(start: str, n_examples: int) -> dict[str, tuple[Array, Array]]:
    """Benefits (layers, seed, relatedness) and losses alone (layers, seed) of linear and of rectified students."""
    arms, trunks = stored(FILE, "trunks"), {}
    for kind in KINDS:
        runs = [arms[f"{kind} {layers} {start} {n_examples}"] for layers in LAYERS]
        trunks[kind] = (np.stack([run.benefit for run in runs]), np.stack([run.alone[:, 0] for run in runs]))
    return trunks


def stored_shift() -> Array:
    """Benefit of linear minus that of rectified students, two layers, 1600 examples, (seed, relatedness).

    The first data sets are those of ``stored_trunks``.
    """
    sets = [stored(file, "trunks") for file in (FILE, FURTHER_FILE)]
    linear, rectified = (np.concatenate([arms[f"{kind} 2 large 1600"].benefit for arms in sets]) for kind in KINDS)
    return np.asarray(linear - rectified)


def stored_grid() -> Array:
    """Benefits of A4, (layers, seed, main strength, auxiliary strength, relatedness)."""
    arms = stored(FILE, "grid")
    return np.stack([_by_strength(arms[str(layers)]) for layers in GRID_LAYERS])


def _by_strength(arms: Arms) -> Array:
    return arms.benefit.reshape(-1, len(MAIN), len(AUXILIARY), len(RELATEDNESS))


@spot_check(FILE, 1e-4, seed=range(BLOCK), place=range(len(AMOUNTS)), loss=LOSSES, cells=Draws(range(27), 3),
            kind=KINDS, n_layers=(1, 2))  # fmt: skip
def recomputed(seed: int, place: int, loss: str, cells: list[int], kind: str, n_layers: int) -> tuple[Array, Array]:
    """Benefits on one data set: of a number of auxiliary examples and a loss, and of a student with hidden layers."""
    main, auxiliary, related = (values[cells] for values in settings_of_strengths())
    data = range(seed, seed + 1)
    now = amount_arms(AMOUNTS[place], loss, data, (main, auxiliary, related)).benefit[0]
    kept = stored_amounts()[loss][place, seed].ravel()[cells]
    ends = trunk_arms(kind, n_layers, "large", 400, data, FINE[::2]).benefit[0]
    return np.append(now, ends), np.append(kept, stored_trunks("large", 400)[kind][0][n_layers - 1, seed, ::2])


@sized(n_seeds=SETTINGS.n_seeds_fresh_amounts, cost="10 GB, 2 min on one GPU")
def fresh_amounts(n_auxiliary: int, loss: str, *, n_seeds: int) -> Arms:
    """100 examples of a main task of strength 3, and more or fewer of a clean one: r = 0, 1/2, 1; fresh data sets."""
    settings = (np.full(3, 3.0), np.full(3, 100.0), np.array(RELATEDNESS))
    return amount_arms(n_auxiliary, loss, range(FRESH, FRESH + n_seeds), settings)


@sized(n_seeds=SETTINGS.n_seeds_fresh_trunks, cost="10 GB, 5 min on one GPU")
def fresh_trunks(kind: str, n_layers: int, *, n_seeds: int) -> Arms:
    """Students with a large start, 400 examples: r = 0, 1/4, ..., 1; fresh data sets."""
    return trunk_arms(kind, n_layers, "large", 400, range(FRESH, FRESH + n_seeds))


@sized(n_seeds=SETTINGS.n_seeds_weighted, cost="10 GB, 2 min on one GPU")
def weighted(weights: Sequence[float], relatedness: float, *, n_seeds: int) -> Array:
    """Benefit (seed, weight) of 800 clean auxiliary examples beside 100 of the main task, for weights of mean losses.

    The weight 8 is that of summed losses.
    """
    pairs = Pairs(3.0, 100.0, np.full(len(weights), float(relatedness)), N_MAIN, 800)
    data = range(FRESH, FRESH + n_seeds)
    return train(pairs, data, n_steps=400, rate=0.1, task_weight=np.asarray(weights, dtype=float)).benefit


@sized(n_seeds=SETTINGS.n_seeds_three_layers, n_examples=SETTINGS.n_examples, cost="10 GB, 5 min on one GPU")
def three_layers(scales: Sequence[float], *, n_seeds: int, n_examples: int) -> Array:
    """Best losses (seed, scale) of rectified students alone, with three hidden layers.

    The scale is that of all first weights, on which the rest of their law is as in ``softmax.normal_students``.
    """
    seeds, shape = range(FRESH, FRESH + n_seeds), (CLASSES, FEATURES, classifier_pairs.HIDDEN)
    law: dict[str, Any] = {"depth": 4, "n_settings": len(scales), "rectified": True, "dtype": classifier_pairs.DTYPE}
    students = softmax.normal_students(*shape, np.asarray(scales, dtype=float), seeds, **law)
    examples = labelled(snr_teachers(CLASSES, FEATURES, 3.0, seeds), n_examples, "main")
    test = labelled(snr_teachers(CLASSES, FEATURES, 1.0, seeds), classifier_pairs.N_TEST, "test", noise="none")
    n_steps = CASES["large", 1600][2]
    return softmax.stop_at_best(students, [examples], test, classifier_pairs.RATE, n_steps).loss


@sized(n_seeds=SETTINGS.n_seeds_first_pull, cost="1 GB, 1 min on one core")
def first_pull(n_examples: int, *, n_seeds: int) -> tuple[Array, Array]:
    """Norm of the covariance of centred labels with inputs of a clean task, and its overlap with the teacher; (seed,).

    It is minus the gradient in the composite map at zero.
    """
    teachers = snr_teachers(CLASSES, FEATURES, 1.0, range(n_seeds))
    pull = label_covariance(labelled(teachers, n_examples, "auxiliary", noise="none"), CLASSES)
    pull -= pull.mean(axis=-2, keepdims=True)
    return np.linalg.norm(pull, axis=(-2, -1))[:, 0], logits.overlap(pull, teachers.clean)[:, 0]
