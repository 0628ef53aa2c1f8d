"""One valid call of every public function of the notebook, with all its arguments."""

from typing import Any

from ipywidgets import SelectionSlider
from matplotlib.figure import Figure

from mtlbook_lib._files import CHAPTERS
from mtlbook_lib.notebook.register import Claim

CLAIM = Claim("a-claim", "beyond", ("Fig. 1",), "A is B.", "part1/x", "z-score", 4.0, 0.0, "Because.", "holds", "", "")
NUMBERS = {"measured": [1.0, 1.1], "expected": [1.0, 1.0], "standard_error": [0.1, 0.1]}


def figure() -> Figure:
    drawn = Figure(figsize=(1, 1))
    drawn.add_subplot().plot([0, 1])
    return drawn


def draw(value: Any) -> Figure:
    return figure()


def alt(value: Any) -> str:
    return f"A line at {value}."


FRAMES = {"draw": draw, "values": [1.0, 2.0], "label": "strength", "alt": alt, "fmt": "{:g}", "start": 0}

CHOICE = {"draw": draw, "names": ["a", "b"], "label": "task", "alt": alt, "start": 0}

CALLS: dict[str, dict[str, dict[str, Any]]] = {
    "notebook.answers": {"check": {"given": 2.0, "sealed": "MiAwLjE="}},
    "notebook.claims": {
        "compare": {"claim_id": CLAIM.id, "measured": 1.0, "predicted": 1.0, "standard_error": 0.0},
        "check": {"claim_id": CLAIM.id, **NUMBERS, "printed": None, "outside": None, "of": None, "at": {}},
        "evaluate": {"claim": CLAIM, **NUMBERS, "printed": None, "outside": None, "of": None, "at": {}},
    },
    "notebook.comparison": {
        "compare": {"claim": CLAIM, **NUMBERS, "against": False},
        "cases": {"claim": CLAIM, **NUMBERS},
    },
    "notebook.frames": {"build": {**FRAMES, "control": SelectionSlider}, "choice": CHOICE, "slider": FRAMES},
    "notebook.pictures": {
        "picture": {"figures": figure(), "alt": "A line.", "salt": ""},
        "show": {"figures": figure(), "alt": "A line."},
    },
    "notebook.progress": {"bar": {"iterable": [1, 2], "description": "runs", "total": 2}},
    "notebook.register": {
        "find": {},
        "named": {},
        "stated": {"entries": [], "chapter": "part2/one-mode"},
        "chapter_of": {"file": CHAPTERS / "part2/one_mode/claims.yml", "register": CHAPTERS},
        "files": {"register": CHAPTERS},
        "load": {"path": str(CHAPTERS)},
    },
    "notebook.svg": {
        "to_svg": {"figure": figure(), "alt": "A line.", "salt": ""},
        "pixel_width": {"figure": figure()},
    },
    "notebook.tables": {
        "number": {"measured": (1.0, 0.1), "fmt": ".2f"},
        "show": {"columns": ["a", "b"], "rows": [["1", "2"]]},
    },
}
