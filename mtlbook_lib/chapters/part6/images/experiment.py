"""Images: pairs of digits beside eight other digits on small convolutional networks, and the paper's own data set."""

import itertools
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import Array, count, whole
from mtlbook_lib._random import stream
from mtlbook_lib.chapters.part6.images import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.chapters.stored_results import read, spot_check, sweep_to_lists
from mtlbook_lib.chapters.sweep import combinations
from mtlbook_lib.data.benchmarks import cifar
from mtlbook_lib.data.real import digits
from mtlbook_lib.data.two_tasks.image_classes import ImageTasks, image_tasks
from mtlbook_lib.methods.benchmarks import Finetuning, Scores, compare_pretraining, concatenate, small_network
from mtlbook_lib.methods.sharing import Training
from mtlbook_lib.simulation.convolution import Fits, Images, Networks, descend, random_heads, random_networks

EXAMPLES = SETTINGS.examples
N_AUX, N_TEST = SETTINGS.n_aux, SETTINGS.n_test
FACTORS = SETTINGS.factors
HEADS = SETTINGS.heads
PAIRS = tuple(itertools.combinations(range(10), 2))
TOLERANCE, RATE, PROBING_RATE, MOST_STEPS = (
    SETTINGS.tolerance,
    SETTINGS.rate,
    SETTINGS.probing_rate,
    SETTINGS.most_steps,
)
_BRIGHT = 8.0  # pixels are 0 to 16; divided by this they have a mean square near 1


@dataclass(frozen=True)
class Digits:
    """Data sets: one for each seed, whose main task is the pair of digits of that number, modulo 45."""

    seeds: tuple[int, ...]

    @cached_property
    def _tasks(self) -> ImageTasks:
        given, pairs = digits(), [PAIRS[seed % len(PAIRS)] for seed in self.seeds]
        return image_tasks(given.inputs / _BRIGHT, given.labels, pairs, EXAMPLES[-1], N_AUX, N_TEST, self.seeds)

    def main(self, n_examples: int) -> Images:
        """The first images of the main task."""
        main = self._tasks.main
        return Images(main.inputs[:, :n_examples], main.labels[:, :n_examples])

    def auxiliary(self) -> Images:
        """All images of the auxiliary task."""
        return Images(*self._tasks.auxiliary)

    def test(self) -> Images:
        """Images of the two digits that no training set has."""
        return Images(*self._tasks.test)


def pretrain(data: Digits) -> Fits:
    """Networks trained on the auxiliary task."""
    return _train(random_networks([8], data.seeds), [data.auxiliary()])


def alone(data: Digits, n_examples: int, head: float) -> Fits:
    """Networks trained on the main task only."""
    start = random_networks([2], data.seeds)
    return _train(start.with_heads([head * start.heads[0]]), [data.main(n_examples)])


def joint(data: Digits, n_examples: int) -> Fits:
    """Networks trained on both tasks, main task first, one mean cross-entropy each."""
    return _train(random_networks([2, 8], data.seeds), [data.main(n_examples), data.auxiliary()])


def finetune(
    data: Digits, pretrained: Networks, n_examples: int, head: float, factors: Sequence[float] | None = None
) -> Fits:
    """Pretrained trunks times each factor with a new head, all of it trained on the main task: data set by data set."""
    factors = FACTORS if factors is None else factors
    start = _with_new_heads(data, pretrained, head).repeated(len(factors))
    start = start.rescaled(np.tile(factors, len(data.seeds)))
    return _train(start, [repeated(data.main(n_examples), len(factors))])


def probe(data: Digits, pretrained: Networks, n_examples: int) -> Fits:
    """New small heads on pretrained trunks that stay as they are."""
    start = _with_new_heads(data, pretrained, HEADS[1])
    return descend(start, [data.main(n_examples)], TOLERANCE, PROBING_RATE, MOST_STEPS, heads_only=True)


def repeated(images: Images, times: int) -> Images:
    """The images of each data set so many times in a row."""
    return Images(np.repeat(images.inputs, times, axis=0), np.repeat(images.labels, times, axis=0))


def cells(first: int, n_seeds: int) -> dict[str, Any]:
    """Measurements of data sets with seeds from `first` on; ten seconds of an idle core for each.

    Last axis: test error, test cross-entropy, training loss of the main task, steps. Axes before: "alone" (seed, head,
    n), "joint" and "probed" (seed, n), "finetuned" (seed, head, factor, n). "auxiliary" (seed, n + 1): training losses
    of the auxiliary task, with the main one and last in pretraining.
    """
    data = Digits(tuple(range(first, first + n_seeds)))
    before = pretrain(data)
    both = [joint(data, n) for n in EXAMPLES]
    tuned = [[_summary(data, finetune(data, before.networks, n, h), len(FACTORS)) for n in EXAMPLES] for h in HEADS]
    return {
        "alone": _first([[_summary(data, alone(data, n, h))[:, 0] for n in EXAMPLES] for h in HEADS], 2),
        "joint": _first([_summary(data, fits)[:, 0] for fits in both], 1),
        "probed": _first([_summary(data, probe(data, before.networks, n))[:, 0] for n in EXAMPLES], 1),
        "finetuned": np.moveaxis(np.array(tuned), (0, 1), (1, 3)),
        "auxiliary": np.stack([*(fits.losses[1] for fits in both), before.losses[0]], axis=1),
    }


def _train(start: Networks, tasks: list[Images]) -> Fits:
    return descend(start, tasks, TOLERANCE, RATE, MOST_STEPS)


def _with_new_heads(data: Digits, pretrained: Networks, size: float) -> Networks:
    (head,) = random_heads([2], data.seeds, "finetuning")
    return pretrained.with_heads([size * head])


