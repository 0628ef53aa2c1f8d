"""Random streams, shared by the parts that draw: one generator per object and seed, and uniform orthonormal columns.

Every random object (a teacher's left vectors, its noise, a student's layer, ...) has a stream of its own, named in
plain text. What one object draws, or how much of it, therefore never changes what another gets from the same seed.
"""

import math
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache

import numpy as np

from mtlbook_lib._checks import Array, entries, is_integer, short

_OWN = ContextVar("whether the book's own seeds are asked for", default=False)
_KEPT = 2**21  # numbers that a draw may hold to be kept in memory
_MOST = 2**31  # numbers of one draw, 17 GB: more is a mistake, which would end the process or fill the machine
_WORD, _POOL = 2**32, 4  # of a seed sequence: beyond a word's largest number, and words that come before a spawn key


def seed_tuple(seeds: Iterable[int]) -> tuple[int, ...]:
    """`seeds` as a tuple of distinct non-negative Python integers, at least one."""
    if isinstance(seeds, str) or not isinstance(seeds, Iterable) or getattr(seeds, "ndim", 1) == 0:
        raise TypeError(f"seeds must be a sequence of integers, such as range(20); got {short(seeds)}.")
    values = tuple(entries("seeds", seeds))
    if not values:
        raise ValueError("seeds must hold at least one integer; got none.")
    wrong = [seed for seed in values if not is_integer(seed)]
    if wrong:
        raise TypeError(f"seeds must be integers; got {short(wrong[0])}.")
    negative = [seed for seed in values if seed < 0]
    if negative:
        raise ValueError(f"seeds must be 0 or greater; got {negative[0]}.")
    if len(set(values)) < len(values):
        raise ValueError("seeds must be distinct: a repeated seed would count the same draw twice as evidence.")
    return tuple(int(seed) for seed in values)


def stream(seed: int, name: str, *part: int) -> np.random.Generator:
    """The generator of the object called `name`, or of a numbered `part` of it, under `seed`.

    ``MTLBOOK_SEEDS=1`` (or 2, ...) draws everything anew, to try claims with other seeds than the book's.
    """
    # The bytes of the name are the spawn key: fixed for ever, and different for different names.
    other = other_seeds()
    entropy, key = [seed, other] if other else [seed], (*name.encode(), *part)
    if max(*entropy, *key) >= _WORD:
        return np.random.default_rng(np.random.SeedSequence(entropy, spawn_key=key))
    # NumPy joins the two with zeros in between; given in one array they take a quarter of the time.
    words = np.array([*entropy, *[0] * (_POOL - len(entropy)), *key], dtype=np.uint32)
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(words)))


def other_seeds() -> int:
    """Which other seeds are asked for; 0: the book's own."""
    given = os.environ.get("MTLBOOK_SEEDS") or "0"
    if not given.isdecimal():
        raise ValueError(f"MTLBOOK_SEEDS must be a whole number, 0 or greater; got {given!r}.")
    return 0 if _OWN.get() else int(given)


@contextmanager
def own_seeds() -> Iterator[None]:
    """Draw as the book does whatever ``MTLBOOK_SEEDS`` says: what is compared with a stored run has to repeat it.

    Also a decorator, for functions that train a stored run again.
    """
    before = _OWN.set(True)
    try:
        yield
    finally:
        _OWN.reset(before)


def uniform_columns(gaussian: Array) -> Array:
    """Haar-distributed orthonormal columns made of standard normal entries, shape (..., n, k) with k <= n."""
    q, r = np.linalg.qr(gaussian)
    # LAPACK is free to choose the sign of each column; only a positive diagonal of R makes Q Haar-distributed.
    signs = np.where(np.diagonal(r, axis1=-2, axis2=-1) < 0, -1.0, 1.0)
    return np.asarray(q * signs[..., None, :], dtype=np.float64)


def normal(shape: tuple[int, ...], seeds: Sequence[int], name: str, *part: int) -> Array:
    """Standard normal numbers, shape (seed, *shape), from each seed's stream of the object, or of a part of it."""
    size = math.prod(shape) * len(seeds)
    if size > _MOST:
        raise ValueError(
            f"{name}: a draw must have at most {_MOST} numbers (17 GB); got shape {(len(seeds), *shape)}. Ask for "
            "smaller sizes, or for fewer seeds at once."
        )
    if size > _KEPT:
        return _drawn(shape, tuple(seeds), name, part)
    return _kept(shape, tuple(seeds), name, part, other_seeds()).copy()


def _drawn(shape: tuple[int, ...], seeds: tuple[int, ...], name: str, part: tuple[int, ...], other: int = 0) -> Array:
    # `other` is in the key of what is kept: the streams ask for it themselves.
    drawn = np.empty((len(seeds), *shape))
    for place, seed in enumerate(seeds):
        stream(seed, name, *part).standard_normal(out=drawn[place, ...])
    return drawn


# Arms of a comparison share their draws, and often ask for them one after the other: the last few are kept.
_kept = lru_cache(maxsize=8)(_drawn)


def haar(n_rows: int, n_columns: int, seeds: Sequence[int], name: str) -> Array:
    """Haar-distributed orthonormal columns, shape (seed, n_rows, n_columns); needs n_columns <= n_rows.

    More columns leave the first ones as they were, up to rounding: the Gaussian matrix is drawn column by column, and
    Gram-Schmidt never looks ahead.
    """
    return uniform_columns(normal((n_columns, n_rows), seeds, name).swapaxes(-1, -2))
