"""The original benchmarks: the way from files to scores, and what their test sets can resolve."""

import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib._extras import require
from mtlbook_lib._random import stream
from mtlbook_lib.chapters.part5.original_benchmarks import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.benchmarks import FINDINGS, GLUE, SENTIMENT, chest_xrays, glue_task, sentiment_task, word_vectors
from mtlbook_lib.data.scores import area_under_curve, normal_scores
from mtlbook_lib.methods.benchmarks import Scores, WordEncoder, compare_images, compare_texts, small_network, vocabulary
from mtlbook_lib.methods.sharing import Training
from mtlbook_lib.statistics import mean_and_error
from mtlbook_lib.theory.hard_sharing import svd_task_weights
from mtlbook_lib.theory.resolution import accuracy_gain_error, area_gain_error

WORDS = tuple(f"word{i}" for i in range(40))
TELLING = {"good": 0, "fine": 0, "bad": 1, "dull": 1}  # which of two classes each of them tells
SIDE = SETTINGS.side
FINDINGS_HERE = ("Mass", "Nodule", "Hernia")
_QUESTIONS = ("ABBR", "DESC", "ENTY", "HUM", "LOC", "NUM")
_GLUE = {
    "CoLA": ("", "gj04\t{y}\t\t{a}"),
    "MRPC": ("Quality\t#1 ID\t#2 ID\t#1 String\t#2 String\n", '{y}\t{i}\t{i}1\t{a}\tsay "{b}'),
    "QNLI": ("index\tquestion\tsentence\tlabel\n", "{i}\t{a} ?\t{b}\t{entailed}"),
    "RTE": ("index\tsentence1\tsentence2\tlabel\n", "{i}\t{a}\t{b}\t{entailed}"),
    "SST-2": ("sentence\tlabel\n", "{a} \t{y}"),
}
_TABLE = "Image Index,Finding Labels,Follow-up #,Patient ID,OriginalImage[Width,Height],OriginalImagePixelSpacing[x,y],"


def write_glue(folder: Path, n_rows: int, seed: int) -> None:
    """The five tasks; each row has one telling word in ten."""
    for name, (header, line) in _GLUE.items():
        (folder / name).mkdir(parents=True)
        for part in ("train", "dev"):
            rng = stream(seed, f"{name} {part}")
            rows = []
            for i, y in enumerate(rng.integers(0, 2, n_rows)):
                a, b = _sentence(rng, int(y)), _sentence(rng, int(y))
                rows.append(line.format(i=i, y=y, a=a, b=b, entailed=("not_entailment", "entailment")[y]))
            (folder / name / f"{part}.tsv").write_text(header + "\n".join(rows) + "\n", encoding="utf-8")


def write_sentiment(folder: Path, n_rows: int, seed: int) -> None:
    """The six sets, SST as trees; `n_rows` of each class or file."""
    rng = stream(seed, "sentiment")
    pairs = {
        "MR": ("rt-polarity.neg", "rt-polarity.pos"),
        "SUBJ": ("plot.tok.gt9.5000", "quote.tok.gt9.5000"),
        "CR": ("custrev.neg", "custrev.pos"),
        "MPQA": ("mpqa.neg", "mpqa.pos"),
    }
    for name, files in pairs.items():
        for y, file in enumerate(files):
            _write(folder / name / file, [f"{_sentence(rng, y)} café ." for _ in range(n_rows)], "latin-1")
    for file in ("train_5500.label", "TREC_10.label"):
        labels = rng.integers(0, 2, n_rows)
        rows = [f"{_QUESTIONS[y]}:other What is {_sentence(rng, int(y))} ?" for y in labels]
        _write(folder / "TREC" / file, rows, "latin-1")
    for file in ("train.txt", "dev.txt", "test.txt"):
        labels = rng.integers(0, 2, n_rows)
        _write(folder / "SST" / file, [_tree(_sentence(rng, int(y)), 1 + 2 * int(y)) for y in labels], "utf-8")


