"""The average over relations: against every covariance written out, at its limits, and where it may not change."""

from itertools import product

import numpy as np
import pytest
import written_out
from written_out import three_tasks, together

from mtlbook_lib.forecast import JointClassifier, JointRegressor, RepeatedRows, prior
from mtlbook_lib.forecast._related import members, regressor, relations
from mtlbook_lib.forecast._related.kernels import kernels_of
from mtlbook_lib.forecast._related.subsample import subsample


@pytest.fixture
def coarse(monkeypatch):
    """Grids of a few points: written out in full, the model takes its time."""
    for name in ("NOISES", "CORRELATIONS", "SAME_UNITS", "POOLED", "PSEUDO_ROWS"):
        monkeypatch.setattr(prior, name, getattr(written_out, name))


@pytest.mark.parametrize("n_tasks", [2, 3])
def test_errors_predictions_and_spreads_are_those_of_the_full_covariance(coarse, n_tasks):
    x, y, new = three_tasks()
    model = JointRegressor(target="a").fit(*together(x[:n_tasks], y[:n_tasks]))
    found, (mean, deviation) = model.sharing_["a"], model.predict(new, return_std=True)
    errors, variances, wanted, spread = written_out.average(x[:n_tasks], y[:n_tasks], new)
    np.testing.assert_allclose(found.left_out, errors, rtol=0, atol=1e-8)
    np.testing.assert_allclose(np.square(found.deviations), variances, rtol=0, atol=1e-8)
    np.testing.assert_allclose(mean, wanted, rtol=0, atol=1e-8)
    np.testing.assert_allclose(np.square(deviation), spread, rtol=0, atol=1e-8)
    assert found.together == pytest.approx(np.mean(np.square(errors)) / np.var(y[0]), abs=1e-9)


def test_uncorrelated_tasks_are_learned_apart():
    """Both tasks have the same rows, so that the columns' units are those of one."""
    x, y, new = three_tasks()
    alone = JointRegressor().fit(x[0], y[0])
    other = JointRegressor(correlation=0.0, repeats="keep").fit(x[0], y[0], x[0], -(y[0] ** 2))
    for one, wanted in zip(other.predict(new, "a", True), alone.predict(new, 0, True), strict=True):
        np.testing.assert_allclose(one, wanted, rtol=1e-10)
    found = other.sharing_["a"]
    assert found.gain == pytest.approx(0, abs=1e-12)
    assert found.nats == pytest.approx(0, abs=1e-9)
    np.testing.assert_allclose(found.left_out, alone.sharing_[0].left_out, rtol=1e-9)


def test_a_partner_in_another_unit_changes_nothing_of_the_target_by_itself_and_takes_nothing_away():
    """Equal functions of 40 and 200 rows; one of the partner's six columns is in Fahrenheit. Thirty draws."""
    rng, gains, broken = np.random.default_rng(7), [], 0
    for _ in range(30):
        x, w = [rng.standard_normal((n, 6)) for n in (40, 200, 400)], rng.standard_normal(6)
        x_a, x_b, new = (20 + 10 * rows for rows in x)
        y_a, y_b, truth = (rows @ w + np.linalg.norm(w) * rng.standard_normal(len(rows)) for rows in x)
        x_b[:, 0] = 32 + 1.8 * x_b[:, 0]
        model, alone = JointRegressor(target="a").fit(x_a, y_a, x_b, y_b), JointRegressor().fit(x_a, y_a)
        found = model.sharing_["a"]
        assert found.alone == pytest.approx(alone.sharing_[0].alone, rel=1e-9)
        losses = [np.square(one.predict(new) - truth).mean() / y_a.var() for one in (alone, model)]
        gains.append(losses[0] - losses[1])
        broken += gains[-1] < -found.cost
    assert np.mean(gains) > 4 * np.std(gains, ddof=1) / np.sqrt(30)
    assert broken <= 2


