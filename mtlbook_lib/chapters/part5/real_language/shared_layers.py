"""Shared rectified layers on the columns of the rated texts, by the methods that the command for texts has. Stored.

A task is to tell positive texts from others. Texts are given by their places, and read as their columns.
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from mtlbook_lib._checks import Array
from mtlbook_lib._random import stream
from mtlbook_lib._remembered import remembered
from mtlbook_lib.chapters.part5.real_language import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.chapters.stored_results import read, spot_check, sweep_to_lists
from mtlbook_lib.chapters.sweep import combinations
from mtlbook_lib.data.benchmarks import Texts, TextTask
from mtlbook_lib.data.opinions import DOMAINS, Opinions, few_rows, opinions, split_reviews
from mtlbook_lib.methods.benchmarks import compare_texts, transfer_texts
from mtlbook_lib.methods.sharing import Training
from mtlbook_lib.theory.hard_sharing import svd_task_weights

FILE = "part5/real_language/shared-layers.json"
WIDTHS, WIDTH, N_SEEDS = SETTINGS.widths, SETTINGS.width, SETTINGS.n_seeds_shared_layers
SIZES = SETTINGS.sizes_shared_layers
N_FEW, N_SOURCE, N_TEST, HALF = (
    SETTINGS.n_few_shared_layers,
    SETTINGS.n_source,
    SETTINGS.n_test_shared_layers,
    SETTINGS.half_shared_layers,
)
TRAINING = Training(rate=3e-3, epochs=100, batch_size=None, patience=20, dtype="float32")
PAIRS = tuple(itertools.combinations(DOMAINS, 2))


class Columns:
    """Reads texts, which are given by their places, as their columns, and puts one rectified layer on them."""

    layer = "0"

    def __init__(self, width: int) -> None:
        self.width = width

    def rows(self, given: Texts) -> NDArray[np.int64]:
        """Places, (n, 1)."""
        return np.array([[int(text)] for text in given.first])

    def make(self) -> nn.Module:
        """Columns, then the layer."""
        table = _table()
        return nn.Sequential(_Lookup(torch.tensor(table)), nn.Linear(table.shape[1], self.width), nn.ReLU())


class _Lookup(nn.Module):
    table: Tensor

    def __init__(self, table: Tensor) -> None:
        super().__init__()
        self.register_buffer("table", table)

    def forward(self, rows: Tensor) -> Tensor:
        """Columns of the texts at these places."""
        return self.table[rows[:, 0].long()]


@remembered()
def _table() -> Array:
    """Columns of all texts, domain after domain, in units of their root mean square."""
    rows = np.concatenate([opinions(domain).rows for domain in DOMAINS])
    return np.asarray(rows / np.sqrt(np.mean(rows**2)))


def text_task(domain: str, n_examples: int, seed: int, permuted: bool = False) -> TextTask:
    """Few texts of the training half of the reviews and some of the other; `permuted`: with labels of other texts."""
    start = sum(len(opinions(name).ratings) for name in DOMAINS[: DOMAINS.index(domain)])
    given = opinions(domain)
    places = start + np.arange(len(given.ratings), dtype=float)
    numbered = Opinions(places[:, None], given.ratings, given.groups, domain)
    train, test = split_reviews(numbered, HALF, seed)
    parts = []
    for part, n in ((train, n_examples), (test, N_TEST)):
        few = few_rows(part, n, seed)
        labels = (few.ratings > 0).astype(np.int64)
        if permuted and part is train:
            labels = stream(seed, f"shared layers: labels of {domain}").permutation(labels)
        names = tuple(str(int(place)) for place in few.rows[:, 0])
        parts.append(Texts(names, ("",) * n, labels, ("other", "positive")))
    return TextTask(parts[0], parts[1])


def transferred(source: str, n_examples: int, seed: int) -> dict[str, Array]:
    """Accuracies on the other three kinds, (3,): alone, fine-tuned from the source, with Algorithm 1 behind, joint."""
    tasks = {name: text_task(name, N_SOURCE if name == source else n_examples, seed) for name in DOMAINS}
    transfer = transfer_texts(tasks, source, Columns(WIDTH), TRAINING, seed)
    joint = []
    for name in transfer.tasks:
        pair = {source: tasks[source], name: tasks[name]}
        joint.append(compare_texts(pair, Columns(WIDTH), ("shared",), TRAINING, seed).values["shared"][0, 1])
    values = {name.replace("fine-tuned, ", ""): part[0] for name, part in transfer.values.items()}
    return {**values, "joint": np.array(joint)}


def paired(pair: int, seed: int) -> dict[str, Array]:
    """Accuracies of both tasks of a pair, (2,), by each method of the comparison."""
    tasks = {name: text_task(name, N_FEW, seed) for name in PAIRS[pair]}
    methods = ("alone", "shared", "Algorithm 1")
    compared = compare_texts(tasks, Columns(WIDTH), methods, TRAINING, seed).values
    return {name: values[0] for name, values in compared.items()}


def weighted(seed: int) -> dict[str, Array]:
    """Accuracies of the four tasks, (4,), with equal weights, Kendall's and those of Algorithm 2, and the latter."""
    tasks = {name: text_task(name, N_FEW, seed) for name in DOMAINS}
    compared = compare_texts(tasks, Columns(WIDTH), ("shared", "Kendall"), TRAINING, seed).values
    weights = label_weights(list(tasks.values()))
    second = compare_texts(tasks, Columns(WIDTH), ("shared",), TRAINING, seed, weights).values["shared"]
    return {**{name: values[0] for name, values in compared.items()}, "Algorithm 2": second[0], "weights": weights}


