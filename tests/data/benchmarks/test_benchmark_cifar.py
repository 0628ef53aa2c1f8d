"""CIFAR-100 from files in the true format, and what is said of files that are not."""

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
    assert len(train.sample(5, 0).images) == 5


def test_what_is_missing_is_named(tmp_path, monkeypatch):
    monkeypatch.delenv("MTLBOOK_CIFAR100", raising=False)
    with pytest.raises(FileNotFoundError, match="MTLBOOK_CIFAR100 is not set"):
        cifar(None)
    with pytest.raises(MissingData, match=r"cifar-100-binary/train\.bin, cifar-100-binary/test\.bin"):
        cifar(tmp_path)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("train.bin", b"", "train.bin must hold images of 3074 bytes each; it has 0 bytes"),
        ("train.bin", bytes(3073), "images of 3074 bytes each; it has 3073"),
        ("test.bin", bytes([0, 6]) + bytes(3072), "test.bin must have labels below 6, the number of names; got 6"),
        ("fine_label_names.txt", b"", "labels below 0"),
        ("fine_label_names.txt", b"\xff\n", "fine_label_names.txt, line 1: is no utf-8 text"),
    ],
)
def test_files_that_are_not_of_the_format_are_named(folder, name, content, message):
    (folder / "cifar-100-binary" / name).write_bytes(content)
    with pytest.raises(ValueError, match=message):
        cifar(folder)


def test_an_image_is_two_labels_and_its_colours_row_by_row(folder):
    """As the authors describe the file: coarse label, fine label, 1024 red bytes, 1024 green, 1024 blue."""
    pixels = bytes(range(256)) * 12
    (folder / "cifar-100-binary" / "train.bin").write_bytes(bytes([9, 4]) + pixels)
    train, _ = cifar(folder)
    assert train.labels.tolist() == [4]
    assert train.images[0, 1, 2, :3].tolist() == list(pixels[1024 + 64 : 1024 + 67])
