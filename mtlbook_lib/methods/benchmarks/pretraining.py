"""Two classes of images as main task, the others as auxiliary one: alone, together, or one after the other."""

import copy
import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from mtlbook_lib._checks import counts, function, instance, one_of, positive, real_array, scalar, texts, whole, within
from mtlbook_lib.data.benchmarks import Pictures
from mtlbook_lib.data.two_tasks.image_classes import ClassSplit, split_classes
from mtlbook_lib.methods.benchmarks.scores import Scores
from mtlbook_lib.methods.sharing import Training


@dataclass(frozen=True)
class Task:
    """Inputs of one task, (n, ...), and its classes, (n,)."""

    inputs: Tensor
    labels: Tensor

    def __len__(self) -> int:
        return len(self.labels)


class Loop:
    """Training of one seed; everything random comes from it."""

    def __init__(self, training: Training, tolerance: float, seed: int) -> None:
        self.training, self.tolerance, self.seed = training, tolerance, seed
        self.device, self.dtype = training.place()

    def fresh(self, make: Callable[[], nn.Module], part: int = 0) -> nn.Module:
        """A module with first weights drawn for this seed and part."""
        with self.training.random_state(1000 * self.seed + part):
            return instance("the result of network", make(), nn.Module).to(device=self.device, dtype=self.dtype)

    def fit(
        self, trunk: nn.Module, heads: Sequence[nn.Module], tasks: Sequence[Task], told: str, speed: float = 1.0
    ) -> None:
        """Train in place at `speed` times the rate; warn, by what it is `told`, if a loss stays above the tolerance."""
        with self.training.random_state(self.seed), torch.inference_mode(False):
            self._fit(trunk, heads, tasks, told, speed)

    def _fit(
        self, trunk: nn.Module, heads: Sequence[nn.Module], tasks: Sequence[Task], told: str, speed: float
    ) -> None:
        modules = nn.ModuleList([trunk, *heads]).train()
        rule = self._rule(modules, speed)
        generator = torch.Generator().manual_seed(self.seed)
        size = self.training.batch_size or max(map(len, tasks))
        streams = [_batches(task, size, generator) for task in tasks]
        n_steps, worst = math.ceil(max(map(len, tasks)) / size), math.inf
        for epoch in range(1, self.training.epochs + 1):
            sums = torch.zeros(len(tasks), device=self.device)
            for _ in range(n_steps):
                losses = _losses(trunk, heads, [next(batches) for batches in streams])
                rule.zero_grad()
                torch.autograd.backward(losses.sum())
                rule.step()
                sums += losses.detach()
            worst = float(sums.max()) / n_steps
            if not math.isfinite(worst):
                raise RuntimeError(f"{told}: training diverges. Choose a smaller rate.")
            if self.training.progress is not None:
                self.training.progress(epoch, self.training.epochs, worst)
            if worst <= self.tolerance:
                break
        else:
            ended = f"ended after {self.training.epochs} epochs at a loss of {worst:.2g}, above {self.tolerance:g}"
            warnings.warn(f"{told}: training {ended}.", stacklevel=3)
        _settle(trunk, torch.cat([task.inputs for task in tasks]), size)
        modules.eval()

    def _rule(self, modules: nn.Module, speed: float) -> torch.optim.Optimizer:
        rate, decay = speed * self.training.rate, self.training.decay
        kind = torch.optim.Adam if self.training.optimizer == "adam" else torch.optim.SGD
        return kind(modules.parameters(), lr=rate, weight_decay=decay)


@torch.no_grad()
def _settle(trunk: nn.Module, inputs: Tensor, size: int) -> None:
    """Let normalisation take its means and variances from the training inputs and the last weights.

    Its running means forget by a tenth a step. After a training of few steps they are those of other weights, and the
    network decides at random.
    """
    norms = [module for module in trunk.modules() if isinstance(module, nn.BatchNorm2d)]
    kept = [norm.momentum for norm in norms]
    for norm in norms:
        norm.reset_running_stats()
        norm.momentum = None  # a plain mean over the passes
    for part in torch.split(inputs, size) if norms else ():
        trunk(part)
    for norm, momentum in zip(norms, kept, strict=True):
        norm.momentum = momentum


def _batches(task: Task, size: int, generator: torch.Generator) -> Iterator[Task]:
    """Batches without end; each pass over the examples has another order."""
    while True:
        order = torch.randperm(len(task), generator=generator).to(task.labels.device)
        for rows in torch.split(order, size):
            yield Task(task.inputs[rows], task.labels[rows])


def _losses(trunk: nn.Module, heads: Sequence[nn.Module], batches: Sequence[Task]) -> Tensor:
    """Mean cross-entropy of each task; all pass through the trunk as one batch."""
    features = trunk(torch.cat([batch.inputs for batch in batches]))
    parts = torch.split(features, [len(batch) for batch in batches])
    losses = [cross_entropy(head(x), batch.labels) for head, x, batch in zip(heads, parts, batches, strict=True)]
    return torch.stack(losses)


