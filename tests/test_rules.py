"""Each rule over the whole repository passes a sound tree and finds one fault in it; and who may import inner files."""

from pathlib import Path

import _rules
import pytest
from _architecture import inner_violations
from _rules import RULES, closed_packages, library, sources

ROOT = Path(__file__).resolve().parent.parent
CHAPTER = "# A\n\n```{code-cell} ipython3\n---\ntags: [x]\n---\n%%matplotlib inline\nfrom mtlbook_lib.%s\n```\n"
SOUND = {
    "conftest.py": "",
    **{f"{folder}/one.py": "import numpy\n" for folder in _rules.TOOLS},
    "mtlbook_lib/__init__.py": "",
    "mtlbook_lib/theory/__init__.py": "",
    "mtlbook_lib/theory/subject/__init__.py": "from .inner import f\n\n__all__ = ['f']\n",
    "mtlbook_lib/theory/subject/inner.py": "from numpy.random import default_rng\n",
    "mtlbook_lib/chapters/__init__.py": "",
    "mtlbook_lib/chapters/part1/__init__.py": "",
    "mtlbook_lib/chapters/part1/_shared.py": "x = 1\n",
    "mtlbook_lib/chapters/part1/a_name/__init__.py": "",
    "mtlbook_lib/chapters/part1/a_name/experiment.py": "from .._shared import x\n",
    "mtlbook_lib/chapters/part1/b/__init__.py": "",
    "mtlbook_lib/chapters/part1/b/experiment/__init__.py": "from .c import *\nfrom .d import *\n\n__all__ = ['x']\n",
    "mtlbook_lib/chapters/part1/b/experiment/c.py": "x = y = 1\n",
    "mtlbook_lib/chapters/part1/b/experiment/d.py": "y = 1\n",
    "book/part1/a-name.md": CHAPTER % "chapters.part1.a_name import experiment",
}
A, B = "mtlbook_lib.chapters.part1.a_name", "mtlbook_lib.chapters.part1.b"
INNER = "may not import mtlbook_lib.theory.subject.inner, an inner file of mtlbook_lib.theory.subject"
LONG = "def f():\n" + "    x = 1\n" * 61
# The rule, the file that is written anew, its text, and what the rule says of it.
BROKEN = [
    ("forbidden_imports", "mtlbook_lib/theory/subject/inner.py", "import torch",
     ["mtlbook_lib/theory/subject/inner.py: line 1: mtlbook_lib.theory.subject.inner may not import torch at the top"]),
    ("global_random_state", "mtlbook_lib/theory/subject/inner.py", "import torch\ntorch.rand(3)",
     ["mtlbook_lib/theory/subject/inner.py: line 2: torch.rand without a generator"]),
    ("checked_and_raw", "mtlbook_lib/theory/subject/inner.py", "def f(n):\n    m = count('n', n)\n    return m / n",
     ["mtlbook_lib/theory/subject/inner.py: line 3: f computes with n, not with what was checked of it"]),
    *[("long_texts", f"{folder}/deep/new.py", "\n" * 500, [f"{folder}/deep/new.py: 500 lines"])
      for folder in ("mtlbook_lib", *_rules.TOOLS)],
    ("long_texts", "conftest.py", LONG, ["conftest.py: line 1: f has 62 lines"]),
    ("import_cycle", "mtlbook_lib/chapters/part1/b/experiment/c.py", f"def f():\n    import {B}.experiment",
     [f"{B}.experiment", f"{B}.experiment.c", f"{B}.experiment"]),
    ("inner_imports", "mtlbook_lib/chapters/part1/a_name/experiment.py", "from mtlbook_lib.theory.subject import inner",
     [f"mtlbook_lib/chapters/part1/a_name/experiment.py: line 1: {A}.experiment {INNER}"]),
    ("imports_of_chapters", "book/part1/a-name.md", CHAPTER % "theory.subject import inner",
     [f"book/part1/a-name.md: line 1: chapter {INNER}"]),
    ("imports_of_chapters", "book/part1/b-name.md", CHAPTER % "chapters.part1.a_name.experiment import x",
     ["book/part1/b-name.md: part1.b_name uses part1.a_name"]),
    ("hidden_names", "mtlbook_lib/chapters/part1/b/experiment/d.py", "y = 1\nx, z = 2, 3",
     ["mtlbook_lib/chapters/part1/b/experiment/__init__.py: x is defined 2 times"]),
    ("imports_between_chapters", "mtlbook_lib/chapters/part1/b/experiment/c.py", f"from {A}.experiment import f",
     [f"mtlbook_lib/chapters/part1/b/experiment/c.py: uses {A}"]),
    ("imports_between_chapters", "mtlbook_lib/chapters/part1/a_name/experiment.py", f"from {B}.experiment import c",
     [f"mtlbook_lib/chapters/part1/a_name/experiment.py: uses {B}"]),
]  # fmt: skip


