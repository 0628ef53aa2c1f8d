"""The last step of the cone solver, where rounding puts the scaled point on the edge of a cone."""

import numpy as np

from mtlbook_lib.data.sparse_tasks import sparse_teachers, sphere_inputs
from mtlbook_lib.theory.interpolation import min_group_norm


def test_many_problems_of_which_some_end_on_the_edge():
    # Of 600 problems one, number 129, came to a step that divides by zero.
    seeds = range(125, 135)
    teachers = sparse_teachers(60, 8, 8, 8, seeds)
    xs = [sphere_inputs(60, 20, seeds, role) for role in ("aux", "main")]
    for x, z, a, b in zip(*xs, teachers.aux, teachers.main, strict=True):
        found = min_group_norm([x, z], [x @ a, z @ b])
        np.testing.assert_allclose([x @ found[0], z @ found[1]], [x @ a, z @ b], atol=1e-9)
        assert np.linalg.norm(found, axis=0).sum() <= np.linalg.norm([a, b], axis=0).sum() * (1 + 1e-8)
