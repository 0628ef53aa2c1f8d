"""Every limit of a forecast, on both sides and at its place; what is shown; and the parts of unusual tasks."""

import numpy as np
import pytest

from mtlbook_lib.forecast import TwoTaskGP, advise, compare, rank_auxiliaries
from mtlbook_lib.forecast._kernel import Kernel, kernel_of
from mtlbook_lib.forecast._picture import draw
from mtlbook_lib.forecast._sentences import doubts_of, reasons_of
from mtlbook_lib.forecast._tasks import ManyClasses, pair, task
from mtlbook_lib.forecast.evidence import CorrelationEvidence
from mtlbook_lib.forecast.policy import HELPS, NO_GAIN, UNCLEAR, forecast_verdict


@pytest.mark.parametrize(
    ("gain", "nats", "r2_b", "verdict"),
    [
        (0.005, 1.0, 0.5, NO_GAIN),
        (0.0, 2.0, 0.5, NO_GAIN),
        (0.005, 2.0, 0.5, NO_GAIN),
        (0.006, 2.0, 0.5, UNCLEAR),
        (0.005, 2.1, 0.5, UNCLEAR),
        (0.006, 2.1, 0.05, HELPS),
    ],
)
def test_a_limit_itself_is_not_above_it(gain, nats, r2_b, verdict):
    assert forecast_verdict(gain, nats, r2_b, 14) == verdict
    assert doubts_of(gain, r2_b, 14, "") == ()


def test_doubts_name_what_is_in_the_way():
    doubts = doubts_of(float("nan"), 0.04, 13, "axes are missing.")
    assert [doubt.split()[0] for doubt in doubts] == ["A", "B", "The"]
    assert "13 rows" in doubts[0]
    assert "0.04" in doubts[1]
    assert doubts[2].endswith("axes are missing.")
    for few in (doubts_of(0.1, 0.5, 13, ""), doubts_of(0.1, 0.04, 14, ""), doubts_of(float("nan"), 0.5, 14, "")):
        assert len(few) == 1  # each alone keeps the verdict from being clear, as `forecast_verdict` has it


@pytest.mark.parametrize(("gain", "side"), [(0.0051, "above"), (0.005, "below"), (-0.2, "below")])
@pytest.mark.parametrize(("nats", "other"), [(2.01, "above"), (2.0, "below"), (0.0, "below")])
def test_reasons_say_on_which_side_the_numbers_are(gain, side, nats, other):
    reasons = reasons_of(HELPS, ("A doubt.",), gain, nats, 0.4, (20, 3), (30, 3))
    assert reasons[0] == "A doubt."
    assert reasons[1].endswith(f"{side} 0.005.")
    assert reasons[2].endswith(f"correlation +0.40: {other} 2.")
    assert len(reasons) == 7
    assert len(reasons_of(UNCLEAR, (), float("nan"), nats, 0.4, (20, 3), (30, 3))) == 3


@pytest.mark.parametrize(
    ("shape_a", "shape_b", "outside"),
    [
        ((14, 64), (240, 64), False),
        ((240, 2), (14, 2), False),
        ((13, 5), (50, 5), True),
        ((50, 5), (13, 5), True),
        ((241, 5), (50, 5), True),
        ((50, 5), (241, 5), True),
        ((50, 65), (50, 5), True),
        ((50, 5), (50, 65), True),
    ],
)
def test_tasks_of_untried_sizes_are_told_so(shape_a, shape_b, outside):
    reasons = reasons_of(NO_GAIN, (), 0.0, 0.0, 0.0, shape_a, shape_b)
    assert ("this is outside" in reasons[-1]) == outside


def numbers(n, columns=2):
    rng = np.random.default_rng(n)
    return rng.standard_normal((n, columns)), rng.standard_normal(n)


