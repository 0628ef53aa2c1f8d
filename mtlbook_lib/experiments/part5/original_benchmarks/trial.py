"""All three benchmarks from generated files to a table of scores, by the way that real files take."""

from __future__ import annotations

import tempfile
import warnings
from pathlib import Path

from mtlbook_lib.data.benchmarks import (
    GLUE,
    SENTIMENT,
    chest_xrays,
    glue_task,
    sentiment_task,
    word_vectors,
)
from mtlbook_lib.experiments.part5.original_benchmarks.formats import (
    FINDINGS_HERE,
    SIDE,
    write_chest,
    write_glue,
    write_sentiment,
    write_vectors,
)
from mtlbook_lib.experiments.sizes import sized
from mtlbook_lib.methods.benchmarks import (
    Scores,
    WordEncoder,
    compare_images,
    compare_texts,
    small_network,
    vocabulary,
)
from mtlbook_lib.methods.sharing import Training

_N_INPUTS, _WIDTH, _LENGTH = 12, 12, 24


@sized(
    quick={"n_rows": 30, "epochs": 2},
    paper={"n_rows": 60, "epochs": 12},
    large={"n_rows": 1000, "epochs": 30},
    large_cost="1 GB, 20 min on one core",
)
def format_check(*, n_rows: int, epochs: int, seed: int = 0) -> dict[str, Scores]:
    """Scores of every method on generated files in the formats of the three benchmarks.

    The sentences hold one telling word, the images a bright corner for each finding: whatever reads them rightly and
    trains gets far above chance. What the methods score there says nothing about the paper.

    Parameters
    ----------
    n_rows : int
        Rows of a file.
    epochs : int
        Of each training.
    seed : int
        Of files and training.

    Returns
    -------
    dict of str to Scores
        By benchmark: ``"GLUE"``, ``"sentiment"``, ``"ChestX-ray14"``.
    """
    training = Training(epochs=epochs, batch_size=16, rate=1e-2, patience=epochs, dtype="float32")
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        write_glue(folder / "glue", n_rows, seed)
        write_sentiment(folder / "sentiment", n_rows, seed)
        write_vectors(folder / "vectors.txt", _N_INPUTS, seed)
        write_chest(folder / "chest", n_rows, seed)
        glue = {name: glue_task(folder / "glue", name) for name in GLUE}
        whole = {name: sentiment_task(folder / "sentiment", name) for name in SENTIMENT}
        sentiment = {name: rows.split(seed, 0.3) for name, rows in whole.items()}
        words = vocabulary([part for task in (*glue.values(), *sentiment.values()) for part in (task.train, task.test)])
        encoder = WordEncoder(words, word_vectors(folder / "vectors.txt", words), "mlp", _WIDTH, _LENGTH)
        images = compare_images(
            *chest_xrays(folder / "chest"), small_network(16), findings=FINDINGS_HERE, side=SIDE, training=training,
            seed=seed,
        )  # fmt: skip
    with warnings.catch_warnings():  # the tasks are easy, so that Kendall's weights reach their bound
        warnings.filterwarnings("ignore", message="task . is fitted almost exactly")
        texts = {name: compare_texts(tasks, encoder, training=training, seed=seed)
                 for name, tasks in (("GLUE", glue), ("sentiment", sentiment))}  # fmt: skip
    return {**texts, "ChestX-ray14": images}
