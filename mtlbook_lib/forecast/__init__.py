"""Should these tasks be trained together? One model that decides by itself, and what it says.

``JointRegressor`` and ``JointClassifier`` learn a task with the help of others, as far as they help. ``recommend`` fits
one to two tables and tells what it expects to gain, how the tasks are related and what baselines would give;
``rank_auxiliaries``, ``benefit_matrix`` and ``group_tasks`` do so for more partners or tasks. NumPy and SciPy only.
"""

from mtlbook_lib.forecast import policy
from mtlbook_lib.forecast._many.grouping import Grouping, group_tasks
from mtlbook_lib.forecast._many.matrix import BenefitMatrix, benefit_matrix
from mtlbook_lib.forecast._many.ranking import RankedTask, rank_auxiliaries
from mtlbook_lib.forecast._related.classifier import JointClassifier, joint_model
from mtlbook_lib.forecast._related.regressor import JointRegressor
from mtlbook_lib.forecast._related.sharing import Related, Sharing
from mtlbook_lib.forecast._sharing.folds import target_folds
from mtlbook_lib.forecast._sharing.recommendation import Recommendation, recommend
from mtlbook_lib.forecast._tasks import RepeatedRows
from mtlbook_lib.forecast.comparison import Comparison, compare

__all__ = [
    "BenefitMatrix",
    "Comparison",
    "Grouping",
    "JointClassifier",
    "JointRegressor",
    "RankedTask",
    "Recommendation",
    "Related",
    "RepeatedRows",
    "Sharing",
    "benefit_matrix",
    "compare",
    "group_tasks",
    "joint_model",
    "policy",
    "rank_auxiliaries",
    "recommend",
    "target_folds",
]


def __dir__() -> list[str]:
    return list(__all__)
