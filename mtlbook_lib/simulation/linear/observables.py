r"""Observables of a linear student: functions of the composite maps that the integrators call at each sample time.

Every function here builds an observable, a callable that takes the maps (seed, setting, n_out, n_in) and returns a
tensor (seed, setting, ...) in their precision. Tensors or arrays that it needs may have leading axes of length 1.
"""

from collections.abc import Callable
from typing import Any, cast

import torch
from numpy.typing import ArrayLike
from torch import Tensor

from mtlbook_lib import _checks
from mtlbook_lib.simulation.engine import tensor_of

Observable = Callable[[Tensor], Tensor]

_DOUBLE = torch.float64  # arrays keep their digits until they meet the maps, whose precision decides


def relative_train_error(training: Any, covariance: Any = None, target_power: ArrayLike | None = None) -> Observable:
    r"""Training error relative to that of the zero map.

    .. math::
        \varepsilon_{train} = \frac{\sum_\mu |y^\mu - W x^\mu|^2}{\sum_\mu |y^\mu|^2}
        = \frac{\mathrm{tr}\,\Sigma_{33} - 2\,\mathrm{tr}\,W^T\Sigma_{31} + \mathrm{tr}\,W\Sigma_{11}W^T}
               {\mathrm{tr}\,\Sigma_{33}}

    Source: Lampinen & Ganguli (2019), eq. 5.

    Parameters
    ----------
    training : Tensor or array, shape (seed, setting, n_out, n_in)
        Input-output covariance :math:`\Sigma_{31}`.
    covariance : Tensor or array, shape (n_in, n_in) or (seed, setting, n_in, n_in), optional
        Input covariance :math:`\Sigma_{11}`; identity by default.
    target_power : array_like, scalar or shape (seed, setting), optional
        :math:`\mathrm{tr}\,\Sigma_{33} = \sum_\mu |y^\mu|^2`; by default that of a complete orthonormal set of inputs,
        :math:`\|\Sigma_{31}\|_F^2`.

    Returns
    -------
    callable
        Maps to errors of shape (seed, setting).

    Raises
    ------
    ValueError
        If `covariance` is given without `target_power`.
    """
    target = tensor_of("training", training, 4, _DOUBLE)
    if covariance is not None and target_power is None:
        raise ValueError("target_power must be given with covariance: the outputs' power does not follow from it.")
    spread = None if covariance is None else tensor_of("covariance", covariance, None, _DOUBLE)
    power = _inner(target, target) if target_power is None else _power(target_power)

    def observable(maps: Tensor) -> Tensor:
        _fits(maps, training=target, covariance=spread)
        if power.ndim and not _broadcast(power, maps):
            raise ValueError(f"target_power must have the shape {tuple(maps.shape[:2])}; got {tuple(power.shape)}.")
        if spread is None:
            wanted, all_of_it = _beside(maps, target), _beside(maps, power)
            return (_inner(wanted - maps, wanted - maps) + all_of_it - _inner(wanted, wanted)) / all_of_it
        quadratic = _inner(maps, maps @ _beside(maps, spread) - 2 * _beside(maps, target))
        return 1 + quadratic / _beside(maps, power)

    return observable


def relative_test_error(clean: Any, covariance: Any = None, rows: slice = slice(None)) -> Observable:
    r"""Error on fresh inputs and noise-free outputs, relative to that of the zero map.

    .. math:: \varepsilon_{test} = \frac{\mathrm{tr}\,(W - \bar W) C (W - \bar W)^T}{\mathrm{tr}\,\bar W C \bar W^T}

    Source: Lampinen & Ganguli (2019), eq. 5.

    Parameters
    ----------
    clean : Tensor or array, shape (seed, setting, n_rows, n_in)
        Teachers' maps :math:`\bar W`, for the chosen rows.
    covariance : Tensor or array, shape (n_in, n_in) or (seed, setting, n_in, n_in), optional
        Covariance :math:`C` of the test inputs; identity by default.
    rows : slice
        Outputs that count; those of one head, for a student of several tasks.

    Returns
    -------
    callable
        Maps to errors of shape (seed, setting).

    Raises
    ------
    ValueError
        If a teacher is zero.
    """
    teacher = tensor_of("clean", clean, 4, _DOUBLE)
    spread = None if covariance is None else tensor_of("covariance", covariance, None, _DOUBLE)
    _fits(teacher, covariance=spread)
    power = _energy(teacher, spread)
    if not bool((power > 0).all()):
        raise ValueError("clean must not be zero: the error is relative to the teacher's power.")
    _checks.instance("rows", rows, slice)

    def observable(maps: Tensor) -> Tensor:
        _fits(maps[:, :, rows], clean=teacher)
        return _energy(maps[:, :, rows] - _beside(maps, teacher), spread) / _beside(maps, power)

    return observable


def mode_strengths(training: Any, n_modes: int | None = None) -> Observable:
    r"""Strength :math:`\hat u_k^T W \hat v_k` of the data's modes in the map.

    Parameters
    ----------
    training : Tensor or array, shape (seed, setting, n_out, n_in)
        Input-output covariance :math:`\Sigma_{31} = \sum_k \hat s_k \hat u_k \hat v_k^T`; the teachers' maps, for the
        strengths of their modes.
    n_modes : int, optional
        How many of its strongest modes; all by default.

    Returns
    -------
    callable
        Maps to strengths of shape (seed, setting, n_modes), those of the strongest mode of the data first.
    """
    data, left, right = _modes(training, n_modes)

    def observable(maps: Tensor) -> Tensor:
        _fits(maps, training=data)
        return torch.einsum("...ik,...ik->...k", _beside(maps, left), maps @ _beside(maps, right))

    return observable


