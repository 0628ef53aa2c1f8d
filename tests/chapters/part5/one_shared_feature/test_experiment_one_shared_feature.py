"""One shared feature for a source and a target, at tiny sizes."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from mtlbook_lib.chapters.part5.one_shared_feature import experiment
from mtlbook_lib.chapters.part5.one_shared_feature.experiment import _moments, new_rank_correlation
from mtlbook_lib.data.linear_tasks import transfer_pairs
from mtlbook_lib.theory.hard_sharing import rank_one_optimum


def rows(inputs_with_inputs, inputs_with_labels):
    """As few examples as there are inputs, with the given moments."""
    root = np.linalg.cholesky(inputs_with_inputs)
    return root.T, np.linalg.solve(root, inputs_with_labels)


def test_models_are_those_of_the_certified_optimum_and_of_least_squares():
    found = experiment.optimum([60, 200], [0.5, 2.0], "different", n_seeds=2)
    pair, sizes = found.pair, {"source": [60, 200], "target": [120]}
    laws = {"source": (pair.source_covariance, 0), "target": (pair.target_covariance, 1)}
    moments = {k: _moments(k, c, pair.models[:, i], sizes[k], [0.5, 2.0]) for k, (c, i) in laws.items()}
    source, target = (rows(s[1, 0, -1], b[1, 1, -1]) for s, b in moments.values())
    assert found.alone[1, 1] == pytest.approx(np.linalg.lstsq(*target)[0], rel=1e-6)
    b, heads, _ = rank_one_optimum(*zip(source, target, strict=True))
    assert found.shared[1, 1, 1] == pytest.approx(heads[1] * b, rel=1e-4, abs=1e-5)
    error = found.alone[1, 1] - pair.models[1, 1]
    assert found.risks()[1][1, 1] == pytest.approx(error @ pair.target_covariance[1] @ error, rel=1e-6)


def test_moments_have_the_law_of_those_of_examples():
    pair = transfer_pairs(300, 1, 100, 0.96, 100.0, 1.0, range(60), "different")
    drawn = _moments("source", pair.source_covariance, pair.models[:, 0], [40, 300], [1.0, 3.0])
    x, y = pair.source_inputs, pair.source_labels
    given = x.mT @ x, (x.mT @ y[..., None])[..., 0]
    for own, other in zip((drawn[0][:, 0, 1], drawn[1][:, 0, 1]), given, strict=True):
        axis = other.mean(axis=0) / np.linalg.norm(other.mean(axis=0))
        drawn_along, along = ((part * axis).reshape(60, -1).sum(axis=1) for part in (own, other))
        error = np.hypot(drawn_along.std(), along.std()) / np.sqrt(60)
        assert drawn_along.mean() == pytest.approx(along.mean(), abs=4 * error)
        assert drawn_along.std() == pytest.approx(along.std(), rel=0.5)


def test_an_endless_source_leaves_the_misfit():
    run = experiment.optimum([5000], [0.01], "same", n_seeds=2)
    pair, misfit = run.pair, run.source_misfit()
    for models, cov, left in zip(pair.models, pair.target_covariance, misfit, strict=True):
        root = np.linalg.cholesky(cov).T
        assert left == pytest.approx(np.linalg.lstsq(root @ models[:1].T, root @ models[1])[1][0])
    assert run.risks()[0][:, 0, 0] == pytest.approx(misfit, rel=0.1)


def test_rank_correlations_are_spearmans():
    run = experiment.optimum([60], [3.0], "same", n_seeds=2)
    rows = np.random.default_rng(0).standard_normal((1000, 100)) @ np.linalg.cholesky(run.pair.target_covariance[1]).T
    expected = spearmanr(rows @ run.shared[1, 0, 0], rows @ run.pair.models[1, 1]).statistic
    found = new_rank_correlation(run.pair, run.shared)
    assert found[1, 0, 0] == pytest.approx(expected, abs=1e-12)
    assert run.rank_gain() == pytest.approx(found - new_rank_correlation(run.pair, run.alone)[..., None])