def test_equal_functions_with_equal_noise_are_one_process_of_all_rows():
    """One member at correlation 1 is the pooled process, which knows no tasks but their levels."""
    x, y, _ = three_tasks()
    kernel = kernels_of(np.concatenate(x))[1]
    tasks = [relations.Task(rows, labels, kernel) for rows, labels in zip(x[:2], y[:2], strict=True)]
    own = relations.Single(noise=float(prior.NOISES[7]), scale=2.0)
    known = relations.Learned(tasks[1], own, relations._partners(tasks[1], own))
    (relation,) = relations.pairs_of(tasks[0], [known], {1.0: 1.0}, {})
    seen = relation.partners.whiten(kernel(x[1], x[0]))
    found = members.members_of(relation, tasks[0], seen)
    place = np.repeat([0, 1], [len(labels) for labels in y[:2]])
    rows = np.concatenate(x[:2])
    pooled = kernel(rows, rows) + (place[:, None] == place) + own.noise * np.eye(len(place))
    labels = np.concatenate([found.scales[7] * y[0], y[1] / np.sqrt(own.scale)])
    solved = np.linalg.solve(pooled, labels)
    np.testing.assert_allclose(found.weights[:, 7] * found.scales[7], solved[place == 0], rtol=1e-8)
    left_out = (solved / np.diag(np.linalg.inv(pooled)))[place == 0]
    np.testing.assert_allclose(found.errors[:, 7] * found.scales[7], left_out)


def test_another_order_of_the_rows_changes_no_digit():
    X, y, task = together(*three_tasks((40, 90, 30), seed=1)[:2])
    new = three_tasks()[2]
    order = np.random.default_rng(0).permutation(len(y))
    for most in (2000, 25):
        one, other = (JointRegressor(most_rows=most, seed=3) for _ in range(2))
        one.fit(X, y, task)
        other.fit(X[order], y[order], task[order])
        for name in "abc":
            assert np.array_equal(one.predict(new, name, True), other.predict(new, name, True))
            assert one.sharing_[name].gain == other.sharing_[name].gain
        back = order[other.sharing_["a"].rows]
        assert dict(zip(back, other.sharing_["a"].left_out, strict=True)) == dict(
            zip(one.sharing_["a"].rows, one.sharing_["a"].left_out, strict=True)
        )


@pytest.mark.parametrize("model", [JointRegressor, JointClassifier])
def test_that_functions_are_those_of_some_rows_is_told(model):
    x, y, _ = three_tasks((30, 60, 10))
    y = [labels > np.median(labels) for labels in y] if model is JointClassifier else y
    told = (
        "All rows are learned from, through 25 of a task; errors on rows left out are those of 25 of the 30 rows of "
        "'a', chosen as if at random."
    )
    fitted = model(target="a", most_rows=25).fit(*together(x, y))
    assert fitted.notes_[0] == told
    assert told in fitted.summary()
    assert model(target="a", most_rows=60).fit(*together(x, y)).notes_ == ()


def test_of_many_rows_the_seed_chooses_and_without_two_rows_two_others_are_chosen():
    x, y, _ = three_tasks((300, 3, 3))
    x[0][::7], y[0][::7] = x[0][0], y[0][0]  # copies of a row
    chosen = [set(subsample(x[0], y[0], 100, seed)) for seed in (0, 0, 1)]
    assert chosen[0] == chosen[1]
    assert 15 < len(chosen[0] & chosen[2]) < 60
    fewer = subsample(x[0][2:], y[0][2:], 100, 0) + 2
    contents = [{(*x[0][place], y[0][place]) for place in places} for places in (chosen[0], fewer)]
    assert len(contents[0] - contents[1]) <= 2


@pytest.mark.parametrize("seed", range(3))
def test_another_order_of_the_columns_chooses_the_same_rows(seed):
    """Also of rows that stand twice, and of rows of zeros and ones whose labels differ."""
    rng = np.random.default_rng(seed)
    x, y = rng.standard_normal((400, 3)), rng.standard_normal(400)
    x[:100], y[:100] = x[100:200], y[100:200]
    x[300:] = rng.integers(0, 2, (100, 3))
    samples = [subsample(x[:, order], y, 90, seed) for order in ([0, 1, 2], [2, 0, 1])]
    contents = [[(*x[place], y[place]) for place in sample] for sample in samples]
    assert contents[0] == contents[1]
    assert 0 < sum(place >= 300 for place in samples[0]) < 60


