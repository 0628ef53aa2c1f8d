"""Models of several tasks as a user of scikit-learn takes them, and what they compute by a second route."""

import pickle
import subprocess
import sys

import numpy as np
import pytest

from mtlbook_lib.forecast import JointRegressor, target_folds

pytest.importorskip("sklearn")
import sklearn
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

# Checks that an estimator fails, each with the reason; none so far.
EXEMPT: dict[str, dict[str, str]] = {}
MODELS = [JointRegressor()]


def together(related):
    x_a, y_a, x_b, y_b = related
    task = np.repeat(["few", "many"], [len(y_a), len(y_b)])
    return np.vstack([x_a, x_b]), np.concatenate([y_a, y_b]), task


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_scikit_learn_accepts_them(model):
    check_estimator(model, expected_failed_checks=EXEMPT.get(type(model).__name__))


def test_two_tables_and_one_table_with_tasks_are_the_same(related):
    X, y, task = together(related)
    joint, tables = JointRegressor().fit(X, y, task), JointRegressor().fit(*related)
    new = related[2][:7]
    assert joint.tasks_ == ("few", "many")
    for one, other in (("few", "a"), ("many", "b")):
        np.testing.assert_allclose(joint.predict(new, one), tables.predict(new, other), rtol=1e-12)
    mixed = joint.predict(new, np.array(["few", "many"] * 3 + ["few"]), return_std=True)
    for part, name in ((slice(0, None, 2), "few"), (slice(1, None, 2), "many")):
        for values, wanted in zip(mixed, joint.predict(new, name, return_std=True), strict=True):
            np.testing.assert_allclose(values[part], wanted[part], rtol=1e-9)


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_one_task_is_learned_by_itself(model, related):
    x_a, y_a = related[:2]
    fitted = clone(model).fit(x_a, y_a)
    wanted = JointRegressor(correlation=0.0, repeats="keep").fit(x_a, y_a, x_a, y_a).predict(x_a)
    np.testing.assert_allclose(fitted.predict(x_a), wanted, rtol=1e-9)
    assert fitted.predict(x_a).shape == (22,)


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_habits(model, related):
    pandas = pytest.importorskip("pandas")
    X, y, task = together(related)
    assert repr(type(model)()) == f"{type(model).__name__}()"
    with pytest.raises(NotFittedError):
        clone(model).predict(X)
    frame = pandas.DataFrame(X, columns=list("pqrs"))
    fitted = clone(model).fit(frame, y, task)
    assert fitted.n_features_in_ == 4
    assert list(fitted.feature_names_in_) == list("pqrs")
    wanted = fitted.predict(frame, task)
    assert np.array_equal(fitted.predict(frame[list("srqp")], task), wanted)  # by name, in any order
    assert np.array_equal(pickle.loads(pickle.dumps(fitted)).predict(frame, task), wanted)
    share = 1 - np.mean(np.square(y - wanted)) / np.var(y)
    assert fitted.score(frame, y, task) == pytest.approx(share)
    piped = make_pipeline(StandardScaler(), clone(model))
    name = piped.steps[-1][0]
    assert piped.fit(X, y, **{f"{name}__task": task}).predict(X, task="few").shape == y.shape
    assert cross_val_score(clone(model), X, y, params=None).shape == (5,)


def test_metadata_is_routed_by_itself(related):
    import sklearn

    X, y, task = together(related)
    with sklearn.config_context(enable_metadata_routing=True):
        found = cross_val_score(JointRegressor(), X, y, params={"task": task})
    apart = cross_val_score(JointRegressor(), X, y)
    assert found.shape == (5,)
    assert not np.allclose(found, apart)


@pytest.mark.parametrize("model", MODELS, ids=repr)
@pytest.mark.parametrize(
    ("task", "message"),
    [(None, "task must say which"), ("none", "task must be one of 'few', 'many'; got"), (["few"], "one for each")],
)
def test_unknown_tasks_are_named(model, related, task, message):
    fitted = clone(model).fit(*together(related))
    with pytest.raises(ValueError, match=message):
        fitted.predict(related[0], task)


def test_bad_parameters_are_named():
    with pytest.raises(ValueError, match="alpha is no setting of JointRegressor; it has target"):
        JointRegressor().set_params(alpha=1)


