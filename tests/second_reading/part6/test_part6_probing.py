"""Probing, then tuning, read again: readouts by their own equation, ends by Newton, a shared head by descent."""

import numpy as np
import pytest
from own_diagonal import error, examples, first_layer, least_squares, tuned
from scipy.integrate import solve_ivp

D, K, GAMMA = 500, 20, 1e-3


def probed(x, y, up, um, time, gamma=GAMMA):
    """All four layers after the readouts followed their linear equation for a time."""
    start = x @ (gamma * (up - um))
    values, vectors = np.linalg.eigh((x * (up**2 + um**2)) @ x.T)
    rates = 2 * np.maximum(values, 1e-300) / len(y)
    moved = vectors @ (-np.expm1(-rates * time) / rates * (vectors.T @ (y - start)))
    pull = 2 / len(y) * x.T @ moved
    return up, gamma + up * pull, um, gamma - um * pull


def problem(seed, shared, n, sizes="one"):
    rng = np.random.default_rng([seed, shared, n, 25])
    place, aux, main = rng.permutation(D), np.zeros(D), np.zeros(D)
    aux[place[:K]] = rng.choice([-1.0, 1.0], K)
    main[place[K - shared : 2 * K - shared]] = rng.choice([-1.0, 1.0], K)
    if sizes == "other":
        aux, main = aux * np.abs(rng.standard_normal(D)), main * np.abs(rng.standard_normal(D))
    x = examples(rng, n, D)
    return x, x @ main, main, *first_layer(aux)


def errors(times, n_seeds, shared, n, **more):
    rows = []
    for seed in range(n_seeds):
        x, y, main, up, um = problem(seed, shared, n, **more)
        rows.append([error(tuned(x, y, probed(x, y, up, um, time)), main) for time in times])
    return np.array(rows)


def flow(layers, x, y, trained, until):
    """Gradient flow by an integrator: the readouts alone for a time, or all layers to a loss."""
    dim = x.shape[1]

    def velocity(_, flat):
        up, vp, um, vm = flat.reshape(4, dim)
        pull = 2 * x.T @ (y - x @ (up * vp - um * vm)) / len(y)
        first = (pull * vp, -pull * vm) if trained == "all" else (0 * vp, 0 * vm)
        return np.concatenate([first[0], pull * up, first[1], -pull * um])

    def reached(_, flat):
        up, vp, um, vm = flat.reshape(4, dim)
        return np.log(np.mean((x @ (up * vp - um * vm) - y) ** 2) / 1e-10)

    reached.terminal = True
    end, events = (until, None) if trained == "readout" else (1e8, reached)
    run = solve_ivp(velocity, (0, end), np.ravel(layers), method="LSODA", events=events, rtol=1e-8, atol=1e-11)
    return run.y[:, -1].reshape(4, dim)


@pytest.mark.claims("probe-readout", "probe-exact", "probe-plain")
def test_networks_end_at_the_minimiser_after_probing_and_not_at_the_one_before():
    rng = np.random.default_rng(3)
    dim = 24
    aux, main = np.zeros(dim), np.zeros(dim)
    aux[:6], main[3:9] = rng.choice([-1.0, 1.0], 6), rng.choice([-1.0, 1.0], 6)
    up, um = first_layer(aux, 0.1)
    x = examples(rng, 8, dim)
    start = np.stack([up, 0.05 + 0 * up, um, 0.05 + 0 * um])
    after = flow(start, x, x @ main, "readout", 40.0)
    np.testing.assert_allclose(after, probed(x, x @ main, up, um, 40.0, 0.05), atol=1e-6)
    end = flow(after, x, x @ main, "all", None)
    found = end[0] * end[1] - end[2] * end[3]
    exact, plain = tuned(x, x @ main, tuple(after)), tuned(x, x @ main, tuple(start))
    assert np.linalg.norm(found - exact) < 1e-3 * np.linalg.norm(found)
    assert np.linalg.norm(found - plain) > 0.05 * np.linalg.norm(found)


@pytest.mark.claims("probe-helps", "probe-recovers", "probe-sizes")
def test_probing_helps_with_shared_features_of_the_same_size_only():
    times = [0.0, 1e3, 1e4]
    shared = errors(times, 12, 20, 15)
    assert np.all(np.diff(shared.mean(axis=0)) < 0)
    assert 1 - shared[:, 2].mean() / shared[:, 0].mean() == pytest.approx(0.2, abs=0.1)
    resized = np.log10(errors(times, 40, 20, 15, sizes="other"))
    gain = resized[:, 2] - resized[:, 0]
    assert gain.mean() > 2 * gain.std(ddof=1) / 40**0.5
    recovered = np.log10(errors(times, 12, 20, 30))
    assert np.mean(recovered[:, 0] - recovered[:, 2]) > 1


@pytest.mark.claims("probe-hurts", "probe-grows")
@pytest.mark.parametrize(("shared", "n"), [(15, 60), (10, 90)])
def test_probing_hurts_with_several_new_features_and_more_so_with_time(shared, n):
    found = errors([0.0, 1e4, 1e5], 24, shared, n).mean(axis=0)
    assert found[0] + 0.03 < found[1] < found[2] - 0.05
    assert found[2] > 2 * found[0]


