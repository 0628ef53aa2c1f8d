"""The register's entries with what their checks published, and how the numbers read on the generated pages."""

from collections import Counter
from collections.abc import Iterable
from math import floor, log10
from typing import Any

from bookbuild.chapters import chapters, registered_claims
from bookbuild.execute import read_record
from mtlbook_lib.notebook._entry import MISSED, NOT_JUDGED, PAPERS, SYMBOLS, WEIGHTS, asserted, remark, resolution
from mtlbook_lib.notebook.card import count

Entry = dict[str, Any]
Outcome = dict[str, Any]
ELSEWHERE_RUN = "run in another setting"  # not checked as printed, yet measured: counted apart
OWN = "beyond"  # the statements that no paper makes
ERRATA = ("reference/errata", "Erratum")
FAILED_FORECASTS = ("reference/failed-forecasts", "What failed")


def claims_with_outcomes() -> list[tuple[Entry, Outcome | None]]:
    """The register's entries, each with what its check published (None where it was not checked)."""
    records = [record for chapter in chapters() if (record := read_record(chapter.name))]
    outcomes = {claim["id"]: claim for record in records for claim in record["claims"]}
    return [(entry, outcomes.get(entry["id"])) for entry in registered_claims()]


def shown_verdict(entry: Entry, outcome: Outcome | None) -> str:
    """The recorded verdict, or that the paper's setting was not run, or that this build was too small to judge."""
    if outcome is not None and not outcome.get("judged", True):
        return NOT_JUDGED
    return ELSEWHERE_RUN if "outcome" in entry else entry["verdict"]


def missed(entry: Entry) -> tuple[str, str] | None:
    """Where the book says what a statement misses: the page, and the name of a link to it. None: it holds.

    A paper's statement has an erratum; what the book itself expected in vain stands on a page of its own.
    """
    if entry["verdict"] not in MISSED:
        return None
    return FAILED_FORECASTS if entry["paper"] == OWN else ERRATA


def weights_text(entries: Iterable[Entry]) -> str:
    """What the corrections correct: how many a result, a proof, a misprint; nothing where there is none."""
    found = Counter(entry["weight"] for entry in entries if "weight" in entry)
    if not found:
        return ""
    result, proof, misprint = (found[weight] for weight in WEIGHTS)
    return (
        f"Of {found.total()} corrections {result} concern a result, {proof} a step of a proof, "
        f"and {misprint} a misprint that the paper itself has right elsewhere."
    )


def unchecked_text(entries: Iterable[Entry]) -> str:
    """How many places of each paper were not run, or only in another setting; a paper without any is left out."""
    places: dict[str, dict[str, set[str]]] = {}
    for entry in entries:
        kind = "not run" if asserted(entry) == "not checked" else "otherwise" if "outcome" in entry else "as printed"
        places.setdefault(entry["paper"], {}).setdefault(kind, set()).update(map(str, entry["place"]))
    return " ".join(_of_paper(PAPERS[paper], found) for paper, found in places.items() if found.keys() - {"as printed"})


def _of_paper(name: str, places: dict[str, set[str]]) -> str:
    total = len(set().union(*places.values()))
    left = places.get("not run", set())
    otherwise = places.get("otherwise", set()) - left
    return (
        f"{name}: {total} places. Of {len(left)} a statement was not run at all, of {len(otherwise)} more in another "
        f"setting only; together {100 * (len(left) + len(otherwise)) / total:.0f} %."
    )


def columns(verdicts: Iterable[str]) -> list[str]:
    """The verdicts to count: all of the register's, and "not judged" and the like where a build has any of it."""
    found = set(verdicts)
    return [*SYMBOLS, *(one for one in (ELSEWHERE_RUN, NOT_JUDGED) if one in found)]


def is_card(entry: Entry) -> bool:
    """Whether a claim has a card of its own; what only supports another stands in that one's fold."""
    return "supports" not in entry


