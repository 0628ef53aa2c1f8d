"""BERT from a folder: the interface with a stand-in, and the real package where it is installed."""

import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
import torch
from tiny_bert import tiny_bert
from torch import nn

from mtlbook_lib.data.benchmarks import MissingData, Texts, TextTask
from mtlbook_lib.methods.benchmarks import BertEncoder, bert, compare_texts
from mtlbook_lib.methods.sharing import Training

WORDS = ["this", "is", "good", "bad", "x", "y", "z"]
METHODS = ("shared", "Algorithm 1")
TRAINING = Training(epochs=40, batch_size=8, rate=1e-2, dtype="float32")


class StandIn(nn.Module):
    """What the adapter asks of a model of transformers, and no more."""

    def __init__(self):
        super().__init__()
        self.embeddings = nn.Embedding(100, 12)
        self.pooler = nn.Linear(12, 8)

    def forward(self, input_ids, attention_mask, token_type_ids):
        assert input_ids.shape == attention_mask.shape == token_type_ids.shape
        mean = (self.embeddings(input_ids) * attention_mask[..., None]).sum(1) / attention_mask.sum(1, keepdim=True)
        return SimpleNamespace(pooler_output=torch.tanh(self.pooler(mean + token_type_ids.sum(1)[:, None] / 100)))


def tokens(first, second=None, *, truncation, padding, max_length, return_tensors):
    """Numbers of the words from 2 on; the second text has type 1."""
    assert (truncation, padding, return_tensors) == (True, "max_length", "np")
    ids, types = np.zeros((2, len(first), max_length), dtype=np.int64)
    for i in range(len(first)):
        row = [(word, part) for part, texts in enumerate((first, second or [])) if texts for word in texts[i].split()]
        for j, (word, part) in enumerate(row[:max_length]):
            ids[i, j], types[i, j] = 2 + WORDS.index(word), part
    return {"input_ids": ids, "attention_mask": (ids > 0).astype(int), "token_type_ids": types}


def sentences(n, seed, pair=False):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, n)
    first = tuple(f"this is {('good', 'bad')[y]} {('x', 'y', 'z')[rng.integers(3)]}" for y in labels)
    return Texts(first, first[::-1] if pair else ("",) * n, labels, ("0", "1"))


@pytest.fixture
def tasks():
    return {name: TextTask(sentences(40, i), sentences(20, i + 9)) for i, name in enumerate(("a", "b"))}


def test_rows_hold_tokens_mask_and_types():
    encoder = BertEncoder(StandIn(), tokens, length=12)
    assert (encoder.frozen, encoder.mean) == (True, False)  # as in the paper
    alone, pair = encoder.rows(sentences(5, 0)), encoder.rows(sentences(5, 0, pair=True))
    assert alone.shape == (5, 3, 12)
    assert (alone[:, 1].sum(1) == 4).all()
    assert not alone[:, 2].any()
    assert (pair[:, 2].sum(1) == 4).all()


def test_a_frozen_model_is_not_changed_and_a_trained_one_is_copied(tasks):
    model = StandIn()
    before = {name: value.clone() for name, value in model.state_dict().items()}
    for frozen in (True, False):
        scores = compare_texts(tasks, BertEncoder(model, tokens, 12, frozen), METHODS, TRAINING)
        assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())
        assert min(scores.values["shared"].min(), scores.values["Algorithm 1"].min()) > 0.8, frozen


def test_a_tokenizer_that_lacks_a_part_is_named():
    def short(*given, **settings):
        return {"input_ids": [[1]], "attention_mask": [[1]]}

    with pytest.raises(ValueError, match=r"tokenizer must return .* it lacks token_type_ids"):
        BertEncoder(StandIn(), short).rows(sentences(2, 0))
    with pytest.raises(TypeError, match="tokenizer callable"):
        BertEncoder(StandIn(), None)


def test_a_folder_without_a_model_is_named(tmp_path, monkeypatch):
    monkeypatch.delenv("MTLBOOK_BERT", raising=False)
    with pytest.raises(MissingData, match=r"BERT: no folder was given and MTLBOOK_BERT is not set.*config\.json"):
        BertEncoder.from_folder(None)
    with pytest.raises(MissingData, match=r"config\.json: file not found"):
        BertEncoder.from_folder(tmp_path)


def test_the_real_package_reads_a_folder(tmp_path, tasks):
    """Where transformers is installed: a tiny model, saved as a user would."""
    pytest.importorskip("transformers")
    tiny_bert(tmp_path, WORDS)
    encoder = BertEncoder.from_folder(tmp_path, length=12, frozen=False)
    rows = encoder.rows(sentences(3, 0, pair=True))
    assert rows.shape == (3, 3, 12)
    assert (rows[:, 0, 0] == 2).all()
    assert (rows[:, 2].sum(1) == 5).all()
    for mean in (False, True):
        encoder = BertEncoder.from_folder(tmp_path, length=12, frozen=False, mean=mean)
        assert compare_texts(tasks, encoder, METHODS, TRAINING).values["shared"].min() > 0.9


def test_the_mean_is_over_the_tokens_that_are_there():
    class Layers(nn.Module):
        embeddings = nn.Identity()

        def forward(self, input_ids, attention_mask, token_type_ids):
            return SimpleNamespace(last_hidden_state=torch.stack([input_ids, token_type_ids], dim=2).double())

    encoder = BertEncoder(Layers(), tokens, length=6, mean=True)
    given = Texts(("this is good", "bad"), ("", ""), np.array([0, 1]), ("0", "1"))
    found = encoder.make()(torch.from_numpy(encoder.rows(given)))
    assert found.tolist() == [[3.0, 0.0], [5.0, 0.0]]


def test_code_and_pickles_of_the_folder_are_not_run(tmp_path, monkeypatch):
    asked = []

    class Package(ModuleType):
        class AutoModel:
            @staticmethod
            def from_pretrained(place, **options):
                asked.append(options)
                raise OSError("no file named model.safetensors")

        AutoTokenizer = AutoModel

    monkeypatch.setitem(sys.modules, "transformers", Package("transformers"))
    monkeypatch.setattr(bert, "require", lambda *_: None)
    (tmp_path / "config.json").write_text("{}", encoding="utf8")
    with pytest.raises(ValueError, match=r"holds no model.safetensors that can be read: .*save_pretrained"):
        BertEncoder.from_folder(tmp_path)
    assert asked == [{"local_files_only": True, "trust_remote_code": False, "use_safetensors": True}]