def label_weights(tasks: list[TextTask]) -> Array:
    """Weights of Algorithm 2 with mean 1, from columns and labels of variance 1; texts have one task."""
    places = [np.array([int(text) for text in task.train.first]) for task in tasks]
    labels = np.zeros((sum(map(len, places)), len(tasks)))
    start = 0
    for at, task in enumerate(tasks):
        given = task.train.labels
        labels[start : start + len(given), at] = (given - given.mean()) / given.std()
        start += len(given)
    weights = svd_task_weights(_table()[np.concatenate(places)], labels, SETTINGS.rank)
    return np.asarray(weights / weights.mean())


def wide(width: int, seed: int) -> dict[str, Array]:
    """Accuracies of the four tasks, (4,), alone, shared, and each beside three others whose labels are permuted."""

    def scores(tasks: dict[str, TextTask], *methods: str) -> dict[str, Array]:
        compared = compare_texts(tasks, Columns(width), methods, TRAINING, seed).values
        return {name: values[0] for name, values in compared.items()}

    accuracies = scores({name: text_task(name, N_FEW, seed) for name in DOMAINS}, "alone", "shared")
    control = []
    for place, own in enumerate(DOMAINS):
        mixed = {name: text_task(name, N_FEW, seed, permuted=name != own) for name in DOMAINS}
        control.append(scores(mixed, "shared")["shared"][place])
    return {**accuracies, "permuted": np.array(control)}


@dataclass(frozen=True)
class Layers:
    """Accuracies by method; their axes are, in this order, those that the name says, and seed, task."""

    transfer: dict[str, Array]  # (number of target texts, source, seed, task)
    pairs: dict[str, Array]  # (pair, seed, task)
    widths: dict[str, Array]  # (width, seed, task)
    weighted: dict[str, Array]  # (seed, task)


def stored() -> Layers:
    """Stored measurements of the last call of `run`."""
    return Layers(*(read(FILE, name) for name in ("transfer", "pairs", "widths", "weighted")))


@sized(file=FILE, minutes=8)
def run(folder: Path) -> dict[str, Any]:
    """Everything that is kept, or what a former call left undone."""
    seeds = list(range(N_SEEDS))
    return {
        "transfer": _kept(transferred, folder, n_examples=list(SIZES), source=list(DOMAINS), seed=seeds),
        "pairs": _kept(paired, folder, pair=list(range(len(PAIRS))), seed=seeds),
        "widths": _kept(wide, folder, width=list(WIDTHS), seed=seeds),
        "weighted": _kept(weighted, folder, seed=list(range(SETTINGS.n_weighted))),
    }


def _kept(cells: Callable[..., dict[str, Array]], folder: Path, **axes: list[Any]) -> dict[str, Any]:
    shape = [len(values) for values in axes.values()]
    measured = sweep_to_lists(cells, combinations(**axes), folder)
    return {name: np.reshape(values, (*shape, -1)).tolist() for name, values in measured.items()}


@spot_check(FILE, 0.01, pair=range(len(PAIRS)), seed=range(N_SEEDS))
def trained_again(pair: int, seed: int) -> tuple[Array, Array]:
    """Accuracies of one pair: now, and as stored, (method, task). A tie of few texts may fall otherwise elsewhere."""
    now, kept = paired(pair, seed), stored().pairs
    return np.stack(list(now.values())), np.stack([kept[name][pair, seed] for name in now])