def _summary(data: Digits, fits: Fits, times: int = 1) -> Array:
    """Test error, test cross-entropy, training loss and steps of the first task, (seed, setting, 4)."""
    error, entropy = repeated(data.test(), times).errors(fits.networks)
    columns = np.stack([error, entropy, fits.losses[0], fits.steps.astype(float)], axis=-1)
    return columns.reshape(len(data.seeds), times, 4)


def _first(parts: Any, axis: int) -> Array:
    """Stacked, with the seeds moved from an axis to the first one."""
    return np.moveaxis(np.array(parts), axis, 0)


FILE = "part6/images/images.json"
BLOCK = SETTINGS.block


@sized(file=FILE, minutes=8, n_blocks=SETTINGS.n_blocks, cost="1 GB, 3 h on one core")
def compute_stored(folder: Path, *, n_blocks: int) -> dict[str, Any]:
    """Train everything that is kept, or what a former call left undone; eight minutes on one core."""
    blocks = combinations(first=range(0, BLOCK * n_blocks, BLOCK), n_seeds=[BLOCK])
    measured = sweep_to_lists(cells, blocks, folder, along=0)
    sizes = {"examples": EXAMPLES, "factors": FACTORS, "heads": HEADS, "tolerance": TOLERANCE}
    return {"seeds": BLOCK * n_blocks, **sizes, "measured": measured}


@dataclass(frozen=True)
class Kept:
    """Stored measurements, first axis seed; ``cells`` describes the arrays."""

    measured: dict[str, Array]

    def errors(self, arm: str) -> Array:
        """Test errors: "alone" (seed, head, n), "joint", "probed" (seed, n), "finetuned" (seed, head, factor, n)."""
        return np.asarray(self.measured[arm][..., 0])

    def finetuned(self, factor: float = 1.0, head: int = 0) -> Array:
        """Test errors (seed, n) of finetuning after the trunk was multiplied by a factor, with a head of some size."""
        return np.asarray(self.errors("finetuned")[:, head, FACTORS.index(factor)])

    def losses(self) -> Array:
        """The last training losses of all networks, for both tasks."""
        main = [self.measured[arm][..., 2].ravel() for arm in ("alone", "joint", "probed", "finetuned")]
        return np.concatenate([*main, self.measured["auxiliary"].ravel()])

    def steps(self, arm: str) -> Array:
        """Steps that training took, axes as those of errors."""
        return np.asarray(self.measured[arm][..., 3])


def stored() -> Kept:
    """Measurements of the stored runs."""
    return Kept(read(FILE, "measured"))


@spot_check(FILE, 0.1, every_part=True, seed=range(5 * BLOCK), place=range(len(EXAMPLES)))
def recomputed(seed: int, place: int) -> tuple[float, float]:
    """Mean logarithm of test cross-entropies of a data set with a number of examples, over all ways to train.

    A network by itself is another one where the last bit differs: from an Intel to an AMD processor one in a hundred
    moved by 10 % and one by 74 %, and these means by 0.07 at most.
    """
    kept, n, data = stored().measured, EXAMPLES[place], Digits((seed,))
    first = pretrain(data).networks
    tuned = [finetune(data, first, n, head).networks for head in HEADS]
    single = [*(alone(data, n, head) for head in HEADS), joint(data, n), probe(data, first, n)]
    now = [data.test().errors(fits.networks)[1] for fits in single]
    now += [repeated(data.test(), len(FACTORS)).errors(networks)[1] for networks in tuned]
    was = [kept[arm][seed, ..., place, 1].ravel() for arm in ("alone", "joint", "probed", "finetuned")]
    return float(np.log(np.concatenate(now)).mean()), float(np.log(np.concatenate(was)).mean())


CLASSES = SETTINGS.classes
_SIDE, _BAR = 32, 4


def write_cifar(folder: str | Path, n_per_class: int, seed: int) -> None:
    """Write ``cifar-100-binary`` with six easy classes: a bright bar, whose place says which one, in noise.

    The `folder` is made if needed; the test file has as many images of each class as that of training.
    """
    n, drawn = count("n_per_class", n_per_class), whole("seed", seed, 0)
    place = Path(folder) / "cifar-100-binary"
    place.mkdir(parents=True, exist_ok=True)
    for part, name in enumerate(("train", "test")):
        images, labels = _bars(n, np.random.default_rng([drawn, part]))
        np.column_stack([labels // 2, labels, images]).astype(np.uint8).tofile(place / f"{name}.bin")
    (place / "fine_label_names.txt").write_text("".join(f"bar_{k}\n" for k in range(CLASSES)), encoding="ascii")


def format_check(n_seeds: int = 1) -> Scores:
    """Test errors on generated files, by the way of the command ``benchmark cifar100``, with a small encoder."""
    training = Training(rate=1e-2, epochs=200, batch_size=32, dtype="float32")
    with tempfile.TemporaryDirectory() as folder:
        write_cifar(folder, 16, 0)
        train, test = cifar(folder)
    pairs = [stream(seed, "image classes: pair").permutation(CLASSES)[:2] for seed in range(n_seeds)]
    return concatenate([
        compare_pretraining(train, test, small_network(32), pair, (4, 16), finetuning=Finetuning((0.5,)),
                            n_auxiliary=64, tolerance=0.1, training=training, seed=seed)
        for seed, pair in enumerate(pairs)
    ])  # fmt: skip


def _bars(n_per_class: int, rng: np.random.Generator) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    labels = rng.permutation(np.repeat(np.arange(CLASSES), n_per_class))
    images = rng.integers(0, 100, (len(labels), 3, _SIDE, _SIDE), dtype=np.uint8)
    for image, label in zip(images, labels, strict=True):
        image[:, :, 5 * label : 5 * label + _BAR] += 120
    return images.reshape(len(labels), -1), labels
