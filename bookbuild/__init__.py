"""How the book is made: execute the chapters, compare what they print with references, build the pages."""

import argparse


def without_options(name: str, about: str | None) -> None:
    """Answer `--help`, and refuse anything else on the command line: a mistyped option should start no long work."""
    argparse.ArgumentParser(prog=f"python -m {name}", description=about).parse_args()
