"""How the rapidities of a diagonal network with several tasks move, and the derivative of their motion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array

_FLAT = 1e-4  # size at or below which the first terms of a series are exact
_LARGEST_EXPONENT = 100.0  # what only a trial step beyond all data reaches


@dataclass(frozen=True)
class Rapidities:
    """Rapidities q (n_tasks, D) as sizes (D,) and directions, with the coefficients and their growth by size."""

    size: Array
    direction: Array
    betas: Array
    growth: Array

    @classmethod
    def of(cls, q: Array, log_alpha: float) -> Rapidities:
        """beta = alpha² sinh(2 |q|) q/|q|, without overflow; its growth is 2 alpha² cosh(2 |q|)."""
        size = np.sqrt(np.add.reduce(q * q, axis=0))
        direction = q / (size + (size == 0.0))
        scale = np.exp(np.minimum(2.0 * (size + log_alpha), _LARGEST_EXPONENT))
        fall = np.expm1(-4.0 * size)
        return cls(size, direction, -0.5 * scale * fall * direction, scale * (2.0 + fall))

    def spread(self) -> Array:
        """Derivative of the coefficients by the rapidities of the same feature, (n_tasks, n_tasks, D)."""
        n, small = self.direction, self.size < 1e-150
        along = n[:, None] * n[None]
        length = (self.betas * n).sum(axis=0)
        across = np.where(small, self.growth, length / np.where(small, 1.0, self.size))
        return np.asarray(self.growth * along + across * (np.eye(len(n))[..., None] - along))


@dataclass(frozen=True)
class Motion:
    """The rapidities' velocity x coth x (g - (g.n) n) + (g.n) n under pulls g (n_tasks, D)."""

    at: Rapidities
    pull: Array

    @property
    def _stretch(self) -> Array:
        """x coth x."""
        x = np.maximum(self.at.size, _FLAT)
        out = x / np.tanh(x)
        return np.where(self.at.size > _FLAT, out, 1.0 + self.at.size**2 / 3.0)

    @property
    def _steeper(self) -> Array:
        """The slope of x coth x."""
        x = np.maximum(self.at.size, _FLAT)
        coth = 1.0 / np.tanh(x)
        return np.where(self.at.size > _FLAT, coth - x * (coth**2 - 1.0), 2.0 * self.at.size / 3.0)

    @property
    def _along(self) -> Array:
        return np.asarray(np.add.reduce(self.pull * self.at.direction, axis=0))

    @property
    def slope(self) -> Array:
        """The velocity, (n_tasks, D)."""
        forward = self._along * self.at.direction
        return np.asarray(self._stretch * (self.pull - forward) + forward)

    def jacobian(self, curvatures: Array) -> Array:
        """Its derivative by all rapidities, (n_tasks, D, n_tasks, D), for `curvatures` of the loss (n_tasks, D, D)."""
        n, forward = self.at.direction, self._along
        stretch, steeper = self._stretch, self._steeper
        across, one, along = self.pull - forward * n, np.eye(len(n))[..., None], n[:, None] * n[None]
        bend = np.where(self.at.size > 0, (1.0 - stretch) / np.where(self.at.size > 0, self.at.size, 1.0), 0.0)
        own = steeper * across[:, None] * n[None]
        own = own + bend * (n[:, None] * across[None] + forward * (one - along))
        turned = stretch * one + (1.0 - stretch) * along
        out = np.zeros((*n.shape, *n.shape))
        for across_tasks, curvature, spread in zip(turned.swapaxes(0, 1), curvatures, self.at.spread(), strict=True):
            out -= across_tasks[:, :, None, None] * (curvature[:, None] * spread)
        features = np.arange(n.shape[1])
        out[:, features, :, features] += own.transpose(2, 0, 1)
        return np.asarray(out)
