"""A recommendation is what its model says of itself, and habits are those of models fitted without the row."""

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

from mtlbook_lib.forecast import JointClassifier, JointRegressor, RepeatedRows, compare, recommend
from mtlbook_lib.forecast._sharing import recommendation
from mtlbook_lib.methods.shared_ridge import shared_ridge

BASELINES = ["ridge alone", "pool", "shared + own", "feature"]


def same_task(seed, n_a=20, noise=1.0):
    rng = np.random.default_rng(seed)
    x_a, x_b, direction = rng.standard_normal((n_a, 5)), rng.standard_normal((80, 5)), rng.standard_normal(5)
    y_a, y_b = (x @ direction + noise * rng.standard_normal(len(x)) for x in (x_a, x_b))
    return x_a, y_a, x_b, y_b


@pytest.fixture(scope="module")
def found():
    return recommend(*same_task(1))


def test_what_is_assessed_is_what_is_handed_out(found):
    x_a, y_a, x_b, y_b = same_task(1)
    wanted = JointRegressor(target="a").fit(x_a, y_a, x_b, y_b)
    assert found.sharing == found.model.sharing_["a"]
    assert found.sharing.gain == wanted.sharing_["a"].gain
    assert np.array_equal(found.model.predict(x_b), wanted.predict(x_b))
    assert found.relation.mean > 0.5
    assert found.verdict == "likely helps"


def test_columns_are_known_by_name_and_the_model_takes_frames(related):
    pandas = pytest.importorskip("pandas")
    x_a, y_a, x_b, y_b = related
    frames = [pandas.DataFrame(rows, columns=list("pqrs")) for rows in (x_a, x_b)]
    told = recommend(frames[0], y_a, frames[1][list("srqp")], y_b)
    wanted = JointRegressor(target="a").fit(x_a, y_a, x_b, y_b)
    np.testing.assert_allclose(told.model.predict(frames[0][list("srqp")]), wanted.predict(x_a), rtol=1e-9)
    assert "model" not in told.to_dict()


def test_baselines_gain_over_the_same_a_alone(found):
    x_a, y_a, x_b, y_b = same_task(1)
    pooled = np.vstack([x_a, x_b])
    a, b = ((x - pooled.mean(axis=0)) / pooled.std(axis=0) for x in (x_a, x_b))
    of_a, of_b = ((y - y.mean()) / y.std() for y in (y_a, y_b))
    task, labels = np.repeat([0, 1], [20, 80]), np.append(of_a, of_b)
    feature = np.column_stack([a, shared_ridge(b, of_b).predict(a)])
    errors = {
        "ridge alone": shared_ridge(a, of_a).left_out,
        "pool": shared_ridge(np.vstack([a, b]), labels, task, 0.0).left_out[:20],
        "shared + own": shared_ridge(np.vstack([a, b]), labels, task).left_out[:20],
        "feature": shared_ridge(feature, of_a).left_out,
    }
    alone = np.square(found.sharing.left_out_alone / y_a.std())
    saved = alone - np.square(found.sharing.left_out / y_a.std())
    assert (found.sharing.gain, found.sharing.error) == pytest.approx((saved.mean(), saved.std(ddof=1) / np.sqrt(20)))
    assert list(found.baselines) == BASELINES
    for name, wanted in errors.items():
        losses = np.square(wanted)
        gains = alone - losses
        assert found.baselines[name] == pytest.approx((losses.mean(), gains.mean(), gains.std(ddof=1) / np.sqrt(20)))


@pytest.mark.parametrize("noise", [0.0, 0.03])
@pytest.mark.parametrize("likeness", [0.7, 1.0])
def test_labels_that_inputs_nearly_determine_leave_nothing_to_gain(noise, likeness):
    rng = np.random.default_rng(1)
    x_a, x_b, w, other = (rng.standard_normal(shape) for shape in ((60, 4), (200, 4), 4, 4))
    of_b = likeness * w + np.sqrt(1 - likeness**2) * other
    labels = [x @ slope + noise * rng.standard_normal(len(x)) for x, slope in ((x_a, w), (x_b, of_b))]
    told = recommend(x_a, labels[0], x_b, labels[1])
    assert told.sharing.gain <= told.sharing.interval[1] <= told.sharing.alone < 0.01
    assert told.verdict in ("no gain expected", "costs little")
    assert told.sharing.cost < 0.005


