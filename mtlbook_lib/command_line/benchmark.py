"""The command ``python -m mtlbook_lib benchmark``: the paper's comparisons, for whoever has the data."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mtlbook_lib.data.benchmarks import TextTask
    from mtlbook_lib.methods.benchmarks import Scores, TextEncoder
    from mtlbook_lib.methods.sharing import Training

# Epochs, rate and batch of the paper (App. B.3), or of whom it follows there; those of CIFAR-100 are ours.
SETTINGS = {
    "glue": (5, 2e-5, 16),
    "sentiment": (30, 1e-3, 32),
    "chestxray": (20, 1e-3, 16),
    "cifar100": (300, 1e-3, 64),
}
WORDS = ("mlp", "lstm", "cnn")
ORIGIN = "Nothing is downloaded. A message names what is missing, the layout, and who gives the data away."


def add_parsers(commands: Any, epilog: str) -> None:
    """Add the command, with one below it for each benchmark."""
    top = commands.add_parser(
        "benchmark", epilog=epilog, help="GLUE, sentiment, ChestX-ray14 or CIFAR-100, on your copy"
    )
    below = top.add_subparsers(required=True, metavar="benchmark")
    described = {
        "glue": "Algorithm 1 on five tasks of GLUE (Fig. 5a)",
        "sentiment": "Algorithm 1 on sets of sentences: six (Figs. 5b, 6, 10 and 11, Table 1), or yours",
        "chestxray": "Algorithm 2 on the findings of ChestX-ray14 (Sec. 3.2, Fig. 12)",
        "cifar100": "two classes of CIFAR-100 beside the other 98 (Lindsey & Lippl, Fig. 3 h, i)",
    }
    options = {"chestxray": _add_images, "cifar100": _add_pretraining}
    for name, text in described.items():
        one = below.add_parser(name, epilog=f"{ORIGIN} {epilog}", help=text, description=text)
        _add_common(one, name)
        options[name](one) if name in options else _add_texts(one, name)
        one.set_defaults(run=run, benchmark=name)


def run(given: argparse.Namespace) -> None:
    """Train and score every method for every seed, and print the table."""
    if given.save is not None and given.save.exists() and not given.force:
        raise FileExistsError(f"{given.save} exists; pass --force, or another --save.")
    from mtlbook_lib.methods.benchmarks import concatenate

    for name in ("seeds", "epochs", "batch", "examples"):
        if getattr(given, name) is not None and getattr(given, name) < 1:
            raise ValueError(f"--{name} must be at least 1; got {getattr(given, name)}.")
    one = {"chestxray": _images, "cifar100": _pretraining}.get(given.benchmark, _texts)(given)
    scores = concatenate([one(seed) for seed in range(given.seeds)])
    if sys.stderr.isatty():
        print(file=sys.stderr)
    settings = {key: str(value) for key, value in vars(given).items() if key not in ("run", "json", "force", "save")}
    told = json.dumps({"settings": settings, **scores.to_dict()}, indent=2)
    if given.save is not None:
        given.save.write_text(told + "\n", encoding="utf8")
    print(told if given.json else f"{scores}\nMean ± standard error over {given.seeds} seeds, in percent.")


def _add_common(one: argparse.ArgumentParser, name: str) -> None:
    epochs, rate, batch = SETTINGS[name]
    variable = f"MTLBOOK_{name.upper()}"
    one.add_argument("--folder", type=Path, help=f"of the data (default: {variable})")
    one.add_argument("--tasks", nargs="+", metavar="TASK", help="some of the tasks (default: all)")
    one.add_argument("--methods", nargs="+", metavar="METHOD", help="some of the methods (default: all)")
    one.add_argument("--examples", type=int, metavar="N", help="at most N training and N test rows a task, to try")
    one.add_argument("--seeds", type=int, default=5, help="number of seeds (default: 5)")
    one.add_argument("--epochs", type=int, default=epochs, help=f"(default: {epochs})")
    one.add_argument("--rate", type=float, default=rate, help=f"learning rate of Adam (default: {rate:g})")
    one.add_argument("--batch", type=int, default=batch, help=f"rows of a step (default: {batch})")
    one.add_argument("--json", action="store_true", help="print JSON instead of a table")
    one.add_argument("--save", type=Path, metavar="FILE", help="write the scores of every seed as JSON")
    one.add_argument("--force", action="store_true", help="overwrite the file of --save")


def _add_texts(one: argparse.ArgumentParser, name: str) -> None:
    usual = "bert" if name == "glue" else "lstm"
    one.add_argument("--encoder", choices=("bert", *WORDS), default=usual, help=f"(default: {usual})")
    one.add_argument("--glove", type=Path, metavar="FILE", help="word vectors (default: MTLBOOK_GLOVE)")
    one.add_argument("--bert", type=Path, metavar="FOLDER", help="model and tokenizer (default: MTLBOOK_BERT)")
    one.add_argument("--train-bert", action="store_true", help="train all of BERT; the paper holds it fixed")
    one.add_argument("--mean", action="store_true", help="mean over tokens, for encoders of sentences")
    one.add_argument("--width", type=int, default=200, help="features of a network on word vectors (default: 200)")
    one.add_argument("--length", type=int, default=128, help="words or tokens that are read (default: 128)")
    one.add_argument("--source", metavar="TASK", help="fine-tune from this task instead of sharing")


def _add_images(one: argparse.ArgumentParser) -> None:
    one.add_argument("--encoder", choices=("densenet", "small"), default="densenet", help="(default: densenet)")
    one.add_argument("--weights", type=Path, metavar="FILE", help="of DenseNet-121 (default: MTLBOOK_DENSENET)")
    one.add_argument("--side", type=int, default=224, help="pixels of a side (default: 224)")
    one.add_argument("--rank", type=int, default=1, help="of Algorithm 2, which the paper does not give (default: 1)")
    one.add_argument("--noisy", metavar="TASK", help="random labels on a fifth of its training images (Fig. 12)")


def _add_pretraining(one: argparse.ArgumentParser) -> None:
    one.add_argument("--encoder", choices=("resnet18", "small"), default="resnet18", help="(default: resnet18)")
    one.add_argument("--width", type=int, default=64, help="channels of the first stage (default: 64)")
    one.add_argument("--main", type=int, nargs="+", metavar="N", default=(4, 8, 16, 32, 64),
                     help="training images of the two classes, even numbers (default: 4 8 16 32 64)")  # fmt: skip
    one.add_argument("--auxiliary", type=int, default=512, help="training images of the other classes (default: 512)")
    one.add_argument("--factors", type=float, nargs="+", metavar="F", default=(0.8, 0.5, 0.2),
                     help="of the weights after pretraining, besides 1 (default: 0.8 0.5 0.2)")  # fmt: skip
    one.add_argument("--scaled", choices=("all", "filters"), default="all",
                     help="filters: the factor spares the parameters of normalisation (default: all)")  # fmt: skip
    one.add_argument("--head", type=float, default=1.0, help="factor of a new head's first weights (default: 1)")
    one.add_argument("--tolerance", type=float, default=0.01, help="loss at which training ends (default: 0.01)")


def _training(given: argparse.Namespace) -> Training:
    from mtlbook_lib.methods.sharing import Training

    validation = 1 / 9 if given.benchmark == "sentiment" else 0.1  # of nine tenths, or of the official training rows
    return Training(rate=given.rate, epochs=given.epochs, batch_size=given.batch, validation=validation,
                    patience=given.epochs, dtype="float32", progress=_progress).check()  # fmt: skip


def _progress(epoch: int, epochs: int, loss: float) -> None:
    """A line that says how far the network of the moment is, where a person looks on."""
    if sys.stderr.isatty():
        print(f"\rtraining: epoch {epoch} of {epochs}, held-out loss {loss:.4f}   ", end="", file=sys.stderr)


def _texts(given: argparse.Namespace) -> Callable[[int], Scores]:
    """Returns the scores of one seed, on tasks of texts."""
    from mtlbook_lib.data.benchmarks import GLUE, SENTIMENT, glue_task, sentiment_task
    from mtlbook_lib.methods.benchmarks import METHODS, compare_texts, transfer_texts

    if given.source is not None and given.methods is not None:
        raise ValueError("--methods are those of sharing; leave them out with --source.")
    training, read = _training(given), glue_task if given.benchmark == "glue" else sentiment_task
    found = {name: read(given.folder, name) for name in given.tasks or (GLUE if read is glue_task else SENTIMENT)}
    encoder = _encoder(given, found)

    def one(seed: int) -> Scores:
        tasks = {name: _fewer(_split(task, seed), given.examples, seed) for name, task in found.items()}
        if given.source is not None:
            return transfer_texts(tasks, given.source, encoder, training, seed)
        return compare_texts(tasks, encoder, given.methods or METHODS, training, seed)

    return one


def _encoder(given: argparse.Namespace, tasks: dict[str, Any]) -> TextEncoder:
    from mtlbook_lib.data.benchmarks import TextTask, word_vectors
    from mtlbook_lib.methods.benchmarks import BertEncoder, WordEncoder, vocabulary

    if given.encoder == "bert":
        return BertEncoder.from_folder(given.bert, given.length, not given.train_bert, given.mean)
    parts = [part for rows in tasks.values()
             for part in ((rows.train, rows.test) if isinstance(rows, TextTask) else (rows,))]  # fmt: skip
    words = vocabulary(parts)
    return WordEncoder(words, word_vectors(given.glove, words), given.encoder, given.width, given.length)


def _split(task: Any, seed: int) -> TextTask:
    """Sets without an official split are split at random, another way for each seed."""
    from mtlbook_lib.data.benchmarks import TextTask

    return task if isinstance(task, TextTask) else task.split(seed)


def _fewer(task: TextTask, most: int | None, seed: int) -> TextTask:
    if most is None:
        return task
    return type(task)(task.train.sample(most, seed), task.test.sample(most, seed), task.measure)


def _images(given: argparse.Namespace) -> Callable[[int], Scores]:
    """Returns the scores of one seed, on the findings of images."""
    from mtlbook_lib.data.benchmarks import FINDINGS, chest_xrays
    from mtlbook_lib.methods.benchmarks import WEIGHTINGS, DenseNet, compare_images, small_network

    training, parts = _training(given), chest_xrays(given.folder)
    if given.examples is not None:
        parts = (parts[0].sample(given.examples, 0), parts[1].sample(given.examples, 0))
    network = DenseNet(given.weights) if given.encoder == "densenet" else small_network()
    return lambda seed: compare_images(
        *parts, network, given.methods or WEIGHTINGS, given.tasks or FINDINGS, given.rank, given.noisy, given.side,
        training, seed,
    )  # fmt: skip


def _pretraining(given: argparse.Namespace) -> Callable[[int], Scores]:
    """Returns the scores of one seed on two classes of CIFAR-100, another pair for each unless two are named."""
    from mtlbook_lib._random import stream
    from mtlbook_lib.data.benchmarks import cifar
    from mtlbook_lib.methods.benchmarks import (
        ORDERS,
        Finetuning,
        compare_pretraining,
        residual_network,
        small_network,
    )

    training, (train, test) = _training(given), cifar(given.folder)
    if given.examples is not None:
        train, test = train.sample(given.examples, 0), test.sample(given.examples, 0)
    unknown = [name for name in given.tasks or () if name not in train.classes]
    if unknown or len(set(given.tasks or "ab")) != 2:
        raise ValueError(f"--tasks must be two classes of {', '.join(train.classes)}; got {', '.join(given.tasks)}.")
    network = (residual_network if given.encoder == "resnet18" else small_network)(given.width)
    finetuning = Finetuning(given.factors, given.scaled, given.head)

    def one(seed: int) -> Scores:
        drawn = stream(seed, "image classes: pair").permutation(len(train.classes))[:2]
        pair = [train.classes.index(name) for name in given.tasks] if given.tasks else drawn
        return compare_pretraining(
            train, test, network, pair, given.main, given.methods or ORDERS, finetuning, given.auxiliary,
            given.tolerance, training, seed,
        )  # fmt: skip

    return one
