"""Classes of a task with the help of others."""

import numpy as np
import pytest

from mtlbook_lib.forecast import JointClassifier, JointRegressor


def tasks(n=(40, 120), seed=0):
    rng = np.random.default_rng(seed)
    X, task = rng.standard_normal((sum(n), 3)), np.repeat(["few", "many"], n)
    score = X @ [1.0, -1.0, 0.5] + 0.5 * rng.standard_normal(sum(n))
    return X, score, task


@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_accepts_it():
    checks = pytest.importorskip("sklearn.utils.estimator_checks")
    checks.check_estimator(JointClassifier())


def test_two_classes_are_one_regressor_of_zero_and_one():
    X, score, task = tasks()
    y = np.where(score > 0, "yes", "no")
    model = JointClassifier(target="few").fit(X, y, task)
    wanted = JointRegressor(target="few").fit(X, (score > 0).astype(float), task).predict(X)
    found = model.predict_proba(X)
    np.testing.assert_allclose(found[:, 1], np.clip(wanted, 1 / 80, 1 - 1 / 80), atol=1e-12)
    np.testing.assert_allclose(found.sum(axis=1), 1)
    assert list(model.classes_) == ["no", "yes"]
    assert np.array_equal(model.predict(X, "few"), model.classes_[(found[:, 1] > 0.5).astype(int)])
    assert model.score(X, y) > 0.85
    assert "'yes' against the rest" in model.summary()


def test_each_of_several_classes_is_asked_against_the_rest():
    X, score, task = tasks()
    y = np.digitize(score, [-0.7, 0.7])
    model = JointClassifier(target="few").fit(X, y, task)
    found = model.predict_proba(X)
    assert found.shape == (160, 3)
    np.testing.assert_allclose(found.sum(axis=1), 1)
    wanted = [JointRegressor(target="few").fit(X, (y == one).astype(float), task).predict(X) for one in range(3)]
    wanted = np.maximum(np.array(wanted).T, 1 / 80)
    np.testing.assert_allclose(found, wanted / wanted.sum(axis=1, keepdims=True), atol=1e-12)
    assert model.score(X[task == "many"], y[task == "many"]) > 0.6


def test_partners_serve_for_the_classes_that_they_have():
    X, score, task = tasks()
    y = np.digitize(score, [-0.7, 0.7]).astype(str)
    y[(task == "many") & (y == "2")] = "1"
    model = JointClassifier(target="few").fit(X, y, task)
    assert model.models_["0"].tasks_ == ("few", "many")
    assert model.models_["2"].tasks_ == ("few", "many")  # a partner of two classes serves for all
    y[(task == "many")] = "0"
    model = JointClassifier(target="few").fit(X, y, task)
    assert all(one.tasks_ == ("few",) for one in model.models_.values())


def test_wrong_arguments_are_named():
    X, score, task = tasks()
    with pytest.raises(ValueError, match="target must be one of the labels in task, 'few', 'many'; got None"):
        JointClassifier().fit(X, score > 0, task)
    with pytest.raises(ValueError, match="target must be one of the labels in task, 'few', 'many'; got 'b'"):
        JointClassifier(target="b").fit(X, score > 0, task)
    with pytest.raises(ValueError, match="Unknown label type: y must be names or whole numbers"):
        JointClassifier(target="few").fit(X, score, task)
    with pytest.raises(ValueError, match="y must have two classes of the target or more; got one class"):
        JointClassifier(target="few").fit(X, np.where(task == "few", 1, (score > 0).astype(int)), task)
    with pytest.raises(ValueError, match="task must be 'few', the target; got 'many'"):
        JointClassifier(target="few").fit(X, score > 0, task).predict(X, "many")
    with pytest.raises(AttributeError, match="fit must be called"):
        JointClassifier().summary()
