"""Leaky students of one task or of several, watched on the task whose outputs come first."""

from collections.abc import Iterable

import torch
from numpy.typing import ArrayLike
from torch import Tensor

from mtlbook_lib import _checks
from mtlbook_lib._threads import suited
from mtlbook_lib.simulation.engine import Trajectory, tensor_of
from mtlbook_lib.simulation.linear.students import orthogonal
from mtlbook_lib.simulation.rectifier.descent import Predictor, descend, prediction_error


@suited
def train_first_head(
    inputs: ArrayLike,
    targets: ArrayLike,
    probe: ArrayLike,
    answers: ArrayLike,
    seeds: Iterable[int],
    lr: float,
    n_steps: int,
    *,
    slope: float = 0.2,
    eps: float = 1e-3,
    n_hidden: int = 50,
    rows_drawn: int | None = None,
    record_every: int = 1,
    dtype: torch.dtype = torch.float32,
) -> Trajectory:
    r"""Gradient descent on students :math:`\phi(W_2 \phi(W_1 x))`, and their test error on the first outputs.

    The layers start as random orthogonal matrices. Their draws belong to the seeds, so a student of one task and a
    student of this task and others start with the same first layer. With `rows_drawn` they can share the rows of the
    last layer too.

    Parameters
    ----------
    inputs, probe : array_like, shapes (seed, n_in, n_examples) and (seed, n_in, n_probe)
        Training and test inputs in columns.
    targets : array_like, shape (seed, setting, n_out, n_examples)
        Training outputs, those of the watched task first.
    answers : array_like, shape (seed, setting or 1, n_head, n_probe)
        Wanted outputs of the watched task on the test inputs, ``n_head <= n_out``.
    seeds : iterable of int
        Distinct seeds, >= 0, one per entry of the first axis.
    lr, n_steps, slope, record_every
        As for ``nonlinear.descend``; the last layer is rectified too.
    eps : float
        Initial singular value of the product of the layers, > 0.
    n_hidden : int
        Hidden units.
    rows_drawn : int, optional
        Rows of the last layer that are drawn, >= n_out, of which the first n_out are used: the number of outputs of a
        larger student, as a part of which this one is to start. By default n_out.
    dtype : torch.dtype
        Precision.

    Returns
    -------
    Trajectory
        With the observable ``test_error``, the squared error relative to that of predicting zero.

    Raises
    ------
    ValueError
        If the answers of a network are zero.
    """
    _checks.instance("dtype", dtype, torch.dtype)
    examples, outputs, new, wanted = (
        tensor_of(name, value, ndim).to(dtype)
        for name, value, ndim in (
            ("inputs", inputs, 3),
            ("targets", targets, 4),
            ("probe", probe, 3),
            ("answers", answers, 4),
        )
    )
    (n_settings, n_outputs), n_head = outputs.shape[1:3], wanted.shape[2]
    if n_head > n_outputs:
        raise ValueError(f"answers must have at most the {n_outputs} rows of targets; got {n_head}.")
    drawn = n_outputs if rows_drawn is None else _checks.count("rows_drawn", rows_drawn, n_outputs)
    *lower, last = orthogonal(drawn, examples.shape[1], n_hidden, eps, seeds, n_settings=n_settings, dtype=dtype)
    whole = prediction_error(new, wanted)

    def first_head(predict: Predictor) -> Tensor:
        return whole(lambda x: predict(x, n_head))

    return descend(
        [*lower, last[..., :n_outputs, :]],
        examples,
        outputs,
        lr,
        n_steps,
        slope=slope,
        leaky_output=True,
        record_every=record_every,
        observe={"test_error": first_head},
    )
