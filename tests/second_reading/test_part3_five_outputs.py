"""Five outputs read a second time: teachers of our own against the expansion, where modes fill all rows and not."""

import numpy as np
import pytest

from mtlbook_lib.theory.transfer import transfer_benefit

START, TIMES = 1e-3, np.linspace(0.1, 12, 60)


def mean_course(maps, n_rows, draws, seed):
    """Mean error of the first rows of a student, over their energy: closed form for aligned starts."""
    rng, total = np.random.default_rng(seed), np.zeros(TIMES.size)
    for _ in range(draws):
        noisy = maps + rng.standard_normal(maps.shape) / np.sqrt(maps.shape[1])
        u, s, v = np.linalg.svd(noisy, full_matrices=False)
        grown = np.exp(2 * s * TIMES[:, None])
        late = s * grown / (grown - 1 + s / START)
        course = np.einsum("ks,ts,sd->tkd", u[:n_rows], late, v)
        total += np.square(course - maps[:n_rows]).sum(axis=(1, 2))
    return total / draws / np.square(maps[:n_rows]).sum()


def simulated(s, cosine, n_outputs, n_inputs, draws):
    """Benefit of a task of the same strengths, whose input modes have one cosine each with the first task's."""
    rank, axes = len(s), np.eye(n_inputs)
    turn = np.linalg.qr(np.random.default_rng(1).standard_normal((n_outputs, rank)))[0]
    second = turn * s @ (cosine * axes[:rank] + np.sqrt(1 - cosine**2) * axes[rank : 2 * rank])
    first = np.eye(n_outputs)[:, :rank] * s @ axes[:rank]
    alone, joint = (mean_course(maps, n_outputs, draws, 5) for maps in (first, np.vstack([first, second])))
    return alone.min() - joint.min()


@pytest.mark.claims("digits-five-outputs")
@pytest.mark.parametrize(("s", "shape", "draws", "flattened"), [
    ((2.0, 1.9, 1.8, 1.7, 1.5), (5, 40), 200, True), ((2.0, 1.7), (25, 200), 8, False),
])  # fmt: skip
def test_the_expansion_flattens_benefits_where_modes_fill_all_rows(s, shape, draws, flattened):
    found = [simulated(np.array(s), cosine, *shape, draws) for cosine in (0.0, 0.9)]
    said = [transfer_benefit(s, s, cosine, shape[0] / shape[1], shape[0], START, order=1) for cosine in (0.0, 0.9)]
    slope = np.diff(found)[0] / np.diff(said)[0]
    assert slope > 1.25 if flattened else slope == pytest.approx(1.0, abs=0.15)
