"""The command line, ``mtlbook`` or ``python -m mtlbook_lib``: forecast, rank, matrix, predict, results, benchmark."""

import argparse
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from mtlbook_lib import __version__
from mtlbook_lib.command_line import benchmark, forecast, predict
from mtlbook_lib.command_line.reading import shown

EXIT_CODES = (
    "exit codes: 0 done; 2 wrong arguments or data, or a run that failed, and a message names cause and remedy; "
    "3 (rank) done without the files that are listed as not ranked; 130 stopped by Ctrl-C; "
    "141 the reader of the output went away"
)
STOPPED, UNREAD = 130, 141  # what shells report of a program that these two signals end


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; its answer goes to standard output, everything else to standard error."""
    if not _streams():
        print("error: standard output is closed; there is nowhere to write to", file=sys.stderr)
        return 2
    try:
        given = parsed(arguments)
        code = int(given.run(given) or 0)
        sys.stdout.flush()
    except BrokenPipeError:
        # What is still to be written has no reader; Python would complain about it at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNREAD
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return STOPPED
    except (ValueError, TypeError, OSError, ModuleNotFoundError) as error:
        print(f"error: {shown(error)}", file=sys.stderr)
        return 2
    except MemoryError:
        print("error: not enough memory; forecast and rank take N rows of each file with --sample N", file=sys.stderr)
        return 2
    return code


def _streams() -> bool:
    """Set up the standard streams; False where the output is closed.

    Files and pipes get UTF-8, as tables are read. A console that does not know a letter, as one of Windows, shows its
    code. Messages for a closed stream go nowhere: Python would print them to the output.
    """
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        asked = sys.stdout.isatty() or "PYTHONIOENCODING" in os.environ
        sys.stdout.reconfigure(encoding=None if asked else "utf-8", errors="backslashreplace")
    return sys.stdout is not None


class _Parser(argparse.ArgumentParser):
    """Says how a value is given that looks like an option."""

    def error(self, message: str) -> NoReturn:
        remedy = "; a value that begins with - stands behind =, as in --drop=-x"
        super().error(message + remedy * ("expected one argument" in message))


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Arguments, parsed. Files may stand before options and behind them, which argparse by itself refuses."""
    top = parser()
    given, rest = top.parse_known_args(arguments)
    unknown = rest if not hasattr(given, "files_in") else [one for one in rest if one.startswith("-") and one != "-"]
    if unknown:
        told = f"`{top.prog} {given.command} --help` lists what there is"
        more = f"; `{top.prog} rank` takes more than two files" if given.command == "forecast" else ""
        top.error(f"unrecognized arguments: {' '.join(unknown)}; {told}{more}")
    if rest:
        getattr(given, given.files_in).extend(map(Path, rest))
    return given


def parser() -> argparse.ArgumentParser:
    """All commands and options, with their help."""
    name = Path(sys.argv[0]).name
    top = _Parser(
        prog="mtlbook" if name.startswith("mtlbook") else "python -m mtlbook_lib",
        description="Should these tasks be trained together?",
        epilog=EXIT_CODES,
    )
    top.add_argument("--version", action="version", version=f"mtlbook {__version__}")
    commands = top.add_subparsers(required=True, metavar="command", dest="command")
    forecast.add_parsers(commands, EXIT_CODES)
    predict.add_parser(commands, EXIT_CODES)
    stored = commands.add_parser(
        "results", epilog=EXIT_CODES, help="run the experiments that are too long for the book"
    )
    stored.add_argument("names", nargs="*", metavar="NAME", help="such as part4/auxiliary-tasks; none: list them")
    stored.add_argument("--force", action="store_true", help="compute them anew, whatever cells of them come out")
    stored.add_argument("--scheduler", metavar="ADDRESS", help="of a Dask cluster that computes their sweeps")
    stored.set_defaults(run=results)
    benchmark.add_parsers(commands, EXIT_CODES)
    return top


def results(given: argparse.Namespace) -> None:
    """List committed results; or draw cells of some, and renew them or, where these come out, stamp their new key."""
    # Imported here: the experiments need torch, which the other commands do without.
    from mtlbook_lib.chapters import sizes, stored_results

    sizes.load_all()
    entries = dict(sorted(sizes.COMMITTED.items()))
    unknown = [name for name in given.names if name not in entries]
    if unknown:
        raise ValueError(f"NAME must be one of {', '.join(entries)}; got {', '.join(unknown)}.")
    for name in given.names or entries:
        entry = entries[name]
        if not given.names:
            print(f"{name}  {stored_results.state(entry)}  {entry.minutes:g} min")
            continue
        if entry.path.exists() and not given.force:
            print(f"{name}: {stored_results.renewed(entry, given.scheduler)}", flush=True)
            continue
        print(f"{name}: some {entry.minutes:g} minutes on one core", flush=True)
        stored_results.compute(entry, given.scheduler)
