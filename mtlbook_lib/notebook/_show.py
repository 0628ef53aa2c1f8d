"""Show an object in a notebook, or print it where there is no IPython."""

from __future__ import annotations


def show(thing: object) -> None:
    """Display `thing` with all its representations; print its text where IPython is not installed or not running."""
    try:
        from IPython import get_ipython
        from IPython.display import display
    except ImportError:
        print(thing)
        return
    if get_ipython() is None:
        print(thing)
    else:
        display(thing)  # type: ignore[no-untyped-call]
