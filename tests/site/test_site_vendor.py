"""Files of other projects are the ones that the manifest beside them names, and nothing else."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
import site_html

FOLDERS = ["book/_static/vendor", "bookbuild/typeset/vendor", "tests/site/vendor"]
BYTES = 6_000_000  # what every clone and every published site carries


def manifest(folder: Path) -> list[dict[str, Any]]:
    return json.loads((folder / "manifest.json").read_text(encoding="utf8"))


@pytest.fixture(params=FOLDERS)
def folder(request: pytest.FixtureRequest, pytestconfig: pytest.Config) -> Path:
    return pytestconfig.rootpath / request.param


def test_files_are_those_of_the_manifest(folder: Path) -> None:
    entries = manifest(folder)
    listed = {name for entry in entries for name in [*entry["files"], *entry["licence_files"]]}
    present = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert present == listed | {"manifest.json"}


def test_checksums(folder: Path) -> None:
    for entry in manifest(folder):
        for name, origin in entry["files"].items():
            assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == origin["sha256"], name


def test_every_entry_names_its_origin_and_licence(folder: Path) -> None:
    for entry in manifest(folder):
        assert {"name", "version", "licence", "package", "licence_files", "files"} <= entry.keys()
        assert all(origin["from"] for origin in entry["files"].values())
        assert all((folder / name).stat().st_size > 500 for name in entry["licence_files"])


def test_size(pytestconfig: pytest.Config) -> None:
    files = [path for name in FOLDERS for path in (pytestconfig.rootpath / name).rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < BYTES


def test_every_page_says_that_it_loads_from_nowhere_else(site: Path) -> None:
    pages = [path for path in site_html.pages(site) if not site_html.redirects(path)]
    policy = "http-equiv=\"Content-Security-Policy\" content=\"default-src 'self' 'unsafe-inline' data: blob:"
    assert [path.name for path in pages if policy not in path.read_text(encoding="utf8").partition("<script")[0]] == []
