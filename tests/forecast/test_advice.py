"""The forecast: its numbers by a second route, its verdicts on both sides of every limit, and its errors."""

import subprocess
import sys

import numpy as np
import plain
import pytest

from mtlbook_lib.data.real import symmetric_whitener
from mtlbook_lib.forecast import advise, correlation_evidence, rank_auxiliaries
from mtlbook_lib.forecast.policy import forecast_verdict
from mtlbook_lib.methods.transfer_forecast import forecast_transfer


def left_out_by_hand(x_a, y_a, x_b, y_b, rho):
    return np.mean(left_out_squares(x_a, y_a, x_b, y_b, rho))


def left_out_squares(x_a, y_a, x_b, y_b, rho):
    """Each label of A from the conditional mean of the full Gaussian: squared errors."""
    cov = plain.covariance(x_a, y_a, x_b, y_b, rho)[0]
    labels = np.concatenate([plain.standard(y_a), plain.standard(y_b)])
    errors = []
    for row in range(len(y_a)):
        others = np.arange(len(labels)) != row
        errors.append(labels[row] - cov[row, others] @ np.linalg.solve(cov[np.ix_(others, others)], labels[others]))
    return np.square(errors)


def test_numbers_are_those_of_their_definitions(related):
    x_a, y_a, x_b, y_b = related
    found = advise(*related)
    assert found.nats == correlation_evidence(*related).gain
    assert found.alone == pytest.approx(left_out_by_hand(*related, 0.0), rel=1e-8)
    assert found.together == pytest.approx(left_out_by_hand(*related, found.correlation), rel=1e-8)
    assert found.r2_b == pytest.approx(1 - left_out_by_hand(x_b, y_b, x_a, y_a, 0.0), rel=1e-8)
    assert found.rows == (22, 31)
    assert found.score == pytest.approx(np.arcsinh(found.gain / 0.01) + found.nats / 22 / 0.05, rel=1e-12)


def test_gain_is_the_linear_forecast_on_the_principal_axes():
    rng = np.random.default_rng(4)
    x_a, x_b = rng.standard_normal((18, 9)) * np.arange(1, 10), rng.standard_normal((40, 9)) * np.arange(1, 10)
    y_a, y_b = x_a[:, 8] + rng.standard_normal(18), x_b[:, 8] + rng.standard_normal(40)
    pooled = np.concatenate([x_a, x_b])
    values, vectors = np.linalg.eigh(np.cov(pooled.T))
    axes = vectors[:, np.argsort(values)[::-1][:6]]  # a third of the 18 rows
    rows = [symmetric_whitener(x @ axes).apply(x @ axes) for x in (x_a, x_b)]
    wanted = forecast_transfer(rows[0], y_a, rows[1], y_b).benefit_a
    assert advise(x_a, y_a, x_b, y_b).gain == pytest.approx(wanted, rel=1e-8)


def test_what_does_not_matter_changes_nothing(related):
    x_a, y_a, x_b, y_b = related
    found = advise(*related)
    order = np.random.default_rng(2).permutation(22)
    for same in (
        advise(x_a, y_a, x_b, 7 - 4 * y_b),
        advise(x_a, y_a / 100, x_b, y_b),
        advise(x_a[order], y_a[order], x_b, y_b),
        advise(*(10 * np.asarray(values) for values in related)),
    ):
        for name in ("gain", "nats", "alone", "together", "r2_b"):
            assert getattr(same, name) == pytest.approx(getattr(found, name), abs=1e-8)
        assert same.verdict == found.verdict


def test_related_tasks_help_and_permuted_ones_do_not():
    rng = np.random.default_rng(6)
    verdicts, permuted = [], []
    for _ in range(20):
        x_a, x_b = rng.standard_normal((30, 5)), rng.standard_normal((90, 5))
        direction = rng.standard_normal(5)
        y_a, y_b = (x @ direction + 2.0 * rng.standard_normal(len(x)) for x in (x_a, x_b))
        verdicts.append(advise(x_a, y_a, x_b, y_b).verdict)
        permuted.append(advise(x_a, y_a, x_b, rng.permutation(y_b)).verdict)
    assert verdicts.count("likely helps") >= 14
    assert verdicts.count("no gain expected") == 0
    assert permuted.count("likely helps") == 0


