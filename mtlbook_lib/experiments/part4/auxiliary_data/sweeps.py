"""The runs of Figs. 3, A3 and A4: more auxiliary examples, and students with one to three hidden layers."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.experiments.classifier_pairs import KEEPING, START, Arms, Network, Pairs, train

N_MAIN = 100
AMOUNTS = (25, 50, 100, 200, 400, 800)  # examples of the auxiliary task
LOSSES = ("sum", "mean")
MAIN, AUXILIARY, RELATEDNESS = (1.0, 3.0, 100.0), (0.3, 3.0, 100.0), (0.0, 0.5, 1.0)
# Rate and number of steps: the optimum of summed losses comes sooner.
DESCENT = {"mean": (0.25, 240), "sum": (0.1, 240)}

KINDS, LAYERS = ("linear", "rectified"), (1, 2, 3)
FINE = (0.0, 0.25, 0.5, 0.75, 1.0)
# For each start and number of examples the steps for one, two and three layers: students that start small, or have much
# to learn, are at their best later.
CASES = {("large", 400): (240, 240, 240), ("small", 400): (240, 400, 600), ("large", 1600): (400, 240, 240)}
GRID_LAYERS, GRID_EXAMPLES, GRID_STEPS = (1, 2), 800, 240

BLOCK = 8  # data sets that are trained together
N_BLOCKS = {"amounts": 3, "trunks": 2, "grid": 2}
MANY = 1600  # so many examples get twice the blocks: their small shifts need more data sets
FURTHER = range(4, 8)  # blocks for students of two layers and so many examples, whose shift is the smallest


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
    scale = scale_of_start(n_layers, start)
    network = Network(depth=n_layers + 1, rectified=kind == "rectified", start=scale)
    pairs = Pairs(3.0, 100.0, related, n_examples, n_examples)
    return train(pairs, seeds, network, n_steps=CASES[start, n_examples][n_layers - 1])


def amount_cells(n_auxiliary: int, loss: str, block: int) -> dict[str, Any]:
    """Fig. 3 (left) and A3: best losses (seed, 27) with so many auxiliary examples, losses summed or averaged."""
    return _kept(amount_arms(n_auxiliary, loss, seeds_of(block), settings_of_strengths()))


def trunk_cells(kind: str, n_layers: int, start: str, n_examples: int, block: int) -> dict[str, Any]:
    """Fig. 3 (right): best losses (seed, 5) of linear or rectified students against relatedness."""
    return _kept(trunk_arms(kind, n_layers, start, n_examples, seeds_of(block)))


def grid_cells(n_layers: int, block: int) -> dict[str, Any]:
    """A4: best losses (seed, 27) of rectified students for all strengths, 800 examples of each task."""
    seeds, n = seeds_of(block), GRID_EXAMPLES
    network = Network(depth=n_layers + 1, rectified=True)
    return _kept(train(Pairs(*settings_of_strengths(), n, n), seeds, network, n_steps=GRID_STEPS))


def amount_settings() -> list[dict[str, Any]]:
    """All numbers of auxiliary examples, both losses, all blocks of data sets."""
    axes = product(AMOUNTS, LOSSES, range(N_BLOCKS["amounts"]))
    return [{"n_auxiliary": n, "loss": loss, "block": block} for n, loss, block in axes]


def trunk_settings() -> list[dict[str, Any]]:
    """Linear and rectified students of every depth, in all cases."""
    return [
        {"kind": kind, "n_layers": layers, "start": start, "n_examples": n, "block": block}
        for (start, n), kind, layers in product(CASES, KINDS, LAYERS)
        for block in range(N_BLOCKS["trunks"] * (2 if n >= MANY else 1))
    ]


def further_settings() -> list[dict[str, Any]]:
    """Further data sets for linear and rectified students of two layers, a large start and many examples."""
    case: dict[str, Any] = {"n_layers": 2, "start": "large", "n_examples": MANY}
    return [{"kind": kind, **case, "block": block} for kind, block in product(KINDS, FURTHER)]


def grid_settings() -> list[dict[str, Any]]:
    """One and two layers, all blocks of data sets."""
    return [{"n_layers": layers, "block": block} for layers, block in product(GRID_LAYERS, range(N_BLOCKS["grid"]))]


def _kept(arms: Arms) -> dict[str, Any]:
    return {"alone": arms.alone, "joint": arms.joint, "at_end": arms.at_end}
