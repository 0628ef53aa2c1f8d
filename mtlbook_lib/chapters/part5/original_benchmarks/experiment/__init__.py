"""The original benchmarks: the way from files to scores, and what their test sets can resolve."""

from mtlbook_lib.chapters.part5.original_benchmarks.experiment.formats import *
from mtlbook_lib.chapters.part5.original_benchmarks.experiment.resolution import *

__all__ = ["FINDINGS_HERE", "FINDING_COUNTS", "GLUE_ROWS", "N_IMAGES", "SENTIMENT_ROWS", "AreaScatter", "area_scatter",
           "average_gain_error", "format_check", "noisy_weights", "write_chest", "write_glue", "write_sentiment",
           "write_vectors"]  # fmt: skip
