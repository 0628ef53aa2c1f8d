"""Should these tasks be trained together, and how? Answers from the training data.

``recommend`` joins two sources by one rule: what four ways of sharing gain on rows left out, in closed form, and the
forecast of ``advise``, for which nothing is trained: the linear forecast of ``methods.transfer_forecast``, and the
evidence of a Gaussian process for two tasks. ``benefit_matrix`` and ``group_tasks`` are for more than two tasks. NumPy
and SciPy only.
"""

from mtlbook_lib.forecast import policy
from mtlbook_lib.forecast._many.grouping import Grouping, group_tasks
from mtlbook_lib.forecast._many.matrix import BenefitMatrix, benefit_matrix
from mtlbook_lib.forecast._many.ranking import RankedTask, rank_auxiliaries
from mtlbook_lib.forecast._related.classifier import JointClassifier
from mtlbook_lib.forecast._related.regressor import JointRegressor
from mtlbook_lib.forecast._related.sharing import Related, Sharing
from mtlbook_lib.forecast._sharing.recommendation import Recommendation, recommend
from mtlbook_lib.forecast._sharing.ridge import SharedRidge
from mtlbook_lib.forecast._tasks import RepeatedRows
from mtlbook_lib.forecast.advice import Advice, advise
from mtlbook_lib.forecast.comparison import Comparison, compare
from mtlbook_lib.forecast.evidence import CorrelationEvidence, correlation_evidence
from mtlbook_lib.forecast.process import TwoTaskGP

__all__ = [
    "Advice",
    "BenefitMatrix",
    "Comparison",
    "CorrelationEvidence",
    "Grouping",
    "JointClassifier",
    "JointRegressor",
    "RankedTask",
    "Recommendation",
    "Related",
    "RepeatedRows",
    "SharedRidge",
    "Sharing",
    "TwoTaskGP",
    "advise",
    "benefit_matrix",
    "compare",
    "correlation_evidence",
    "group_tasks",
    "policy",
    "rank_auxiliaries",
    "recommend",
]


def __dir__() -> list[str]:
    return list(__all__)
