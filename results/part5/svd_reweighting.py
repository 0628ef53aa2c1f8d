"""SVD reweighting: trains sharing with gradients combined by PCGrad and UPGrad, writes svd-reweighting.json here.

Run as ``python results/part5/svd_reweighting.py`` from the root of the project, with the extra ``baselines`` installed;
ten minutes on one core. What is finished is kept in _build/results: a run that was stopped goes on where it was.
"""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import torch

from mtlbook_lib.experiments.part5 import svd_reweighting as experiment

TARGET = Path(__file__).with_name("svd-reweighting.json")
PARTS = Path("_build/results/part5/svd-reweighting")
COMMAND = "python results/part5/svd_reweighting.py"


def main() -> None:
    found = experiment.run(PARTS)
    stored = {
        "command": COMMAND,
        "date": datetime.now(UTC).date().isoformat(),
        "versions": {"python": platform.python_version(), "torch": torch.__version__, "torchjd": version("torchjd")},
        "device": "cpu",
        "splits": experiment.N_SPLITS,
        **found,
    }
    TARGET.write_text(experiment.text(stored), encoding="utf8")


if __name__ == "__main__":
    main()
