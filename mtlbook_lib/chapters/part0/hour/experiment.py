"""Ten questions about handwritten digits, on which the page shows what the four theories say."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part0.hour import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data import digit_tasks, real
from mtlbook_lib.methods.one_output import one_output_benefit
from mtlbook_lib.methods.task_estimate import estimate_task
from mtlbook_lib.simulation import logits
from mtlbook_lib.simulation.linear import gradient_flow, observables, students
from mtlbook_lib.statistics import Curve, at_best_of_mean, mean_and_error
from mtlbook_lib.theory.linear_dynamics import mode_strength
from mtlbook_lib.theory.transfer import composite_modes

INPUTS, N_A, N_B = SETTINGS.inputs, SETTINGS.n_a, SETTINGS.n_b
QUESTIONS = {name: group for name, group in digit_tasks.YES_NO.items() if not name.startswith("is ")}
TARGET, PARTNER = "odd", "at least 5"
NAMES = tuple(QUESTIONS)
SIZES = SETTINGS.sizes
TIMES, EPS = np.geomspace(0.3, 20, 60), SETTINGS.eps  # of training, and the strength that it starts from
SHOWN = np.linspace(0.4, 4.4, 11)  # times at which the wave is shown
CLASSES, NORMS = SETTINGS.classes, np.array(SETTINGS.norms)


@dataclass(frozen=True)
class Whole:
    """All 1797 images: models of the questions in white inputs, (question, input), and the variance of their noise."""

    inputs: Array
    labels: Array  # centred, (question, image)
    models: Array
    noise: Array

    def signal(self, name: str = TARGET) -> float:
        """Variance that the inputs explain, over the noise."""
        place = NAMES.index(name)
        return float((self.models[place] ** 2).sum() / self.noise[place])

    def cosine(self, name: str) -> float:
        """Similarity of a question to the target."""
        a, b = (self.models[NAMES.index(other)] for other in (TARGET, name))
        return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))

    def own(self, name: str) -> float:
        """Variance of the target that is not in the direction of a partner, over the noise."""
        return self.signal() * (1 - self.cosine(name) ** 2)


def whole() -> Whole:
    """Least squares on all images."""
    images = real.digits()
    inputs = real.whitener(images.inputs).apply(images.inputs)[:, :INPUTS]
    labels = digit_tasks.yes_no_targets(images.labels, QUESTIONS)[..., 0]
    labels = labels - labels.mean(axis=1, keepdims=True)
    models = labels @ inputs / len(inputs)
    rest = labels - models @ inputs.T
    return Whole(inputs, labels, models, (rest**2).sum(axis=1) / (len(inputs) - INPUTS - 1))


@dataclass(frozen=True)
class Splits:
    """Maps in units of the label noise, (split, question, input): of training images, and of those held out."""

    a: Array
    truth: Array
    unit: Array  # squared size of a map that explains all variance of the labels, (split, question)
    b: Array
    truth_b: Array
    names = NAMES

    @property
    def target_strength(self) -> float:
        """Strength of the target."""
        return float(self.strength()[NAMES.index(TARGET)])

    def seen(self) -> tuple[Array, Array]:
        """Size of the target's noisy model, and its squared cosine with the truth, each for all splits."""
        place = NAMES.index(TARGET)
        data, truth = self.a[:, place], self.truth[:, place]
        size = np.linalg.norm(data, axis=-1)
        return size, ((data * truth).sum(axis=-1) / size / np.linalg.norm(truth, axis=-1)) ** 2

    def strength(self, side: str = "a") -> Array:
        """Strength of each question, (question,), by the held-out images."""
        held_out = self.truth if side == "a" else self.truth_b
        return np.asarray(np.sqrt((held_out**2).sum(axis=-1).mean(axis=0)))

    def cosine(self) -> Array:
        """Similarity to the target, (question,)."""
        a, b = (part / np.linalg.norm(part, axis=-1, keepdims=True) for part in (self.truth, self.truth_b))
        return np.asarray((a[:, [NAMES.index(TARGET)]] * b).sum(axis=-1).mean(axis=0))

    def stacked(self, target: str = TARGET) -> Array:
        """Two rows, the target's and a partner's, for each partner: (split, question, 2, input)."""
        return np.stack([np.broadcast_to(self.a[:, [NAMES.index(target)]], self.b.shape), self.b], axis=2)


