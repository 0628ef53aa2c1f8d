"""The table of what the large profile takes."""

from types import SimpleNamespace

from bookbuild.pages import costs
from mtlbook_lib.chapters.part7.past_one_machine import experiment as past_one_machine
from mtlbook_lib.chapters.sizes import Experiment


def entry(name: str, large_cost: str) -> Experiment:
    return Experiment(name, {}, {}, {}, large_cost)


def test_costs_are_added_by_chapter_and_place(monkeypatch):
    declared = [
        entry("mtlbook_lib.chapters.part1.first_one.experiment.a", "2 GB, 90 s on one core"),
        entry("mtlbook_lib.chapters.part1.first_one.experiment.inner.b", "7 GB, 1 h on one GPU"),
        entry("mtlbook_lib.chapters.part2.second.experiment.c", "100 MB, 20 s on 16 cores"),
        entry("mtlbook_lib.chapters.part2.not_a_chapter.experiment.d", "9 GB, 1 h on one core"),
    ]
    monkeypatch.setattr(past_one_machine, "load_all", lambda: {one.name: one for one in declared})
    listed = [SimpleNamespace(name=name) for name in ("part2/second", "part1/first-one", "part1/without")]
    monkeypatch.setattr(costs, "chapters", lambda: listed)
    found = costs.by_chapter()
    assert costs._ordered(found) == ["part2/second", "part1/first-one"]
    assert costs._cells(found["part1/first-one"]) == ["2", "7", "2", "–", "60"]
    assert costs._cells(found["part2/second"]) == ["1", "0.1", "–", "< 1", "–"]


def test_every_chapter_with_experiments_is_in_the_table_of_the_book():
    found = costs.by_chapter()
    assert len(found) >= 30
    assert sum(map(len, found.values())) >= 200
