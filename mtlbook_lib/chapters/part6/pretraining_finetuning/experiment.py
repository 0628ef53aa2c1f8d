"""Diagonal networks that are pretrained on one task and finetuned on another, and the penalties that explain them."""

from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib._remembered import remembered
from mtlbook_lib.chapters.part6 import _diagonal
from mtlbook_lib.chapters.part6._diagonal import PLANE, Plane, growth, invariants
from mtlbook_lib.chapters.part6.pretraining_finetuning import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.chapters.sparse_pairs import relative_errors
from mtlbook_lib.data.sparse_tasks import sparse_teachers, sphere_examples
from mtlbook_lib.simulation.diagonal import Fits, Weights, descend, equal_pathways, gradient_flow
from mtlbook_lib.statistics import relative_distance
from mtlbook_lib.theory.implicit_bias import (
    finetuning_penalty,
    group_norm,
    pretrained_layer,
    printed_penalty,
    printed_width,
)
from mtlbook_lib.theory.interpolation import min_l2, min_penalty, min_weighted_l2, stationarity_residual


@dataclass(frozen=True)
class Pretrained:
    """Networks after pretraining, one for each seed."""

    seeds: range
    fits: Fits

    @property
    def beta(self) -> Array:
        """Coefficients, (seed, D)."""
        return self.fits.coefficients()

    @property
    def loss(self) -> float:
        """Largest loss over seeds."""
        return float(self.fits.loss.max())


@sized(n_seeds=SETTINGS.n_seeds, cost="2 GB, 5 min on one core")
def pretrained(loss: float = SETTINGS.loss, *, n_seeds: int) -> Pretrained:
    """Pretraining from small weights, once for all finetuning tasks."""
    seeds = range(n_seeds)
    aux = sparse_teachers(SETTINGS.dim, SETTINGS.n_features, SETTINGS.n_features, 0, seeds).aux
    x, y = sphere_examples(aux, SETTINGS.n_aux, seeds, "aux")
    start = equal_pathways(SETTINGS.alpha, SETTINGS.alpha, (n_seeds, 1, SETTINGS.dim))
    return Pretrained(seeds, gradient_flow(start, x, y, tolerance=loss))


@dataclass(frozen=True)
class Finetuned:
    """Finetuned networks of one setting; all arrays (seed,).

    `distance` goes from the name of a penalty to the relative distance of the networks to its minimiser; `to_ideal` is
    the distance to what ideal pretraining would have led to, and `error` the error of networks ("network") and
    minimisers relative to predicting zero.
    """

    distance: dict[str, Array]
    to_ideal: Array
    error: dict[str, Array]


def finetuned(base: Pretrained, gamma: float, overlap: int, n_examples: int, copied: bool = False) -> Finetuned:
    """Finetune pretrained networks on another task; `copied`: with the root of abs(beta) in both pathways.

    Penalties: "exact" has width and start of the weights at the start of finetuning, "no start" the width alone,
    "printed" the width of eq. 1.
    """
    main = sparse_teachers(SETTINGS.dim, SETTINGS.n_features, SETTINGS.n_features, overlap, base.seeds)
    x, y = sphere_examples(main.main, n_examples, base.seeds)
    weights = base.fits.weights.with_readout(gamma)
    if copied:
        weights = weights.symmetrised(np.sqrt(np.abs(base.beta))[:, None])
    fits = gradient_flow(weights, x, y, tolerance=SETTINGS.loss).finished()
    kappa, start = invariants(weights)
    printed = np.asarray(printed_width(base.beta, gamma))
    zero = np.zeros_like(start)
    cases = {"exact": (kappa, start), "no start": (kappa, zero), "printed": (printed, zero)}
    minimisers = _minimisers(x, y, {**cases, "ideal": invariants(_ideal(main.aux, gamma))})
    beta, ideal = fits.coefficients(), minimisers.pop("ideal")
    return Finetuned(
        {name: relative_distance(beta, best) for name, best in minimisers.items()},
        relative_distance(beta, ideal),
        {name: relative_errors(b, main.main) for name, b in {"network": beta, **minimisers}.items()},
    )


def _ideal(aux: Array, gamma: float) -> Weights:
    plus, minus = map(np.asarray, pretrained_layer(aux, SETTINGS.alpha))
    readout = np.full((len(aux), 1, 1, aux.shape[1]), gamma)
    return Weights(plus[:, None], minus[:, None], readout, readout)


def _minimisers(x: Array, y: Array, cases: dict[str, tuple[Array, Array]]) -> dict[str, Array]:
    """Interpolators of least penalty for each name's width and start, (seed, D)."""
    widths, starts = (np.stack(part, axis=1) for part in zip(*cases.values(), strict=True))
    return dict(zip(cases, min_penalty(x, y, widths, starts).swapaxes(0, 1), strict=True))


def _residuals(x: Array, beta: Array, kappa: Array, start: Array) -> Array:
    return np.array([stationarity_residual(*case) for case in zip(x, beta, kappa, start, strict=True)])


