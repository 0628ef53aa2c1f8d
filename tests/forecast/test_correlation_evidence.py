"""Evidence of the correlation of two tasks and its predictions, by full covariances, and what changes nothing."""

import numpy as np
import pandas as pd
import plain
import pytest

from mtlbook_lib.forecast import correlation_evidence, correlation_prediction, evidence


def test_evidence_is_that_of_the_full_gaussian(related):
    found = correlation_evidence(*related)
    assert found.correlations[[0, -1]].tolist() == [-0.97, 0.97]
    assert found.correlations[97] == pytest.approx(0, abs=1e-12)
    assert found.nats[97] == pytest.approx(0, abs=1e-12)
    places, base = [0, 60, 97, 130, 194], plain.log_evidence(*related, 0.0)
    direct = [plain.log_evidence(*related, found.correlations[place]) - base for place in places]
    np.testing.assert_allclose(found.nats[places], direct, atol=1e-8)
    assert found.gain == found.nats.max() > 2
    assert found.correlation == found.correlations[found.nats.argmax()] > 0.5


def test_affine_labels_and_the_order_of_rows_change_nothing(related):
    x_a, y_a, x_b, y_b = related
    found = correlation_evidence(*related)
    scaled = correlation_evidence(x_a, 5 - 3 * y_a, x_b, y_b)
    np.testing.assert_allclose(scaled.nats, found.nats[::-1], atol=1e-9)
    order = np.random.default_rng(1).permutation(len(y_b))
    np.testing.assert_allclose(correlation_evidence(x_a, y_a, x_b[order], y_b[order]).nats, found.nats, atol=1e-9)
    np.testing.assert_allclose(correlation_evidence(x_b, y_b, x_a, y_a).nats, found.nats, atol=1e-9)


def test_classes_may_have_any_names(related):
    x_a, y_a, x_b, y_b = related
    wanted = correlation_evidence(x_a, y_a, x_b, (y_b > 0).astype(float)).nats
    names = np.where(y_b > 0, "yes", "no")
    for labels in (names, y_b > 0, list(names), names.astype(object)):
        np.testing.assert_allclose(correlation_evidence(x_a, y_a, x_b, labels).nats, wanted, atol=1e-10)


def test_more_rows_than_a_matrix_holds_are_refused(related, monkeypatch):
    monkeypatch.setattr(evidence, "MOST_ROWS", 20)
    with pytest.raises(ValueError, match="x_a and x_b must have at most 20 rows together"):
        correlation_evidence(*related)


def test_predictions_are_those_of_the_full_gaussian_at_the_correlation_of_most_evidence(related):
    x_a, y_a, x_b, y_b = related
    new = np.random.default_rng(4).standard_normal((6, 4))
    rho = correlation_evidence(*related).correlation
    cov, _, scale = plain.covariance(*related, rho)
    scale_b = plain.covariance(x_b, y_b, x_a, y_a, rho)[2]
    columns = plain.kernel(np.concatenate([x_a, x_b]), new, np.concatenate([x_a, x_b]))
    cross = np.hstack([scale * (columns[:, :22] + 1), rho * np.sqrt(scale * scale_b) * columns[:, 22:]])
    labels = np.concatenate([plain.standard(y_a), plain.standard(y_b)])
    wanted = y_a.mean() + y_a.std() * cross @ np.linalg.solve(cov, labels)
    found = correlation_prediction(*related, new)
    np.testing.assert_allclose(found, wanted, rtol=1e-8)
    np.testing.assert_allclose(correlation_prediction(*related, new[:1]), wanted[:1], rtol=1e-8)
    scaled = correlation_prediction(x_a, 5 - 3 * y_a, x_b, y_b, new)
    np.testing.assert_allclose(scaled, 5 - 3 * found, rtol=1e-9)


def test_new_rows_are_matched_by_name(related):
    x_a, y_a, x_b, y_b = related
    a, b, new = (pd.DataFrame(rows, columns=list("pqrs")) for rows in (x_a, x_b, x_b[:5]))
    found = correlation_prediction(a, y_a, b[list("srqp")], y_b, new[list("qpsr")])
    np.testing.assert_allclose(found, correlation_prediction(*related, x_b[:5]), rtol=1e-12)
    with pytest.raises(ValueError, match="x must have the 4 columns of x_a; got 3"):
        correlation_prediction(*related, x_b[:, :3])
    with pytest.raises(ValueError, match="x lacks 'p'"):
        correlation_prediction(a, y_a, b, y_b, new[list("qrs")])
