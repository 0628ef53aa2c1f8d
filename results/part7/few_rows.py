"""How often the recommendation calls a useless partner a help when the target has few rows; writes few-rows.json here.

Run as ``python results/part7/few_rows.py`` from the root of the project; ten minutes on one core. Finished parts are
kept in _build/results.
"""

from __future__ import annotations

from mtlbook_lib.experiments import stored_results
from mtlbook_lib.experiments.part7 import should_i_train_together as experiment

if __name__ == "__main__":
    stored_results.make(__file__, experiment.few_rows, ("numpy", "scipy"))
