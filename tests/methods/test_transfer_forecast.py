"""A forecast from training data finds the benefit that the theory gives for the teachers behind them."""

import numpy as np
import pytest

from mtlbook_lib.methods.one_output import one_output_benefit
from mtlbook_lib.methods.simulated_benefit import simulated_benefit
from mtlbook_lib.methods.task_estimate import estimate_task
from mtlbook_lib.methods.transfer_forecast import forecast_transfer
from mtlbook_lib.theory.transfer import transfer_benefit

N, D = 600, 40


def white(rng, n=N):
    q, _ = np.linalg.qr((rows := rng.standard_normal((n, D))) - rows.mean(axis=0))
    return np.sqrt(n) * q


def made(rng, strengths, outputs, inputs, modes, noise=0.3):
    """Labels of a teacher with orthonormal output modes, in units in which it has these strengths."""
    left = np.linalg.qr(rng.standard_normal((outputs, len(strengths))))[0]
    teacher = (left * strengths) @ modes.T * np.sqrt(D / len(inputs))
    return noise * (inputs @ teacher.T + rng.standard_normal((len(inputs), outputs)))


def vectors(rng, q):
    frame = np.linalg.qr(rng.standard_normal((D, 2)))[0]
    return frame[:, :1], q * frame[:, :1] + np.sqrt(1 - q**2) * frame[:, 1:]


def test_one_output():
    found = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        v_a, v_b = vectors(rng, 0.8)
        x_a, x_b = white(rng), white(rng)
        labels = made(rng, [2.0], 1, x_a, v_a)[:, 0], made(rng, [4.0], 1, x_b, v_b)[:, 0]
        result = forecast_transfer(x_a, labels[0], x_b, labels[1])
        energy_a, energy_b = (N / D * (1 + strength**2 * D / N) for strength in (2.0, 4.0))
        found.append(
            [
                result.strengths_a[0],
                result.strengths_b[0],
                abs(result.similarity[0, 0]),
                result.noise_scale_a / 0.3,
                result.noise_scale_b / 0.3,
                result.benefit_a * energy_a,
                result.benefit_b * energy_b,
            ]
        )
        assert result.noise_correlation == 0.0
        assert forecast_transfer(x_b, labels[1], x_a, labels[0]).benefit_a == pytest.approx(result.benefit_b)
    clean = np.array([[4.0, 0.8 * 8], [0.8 * 8, 16.0]])
    laws = [one_output_benefit(gram + np.eye(2), np.eye(2)) for gram in (clean, clean[::-1, ::-1])]
    error = np.std(found, axis=0, ddof=1) / np.sqrt(40)
    assert abs(laws[0] - laws[1]) > 0.1
    assert np.all(np.abs(np.mean(found, axis=0) - [2.0, 4.0, 0.8, 1, 1, *laws]) < 4 * error + 0.02)


def test_several_outputs():
    # Ranks two and one, sizes that differ: a transposed similarity or the wrong task's energy would show.
    rng = np.random.default_rng(1)
    frame = np.linalg.qr(rng.standard_normal((D, 3)))[0]
    x_a, x_b = white(rng), white(rng, 2 * N)
    y_a = made(rng, [9.0, 7.0], 8, x_a, frame[:, :2])
    y_b = made(rng, [8.0], 8, x_b, (frame @ [0.8, 0.0, 0.6])[:, None], noise=1.2)
    result = forecast_transfer(x_a, y_a, x_b, y_b)
    assert result.similarity.shape == (2, 1)
    assert (result.noise_scale_a, result.noise_scale_b) == pytest.approx((0.3, 1.2), rel=0.05)
    pairs = (
        (x_a, y_a, result.strengths_a, result.strengths_b, result.similarity, result.benefit_a),
        (x_b, y_b, result.strengths_b, result.strengths_a, result.similarity.T, result.benefit_b),
    )
    for x, y, own, other, overlaps, found in pairs:
        share = transfer_benefit(own, other, overlaps, 8 / D, 8, 1e-3, order=1)
        assert found == pytest.approx(share * np.sum(own**2) / float(estimate_task(x, y).label_energy))
    swapped = forecast_transfer(x_b, y_b, x_a, y_a)
    assert swapped.benefit_b == pytest.approx(result.benefit_a)
    np.testing.assert_allclose(swapped.similarity, result.similarity.T, atol=1e-10)


def test_a_task_without_a_visible_mode_neither_gains_nor_gives():
    rng = np.random.default_rng(3)
    x_a, x_b = white(rng), white(rng)
    y_a, y_b = made(rng, [9.0], 8, x_a, np.linalg.qr(rng.standard_normal((D, 1)))[0]), rng.standard_normal((N, 8))
    found = forecast_transfer(x_a, y_a, x_b, y_b)
    assert (found.strengths_a.size, found.strengths_b.size) == (1, 0)
    assert (found.benefit_a, found.benefit_b) == (0, 0)


def test_shared_rows_share_noise():
    correlations, gains = [], []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        (v_a, v_b), x = vectors(rng, 0.0), white(rng)
        common = rng.standard_normal((N, 1))
        labels = [made(rng, [3.0], 1, x, v, noise=1.0) for v in (v_a, v_b)]
        labels = [y + common for y in labels]
        aware, naive = (forecast_transfer(x, labels[0], x, labels[1], same_rows=flag) for flag in (True, False))
        correlations.append(aware.noise_correlation)
        gains.append([aware.benefit_a, naive.benefit_a])
        assert abs(aware.similarity[0, 0]) < abs(naive.similarity[0, 0]) or abs(naive.similarity[0, 0]) < 0.2
    assert np.mean(correlations) == pytest.approx(0.5, abs=0.05)
    assert np.mean(gains, axis=0)[0] < 0
    assert np.mean(gains, axis=0)[0] < np.mean(gains, axis=0)[1]


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_noise_that_counts_as_similarity_makes_none_above_one(sign):
    """One task twice, its rows taken for other ones: the product of the data is larger than that of the teachers."""
    rng = np.random.default_rng(3)
    x = white(rng)
    y = made(rng, [2.0], 1, x, vectors(rng, 0.5)[0])[:, 0]
    assert forecast_transfer(x, y, x, sign * y).similarity == pytest.approx(np.array([[sign]]), abs=1e-15)


