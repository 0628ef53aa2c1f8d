"""Width of shared modules: trains ten digit tasks on modules of every width, writes capacity.json here.

Run as ``python results/part5/capacity.py`` from the root of the project; ten minutes on one core. What is finished is
kept in _build/results: a run that was stopped goes on where it was.
"""

from __future__ import annotations

from mtlbook_lib.chapters import stored_results
from mtlbook_lib.chapters.part5.capacity import experiment

if __name__ == "__main__":
    stored_results.make(__file__, experiment.compute_stored, ("torch", "scikit-learn"))