def test_the_same_task_is_found_and_permuted_labels_are_not():
    shared, permuted = [], []
    for seed in range(20):
        x_a, y_a, x_b, y_b = same_task(seed, n_a=40)
        shared.append(recommend(x_a, y_a, x_b, y_b).sharing.nats)
        y_b = np.random.default_rng(seed).permutation(y_b)
        permuted.append(recommend(x_a, y_a, x_b, y_b).verdict)
    assert min(shared) > 1.6
    assert permuted.count("likely helps") <= 1


def test_words_and_json_say_the_same(found):
    told = json.loads(json.dumps(found.to_dict()))
    assert told["verdict"] == found.verdict
    assert list(told["baselines"]["pool"].values()) == list(found.baselines["pool"])
    assert told["relation"]["mean"] == found.relation.mean
    assert (told["gain"], told["cost"]) == (found.sharing.gain, found.sharing.cost)
    text = " ".join(str(found).split())
    _, alone, together = found.losses
    head = f"B helps with probability {told['chance']:.2f}: on rows left out the RMSE is {alone:.4g} alone, and "
    head += f"{together:.4g} with it. B is worth about {told['worth']:.0f} rows of A. {found.verdict.capitalize()}. "
    assert text.startswith(f"{head}{found.sharing.advice} Expected gain {told['gain']:+.3f} (")
    loss, gain, error = found.baselines["pool"]
    assert f"pool {loss:.3f}, {gain:+.3f} ± {error:.3f}" in text
    assert f"the log Bayes factor of B is {told['nats']:+.1f}" in text
    noted = replace(found, baselines={}, notes=("Left out: two rows.",))
    assert "Baselines" not in str(noted)
    assert str(noted).endswith("Left out: two rows.")


def test_what_does_not_matter_changes_nothing(related):
    x_a, y_a, x_b, y_b = related
    told, order = recommend(*related), np.random.default_rng(2).permutation(22)
    for same in (
        recommend(x_a, 7 + 4 * y_a, x_b, 7 + 4 * y_b),
        recommend(x_a[order], y_a[order], x_b, y_b),
        recommend(*(10 * np.asarray(values) for values in related)),
        recommend(x_a * [1, 1e4, 1, 1], y_a, x_b * [1, 1e4, 1, 1], y_b),
    ):
        for name in ("gain", "error", "nats", "alone", "together"):
            assert getattr(same.sharing, name) == pytest.approx(getattr(told.sharing, name), abs=1e-8)
        assert same.baselines["feature"] == pytest.approx(told.baselines["feature"], abs=1e-8)


def test_an_estimator_of_ones_own_stands_beside_and_changes_nothing(found, mean_model):
    x_a, y_a, x_b, y_b = same_task(1)
    told = recommend(x_a, y_a, x_b, y_b, estimator=mean_model)
    assert list(told.baselines) == [*BASELINES, "estimator alone", "estimator, pooled"]
    assert told.sharing.gain == found.sharing.gain
    labels = [(y - y.mean()) / y.std() for y in (y_a, y_b)]
    own = compare(mean_model, x_a, labels[0], x_b, labels[1])
    for name, losses in zip(("estimator alone", "estimator, pooled"), own.losses, strict=True):
        loss, gain, _ = told.baselines[name]
        assert loss == pytest.approx(losses.mean())
        assert gain == pytest.approx(found.sharing.alone - loss)


