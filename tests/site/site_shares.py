"""What code, figures and claims take of each page, noted when the page is looked at, for a test of all of them."""

import json
from pathlib import Path


def note(folder: Path, page: str, shares: dict[str, float]) -> None:
    """Note the shares of a page, in one step: another worker may read them."""
    path = folder / f"{page.strip('/').replace('/', '--')}.json"
    part = path.with_suffix(".part")
    part.write_text(json.dumps(shares), encoding="utf8")
    part.replace(path)


def noted(folder: Path, page: str) -> dict[str, float] | None:
    """The shares of a page, or None where nobody has looked at it yet."""
    path = folder / f"{page.strip('/').replace('/', '--')}.json"
    return json.loads(path.read_text(encoding="utf8")) if path.exists() else None
