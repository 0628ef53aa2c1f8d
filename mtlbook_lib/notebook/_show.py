"""Show an object in a notebook, or print it where there is no IPython; and how much the profile in force shows."""

import os
import sys

from mtlbook_lib._checks import one_of

PROFILES = ("paper", "quick", "large")


def quick() -> bool:
    """Whether ``MTLBOOK_PROFILE`` asks for the quick profile, which is for authors."""
    return one_of("MTLBOOK_PROFILE", os.environ.get("MTLBOOK_PROFILE") or PROFILES[0], PROFILES) == "quick"


def single() -> bool:
    """Whether simulations run in single precision: ``MTLBOOK_DTYPE`` asks for it, or a device that has no other."""
    default = "float32" if os.environ.get("MTLBOOK_DEVICE") == "mps" else "float64"
    return (os.environ.get("MTLBOOK_DTYPE") or default) == "float32"


def building() -> bool:
    """Whether the book is being built or tested (``MTLBOOK_BUILD``), and not run by a reader."""
    return bool(os.environ.get("MTLBOOK_BUILD"))


def on_page() -> bool:
    """Whether a cell of the book is being built or tested, and not a function by itself."""
    ipython = sys.modules.get("IPython")
    return building() and ipython is not None and ipython.get_ipython() is not None


def in_kernel() -> bool:
    """Whether a notebook's kernel runs this, for a reader who waits or for a build."""
    ipython = sys.modules.get("IPython")
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")


def reporting() -> bool:
    """Whether ``MTLBOOK_CONTRADICTIONS`` asks to report contradictions instead of stopping at the first."""
    name = "MTLBOOK_CONTRADICTIONS"
    return one_of(name, os.environ.get(name) or "stop", ("stop", "report")) == "report"


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
