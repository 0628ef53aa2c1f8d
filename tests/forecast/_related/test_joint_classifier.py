"""Classes of a task with the help of others."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit

from mtlbook_lib.forecast import JointClassifier, JointRegressor, joint_model


def tasks(n=(40, 120), seed=0):
    rng = np.random.default_rng(seed)
    X, task = rng.standard_normal((sum(n), 3)), np.repeat(["few", "many"], n)
    score = X @ [1.0, -1.0, 0.5] + 0.5 * rng.standard_normal(sum(n))
    return X, score, task


@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_accepts_it():
    checks = pytest.importorskip("sklearn.utils.estimator_checks")
    checks.check_estimator(JointClassifier())


def probabilities(X, labels, task, at):
    """A regressor of labels 0 and 1, and the curve that maximises its posterior, found by another optimiser."""
    model = JointRegressor(target="few").fit(X, labels, task)
    found = model.sharing_["few"]
    own = labels[found.rows]
    share, said = own.mean(), own - found.left_out

    def odds(u, v, s):
        return u + v * (s - share) / (share * (1 - share))

    def height(uv):
        chance = expit(odds(*uv, said))
        prior = (uv[0] - np.log(share / (1 - share))) ** 2 / 0.08 + (uv[1] - 1) ** 2 / 0.72
        return prior - np.log(np.where(own == 1, chance, 1 - chance)).sum()

    best = minimize(height, [0.0, 1.0], method="Nelder-Mead", options={"xatol": 1e-10, "fatol": 1e-12})
    return expit(odds(*best.x, model.predict(at)))


def test_two_classes_are_one_regressor_of_zero_and_one():
    X, score, task = tasks()
    y = np.where(score > 0, "yes", "no")
    model = JointClassifier(target="few").fit(X, y, task)
    found = model.predict_proba(X)
    np.testing.assert_allclose(found[:, 1], probabilities(X, (score > 0).astype(float), task, X), atol=1e-7)
    np.testing.assert_allclose(found.sum(axis=1), 1)
    assert list(model.classes_) == ["no", "yes"]
    assert np.array_equal(model.predict(X, "few"), model.classes_[(found[:, 1] > 0.5).astype(int)])
    assert model.score(X, y) > 0.85
    assert "'yes' against the rest" in model.summary()


def test_two_numbers_of_a_partner_count_as_its_two_classes():
    X, score, task = tasks()
    partners = score > 0.3, np.where(score > 0.3, "w", "m"), np.zeros(len(score))
    found = []
    for theirs in (partners[0].astype(float), *partners[1:]):
        y = np.where(task == "few", np.where(score > 0, "yes", "no"), theirs.astype(object))
        found.append(JointClassifier(target="few").fit(X, y, task).predict_proba(X))
    np.testing.assert_allclose(found[0], found[1], atol=1e-8)
    assert np.abs(found[0] - found[2]).max() > 0.01  # of one number nothing is learned


def test_names_of_classes_and_their_order_are_free():
    X, score, task = tasks()
    plain, other = (JointClassifier(target="few").fit(X, y, task).predict_proba(X) for y in (score > 0, score <= 0))
    np.testing.assert_allclose(plain, other[:, ::-1], atol=1e-8)


def test_each_of_several_classes_is_asked_against_the_rest():
    X, score, task = tasks()
    y = np.digitize(score, [-0.7, 0.7])
    model = JointClassifier(target="few").fit(X, y, task)
    found = model.predict_proba(X)
    assert found.shape == (160, 3)
    np.testing.assert_allclose(found.sum(axis=1), 1)
    wanted = np.array([probabilities(X, (y == one).astype(float), task, X) for one in range(3)]).T
    np.testing.assert_allclose(found, wanted / wanted.sum(axis=1, keepdims=True), atol=1e-7)
    assert model.score(X[task == "many"], y[task == "many"]) > 0.6


def test_probabilities_are_better_than_predicted_numbers_kept_between_0_and_1():
    """Log loss at new rows, mean of forty draws; numbers stay half a label's share away from the ends."""
    gains = []
    for seed in range(40):
        X, score, task = tasks((60, 300), seed)
        few, new = np.arange(len(X)) < 120, np.arange(len(X)) >= 120
        model = JointClassifier(target="few").fit(X[few], score[few] > 0, task[few])
        plain = np.clip(model.models_[True].predict(X[new]), 1 / 120, 1 - 1 / 120)
        chances = [np.where(score[new] > 0, p, 1 - p) for p in (plain, model.predict_proba(X[new])[:, 1])]
        gains.append(np.mean(np.log(chances[1])) - np.mean(np.log(chances[0])))
    assert np.mean(gains) > 2 * np.std(gains, ddof=1) / np.sqrt(40)


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


def test_a_task_is_known_by_its_value_as_the_regressor_knows_it():
    X, score, task = tasks()
    model = JointClassifier(target=1).fit(X, score > 0, np.where(task == "few", 1, 2))
    wanted = model.predict(X[:5])
    for same in (1, 1.0, np.int64(1), np.float32(1), [1.0] * 5, np.ones(5)):
        np.testing.assert_array_equal(model.predict(X[:5], same), wanted)
    refused = {"task must be 1, the target; got 2": (2.0, [1, 1, 2, 1, 1]),
               "task must be one of 1, 2; got": (3, "1", "few"),
               "task must be one label, or one for each of the 5 rows": ([1, 1],)}  # fmt: skip
    for message, given in refused.items():
        for one in given:
            with pytest.raises(ValueError, match=message):
                model.predict(X[:5], one)


@pytest.mark.parametrize("named", ["a", "b", "both", "neither"])
def test_the_targets_labels_decide_whatever_the_partners_are(named):
    """Names ask for classes, numbers for numbers; B is used in each case, and a target may be alone."""
    rng = np.random.default_rng(0)
    rows, task = rng.standard_normal((140, 3)), np.repeat(["a", "b"], [30, 110])
    score = rows @ [1.0, -1.0, 0.5] + rng.standard_normal(140)
    names = np.where(score > 0, "yes", "no").astype(object)
    y = np.where((task == named) | (named == "both"), names, score.astype(object))
    model = joint_model(rows, y, task, "a")
    assert isinstance(model, JointClassifier if named in ("a", "both") else JointRegressor)
    one = model.models_["yes"] if isinstance(model, JointClassifier) else model
    assert one.sharing_["a"].relations["b"].mean > 0.5
    alone = joint_model(rows[:30], y[:30], task[:30], "a")
    assert type(alone) is type(model)
    assert len(alone.predict(rows)) == 140
