"""Chapters are tests too: see bookbuild/pytest_plugin.py."""

import os

# Small matrices are slower on many threads than on one, and two workers share the cores.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import torch  # noqa: E402  after the threads are set

# Tests hand over tensors of the CPU. The book is tried on a GPU by `make machines OPTIONS="--machines gpu"`.
# Elsewhere nothing is set, so that the tests find what `make book` printed: the device is part of its key.
if torch.cuda.is_available():
    os.environ.setdefault("MTLBOOK_DEVICE", "cpu")

pytest_plugins = ["bookbuild.pytest_plugin"]
