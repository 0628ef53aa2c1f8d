"""Optional packages: a part that needs one says which extra of the library brings it."""

from __future__ import annotations

from importlib.util import find_spec


def require(extra: str, *packages: str) -> None:
    """Raise ``ModuleNotFoundError`` with the remedy when a package of the extra is not installed."""
    missing = [name for name in packages if find_spec(name) is None]
    if missing:
        remedy = f'pip install "mtlbook-lib[{extra}]"'
        raise ModuleNotFoundError(f"This part of mtlbook_lib needs {', '.join(missing)}. Install it with: {remedy}")