@sized(n_seeds=SETTINGS.n_descents, cost="1 GB, 10 min on one core")
def descended(gamma: float, *, n_seeds: int) -> dict[str, tuple[Array, Array]]:
    """Both phases by gradient descent on the weights: distance and residual for "exact" and "printed"."""
    first, (x, y) = _descended_first(n_seeds)
    weights = first.weights.with_readout(gamma)
    fits = descend(weights, x, y, SETTINGS.loss, reach=SETTINGS.reach)
    if not (first.converged.all() and fits.converged.all()):
        raise RuntimeError(f"descent stopped at losses {first.loss.max():.2g} and {fits.loss.max():.2g}.")
    kappa, start = invariants(weights)
    printed, beta = np.asarray(printed_width(first.coefficients(), gamma)), fits.coefficients()
    cases = {"exact": (kappa, start), "printed": (printed, np.zeros_like(start))}
    best = _minimisers(x, y, cases)
    return {name: (relative_distance(beta, best[name]), _residuals(x, beta, *case)) for name, case in cases.items()}


@remembered(1)
def _descended_first(n_seeds: int) -> tuple[Fits, tuple[Array, Array]]:
    """The first phase, which all readouts share, and the data of the second."""
    dim, seeds, alpha = SETTINGS.descent_dim, range(n_seeds), SETTINGS.descent_alpha
    pair = sparse_teachers(dim, *2 * (SETTINGS.descent_features,), SETTINGS.descent_shared, seeds)
    examples = sphere_examples(pair.aux, SETTINGS.descent_aux, seeds, "aux")
    first = descend(equal_pathways(alpha, alpha, (n_seeds, 1, dim)), *examples, 1e-9)
    return first, sphere_examples(pair.main, SETTINGS.descent_main, seeds)


def probed(base: Pretrained, gamma: float, overlap: int, n_examples: int) -> Array:
    """Relative distance of networks of which the readout alone was trained to the weighted least squares, (seed,)."""
    main = sparse_teachers(SETTINGS.dim, *2 * (SETTINGS.n_features,), overlap, base.seeds).main
    x, y = sphere_examples(main, n_examples, base.seeds)
    weights = base.fits.weights.with_readout(gamma)
    fits = gradient_flow(weights, x, y, SETTINGS.probing_loss, layers="readout")
    energy = (weights.u_plus**2 + weights.u_minus**2)[:, 0]
    return relative_distance(fits.coefficients(), min_weighted_l2(x, y, energy, weights.coefficients()))


def probed_alone(seeds: range, n_examples: int) -> Array:
    """The same without pretraining, first layer 1 and readout 0, against the least Euclidean norm, (seed,)."""
    x, y = sphere_examples(sparse_teachers(SETTINGS.dim, *2 * (SETTINGS.n_features,), 0, seeds).main, n_examples, seeds)
    start = equal_pathways(1.0, 0.0, (len(seeds), 1, SETTINGS.dim))
    fits = gradient_flow(start, x, y, SETTINGS.probing_loss, layers="readout")
    return relative_distance(fits.coefficients(), min_l2(x, y))


def penalty_slope(aux: Array, beta: float, copied: bool = False) -> Array:
    """Slope of the penalty at `beta` that networks of one input were pushed to, for each pretrained coefficient.

    It is read off the weights. `copied` puts the root of abs(aux) into both pathways.
    """
    start = equal_pathways(SETTINGS.alpha, SETTINGS.alpha, (1, len(aux), 1))
    first = gradient_flow(start, np.ones((1, 1)), aux[None, :, None], 1e-24)
    weights = first.weights.with_readout(SETTINGS.slope_gamma)
    if copied:
        weights = weights.symmetrised(np.sqrt(np.abs(first.beta[:, :, 0])))
    return 4 * growth(weights, gradient_flow(weights, np.ones((1, 1)), np.array([beta]), 1e-20).weights)


def penalty_curves(beta: Array, aux: Array) -> dict[str, Array]:
    """Penalty of one coefficient, (aux, beta): "exact" and "printed" for finetuning, "group" for multi-task training.

    Readout and weights before pretraining are 1e-5, so that the start is negligible; "group" is less its value at 0.
    """
    grid, given = np.meshgrid(beta, aux)
    exact = finetuning_penalty(grid[..., None], given[..., None], 1e-5, 1e-5)
    printed = printed_penalty(grid[..., None], given[..., None], 1e-5)
    group = [[group_norm([[b], [a]]) - group_norm([[0.0], [a]]) for b in beta] for a in aux]
    return {"exact": np.asarray(exact), "printed": np.asarray(printed), "group": np.array(group)}


def plane(second: Array) -> tuple[Plane, Array]:
    """Pretrain two inputs on (plane_aux, second), finetune on one example that favours the first input.

    Comes with the minimisers of the printed penalty, (setting, 2).
    """
    aux = np.stack([np.full(second.shape, SETTINGS.plane_aux), second], axis=-1)
    first = gradient_flow(equal_pathways(SETTINGS.alpha, SETTINGS.alpha, (1, len(aux), 2)), np.eye(2), aux[None], 1e-20)
    weights, (x, y) = first.weights.with_readout(SETTINGS.plane_gamma), PLANE
    fits = gradient_flow(weights, x, y, SETTINGS.plane_loss)
    kappa, beta0 = _diagonal.widths_and_starts(weights)
    axes = np.linspace(-0.6, 1.6, 120), np.linspace(-0.9, 1.9, 150)
    printed = min_penalty(x, y, printed_width(first.beta[0, :, 0], SETTINGS.plane_gamma))
    return _diagonal.plane(fits.beta[0, :, 0], kappa[0], beta0[0], axes), printed
