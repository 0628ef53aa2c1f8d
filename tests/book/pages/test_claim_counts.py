"""A count reads as a count: how many of how many, on the card, in the text and on the scoreboard."""

import pytest
from example_claim import example_claim

from bookbuild.pages.outcomes import measured_text
from mtlbook_lib.notebook import claims


def claim(check="at-most", tolerance=0.02, verdict="holds", quantity="their share"):
    return example_claim(check, tolerance, verdict, id="an-id", quantity=quantity)


def test_a_share_of_things_counted_is_shown_as_their_number():
    found = claims.evaluate(claim(), 0.0, of=400)
    assert str(found) == "an-id: holds: their share: 0 of 400 (required: at most 2 %)"
    shown = found._repr_mimebundle_()["text/html"]
    assert "<td>0 of 400</td><td>at most 2 %</td>" in shown
    assert "<caption>Their share</caption>" in shown
    assert measured_text(found.record()) == "0 of 400"
    worst = claims.evaluate(claim("at-least", 0.85), [0.9475, 1.0], of=400)
    assert "379 of 400, worst of 2 cases (case 1) (required: at least 85 %)" in str(worst)
    assert measured_text(claims.evaluate(claim("range", (0.1, 0.2)), 0.15, of=40).record()) == "6 of 40"


def test_the_contrast_of_a_share_is_counted_too():
    found = claims.evaluate(claim(verdict="holds as corrected"), 0.0, printed=0.5, of=400)
    assert str(found).endswith("as printed: their share: 200 of 400")


def test_none_of_what_must_not_be_is_no_bound_of_roundoff():
    assert "modes kept: 0 (required: at most 0)" in str(
        claims.evaluate(claim("at-most", 0.0, quantity="modes kept"), 0)
    )
    assert "their share: < 1e-10 (required: at most 0.02)" in str(claims.evaluate(claim(), 0.0))


@pytest.mark.parametrize(
    ("check", "measured", "of", "error", "message"),
    [
        ("close", 0.5, 4, ValueError, "of belongs to at-most, at-least, range"),
        ("at-most", 0.3, 4, ValueError, "must be a share of 4 things"),
        ("at-most", 0.5, 0, ValueError, "of must be"),
        ("at-most", 0.5, 4.5, TypeError, "of must be"),
    ],
)
def test_what_is_no_count_is_refused(check, measured, of, error, message):
    with pytest.raises(error, match=message):
        claims.evaluate(claim(check), measured, of=of)


@pytest.mark.parametrize(
    ("measured", "error", "said"),
    [
        (0.0024711, 0.00151, "0.0025 ± 0.0015"),
        (2.08912, 0.000824, "2.08912 ± 0.00082"),
        (-0.4631, 0.0996, "-0.46 ± 0.10"),
        (3.2, 0.5, "3.20 ± 0.50"),
        (-0.0021, 0.0996, "0.00 ± 0.10"),
        (1234.5, 12.3, "1234 ± 12"),
        (1234567.0, 4567.0, "1.235e+06 ± 4.6e+03"),
        (1.25, 0.0, "1.25 ± 0"),
        (1.25, None, "1.25"),
    ],
)
def test_a_number_has_the_digits_that_its_error_calls_for(measured, error, said):
    assert measured_text({"measured": measured, "standard_error": error}) == said
