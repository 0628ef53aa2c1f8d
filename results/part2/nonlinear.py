"""Leaky and linear networks with three hidden layers: trains them, writes nonlinear.json here.

Run as ``python results/part2/nonlinear.py`` from the root of the project; two minutes on one core.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mtlbook_lib.experiments import stored_results
from mtlbook_lib.experiments.part2 import nonlinear as experiment
from mtlbook_lib.simulation import engine


def compute_stored(_folder: Path) -> dict[str, Any]:
    return {"deep": experiment.train_kept()}


if __name__ == "__main__":
    stored_results.make(__file__, compute_stored, ("numpy", "torch"), str(engine.device()))