ORDERS = ("alone", "together", "probed", "finetuned")
_TOLERANCES = 1e-6, 10.0  # single precision resolves no lower loss
_PROBING = 10.0  # times the rate, for a head on fixed features
_CHUNK = 256  # images that pass through a network at once when nothing is learned


@dataclass(frozen=True)
class Finetuning:
    """Steps between pretraining and finetuning.

    Attributes
    ----------
    factors : sequence of float
        Of the trunk, each > 0; each makes a method ``"finetuned × factor"`` besides the factor 1.
    scaled : {"all", "filters"}
        Whether all parameters of the trunk are multiplied, or those with two axes or more: not those of normalisation.
    head : float
        Factor of the new head's first weights, > 0.
    """

    factors: Sequence[float] = ()
    scaled: str = "all"
    head: float = 1.0

    def __post_init__(self) -> None:
        positive("factors", real_array("factors", self.factors, ndim=1))
        one_of("scaled", self.scaled, ("all", "filters"))
        scalar("head", self.head, positive)


def compare_pretraining(
    train: Pictures,
    test: Pictures,
    network: Callable[[], nn.Module],
    pair: ArrayLike,
    examples: Sequence[int] = (4, 8, 16, 32, 64),
    methods: Sequence[str] = ORDERS,
    finetuning: Finetuning | None = None,
    n_auxiliary: int = 512,
    tolerance: float = 0.01,
    training: Training | None = None,
    seed: int = 0,
) -> Scores:
    r"""Train each method with several numbers of main examples; share of the main task's test images in a wrong class.

    Source: Lindsey & Lippl (2023), Sec. 7 and Fig. 3 h, i. Optimizer, rate, batches, augmentation and which weights are
    multiplied are not in the text; there is no augmentation here.

    Parameters
    ----------
    train, test : Pictures
    network : callable
        Makes a module from images (n, colour, side, side) to features (n, r).
    pair : sequence of two int
        The classes of the main task. All others are those of the auxiliary task.
    examples : sequence of int
        Numbers of training images of the main task, even; half of them are of either class.
    methods : sequence of str
        ``"alone"``: the main task only. ``"together"``: both, the mean cross-entropy of each in every step.
        ``"probed"``: a head on that of the auxiliary task. ``"finetuned"``: that trunk and a new head, both trained.
    finetuning : Finetuning, optional
    n_auxiliary : int
        Training images of the auxiliary task.
    tolerance : float
        1e-6 to 10 nats. Training ends after an epoch in which the mean loss of every task was at most this; a warning
        names networks that got to the last epoch without.
    training : Training, optional
        Its rate, epochs, batch size, optimizer, decay, device, precision and progress; nothing is held out.
    seed : int

    Returns
    -------
    Scores
        Of one seed; in place of tasks there are the numbers of examples.

    Raises
    ------
    ValueError
        If there are too few images.
    """
    names, settings = texts("methods", methods), Finetuning() if finetuning is None else finetuning
    chosen = [one_of("methods", name, ORDERS) for name in names]
    if not chosen or len(set(chosen)) < len(chosen):
        raise ValueError(f"methods must hold one or more of {', '.join(ORDERS)}, each once; got {names}.")
    sizes = counts("examples", examples, 2)
    if sizes.ndim != 1 or not sizes.size or np.any(sizes % 2):
        raise ValueError(f"examples must be one or more even numbers; got {sizes.tolist()}.")
    given = instance("train", train, Pictures), instance("test", test, Pictures)
    number = whole("seed", seed, 0)
    split = split_classes(given[0].labels, pair, int(sizes.max()), n_auxiliary, number)
    given_training = Training() if training is None else instance("training", training, Training)
    goal = scalar("tolerance", tolerance, lambda name, value: within(name, value, *_TOLERANCES))
    loop = Loop(given_training.check(), goal, number)
    data = _Data(loop, *given, split, counts("pair", pair, 0).tolist())
    study = _Study(data, loop, function("network", network), instance("finetuning", settings, Finetuning))
    errors = {name: [study.errors(name, int(n)) for n in sizes] for name in chosen}
    values = {name: np.array([[one[name] for one in row]]) for row in errors.values() for name in row[0]}
    return Scores(tuple(f"n = {n}" for n in sizes), ("error",) * len(sizes), values)


