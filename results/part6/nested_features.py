"""Nested features: pretrains and finetunes networks of 1,000 inputs and computes the limits.

Run as ``python results/part6/nested_features.py`` from the root of the project; five minutes on one core. It
writes nested-features.json here. What is finished is kept in _build/results: a run that was stopped goes on.
"""

from __future__ import annotations

from mtlbook_lib.chapters import stored_results
from mtlbook_lib.chapters.part6.nested_features import experiment

if __name__ == "__main__":
    stored_results.make(__file__, experiment.compute_stored, ("numpy", "scipy", "torch"))
