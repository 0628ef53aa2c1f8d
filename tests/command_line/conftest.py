"""Two related tables in a folder of their own."""

import pytest


@pytest.fixture
def folder(tmp_path, monkeypatch):
    pytest.importorskip("pandas")
    from user_tables import table

    monkeypatch.chdir(tmp_path)
    table(tmp_path / "a.csv", 0, noise=3.0)  # little is learned from it alone, so that the partner counts
    table(tmp_path / "b.csv", 1, n=120)
    return tmp_path
