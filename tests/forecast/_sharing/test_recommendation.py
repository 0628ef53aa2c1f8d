"""The recommendation follows its rule, and its gains are those of models that are fitted without the row."""

import json
from dataclasses import replace

import numpy as np
import pytest

from mtlbook_lib.forecast import JointRegressor, RepeatedRows, SharedRidge, TwoTaskGP, advise, recommend
from mtlbook_lib.forecast.policy import RULE, clear, ruled, shares

WAYS = ["pool", "shared + own", "feature", "process"]


def same_task(seed, n_a=20, noise=1.0):
    rng = np.random.default_rng(seed)
    x_a, x_b, direction = rng.standard_normal((n_a, 5)), rng.standard_normal((80, 5)), rng.standard_normal(5)
    y_a, y_b = (x @ direction + noise * rng.standard_normal(len(x)) for x in (x_a, x_b))
    return x_a, y_a, x_b, y_b


def in_units(x_a, y_a, x_b, y_b):
    pooled = np.vstack([x_a, x_b])
    x_a, x_b = ((x - pooled.mean(axis=0)) / pooled.std(axis=0) for x in (x_a, x_b))
    return x_a, (y_a - y_a.mean()) / y_a.std(), x_b, (y_b - y_b.mean()) / y_b.std()


@pytest.fixture(scope="module")
def found():
    return recommend(*same_task(1), draws=6)


def test_expected_gains_and_verdict_are_those_of_the_rule(found):
    forecast = advise(*same_task(1), standardise=True)
    assert found.forecast == forecast
    assert list(found.gains) == list(found.expected) == WAYS
    for way, (gain, _) in found.gains.items():
        assert found.expected[way] == pytest.approx((gain + forecast.score / 50) / 2)
    assert found.verdict == ruled(found.gains, forecast.score, forecast.nats, 20).verdict == "likely helps"
    assert found.gain == max(found.expected.values()) == found.expected[found.way]
    assert found.at_worst == pytest.approx(found.gains[found.way][0] - 2 * found.gains[found.way][1])
    assert sum(found.verdicts.values()) == pytest.approx(1)
    assert found.interval[0] < found.interval[1]


CLEAR = {"pool": (0.10, 0.02), "process": (0.02, 0.02)}
DOUBTFUL = {"pool": (0.03, 0.02), "process": (0.02, 0.02)}
NOTHING = {"pool": (-0.10, 0.02), "process": (-0.01, 0.004)}


@pytest.mark.parametrize(
    ("gains", "score", "nats", "rows", "verdict", "way"),
    [
        (CLEAR, 0.0, 0.0, 40, "likely helps", "pool"),
        (DOUBTFUL, 0.0, 0.0, 40, "cannot tell", "pool"),
        (DOUBTFUL, 0.0, 2.1, 40, "likely helps", "pool"),
        (DOUBTFUL, 0.0, 2.1, 13, "cannot tell", "pool"),
        (NOTHING, 0.0, 0.0, 40, "no gain expected", "none"),
        (NOTHING, 1.0, 0.0, 40, "no gain expected", "process"),
        (NOTHING, 0.0, 5.0, 40, "no gain expected", "none"),
        ({"pool": (-0.1, 0.1), "process": (-0.01, 0.004)}, 0.0, 5.0, 40, "cannot tell", "none"),
        ({"pool": (0.004, 0.001), "process": (-0.01, 0.004)}, 0.0, 5.0, 40, "cannot tell", "pool"),
        # a limit itself is not above it, and not below it
        ({"pool": (0.04, 0.02)}, 0.0, 0.0, 40, "cannot tell", "pool"),
        ({"pool": (0.005, 0.0)}, 0.0, 0.0, 40, "cannot tell", "pool"),
        # the larger expected gain is not clear, the smaller one is
        ({"pool": (0.05, 0.04), "process": (0.03, 0.01)}, 0.0, 0.0, 40, "likely helps", "process"),
    ],
)
def test_every_branch_of_the_rule(gains, score, nats, rows, verdict, way):
    told = ruled(gains, score, nats, rows)
    assert (told.verdict, told.way) == (verdict, way)