def test_they_need_no_scikit_learn():
    code = """
import sys
import warnings
import numpy as np
from mtlbook_lib.forecast import JointRegressor
x = np.random.default_rng(0).standard_normal((30, 3))
y = x[:, 0] + x[:, 1] ** 2
task = np.arange(30) % 2
for model in (JointRegressor(),):
    try:
        model.predict(x)
    except AttributeError as error:
        assert isinstance(error, ValueError)
    assert model.fit(x, y, task).score(x, y, task) > 0.2
    try:
        model.fit(x, y[:3])
    except ValueError as error:
        assert "as many rows" in str(error)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        column = model.fit(x, y[:, None], task).predict(x, task)
    assert "one-dimensional" in str(said[0].message)
    assert np.array_equal(column, model.fit(x, y, task).predict(x, task))
assert "sklearn" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_a_column_of_labels_is_taken_as_they_are_without_scikit_learn_too(model, related, monkeypatch):
    X, y, task = together(related)
    said = clone(model).fit(X, y, task).predict(X, task)
    monkeypatch.setitem(sys.modules, "sklearn.utils.validation", None)
    with pytest.warns(UserWarning, match="one-dimensional"):
        column = clone(model).fit(X, y[:, None], task)
    np.testing.assert_allclose(column.predict(X, task), said, atol=1e-12)
    with pytest.raises(ValueError, match="as many rows, at least 2"):
        clone(model).fit(X, np.stack([y, y], axis=1), task)
    with pytest.raises(ValueError, match="as many rows, at least 2"):
        clone(model).fit(X[:1], y[:1], task[:1])


def test_a_pipeline_hands_on_the_standard_deviation(related):
    x, y, task = together(related)
    model = make_pipeline(StandardScaler(), JointRegressor(target="few"))
    wanted = model.fit(x, y, jointregressor__task=task).predict(x[:5], return_std=True)
    with sklearn.config_context(enable_metadata_routing=True):
        found = clone(model).fit(x, y, task=task).predict(x[:5], return_std=True)
    np.testing.assert_allclose(found, wanted)


def test_a_pipeline_hands_on_weights(related):
    x, y, task = together(related)
    weights = np.arange(len(y)) % 3
    model = make_pipeline(StandardScaler(), JointRegressor(target="few"))
    scaled = StandardScaler().fit_transform(x)
    wanted = JointRegressor(target="few").fit(scaled, y, task, sample_weight=weights).predict(scaled)
    given = {"jointregressor__task": task, "jointregressor__sample_weight": weights}
    np.testing.assert_allclose(model.fit(x, y, **given).predict(x), wanted)
    with sklearn.config_context(enable_metadata_routing=True):
        asked = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), JointRegressor(target="few"))
        found = asked.fit(x, y, task=task, sample_weight=weights).predict(x)
    np.testing.assert_allclose(found, wanted)


def test_folds_that_there_are_none_of_are_named(related):
    task = together(related)[2]
    for target in ("none", None, task[:1]):
        with pytest.raises(ValueError, match="target must be"):
            target_folds(task, target)
    with pytest.raises(ValueError, match="folds must be at most 22, the rows of the target; got 23"):
        target_folds(task, "few", folds=23)
    with pytest.raises(ValueError, match="task must have one axis"):
        target_folds(task[:, None], "few")


def test_a_target_is_cross_validated_with_its_partner_always_in_training(related):
    """The recipe of the page: folds of the target's rows alone."""
    x, y, task = together(related)
    folds = target_folds(task, "few", folds=3)
    assert sorted(np.concatenate([out for _, out in folds])) == list(range(22))
    for kept, out in folds:
        assert len(out) in (7, 8)
        assert sorted([*kept, *out]) == list(range(53))
    assert not np.array_equal(target_folds(task, "few", 3, seed=1)[0][1], folds[0][1])
    found = cross_val_score(JointRegressor(target="few"), x, y, cv=folds, params={"task": task})
    wanted = [
        JointRegressor(target="few").fit(x[kept], y[kept], task[kept]).score(x[out], y[out]) for kept, out in folds
    ]
    np.testing.assert_allclose(found, wanted)
