"""The weights of a batch of diagonal networks, what is done to them between two tasks, and what training hands back."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mtlbook_lib._checks import Array, bounded, broadcast, count, place, positive, short
from mtlbook_lib._fields import Checked


@dataclass(frozen=True)
class Weights(Checked, gaps=True):
    """Weights of networks with first axes (seed, setting), in units of the square root of a coefficient.

    Attributes
    ----------
    u_plus, u_minus : ndarray, shape (seed, setting, D)
        First layer of the two pathways, shared by all tasks.
    v_plus, v_minus : ndarray, shape (seed, setting, task, D)
        Readouts.
    """

    _axes = (
        "u_plus: seed setting D",
        "u_minus: seed setting D",
        "v_plus: seed setting task D",
        "v_minus: seed setting task D",
    )

    u_plus: Array
    u_minus: Array
    v_plus: Array
    v_minus: Array

    @property
    def beta(self) -> Array:
        """Coefficients that the networks compute, (seed, setting, task, D)."""
        return self.u_plus[..., None, :] * self.v_plus - self.u_minus[..., None, :] * self.v_minus

    def coefficients(self, task: int = 0) -> Array:
        """Coefficients of one task, (seed, D), of networks with one setting; 0 is the first task."""
        n_settings, n_tasks = self.v_plus.shape[1:3]
        if n_settings != 1:
            raise ValueError(f"coefficients are those of one setting; take beta for {n_settings} of them.")
        return np.asarray(self.beta[:, 0, place("task", task, n_tasks, "task")])

    def predictions(self, inputs: ArrayLike, task: int = 0) -> Array:
        """Outputs of one task, (seed, n), of networks with one setting on inputs (seed, n, D) or (n, D)."""
        beta, rows = self.coefficients(task), bounded("inputs", inputs)
        if rows.ndim not in (2, 3) or rows.shape[-1] != beta.shape[1] or rows.shape[:-2] not in ((), (len(beta),)):
            raise ValueError(f"inputs must have shape ({len(beta)}, n, {beta.shape[1]}) or (n, {beta.shape[1]}), a row "
                             f"an example; got {rows.shape}.")  # fmt: skip
        return np.asarray((rows @ beta[..., None])[..., 0])

    @property
    def pathways(self) -> tuple[Array, Array, Array, Array]:
        """First layer and readout of the plus pathway, then of the minus one; (seed, D) each, where these are all.

        Networks of one task and one setting have no other axes, and what a theory says of them takes its layers so.
        """
        if self.v_plus.shape[1:3] != (1, 1):
            raise ValueError(
                "pathways are those of networks with one setting and one task; take u_plus, v_plus, u_minus and "
                f"v_minus of these, which have {self.v_plus.shape[1]} and {self.v_plus.shape[2]}."
            )
        return self.u_plus[:, 0], self.v_plus[:, 0, 0], self.u_minus[:, 0], self.v_minus[:, 0, 0]

    @property
    def squared_norm(self) -> Array:
        """Sum of the squares of all weights, (seed, setting)."""
        first = self.u_plus**2 + self.u_minus**2
        return np.asarray(first.sum(axis=-1) + (self.v_plus**2 + self.v_minus**2).sum(axis=(-2, -1)))

    def with_readout(self, gamma: ArrayLike) -> Weights:
        """The same first layer, the readouts of one task at `gamma`: a number, or over (seed, setting, 1, D)."""
        shape = (*self.u_plus.shape[:2], 1, self.u_plus.shape[-1])
        reset = _filled("gamma", gamma, shape)
        return replace(self, v_plus=reset, v_minus=reset.copy())

    def rescaled(self, factor: ArrayLike) -> Weights:
        """The first layer multiplied by `factor` > 0: a number, or an array over (seed, setting, D)."""
        scale = _filled("factor", bounded("factor", factor, positive), self.u_plus.shape)
        return replace(self, u_plus=self.u_plus * scale, u_minus=self.u_minus * scale)

    def symmetrised(self, first: ArrayLike) -> Weights:
        """Both pathways with one first layer, an array over (seed, setting, D), and the readouts as they are."""
        layer = _filled("first", first, self.u_plus.shape)
        return replace(self, u_plus=layer, u_minus=layer.copy())


@dataclass(frozen=True)
class Fits(Checked, gaps=True):
    """Trained networks, and whether they got where they were to go; first axes (seed, setting).

    Attributes
    ----------
    weights : Weights
    loss : ndarray, shape (seed, setting)
        Last loss: the sum over tasks of mean squared errors.
    converged : ndarray of bool, shape (seed, setting)
        Whether the loss is at or below the tolerance.
    steps : ndarray of int, shape (seed, setting)
    time : ndarray, shape (seed, setting)
        Time of gradient flow, at unit rate.
    """

    weights: Weights
    loss: Array
    converged: NDArray[np.bool_]
    steps: NDArray[np.int64]
    time: Array

    @property
    def beta(self) -> Array:
        """Coefficients of the trained networks, (seed, setting, task, D)."""
        return self.weights.beta

    def coefficients(self, task: int = 0) -> Array:
        """Coefficients of one task, (seed, D), of trained networks with one setting; 0 is the first task."""
        return self.weights.coefficients(task)

    def finished(self) -> Fits:
        """The same fits; RuntimeError unless every run got to its tolerance."""
        if not self.converged.all():
            raise RuntimeError(f"training stopped at loss {self.loss.max():.2g}, above its tolerance.")
        return self


def equal_pathways(first: ArrayLike, readout: ArrayLike, shape: tuple[int, int, int], n_tasks: int = 1) -> Weights:
    r"""Networks whose two pathways have the same weights, so that they compute :math:`\beta = 0`.

    Parameters
    ----------
    first, readout : array_like, broadcast to (seed, setting, D) and (seed, setting, task, D)
        Weights of the first layer and of the readouts.
    shape : tuple of int
        (seed, setting, D).
    n_tasks : int
    """
    if not isinstance(shape, tuple) or len(shape) != 3:
        raise ValueError(f"shape must be a tuple (seed, setting, D); got {short(shape)}.")
    sizes = tuple(count("shape", size) for size in shape)
    u = _filled("first", first, sizes)
    v = _filled("readout", readout, (*sizes[:2], count("n_tasks", n_tasks), sizes[2]))
    return Weights(u, u.copy(), v, v.copy())


def start_from(u_plus: ArrayLike, u_minus: ArrayLike, v_plus: ArrayLike, v_minus: ArrayLike) -> Weights:
    """Networks with given weights.

    Parameters
    ----------
    u_plus, u_minus : array_like, shape (seed, setting, D)
    v_plus, v_minus : array_like, shape (seed, setting, task, D)
    """
    plus, minus = broadcast(u_plus=bounded("u_plus", u_plus), u_minus=bounded("u_minus", u_minus))
    out, back = broadcast(v_plus=bounded("v_plus", v_plus), v_minus=bounded("v_minus", v_minus))
    fits = plus.ndim == 3 and out.ndim == 4 and plus.size and out.size
    if not fits or (*out.shape[:2], out.shape[3]) != plus.shape:
        raise ValueError(
            "u_plus must have shape (seed, setting, D) and v_plus (seed, setting, task, D), none of them 0; "
            f"got {plus.shape} and {out.shape}."
        )
    return Weights(*(np.array(part) for part in (plus, minus, out, back)))


def _filled(name: str, value: ArrayLike, shape: tuple[int, ...]) -> Array:
    """`value` as an array of the given shape."""
    array = bounded(name, value)
    try:
        return np.array(np.broadcast_to(array, shape))
    except ValueError:
        raise ValueError(f"{name} must broadcast to shape {shape}; got shape {array.shape}.") from None