@pytest.mark.parametrize("noise", [0.0, 0.03])
@pytest.mark.parametrize("likeness", [0.7, 1.0])
def test_labels_that_inputs_nearly_determine_leave_nothing_to_gain(noise, likeness):
    rng = np.random.default_rng(1)
    x_a, x_b, w, other = (rng.standard_normal(shape) for shape in ((60, 4), (200, 4), 4, 4))
    of_b = likeness * w + np.sqrt(1 - likeness**2) * other
    labels = [x @ slope + noise * rng.standard_normal(len(x)) for x, slope in ((x_a, w), (x_b, of_b))]
    told = recommend(x_a, labels[0], x_b, labels[1], draws=6)
    assert max(told.expected.values()) <= told.forecast.alone + 1e-12 < 0.005
    assert told.interval[1] < 0.005
    assert told.verdict == "no gain expected"
    assert told.helping == ()
    assert told.verdicts["likely helps"] == 0
    assert "Expected gain +" not in str(told)


def test_no_gain_is_above_the_error_of_a_alone():
    gains, alone = {"pool": (0.0, 0.1), "process": (0.01, 0.02)}, {"pool": 0.04, "process": 0.012}
    told = ruled(gains, 5.0, 5.0, 40, alone)
    assert told.expected == {"pool": 0.04, "process": 0.012}
    assert ruled(gains, 5.0, 5.0, 40).expected == {"pool": 0.05, "process": pytest.approx(0.055)}


@pytest.mark.parametrize(
    ("measured", "helps"),
    [((-0.131, 0.042), False), ((-0.04, 0.02), True), ((-0.041, 0.02), False), ((0.001, 0.001), False),
     ((0.001, 0.002), True)],
)  # fmt: skip
def test_a_way_that_measured_clearly_worse_or_nothing_does_not_help(measured, helps):
    assert ruled({"pool": measured}, 20.0, 9.0, 40).helping == (("pool",) if helps else ())


def test_a_larger_gain_that_is_not_clear_is_said(found):
    gains = {"pool": (0.094, 0.08), "shared + own": (0.024, 0.004), "feature": (0.0, 0.1), "process": (0.0, 0.1)}
    told = ruled(gains, 0.0, 0.0, 40)
    assert (told.way, told.helping) == ("shared + own", ("shared + own",))
    text = str(replace(found, verdict=told.verdict, way=told.way, helping=told.helping, gains=gains))
    assert "More was gained by pool on rows left out, but not clearly." in text


def test_the_verdict_is_about_the_ways_that_are_named(found):
    gains = {**CLEAR, "feature": (0.0, 0.1), "shared + own": (0.2, 0.05)}
    assert ruled(gains, 0.0, 0.0, 40).helping == ("pool", "shared + own")
    assert ruled(DOUBTFUL, 0.0, 0.0, 40).helping == ()
    assert found.way in found.helping
    assert f"Likely helps in these ways: {', '.join(found.helping)}." in " ".join(str(found).split())


def test_ways_that_learn_apart_are_left_only_for_a_clear_loss():
    assert shares(0.01, 0.1, "pool")
    assert not shares(-0.01, 0.1, "pool")
    assert not shares(-0.01, 0.1)
    for way in WAYS[1:]:
        assert shares(-0.09, 0.1, way)
        assert not shares(-0.11, 0.1, way)


def test_the_rule_judges_arrays_as_it_judges_numbers():
    expected, gain, nats = (
        np.array([0.006, 0.004, 0.006, 0.006]),
        np.array([0.1, 0.1, 0.03, 0.03]),
        [0.0, 9.0, 2.1, 2.0],
    )
    assert clear(expected, gain, 0.02, np.array(nats)).tolist() == [True, False, True, False]
    assert [clear(*one) for one in zip(expected, gain, [0.02] * 4, nats, strict=True)] == [True, False, True, False]
    assert shares(np.array([-0.09, -0.11]), np.full(2, 0.1), "process").tolist() == [True, False]


def without_row(model, inputs, labels, places, row, weights=None):
    """What a ridge with this penalty and these units predicts for a row that it has not seen, written out."""
    unit, kept = inputs.std(axis=0), np.arange(len(labels)) != row
    n_tasks, share, d = len(model.tasks_), model.own_, inputs.shape[1]
    indicators = np.eye(n_tasks)[places]
    own = [np.sqrt(share) * indicators[:, [t]] * inputs / unit for t in range(n_tasks)] if share else []
    design = np.hstack([inputs / unit, *own, indicators])
    w = np.ones(len(labels)) if weights is None else weights
    rows, aims = design[kept] * np.sqrt(w[kept])[:, None], labels[kept] * np.sqrt(w[kept])
    penalty = np.diag([model.penalty_] * (design.shape[1] - n_tasks) + [0.0] * n_tasks)
    assert design.shape[1] == d * (1 + len(own)) + n_tasks
    return design[row] @ np.linalg.solve(rows.T @ rows + penalty, rows.T @ aims)


