"""The mean softmax Jacobian: its identities, and what the paper reads off it, on drawn logits."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.spatial import ConvexHull

from mtlbook_lib._checks import Array
from mtlbook_lib._random import normal, stream
from mtlbook_lib.chapters.part4.mean_jacobian import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.teachers import low_rank_teachers
from mtlbook_lib.simulation import logits
from mtlbook_lib.statistics import Curve, mean_and_error
from mtlbook_lib.theory.softmax import (
    label_laplacian,
    lowrank_class_probabilities,
    lowrank_label_laplacian,
    mean_jacobian,
    mean_jacobian_independent,
    mean_jacobian_rank_one,
    rem_gain,
)

K = SETTINGS.k
of_drawn_jacobians = sized(
    n_seeds=SETTINGS.n_seeds_of_drawn_jacobians,
    n_draws=SETTINGS.n_draws_of_drawn_jacobians,
    cost="1 GB, 30 min on one core",
)


class Identity(NamedTuple):
    """Both sides of an identity between matrices, with the standard error of their difference, all of one shape."""

    measured: Array
    predicted: Array
    error: Array


@sized(n_seeds=SETTINGS.n_seeds_identities, n_draws=SETTINGS.n_draws_identities, cost="1 GB, 3 min on one core")
def identities(norms: Sequence[float] = (1.0, 3.0, 10.0), *, n_seeds: int, n_draws: int) -> tuple[Identity, Identity]:
    """Covariance of softmax and inputs, and of labels and inputs, of random maps of five classes and eight features.

    Simulated on inputs, against the mean Jacobian and the label Laplacian times the map; (norm, 5, 8) each.
    """
    maps = np.array(norms)[:, None, None] * normal((5, 8), range(len(norms)), "maps") / np.sqrt(8)
    drawn = logits.map_means(maps, range(n_seeds), n_draws)
    return (
        # Far logits need more quasi-random points: with fewer, their scatter decides what is seen.
        _identity(drawn.softmax, maps, [mean_jacobian(w @ w.T, np.random.default_rng(0), 16) for w in maps]),
        _identity(drawn.labels, maps, [label_laplacian(w @ w.T, np.random.default_rng(0)) for w in maps]),
    )


def _identity(draws: Array, maps: Array, factors: Sequence[tuple[Array, Array]]) -> Identity:
    (mean, error), (factor, own) = mean_and_error(draws), np.swapaxes(factors, 0, 1)
    return Identity(mean, factor @ maps, np.sqrt(error**2 + own**2 @ maps**2))


@sized(n_seeds=SETTINGS.n_seeds_gains, n_draws=SETTINGS.n_draws_gains, cost="1 GB, 15 min on one core")
def gains(classes: Sequence[int], norms: Array, *, n_seeds: int, n_draws: int) -> Curve:
    """Mean Jacobian's multiple of the centring projector, (number of classes, norm), with its standard error.

    Each seed draws `n_draws` logits for ten classes, and more numbers for more, whose gain scatters more.
    """
    means = []
    for k in classes:
        drawn = logits.isotropic_means(norms, k, range(n_seeds), 20 * n_draws // (10 + k))
        means.append(mean_and_error((1 - drawn.participation) / (k - 1)))
    mean, error = np.swapaxes(means, 0, 1)
    return mean, error


def lone_maps(norms: Array) -> Array:
    """Maps with one input that moves the first class's logit alone, (norm, K, 1)."""
    return np.asarray(norms)[:, None, None] * np.eye(K)[:, :1]


def equal_maps(norms: Array) -> Array:
    """Maps with an input for each class's logit, (norm, K, K)."""
    return np.asarray(norms)[:, None, None] * np.eye(K)


@of_drawn_jacobians
def components(norms: Array, *, n_seeds: int, n_draws: int) -> dict[str, Array]:
    """Mean of p(1 - p) of the first class, (seed, norm): when all logits move, and when it moves "alone"."""
    families = {"all": equal_maps(norms), "alone": lone_maps(norms)}
    return {name: logits.mean_jacobians(m, range(n_seeds), n_draws)[..., 0, 0] for name, m in families.items()}


