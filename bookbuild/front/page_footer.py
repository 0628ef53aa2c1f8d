"""The line below each page: version, day of the build, its source, where to report an error, where to run it."""

from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from sphinx.application import Sphinx
from sphinx.util.osutil import relative_uri

from bookbuild.chapters import chapter_of
from bookbuild.pages.cite import SETTING, citation

BINDER = "book_binder"  # the address of a BinderHub; empty: pages have no launch button
REPORT = "book/intro"  # says what to do about an error as long as there is no public repository
Links = dict[str, str]


def add_facts(app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Give the page's template what the line says."""
    context["mtl_version"] = citation()["version"]
    context["mtl_built"] = f"{datetime.now(UTC):%Y-%m-%d}"
    context["mtl_links"] = links(pagename, context.get("sourcename"), app.config[SETTING], app.config[BINDER])


def links(page: str, source: str | None, repository: str, binder: str) -> Links:
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
    return addresses


def launch(repository: str, binder: str, page: str) -> str:
    """The address at which a BinderHub opens the page as a notebook."""
    owner_and_name = "/".join(repository.split("/")[-2:])
    hosts = {"github.com": "gh", "gitlab.com": "gl"}
    host = next((short for name, short in hosts.items() if f"//{name}/" in repository), None)
    where = f"{host}/{owner_and_name}" if host else f"git/{quote(repository, safe='')}"
    return f"{binder.rstrip('/')}/v2/{where}/HEAD?urlpath={quote(f'lab/tree/{page}.md', safe='')}"