@pytest.fixture
def tree(tmp_path):
    """A small repository that keeps every rule."""
    for name, text in SOUND.items():
        write(tmp_path / name, text)
    return tmp_path


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf8")


def test_a_sound_tree_keeps_every_rule(tree):
    assert {rule.__name__: rule(tree) for rule in RULES if rule(tree)} == {}


@pytest.mark.parametrize(("rule", "name", "text", "said"), BROKEN, ids=[f"{rule}-{name}" for rule, name, *_ in BROKEN])
def test_one_fault_is_found_by_its_rule(tree, rule, name, text, said):
    write(tree / name, text)
    assert getattr(_rules, rule)(tree) == said


def test_a_fault_is_written_down_for_every_rule():
    assert {rule.__name__ for rule in RULES} == {rule for rule, *_ in BROKEN}


def test_a_pattern_without_files_is_an_error(tree):
    with pytest.raises(FileNotFoundError, match=r"no file matches book/part9/\*\.py"):
        sources(tree, "book/part9/*.py")


def test_packages_with_inner_files_are_found():
    theory = {f"mtlbook_lib.theory.{name}" for name in ("spiked", "linear_dynamics", "generalization", "transfer")}
    assert theory | {"mtlbook_lib.simulation.engine", "mtlbook_lib.chapters.style"} <= closed_packages(ROOT)


def test_tests_mirror_the_package():
    """A folder of tests has the name of the folder that it tests; every part, package and family has one."""
    skipped = ("__pycache__", "vendor")
    parts = {path.name for path in (ROOT / "mtlbook_lib").iterdir() if (path / "__init__.py").exists()}
    tested = {path for part in parts for path in (ROOT / "tests" / part).rglob("*") if path.is_dir()}
    mirrored = {path.relative_to(ROOT / "tests") for path in tested if path.name not in skipped}
    packages = {file.path.parent.relative_to("mtlbook_lib") for file in library(ROOT) if file.is_package}
    # Folders inside a package need none.
    assert {package for package in packages if len(package.parts) == 2} <= mirrored <= packages


@pytest.mark.parametrize(
    ("module", "source", "n"),
    [
        ("p.b.x", "from p.a import f", 0),
        ("p.b.x", "from p.a.inner import f", 1),
        ("p.b.x", "from p.a import inner", 1),
        ("p.a.x", "from p.a.inner import f", 0),
        ("p.a", "from p.a.inner import f", 0),
        ("p.a.x", "from p import _shared", 0),
        ("q.x", "from p._shared import f", 1),
        ("q.x", "from p.b.x import f", 0),
    ],
)
def test_imports_of_inner_files_of_others_are_found(module, source, n):
    modules = {"p", "p.a", "p.a.inner", "p.a.x", "p.b", "p.b.x", "p._shared", "q", "q.x"}
    assert len(inner_violations(source, module, modules, {"p.a"})) == n