@pytest.mark.parametrize(("rows", "accepted"), [(2, False), (3, True), (4000, True), (4001, False)])
def test_numbers_of_rows(rows, accepted):
    x, y = numbers(rows)
    if accepted:
        found = task("a", x, y)
        assert found.labels @ found.labels == pytest.approx(rows)
        np.testing.assert_allclose(found.mean + found.scale * found.labels, y)
    else:
        with pytest.raises(ValueError, match=r"^x_a must have 3 to 4000 rows"):
            task("a", x, y)


def test_labels_that_hardly_vary():
    x, y = numbers(6)
    small = task("b", x, 1e9 + np.round(y, 3))
    np.testing.assert_allclose(small.labels, (y - y.mean()) / y.std(), atol=5e-3)
    for constant in (np.zeros(6), np.full(6, 0.1), -np.ones(6)):
        with pytest.raises(ValueError, match=r"^y_b must vary"):
            task("b", x, constant)


def test_one_column_that_varies_a_little_is_enough():
    x, y = numbers(6)
    x[:, 0], x[:, 1] = 3.0, 1e-3 * x[:, 1]
    assert np.array_equal(task("a", x, y).inputs, x)
    for empty in (np.empty((0, 2)), np.empty((6, 0))):
        with pytest.raises(ValueError, match=r"^x_a must have rows with at least one column that varies"):
            task("a", empty, y)


def test_labels_of_mixed_kinds_are_no_classes():
    x, y = numbers(4)
    with pytest.raises(TypeError, match=r"^y_a must be real numbers"):
        task("a", x, np.array(["yes", 1.0, "yes", 1.0], dtype=object))
    with pytest.raises(ManyClasses, match=r"^y_b must be numbers or two classes; got 3"):
        pair(x, y, x, ["red", "green", "blue", "red"])
    assert np.array_equal(np.sign(task("a", x, ["no", "yes", "yes", "no"]).labels), [-1, 1, 1, -1])


def test_kernel_of_opposite_rows_and_of_the_centre_itself():
    """Opposite rows have no curved part, parallel ones twice the linear one, and the centre has none at all."""
    rows = 0.1 * np.random.default_rng(0).standard_normal((300, 3))
    kernel = Kernel(np.zeros(3), 0.7)
    lengths = np.square(rows).sum(axis=1)
    for row, length in zip(rows, lengths, strict=True):
        same = np.array([row, -3 * row, 3 * row, 0 * row])
        np.testing.assert_allclose(kernel(row[None], same)[0], np.array([2, -3, 6, 0]) * length / 1.4, rtol=1e-7)
    assert np.array_equal(kernel(np.zeros((1, 3)), np.zeros((2, 3))), np.zeros((1, 2)))
    around = np.vstack([rows, -rows, 0 * rows[:1]]) + 2.0
    assert np.diag(kernel_of(around)(around, around)).mean() == pytest.approx(1.0)


def test_figure_has_guides_marks_and_room():
    pytest.importorskip("matplotlib")
    rng = np.random.default_rng(3)
    x_a, x_b = rng.standard_normal((20, 3)), rng.standard_normal((40, 3))
    for y_b in (x_b[:, 0] + 0.1 * rng.standard_normal(40), rng.standard_normal(40)):
        found = advise(x_a, x_a[:, 0] + rng.standard_normal(20), x_b, y_b)
        figure = found.figure()
        left, right = figure.axes
        curve, mark, zero = left.lines
        assert (mark.get_xdata()[0], mark.get_ydata()[0]) == (found.correlation, found.nats)
        assert list(zero.get_ydata()) == [0, 0]
        assert list(right.lines[0].get_xdata()) == [1, 1]
        for guide in (zero, right.lines[0]):
            assert guide.get_linewidth() < 0.6 * curve.get_linewidth()
        assert left.get_ylim()[0] == max(found.evidence.nats.min(), -5 - 2 * found.nats)
        assert right.get_xlim() == pytest.approx((0, 1.25 * max(1.0, found.alone, found.together)))
        assert [bar.get_width() for bar in right.patches] == [found.together, found.alone]
        # It fits the width of a page, and the curve has the wider panel.
        assert figure.get_size_inches() == pytest.approx([7.5, 3.2])
        figure.draw_without_rendering()
        assert left.get_position().width > 1.25 * right.get_position().width
        assert left.get_position().width < 1.9 * right.get_position().width


