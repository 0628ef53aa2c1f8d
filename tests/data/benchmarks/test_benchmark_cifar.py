"""CIFAR-100 from files in the true format, and what is said of files that are not."""

import os
import pickle

import numpy as np
import pytest

from mtlbook_lib.chapters.part6.images import experiment as made
from mtlbook_lib.data.benchmarks import MissingData, cifar


@pytest.fixture
def folder(tmp_path):
    made.write_cifar(tmp_path, 3, 0)
    return tmp_path


def test_images_and_names_are_read(folder, monkeypatch):
    train, test = cifar(folder)
    assert train.images.shape == test.images.shape == (18, 3, 32, 32)
    assert train.images.dtype == np.uint8
    assert train.classes == tuple(f"bar_{k}" for k in range(6))
    assert np.bincount(train.labels).tolist() == [3] * 6
    bars = train.images.mean(axis=(1, 2))
    assert np.array_equal(bars.argmax(axis=1) // 5, train.labels)
    assert not np.array_equal(train.images, test.images)
    monkeypatch.setenv("MTLBOOK_CIFAR100", str(folder))
    assert np.array_equal(cifar(None)[0].images, train.images)
    assert len(train.sample(5, 0)) == 5


def test_the_format_is_what_pickle_reads():
    value = {b"data": np.arange(6, dtype=np.uint8).reshape(2, 3), b"labels": [1, -2], b"none": None}
    found = pickle.loads(made.pickled(value), encoding="bytes")
    assert np.array_equal(found.pop(b"data"), value.pop(b"data"))
    assert found == value


def test_what_is_missing_is_named(tmp_path, monkeypatch):
    monkeypatch.delenv("MTLBOOK_CIFAR100", raising=False)
    with pytest.raises(FileNotFoundError, match="MTLBOOK_CIFAR100 is not set"):
        cifar(None)
    with pytest.raises(MissingData, match="cifar-100-python/train, cifar-100-python/test and cifar-100-python/meta"):
        cifar(tmp_path)


class Command:
    """What a hostile pickle would hold."""

    def __reduce__(self):
        return os.system, ("true",)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        *[("test", pickle.dumps(Command(), protocol), r"test is no file of CIFAR-100: it names \w+\.system")
          for protocol in range(6)],
        ("train", b"", "train is no file of CIFAR-100"),
        ("train", b"\x80\x02garbage", "train is no file of CIFAR-100"),
        ("train", made.pickled([1]), "it holds a list, no dict"),
        ("train", made.pickled({b"fine_labels": [0]}), "there is no data"),
        ("train", made.pickled({b"data": np.zeros((1, 9), np.uint8), b"fine_labels": [0]}), "3072 columns"),
        ("train", made.pickled({b"data": [0] * 3072, b"fine_labels": [0]}), "no array of bytes"),
        ("train", made.pickled({b"data": np.zeros(3072, np.uint8), b"fine_labels": [0]}), "no array of bytes"),
        ("test", made.pickled({b"data": np.zeros((1, 3072), np.uint8), b"fine_labels": [6]}), "numbers from 0 to 5"),
        ("test", made.pickled({b"data": np.zeros((1, 3072), np.uint8), b"fine_labels": []}), "are not 1 numbers"),
        ("meta", made.pickled({b"fine_label_names": 3}), "fine_label_names is no list"),
    ],
)  # fmt: skip
def test_files_that_are_not_of_the_format_are_named(folder, name, content, message):
    (folder / "cifar-100-python" / name).write_bytes(content)
    with pytest.raises(ValueError, match=message):
        cifar(folder)


def array_with(kind=b"u1", state=(3, b"|", None, None, None, -1, -1, 0), raw=bytes(3072), shape=(1, 3072)):
    """A file whose data have a type of numbers that is named and described in this way."""

    class Described:
        def __init__(self, call, given, then):
            self.parts = call, given, then

        def __reduce__(self):
            return self.parts

    kinds = Described(np.dtype, (kind, False, True), state)
    data = Described(np.empty(0).__reduce__()[0], (np.ndarray, (0,), b"b"), (1, shape, kinds, False, raw))
    return pickle.dumps({b"data": data, b"fine_labels": [0]}, 4)


def test_the_type_of_bytes_is_read_as_numpy_writes_it(folder):
    path = folder / "cifar-100-python" / "train"
    path.write_bytes(array_with(raw=bytes(range(256)) * 12))
    assert cifar(folder)[0].images.ravel().tolist() == [*range(256)] * 12


@pytest.mark.parametrize(
    "changed",
    [
        {"kind": b"O8"},
        {"kind": b"u8"},
        {"kind": b"V3072"},
        {"kind": "f8"},
        {"state": (3, b"|", None, None, None, 8, 8, 0x3F)},  # objects: the bytes would be read as addresses
        {"state": (3, b"|", (np.dtype("O"), (1,)), None, None, -1, -1, 0)},
        {"state": (3, b">", None, None, None, -1, -1, 0)},
        {"state": {"type": 1}},
        {"raw": bytes(3071)},
        {"raw": [1] * 3072},
        {"shape": (1, 3072.0)},
        {"shape": [1, 3072]},
        {"shape": (-1, 3072)},
        {"shape": (10**9, 3072)},
        {"state": None, "raw": None},
    ],
)
def test_an_array_of_anything_but_bytes_is_refused(folder, changed):
    path = folder / "cifar-100-python" / "train"
    path.write_bytes(array_with(**changed))
    if changed == {"shape": (-1, 3072)}:  # as NumPy reads it: one row
        assert len(cifar(folder)[0]) == 1
        return
    with pytest.raises(ValueError, match="train is no file of CIFAR-100"):
        cifar(folder)


@pytest.mark.parametrize("name", ["dtype", "ndarray", "_reconstruct"])
def test_what_stands_for_numpys_names_cannot_be_changed(folder, name):
    module = {"_reconstruct": "numpy.core.multiarray"}.get(name, "numpy")
    told = pickle.GLOBAL + f"{module}\n{name}\n".encode()
    for state in (b"}X\x01\x00\x00\x00aK\x01s", b"N}X\x01\x00\x00\x00aK\x01s\x86"):  # {"a": 1}, and slots
        (folder / "cifar-100-python" / "train").write_bytes(b"\x80\x02" + told + state + pickle.BUILD + b".")
        with pytest.raises(ValueError, match="train is no file of CIFAR-100"):
            cifar(folder)


def test_images_are_chosen_by_numbers_that_are_there(folder):
    train = cifar(folder)[0]
    for chosen in ([18], 1, [[0]]):
        with pytest.raises(ValueError, match="chosen must be a list of numbers of rows, of which there are 18"):
            train.rows(chosen)


def test_a_cut_file_is_named(folder):
    path = folder / "cifar-100-python" / "train"
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(ValueError, match="train is no file of CIFAR-100"):
        cifar(folder)
