"""Images: trains small networks on pairs of digits beside the other eight, writes images.json here.

Run as ``python results/part6/images.py`` from the root of the project; eight minutes on one core. What is
finished is kept in _build/results: a run that was stopped goes on where it was.
"""

from __future__ import annotations

from mtlbook_lib.chapters import stored_results
from mtlbook_lib.chapters.part6.images import experiment

if __name__ == "__main__":
    stored_results.make(__file__, experiment.compute_stored, ("numpy", "torch"))
