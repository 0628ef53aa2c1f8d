"""nbval over the chapters: each code cell is a test that runs it, and at the paper's sizes compares what it printed.

Also the order of all tests, so that several workers end together.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any
from unittest import mock

import psutil
import pytest
from jupyter_client.manager import KernelManager
from nbformat import NotebookNode
from nbval.plugin import IPyNbCell, IPyNbFile, find_metadata_tags
from xdist.scheduler import LoadScopeScheduling

from bookbuild.chapters import Chapter, as_chapter, chapters, register_of
from bookbuild.compare import Shown, shown
from bookbuild.execute import KERNEL_ENV, TIMEOUT, expected_seconds
from bookbuild.kernels import connection, use_forks
from bookbuild.keys import precise
from bookbuild.reference_outputs import cell_misses, comparable, keyed_cells, load
from mtlbook_lib.notebook import register

# The page that a test of the site is about.
PAGE = re.compile(r"(?<=\[)[^]]*\.html")
RUN_SECONDS = 10  # of a processor, for the run that stands open on a page: twice what it may take


def pytest_addoption(parser: pytest.Parser) -> None:
    """The size at which chapters are executed; what the build executed at the paper's sizes, tests/book compares."""
    help = "profile of the chapters (default: MTLBOOK_PROFILE, or else quick)"
    default = os.environ.get("MTLBOOK_PROFILE") or "quick"
    parser.addoption("--book-profile", choices=("quick", "paper"), default=default, help=help)


def pytest_configure(config: pytest.Config) -> None:
    """A claim that is missed is an error, and a kernel may take as long to start as a cell to run."""
    os.environ["MTLBOOK_BUILD"] = "1"
    config.option.nbval_kernel_startup_timeout = TIMEOUT
    use_forks()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Networks that a test makes itself start alike, whatever ran before it on the same worker."""
    if torch := sys.modules.get("torch"):
        torch.manual_seed(0)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ChapterFile | None:
    """Collect the chapters of the table of contents."""
    if file_path.suffix != ".md" or file_path not in _chapter_paths(parent.config.rootpath):
        return None
    return ChapterFile.from_parent(parent, path=file_path)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Chapters first, the longest ahead: with short tests at the end, all workers end together."""
    own = {item: item.chapter for item in items if hasattr(item, "chapter")}
    seconds = expected_seconds(set(own.values()))
    items.sort(key=lambda item: -seconds[own[item].name] if item in own else 0)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadScopeScheduling:
    """Hand out tests in their order, by pages of the site and by files."""
    config.option.loadscopereorder = False
    return Scheduler(config, log)


class Scheduler(LoadScopeScheduling):
    """Keeps together on one worker what shares a kernel or the fixtures of a file; pages of the site go anywhere."""

    # Not by the marks of `--dist loadgroup`, which pytest-xdist 3.8 writes where pytest 9 no longer reads them.
    def _split_scope(self, nodeid: str) -> str:
        page = PAGE.search(nodeid)
        return page[0] if page else nodeid.split("::")[0]


@cache
def _chapter_paths(root: Path) -> frozenset[Path]:
    # Remembered: pytest asks once for each file, and the answer takes reading all of them.
    return frozenset(chapter.path for chapter in chapters(root))


class ChapterFile(IPyNbFile):
    """A chapter; all its cells run in one kernel."""

    @property
    def profile(self) -> str:
        """At which size the chapter is executed."""
        return str(self.config.getoption("--book-profile"))

    def setup(self) -> None:
        """Start the kernel in the surroundings of a build."""
        surroundings = KERNEL_ENV | os.environ | {"MTLBOOK_PROFILE": self.profile}
        surroundings["MTLBOOK_CLAIMS"] = str(register_of(self.config.rootpath))
        chapter = as_chapter(self.path, self.config.rootpath)
        surroundings |= precise(chapter.name, self.config.rootpath) if chapter else {}
        manager = partial(KernelManager, config=connection())
        with mock.patch.dict(os.environ, surroundings), mock.patch("nbval.kernel.KernelManager", manager):
            super().setup()

    def collect(self) -> Iterator[ChapterCell]:
        """Yield one test for each code cell."""
        chapter = as_chapter(self.path, self.config.rootpath)
        assert chapter is not None
        self.nb = chapter.notebook()
        self.references = load(chapter.name, self.config.rootpath)
        for number, (key, cell) in enumerate(keyed_cells(self.nb.cells)):
            options: dict[str, Any] = {"check": True, "skip": False, "check_exception": False}
            options.update(find_metadata_tags(cell.metadata))
            # A cell counts as run, so that nbval goes on to compare.
            cell.execution_count = number + 1
            item = ChapterCell.from_parent(self, name=f"cell {number}", cell_num=number, cell=cell, options=options)
            item.key, item.chapter = key, chapter
            yield item


class ChapterCell(IPyNbCell):
    """A code cell of a chapter."""

    key: str
    chapter: Chapter

    def runtest(self) -> None:
        """Run the cell in the chapter's kernel."""
        kernel = psutil.Process(self.parent.kernel.km.provisioner.pid)
        start = kernel.cpu_times()
        super().runtest()
        seconds = kernel.cpu_times().user - start.user
        assert not is_run(self.cell) or seconds < RUN_SECONDS, f"the run takes {seconds:.0f} s"

    def compare_outputs(self, test: list[Any], ref: list[Any], skip_compare: Any = None) -> bool:
        """Whether the cell printed what its reference says (`ref`, the chapter's own outputs, is always empty).

        At the small sizes it need only run: a claim that it contradicts is an error. An open run has sizes of its own.
        """
        outputs = shown(test)
        misses = cell_misses(outputs, self.parent.references.get(self.key)) if comparable(self.parent.profile) else []
        self.comparison_traceback = misses + (other_findings(self.cell, outputs) if is_run(self.cell) else [])
        return not self.comparison_traceback


def is_run(cell: NotebookNode) -> bool:
    """Whether a cell is a run that stands open on the page."""
    return "run" in cell.metadata.get("tags", [])


def other_findings(cell: NotebookNode, outputs: list[Shown]) -> list[str]:
    """What a run says of its claim, unless it agrees; what so few seeds hint at need not be significant."""
    entry = register.load()[cell.metadata["mtlbook"]["claim"]]
    agrees = "Your run agrees|Too few seeds" if entry.check == "exceeds" else "Your run agrees"
    said = outputs[0].text.splitlines()[-1] if outputs else ""
    ends = f"the claim {entry.id}, on record as: {entry.asserted}."
    return [] if re.match(agrees, said) and said.endswith(ends) else [said or "the run prints nothing"]
