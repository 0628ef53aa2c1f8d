"""Two classes of a labelled set of images as the main task, all others as the auxiliary one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mtlbook_lib._checks import Array, count, counts, real_array, whole
from mtlbook_lib._random import seed_tuple, stream

Rows = NDArray[np.int64]


@dataclass(frozen=True)
class ClassSplit:
    """Rows of images and their classes in each task, from 0.

    Attributes
    ----------
    main, main_labels : ndarray of int, shape (n_main,)
        The two classes in turns, so that every even number of first rows has as many of both.
    auxiliary, auxiliary_labels : ndarray of int, shape (n_auxiliary,)
        Drawn without regard to the class.
    rest, rest_labels : ndarray of int
        All other images of the two classes, in random order.
    """

    main: Rows
    main_labels: Rows
    auxiliary: Rows
    auxiliary_labels: Rows
    rest: Rows
    rest_labels: Rows


def split_classes(labels: ArrayLike, pair: ArrayLike, n_main: int, n_auxiliary: int, seed: int) -> ClassSplit:
    """Draw training images of two classes, and of all others.

    More images of one task leave the draws of the other, and the first ones of its own, as they were.

    Parameters
    ----------
    labels : array_like of int, shape (n,)
        Class of each image.
    pair : sequence of two int
        The classes of the main task; the second one gets the label 1.
    n_main : int
        Even.
    n_auxiliary : int
    seed : int

    Raises
    ------
    ValueError
        If the pair is not two of the classes, there are too few images, or no class besides them.
    """
    given, two = counts("labels", labels, 0), np.atleast_1d(counts("pair", pair, 0))
    if given.ndim != 1:
        raise ValueError(f"labels must be one for each image, shape (n,); got {given.shape}.")
    known = np.unique(given)
    if two.ndim != 1 or len(set(two)) != 2 or len(two) != 2 or not np.isin(two, known).all() or len(known) < 3:
        raise ValueError(f"pair must be two of three or more classes in labels; got {two.tolist()} of {len(known)}.")
    size, other_size = count("n_main", n_main), count("n_auxiliary", n_auxiliary)
    drawn = whole("seed", seed, 0)
    members = [stream(drawn, "image classes: main", i).permutation(np.flatnonzero(given == k))
               for i, k in enumerate(two)]  # fmt: skip
    others = stream(drawn, "image classes: auxiliary").permutation(np.flatnonzero(~np.isin(given, two)))
    if size % 2 or size // 2 >= min(map(len, members)) or other_size > len(others):
        most = 2 * min(map(len, members)) - 2
        raise ValueError(f"n_main must be even and at most {most}, and n_auxiliary at most {len(others)}; got {size} "
                         f"and {other_size}.")  # fmt: skip
    main = np.stack([rows[: size // 2] for rows in members], axis=1).ravel()
    rest = np.concatenate([rows[size // 2 :] for rows in members])
    rest = stream(drawn, "image classes: rest").permutation(rest)
    chosen = others[:other_size]
    places = np.searchsorted(np.setdiff1d(known, two), given[chosen])
    is_second = [(given[rows] == two[1]).astype(np.int64) for rows in (main, rest)]
    return ClassSplit(main, is_second[0], chosen, places, rest, is_second[1])


class Labelled(NamedTuple):
    """Images, (seed, n, pixel), and their classes in a task, (seed, n)."""

    inputs: Array
    labels: Rows


class ImageTasks(NamedTuple):
    """Two tasks of each seed: training images of the main and of the auxiliary one, and others of the main one."""

    main: Labelled
    auxiliary: Labelled
    test: Labelled


def image_tasks(
    inputs: ArrayLike,
    labels: ArrayLike,
    pairs: ArrayLike,
    n_main: int,
    n_auxiliary: int,
    n_test: int,
    seeds: Iterable[int],
) -> ImageTasks:
    """Draw both tasks for a pair of classes of each seed, as ``split_classes`` does.

    Parameters
    ----------
    inputs : array_like, shape (n, pixel)
        Images.
    labels : array_like of int, shape (n,)
        Class of each image.
    pairs : array_like of int, shape (seed, 2)
        The classes of the main task of each seed.
    n_main, n_auxiliary, n_test : int
        Images of each set.
    seeds : iterable of int

    Raises
    ------
    ValueError
        If there are not two classes for each seed, or are too few images.
    """
    images, chosen = real_array("inputs", inputs, ndim=2), seed_tuple(seeds)
    two, size = counts("pairs", pairs, 0), count("n_test", n_test)
    if two.shape != (len(chosen), 2):
        raise ValueError(f"pairs must be two classes for each of {len(chosen)} seeds; got shape {two.shape}.")
    if counts("labels", labels, 0).ndim != 1:
        raise ValueError(f"labels must be one for each image, shape ({len(images)},); got {np.shape(labels)}.")
    splits = [split_classes(labels, pair, n_main, n_auxiliary, seed) for pair, seed in zip(two, chosen, strict=True)]
    if np.size(labels) != len(images):
        raise ValueError(f"labels must be one for each of {len(images)} images; got {np.size(labels)}.")
    most = min(len(one.rest) for one in splits)
    if size > most:
        raise ValueError(f"n_test must be at most {most}, the images of a pair that are left; got {size}.")

    def labelled(rows: str, classes: str, n: int) -> Labelled:
        taken = [getattr(one, rows)[:n] for one in splits], [getattr(one, classes)[:n] for one in splits]
        return Labelled(images[np.stack(taken[0])], np.stack(taken[1]))

    return ImageTasks(
        labelled("main", "main_labels", n_main),
        labelled("auxiliary", "auxiliary_labels", n_auxiliary),
        labelled("rest", "rest_labels", size),
    )
