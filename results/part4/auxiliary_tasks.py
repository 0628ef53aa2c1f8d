"""Auxiliary tasks: trains the grid of Fig. 2 and two comparisons, writes auxiliary-tasks.json here.

Run as ``python results/part4/auxiliary_tasks.py`` from the root of the project; an hour and a half on one core. What is
finished is kept in _build/results: a run that was stopped goes on where it was.
"""

from __future__ import annotations

from mtlbook_lib.chapters import stored_results
from mtlbook_lib.chapters.part4.auxiliary_tasks import experiment
from mtlbook_lib.simulation import engine

if __name__ == "__main__":
    stored_results.make(__file__, experiment.compute_stored, ("numpy", "torch"), str(engine.device()))
