"""All pairs and groups among several tasks: against the calls for one pair, and planted groups."""

import json

import numpy as np
import pytest

from mtlbook_lib.forecast import JointRegressor, RepeatedRows, benefit_matrix, group_tasks, rank_auxiliaries, recommend

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
        wanted = recommend(*tasks[i], *tasks[j]).sharing
        assert (told.gains[i, j], told.nats[i, j]) == pytest.approx((wanted.gain, wanted.nats))
        assert told.verdicts[i][j] == wanted.verdict
    assert told.names == ("1", "2")
    assert told.gains.diagonal().tolist() == [0, 0]


def test_tasks_that_help_each_other_are_side_by_side(found):
    groups = [place % 2 for place in found.order]
    assert sorted(found.order) == list(range(6))
    assert groups in ([0, 0, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0])
    related = np.equal.outer(np.arange(6) % 2, np.arange(6) % 2) & ~np.eye(6, dtype=bool)
    assert found.gains[related].mean() > 0.005 > 0 > found.gains[~related & ~np.eye(6, dtype=bool)].mean()


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


def test_partners_are_those_with_a_star_and_of_the_planted_group():
    stars = 0
    for seed in range(4):
        told = group_tasks(planted(seed), NAMES)
        for i, name in enumerate(NAMES):
            found = [other for j, other in enumerate(NAMES) if told.matrix._cell(i, j).endswith("*")]
            assert list(told.partners[name]) == found
            assert (f"{name} alone" in str(told)) == (not found)
            assert all((NAMES.index(other) - i) % 2 == 0 for other in found)
            stars += len(found)
    assert stars >= 20  # of 48; the others would gain less than half a percent


def test_the_gain_of_a_group_is_that_of_its_joint_model():
    tasks = planted(0)
    told = group_tasks(tasks, NAMES)
    name = max(told.partners, key=lambda one: len(told.partners[one]))
    group = [tasks[NAMES.index(one)] for one in (name, *told.partners[name])]
    rows, labels = (np.concatenate([task[part] for task in group]) for part in (0, 1))
    task = np.repeat(np.arange(len(group)), [len(one[1]) for one in group])
    sharing = JointRegressor(target=0).fit(rows, labels, task).sharing_[0]
    assert told.gains[name] == pytest.approx((sharing.gain, sharing.error))
    alone = [one for one, others in told.partners.items() if not others]
    assert all(told.gains[one] == (0.0, 0.0) for one in alone)
    gain, error = told.gains[name]
    assert f"{name} with {', '.join(told.partners[name])}: {gain:+.3f} ± {error:.3f}" in str(told).splitlines()
    assert json.loads(json.dumps(told.to_dict()))["partners"][name] == list(told.partners[name])


def test_partners_are_ranked_by_the_evidence_that_they_add(related):
    x_a, y_a, x_b, y_b = related
    noise = np.random.default_rng(0).permutation(y_b)
    found = rank_auxiliaries(x_a, y_a, [(x_b, noise), (x_b, y_b)], names=["permuted", "related"])
    assert [task.name for task in found] == ["related", "permuted"]
    assert [task.index for task in found] == [1, 0]
    assert found[0].nats == found[0].recommendation.sharing.nats == recommend(*related).sharing.nats
    assert [task.name for task in rank_auxiliaries(x_a, y_a, [(x_b, y_b)])] == ["1"]
    with pytest.raises(ValueError, match="task related: x_a and x_b must have the same columns"):
        rank_auxiliaries(x_a, y_a, [(x_b[:, :2], y_b)], names=["related"])
    with pytest.raises(ValueError, match="others must have at least one task"):
        rank_auxiliaries(x_a, y_a, [])
    with pytest.raises(ValueError, match=r"pairs \(x_b, y_b\)"):
        rank_auxiliaries(x_a, y_a, [x_b])


@pytest.mark.parametrize("function", [benefit_matrix, group_tasks])
def test_bad_input_is_named(function):
    tasks = planted(0, 3)
    with pytest.raises(ValueError, match="tasks must be at least two"):
        function(tasks[:1])
    with pytest.raises(ValueError, match="task c is none"):
        function([*tasks[:2], 3], NAMES[:3])
    with pytest.raises(ValueError, match="tasks, b: y_b must vary"):
        function([tasks[0], (tasks[1][0], np.ones(50))], NAMES[:2])


def test_repeated_rows_name_the_tasks():
    tasks = planted(0, 2)
    with pytest.raises(RepeatedRows, match="tasks a"):
        benefit_matrix([tasks[0], tasks[0]], NAMES[:2])
