"""Tables as users have them: named columns in any order, unlike units, dummies, repeated rows, many rows."""

import warnings
from time import process_time

import numpy as np
import pytest

from mtlbook_lib.forecast import JointRegressor, RepeatedRows, rank_auxiliaries, recommend
from mtlbook_lib.forecast._tasks import pair

pandas = pytest.importorskip("pandas")
NAMES = list("pqrs")
NUMBERS = ("gain", "error", "nats", "alone", "together")


def frames(related, order=NAMES):
    x_a, y_a, x_b, y_b = related
    return pandas.DataFrame(x_a, columns=NAMES), y_a, pandas.DataFrame(x_b, columns=NAMES)[list(order)], y_b


def same(found, wanted, tolerance=1e-9):
    for name in NUMBERS:
        assert getattr(found.sharing, name) == pytest.approx(getattr(wanted.sharing, name), abs=tolerance), name


def test_columns_are_aligned_by_name(related):
    wanted = recommend(*related)
    same(recommend(*frames(related, NAMES[::-1])), wanted, 0)
    turned = recommend(related[0], related[1], related[2][:, ::-1], related[3])
    assert turned.sharing.nats != wanted.sharing.nats  # what it used to give


def test_names_that_differ_are_an_error(related):
    x_a, y_a, x_b, y_b = frames(related)
    with pytest.raises(ValueError, match=r"x_b lacks 's'\. x_b has 't', 'u' besides\."):
        recommend(x_a, y_a, x_b.rename(columns={"s": "t"}).assign(u=1.0), y_b)
    with pytest.raises(ValueError, match=r"x_a has two columns of the name 'p'"):
        recommend(x_a.rename(columns={"q": "p"}), y_a, x_b, y_b)
    wrong = x_b.astype(object)
    wrong.loc[2, "q"] = "three"
    with pytest.raises(TypeError, match=r"x_b, column 'q', row 3 must be a number; got 'three'"):
        recommend(x_a, y_a, wrong, y_b)


