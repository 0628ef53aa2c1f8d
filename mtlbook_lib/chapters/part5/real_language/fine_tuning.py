"""Training the encoder itself on few rated texts: probe, tune, both, joint, one kind after the other. Stored.

Needs the packages of ``make_columns``, and its file of texts in the working folder. Fetches nothing.
"""

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from mtlbook_lib._checks import Array
from mtlbook_lib._random import stream
from mtlbook_lib._remembered import remembered
from mtlbook_lib.chapters.part5.real_language import make_columns
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.chapters.stored_results import read, sweep_to_lists
from mtlbook_lib.chapters.sweep import combinations
from mtlbook_lib.data.opinions import DOMAINS, Opinions, few_rows, split_reviews

FILE, SOURCE = "part5/real_language/fine-tuning.json", "vaderSentiment-3.2.1.tar.gz"
OTHER = {"tweets": "movies", "movies": "tweets"}  # what is trained on 128 texts, and who has 50
RATES, HEAD_RATE, N_SEEDS = (5e-5, 2e-4), 1e-3, 5  # of AdamW, for the encoder and for heads
N_MANY, N_FEW, N_TEST = 128, 50, 120
STEPS, BATCH, FEW_BATCH = 24, 16, 8  # three epochs of the 128 texts, four of the 50
RIDGE, HALF, MOST_TOKENS = 1.0, 0.5, 32


@dataclass(frozen=True)
class Task:
    """Texts of one kind with ratings of mean 0 and variance 1; which of them each step takes, (step, batch)."""

    texts: list[str]
    ratings: Tensor
    batches: NDArray[np.int64]


@dataclass(frozen=True)
class Tuned:
    """Squared correlations of predictions with ratings of test reviews, (training domain, rate, seed)."""

    wide: dict[str, Array]  # of probe, tuned, both; with a last axis of test domains
    few: dict[str, Array]  # of alone, joint, after: trained on 50 texts of the other domain, and tested there

    @property
    def outside(self) -> dict[str, Array]:
        """Mean over the domains that were not trained on, (training domain, rate, seed)."""
        others = [[place for place, name in enumerate(DOMAINS) if name != domain] for domain in OTHER]
        return {
            name: np.stack([part[..., other].mean(axis=-1) for part, other in zip(parts, others, strict=True)])
            for name, parts in self.wide.items()
        }


def stored() -> Tuned:
    """Stored measurements of the last call of `run`."""
    return Tuned(read(FILE, "wide"), read(FILE, "few"))


@sized(file=FILE, minutes=15, lacking="a trained encoder, which the repository does not have")
def run(folder: Path) -> dict[str, Any]:
    """All students of this chapter whose encoder is trained."""
    settings = combinations(domain=list(OTHER), rate=list(RATES), seed=list(range(N_SEEDS)))
    measured = sweep_to_lists(cell, settings, folder)
    shape = len(OTHER), len(RATES), N_SEEDS
    kept = {name: np.reshape(values, (*shape, *np.shape(values)[1:])).tolist() for name, values in measured.items()}
    return {part: {name.removeprefix(f"{part} "): kept[name] for name in kept if name.startswith(part)}
            for part in ("wide", "few")}  # fmt: skip


def cell(domain: str, rate: float, seed: int) -> dict[str, Array]:
    """All students of one learning rate and one split by review, with 128 texts of a domain and 50 of the other."""
    other = OTHER[domain]
    many, few = task(domain, N_MANY, BATCH, seed), task(other, N_FEW, FEW_BATCH, seed)
    probe, pretrained = encoder(), encoder()
    ridge, fresh = ridge_head(probe, many), new_head()
    shares = {"wide probe": agreements(probe, ridge, DOMAINS, seed)}
    train(pretrained, [many], [fresh], rate)
    shares["wide tuned"] = agreements(pretrained, fresh, DOMAINS, seed)
    train(probe, [many], [ridge], rate)
    shares["wide both"] = agreements(probe, ridge, DOMAINS, seed)
    alone, joint = encoder(), encoder()
    heads = [new_head() for _ in range(4)]
    train(alone, [few], heads[:1], rate)
    train(joint, [many, few], heads[1:3], rate)
    train(pretrained, [few], heads[3:], rate)
    ends = {"alone": (alone, heads[0]), "joint": (joint, heads[2]), "after": (pretrained, heads[3])}
    for name, (trained, head) in ends.items():
        shares[f"few {name}"] = agreements(trained, head, [other], seed)[0]
    return shares


