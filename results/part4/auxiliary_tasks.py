"""Auxiliary tasks: trains the grid of Fig. 2 and two comparisons, writes auxiliary-tasks.json here.

Run as ``python results/part4/auxiliary_tasks.py`` from the root of the project; an hour and a half on one core. What is
finished is kept in _build/results: a run that was stopped goes on where it was.
"""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import torch

from mtlbook_lib.experiments.part4 import auxiliary_tasks as experiment
from mtlbook_lib.simulation import engine

TARGET = Path(__file__).with_name("auxiliary-tasks.json")
PARTS = Path("_build/results/part4/auxiliary-tasks")
COMMAND = "python results/part4/auxiliary_tasks.py"


def main() -> None:
    found = experiment.run(PARTS)
    stored = {
        "command": COMMAND,
        "date": datetime.now(UTC).date().isoformat(),
        "versions": {"python": platform.python_version(), "numpy": np.__version__, "torch": torch.__version__},
        "device": str(engine.device()),
        **found,
    }
    TARGET.write_text(experiment.text(stored), encoding="utf8")


if __name__ == "__main__":
    main()
