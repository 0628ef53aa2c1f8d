"""Evidence, predictions and errors on rows left out, against full covariance matrices."""

import numpy as np
import plain
import pytest

from mtlbook_lib.forecast import TwoTaskGP, correlation_evidence


def test_evidence_is_that_of_the_full_gaussian(related):
    found = correlation_evidence(*related)
    assert found.correlations[[0, -1]].tolist() == [-0.97, 0.97]
    places = [0, 60, 97, 130, 194]
    assert found.correlations[97] == pytest.approx(0, abs=1e-12)
    assert found.nats[97] == pytest.approx(0, abs=1e-12)
    base = plain.log_evidence(*related, 0.0)
    direct = [plain.log_evidence(*related, found.correlations[place]) - base for place in places]
    np.testing.assert_allclose(found.nats[places], direct, atol=1e-8)
    assert found.gain == found.nats.max() > 2
    assert found.correlation == found.correlations[found.nats.argmax()] > 0.5


@pytest.mark.parametrize("rho", [-0.5, 0.0, 0.8])
def test_predictions_are_those_of_the_full_gaussian(related, rho):
    x_a, y_a, x_b, y_b = related
    new = np.random.default_rng(5).standard_normal((6, 4))
    model = TwoTaskGP(correlation=rho).fit(*related)
    mean, spread = model.predict(new, return_std=True)
    cov, _, scale = plain.covariance(*related, rho)
    scale_b = plain.covariance(x_b, y_b, x_a, y_a, rho)[2]
    rows = np.concatenate([x_a, x_b])
    columns = plain.kernel(rows, new, rows)
    cross = np.hstack([scale * (columns[:, :22] + 1), rho * np.sqrt(scale * scale_b) * columns[:, 22:]])
    labels = np.concatenate([plain.standard(y_a), plain.standard(y_b)])
    np.testing.assert_allclose(mean, y_a.mean() + y_a.std() * cross @ np.linalg.solve(cov, labels), rtol=1e-9)
    prior = scale * (np.diag(plain.kernel(rows, new, new)) + 1)
    variance = prior - np.einsum("ij,ji->i", cross, np.linalg.solve(cov, cross.T))
    np.testing.assert_allclose(spread, y_a.std() * np.sqrt(variance), rtol=1e-7)
    turned = TwoTaskGP(correlation=rho).fit(x_b, y_b, x_a, y_a)
    np.testing.assert_allclose(turned.predict(new, task="b"), mean, rtol=1e-9)
    np.testing.assert_allclose(turned.predict(new, task="b", return_std=True)[1], spread, rtol=1e-7)


def test_uncorrelated_tasks_are_learned_apart(related):
    x_a, y_a, x_b, y_b = related
    new = x_b[:5]
    other = np.random.default_rng(0).permutation(y_b)
    found = [TwoTaskGP(correlation=0.0).fit(x_a, y_a, x_b, y).predict(new) for y in (y_b, other)]
    np.testing.assert_allclose(*found, rtol=1e-12)
    assert TwoTaskGP(correlation=0.0).fit(*related).nats_ == pytest.approx(0, abs=1e-12)


def test_a_related_task_lowers_the_error():
    """Twenty noisy pairs of equal functions: the mean error falls by far more than its standard error."""
    rng = np.random.default_rng(8)
    changes = []
    for _ in range(20):
        x_a, x_b, new = (rng.standard_normal((n, 4)) for n in (20, 80, 200))
        direction = rng.standard_normal(4)
        y_a, y_b = (x @ direction + 2 * rng.standard_normal(len(x)) for x in (x_a, x_b))
        fits = [TwoTaskGP(rho).fit(x_a, y_a, x_b, y_b).predict(new) for rho in (0.0, None)]
        alone, joint = (np.square(fit - new @ direction).mean() for fit in fits)
        changes.append(joint - alone)
    assert np.mean(changes) < -4 * np.std(changes, ddof=1) / np.sqrt(20)


def test_affine_labels_and_the_order_of_rows_change_nothing(related):
    x_a, y_a, x_b, y_b = related
    found = correlation_evidence(*related)
    scaled = correlation_evidence(x_a, 5 - 3 * y_a, x_b, y_b)
    np.testing.assert_allclose(scaled.nats, found.nats[::-1], atol=1e-9)
    order = np.random.default_rng(1).permutation(31)
    np.testing.assert_allclose(correlation_evidence(x_a, y_a, x_b[order], y_b[order]).nats, found.nats, atol=1e-9)
    swapped = correlation_evidence(x_b, y_b, x_a, y_a)
    np.testing.assert_allclose(swapped.nats, found.nats, atol=1e-9)


def test_classes_may_have_any_names(related):
    x_a, y_a, x_b, y_b = related
    numbers = (y_b > 0).astype(float)
    names = np.where(y_b > 0, "yes", "no")
    wanted = correlation_evidence(x_a, y_a, x_b, numbers).nats
    for labels in (names, y_b > 0, list(names), names.astype(object)):
        np.testing.assert_allclose(correlation_evidence(x_a, y_a, x_b, labels).nats, wanted, atol=1e-10)
    with pytest.raises(TypeError, match="y_b must be real numbers"):
        correlation_evidence(x_a, y_a, x_b, numbers.astype(object))


def test_parameters_are_those_of_scikit_learn(related):
    base = pytest.importorskip("sklearn.base")
    model = base.clone(TwoTaskGP(correlation=0.4))
    assert model.get_params() == {"correlation": 0.4}
    assert model.set_params(correlation=None).fit(*related).correlation_ == correlation_evidence(*related).correlation
    with pytest.raises(ValueError, match="rho"):
        model.set_params(rho=1)
    with pytest.raises(AttributeError, match="fit must be called"):
        TwoTaskGP().predict(related[0])


@pytest.mark.parametrize("rho", [-1.0, 0.99])
def test_a_correlation_out_of_range_is_refused(related, rho):
    with pytest.raises(ValueError, match="correlation"):
        TwoTaskGP(correlation=rho).fit(*related)


def test_predict_names_what_is_wrong(related):
    model = TwoTaskGP().fit(*related)
    with pytest.raises(ValueError, match="X has 3 features, but TwoTaskGP is expecting 4"):
        model.predict(np.zeros((2, 3)))
    with pytest.raises(ValueError, match="task must be one of 'a', 'b'"):
        model.predict(np.zeros((2, 4)), task="c")
