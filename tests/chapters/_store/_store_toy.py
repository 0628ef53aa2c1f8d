"""A tiny library in place of this one as the source of all code, with an experiment whose calls are counted."""

import numpy as np

from mtlbook_lib import _loaded
from mtlbook_lib.chapters._store import keys, results

ROOT = keys.ROOT
MODULE = "mtlbook_lib.chapters.toy"
FILES = {
    "mtlbook_lib/__init__.py": "",
    "mtlbook_lib/chapters/__init__.py": "",
    "mtlbook_lib/chapters/toy.py": 'from mtlbook_lib.theory.law import law\nFILE = "part1/toy.json"\n',
    "mtlbook_lib/theory/__init__.py": "",
    "mtlbook_lib/theory/law.py": "def law(x):\n    return x\n",
    "mtlbook_lib/chapters/drawing.py": "colour = 'blue'\n",
    "mtlbook_lib/chapters/part1/toy.json": "1",
    "mtlbook_lib/chapters/part1/other.json": "1",
}


def make(folder, monkeypatch):
    """Write the library and turn an empty store on; the folder."""
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.setattr(keys, "ROOT", folder)
    monkeypatch.setattr(results, "USED", results.Used())
    monkeypatch.setenv("MTLBOOK_STORE", str(folder / "store"))
    start_again(monkeypatch)
    return folder


def start_again(monkeypatch):
    """As in a new process, which has loaded nothing yet."""
    keys._versions.cache_clear()
    monkeypatch.setattr(_loaded, "TEXTS", dict(_loaded.TEXTS) if keys.ROOT == ROOT else {})
    monkeypatch.setattr(_loaded, "AGAIN", set())


def load(project, *names):
    """Note files as loaded, as importing or reading them does."""
    for name in names or FILES:
        _loaded.read(project / name)


def stored(project):
    """The files of the store."""
    return sorted((project / "store").glob("*"))


def library():
    """The files of the real library that an experiment may reach."""
    return [path for path in keys.PACKAGE.rglob("*.py") if not {"figures", "notebook"} & set(path.parts)]


class Experiment:
    """What stands for an experiment of the toy module: its calls are counted."""

    def __init__(self):
        self.n_calls = 0

    def ran(self, *args, **kwargs):
        """Whether a call had to run."""
        before = self.n_calls
        self(*args, **kwargs)
        return self.n_calls > before

    def __call__(self, *args, **kwargs):
        """Its result."""

        def toy(x, names=("a",), *, n_seeds=3, progress=iter):
            self.n_calls += 1
            return {"values": np.full(n_seeds, 0.1), "kinds": [names]}

        toy.__module__, toy.__qualname__ = MODULE, "toy"
        return results.result(toy, *args, **kwargs)