@pytest.mark.parametrize("errors", [(0.0, 0.0), (0.3, 0.0), (0.0, 0.3)])
@pytest.mark.parametrize(("alone", "together"), [(1.4, 0.9), (0.9, 1.4), (0.3, 0.2)])
def test_losses_above_the_variance_have_room(alone, together, errors):
    pytest.importorskip("matplotlib")
    evidence = CorrelationEvidence(np.array([-0.5, 0.0, 0.5]), np.array([-90.0, 0.0, 4.0]))
    left, right = draw(evidence, alone, together, HELPS, errors).axes
    assert right.get_xlim() == pytest.approx((0, 1.25 * max(1.0, alone + errors[0], together + errors[1])))
    assert left.get_ylim()[0] == -5 - 2 * 4


def mean_alone(x, y):
    return lambda new: np.full((len(new), *y.shape[1:]), y.mean(axis=0))


def nothing(x_a, y_a, x_b, y_b):
    return lambda new: np.zeros((len(new), *y_a.shape[1:]))


def test_defaults_of_the_comparison():
    x, y = numbers(9)
    first = compare(mean_alone, nothing, x, y, x, y)
    again = compare(mean_alone, nothing, x, y, x, y, repeats=4, folds=4, seed=0)
    assert np.array_equal(first.repeats, again.repeats)


def test_two_rows_two_folds_and_two_outputs():
    """Each row is predicted by the other, and the loss is summed over the outputs."""
    x, y = np.array([[0.0], [1.0]]), np.array([[0.0, 1.0], [3.0, 5.0]])
    found = compare(mean_alone, nothing, x, y, x, y, folds=2)
    assert found.alone == 9 + 16
    assert found.together == pytest.approx((1 + 34) / 2)
    assert found.standard_error == pytest.approx(abs((25 - 1) - (25 - 34)) / 2)


@pytest.mark.parametrize(
    ("x", "y"), [(1.0, np.ones(3)), (np.ones(3), 1.0), (np.ones(3), np.ones(2)), (np.ones(1), np.ones(1))]
)
def test_rows_of_the_comparison_must_match(x, y):
    with pytest.raises(ValueError, match=r"^x_b and y_b must have as many rows, at least 2"):
        compare(mean_alone, nothing, *numbers(9), x, y)


@pytest.mark.parametrize("wrong", [1, 2])
def test_each_student_needs_a_loss_for_each_row(wrong):
    calls = []

    def loss(predictions, labels):
        calls.append(1)
        found = np.square(predictions - labels)
        return found[1:] if len(calls) == wrong else found

    x, y = numbers(9)
    with pytest.raises(ValueError, match=r"^loss must give one number a row"):
        compare(mean_alone, nothing, x, y, x, y, loss=loss)


def test_partners_need_a_name_and_two_parts_each():
    x, y = numbers(16)
    with pytest.raises(ValueError, match=r"^others must have at least one task, and names one for each; got 2, 1"):
        rank_auxiliaries(x, y, [(x, y), (x, y)], names=["one"])
    with pytest.raises(ValueError, match=r"^others must hold pairs \(x_b, y_b\); task 2 is none"):
        rank_auxiliaries(x, y, [(x, y), (x, y, y)], repeats="keep")
    with pytest.raises(ValueError, match=r"^others must hold pairs \(x_b, y_b\); task 1 is none"):
        rank_auxiliaries(x, y, [np.array([x[:, 0], y])])


def test_the_largest_correlation_is_allowed():
    x, y = numbers(16)
    for rho in (0.97, -0.97):
        assert TwoTaskGP(rho).fit(x, y, x, y).correlation_ == rho
