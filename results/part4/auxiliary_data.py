"""Auxiliary data: trains the students of Figs. 3, A3 and A4, writes auxiliary-data.json here.

Run as ``python results/part4/auxiliary_data.py`` from the root of the project; a quarter of an hour on one core. What
is finished is kept in _build/results: a run that was stopped goes on where it was.
"""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import torch

from mtlbook_lib.experiments.part4 import auxiliary_data as experiment
from mtlbook_lib.simulation import engine

TARGET = Path(__file__).with_name("auxiliary-data.json")
PARTS = Path("_build/results/part4/auxiliary-data")
COMMAND = "python results/part4/auxiliary_data.py"


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
