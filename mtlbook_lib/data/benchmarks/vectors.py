"""Word vectors from a text file in the format of GloVe."""

import os
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import texts
from mtlbook_lib.data.benchmarks.sources import Source, bad_row, lines

_SOURCE = Source(
    "GloVe",
    "MTLBOOK_GLOVE",
    "a text file such as glove.6B.300d.txt, with a word and its numbers a line, spaces between",
    "The vectors are at nlp.stanford.edu/projects/glove; unpack the archive.",
    argument="path",
)


def word_vectors(path: str | os.PathLike[str] | None, words: Iterable[str]) -> dict[str, NDArray[np.float32]]:
    """The vectors of those words that the file has.

    Parameters
    ----------
    path : path or None
        A file of GloVe; None for the one that ``MTLBOOK_GLOVE`` names.
    words : iterable of str
        As they stand in the file, that is in lower case for ``glove.6B``.

    Returns
    -------
    dict of str to ndarray, shape (d,)

    Notes
    -----
    The first line decides how many numbers a vector has; some words of the larger files have spaces in them. Only the
    lines of words that are asked for are turned into numbers. Source: Pennington, Socher & Manning (2014).
    """
    wanted, vectors, length = set(texts("words", words)), {}, 0
    file = _SOURCE.place(path)
    if not file.is_file():
        raise _SOURCE.missing(f"{file}: file not found")
    for number, line in lines(file):
        fields = line.rstrip().split(" ")
        length = length or len(fields) - 1
        word = " ".join(fields[:-length]) if length else ""
        if not word:
            raise bad_row(file, number, f"must be a word and {length or 'its'} numbers; got {line[:40]!r}")
        if " " in word and _vector(fields[-length - 1 : -length]) is not None:
            more = f"more numbers than the {length} of the first line (a header, as word2vec has it, must be left out)"
            raise bad_row(file, number, f"must be a word and {length} numbers; got {line[:40]!r}, {more}")
        if word in wanted:
            vectors[word] = _vector(fields[-length:])
            if vectors[word] is None:
                raise bad_row(file, number, f"the vector of {word!r} must be {length} finite numbers")
    return {word: vector for word, vector in vectors.items() if vector is not None}


def _vector(fields: list[str]) -> NDArray[np.float32] | None:
    try:
        vector = np.array([float(field) for field in fields], dtype=np.float32)
    except ValueError:
        return None
    return vector if np.isfinite(vector).all() else None
