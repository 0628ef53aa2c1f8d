"""Six data sets that come with statsmodels: what a rule is judged on that was fixed on the ones of scikit-learn."""

from types import MappingProxyType
from typing import Any

import numpy as np

from mtlbook_lib._extras import require
from mtlbook_lib._remembered import remembered
from mtlbook_lib.data.real_pairs.questions import Question, Source, column, high, yes

MOST_ROWS = 2000
# Columns that a student sees, and what is asked: a column, with those that would give it away.
_NUMBERS: dict[str, tuple[str, tuple[str, ...], dict[str, tuple[str, ...]]]] = {
    "election": ("anes96", ("logpopul", "TVnews", "selfLR", "ClinLR", "DoleLR", "PID", "age", "educ", "income"), {}),
    "marriages": (
        "fair",
        ("rate_marriage", "age", "yrs_married", "children", "religious", "educ", "occupation", "occupation_husb"),
        {"age": ("age", "yrs_married"), "yrs_married": ("age", "yrs_married", "children")},
    ),
    "health": ("randhie", ("lncoins", "idp", "lpi", "fmde", "physlm", "disea", "hlthg", "hlthf", "hlthp"),
               {"lncoins": ("lncoins", "fmde"), "fmde": ("lncoins", "fmde", "idp")}),
    "schools": (
        "star98",
        ("LOWINC", "PERASIAN", "PERBLACK", "PERHISP", "PERMINTE", "AVYRSEXP", "AVSALK", "PERSPENK", "PTRATIO", "PCTAF",
         "PCTCHRT", "PCTYRRND"),
        {"PERHISP": ("PERHISP", "PERMINTE"), "AVYRSEXP": ("AVYRSEXP", "AVSALK")},
    ),
    "travel": ("modechoice", ("ttme", "invc", "invt", "gc", "hinc", "psize"), {"gc": ("gc", "invt", "invc")}),
    "economy": (
        "macrodata",
        ("realgdp", "realcons", "realinv", "realgovt", "realdpi", "cpi", "m1", "tbilrate", "unemp", "pop", "infl",
         "realint"),
        dict.fromkeys(("tbilrate", "infl", "realint"), ("tbilrate", "infl", "realint")),
    ),
}  # fmt: skip
# What is asked besides, and nobody sees: whether the column is above 0.
_ASKED = {"election": "vote", "marriages": "affairs", "health": "mdvis", "travel": "choice"}
_TWO_VALUES = ("idp", "hlthg", "hlthf", "hlthp")  # too rare, or of no use, as a target of few rows
HELD_OUT = tuple(_NUMBERS)


@remembered()
def held_out_source(name: str) -> Source:
    """One of the data sets, at most 2000 evenly spaced rows of it; needs statsmodels."""
    require("study", "statsmodels")
    import statsmodels.api

    file, seen, giveaways = _NUMBERS[name]
    frame: Any = getattr(statsmodels.api.datasets, file).load_pandas().data
    frame = frame.iloc[:: -(-len(frame) // MOST_ROWS)]
    rows = frame[list(seen)].to_numpy(dtype=np.float64)
    questions = {}
    for place, called in enumerate(seen):
        if called in _TWO_VALUES:
            continue
        hidden = tuple(seen.index(other) for other in giveaways.get(called, (called,)))
        questions[called] = Question(rows[:, place], False, hidden) if hidden != (place,) else column(rows, place)
        if len(np.unique(rows[:, place])) > 20:
            questions[f"high {called}"] = high(rows[:, place], hidden)
    if name in _ASKED:
        questions[_ASKED[name]] = yes(frame[_ASKED[name]].to_numpy() > 0)
    return Source(rows, rows.std(axis=0), MappingProxyType(questions), images=False)
