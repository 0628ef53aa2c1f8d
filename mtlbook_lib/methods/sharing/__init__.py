"""Methods of hard parameter sharing for any torch encoder, with the interface of scikit-learn.

One table has the rows of all tasks: inputs X (n, ...), and labels Y (n, k) with NaN where a row has no label for a
task; ``stack_tasks`` makes it of tasks with examples of their own. A model predicts every task for every row. The
encoder and the heads are functions that make torch modules, so that each fit starts anew from its seed and models can
be cloned.
"""

from mtlbook_lib.methods.sharing._fitting.loop import Training
from mtlbook_lib.methods.sharing._fitting.tasks import stack_tasks
from mtlbook_lib.methods.sharing.alignment import Alignment
from mtlbook_lib.methods.sharing.baselines import GradientAggregation
from mtlbook_lib.methods.sharing.factories import shared, single_task
from mtlbook_lib.methods.sharing.hard import HardSharing, SingleTask
from mtlbook_lib.methods.sharing.model import TaskModel
from mtlbook_lib.methods.sharing.reweighting import SvdReweighting, UncertaintyWeighting

__all__ = ["Alignment", "GradientAggregation", "HardSharing", "SingleTask", "SvdReweighting", "TaskModel",
           "Training", "UncertaintyWeighting", "shared", "single_task", "stack_tasks"]  # fmt: skip
__dir__ = __all__.copy
