"""How the book is made: execute the chapters, compare what they print with references, build the pages."""

import argparse
import os
import sys

# At its import it builds a grammar of web addresses, in a second of a processor. Whoever reads notebooks brings it, for
# a check of formats that jsonschema leaves out where it is missing, and that no notebook asks for.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

# Each profile has a build of its own: the paper's sizes in _build, the small book in _build/quick.
PROFILE = os.environ.get("MTLBOOK_PROFILE") or "paper"
BUILD_FOLDER = "_build" if PROFILE == "paper" else f"_build/{PROFILE}"


def without_options(name: str, about: str | None) -> None:
    """Answer `--help`, and refuse anything else on the command line: a mistyped option should start no long work."""
    argparse.ArgumentParser(prog=f"python -m {name}", description=about).parse_args()
