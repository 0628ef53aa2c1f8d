"""Width of the shared module, read a second time: the law of truncation, stacked units, the stored sweep, networks."""

import json

import numpy as np
import pytest
import torch
from scipy.optimize import brentq
from scipy.stats import rankdata
from sklearn.datasets import load_digits

from mtlbook_lib._files import chapter_file
from mtlbook_lib.theory.truncation import truncation_error, useful_singular_value

STRENGTHS = np.array([4, 3, 2.2, 1.6])
TASKS, INPUTS, ASPECT = 30, 100, 0.3
STORED = json.loads(chapter_file("part5/capacity/capacity.json").read_text(encoding="utf-8"))


def orthonormal(rng, rows, columns):
    return np.linalg.qr(rng.standard_normal((rows, columns)))[0]


def teachers(rng):
    return orthonormal(rng, INPUTS, 4) * STRENGTHS @ orthonormal(rng, TASKS, 4).T


def best_gain(s, aspect):
    """What a mode of the signal is worth at the best shrinkage, and as it is: from the data's value alone."""
    top = np.sqrt((1 + s**2) * (aspect + s**2)) / s
    shrunk = np.sqrt((top**2 - aspect - 1) ** 2 - 4 * aspect) / top
    return 2 * shrunk * top - top**2


def drawn_errors(noise, draws=150):
    """Mean squared error of capacities 0 to 4, inputs white on the examples."""
    rng, errors = np.random.default_rng(4711), []
    for _ in range(draws):
        clean = teachers(rng)
        u, s, vt = np.linalg.svd(clean + noise / 10 * rng.standard_normal(clean.shape), full_matrices=False)
        errors.append([np.sum((clean - u[:, :r] * s[:r] @ vt[:r]) ** 2) for r in range(5)])
    return np.mean(errors, axis=0)


def law(noise):
    return noise**2 * np.array([truncation_error(STRENGTHS / noise, r, ASPECT) for r in range(5)])


@pytest.mark.claims("width-boundary", "width-law")
@pytest.mark.parametrize("aspect", [0.05, 0.3, 1.0, 2.5])
def test_threshold_is_where_a_kept_mode_is_worth_nothing(aspect):
    root = brentq(best_gain, 1.001 * aspect**0.25, 10, args=(aspect,), xtol=1e-13)
    assert useful_singular_value(aspect) == pytest.approx(root, abs=1e-10)
    s = 1.3 * root
    assert truncation_error([s], 1, aspect) == pytest.approx(s**2 - best_gain(s, aspect), abs=1e-10)


@pytest.mark.claims("width-law")
@pytest.mark.parametrize("noise", [0.3, 0.9, 1.5])
def test_law_is_within_seven_percent_of_the_error_itself(noise):
    np.testing.assert_allclose(law(noise), drawn_errors(noise), rtol=0.07)


@pytest.mark.claims("width-law")
def test_law_fails_where_directions_sink_into_the_noise():
    assert law(3.0)[4] > 1.12 * drawn_errors(3.0)[4]


@pytest.mark.claims("width-law")
def test_known_directions_cost_the_noise_of_their_heads():
    rng = np.random.default_rng(3)
    directions, noise = orthonormal(rng, INPUTS, 4), rng.standard_normal((200, INPUTS, TASKS)) / 10
    cost = np.square(directions.T @ noise).sum(axis=(1, 2)) / 4
    assert cost.mean() == pytest.approx(ASPECT, abs=4 * cost.std() / np.sqrt(200))
    assert truncation_error([300.0], 1, ASPECT) == pytest.approx(1 + ASPECT, abs=1e-4)


def left(x, y, units):
    """Loss of the best head, with a constant, on units (sign, kink)."""
    features = np.stack([np.ones(len(x)), *(np.maximum(0, s * (x - t)) for s, t in units)], axis=1)
    return np.sum((y - features @ np.linalg.lstsq(features, y)[0]) ** 2)


@pytest.mark.claims("width-stacked")
@pytest.mark.parametrize(("last", "refitted"), [(1, 0.0), (2, 0.5)])
def test_two_units_side_by_side_on_three_points(last, refitted):
    x = np.array([-1.0, 0, last])
    units = [(s, t) for s in (1, -1) for t in np.linspace(-2, 2, 17)]
    alone = [np.array([left(x, y, [unit]) for unit in units]) for y in (np.maximum(x, 0), np.abs(x))]
    assert [losses.min() for losses in alone] == pytest.approx([0, 0.5], abs=1e-9)
    best = [[u for u, loss in zip(units, losses, strict=True) if loss < losses.min() + 1e-9] for losses in alone]
    with_new_heads = [left(x, np.abs(x), [a, b]) for a in best[0] for b in best[1]]
    assert min(with_new_heads) == pytest.approx(refitted, abs=1e-9)
    assert left(x, np.abs(x), [(1, 0), (-1, 0)]) == pytest.approx(0, abs=1e-9)


