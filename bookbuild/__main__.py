"""Build the book: execute the chapters that changed, then make the pages. Run as `python -m bookbuild`."""

from __future__ import annotations

import sys

from bookbuild import without_options


def main() -> int:
    """Count, execute and build; 1 if that fails, 130 if it is interrupted."""
    from bookbuild import execute, html, lint
    from bookbuild.chapters import BUILD
    from mtlbook_lib.notebook.register import RegisterError

    try:
        BUILD.mkdir(parents=True, exist_ok=True)
        faults = lint.counted()
        print("".join(f"{fault}\n" for fault in faults), end="")
        return 1 if faults else execute.main() or html.main()
    except KeyboardInterrupt:
        print("Interrupted. What is finished is stored; the next build goes on from there.", flush=True)
        return 130
    except RegisterError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"error: {error}. The build writes below {BUILD}: see that it may.", file=sys.stderr)
        return 1


if __name__ == "__main__":
    without_options("bookbuild", __doc__)
    sys.exit(main())
