"""Covariance alignment: fits all methods on eight pairs of domains, writes covariance-alignment.json here.

Run as ``python results/part5/covariance_alignment.py`` from the root of the project; two minutes on one core. What is
finished is kept in _build/results: a run that was stopped goes on where it was.
"""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from mtlbook_lib.experiments.part5 import covariance_alignment as experiment

TARGET = Path(__file__).with_name("covariance-alignment.json")
PARTS = Path("_build/results/part5/covariance-alignment")
COMMAND = "python results/part5/covariance_alignment.py"


def main() -> None:
    found = experiment.run(PARTS)
    stored = {
        "command": COMMAND,
        "date": datetime.now(UTC).date().isoformat(),
        "versions": {"python": platform.python_version(), "numpy": np.__version__},
        "device": "cpu",
        "splits": experiment.N_SPLITS,
        **found,
    }
    TARGET.write_text(experiment.text(stored), encoding="utf8")


if __name__ == "__main__":
    main()
