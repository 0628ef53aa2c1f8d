"""Leaky and linear networks with three hidden layers: trains them, writes nonlinear.json here.

Run as ``python results/part2/nonlinear.py`` from the root of the project; two minutes on one core.
"""

from __future__ import annotations

from mtlbook_lib.chapters import stored_results
from mtlbook_lib.chapters.part2.nonlinear import experiment
from mtlbook_lib.simulation import engine

if __name__ == "__main__":
    stored_results.make(__file__, lambda _: {"deep": experiment.train_kept()}, ("numpy", "torch"), str(engine.device()))
