"""Least test errors of students with four weight matrices: trains them, writes deeper-students.json here.

Run as ``python results/part2/deeper_students.py`` from the root of the project; one minute on one core.
"""

from __future__ import annotations

from mtlbook_lib.chapters import stored_results
from mtlbook_lib.chapters.part2.deeper_students import experiment
from mtlbook_lib.simulation import engine

if __name__ == "__main__":
    packages = ("numpy", "torch")
    stored_results.make(__file__, lambda _: {"stops": experiment.train_kept()}, packages, str(engine.device()))