def mode_alignments(training: Any, n_modes: int | None = None) -> Observable:
    r"""Best match that the data's modes find among the singular vectors of the map.

    .. math:: a_k = \max_j |U_j \cdot \hat u_k|\,|V_j \cdot \hat v_k|

    Source: Lampinen & Ganguli (2019), App. B, Fig. 9.

    Parameters
    ----------
    training, n_modes
        As for ``mode_strengths``.

    Returns
    -------
    callable
        Maps to alignments in [0, 1], shape (seed, setting, n_modes).
    """
    data, left, right = _modes(training, n_modes)

    def observable(maps: Tensor) -> Tensor:
        _fits(maps, training=data)
        outputs, _, inputs = torch.linalg.svd(maps, full_matrices=False)
        match: Tensor = (outputs.mT @ _beside(maps, left)) * (inputs @ _beside(maps, right))
        return match.abs().amax(dim=2)

    return observable


def singular_values(n_modes: int | None = None) -> Observable:
    """Singular values of the map, in descending order; the `n_modes` largest, or all of them."""
    kept = None if n_modes is None else _checks.count("n_modes", n_modes)
    return lambda maps: torch.linalg.svdvals(maps)[..., :kept]


def unseen_energy(inputs: Any) -> Observable:
    r"""Energy of the map on input directions that no training example touches, :math:`\|W P_\perp\|_F^2`.

    Parameters
    ----------
    inputs : Tensor or array, shape (seed, setting, n_in, n_examples)
        Training inputs in columns; :math:`P_\perp` projects on the complement of their span.

    Returns
    -------
    callable
        Maps to energies of shape (seed, setting).
    """
    examples = tensor_of("inputs", inputs, 4, _DOUBLE)
    basis, sizes, _ = torch.linalg.svd(examples, full_matrices=False)
    threshold = sizes[..., :1] * max(examples.shape[2:]) * torch.finfo(examples.dtype).eps
    span = torch.where((sizes > threshold)[..., None, :], basis, 0.0)

    def observable(maps: Tensor) -> Tensor:
        if maps.shape[3] != span.shape[2] or not _broadcast(maps, span):
            raise ValueError(f"inputs must have {maps.shape[3]} rows, as the maps have columns; got {span.shape[2]}.")
        rest = maps - (maps @ _beside(maps, span)) @ _beside(maps, span).mT
        return _inner(rest, rest)

    return observable


def composite_map() -> Observable:
    """The map itself; keeps n_out x n_in numbers per run and sample time."""
    return torch.clone


def _energy(maps: Tensor, covariance: Tensor | None) -> Tensor:
    return _inner(maps if covariance is None else maps @ _beside(maps, covariance), maps)


def _inner(one: Tensor, other: Tensor) -> Tensor:
    """Inner product of matrices, (seed, setting)."""
    return cast(Tensor, torch.linalg.vecdot(one.flatten(2), other.flatten(2)))


def _power(value: Any) -> Tensor:
    power = value if isinstance(value, Tensor) else _checks.in_scale("target_power", value)
    tensor = tensor_of("target_power", power, None, _DOUBLE)
    if not bool((tensor > 0).all()) or tensor.ndim > 2 or not tensor.numel():
        raise ValueError("target_power must be greater than 0, of shape () or (seed, setting).")
    return tensor


def _fits(maps: Tensor, covariance: Tensor | None = None, **like: Tensor) -> None:
    """Raise unless the tensors have the maps' shape, and a covariance goes with their inputs."""
    for name, tensor in like.items():
        if tensor.shape[2:] != maps.shape[2:] or not _broadcast(tensor, maps):
            raise ValueError(f"{name} must have the shape of the maps, {tuple(maps.shape)}; got {tuple(tensor.shape)}.")
    n_inputs = maps.shape[3]
    if covariance is None:
        return
    if covariance.shape[-2:] != (n_inputs, n_inputs) or (covariance.ndim == 4 and not _broadcast(covariance, maps)):
        raise ValueError(f"covariance must be {n_inputs} by {n_inputs}, as the inputs; got {tuple(covariance.shape)}.")


def _broadcast(one: Tensor, other: Tensor) -> bool:
    """Whether seeds and settings go together."""
    return all(a == b or 1 in (a, b) for a, b in zip(one.shape[1::-1], other.shape[1::-1], strict=False))


def _modes(training: Any, n_modes: int | None) -> tuple[Tensor, Tensor, Tensor]:
    """The data, and the left and right singular vectors of its strongest modes in columns."""
    data = tensor_of("training", training, 4, _DOUBLE)
    most = min(data.shape[2:])
    kept = most if n_modes is None else _checks.count("n_modes", n_modes)
    if kept > most:
        raise ValueError(f"n_modes must be at most {most}, the number of modes of training; got {kept}.")
    left, _, right = torch.linalg.svd(data, full_matrices=False)
    return data, left[..., :kept], right.mT[..., :kept]


def _beside(maps: Tensor, tensor: Tensor) -> Tensor:
    """`tensor` on the device and in the precision of the maps."""
    return tensor.to(device=maps.device, dtype=maps.dtype)