def test_labels_of_pure_noise_bring_no_gain_worth_having():
    rng = np.random.default_rng(3)
    x_a, x_b = white(rng), white(rng)
    y_a = made(rng, [3.0], 4, x_a, vectors(rng, 0.0)[0])
    nothing = forecast_transfer(x_a, y_a, x_b, 0.2 * rng.standard_normal((N, 4)))
    if nothing.strengths_b.size == 0:
        assert nothing.benefit_a == nothing.benefit_b == 0.0
    assert nothing.benefit_a < 0.005


def labels_of_row_length(rng, inputs, length):
    """Labels whose data are a row of exactly this length, in units of their noise."""
    noise = rng.standard_normal(N)
    noise -= noise.mean() + inputs @ (inputs.T @ noise) / N
    noise *= np.sqrt((N - D - 1) / (noise @ noise))
    row = rng.standard_normal(D)
    return noise + length * np.sqrt(D / N) * inputs @ row / np.linalg.norm(row)


@pytest.mark.parametrize("length", [0.4, 0.99, 1.05, 1.15])
def test_one_of_two_one_output_tasks_below_the_noise(length):
    """Rows shorter than noise is, and longer ones up to the edge 1 + 1/sqrt(d) = 1.158, show no mode of a teacher."""
    rng = np.random.default_rng(8)
    x_a, x_b = white(rng), white(rng)
    y_a, y_b = labels_of_row_length(rng, x_a, 3.0), labels_of_row_length(rng, x_b, length)
    result, swapped = forecast_transfer(x_a, y_a, x_b, y_b), forecast_transfer(x_b, y_b, x_a, y_a)
    assert (result.strengths_a.shape, result.strengths_b.shape) == ((1,), (0,))
    assert (result.similarity.shape, swapped.similarity.shape) == ((1, 0), (0, 1))
    fits = estimate_task(x_a, y_a[:, None]), estimate_task(x_b, y_b[:, None])
    rows = np.concatenate([fit.data for fit in fits])
    assert np.linalg.norm(rows, axis=1) == pytest.approx([3.0, length])
    expected = one_output_benefit(rows @ rows.T, np.eye(2)) / float(fits[0].label_energy)
    assert result.benefit_a == pytest.approx(expected)
    assert (swapped.benefit_a, swapped.benefit_b) == pytest.approx((result.benefit_b, result.benefit_a))


def test_a_row_just_above_the_edge_is_a_mode():
    rng = np.random.default_rng(8)
    x_a, x_b = white(rng), white(rng)
    y_a, y_b = labels_of_row_length(rng, x_a, 3.0), labels_of_row_length(rng, x_b, 1.17)
    result = forecast_transfer(x_a, y_a, x_b, y_b)
    assert result.similarity.shape == (1, 1)
    rows = np.concatenate([estimate_task(x, y[:, None]).data for x, y in ((x_a, y_a), (x_b, y_b))])
    q = rows[0] @ rows[1] / np.sqrt((9 - 1) * (1.17**2 - 1))
    assert abs(q) < 1
    assert result.similarity[0, 0] == pytest.approx(q)


def test_several_outputs_by_simulation():
    """With few outputs the simulated forecast is that of teachers with the estimated modes."""
    rng = np.random.default_rng(1)
    frame = np.linalg.qr(rng.standard_normal((D, 3)))[0]
    x_a, x_b = white(rng), white(rng, 2 * N)
    y_a = made(rng, [9.0, 7.0], 3, x_a, frame[:, :2])
    y_b = made(rng, [8.0], 3, x_b, (frame @ [0.8, 0.0, 0.6])[:, None])
    found, expansion = (forecast_transfer(x_a, y_a, x_b, y_b, n_simulated=n) for n in (30, 0))
    own, other, q = found.strengths_a, found.strengths_b, found.similarity
    for gain, task, modes in (
        (found.benefit_a, (x_a, y_a), (own, other, q)),
        (found.benefit_b, (x_b, y_b), (other, own, q.T)),
    ):
        simulated = simulated_benefit(*modes, 3, D, seeds=range(30))[0]
        assert gain == pytest.approx(simulated / float(estimate_task(*task).label_energy))
    np.testing.assert_array_equal(expansion.similarity, q)
    assert expansion.benefit_a != found.benefit_a
    for n in (1, -1):
        with pytest.raises(ValueError, match="n_simulated must be at least"):
            forecast_transfer(x_a, y_a, x_b, y_b, n_simulated=n)


def test_bad_arguments_are_refused():
    rng = np.random.default_rng(0)
    x, y = white(rng), rng.standard_normal((N, 2))
    with pytest.raises(ValueError, match="must have equal numbers of inputs and of outputs"):
        forecast_transfer(x, y, x, y[:, :1])
    with pytest.raises(ValueError, match="same_rows must be False"):
        forecast_transfer(x, y, x, y + rng.standard_normal((N, 2)), same_rows=True)
    with pytest.raises(ValueError, match=r"inputs_b and targets_b.*white_inputs"):
        forecast_transfer(x, y, x + 1, y)
    with pytest.raises(ValueError, match="inputs_a equals inputs_b"):
        forecast_transfer(x, y[:, 0], white(rng), y[:, 1], same_rows=True)
