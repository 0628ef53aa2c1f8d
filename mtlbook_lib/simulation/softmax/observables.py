"""Observables of classifiers in training: functions from ``Students`` to tensors (seed, setting, ...)."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from mtlbook_lib import _checks
from mtlbook_lib.simulation.engine import exponential, to_numpy, to_tensor
from mtlbook_lib.simulation.softmax.problems import groups, labelled_tensors
from mtlbook_lib.simulation.softmax.students import Students

Observable = Callable[[Students], Tensor]


def cross_entropy(examples: Any, task: int = 0) -> Observable:
    r"""Observable: mean loss :math:`-\log p_y(x)` of one task on given examples, in nats.

    Parameters
    ----------
    examples : pair (inputs, labels)
        Shapes (seed, d, N) and (seed, setting or 1, N).
    task : int
        Which head.

    Returns
    -------
    callable
        Students to losses (seed, setting).

    Raises
    ------
    FloatingPointError
        When called: if a loss is not finite; the message names seed and setting.
    """

    def loss(logits: Tensor, labels: Tensor) -> Tensor:
        logits -= logits.amax(2, keepdim=True)
        chosen = logits.gather(2, labels[:, :, None])[:, :, 0]
        exponential(logits)
        return (logits.sum(2).log_() - chosen).mean(2)

    return _over_examples(examples, task, loss)


def composite(task: int = 0) -> Observable:
    """Observable: the map from inputs to logits of one task, (seed, setting, k, d); linear students only.

    Parameters
    ----------
    task : int
        Which head.
    """
    index = _checks.count("task", task, 0)
    return lambda students: students.composite(index)


def component(target: ArrayLike, task: int = 0) -> Observable:
    r"""Observable: component of the map of one task along a target, both less their means over the classes.

    .. math:: s = \frac{\mathrm{tr}(W^T P T)}{\mathrm{tr}(T^T P T)}, \qquad P = I - 11^T/k

    Parameters
    ----------
    target : array_like, shape (seed, setting or 1, k, d)
        :math:`T`, a map that tells the classes apart.
    task : int
        Which head.

    Returns
    -------
    callable
        Linear students to components (seed, setting).

    Raises
    ------
    ValueError
        If `target` gives all classes the same logit.
    """
    index, maps = _checks.count("task", task, 0), _checks.real_array("target", target, 4)
    centred = maps - maps.mean(axis=2, keepdims=True)
    size = np.sum(_checks.bounded("target", centred) ** 2, axis=(2, 3), keepdims=True)
    if np.any(size == 0):
        raise ValueError("target must tell the classes apart; got a map that gives all the same logit.")
    unit = torch.from_numpy(centred / size)

    def along(students: Students) -> Tensor:
        composite = students.composite(index)
        if unit.shape not in (composite.shape, (composite.shape[0], 1, *composite.shape[2:])):
            raise ValueError(
                f"target must have the shape of the students' maps, {tuple(composite.shape)}, or one setting; got "
                f"{tuple(unit.shape)}."
            )
        return (composite * unit.to(composite)).sum((2, 3))

    return along


def softmax_covariance(maps: ArrayLike, inputs: ArrayLike) -> _checks.Array:
    r"""Mean product of the class probabilities that maps give to examples with the inputs, :math:`S(W)`.

    .. math:: S(W) = \frac1N \sum_\mu \mathrm{softmax}(W x^\mu)\,x^{\mu T}

    Source: Lee & Ndirango (2019), eq. 7; ``data.classification.label_covariance`` is the same of the labels.

    Parameters
    ----------
    maps : array_like, shape (seed, setting, k, d)
    inputs : array_like, shape (seed, d, N)
        Examples in columns, which all settings of a seed share.

    Returns
    -------
    ndarray, shape (seed, setting, k, d)
    """
    composites, examples = _checks.real_array("maps", maps, 4), _checks.real_array("inputs", inputs, 3)
    if (composites.shape[0], composites.shape[3]) != examples.shape[:2] or examples.shape[2] == 0:
        wanted = (composites.shape[0], composites.shape[3])
        raise ValueError(f"inputs must have shape ({wanted[0]}, {wanted[1]}, N) to go with maps; got {examples.shape}.")
    products = np.empty_like(composites)
    for seed, (own, x) in enumerate(zip(composites, examples, strict=True)):  # one seed at a time keeps the logits few
        probabilities = torch.softmax(to_tensor(own @ x), dim=1)
        products[seed] = to_numpy(probabilities) @ x.T / x.shape[1]
    return products


def balance(layer: int = 0) -> Observable:
    r"""Observable: what gradient flow conserves between a hidden layer and what reads it.

    .. math:: W_{l+1}^T W_{l+1} - W_l W_l^T

    Above the last hidden layer stand the heads, whose products :math:`B_j^T B_j` add up. With rectifiers the flow
    conserves the diagonal only.

    Source: Lee & Ndirango (2019), eq. 9, there for one task.

    Parameters
    ----------
    layer : int
        Which hidden layer, from 0.

    Returns
    -------
    callable
        Students to symmetric matrices (seed, setting, n_l, n_l).
    """
    index = _checks.count("layer", layer, 0)

    def difference(students: Students) -> Tensor:
        hidden = students.trunk[_checks.place("layer", index, len(students.trunk), "hidden layer")]
        last = index == len(students.trunk) - 1
        readers = students.heads if last else students.trunk[index + 1 : index + 2]
        return torch.stack([reader.mT @ reader for reader in readers]).sum(0) - hidden @ hidden.mT

    return difference


def refuse_infinite(finite: Tensor, what: str) -> None:
    """An error that names the first student, (seed, setting), of which `finite` is false."""
    if not bool(finite.all()):
        seed, setting = (int(i) for i in torch.nonzero(~finite)[0])
        raise FloatingPointError(
            f"the {what} are not finite at (seed, setting) = ({seed}, {setting}), counted from 0, and for "
            f"{int((~finite).sum())} of {finite.numel()} students in all: take a smaller lr."
        )


def _over_examples(examples: Any, task: int, measure: Callable[[Tensor, Tensor], Tensor]) -> Observable:
    """`measure` of logits, which it may change, and labels, for a few students at a time: logits take room."""
    index = _checks.count("task", task, 0)
    ready: dict[tuple[torch.dtype, torch.device], tuple[Tensor, Tensor]] = {}

    def observable(students: Students) -> Tensor:
        head = students.head(index)
        key = (head.dtype, head.device)
        if key not in ready:
            ready[key] = labelled_tensors("examples", examples, head, head.shape[-2])
        inputs, labels = ready[key]
        n_features = (students.trunk or students.heads)[0].shape[-1]
        if inputs.shape[:2] != (students.shape[0], n_features) or labels.shape[1] not in (1, students.shape[1]):
            raise ValueError(
                f"examples must have inputs ({students.shape[0]}, {n_features}, N) and labels ({students.shape[0]}, "
                f"{students.shape[1]} or 1, N) to go with the students; got {tuple(inputs.shape)} and "
                f"{tuple(labels.shape)}."
            )
        found, shared = head.new_empty(students.shape), labels.expand(-1, students.shape[1], -1)
        for seeds, settings in groups(students, inputs.shape[-1]):
            few = students.with_layers([layer[seeds, settings] for layer in students.layers])
            found[seeds, settings] = measure(few.logits(inputs[seeds], index), shared[seeds, settings])
        refuse_infinite(found.isfinite(), "losses")
        return found

    return observable
