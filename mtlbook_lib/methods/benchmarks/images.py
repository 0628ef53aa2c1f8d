"""Methods of weighting on many findings of the same images."""

from collections.abc import Callable, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from mtlbook_lib._checks import Array, function, instance, one_of, texts, whole
from mtlbook_lib.data.benchmarks import FINDINGS, XRays, pixels, with_random_labels
from mtlbook_lib.data.scores import area_under_curve
from mtlbook_lib.methods.benchmarks.scores import Scores
from mtlbook_lib.methods.sharing import TaskModel, Training, UncertaintyWeighting, shared, single_task
from mtlbook_lib.theory.hard_sharing import svd_task_weights

WEIGHTINGS = ("alone", "shared", "Kendall", "Algorithm 2")
_LOSS = "cross-entropy"
_CHUNK = 256  # images that pass through a network at once when nothing is learned
# Means and deviations of the three colours that networks of torchvision were trained with.
_MEAN, _DEVIATION = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)


def compare_images(
    train: XRays,
    test: XRays,
    network: Callable[[], nn.Module],
    methods: Sequence[str] = WEIGHTINGS,
    findings: Sequence[str] = FINDINGS,
    rank: int = 1,
    noisy: str | None = None,
    side: int = 224,
    training: Training | None = None,
    seed: int = 0,
) -> Scores:
    r"""Train each method on some findings of the same images; area under the curve on the test images.

    Source: Wu, Zhang & Ré (2020), Algorithm 2, Sec. 3.2 and Fig. 12. Which inputs Algorithm 2 compares the labels with
    is not said for a deep network; raw pixels of images that are not registered say little, so we take features.

    Parameters
    ----------
    train, test : XRays
    network : callable
        Makes a module from images (n, 3, side, side) to features (n, r), pretrained or not.
    methods : sequence of str
        ``"alone"``: a network for each finding. ``"shared"``: one for all, equal weights. ``"Kendall"``: learned
        weights. ``"Algorithm 2"``: weights from the labels and the features of the untrained `network`.
    findings : sequence of str
        Tasks, of ``FINDINGS``.
    rank : int
        :math:`r` of Algorithm 2, which the paper does not give; at most the number of findings.
    noisy : str, optional
        A finding whose labels are random on 20 % of the training images (Fig. 12).
    side : int
        Pixels of a side, to which the images are scaled. They are kept in memory, a byte a pixel.
    training : Training, optional
    seed : int

    Returns
    -------
    Scores
        Of one seed.

    Raises
    ------
    ValueError
        If a finding does not vary in the training or the test images, or a file cannot be read.
    """
    names, tasks = texts("methods", methods), texts("findings", findings)
    for name, known, found in (("methods", WEIGHTINGS, names), ("findings", FINDINGS, tasks)):
        if not found or len(set(found)) < len(found):
            raise ValueError(f"{name} must hold one or more of {', '.join(known)}, each once; got {found}.")
    columns = [FINDINGS.index(one_of("findings", name, FINDINGS)) for name in tasks]
    labels, truth = (instance(n, given, XRays).findings[:, columns] for n, given in (("train", train), ("test", test)))
    _check_varies(tasks, {"train": labels, "test": truth})
    if training is not None:
        instance("training", training, Training).check()
    if noisy is not None:
        labels = with_random_labels(labels, tasks.index(one_of("noisy", noisy, tuple(tasks))), seed)
    make = _lookup(pixels([*train.files, *test.files], side), function("network", network))
    rows = np.arange(len(train) + len(test))[:, None]
    values = {}
    for name in names:
        weights = _weights(make, rows[: len(train)], labels, rank, training, seed) if name == WEIGHTINGS[3] else None
        model = _model(one_of("methods", name, WEIGHTINGS), make, weights, training, seed)
        outputs = model.fit(rows[: len(train)], labels).outputs(rows[len(train) :])
        values[name] = area_under_curve(np.column_stack(outputs).T, truth.T)[None]
    return Scores(tuple(tasks), ("AUC",) * len(tasks), values)


class _Lookup(nn.Module):
    """A network on images that are named by their number, so that a table of rows stays small."""

    def __init__(self, images: NDArray[np.uint8], network: nn.Module) -> None:
        super().__init__()
        self.images = (images,)  # in a tuple, so that torch counts them neither as parameters nor as a state
        self.network = network
        self.colours = nn.Parameter(torch.tensor([_MEAN, _DEVIATION]).reshape(2, 3, 1, 1), requires_grad=False)

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        return torch.cat([self._features(part) for part in torch.split(rows[:, 0], _CHUNK)])

    def _features(self, numbers: torch.Tensor) -> torch.Tensor:
        grey = torch.from_numpy(self.images[0][numbers.cpu().numpy()]).to(numbers.device)
        mean, deviation = self.colours
        scaled = (grey[:, None].to(mean.dtype) / 255 - mean) / deviation
        features: torch.Tensor = self.network(scaled)
        return features


def _lookup(images: NDArray[np.uint8], network: Callable[[], nn.Module]) -> Callable[[], nn.Module]:
    return lambda: _Lookup(images, instance("the result of network", network(), nn.Module))


def _model(
    name: str, make: Callable[[], nn.Module], weights: Array | None, training: Training | None, seed: int
) -> TaskModel:
    if name == "alone":
        return single_task(make, loss=_LOSS, training=training, seed=seed)
    if name == "Kendall":
        return UncertaintyWeighting(make, loss=_LOSS, training=training, seed=seed)
    return shared(make, loss=_LOSS, weights=weights, training=training, seed=seed)


def _weights(
    make: Callable[[], nn.Module], rows: NDArray[np.int64], labels: Array, rank: int, training: Training | None,
    seed: int,
) -> Array:  # fmt: skip
    """Weights of Algorithm 2 from centred and scaled labels, with mean 1."""
    features = _features(make, rows, training, seed)
    standard = (labels - labels.mean(axis=0)) / labels.std(axis=0)
    weights = svd_task_weights(features - features.mean(axis=0), standard, rank)
    return np.asarray(weights / weights.mean())


@torch.no_grad()
def _features(make: Callable[[], nn.Module], rows: NDArray[np.int64], training: Training | None, seed: int) -> Array:
    """Features of the network before any training, shape (n, r)."""
    training = Training() if training is None else training
    device, dtype = training.place()
    with training.random_state(whole("seed", seed, 0)):
        module = make().to(device=device, dtype=dtype).eval()
    return np.asarray(module(torch.from_numpy(rows).to(device)).cpu().numpy(), dtype=np.float64)


def _check_varies(tasks: list[str], tables: dict[str, Array]) -> None:
    for name, table in tables.items():
        for task, column in zip(tasks, table.T, strict=True):
            if column.min() == column.max():
                raise ValueError(f"{name} must have images with and without each finding; {task} is {column[0]:g} in "
                                 f"all {len(column)}. Leave it out of findings.")  # fmt: skip