def test_rows_of_the_same_values_in_other_columns_are_chosen_as_often_as_they_stand_there():
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 2, (2000, 3)).astype(float), np.zeros(2000)
    order = rng.permutation(2000)
    chosen = x[subsample(x, y, 500, 0)]
    assert np.array_equal(chosen, x[order][subsample(x[order], y, 500, 0)])
    kinds = np.array([*product((0, 1), repeat=3)])
    shares = [(rows[:, None] == kinds).all(axis=2).mean(axis=0) for rows in (x, chosen)]
    assert np.abs(shares[1] - shares[0]).max() < 4 * np.sqrt(1 / 8 / 500)


@pytest.mark.parametrize(("correlation", "units"), [(None, (2.0, 2.0)), (0.9, (2.0, 5.0)), (-0.5, (2.0, 0.1))])
def test_units_of_labels_and_columns_are_free(correlation, units):
    """Those of all labels together; at a given correlation, those of each task by itself."""
    x, y, new = three_tasks((30, 40, 30))
    plain, other = (JointRegressor(target="a", correlation=correlation) for _ in range(2))
    plain.fit(*together(x[:2], y[:2]))
    scales = np.array([10.0, 0.1, 3.0])
    labels = [3 + unit * one for unit, one in zip(units, y, strict=False)]
    other.fit(*together([rows * scales + 7 for rows in x[:2]], labels))
    (mean, deviation), found = plain.predict(new, return_std=True), other.predict(new * scales + 7, return_std=True)
    np.testing.assert_allclose(found[0], 3 + 2 * mean, rtol=1e-8)
    np.testing.assert_allclose(found[1], 2 * deviation, rtol=1e-8)
    assert other.sharing_["a"].gain == pytest.approx(plain.sharing_["a"].gain, abs=1e-9)


def test_the_same_units_help_and_other_units_take_nothing_away():
    """Equal functions of 15 rows and 80: their level and scale are known from the partner's, if units are the same."""
    rng, losses = np.random.default_rng(5), []
    for _ in range(30):
        x_a, x_b, new = (rng.standard_normal((n, 4)) for n in (15, 80, 200))
        y_a, y_b = (x @ [1.0, -1.0, 0.5, 0.0] + 10 + rng.standard_normal(len(x)) for x in (x_a, x_b))
        wanted = new @ [1.0, -1.0, 0.5, 0.0] + 10
        fits = [JointRegressor("a").fit(x_a, y_a, x_b, labels) for labels in (y_b, 7 * y_b - 3)]
        fits.append(JointRegressor("a", 0.0).fit(x_a, y_a, x_b, y_b))
        losses.append([np.square(one.predict(new) - wanted).mean() for one in fits])
    same, other, alone = np.mean(losses, axis=0)
    error = np.std(np.diff(losses, axis=1), axis=0, ddof=1) / np.sqrt(30)
    assert other - same > 2 * error[0]
    assert alone - other > 2 * error[1]


def test_the_order_of_partners_is_free():
    x, y, new = three_tasks((30, 40, 30))
    one, other = (JointRegressor("a").fit(*together(x, y, names)).predict(new, "a", True) for names in ("abc", "acb"))
    for found, wanted in zip(one, other, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-8)


def test_labels_of_two_values_are_predicted_between_them():
    x, y, _ = three_tasks((30, 40, 30))
    classes = [(labels > np.median(labels)).astype(float) for labels in y]
    model = JointRegressor().fit(*together(x, classes))
    far = 100 * np.random.default_rng(0).standard_normal((50, 3))
    mean = model.predict(far, "a")
    assert mean.min() >= 0
    assert mean.max() == 1
    assert np.abs(model.sharing_["a"].left_out).max() <= 1


