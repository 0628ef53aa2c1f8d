"""Learning curves of two-layer linear students as one would write them without this library."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from scipy.integrate import solve_ivp

Layers = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Task:
    """Networks with their data: layers (run, n_l, n_{l-1}), maps (run, n_out, n_in), and when to look at them."""

    layers: Layers
    training: np.ndarray
    clean: np.ndarray
    times: np.ndarray

    def errors(self, maps: np.ndarray) -> np.ndarray:
        """Relative test error of maps (..., run, n_out, n_in)."""
        return np.sum((maps - self.clean) ** 2, axis=(-2, -1)) / np.sum(self.clean**2, axis=(-2, -1))

    def alone(self, run: int) -> Task:
        first, second = (layer[run] for layer in self.layers)
        return Task((first, second), self.training[run], self.clean[run], self.times)


def one_at_a_time(task: Task, route: object, *settings: object) -> np.ndarray:
    """Curves (run, time) of a route for one network."""
    return np.array([route(task.alone(run), *settings) for run in range(len(task.training))])


def by_solve_ivp(task: Task, method: str, rtol: float) -> np.ndarray:
    """SciPy's integrators, for one network; two layers in one vector, written without a copy."""
    shapes = [layer.shape for layer in task.layers]
    cut = task.layers[0].size

    def split(state: np.ndarray) -> list[np.ndarray]:
        return [part.reshape(shape) for part, shape in zip((state[:cut], state[cut:]), shapes, strict=True)]

    def slope(_: float, state: np.ndarray) -> np.ndarray:
        (first, second), out = split(state), np.empty_like(state)
        up, down = split(out)
        misfit = task.training - second @ first
        np.matmul(second.T, misfit, out=up)
        np.matmul(misfit, first.T, out=down)
        return out

    start = np.concatenate([layer.ravel() for layer in task.layers])
    span = (0.0, task.times[-1])
    found = solve_ivp(slope, span, start, method, t_eval=task.times, rtol=rtol, atol=rtol / 100)
    return task.errors(np.array([np.matmul(*split(state)[::-1]) for state in found.y.T]))


def by_descent(task: Task, rate: float) -> np.ndarray:
    """Gradient descent in NumPy, for one network or for a batch of them: curves (time,) or (run, time)."""
    first, second = (layer.copy() for layer in task.layers)
    curves = [task.errors(second @ first)]
    for span in np.diff(task.times):
        for _ in range(round(span / rate)):
            misfit = task.training - second @ first
            step = rate * (np.swapaxes(second, -1, -2) @ misfit)
            second += rate * (misfit @ np.swapaxes(first, -1, -2))
            first += step
        curves.append(task.errors(second @ first))
    return np.stack(curves, axis=-1)


def by_runge_kutta(task: Task, step: float) -> np.ndarray:
    """The classical method in NumPy with a fixed step, for a batch of networks."""

    def slope(first: np.ndarray, second: np.ndarray) -> Layers:
        misfit = task.training - second @ first
        return second.swapaxes(-1, -2) @ misfit, misfit @ first.swapaxes(-1, -2)

    state = [layer.copy() for layer in task.layers]
    curves = [task.errors(state[1] @ state[0])]
    for span in np.diff(task.times):
        for _ in range(round(span / step)):
            slopes = [slope(*state)]
            for share in (0.5, 0.5, 1.0):
                slopes.append(slope(*(w + share * step * k for w, k in zip(state, slopes[-1], strict=True))))
            for layer, (a, b, c, d) in zip(state, zip(*slopes, strict=True), strict=True):
                layer += step / 6 * (a + 2 * (b + c) + d)
        curves.append(task.errors(state[1] @ state[0]))
    return np.stack(curves, axis=-1)


def by_autograd(task: Task, rate: float) -> np.ndarray:
    """Autograd and a stock optimiser, as one would write it for a single network."""
    first, second = (torch.from_numpy(layer).clone().requires_grad_() for layer in task.layers)
    training = torch.from_numpy(task.training)
    optimiser = torch.optim.SGD([first, second], lr=rate)
    curve = [float(task.errors((second @ first).detach().numpy()))]
    for span in np.diff(task.times):
        for _ in range(round(span / rate)):
            optimiser.zero_grad()
            loss = 0.5 * (training - second @ first).square().sum()
            loss.backward()
            optimiser.step()
        curve.append(float(task.errors((second @ first).detach().numpy())))
    return np.array(curve)
