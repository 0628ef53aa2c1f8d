"""The sentences that go with a verdict of ``policy``."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress
from math import isnan
from textwrap import fill

from mtlbook_lib.forecast.policy import FEW_ROWS, FEWEST_ROWS, HELPS, LEAST_GAIN, LEAST_NATS, NO_GAIN, UNCLEAR, doubts

TRIED_ROWS, TRIED_COLUMNS = (14, 240), 64
KINDS = {
    HELPS: (
        "A student with few shared units, or a linear one: train the tasks together.",
        "A wide network: train together, and expect little.",
        "Pretraining on B: finetune all weights; a frozen trunk is often worse than none.",
    ),
    NO_GAIN: (
        "A student with few shared units, or a linear one: train A alone, for sharing may harm it.",
        "A wide network that is stopped early: sharing costs little and gains nothing that can be seen here.",
        "Pretraining on B: do not freeze the trunk.",
    ),
    UNCLEAR: ("Compare both ways of training on your own student, several times (`compare`).",),
}
WIDTH = 79  # characters of a printed line
ONE_RUN = "This is about the mean of many runs: one run in five shows the other sign."


def doubts_of(gain: float, r2_b: float, n_rows: int, failure: str) -> tuple[str, ...]:
    """What keeps a forecast from being clear, whatever its numbers are."""
    words = (
        f"A has {n_rows} rows; below {FEWEST_ROWS} nothing can be told.",
        f"B cannot be learned from its own rows (R² {r2_b:.2f} on rows left out).",
        f"The linear forecast cannot be computed: {failure}",
    )
    return tuple(compress(words, doubts(gain, r2_b, n_rows)))


def reasons_of(
    verdict: str,
    doubts: tuple[str, ...],
    gain: float,
    nats: float,
    correlation: float,
    shape_a: tuple[int, ...],
    shape_b: tuple[int, ...],
) -> tuple[str, ...]:
    """Doubts first, then the two numbers, then what each kind of student may expect."""
    found = [*doubts]
    if not isnan(gain):
        side = "above" if gain > LEAST_GAIN else "below"
        found.append(f"A linear student would gain {gain:+.3f} of the variance of A's labels: {side} {LEAST_GAIN}.")
    side = "above" if nats > LEAST_NATS else "below"
    found.append(f"B adds {nats:.1f} nats of evidence, at correlation {correlation:+.2f}: {side} {LEAST_NATS:g}.")
    found += [*KINDS[verdict], ONE_RUN]
    rows = (shape_a[0], shape_b[0])
    if max(rows) > TRIED_ROWS[1] or min(rows) < TRIED_ROWS[0] or max(shape_a[1], shape_b[1]) > TRIED_COLUMNS:
        least, most = TRIED_ROWS
        tried = f"{least} to {most} rows and up to {TRIED_COLUMNS} columns"
        found.append(f"The limits were set on tasks of {tried}; this is outside.")
    return tuple(found)


def caution_of(verdict: str, n_rows: int) -> str:
    """Why to trust a "likely helps" less, or nothing: the target has few rows."""
    if verdict != HELPS or n_rows >= FEW_ROWS:
        return ""
    return f"Caution: A has {n_rows} rows; below {FEW_ROWS}, 3 to 8 % of useless partners get this verdict."


def part_note(rows: tuple[int, int], used: tuple[int, int]) -> str:
    """What was taken of large tables, or nothing."""
    if rows == used:
        return ""
    told = [f"{n} of {whole} rows of {name}" for name, n, whole in zip("AB", used, rows, strict=True) if n < whole]
    return f"The evidence is from {' and from '.join(told)}, chosen at random; the linear forecast is from all rows."


def wrapped(sentences: Iterable[str]) -> str:
    """Each on lines of its own."""
    return "\n".join(fill(sentence, WIDTH, subsequent_indent="  ") for sentence in sentences)
