"""Transfer to a very strong and to a weak leaky task: trains the students, writes nonlinear-transfer.json here.

Run as ``python results/part3/nonlinear_transfer.py`` from the root of the project; ten minutes on one core.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mtlbook_lib.chapters import stored_results
from mtlbook_lib.chapters.part3.nonlinear_transfer import experiment
from mtlbook_lib.simulation import engine


def compute_stored(_folder: Path) -> dict[str, Any]:
    return {"experiments": {name: experiment.stored_experiment(rules) for name, rules in experiment.RULES.items()}}


if __name__ == "__main__":
    stored_results.make(__file__, compute_stored, ("numpy", "torch"), str(engine.device()))