@pytest.mark.parametrize("own", [0.0, 0.3])
def test_left_out_errors_of_a_ridge_are_those_of_fits_without_the_row(own):
    x_a, y_a, x_b, y_b = in_units(*same_task(2))
    rows, labels, places = np.vstack([x_a, x_b]), np.append(y_a, y_b), np.repeat([0, 1], [20, 80])
    model = SharedRidge(own).fit(rows, labels, places)
    wanted = [labels[row] - without_row(model, rows, labels, places, row) for row in range(0, 100, 9)]
    np.testing.assert_allclose(model.left_out_[::9], wanted, rtol=1e-8)


def test_gains_are_those_of_the_rows_left_out(found):
    x_a, y_a, x_b, y_b = in_units(*same_task(1))
    rows, labels, places = np.vstack([x_a, x_b]), np.append(y_a, y_b), np.repeat([0, 1], [20, 80])
    alone, pool = SharedRidge(own=0.0).fit(x_a, y_a), SharedRidge(own=0.0).fit(rows, labels, places)
    gains = np.square(alone.left_out_) - np.square(pool.left_out_[:20])
    assert found.gains["pool"] == pytest.approx((gains.mean(), gains.std(ddof=1) / np.sqrt(20)))
    forecast = found.forecast
    assert found.gains["process"][0] == pytest.approx(forecast.alone - forecast.together)


def test_a_row_drawn_twice_is_left_out_with_its_copy():
    from mtlbook_lib.forecast._sharing.again import DrawnAgain, weighted_ridge
    from mtlbook_lib.forecast._sharing.ways import models_of
    from mtlbook_lib.forecast._tasks import pair

    a, b = pair(*in_units(*same_task(3)), units=False)
    models, rng = models_of(a, b), np.random.default_rng(0)
    weights_a, weights_b = (rng.integers(0, 3, size=n).astype(float) for n in (20, 80))
    weights = np.append(weights_a, weights_b)
    rows, labels = np.vstack([a.inputs, b.inputs]), np.append(a.labels, b.labels)
    places = np.repeat([0, 1], [20, 80])
    told = weighted_ridge(models.pool, rows, labels, places).left_out(weights)
    for row in range(0, 20, 3):
        wanted = labels[row] - without_row(models.pool, rows, labels, places, row, weights)
        assert told[row] == pytest.approx(wanted, rel=1e-6)
    again = DrawnAgain(models, a, b)
    ones = again.left_out(np.ones(20), np.ones(80))
    assert all(ones.gains()[way] == pytest.approx(models.left_out().gains()[way]) for way in WAYS)
    # The process with each copy as a row of its own has the same evidence.
    found, evidence = again.left_out(weights_a, weights_b), []
    tasks = models.process
    for correlation in (0.0, 0.8):
        index = [np.repeat(np.arange(len(w)), w.astype(int)) for w in (weights_a, weights_b)]
        x, y = [a.inputs[index[0]], b.inputs[index[1]]], [a.labels[index[0]], b.labels[index[1]]]
        scale = [np.sqrt(tasks.a.scale), np.sqrt(tasks.b.scale)]
        own = [tasks.kernel(rows, rows) + 1 for rows in x]
        across = correlation * tasks.kernel(*x)
        blocks = [[own[0], across], [across.T, own[1]]]
        noise = np.concatenate([np.full(len(y[0]), tasks.a.noise), np.full(len(y[1]), tasks.b.noise)])
        covariance = np.block(blocks) + np.diag(noise)
        value = np.concatenate([y[0] / scale[0], y[1] / scale[1]])
        evidence.append(-0.5 * (np.linalg.slogdet(covariance)[1] + value @ np.linalg.solve(covariance, value)))
    place = int(np.argmin(np.abs(found.evidence.correlations - 0.8)))
    assert found.evidence.nats[place] == pytest.approx(evidence[1] - evidence[0], rel=1e-6)


