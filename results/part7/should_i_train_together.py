"""Should I train these tasks together?: trains and forecasts all pairs, writes should-i-train-together.json here.

Run as ``python results/part7/should_i_train_together.py`` from the root of the project; a quarter of an hour on one
core. What is finished is kept in _build/results: a run that was stopped goes on where it was.
"""

from __future__ import annotations

from mtlbook_lib.chapters import stored_results
from mtlbook_lib.chapters.part7.should_i_train_together import experiment
from mtlbook_lib.simulation import engine

if __name__ == "__main__":
    stored_results.make(__file__, experiment.compute_stored, ("numpy", "torch", "scikit-learn"), str(engine.device()))