@sized(n_splits=SETTINGS.n_splits, cost="1 GB, 2 min on one core")
def splits(n_a: int = N_A, n_b: int = N_B, *, n_splits: int) -> Splits:
    """Random images for A, others for B; the rest is held out. Inputs are made white for each set."""
    maps = []
    for seed in range(n_splits):
        sets = digit_tasks.digit_split(n_a, n_b, seed)[:2]
        fits = [estimate_task(part.inputs, digit_tasks.yes_no_targets(part.labels, QUESTIONS)) for part in sets]
        new = [digit_tasks.yes_no_targets(part.new_labels, QUESTIONS) for part in sets]
        truths = [fit.map_of(part.new_inputs, y)[:, 0] for fit, part, y in zip(fits, sets, new, strict=True)]
        maps.append((fits[0].data[:, 0], truths[0], fits[0].label_energy, fits[1].data[:, 0], truths[1]))
    return Splits(*(np.stack(part) for part in zip(*maps, strict=True)))


@dataclass(frozen=True)
class Course:
    """Networks that learn which digit it is: strengths in the data and learned, and errors over training."""

    times: Array
    strengths: Array  # in the data, of one split: (mode,)
    learned: Array  # (time, mode)
    errors: Array  # of "odd?" over that of the constant answer, (split, time)


@sized(n_splits=SETTINGS.n_splits_course, cost="1 GB, 2 min on one core")
def course(n_images: int = N_A, *, n_splits: int) -> Course:
    """Train two-layer networks from a small start to tell nine digits from the tenth, and add up the odd ones."""
    data, truth, odd = [], [], []
    groups = {str(digit): (digit,) for digit in range(1, 10)}
    for seed in range(n_splits):
        part = digit_tasks.digit_split(n_images, 2 * INPUTS, seed)[0]
        y, new = (digit_tasks.yes_no_targets(d, groups)[..., 0].T for d in (part.labels, part.new_labels))
        fit = estimate_task(part.inputs, y)
        data.append(fit.data)
        truth.append(fit.map_of(part.new_inputs, new))
        odd.append(np.linalg.solve(fit.noise_root, np.arange(1, 10) % 2))
    maps, answers = np.stack(data)[:, None], np.stack(truth)[:, None]
    watch = {"map": observables.composite_map(), "strength": observables.mode_strengths(maps, n_modes=9)}
    run = gradient_flow.integrate(students.aligned(maps, 9, EPS), maps, SHOWN, observe=watch)
    readout = np.stack(odd)[:, None, None]  # (split, 1, 1, output)
    wanted = readout @ answers
    gaps = (readout @ run.values["map"][:, 0] - wanted)[:, :, 0]
    errors = (gaps**2).sum(axis=-1) / (wanted**2).sum(axis=-1)[:, :, 0]
    values = np.linalg.svd(maps[0, 0], compute_uv=False)
    return Course(SHOWN, values, run.values["strength"][0, 0], errors)


def joint_gain(maps: Splits, target: str = TARGET) -> tuple[Array, Array]:
    """Gain of the target from each partner, both stopped at the best time, over the variance of its labels.

    Mean and standard error over splits, (question,). Networks start aligned, so that each mode follows its law.
    """
    place = NAMES.index(target)
    unit, truth = maps.unit[:, place], maps.truth[:, place]
    alone = _errors(maps.a[:, place, None, None], truth) / unit[:, None, None]
    joint = _errors(maps.stacked(target), truth) / unit[:, None, None]
    return mean_and_error(at_best_of_mean(alone)[0] - at_best_of_mean(joint)[0])


def _errors(stacked: Array, truth: Array) -> Array:
    """Squared error of the first row over time, less a constant: (split, question, time)."""
    left, values, right = np.linalg.svd(stacked, full_matrices=False)
    strength = np.asarray(mode_strength(TIMES, values[..., None], EPS)) * left[..., 0, :, None]
    along = right @ truth[:, None, :, None]
    return np.asarray((strength**2 - 2 * strength * along).sum(axis=-2))


def joint_law(maps: Splits) -> Array:
    """The same gain by theory, from the strengths and the similarity that the held-out images show, (question,)."""
    place, cosines, partners = NAMES.index(TARGET), maps.cosine(), maps.strength("b")
    s_a = maps.strength()[place]
    cross = s_a * partners * cosines
    clean = np.stack([np.stack([np.full_like(cross, s_a**2), cross]), np.stack([cross, partners**2])])
    gain = one_output_benefit(np.moveaxis(clean, -1, 0) + np.eye(2), np.eye(2))
    return np.asarray(gain / maps.unit[:, place].mean())


