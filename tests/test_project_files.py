"""What the files around the library promise: commands, versions, pins, citation, and clean committed text."""

import re
import subprocess
import textwrap
import tomllib
from collections.abc import Iterator
from importlib.metadata import requires
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import mtlbook_lib
from bookbuild.chapters import BOOK, ROOT, chapters, pages
from mtlbook_lib.notebook import register

WORKFLOWS = {name: f".github/workflows/{name}.yml" for name in ("ci", "weekly")}
TEXTS = ["README.md", "CONTRIBUTING.md", "book/intro.md", *WORKFLOWS.values()]
PIN = re.compile(r"([A-Za-z0-9._-]+)(?:\[[A-Za-z0-9_,-]+\])?==([A-Za-z0-9.!+_-]+)")
# A CUDA build of torch pins the libraries that it brings; a CPU build, for which constraints.txt is written, has none.
CUDA_LIBRARIES = re.compile(r"nvidia-|cuda-|triton")
# Addresses of package indexes, and folders of one particular machine.
PRIVATE = re.compile(
    r"pypi\.org/simple|files\.pythonhosted|download\.pytorch\.org|--(?:extra-)?index-url"
    r"|(?:^|[^\w.])/(?:root|tmp|home|work)/",
    re.MULTILINE,
)


def read(name: str) -> str:
    """The text of a file of the repository."""
    return (ROOT / name).read_text(encoding="utf8")


def requirement_lines(name: str) -> list[str]:
    """The lines of a requirements file that name a package."""
    lines = (line.strip() for line in read(name).splitlines())
    return [line for line in lines if line and not line.startswith(("#", "-c "))]


def pins(name: str) -> dict[str, str]:
    """The pinned version of each package in a requirements file."""
    found = (PIN.fullmatch(line) for line in requirement_lines(name))
    return {canonicalize_name(match[1]): match[2] for match in found if match}


def project() -> dict[str, Any]:
    """The [project] table of pyproject.toml."""
    table: dict[str, Any] = tomllib.loads(read("pyproject.toml"))["project"]
    return table


def ranges() -> list[Requirement]:
    """What pyproject.toml allows, including its extras."""
    extras = project()["optional-dependencies"].values()
    return [Requirement(text) for texts in [project()["dependencies"], *extras] for text in texts]