class _Data:
    """Images as tensors, each colour centred and scaled by the auxiliary training images."""

    def __init__(self, loop: Loop, train: Pictures, test: Pictures, split: ClassSplit, pair: list[int]) -> None:
        self.device, self.dtype = loop.device, loop.dtype
        there = np.flatnonzero(np.isin(test.labels, pair))
        if not len(there):
            raise ValueError(f"test must have images of the classes {pair}; it has none.")
        colours = train.images[split.auxiliary].astype(np.float64)
        self.centre, self.spread = colours.mean(axis=(0, 2, 3)), np.maximum(colours.std(axis=(0, 2, 3)), 1e-6)
        self.main_images, self.main_labels = self.images(train.images[split.main]), self._labels(split.main_labels)
        self.auxiliary = Task(self.images(train.images[split.auxiliary]), self._labels(split.auxiliary_labels))
        self.n_classes = len(np.unique(train.labels)) - 2
        self.test = self.images(test.images[there])
        self.truth = (test.labels[there] == pair[1]).astype(np.int64)

    def main(self, n: int) -> Task:
        return Task(self.main_images[:n], self.main_labels[:n])

    def images(self, values: NDArray[np.uint8]) -> Tensor:
        scaled = (values - self.centre[:, None, None]) / self.spread[:, None, None]
        return torch.from_numpy(scaled).to(device=self.device, dtype=self.dtype)

    def _labels(self, labels: NDArray[np.int64]) -> Tensor:
        return torch.from_numpy(labels).to(self.device)


class _Study:
    """One seed: the start that all methods share, and the pretrained trunk, which is trained once."""

    def __init__(self, data: _Data, loop: Loop, network: Callable[[], nn.Module], finetuning: Finetuning) -> None:
        self.data, self.loop, self.finetuning = data, loop, finetuning
        self.start = loop.fresh(network)
        self.n_features = _features(self.start, data.test[:1]).shape[1]

    @cached_property
    def pretrained(self) -> nn.Module:
        """The trunk after the auxiliary task."""
        trunk = copy.deepcopy(self.start)
        self.loop.fit(trunk, [self._head(self.data.n_classes, 1)], [self.data.auxiliary], "pretraining")
        return trunk

    def errors(self, method: str, n: int) -> dict[str, float]:
        """Test errors of a method, or of its variants."""
        task, told = self.data.main(n), f"{method} with {n} examples"
        if method == "alone":
            return {method: self._trained(copy.deepcopy(self.start), [self._head(2, 0)], [task], told)}
        if method == "together":
            heads = [self._head(2, 0), self._head(self.data.n_classes, 1)]
            return {method: self._trained(copy.deepcopy(self.start), heads, [task, self.data.auxiliary], told)}
        if method == "probed":
            head = self._head(2, 2, self.finetuning.head)
            seen = Task(_features(self.pretrained, task.inputs), task.labels)
            self.loop.fit(nn.Identity(), [head], [seen], told, _PROBING)
            return {method: self._error(self.pretrained, head)}
        factors = dict.fromkeys([1.0, *map(float, self.finetuning.factors)])
        names = {factor: method if factor == 1 else f"{method} × {factor:g}" for factor in factors}
        return {name: self._tuned(task, factor, f"{name} with {n} examples") for factor, name in names.items()}

    def _tuned(self, task: Task, factor: float, told: str) -> float:
        trunk = rescaled(self.pretrained, factor, self.finetuning.scaled)
        return self._trained(trunk, [self._head(2, 2, self.finetuning.head)], [task], told)

    def _trained(self, trunk: nn.Module, heads: list[nn.Module], tasks: list[Task], told: str) -> float:
        self.loop.fit(trunk, heads, tasks, told)
        return self._error(trunk, heads[0])

    def _head(self, n_classes: int, part: int, size: float = 1.0) -> nn.Module:
        head = self.loop.fresh(lambda: nn.Linear(self.n_features, n_classes), 1 + part)
        return rescaled(head, size, "all")

    @torch.no_grad()
    def _error(self, trunk: nn.Module, head: nn.Module) -> float:
        told = head(_features(trunk, self.data.test)).argmax(dim=1).cpu().numpy()
        return float(np.mean(told != self.data.truth))


def rescaled(network: nn.Module, factor: float, scaled: str = "all") -> nn.Module:
    """A copy of a network whose parameters are multiplied by a factor.

    Parameters
    ----------
    network : torch.nn.Module
    factor : float
        > 0.
    scaled : {"all", "filters"}
        "filters" are parameters with two axes or more; what normalisation learns has one.
    """
    size, all_of_them = scalar("factor", factor, positive), one_of("scaled", scaled, ("all", "filters")) == "all"
    copied = copy.deepcopy(instance("network", network, nn.Module))
    with torch.no_grad():
        for weights in copied.parameters():
            if all_of_them or weights.ndim > 1:
                weights.mul_(size)
    return copied


@torch.no_grad()
def _features(trunk: nn.Module, images: Tensor) -> Tensor:
    """Features of a trunk that learns nothing."""
    trunk.eval()
    return torch.cat([trunk(part) for part in torch.split(images, _CHUNK)])
