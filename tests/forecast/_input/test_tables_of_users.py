"""Tables as users have them: named columns in any order, unlike units, dummies, repeated rows, many rows."""

import warnings
from time import process_time

import numpy as np
import pytest
from scipy.linalg import orth

from mtlbook_lib.forecast import (
    RepeatedRows,
    SharedRidge,
    TwoTaskGP,
    advise,
    correlation_evidence,
    rank_auxiliaries,
    recommend,
)
from mtlbook_lib.forecast._linear import linear_gain
from mtlbook_lib.forecast._tasks import pair
from mtlbook_lib.methods.task_estimate import white_inputs
from mtlbook_lib.methods.transfer_forecast import forecast_transfer

pandas = pytest.importorskip("pandas")
NAMES = list("pqrs")
NUMBERS = ("gain", "nats", "alone", "together", "r2_b")


def frames(related, order=NAMES):
    x_a, y_a, x_b, y_b = related
    return pandas.DataFrame(x_a, columns=NAMES), y_a, pandas.DataFrame(x_b, columns=NAMES)[list(order)], y_b


def same(found, wanted, tolerance=1e-9):
    for name in NUMBERS:
        assert getattr(found, name) == pytest.approx(getattr(wanted, name), abs=tolerance), name


def test_columns_are_aligned_by_name(related):
    wanted = advise(*related)
    same(advise(*frames(related, NAMES[::-1])), wanted, 0)
    nats = correlation_evidence(*frames(related, NAMES[::-1])).nats
    assert np.array_equal(nats, correlation_evidence(*related).nats)
    assert advise(related[0], related[1], related[2][:, ::-1], related[3]).nats != wanted.nats  # what it used to give


def test_names_that_differ_are_an_error(related):
    x_a, y_a, x_b, y_b = frames(related)
    with pytest.raises(ValueError, match=r"x_b lacks 's'\. x_b has 't', 'u' besides\."):
        advise(x_a, y_a, x_b.rename(columns={"s": "t"}).assign(u=1.0), y_b)
    with pytest.raises(ValueError, match=r"x_a has two columns of the name 'p'"):
        advise(x_a.rename(columns={"q": "p"}), y_a, x_b, y_b)
    wrong = x_b.astype(object)
    wrong.loc[2, "q"] = "three"
    with pytest.raises(TypeError, match=r"x_b, column 'q', row 3 must be a number; got 'three'"):
        advise(x_a, y_a, wrong, y_b)


