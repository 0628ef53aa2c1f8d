"""BERT from a folder on the user's disk, by the transformers package; never downloaded."""

from __future__ import annotations

import copy
import os
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from mtlbook_lib._checks import count, flag
from mtlbook_lib._extras import require
from mtlbook_lib.data.benchmarks import Source, Texts

_PARTS = ("input_ids", "attention_mask", "token_type_ids")
_CLOSED: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
_SOURCE = Source(
    "BERT",
    "MTLBOOK_BERT",
    "a folder with config.json, the vocabulary and model.safetensors, as transformers saves them",
    "The paper's is BERT large, uncased; save_pretrained, of model and tokenizer, writes such a folder.",
)


class BertEncoder:
    """A model of the interface of ``transformers.BertModel``, with its tokenizer.

    Source: Wu, Zhang & Ré (2020), App. B.2 and B.3.

    Parameters
    ----------
    model : torch.nn.Module
        Called with ``input_ids``, ``attention_mask`` and ``token_type_ids``, it returns an object with
        ``pooler_output`` (n, r), or with ``last_hidden_state`` (n, length, r) for `mean`; its layer
        ``embeddings`` is where Algorithm 1's matrix acts.
    tokenizer : callable
        Called with two lists of texts, ``truncation``, ``padding``, ``max_length`` and ``return_tensors="np"``, it
        returns the three arrays by name, shapes (n, length).
    length : int
        Tokens of a row.
    frozen : bool
        Only heads (and matrices) are trained, as in the paper. A frozen model is not copied for each method.
    mean : bool
        Features are the mean of the last layer over the tokens, as encoders of sentences are made for, in place of
        the paper's pooled first token.
    """

    layer = "model.embeddings"

    def __init__(
        self, model: nn.Module, tokenizer: Any, length: int = 128, frozen: bool = True, mean: bool = False
    ) -> None:
        if not isinstance(model, nn.Module) or not callable(tokenizer):
            raise TypeError(f"model must be a torch module, tokenizer callable; got {model!r:.60}, {tokenizer!r:.60}.")
        self.model, self.tokenizer = model, tokenizer
        self.length, self.frozen, self.mean = count("length", length, 3), flag("frozen", frozen), flag("mean", mean)

    @classmethod
    def from_folder(
        cls, folder: str | os.PathLike[str] | None, length: int = 128, frozen: bool = True, mean: bool = False
    ) -> BertEncoder:
        """BERT as transformers saves it, from a folder.

        Parameters
        ----------
        folder : path or None
            None for the one that ``MTLBOOK_BERT`` names.
        length, frozen, mean
            As for the class.

        Raises
        ------
        MissingData
            If the folder or its config.json was not found.
        ModuleNotFoundError
            If transformers is not installed.
        ValueError
            If the folder holds no model.
        """
        place = _SOURCE.place(folder)
        _SOURCE.file(place, "config.json")
        require("bert", "transformers")
        from transformers import AutoModel, AutoTokenizer

        try:
            # Weights as numbers, and no code of the folder's: a pickle or a script in it could do anything.
            model = AutoModel.from_pretrained(place, **_CLOSED, use_safetensors=True)
            tokenizer = AutoTokenizer.from_pretrained(place, **_CLOSED)
        except (OSError, ValueError) as error:
            remedy = "Older weights, pytorch_model.bin, are written anew by the model's save_pretrained."
            raise ValueError(f"folder {place} holds no model.safetensors that can be read: {error} {remedy}") from None
        return cls(model, tokenizer, length, frozen, mean)

    def rows(self, given: Texts) -> NDArray[np.int64]:
        """Tokens, which of them are there, and which text they belong to, shape (n, 3, length)."""
        pair = (list(given.second),) if any(given.second) else ()
        tokens = self.tokenizer(list(given.first), *pair, truncation=True, padding="max_length", max_length=self.length,
                               return_tensors="np")  # fmt: skip
        missing = [part for part in _PARTS if part not in tokens]
        if missing:
            raise ValueError(f"tokenizer must return {', '.join(_PARTS)}; it lacks {', '.join(missing)}.")
        return np.stack([np.asarray(tokens[part], dtype=np.int64) for part in _PARTS], axis=1)

    def make(self) -> nn.Module:
        """The network from rows to pooled features: a copy, if it is trained."""
        return _Pooled(self.model, self.frozen, self.mean)


class _Pooled(nn.Module):
    def __init__(self, model: nn.Module, frozen: bool, mean: bool) -> None:
        super().__init__()
        self.mean = mean
        self.model = model.requires_grad_(False) if frozen else copy.deepcopy(model).requires_grad_(True)

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        named = {part: rows[:, i] for i, part in enumerate(_PARTS)}
        output = self.model(**named)
        if not self.mean:
            return cast(torch.Tensor, output.pooler_output)
        there = rows[:, 1, :, None].to(output.last_hidden_state)
        return cast(torch.Tensor, (output.last_hidden_state * there).sum(1) / there.sum(1))
