"""A target task, and the partners that are tried with it."""

from dataclasses import dataclass

from mtlbook_lib import _checks
from mtlbook_lib._fields import Checked

RELATIONS = ("same task", "shifted inputs", "noisy labels", "other task", "same rows", "permuted labels")


@dataclass(frozen=True)
class Partner(Checked):
    """A second task.

    Attributes
    ----------
    question : str
        One of the source's.
    n_rows : int
        How many training rows it has; as many as the target where both are on the same rows.
    shift : str
        What is done to its inputs, one of ``SHIFTS``.
    noise : float
        Share u of its labels that are flipped, below 1/2; numbers get Gaussian noise that leaves them the same
        correlation with the true ones, 1 - 2 u.
    same_rows : bool
        Whether its rows are the target's. Otherwise they are other ones.
    permuted : bool
        Whether its labels are those of other rows.
    """

    question: str
    n_rows: int
    shift: str = "none"
    noise: float = 0.0
    same_rows: bool = False
    permuted: bool = False


@dataclass(frozen=True)
class Target(Checked):
    """A task of one of the ``SOURCES``, its number of training rows, and its partners."""

    source: str
    question: str
    n_rows: int
    partners: tuple[Partner, ...]

    def relation(self, place: int) -> str:
        """Relation of a partner to the target, one of ``RELATIONS``: the first thing that is changed."""
        partner = self.partners[_checks.place("place", place, len(self.partners), "partner")]
        changed = {
            "permuted labels": partner.permuted,
            "same rows": partner.same_rows,
            "other task": partner.question != self.question,
            "shifted inputs": partner.shift != "none",
            "noisy labels": partner.noise > 0,
        }
        return next((name for name, applies in changed.items() if applies), "same task")
