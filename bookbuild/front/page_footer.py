"""The line below each page: version, day of the build, its source, where to report an error, where to run it."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from sphinx.application import Sphinx
from sphinx.errors import ConfigError
from sphinx.util.osutil import relative_uri

from bookbuild.chapters import chapter_of
from bookbuild.pages.cite import SETTING, citation

BINDER = "book_binder"  # the address of a BinderHub; empty: pages have no launch button
NOTEBOOKS = "book_notebooks"  # a folder on GitHub that holds what the site has in _sources; empty: no link to Colab
COLAB = "https://colab.research.google.com/github"
REPORT = "book/intro"  # says what to do about an error as long as there is no public repository
Links = dict[str, str]


def add_facts(app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Give the page's template what the line says."""
    context["mtl_version"] = citation()["version"]
    context["mtl_built"] = f"{datetime.now(UTC):%Y-%m-%d}"
    where = [app.config[name] for name in (SETTING, BINDER, NOTEBOOKS)]
    context["mtl_links"] = links(pagename, context.get("sourcename"), *where)


def links(page: str, source: str | None, repository: str, binder: str, notebooks: str = "") -> Links:
    """Where the line leads, by what it is called."""
    repository = repository.rstrip("/")
    addresses: Links = {}
    if repository:
        addresses["Source of this page"] = f"{repository}/blob/HEAD/{page}.md"
        addresses["Report an error"] = f"{repository}/issues/new?title={quote(page)}"
    else:
        if source:
            addresses["Source of this page"] = relative_uri(f"{page}.html", f"_sources/{source}")
        addresses["Report an error"] = relative_uri(f"{page}.html", f"{REPORT}.html") + "#report-an-error"
    if repository and binder and chapter_of(page):
        addresses["Run it on Binder"] = launch(repository, binder, page)
    if notebooks and chapter_of(page):
        addresses["Run it on Colab"] = f"{COLAB}/{on_github(notebooks)}/{page}.ipynb"
    return addresses


def on_github(folder: str) -> str:
    """Owner, name, branch and folder, by which Colab knows where a notebook lies; it reads from GitHub alone."""
    form = re.fullmatch(r"https://github\.com/([^/]+/[^/]+/blob/.+?)/*", folder)
    if not form:
        raise ConfigError(
            f"{NOTEBOOKS} must be such as https://github.com/owner/name/blob/gh-pages/_sources; got {folder!r}."
        )
    return form[1]


def launch(repository: str, binder: str, page: str) -> str:
    """The address at which a BinderHub opens the page as a notebook."""
    owner_and_name = "/".join(repository.split("/")[-2:])
    hosts = {"github.com": "gh", "gitlab.com": "gl"}
    host = next((short for name, short in hosts.items() if f"//{name}/" in repository), None)
    where = f"{host}/{owner_and_name}" if host else f"git/{quote(repository, safe='')}"
    return f"{binder.rstrip('/')}/v2/{where}/HEAD?urlpath={quote(f'lab/tree/{page}.md', safe='')}"
