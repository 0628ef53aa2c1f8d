"""Outside baselines: gradients of the tasks combined by the TorchJD package."""

from __future__ import annotations

from mtlbook_lib._checks import one_of
from mtlbook_lib._extras import require
from mtlbook_lib.methods.sharing._fitting.loop import Training
from mtlbook_lib.methods.sharing._fitting.network import Encoder, Head, Network, TensorTasks
from mtlbook_lib.methods.sharing._fitting.objectives import Aggregated, Objective
from mtlbook_lib.methods.sharing._fitting.tasks import Tasks
from mtlbook_lib.methods.sharing.hard import HardSharing, Loss

_NAMES = {"pcgrad": "PCGrad", "upgrad": "UPGrad"}


class GradientAggregation(HardSharing):
    r"""Hard sharing whose shared step combines the gradients of the tasks, instead of adding them up.

    .. math:: \Delta B = -\eta\, \mathcal{A}(G), \qquad G = \begin{bmatrix} \nabla_B L_1 & \dots & \nabla_B L_k
        \end{bmatrix}^\top

    ``"pcgrad"`` takes from each gradient what opposes another one; ``"upgrad"`` projects each onto the directions that
    oppose none. Both are the sum where no two gradients are opposed. Heads follow their own task.

    Parameters
    ----------
    method : str
        ``"pcgrad"`` or ``"upgrad"``.
    encoder, head, loss, training, seed
        As for ``shared``.

    Notes
    -----
    Errors are those of ``fit``, and a ``ModuleNotFoundError`` that names the extra if TorchJD is not installed.
    Source: Yu et al. (2020) for PCGrad; Quinton & Rey (2024) for UPGrad; both as the TorchJD package has them, UPGrad
    times the number of tasks.
    """

    def __init__(
        self,
        method: str = "pcgrad",
        encoder: Encoder = 1,
        head: Head | None = None,
        loss: Loss = "squared",
        training: Training | None = None,
        seed: int = 0,
    ) -> None:
        super().__init__(encoder, head, loss, None, training, seed)
        self.method = method

    def _objective(self, tasks: Tasks, data: TensorTasks, network: Network) -> Objective:
        name = _NAMES[one_of("method", self.method, tuple(_NAMES))]
        require("baselines", "torchjd", *(["qpsolvers", "quadprog"] if name == "UPGrad" else []))
        from torchjd import aggregation

        aggregator = getattr(aggregation, name)()
        # UPGrad is a mean over the tasks, PCGrad a sum; the rate is to mean the same for both, and for plain sharing.
        factor = len(data.targets) if name == "UPGrad" else 1
        return Aggregated(lambda gradients: factor * aggregator(gradients))
