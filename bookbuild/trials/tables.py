"""The tables of the page *How far to trust it*: the book on simulated machines, and claims with other seeds."""

from typing import Any

from docutils import nodes

from bookbuild.chapters import registered_claims
from bookbuild.pages.directive import BookDirective, Row
from bookbuild.trials import machines

CLOSEST = 20  # claims in the table of margins


class Machines(BookDirective):
    """One row for each run on a simulated machine."""

    def content_nodes(self) -> list[nodes.Node]:
        """The table."""
        rows = [_run_row(run) for run in machines.kept() if run["seeds"] == 0]
        head = ["Machine", "Sizes", "Chapters", "Numbers outside their rule", "Verdicts that differ"]
        return [self.table(head, rows)]


class Margins(BookDirective):
    """The statistical claims that are closest to their tolerance, over all runs, and those whose verdict changed."""

    def content_nodes(self) -> list[nodes.Node]:
        """Two tables: verdicts that changed with other seeds, and the smallest margins."""
        runs = machines.kept()
        flipped = [[name, *(", ".join(seeds) for seeds in where)] for name, where in sorted(flips(runs).items())]
        closest = sorted(margins(runs).items(), key=lambda item: item[1])[:CLOSEST]
        found: list[nodes.Node] = [self.section("Verdicts that other seeds change", self._flipped(flipped))]
        rows: list[Row] = [[self._claim(name), f"{left:.2f}".replace("-", "−")] for name, left in closest]
        return [*found, self.section("Smallest margins", self.table(["Claim", "Margin left"], rows))]

    def _flipped(self, rows: list[list[str]]) -> nodes.Node:
        if not rows:
            tried = any(run["seeds"] for run in machines.kept())
            return nodes.paragraph("", "None." if tried else "No run with other seeds is on record yet.")
        head = ["Claim", "Says otherwise with seeds", "Cannot tell with seeds", "Borne out, but sees less with seeds"]
        return self.table(head, [[self._claim(name), *where] for name, *where in rows])

    def _claim(self, name: str) -> nodes.Node:
        chapters = {entry["id"]: entry["chapter"] for entry in registered_claims()}
        return self.link(name, chapters[name], f"claim-{name}") if name in chapters else nodes.paragraph("", name)


def flips(runs: list[dict[str, Any]]) -> dict[str, tuple[list[str], list[str], list[str]]]:
    """Claims that do not agree: the seeds that say otherwise, that cannot tell, and that bear it out but see less."""
    flipped: dict[str, tuple[list[str], list[str], list[str]]] = {}
    for run in runs:
        for place, names in enumerate(machines.outcomes(run).values()):
            for name in names if run["seeds"] else []:
                flipped.setdefault(name, ([], [], []))[place].append(str(run["seeds"]))
    return flipped


def margins(runs: list[dict[str, Any]]) -> dict[str, float]:
    """The least that each statistical claim which holds left to its edge, over all runs at full size."""
    least: dict[str, float] = {}
    for run in runs:
        for name, claim in run["claims"].items():
            left = claim["left"]
            if run["profile"] == "paper" and left is not None and claim["verdict"] != "fails":
                least[name] = min(left, least.get(name, left))
    return least


def _run_row(run: dict[str, Any]) -> Row:
    flipped = [name for name, claim in run["claims"].items() if claim["judged"] and not claim["agrees"]]
    cells = sum(len(lines) for lines in run["misses"].values())
    done = f"{len(run['seconds'])} of {len(run['seconds']) + len(run['failed'])}"
    compared = "not compared" if "float32" in run["machine"] or run["profile"] != "paper" else str(cells)
    return [run["machine"], run["profile"], done, compared, ", ".join(flipped) or "none"]
