"""Networks on word vectors: a perceptron on their mean, an LSTM, and a convolutional network."""

from collections.abc import Iterable, Mapping

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import nn

from mtlbook_lib._checks import count, entries, instance, mapping, one_of, real_array, texts, whole
from mtlbook_lib.data.benchmarks import Texts

KINDS = ("mlp", "lstm", "cnn")
_SEPARATOR = "<sep>"  # between the two texts of a pair
_PADDING, _UNKNOWN = 0, 1
_SPREAD = 0.25  # a word without a vector gets one between -0.25 and 0.25
_WINDOWS = (3, 4, 5)


def vocabulary(tasks: Iterable[Texts]) -> list[str]:
    """All words of some texts, in lower case and in order; words are what stands between spaces."""
    words: set[str] = {_SEPARATOR}
    for i, rows in enumerate(entries("tasks", tasks)):
        for text in (*instance(f"tasks[{i}]", rows, Texts).first, *rows.second):
            words.update(text.lower().split())
    return sorted(words)


class WordEncoder:
    """A network on word vectors, which are trained with it.

    Source: Wu, Zhang & Ré (2020), App. B.2; Kim (2014) for the filters and the random vectors.

    Parameters
    ----------
    words : iterable of str
        The vocabulary; a word that is not in it becomes one unknown word.
    vectors : mapping of str to array_like, shape (d,)
        Vectors of words (``word_vectors``). A word of the vocabulary that has none starts at random.
    kind : str
        ``"mlp"``: two layers on the mean vector. ``"lstm"``: the last state. ``"cnn"``: the largest values of filters
        of 3, 4 and 5 words.
    width : int
        Number of features, the capacity of the shared module; at least 3 for ``"cnn"``.
    length : int
        Words that are read of each text (of both texts of a pair together); more are cut off.
    seed : int
        Of the random vectors.
    """

    layer = "embedding"

    def __init__(
        self,
        words: Iterable[str],
        vectors: Mapping[str, ArrayLike],
        kind: str = "lstm",
        width: int = 200,
        length: int = 64,
        seed: int = 0,
    ) -> None:
        self.kind, self.width = one_of("kind", kind, KINDS), count("width", width, 3 if kind == "cnn" else 1)
        self.length = count("length", length, max(_WINDOWS))
        known = sorted(set(texts("words", words)))
        self.numbers = {word: i for i, word in enumerate(known, start=2)}
        self.table = _table(known, mapping("vectors", vectors), whole("seed", seed, 0))

    def rows(self, given: Texts) -> NDArray[np.int64]:
        """Numbers of the words of each text, shape (n, length), 0 behind its end."""
        padded = np.full((len(given), self.length), _PADDING)
        for row, first, second in zip(padded, given.first, given.second, strict=True):
            text = f"{first} {_SEPARATOR} {second}" if second else first
            numbers = [self.numbers.get(word, _UNKNOWN) for word in text.lower().split()][: self.length]
            row[: len(numbers)] = numbers
        return padded

    def make(self) -> nn.Module:
        """A fresh network from rows to features, shape (n, width)."""
        return _MODULES[self.kind](torch.from_numpy(self.table), self.width).double()  # as its vectors are


def _table(words: list[str], vectors: Mapping[str, ArrayLike], seed: int) -> NDArray[np.float64]:
    known = {word: real_array(f"vectors[{word!r}]", vectors[word], ndim=1) for word in words if word in vectors}
    lengths = {len(vector) for vector in known.values()}
    if len(lengths) != 1:
        raise ValueError(f"vectors must have one length, and one word of the vocabulary or more; got {len(known)} "
                         f"vectors of lengths {sorted(lengths)}.")  # fmt: skip
    rng = np.random.default_rng([seed, 3])
    table = rng.uniform(-_SPREAD, _SPREAD, (len(words) + 2, lengths.pop()))
    table[_PADDING] = 0.0
    for row, word in enumerate(words, start=2):
        table[row] = known.get(word, table[row])
    return table


class _OnVectors(nn.Module):
    """Vectors of the words, and which of them are there."""

    def __init__(self, table: torch.Tensor) -> None:
        super().__init__()
        # A copy: training moves the vectors, and the next network starts from the old ones.
        self.embedding = nn.Embedding(len(table), table.shape[1], padding_idx=_PADDING, _weight=table.clone())
        self.n_inputs = table.shape[1]

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        vectors: torch.Tensor = self.embedding(rows)
        return self.read(vectors, (rows != _PADDING).sum(dim=1).clamp(min=1))

    def read(self, vectors: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Features of vectors (n, length, d), of which the first `lengths` count."""
        raise NotImplementedError


class _Perceptron(_OnVectors):
    def __init__(self, table: torch.Tensor, width: int) -> None:
        super().__init__(table)
        self.layers = nn.Sequential(nn.Linear(self.n_inputs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())

    def read(self, vectors: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        # The vector behind the end of a text is 0, and stays 0 behind any matrix.
        features: torch.Tensor = self.layers(vectors.sum(dim=1) / lengths[:, None])
        return features


class _Recurrent(_OnVectors):
    def __init__(self, table: torch.Tensor, width: int) -> None:
        super().__init__(table)
        self.cells = nn.LSTM(self.n_inputs, width, batch_first=True)

    def read(self, vectors: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        states: torch.Tensor = self.cells(vectors)[0]
        return states[torch.arange(len(states), device=states.device), lengths - 1]


class _Convolutional(_OnVectors):
    def __init__(self, table: torch.Tensor, width: int) -> None:
        super().__init__(table)
        numbers = [width // 3 + (i < width % 3) for i in range(3)]
        self.filters = nn.ModuleList(nn.Conv1d(self.n_inputs, n, w) for n, w in zip(numbers, _WINDOWS, strict=True))

    def read(self, vectors: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        turned = vectors.transpose(1, 2)
        return torch.cat([torch.relu(one(turned)).amax(dim=2) for one in self.filters], dim=1)


_MODULES: dict[str, type[_Perceptron | _Recurrent | _Convolutional]] = {
    "mlp": _Perceptron,
    "lstm": _Recurrent,
    "cnn": _Convolutional,
}
