"""Hard sharing and single-task learning, as a user asks for them."""

from numpy.typing import ArrayLike

from mtlbook_lib._checks import whole
from mtlbook_lib.methods.sharing._fitting.loop import Training, make_training
from mtlbook_lib.methods.sharing._fitting.network import Encoder, Head, check_encoder, check_head
from mtlbook_lib.methods.sharing._fitting.targets import check_loss
from mtlbook_lib.methods.sharing.hard import HardSharing, Loss, SingleTask, check_weights


def shared(
    encoder: Encoder = 1,
    head: Head | None = None,
    loss: Loss = "squared",
    weights: ArrayLike | None = None,
    training: Training | None = None,
    seed: int = 0,
) -> HardSharing:
    r"""Hard sharing: one encoder for all tasks, a head for each, not yet fitted.

    .. math:: \min_{B, A} \sum_i \alpha_i L_i, \qquad
        L_i = \frac1{m_i} \sum_a \ell\big(A_i(B(x_a)), y_{ai}\big)

    Source: Wu, Zhang & Ré (2020), eqs. 1 and 2. Theirs is a sum over examples, so that a task with more of them counts
    more: pass weights proportional to :math:`m_i` for that. A batch has rows of all tasks, in the mixture of the data.

    Parameters
    ----------
    encoder : int or callable
        :math:`B`: a number :math:`r` of linear features without bias, or a function without arguments that makes a
        ``torch.nn.Module`` from inputs (n, ...) to features (n, r). Its own initial values are kept, so it may be
        pretrained.
    head : callable, optional
        :math:`A_i`: a function of r and the number of outputs that makes a module; ``torch.nn.Linear`` by default.
    loss : str or sequence of str
        :math:`\ell` of all tasks, or of each: ``"squared"``, or ``"cross-entropy"`` for labels that number classes.
    weights : array_like, shape (k,), optional
        :math:`\alpha_i` > 0; ones by default.
    training : Training, optional
    seed : int
        Of the initial values, the batches, and the rows that are held out. Torch's global stream is left as it was.

    Returns
    -------
    HardSharing
        With ``fit``, ``predict``, ``score``, ``outputs``, ``row_losses``.
    """
    _check(encoder, head, loss, training, seed)
    check_weights(weights, None)
    return HardSharing(encoder, head, loss, weights, training, seed)


def single_task(
    encoder: Encoder = 1,
    head: Head | None = None,
    loss: Loss = "squared",
    training: Training | None = None,
    seed: int = 0,
) -> SingleTask:
    r"""A network for each task, with nothing in common but its settings and seed, not yet fitted.

    .. math:: \min_{B_i, A_i} L_i \quad\text{for each } i

    `encoder`, `head`, `loss`, `training` and `seed` are as for ``shared``. The same rows are held out under the same
    seed.

    Source: Wu, Zhang & Ré (2020), Sec. 2.1.

    Returns
    -------
    SingleTask
        With the methods of what ``shared`` returns.
    """
    _check(encoder, head, loss, training, seed)
    return SingleTask(encoder, head, loss, training, seed)


def _check(encoder: Encoder, head: Head | None, loss: Loss, training: Training | None, seed: int) -> None:
    check_encoder(encoder)
    check_head(head)
    check_loss(loss)
    make_training(training)
    whole("seed", seed, 0)