@pytest.mark.claims("probe-short", "probe-long")
def test_one_new_feature_of_twenty_wants_a_short_probing():
    found = errors([0.0, 500.0, 1e5], 80, 19, 30)
    short, long = found[:, 1] - found[:, 0], found[:, 2] - found[:, 0]
    assert short.mean() < -2 * short.std(ddof=1) / 80**0.5
    assert long.mean() > 4 * long.std(ddof=1) / 80**0.5


@pytest.mark.claims("probe-charge")
def test_pretrained_features_are_charged_with_least_squares():
    rng, found = np.random.default_rng(8), []
    for _ in range(2000):
        columns, signal = rng.standard_normal((60, K)), rng.standard_normal(60)
        found.append(np.sum(np.linalg.lstsq(columns, signal, rcond=None)[0] ** 2))
    assert np.mean(found) == pytest.approx(K / (60 - K - 1), abs=4 * np.std(found) / 2000**0.5)


def widths(layers):
    up, vp, um, vm = layers
    return np.sqrt(((up + vp) ** 2 + (um - vm) ** 2) * ((up - vp) ** 2 + (um + vm) ** 2)) / 2


@pytest.mark.claims("probe-opens")
def test_widths_open_with_the_square_of_the_time():
    ratios = {1e4: [], 1e5: []}
    for seed in range(10):
        x, y, _, up, um = problem(seed, 15, 60)
        rest = up**2 + um**2 < 0.1
        before = np.median(widths(probed(x, y, up, um, 0.0))[rest])
        for time, ratio in ratios.items():
            ratio.append(np.median(widths(probed(x, y, up, um, time))[rest]) / before)
    law = 0.6745**2 / 2 * (2e5 / 60) ** 2 * 40 * 5 / D**2
    assert np.mean(ratios[1e5]) == pytest.approx(law, rel=0.2)
    assert np.mean(ratios[1e5]) / np.mean(ratios[1e4]) == pytest.approx(100, rel=0.2)


@pytest.mark.claims("probe-sides")
def test_most_of_the_late_harm_comes_through_the_rest():
    found = []
    for seed in range(10):
        x, y, main, up, um = problem(seed, 15, 60)
        before, after = (probed(x, y, up, um, time) for time in (0.0, 1e5))
        on = up**2 + um**2 > 0.1
        found.append([error(tuned(x, y, [np.where(side, a, b) for a, b in zip(after, before, strict=True)]), main)
                      for side in (on, ~on)])  # fmt: skip
    pretrained, rest = np.mean(found, axis=0)
    assert rest > pretrained + 0.05


def descended(features, head, x, y, frozen=False, steps=3000, rate=0.05):
    features, head = features.copy(), head.copy()
    for _ in range(steps):
        pull = 2 / len(y) * x.T @ (y - x @ features.T @ head)
        features, head = features + (0 if frozen else rate) * np.outer(head, pull), head + rate * features @ pull
    return features, head


@pytest.mark.claims("probe-outside", "probe-small-head")
@pytest.mark.parametrize(("length", "missed"), [(1.0, 0.0), (1e-3, 1.0)])
def test_a_shared_head(length, missed):
    """Right features: probing first is right everywhere. Wrong ones, small head: tuning at once is better, by 0.26."""
    found = []
    for seed in range(24):
        rng = np.random.default_rng([seed, 40])
        right, wrong = (np.linalg.qr(rng.standard_normal((40, 4)))[0].T for _ in range(2))
        truth, start = (v / np.linalg.norm(v) for v in rng.standard_normal((2, 4)))
        features = (right + missed * wrong) / np.hypot(1, missed)
        x = rng.standard_normal((48, 12)) @ np.linalg.qr(rng.standard_normal((40, 12)))[0].T
        beta = truth @ right
        tuned_features, tuned_head = descended(features, length * start, x, x @ beta)
        assert np.mean((x @ (tuned_head @ tuned_features) - x @ beta) ** 2) < 1e-6
        head = np.linalg.lstsq(x @ features.T, x @ beta, rcond=None)[0]
        found.append([error(tuned_head @ tuned_features, beta), error(head @ features, beta)])
    tuning, probing = np.transpose(found)
    if missed:
        ahead = probing - tuning
        assert ahead.mean() > 4 * ahead.std(ddof=1) / np.sqrt(len(ahead))
        assert ahead.mean() == pytest.approx(0.26, abs=0.15)
    else:
        assert probing.mean() < 1e-10
        assert tuning.mean() > 0.6


@pytest.mark.claims("finetune-probing")
def test_least_squares_with_weights_is_where_probing_ends():
    x, y, _, up, um = problem(1, 20, 15)
    after = probed(x, y, up, um, 1e12)
    beta = after[0] * after[1] - after[2] * after[3]
    start = GAMMA * (up - um)
    np.testing.assert_allclose(beta, start + least_squares(x, y - x @ start, up**2 + um**2), atol=1e-8)
