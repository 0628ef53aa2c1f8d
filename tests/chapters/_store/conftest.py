"""The tiny library of _store_toy.py, for the tests of this folder."""

import _store_toy
import pytest


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A tiny library with an empty store."""
    return _store_toy.make(tmp_path, monkeypatch)


@pytest.fixture
def toy():
    """An experiment of it."""
    return _store_toy.Experiment()
