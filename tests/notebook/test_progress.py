"""A bar only for a reader who waits at a notebook."""

import sys
from types import SimpleNamespace

import IPython
import pytest
from tqdm.std import tqdm

from mtlbook_lib.notebook import progress


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a notebook kernel."""
    monkeypatch.delenv("MTLBOOK_BUILD", raising=False)
    monkeypatch.setattr(IPython, "get_ipython", lambda: SimpleNamespace(kernel=None))


@pytest.mark.usefixtures("kernel")
def test_bar_in_a_notebook(capsys: pytest.CaptureFixture[str]) -> None:
    items = progress.bar((n for n in range(3)), "seeds", total=3)
    assert isinstance(items, tqdm)
    assert (items.desc.rstrip(": "), items.total, items.leave) == ("seeds", 3, False)
    assert list(items) == [0, 1, 2]
    assert list(progress.bar((n for n in ()), total=0)) == []
    capsys.readouterr()


@pytest.mark.usefixtures("kernel")
def test_silent_in_a_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MTLBOOK_BUILD", "1")
    items = range(3)
    assert progress.bar(items, "seeds") is items


@pytest.mark.parametrize("ipython", [True, False])
def test_silent_outside_a_notebook(
    ipython: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("MTLBOOK_BUILD", raising=False)
    if not ipython:
        monkeypatch.setitem(sys.modules, "IPython", None)
    items = range(3)
    assert progress.bar(items) is items
    assert capsys.readouterr() == ("", "")
