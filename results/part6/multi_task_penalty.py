"""Multi-task networks of 1000 inputs and Fig. 2c: trains them, writes multi-task-penalty.json here.

Run as ``python results/part6/multi_task_penalty.py`` from the root of the project; ten minutes on one core. What is
finished is kept in _build/results: a run that was stopped goes on where it was.
"""

from __future__ import annotations

from mtlbook_lib.chapters import stored_results
from mtlbook_lib.chapters.part6.multi_task_penalty import experiment
from mtlbook_lib.simulation import engine

if __name__ == "__main__":
    stored_results.make(__file__, experiment.compute_stored, ("numpy", "torch"), str(engine.device()))
