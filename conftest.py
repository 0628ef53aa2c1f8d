"""Chapters are tests too: see bookbuild/pytest_plugin.py."""

import os

# Small matrices are slower on many threads than on one, and two workers share the cores.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

# Tests hand over tensors of the CPU. The book is tried on a GPU by `make machines OPTIONS="--machines gpu"`.
os.environ.setdefault("MTLBOOK_DEVICE", "cpu")

pytest_plugins = ["bookbuild.pytest_plugin"]
