"""The runs are as large as their claims need: with a quarter of the seeds the build would be red."""

from collections.abc import Callable
from typing import Any

import pytest

from bookbuild.chapters import Chapter, chapters
from bookbuild.execute import is_fresh, read_record
from mtlbook_lib.chapters.part1.noise_spectrum import experiment as noise_spectrum
from mtlbook_lib.chapters.part1.teacher_in_noise import experiment as teacher_in_noise
from mtlbook_lib.chapters.sizes import REGISTERED
from mtlbook_lib.notebook import claims
from mtlbook_lib.statistics import Arm

# They see less than 1.4 times finer than they promise, and are known to. Both ask for what is measured, so that a
# larger promise would be above it: only more seeds would help, at the price that is named.
TIGHT = {
    "relu-start-dense": "4.7 errors of a stored run of half an hour: half as many seeds more",
    "svd-upgrad": "5.1 errors of a stored paired difference: a quarter more splits",
}


def of_a_quarter(claim: dict[str, Any]) -> float:
    """What a check would have seen with twice its standard error; a known bias does not depend on the seeds."""
    return float(2 * (claim["seen"] - claim["allowance"]) + claim["allowance"])


def statistical(chapter: Chapter) -> list[dict[str, Any]]:
    """What the build recorded of the claims that say what their check would have seen."""
    record = read_record(chapter.name)
    if record is None or not is_fresh(chapter):
        pytest.skip("build the book first, at paper size")
    return [claim for claim in record["claims"] if claim["resolves"] is not None]


@pytest.mark.parametrize("chapter", chapters(), ids=lambda chapter: chapter.name)
def test_a_quarter_of_the_seeds_would_not_do(chapter: Chapter) -> None:
    blind = {claim["id"]: (of_a_quarter(claim), claim["resolves"]) for claim in statistical(chapter)}
    lax = {name: numbers for name, numbers in blind.items() if numbers[0] <= numbers[1]}
    assert not lax, f"a quarter of the seeds would reach their `resolves`, which should be smaller: {lax}"


def of_other_seeds(claim: dict[str, Any]) -> float:
    """What a check has to see, so that other seeds still keep its promise: their errors are up to 40 % larger."""
    return float(1.4 * (claim["seen"] - claim["allowance"]) + claim["allowance"])


@pytest.mark.parametrize("chapter", chapters(), ids=lambda chapter: chapter.name)
def test_other_seeds_would_see_what_is_promised(chapter: Chapter) -> None:
    """A standard error is drawn with the run. What a claim promises may not hang on the luck of its seeds."""
    due = {c["id"]: (of_other_seeds(c), c["resolves"]) for c in statistical(chapter)}
    tight = {name: pair for name, pair in due.items() if pair[0] > pair[1] * (1 + 1e-6) and name not in TIGHT}
    assert not tight, f"take more seeds, or a larger `resolves` where the statement bears it: {tight}"


def shares(n_seeds: int) -> Arm:
    return noise_spectrum.tail_shares(noise_spectrum.noise_spectra(n_seeds=n_seeds))


@pytest.mark.parametrize(
    ("name", "run", "experiment"),
    [
        ("mp-simulation", shares, noise_spectrum.noise_spectra),
        ("spiked-any-aspect", teacher_in_noise.oblong, teacher_in_noise.oblong),
        ("hidden-overlap-density", teacher_in_noise.hidden_overlap, teacher_in_noise.hidden_overlap),
    ],
)
def test_fewer_seeds_are_an_error(
    name: str, run: Callable[..., Arm], experiment: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MTLBOOK_PROFILE", "paper")
    paper = REGISTERED[f"{experiment.__module__}.{experiment.__qualname__}"].paper["n_seeds"]
    found = run(n_seeds=paper // 4)
    with pytest.raises(claims.ClaimError, match="would not have been seen"):
        claims.check(name, found.mean, found.theory, standard_error=found.standard_error)
