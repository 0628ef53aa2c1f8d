"""Pairs of real tasks from five small data sets: a target with several partners, by hand or drawn at random."""

from mtlbook_lib.data.real_pairs.at_random import random_targets
from mtlbook_lib.data.real_pairs.by_hand import targets_by_hand
from mtlbook_lib.data.real_pairs.drawing import PartnerRows, TargetRows, draw_rows
from mtlbook_lib.data.real_pairs.held_out import HELD_OUT
from mtlbook_lib.data.real_pairs.pairs import RELATIONS, Partner, Target
from mtlbook_lib.data.real_pairs.questions import Question, Source
from mtlbook_lib.data.real_pairs.shifts import SHIFTS, shift_columns
from mtlbook_lib.data.real_pairs.sources import SOURCES, source_of

__all__ = ["HELD_OUT", "RELATIONS", "SHIFTS", "SOURCES", "Partner", "PartnerRows", "Question", "Source", "Target",
           "TargetRows", "draw_rows", "random_targets", "shift_columns", "source_of", "targets_by_hand"]  # fmt: skip
__dir__ = __all__.copy
