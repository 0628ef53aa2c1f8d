"""The walls of the rooms: inner files stay inside, a chapter's modules are its own, no folder is crowded."""

import re
from pathlib import Path

import pytest
from _architecture import imports, is_room, wall_violations

ROOT = Path(__file__).resolve().parent.parent
FILES = sorted((ROOT / "mtlbook_lib").rglob("*.py"))
FOLDERS = ("bookbuild", "benchmarks", "mutants", "results", "tests")
TOOLS = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
CHAPTERS = sorted((ROOT / "book").glob("part*/*.md"))
MAX_FOLDER_FILES = 12


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def is_package(path: Path) -> bool:
    return path.name == "__init__.py"


def by_name(path: Path) -> str:
    return str(path.relative_to(ROOT))


MODULES = {module_name(path) for path in FILES}
ROOMS = {module_name(path) for path in FILES if is_package(path) and is_room(path.read_text(encoding="utf8"))}


def test_the_rooms_are_known():
    theory = {f"mtlbook_lib.theory.{name}" for name in ("spiked", "linear_dynamics", "generalization", "transfer")}
    assert theory | {"mtlbook_lib.simulation.engine", "mtlbook_lib.figures.house"} <= ROOMS


@pytest.mark.parametrize("path", FILES, ids=by_name)
def test_inner_files_are_imported_by_their_room_alone(path):
    source = path.read_text(encoding="utf8")
    assert wall_violations(source, module_name(path), MODULES, ROOMS, is_package(path)) == []


@pytest.mark.parametrize("path", [*CHAPTERS, *sorted((ROOT / "results").glob("*.py"))], ids=by_name)
def test_chapters_use_public_names_and_their_own_modules(path):
    """No inner file, and of the modules made for one chapter (experiments, figures) only those with its name."""
    source = path.read_text(encoding="utf8")
    if path.suffix == ".md":
        cells = re.findall(r"^```\{code-cell\}[^\n]*\n(?:---\n.*?\n---\n)?(.*?)^```", source, re.MULTILINE | re.DOTALL)
        source = "\n".join(line for cell in cells for line in cell.splitlines() if not line.startswith(("%", ":")))
    assert wall_violations(source, "chapter", MODULES, ROOMS) == []
    own = ".".join(path.with_suffix("").parts[-2:]).replace("-", "_")
    made_for = re.findall(r"mtlbook_lib\.(?:experiments|figures)\.(part\d+\.\w+)", "\n".join(_targets(source)))
    assert set(made_for) <= {own}


def _targets(source: str) -> list[str]:
    return [item.target for item in imports(source, "chapter")]


@pytest.mark.parametrize("path", [path for path in FILES if path.parent.name.startswith("part")], ids=by_name)
def test_modules_of_a_chapter_are_not_used_by_another(path):
    own = module_name(path)
    used = {target for target in _targets(path.read_text(encoding="utf8")) if re.search(r"\.part\d+\.", target)}
    assert all(target.startswith(own) for target in used)


@pytest.mark.parametrize("folder", sorted({path.parent for path in [*FILES, *TOOLS]}), ids=by_name)
def test_no_folder_is_crowded(folder):
    assert len([path for path in folder.glob("*.py") if path.name != "__init__.py"]) <= MAX_FOLDER_FILES


def test_tests_mirror_the_package():
    """A folder of tests has the name of the folder that it tests; every part, room and family has one."""
    skipped = ("__pycache__", "vendor")
    parts = {path.name for path in (ROOT / "mtlbook_lib").iterdir() if (path / "__init__.py").exists()}
    tested = {path for part in parts for path in (ROOT / "tests" / part).rglob("*") if path.is_dir()}
    mirrored = {path.relative_to(ROOT / "tests") for path in tested if path.name not in skipped}
    rooms = {path.parent.relative_to(ROOT / "mtlbook_lib") for path in FILES if path.name == "__init__.py"}
    assert {room for room in rooms if len(room.parts) == 2} <= mirrored <= rooms  # folders inside a room need none


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
def test_walls_of_rooms_are_seen(module, source, n):
    modules = {"p", "p.a", "p.a.inner", "p.a.x", "p.b", "p.b.x", "p._shared", "q", "q.x"}
    assert len(wall_violations(source, module, modules, {"p.a"})) == n