def test_figure_has_a_bar_for_each_gain_and_the_posterior(found):
    pytest.importorskip("matplotlib")
    left, right = found.figure().axes
    wanted = [found.baselines[name][1] for name in reversed(BASELINES)]
    assert [bar.get_width() for bar in right.patches] == [*wanted, found.sharing.gain]
    assert [bar.get_height() for bar in left.patches] == found.relation.probabilities.tolist()
    assert left.get_ylim() == (0, 1)
    assert found.figure().get_size_inches() == pytest.approx([7.5, 3.2])


def test_classes_get_a_classifier_that_is_what_was_assessed():
    x_a, y_a, x_b, y_b = same_task(5, n_a=40)
    names = [np.where(y > 0, "yes", "no") for y in (y_a, y_b)]
    told, numbers = recommend(x_a, names[0], x_b, names[1]), recommend(x_a, y_a > 0, x_b, (y_b > 0) * 1.0)
    assert isinstance(told.model, JointClassifier)
    assert set(told.model.predict(x_b)) == {"yes", "no"}
    assert told.sharing == told.model.models_["yes"].sharing_["a"]
    assert isinstance(numbers.model, JointClassifier)  # A's labels decide
    assert numbers.sharing.gain == pytest.approx(told.sharing.gain)
    other = recommend(x_a, names[0], x_b, np.where(y_b > 0, "right", "left"))  # other names, in the same order
    assert other.sharing.gain == pytest.approx(told.sharing.gain)


def test_one_class_against_the_rest():
    x_a, y_a, x_b, y_b = same_task(5)
    classes = [np.digitize(y, [-1, 1]) for y in (y_a, y_b)]
    told = recommend(x_a, classes[0], x_b, classes[1], positive=2)
    assert told.sharing.gain == recommend(x_a, classes[0] == 2, x_b, classes[1] == 2).sharing.gain
    assert told.model.classes_.tolist() == [False, True]
    with pytest.raises(ValueError, match="positive must be a class of some rows of y_a"):
        recommend(x_a, classes[0], x_b, classes[1], positive=7)


def test_for_the_same_rows_gains_are_of_rows_left_out_of_both():
    """B's label tells A's noise on its own row, which is no use for a new one: folds, and a model for each."""
    rng = np.random.default_rng(0)
    x, noise = rng.standard_normal((60, 5)), rng.standard_normal(60)
    y_a, y_b = (x @ rng.standard_normal(5) + 2 * noise for _ in range(2))
    told = recommend(x, y_a, x, y_b, same_rows=True)
    assert told.baselines == {}
    assert told.sharing.gain != told.model.sharing_["a"].gain
    errors, order = np.empty(60), np.random.default_rng(0).permutation(60)
    for fold in range(10):
        kept, out = np.sort(np.setdiff1d(order, order[fold::10])), order[fold::10]
        model = JointRegressor(target="a", repeats="keep").fit(x[kept], y_a[kept], x[kept], y_b[kept])
        errors[out] = y_a[out] - model.predict(x[out])
    assert told.sharing.together == pytest.approx(np.square(errors).mean() / y_a.var())
    with pytest.raises(ValueError, match="same_rows must be False unless x_a equals x_b"):
        recommend(*same_task(1), same_rows=True)


def test_of_many_rows_each_task_has_its_own_sample(monkeypatch):
    monkeypatch.setattr(recommendation, "MOST_ROWS", 15)
    x_a, y_a, x_b, y_b = same_task(1)
    told = recommend(x_b, y_b, x_a, y_a)
    assert told.rows == (15, 15)
    assert "Used as if at random: 15 of 80 rows of A and 15 of 20 rows of B." in told.notes


