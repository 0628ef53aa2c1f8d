"""ReLU networks: trains the networks of Figs. 1 c, d and 3 a to g at the reduced size, writes relu-networks.json here.

Run as ``python results/part6/relu_networks.py`` from the root of the project; half an hour on one core. What is
finished is kept in _build/results: a run that was stopped goes on where it was. With MTLBOOK_PROFILE=large it has the
paper's numbers of hidden units and of auxiliary examples.
"""

from __future__ import annotations

from mtlbook_lib.chapters import stored_results
from mtlbook_lib.chapters.part6.relu_networks import experiment
from mtlbook_lib.simulation import engine

if __name__ == "__main__":
    stored_results.make(__file__, experiment.compute_stored, ("numpy", "torch"), str(engine.device()))
