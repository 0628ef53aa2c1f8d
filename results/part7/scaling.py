"""What steps, processes and experiments take: measures seconds on this machine, writes scaling.json here.

Run as ``python results/part7/scaling.py`` from the root of the project; six minutes on two idle cores. What is finished
is kept in _build/results: a run that was stopped goes on where it was.
"""

from __future__ import annotations

from mtlbook_lib.chapters import stored_results
from mtlbook_lib.chapters.part7.past_one_machine import experiment

if __name__ == "__main__":
    stored_results.make(__file__, experiment.compute_stored, ("numpy", "torch"))
