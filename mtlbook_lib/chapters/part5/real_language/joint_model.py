"""The joint model on the columns of the rated texts: with one kind of partner, with three, and with permuted ratings.

Stored.
"""

from collections.abc import Callable, Sequence
from itertools import combinations as pairs_of
from pathlib import Path
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib._random import stream
from mtlbook_lib.chapters.part5.real_language import settings as SETTINGS
from mtlbook_lib.chapters.part5.real_language.experiment import halves
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.chapters.stored_results import read, sweep_to_lists
from mtlbook_lib.chapters.sweep import combinations
from mtlbook_lib.data.opinions import DOMAINS, Opinions, few_rows
from mtlbook_lib.forecast import JointRegressor

FILE = "part5/real_language/joint-model.json"
SIZES, N_PARTNER, N_TEST = (30, 100, 300), 300, 1000
ARMS = ("alone", "one", "three", "one permuted", "three permuted")


def stored() -> dict[str, Array]:
    """R² on test reviews by arm, (target, size, seed); with one partner a last axis has each of them."""
    return {name: read(FILE, "explained", name) for name in ARMS}


@sized(file=FILE, minutes=7)
def run(folder: Path) -> dict[str, Any]:
    """Everything that is kept, or what a former call left undone."""
    return {"sizes": SIZES, "explained": by_arm(cell, folder, SETTINGS.n_seeds_joint)}


def by_arm(cell: Callable[..., dict[str, Array]], folder: Path, n_seeds: int) -> dict[str, Any]:
    """R² by arm as nested lists, (target, size, seed), and a last axis where an arm has several choices of partners."""
    settings = combinations(target=list(DOMAINS), size=list(SIZES), seed=list(range(n_seeds)))
    measured, shape = sweep_to_lists(cell, settings, folder), (len(DOMAINS), len(SIZES), n_seeds)
    return {name: np.reshape(values, (*shape, *np.shape(values)[1:])).tolist() for name, values in measured.items()}


def cell(target: str, size: int, seed: int) -> dict[str, Array]:
    """R² of one target on test reviews, by arm."""
    return explained(halves, ARMS, target, size, seed)


def explained(
    halves: Callable[[str, int], tuple[Opinions, Opinions]], arms: Sequence[str], target: str, size: int, seed: int
) -> dict[str, Array]:
    """R² of one target on test reviews, by arm, with 300 texts of each partner; `halves` splits a domain."""
    train, test = halves(target, seed)
    own, new = few_rows(train, size, seed), few_rows(test, N_TEST, seed)
    partners = [few_rows(halves(name, seed)[0], N_PARTNER, seed) for name in DOMAINS if name != target]
    mixed = [permuted(partner, seed) for partner in partners]
    choices: dict[str, Sequence[Sequence[Opinions]]] = {
        "alone": [[]],
        "one": [[partner] for partner in partners],
        "two": list(pairs_of(partners, 2)),
        "three": [partners],
        "one permuted": [[partner] for partner in mixed],
        "three permuted": [mixed],
    }

    def r_squared(others: Sequence[Opinions]) -> float:
        return float(1 - np.mean((new.ratings - fitted(own, others).predict(new.rows)) ** 2) / new.ratings.var())

    return {name: np.squeeze([r_squared(others) for others in choices[name]]) for name in arms}


def fitted(own: Opinions, others: Sequence[Opinions]) -> JointRegressor:
    """The joint model of a target and its partners."""
    tasks = [own, *others]
    names = np.repeat([task.name for task in tasks], [len(task.ratings) for task in tasks])
    rows, ratings = np.vstack([task.rows for task in tasks]), np.concatenate([task.ratings for task in tasks])
    return JointRegressor(target=own.name).fit(rows, ratings, names)


def permuted(partner: Opinions, seed: int) -> Opinions:
    """The same texts with the ratings of others of them."""
    order = stream(seed, f"joint model: ratings of {partner.name}").permutation(len(partner.ratings))
    return Opinions(partner.rows, partner.ratings[order], partner.groups, partner.name)
