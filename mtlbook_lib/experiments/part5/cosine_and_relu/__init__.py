"""What the cosine of two models does to sharing one direction, and the repaired chain of Theorem 9."""

from mtlbook_lib.experiments.part5.cosine_and_relu.chain import (
    Chain,
    chain,
    equal_models,
    feature_norms,
    head_errors,
    head_ratios,
    kernel_products,
)
from mtlbook_lib.experiments.part5.cosine_and_relu.sweeps import (
    Gain,
    Sweep,
    half_similar,
    higher_rank,
    linear_sweep,
    trained_sweep,
)

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