def test_the_share_that_is_kept_is_that_of_least_squares_with_further_rows(monkeypatch):
    rng = np.random.default_rng(6)
    errors, moved = rng.standard_normal((2, 12))
    for rows, moved_by in ((60.0, moved), (0.0, moved), (5.0, moved + errors), (0.0, -errors)):
        for module in (prior, written_out):
            monkeypatch.setattr(module, "PSEUDO_ROWS", rows)
        parts = members.LeftOut(errors - moved_by, np.ones(12)), members.LeftOut(errors, np.ones(12))
        kept, found = members.checked(*parts)
        assert kept == pytest.approx(written_out.kept_share(moved_by, errors))
        each = [written_out.kept_share(np.delete(moved_by, row), np.delete(errors, row)) for row in range(12)]
        np.testing.assert_allclose(found.errors, errors - each * moved_by)
    assert kept == 0
    assert members.checked(parts[1], parts[1])[0] == 1


def test_the_posterior_of_the_relation():
    rng = np.random.default_rng(4)
    x, direction = rng.standard_normal((3, 150, 4)), np.array([1.0, -1.0, 0.5, 2.0])
    y = [x[0] @ direction, x[1] @ direction, rng.standard_normal(150)]
    y = [labels + 0.5 * rng.standard_normal(150) for labels in y]
    relation = JointRegressor(target="a").fit(*together(x, y)).sharing_["a"].relations
    for found in relation.values():
        assert found.probabilities.sum() == pytest.approx(1)
        assert np.all(np.diff(found.correlations) > 0)
        assert found.mean == pytest.approx(found.correlations @ found.probabilities)
    assert relation["b"].mean > 0.7 > 0.3 > abs(relation["c"].mean)


def test_the_summary_says_what_sharing_costs_at_most():
    x, y, _ = three_tasks((30, 60, 40))
    model = JointRegressor(target="a").fit(*together(x[:2], y[:2]))
    told, found = model.summary(), model.sharing_["a"]
    assert told == model.summary("a") == str(found)
    assert "cannot tell" not in told
    assert f"{found.gain:+.3f} ± {found.error:.3f}" in told
    assert told.splitlines()[-1].startswith("Share")
    alone = JointRegressor().fit(x[0], y[0]).summary()
    assert "learned by itself" in alone


def with_outliers(seed, n=(40, 100)):
    """Two related tasks, labels with and without a twentieth moved by five standard deviations, and new rows."""
    rng = np.random.default_rng(seed)
    x = [rng.standard_normal((rows, 4)) for rows in (*n, 200)]
    *y, truth = (rows @ [1.0, -1.0, 0.5, 0.0] + 0.5 * rng.standard_normal(len(rows)) for rows in x)
    bad = [one + 5 * one.std() * rng.choice([-1, 1], len(one)) * (rng.permutation(len(one)) % 20 == 0) for one in y]
    return x[:2], y, bad, x[2], truth


