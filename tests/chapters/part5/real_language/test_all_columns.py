"""The joint model on all columns: what is stored, and the table that another chapter prints of it."""

import re

import numpy as np

from bookbuild.chapters import BOOK
from mtlbook_lib.chapters.part5.real_language import all_columns, joint_model
from mtlbook_lib.statistics import mean_and_error


def test_the_table_of_the_page_is_what_is_stored():
    kept, lines = all_columns.stored(), (BOOK / "part7" / "should-i-train-together.md").read_text(encoding="utf8")
    for place, size in enumerate(joint_model.SIZES):
        (row,) = re.findall(rf"^\| {size} \| (0\..*) \|$", lines.replace("−", "-"), re.MULTILINE)
        told = [[float(number) for number in part.split(" ± ")] for part in row.split(" | ")]
        assert abs(told[0][0] - kept["alone"][:, place].mean()) < 6e-4
        for printed, name in zip(told[1:], ("one", "two", "three", "three permuted"), strict=True):
            values = kept[name] if kept[name].ndim == 3 else kept[name].mean(axis=-1)
            wanted = mean_and_error((values - kept["alone"])[:, place].mean(axis=0))
            assert np.abs(np.subtract(printed, wanted)).max() < 6e-4
