"""The sets of rated texts: read, split by review, and taken as deviations from their means."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mtlbook_lib._checks import Array, bounded, count, instance, one_of, share, whole
from mtlbook_lib._fields import Checked
from mtlbook_lib._random import stream
from mtlbook_lib._remembered import remembered

DOMAINS = ("tweets", "Amazon", "movies", "NYT")
FILE = Path(__file__).with_name("opinions.npz")
CHECKSUM = "1dcd6da088f7b6f993360ef011d93094d959b1cf5017a35ef92685ed9e3c2c8c"


@dataclass(frozen=True)
class Opinions(Checked):
    """Texts of one kind as a regression task.

    Attributes
    ----------
    rows : ndarray, shape (n, 64)
        Columns of each text. A text's 384 numbers have length 1 before they are reduced.
    ratings : ndarray, shape (n,)
        Mean rating of each, -4 to 4.
    groups : ndarray of int, shape (n,)
        The review or article of each. A tweet is one of its own, and so is a snippet of a film review.
    name : str
        The domain.
    """

    _axes = ("rows: row column", "ratings: row", "groups: row")

    rows: Array
    ratings: Array
    groups: NDArray[np.int64]
    name: str

    @property
    def moments(self) -> tuple[Array, Array]:
        """Rows times rows, (d, d), and rows times ratings, (d,)."""
        return self.rows.T @ self.rows, self.rows.T @ self.ratings

    def explained(self, models: ArrayLike) -> Array:
        r"""Share :math:`R^2` of the ratings' variance that linear maps (..., d) explain, (...).

        .. math:: R^2 = 1 - \frac{|y - X w|^2}{\sum_i (y_i - \bar y)^2}
        """
        maps = bounded("models", models)
        if maps.ndim == 0 or maps.shape[-1] != self.rows.shape[1]:
            raise ValueError(f"models must have shape (..., {self.rows.shape[1]}); got {maps.shape}.")
        gram, products = self.moments
        energy = self.ratings @ self.ratings
        left = energy - 2 * maps @ products + np.einsum("...i,ij,...j->...", maps, gram, maps, optimize=True)
        return np.asarray(1 - left / np.sum((self.ratings - self.ratings.mean()) ** 2))


def opinions(domain: str) -> Opinions:
    """The texts of one domain: 4045 tweets, 3687 Amazon, 10602 movies and 5114 NYT sentences.

    Parameters
    ----------
    domain : {"tweets", "Amazon", "movies", "NYT"}

    Raises
    ------
    FileNotFoundError, ValueError
        If the file with the numbers is missing, or is not the one that belongs to this version.
    """
    place = DOMAINS.index(one_of("domain", domain, DOMAINS))
    columns, ratings, domains, groups = _loaded(FILE)
    mine = domains == place
    return Opinions(columns[mine].astype(np.float64), ratings[mine].astype(np.float64),
                    groups[mine].astype(np.int64), domain)  # fmt: skip


def split_reviews(texts: Opinions, test_fraction: float, seed: int) -> tuple[Opinions, Opinions]:
    """A random split into training and test by review: sentences of one review are all on one side.

    Parameters
    ----------
    texts : Opinions
    test_fraction : float
        Share of the reviews that goes to the test, rounded to whole reviews; above 0 and below 1.
    seed : int
        Non-negative. Domains have streams of their own.

    Returns
    -------
    tuple of Opinions
        Training and test task. Rows keep their order.
    """
    given, fraction = instance("texts", texts, Opinions), share("test_fraction", test_fraction)
    reviews = np.unique(given.groups)
    n_test = round(fraction * len(reviews))
    if not 0 < n_test < len(reviews):
        raise ValueError(f"test_fraction must leave reviews on both sides; {fraction:g} puts {n_test} of the "
                         f"{len(reviews)} into the test.")  # fmt: skip
    rng = stream(whole("seed", seed, 0), f"opinions: {given.name}, split")
    in_test = np.isin(given.groups, rng.permutation(reviews)[:n_test])
    return _taken(given, np.flatnonzero(~in_test)), _taken(given, np.flatnonzero(in_test))


def few_rows(texts: Opinions, n_examples: int, seed: int) -> Opinions:
    """So many random texts of a task; those of a smaller number are among them."""
    given, n = instance("texts", texts, Opinions), count("n_examples", n_examples)
    if n > len(given.ratings):
        raise ValueError(f"n_examples must be at most the {len(given.ratings)} texts of the task; got {n}.")
    rng = stream(whole("seed", seed, 0), f"opinions: {given.name}, rows")
    return _taken(given, rng.permutation(len(given.ratings))[:n])


def centred(texts: Opinions, reference: Opinions) -> Opinions:
    """A task as deviations of rows and ratings from the means of a reference, such as its training part."""
    given, other = instance("texts", texts, Opinions), instance("reference", reference, Opinions)
    if given.rows.shape[1] != other.rows.shape[1] or not len(other.ratings):
        raise ValueError(f"reference must have texts, with {given.rows.shape[1]} columns; got {other.rows.shape}.")
    return Opinions(given.rows - other.rows.mean(axis=0), given.ratings - other.ratings.mean(), given.groups,
                    given.name)  # fmt: skip


def _taken(task: Opinions, places: NDArray[np.int64]) -> Opinions:
    return Opinions(task.rows[places], task.ratings[places], task.groups[places], task.name)


@remembered(1)
def _loaded(path: Path) -> tuple[NDArray[np.float16], NDArray[np.float32], NDArray[np.uint8], NDArray[np.uint16]]:
    """Columns, ratings, domains and groups of all texts."""
    if not path.is_file():
        raise FileNotFoundError(f"{path.name} must lie in {path.parent}; it does not. Install mtlbook_lib anew.")
    content = path.read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    if digest != CHECKSUM:
        raise ValueError(f"{path.name} must have the SHA-256 {CHECKSUM[:12]}…; that in {path.parent} has "
                         f"{digest[:12]}…: it was changed or cut. Install mtlbook_lib anew.")  # fmt: skip
    with np.load(io.BytesIO(content), allow_pickle=False) as stored:
        return stored["columns"], stored["ratings"], stored["domains"], stored["groups"]
