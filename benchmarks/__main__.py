"""Run every bench_*.py, or those named on the command line, and print one table."""

import argparse
import resource
import sys
from importlib import import_module
from pathlib import Path

from benchmarks.timing import product_rate, table


def main(arguments: list[str]) -> None:
    names = sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", help=f"which to run, among {', '.join(names)} (default: all)")
    parser.add_argument("--record", action="store_true", help="put all of it on record and on the page Performance")
    given = parser.parse_args(arguments)
    chosen = given.names or names
    if unknown := sorted(set(chosen) - set(names)):
        parser.error(f"choose among {', '.join(names)}; got {', '.join(unknown)}")
    wanted = [f"bench_{name}" for name in chosen]
    if given.record and given.names:
        parser.error("--record takes all of them")
    rate = product_rate()
    rows = [row for name in wanted for row in import_module(f"benchmarks.{name}").rows()]
    print(table(rows, rate))
    print(f"\nCPU seconds for each item, one thread. Share is of {rate / 1e9:.1f} GFlop/s, the rate of large products.")
    gigabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"Peak memory: {gigabytes:.2f} GB.")
    if given.record:
        from benchmarks import growth, record  # the comparison with peers has an environment without torch

        record.write(rows, growth.rows(), rate, gigabytes)


if __name__ == "__main__":
    main(sys.argv[1:])
