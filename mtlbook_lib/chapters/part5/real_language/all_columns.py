"""The joint model on all 384 columns of the encoder, which are too many to come with the book. Stored.

Needs what ``fine_tuning`` needs. Fetches nothing.
"""

from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib._remembered import remembered
from mtlbook_lib.chapters.part5.real_language import joint_model, make_columns
from mtlbook_lib.chapters.part5.real_language.experiment import HALF
from mtlbook_lib.chapters.part5.real_language.fine_tuning import SOURCE
from mtlbook_lib.chapters.part5.real_language.joint_model import N_PARTNER, fitted
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.chapters.stored_results import read
from mtlbook_lib.data.opinions import DOMAINS, Opinions, centred, few_rows, split_reviews

FILE = "part5/real_language/all-columns.json"
ARMS = ("alone", "one", "two", "three", "one permuted", "three permuted")


def stored() -> dict[str, Array]:
    """R² on test reviews by arm, (target, size, seed); a last axis has each of three partners, or pairs of them."""
    return {name: read(FILE, "explained", name) for name in ARMS}


@sized(file=FILE, minutes=10, lacking="a trained encoder, which the repository does not have")
def run(folder: Path) -> dict[str, Any]:
    """Everything that is kept, or what a former call left undone."""
    return {"explained": joint_model.by_arm(cell, folder, n_seeds=3), "seconds": round(seconds(), 2)}


def cell(target: str, size: int, seed: int) -> dict[str, Array]:
    """R² of one target on test reviews, by arm."""
    return joint_model.explained(_halves, ARMS, target, size, seed)


def seconds(size: int = 100, repeats: int = 5) -> float:
    """Median processor time of a fit to few texts of NYT and to the three others."""
    own, *partners = [
        few_rows(_halves(name, 0)[0], size if name == "NYT" else N_PARTNER, 0) for name in reversed(DOMAINS)
    ]
    taken = []
    for _ in range(repeats):
        start = process_time()
        fitted(own, partners)
        taken.append(process_time() - start)
    return float(np.median(taken))


def _halves(domain: str, seed: int) -> tuple[Opinions, Opinions]:
    """Training and test half of a domain, of the same reviews as with fewer columns."""
    train, test = split_reviews(_embedded()[domain], HALF, seed)
    return centred(train, train), centred(test, train)


@remembered()
def _embedded() -> dict[str, Opinions]:
    """All texts by domain: four minutes on one core."""
    given = make_columns.read_texts(Path(SOURCE))
    rows = make_columns.embed(given.texts).astype(float)
    mine = {name: given.domains == place for place, name in enumerate(DOMAINS)}
    return {name: Opinions(rows[at], given.ratings[at], given.groups[at], name) for name, at in mine.items()}
