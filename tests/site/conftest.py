"""One browser and one server in each worker for the tests of the built site."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import site_html
from browser import Browser, require_browser, serve


def built_site(config: pytest.Config) -> Path:
    """Where `make book` puts the site."""
    return config.rootpath / "_build/html"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that takes `page` on the pages that are looked at; without a build once, which fails in `site`."""
    if "page" in metafunc.fixturenames:
        metafunc.parametrize("page", site_html.looked_at(built_site(metafunc.config)) or ["not built"])


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
