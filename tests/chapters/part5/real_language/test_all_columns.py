"""The joint model on all columns: what is stored, and the table that another chapter prints of it."""

import re

import numpy as np

from bookbuild.chapters import BOOK
from mtlbook_lib.chapters.part5.real_language import all_columns
from mtlbook_lib.data.opinions import DOMAINS, Opinions
from mtlbook_lib.statistics import mean_and_error


def test_the_table_of_the_page_is_what_is_stored():
    kept, lines = all_columns.stored(), (BOOK / "part7" / "should-i-train-together.md").read_text(encoding="utf8")
    for place, size in enumerate(all_columns.SIZES):
        (row,) = re.findall(rf"^\| {size} \| (0\..*) \|$", lines.replace("−", "-"), re.MULTILINE)
        told = [[float(number) for number in part.split(" ± ")] for part in row.split(" | ")]
        assert abs(told[0][0] - kept["alone"][:, place].mean()) < 6e-4
        for printed, name in zip(told[1:], ("one", "two", "three", "three permuted"), strict=True):
            values = kept[name] if kept[name].ndim == 3 else kept[name].mean(axis=-1)
            wanted = mean_and_error((values - kept["alone"])[:, place].mean(axis=0))
            assert np.abs(np.subtract(printed, wanted)).max() < 6e-4


def test_a_fit_to_100_texts_takes_less_than_two_seconds():
    assert 0 < all_columns.stored_seconds() < 2


def test_a_cell_has_every_partner_and_pair(monkeypatch):
    rng = np.random.default_rng(0)

    def halves(domain, seed):
        rows = rng.standard_normal((40, 5))
        task = Opinions(rows, rows[:, 0] + 0.1 * rng.standard_normal(40), np.arange(40), domain)
        return task, task

    monkeypatch.setattr(all_columns, "_halves", halves)
    monkeypatch.setattr(all_columns, "N_PARTNER", 20)
    monkeypatch.setattr(all_columns, "N_TEST", 30)
    found = all_columns.cell(DOMAINS[1], 10, 0)
    assert {name: values.shape for name, values in found.items()} == {
        "alone": (), "one": (3,), "two": (3,), "three": (), "one permuted": (3,), "three permuted": (),
    }  # fmt: skip
    assert found["three"] > found["three permuted"]
