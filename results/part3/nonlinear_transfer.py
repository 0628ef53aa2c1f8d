"""Transfer to a very strong and to a weak leaky task: trains the students, writes nonlinear-transfer.json here.

Run as ``python results/part3/nonlinear_transfer.py`` from the root of the project; ten minutes on one core.
"""

from __future__ import annotations

import json
import platform
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import torch

from mtlbook_lib.experiments.part3 import nonlinear_transfer as experiment
from mtlbook_lib.simulation import engine

TARGET = Path(__file__).with_name("nonlinear-transfer.json")
COMMAND = "python results/part3/nonlinear_transfer.py"


def main() -> None:
    stored = {
        "command": COMMAND,
        "date": datetime.now(UTC).date().isoformat(),
        "versions": {"python": platform.python_version(), "numpy": np.__version__, "torch": torch.__version__},
        "device": str(engine.device()),
        "experiments": {name: experiment.stored_experiment(rules) for name, rules in experiment.RULES.items()},
    }
    TARGET.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf8")


if __name__ == "__main__":
    main()
