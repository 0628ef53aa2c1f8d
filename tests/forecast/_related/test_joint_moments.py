"""A task by its sums: rows that count more than once, and tables that are larger than the limit of rows."""

import numpy as np
import pytest
from written_out import three_tasks, together

from mtlbook_lib.forecast import JointClassifier, JointRegressor, prior
from mtlbook_lib.forecast._related import members, moments, relations
from mtlbook_lib.forecast._related.average import average_of
from mtlbook_lib.forecast._related.kernels import kernels_of
from mtlbook_lib.forecast._related.mixture import mixture_members


def counted(seed, n, classes=None):
    """Tasks of given sizes, how often each row stands there, and the same with every row as often."""
    x, y, _ = three_tasks((*n, 9, 9)[:3], seed=seed)
    X, labels, task = together(x[: len(n)], y[: len(n)])
    labels = labels if classes is None else np.digitize(labels, classes)
    counts = np.random.default_rng(seed).integers(0, 4, len(labels))
    repeated = [np.repeat(one, counts, axis=0) for one in (X, labels, task)]
    return (X, labels, task), counts, repeated


@pytest.mark.parametrize("n", [(30,), (30, 50), (20, 30, 25)])
@pytest.mark.parametrize("clip", [None, 2.0])
def test_a_row_of_weight_two_is_the_row_twice(n, clip):
    """Two routes: sums over weighted rows, and covariances of the repeated ones."""
    given, counts, repeated = counted(1, n)
    one, other = (JointRegressor("a", clip=clip, repeats="keep") for _ in range(2))
    one.fit(*given, sample_weight=counts)
    other.fit(*repeated)
    new = three_tasks()[2]
    for found, wanted in zip(one.predict(new, "a", True), other.predict(new, "a", True), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-7)
    found, wanted = one.sharing_["a"], other.sharing_["a"]
    for name in ("alone", "together", "gain", "error", "nats"):
        assert getattr(found, name) == pytest.approx(getattr(wanted, name), rel=1e-7, abs=1e-8)
    left = dict(zip(found.rows, found.left_out, strict=True))
    assert set(left) == set(np.flatnonzero(counts[: n[0]]))
    np.testing.assert_allclose(np.repeat([left[row] for row in sorted(left)], counts[sorted(left)]), wanted.left_out)


@pytest.mark.parametrize("classes", [[4.0], [3.0, 6.0]])
def test_a_row_of_weight_two_is_the_row_twice_for_classes_too(classes):
    given, counts, repeated = counted(2, (60, 50), classes)
    one, other = (JointClassifier("a", repeats="keep") for _ in range(2))
    found = one.fit(*given, sample_weight=counts).predict_proba(given[0])
    np.testing.assert_allclose(found, other.fit(*repeated).predict_proba(given[0]), atol=1e-7)


def test_weights_of_one_change_no_digit_and_two_rows_of_a_half_are_one_row():
    (X, labels, task), _, _ = counted(3, (40, 60))
    new = three_tasks()[2]
    plain = JointRegressor("a").fit(X, labels, task)
    for weight in (np.ones(100), 1, [1] * 100):
        same = JointRegressor("a").fit(X, labels, task, sample_weight=weight)
        assert np.array_equal(same.predict(new), plain.predict(new))
    own = slice(0, 40)
    alone = JointRegressor().fit(X[own], labels[own]).predict(new, return_std=True)
    halves = JointRegressor().fit(np.repeat(X[own], 2, axis=0), np.repeat(labels[own], 2), sample_weight=0.5)
    np.testing.assert_allclose(halves.predict(new, return_std=True), alone, rtol=1e-7)


@pytest.mark.parametrize("model", [JointRegressor, JointClassifier])
def test_weights_that_are_none_are_named(model):
    x, y, _ = three_tasks((30, 40, 9))
    y = [labels > np.median(labels) for labels in y] if model is JointClassifier else y
    given = together(x[:2], y[:2])
    refused = {"sample_weight must be above 0 somewhere": np.zeros(70),
               "sample_weight must be 0 or greater": -np.eye(70)[3],
               "sample_weight must have one entry for each of the 70 rows; got shape": np.ones(69),
               "sample_weight must be finite": np.full(70, np.nan),
               "sample_weight must sum to 3 or more in each task": np.full(70, 0.01)}  # fmt: skip
    for message, weights in refused.items():
        with pytest.raises(ValueError, match=message):
            model(target="a").fit(*given, sample_weight=weights)


