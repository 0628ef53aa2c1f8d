"""What the chapter on bounds of the benefit runs: trained pairs of students, and both bounds on one sample."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import logsumexp

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part4.benefit_bounds import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.classification import label_covariance, labelled, snr_pairs
from mtlbook_lib.data.teachers import low_rank_teachers
from mtlbook_lib.simulation import softmax
from mtlbook_lib.simulation.engine import to_numpy
from mtlbook_lib.theory import classification
from mtlbook_lib.theory.softmax import expected_maximum, isotropic_gain, mean_jacobian_rank_one

CLASSES, FEATURES, HIDDEN, START, RATE = (
    SETTINGS.classes,
    SETTINGS.features,
    SETTINGS.hidden,
    SETTINGS.start,
    SETTINGS.rate,
)


@dataclass(frozen=True)
class Sandwich:
    """Benefit of an auxiliary task and its bounds (seed, setting, time), all on one sample; change of the map.

    A setting is a strength of the main task with a relatedness; the auxiliary task has the strength 100.
    """

    times: Array
    relatedness: Array
    benefit: Array
    lower: Array
    upper: Array
    change: Array

    @property
    def violation(self) -> float:
        """By how much the benefit leaves its bounds, at most, over all pairs and times."""
        return float(np.max(np.maximum(self.lower - self.benefit, self.benefit - self.upper)))

    @property
    def gap(self) -> Array:
        """Upper minus lower bound, (seed, setting, time)."""
        return np.asarray(self.upper - self.lower)

    @property
    def certified(self) -> Array:
        """Share of the pairs whose sign the bounds tell, (time,)."""
        return np.asarray(((self.lower > 0) | (self.upper < 0)).mean(axis=(0, 1)))

    @property
    def misled(self) -> Array:
        """Number of pairs whose upper bound is positive while the auxiliary task harms, (time,)."""
        return np.asarray(((self.upper > 0) & (self.benefit < 0)).sum(axis=(0, 1)), dtype=np.float64)


@sized(n_seeds=SETTINGS.n_seeds_sandwich, n_test=SETTINGS.n_test, cost="40 GB, 10 min on one GPU")
def sandwich(times: Array, n_examples: int = 200, *, n_seeds: int, n_test: int) -> Sandwich:
    """Students of one and of two tasks, `n_examples` each, from the same start, compared at equal times.

    The times are multiples of the learning rate, 0.25. Test examples are clean.
    """
    strengths, related = (grid.ravel() for grid in np.meshgrid([1.0, 100.0], [0.0, 0.5, 1.0], indexing="ij"))
    main, auxiliary = snr_pairs(CLASSES, FEATURES, strengths, 100.0, related, range(n_seeds))
    examples = [labelled(main, n_examples), labelled(auxiliary, n_examples, "auxiliary")]
    test = labelled(main, n_test, "test", noise="none")
    start = softmax.normal_students(CLASSES, FEATURES, HIDDEN, START, range(n_seeds), n_tasks=2)
    steps = [round(time / RATE) for time in times]
    alone, joint = (
        softmax.descend(students, data, RATE, steps[-1], record=steps, observe={"maps": softmax.composite()})
        for students, data in ((start.alone(), examples[:1]), (start, examples))
    )
    # Clean labels do not know the strength of the main task: they are the same in all settings, as at all times.
    single, multi = (run.values["maps"].reshape(n_seeds, -1, CLASSES, FEATURES) for run in (alone, joint))
    loss = softmax.cross_entropy(test.first_setting)
    benefit = np.subtract(*(to_numpy(loss(softmax.Students.of([maps]))) for maps in (single, multi)))
    labels = label_covariance(test.first_setting, CLASSES)
    bounds = classification.benefit_bounds(single, multi, labels, lambda w: softmax.softmax_covariance(w, test.inputs))
    change = np.linalg.norm(multi - single, axis=(-2, -1))
    shape = (n_seeds, strengths.size, times.size)
    return Sandwich(times, related, *(np.reshape(part, shape) for part in (benefit, *bounds, change)))


def rank_one_bound(direction: Array, strengths: Array) -> tuple[Array, Array]:
    """Benefit and the bound of eq. 5 for a rank-one teacher, for every pair of strengths (alone, jointly).

    The losses are integrals over the input mode, the slopes come from the mean Jacobian.
    """
    xi, weights = np.polynomial.hermite_e.hermegauss(161)
    weights = weights / weights.sum()
    drive = np.ptp(direction) / np.sqrt(2 * np.pi)
    losses = [weights @ logsumexp(np.outer(direction, s * xi), axis=0) - s * drive for s in strengths]
    slopes = [drive - s * direction @ mean_jacobian_rank_one(s, direction) @ direction for s in strengths]
    benefit = np.subtract.outer(losses, losses)
    return benefit, np.subtract.outer(strengths, strengths).T * np.array(slopes)[:, None]


def equal_strengths_bound(overlap: float, strengths: Array) -> tuple[Array, Array]:
    """As ``rank_one_bound``, for maps of equal strengths that overlap with the clean teacher, summed over the modes."""
    losses = classification.generalization_loss(strengths, overlap, CLASSES)
    slopes = overlap * expected_maximum(CLASSES) - (CLASSES - 1) * strengths * isotropic_gain(strengths, CLASSES)
    return np.subtract.outer(losses, losses), np.subtract.outer(strengths, strengths).T * slopes[:, None]


@sized(n_seeds=SETTINGS.n_seeds_vector_overlaps, cost="4 GB, 1 min on one core")
def vector_overlaps(snrs: Sequence[float], *, n_seeds: int) -> tuple[Array, Array]:
    """Overlaps of the first singular vectors of noisy and clean rank-one teachers, output and input, (seed, SNR)."""
    teachers = low_rank_teachers(CLASSES, FEATURES, [[snr] for snr in snrs], range(n_seeds))
    left, _, right = np.linalg.svd(teachers.training, full_matrices=False)
    clean_left, _, clean_right = np.linalg.svd(teachers.clean, full_matrices=False)
    output = np.abs(np.sum(left[..., :, 0] * clean_left[..., :, 0], axis=-1))
    return output, np.abs(np.sum(right[..., 0, :] * clean_right[..., 0, :], axis=-1))


def aligned_paths(relatedness: Array, times: Array, start: float = START) -> Array:
    """Strengths of aligned students of task A, alone (first row) and with task B of each relatedness, (1 + r, time)."""
    label = float(expected_maximum(CLASSES)) / (CLASSES - 1)
    root = np.sqrt(start)
    arms = [(0.0, 0.0), *((r, root) for r in relatedness)]
    runs = [classification.two_task_flow(r, label, label, root, head, root, times, CLASSES) for r, head in arms]
    return np.array([trunk * head for trunk, head, _ in runs])


def best_on_path(strengths: Array, overlap: float) -> Array:
    """Least loss on each path of strengths (path, time): the loss is convex, so it lies nearest to the best scale."""
    best = classification.optimal_scale(overlap, CLASSES)
    nearest = np.clip(best, strengths.min(axis=-1), strengths.max(axis=-1))
    return np.asarray(classification.generalization_loss(nearest, overlap, CLASSES))