def component_lines(norms: Array) -> dict[str, Array]:
    """The same from the exact integrals, (norm,)."""
    families = {"all": np.ones(K), "alone": np.eye(K)[0]}
    return {
        name: np.array([mean_jacobian_independent(s * moving)[0, 0] for s in norms])
        for name, moving in families.items()
    }


@of_drawn_jacobians
def traces(norms: Array, *, n_seeds: int, n_draws: int) -> Array:
    """Trace of the mean Jacobian along the rays of three random maps, (seed, rank, norm); ranks 1, 3 and 10."""
    traces = []
    for rank in (1, 3, K):
        rays = np.asarray(norms)[:, None, None] * stream(rank, "ray").standard_normal((K, rank)) / np.sqrt(rank)
        traces.append(np.trace(logits.mean_jacobians(rays, range(n_seeds), n_draws), axis1=-2, axis2=-1))
    return np.stack(traces, axis=1)


@sized(n_maps=SETTINGS.n_maps_closures, n_draws=SETTINGS.n_draws_closures, cost="1 GB, 60 min on one core")
def closures(
    settings: Sequence[tuple[int, int, float]], norm: float, *, n_maps: int, n_draws: int
) -> dict[str, tuple[Array, Array]]:
    """Relative errors of three closures of the Jacobian times the map; by name a mean and an error, (setting,).

    A setting is a number of features, a rank, and the strength of a teacher of that rank and equal singular values in
    unit noise: 0 is noise alone, infinity is no noise. The map is scaled to the root mean square `norm` of its logits.
    """
    runs = []
    for n_features, rank, snr in settings:
        strength = [1.0 if np.isinf(snr) else snr] * rank
        runs.append((n_features, strength, 0.0 if np.isinf(snr) else 1.0))
    return _closures(runs, norm, n_maps, n_draws)


@sized(
    n_maps=SETTINGS.n_maps_low_rank_closures,
    n_draws=SETTINGS.n_draws_low_rank_closures,
    cost="1 GB, 10 min on one core",
)
def low_rank_closures(
    ranks: Sequence[int], norm: float, *, n_maps: int, n_draws: int
) -> dict[str, tuple[Array, Array]]:
    """As ``closures``, for maps of 100 features without noise of each rank, which differ most from map to map."""
    return _closures([(100, [1.0] * rank, 0.0) for rank in ranks], norm, n_maps, n_draws)


def spectrum_closures(spectra: Sequence[Sequence[float]], norm: float) -> dict[str, tuple[Array, Array]]:
    """As ``closures``, for six maps of 100 features without noise with each of the given singular values."""
    return _closures([(100, list(values), 0.0) for values in spectra], norm, 6, 20_000)


def _closures(
    teachers: Sequence[tuple[int, list[float], float]], norm: float, n_maps: int, n_draws: int
) -> dict[str, tuple[Array, Array]]:
    """For teachers of so many features, strengths, and noise; see ``closures``."""
    settings = []
    for n_features, strength, noise in teachers:
        maps = low_rank_teachers(K, n_features, strength, range(n_maps), noise).training[:, 0]
        settings.append(maps * (norm / np.sqrt(np.mean(np.sum(maps**2, axis=-1), axis=-1)))[:, None, None])
    runs = []
    for seed in range(n_maps):  # all settings of a seed share its draws
        own = [maps[seed] for maps in settings]
        jacobians = logits.mean_jacobians([with_equal_logits(w) for w in own], [seed], n_draws)[0]
        runs.append([closure_errors(w, jacobian) for w, jacobian in zip(own, jacobians, strict=True)])
    return {name: mean_and_error(np.array([[one[name] for one in run] for run in runs])) for name in runs[0][0]}


def with_equal_logits(w: Array) -> Array:
    """The symmetric map, k × k, whose logits have the law of those of `w`."""
    left, values, _ = np.linalg.svd(w, full_matrices=False)
    return np.asarray((left * values) @ left.T)  # the same on every machine, also where singular values are equal


