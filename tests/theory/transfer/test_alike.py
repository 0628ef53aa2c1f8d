"""Tasks alike: the closed forms against the general matrix, explicitly stacked teachers, and limits."""

import numpy as np
import pytest

from mtlbook_lib.data.related import alike_gram, related_teachers
from mtlbook_lib.simulation import spectra
from mtlbook_lib.theory.transfer import alike_error, composite_modes, equivalent_similarity, head_shrinkage_error


def stacked_values(strengths, gram):
    tasks = related_teachers(12, 40, [[s] for s in strengths], gram, [3])
    clean = np.concatenate([task.clean[0, 0] for task in tasks])
    return spectra.singular_values(clean)[: len(strengths)]


@pytest.mark.parametrize(("n", "s", "q"), [(2, 1.0, 0.3), (3, 2.0, 0.5), (5, 0.7, 0.9), (8, 3.0, 0.1)])
def test_modes_of_tasks_alike(n, s, q):
    written = s * np.sqrt(np.r_[1 + (n - 1) * q, np.full(n - 1, 1 - q)])
    strengths, weights = composite_modes([[s]] * n, alike_gram(q, n))
    assert strengths == pytest.approx(written, abs=1e-10)
    assert weights == pytest.approx(np.full((n, n), 1 / n), abs=1e-10)
    assert stacked_values([s] * n, alike_gram(q, n)) == pytest.approx(written, abs=1e-10)


@pytest.mark.parametrize("n", [1, 2, 3, 6])
@pytest.mark.parametrize("joint", [False, True])
def test_error_is_that_of_the_general_formula(n, joint):
    for s in (0.7, 1.5, 4.0):
        for q in (0.0, 0.2, 0.7, 1.0):
            general = head_shrinkage_error([[s]] * n, alike_gram(q, n), 0.5, head=n - 1, joint=joint)
            assert alike_error(s, q, n, 0.5) == pytest.approx(general, abs=1e-12)


def test_infinitely_many_are_the_limit():
    s, q = np.array([[0.3], [1.0], [3.0]]), np.array([0.1, 0.5, 1.0])
    assert alike_error(s, q, 1e8, 0.5) == pytest.approx(alike_error(s, q, np.inf, 0.5), abs=1e-5)
    assert alike_error(s, 0.0, np.inf, 0.5) == pytest.approx(1.0)


def test_equivalent_similarity_inverts_the_limit():
    s, q = np.array([[0.3], [1.0], [3.0]]), np.array([0.0, 0.1, 0.5, 1.0])
    assert equivalent_similarity(s, alike_error(s, q, np.inf, 0.7), 0.7) == pytest.approx(np.broadcast_to(q, (3, 4)))