def test_names_on_one_side_alone_are_warned_of(related):
    x_a, y_a, x_b, y_b = frames(related)
    with pytest.warns(UserWarning, match="x_a has column names and x_b has none") as caught:
        found = advise(x_a, y_a, x_b.to_numpy(), y_b)
    assert caught[0].filename == __file__
    same(found, advise(*related), 0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        advise(x_a.set_axis(range(4), axis=1), y_a, x_b.to_numpy(), y_b)  # numbers are no names


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
    same(advise(left, y_a, right, y_b), advise(*related), 0)
    model = TwoTaskGP().fit(left, y_a, right, y_b)
    assert np.array_equal(model.predict(right), TwoTaskGP().fit(*related).predict(x_b))
    if list(names) != [0, 1, 2, 3]:  # which beside other names are none
        with pytest.raises(ValueError, match="x_b lacks"):
            advise(left, y_a, right.set_axis(list("wxyz"), axis=1), y_b)


def test_arrow_tables_are_matched_by_name(related):
    arrow = pytest.importorskip("pyarrow")
    x_a, y_a, x_b, y_b = frames(related, NAMES[::-1])
    tables = [arrow.Table.from_pandas(frame, preserve_index=False) for frame in (x_a, x_b)]
    wanted = advise(*related)
    same(advise(tables[0], y_a, tables[1], y_b), wanted, 0)
    same(advise(tables[0].to_batches()[0], y_a, x_b, y_b), wanted, 0)
    same(advise(x_a, y_a, tables[1], y_b), wanted, 0)


def test_numbers_in_objects_are_numbers_and_masked_entries_are_refused(related):
    x_a, y_a, x_b, y_b = related
    same(advise(x_a.astype(object), y_a, x_b.astype(object), y_b), advise(*related), 0)
    mask = np.zeros(x_a.shape, dtype=bool)
    mask[3, 1] = True
    for call in (advise, correlation_evidence, TwoTaskGP().fit):
        with pytest.raises(ValueError, match="x_a must have no masked entries"):
            call(np.ma.masked_array(x_a, mask), y_a, x_b, y_b)
        with pytest.raises(ValueError, match="y_b must have no masked entries"):
            call(x_a, y_a, x_b, np.ma.masked_less(y_b, 0))
    same(advise(np.ma.masked_array(x_a), y_a, x_b, y_b), advise(*related), 0)  # nothing is masked


@pytest.mark.parametrize("change", ["order", "two rows fewer"])
def test_large_tables_are_sampled_by_what_their_rows_hold(change):
    rng = np.random.default_rng(0)
    x, slope = rng.standard_normal((2600, 3)), np.array([1.0, -1.0, 0.5])
    y = x @ slope + rng.standard_normal(2600)
    kept = rng.permutation(2500) if change == "order" else np.arange(2498)
    one, other = (pair(x[2500:], y[2500:], x[rows], y[rows], None, False)[1] for rows in (np.arange(2500), kept))
    samples = [{tuple(row) for row in task.part(500).inputs} for task in (one, other)]
    assert len(samples[0]) == 500
    assert len(samples[0] & samples[1]) >= (500 if change == "order" else 498)
    spread = np.array(sorted(samples[0])).mean(axis=0) * np.sqrt(500)
    assert np.abs(spread).max() < 4  # a fair sample: its mean is that of all, to its error


def test_a_task_of_one_row_is_named_by_its_label(related):
    x_a, y_a, _, _ = related
    with pytest.raises(ValueError, match="task must have at least 3 rows of each label; got 1 of 'few'"):
        TwoTaskGP().fit(x_a, y_a, ["few"] + ["many"] * 21)


def test_sizes_that_squares_do_not_hold_are_named(related):
    x_a, y_a, x_b, y_b = related
    with pytest.raises(ValueError, match=r"x_a must have rows with .* varies, by more than 1e-50"):
        TwoTaskGP().fit(1e-200 * x_a, y_a, 1e-200 * x_b, y_b)
    wrong = x_a.copy()
    wrong[2, 1] = 1e160
    with pytest.raises(ValueError, match=r"X must be at most 1e\+50 in size"):
        SharedRidge().fit(wrong, y_a)
    model = SharedRidge().fit(x_a, y_a)
    assert model.score(x_a, np.ones(22)) == 0
    with pytest.raises(ValueError, match="positive must be a class of some rows"):
        recommend(x_a, y_a, x_b, y_b, positive=10**400)


def test_predictions_take_columns_by_name(related):
    x_a, _, x_b, _ = frames(related)
    model = TwoTaskGP().fit(*frames(related, NAMES[::-1]))
    wanted = TwoTaskGP().fit(*related).predict(related[2])
    assert np.array_equal(model.predict(x_b), wanted)
    assert np.array_equal(model.predict(x_b[NAMES[::-1]]), wanted)
    with pytest.warns(UserWarning, match="fit has column names and x has none"):
        assert np.array_equal(model.predict(related[2]), wanted)
    with pytest.raises(ValueError, match=r"x lacks 'p'"):
        model.predict(x_b.drop(columns="p"))
    assert x_a.shape[1] == model.n_features_in_ == 4


def test_dummies_duplicates_and_constants_are_left_out_and_named(related):
    """The linear forecast is that on the directions along which both tasks have spread."""
    x_a, y_a, x_b, y_b = related
    kind_a, kind_b = np.eye(3)[np.arange(22) % 3], np.eye(3)[np.arange(31) % 3]
    seen = [np.hstack([x, kind, 2 * x[:, :1]]) for x, kind in ((x_a, kind_a), (x_b, kind_b))]
    axes = orth(np.vstack([rows - rows.mean(axis=0) for rows in seen]).T)
    assert axes.shape == (8, 6)
    wanted = forecast_transfer(white_inputs(seen[0] @ axes), y_a, white_inputs(seen[1] @ axes), y_b).benefit_a
    full_a = np.hstack([x_a, kind_a, 2 * x_a[:, :1], np.ones((22, 1)), np.full((22, 1), 5.0)])
    full_b = np.hstack([x_b, kind_b, 2 * x_b[:, :1], np.zeros((31, 1)), np.full((31, 1), 5.0)])
    # At most a third of the rows as axes: here all of them, so that nothing depends on their order.
    found = linear_gain(*pair(full_a, y_a, full_b, y_b, units=False), False)
    assert found.gain == pytest.approx(wanted, rel=1e-6)
    for told in ("hang together: 0, 7", "hang together: 4, 5, 6", "constant: 8, 9"):
        assert told in found.note
    verdict = advise(full_a, y_a, full_b, y_b)
    assert verdict.gain == found.gain
    assert found.note in verdict.reasons


def test_a_population_column_is_left_out(related):
    x_a, y_a, x_b, y_b = related
    site = [np.column_stack([x, np.full(len(x), value)]) for x, value in ((x_a, 0.0), (x_b, 1.0))]
    found = advise(site[0], y_a, site[1], y_b)
    assert found.gain == pytest.approx(advise(*related).gain, rel=1e-6)
    assert any("In A, constant: 4" in reason for reason in found.reasons)


def test_no_direction_is_left(related):
    x_a, y_a, x_b, y_b = related
    apart = np.column_stack([x_a[:, 0], np.zeros(22)]), y_a, np.column_stack([np.zeros(31), x_b[:, 0]]), y_b
    found = advise(*apart, standardise=False)
    assert found.verdict == "cannot tell"
    assert "no direction along which both tasks have spread" in found.reasons[0]


def test_repeated_rows_are_found_and_named(related):
    x_a, y_a, x_b, y_b = related
    with pytest.raises(RepeatedRows, match=r"the inputs of 22 rows of x_b stand in x_a too, such as row 1") as caught:
        advise(x_a, y_a, x_a, y_a)
    assert "same_rows=True" in str(caught.value)
    assert np.array_equal(caught.value.repeats.shared, np.stack([np.arange(22)] * 2, axis=1))
    more_x, more_y = np.vstack([x_b, x_a[4:6], x_b[2:3]]), np.concatenate([y_b, [0.0, 0.0], y_b[2:3]])
    with pytest.raises(RepeatedRows, match="1 row of x_b stood there before, label and all, such as 3 and 34"):
        advise(x_a, y_a, more_x, more_y)
    same(advise(x_a, y_a, more_x, more_y, repeats="drop"), advise(*related))
    kept = advise(x_a, y_a, more_x, more_y, repeats="keep")
    assert kept.rows == (22, 34)
    with pytest.raises(ValueError, match=r"^others, task 1: the inputs of 22 rows"):
        rank_auxiliaries(x_a, y_a, [(x_a, y_a)])
    assert rank_auxiliaries(x_a, y_a, [(x_a, y_a)], repeats="keep")[0].advice.rows == (22, 22)


def test_equal_inputs_with_another_label_are_no_repetition_within_a_table(related):
    x_a, y_a, x_b, y_b = related
    again = advise(np.vstack([x_a, x_a[:1]]), np.append(y_a, y_a[0] + 1), x_b, y_b)
    assert again.rows == (23, 31)


def test_negative_zero_is_zero(related):
    x_a, y_a, x_b, y_b = related
    x_a, x_b = x_a.copy(), x_b.copy()
    x_a[3], x_b[5] = 0.0, -0.0
    with pytest.raises(RepeatedRows, match="such as row 6 of x_b, row 4 of x_a"):
        advise(x_a, y_a, x_b, y_b)


def test_a_column_in_small_units_is_warned_of_and_units_can_be_left_to_the_tool(related):
    x_a, y_a, x_b, y_b = related
    unlike = x_a * [1, 1e4, 1, 1], y_a, x_b * [1, 1e4, 1, 1], y_b
    with pytest.warns(UserWarning, match=r"column 1 .* has 100 % of the variance.*standardise=True"):
        advise(*unlike)
    for call in (correlation_evidence, TwoTaskGP().fit):
        with pytest.warns(UserWarning, match="has 100 % of the variance"):
            call(*unlike)
    wanted = advise(*related, standardise=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        same(advise(*unlike, standardise=True), wanted)
        advise(*unlike, standardise=False)
        advise(*related)
    pooled = np.vstack([x_a, x_b])
    by_hand = [(x - pooled.mean(axis=0)) / pooled.std(axis=0) for x in (x_a, x_b)]
    same(advise(by_hand[0], y_a, by_hand[1], y_b), wanted)


def test_the_users_arrays_are_left_alone(related):
    copies = [values.copy() for values in related]
    advise(*related, standardise=True)
    assert all(np.array_equal(one, other) for one, other in zip(copies, related, strict=True))


@pytest.mark.parametrize("same_rows", [False, True])
def test_sums_over_rows_give_the_forecast_of_the_rows(related, same_rows):
    x_a, y_a, x_b, y_b = related
    if same_rows:
        x_b, y_b = x_a, y_a + x_a[:, 3] ** 2
    tasks = pair(x_a + 3.0, y_a, x_b + 3.0, y_b)
    exact, sums = (linear_gain(*tasks, same_rows, large) for large in (4000, 0))
    assert sums.gain == pytest.approx(exact.gain, rel=1e-9)
    flat = pair(np.column_stack([x_a, x_a[:, 0]]), y_a, np.column_stack([x_b, x_b[:, 0]]), y_b)
    exact, sums = (linear_gain(*flat, same_rows, large) for large in (4000, 0))
    assert sums.gain == pytest.approx(exact.gain, rel=1e-6)
    assert sums.note == exact.note != ""


def test_labels_without_noise_have_no_forecast_from_sums(related):
    x_a, y_a, x_b, _ = related
    found = linear_gain(*pair(x_a, y_a, x_b, x_b @ [1.0, 2.0, 0.0, 1.0]), False, large=0)
    assert np.isnan(found.gain)
    assert "fitted exactly" in found.failure
    little = x_b @ [1.0, 2.0, 0.0, 1.0] + 1e-4 * np.random.default_rng(0).standard_normal(31)
    assert np.isfinite(linear_gain(*pair(x_a, y_a, x_b, little), False, large=0).gain)


def test_many_rows_take_seconds_and_what_was_taken_is_said():
    rng = np.random.default_rng(0)
    x, direction = rng.standard_normal((60_000, 20)), rng.standard_normal(20)
    y = x @ direction + 5 * rng.standard_normal(60_000)
    start = process_time()
    found = advise(x[:20_000], y[:20_000], x[20_000:], y[20_000:])
    assert process_time() - start < 20
    assert found.rows == (20_000, 40_000)
    assert found.rows_of_evidence == (1000, 1000)
    told = "The evidence is from 1000 of 20000 rows of A and from 1000 of 40000 rows of B, chosen at random"
    assert any(reason.startswith(told) for reason in found.reasons)
    assert found.score == pytest.approx(np.arcsinh(100 * found.gain) + 20 * found.nats / 1000)


@pytest.mark.parametrize(("place", "name"), [(0, "x_a"), (1, "y_a"), (2, "x_b"), (3, "y_b")])
@pytest.mark.parametrize("huge", [1e200, -1e200])
def test_numbers_beyond_what_squares_hold_are_named(related, place, name, huge):
    values = [np.array(part) for part in related]
    values[place].flat[1] = huge
    with pytest.raises(ValueError, match=f"{name} must be at most 1e\\+50 in size"):
        advise(*values)


def test_bars_have_errors_and_decimals_that_tell_them_apart(related):
    pytest.importorskip("matplotlib")
    from mtlbook_lib.forecast._picture import draw

    found = advise(*related)
    assert found.alone_error == pytest.approx(_spread(related, 0.0), rel=1e-6)
    right = found.figure().axes[1]
    low, high = right.collections[0].get_segments()[1][:, 0]
    assert (high - low) / 2 == pytest.approx(found.alone_error)
    close = draw(found.evidence, 0.731, 0.734, "cannot tell", (0.1, 0.1)).axes[1]
    assert {text.get_text() for text in close.texts} == {"0.731", "0.734"}
    apart = draw(found.evidence, 0.73, 0.69, "cannot tell", (0.1, 0.1)).axes[1]
    assert {text.get_text() for text in apart.texts} == {"0.73", "0.69"}


def _spread(related, rho):
    """Standard error of the squared errors on rows left out, by the full Gaussian."""
    from test_advice import left_out_squares

    squares = left_out_squares(*related, rho)
    return np.std(squares, ddof=1) / np.sqrt(len(squares))