def test_names_on_one_side_alone_are_warned_of(related):
    x_a, y_a, x_b, y_b = frames(related)
    with pytest.warns(UserWarning, match="x_a has column names and x_b has none") as caught:
        found = recommend(x_a, y_a, x_b.to_numpy(), y_b)
    assert caught[0].filename == __file__
    same(found, recommend(*related), 0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        recommend(x_a.set_axis(range(4), axis=1), y_a, x_b.to_numpy(), y_b)  # numbers are no names


DATES = pandas.date_range("2026-01-01", periods=4)
PAIRS = pandas.MultiIndex.from_tuples([("p", 1), ("p", 2), ("q", 1), ("q", 2)])


NAMINGS = {
    "numbered": [0, 1, 2, 3],
    "numbers": [10, 20, 30, 40],
    "dates": list(DATES),
    "mixed": ["p", 1, DATES[0], 2.5],
    "pairs": PAIRS,
}


@pytest.mark.parametrize("names", NAMINGS.values(), ids=NAMINGS)
def test_names_of_any_type_are_names(related, names):
    x_a, y_a, x_b, y_b = related
    left = pandas.DataFrame(x_a, columns=names)
    right = pandas.DataFrame(x_b, columns=names).iloc[:, ::-1]
    same(recommend(left, y_a, right, y_b), recommend(*related), 0)
    model = JointRegressor().fit(left, y_a, right, y_b)
    assert np.array_equal(model.predict(right), JointRegressor().fit(*related).predict(x_b))
    if list(names) != [0, 1, 2, 3]:  # which beside other names are none
        with pytest.raises(ValueError, match="x_b lacks"):
            recommend(left, y_a, right.set_axis(list("wxyz"), axis=1), y_b)


def test_arrow_tables_are_matched_by_name(related):
    arrow = pytest.importorskip("pyarrow")
    x_a, y_a, x_b, y_b = frames(related, NAMES[::-1])
    tables = [arrow.Table.from_pandas(frame, preserve_index=False) for frame in (x_a, x_b)]
    wanted = recommend(*related)
    same(recommend(tables[0], y_a, tables[1], y_b), wanted, 0)
    same(recommend(tables[0].to_batches()[0], y_a, x_b, y_b), wanted, 0)
    same(recommend(x_a, y_a, tables[1], y_b), wanted, 0)


def test_numbers_in_objects_are_numbers_and_masked_entries_are_refused(related):
    x_a, y_a, x_b, y_b = related
    same(recommend(x_a.astype(object), y_a, x_b.astype(object), y_b), recommend(*related), 0)
    mask = np.zeros(x_a.shape, dtype=bool)
    mask[3, 1] = True
    for call in (recommend, JointRegressor().fit):
        with pytest.raises(ValueError, match="x_a must have no masked entries"):
            call(np.ma.masked_array(x_a, mask), y_a, x_b, y_b)
        with pytest.raises(ValueError, match="y_b must have no masked entries"):
            call(x_a, y_a, x_b, np.ma.masked_less(y_b, 0))
    same(recommend(np.ma.masked_array(x_a), y_a, x_b, y_b), recommend(*related), 0)  # nothing is masked


@pytest.mark.parametrize("change", ["order", "two rows fewer"])
def test_large_tables_are_sampled_by_what_their_rows_hold(change):
    rng = np.random.default_rng(0)
    x, slope = rng.standard_normal((2600, 3)), np.array([1.0, -1.0, 0.5])
    y = x @ slope + rng.standard_normal(2600)
    kept = rng.permutation(2500) if change == "order" else np.arange(2498)
    one, other = (pair(x[2500:], y[2500:], x[rows], y[rows])[1] for rows in (np.arange(2500), kept))
    samples = [{tuple(row) for row in task.part(500).inputs} for task in (one, other)]
    assert len(samples[0]) == 500
    assert len(samples[0] & samples[1]) >= (500 if change == "order" else 498)
    spread = np.array(sorted(samples[0])).mean(axis=0) * np.sqrt(500)
    assert np.abs(spread).max() < 4  # a fair sample: its mean is that of all, to its error


def test_labels_whose_index_is_that_of_the_inputs_in_another_order_are_refused(related):
    x_a, y_a, x_b, y_b = related
    pandas = pytest.importorskip("pandas")
    rows, labels = pandas.DataFrame(x_a), pandas.Series(y_a)
    wanted = recommend(x_a, y_a, x_b, y_b).sharing.gain
    mixed = labels.sample(frac=1, random_state=0)
    with pytest.raises(ValueError, match=r"y_a must have the rows of x_a in their order.*Pass y_a.loc\[x_a.index\]"):
        recommend(rows, mixed, x_b, y_b)
    both, task = pandas.DataFrame(np.concatenate([x_a, x_b])), pandas.Series(np.repeat([0, 1], [len(x_a), len(x_b)]))
    every = pandas.Series(np.concatenate([y_a, y_b]))
    model = JointRegressor(target=0).fit(both, every, task)
    asked = {"y": lambda: model.fit(both, every[::-1], task), "task": lambda: model.fit(both, every, task[::-1])}
    asked["y "] = lambda: model.score(rows, mixed, 0)
    for name, ask in asked.items():
        with pytest.raises(ValueError, match=f"{name.strip()} must have the rows of X in their order"):
            ask()
    # The remedies, and an index that has nothing to do with that of the inputs.
    for one in (mixed.loc[rows.index], labels.to_numpy(), labels.set_axis(labels.index + 1000)):
        assert recommend(rows, one, x_b, y_b).sharing.gain == wanted


def test_a_row_of_no_task_is_named(related):
    x_a, y_a, *_ = related
    task = np.where(np.arange(len(y_a)) == 4, np.nan, 1.0)
    with pytest.raises(ValueError, match=r"task must have a label for each row; row 5 has none \(NaN\)"):
        JointRegressor(target=1.0).fit(x_a, y_a, task)


def test_a_task_of_one_row_is_named_by_its_label(related):
    x_a, y_a, _, _ = related
    with pytest.raises(ValueError, match="task must have at least 3 rows of each label; task 'few' has 1"):
        JointRegressor().fit(x_a, y_a, ["few"] + ["many"] * 21)


def test_sizes_that_squares_do_not_hold_are_named(related):
    x_a, y_a, x_b, y_b = related
    with pytest.raises(ValueError, match=r"x_a must have rows with .* varies, by more than 1e-50"):
        JointRegressor().fit(1e-200 * x_a, y_a, 1e-200 * x_b, y_b)
    wrong = x_a.copy()
    wrong[2, 1] = 1e160
    with pytest.raises(ValueError, match=r"X must be at most 1e\+50 in size"):
        JointRegressor().fit(wrong, y_a)
    model = JointRegressor().fit(x_a, y_a)
    assert model.score(x_a, np.ones(22)) == 0
    with pytest.raises(ValueError, match="positive must be a class of some rows"):
        recommend(x_a, y_a, x_b, y_b, positive=10**400)


def test_predictions_take_columns_by_name(related):
    x_a, _, x_b, _ = frames(related)
    model = JointRegressor().fit(*frames(related, NAMES[::-1]))
    wanted = JointRegressor().fit(*related).predict(related[2])
    assert np.array_equal(model.predict(x_b), wanted)
    assert np.array_equal(model.predict(x_b[NAMES[::-1]]), wanted)
    with pytest.warns(UserWarning, match="fit has column names and x has none"):
        assert np.array_equal(model.predict(related[2]), wanted)
    with pytest.raises(ValueError, match=r"x lacks 'p'"):
        model.predict(x_b.drop(columns="p"))
    assert x_a.shape[1] == model.n_features_in_ == 4


def test_repeated_rows_are_found_and_named(related):
    x_a, y_a, x_b, y_b = related
    with pytest.raises(RepeatedRows, match=r"the inputs of 22 rows of x_b stand in x_a too, such as row 1") as caught:
        recommend(x_a, y_a, x_a, y_a)
    assert "same_rows=True" in str(caught.value)
    assert np.array_equal(caught.value.repeats.shared, np.stack([np.arange(22)] * 2, axis=1))
    more_x, more_y = np.vstack([x_b, x_a[4:6], x_b[2:3]]), np.concatenate([y_b, [0.0, 0.0], y_b[2:3]])
    with pytest.raises(RepeatedRows, match="1 row of x_b stood there before, label and all, such as 3 and 34"):
        recommend(x_a, y_a, more_x, more_y)
    same(recommend(x_a, y_a, more_x, more_y, repeats="drop"), recommend(*related))
    kept = recommend(x_a, y_a, more_x, more_y, repeats="keep")
    assert kept.rows == (22, 34)
    with pytest.raises(ValueError, match=r"^others, task 1: the inputs of 22 rows"):
        rank_auxiliaries(x_a, y_a, [(x_a, y_a)])
    assert rank_auxiliaries(x_a, y_a, [(x_a, y_a)], repeats="keep")[0].recommendation.rows == (22, 22)


def test_equal_inputs_with_another_label_are_no_repetition_within_a_table(related):
    x_a, y_a, x_b, y_b = related
    again = recommend(np.vstack([x_a, x_a[:1]]), np.append(y_a, y_a[0] + 1), x_b, y_b)
    assert again.rows == (23, 31)


def test_negative_zero_is_zero(related):
    x_a, y_a, x_b, y_b = related
    x_a, x_b = x_a.copy(), x_b.copy()
    x_a[3], x_b[5] = 0.0, -0.0
    with pytest.raises(RepeatedRows, match="such as row 6 of x_b, row 4 of x_a"):
        recommend(x_a, y_a, x_b, y_b)


def test_the_users_arrays_are_left_alone(related):
    copies = [values.copy() for values in related]
    recommend(*related)
    assert all(np.array_equal(one, other) for one, other in zip(copies, related, strict=True))


def test_many_rows_take_seconds_and_what_was_taken_is_said():
    rng = np.random.default_rng(0)
    x, direction = rng.standard_normal((60_000, 20)), rng.standard_normal(20)
    y = x @ direction + 5 * rng.standard_normal(60_000)
    start = process_time()
    found = recommend(x[:20_000], y[:20_000], x[20_000:], y[20_000:])
    assert process_time() - start < 20
    assert found.rows == (1000, 1000)
    assert "Used as if at random: 1000 of 20000 rows of A and 1000 of 40000 rows of B." in " ".join(str(found).split())


@pytest.mark.parametrize(("place", "name"), [(0, "x_a"), (1, "y_a"), (2, "x_b"), (3, "y_b")])
@pytest.mark.parametrize("huge", [1e200, -1e200])
def test_numbers_beyond_what_squares_hold_are_named(related, place, name, huge):
    values = [np.array(part) for part in related]
    values[place].flat[1] = huge
    with pytest.raises(ValueError, match=f"{name} must be at most 1e\\+50 in size"):
        recommend(*values)
