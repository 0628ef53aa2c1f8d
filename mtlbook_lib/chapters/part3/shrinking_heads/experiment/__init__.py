"""Shrinking each head: one head learned in several ways on the same data, and what its rule costs."""

from mtlbook_lib.chapters.part3.shrinking_heads.experiment.comparison import *
from mtlbook_lib.chapters.part3.shrinking_heads.experiment.learning import *

__all__ = ["ASPECT", "EPS", "EQUAL_PAIRS", "GROUPS", "NEARLY_ALIGNED", "Comparison", "Prices", "benefits", "compare",
           "estimated_noise", "falling_prices", "gradient_benefits", "learn", "parabolas", "price", "prices", "ruin",
           "settings", "shrinkage_benefits", "surplus_of_stopping"]  # fmt: skip
