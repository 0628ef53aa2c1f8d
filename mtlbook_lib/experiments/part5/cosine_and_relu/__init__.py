"""What the cosine of two models does to sharing one direction, and the repaired chain of Theorem 9."""

from mtlbook_lib.experiments.part5.cosine_and_relu.chain import *
from mtlbook_lib.experiments.part5.cosine_and_relu.sweeps import *

__all__ = [
    "Chain",
    "Gain",
    "Sweep",
    "chain",
    "equal_models",
    "feature_norms",
    "half_similar",
    "head_errors",
    "head_ratios",
    "higher_rank",
    "kernel_products",
    "linear_sweep",
    "trained_sweep",
]
