"""SVD reweighting: trains sharing with gradients combined by PCGrad and UPGrad, writes svd-reweighting.json here.

Run as ``python results/part5/svd_reweighting.py`` from the root of the project, with the extra ``baselines`` installed;
ten minutes on one core. What is finished is kept in _build/results: a run that was stopped goes on where it was.
"""

from __future__ import annotations

from mtlbook_lib.chapters import stored_results
from mtlbook_lib.chapters.part5.svd_reweighting import experiment

if __name__ == "__main__":
    stored_results.make(__file__, experiment.compute_stored, ("torch", "torchjd"))
