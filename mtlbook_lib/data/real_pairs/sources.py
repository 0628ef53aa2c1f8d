"""Five data sets that come with scikit-learn, and the questions that their rows answer."""

from types import MappingProxyType
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array, one_of
from mtlbook_lib._extras import require
from mtlbook_lib._remembered import remembered
from mtlbook_lib.data.digit_tasks import YES_NO
from mtlbook_lib.data.real_pairs.held_out import HELD_OUT, held_out_source
from mtlbook_lib.data.real_pairs.questions import Question, Source, column, high, yes

require("data", "sklearn")

SOURCES = ("digits", "breast cancer", "diabetes", "wine", "iris")
# Pixels that a student may be asked for: row and column of the image.
_PIXELS = ((1, 5), (2, 2), (2, 5), (3, 3), (4, 4), (5, 2), (6, 5))
_CELLS = ("radius", "texture", "perimeter", "area", "smoothness", "compactness", "concavity", "concave points",
          "symmetry", "fractal dimension")  # fmt: skip
# Radius, perimeter and area are nearly one measurement, and so are the three that follow smoothness.
_FAMILIES = {"radius": (0, 2, 3), "texture": (1,), "smoothness": (4,), "concavity": (5, 6, 7), "symmetry": (8,),
             "fractal dimension": (9,)}  # fmt: skip


def source_of(name: str) -> Source:
    """The data set of this name, with its questions.

    Columns have their standard deviations as units; pixels have one unit, since a pixel that hardly varies is no news.

    Raises
    ------
    ValueError
        If it is none of ``SOURCES`` and none of ``HELD_OUT``, which need statsmodels.
    """
    chosen = one_of("name", name, SOURCES + HELD_OUT)
    return held_out_source(chosen) if chosen in HELD_OUT else _loaded(chosen)


@remembered()
def _loaded(chosen: str) -> Source:
    from sklearn import datasets

    load = getattr(datasets, f"load_{chosen.replace(' ', '_')}")
    bunch: Any = load(scaled=False) if chosen == "diabetes" else load()
    rows = np.asarray(bunch["data"], dtype=np.float64)
    labels = np.asarray(bunch["target"], dtype=np.float64)
    ask = {"digits": _digits, "breast cancer": _cancer, "diabetes": _diabetes, "wine": _wine, "iris": _iris}[chosen]
    images = chosen == "digits"
    units = np.full(rows.shape[1], np.sqrt(rows.var(axis=0).mean())) if images else rows.std(axis=0)
    return Source(rows, units, MappingProxyType(ask(rows, labels, list(bunch["feature_names"]))), images)


def _digits(rows: Array, labels: Array, names: list[str]) -> dict[str, Question]:
    questions = {name: yes(np.isin(labels, group)) for name, group in YES_NO.items()}
    pixels = {f"pixel {i}, {j}": 8 * i + j for i, j in _PIXELS}
    return {**questions, **{name: Question(rows[:, place], False, (place,)) for name, place in pixels.items()}}


def _cancer(rows: Array, labels: Array, names: list[str]) -> dict[str, Question]:
    questions = {"malignant": yes(labels == 0)}
    for name, family in _FAMILIES.items():
        hidden = tuple(place + 10 * part for part in range(3) for place in family)
        mean = rows[:, _CELLS.index(name)]
        questions |= {name: Question(mean, False, hidden), f"high {name}": high(mean, hidden)}
    return questions


def _diabetes(rows: Array, labels: Array, names: list[str]) -> dict[str, Question]:
    columns = {name: column(rows, names.index(name)) for name in ("age", "bmi", "bp", "s1", "s3", "s5", "s6")}
    return {"progression": Question(labels, False), "high progression": high(labels, ()), **columns}


def _wine(rows: Array, labels: Array, names: list[str]) -> dict[str, Question]:
    questions = {f"vineyard {k + 1}": yes(labels == k) for k in range(3)}
    wanted = ("alcohol", "malic_acid", "flavanoids", "hue", "proline")
    return {**questions, **{name.replace("_", " "): column(rows, names.index(name)) for name in wanted}}


def _iris(rows: Array, labels: Array, names: list[str]) -> dict[str, Question]:
    questions = {name: yes(labels == k) for k, name in enumerate(("setosa", "versicolor", "virginica"))}
    columns = [name.removesuffix(" (cm)") for name in names]
    return {**questions, **{name: column(rows, place) for place, name in enumerate(columns)}}
