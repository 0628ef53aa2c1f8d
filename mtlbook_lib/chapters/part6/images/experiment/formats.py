"""Small files in the format of CIFAR-100, and the way from there to test errors."""

from __future__ import annotations

import pickle
import struct
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import count
from mtlbook_lib._random import stream
from mtlbook_lib.data.benchmarks import cifar
from mtlbook_lib.methods.benchmarks import Finetuning, Scores, compare_pretraining, small_network, together
from mtlbook_lib.methods.sharing import Training

CLASSES = 6
_SIDE, _BAR = 32, 4


def write_cifar(folder: str | Path, n_per_class: int, seed: int) -> None:
    """Write ``cifar-100-python`` with six easy classes, as Python 2 pickled the true files.

    A class is a bright bar, whose place says which one, in noise.

    Parameters
    ----------
    folder : path
        Made if needed.
    n_per_class : int
        Training images of each class; the test file has as many.
    seed : int
    """
    n, drawn = count("n_per_class", n_per_class), count("seed", seed, 0)
    place = Path(folder) / "cifar-100-python"
    place.mkdir(parents=True, exist_ok=True)
    for part, name in enumerate(("train", "test")):
        data, labels = _bars(n, np.random.default_rng([drawn, part]))
        files = [f"bar_{label}_{i}.png".encode() for i, label in enumerate(labels)]
        content = {b"filenames": files, b"batch_label": f"{name}ing batch 1 of 1".encode(), b"fine_labels": labels,
                   b"coarse_labels": [label // 2 for label in labels], b"data": data}  # fmt: skip
        (place / name).write_bytes(pickled(content))
    names = {b"fine_label_names": [f"bar_{k}".encode() for k in range(CLASSES)],
             b"coarse_label_names": [f"bars_{k}".encode() for k in range(CLASSES // 2)]}  # fmt: skip
    (place / "meta").write_bytes(pickled(names))


def format_check(n_seeds: int = 1) -> Scores:
    """Test errors on generated files, by the way of the command ``benchmark cifar100``, with a small encoder."""
    training = Training(rate=1e-2, epochs=200, batch_size=32, dtype="float32")
    with tempfile.TemporaryDirectory() as folder:
        write_cifar(folder, 16, 0)
        train, test = cifar(folder)
    pairs = [stream(seed, "image classes: pair").permutation(CLASSES)[:2] for seed in range(n_seeds)]
    return together([
        compare_pretraining(train, test, small_network(32), pair, (4, 16), finetuning=Finetuning((0.5,)),
                            n_auxiliary=64, tolerance=0.1, training=training, seed=seed)
        for seed, pair in enumerate(pairs)
    ])  # fmt: skip


def pickled(value: Any) -> bytes:
    """A value as Python 2 pickled it with protocol 2: text as bytes, arrays by the names of an older numpy."""
    return pickle.PROTO + b"\x02" + _item(value) + pickle.STOP


def _item(value: Any) -> bytes:
    """The opcodes that put a value on the stack."""
    if value is None or isinstance(value, bool):
        return {None: pickle.NONE, True: pickle.NEWTRUE, False: pickle.NEWFALSE}[value]
    if isinstance(value, bytes):
        return pickle.BINSTRING + struct.pack("<i", len(value)) + value
    if isinstance(value, int):
        return pickle.BININT + struct.pack("<i", value)
    if isinstance(value, dict):
        parts = b"".join(_item(part) for pair in value.items() for part in pair)
        return pickle.EMPTY_DICT + pickle.MARK + parts + pickle.SETITEMS
    if isinstance(value, list | tuple):
        parts = pickle.MARK + b"".join(map(_item, value))
        return pickle.EMPTY_LIST + parts + pickle.APPENDS if isinstance(value, list) else parts + pickle.TUPLE
    return _array(value)


def _array(values: NDArray[np.uint8]) -> bytes:
    """What numpy gives pickle for an array of bytes: how to make an empty one, and then its state."""
    made = pickle.GLOBAL + b"numpy\nndarray\n" + _item((0,)) + _item(b"b")
    empty = pickle.GLOBAL + b"numpy.core.multiarray\n_reconstruct\n" + pickle.MARK + made + pickle.TUPLE + pickle.REDUCE
    kind = pickle.GLOBAL + b"numpy\ndtype\n" + _item((b"u1", 0, 1)) + pickle.REDUCE
    kind += _item((3, b"|", None, None, None, -1, -1, 0)) + pickle.BUILD
    state = pickle.MARK + _item(1) + _item(values.shape) + kind + _item(False) + _item(values.tobytes()) + pickle.TUPLE
    return empty + state + pickle.BUILD


def _bars(n_per_class: int, rng: np.random.Generator) -> tuple[NDArray[np.uint8], list[int]]:
    labels = rng.permutation(np.repeat(np.arange(CLASSES), n_per_class))
    images = rng.integers(0, 100, (len(labels), 3, _SIDE, _SIDE), dtype=np.uint8)
    for image, label in zip(images, labels, strict=True):
        image[:, :, 5 * label : 5 * label + _BAR] += 120
    return images.reshape(len(labels), -1), labels.tolist()