def write_vectors(path: Path, n_inputs: int, seed: int) -> None:
    """Vectors in the format of GloVe, for all words but some."""
    rng = stream(seed, "vectors")
    rows = [f"{word} " + " ".join(f"{x:.5f}" for x in rng.standard_normal(n_inputs)) for word in (*WORDS, *TELLING)]
    _write(path, rows, "utf-8")


def write_chest(folder: Path, n_rows: int, seed: int) -> None:
    """The table, the lists, and noisy images in which each of three findings is a bright corner."""
    require("images", "PIL")
    from PIL import Image

    rng = stream(seed, "chest")
    (folder / "images").mkdir(parents=True)
    rows, names = [_TABLE], []
    for i, there in enumerate(rng.random((2 * n_rows, len(FINDINGS_HERE))) < 0.4):
        image = rng.integers(0, 120, (SIDE, SIDE))
        findings = [name for name, y in zip(FINDINGS_HERE, there, strict=True) if y]
        for name in findings:
            corner = FINDINGS_HERE.index(name)
            image[_half(corner // 2), _half(corner % 2)] += 60
        findings += ["Effusion"] if rng.random() < 0.2 else []
        names.append(f"{i:08d}_000.png")
        Image.fromarray(image.astype(np.uint8)).save(folder / "images" / names[-1])
        listed = sorted(findings, key=FINDINGS.index)
        rows.append(f"{names[-1]},{'|'.join(listed) or 'No Finding'},0,{i},2500,2048,0.143,0.143,")
    _write(folder / "Data_Entry_2017.csv", rows, "utf-8")
    _write(folder / "train_val_list.txt", names[:n_rows], "utf-8")
    _write(folder / "test_list.txt", names[n_rows:], "utf-8")


def _half(second: int) -> slice:
    return slice(second * SIDE // 2, (second + 1) * SIDE // 2)


def _sentence(rng: np.random.Generator, y: int) -> str:
    """Words at random, one of which tells the class."""
    words = [WORDS[i] for i in rng.integers(0, len(WORDS), rng.integers(6, 12))]
    telling = [word for word, label in TELLING.items() if label == y]
    words[rng.integers(len(words))] = telling[rng.integers(len(telling))]
    return " ".join(words)


def _tree(sentence: str, label: int) -> str:
    """A tree that branches to the right, its root with the label."""
    words = sentence.split()
    tree = f"(2 {words[-1]})"
    for word in words[-2:0:-1]:
        tree = f"(2 (2 {word}) {tree})"
    return f"({label} (2 {words[0]}) {tree})"


def _write(path: Path, rows: list[str], encoding: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(("\n".join(rows) + "\n").encode(encoding))


_N_INPUTS, _WIDTH, _LENGTH = 12, 12, 24


@sized(n_rows=SETTINGS.n_rows, epochs=SETTINGS.epochs, cost="1 GB, 20 min on one core")
def format_check(*, n_rows: int, epochs: int, seed: int = 0) -> dict[str, Scores]:
    """Scores of every method on generated files in the formats of the three benchmarks.

    The sentences hold one telling word, the images a bright corner for each finding: whatever reads them rightly and
    trains gets far above chance. What the methods score there says nothing about the paper. Files have `n_rows` rows;
    the scores are by benchmark, ``"GLUE"``, ``"sentiment"`` and ``"ChestX-ray14"``.
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


GLUE_ROWS = {"CoLA": 1043, "MRPC": 408, "QNLI": 5463, "RTE": 277, "SST-2": 872}
SENTIMENT_ROWS = {"MR": 10662, "SST": 9613, "SUBJ": 10000, "CR": 3775, "MPQA": 10606, "TREC": 5952}
FINDING_COUNTS = {
    "Infiltration": 19894, "Effusion": 13317, "Atelectasis": 11559, "Nodule": 6331, "Mass": 5782, "Pneumothorax": 5302,
    "Consolidation": 4667, "Pleural_Thickening": 3385, "Cardiomegaly": 2776, "Emphysema": 2516, "Edema": 2303,
    "Fibrosis": 1686, "Pneumonia": 1431, "Hernia": 227,
}  # fmt: skip
N_IMAGES, N_TEST_IMAGES = SETTINGS.n_images, SETTINGS.n_test_images
TYPICAL_AREA = SETTINGS.typical_area


@dataclass(frozen=True)
class AreaScatter:
    """Standard deviations of areas over test sets, measured and predicted, for each prevalence."""

    single: Array
    predicted_single: Array
    paired: Array
    predicted_paired: Array
    n_sets: int


@sized(n_sets=SETTINGS.n_sets_area_scatter, cost="1 GB, 10 min on one core")
def area_scatter(
    prevalences: Array, *, n_sets: int, n_rows: int = 4000, area: float = TYPICAL_AREA, correlation: float = 0.9
) -> AreaScatter:
    """How areas under the curve, and the difference of two of them, scatter over random test sets.

    Scores are normal, shifted for positives so that the area is `area`; those of the two models are correlated.
    """
    positives = np.round(np.asarray(prevalences) * n_rows).astype(int)
    measured = []
    for part, n in enumerate(positives.tolist()):
        first, second = area_under_curve(*normal_scores(n, n_rows - n, area, correlation, n_sets, part)).T
        measured.append((first.std(ddof=1), (second - first).std(ddof=1)))
    single, paired = np.transpose(measured)
    alone, together = np.asarray(
        [area_gain_error(area, positives, n_rows - positives, rho) for rho in (0.0, correlation)]
    )
    return AreaScatter(single, alone / np.sqrt(2), paired, together, n_sets)


def average_gain_error(benchmark: str, disagreement: float = 0.1, correlation: float = 0.9) -> float:
    """Standard error, over test rows, of the gain that a method has on average over the tasks of a benchmark.

    That is ``"GLUE"``, ``"sentiment"`` (a tenth of each set) or ``"ChestX-ray14"`` (14 areas of 0.84, the official
    number of test images with the findings as frequent as in all). The `disagreement` is the share of rows on which one
    model is right and the other wrong, for accuracies; the `correlation` is that of both models' scores, for areas.
    """
    if benchmark == "ChestX-ray14":
        positives = np.array(list(FINDING_COUNTS.values())) * N_TEST_IMAGES / N_IMAGES
        errors = area_gain_error(TYPICAL_AREA, positives, N_TEST_IMAGES - positives, correlation)
    else:
        rows = GLUE_ROWS if benchmark == "GLUE" else {name: n / 10 for name, n in SENTIMENT_ROWS.items()}
        errors = accuracy_gain_error(disagreement, list(rows.values()))
    return float(np.sqrt(np.sum(np.square(errors))) / np.size(errors))


@sized(n_sets=SETTINGS.n_sets_noisy_weights, cost="300 MB, 5 min on one core")
def noisy_weights(prevalences: Array, shares: Array, *, n_sets: int, n_rows: int = 20_000) -> tuple[Array, Array]:
    """Weight that Algorithm 2 (rank 1) gives a task with random labels, relative to that of the true ones.

    Labels tell whether a noisy linear function of ten inputs is among the largest; a share is drawn anew.
    Mean over data sets and its standard error, (share, prevalence).
    """
    ratios = np.empty((n_sets, len(shares), len(prevalences)))
    for i, j in np.ndindex(n_sets, len(prevalences)):
        rng = stream(i, "noisy weights", j)
        x = rng.standard_normal((n_rows, 10))
        score = x.sum(axis=1) + rng.standard_normal(n_rows)
        labels = (score > np.quantile(score, 1 - prevalences[j])).astype(float)
        for k, share in enumerate(shares):
            drawn_anew = np.where(rng.random(len(labels)) < share, rng.integers(0, 2, len(labels)), labels)
            both = np.column_stack([labels, drawn_anew])
            weights = svd_task_weights(x, (both - both.mean(axis=0)) / both.std(axis=0), 1)
            ratios[i, k, j] = weights[1] / weights[0]
    return mean_and_error(ratios)
