"""The original benchmarks: the way from files to scores, and what their test sets can resolve."""

from mtlbook_lib.experiments.part5.original_benchmarks.formats import (
    FINDINGS_HERE,
    write_chest,
    write_glue,
    write_sentiment,
    write_vectors,
)
from mtlbook_lib.experiments.part5.original_benchmarks.trial import format_check

__all__ = ["FINDINGS_HERE", "format_check", "write_chest", "write_glue", "write_sentiment", "write_vectors"]