def test_bad_input_is_named():
    x_a, y_a, x_b, y_b = same_task(0)
    with pytest.raises(RepeatedRows):
        recommend(x_a, y_a, x_a, y_a)
    with pytest.raises(ValueError, match="y_b must be numbers or two classes; got 3 classes"):
        recommend(x_a, y_a, x_b, np.resize(["red", "green", "blue"], 80))
    with pytest.raises(TypeError, match="estimator"):
        recommend(x_a, y_a, x_b, y_b, estimator="ridge")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"y_a": np.ones(22)}, "y_a must vary"),
        ({"y_b": np.ones((31, 1))}, "y_b must have one axis"),
        ({"y_b": np.arange(30.0)}, "y_b must have one label for each of the 31 rows"),
        ({"x_a": np.ones((22, 4))}, "x_a must have rows with at least one column that varies"),
        ({"x_b": np.ones((31, 5)) * np.arange(31)[:, None]}, "x_a and x_b must have the same columns"),
        ({"x_a": np.arange(8.0).reshape(2, 4), "y_a": [0, 1]}, "x_a must have at least 3 rows"),
    ],
)
def test_arguments_of_other_shapes_are_named(related, change, message):
    with pytest.raises(ValueError, match=message):
        recommend(**(dict(zip(("x_a", "y_a", "x_b", "y_b"), related, strict=True)) | change))


def test_losses_are_in_the_units_of_the_labels_and_of_names_those_of_probabilities(found):
    x_a, y_a, x_b, y_b = same_task(1)
    name, alone, together = found.losses
    assert name == "RMSE"
    assert alone == pytest.approx(y_a.std() * np.sqrt(found.sharing.alone))
    assert together == pytest.approx(y_a.std() * np.sqrt(found.sharing.together))
    names = [np.where(y > 0, "yes", "no") for y in (y_a, y_b)]
    told = recommend(x_a, names[0], x_b, names[1])
    labels, sharing = (names[0] == "yes").astype(float), told.sharing
    model = JointClassifier(target="a").fit(np.vstack([x_a, x_b]), np.concatenate(names), ["a"] * 20 + ["b"] * 80)
    said = model._curves["yes"](labels - sharing.left_out)
    assert told.losses[0] == "log loss"
    assert told.losses[2] == pytest.approx(-np.mean(np.log(np.where(labels == 1, said, 1 - said))))
    assert told.losses[1] > told.losses[2]
    assert told.to_dict()["losses"] == dict(zip(("name", "alone", "together"), told.losses, strict=True))


def test_the_chance_of_a_gain_joins_the_relation_and_the_rows_left_out(found):
    related = found.sharing.related
    others = found.relation.probabilities[found.relation.correlations != 0]
    assert related == pytest.approx(others.sum())
    ahead = norm.cdf(found.sharing.gain / found.sharing.error)
    assert found.sharing.chance == pytest.approx(related * (1 + ahead) / 2)
    assert found.to_dict()["chance"] == found.sharing.chance > 0.9
    x_a, y_a, x_b, y_b = same_task(1)
    assert JointRegressor("a", correlation=0.0).fit(x_a, y_a, x_b, y_b).sharing_["a"].chance == 0


def test_a_chance_of_nine_tenths_comes_true_mostly():
    """Sixty constructed pairs, from the same function to another one; errors are those from the noise-free function."""
    rng, said = np.random.default_rng(2128), []
    for angle in np.repeat([0.0, 0.3, 1.0], 20):
        x, (u, v) = rng.standard_normal((540, 5)), rng.standard_normal((2, 5))
        functions = x @ u, x @ (np.cos(angle * np.pi / 2) * u + np.sin(angle * np.pi / 2) * v)
        y_a, y_b = (one / one.std() + rng.standard_normal(540) for one in functions)
        a, b, new = slice(0, 20), slice(20, 100), slice(100, None)
        models = JointRegressor().fit(x[a], y_a[a]), JointRegressor("a").fit(x[a], y_a[a], x[b], y_b[b])
        wanted = functions[0][new] / functions[0].std()
        alone, together = (np.square(one.predict(x[new]) - wanted).mean() for one in models)
        said.append((models[1].sharing_["a"].chance, alone > together))
    chances, gained = np.array(said).T
    sure = chances > 0.9
    assert sure.sum() > 15
    assert 0.85 <= gained[sure].mean() <= 1
    assert gained[chances < 0.5].mean() < 0.75