def train(network: nn.Module, tasks: Sequence[Task], heads: Sequence[nn.Linear], rate: float) -> None:
    """Descend on the sum of the tasks' mean squared errors, in place; each task has its head, all share the encoder."""
    head_parameters = [parameter for head in heads for parameter in head.parameters()]
    groups = [{"params": network.parameters(), "lr": rate}, {"params": head_parameters, "lr": HEAD_RATE}]
    optimizer = torch.optim.AdamW(groups, fused=True)
    for step in range(STEPS):
        loss = torch.zeros(())
        for one, head in zip(tasks, heads, strict=True):
            rows = one.batches[step]
            outputs = head(features(network, [one.texts[row] for row in rows]))[:, 0]
            loss = loss + nn.functional.mse_loss(outputs, one.ratings[rows])
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()


def ridge_head(network: nn.Module, given: Task) -> nn.Linear:
    """The head that ridge regression finds on what the encoder makes of a task's texts."""
    rows = frozen(network, given.texts)
    centred = rows - rows.mean(axis=0)
    gram = centred.T @ centred + RIDGE * np.eye(rows.shape[1])
    slopes = np.linalg.solve(gram, centred.T @ given.ratings.numpy())
    head = new_head()
    with torch.no_grad():
        head.weight.copy_(torch.from_numpy(slopes)[None])
        head.bias.fill_(-float(rows.mean(axis=0) @ slopes))
    return head


def agreements(network: nn.Module, head: nn.Linear, domains: Sequence[str], seed: int) -> Array:
    """Squared correlation of predictions with ratings of test reviews, for each domain."""
    shares = []
    for domain in domains:
        test = few_rows(halves(domain, seed)[1], N_TEST, seed)
        rows = frozen(network, texts_of(test))
        with torch.no_grad():
            predicted = head(torch.from_numpy(rows).float())[:, 0].numpy()
        shares.append(np.corrcoef(predicted, test.ratings)[0, 1] ** 2)
    return np.array(shares)


def task(domain: str, n_examples: int, batch: int, seed: int) -> Task:
    """Random texts of the training half, and the order in which descent meets them."""
    few = few_rows(halves(domain, seed)[0], n_examples, seed)
    ratings = (few.ratings - few.ratings.mean()) / few.ratings.std()
    rng = stream(seed, f"real language: batches of {domain}, {n_examples}")
    epochs = -(-STEPS * batch // n_examples)
    order = np.concatenate([rng.permutation(n_examples) for _ in range(epochs)])[: STEPS * batch]
    return Task(texts_of(few), torch.from_numpy(ratings).float(), order.reshape(STEPS, batch))


def halves(domain: str, seed: int) -> tuple[Opinions, Opinions]:
    """Training and test half of the reviews of a domain; a text's only column is its place among all texts."""
    kept = _texts()
    mine = np.flatnonzero(kept.domains == DOMAINS.index(domain))
    places = mine[:, None].astype(float)
    return split_reviews(Opinions(places, kept.ratings[mine], kept.groups[mine], domain), HALF, seed)


def texts_of(given: Opinions) -> list[str]:
    """The texts whose places are the rows."""
    return [_texts().texts[int(place)] for place in given.rows[:, 0]]


def new_head() -> nn.Linear:
    """A head that says nothing yet."""
    head = nn.Linear(384, 1)
    nn.init.zeros_(head.weight)
    nn.init.zeros_(head.bias)
    return head


def frozen(network: nn.Module, texts: Sequence[str]) -> Array:
    """Features of texts by the encoder, (text, 384), in double precision."""
    order = np.argsort([len(text) for text in texts], kind="stable")
    columns = np.empty((len(texts), 384))
    with torch.no_grad():
        for start in range(0, len(texts), 50):
            rows = order[start : start + 50]
            columns[rows] = features(network, [texts[row] for row in rows]).numpy()
    return columns


def features(network: nn.Module, texts: list[str]) -> Tensor:
    """Mean of the last layer over the tokens, of unit length; products of matrices in bfloat16, without dropout."""
    tokens = make_columns.pretrained()[0](
        texts, padding=True, truncation=True, max_length=MOST_TOKENS, return_tensors="pt"
    )
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return make_columns.pooled(network, tokens).float()


def encoder() -> nn.Module:
    """The pretrained encoder, a copy of its own."""
    network: nn.Module = copy.deepcopy(make_columns.pretrained()[1])
    return network


@remembered()
def _texts() -> make_columns.Texts:
    return make_columns.read_texts(Path(SOURCE))
