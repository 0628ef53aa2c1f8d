"""The study of the recommendation at tiny sizes, what is kept of it, and how it is scored."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part7.should_i_train_together import experiment
from mtlbook_lib.chapters.part7.should_i_train_together.experiment import acceptance, judged, students
from mtlbook_lib.data.real_pairs import HELD_OUT, SOURCES, Partner, Target, draw_rows, random_targets, source_of
from mtlbook_lib.forecast import SharedRidge, recommend
from mtlbook_lib.forecast._sentences import caution_of

TARGET = Target("iris", "sepal width", 20, (Partner("sepal width", 30), Partner("petal width", 30)))
N_PAIRS, N_DRAWS = 90, 6


def made_up(noise=0.0, verdict=lambda truth: np.where(truth > 0.05, 0, 2)):
    """Pairs whose expected gains are the true ones, but for noise; all other numbers say nothing."""
    rng = np.random.default_rng(0)
    truth = 0.1 * rng.standard_normal((N_PAIRS, 5))
    truth[:, 4] = truth[:, :4].mean(axis=1)
    gains = truth + 0.01 * rng.standard_normal((N_DRAWS, N_PAIRS, 5))
    said = rng.standard_normal((N_DRAWS, N_PAIRS, len(judged.SAID)))
    said[..., :4] = truth[:, :4] + noise * rng.standard_normal((N_DRAWS, N_PAIRS, 4))
    said[..., 8:12] = 0.0
    best = truth[:, :4].argmax(axis=1)
    said[..., -1], said[..., -2] = best, verdict(truth[np.arange(N_PAIRS), best])
    return experiment.Judged(gains, said, np.repeat(np.arange(30), 3)), truth


def test_a_perfect_recommendation_orders_and_earns_all():
    told, truth = made_up()
    for place, way in enumerate(experiment.LEARNERS):
        assert experiment.order(told, way, "recommendation")[0] > 0.97
        assert abs(experiment.order(told, way, "cosine")[0]) < 0.2
        worth = experiment.worth(told, way, "recommendation")
        assert worth[0] == pytest.approx(np.maximum(truth[:, place], 0).mean(), abs=2e-3)
        assert experiment.worth(told, way, "always")[0] == pytest.approx(truth[:, place].mean(), abs=2e-3)
    assert experiment.false_promises(told) == (0.0, 0.0)
    assert experiment.opposite_pairs(told) == (0.0, 0.0)
    helped = experiment.verdict_gains(told)["likely helps"][0]
    best = truth[:, :4].max(axis=1)
    assert helped == pytest.approx(best[best > 0.05].mean(), abs=5e-3)
    assert experiment.verdict_shares(told)["likely helps"] == pytest.approx((best > 0.05).mean())


def test_noise_makes_it_worse_and_errors_are_those_over_targets():
    told, noisy = made_up()[0], made_up(noise=0.2)[0]
    clear, blurred = (experiment.order(one, "pool", "recommendation") for one in (told, noisy))
    assert clear[0] > blurred[0] + 0.2
    assert 0.01 < blurred[1] < 0.2


def test_false_promises_and_opposite_verdicts_are_counted():
    told, truth = made_up(verdict=lambda truth: np.zeros(len(truth)))
    worst = truth[:, :4].argmin(axis=1)
    told.said[..., -1] = worst
    lost = (truth[np.arange(N_PAIRS), worst] < -0.008).mean()
    assert experiment.false_promises(told)[0] == pytest.approx(lost, abs=0.06)
    loses = truth[:, 2] < -0.008
    pair, own = (experiment.false_by_student(told, of_way)["feature"] for of_way in (False, True))
    assert pair == pytest.approx(loses.mean(), abs=0.06)
    assert own == 0.0  # what is expected of it is its own loss
    told.said[0, :9, -2] = 1
    assert experiment.opposite_pairs(told)[0] == pytest.approx(0.1)


def test_the_best_rival_is_another_one():
    assert acceptance.best_rival({"recommendation": (1.0, 0.1), "a": (0.5, 0.2), "b": (0.4, 0.1)}) == ("a", (0.5, 0.2))


def test_truth_is_of_the_other_draws():
    told, _ = made_up()
    found = acceptance.others(told, "pool")
    np.testing.assert_allclose(found[2], np.delete(told.gains[..., 0], 2, axis=0).mean(axis=0))


def test_a_cell_has_gains_of_five_students_and_what_was_said():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(students, "N_STEPS", 20)
        rows = draw_rows(TARGET, range(2))
        found = judged.gains_and_advice(rows, range(2))
        losses = students.student_losses(rows, range(2))
    narrow = experiment.STUDENTS.index("narrow")
    wanted = losses["alone"][:, 1:2] - losses["joint"][..., narrow]
    np.testing.assert_allclose(found["gains"][..., 4], wanted, atol=1e-9)
    data = rows.inputs[1], rows.labels[1], rows.partners[0].inputs[1], rows.partners[0].labels[1]
    told = recommend(*data, repeats="keep", draws=2)
    said = dict(zip(judged.SAID, found["said"][1, 0], strict=True))
    assert said["expected, pool"] == told.expected["pool"]
    assert (said["left out, process"], said["error, process"]) == told.gains["process"]
    assert said["score"] == told.forecast.score


def test_gain_of_a_pooled_ridge_is_that_of_the_two_fits():
    rows = draw_rows(TARGET, [0])
    x_a, y_a, x_b, y_b = rows.inputs[0], rows.labels[0], rows.partners[0].inputs[0], rows.partners[0].labels[0]
    new, truth = rows.new_inputs[0], rows.new_labels[0]
    gains = judged.sharing_gains(x_a, y_a, x_b, y_b, new, truth)
    mean, spread = np.vstack([x_a, x_b]).mean(axis=0), np.vstack([x_a, x_b]).std(axis=0)
    a, b, fresh = ((part - mean) / spread for part in (x_a, x_b, new))
    alone = SharedRidge(own=0.0).fit(a, y_a).predict(fresh)
    labels = np.append((y_a - y_a.mean()) / y_a.std(), (y_b - y_b.mean()) / y_b.std())
    model = SharedRidge(own=0.0).fit(np.vstack([a, b]), labels, np.repeat([0, 1], [len(a), len(b)]))
    pooled = y_a.mean() + y_a.std() * model.predict(fresh, 0)
    wanted = (np.square(alone - truth).mean() - np.square(pooled - truth).mean()) / truth.var()
    assert gains[0] == pytest.approx(wanted)


def test_cosine_of_equal_and_opposite_tasks():
    rng = np.random.default_rng(0)
    x, other, w = rng.standard_normal((60, 4)), rng.standard_normal((60, 4)), rng.standard_normal(4)
    assert judged.cosine(x, x @ w, other, other @ w) > 0.99
    assert judged.cosine(x, x @ w, other, -(other @ w)) < -0.99


def test_constructed_pairs_are_found_and_permuted_ones_are_not():
    found = judged.constructed(1, 20)
    assert found["same"] >= 0.8
    assert found["permuted"] <= 0.1


def test_constructed_pairs_are_drawn_in_cells_whose_seeds_go_on(monkeypatch, tmp_path):
    monkeypatch.setattr(judged, "sweep", lambda _, cells, __: [{"same": c["seed"] / 8, "permuted": 0} for c in cells])
    assert judged._shares(tmp_path, 5, 2 * judged.PER_CELL)["same"] == [0.625, 0.75]


def test_what_is_stored_is_of_the_pairs_that_are_named():
    for kind in judged.KINDS:
        kept = experiment.stored_judged(kind)
        assert kept.gains.shape == (30, 144, 5)
        assert kept.said.shape == (30, 144, len(judged.SAID))
    assert list(experiment.stored_few_rows()) == list(judged.FEW_ROWS)
    useless = [round(100 * share) for _, share in experiment.stored_few_rows().values()]
    assert f"{min(useless)} to {max(useless)} % of useless partners" in caution_of("likely helps", 30)
    same, permuted = experiment.stored_constructed()
    assert 0 <= permuted < same <= 1
    assert 0 < experiment.stored_recommend_seconds() < 10


def test_data_sets_to_judge_on_are_others():
    pytest.importorskip("statsmodels")
    assert not set(HELD_OUT) & set(SOURCES)
    for name in HELD_OUT:
        source = source_of(name)
        assert len(source.rows) <= 2000
        for asked, question in source.questions.items():
            assert len(question.answers) == len(source.rows), asked
            column = set(question.hidden)
            seen = np.delete(source.rows, sorted(column), axis=1)
            correlations = np.abs(np.corrcoef(np.column_stack([seen, question.answers]).T)[-1, :-1])
            # No copy of an answer is seen; series of an economy that grows are within a thousandth of one another.
            assert correlations.max() < 0.9999, (name, asked)
    targets = random_targets(5, 3, 1, held_out=True, same_rows=0.0)
    assert {target.source for target in targets} <= set(HELD_OUT)
    assert not any(partner.same_rows for target in targets for partner in target.partners)


def test_the_rule_is_judged_on_data_sets_that_it_was_not_fixed_on(monkeypatch):
    monkeypatch.setattr(judged, "random_targets", lambda *_, held_out, **__: HELD_OUT if held_out else SOURCES)
    assert judged.targets_judged.__wrapped__("fixed on") == SOURCES
    assert judged.targets_judged.__wrapped__("judged on") == HELD_OUT
