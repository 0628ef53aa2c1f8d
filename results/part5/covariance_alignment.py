"""Covariance alignment: fits all methods on eight pairs of domains, writes covariance-alignment.json here.

Run as ``python results/part5/covariance_alignment.py`` from the root of the project; two minutes on one core. What is
finished is kept in _build/results: a run that was stopped goes on where it was.
"""

from __future__ import annotations

from mtlbook_lib.chapters import stored_results
from mtlbook_lib.chapters.part5.covariance_alignment import experiment

if __name__ == "__main__":
    stored_results.make(__file__, experiment.compute_stored, ("numpy",))