def project_files() -> list[str]:
    """Files that are, or on the next commit may be, part of the repository."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if listing.returncode:
        pytest.skip("not a git checkout")
    return [name for name in listing.stdout.splitlines() if (ROOT / name).is_file()]


def pulled_in(names: set[str]) -> Iterator[tuple[str, str]]:
    """Each package that the named ones need in this environment, with the one that needs it, all the way down."""
    todo, seen = [(name, frozenset[str]()) for name in names], set[tuple[str, frozenset[str]]]()
    while todo:
        node = todo.pop()
        if node in seen:
            continue
        seen.add(node)
        name, extras = node
        for need in map(Requirement, requires(name) or []):
            if need.marker is None or any(need.marker.evaluate({"extra": extra}) for extra in extras | {""}):
                yield canonicalize_name(need.name), name
                if not CUDA_LIBRARIES.match(need.name):
                    todo.append((canonicalize_name(need.name), frozenset(need.extras)))


# ---- commands


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", read("Makefile"), re.MULTILINE))


def test_every_make_command_in_a_text_exists() -> None:
    command = re.compile(r"(?:`|^|run: )make ([a-z-]+)", re.MULTILINE)
    named = {(name, target) for name in TEXTS for target in command.findall(read(name))}
    assert {("README.md", "book"), ("CONTRIBUTING.md", "check")} <= named
    assert {(name, target) for name, target in named if target not in make_targets()} == set()


def test_make_help_lists_every_target() -> None:
    documented = re.findall(r"^([a-z-]+):.*##", read("Makefile"), re.MULTILINE)
    assert sorted(documented) == sorted(make_targets())


# ---- texts


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_links_to_files_of_the_repository_work(name: str) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", read(name))
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_environment_variables_of_the_texts_are_read_by_the_library() -> None:
    named = set(re.findall(r"`(MTLBOOK_[A-Z0-9]+)`", read("CONTRIBUTING.md")))
    readers = [name for name in project_files() if re.match(r"(mtlbook_lib|bookbuild)/.*\.py$", name)]
    assert named == {name for file in readers for name in re.findall(r"MTLBOOK_[A-Z0-9]+", read(file))}


def test_no_marker_is_left_in_the_readme() -> None:
    assert "@@" not in read("README.md")


def test_the_chapter_template_is_a_chapter(tmp_path: Path) -> None:
    template = read("docs/chapter.md")
    path = tmp_path / "book" / "part1" / "my-chapter.md"
    path.parent.mkdir(parents=True)
    path.write_text(template, encoding="utf8")
    (tmp_path / "_toc.yml").write_text("format: jb-book\nroot: book/part1/my-chapter\n", encoding="utf8")
    (chapter,) = chapters(tmp_path)
    for cell in chapter.code():
        compile(cell, "my-chapter.md", "exec")
    exercises = re.findall(r"\{exercise\}.*\n:label: (\S+)", template)
    assert len(exercises) >= 3
    assert exercises == re.findall(r"\{solution-start\} (\S+)", template)


def test_the_claim_example_is_a_valid_entry(tmp_path: Path) -> None:
    example = re.search(r"```yaml\n(.*?)```", read("CONTRIBUTING.md"), re.DOTALL)
    assert example
    path = tmp_path / "claims.yml"
    path.write_text(textwrap.dedent(example[1]), encoding="utf8")
    assert list(register.load(path)) == ["outlier-position"]


# ---- versions and pins


def test_the_version_is_the_same_everywhere() -> None:
    citation = yaml.safe_load(read("CITATION.cff"))
    assert project()["version"] == mtlbook_lib.__version__ == str(citation["version"])


def test_the_citation_has_what_the_format_requires() -> None:
    citation = yaml.safe_load(read("CITATION.cff"))
    assert citation["cff-version"] == "1.2.0"
    assert citation["license"] == project()["license"]["text"]
    assert citation["message"]
    assert citation["title"]
    assert [author["name"] for author in citation["authors"]] == ["The mtlbook authors"]


@pytest.mark.parametrize("name", ["requirements.txt", "constraints.txt"])
def test_every_line_is_an_exact_pin(name: str) -> None:
    assert [line for line in requirement_lines(name) if not PIN.fullmatch(line)] == []
    assert len(pins(name)) == len(requirement_lines(name)), "a package is named twice"


def test_requirements_and_constraints_do_not_contradict_each_other() -> None:
    assert "-c constraints.txt" in read("requirements.txt").splitlines()
    direct, rest = pins("requirements.txt"), pins("constraints.txt")
    assert {name for name in direct.keys() & rest.keys() if direct[name] != rest[name]} == set()


def test_everything_the_requirements_pull_in_is_pinned() -> None:
    direct = pins("requirements.txt")
    pinned = direct | pins("constraints.txt")
    loose = {f"{need} (for {by})" for need, by in pulled_in(set(direct)) if need not in pinned}
    assert {line for line in loose if not CUDA_LIBRARIES.match(line)} == set()


def test_pyproject_has_ranges_and_the_pins_lie_in_them() -> None:
    direct = pins("requirements.txt")
    extras = project()["optional-dependencies"]
    alone = ("bench", "baselines", "bert", "images", "study")  # not what the book itself needs
    peers = {str(Requirement(text)) for name in alone for text in extras[name]}
    for allowed in ranges():
        operators = {part.operator for part in allowed.specifier}
        assert ">=" in operators, f"{allowed} has no lower bound"
        assert not operators & {"==", "==="}, f"{allowed} is a pin"
        if str(allowed) in peers:
            assert canonicalize_name(allowed.name) not in direct, f"{allowed} is in the book's environment"
            continue
        assert direct[canonicalize_name(allowed.name)] in allowed.specifier, f"the pin is outside {allowed}"


# ---- what is committed


def test_no_text_names_a_machine_or_a_package_index() -> None:
    found = []
    for name in project_files():
        # Third-party files are kept as they were published.
        if not name.startswith("book/_static/vendor/"):
            text = (ROOT / name).read_bytes().decode("utf8", errors="ignore")
            found += [f"{name}: {match[0].strip()}" for match in PRIVATE.finditer(text)]
    assert found == []


@pytest.mark.parametrize("folder", ["root", "tmp", "home", "work"])
def test_the_search_for_machine_paths_finds_them(folder: str) -> None:
    assert PRIVATE.search(f'path = "/{folder}/x"')
    assert not PRIVATE.search(f"see the folder book/{folder}/x or example.org/{folder}/x")


def test_no_notebook_with_outputs_is_committed() -> None:
    assert [name for name in project_files() if name.endswith(".ipynb")] == []


def test_the_table_of_contents_and_the_pages_agree() -> None:
    listed = set(pages())
    assert {path for path in listed if not path.exists()} == set()
    assert set(BOOK.rglob("*.md")) - listed == set()


def test_the_files_that_contributing_names_exist() -> None:
    inline = re.sub(r"^ *```.*?^ *```", "", read("CONTRIBUTING.md"), flags=re.DOTALL | re.MULTILINE)
    named = re.findall(r"`([a-z_][\w.-]*/[\w./-]*)`", inline)
    paths = {path for path in named if not path.startswith(("_build", ".venv"))}
    assert len(paths) > 30
    assert [path for path in sorted(paths) if not (ROOT / path).exists()] == []


def test_the_folders_of_the_layout_exist() -> None:
    """The layout is a tree: what is indented lies in the folder above it."""
    layout = read("CONTRIBUTING.md").split("## How the code is laid out\n\n```\n")[1].split("```")[0]
    found, folder = [], ""
    for indent, name in re.findall(r"^( *)([\w./-]+)  ", layout, re.MULTILINE):
        folder = folder if indent else name
        found.append(folder + name if indent else name)
    assert len(found) > 12
    assert [path for path in found if not (ROOT / path).exists()] == []
