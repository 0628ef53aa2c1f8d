"""The variables that change what is computed: they count in the keys of chapters."""

from __future__ import annotations

from collections.abc import Mapping

# How their names begin: ours, and those of the numerical libraries.
PREFIXES = ("MTLBOOK_", "OMP_", "OPENBLAS_", "MKL_", "NPY_", "ATEN_", "KMP_", "CUBLAS_", "CUDA_", "NVIDIA_", "TORCH_")
# The register counts by what it says, not by its name.
CHANGE_NOTHING = {"MTLBOOK_BUILD", "MTLBOOK_CLAIMS"}
# Scikit-learn sets these when it is imported: how libraries of threads load and fork, not what they compute.
CHANGE_NOTHING |= {"KMP_DUPLICATE_LIB_OK", "KMP_INIT_AT_FORK"}


def changing(surroundings: Mapping[str, str]) -> dict[str, str]:
    """Those of the variables that change what is computed, in the order of their names."""
    names = sorted(name for name in surroundings if name.startswith(PREFIXES) and name not in CHANGE_NOTHING)
    return {name: surroundings[name] for name in names}
