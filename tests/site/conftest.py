"""One browser and one server in each worker for the tests of the built site; every page is looked at once."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
import site_html
from browser import Browser, require_browser, serve
from site_checks import Facts, look


def built_site(config: pytest.Config) -> Path:
    """Where `make book` puts the site."""
    return config.rootpath / "_build/html"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that takes `page` on every built page, one that takes `kind` on two of each kind.

    Without a build they run once, and fail in `site`.
    """
    for name, chosen in (("page", _opened), ("kind", _kinds)):
        if name in metafunc.fixturenames:
            metafunc.parametrize(name, chosen(built_site(metafunc.config)) or ["not built"])


@cache
def _opened(folder: Path) -> list[str]:
    """All pages, but of the sources, which are alike, their list and one."""
    pages = [path for path in site_html.pages(folder) if not site_html.redirects(path)]
    names = [path.relative_to(folder).as_posix() for path in pages]
    sources = [name for name in names if name.startswith("_modules/")]
    return [name for name in names if name not in sources[2:]]


def _kinds(folder: Path) -> list[str]:
    """The first two of all pages that run the same scripts at the same depth."""
    alike = defaultdict(list)
    for name in _opened(folder):
        alike[name.count("/"), site_html.scripts(folder / name)].append(name)
    return sorted(name for names in alike.values() for name in names[:2])


@pytest.fixture(scope="session")
def site(pytestconfig: pytest.Config) -> Path:
    """The folder of the built site."""
    folder = built_site(pytestconfig)
    if not (folder / "index.html").is_file():
        pytest.fail("The site is not built: run make book.")
    return folder


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One Chromium; where there is none the tests are skipped, but not in CI."""
    require_browser()
    chromium = Browser(tmp_path_factory.mktemp("chromium"))
    yield chromium
    chromium.close()


@pytest.fixture(scope="session")
def server(site: Path) -> Iterator[str]:
    """The address of the site over http."""
    with serve(site) as address:
        yield address


@pytest.fixture(scope="session")
def facts(browser: Browser) -> Callable[[str], Facts]:
    """What the browser sees at an address; looked at once, also when that fails."""
    known: dict[str, Facts | Exception] = {}

    def at(address: str) -> Facts:
        if address not in known:
            try:
                known[address] = look(browser, address)
            except Exception as error:
                known[address] = error
        seen = known[address]
        if isinstance(seen, Exception):
            raise seen
        return seen

    return at