def test_the_same_task_is_found_and_permuted_labels_are_not():
    shared, permuted = [], []
    for seed in range(20):
        x_a, y_a, x_b, y_b = same_task(seed, n_a=40)
        shared.append(recommend(x_a, y_a, x_b, y_b, draws=2).verdict)
        y_b = np.random.default_rng(seed).permutation(y_b)
        permuted.append(recommend(x_a, y_a, x_b, y_b, draws=2).verdict)
    assert shared.count("likely helps") == 20
    assert permuted.count("likely helps") <= 1


def test_to_train_alone_has_no_expected_gain(found):
    assert "; expected gain" in str(found)
    assert "; expected gain" not in str(replace(found, way="none"))


def test_words_and_json_say_the_same(found):
    told = json.loads(json.dumps(found.to_dict()))
    assert told["way"] == found.way
    assert told["gains"]["pool"] == list(found.gains["pool"])
    assert told["forecast"]["nats"] == found.forecast.nats
    text = " ".join(str(found).split())
    assert text.startswith(f"Likely helps. {found.caution} Recommended: ")
    assert f"pool {found.gains['pool'][0]:+.3f} ± {found.gains['pool'][1]:.3f}" in text
    assert text.endswith(RULE)
    assert "train the tasks together" not in text  # the forecast's own advice would be a second one


def test_seeds_decide_draws_alone():
    data = same_task(3)
    first, again, other = (recommend(*data, draws=3, seed=seed) for seed in (0, 0, 1))
    assert first == again
    assert first.gains == other.gains
    assert first.interval != other.interval
    assert recommend(*data, draws=3).interval == first.interval


def test_an_estimator_of_ones_own_stands_beside_and_changes_nothing(found, mean_model):
    told = recommend(*same_task(1), draws=6, estimator=mean_model)
    assert list(told.gains) == [*WAYS, "estimator"]
    assert (told.verdict, told.way, told.expected) == (found.verdict, found.way, found.expected)
    assert abs(told.gains["estimator"][0]) < 0.1


def test_numbers_of_the_process_are_those_of_the_model():
    x_a, y_a, x_b, y_b = in_units(*same_task(4))
    told = recommend(x_a, y_a, x_b, y_b, draws=2)
    model = TwoTaskGP().fit(x_a, y_a, x_b, y_b)
    assert (told.forecast.nats, told.forecast.correlation) == pytest.approx((model.nats_, model.correlation_))


def test_figure_has_a_bar_for_each_gain(found):
    pytest.importorskip("matplotlib")
    right = found.figure().axes[1]
    assert [bar.get_width() for bar in right.patches] == [found.gains[way][0] for way in reversed(WAYS)]


def test_one_class_against_the_rest():
    x_a, y_a, x_b, y_b = same_task(5)
    classes = [np.digitize(y, [-1, 1]) for y in (y_a, y_b)]
    told = recommend(x_a, classes[0], x_b, classes[1], positive=2, draws=2)
    assert told == recommend(x_a, classes[0] == 2, x_b, classes[1] == 2, draws=2)
    with pytest.raises(ValueError, match="positive must be a class of some rows of y_a"):
        recommend(x_a, classes[0], x_b, classes[1], positive=7)


def test_bad_input_is_named():
    x_a, y_a, x_b, y_b = same_task(0)
    with pytest.raises(RepeatedRows):
        recommend(x_a, y_a, x_a, y_a)
    with pytest.raises(ValueError, match="y_b must be numbers or two classes"):
        recommend(x_a, y_a, x_b, np.resize(["red", "green", "blue"], 80))
    with pytest.raises(TypeError, match="estimator"):
        recommend(x_a, y_a, x_b, y_b, estimator="ridge")


def test_it_hands_out_the_model_that_decides_by_itself(related):
    pandas = pytest.importorskip("pandas")
    x_a, y_a, x_b, y_b = related
    frames = [pandas.DataFrame(rows, columns=list("pqrs")) for rows in (x_a, x_b)]
    found = recommend(frames[0], y_a, frames[1], y_b, draws=2)
    wanted = JointRegressor(target="a").fit(x_a, y_a, x_b, y_b)
    np.testing.assert_allclose(found.model.predict(frames[0][list("srqp")]), wanted.predict(x_a), rtol=1e-9)
    assert found.model.sharing_["a"].gain == pytest.approx(wanted.sharing_["a"].gain, abs=1e-9)
    assert "model" not in found.to_dict()
