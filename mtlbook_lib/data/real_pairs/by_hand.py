"""Thirteen targets with eight partners each, chosen so that every kind of relation is there."""

from mtlbook_lib.data.real_pairs.pairs import Partner, Target

# Source, question, rows of the target and of its partners, two shifts, a related question, another one.
_PLAN = (
    ("digits", "at least 5", 24, 160, "rolled", "turned", "at least 6", "odd"),
    ("digits", "odd", 40, 160, "negated", "half hidden", "prime", "has a loop"),
    ("digits", "prime", 60, 120, "times three", "shuffled columns", "odd", "multiple of 3"),
    ("digits", "has a loop", 80, 160, "rolled", "half hidden", "is 0", "odd"),
    ("digits", "is 8", 80, 240, "negated", "turned", "is 3", "is 1"),
    ("digits", "pixel 3, 3", 30, 120, "times three", "half hidden", "pixel 2, 2", "odd"),
    ("breast cancer", "malignant", 20, 80, "times three", "shuffled columns", "radius", "smoothness"),
    ("breast cancer", "texture", 40, 160, "negated", "half hidden", "malignant", "symmetry"),
    ("breast cancer", "concavity", 60, 60, "half hidden", "shuffled columns", "fractal dimension", "texture"),
    ("diabetes", "progression", 40, 160, "negated", "shuffled columns", "s5", "age"),
    ("diabetes", "bmi", 80, 120, "times three", "half hidden", "progression", "s1"),
    ("wine", "vineyard 2", 20, 60, "half hidden", "shuffled columns", "alcohol", "malic acid"),
    ("iris", "versicolor", 14, 40, "negated", "half hidden", "virginica", "sepal width"),
)
_NOISE = 0.25


def targets_by_hand() -> tuple[Target, ...]:
    """For each target its own question on other rows, as it is, with two shifts, and with noisy or permuted labels;
    a related question; another one; and the other one on the same rows."""
    return tuple(_target(*line) for line in _PLAN)


def _target(
    source: str, question: str, n_rows: int, n_other: int, near: str, far: str, related: str, other: str
) -> Target:
    partners = (
        Partner(question, n_other),
        Partner(question, n_other, shift=near),
        Partner(question, n_other, shift=far),
        Partner(question, n_other, noise=_NOISE),
        Partner(related, n_other),
        Partner(other, n_other),
        Partner(other, n_rows, same_rows=True),
        Partner(question, n_other, permuted=True),
    )
    return Target(source, question, n_rows, partners)
