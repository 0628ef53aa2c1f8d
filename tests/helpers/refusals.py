"""One form for the tests that a call which does not fit is refused: the words of the error, the calls under them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

Change = Mapping[str, Any] | Callable[[], Any]


def refused(
    function: Callable[..., Any] | None,
    valid: Mapping[str, Any] | Callable[[], Mapping[str, Any]],
    cases: Mapping[str, Sequence[Change]],
    error: type[Exception] = ValueError,
) -> Callable[..., None]:
    """A test that each case raises the error with its words, a pattern.

    A case is a change of the valid arguments of the function, or a call of its own.
    """
    every = [(words, change) for words, changes in cases.items() for change in changes]

    @pytest.mark.parametrize(("words", "change"), every, ids=[f"{words}-{i}" for i, (words, _) in enumerate(every)])
    def test(words: str, change: Change) -> None:
        given = {} if callable(change) else {**(valid() if callable(valid) else valid), **change}
        with pytest.raises(error, match=words):
            change() if callable(change) else function(**given)

    return test