@pytest.mark.parametrize(
    ("gain", "nats", "r2_b", "rows", "verdict"),
    [
        (0.0051, 2.01, 0.5, 14, "likely helps"),
        (0.0049, 2.01, 0.5, 14, "cannot tell"),
        (0.0051, 1.99, 0.5, 14, "cannot tell"),
        (0.0049, 1.99, 0.5, 14, "no gain expected"),
        (0.0051, 2.01, 0.049, 14, "cannot tell"),
        (0.0051, 2.01, 0.051, 14, "likely helps"),
        (0.0051, 2.01, 0.5, 13, "cannot tell"),
        (-0.1, 0.0, 0.5, 13, "cannot tell"),
        (float("nan"), 5.0, 0.5, 30, "cannot tell"),
        (float("nan"), 0.0, 0.5, 30, "cannot tell"),
    ],
)
def test_verdicts_on_both_sides_of_every_limit(gain, nats, r2_b, rows, verdict):
    assert forecast_verdict(gain, nats, r2_b, rows) == verdict


def test_a_gain_that_cannot_be_computed_is_said(related):
    x_a, y_a, x_b, _ = related
    found = advise(x_a, y_a, x_b, x_b @ [1.0, 2.0, 0.0, 1.0])  # no noise to measure anything in
    assert np.isnan(found.gain)
    assert found.verdict == "cannot tell"
    assert found.reasons[0].startswith("The linear forecast cannot be computed:")
    assert found.score == pytest.approx(20 * found.nats / 22)
    assert found.to_dict()["gain"] is None


def test_more_than_two_classes_are_no_number(related):
    x_a, y_a, x_b, _ = related
    found = advise(x_a, y_a, x_b, np.resize(["red", "green", "blue"], 31))
    assert found.verdict == "cannot tell"
    assert "y_b must be numbers or two classes; got 3" in found.reasons[0]
    assert found.score == 0
    with pytest.raises(ValueError, match="figure"):
        found.figure()


def test_text_and_dictionary_say_the_same(related):
    found = advise(*related)
    assert str(found).splitlines()[0].lower() == found.verdict + "."
    assert set(found.reasons) == set(str(found).splitlines()[1:])
    assert any("one run in five" in reason for reason in found.reasons)
    assert {"verdict", "gain", "nats", "score", "rows"} <= set(found.to_dict())


def test_figure_shows_the_curve_and_both_losses(related):
    pytest.importorskip("matplotlib")
    found = advise(*related)
    left, right = found.figure().axes
    assert left.lines[0].get_ydata().max() == found.nats
    # What is far below is cut off, but never the peak, and no room is left below the lowest point.
    curve, bottom = left.lines[0].get_ydata(), left.get_ylim()[0]
    assert max(curve.min(), -5 - 2 * max(curve.max(), 0.0) - 1e-9) <= bottom < found.nats
    assert sorted(bar.get_width() for bar in right.patches) == sorted([found.alone, found.together])


def test_partners_are_ranked(related):
    x_a, y_a, x_b, y_b = related
    noise = np.random.default_rng(0).permutation(y_b)
    found = rank_auxiliaries(x_a, y_a, [(x_b, noise), (x_b, y_b)], names=["permuted", "related"])
    assert [task.name for task in found] == ["related", "permuted"]
    assert [task.index for task in found] == [1, 0]
    assert found[0].score == found[0].advice.score == advise(*related).score
    assert [task.name for task in rank_auxiliaries(x_a, y_a, [(x_b, y_b)])] == ["1"]
    with pytest.raises(ValueError, match="task related: x_a and x_b must have the same columns"):
        rank_auxiliaries(x_a, y_a, [(x_b[:, :2], y_b)], names=["related"])
    with pytest.raises(ValueError, match="others must have at least one task"):
        rank_auxiliaries(x_a, y_a, [])
    with pytest.raises(ValueError, match=r"pairs \(x_b, y_b\)"):
        rank_auxiliaries(x_a, y_a, [x_b])


def test_rows_of_both_tasks_at_once(related):
    x_a, y_a, _, _ = related
    rng = np.random.default_rng(9)
    other = x_a[:, 1] + y_a + rng.standard_normal(22)
    apart, at_once = (advise(x_a, y_a, x_a, other, same_rows=same, repeats="keep") for same in (False, True))
    assert apart.gain != at_once.gain
    assert apart.nats == at_once.nats
    with pytest.raises(ValueError, match="same_rows must be False unless x_a equals x_b"):
        advise(*related, same_rows=True)


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
def test_bad_input_is_named(related, change, message):
    arguments = dict(zip(("x_a", "y_a", "x_b", "y_b"), related, strict=True)) | change
    with pytest.raises(ValueError, match=message):
        advise(**arguments)


def test_neither_torch_nor_scikit_learn_is_loaded():
    code = "import sys, mtlbook_lib.forecast; print({'torch', 'sklearn', 'matplotlib'} & set(sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert found.strip() == "set()"
