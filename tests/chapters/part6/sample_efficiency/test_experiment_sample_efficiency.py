"""The experiments of the chapter on sample efficiency, at tiny sizes, and what is stored for it."""

import numpy as np
import pytest
from scipy.stats import norm

from mtlbook_lib.chapters import sparse_pairs
from mtlbook_lib.chapters.part6.sample_efficiency import experiment
from mtlbook_lib.data.sparse_tasks import sphere_inputs
from mtlbook_lib.theory.interpolation import min_penalty, min_weighted_l2


def test_limits_are_those_of_the_minimisers():
    limits = experiment.limits((40, 20), 64)
    assert limits["lazy"] == pytest.approx(1 - 0.064)
    assert limits["finetune"] == sparse_pairs.limit((40, 20), 1.0, 64)
    aux, main = sparse_pairs.teachers(0, ((40, 20),), 1000)
    x = sphere_inputs(1000, 64, range(8))
    energy = np.sqrt(aux**2 + 4 * sparse_pairs.ALPHA**4)
    fits = [min_weighted_l2(one, one @ main[0], energy) for one in x]
    assert np.mean(sparse_pairs.relative_errors(np.array(fits), main[0])) == pytest.approx(limits["probing"], rel=0.2)
    fits = [min_penalty(one, one @ main[0], 2 * sparse_pairs.ALPHA**2) for one in x]
    assert np.mean(sparse_pairs.relative_errors(np.array(fits), main[0])) == pytest.approx(limits["single"], rel=0.15)


def test_examples_needed_are_sums_over_features():
    t = np.linspace(0.01, 4, 2000)
    psi = 2 * ((1 + t**2) * norm.cdf(-t) - t * norm.pdf(t))
    found = experiment.needed(10, features=30)
    new, zero = 20 * (1 + t**2), 950 * psi
    assert found["finetune"] == pytest.approx(np.min(30 + new + zero), abs=1e-2)
    assert found["multi"] == pytest.approx(np.min(10 * (1 + t**2 / 2) + 20 + new + zero), abs=1e-2)
    assert found["single"] == pytest.approx(np.min(30 * (1 + t**2) + 970 * psi), abs=1e-2)
