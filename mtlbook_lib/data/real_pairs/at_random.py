"""Targets and partners that nobody chose: a seed draws them."""

import numpy as np

from mtlbook_lib._checks import count, flag, scalar, whole, within
from mtlbook_lib._random import stream
from mtlbook_lib.data.real_pairs.held_out import HELD_OUT
from mtlbook_lib.data.real_pairs.pairs import Partner, Target
from mtlbook_lib.data.real_pairs.questions import Source
from mtlbook_lib.data.real_pairs.shifts import SHIFTS
from mtlbook_lib.data.real_pairs.sources import SOURCES, source_of

_SHARES = (0.4, 0.2, 0.2, 0.1, 0.1)  # of the sources
_ROWS, _MOST_A, _MOST_B, _TEST = 14, 80, 240, 60
_SAME_QUESTION, _SAME_ROWS, _UNSHIFTED, _CLEAN = 0.4, 0.1, 0.6, 0.7
_RARE, _FOR_RARE = 0.25, 40  # a class below this share of the rows needs so many of them


def random_targets(
    n_targets: int, n_partners: int, seed: int, held_out: bool = False, same_rows: float = _SAME_ROWS
) -> tuple[Target, ...]:
    """Targets with as many partners each, drawn independently; every one is kept.

    A data set, a question and 14 to 80 rows for the target; for each partner the same question or another one, 14 to
    240 rows (fewer in small data sets, and at least 40 for rare classes), at times shifted inputs, noisy labels or the
    target's rows (a share `same_rows` of those that could). Numbers of rows are uniform in their logarithm. Data sets
    are ``SOURCES``, or if `held_out` those of ``HELD_OUT``, each as often. Questions that would hide more than half of
    the columns together are not asked together.
    """
    wanted, partners = count("n_targets", n_targets), count("n_partners", n_partners)
    rng = stream(whole("seed", seed, 0), "real pairs at random")
    names, shares = (HELD_OUT, None) if flag("held_out", held_out) else (SOURCES, _SHARES)
    meant = scalar("same_rows", same_rows, lambda name, value: within(name, value, 0.0, 1.0))
    return tuple(_target(rng, str(rng.choice(names, p=shares)), partners, meant) for _ in range(wanted))


def _target(rng: np.random.Generator, name: str, n_partners: int, same_rows: float) -> Target:
    source = source_of(name)
    question = str(rng.choice(list(source.questions)))
    most = min(_MOST_A, len(source.rows) // 4)
    n_rows = _rows(rng, source, question, most)
    left = min(_MOST_B, len(source.rows) - n_rows - _TEST)
    partners: list[Partner] = []
    for _ in range(n_partners):
        others = _open_questions(source, [question, *(partner.question for partner in partners)])
        asked = question if rng.random() < _SAME_QUESTION else str(rng.choice([n for n in others if n != question]))
        partners.append(_partner(rng, source, question, asked, (n_rows, left), same_rows))
    return Target(name, question, n_rows, tuple(partners))


def _open_questions(source: Source, asked: list[str]) -> list[str]:
    """Questions that leave half of the columns to see, beside those that are asked."""
    hidden = {column for name in asked for column in source.questions[name].hidden}
    most = source.rows.shape[1] // 2
    return [name for name, found in source.questions.items() if len(hidden.union(found.hidden)) <= most]


def _partner(
    rng: np.random.Generator, source: Source, question: str, asked: str, limits: tuple[int, int], same_rows: float
) -> Partner:
    n_rows, most = limits
    shift = "none" if rng.random() < _UNSHIFTED else str(rng.choice(_shifts(source)))
    noise = 0.0 if rng.random() < _CLEAN else float(rng.choice([0.1, 0.2, 0.3]))
    if asked != question and shift == "none" and rng.random() < same_rows and _fits(source, asked, n_rows):
        return Partner(asked, n_rows, noise=noise, same_rows=True)
    return Partner(asked, _rows(rng, source, asked, most), shift, noise)


def _shifts(source: Source) -> list[str]:
    return [shift for shift in SHIFTS if shift != "none" and (source.images or shift not in SHIFTS[:2])]


def _rows(rng: np.random.Generator, source: Source, question: str, most: int) -> int:
    least = _ROWS if _fits(source, question, _ROWS) else min(_FOR_RARE, most)
    return round(float(np.exp(rng.uniform(np.log(least), np.log(most)))))


def _fits(source: Source, question: str, n_rows: int) -> bool:
    asked = source.questions[question]
    share = asked.answers.mean()
    return not asked.binary or min(share, 1 - share) >= _RARE or n_rows >= _FOR_RARE
