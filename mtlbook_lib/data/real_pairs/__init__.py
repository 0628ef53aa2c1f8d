"""Pairs of real tasks from five small data sets: a target with several partners, by hand or drawn at random."""

from mtlbook_lib.data.real_pairs.at_random import random_targets
from mtlbook_lib.data.real_pairs.by_hand import targets_by_hand
from mtlbook_lib.data.real_pairs.drawing import PartnerRows, TargetRows, draw_rows
from mtlbook_lib.data.real_pairs.pairs import RELATIONS, Partner, Target
from mtlbook_lib.data.real_pairs.shifts import SHIFTS, shift_columns
from mtlbook_lib.data.real_pairs.sources import SOURCES, Question, Source, source_of

__all__ = [
    "RELATIONS",
    "SHIFTS",
    "SOURCES",
    "Partner",
    "PartnerRows",
    "Question",
    "Source",
    "Target",
    "TargetRows",
    "draw_rows",
    "random_targets",
    "shift_columns",
    "source_of",
    "targets_by_hand",
]
