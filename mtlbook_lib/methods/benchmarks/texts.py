"""Methods of sharing on tasks of texts with examples of their own, and transfer from one of them."""

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from torch import nn

from mtlbook_lib._checks import Array, mapping, one_of, positive, texts, whole
from mtlbook_lib.data.benchmarks import Texts, TextTask, class_score
from mtlbook_lib.methods.benchmarks.scores import Scores
from mtlbook_lib.methods.sharing import (
    Alignment,
    HardSharing,
    SingleTask,
    TaskModel,
    Training,
    UncertaintyWeighting,
    shared,
    single_task,
    stack_tasks,
)

METHODS = ("alone", "shared", "Kendall", "Algorithm 1", "Algorithm 1, alone")
_LOSS = "cross-entropy"


class TextEncoder(Protocol):
    """Interface of an encoder: it turns texts into features."""

    layer: str
    """Name of the layer of a module of ``make`` behind which Algorithm 1's matrix acts."""

    def rows(self, given: Texts) -> NDArray[np.int64]:
        """Texts as rows of integers, shape (n, ...)."""

    def make(self) -> nn.Module:
        """A module from such rows to features, shape (n, r)."""


def compare_texts(
    tasks: Mapping[str, TextTask],
    encoder: TextEncoder,
    methods: Sequence[str] = METHODS,
    training: Training | None = None,
    seed: int = 0,
    weights: ArrayLike | None = None,
) -> Scores:
    r"""Train each method on all tasks, and score it on the test rows.

    Parameters
    ----------
    tasks : mapping of str to TextTask
    encoder : TextEncoder
    methods : sequence of str
        ``"alone"``: a network for each task. ``"shared"``: one for all, with weights :math:`\propto m_i`, as a sum over
        examples has them. ``"Kendall"``: learned weights. ``"Algorithm 1"``: a matrix behind the encoder's layer, from
        ``"shared"``. ``"Algorithm 1, alone"``: the same from ``"alone"``, without any other task.
    training : Training, optional
        Of every method; its share held out for early stopping is taken from the training rows.
    seed : int
    weights : array_like, shape (k,), optional
        Positive factors of the tasks' weights in ``"shared"`` and ``"Algorithm 1"``, such as those of Algorithm 2;
        scaled to mean 1.

    Returns
    -------
    Scores
        Of one seed.

    Notes
    -----
    A step takes a batch of all tasks' rows, in the mixture of the data; the paper's takes a batch of one task (App.
    B.3). In expectation the steps of an epoch are the same. Source: Wu, Zhang & Ré (2020), Algorithm 1, Fig. 5a.
    """
    given, names, _ = _checked(tasks, encoder), texts("methods", methods), whole("seed", seed, 0)
    if not names:
        raise ValueError(f"methods must hold one or more of {', '.join(METHODS)}.")
    inputs = [encoder.rows(task.train) for task in given.values()]
    x, y = stack_tasks(inputs, [task.train.labels for task in given.values()])
    shares = np.array([len(rows) for rows in inputs]) / np.mean([len(rows) for rows in inputs])
    if weights is not None:
        factors = positive("weights", weights)
        if factors.shape != shares.shape:
            raise ValueError(f"weights must have one entry for each of the {len(shares)} tasks; got {factors.shape}.")
        factors = factors / factors.max()
        shares = shares * factors / factors.mean()
    # A function, not the encoder's method: copies of a model must not copy the encoder.
    kinds = _models(lambda: encoder.make(), encoder.layer, shares, training, seed)
    models = {name: kinds[one_of("methods", name, METHODS)]() for name in names}
    values = {name: _scores(model.fit(x, y), given, encoder) for name, model in models.items()}
    return Scores(tuple(given), tuple(task.measure for task in given.values()), values)


def transfer_texts(
    tasks: Mapping[str, TextTask],
    source: str,
    encoder: TextEncoder,
    training: Training | None = None,
    seed: int = 0,
) -> Scores:
    """Train on one task, and fine-tune on each of the others, without and with Algorithm 1.

    Source: Wu, Zhang & Ré (2020), Sec. 3.1 and Fig. 5b. They add the matrix during the fine-tuning, and tune the
    number of features of the source; both are left to who runs it.

    Parameters
    ----------
    tasks : mapping of str to TextTask
    source : str
        Name of the task that is learned first.
    encoder : TextEncoder
    training : Training, optional
        Of the source, the fine-tuning, and the targets alone.
    seed : int

    Returns
    -------
    Scores
        Of the other tasks, one seed: ``"alone"``, ``"fine-tuned"`` (all parameters, from the source's encoder), and
        ``"fine-tuned, Algorithm 1"``, which starts where fine-tuning stops.

    Raises
    ------
    ValueError
        If the source is no task, or there is no other.
    """
    given, _ = _checked(tasks, encoder), whole("seed", seed, 0)
    name = one_of("source", source, tuple(given))
    first, others = given.pop(name), given
    if not others:
        raise ValueError("tasks must hold a task besides the source.")
    learned = _alone(lambda: encoder.make(), training, seed).fit(encoder.rows(first.train), first.train.labels[:, None])
    start = learned.network_of(0)[0].requires_grad_(True)
    reached: dict[str, list[float]] = {"alone": [], "fine-tuned": [], "fine-tuned, Algorithm 1": []}
    for task in others.values():
        x, y = encoder.rows(task.train), task.train.labels[:, None]
        tuned = _alone(lambda: copy.deepcopy(start), training, seed)
        models = (_alone(lambda: encoder.make(), training, seed), tuned, Alignment(tuned, encoder.layer))
        for scores, model in zip(reached.values(), models, strict=True):
            scores.append(float(_scores(model.fit(x, y), {"": task}, encoder)[0, 0]))
    values = {method: np.array([scores]) for method, scores in reached.items()}
    return Scores(tuple(others), tuple(task.measure for task in others.values()), values)


def _models(
    make: Callable[[], nn.Module], layer: str, shares: Array, training: Training | None, seed: int
) -> dict[str, Callable[[], TaskModel]]:
    def together() -> HardSharing:
        return shared(make, loss=_LOSS, weights=shares, training=training, seed=seed)

    return {
        "alone": lambda: _alone(make, training, seed),
        "shared": together,
        "Kendall": lambda: UncertaintyWeighting(make, loss=_LOSS, training=training, seed=seed),
        "Algorithm 1": lambda: Alignment(together(), layer),
        "Algorithm 1, alone": lambda: Alignment(_alone(make, training, seed), layer),
    }


def _alone(make: Callable[[], nn.Module], training: Training | None, seed: int) -> SingleTask:
    return single_task(make, loss=_LOSS, training=training, seed=seed)


def _scores(model: TaskModel, tasks: Mapping[str, TextTask], encoder: TextEncoder) -> Array:
    """Of each task on its own test rows, shape (1, k)."""
    scores = []
    for i, task in enumerate(tasks.values()):
        predicted = model.predict(encoder.rows(task.test))[:, i]
        scores.append(class_score(task.measure, task.test.labels, predicted))
    return np.array([scores])


def _checked(tasks: Mapping[str, TextTask], encoder: TextEncoder) -> dict[str, TextTask]:
    given = mapping("tasks", tasks)
    if not given or not all(isinstance(task, TextTask) for task in given.values()):
        raise ValueError(f"tasks must map names to TextTasks, one or more; got {list(given.values())[:1]!r:.60}.")
    if not (hasattr(encoder, "rows") and hasattr(encoder, "make") and hasattr(encoder, "layer")):
        raise TypeError(f"encoder must have rows, make and layer, as WordEncoder has; got {encoder!r:.60}.")
    return given