def test_one_round_of_moving_outliers_is_as_by_hand(monkeypatch):
    monkeypatch.setattr(regressor, "ROUNDS", 1)
    x, _, bad, new, _ = with_outliers(0)
    first = JointRegressor().fit(x[0], bad[0])
    told = first.sharing_[0]
    mean = bad[0] - told.left_out
    by_hand = np.clip(bad[0], mean - 2 * told.deviations, mean + 2 * told.deviations)
    assert 2 <= np.sum(by_hand != bad[0]) < 10
    found, wanted = JointRegressor(clip=2).fit(x[0], bad[0]), JointRegressor().fit(x[0], by_hand)
    np.testing.assert_allclose(found.predict(new), wanted.predict(new), rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(found.sharing_[0].left_out, wanted.sharing_[0].left_out, rtol=1e-12, atol=1e-13)


def test_outliers_of_both_tasks_do_less_harm_where_they_are_moved():
    errors = []
    for seed in range(4):
        x, y, bad, new, truth = with_outliers(seed)
        asked = [(labels, clip) for labels in (bad, y) for clip in (None, 3)]
        fits = [JointRegressor(target="a", clip=clip).fit(*together(x, labels)) for labels, clip in asked]
        errors.append([np.mean(np.square(one.predict(new) - truth)) for one in fits])
    kept, moved, clean, unharmed = np.mean(errors, axis=0)
    assert moved < 0.5 * (kept + clean)
    assert unharmed < 1.02 * clean


def test_moving_outliers_changes_nothing_where_there_are_none_and_no_classes():
    x, y, bad, new, _ = with_outliers(5)
    for labels, clip in ((bad, 1e6), ([np.sign(one) for one in y], 0.5)):
        plain, other = (JointRegressor(target="a", clip=c).fit(*together(x, labels)) for c in (None, clip))
        np.testing.assert_array_equal(other.predict(new), plain.predict(new))
    both = JointRegressor(clip=3).fit(*together(x, bad))
    one = JointRegressor(target="b", clip=3).fit(*together(x, bad))
    np.testing.assert_allclose(both.predict(new, "b"), one.predict(new), rtol=1e-12)


@pytest.mark.parametrize("model", [JointRegressor, JointClassifier])
def test_rows_of_the_target_in_a_partner_are_refused_or_left_out(model):
    """What a copy says of a row of its own is no guide to new rows, wherever the copy stands."""
    x, y, new = three_tasks((30, 40, 30))
    y = [labels > np.median(labels) for labels in y] if model is JointClassifier else y
    more = [x[0], np.concatenate([x[1], x[0][4:6], x[1][:1]])], [y[0], np.concatenate([y[1], y[1][:2], y[1][:1]])]
    message = "the inputs of 2 rows of 'b' stand in 'a' too, such as row 41 of 'b', row 5 of 'a'; 1 row of 'b' stood"
    with pytest.raises(RepeatedRows, match=message):
        model(target="a").fit(*together(*more))
    with pytest.raises(RepeatedRows, match="the inputs of 30 rows of 'b' stand in 'a' too"):
        model(target="a").fit(*together([x[0], x[0]], [y[0], y[0]]))
    plain = model(target="a").fit(*together(x[:2], y[:2]))
    left, kept = (model(target="a", repeats=asked).fit(*together(*more)) for asked in ("drop", "keep"))
    assert np.array_equal(left.predict(new), plain.predict(new))
    assert left.notes_[0].startswith("Left out: the inputs of 2 rows of 'b'")
    assert left.summary() == f"{plain.summary()}{left.summary()[len(plain.summary()) :]}"
    assert left.notes_[0] in left.summary()
    assert kept.notes_ == ()


def test_wrong_arguments_are_named():
    x, y, new = three_tasks()
    X, labels, task = together(x, y)
    with pytest.raises(ValueError, match="target must be one of the labels in task, 'a', 'b', 'c'; got 'd'"):
        JointRegressor(target="d").fit(X, labels, task)
    with pytest.raises(ValueError, match="correlation must be None for more than two tasks"):
        JointRegressor(correlation=0.5).fit(X, labels, task)
    with pytest.raises(ValueError, match="correlation must lie in"):
        JointRegressor(correlation=1.5).fit(x[0], y[0], x[1], y[1])
    for clip in (0, -1.0, np.nan):
        with pytest.raises(ValueError, match="clip must be"):
            JointRegressor(clip=clip).fit(X, labels, task)
    with pytest.raises(ValueError, match="most_rows must be at least 3"):
        JointRegressor(most_rows=2).fit(X, labels, task)
    with pytest.raises(ValueError, match="task must have at least 3 rows of each label; task 'b' has 2"):
        JointRegressor().fit(X[:11], labels[:11], task[:11])
    JointRegressor().fit(X[:12], labels[:12], task[:12])  # three are enough
    with pytest.raises(ValueError, match="y must vary within each task; there is only 1"):
        JointRegressor().fit(x[0], np.ones(len(x[0])))
    with pytest.raises(ValueError, match="y must vary within each task; task 'b' has only 1"):
        JointRegressor().fit(X, np.where(task == "b", 1.0, labels), task)
    with pytest.raises(ValueError, match="y must vary within each task"):  # by more than float64 can square
        JointRegressor().fit(X, np.where(task == "b", 1e-170 * labels, labels), task)
    model = JointRegressor(target="a").fit(X, labels, task)
    with pytest.raises(ValueError, match="task must be 'a', the target; got 'b'"):
        model.predict(new, "b")
    with pytest.raises(ValueError, match="task must be one of 'a'; got 'b'"):
        model.summary("b")
    with pytest.raises(AttributeError, match="fit must be called"):
        JointRegressor().summary()