def areas(case):
    found = STORED["areas"][case]
    return np.array(found["shared"]), np.array(found["apart"])


def choice(shared, apart, splits):
    """Best shared width and units of the best modules apart, chosen on these splits."""
    best = STORED["shared"][shared[:, splits].mean(axis=(1, 2)).argmax()]
    return best, sum(STORED["apart"][place] for place in apart[:, splits].mean(axis=1).argmax(axis=0))


@pytest.mark.claims("width-peak", "width-rule", "width-overall")
@pytest.mark.parametrize(
    ("case", "best", "total", "gain", "error"),
    [
        ("linear 0", 14, 23, -0.0001, 0.0011),
        ("linear 0.6", 14, 55, 0.0051, 0.0017),
        ("perceptron 0", 100, 90, 0.0019, 0.0010),
        ("perceptron 0.6", 50, 69, -0.0010, 0.0021),
        ("convolution 0", 100, 100, 0.0091, 0.0010),
        ("convolution 0.6", 100, 90, 0.0250, 0.0032),
    ],
)
def test_stored_sweep_counted_again(case, best, total, gain, error):
    shared, apart = areas(case)
    assert choice(shared, apart, range(20)) == (best, total)
    widths = apart[:, :20].mean(axis=1).argmax(axis=0)
    ours = np.mean([apart[w, 20:, task] for task, w in enumerate(widths)], axis=0)
    more = shared[STORED["shared"].index(best), 20:].mean(axis=1) - ours
    assert [more.mean(), more.std(ddof=1) / np.sqrt(len(more))] == pytest.approx([gain, error], abs=6e-5)


@pytest.mark.claims("width-narrow", "width-transfer")
def test_convolution_overtakes_single_filters_between_five_and_seven():
    for case, ahead in (("convolution 0", True), ("perceptron 0", False), ("linear 0", False)):
        shared, apart = areas(case)
        lead = (shared[:, 20:] - apart[0, 20:]).mean(axis=-1)
        assert np.all(lead[:3].mean(axis=1) < -0.05)
        z = lead[4].mean() / lead[4].std(ddof=1) * np.sqrt(lead.shape[1])
        assert (z > 4) is np.True_ if ahead else z < -4


def area(scores, labels):
    ranks, ones = rankdata(scores), labels.sum()
    return (ranks[labels].sum() - ones * (ones + 1) / 2) / (ones * (len(labels) - ones))


def trained_area(units, apart, rectified, seed):
    """Logistic loss, Adam, a small penalty: another training than the chapter's. Mean area over ten digits."""
    digits, generator = load_digits(), torch.Generator().manual_seed(seed)
    order = np.random.default_rng(seed).permutation(1797)
    x = torch.tensor((digits.data - digits.data.mean(axis=0)) / 16, dtype=torch.float32)[order]
    y = torch.tensor(digits.target[order][:, None] == np.arange(10))
    mask = torch.kron(torch.eye(10), torch.ones(units // 10, 1)) if apart else torch.ones(units, 10)
    layer = (torch.randn(64, units, generator=generator) / 6).requires_grad_()
    head = (torch.randn(units, 10, generator=generator) / mask.sum(0).sqrt() * mask).requires_grad_()
    offsets = [torch.zeros(n, requires_grad=True) for n in (units, 10)]

    def scores(rows):
        hidden = rows @ layer + offsets[0]
        return (torch.relu(hidden) if rectified else hidden) @ (head * mask) + offsets[1]

    optimiser = torch.optim.Adam([layer, head, *offsets], lr=0.02)
    for _ in range(150):
        optimiser.zero_grad()
        loss = torch.nn.functional.binary_cross_entropy_with_logits(scores(x[:150]), y[:150].float(), reduction="none")
        (loss.mean(0).sum() + 0.005 * (layer.square().sum() + (head * mask).square().sum())).backward()
        optimiser.step()
    with torch.no_grad():
        found = scores(x[150:]).numpy()
    return np.mean([area(found[:, task], y[150:, task].numpy()) for task in range(10)])


@pytest.mark.claims("width-narrow", "width-wide", "width-linear")
@pytest.mark.parametrize("rectified", [False, True])
def test_few_shared_units_lose_and_many_do_not(rectified):
    three, ten, fifty = (trained_area(units, False, rectified, 82) for units in (3, 10, 50))
    alone = trained_area(10, True, rectified, 82)
    assert three < alone - 0.05
    assert fifty > alone + (0.002 if rectified else -0.002)
    assert fifty - ten > 0.001 if rectified else abs(fifty - ten) < 0.002