def narrow_gain(maps: Splits) -> tuple[Array, Array]:
    """Gain of the target from each partner through one shared unit, at the end of training, as `joint_gain`."""
    place = NAMES.index(TARGET)
    left, values, right = np.linalg.svd(maps.stacked(), full_matrices=False)
    shared = (left[..., 0, 0] * values[..., 0])[..., None] * right[..., 0, :]
    truth = maps.truth[:, [place]]
    alone, joint = (((model - truth) ** 2).sum(axis=-1) for model in (maps.a[:, [place]], shared))
    return mean_and_error((alone - joint) / maps.unit[:, [place]])


def narrow_law(maps: Splits) -> Array:
    """The same by theory: what the second mode of both tasks, which one unit leaves out, would cost and bring."""
    place = NAMES.index(TARGET)
    s_a = float(maps.strength()[place])
    pairs = zip(maps.strength("b"), np.minimum(maps.cosine(), 1.0), strict=True)
    modes = [composite_modes([s_a, s_b], [[1.0, q], [q, 1.0]]) for s_b, q in pairs]
    gain = np.array([shares[0, 1] * (1 - values[1] ** 2) for values, shares in modes])
    return np.asarray(gain / maps.unit[:, place].mean())


@sized(n_draws=SETTINGS.n_draws, cost="1 GB, 2 min on one core")
def tuned(starts: Sequence[str], sizes: Sequence[int], *, n_draws: int) -> Array:
    """Error of the target after training to the end from a partner's model, over the noise: (draw, start, size).

    A start is the direction of a partner's model with the best factor; that of "" is zero.
    """
    known = whole()
    place, truth = NAMES.index(TARGET), known.models[NAMES.index(TARGET)]
    start = np.stack([_shared(known, name) for name in starts])
    errors = np.empty((n_draws, len(starts), len(sizes)))
    for draw in range(n_draws):
        order = np.random.default_rng(draw).permutation(len(known.inputs))
        for k, n in enumerate(sizes):
            x, y = known.inputs[order[:n]], known.labels[place, order[:n]]
            step = np.linalg.lstsq(x, (y - start @ x.T).T, rcond=None)[0].T
            errors[draw, :, k] = ((start + step - truth) ** 2).sum(axis=-1) / known.noise[place]
    return errors


def _shared(known: Whole, name: str) -> Array:
    """The target's model as far as a partner's direction has it."""
    if not name:
        return np.zeros(INPUTS)
    truth, direction = known.models[NAMES.index(TARGET)], known.models[NAMES.index(name)]
    return np.asarray(direction * (truth @ direction) / (direction @ direction))


def tuned_law(own: float, sizes: NDArray[np.int64]) -> Array:
    """The same by theory for Gaussian inputs, fewer examples than inputs."""
    return np.asarray((1 - sizes / INPUTS) * own + sizes / (INPUTS - sizes - 1))


@sized(n_seeds=SETTINGS.n_seeds, cost="100 MB, 10 s on one core")
def drawn_gain(*, n_seeds: int) -> Curve:
    """Nine times the gain of the softmax at ``NORMS``, of random scores: mean and standard error, (norm,)."""
    return mean_and_error(logits.isotropic_means(NORMS, CLASSES, range(n_seeds), 5_000).slope / NORMS)


@dataclass(frozen=True)
class Forecasts:
    """Gain of the first of each pair of questions: forecast from training images, (split, pair), and measured."""

    pairs: list[tuple[str, str]]
    forecast: Array
    mean: Array
    error: Array


def forecasts(maps: Splits) -> Forecasts:
    """For each ordered pair of different questions the gain forecast from each split, and the one that was measured."""
    pairs, predicted, measured = [], [], []
    for target in NAMES:
        place = NAMES.index(target)
        others = [k for k in range(len(NAMES)) if k != place]
        stacked = maps.stacked(target)[:, others]
        gram = stacked @ stacked.swapaxes(-1, -2)
        pairs += [(target, NAMES[k]) for k in others]
        predicted.append(np.asarray(one_output_benefit(gram, np.eye(2))) / maps.unit[:, [place]])
        measured.append([part[others] for part in joint_gain(maps, target)])
    mean, error = (np.concatenate(part) for part in zip(*measured, strict=True))
    return Forecasts(pairs, np.concatenate(predicted, axis=1), mean, error)
