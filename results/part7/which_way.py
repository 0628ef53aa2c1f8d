"""Which way of sharing?: the recommendation on pairs that its rule was fixed on, and on others.

Run as ``python results/part7/which_way.py`` from the root of the project; ten minutes on one core. The others come
with statsmodels: ``pip install "mtlbook-lib[study]"``. Finished parts are kept in _build/results.
"""

from __future__ import annotations

from mtlbook_lib.chapters import stored_results
from mtlbook_lib.chapters.part7.should_i_train_together import experiment
from mtlbook_lib.simulation import engine

if __name__ == "__main__":
    packages = ("numpy", "torch", "scikit-learn", "statsmodels")
    stored_results.make(__file__, experiment.study, packages, str(engine.device()))
