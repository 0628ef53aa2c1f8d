"""A card is read in five seconds: how long its claim may be, with its scope, and how many cards there are."""

import pytest

from bookbuild.chapters import registered_claims
from bookbuild.pages.outcomes import is_card
from mtlbook_lib.notebook._entry import said

STATEMENT, TOGETHER = 35, 60  # words


def long(entry: dict[str, str]) -> bool:
    """Whether a statement is too long, or with its scope; a formula counts by its parts, as `split` sees them."""
    statement, scope = (len(text.split()) for text in (said(entry), entry.get("scope", "")))
    return statement > STATEMENT or statement + scope > TOGETHER


def test_claims_are_short() -> None:
    found = [entry["id"] for entry in registered_claims() if long(entry)]
    assert found == []


@pytest.mark.parametrize(("statement", "scope", "found"), [(35, 25, False), (36, 0, True), (35, 26, True)])
def test_what_is_long_is_found(statement: int, scope: int, found: bool) -> None:
    assert long({"statement": "word " * statement, "scope": "word " * scope}) == found


def test_cards_are_few_and_no_statement_of_a_paper_is_without_one() -> None:
    register = registered_claims()
    cards = [entry for entry in register if is_card(entry)]
    assert 350 <= len(cards) <= 450
    assert all(is_card(entry) for entry in register if entry["paper"] != "beyond")
