"""How often the recommendation calls a useless partner a help when the target has few rows; writes few-rows.json here.

Run as ``python results/part7/few_rows.py`` from the root of the project; ten minutes on one core. Finished parts are
kept in _build/results.
"""

from __future__ import annotations

from mtlbook_lib.chapters import stored_results
from mtlbook_lib.chapters.part7.should_i_train_together import experiment

if __name__ == "__main__":
    stored_results.make(__file__, experiment.few_rows, ("numpy", "scipy"))
