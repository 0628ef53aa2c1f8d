r"""The 2x2 reduction of a wide random student: one mode of the training map, seen through every layer.

An isolated mode (u, v, s_hat) only involves, in every hidden layer of a wide random student, the forward image of v and
the backward image of u. They start orthogonal and span a plane that the flow maps into itself. Each layer thus acts as
a 2x2 matrix that starts at :math:`\varepsilon^{1/D} I`; the first and the last have a third direction for the part of v
and u that a narrower hidden layer does not see. Here s_hat is 1, and `scales` are the composite maps' starts.
All cases are integrated at once; the last axis of every array numbers them.
"""

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import Array
from mtlbook_lib.theory._many_flows import Index, Steps, integrate
from mtlbook_lib.theory._modes import deep_strength

_RTOL = 1e-12  # of the reduced flow: half-times converge to about 1e-12 relative
_LEARNED = 1.0 - 1e-10  # share of s_hat from which a trajectory is taken as complete
_BLOCK = 1024  # states handled at once
_NEWTON_STEPS = 5  # from the end of a step, over which the strength is almost straight: 3 reach rounding


def reduced_half_times(scales: Array, depth: int, ratio_in: Array, ratio_out: Array, overlap: Array) -> Array:
    """Times at which the strength of the mode first reaches one half."""
    flow = _ReducedFlow(scales, depth, ratio_in, ratio_out, overlap)
    last = flow.reaching(flow.steps(0.5), 0.5)
    sizes = last.sizes
    for _ in range(_NEWTON_STEPS):
        state, slope = last.repeat(flow.slopes, sizes)
        sizes = sizes + (0.5 - flow.strength(state, last.systems)) / flow.growth(state, slope, last.systems)
    out = np.empty(scales.size)
    out[last.systems] = last.times + sizes
    return out


def reduced_trajectories(
    times: Array, scales: Array, depth: int, ratio_in: Array, ratio_out: Array
) -> tuple[Array, Array]:
    """Strength of the mode, and norm of all that the student holds outside it, at sorted `times` (n_times, cases).

    Once the mode is learned the flow is stiff but simple: the rest decays like a mode without signal.
    """
    flow = _ReducedFlow(scales, depth, ratio_in, ratio_out, np.zeros_like(scales))
    taken = flow.steps(_LEARNED, times[-1])
    last = flow.reaching(taken, _LEARNED)
    learned = np.full(scales.size, np.inf)
    learned[last.systems] = last.times + last.sizes
    strength, rest = flow.sample(taken, np.minimum(times, learned))
    late = times > learned
    after = (times - learned)[late]
    rest[late] = deep_strength(after, np.zeros(after.size), rest[late], depth)
    return strength, rest


class _ReducedFlow:
    """The layers' own equations for several starts."""

    def __init__(self, scales: Array, depth: int, ratio_in: Array, ratio_out: Array, overlap: Array) -> None:
        none = np.zeros_like(ratio_in)
        self.depth, self.factor = depth, scales ** (1.0 / depth)
        along = overlap**2 / ratio_in
        across = np.sqrt(np.maximum(ratio_out - along, 0.0))
        self.u = np.array([np.copysign(np.sqrt(along), overlap), across, np.sqrt(1.0 - ratio_out)])
        self.v = np.array([np.sqrt(ratio_in), none, np.sqrt(1.0 - ratio_in)])
        self.target = self.u[:, None] * self.v

    def steps(self, level: float, end: Array | None = None) -> Steps:
        """Steps of each case until its strength has reached `level`, or its time `end`."""

        def done(taken: Steps) -> NDArray[np.bool_]:
            late = False if end is None else taken.times + taken.sizes >= end[taken.systems]
            return (self.strength(taken.after, taken.systems) >= level) | late

        identities = [np.eye(2, 3), *[np.eye(2)] * (self.depth - 2), np.eye(3, 2)]
        start = np.concatenate([eye.ravel() for eye in identities])[:, None] * self.factor
        return Steps.join(list(integrate(self.slopes, start, done, _RTOL, 0.01 * _RTOL * self.factor)))

    def reaching(self, taken: Steps, level: float) -> Steps:
        """The step of each case that ends at `level` or above, where there is one: its last."""
        return taken.select(self.strength(taken.after, taken.systems) >= level)

    def sample(self, taken: Steps, times: Array) -> tuple[Array, Array]:
        """Strength and the norm of the rest at `times` (n_times, cases), by shorter versions of the steps taken."""
        inside = np.empty(times.shape, dtype=np.intp)
        for case in range(times.shape[1]):
            own = np.flatnonzero(taken.systems == case)
            inside[:, case] = own[np.searchsorted(taken.times[own], times[:, case], side="right") - 1]
        strength, rest = np.empty(times.size), np.empty(times.size)
        for first in range(0, times.size, _BLOCK):
            block = slice(first, first + _BLOCK)
            steps = taken.select(inside.ravel()[block])
            state, _ = steps.repeat(self.slopes, times.ravel()[block] - steps.times)
            strength[block], rest[block] = self.observe(state, steps.systems)
        return strength.reshape(times.shape), rest.reshape(times.shape)

    def slopes(self, state: Array, cases: Index) -> Array:
        """Right-hand side of the reduced flow, by one pass forward and one backward through the layers."""
        layers = self.layers(state)
        before = [layers[0]]
        for layer in layers[1:]:
            before.append(_product(layer, before[-1]))
        out = np.empty_like(state)
        slopes, backward = self.layers(out), self.target[..., cases] - before[-1]
        for index in range(self.depth - 1, 0, -1):
            slopes[index][...] = _product(backward, before[index - 1].swapaxes(0, 1))
            backward = _product(layers[index].swapaxes(0, 1), backward)
        slopes[0][...] = backward
        return out

    def layers(self, state: Array) -> list[Array]:
        """Views of the layers in a state, (rows, columns, cases)."""
        cases = state.shape[1]
        middle = state[6:-6].reshape(self.depth - 2, 2, 2, cases)
        return [state[:6].reshape(2, 3, cases), *middle, state[-6:].reshape(3, 2, cases)]

    def strength(self, state: Array, cases: Index) -> Array:
        return self.entry(_chain(self.layers(state)), cases)

    def entry(self, maps: Array, cases: Index) -> Array:
        """The component of maps in the mode."""
        return np.asarray(np.sum(self.target[..., cases] * maps, axis=(0, 1)))

    def growth(self, state: Array, slope: Array, cases: Index) -> Array:
        """Rate at which the strength grows, by the product rule."""
        layers, slopes = self.layers(state), self.layers(slope)
        maps, rates = layers[0], slopes[0]
        for layer, change in zip(layers[1:], slopes[1:], strict=True):
            maps, rates = _product(layer, maps), _product(change, maps) + _product(layer, rates)
        return self.entry(rates, cases)

    def observe(self, state: Array, cases: Index) -> tuple[Array, Array]:
        """Strength, and the norm of the map without it."""
        maps = _chain(self.layers(state))
        strength = self.entry(maps, cases)
        return strength, np.sqrt(np.sum((maps - strength * self.target[..., cases]) ** 2, axis=(0, 1)))


def _chain(layers: list[Array]) -> Array:
    maps = layers[0]
    for layer in layers[1:]:
        maps = _product(layer, maps)
    return maps


def _product(left: Array, right: Array) -> Array:
    """Matrix products, one for each entry of the last axis."""
    out: Array = np.einsum("ijn,jkn->ikn", left, right)
    return out
