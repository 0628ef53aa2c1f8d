"""Run every bench_*.py and print one table."""

from importlib import import_module
from pathlib import Path

from benchmarks.timing import table


def main() -> None:
    names = sorted(path.stem for path in Path(__file__).parent.glob("bench_*.py"))
    print(table([figure for name in names for figure in import_module(f"benchmarks.{name}").main()]))


if __name__ == "__main__":
    main()
