"""Coordinates of the inputs in which a linear network's equations of motion are cheapest, and the way back."""

from dataclasses import dataclass

import torch
from torch import Tensor

from mtlbook_lib.simulation.engine import Networks, finest


@dataclass(frozen=True)
class InputAxes:
    r"""Principal axes of the inputs, without the directions that no example has.

    An orthogonal change of input coordinates turns the first layer and the data alike, and leaves the equations of all
    layers as they are: the network cannot know in which coordinates its inputs are written. In these the covariance
    is diagonal. Where it is zero the first layer has no gradient, :math:`(\Sigma_{31} - W \Sigma_{11}) = 0` on such
    directions, so that part of it is put aside, as it will never change.
    """

    variances: Tensor | None  # diagonal of the covariance, (network, 1, axis); None for the identity
    basis: Tensor | None = None  # (network, n_in, axis); None for the given coordinates
    rest: Tensor | None = None  # what the first layer does outside the axes, (network, n_1, n_in)

    def inward(self, rows: Tensor) -> Tensor:
        """Matrices that act on inputs, (network, m, n_in), in these coordinates."""
        return rows if self.basis is None else rows @ self.basis

    def outward(self, first: Tensor) -> Tensor:
        """The first layer, (network, n_1, axis), in the given coordinates, with the part that was put aside."""
        if self.basis is None or self.rest is None:
            return first
        return torch.baddbmm(self.rest, first, self.basis.mT)


def input_axes(nets: Networks, target: Tensor, covariance: Tensor | None) -> InputAxes:
    """The axes for input-output covariances (network, n_out, n_in) and input covariances, of each network or of all."""
    if covariance is None:
        return InputAxes(None)
    matrices = covariance.expand(len(target), -1, -1)
    scale = matrices.diagonal(dim1=1, dim2=2).mean(dim=1)[:, None, None]
    unit = torch.eye(nets.sizes[0][1], dtype=matrices.dtype, device=matrices.device)
    rounding = 32 * torch.finfo(nets.dtype).eps
    if bool(((matrices - scale * unit).abs() <= rounding * scale.abs()).all()):
        identity = bool(((scale - 1).abs() <= rounding).all())
        return InputAxes(None if identity else scale * torch.ones_like(unit[:1]))
    variances, basis = _principal(nets, matrices, target)
    first = nets.layers[0]
    return InputAxes(variances[:, None].contiguous(), basis, first - first @ basis @ basis.mT)


def _principal(nets: Networks, matrices: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    """Variances (network, axis) and axes (network, n_in, axis) that the examples span, largest first."""
    variances, basis = _decomposed(nets, matrices)
    sizes, order = variances.abs().sort(dim=1, descending=True)
    variances, basis = variances.gather(1, order), basis.gather(2, order[:, None].expand_as(basis))
    negligible = variances.shape[1] * torch.finfo(nets.dtype).eps
    rank = int((sizes > negligible * sizes[:, :1]).sum(dim=1).amax())
    spanned = basis[..., :rank].to(target.dtype)
    outside = torch.linalg.matrix_norm(target - target @ spanned @ spanned.mT)
    if bool((outside > negligible * torch.linalg.matrix_norm(target)).any()):
        spanned, rank = basis.to(target.dtype), variances.shape[1]  # outputs that these inputs cannot have caused
    return variances[:, :rank].to(target.dtype), spanned


def _decomposed(nets: Networks, matrices: Tensor) -> tuple[Tensor, Tensor]:
    """Eigenvalues and vectors in the finest precision; once for all settings of a seed if they share their inputs."""
    settings = nets.unfold(matrices).to(finest(nets.device))
    shared = bool((settings == settings[:, :1]).all())
    values, vectors = torch.linalg.eigh(settings[:, :1] if shared else settings)
    n = values.shape[-1]
    return values.expand(*nets.shape, n).flatten(0, 1), vectors.expand(*nets.shape, n, n).flatten(0, 1)
