"""All pairs and groups among several tasks: against the calls for one pair, brute force and planted groups."""

import json

import numpy as np
import pytest

from mtlbook_lib.forecast import RepeatedRows, SharedRidge, benefit_matrix, group_tasks, recommend
from mtlbook_lib.forecast._many.grouping import Grouping, best_partition, merged

NAMES = list("abcdef")


def planted(seed, k=6, noise=1.5):
    """Tasks of which every second one is the same."""
    rng = np.random.default_rng(seed)
    teachers, tasks = rng.standard_normal((2, 6)), []
    for place in range(k):
        x = rng.standard_normal((40 + 10 * place, 6))
        tasks.append((x, x @ teachers[place % 2] + noise * rng.standard_normal(len(x))))
    return tasks


@pytest.fixture(scope="module")
def found():
    return benefit_matrix(planted(0), NAMES)


def test_an_entry_is_the_recommendation_for_that_pair():
    tasks = planted(1, 2)
    told = benefit_matrix(tasks)
    for i, j in ((0, 1), (1, 0)):
        wanted = recommend(*tasks[i], *tasks[j], draws=2)
        assert told.gains[i, j] == pytest.approx(max(wanted.expected.values()))
        assert (told.verdicts[i][j], told.ways[i][j]) == (wanted.verdict, wanted.way)
    assert told.names == ("1", "2")
    assert told.gains.diagonal().tolist() == [0, 0]


def test_tasks_that_help_each_other_are_side_by_side(found):
    groups = [place % 2 for place in found.order]
    assert sorted(found.order) == list(range(6))
    assert groups in ([0, 0, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0])
    related = np.equal.outer(np.arange(6) % 2, np.arange(6) % 2) & ~np.eye(6, dtype=bool)
    assert found.gains[related].mean() > 10 * abs(found.gains[~related].mean())


def test_words_figure_and_json_show_the_same_numbers(found):
    lines = str(found).splitlines()
    assert lines[0].split() == ["target", *NAMES]
    cells = lines[1].split()
    assert cells[:2] == ["a", "-"]
    star = "*" if found.verdicts[0][2] == "likely helps" else ""
    assert cells[3] == f"{found.gains[0, 2]:+.3f}{star}"
    assert json.loads(json.dumps(found.to_dict()))["gains"] == found.gains.tolist()
    pytest.importorskip("matplotlib")
    axes = found.figure().axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == [NAMES[place] for place in found.order]
    assert len(axes.texts) == 30
    assert found.figure().get_size_inches() == pytest.approx([2.5 + 0.7 * 6, 1.8 + 0.6 * 6])


def test_long_names_have_wide_columns():
    told = str(benefit_matrix(planted(1, 2), ["a", "a long name"])).splitlines()
    assert len({len(line) for line in told}) == 1
    assert told[0] == "target              a  a long name"


def partitions(places):
    """All of them, one after the other."""
    if not places:
        yield []
        return
    first, *rest = places
    for part in partitions(rest):
        yield [[first], *part]
        for place in range(len(part)):
            yield [*part[:place], [first, *part[place]], *part[place + 1 :]]


@pytest.mark.parametrize("seed", range(5))
def test_the_best_partition_is_that_of_an_exhaustive_search(seed):
    rng, known = np.random.default_rng(seed), {}

    def value(group):
        return known.setdefault(tuple(group), float(rng.standard_normal()) if len(group) > 1 else 0.0)

    told = best_partition(5, value)
    every = [sum(value(tuple(sorted(group))) for group in one) for one in partitions(list(range(5)))]
    assert len(every) == 52
    assert sum(map(value, told)) == pytest.approx(max(every))
    assert sorted(place for group in told for place in group) == list(range(5))


@pytest.mark.parametrize("seed", range(6))
def test_planted_groups_are_found_by_both_searches(seed):
    tasks = planted(seed)
    told, fast = (group_tasks(tasks, NAMES, exhaustive) for exhaustive in (None, False))
    assert (told.exhaustive, fast.exhaustive) == (True, False)
    assert fast.value <= told.value + 1e-12
    assert fast.value >= 0.9 * told.value
    mixed = [group for group in told.groups if len({NAMES.index(name) % 2 for name in group}) > 1]
    assert not mixed
    assert len(told.groups) < 6


def test_gains_of_a_group_are_those_of_its_ridge():
    tasks = planted(2, 3)
    rows = np.vstack([x for x, _ in tasks])
    centred = [((x - rows.mean(axis=0)) / rows.std(axis=0), (y - y.mean()) / y.std()) for x, y in tasks]
    told = group_tasks(tasks, NAMES[:3])
    group = max(told.groups, key=len)
    places = [NAMES.index(name) for name in group]
    x, y = (np.concatenate([centred[place][part] for place in places]) for part in (0, 1))
    task = np.repeat(places, [len(centred[place][1]) for place in places])
    errors = np.square(SharedRidge().fit(x, y, task).left_out_)
    for place in places:
        alone = np.square(SharedRidge(own=0.0).fit(*centred[place]).left_out_)
        assert told.gains[NAMES[place]][0] == pytest.approx((alone - errors[task == place]).mean())
    alone = [name for one in told.groups if len(one) == 1 for name in one]
    assert all(told.gains[name] == (0.0, 0.0) for name in alone)


def test_words_of_groups():
    told = Grouping((("a", "b"), ("c",)), {"a": (0.1, 0.02), "b": (-0.2, 0.03), "c": (0.0, 0.0)}, 0.05, True)
    assert str(told) == "Together: a +0.100 ± 0.020, b -0.200 ± 0.030\nAlone: c"


def test_merging_stops_when_nothing_is_gained():
    assert merged(4, lambda group: -float(len(group) > 1)) == [(0,), (1,), (2,), (3,)]
    assert merged(4, lambda group: float(len(group) - 1)) == [(0, 1, 2, 3)]


def test_permuted_labels_are_seldom_grouped():
    rng, together = np.random.default_rng(0), 0
    for seed in range(10):
        tasks = [(x, rng.permutation(y)) for x, y in planted(seed, 4)]
        together += sum(len(group) for group in group_tasks(tasks).groups if len(group) > 1)
    assert together <= 10  # of 40


@pytest.mark.parametrize("function", [benefit_matrix, group_tasks])
def test_bad_input_is_named(function):
    tasks = planted(0, 3)
    with pytest.raises(ValueError, match="tasks must be at least two"):
        function(tasks[:1])
    with pytest.raises(ValueError, match="task c is none"):
        function([*tasks[:2], 3], NAMES[:3])
    with pytest.raises(ValueError, match="tasks, b: y_b must vary"):
        function([tasks[0], (tasks[1][0], np.ones(50))], NAMES[:2])
    with pytest.raises(ValueError, match="must have the same columns"):
        function([tasks[0], (tasks[1][0][:, :5], tasks[1][1])])


def test_repeated_rows_name_the_tasks():
    tasks = planted(0, 2)
    with pytest.raises(RepeatedRows, match="tasks a"):
        benefit_matrix([tasks[0], tasks[0]], NAMES[:2])
