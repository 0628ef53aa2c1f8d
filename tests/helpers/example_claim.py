"""A claim in which a test says what it is about, and nothing else."""

from typing import Any

from mtlbook_lib.notebook.register import Claim


def example_claim(check: str = "close", tolerance: Any = 0.1, verdict: str = "holds", **fields: Any) -> Claim:
    others = {"id": "a-claim", "paper": "beyond", "place": ("Eq. 1",), "statement": "It is so.", "chapter": "part1/x",
              "allowance": 0.0, "why": "Because."}  # fmt: skip
    return Claim(check=check, tolerance=tolerance, verdict=verdict, **others | fields)
