"""What a GPU takes beside one core: measures seconds on this machine, writes gpu.json here.

Run as ``python results/part7/gpu.py`` from the root of the project, where torch finds a GPU; some four minutes, beside
thirteen idle cores.
"""

from __future__ import annotations

from mtlbook_lib.chapters import stored_results
from mtlbook_lib.chapters.part7.past_one_machine import experiment

if __name__ == "__main__":
    stored_results.make(__file__, experiment.compute_on_gpu, ("numpy", "torch"), device="cuda")
