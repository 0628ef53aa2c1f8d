"""Should these two tasks be trained together? Two numbers from the training data alone, and what they say.

Nothing is trained and nothing is fitted to other data sets: the linear forecast of ``methods.transfer_forecast``, and
the evidence of a Gaussian process for two tasks. NumPy and SciPy only.
"""

from mtlbook_lib.forecast._sharing.recommendation import Recommendation, recommend
from mtlbook_lib.forecast._sharing.ridge import SharedRidge
from mtlbook_lib.forecast._tasks import RepeatedRows
from mtlbook_lib.forecast.advice import Advice, advise
from mtlbook_lib.forecast.comparison import Comparison, compare
from mtlbook_lib.forecast.evidence import CorrelationEvidence, correlation_evidence
from mtlbook_lib.forecast.process import TwoTaskGP
from mtlbook_lib.forecast.ranking import RankedTask, rank_auxiliaries

__all__ = [
    "Advice",
    "Comparison",
    "CorrelationEvidence",
    "RankedTask",
    "Recommendation",
    "RepeatedRows",
    "SharedRidge",
    "TwoTaskGP",
    "advise",
    "compare",
    "correlation_evidence",
    "rank_auxiliaries",
    "recommend",
]