def closure_errors(w: Array, jacobian: Array) -> dict[str, float]:
    """Relative Frobenius errors of closures of the mean Jacobian times the map `w`.

    "diagonal" replaces the covariance of the logits by its diagonal, "vectors" keeps the singular vectors of the map
    (less its mean over classes) and the gain of each singular value, "REM" takes the random energy model's gain.
    """
    exact = jacobian @ w
    u, s, vt = np.linalg.svd(w - w.mean(axis=0), full_matrices=False)
    equal = np.abs(s[:, None] - s) < 1e-9 * s[0]  # equal modes have no vectors and no gains of their own
    kept = u * (equal / equal.sum(axis=0) @ np.einsum("ia,ij,ja->a", u, jacobian, u) * s) @ vt
    gain = float(rem_gain(np.sqrt(np.sum(s**2) / (K - 1)), K))
    diagonal = mean_jacobian_independent(np.linalg.norm(w, axis=1)) @ w
    forms = {"diagonal": diagonal, "vectors": kept, "REM": gain * (w - w.mean(axis=0))}
    return {name: float(np.linalg.norm(form - exact) / np.linalg.norm(exact)) for name, form in forms.items()}


@of_drawn_jacobians
def second_eigenvalues(norms: Array, *, n_seeds: int, n_draws: int) -> Array:
    """Smallest eigenvalue but one of the mean Jacobian, (seed, 2, norm): all logits move, and one moves alone."""
    eigenvalues = [
        np.linalg.eigvalsh(logits.mean_jacobians(maps, range(n_seeds), n_draws))[..., 1]
        for maps in (equal_maps(norms), lone_maps(norms))
    ]
    return np.stack(eigenvalues, axis=1)


def gain_of(covariance: Array) -> float:
    """Trace of the mean Jacobian in units of that of the centring projector, from quasi-random points."""
    return float(np.trace(mean_jacobian(covariance, np.random.default_rng(0))[0])) / (len(covariance) - 1)


def direction(seed: int = 4) -> Array:
    """A random centred unit vector over the classes, in ascending order."""
    u = np.sort(stream(seed, "direction").standard_normal(K))
    return np.asarray((u - u.mean()) / np.linalg.norm(u - u.mean()))


def limit_cosines(n_directions: int = 10_000) -> Array:
    """Cosines of random centred directions over the classes with the difference of their two extreme classes."""
    u = stream(0, "directions").standard_normal((n_directions, K))
    return np.asarray(np.ptp(u, axis=1) / (np.sqrt(2 * K) * u.std(axis=1)))


def turned(u: Array, norms: Array) -> Array:
    """The unit vector along which the exact mean Jacobian of logits s ξ u maps u, (norm, K)."""
    images = [mean_jacobian_rank_one(float(s), u) @ u for s in norms]
    return np.asarray(images / np.linalg.norm(images, axis=1, keepdims=True))


@sized(n_seeds=SETTINGS.n_seeds_rank_one, n_draws=SETTINGS.n_draws_rank_one, cost="1 GB, 10 min on one core")
def rank_one(u: Array, norms: Array, *, n_seeds: int, n_draws: int) -> tuple[Array, Array]:
    """Simulated ``turned``, (seed, norm, K), and the mean of the label's vector times the input, (seed, K)."""
    maps = np.asarray(norms)[:, None, None] * u[:, None]
    drawn = logits.map_means(maps, range(n_seeds), n_draws)
    images = drawn.jacobian @ u
    return images / np.linalg.norm(images, axis=-1, keepdims=True), drawn.labels[:, -1, :, 0]


@sized(n_maps=SETTINGS.n_maps_null_directions, cost="1 GB, 5 min on one core")
def null_directions(*, n_maps: int) -> tuple[Array, Array, Array]:
    """Of random rank-three teachers, (map,) each: null directions of the label Laplacian, and classes that never win.

    The latter are counted twice: by their exact probability, and as rows inside the convex hull of all rows.
    """
    rows = low_rank_teachers(K, 20, [1.0] * 3, range(n_maps)).left[:, 0]
    null = [np.count_nonzero(np.linalg.eigvalsh(lowrank_label_laplacian(a)) < 1e-9) for a in rows]
    never = [np.count_nonzero(lowrank_class_probabilities(a) == 0) for a in rows]
    inside = [K - len(ConvexHull(a).vertices) for a in rows]
    return np.array(null), np.array(never), np.array(inside)