def test_axes_that_are_not_kept_change_no_spread(monkeypatch):
    x, y, new = three_tasks((400, 300, 9), seed=5)
    spreads = []
    for negligible in (1e-12, 1e-300):
        monkeypatch.setattr(moments, "NEGLIGIBLE", negligible)
        model = JointRegressor("a", most_rows=40).fit(*together(x[:2], y[:2]))
        counted = [one for average in model._fits[0].averages for one, _ in average.counted]
        assert all(len(one.axes) for one in counted)
        spreads.append(model.predict(new, "a", True)[1])
    np.testing.assert_allclose(*spreads, rtol=1e-9)


def test_members_with_partners_have_the_share_of_the_prior_that_the_target_by_itself_leaves():
    x, y, _ = three_tasks()
    tasks = []
    for rows, z in zip(x[:3], (y[0], x[1].sum(axis=1), x[2].sum(axis=1)), strict=True):  # both partners may be one task
        tasks.append(relations.Task(rows, (z - z.mean()) / z.std(), kernels_of(x[0], x[1:])[0], z.mean(), z.std()))
    found = mixture_members(*tasks, prior=prior.CORRELATIONS, most=np.inf)
    total = sum(np.exp(one.relation.log_priors).sum() for one in found)
    assert total == pytest.approx(1 - prior.CORRELATIONS[0.0])


def test_partners_that_may_be_one_task_are_those_of_most_evidence_first():
    """Of five, the second and the fourth have the target's function, and the others are noise."""
    rng, tasks = np.random.default_rng(1), []
    x = [rng.standard_normal((20, 3)) for _ in range(6)]
    for rows, share in zip(x, (1, 0, 1, 0, 1, 0), strict=True):
        y = share * rows.sum(axis=1) + rng.standard_normal(20)
        tasks.append(relations.Task(rows, (y - y.mean()) / y.std(), kernels_of(x[0], x[1:])[0], y.mean(), y.std()))
    found = mixture_members(*tasks, prior=prior.CORRELATIONS, most=np.inf)
    groups = sorted({one.relation.which for one in found if len(one.relation.which) > 1}, key=len)
    assert [len(which) for which in groups] == [2, 4, 5]
    assert set(groups[0]) == {1, 3} < set(groups[1])


def test_above_the_limit_it_is_the_model_of_the_projected_kernel():
    """Two routes: sums of features, and covariances of all rows with that kernel, which is as it was at the rows Z."""
    x, y, new = three_tasks((30, 45, 25), seed=4)
    tables, most = [np.asarray(rows) for rows in x], 12
    z = moments.inducing_rows(tables, most)
    assert len(z) == 2 * most
    kernel = kernels_of(tables[0], tables[1:])[2]
    features = moments.features_of(kernel, z)

    def projected(left, right):
        return features(left)[:, :-1] @ features(right)[:, :-1].T

    np.testing.assert_allclose(projected(z, tables[0]), kernel(z, tables[0]), atol=1e-9)
    units = [(float(one.mean()), float(one.std())) for one in y]
    standard = [(one - mean) / scale for one, (mean, scale) in zip(y, units, strict=True)]
    sums, rows = [], []
    for table, labels, unit in zip(tables, standard, units, strict=True):
        held = 0 if sums else len(labels)
        sums.append(moments.moments_of(features, table, labels, np.ones(len(labels)), unit, held))
        rows.append(relations.Task(table, labels, projected, *unit))
    found, wanted = (mixture_members(*tasks, prior=prior.CORRELATIONS, most=np.inf) for tasks in (sums, rows))
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one.relation.log_priors, other.relation.log_priors, rtol=1e-7)
        np.testing.assert_allclose(np.diff(one.log_evidence), np.diff(other.log_evidence), atol=1e-5)
        np.testing.assert_allclose(one.errors, other.errors, rtol=1e-7, atol=1e-8)
        np.testing.assert_allclose(one.deviations, other.deviations, rtol=1e-6)
    logs = members.log_weights(found)[0]
    weights = [np.exp(one) for one in logs]
    average = average_of(projected, tables[0], wanted, weights)
    by_sums = moments.feature_average(sums[0], found, weights)
    np.testing.assert_allclose(by_sums.mean(new), average.mean(new), rtol=1e-6, atol=1e-7)
