"""Six sets of labelled sentences, each in the files in which its authors hand it on, and sets of a user's own."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np

from mtlbook_lib._checks import one_of
from mtlbook_lib.data.benchmarks.sources import Source, bad_row, lines
from mtlbook_lib.data.benchmarks.texts import Texts

# A file for each class, a sentence a line.
_BY_CLASS = {
    "MR": {"negative": "rt-polarity.neg", "positive": "rt-polarity.pos"},
    "SUBJ": {"objective": "plot.tok.gt9.5000", "subjective": "quote.tok.gt9.5000"},
    "CR": {"negative": "custrev.neg", "positive": "custrev.pos"},
    "MPQA": {"negative": "mpqa.neg", "positive": "mpqa.pos"},
}
_TREC = ("train_5500.label", "TREC_10.label")
_QUESTIONS = ("ABBR", "DESC", "ENTY", "HUM", "LOC", "NUM")
_TREES = ("train.txt", "dev.txt", "test.txt")
_POLARITY = ("negative", "positive")
SENTIMENT = ("MR", "SST", "SUBJ", "CR", "MPQA", "TREC")
_SOURCE = Source(
    "Sentiment sets",
    "MTLBOOK_SENTIMENT",
    "a folder with "
    + "; ".join(f"{name}/{' and '.join(files.values())}" for name, files in _BY_CLASS.items())
    + f"; TREC/{' and '.join(_TREC)}; SST/{', '.join(_TREES)} (trees); of a set of your own, a .txt for each class",
    "MR and SUBJ are among Cornell's movie review data, SST is at nlp.stanford.edu/sentiment, TREC at cogcomp's "
    "question classification page; CR and MPQA come in these files with SentEval.",
)


def sentiment_task(folder: str | os.PathLike[str] | None, name: str) -> Texts:
    """All sentences of one of the six sets, or of one of your own, not split.

    Parameters
    ----------
    folder : path or None
        With a folder for each set; None for the one that ``MTLBOOK_SENTIMENT`` names.
    name : str
        ``"MR"``, ``"SST"``, ``"SUBJ"``, ``"CR"``, ``"MPQA"`` or ``"TREC"``; or any other folder there that has a
        ``.txt`` for each class, such as ``tweets/negative.txt`` and ``tweets/positive.txt``.

    Returns
    -------
    Texts
        SST with two classes: neutral sentences are left out. TREC with its six coarse classes.

    Notes
    -----
    MR, SUBJ, CR and MPQA have a file a class in Latin-1, a sentence a line; your own have the same in UTF-8. A line of
    TREC (Latin-1) is ``DESC:manner How did ...``. SST is a tree a line, ``(3 (2 It) (4 works))``. Source: Wu, Zhang &
    Ré (2020), App. B.1; they split at random, also the sets that come with a split (App. B.3): ``Texts.split``.
    """
    root = _SOURCE.place(folder)
    own = sorted(part.parent.name for part in root.glob("*/*.txt"))
    place = root / one_of("name", name, tuple(dict.fromkeys((*SENTIMENT, *own))))
    if name == "TREC":
        return _labelled(place, _TREC, "latin-1", _question, _QUESTIONS)
    if name == "SST":
        return _labelled(place, _TREES, "utf-8", _tree, _POLARITY)
    files = _BY_CLASS.get(name) or {path.stem: path.name for path in sorted(place.glob("*.txt"))}
    if len(files) < 2:
        raise _SOURCE.missing(f"{place} has a .txt for one class only")
    encoding = "latin-1" if name in _BY_CLASS else "utf-8"
    paths = [_SOURCE.file(place, file) for file in files.values()]
    sentences = [(text, label) for label, path in enumerate(paths) for _, text in lines(path, encoding)]
    return _texts(place, sentences, tuple(files))


Parser = Callable[[str], tuple[str, int] | str | None]


def _labelled(place: Path, names: tuple[str, ...], encoding: str, parse: Parser, classes: tuple[str, ...]) -> Texts:
    """Rows of files that have labels in their lines; `parse` gives a row, None to leave it out, or what is wrong."""
    sentences = []
    for file in [_SOURCE.file(place, name) for name in names]:
        for number, line in lines(file, encoding):
            row = parse(line.strip())
            if isinstance(row, str):
                raise bad_row(file, number, row)
            if row is not None:
                sentences.append(row)
    return _texts(place, sentences, classes)


def _question(line: str) -> tuple[str, int] | str:
    label, _, text = line.partition(" ")
    coarse = label.partition(":")[0]
    if ":" not in label or coarse not in _QUESTIONS or not text:
        return f"must be one of {', '.join(_QUESTIONS)}, a colon, a finer class, and a question; got {line[:40]!r}"
    return text, _QUESTIONS.index(coarse)


def _tree(line: str) -> tuple[str, int] | str | None:
    words = re.findall(r"\([0-4] ([^()]+)\)", line)
    if not re.match(r"\([0-4] ", line) or not words or line.count("(") != line.count(")"):
        return f"must be a tree such as (3 (2 It) (4 works)), with labels 0 to 4; got {line[:40]!r}"
    label = int(line[1])
    return None if label == 2 else (" ".join(words), int(label > 2))


def _texts(place: Path, sentences: list[tuple[str, int]], classes: tuple[str, ...]) -> Texts:
    if not sentences:
        raise ValueError(f"{place}: the files have no rows.")
    first = tuple(text.strip() for text, _ in sentences)
    return Texts(first, ("",) * len(first), np.array([label for _, label in sentences]), classes)
