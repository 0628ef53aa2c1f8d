"""Auxiliary data: further data sets for the shift of students with two layers, writes auxiliary-data-further.json here.

Run as ``python results/part4/auxiliary_data_further.py`` from the root of the project; two minutes on one core. What
is finished is kept in _build/results: a run that was stopped goes on where it was.
"""

from __future__ import annotations

from mtlbook_lib.chapters import stored_results
from mtlbook_lib.chapters.part4.auxiliary_data import experiment
from mtlbook_lib.simulation import engine

if __name__ == "__main__":
    stored_results.make(__file__, experiment.run_further, ("numpy", "torch"), str(engine.device()))
