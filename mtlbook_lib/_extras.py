"""Optional packages: a part that needs one says how to get it."""

from importlib.util import find_spec

# Where the package index has another name.
INDEXED = {"PIL": "pillow", "sklearn": "scikit-learn", "yaml": "pyyaml", "distributed": '"dask[distributed]"'}


def require(extra: str, *packages: str) -> None:
    """Raise ``ModuleNotFoundError`` with the remedy when a package of the extra is not installed."""
    missing = [name for name in packages if find_spec(name) is None]
    if missing:
        names = " ".join(INDEXED.get(name, name) for name in missing)
        remedy = f'pip install {names}; with the book\'s source at hand: pip install ".[{extra}]"'
        raise ModuleNotFoundError(f"This part of mtlbook_lib needs {', '.join(missing)}. Install it with: {remedy}")
