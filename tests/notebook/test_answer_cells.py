"""A notebook's cell says of a reader's number whether it is right, and nothing before there is one."""

import base64

import pytest

from mtlbook_lib.notebook import answers

SEALED = base64.b64encode(b"2.5 0.1").decode()
RIGHT, NOT_YET = "✓ Right.\n", "✗ Not yet.\n"


@pytest.mark.parametrize(("given", "said"), [(2.5, RIGHT), (2.41, RIGHT), (5 / 2, RIGHT), (2.7, NOT_YET), (None, "")])
def test_a_number_is_judged(given: float | None, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    answers.check(given, SEALED)
    assert capsys.readouterr().out == said


def test_what_is_no_number_is_refused() -> None:
    with pytest.raises(TypeError, match="given"):
        answers.check("2.5", SEALED)  # type: ignore[arg-type]
    for broken in (SEALED[:-3], "!", base64.b64encode(b"2.5").decode(), base64.b64encode(b"a b").decode()):
        with pytest.raises(ValueError, match="sealed must be copied"):
            answers.check(None, broken)