def counted(chapter: str) -> tuple[dict[str, int], dict[str, str]]:
    """How many cards of a chapter have which verdict, and the first card on its page with each.

    A chapter that was not executed yet has counts from the register, and no cards to name.
    """
    published = {claim["id"]: claim for claim in (read_record(chapter) or {"claims": []})["claims"]}
    shown = {
        entry["id"]: shown_verdict(entry, published.get(entry["id"]))
        for entry in registered_claims()
        if entry["chapter"] == chapter and is_card(entry)
    }
    first: dict[str, str] = {}
    for identity in published:  # in the order of the page
        if identity in shown:
            first.setdefault(shown[identity], identity)
    counts = Counter(shown.values())
    return {verdict: counts[verdict] for verdict in columns(counts) if counts[verdict]}, first


def unjudged(claims: Iterable[Outcome]) -> int:
    """How many of the published outcomes are of runs too small to judge."""
    return sum(not claim.get("judged", True) for claim in claims)


def scope_text(entry: Entry) -> str:
    """What a statement was tested for, where the entry says it."""
    return f" *Tested for: {entry['scope'].strip().removesuffix('.')}.*" if "scope" in entry else ""


def verdict_text(entry: Entry, verdict: str) -> str:
    """A verdict as a badge says it, with the weight of a correction, and on what it was judged."""
    if verdict == NOT_JUDGED:
        return verdict
    return entry["verdict"] + remark(entry.get("weight", ""), entry.get("judged_on", ""), entry.get("outcome", ""))


def number(value: float | None) -> str:
    """A measured number for a table; values at roundoff level are given as a bound."""
    if value is None:
        return "–"
    return "< 1e-10" if 0 < abs(value) < 1e-10 else f"{value:.4g}"


def place_text(entry: Entry) -> str:
    """The places of a claim in its paper."""
    return ", ".join(map(str, entry["place"]))


def measured_text(outcome: Outcome | None) -> str:
    """Measured value with its standard error, both to the second digit of the error."""
    if outcome is None:
        return "–"
    if outcome.get("of"):
        return count(outcome["measured"], outcome["of"])
    measured, error = outcome["measured"], outcome.get("standard_error")
    if not error:
        return number(measured) + (" ± 0" if error is not None else "")
    digits = 1 - floor(log10(float(f"{error:.1e}")))  # as many decimals as two digits of the error have
    if not 0 <= digits <= 9:
        return f"{number(measured)} ± {error:.2g}"
    return f"{round(measured, digits) + 0.0:.{digits}f} ± {error:.{digits}f}"  # no minus before what rounds to zero


def evidence(outcome: Outcome) -> list[str]:
    """The deciding numbers of a check: of the statement that holds, and of the one that is missed."""
    kinds = {"printed": "As printed", "outside": "Where it does not hold"}
    missed = [(name, outcome[key]) for key, name in kinds.items() if outcome.get(key)]
    return [_numbers("Checked", outcome), *(_numbers(name, numbers) for name, numbers in missed)]


def _numbers(name: str, numbers: dict[str, Any]) -> str:
    expected = f", expected {number(numbers['expected'])}" if numbers["expected"] is not None else ""
    cases = f" (worst of {numbers['n_cases']} cases)" if numbers["n_cases"] > 1 else ""
    return f"{name}: measured {measured_text(numbers)}{expected}{cases}."


def tolerance_text(entry: Entry) -> str:
    """The kind of check and its tolerance."""
    if asserted(entry) == "not checked":
        return "–"
    extra = f" + {float(entry['allowance']):g}" if entry.get("allowance") else ""
    bounds = entry["tolerance"] if isinstance(entry["tolerance"], list) else [entry["tolerance"]]
    # YAML reads 1e-10, without a point, as text.
    shown = " to ".join(f"{float(bound):g}" for bound in bounds)
    sight = f"; a deviation of {resolution(entry['resolves'])} would be noticed" if "resolves" in entry else ""
    return f"{entry['check']}: {shown}{extra}{sight}"
